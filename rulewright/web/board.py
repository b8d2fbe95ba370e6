"""A game and a view of it → the picture in the browser, as small fragments by id, and its style sheet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, assert_never

from rulewright.engines import spec_path
from rulewright.runtime.game import Game
from rulewright.scene import layout as L
from rulewright.scene.read_view import read_layout
from rulewright.scene.tongue import shown_in
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import PEOPLE
from rulewright.web.members import Members
from rulewright.web.now import Fragments, Kept, Key, Looked, Now, Parts, Renderings, joined
from rulewright.web.panels import Panels
from rulewright.web.pictures import Picture
from rulewright.web.shapes import PATTERN_DEFS, esc
from rulewright.web.style import style_sheet
from rulewright.web.tracks import ScalePicture, TrackPicture

Json = dict[str, Any]
_SMALL = (L.Rows, L.Grid, L.Track, L.Scale, L.Dice, L.Zone)


class Drawings:
    """What was drawn last at one table, part by part."""

    def __init__(self) -> None:
        self.parts: list[Renderings] = []
        self.words: dict[str, Looked] = {}


class Board:
    """The picture of one ruleset; names and geometry are kept between renderings."""

    def __init__(
        self, game: Game, folder: Path | None = None, layout: L.Layout | None = None
    ) -> None:
        where = folder or spec_path(game.info["game"])
        names = Names.of(where, game)
        self.layout = layout or read_layout(where, names)
        self.members = Members(self.layout, names)
        self.shown = shown_in(self.layout.web)
        self._panels = Panels(self.members)
        self._pictures: dict[str, Picture | TrackPicture | ScalePicture] = {}
        self._parts: list[tuple[str, list[Kept]]] = []
        for i, part in enumerate(self.layout.web):
            name = f"p{i}"
            self._parts.append((name, self._renderers(part, name)))
        self._drawers = [part for _, found in self._parts for part in found]

    def _renderers(self, part: L.Part, name: str) -> list[Kept]:
        """What draws a part: boards of players and layers of pictures each for itself, anything else as a whole."""
        if isinstance(part, L.Board):
            picture = self._pictures[name] = Picture(part, name, self.members)
            return [Kept(layer.render, layer.asked) for layer in picture.layers]
        if not isinstance(part, L.Seats):
            return [Kept(self._renderer(part, name))]
        names, people = self.members.names, self.members.people
        own = {n for n in (*names.state, *names.zones) if names.per(n) in PEOPLE}
        return [
            Kept(
                partial(self._panels.seat, part, f"{name}-{i}", i),
                partial(_live, i),
                (people.key(i), own),
                (partial(self._panels.around_seat, f"{name}-{i}", i), partial(_turn, i)),
            )
            for i in range(len(people.all))
        ]

    def _renderer(
        self,
        part: L.Line | L.Rows | L.Grid | L.Cards | L.Dice | L.Zone | L.Track | L.Scale,
        name: str,
    ) -> Callable[[Now], Fragments]:
        panels = self._panels
        match part:
            case L.Line():
                return partial(panels.line, part, name)
            case L.Rows():
                return partial(panels.rows, part, name)
            case L.Grid():
                return partial(panels.grid, part, name)
            case L.Cards():
                return partial(panels.cards, part, name)
            case L.Dice():
                return partial(panels.dice, part, name)
            case L.Zone():
                return partial(panels.zone, part, name)
            case L.Track():
                track = self._pictures[name] = TrackPicture(part, name, self.members)
                return track.render
            case L.Scale():
                scale = self._pictures[name] = ScalePicture(part, name, self.members)
                return scale.render
        assert_never(part)

    def render(
        self,
        data: Json,
        seat: int | None,
        targets: Mapping[Key, Sequence[int]],
        marked: Collection[Key] = (),
    ) -> Fragments:
        """Fragments by the id of their outermost element, in the order of the document; `picture` joins them.

        `data` is what the seat sees (`state.view(seat).data`, or `seen_by_all(state)` for a seat of None), `targets` the actions
        that a click on (kind, member) may mean, `marked` what the last moves touched. The ids are the same in every position.
        """
        return joined(self.render_parts(data, seat, targets, marked))

    def render_parts(
        self,
        data: Json,
        seat: int | None,
        targets: Mapping[Key, Sequence[int]],
        marked: Collection[Key] = (),
        kept: Drawings | None = None,
    ) -> Parts:
        """The same part by part. A part that has not changed since it was `kept` is the very same object, which is compared at no cost."""
        drawings = kept or Drawings()
        now = Now(data, seat, targets, marked, drawings.words)
        if not drawings.parts:
            drawings.parts = [[] for _ in self._drawers]
        return tuple(
            part.render(now, last) for part, last in zip(self._drawers, drawings.parts, strict=True)
        )

    def picture(self, fragments: Fragments) -> str:
        """The whole picture: the fragments of a rendering in their frames, small parts that follow each other in one column."""
        by_part: dict[str, list[str]] = {name: [] for name, _ in self._parts}
        for key, text in fragments.items():
            by_part[key.partition("-")[0]].append(text)
        out: list[str] = []
        aside = False
        for (name, _), part in zip(self._parts, self.layout.web, strict=True):
            small = isinstance(part, _SMALL)
            if small != aside:
                out.append('<div class="beside">' if small else "</div>")
                aside = small
            found = self._pictures.get(name)
            if found is not None:
                frame = found.frame()
                out += [fragments[piece] if i % 2 else piece for i, piece in enumerate(frame)]
            else:
                inside = "".join(by_part[name])
                if isinstance(part, L.Rows):
                    inside = self._panels.table(part, inside)
                out.append(_framed(part, name, inside))
        if aside:
            out.append("</div>")
        return f'<div class="table">{PATTERN_DEFS}{"".join(out)}</div>'

    def style(self) -> str:
        """CSS for the picture: to be served as a file of its own."""
        widths = {name: found.widths() for name, found in self._pictures.items()}
        large = {n: p.large() for n, p in self._pictures.items() if isinstance(p, Picture)}
        return style_sheet(self.layout, self.members.people, widths, large)


def _live(who: int, now: Now) -> bool:
    """Whether what a player has can be chosen."""
    return now.decides == who and now.can_choose


def _turn(who: int, now: Now) -> tuple[bool, bool]:
    return now.decides == who, now.seat == who


def _framed(part: L.Part, name: str, inside: str) -> str:
    """A part of words in the element that holds its fragments."""
    match part:
        case L.Seats(title):
            return f'<section class="seats {name}" aria-label="{esc(title)}">{inside}</section>'
        case L.Cards(title):
            return (
                f'<section class="spread {name}"><h3>{esc(title)}</h3><ul>{inside}</ul></section>'
            )
        case L.Grid(title):
            said = f'role="region" aria-label="{esc(title)}" tabindex="0"'
            return f'<div class="sheet scroll {name}" {said}>{inside}</div>'
        case L.Line():
            return inside
        case _:
            return f'<div class="sheet {name}">{inside}</div>'
