"""A track or a scale and a view → SVG: places in rows, each with who or what stands on it."""

from __future__ import annotations

from rulewright.scene.layout import Scale, Track
from rulewright.scene.sheets import Step
from rulewright.scene.view_words import PEOPLE, capital, plain
from rulewright.web import shapes
from rulewright.web.members import Members, css
from rulewright.web.men import key_of
from rulewright.web.now import Fragments, Now
from rulewright.web.shapes import esc, number
from rulewright.web.words import say

_SIDE, _APART, _LABEL = 40, 46, 16
# a scale: how wide its numbers are, and how high what stands on them
_WIDE, _HIGH, _FOOT = 30, 24, 18
_MOST_HIGH = 6


class TrackPicture:
    """One track of a game; its first place is at the bottom left, as on a road that winds upwards."""

    def __init__(self, part: Track, name: str, members: Members) -> None:
        self.part, self.name, self.members = part, name, members
        names = members.names
        found = names.kinds[part.kind]
        self.ids = {m: f"{name}-{css(m)}" for m in found}
        rows: list[list[int]] = [[]]
        before = None
        for i in range(len(found)):
            value = names.cell(part.kind, i, part.rows) if part.rows else None
            if rows[-1] and value != before:
                rows.append([])
            rows[-1].append(i)
            before = value
        self.wide, self.high = max(map(len, rows)), len(rows)
        self.places: dict[int, tuple[float, float]] = {}
        for r, row in enumerate(rows):
            for c, i in enumerate(row):
                column = self.wide - 1 - c if part.winding and r % 2 else c
                y = (_APART + _LABEL) * (self.high - 1 - r) + _LABEL + _APART / 2
                self.places[i] = _APART * column + _APART / 2, y

    def frame(self) -> list[str]:
        w, h = _APART * self.wide, (_APART + _LABEL) * self.high
        title = esc(self.part.title)
        points = " ".join(f"{number(x)},{number(y)}" for x, y in self.places.values())
        out = [
            f'<figure class="track {self.name}"><figcaption>{title}</figcaption>'
            f'<svg viewBox="0 0 {w} {h}" role="group" aria-label="{title}"><polyline class="way" points="{points}"/>'
        ]
        for at in self.ids.values():
            out += [at, ""]
        out[-1] += "</svg></figure>"
        return out

    def render(self, now: Now) -> Fragments:
        return {
            self.ids[step.member]: self._step(i, step, now)
            for i, step in enumerate(self.members.sheets.track(self.part, now.data))
        }

    def widths(self) -> tuple[int, int, float]:
        return 24 * self.wide, 64 * self.wide, _APART * self.wide / ((_APART + _LABEL) * self.high)

    def _step(self, index: int, step: Step, now: Now) -> str:
        members = self.members
        x, y = self.places[index]
        path = members.icon(
            members.look(self.part.kind), self.part.kind, step.member, now.data["state"]
        )
        body = shapes.shape("square", _SIDE, _SIDE)
        if path is not None:
            body += shapes.icon(path, _SIDE * 0.8, kind="i faint")
        if step.begins and step.label:
            # the words of a row begin above its first place, on whichever side that is
            left = x < _APART * self.wide / 2
            size, top = 12, -_SIDE / 2 - 9
            body += shapes.text(step.label, size, -_SIDE / 2 if left else _SIDE / 2, top, "title", "start" if left else "end")  # fmt: skip
        for who in step.who:
            token = shapes.shape("square", _SIDE * 0.68, _SIDE * 0.68)
            token += shapes.text(members.people.initial(who), _SIDE * 0.45)
            body += f'<g class="piece s{who}" data-man="s{who}">{token}</g>'
        there = ", ".join(members.people.all[w] for w in step.who) or say("free")
        said = f"{capital(members.title(self.part.kind, step.member))}, {step.label}, {there}"
        attributes = members.attributes(now, self.part.kind, step.member, said)
        return f'<g id="{self.ids[step.member]}" {attributes} transform="translate({number(x)} {number(y)})">{body}</g>'


class ScalePicture:
    """Numbers in a row, with what stands at each on top of it."""

    def __init__(self, part: Scale, name: str, members: Members) -> None:
        self.part, self.name, self.members = part, name, members
        self.numbers = range(part.low, part.high + 1)
        count = len(part.only or members.names.kinds.get(part.kind or "", ("",)))
        self.most = min(count, _MOST_HIGH)
        self.height = self.most * _HIGH + _FOOT

    def frame(self) -> list[str]:
        w, title = _WIDE * len(self.numbers), esc(self.part.title)
        out = [
            f'<figure class="scale {self.name}"><figcaption>{title}</figcaption>'
            f'<svg viewBox="0 0 {w} {self.height}" role="group" aria-label="{title}">'
        ]
        for n in self.numbers:
            out += [f"{self.name}-{n}", ""]
        out[-1] += "</svg></figure>"
        return out

    def render(self, now: Now) -> Fragments:
        there = self.members.sheets.scale(self.part, now.data)
        return {f"{self.name}-{n}": self._number(n, there.get(n, []), now) for n in self.numbers}

    def widths(self) -> tuple[int, int, float]:
        return 0, 40 * len(self.numbers), _WIDE * len(self.numbers) / self.height

    def _number(self, n: int, found: list[str], now: Now) -> str:
        x = (n - self.part.low + 0.5) * _WIDE
        bottom = self.height - _FOOT
        body = f'<rect class="f" x="{number(-_WIDE / 2 + 1)}" y="0" width="{_WIDE - 2}" height="{self.height}" rx="3"/>'
        body += shapes.text(str(n), 12, 0, bottom + _FOOT / 2, "title")
        for i, member in enumerate(found[: self.most]):
            body += self._stands(member, bottom - (i + 0.5) * _HIGH, n, now)
        return (
            f'<g id="{self.name}-{n}" class="step" transform="translate({number(x)} 0)">{body}</g>'
        )

    def _stands(self, member: str, y: float, n: int, now: Now) -> str:
        kind, size = self.part.kind, _HIGH - 3
        at = f'transform="translate(0 {number(y)})"'
        if kind is None:
            said = f"{plain(self.part.state)} {n}"
            key = key_of(self.part.state)
            return f'<g class="pawn" data-man="{key}" role="img" aria-label="{esc(said)}" {at}>{shapes.shape("circle", size, size)}</g>'
        if kind in PEOPLE:
            who = self.members.people.index(member)
            inside = shapes.shape("square", size, size) + shapes.text(
                self.members.people.initial(who), 13
            )
            said = f"{self.members.people.all[who]} {n}"
            return f'<g class="piece s{who}" data-man="s{who} {key_of(self.part.state)}" role="img" aria-label="{esc(said)}" {at}>{inside}</g>'
        said = f"{capital(self.members.title(kind, member))}: {n}"
        state = now.data["state"]
        tint = self.members.tint(kind, member, state)
        attributes = self.members.attributes(now, kind, member, said, tint)
        return f"<g {attributes} {at}>{self.members.drawn(kind, member, size, state)}</g>"
