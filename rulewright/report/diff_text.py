"""Differences between two rulesets → a list to read, as plain text or Markdown.

What the rulebook says differently comes first, then tables and numbers, then the rules themselves.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from rulewright.report import markdown
from rulewright.report.ruleset_differences import Change, Differences

_RULES = ("procedure", "function", "hook", "state", "pieces", "invariant", "outcome", "heuristic")
_SHORT = 90


def to_text(found: Differences, *, markdown: bool = False) -> str:
    """The differences as a list to read."""
    return _Page(found, markdown).text()


@dataclass(slots=True)
class _Page:
    found: Differences
    markdown: bool

    def text(self) -> str:
        found = self.found
        lines = [f"{'# ' if self.markdown else ''}{self._words(f'{found.a} → {found.b}')}", ""]
        if found.alike and not found.changes:
            return "\n".join([*lines, "The two are played alike."]) + "\n"
        if found.alike:
            lines += ["The two are played alike; only the way they are written differs.", ""]
        lines += self._clauses("Clauses that no rule rests on any more", found.clauses_a)
        lines += self._clauses("Clauses that rules rest on now", found.clauses_b)
        groups: dict[str, list[Change]] = {}
        for change in found.changes:
            groups.setdefault(self._group(change), []).append(change)
        for title, changes in groups.items():
            lines += self._head(title)
            cells = [c for c in changes if c.what.startswith("cell of ")]
            lines += self._cells(cells)
            for change in changes:
                if change not in cells:
                    lines += self._change(change)
            lines.append("")
        return "\n".join(lines).rstrip() + "\n"

    def _head(self, title: str) -> list[str]:
        return [f"## {self._words(title)}", ""] if self.markdown else [title, ""]

    def _words(self, text: str) -> str:
        return markdown.words(text) if self.markdown else text

    def _code(self, text: str) -> str:
        return markdown.code(text) if self.markdown else text

    def _group(self, change: Change) -> str:
        first, _, table = change.what.partition(" of ")
        if first in ("row", "cell", "column"):
            return self._table(table)
        if change.what in ("table", "grid", "rows"):
            return self._table(change.name)
        if change.what in ("constant", "option"):
            return "Constants and options"
        return "Rules" if change.what in _RULES else "The game"

    def _table(self, name: str) -> str:
        about = self.found.about.get(name, "")
        return f"Table {name}: {about}" if about else f"Table {name}"

    def _clauses(self, title: str, clauses: dict[str, str]) -> list[str]:
        if not clauses:
            return []
        items = [
            f"- {self._words(text)} ({self._code(c)})" if text else f"- {self._code(c)}"
            for c, text in clauses.items()
        ]
        return [*self._head(title), *items, ""]

    def _cells(self, changes: list[Change]) -> list[str]:
        """The changed cells, one line for each row of the table unless they are long."""
        rows: dict[str, list[str]] = {}
        for change in changes:
            row, _, column = change.name.rpartition(".")
            old, new = (self._code(side or "nothing") for side in (change.a, change.b))
            rows.setdefault(row, []).append(f"{self._words(column)} {old} → {new}")
        lines = []
        for row, cells in rows.items():
            if len(", ".join(cells)) <= _SHORT:
                lines.append(f"- {self._code(row)}: {', '.join(cells)}")
            else:
                lines += [f"- {self._code(row)}:", *(f"    - {cell}" for cell in cells)]
        return lines

    def _change(self, change: Change) -> list[str]:
        first, _, of = change.what.partition(" of ")
        what = "" if of and first == "row" else first
        subject = f"{self._words(what)} {self._code(change.name) if change.name else ''}".strip()
        if change.a is None:
            return self._whole("new", subject, change.b or "", "+")
        if change.b is None:
            return self._whole("gone", subject, change.a, "-")
        if "\n" in change.a or "\n" in change.b or len(change.a) + len(change.b) > _SHORT:
            delta = difflib.ndiff(change.a.splitlines(), change.b.splitlines())
            body = [line for line in delta if not line.startswith("?") and line.strip()]
            return [f"- {subject} differs:", *self._block(body)]
        return [f"- {subject}: {self._code(change.a)} → {self._code(change.b)}"]

    def _whole(self, word: str, subject: str, text: str, sign: str) -> list[str]:
        """Something that only one side has."""
        if "\n" not in text and len(text) <= _SHORT:
            return [f"- {word}: {subject} ({self._code(text)})"]
        return [
            f"- {word}: {subject}",
            *self._block([f"{sign} {line}" for line in text.splitlines()]),
        ]

    def _block(self, lines: list[str]) -> list[str]:
        body = markdown.block(lines, "diff") if self.markdown else lines
        return [f"    {line}" for line in body]
