"""Two rulesets → what differs between them in meaning: constants, tables, rules, clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rulewright.compiler.build import check_ruleset, read_spec
from rulewright.compiler.core.print_core import ruleset_hash
from rulewright.compiler.read.folder import Cell, Column, Folder, Table
from rulewright.compiler.read.overlay import resolve
from rulewright.compiler.read.print_folder import node_text
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import print_decl, print_expr, print_type
from rulewright.compiler.text.diagnostics import Problems, SpecError
from rulewright.engines import spec_path
from rulewright.report.rulesets import Ruleset
from rulewright.wording import ruleset_title

Json = dict[str, Any]
_CITE = re.compile(r'\s+@[\w.\-]+(\("(?:[^"\\]|\\.)*"\))?')


@dataclass(frozen=True, slots=True)
class Change:
    """Something that differs; a None side does not have it. `what` is a noun, `name` tells which one."""

    what: str
    name: str
    a: str | None
    b: str | None


@dataclass(slots=True)
class Differences:
    """All changes from a to b, and the clauses that only one of them rests on."""

    a: str
    b: str
    alike: bool
    changes: list[Change] = field(default_factory=list)
    # what tables are about, by their name
    about: dict[str, str] = field(default_factory=dict)
    clauses_a: dict[str, str] = field(default_factory=dict)
    clauses_b: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> Json:
        return {
            "a": self.a, "b": self.b, "alike": self.alike,
            "changes": [{"what": c.what, "name": c.name, "a": c.a, "b": c.b} for c in self.changes],
            "clauses": {"only_a": self.clauses_a, "only_b": self.clauses_b},
        }  # fmt: skip


def compare_rulesets(a: Ruleset, b: Ruleset) -> Differences:
    """What a player of a must know to play b. Raises SpecError for a spec that is not right."""
    left, left_hash = _resolved(a)
    right, right_hash = _resolved(b)
    out = Differences(_title(a, left), _title(b, right), left_hash == right_hash)
    out.changes += _game(left, right)
    out.changes += constant_changes(left, right)
    for name in _both(left.tables, right.tables):
        old, new = left.tables.get(name), right.tables.get(name)
        out.changes += table_changes(name, old, new)
        found = new or old
        out.about[name] = "" if found is None else " ".join(found.about.split())
    out.changes += _rules(left, right)
    cited_a, cited_b = _cited(left), _cited(right)
    texts = {**left.clauses, **right.clauses}
    out.clauses_a = {c: _clause(texts.get(c)) for c in sorted(cited_a - cited_b)}
    out.clauses_b = {c: _clause(texts.get(c)) for c in sorted(cited_b - cited_a)}
    return out


def _clause(clause: Any) -> str:
    return "" if clause is None else " ".join(clause.rule.split())


def _resolved(ruleset: Ruleset) -> tuple[Folder, str]:
    path = spec_path(ruleset.game)
    spec = read_spec(path, path.name)
    problems = Problems()
    players = ruleset.players or max(spec.folder.game.players)
    folder = resolve(spec.folder, players, ruleset.variants, problems)
    if folder is None:
        raise SpecError(problems, spec.sources)
    return folder, ruleset_hash(check_ruleset(spec, players, ruleset.variants))


def _title(ruleset: Ruleset, folder: Folder) -> str:
    return ruleset_title(folder.game.title, folder.players, folder.applied)


def _both(a: Iterable[str], b: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*a, *b]))


# ---------------------------------------------------------------- game, constants, tables


def _game(a: Folder, b: Folder) -> list[Change]:
    pairs: list[tuple[str, str, str | None, str | None]] = [
        ("player count", "", str(a.players), str(b.players)),
        (
            "neutral participants",
            "",
            ", ".join(a.game.neutral) or None,
            ", ".join(b.game.neutral) or None,
        ),
        ("teams", "", _teams(a), _teams(b)),
        ("reasons for points", "", ", ".join(a.game.reasons), ", ".join(b.game.reasons)),
    ]
    return [Change(what, name, x, y) for what, name, x, y in pairs if x != y]


def _teams(folder: Folder) -> str | None:
    teams = (f"{name}: {', '.join(seats)}" for name, seats in folder.game.teams.items())
    return "; ".join(teams) or None


def constant_changes(a: Folder, b: Folder) -> list[Change]:
    out = []
    for name in _both(a.constants, b.constants):
        x, y = a.constants.get(name), b.constants.get(name)
        left = None if x is None else node_text(x.node)
        right = None if y is None else node_text(y.node)
        if left != right:
            out.append(Change("constant", name, left, right))
    for name in _both(a.options, b.options):
        o, p = a.options.get(name), b.options.get(name)
        left = None if o is None else node_text(o.default)
        right = None if p is None else node_text(p.default)
        if left != right:
            out.append(Change("option", name, left, right))
    return out


def table_changes(name: str, a: Table | None, b: Table | None) -> list[Change]:
    if a is None or b is None:
        there = a or b
        assert there is not None
        rows = ", ".join(there.rows) if there.each is None else _made(there) or "a grid"
        return [Change("table", name, rows if a else None, rows if b else None)]
    out = []
    for column in _both(a.columns, b.columns):
        x, y = a.columns.get(column), b.columns.get(column)
        left = None if x is None else _column(x)
        right = None if y is None else _column(y)
        if left != right:
            out.append(Change(f"column of {name}", column, left, right))
    if _made(a) != _made(b):
        out.append(Change("grid" if a.grid or b.grid else "rows", name, _made(a), _made(b)))
    for row in _both(a.rows, b.rows):
        old, new = a.rows.get(row), b.rows.get(row)
        if old is None or new is None:
            there_row = old or new
            assert there_row is not None
            cells = (
                ", ".join(f"{c} {_cell(cell)}" for c, cell in there_row.cells.items()) or "no cells"
            )
            out.append(
                Change(f"row of {name}", row, cells if old else None, cells if new else None)
            )
            continue
        for column in _both(old.cells, new.cells):
            p, q = old.cells.get(column), new.cells.get(column)
            if p is not None and q is not None and p.code is not None and p.code == q.code:
                continue  # the same code, differently laid out
            left = None if p is None else _cell(p)
            right = None if q is None else _cell(q)
            if left != right:
                out.append(Change(f"cell of {name}", f"{row}.{column}", left, right))
    return out


def _column(column: Column) -> str:
    type_ = "text" if column.type is None else print_type(column.type)
    return type_ if column.formula is None else f"{type_}, {print_expr(column.formula)}"


def _made(table: Table) -> str | None:
    """How the rows of a table are made, where they are not listed."""
    if table.each is None:
        return None
    parts = [f"{name.text} in {print_expr(over)}" for name, over in table.each.parts]
    if table.grid is not None:
        parts.append(f"{table.grid.columns} by {table.grid.rows}")
    where = "" if table.each.where is None else f" where {print_expr(table.each.where)}"
    return ", ".join(parts) + where


def _cell(cell: Cell) -> str:
    text = getattr(cell.node, "text", None)
    return " ".join(str(text).split()) if text is not None else node_text(cell.node)


# ---------------------------------------------------------------- rules


def _rules(a: Folder, b: Folder) -> list[Change]:
    old, new = _declarations(a), _declarations(b)
    out = []
    for key in _both(old, new):
        left, right = old.get(key), new.get(key)
        if left != right:
            what, _, name = key.partition(" ")
            out.append(Change(what, name, left, right))
    return out


def _declarations(folder: Folder) -> dict[str, str]:
    """Each declaration by a key that finds its like, as text without citations."""
    out: dict[str, str] = {}
    for decl in folder.decls:
        key = _key(decl)
        number = 2
        while key in out:
            key = f"{_key(decl)} ({number})"
            number += 1
        out[key] = _CITE.sub("", print_decl(decl)).rstrip()
    return out


def _key(decl: S.Decl) -> str:
    match decl:
        case S.StateVar():
            return f"state {decl.name.text}"
        case S.Pieces():
            return f"pieces {decl.name.text}"
        case S.Function():
            return f"function {decl.name.text}"
        case S.Procedure():
            return f"procedure {decl.name.text}"
        case S.Invariant():
            return f"invariant {decl.name.text}"
        case S.Hook():
            return f"hook {decl.when} {decl.target.text}"
        case S.Outcome() | S.Together():
            return "outcome of the game"
        case S.Heuristic():
            return "heuristic for bots"


def _cited(folder: Folder) -> set[str]:
    """The clauses that anything in a ruleset refers to."""
    found: set[str] = set()

    def look(thing: Any) -> None:
        if isinstance(thing, S.Cite):
            if thing.kind == "clause":
                found.add(thing.text)
        elif isinstance(thing, dict):
            for value in thing.values():
                look(value)
        elif isinstance(thing, list | tuple):
            for value in thing:
                look(value)
        elif hasattr(type(thing), "__dataclass_fields__"):
            for name in type(thing).__dataclass_fields__:
                look(getattr(thing, name))

    look([folder.tables, folder.constants, folder.options, folder.decls])
    found.update(absent.clause for absent in folder.absent)
    return found
