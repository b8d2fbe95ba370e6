"""Words for a ruleset (`GAME`, `GAME+variant`, `GAME+variant@3`, a folder) → what they name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulewright.engines import UnknownGame, spec_path


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game with variants, for a player count once that is settled."""

    text: str
    game: str
    variants: tuple[str, ...]
    players: int | None


def parse(text: str) -> Ruleset:
    """`game`, `game+variant`, `game@3`, `folder/of/mine+a+b@2`; raises UnknownGame."""
    if Path(text).is_dir():
        return Ruleset(text, text, (), None)
    rest, sign, count = text.rpartition("@")
    players = None
    if sign:
        if not (count.isascii() and count.isdigit()):
            raise UnknownGame(f"{text!r}: after @ stands a player count, as in {rest}@3")
        players = int(count)
    else:
        rest = text
    game, *variants = rest.split("+")
    spec_path(game)
    if not all(variants):
        raise UnknownGame(f"{text!r}: after + stands the name of a variant")
    return Ruleset(text, game, tuple(variants), players)


def settle(a: Ruleset, b: Ruleset, players: int | None) -> tuple[Ruleset, Ruleset]:
    """Both with a player count: the one given, or the greatest that both are for."""
    from rulewright.compiler.build import read_spec

    counts = []
    for side in (a, b):
        path = spec_path(side.game)
        folder = read_spec(path, path.name).folder
        fits = set(folder.game.players)
        for name in side.variants:
            if name in folder.variants:
                fits &= set(folder.variants[name].players)
        counts.append(fits)
    common = max(counts[0] & counts[1], default=max(counts[0], default=2))
    out = []
    for side in (a, b):
        count = side.players or players or common
        out.append(Ruleset(side.text, side.game, side.variants, count))
    return out[0], out[1]
