"""Rulesets → games of OpenSpiel, with explicit chance, observers with named tensors, and information states by perfect recall.

`register()` makes every ruleset of the package's games loadable by `pyspiel.load_game("rulewright_yspahan_p3")`, `register_game` any
other. The parameter `utility` says what a state returns: "wins" (one win, shared), "scores", or "margins" (the score less the average of all,
which is of sum zero). With `recall=N` information states are tensors too: what a player saw and did at up to N stops of a small game.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from rulewright.engines import SPECS, engine_name, games, load
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game

UTILITIES = ("wins", "scores", "margins")
# scores have no bound of their own
_MOST_POINTS = 1_000_000.0
# longer texts of what a seat remembers go by their key
_LONGEST_TEXT = 4000

_registered: dict[str, Callable[[], Game]] = {}


def register() -> list[str]:
    """Every ruleset of every game of the package, by name; engines are loaded when a game is."""
    from rulewright.compiler.build import read_spec
    from rulewright.compiler.read.overlay import rulesets

    names = []
    for game in games():
        for players, variants in rulesets(read_spec(SPECS / game, f"spec/{game}").folder):

            def make(game: str = game, players: int = players, variants: Any = variants) -> Game:
                return load(game, players, variants)

            name = f"rulewright_{game}_{engine_name(players, variants, {})}"
            names.append(_register(name, f"{game}, {players} players", players, make))
    return names


def register_game(game: Game, name: str = "") -> str:
    """One ruleset, made by `rulewright.load` or `rulewright.compile`; gives the name to load it by."""
    info = game.info
    own = (
        name
        or f"rulewright_{info['game']}_{engine_name(info['players'], info['variants'], info['options'])}"
    )
    return _register(own, str(info["title"]), int(info["players"]), lambda: game)


def _register(name: str, title: str, players: int, make: Callable[[], Game]) -> str:
    if name not in _registered:
        kind = _game_type(name, title, players)
        own = type("SpielGame", (SpielGame,), {"name_of_rules": name, "title_of_rules": title})
        pyspiel.register_game(kind, own)
    _registered[name] = make
    return name


def _game_type(
    name: str,
    title: str,
    players: int,
    utility: str = "wins",
    hidden: bool = True,
    chance: bool = True,
    recalls: bool = False,
) -> Any:
    kind = pyspiel.GameType
    sums = {"wins": kind.Utility.CONSTANT_SUM, "scores": kind.Utility.GENERAL_SUM}
    return kind(
        short_name=name,
        long_name=title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if hidden else kind.Information.PERFECT_INFORMATION,
        utility=sums.get(utility, kind.Utility.ZERO_SUM),
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"utility": "wins", "recall": 0},
    )  # fmt: skip


class SpielGame(pyspiel.Game):
    """A ruleset as OpenSpiel knows games; each has a class of its own, because OpenSpiel makes games from classes."""

    name_of_rules = ""
    title_of_rules = ""

    def __init__(self, params: Any = None) -> None:
        name, title = self.name_of_rules, self.title_of_rules
        game = _registered[name]()
        given = dict(params or {})
        utility = str(given.get("utility", "wins"))
        if utility not in UTILITIES:
            raise RulewrightError(f"utility is one of {', '.join(UTILITIES)}, not {utility!r}")
        recall = int(given.get("recall", 0))
        if recall < 0:
            raise RulewrightError(f"recall is a number of stops, not {recall}")
        self.rules = Rules(game, utility, recall)
        full, players = game.full.info, game.num_players()
        # with partners, or together against the game, what is won does not add up to one
        shared = len(full["participants"]) > players or "by_team" in full or "together" in full
        chances = full["chances"].values()
        kind = _game_type(name, title, players, "scores" if shared and utility == "wins" else utility, _hides(full), bool(chances), recall > 0)  # fmt: skip
        low, high = (0.0, 1.0) if utility == "wins" else (-_MOST_POINTS, _MOST_POINTS)
        sums = {"wins": None if shared else 1.0, "scores": None, "margins": 0.0}
        about = pyspiel.GameInfo(
            num_distinct_actions=game.num_distinct_actions(),
            max_chance_outcomes=max((c["size"] for c in chances), default=0),
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=sums[utility],
            max_game_length=game.most_decisions,
        )
        super().__init__(kind, about, given)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """For pickle: another process may not have registered it."""
        return _loaded, (self.name_of_rules, self.title_of_rules, str(self), self.rules.game)

    def new_initial_state(self, *_: Any) -> SpielState:
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Any = None
    ) -> SpielObserver | None:
        """For what one player sees; there is none for parts of it, such as what all see."""
        one = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if iig_obs_type is not None and not (iig_obs_type.public_info and iig_obs_type.private_info == one):  # fmt: skip
            return None
        return SpielObserver(self, iig_obs_type, params)

    def observation_tensor_shape(self) -> list[int]:
        return [self.rules.game.observation_spec().size]

    def information_state_tensor_shape(self) -> list[int]:
        return [self.rules.recalled_size()]


def _loaded(name: str, title: str, text: str, game: Game) -> Any:
    """A game of OpenSpiel where it may not be known yet."""
    if name not in _registered:
        _register(name, title, game.num_players(), lambda: game)
    return pyspiel.load_game(text)


class Rules:
    """What all states of a game share; OpenSpiel copies what states hold, but this stays one."""

    def __init__(self, game: Game, utility: str, recall: int) -> None:
        self.game = game
        self.utility = utility
        self.recall = recall
        # chance comes from outside, so that all games begin alike
        self.start: Any = game.new_initial_state(chance="explicit", remember=True)

    def __deepcopy__(self, memo: object) -> Rules:
        return self

    def recalled_size(self) -> int:
        """Numbers of an information state: whose it is, then for each stop what was seen and what one did."""
        spec = self.game.observation_spec()
        return self.game.num_players() + self.recall * (spec.size + spec.actions)


class Past:
    """The stops behind a state: how it was then, who decided what. It never changes, so copies share it."""

    __slots__ = ("known_to", "stops")

    def __init__(self, stops: tuple[tuple[Any, int, int], ...] = (), known_to: int | None = None) -> None:  # fmt: skip
        self.stops = stops
        # where what is hidden was dealt anew, the past is that of one player alone
        self.known_to = known_to

    def __deepcopy__(self, memo: object) -> Past:
        return self


def _hides(info: Any) -> bool:
    """Whether a seat may not know everything."""
    secret = any(c["secret"] or c["secret_options"] for c in info["choices"].values())
    state = any(var["visible"] != "all" for var in info["state"])
    families = info["families"]
    zones = any(z["visible"] in ("owner", "team") for f in families for z in f["zones"])
    return secret or state or zones or any(f["standing"] is not None for f in families)


class SpielState(pyspiel.State):
    """A state with its history beside it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.memory = game.rules.start.clone()
        self.past = Past()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _read, (self.get_game(), self.serialize())

    @property
    def ours(self) -> Any:
        """The state of our engine."""
        return self.memory.state

    # ------------------------------------------------------------ what OpenSpiel asks for

    def current_player(self) -> int:
        who: int = self.ours.current_player()
        return int(pyspiel.PlayerId.TERMINAL) if who == -4 else who

    def is_terminal(self) -> bool:
        return bool(self.ours.is_terminal())

    def is_chance_node(self) -> bool:
        return bool(self.ours.is_chance_node())

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.ours.legal_actions()) if player == self.ours.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        found: list[tuple[int, float]] = self.ours.chance_outcomes()
        return found

    def _apply_action(self, action: int) -> None:
        who = self.ours.current_player()
        if self.rules.recall and who >= 0:
            stop = (self.ours.clone(), who, int(action))
            self.past = Past((*self.past.stops, stop), self.past.known_to)
        self.memory.apply_action(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        told = self.ours.action_to_dict(int(action))
        return f"{told.get('choice', told.get('chance'))}: {told['value']}"

    def returns(self) -> list[float]:
        state, utility = self.ours, self.rules.utility
        players = self.rules.game.num_players()
        if not state.is_terminal():
            return [0.0] * players
        if utility == "wins":
            return list(map(float, state.returns()))
        scores = [float(x) for x in state.scores()[:players]]
        if utility == "scores":
            return scores
        average = sum(scores) / players
        return [x - average for x in scores]

    def information_state_string(self, player: int | None = None) -> str:
        seat = self._player(player)
        found = self.memory.information_state(seat)
        return str(found.text if len(found.text) <= _LONGEST_TEXT else found.key)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Who it is, then stop by stop what it saw and what it did, up to now; nothing where there is none."""
        seat, rules = self._player(player), self.rules
        spec = rules.game.observation_spec()
        if not rules.recall:
            raise pyspiel.SpielError(
                "information states are tensors with recall=N, the number of stops that are kept"
            )
        stops = [*self.past.stops, (self.ours, -1, -1)]
        if len(stops) > rules.recall:
            raise pyspiel.SpielError(
                f"this game has more stops than recall={rules.recall}; here {len(stops)} are needed"
            )
        out = np.zeros(rules.recalled_size(), np.float32)
        out[seat] = 1
        at = rules.game.num_players()
        for state, who, action in stops:
            if action < 0 or self.past.known_to in (None, seat):
                state.observe_into(out[at : at + spec.size], seat)
                if who == seat:
                    out[at + spec.size + action] = 1
            at += spec.size + spec.actions
        found: list[float] = out.tolist()
        return found

    def observation_string(self, player: int | None = None) -> str:
        seat = self._player(player)
        return repr(self.ours.view(seat).data)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        seat = self._player(player)
        row = array("f", bytes(4 * self.rules.game.observation_spec().size))
        self.ours.observe_into(row, seat)
        return list(row)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Another state that looks the same to a player: what it can't see is dealt anew."""
        other: SpielState = self.get_game().new_initial_state()
        other.memory = self.memory.dealt_again(player, int(sampler() * (1 << 52)))
        other.past = Past(self.past.stops, player)
        return other

    def _player(self, player: int | None) -> int:
        """A player that there is: the one asked for, or who decides."""
        seat = self.current_player() if player is None else int(player)
        if seat < 0:
            raise pyspiel.SpielError(f"player >= 0 is wanted, not {seat}")
        if seat >= self.rules.game.num_players():
            raise pyspiel.SpielError(
                f"player < {self.rules.game.num_players()} is wanted, not {seat}"
            )
        return seat

    def __str__(self) -> str:
        state = self.ours
        if state.is_terminal():
            return f"over: {state.scores()}"
        at = state.pending() or {}
        return f"{' '.join(map(str, self.history()))} | {at.get('choice', at.get('chance'))}"


def _read(game: SpielGame, text: str) -> Any:
    return game.deserialize_state(text)


class SpielObserver:
    """What a player sees: `tensor`, and the same by names in `dict`."""

    def __init__(self, game: SpielGame, iig_obs_type: Any = None, params: Any = None) -> None:
        if params:
            raise RulewrightError(f"an observer takes no parameters, not {params!r}")
        self.recalls = bool(iig_obs_type is not None and iig_obs_type.perfect_recall)
        self.spec = game.rules.game.observation_spec()
        self.stops = game.rules.recall if self.recalls else 0
        self.tensor = np.zeros(game.rules.recalled_size() if self.stops else self.spec.size, np.float32)  # fmt: skip
        self.dict = {"information_state": self.tensor} if self.stops else self.spec.split(self.tensor)  # fmt: skip

    def set_from(self, state: SpielState, player: int) -> None:
        if self.stops:
            self.tensor[:] = state.information_state_tensor(player)
        else:
            state.ours.observe_into(self.tensor, player)

    def string_from(self, state: SpielState, player: int) -> str:
        if self.recalls:
            return state.information_state_string(player)
        return state.observation_string(player)


class Playouts:
    """An evaluator for OpenSpiel's searches that plays out at random inside our engine, which is much faster than by calls."""

    def __init__(self, count: int = 1, seed: int = 0) -> None:
        self.count = count
        self._dice = np.random.default_rng(seed)

    def evaluate(self, state: SpielState) -> Any:
        game = state.rules.game
        if state.is_terminal():
            return np.array(state.returns())
        clone = state.clone()
        while clone.is_chance_node():
            outcomes, odds = zip(*clone.chance_outcomes(), strict=True)
            clone.apply_action(int(self._dice.choice(outcomes, p=odds)))
        if clone.is_terminal():
            return np.array(clone.returns())
        position = game.fast_state(clone.ours)
        ends = game.random_playouts(
            position, self._dice.integers(1 << 50, size=self.count).tolist()
        )
        return np.mean([end.returns() for end in ends], axis=0)

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]
