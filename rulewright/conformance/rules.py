"""A spec and a run of its scenarios → which statements, branches and table rows ran, on the spec's own lines.

What counts: every statement and `where` of procedures, functions, hooks and code in tables; the way past an `if` that has no
else; and every row of a table. A statement ran when a scenario's engine ran it; a `where` when its choice was asked; a row when
code in it ran, or when a scenario named, chose or drew its member. Functions that only bots use are not rules and don't count;
functions that make rows and columns, and that lay out the pieces, run when the engine is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

from rulewright.compiler.build import Spec
from rulewright.compiler.read.folder import Code, Folder, Row
from rulewright.compiler.read.overlay import resolve, rulesets
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, SpecError
from rulewright.compiler.text.source import Span
from rulewright.conformance.mentions import parts, reached
from rulewright.conformance.outcomes import Place, Run
from rulewright.conformance.scenario import Ruleset

Sort = Literal["statement", "branch", "row"]


@dataclass(slots=True)
class Unit:
    """One thing that can run, where it stands, and whether it did."""

    sort: Sort
    place: Place
    ran: bool = False


@dataclass(slots=True)
class RuleCoverage:
    units: list[Unit]

    def missing(self) -> list[Unit]:
        return [u for u in self.units if not u.ran]

    def counts(self, sort: Sort) -> tuple[int, int]:
        mine = [u for u in self.units if u.sort == sort]
        return sum(u.ran for u in mine), len(mine)

    @property
    def percent(self) -> float:
        return 100.0 * sum(u.ran for u in self.units) / len(self.units) if self.units else 100.0


def rule_coverage(spec: Spec, run: Run) -> RuleCoverage:
    units: dict[tuple[Sort, Place], Unit] = {}
    hits = {place for trace in run.traces.values() for place in trace.hits}
    for ruleset, folder in _folders(spec, run):
        trace = run.traces.get(ruleset)
        built = trace is not None
        for found in _Finder(folder).find():
            unit = units.setdefault((found.sort, found.place), Unit(found.sort, found.place))
            unit.ran = unit.ran or found.at in hits or (found.at_build and built)
        for row, place, inside in _rows(folder):
            unit = units.setdefault(("row", place), Unit("row", place))
            met = trace is not None and row in trace.met
            unit.ran = unit.ran or met or any(p in hits for p in inside)
    order = sorted(units.values(), key=lambda u: (u.place, u.sort))
    return RuleCoverage(order)


def _folders(spec: Spec, run: Run) -> Iterator[tuple[Ruleset, Folder]]:
    wanted = {Ruleset(players, variants): None for players, variants in rulesets(spec.folder)}
    wanted.update(dict.fromkeys(run.traces))
    for ruleset in wanted:
        problems = Problems()
        folder = resolve(spec.folder, ruleset.players, ruleset.variants, problems)
        if folder is None:
            raise SpecError(problems, spec.sources)
        yield ruleset, folder


@dataclass(frozen=True, slots=True)
class _Found:
    """A unit of the text, and the place that is counted when it runs."""

    sort: Sort
    place: Place
    at: Place
    at_build: bool = False


class _Finder:
    """Goes through the code of a resolved folder."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.functions = {d.name.text: d for d in folder.decls if isinstance(d, S.Function)}
        self.out: list[_Found] = []
        self.at_build = False

    def find(self) -> list[_Found]:
        for_bots, when_built = self.set_apart()
        for decl in self.folder.decls:
            match decl:
                case S.Function(name, body=body):
                    if name.text in for_bots:
                        continue
                    self.at_build = name.text in when_built
                    self.block(body)
                    self.at_build = False
                case S.Procedure(body=body) | S.Hook(body=body):
                    self.block(body)
                case (
                    S.Heuristic()
                    | S.Invariant()
                    | S.Outcome()
                    | S.Together()
                    | S.Pieces()
                    | S.StateVar()
                ):
                    pass
                case _:
                    assert_never(decl)
        for table in self.folder.tables.values():
            for row in table.rows.values():
                for cell in row.cells.values():
                    self.code(cell.code)
        return self.out

    def set_apart(self) -> tuple[set[str], set[str]]:
        """Functions that only the heuristic needs, and those that make rows and lay out state and pieces."""
        bots: list[object] = []
        tables = self.folder.tables.values()
        layout: list[object] = [t.each for t in tables]
        layout += [c.formula for t in tables for c in t.columns.values()]
        others: list[object] = [
            c.code for t in tables for r in t.rows.values() for c in r.cells.values()
        ]
        for decl in self.folder.decls:
            match decl:
                case S.Heuristic():
                    bots.append(decl)
                case S.Pieces() | S.StateVar():
                    layout.append(decl)
                case S.Function():
                    pass
                case S.Hook() | S.Invariant() | S.Outcome() | S.Together() | S.Procedure():
                    others.append(decl)
                case _:
                    assert_never(decl)
        built = reached(layout, self.functions)
        rules = reached(others, self.functions) | built
        return reached(bots, self.functions) - rules, built

    def code(self, code: Code | None) -> None:
        """A cell: statements, an expression, or hooks."""
        if isinstance(code, tuple):
            for item in code:
                if isinstance(item, S.Hook):
                    self.block(item.body)
                else:
                    self.block((item,))
        elif code is not None:
            self.add("statement", code.span)

    def add(self, sort: Sort, span: Span, at: Span | None = None) -> None:
        place = place_of(span)
        counted = place if at is None else place_of(at)
        if place[1]:
            self.out.append(_Found(sort, place, counted, self.at_build))

    def block(self, block: S.Block) -> None:
        for s in block:
            if isinstance(s, S.Pass):
                continue
            self.add("statement", s.span)
            match s:
                case S.If(arms, other):
                    for _, body in arms:
                        self.block(body)
                    self.block(other)
                    if not other:
                        self.add("branch", arms[-1][0].span)
                case S.For(body=body) | S.While(body=body):
                    self.block(body)
                case S.Choose(where=where):
                    self.conditions(where, s.span)
                case S.Either(options=options):
                    for option in options:
                        self.conditions(option.where, s.span)
                        self.block(option.body)
                case (
                    S.Assign() | S.Break() | S.Change() | S.Continue() | S.Deal() | S.Draw() | S.Let() | S.Move()
                    | S.Pass() | S.Put() | S.Require() | S.Reset() | S.Return() | S.Roll() | S.Run() | S.Score() | S.Show() | S.Shuffle()
                    | S.Take() | S.Tell() | S.Var()
                ):  # fmt: skip
                    pass
                case _:
                    assert_never(s)

    def conditions(self, where: tuple[S.Where, ...], choice: Span) -> None:
        for w in where:
            self.add("statement", w.span, choice)


def place_of(span: Span) -> Place:
    return span.file, span.line, span.column


def _rows(folder: Folder) -> Iterator[tuple[tuple[str, str], Place, list[Place]]]:
    """(kind and member, place, places of code inside) of each row that is written out."""
    for table in folder.tables.values():
        if table.grid is not None:
            continue
        for row in table.rows.values():
            yield (table.name, row.name), place_of(row.span), _inside(row)


def _inside(row: Row) -> list[Place]:
    code = [cell.code for cell in row.cells.values() if cell.code is not None]
    return [place_of(x.span) for x in parts(code) if hasattr(x, "span")]
