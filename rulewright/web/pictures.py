"""A board or a track and a view → SVG: what never changes is drawn once, each member is a group of its own."""

from __future__ import annotations

from typing import Any, NamedTuple

from rulewright.scene.layout import Area, Board, Layer, Point
from rulewright.scene.places import groups, joins, links, middle, tied
from rulewright.scene.sheets import Run
from rulewright.scene.standing import Man, Standing
from rulewright.scene.view_words import capital, is_apart, plain
from rulewright.web import shapes
from rulewright.web.members import Members, css
from rulewright.web.men import Men, key_of
from rulewright.web.now import Fragments, Now
from rulewright.web.paper import STRIP, UNIT, Paper
from rulewright.web.shapes import esc, number
from rulewright.web.words import say

Json = dict[str, Any]
# in pixels: what a finger can touch, how wide a picture must be at most for that, how large a member may be, and a picture
_TOUCH, _MOST_LEAST, _LARGEST, _WIDEST = 24, 560, 72, 960
# the same for a finger on a small screen, where a picture fits the width until it is enlarged
_FINGER, _MOST_LARGE = 40, 1400
# and how many pixels a unit of its size may become, where a spec and where a grid sets it
_SCALE, _GRID_SCALE = 1.35, 2
# the part of a member with pieces on it that its label takes
_HEAD = 0.26
# a word may be so many times as large as its letters have room each
_LETTERS = 1.3
# so many renderings of one member are kept
_MOST_KEPT = 200


class Here(NamedTuple):
    """What is on one member now, and how it looks."""

    label: str
    says: str
    colour: str | None
    border: str
    icon: str | None
    men: tuple[Man, ...] = ()
    sets: tuple[str, ...] = ()
    pawns: tuple[str, ...] = ()
    pieces: tuple[Run, ...] = ()
    held: tuple[tuple[str, str], ...] = ()


class Picture:
    """One board of a game."""

    def __init__(self, board: Board, name: str, members: Members) -> None:
        self.board, self.name, self.members = board, name, members
        self.names = members.names
        self.paper = Paper(board)
        self.layers = [_Layer(self, layer, f"{name}-{i}") for i, layer in enumerate(board.layers)]

    def frame(self) -> list[str]:
        """The picture with gaps: every second piece is the id of a fragment that goes there."""
        (w, h), title = self.paper.size, esc(self.board.title)
        lined = " lined" if self.board.lines else ""
        out = [
            f'<figure class="picture {self.name}{lined}" data-large="{self.large()}"><figcaption>{title}</figcaption><div class="scroll" role="region" aria-label="{title}" tabindex="0">'
            f'<svg viewBox="0 0 {w} {h}" role="group" aria-label="{title}">'
            + "".join(self._area(area) for area in self.board.areas)
            + self.paper.drawn(self.names)
            + "".join(layer.lines() for layer in self.layers)
        ]
        for layer in self.layers:
            out[-1] += f'<g role="group" aria-label="{esc(plain(layer.layer.kind))}">'
            for member in layer.places:
                out += [layer.ids[member], ""]
                if layer.bears:
                    out += [f"{layer.ids[member]}-on", ""]
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
        size = max(self.paper.size) / 34
        inside += self._words(area, x + w / 2, y + h / 2, size)
        return f'<g class="area{tint}" aria-hidden="true">{inside}</g>'

    def _words(self, area: Area, x: float, y: float, size: float) -> str:
        """An icon and the words beside it, around a place."""
        path = None if area.icon is None else self.members.layout.icons[area.icon]
        if area.label is None:
            return "" if path is None else shapes.icon(path, size * 2, x, y)
        if path is None:
            return shapes.text(area.label, size, x, y, "title")
        left = x - (len(area.label) * size * 0.62 + size * 2) / 2
        return shapes.icon(path, size * 1.7, left + size * 0.85, y) + shapes.text(
            area.label, size, left + size * 2, y, "title", "start"
        )

    def _smallest(self) -> float:
        """The size of the smallest thing that one may want to touch."""
        sides = [
            min(self.paper.extent(layer)) * (0.6 if layer.pieces else 1)
            for layer in self.board.layers
            if not layer.above
        ]
        return min((side for side in sides if side > 1), default=_LARGEST)

    def large(self) -> int:
        """How wide the picture is on a small screen when it is enlarged: as a finger needs it."""
        return round(min(_MOST_LARGE, _FINGER * self.paper.size[0] / self._smallest()))

    def widths(self) -> tuple[int, int, float]:
        """How wide the picture may be, in pixels: so that what can be chosen can be touched, and is not huge; and its shape."""
        small, width = self._smallest(), self.paper.size[0]
        least = round(min(_MOST_LEAST, _TOUCH * width / small))
        scale = _SCALE if self.board.blocks is None and not self.board.hex else _GRID_SCALE
        most = max(least, round(min(_WIDEST, scale * width, _LARGEST * width / small)))
        return least, most, width / self.paper.size[1]


