"""A scenario that is being written → where it stands: who decides what, what has changed, and which clauses it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulewright.compiler.build import Spec
from rulewright.compiler.text.diagnostics import Problems
from rulewright.conformance.bind import bind
from rulewright.conformance.bound import Bound
from rulewright.conformance.citations import citations
from rulewright.conformance.read import read_scenario_text
from rulewright.conformance.run import Runner, follow
from rulewright.conformance.scenario import Ruleset
from rulewright.conformance.scenario_engines import counting_engine
from rulewright.engines import module_of
from rulewright.runtime import api
from rulewright.runtime.errors import IN_PLAY, RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.info import FamilyRow, ZoneRow
from rulewright.runtime.owners import keys_of
from rulewright.runtime.save import pieces, public_state, zones

Json = dict[str, Any]
_SHOWN = "the scenario"
# options that are not legal are told with their reasons, as long as they are not a whole board
_MOST_REFUSED = 40


class NoScenario(RulewrightError):
    """What is written so far can't be carried out; the message says why."""


@dataclass(slots=True)
class Workshop:
    """The engine of one ruleset, on which scenarios are tried out step by step."""

    spec: Spec
    ruleset: Ruleset
    game: Game
    cited: dict[str, set[tuple[str, int]]] = field(default_factory=dict)

    @staticmethod
    def of(spec: Spec, ruleset: Ruleset) -> Workshop:
        engine = counting_engine(spec, ruleset)
        name = f"{spec.folder.game.game} {ruleset}"
        return Workshop(spec, ruleset, Game(module_of(engine.text, name), engine.info))

    def given(self, wanted: Mapping[str, Any], text: str) -> Json:
        """What a scenario has to give for a position: all that is not there when it begins. `text` is the scenario without it."""
        start = position(self.game, self._set_up(self._bound(text)).state)
        own = {v["name"] for v in self.game.info["state"] if not v["about"]}
        out: Json = {}
        for name, value in wanted.get("state", {}).items():
            if name in own:
                _differing(out, name, start["state"].get(name), value)
        for family in self.game.info["families"]:
            self._given_pieces(family, start, wanted, out)
        found: Json = in_words(out)
        return found

    def _given_pieces(
        self, family: FamilyRow, start: Json, wanted: Mapping[str, Any], out: Json
    ) -> None:
        """The zones and standing pieces of a family that lie otherwise."""
        standing = family["standing"]
        if standing is not None:
            called = standing["name"]
            rows = wanted.get("pieces", {}).get(called, {})
            if rows != start["pieces"][called]:
                out[called] = [self._piece(family, row) for row in rows.values()]
        there, before = wanted.get("zones", {}), len(out)
        for zone in sorted(family["zones"], key=lambda z: z["full"]):
            name = zone["name"]
            order = f"{name}.order"
            places = wanted.get("state", {}).get(order) if "order" in zone else None
            if name not in there or (
                there[name] == start["zones"][name] and places in (None, start["state"].get(order))
            ):
                continue
            if places is not None and _some_place(places):
                _differing(out, name, start["state"][order] if zone["per"] else None, places)
                continue
            others = len(out) > before or (standing is not None and standing["name"] in out)
            if zone["full"] and others and there[name] == self._rest(family, zone, wanted):
                continue  # what lies nowhere else is there by itself
            _differing(
                out, name, start["zones"][name] if zone["per"] is not None else None, there[name]
            )

    def _rest(self, family: FamilyRow, zone: ZoneRow, wanted: Mapping[str, Any]) -> Json:
        """What lies nowhere else, in the shape of the zone that begins with all pieces."""
        kinds = [str(k) for k in self.game.values.names[family["kind"]["kind"]]]
        owners = [""] if family["per"] is None else [str(o) for o in self._names(family["per"])]
        rest = {
            owner: dict(zip(kinds, copies, strict=True))
            for owner, copies in zip(owners, family["copies"], strict=True)
        }
        elsewhere: list[tuple[str, str, int]] = []
        for other in family["zones"]:
            if other["full"]:
                continue
            content = wanted.get("zones", {}).get(other["name"], {})
            heaps = [("", content)]
            for depth, _ in enumerate(keys_of(other)):
                heaps = [
                    (o if depth else str(k), heap) for o, part in heaps for k, heap in part.items()
                ]
            elsewhere += [(o, str(k), n) for o, heap in heaps for k, n in heap.items()]
        if family["standing"] is not None:
            rows = wanted.get("pieces", {}).get(family["standing"]["name"], {})
            elsewhere += [
                (str(row.get("owner", "")), str(row["value"]), 1) for row in rows.values()
            ]
        for owner, kind, n in elsewhere:
            group = rest[owner if owner in rest else owners[0]]
            group[kind] = max(0, group[kind] - n)
        left = {o: {k: n for k, n in heap.items() if n} for o, heap in rest.items()}
        return left if zone["per"] is not None else left[owners[0]]

    def _names(self, type_: Any) -> list[object]:
        return [self.game.values.show(type_, i) for i in range(type_["size"])]

    def _piece(self, family: Any, row: Mapping[str, Any]) -> Json:
        """A standing piece as scenarios write it: who knows it by seat, and nothing that is as usual."""
        types = family["standing"]["types"]
        out = {k: row[k] for k in ("owner", "value") if k in row}
        for name, type_ in types.items():
            first = (
                "none"
                if type_["t"] == "opt"
                else self.game.values.show(type_, self.game.values.low(type_))
            )
            if name in row and row[name] != first:
                out[name] = row[name]
        seats = self.ruleset.players
        known = int(row.get("known", 0))
        seen = [seat for seat in range(seats) if known >> seat & 1]
        if seen:
            out["seen"] = "all" if len(seen) == seats else seen
        return out

    # ------------------------------------------------------------ trying

    def attempt(self, text: str) -> Json:
        """Carry a scenario out as far as it is written; `text` is YAML of one."""
        bound = self._bound(text)
        begun = self._set_up(bound)
        start = position(self.game, begun.state)
        result, runner = follow(bound, self.game)
        if result.mismatches:
            first = result.mismatches[0]
            raise NoScenario(f"expected {first.expected}, came {first.came}")
        state = runner.state
        after = position(self.game, state)
        gained = [n - m for n, m in zip(state.score, runner.start.scores, strict=True)]
        names = self.game.values.names["Participant"]
        return {
            "sampled": list(runner.sampled),
            "over": state.pc == 0,
            "asked": None if state.pc == 0 else self._asked(state),
            "changes": [in_words(c) for c in _changes(self.game, start, after)],
            "gained": {str(names[i]): n for i, n in enumerate(gained) if n},
            "clauses": self._clauses([n - m for n, m in zip(result.hits, begun.hits, strict=True)]),
        }

    def _bound(self, text: str) -> Bound:
        problems = Problems()
        found = read_scenario_text(text, _SHOWN, self.spec, problems)
        bound = None if len(found) != 1 else bind(found[0], self.ruleset, self.game, problems)
        if bound is None or problems.has_errors:
            raise NoScenario(next((p.message for p in problems.errors), "this is no scenario"))
        return bound

    def _set_up(self, bound: Bound) -> Runner:
        runner = Runner(bound, self.game)
        try:
            runner.set_up()
        except (*IN_PLAY, ValueError) as error:
            raise NoScenario(str(error)) from error
        return runner

    def _asked(self, state: Any) -> Json:
        choice = self.game.info["choices"][str(state.pc)]
        label = choice["label"]
        options = [(i, self.game.option_name(choice, i)) for i in range(choice["size"])]
        refused = [name for i, name in options if not state.opts >> i & 1]
        told = (
            []
            if len(refused) > _MOST_REFUSED
            else [self._refused(state, label, n) for n in refused]
        )
        return {
            "by": int(state.who), "label": label, "options": [n for i, n in options if state.opts >> i & 1],
            "refused": [t for t in told if t["because"]],
        }  # fmt: skip

    def _refused(self, state: Any, label: str, name: object) -> Json:
        reasons = api.why_not(self.game, state, label, name)
        cites = dict.fromkeys(c for r in reasons for c in r["cites"])
        return {
            "value": name,
            "because": list(cites),
            "text": "; ".join(r["text"] for r in reasons),
        }

    def _clauses(self, hits: list[int]) -> list[str]:
        """The clauses that are cited in lines that ran, those of few lines first: they are what the scenario is about."""
        asked = set(self.game.info["asked"])
        ran = {
            (place[0], place[1])
            for number, (place, n) in enumerate(zip(self.game.info["hits"], hits, strict=True))
            if n and number not in asked
        }
        found = {
            clause: len(lines)
            for clause, lines in self._cited().items()
            if not lines.isdisjoint(ran)
        }
        return sorted(found, key=lambda clause: (found[clause], clause))

    def _cited(self) -> dict[str, set[tuple[str, int]]]:
        """The lines that cite each clause; found once, as it takes a while."""
        if not self.cited:
            for clause, places in citations(self.spec).places.items():
                self.cited[clause] = {(p.file, p.line) for p in places}
        return self.cited


