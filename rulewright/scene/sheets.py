"""Parts of a layout and a view → tables of words: titles, headings, rows of cells, without a format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.scene.layout import Cards, Columns, Grid, Rows, Scale, Seats, Track
from rulewright.scene.templates import fill, holes
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import PEOPLE, People, content_of, is_apart, plain, show_value

Json = dict[str, Any]
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Run:
    """Words that look alike: in the colour of a participant, or of a word, or as something less important."""

    text: str
    who: int | None = None
    colour: str | None = None
    dim: bool = False
    # the piece that is meant, with its kind
    piece: tuple[str, str] | None = None


Words = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row; `member` is what a choice of it would be called."""

    head: Run
    cells: tuple[Words, ...]
    member: tuple[str, str] | None = None
    # the members that cells of a grid stand for
    members: tuple[tuple[str, str] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A place on a track: a label where it differs from the one before, and who is there."""

    member: str
    label: str
    begins: bool
    who: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _About:
    """Of state or a zone: whether it is told apart by players, and what its members are called."""

    by_people: bool
    called: Mapping[str, str]


class Sheets:
    """Words of one game."""

    def __init__(self, names: Names, called: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.names, self.info = names, names.info
        # what members are called where cells name them: the view's words, or else the spec's
        self._called = {
            kind: {
                **dict(zip(row["members"], row["texts"], strict=True)),
                **(called or {}).get(kind, {}),
            }
            for kind, row in names.info["kinds"].items()
        }
        self.people = People(names.info)
        self._piece_texts: dict[tuple[Any, ...], str] = {}
        self._sources: dict[str, _About] = {}
        self._cells: dict[tuple[str, str, int], Words] = {}

    # ------------------------------------------------------------ tables

    def seats(self, part: Seats, data: Json) -> Sheet:
        rows = []
        for i, name in enumerate(self.people.all):
            key = self.people.key(i)
            cells = tuple(self.cell(s, PEOPLE[0], i, key, data) for _, s in part.columns)
            turn = "→ " if data["decides"] == i else "  "
            you = " (you)" if data["seat"] == i else ""
            rows.append(Row(Run(f"{turn}{name}{you}", i), cells))
        return Sheet(part.title, _heads(part.columns), tuple(rows))

    def rows(self, part: Rows, data: Json) -> list[Sheet]:
        """A table, and what goes on beside it."""
        members = self.names.kinds[part.kind]
        shown = data["state"][part.only] if part.only else members
        moving = [n for n, (_, source) in enumerate(part.columns) if not source.startswith("this.")]
        found = []
        order = range(len(members))
        for i in reversed(order) if part.from_last else order:
            member = members[i]
            if member not in shown:
                continue
            cells = tuple(self.cell(s, part.kind, i, member, data) for _, s in part.columns)
            if part.hide_empty and all(spoken(cells[n]) in (NOTHING, "0") for n in moving):
                continue
            head = Run(plain(member), colour=member)
            found.append(Row(head, cells, (part.kind, member)))
        step = part.per_column or max(1, len(found))
        return [
            Sheet(" " if i else part.title, _heads(part.columns), tuple(found[i : i + step]))
            for i in range(0, max(1, len(found)), step)
        ]

    def cards(self, part: Cards, data: Json, note: str | None) -> Sheet:
        """Who has which member of a kind, and what is said of it."""
        members = self.names.kinds[part.kind]
        shown = data["state"][part.only] if part.only else members
        rows = []
        for i, member in enumerate(members):
            if member in shown:
                cells: list[Words] = [(Run(self.told(note, part.kind, i, data)),)] if note else []
                if part.owners:
                    cells.append(self.cell(part.owners, part.kind, i, member, data))
                rows.append(Row(Run(plain(member)), tuple(cells), (part.kind, member)))
        heads = [""] * bool(note) + ["had by"] * bool(part.owners)
        return Sheet(part.title, tuple(heads), tuple(rows))

    def grid(self, part: Grid, data: Json) -> Sheet:
        """A table with the members of one column down and those of another across."""
        down = self.names.kind_of(part.kind, part.down) or ""
        across = self.names.kind_of(part.kind, part.across) or ""
        there: dict[tuple[str, str], str] = {}
        for i, member in enumerate(self.names.kinds[part.kind]):
            row = self.names.cell(part.kind, i, part.down)
            column = self.names.cell(part.kind, i, part.across)
            if row is not None and column is not None:
                there[row, column] = member
        columns = [m for m in self.names.kinds[across] if any(c == m for _, c in there)]
        pieces = ((part.pieces, part.piece), *part.also) if part.pieces else part.also
        standing = [self.all_standing(source, text, data) for source, text in pieces]
        rows = []
        for i, member in enumerate(self.names.kinds[down]):
            if not any(row == member for row, _ in there):
                continue
            beside = [self.cell(source, down, i, member, data) for _, source in part.beside]
            inside = [
                self._on(part, there[member, c], standing, data) if (member, c) in there else ()
                for c in columns
            ]
            at = tuple(
                (part.kind, there[member, c]) if (member, c) in there else None for c in columns
            )
            rows.append(Row(Run(plain(member)), (*inside, *beside), (down, member), at))
        heads = (*map(plain, columns), *(h for h, _ in part.beside))
        return Sheet(part.title, heads, tuple(rows))

    def _on(
        self, part: Grid, member: str, standing: list[dict[str, list[Run]]], data: Json
    ) -> Words:
        """What is on one member of a grid."""
        out = [run for pieces in standing for run in pieces.get(member, ())]
        if part.owners:
            for who, found in enumerate(data["state"][part.owners].values()):
                if member in found:
                    out.append(Run(self.people.all[who], who))
        out += [Run(mark) for name, mark in part.sets if member in data["state"][name]]
        return _joined(out, " ") if out else (Run("·", dim=True),)

    # ------------------------------------------------------------ cells

    def cell(self, source: str, kind: str, index: int, key: str, data: Json) -> Words:
        if source.startswith("this."):
            return self._printed(source[5:], kind, index)
        if "." in source:
            found = self.standing(source, "{owner} {value}", key, data)
            return _joined(found, ", ") or (Run(NOTHING),)
        if source in data["zones"]:
            heap = content_of(data, source, key)
            return (Run(show_value(self._named(source, heap))),)
        value = data["state"][source]
        if isinstance(value, list):
            return (Run("yes" if key in value else NOTHING),)
        about = self._about(source)
        if about.by_people and kind not in PEOPLE:
            who = [self.people.name(k) for k, v in value.items() if key in v]
            return (Run(", ".join(who) or NOTHING),)
        one = value.get(key)
        told = self.people.named(self.names.state[source].get("value") or {"t": "none"}, one)
        return (Run(show_value(self._named(source, told))),)

    def _about(self, source: str) -> _About:
        """What never changes about state or a zone."""
        found = self._sources.get(source)
        if found is None:
            t = (self.names.state.get(source) or {}).get("value") or {}
            counted = t["key"].get("kind") if t.get("t") == "map" else None
            called = self._called.get(counted or self.names.shown_kind(source) or "", {})
            found = _About(self.names.per(source) in PEOPLE, called)
            self._sources[source] = found
        return found

    def _printed(self, column: str, kind: str, index: int) -> Words:
        """What stands in a column of a kind's table, which never changes."""
        found = self._cells.get((column, kind, index))
        if found is None:
            found = (Run(show_value(self.names.told_cell(kind, index, column))),)
            self._cells[column, kind, index] = found
        return found

    def _named(self, source: str, value: Any) -> Any:
        """Members as they are called; equal names are counted."""
        if isinstance(value, int):
            return value
        called = self._about(source).called
        if isinstance(value, str):
            return called.get(value, value)
        if isinstance(value, list):
            return [called.get(str(v), v) for v in value]
        if not isinstance(value, dict) or "hidden" in value:
            return value
        if is_apart(value):
            return {key: self._named(source, one) for key, one in value.items()}
        out: Json = {}
        for member, n in value.items():
            name = called.get(member) or member
            out[name] = out.get(name, 0) + n if isinstance(n, int) else n
        return out

    def standing(self, source: str, template: str, key: str, data: Json) -> list[Run]:
        """Pieces that stand at a member: their owner and what the viewer knows of their value."""
        return self.all_standing(source, template, data).get(key, [])

    def all_standing(self, source: str, template: str, data: Json) -> dict[str, list[Run]]:
        """Pieces by the member that a field of theirs names."""
        name, _, field = source.partition(".")
        kind = self.names.value_kind(name) or ""
        owned = "owner" in holes(template)
        out: dict[str, list[Run]] = {}
        for key, piece in data["pieces"][name].items():
            text = self._piece_text(template, kind, piece)
            who = self.people.index(str(piece["owner"])) if owned and "owner" in piece else None
            out.setdefault(piece[field], []).append(Run(text, who, piece=(name, key)))
        return out

    def _piece_text(self, template: str, kind: str, piece: Json) -> str:
        value = piece["value"]
        key = template, kind, piece.get("owner"), None if isinstance(value, dict) else value
        found = self._piece_texts.get(key)
        if found is None:
            found = fill(template, partial(self._of_piece, piece, kind)).strip()
            self._piece_texts[key] = found
        return found

    def _of_piece(self, piece: Json, kind: str, hole: str) -> str:
        if hole == "owner":
            return self.people.name(str(piece["owner"])) if "owner" in piece else ""
        value = piece["value"]
        if isinstance(value, dict):
            return "?"
        _, _, path = hole.partition(".")
        if not path:
            return plain(str(value))
        return str(self.names.cell(kind, self.names.index[kind][value], path))

    # ------------------------------------------------------------ texts

    def single(self, name: str, data: Json) -> str:
        """The value of single state."""
        return show_value(self.people.named(self.names.state[name], data["state"][name]))

    def line(self, text: str, data: Json) -> str:
        return fill(text, lambda name: self.single(name, data))

    def told(self, template: str, kind: str, index: int, data: Json) -> str:
        """A text about one member."""
        return fill(
            template,
            lambda n: show_value(self.names.tell(kind, index, n, data["state"])),
        )

    def scale(self, part: Scale, data: Json) -> dict[int, list[str]]:
        """The members that stand at each number; one without a name where a single thing is counted."""
        value = data["state"][part.state]
        found = {"": value} if part.kind is None else value
        out: dict[int, list[str]] = {}
        for member, at in found.items():
            if isinstance(at, int) and (not part.only or member in part.only):
                out.setdefault(at, []).append(member)
        return out

    def dice(self, source: str, key: str | None, data: Json) -> list[int]:
        """The numbers in state as dice show them, or in that part of it which is of a member; nothing where they are hidden."""
        value = data["state"][source]
        return _numbers(value if key is None or not isinstance(value, dict) else value.get(key))

    def zone(self, name: str, zone: Any) -> str:
        """What lies in a zone; in one of several, whose or where it is, too."""
        if not is_apart(zone):
            return show_value(zone)
        people = self.names.per(name) in PEOPLE
        whose = {key: self.people.name(key) if people else plain(key) for key in zone}
        return "; ".join(f"{whose[k]}: {show_value(v)}" for k, v in zone.items())

    def track(self, part: Track, data: Json) -> list[Step]:
        out = []
        before: str | None = None
        owners = data["state"][part.owners]
        for i, member in enumerate(self.names.kinds[part.kind]):
            label = self.told(part.label, part.kind, i, data) if part.label else ""
            who = tuple(self.people.index(k) for k, found in owners.items() if member in found)
            out.append(Step(member, label, label != before, who))
            before = label
        return out


def _numbers(value: Any) -> list[int]:
    """A number, or all that are in a list or a map; 0 is no die."""
    if isinstance(value, dict):
        return [] if "hidden" in value else [n for one in value.values() for n in _numbers(one)]
    if isinstance(value, list):
        return [n for one in value for n in _numbers(one)]
    return [value] if isinstance(value, int) and value else []


def spoken(words: Words) -> str:
    """A cell as plain text."""
    return "".join(run.text for run in words)


def _heads(columns: Columns) -> tuple[str, ...]:
    return tuple(h for h, _ in columns)


def _joined(runs: list[Run], between: str) -> Words:
    out: list[Run] = []
    for run in runs:
        out += [Run(between), run] if out else [run]
    return tuple(out)