class _Layer:
    """The members of one kind in a picture."""

    def __init__(self, picture: Picture, layer: Layer, name: str) -> None:
        self.picture, self.layer, self.members = picture, layer, picture.members
        self.names, self.look = picture.names, layer.look
        paper = picture.paper
        self.places = {m: paper.place(at, layer.above) for m, at in layer.places.items()}
        self.ids = {m: f"{name}-{css(m)}" for m in self.places}
        self.size = paper.extent(layer)
        # whether there are pieces or cards on its members, which are members themselves
        self.bears = bool(layer.pieces or layer.also or layer.holds)
        self.changing = self.members.depends(layer.kind, layer.look)
        self.plain = {m: self._look(m, {}) for m in self.places} if not self.changing else {}
        self.bare: dict[str, Fragments] | None = None
        self.kept: dict[str, dict[Here, tuple[str, str, str]]] = {m: {} for m in self.places}
        self.borne: dict[str, dict[object, str]] = {m: {} for m in self.places}
        self.icons = self.members.layout.icons
        # by decision: the numbers that members stand for in it
        self.clicks = {
            label: {
                m: str(self.names.cell(layer.kind, self.names.index[layer.kind][m], column))
                for m in self.places
            }
            for label, column in layer.clicks
        }
        self.standing = Standing(layer, self.names, self.members.people)
        self.men = Men(self.members, layer.token)

    def _look(self, member: str, state: Json) -> Here:
        kind, look, members = self.layer.kind, self.look, self.members
        colour = members.colour(look, kind, member, state)
        if self.layer.chequered:
            colour = self.layer.chequered[sum(self.layer.places[member]) % 2]
        return Here(
            members.told(look.label, kind, member, state), members.says(look, kind, member, state),
            colour, members.border(look, kind, member, state),
            members.icon(look, kind, member, state),
        )  # fmt: skip

    # ------------------------------------------------------------ what never changes

    def lines(self) -> str:
        """Links, joins, ties and titles."""
        layer, out = self.layer, self._ground()
        width = min(self.size)
        for a, b in joins(self.picture.board, layer, self.names):
            out += _stroke(a, b, "join", width * 0.08)
        for group in groups(layer, self.names, layer.ties, self.places).values():
            word = (
                None if self.changing else self.members.colour(self.look, layer.kind, group[0], {})
            )
            points = [layer.places[m] for m in group]
            ways = [*tied(points, _far), (points[0], points[0])]
            strokes = "".join(_stroke(a, b, "", width * 1.6) for a, b in ways)
            out += f'<g class="tie{f" c-{css(word)}" if word else ""}">{strokes}</g>'
        for one, other in links(layer, self.names):
            out += _stroke(self.places[one], self.places[other], "link", width * 0.7)
        labelled = any(area.label for area in self.picture.board.areas)
        column = None if labelled else layer.titles
        for title, group in groups(layer, self.names, column, self.places).items():
            x, y = middle([layer.places[m] for m in group])
            out += shapes.text(plain(title).upper(), width * 0.8, x, y, "title")
        return f'<g aria-hidden="true">{out}</g>' if out else ""

    # ------------------------------------------------------------ what is on the members now

    def _ground(self) -> str:
        """The squares of a chequered board side by side; what can be touched lies on them."""
        out = ""
        if self.picture.board.blocks is None:
            return out
        for member, (x, y) in self.places.items() if self.layer.chequered else ():
            word = self.layer.chequered[sum(self.layer.places[member]) % 2]
            out += f'<rect class="ground c-{css(word)}" x="{number(x - UNIT / 2)}" y="{number(y - UNIT / 2)}" width="{UNIT}" height="{UNIT}"/>'
        return out

    def render(self, now: Now) -> Fragments:
        layer, data = self.layer, now.data
        out: Fragments = {}
        state = data["state"]
        shown = set(state[layer.only]) if layer.only else None
        men = self.standing.at(state)
        pawns: dict[str, list[str]] = {}
        for name, _ in layer.pawns:
            if isinstance(state[name], str):
                pawns.setdefault(state[name], []).append(name)
        sets: dict[str, list[str]] = {}
        for name, _ in layer.sets:
            for member in state[name]:
                sets.setdefault(member, []).append(name)
        pieces = self._pieces(data) if self.bears else {}
        kind = layer.kind
        numbers = self.clicks.get(str(data.get("choice")), {})
        held = {m: self._held(m, data) for m in self.ids} if layer.holds else {}
        bare = self._bare()
        busy = {*now.touching(kind), *men, *pawns, *sets, *pieces, *(m for m in held if held[m])}
        for member, at in self.ids.items():
            if (
                member in bare
                and member not in busy
                and not numbers
                and (shown is None or member in shown)
            ):
                out |= bare[member]
                continue
            if shown is not None and member not in shown:
                out[at] = self._out(member, at)
                if self.bears:
                    out[f"{at}-on"] = f'<g id="{at}-on"></g>'
                continue
            still = self.plain.get(member) or self._look(member, state)
            here = Here(
                *still[:5], tuple(men.get(member, ())), tuple(sets.get(member, ())), tuple(pawns.get(member, ())),
                tuple(pieces.get(member, ())), held.get(member, ()),
            )  # fmt: skip
            kept = self.kept[member]
            found = kept.get(here)
            if found is None:
                if len(kept) >= _MOST_KEPT:
                    kept.clear()
                found = kept[here] = self._draw(member, here)
            # where something stands already a number is not what one means
            means = now.actions("", numbers[member]) if numbers and not here.men else ()
            out[at] = self._attributed(member, found, now, means)
            if self.bears:
                out[f"{at}-on"] = self._borne(member, f"{at}-on", here, now)
        return out

    def _bare(self) -> dict[str, Fragments]:
        """Members on which nothing is, with which nothing can be done: drawn once for all tables."""
        if self.bare is None:
            nobody = Now({"decides": None, "state": {}, "zones": {}, "pieces": {}}, None, {}, ())
            self.bare = {}
            for member, at in self.ids.items() if self.plain else ():
                found = self._draw(member, self.plain[member])
                self.bare[member] = {at: self._attributed(member, found, nobody)}
                if self.bears:
                    self.bare[member][f"{at}-on"] = f'<g id="{at}-on"></g>'
        return self.bare

    def _attributed(
        self, member: str, found: tuple[str, str, str], now: Now, means: tuple[int, ...] = ()
    ) -> str:
        """What was drawn of a member, with what can be done with it now."""
        body, said, extra = found
        kind, at = self.layer.kind, self.ids[member]
        attributes = self.members.attributes(now, kind, member, said, extra, means=means)
        return f'<g id="{at}" {attributes} {body}'

    def asked(self, now: Now) -> str | None:
        """The decision, where a click on a member may stand for a number."""
        return str(now.data.get("choice")) if self.clicks else None

    def _out(self, member: str, at: str) -> str:
        """A member that is not there now: in a grid of blocks its place is shown."""
        if not self.layer.above:
            return f'<g id="{at}"></g>'
        x, y = self.places[member]
        shown = shapes.shape("card", *self.size)
        return f'<g id="{at}" class="out" aria-hidden="true" transform="translate({number(x)} {number(y)})">{shown}</g>'

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
            for heap in content.values() if is_apart(content) else [content]:
                if "hidden" not in heap:
                    out += [(kind, m) for m, n in heap.items() for _ in range(n)]
        return tuple(out)

    def _draw(self, member: str, here: Here) -> tuple[str, str, str]:
        """What follows the attributes of a member, what it is in words, and the classes of its colours."""
        (x, y), (w, h) = self.places[member], self.size
        outline = self.layer.outlines.get(member)
        if outline is not None:
            body = f'<path class="f" transform="translate({number(-x)} {number(-y)})" d="{esc(outline)}"/>'
        else:
            usual = "card" if self.layer.above else "circle" if self.layer.links else "square"
            usual = "hex" if self.picture.board.hex else usual
            pattern = self.members.pattern(here.colour)
            body = shapes.shape(self.look.shape or usual, w, h, pattern)
        body += self._inside(member, here, w, h)
        tint = f" c-{css(here.colour)}" if here.colour else ""
        tint += " tile" if self.layer.chequered and self.picture.board.blocks is not None else ""
        place = f'transform="translate({number(x)} {number(y)})"'
        return f"{place}>{body}</g>", self._said(here), tint + here.border

    def _inside(self, member: str, here: Here, w: float, h: float) -> str:
        side = min(w, h)
        out = ""
        if here.icon is not None and self.bears:
            out += shapes.icon(here.icon, side * _HEAD * 1.1, 0, -h / 2 + side * _HEAD / 2)
        elif here.icon is not None:
            size = side * (0.45 if here.label else 0.7)
            out += shapes.icon(here.icon, size, 0, -h * 0.18 * bool(here.label))
        label = here.label
        if not label and here.icon is None:
            label = self.members.letter(here.colour) or ""
        if label:
            size, y = self._label(label, here, w, h)
            # over cards and pieces there is room for one line
            strip = self.layer.above or self.layer.holds or self.bears
            label = capital(label) if strip else label
            out += shapes.text(label, size, 0, y) if strip else shapes.words(label, size, w, y)
        out += self._marks(here.sets, w, side)
        if self.layer.piles is not None:
            from_top = self.places[member][1] < self.picture.paper.size[1] / 2
            out += self.men.piled(here.men, w, h, self.layer.piles, from_top)
        else:
            out += self.men.drawn(here.men, side, here.label if not self.layer.above else "")
        for name in here.pawns:
            out += self._pawn(name, side)
        return out

    def _label(self, label: str, here: Here, w: float, h: float) -> tuple[float, float]:
        """How large the words on a member are, and how far below its middle: as large as there is room for."""
        side, fits = min(w, h), w * _LETTERS / max(2, len(label))
        if self.layer.above and self.picture.board.blocks is not None:
            return min(STRIP * 0.72, fits), -h / 2 + STRIP / 2
        if self.layer.holds:
            return min(h * 0.17, fits), -h / 2 + h * 0.15
        if self.bears:
            return min(side * _HEAD * 0.8, fits), -h / 2 + side * _HEAD / 2
        return min(side * 0.5, fits), h * 0.28 * bool(here.icon)

    def _marks(self, names: tuple[str, ...], w: float, side: float) -> str:
        """The sets that a member is in: their icons, and the texts of those that have none side by side."""
        out = "".join(
            shapes.icon(self.icons[name], side * 0.85, kind=f"i n-{css(name)}")
            for name in names
            if name in self.icons
        )
        words = " ".join(
            mark for name, mark in self.layer.sets if name in names and name not in self.icons
        )
        if words:
            out += shapes.text(words, min(side * 0.5, w * 1.5 / max(2, len(words))), kind="t mark")
        return out

    def _pawn(self, name: str, side: float) -> str:
        """A thing that stands on one member: its icon, or its mark without brackets."""
        size = side * 1.25
        inside = shapes.shape("circle", size, size)
        if name in self.icons:
            inside += shapes.icon(self.icons[name], size * 0.8)
        else:
            inside += shapes.text(dict(self.layer.pawns)[name].strip("<>[]()"), size * 0.6)
        return f'<g class="pawn {key_of(name)}" data-man="{key_of(name)}">{inside}</g>'

    def _borne(self, member: str, at: str, here: Here, now: Now) -> str:
        """Pieces and cards on a member, each of which may be chosen itself."""
        if not here.pieces and not here.held:
            return f'<g id="{at}"></g>'
        names = [*(run.piece for run in here.pieces if run.piece), *here.held]
        said = tuple((now.actions(*name), now.is_marked(*name)) for name in names)
        key = here.pieces, here.held, said
        kept = self.borne[member]
        found = kept.get(key)
        if found is None:
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            (x, y), (w, h) = self.places[member], self.size
            inside = self._standing(here, w, h, now) + self._cards(here.held, w, h, now)
            found = f'<g id="{at}" transform="translate({number(x)} {number(y)})">{inside}</g>'
            kept[key] = found
        return found

    def _standing(self, here: Here, w: float, h: float, now: Now) -> str:
        """Pieces in as many rows as let them be largest, under the label."""
        pieces = here.pieces
        head = min(w, h) * _HEAD * bool(here.label or here.icon)
        room = h - head
        many = len(pieces)
        options = ((min(room / r, w / -(-many // r)), r) for r in range(1, many + 1))
        size, rows = max(options, default=(0, 1))
        size, per_row = min(size, room * 0.62), -(-many // rows)
        out = ""
        for i, run in enumerate(pieces):
            r, c = divmod(i, per_row)
            x = (c - (min(per_row, many - r * per_row) - 1) / 2) * size
            y = (r - (rows - 1) / 2) * size + head / 2
            kind = " piece" + (f" s{run.who}" if run.who is not None else " nobody")
            inside = shapes.shape("circle", size * 0.94, size * 0.94)
            inside += shapes.text(run.text, size * min(0.5, 1.2 / max(2, len(run.text))))
            name = run.piece or ("", "")
            attributes = self.members.attributes(now, *name, run.text, kind)
            out += f'<g {attributes} transform="translate({number(x)} {number(y)})">{inside}</g>'
        return out

    def _cards(self, held: tuple[tuple[str, str], ...], w: float, h: float, now: Now) -> str:
        """Cards below each other in the lower part of a member, under its label."""
        top = -h / 2 + h * 0.28 * bool(self.look.label)
        high = (h / 2 - top) / max(1, len(held), len(self.layer.holds))
        return "".join(
            f'<g transform="translate(0 {number(top + (i + 0.5) * high)})">{self._card(*card, w * 0.94, high * 0.9, now)}</g>'
            for i, card in enumerate(held)
        )

    def _card(self, kind: str, member: str, w: float, h: float, now: Now) -> str:
        """A card that lies on a member: what its columns name as tokens, its own token, or its name."""
        members, state = self.members, now.data["state"]
        look, size = members.look(kind), h * 0.8
        tokens = members.shown(kind, member, look)
        if not tokens and look.shape is not None:
            tokens = [(kind, member)]
        inside = shapes.shape("card", w, h)
        for n, (of, shown) in enumerate(tokens):
            # the first of them is the largest
            side, x = size if n == 0 else size * 0.75, (n - (len(tokens) - 1) / 2) * size * 1.1
            tint = members.tint(of, shown, state)
            inside += f'<g class="held{tint}" transform="translate({number(x)} 0)">{members.drawn(of, shown, side, state)}</g>'
        title = capital(members.title(kind, member))
        if not tokens:
            inside += shapes.text(title, min(h * 0.45, w * _LETTERS / len(title)))
        text = look.texts.get(member)
        said = f"{title}: {text}" if text else title
        return f"<g {members.attributes(now, kind, member, said, ' on')}><title>{esc(said)}</title>{inside}</g>"

    def _said(self, here: Here) -> str:
        """A member and what is on it, in words."""
        out = [here.says, *map(self.men.said, here.men)]
        if self.standing and not here.men:
            out.append(say("free"))
        out += [say("stands_here", what=plain(name)) for name in (*here.pawns, *here.sets)]
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
