"""A track and a view → SVG: places in rows, each with who has a piece on it."""

from __future__ import annotations

from rulewright.scene.layout import Track
from rulewright.scene.sheets import Step
from rulewright.web import shapes
from rulewright.web.members import Members, Now, css
from rulewright.web.shapes import esc, number

Fragments = dict[str, str]
_SIDE, _APART, _LABEL = 40, 46, 16


class TrackPicture:
    """One track of a game; its first place is at the bottom left, as on a road that winds upwards."""

    def __init__(self, part: Track, name: str, members: Members) -> None:
        self.part, self.name, self.members = part, name, members
        found = members.names.kinds[part.kind]
        self.per_row = min(part.per_row or 12, max(1, len(found)))
        self.rows = -(-len(found) // self.per_row)
        self.ids = {m: f"{name}-{css(m)}" for m in found}

    def _place(self, index: int) -> tuple[float, float]:
        row, column = divmod(index, self.per_row)
        if self.part.winding and row % 2:
            column = self.per_row - 1 - column
        up = self.rows - 1 - row
        return _APART * column + _APART / 2, (_APART + _LABEL) * up + _LABEL + _APART / 2

    def frame(self) -> list[str]:
        w, h = _APART * self.per_row, (_APART + _LABEL) * self.rows
        title = esc(self.part.title)
        points = " ".join(
            f"{number(x)},{number(y)}" for x, y in map(self._place, range(len(self.ids)))
        )
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

    def _step(self, index: int, step: Step, now: Now) -> str:
        members = self.members
        x, y = self._place(index)
        path = members.icon(members.look(self.part.kind), self.part.kind, step.member, {})
        body = shapes.shape("square", _SIDE, _SIDE)
        if path is not None:
            body += shapes.icon(path, _SIDE * 0.8)
        if step.begins and step.label:
            row_begins = index % self.per_row == 0
            body += shapes.text(step.label, 11, 0 if not row_begins else -_SIDE / 2, -_SIDE / 2 - 8, "title", "start" if row_begins and not (self.part.winding and index // self.per_row % 2) else "middle")  # fmt: skip
        for who in step.who:
            token = shapes.shape("square", _SIDE * 0.62, _SIDE * 0.62)
            token += shapes.text(members.people.initial(who), _SIDE * 0.42)
            body += f'<g class="piece s{who}">{token}</g>'
        who = ", ".join(members.people.all[w] for w in step.who) or "free"
        said = f"{step.label or members.title(self.part.kind, step.member)}, {who}"
        attributes = members.attributes(now, self.part.kind, step.member, said)
        return f'<g id="{self.ids[step.member]}" {attributes} transform="translate({number(x)} {number(y)})">{body}</g>'
