"""A ruleset → the clauses of the rulebook that it no longer keeps to: rows and constants that cite them were changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.compiler.build import read_spec
from rulewright.compiler.read.folder import Folder
from rulewright.compiler.read.overlay import resolve
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, SpecError
from rulewright.engines import SPECS, games
from rulewright.report.ruleset_differences import Change, constant_changes, table_changes
from rulewright.runtime.info import Info
from rulewright.scene.view_words import plain

Json = dict[str, Any]


def changed_clauses(folder: Path, info: Info) -> dict[str, list[str]]:
    """For each clause what differs from it here, in words; compared with the game without variants that a copy was made of."""
    now = _resolved(read_spec(folder, folder.name).folder, info["players"], info["variants"])
    model = _original(folder, now)
    before = None if model is None else _resolved(model, info["players"], [])
    out: dict[str, list[str]] = {}
    if now is None or before is None:
        return out
    for change in constant_changes(before, now):
        if change.what == "constant" and change.name in before.constants:
            _note(out, before.constants[change.name].cites, change, plain(change.name))
    for name, table in before.tables.items():
        for change in table_changes(name, table, now.tables.get(name)):
            row, _, column = change.name.rpartition(".")
            if change.what == f"cell of {name}" and row in table.rows:
                said = f"{plain(column)} of {plain(row)}"
                _note(out, table.rows[row].cites or table.cites, change, said)
    return out


def _note(out: dict[str, list[str]], cites: S.Cites, change: Change, what: str) -> None:
    for cite in cites:
        if cite.kind == "clause":
            words = f"{what} is {change.b or 'not given'}, not {change.a or 'left out'}"
            out.setdefault(cite.text, []).append(words)


def _resolved(folder: Folder, players: int, variants: list[str]) -> Folder | None:
    return resolve(folder, players, variants, Problems())


def _original(folder: Path, now: Folder | None) -> Folder | None:
    """The package's game that a folder is a copy of, known by its clauses; else the folder itself."""
    own = read_spec(folder, folder.name).folder
    if folder.parent.resolve() == SPECS.resolve() or now is None:
        return own
    ids = set(own.clauses)
    for name in games():
        try:
            model = read_spec(SPECS / name, name).folder
        except SpecError:
            continue
        if ids and 2 * len(ids & set(model.clauses)) > max(len(ids), len(model.clauses)):
            return model
    return own
