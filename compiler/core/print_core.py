"""The typed tree → text that people can read and compare, and the hash that tells rulesets apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.print_code import INDENT, CodePrinter, quote
from rulewright.compiler.core.types import (
    BadT,
    BoolT,
    GroupsT,
    IntT,
    KindT,
    ListT,
    MapT,
    NoneT,
    OptT,
    RangeT,
    SetT,
    TextT,
    Type,
    ZoneT,
    show,
)
from rulewright.compiler.core.walk import statements
from rulewright.compiler.text.source import Span

# counts up when the same ruleset gets another text
FORMAT = 1


def print_core(game: C.Game, *, meaning_only: bool = False) -> str:
    """The whole ruleset; with `meaning_only` just what can change how it is played.

    Then words, citations and positions are left out, and so is what play never comes to; functions,
    procedures and locals are numbered as they are met, so that their names and places do not count.
    """
    parts = _Meaning(game).parts() if meaning_only else _Whole(game).parts()
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def ruleset_hash(game: C.Game) -> str:
    """The same for two rulesets just when they are played alike."""
    text = f"{FORMAT}\n{print_core(game, meaning_only=True)}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class _Whole(CodePrinter):
    """Everything, in the order of the tree."""

    def __init__(self, game: C.Game) -> None:
        super().__init__(game.kinds)
        self.game = game

    def parts(self) -> Iterator[list[str]]:
        game = self.game
        yield list(self.head())
        for kind in game.kinds.values():
            yield list(self.kind(kind, kind.columns.values()))
        yield [line for var in game.state for line in self.state(var)]
        for family in game.families:
            yield list(self.family(family, family.zones))
        for f in game.functions:
            yield list(self.function_lines(f))
        for p in game.procedures:
            yield list(self.procedure_lines(p))
        yield list(self.rest(game.invariants))

    # ------------------------------------------------------------ the game

    def head(self) -> Iterator[str]:
        game = self.game
        yield f"game {game.name}: {game.title}"
        yield f"players {game.players}"
        yield f"variants {', '.join(game.variants) or 'none'}"
        yield f"seats {', '.join(game.seats)}"
        if len(game.participants) > game.players:
            yield f"neutral {', '.join(game.participants[game.players :])}"
        for reason, text in game.reasons.items():
            yield f"reason {reason}: {text}"
        for name, value in game.options.items():
            yield f"option {name} = {value}"
        if game.teams:
            yield _teams(game)
        labels = [c.label for c in _decisions(game.procedures)]
        if labels:
            yield f"decisions {', '.join(labels)}"

    def rest(self, invariants: Iterable[C.Invariant]) -> Iterator[str]:
        game = self.game
        for i in invariants:
            self.begin()
            yield f"invariant {i.name}: {self.expr(i.test)}{self.cites(i.cites)}{self.at(i.span)}"
        yield self.outcome()
        if game.heuristic is not None:
            self.begin()
            local, value = game.heuristic
            yield f"heuristic {self.local(local)}: {self.expr(value)}"
        for name, fact in game.facts.items():
            self.begin()
            yield f"fact {name}:"
            yield from self.block(fact.body, 1)

    def outcome(self) -> str:
        self.begin()
        game = self.game
        ranked = f"{self.local(game.outcome_var)} in {self.expr(game.outcome_domain)}"
        of = f" of {game.together}, together" if game.together else ""
        return f"outcome {ranked} by {self.exprs(game.outcome_keys)}{of}"

    def at(self, span: Span) -> str:
        return f"  # {span.file}:{span.line}" if self.wordy and span.line else ""

    # ------------------------------------------------------------ kinds

    def kind(self, kind: C.Kind, columns: Iterable[C.KindColumn]) -> Iterator[str]:
        """The members in order, with what each column says of them."""
        shown = list(columns)
        texts = self.wordy and _says_more(kind)
        cited = self.wordy and any(kind.cites)
        if not shown and not texts and not cited:
            yield f"kind {kind.name}: {', '.join(kind.members)}"
            return
        yield f"kind {kind.name}:"
        for column in shown:
            graph = " graph" if column.name == kind.graph else ""
            yield f"{INDENT}column {column.name}: {self.column_type(column)}{graph}"
        for i, member in enumerate(kind.members):
            cells = [f"{c.name} = {self.cell(c, i)}" for c in shown]
            if texts and "text" not in kind.columns:
                cells.insert(0, quote(kind.texts[i]))
            text = f": {', '.join(cells)}" if cells else ""
            cites = self.cites(kind.cites[i]) if i < len(kind.cites) else ""
            yield f"{INDENT}{member}{text}{cites}"

    def column_type(self, column: C.KindColumn) -> str:
        if column.type is not None:
            return self.type(column.type)
        params = ", ".join(self.type(t) for t in column.params)
        if column.result is not None:
            return f"function({params}) -> {self.type(column.result)}"
        return f"procedure({params})"

    def cell(self, column: C.KindColumn, index: int) -> str:
        if column.type is not None:
            return self.value(column.values[index], column.type)
        code = None if column.code is None else column.code[index]
        if code is None:
            return "none"
        return self.function(code) if isinstance(code, C.Function) else self.procedure(code)

    # ------------------------------------------------------------ state

    def state(self, var: C.StateVar) -> Iterator[str]:
        self.begin()
        text = f"state {var.name}: {self.type(var.type)}"
        text += "" if var.first is None else f" = {self.expr(var.first)}"
        text += _visible(var.visible)
        text += "" if var.resets is None else f" resets at {var.resets}"
        yield f"{text}{self.at(var.span)}"

    def family(self, family: C.Family, zones: Iterable[C.Zone]) -> Iterator[str]:
        per = "" if family.per is None else f" per {self.type(family.per)}"
        yield f"pieces {family.name}{per} of {self.type(family.kind)}:{self.at(family.span)}"
        for owner, row in enumerate(family.copies):
            whose = "" if family.per is None else f" of {self.member(family.per, owner)}"
            many = (f"{n} {self.member(family.kind, i)}" for i, n in enumerate(row) if n)
            yield f"{INDENT}copies{whose}: {', '.join(many) or 'none'}"
        for zone in zones:
            owners = "".join(f" per {self.type(key)}" for key in zone.keys)
            full = " = all" if zone.starts_full else ""
            yield f"{INDENT}zone {zone.name}{owners}{_visible(zone.visible)}{full}"
        if family.standing is not None:
            s = family.standing
            yield f"{INDENT}standing {s.name} max {s.handle.size}:"
            for name, t in s.fields.items():
                yield f"{INDENT * 2}{name}: {self.type(t)}"

    # ------------------------------------------------------------ code

    def function_lines(self, f: C.Function) -> Iterator[str]:
        self.begin()
        head = f"function {self.function(f)}({self.params(f.params)}) -> {self.type(f.result)}:"
        yield f"{head}{self.cites(f.cites)}{self.at(f.span)}"
        yield from self.block(f.body, 1)

    def procedure_lines(self, p: C.Procedure) -> Iterator[str]:
        self.begin()
        gives = "" if p.result is None else f" -> {self.type(p.result)}"
        head = f"procedure {self.procedure(p)}({self.params(p.params)}){gives}:"
        yield f"{head}{self.cites(p.cites)}{self.at(p.span)}"
        yield from self.block(p.body, 1)


class _Meaning(_Whole):
    """What play comes to from its start, under names that only say in which order it was met."""

    wordy = False

    def __init__(self, game: C.Game) -> None:
        self.code: dict[int, str] = {}
        self.waiting: list[C.Function | C.Procedure] = []
        self.met: list[C.Procedure] = []
        self.columns: dict[str, set[str]] = {}
        super().__init__(game)

    def parts(self) -> Iterator[list[str]]:
        game = self.game
        self.procedure(game.play)
        self.outcome()
        state = [line for v in sorted(game.state, key=lambda v: v.name) for line in self.state(v)]
        pieces = []
        for family in sorted(game.families, key=lambda f: f.name):
            pieces.append(list(self.family(family, sorted(family.zones, key=lambda z: z.name))))
        bodies = list(self._bodies())
        rest = list(self.rest(sorted(game.invariants, key=lambda i: i.name)))
        bodies += self._bodies()
        self.type(game.kinds["Player"].type)
        self.type(game.kinds["Participant"].type)
        yield list(self.head())
        yield from self._kinds()
        yield state
        yield from pieces
        yield from bodies
        yield rest

    def _bodies(self) -> Iterator[list[str]]:
        while self.waiting:
            code = self.waiting.pop(0)
            if isinstance(code, C.Procedure):
                yield list(self.procedure_lines(code))
            else:
                yield list(self.function_lines(code))

    def _kinds(self) -> Iterator[list[str]]:
        """Kinds that are met, with the columns that are; the type of a column may name another kind."""
        printed: dict[str, list[str]] = {}
        while len(printed) < len(self.columns):
            for name in sorted(self.columns.keys() - printed.keys()):
                kind = self.kinds[name]
                used = sorted(self.columns[name])
                printed[name] = list(self.kind(kind, (kind.columns[c] for c in used)))
        yield from (printed[name] for name in sorted(printed))

    def head(self) -> Iterator[str]:
        game = self.game
        yield f"players {game.players}"
        yield f"reasons {', '.join(sorted(game.reasons)) or 'none'}"
        for name, value in sorted(game.options.items()):
            yield f"option {name} = {value}"
        if game.teams:
            yield _teams(game)
        # actions are numbered in this order
        met = {id(p) for p in self.met}
        asked = _decisions(p for p in game.procedures if id(p) in met)
        yield f"decisions {', '.join(c.label for c in asked) or 'none'}"

    def rest(self, invariants: Iterable[C.Invariant]) -> Iterator[str]:
        for i in invariants:
            self.begin()
            yield f"invariant {i.name}: {self.expr(i.test)}"
        yield self.outcome()

    # ------------------------------------------------------------ names

    def local(self, local: C.Local) -> str:
        return self.named.setdefault(local.number, f"${len(self.named) + 1}")

    def _number(self, code: C.Function | C.Procedure) -> str:
        if id(code) not in self.code:
            self.code[id(code)] = f"${len(self.code) + 1}"
            self.waiting.append(code)
        return self.code[id(code)]

    def function(self, function: C.Function) -> str:
        return f"function{self._number(function)}"

    def procedure(self, procedure: C.Procedure) -> str:
        if id(procedure) not in self.code:
            self.met.append(procedure)
        return f"procedure{self._number(procedure)}"

    def column(self, kind: C.Kind, column: C.KindColumn) -> str:
        """A column is printed with its kind once something reads it; its code is part of the play."""
        if kind.name not in self.kinds:  # of combinations, the compiler's own
            return f"{column.name}{column.values!r}"
        used = self.columns.setdefault(kind.name, set())
        if column.name not in used:
            used.add(column.name)
            for i in range(len(kind.members) if column.type is None else 0):
                self.cell(column, i)
        return column.name

    def type(self, t: Type) -> str:
        for name in _kind_names(t):
            self.columns.setdefault(name, set())
        return show(t)

    def member(self, t: KindT, index: int) -> str:
        self.type(t)
        members = self.kinds[t.name].members if t.name in self.kinds else []
        name = members[index] if 0 <= index < len(members) else f"#{index}"
        return f"'{t.name}.{name}'"

    def _op(self, e: C.Op) -> tuple[str, int]:
        if e.op in ("distance", "walks") and e.kind is not None and e.kind.graph is not None:
            self.column(e.kind, e.kind.columns[e.kind.graph])
        return super()._op(e)


def _decisions(procedures: Iterable[C.Procedure]) -> list[C.SChoose]:
    return [s for p in procedures for s in statements(p.body) if isinstance(s, C.SChoose)]


def _says_more(kind: C.Kind) -> bool:
    """Whether the texts of members are more than their names."""
    names = zip(kind.members, kind.texts, strict=True)
    return any(
        t not in (m.replace("_", " ").replace(".", " "), f"{kind.name} {m}") for m, t in names
    )


def _teams(game: C.Game) -> str:
    ranked = ", ranked" if game.by_team else ""
    return f"teams {' '.join(map(str, game.teams))}{ranked}"


def _visible(visible: str) -> str:
    return {"owner": " visible to owner", "team": " visible to team", "nobody": " hidden"}.get(
        visible, ""
    )


def _kind_names(t: Type) -> Iterator[str]:
    match t:
        case KindT(name):
            yield name
        case OptT(base):
            yield from _kind_names(base)
        case SetT(element) | ListT(element):
            yield from _kind_names(element)
        case MapT(key, value):
            yield from _kind_names(key)
            yield from _kind_names(value)
        case BadT() | BoolT() | GroupsT() | IntT() | NoneT() | RangeT() | TextT() | ZoneT():
            pass
        case _:
            assert_never(t)
