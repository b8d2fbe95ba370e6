"""A board or a track and a view → SVG: what never changes is drawn once, each member is a group of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.scene.layout import Area, Board, Layer, Point
from rulewright.scene.places import groups, joins, links, middle, owners_of, tied
from rulewright.scene.sheets import Run
from rulewright.scene.words import capital, plain
from rulewright.web import shapes
from rulewright.web.members import Members, Now, css
from rulewright.web.shapes import esc, number

Json = dict[str, Any]
Fragments = dict[str, str]
# a place of a grid, the lines between blocks, and room for words above each of them
_UNIT, _GAP, _STRIP = 40, 10, 18
# so many renderings of one member are kept
_MOST_KEPT = 200


@dataclass(frozen=True, slots=True)
class Here:
    """What is on one member now."""

    label: str = ""
    colour: str | None = None
    owners: tuple[int, ...] = ()
    sets: tuple[str, ...] = ()
    pawns: tuple[str, ...] = ()
    pieces: tuple[Run, ...] = ()
    held: tuple[tuple[str, str], ...] = ()
    icon: str | None = None


class Paper:
    """Where a place of a board lies in its picture."""

    def __init__(self, board: Board) -> None:
        self.board = board
        (w, h), blocks = board.size, board.blocks
        self.across, self.down = blocks or (w, h)
        if blocks is not None:
            gaps = (w - 1) // self.across, (h - 1) // self.down
            self.size = (
                w * _UNIT + (gaps[0] + 2) * _GAP,
                h * _UNIT + (gaps[1] + 2) * _GAP + (gaps[1] + 1) * _STRIP,
            )
        elif board.hex:
            self.size = (
                int((w + 0.5) * _UNIT) + 2 * _GAP,
                int((h * 0.75 + 0.25) * _UNIT * 1.15) + 2 * _GAP,
            )
        else:
            self.size = w, h

    def place(self, at: Point, above: bool) -> tuple[float, float]:
        """The middle of a member."""
        x, y = at
        if self.board.blocks is not None:
            if above:
                left, top = self._corner(x + 1, y + 1)
                w, h = self.block
                return left + w / 2, top - _STRIP + h / 2
            left, top = self._corner(x, y)
            return left + _UNIT / 2, top + _UNIT / 2
        if self.board.hex:
            return (
                _GAP + (x - 0.5 + (0.5 if y % 2 == 0 else 0)) * _UNIT,
                _GAP + ((y - 1) * 0.75 + 0.5) * _UNIT * 1.15,
            )
        return x, y

    def _corner(self, x: int, y: int) -> tuple[float, float]:
        band = (y - 1) // self.down
        return (
            _GAP + (x - 1) * _UNIT + (x - 1) // self.across * _GAP,
            _GAP + (y - 1) * _UNIT + band * _GAP + (band + 1) * _STRIP,
        )

    @property
    def block(self) -> Point:
        return self.across * _UNIT, self.down * _UNIT + _STRIP

    def extent(self, layer: Layer) -> tuple[float, float]:
        """How large the members of a layer are."""
        if layer.look.size is not None:
            return layer.look.size
        if self.board.blocks is not None:
            return self.block if layer.above else (_UNIT * 0.9, _UNIT * 0.9)
        if self.board.hex:
            return _UNIT * 0.96, _UNIT * 1.1
        side = max(self.size) / 20
        return side, side


class Picture:
    """One board of a game."""

    def __init__(self, board: Board, name: str, members: Members) -> None:
        self.board, self.name, self.members = board, name, members
        self.names = members.names
        self.paper = Paper(board)
        self.layers = [_Layer(self, layer, f"{name}-{i}") for i, layer in enumerate(board.layers)]

    def frame(self) -> list[str]:
        """The picture with gaps: every second piece is the id of a fragment that goes there."""
        w, h = self.paper.size
        out = [
            f'<figure class="picture {self.name}"><figcaption>{esc(self.board.title)}</figcaption><div class="scroll">'
            f'<svg viewBox="0 0 {w} {h}" role="group" aria-label="{esc(self.board.title)}">'
            + "".join(self._area(area) for area in self.board.areas)
            + "".join(layer.lines() for layer in self.layers)
        ]
        for layer in self.layers:
            out[-1] += f'<g role="group" aria-label="{esc(plain(layer.layer.kind))}">'
            for member in layer.places:
                out += [layer.ids[member], ""]
            out[-1] += "</g>"
        out[-1] += "</svg></div></figure>"
        return out

    def _area(self, area: Area) -> str:
        (x, y), (w, h) = area.at, area.size
        tint = f" c-{css(area.colour)}" if area.colour else ""
        inside = ""
        if area.path is not None:
            inside = f'<path class="f" d="{esc(area.path)}"/>'
        elif w > 1:
            inside = f'<rect class="f" x="{x}" y="{y}" width="{w}" height="{h}" rx="{number(min(w, h) * 0.06)}"/>'
        middle_x, middle_y = x + w / 2, y + h / 2
        size = max(self.paper.size) / 36
        if area.icon is not None:
            path = self.members.layout.icons[area.icon]
            inside += shapes.icon(
                path, size * 2.4, middle_x, middle_y - size * 1.4 * bool(area.label)
            )
        if area.label is not None:
            inside += shapes.text(
                area.label, size, middle_x, middle_y + size * bool(area.icon), "title"
            )
        return f'<g class="area{tint}" aria-hidden="true">{inside}</g>'

    def least_width(self) -> int:
        """So many pixels wide that everything that can be chosen is large enough to touch."""
        sides = [min(self.paper.extent(layer)) for layer in self.board.layers]
        touched = [side for side in sides if side > 1]
        return round(min(640, 24 * self.paper.size[0] / min(touched))) if touched else 0

    def render(self, now: Now) -> Fragments:
        out: Fragments = {}
        for layer in self.layers:
            layer.render(now, out)
        return out


class _Layer:
    """The members of one kind in a picture."""

    def __init__(self, picture: Picture, layer: Layer, name: str) -> None:
        self.picture, self.layer, self.members = picture, layer, picture.members
        self.names, self.look = picture.names, layer.look
        paper = picture.paper
        self.places = {m: paper.place(at, layer.above) for m, at in layer.places.items()}
        self.ids = {m: f"{name}-{css(m)}" for m in self.places}
        self.size = paper.extent(layer)
        told = set(self.names.told_of(layer.kind))
        self.changing = any(
            part is not None and any(word in part for word in told)
            for part in (self.look.label, self.look.icon, self.look.colour, self.look.says)
        )
        self.plain = {m: self._look(m, {}) for m in self.places} if not self.changing else {}
        self.kept: dict[str, dict[Any, str]] = {m: {} for m in self.places}
        self.icons = self.members.layout.icons

    def _look(self, member: str, state: Json) -> Here:
        kind = self.layer.kind
        return Here(
            self.members.told(self.look.label, kind, member, state),
            self.members.colour(self.look, kind, member, state),
            icon=self.members.icon(self.look, kind, member, state),
        )

    # ------------------------------------------------------------ what never changes

    def lines(self) -> str:
        """Links, joins, ties and titles."""
        layer, out = self.layer, ""
        width = min(self.size)
        for a, b in joins(self.picture.board, layer, self.names):
            out += _stroke(a, b, "join", width * 0.08)
        for group in groups(layer, self.names, layer.ties, self.places).values():
            tint = (
                self.members.colour(self.look, layer.kind, group[0], {})
                if not self.changing
                else None
            )
            points = [layer.places[m] for m in group]
            kind = f"tie c-{css(tint)}" if tint else "tie"
            out += "".join(_stroke(a, b, kind, width * 1.5) for a, b in tied(points, _far))
            out += "".join(_stroke(p, p, kind, width * 1.5) for p in points[:1])
        for one, other in links(layer, self.names):
            out += _stroke(self.places[one], self.places[other], "link", width * 0.7)
        for title, group in groups(layer, self.names, layer.titles, self.places).items():
            x, y = middle([layer.places[m] for m in group])
            out += shapes.text(plain(title).upper(), width * 0.8, x, y, "title")
        return f'<g aria-hidden="true">{out}</g>' if out else ""

    # ------------------------------------------------------------ what is on the members now

    def render(self, now: Now, out: Fragments) -> None:
        layer, data = self.layer, now.data
        state = data["state"]
        shown = set(state[layer.only]) if layer.only else None
        owners = owners_of(state, layer.owners) if layer.owners else {}
        pawns: dict[str, list[str]] = {}
        for name, _ in layer.pawns:
            if isinstance(state[name], str):
                pawns.setdefault(state[name], []).append(name)
        sets: dict[str, list[str]] = {}
        for name, _ in layer.sets:
            for member in state[name]:
                sets.setdefault(member, []).append(name)
        pieces = self._pieces(data)
        targets, marked, kind = now.targets, now.marked, layer.kind
        for member, at in self.ids.items():
            if shown is not None and member not in shown:
                out[at] = f'<g id="{at}"></g>'
                continue
            still = self.plain.get(member) or self._look(member, state)
            here = Here(
                still.label, still.colour, tuple(owners.get(member, ())), tuple(sets.get(member, ())),
                tuple(pawns.get(member, ())), tuple(pieces.get(member, ())), self._held(member, data), still.icon,
            )  # fmt: skip
            key = (here, tuple(targets.get((kind, member), ())), (kind, member) in marked)
            kept = self.kept[member]
            found = kept.get(key)
            if found is None:
                if len(kept) >= _MOST_KEPT:
                    kept.clear()
                found = kept[key] = self._draw(member, at, here, now)
            out[at] = found

    def _pieces(self, data: Json) -> dict[str, list[Run]]:
        """The pieces on each member, with what is told of them."""
        out: dict[str, list[Run]] = {}
        layer = self.layer
        for source, text in (*([(layer.pieces, layer.piece)] if layer.pieces else []), *layer.also):
            for member, runs in self.members.sheets.all_standing(source, text, data).items():
                out.setdefault(member, []).extend(runs)
        return out

    def _held(self, member: str, data: Json) -> tuple[tuple[str, str], ...]:
        out: list[tuple[str, str]] = []
        for zone in self.layer.holds:
            content = data["zones"][zone].get(member, {})
            kind = self.names.zone_kinds[zone]
            if "hidden" not in content:
                out += [(kind, m) for m, n in content.items() for _ in range(n)]
        return tuple(out)

    def _draw(self, member: str, at: str, here: Here, now: Now) -> str:
        look, kind = self.look, self.layer.kind
        (x, y), (w, h) = self.places[member], self.size
        outline = self.layer.outlines.get(member)
        shown = look.shape or ("square" if not self.layer.links else "circle")
        if self.layer.above and look.shape is None:
            shown = "card"
        if outline is not None:
            body = f'<path class="f" transform="translate({number(-x)} {number(-y)})" d="{esc(outline)}"/>'
        else:
            body = shapes.shape(shown, w, h)
        body += self._inside(here, w, h)
        said = self._said(member, here, now)
        tint = f" c-{css(here.colour)}" if here.colour else ""
        attributes = self.members.attributes(now, kind, member, said, tint)
        return (
            f'<g id="{at}" {attributes} transform="translate({number(x)} {number(y)})">{body}</g>'
        )

    def _inside(self, here: Here, w: float, h: float) -> str:
        side = min(w, h)
        out = ""
        above = self.layer.above and self.picture.board.blocks is not None
        if here.icon is not None:
            out += shapes.icon(
                here.icon, side * (0.45 if here.label else 0.7), 0, -h * 0.18 * bool(here.label)
            )
        if here.label and above:
            out += shapes.text(here.label, _STRIP * 0.62, 0, -h / 2 + _STRIP / 2)
        elif here.label:
            size = min(side * 0.5, w * 1.5 / max(2, len(here.label)))
            out += shapes.text(here.label, size, 0, h * 0.28 * bool(here.icon))
        for name in here.sets:
            out += self._mark(name, side)
        for n, who in enumerate(here.owners):
            out += self._token(who, here, side, n - (len(here.owners) - 1) / 2)
        for name in here.pawns:
            out += self._pawn(name, side)
        out += self._standing(here.pieces, w, h)
        return out

    def _mark(self, name: str, side: float) -> str:
        if name in self.icons:
            return shapes.icon(self.icons[name], side * 0.85, kind=f"i n-{css(name)}")
        mark = dict(self.layer.sets)[name]
        return shapes.text(mark, side * 0.5, kind="t mark")

    def _token(self, who: int, here: Here, side: float, off: float) -> str:
        """A participant's piece, with its letter; what it covers is told in its corner."""
        token = self.layer.token or "square"
        size = side * 0.86
        inside = (
            shapes.icon(self.icons[token], size, kind="f i")
            if token in self.icons
            else shapes.shape(token, size, size)
        )
        covered = here.label if not self.layer.above else ""
        inside += shapes.text(
            self.members.people.initial(who), size * 0.62, -size * 0.12 * bool(covered), 0
        )
        if covered:
            inside += shapes.text(covered, size * 0.36, size * 0.27, size * 0.24)
        return f'<g class="piece s{who}" transform="translate({number(off * size * 0.5)} 0)">{inside}</g>'

    def _pawn(self, name: str, side: float) -> str:
        """A thing that stands on one member: its icon, or its mark without brackets."""
        size = side * 1.25
        inside = shapes.shape("circle", size, size)
        if name in self.icons:
            inside += shapes.icon(self.icons[name], size * 0.8)
        else:
            inside += shapes.text(dict(self.layer.pawns)[name].strip("<>[]()"), size * 0.6)
        return f'<g class="pawn n-{css(name)}">{inside}</g>'

    def _standing(self, pieces: tuple[Run, ...], w: float, h: float) -> str:
        """Pieces in rows, smaller where there are many."""
        if not pieces:
            return ""
        size = min(w, h) * 0.42
        per_row = max(1, int(w // size))
        while -(-len(pieces) // per_row) * size > h * 1.05 and size > 6:
            size *= 0.9
            per_row = max(1, int(w // size))
        rows = [pieces[i : i + per_row] for i in range(0, len(pieces), per_row)]
        out = ""
        for r, row in enumerate(rows):
            for c, run in enumerate(row):
                x = (c - (len(row) - 1) / 2) * size
                y = (r - (len(rows) - 1) / 2) * size
                tint = f" s{run.who}" if run.who is not None else " nobody"
                inside = shapes.shape("circle", size * 0.92, size * 0.92)
                inside += shapes.text(run.text, size * min(0.5, 1.2 / max(2, len(run.text))))
                out += f'<g class="piece{tint}" transform="translate({number(x)} {number(y)})">{inside}</g>'
        return out

    def _said(self, member: str, here: Here, now: Now) -> str:
        """A member and what is on it, in words."""
        out = [self.members.says(self.look, self.layer.kind, member, now.data["state"])]
        people = self.members.people
        out += [f"{people.all[who]} is there" for who in here.owners]
        if self.layer.owners and not here.owners:
            out.append("free")
        out += [f"{plain(name)} here" for name in (*here.pawns, *here.sets)]
        if here.pieces:
            out.append(", ".join(run.text for run in here.pieces))
        out += [capital(self.members.title(kind, held)) for kind, held in here.held]
        return ", ".join(out)


def _stroke(a: tuple[float, float], b: tuple[float, float], kind: str, width: float) -> str:
    return (
        f'<line class="{kind}" x1="{number(a[0])}" y1="{number(a[1])}" x2="{number(b[0])}" y2="{number(b[1])}"'
        f' stroke-width="{number(width)}"/>'
    )


def _far(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
