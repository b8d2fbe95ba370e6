"""A text and replacements of stretches of it → the new text, and the replacements that lead back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.runtime.errors import RulewrightError


class EditError(RulewrightError):
    """A change that can't be made; the message says why."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The characters from `start` up to `end` give way to `text`."""

    start: int
    end: int
    text: str

    def to_json(self) -> list[Any]:
        return [self.start, self.end, self.text]

    @staticmethod
    def from_json(data: Any) -> Edit:
        match data:
            case [int(start), int(end), str(text)] if 0 <= start <= end:
                return Edit(start, end, text)
        raise EditError("this is no edit: a start, an end and a text are needed")


def apply(text: str, edits: Iterable[Edit]) -> str:
    """All edits at once; their places are those of the text before."""
    out: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < at or edit.end > len(text):
            raise EditError("two changes of the same place, or one behind the end of the text")
        out += [text[at : edit.start], edit.text]
        at = edit.end
    out.append(text[at:])
    return "".join(out)


def inverse(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits that turn `apply(text, edits)` into `text` again."""
    out: list[Edit] = []
    shift = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        start = edit.start + shift
        out.append(Edit(start, start + len(edit.text), text[edit.start : edit.end]))
        shift += len(edit.text) - (edit.end - edit.start)
    return out


def difference(before: str, after: str) -> list[Edit]:
    """One edit from a text to another: what lies between their common beginning and their common end."""
    if before == after:
        return []
    most = min(len(before), len(after))
    start = 0
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return [Edit(start, len(before) - end, after[start : len(after) - end])]