def position(game: Game, state: Any) -> Json:
    """What lies on the table, as saves write it."""
    return {
        "state": public_state(game, state),
        "zones": zones(game, state),
        "pieces": pieces(game, state),
    }


def _some_place(places: Any) -> bool:
    """Whether anything is known of what lies where."""
    rows = places.values() if isinstance(places, dict) else [places]
    return any(k is not None for row in rows for k in row)


def in_words(value: Any) -> Any:
    """A value of a save as a scenario writes it."""
    if isinstance(value, dict):
        return {k: in_words(v) for k, v in value.items()}
    if isinstance(value, list):
        return [in_words(v) for v in value]
    return "none" if value is None else value


def _differing(out: Json, name: str, old: Any, new: Any) -> None:
    """The parts of a value that are not as they were; maps key by key."""
    if isinstance(old, dict) and isinstance(new, dict):
        inner: Json = {}
        for key, value in new.items():
            _differing(inner, key, old.get(key), value)
        if inner:
            out[name] = inner
    elif old != new:
        out[name] = new


def _changes(game: Game, before: Json, after: Json) -> Iterator[Json]:
    """What is different now, one entry for each thing that a scenario can name; points are told by themselves."""
    noted = {v["name"] for v in game.info["state"] if v["about"]}
    for name, value in after["state"].items():
        if name != "score" and name not in noted:
            yield from _paths((name,), before["state"][name], value)
    for family in game.info["families"]:
        for zone in family["zones"]:
            name = zone["name"]
            old, new = before["zones"][name], after["zones"][name]
            if "order" in zone and "seen" not in zone:
                old, new = (x["state"][f"{name}.order"] for x in (before, after))
            pairs: list[tuple[tuple[str, ...], Any, Any]] = [((name,), old, new)]
            for _ in keys_of(zone):
                pairs = [((*path, k), was[k], now[k]) for path, was, now in pairs for k in now]
            for path, was, now in pairs:
                if was != now:
                    yield {"path": list(path), "before": was, "after": now, "rest": zone["full"]}
        standing = family["standing"]
        if standing is not None:
            called = standing["name"]
            old, new = before["pieces"][called], after["pieces"][called]
            for handle in {**old, **new}:
                was, now = _shown(old.get(handle)), _shown(new.get(handle))
                if was != now:
                    fits = now if was == "none" or now == "none" else {k: v for k, v in now.items() if v != was[k]}  # fmt: skip
                    yield {"path": [called, handle], "before": was, "after": fits, "rest": False}


def _shown(piece: Any) -> Any:
    """A standing piece without what is only known about it."""
    if piece is None:
        return "none"
    return {k: v for k, v in piece.items() if k not in ("known", "guess")}


def _paths(path: tuple[str, ...], old: Any, new: Any) -> Iterator[Json]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in new:
            yield from _paths((*path, key), old.get(key), new[key])
    elif old != new:
        yield {"path": list(path), "before": old, "after": new, "rest": False}
