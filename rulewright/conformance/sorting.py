"""A spec before and after a change, and the scenarios that fail now → which of them tell of what was changed, and which are a surprise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.compiler.build import read_spec
from rulewright.compiler.read.folder import Folder, Table
from rulewright.compiler.read.print_folder import node_text
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import print_decl
from rulewright.conformance.mentions import calls_in, parts
from rulewright.conformance.outcomes import Outcome, Run, run_suite
from rulewright.conformance.suite import load_suite

TELLS, SURPRISE, BEFORE = "tells of what you changed", "surprise", "failed before"


@dataclass(slots=True)
class Touched:
    """What a change is about: clauses that the changed things cite, and their names."""

    clauses: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    # changed procedures and functions, and those that call them
    code: set[str] = field(default_factory=set)

    @property
    def nothing(self) -> bool:
        return not (self.clauses or self.names or self.code)


def touched(before: Path, after: Path) -> Touched:
    """What differs between two folders of one game; raises SpecError for one that can't be read."""
    a, b = read_spec(before, "before").folder, read_spec(after, "after").folder
    out = Touched()
    _constants(a, b, out)
    for name in {*a.tables, *b.tables}:
        _table(a.tables.get(name), b.tables.get(name), out)
    _declared(a, b, out)
    _variants(a, b, out)
    _callers(b, out)
    return out


def _ids(cites: S.Cites) -> set[str]:
    return {cite.text for cite in cites if cite.kind == "clause"}


def _constants(a: Folder, b: Folder, out: Touched) -> None:
    for name in {*a.constants, *b.constants}:
        old, new = a.constants.get(name), b.constants.get(name)
        if old is None or new is None or node_text(old.node) != node_text(new.node):
            out.names.add(name)
            for one in (old, new):
                out.clauses |= set() if one is None else _ids(one.cites)


def _table(a: Table | None, b: Table | None, out: Touched) -> None:
    rows_a, rows_b = ({} if t is None else t.rows for t in (a, b))
    for row in {*rows_a, *rows_b}:
        old, new = rows_a.get(row), rows_b.get(row)
        if old is not None and new is not None:
            same = {k: node_text(c.node) for k, c in old.cells.items()} == {
                k: node_text(c.node) for k, c in new.cells.items()
            }
            if same:
                continue
        else:
            # where the members themselves are others, whatever lists them has to change
            out.names |= {*rows_a, *rows_b}
            for table in (a, b):
                out.clauses |= set() if table is None else _ids(table.cites)
        out.names.add(row)
        for one in (old, new):
            out.clauses |= set() if one is None else _ids(one.cites)


def _declared(a: Folder, b: Folder, out: Touched) -> None:
    old, new = _texts(a.decls), _texts(b.decls)
    for key in {*old, *new}:
        left, right = old.get(key), new.get(key)
        if left is not None and right is not None and left[0] == right[0]:
            continue
        out.code.add(key.rpartition(" ")[2])
        for side in (left, right):
            if side is not None:
                out.clauses |= side[1]


def _texts(decls: Iterable[S.Decl]) -> dict[str, tuple[str, set[str]]]:
    """Each declaration by its sort and name: its text without citations, and the clauses that are cited anywhere in it."""
    out: dict[str, tuple[str, set[str]]] = {}
    for decl in decls:
        name = getattr(decl, "name", None) or getattr(decl, "target", None)
        word = f"{type(decl).__name__} {name.text if isinstance(name, S.Name) else ''}"
        text = re.sub(r'\s+@[\w.\-]+(\("[^"]*"\))?', "", print_decl(decl))
        cited = {p.text for p in parts(decl) if isinstance(p, S.Cite) and p.kind == "clause"}
        before, known = out.get(word, ("", set()))
        out[word] = before + text, known | cited
    return out


def _variants(a: Folder, b: Folder, out: Touched) -> None:
    """An overlay that is another one: all that it cites."""
    for name in {*a.variants, *b.variants}:
        old, new = a.variants.get(name), b.variants.get(name)
        if old is None or new is None:
            continue  # no scenario of before plays with it
        if _overlay_text(old) == _overlay_text(new):
            continue
        for side in (old, new):
            out.clauses |= {
                p.text for p in parts(side) if isinstance(p, S.Cite) and p.kind == "clause"
            }


def _overlay_text(variant: object) -> str:
    return re.sub(r"Span\([^)]*\)", "", repr(variant))


def _callers(folder: Folder, out: Touched) -> None:
    calls: dict[str, set[str]] = {}
    for decl in folder.decls:
        if isinstance(decl, S.Procedure | S.Function):
            calls.setdefault(decl.name.text, set()).update(calls_in(decl.body))
    # one step: what calls the changed thing directly is about it
    out.code |= {name for name, called in calls.items() if called & out.code}


def sorted_failures(
    path: Path, display: str, run: Run, original: Path
) -> list[tuple[str, list[Outcome]]]:
    """What failed in a folder, in heaps, surprises first; `original` is the folder as it was before it was edited."""
    heaps: dict[str, list[Outcome]] = {SURPRISE: [], TELLS: [], BEFORE: []}
    if run.failed:
        changed = touched(original, path)
        suite = load_suite(original, "before")
        names = {o.name for o in run.failed}
        suite.scenarios = [s for s in suite.scenarios if s.name in names]
        failed_before = {o.name for o in run_suite(suite).failed}
        for outcome in run.failed:
            file = path / outcome.span.file.removeprefix(f"{display}/")
            written = scenario_text(file, outcome.span.line)
            heaps[sort_failure(outcome, written, changed, failed_before)].append(outcome)
    return [(heap, found) for heap, found in heaps.items() if found]


def sort_failure(outcome: Outcome, text: str, changed: Touched, failed_before: set[str]) -> str:
    """Into which heap a scenario that fails goes; `text` is the scenario as it is written."""
    if outcome.name in failed_before:
        return BEFORE
    if set(outcome.covers) & changed.clauses:
        return TELLS
    if _words(text) & (changed.names | changed.code):
        return TELLS
    # what came and was not expected, or the other way round, is a changed row: an option more, say
    if any((_words(m.came) ^ _words(m.expected)) & changed.names for m in outcome.mismatches):
        return TELLS
    return SURPRISE


def _words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_][\w.-]*[\w]|[A-Za-z_]", text))


def scenario_text(path: Path, line: int) -> str:
    """The lines of the scenario whose name stands in a line."""
    lines = path.read_text(encoding="utf-8").split("\n")
    end = line
    while end < len(lines) and not lines[end].startswith("- "):
        end += 1
    return "\n".join(lines[line - 1 : end])
