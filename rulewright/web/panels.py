"""Parts of words (lines, seats, tables, grids, cards, zones) and a view → HTML, one fragment for each piece that changes."""

from __future__ import annotations

from typing import Any

from rulewright.scene.layout import Cards, Cell, Dice, Grid, Line, Rows, Seats, Zone
from rulewright.scene.sheets import NOTHING, Run, Words, spoken
from rulewright.scene.view_words import PEOPLE, capital, content_of, is_apart, plain
from rulewright.web import shapes
from rulewright.web.members import Members, css
from rulewright.web.now import Fragments, Key, Now, owned
from rulewright.web.shapes import esc
from rulewright.web.words import say

Json = dict[str, Any]
# members with how many of each, in the order in which they are shown
Heap = tuple[tuple[str, int], ...]
# more dice than this are told by a number
_MOST_DICE = 12
_DICE_IN_A_ROW = 5
# so many renderings of what lies somewhere are kept
_MOST_KEPT = 2000
_WORDS = Cell("words")
# what is looked up anew each time
_CONTENT = ("cards", "tokens", "slots", "stack")


class Panels:
    """HTML of one game; ids begin with the part's own."""

    def __init__(self, members: Members) -> None:
        self.members, self.names = members, members.names
        self.sheets, self.people = members.sheets, members.people
        self._kept: dict[tuple[object, ...], str] = {}

    # ------------------------------------------------------------ parts

    def line(self, part: Line, name: str, now: Now) -> Fragments:
        return {
            name: f'<p id="{name}" class="line">{esc(self.sheets.line(part.text, now.data))}</p>'
        }

    def seat(self, part: Seats, name: str, who: int, now: Now) -> Fragments:
        """What a player has."""
        key = self.people.key(who)
        body = "".join(
            self._entry(head, source, part.looks.get(head, _WORDS), who, key, now)
            for head, source in part.columns
        )
        return {name: body}

    def around_seat(self, name: str, who: int, now: Now, inside: Fragments) -> Fragments:
        """The board of a player around that: who it is, and whose turn."""
        title, body = self.people.all[who], inside[name]
        turn, you = now.decides == who, now.seat == who
        said = say("is_you", name=title) if you else title
        said = say("decides_now", name=said) if turn else said
        classes = f"seat s{who}" + " turn" * turn + " you" * you
        shown = (
            f'<section id="{name}" class="{classes}" aria-label="{esc(said)}">'
            f"<h3>{self.members.badge(who)}<span>{esc(title)}</span>"
            f"{_small('you') if you else ''}{_small('decides') if turn else ''}</h3>"
            f"<dl>{body}</dl></section>"
        )
        return {name: shown}

    def _entry(self, head: str, source: str, cell: Cell, who: int, key: str, now: Now) -> str:
        """One thing that a player has."""
        if cell.way == "hidden":
            return ""
        live = now.decides == who and now.can_choose
        if cell.way in ("slots", "cards", "tokens", "stack"):
            shown = self._content(source, cell, key, now, live)
            return f'<div class="wide"><dt>{esc(head)}</dt><dd>{shown}</dd></div>' if shown else ""
        words = self.sheets.cell(source, PEOPLE[0], who, key, now.data)
        shown = self._cell(words, source, cell, key, now)
        if cell.way == "icon":
            return f'<div class="stat" title="{esc(head)}"><dt>{shown}<span class="sr">{esc(head)}</span></dt><dd>{esc(spoken(words))}</dd></div>'
        wide = ' class="wide"' if len(spoken(words)) > 12 else ""
        return f"<div{wide}><dt>{esc(head)}</dt><dd>{shown}</dd></div>"

    def rows(self, part: Rows, name: str, now: Now) -> Fragments:
        """A fragment for each row, so that little changes when one does."""
        heads = self._shown_columns(part)
        found = {
            row.member[1]: self._row(row.member, sheet.heads, row.cells, heads, now)
            for sheet in now.words(name, lambda: self.sheets.rows(part, now.data))
            for row in sheet.rows
            if row.member is not None
        }
        members = self.names.kinds[part.kind]
        out = {}
        for member in reversed(members) if part.from_last else members:
            at = f"{name}-{css(member)}"
            inside = found.get(member)
            out[at] = (
                f'<tr id="{at}" hidden=""></tr>'
                if inside is None
                else f'<tr id="{at}">{inside}</tr>'
            )
        return out

    def table(self, part: Rows, rows: str) -> str:
        """A table around its rows."""
        top = "".join(f'<th scope="col">{esc(h)}</th>' for h, _, _ in self._shown_columns(part))
        return (
            f'<table class="rows"><caption>{esc(part.title)}</caption>'
            f"<thead><tr><td></td>{top}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def _shown_columns(self, part: Rows) -> list[tuple[str, str, Cell]]:
        heads = [(h, s, part.looks.get(h, _WORDS)) for h, s in part.columns]
        return [entry for entry in heads if entry[2].way != "hidden"]

    def _row(
        self,
        member: Key,
        names: tuple[str, ...],
        cells: tuple[Words, ...],
        heads: list[tuple[str, str, Cell]],
        now: Now,
    ) -> str:
        """A row of a table; one that shows nothing but words and dice is kept."""
        kind, key = member
        state = now.data["state"]
        fixed = not self.members.changes(kind) and all(c.way not in _CONTENT for _, _, c in heads)
        dice = tuple(state[c.name].get(key) for _, _, c in heads if c.way == "dice" and c.name)
        same = member, cells, dice, names, now.actions(*member), now.is_marked(*member)
        found = self._kept.get(same) if fixed else None
        if found is None:
            words = dict(zip(names, cells, strict=True))
            inside = "".join(
                f"<td>{self._cell(words[h], s, cell, key, now)}</td>" for h, s, cell in heads
            )
            found = f'<th scope="row">{self.members.chip(now, kind, key)}</th>{inside}'
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[same] = found
        return found

    def grid(self, part: Grid, name: str, now: Now) -> Fragments:
        sheet = self.sheets.grid(part, now.data)
        inside = len(sheet.heads) - len(part.beside)
        lines = []
        for row in sheet.rows:
            cells = []
            for words, member in zip(row.cells, row.members, strict=False):
                if member is None:
                    cells.append("<td></td>")
                    continue
                said = f"{capital(self.members.title(*member))}: {spoken(words)}"
                attributes = self.members.attributes(now, *member, said, " square")
                cells.append(f"<td><span {attributes}>{self._words(words)}</span></td>")
            for (head, source), words in zip(part.beside, row.cells[inside:], strict=True):
                cell = part.looks.get(head, _WORDS)
                key = row.member[1] if row.member else ""
                cells.append(f"<td>{self._cell(words, source, cell, key, now)}</td>")
            head = self.members.chip(now, *row.member) if row.member else esc(row.head.text)
            lines.append(f'<tr><th scope="row">{head}</th>{"".join(cells)}</tr>')
        top = "".join(f'<th scope="col">{esc(h)}</th>' for h in sheet.heads)
        return {
            name: f'<table id="{name}" class="grid"><caption>{esc(part.title)}</caption>'
            f"<thead><tr><td></td>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        }

    def cards(self, part: Cards, name: str, now: Now) -> Fragments:
        """A fragment for each card, so that little changes when one is taken."""
        state = now.data["state"]
        out = {}
        for member in self.names.kinds[part.kind]:
            at = f"{name}-{css(member)}"
            if part.only and member not in state[part.only]:
                out[at] = f'<li id="{at}" hidden=""></li>'
                continue
            who = [
                i for i, found in enumerate(state[part.owners].values() if part.owners else ()) if member in found
            ]  # fmt: skip
            said = ", ".join(self.people.all[i] for i in who)
            badges = "".join(self.members.badge(i) for i in who)
            more = (
                f'<span class="had"><span class="sr">{esc(said)}</span>{badges}</span>'
                if who
                else ""
            )
            out[at] = f'<li id="{at}">{self.members.card(now, part.kind, member, more=more)}</li>'
        return out

    def dice(self, part: Dice, name: str, now: Now) -> Fragments:
        shown = self._pips(part.state, None, now) or NOTHING
        return {
            name: f'<div id="{name}" class="zone"><span class="name">{esc(part.title)}</span> {shown}</div>'
        }

    def zone(self, part: Zone, name: str, now: Now) -> Fragments:
        cell = part.look or _WORDS
        if cell.way == "hidden":
            return {}
        content = now.data["zones"][part.zone]
        per = self.names.zones[part.zone]
        if cell.way not in ("cards", "tokens", "stack"):
            shown = esc(self.sheets.zone(part.zone, content_of(now.data, part.zone)))
        elif per is None:
            shown = self._content(part.zone, cell, None, now, True) or NOTHING
        else:
            found = {key: self._content(part.zone, cell, key, now, True) for key in content}
            shown = self._parts(found, str(per.get("kind", "")))
        return {
            name: f'<div id="{name}" class="zone"><span class="name">{esc(part.title)}</span> {shown}</div>'
        }

    def _parts(self, found: dict[str, str], kind: str) -> str:
        """What lies in each of several zones, after what it is of."""
        return "".join(
            f'<div class="of"><span class="name">{esc(self._of(kind, key))}</span> {inside}</div>'
            for key, inside in found.items()
            if inside
        )

    def _of(self, kind: str, key: str) -> str:
        """Whose part of a zone it is."""
        if kind in PEOPLE:
            return self.people.name(key)
        return capital(self.members.title(kind, key)) if kind else key

    # ------------------------------------------------------------ cells

    def _cell(self, words: Words, source: str, cell: Cell, key: str, now: Now) -> str:
        """What stands in a cell of a table."""
        state = now.data["state"]
        if cell.way == "icon" and cell.name is not None:
            path = self.members.layout.icons.get(cell.name, "")
            tint = f" c-{css(cell.colour)}" if cell.colour else ""
            return shapes.icon_alone(path, f"icon{tint}")
        if cell.way == "dice" and cell.name is not None:
            return self._dice(state[source].get(key, 0), state[cell.name].get(key, 0), cell.colour)
        if cell.way in ("cards", "tokens", "slots", "stack"):
            return self._content(source, cell, key, now, True) or NOTHING
        if cell.way == "pips" and (dice := self._pips(source, key, now)):
            return dice
        return self._words(words)

    def _pips(self, source: str, key: str | None, now: Now) -> str:
        """The numbers of state as dice."""
        found = self.sheets.dice(source, key, now.data)
        if not found:
            return ""
        shown = "".join(shapes.die(value, "c-white") for value in found)
        said = say("pips", values=", ".join(map(str, found)))
        many = " many" if len(found) > _DICE_IN_A_ROW else ""
        return f'<span class="dice{many}" role="img" aria-label="{esc(said)}">{shown}</span>'

    def _dice(self, count: int, value: int, colour: str | None) -> str:
        if not count:
            return ""
        word = colour or "white"
        key = "one_die" if count == 1 else "dice"
        said = say(key, count=count, colour=plain(word), value=value)
        shown = shapes.die(value, f"c-{css(word)}") * min(count, _MOST_DICE)
        many = " many" if count > _DICE_IN_A_ROW else ""
        return f'<span class="dice{many}" role="img" aria-label="{esc(said)}">{shown}</span>'

    def _words(self, words: Words) -> str:
        return "".join(self._run(run) for run in words)

    def _run(self, run: Run) -> str:
        if run.piece is not None and run.who is None:
            return f'<span class="piece nobody">{esc(run.text)}</span>'
        if run.who is not None:
            return f'<span class="piece s{run.who}">{esc(run.text)}</span>'
        return f'<span class="dim">{esc(run.text)}</span>' if run.dim else esc(run.text)

    def _content(self, source: str, cell: Cell, key: str | None, now: Now, live: bool) -> str:
        """What lies in a zone or in state, as cards, tokens or slots; how many things are hidden."""
        found = self._found(source, key, now.data)
        if isinstance(found, dict):
            shown = {k: self._heap(source, cell, key, one, now, live) for k, one in found.items()}
            return self._parts(shown, self.names.second(source) or "")
        return self._heap(source, cell, key, found, now, live)

    def _heap(
        self, source: str, cell: Cell, key: str | None, found: Heap | int, now: Now, live: bool
    ) -> str:
        kind = self.names.shown_kind(source) or ""
        if isinstance(found, int):
            return self._backs(found, say("hidden_ones", count=found))
        if cell.way == "stack":
            said = ", ".join(f"{self.members.title(kind, m)} × {n}" for m, n in found)
            return self._backs(sum(n for _, n in found), said)
        marks = kind if key is None else owned(source, key)
        if self.members.changes(kind):
            return self._things(kind, cell.way, found, now, live, marks)
        may = now.kind_print("targets", kind) if live else ""
        same = kind, cell.way, found, live, may, now.kind_print("marked", marks)
        kept = self._kept.get(same)
        if kept is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            kept = self._kept[same] = self._things(kind, cell.way, found, now, live, marks)
        return kept

    def _things(self, kind: str, way: str, found: Heap, now: Now, live: bool, marks: str) -> str:
        show = self.members.card if way == "cards" else self.members.chip
        if way == "slots":
            had = dict(found)
            shown = [
                show(now, kind, m, 1, live, " had" if m in had else " free", marks)
                for m in self.names.kinds[kind]
            ]
        else:
            known = self.names.kinds[kind]
            shown = [
                show(now, kind, m, n, live, "", marks) if m in known else esc(m) for m, n in found
            ]
        return f'<span class="{way}">{"".join(shown)}</span>' if shown else ""

    def _backs(self, count: int, said: str) -> str:
        """A stack of cards, and how many there are."""
        if not count:
            return ""
        backs = '<span class="back" aria-hidden="true"></span>' * min(count, 4)
        return (
            f'<span class="backs" role="img" aria-label="{esc(said)}" title="{esc(said)}">{backs}</span>'
            f' <span aria-hidden="true">{count}</span>'
        )

    def _found(
        self, source: str, key: str | None, data: Json
    ) -> Heap | int | dict[str, Heap | int]:
        """What there is of members; where there are several heaps, by what each of them is of."""
        if source in data["zones"]:
            value: Any = content_of(data, source, key)
        else:
            value = data["state"][source]
            if key is not None and isinstance(value, dict):
                value = value.get(key)
        if source in data["zones"] and is_apart(value):
            return {k: _counted(one) for k, one in value.items()}
        return _counted(value)


def _counted(value: Any) -> Heap | int:
    """Members with how many of each, one by one where they lie in an order; a number where they are hidden."""
    if isinstance(value, dict):
        if "hidden" in value:
            return int(value["hidden"])
        return tuple((str(m), int(n)) for m, n in value.items() if n)
    if isinstance(value, list):
        return tuple((str(m), 1) for m in value)
    return () if value is None else ((str(value), 1),)


def _small(key: str) -> str:
    return f"<small>{esc(say(key))}</small>"
