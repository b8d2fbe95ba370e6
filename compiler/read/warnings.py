"""Warnings of several rulesets → those that hold in every ruleset that has what they speak of."""

from __future__ import annotations

from rulewright.compiler.read.folder import Folder
from rulewright.compiler.text.diagnostics import Problem
from rulewright.compiler.text.source import Span

# bounds and numbers in the text may differ from ruleset to ruleset
_Key = tuple[str, Span]


class Warnings:
    """What a variant adds is only there in some rulesets; a warning about it must hold in all of those."""

    def __init__(self) -> None:
        self._folders: list[Folder | None] = []
        self._found: list[set[_Key]] = []
        self._kept: dict[_Key, Problem] = {}

    def add(self, folder: Folder | None, warnings: list[Problem]) -> None:
        """The warnings of one ruleset; without a folder nothing could be looked at in it."""
        self._folders.append(folder)
        self._found.append({(w.code, w.span) for w in warnings})
        self._kept = {**{(w.code, w.span): w for w in warnings}, **self._kept}

    def that_hold(self) -> list[Problem]:
        return [self._kept[key] for key in sorted(self._kept, key=repr) if self._holds(key)]

    def _holds(self, key: _Key) -> bool:
        missing = [
            f for f, found in zip(self._folders, self._found, strict=True) if key not in found
        ]
        if not missing:
            return True
        # where the line is not part of the ruleset, silence about it tells nothing
        return all(folder is not None and not _has(folder, key[1]) for folder in missing)


def _has(folder: Folder, at: Span) -> bool:
    """Whether a place is inside something that the ruleset has; what is nowhere belongs to all of them."""
    spans = [decl.span for decl in folder.decls]
    spans += [constant.span for constant in folder.constants.values()]
    spans += [option.span for option in folder.options.values()]
    for table in folder.tables.values():
        spans.append(table.span)
        for row in table.rows.values():
            spans.append(row.span)
            spans += [cell.span for cell in row.cells.values()]
    if any(_inside(at, span) for span in spans):
        return True
    # a file of the game itself, and not a declaration of it: clauses, seats, reasons
    return "/variants/" not in at.file and not at.file.endswith(".rules")


def _inside(inner: Span, outer: Span) -> bool:
    if inner.file != outer.file:
        return False
    first = (outer.line, outer.column) <= (inner.line, inner.column)
    return first and (inner.line, inner.column) <= (outer.end_line, outer.end_column)
