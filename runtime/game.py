"""A loaded game: the engine module, what is known of it, and how to begin, load and play out states."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rulewright.runtime import api, asking, revive, rng
from rulewright.runtime.data import Value
from rulewright.runtime.engine_module import EngineModule
from rulewright.runtime.errors import IN_PLAY, EngineError, IllegalAction, RulewrightError
from rulewright.runtime.given import shown
from rulewright.runtime.info import ChoiceRow, Info, Where, ZoneRow
from rulewright.runtime.observation import LAYOUTS, ObservationSpec, Observer
from rulewright.runtime.owners import words_of
from rulewright.runtime.recall import Remembering
from rulewright.runtime.state import EngineState, FullState, State, full_flavour, of_engine
from rulewright.runtime.values import Values

if TYPE_CHECKING:
    from rulewright.vector import Vector


class Game:
    """One ruleset for one player count.

    `full` is the same game in its full flavour, which tells the story, gives reasons and takes chance from outside;
    it is made when it is first needed.
    """

    def __init__(
        self, module: EngineModule, info: Info, make_full: Callable[[], Game] | None = None
    ) -> None:
        self.module: EngineModule = module
        self.info = info
        self.values = Values(info["kinds"])
        self._make_full = make_full
        self._full: Game | None = self if info["full"] else None
        self._asking: type[EngineState] | None = None
        self._asking_made = False
        self._observer: Observer | None = None
        # the same game in its fast flavour
        self.fast: Game = self
        # how it can be loaded again in another process, and what no other game of this one has
        self.source: tuple[object, ...] | None = None
        self.mark = revive.mark(self)
        # by family and seat, the zones that the seat can't look into; found when they are first needed
        self.hidden_zones: dict[tuple[str, int], list[tuple[ZoneRow, list[int]]]] = {}
        # by hidden variable or zone, the roles and fields of what is noted beside it
        self.notes: dict[str, list[tuple[str, str]]] = {}
        for var in info["state"]:
            if var["about"]:
                self.notes.setdefault(var["about"], []).append((var["role"], var["field"]))
        self._by_label: dict[str, ChoiceRow] = {c["label"]: c for c in info["choices"].values()}
        slots = api.fields_of(module.new_state(0))
        self.slot_fields: list[str] = info["slots"]
        unsaved = {
            "pc",
            "who",
            "opts",
            "rng",
            "value",
            "values",
            "value_set",
            "pool",
            "kinds",
            "digit",
            "barriers",
            "explicit",
            "checked",
            "asks_all",
            "story",
            "hits",
            "failed",
        }
        self.plain_fields = [n for n in slots if n not in unsaved and n not in self.slot_fields]
        self.module.GAME = self

    # ------------------------------------------------------------ about the game

    @property
    def name(self) -> str:
        return str(self.info["game"])

    @property
    def full(self) -> Game:
        if self._full is None:
            if self._make_full is None:
                raise RulewrightError("this game was built without its full flavour")
            self._full = self._make_full()
            self._full.fast = self
        return self._full

    @property
    def observer(self) -> Observer:
        """What writes observations of this game's states; made when it is first needed."""
        if self._observer is None:
            # it is printed by the compiler, which nobody needs to play
            from rulewright.observing import observer_of

            self._observer = observer_of(self, self.fast)
        return self._observer

    def observation_spec(self, layout: str = "flat") -> ObservationSpec:
        """What `state.observe_into` writes: named pieces with place, shape, bounds and meaning; see observation.py."""
        if layout not in LAYOUTS:
            raise RulewrightError(f"a layout is 'flat' or 'pieces', not {shown(layout)}")
        return replace(self.observer.spec, layout=layout)

    def vector(self, n: int, seed: int = 0, threads: int | None = None) -> Vector:
        """n games side by side in numpy arrays; needs the extra `research`. Native engines step them on threads, all cores by default."""
        # numpy is an extra
        from rulewright.vector import Vector

        return Vector(self, n, seed, threads)

    def __reduce__(self) -> tuple[object, ...]:
        return revive.reduce_game(self)

    def _repr_html_(self) -> str:
        # what draws stands above the runtime, and only notebooks need it
        from rulewright.notebook import game_html

        return game_html(self)

    def num_players(self) -> int:
        return int(self.info["players"])

    def num_distinct_actions(self) -> int:
        return int(self.info["actions"])

    @property
    def most_decisions(self) -> int:
        """After so many decisions whoever drives a game gives up; the state does not count."""
        return int(self.info["most_decisions"])

    def offset(self, pc: int) -> int:
        return int(self.module.OFFSET[pc])

    # ------------------------------------------------------------ choices by name

    def choice_named(self, label: str) -> ChoiceRow:
        choice = self._by_label.get(label) if isinstance(label, str) else None
        if choice is None:
            import difflib

            near = difflib.get_close_matches(str(label)[:80], self._by_label, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise IllegalAction(f"there is no choice {shown(label)}{hint}")
        return choice

    def choice_of(self, action: int) -> ChoiceRow | None:
        for choice in self.info["choices"].values():
            if choice["offset"] <= action < choice["offset"] + choice["size"]:
                return choice
        return None

    def option_name(self, choice: ChoiceRow, index: int) -> Value:
        """The value with this index: a member, a number, or the word after `or`."""
        return self.values.option_name(choice, index)

    def option_index(self, choice: ChoiceRow, value: object) -> int:
        if choice["otherwise"] is not None and value == choice["otherwise"]:
            return int(choice["size"]) - 1
        try:
            got = self.values.read(choice["element"], value, choice["label"])
        except RulewrightError as error:
            raise IllegalAction(str(error)) from None
        return int(got) - self.values.low(choice["element"])

    # ------------------------------------------------------------ states

    def new_initial_state(
        self,
        seed: int = 0,
        chance: str = "sampled",
        ask_forced: bool = False,
        remember: bool = False,
    ) -> State:
        """A new game, run to its first decision; with chance "explicit" to its first chance point or decision.

        A decision with one option is taken by itself where all can see that there is one only; with `ask_forced` it is
        asked like the others. Where only hidden facts leave one option it is always asked. With `remember` the state keeps
        its history beside it, for `information_state(seat)`.
        """
        for name, switch in (("ask_forced", ask_forced), ("remember", remember)):
            if not isinstance(switch, bool):
                raise RulewrightError(f"{name} is True or False, not {shown(switch)}")
        if remember:
            begun = self.full.new_initial_state(seed, chance, ask_forced)
            return Remembering(self.full, full_flavour(begun))
        if chance not in ("sampled", "explicit"):
            raise RulewrightError(f"chance is 'sampled' or 'explicit', not {shown(chance)}")
        full = self.info["full"]
        if not full and (chance == "explicit" or (ask_forced and self.asking is None)):
            return self.full.new_initial_state(seed, chance, ask_forced)
        state: EngineState = self.module.new_state(api.seed_number(seed))
        if ask_forced:
            state = asking.ask_forced(self, state)
        if full:
            full_flavour(state).explicit = chance == "explicit"
        try:
            if ask_forced and not full:
                self.module.begin_asking(state)
            else:
                self.module.begin(state)
            if full:
                api.settle(self, full_flavour(state))
        except IN_PLAY as error:
            raise self.located(error) from error
        return state

    @property
    def asking(self) -> type[EngineState] | None:
        """The class of the fast engine's states that stop at forced decisions; None where there can't be one."""
        if not self._asking_made:
            self._asking, self._asking_made = asking.asking_class(self), True
        return self._asking

    def from_dict(self, data: Mapping[str, object]) -> State:
        """A state from what `to_dict` gave. Nothing in it is trusted: what the rules do not know is refused by a SaveError."""
        from rulewright.runtime.load import load

        if (
            isinstance(data, dict)
            and data.get("ask_forced")
            and not self.info["full"]
            and self.asking is None
        ):
            return load(self.full, data)
        return load(self, data)

    def full_state(self, state: State) -> FullState:
        """The same state in the full flavour."""
        if not self.info["full"]:
            from rulewright.runtime.load import moved

            state = moved(self, self.full, of_engine(state))
        return full_flavour(state)

    def fast_state(self, state: State) -> EngineState:
        """A state of the full flavour, at a decision or at the end, in the flavour of this game."""
        if not self.info["full"]:
            from rulewright.runtime.load import moved

            return moved(self.full, self, of_engine(state))
        return of_engine(state)

    def random_playout(self, state: State, seed: int) -> State:
        """A copy of the state played to the end at random."""
        return self.random_playouts(state, (seed,))[0]

    def random_playouts(self, state: State, seeds: Iterable[int]) -> list[State]:
        """For each seed a copy of the state played to the end at random; the whole batch runs inside the engine."""
        seeds = [api.seed_number(seed) for seed in seeds]
        if self.info["full"]:
            return [self._slow_playout(of_engine(state.clone()), seed) for seed in seeds]
        if self._full is not None and isinstance(state, self._full.module.State):
            # with explicit chance, say: its locals lie elsewhere
            return self._full.random_playouts(state, seeds)
        try:
            return list(self.module.playouts_from(of_engine(state), seeds))
        except IN_PLAY as error:
            raise self.located(error) from error

    def _slow_playout(self, state: EngineState, seed: int) -> State:
        state.rng = rng.from_seed(seed)
        x = rng.from_seed(seed + 1)
        for _ in range(self.most_decisions):
            if state.is_terminal():
                break
            x = rng.step(x)
            legal = state.legal_actions()
            state.apply_action(legal[rng.among(x, len(legal))])
        if not state.is_terminal():
            raise self.endless(state)
        return state

    # ------------------------------------------------------------ errors

    def endless(self, state: EngineState) -> EngineError:
        """For whoever drives a game: the error when `most_decisions` were made and there is no end."""
        return api.endless(self, state)

    def located(self, error: Exception) -> EngineError:
        """An error inside the engine, told with its place in the spec."""
        at: Where | None = None
        if isinstance(error, EngineError):
            if error.at is not None:
                return error
            code, message, at = error.code, error.message, self._place(error.place)
            if code == "RW1004":
                message = self._none_left(error) or message
        elif isinstance(error, IndexError):
            said = str(error)
            plain = not said or said.startswith("list ")
            code, message = "RW1006", "a place outside the list or map" if plain else said
        elif isinstance(error, ZeroDivisionError):
            code, message = "RW1007", "division by zero"
        elif isinstance(error, OverflowError):
            code, message = "RW1003", "a number grows beyond all bounds"
        else:
            code, message = "RW1003", "a number that has no place in a set or map"
        return EngineError(code, -1, message, at or self._line_of(error))

    def _place(self, number: int) -> Where | None:
        """A place of the engine's list; below -1 that of a decision, of chance or of a loop."""
        if number >= -1:
            places = self.info["places"]
            return list(places[number]) if 0 <= number < len(places) else None
        point = str(-1 - number)
        for group in ("choices", "chances"):
            if point in self.info[group]:
                return list(self.info[group][point]["place"])
        found = self.info.get("loops", {}).get(point)
        return None if found is None else list(found)

    def _none_left(self, error: EngineError) -> str | None:
        """Which zone is without which piece."""
        holder = self.info.get("holders", {}).get(str(error.place))
        if holder is None:
            return None
        name, kind, *keys = holder
        texts = self.values.texts
        whose = ""
        if keys != [None] and error.owner >= 0:
            whose = f" of {words_of(self.values, keys, error.owner)}"
        if error.piece < 0:
            return f"nothing is left in '{name}'{whose}"
        return f"there is no {texts[kind][error.piece]} left in '{name}'{whose}"

    def _line_of(self, error: Exception) -> Where | None:
        """The place in the spec of the innermost line of the engine in the traceback; a native engine tells it itself."""
        told: Where | None = getattr(error, "rule", None)
        if told is not None:
            return told
        files = (self.module.__file__,)
        lines = self.info["lines"]
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if frame.filename in files and frame.lineno and frame.lineno <= len(lines):
                place = lines[frame.lineno - 1]
                if place is not None:
                    return list(place)
        return None
