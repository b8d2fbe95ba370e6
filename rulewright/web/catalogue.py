"""Specs → what can be played here: the packaged games and folders named by who runs the server, and their rulesets, loaded once."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.engines import examples, games, is_built, load, spec_path
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.info import Info
from rulewright.simulate.clock import Clock
from rulewright.web.board import Board
from rulewright.web.bots_pool import Workers
from rulewright.web.bots_worker import Build, Rules

Json = dict[str, Any]
_MOST_LOADED = 64
# the bots that are offered, from weak to strong; a spec's own strategies come beside them
BOTS = ("random", "greedy", "mcts:50", "mcts:200", "mcts:1000")


class NotOffered(RulewrightError):
    """The lobby has no such game, variant, option or bot."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a game: its values as (value, words), the default first."""

    name: str
    about: str
    values: tuple[tuple[str, str], ...]
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    name: str
    about: str
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A game in the lobby."""

    name: str
    path: str
    title: str
    about: str
    players: tuple[int, ...]
    seats: tuple[str, ...]
    variants: tuple[Variant, ...]
    choices: tuple[Choice, ...]
    bots: tuple[str, ...]
    clauses: Mapping[str, Any] = field(repr=False, compare=False, default_factory=dict)


@dataclass(slots=True)
class Ruleset:
    """A game that is loaded, with what its pages need."""

    rules: Rules
    offer: Offer
    game: Game
    board: Board
    style: str
    hides: bool
    clock: Clock


def _packaged() -> list[str]:
    return [*games(), *examples()]


def read_offer(game: str) -> Offer:
    """What a spec's folder offers."""
    from rulewright.compiler.build import read_spec
    from rulewright.compiler.read.print_folder import node_text, type_text

    path = spec_path(game)
    folder = read_spec(path, path.name).folder
    free = [v for v in folder.variants.values() if not v.automatic]
    declared = [(decl, folder.game.players) for decl in folder.options.values()]
    for variant in folder.variants.values():
        if variant.automatic:
            declared += [(decl, variant.players) for decl in variant.options.values()]
    choices = []
    for decl, players in declared:
        seats = [(str(i), name) for i, name in enumerate(folder.game.seats)]
        values = _values(type_text(decl.type), node_text(decl.default), seats)
        if values:
            choices.append(Choice(decl.name, decl.about, tuple(values), tuple(players)))
    return Offer(
        folder.game.game,
        game if game in _packaged() else str(path.resolve()),
        folder.game.title,
        folder.game.about,
        tuple(sorted(folder.game.players)),
        tuple(folder.game.seats),
        tuple(Variant(v.name, v.about, tuple(v.players)) for v in free),
        tuple(choices),
        (*BOTS, *_own_bots(path)),
        dict(folder.clauses),
    )


def _values(written: str, default: str, seats: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The values of an option's type, as far as they can be listed; the default first."""
    low, dots, high = written.partition("..")
    if written == "bool":
        values = [("true", "yes"), ("false", "no")]
    elif written == "Player":
        values = list(seats)
    elif dots and low.strip().isdigit() and high.strip().isdigit():
        values = [(str(n), str(n)) for n in range(int(low), int(high) + 1)][:100]
    else:
        return []
    return sorted(values, key=lambda row: row[0] != default)


def _own_bots(folder: Path) -> list[str]:
    """The names of a spec's own strategies."""
    import yaml

    try:
        data = yaml.safe_load((folder / "bots.yaml").read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return []
    found = data.get("bots") if isinstance(data, dict) else None
    return [str(name) for name in found] if isinstance(found, dict) else []


class Catalogue:
    """What is offered, and what of it is loaded. Engines that are not in the cache are built by the workers."""

    def __init__(self, folders: Sequence[str], workers: Workers, build_seconds: float) -> None:
        # the package's own are read when somebody asks for them, so that a server is there at once
        self._read: dict[str, Offer] = {}
        for folder in folders:
            offer = read_offer(folder)
            if offer.name in self._read or offer.name in _packaged():
                raise NotOffered(f"there are two games called {offer.name!r}; rename one of them")
            self._read[offer.name] = offer
        self.workers, self.build_seconds = workers, build_seconds
        self._loaded: OrderedDict[Rules, asyncio.Task[Ruleset]] = OrderedDict()
        self.styles: dict[str, str] = {}

    @property
    def offers(self) -> list[Offer]:
        """The games of the package and the folders of who runs the server."""
        own = [name for name in self._read if name not in examples()]
        return [self.offer(name) for name in dict.fromkeys([*games(), *own])]

    @property
    def examples(self) -> list[Offer]:
        """Well-known games, which show the language."""
        return [self.offer(name) for name in examples()]

    def add(self, offer: Offer) -> None:
        """One more game to offer; one of the same name gives way to it."""
        self._read[offer.name] = offer

    def offer(self, name: str) -> Offer:
        if name not in self._read:
            if name not in _packaged():
                raise NotOffered(f"there is no game {name!r} here")
            self._read[name] = read_offer(name)
        return self._read[name]

    def rules(
        self, name: str, players: int, variants: Sequence[str], options: Mapping[str, Any]
    ) -> Rules:
        """The words of a ruleset that is offered; anything else is refused."""
        offer = self.offer(name)
        if players not in offer.players:
            raise NotOffered(f"{offer.title} is not for {players} players")
        known = {v.name for v in offer.variants if players in v.players}
        for variant in variants:
            if variant not in known:
                raise NotOffered(f"{offer.title} has no variant {variant!r} for {players} players")
        choices = {c.name: c for c in offer.choices if players in c.players}
        given = {}
        for option, value in options.items():
            if option not in choices:
                raise NotOffered(f"{offer.title} has no option {option!r} for {players} players")
            values = [v for v, _ in choices[option].values]
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if text not in values:
                raise NotOffered(f"the option {option!r} can't be {text!r}")
            if text != values[0]:
                given[option] = _read(text)
        return Rules(offer.path, players, tuple(variants), tuple(sorted(given.items())))

    async def load(self, offer: Offer, rules: Rules) -> Ruleset:
        """A ruleset ready to play. Those who ask at the same time wait for the same one."""
        task = self._loaded.get(rules)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._loaded[rules] = asyncio.create_task(self._load(offer, rules))
            while len(self._loaded) > _MOST_LOADED:
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(rules)
        return await asyncio.shield(task)

    async def _load(self, offer: Offer, rules: Rules) -> Ruleset:
        words = (rules.game, rules.players, rules.variants, dict(rules.options))
        if not await asyncio.to_thread(is_built, *words):
            await self.workers.ask(Build(rules), self.build_seconds)
        game, board = await asyncio.to_thread(_prepared, rules)
        style = f"{offer.name}-{game.info['hash']}"
        self.styles[style] = board.style()
        clock = Clock.of(spec_path(offer.path), game)
        return Ruleset(rules, offer, game, board, style, hides(game.info), clock)


def _prepared(rules: Rules) -> tuple[Game, Board]:
    game = load(rules.game, rules.players, rules.variants, dict(rules.options))
    game.full.new_initial_state(0)
    return game, Board(game, spec_path(rules.game))


def _read(text: str) -> object:
    return json.loads(text) if text in ("true", "false") or text.isdigit() else text


def hides(info: Info) -> bool:
    """Whether some seat sees what another does not."""
    return (
        any(var["visible"] != "all" for var in info["state"])
        or any(
            zone["visible"] in ("owner", "team") for f in info["families"] for zone in f["zones"]
        )
        or any(choice["secret"] for choice in info["choices"].values())
    )
