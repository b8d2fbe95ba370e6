"""A stand-in for the picture, until the drawn one is here: every kind that can be chosen from, as a list of members."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from rulewright.play.words import plain
from rulewright.runtime.game import Game

Json = dict[str, Any]


class Board:
    def __init__(self, game: Game) -> None:
        self.info = game.info
        self.kinds = sorted(
            {
                str(c["element"]["kind"])
                for c in game.info["choices"].values()
                if "kind" in c["element"]
            }
        )

    def render(
        self,
        data: Json,
        seat: int | None,
        targets: Mapping[tuple[str, str], Sequence[int]],
        marked: Collection[tuple[str, str]] = (),
    ) -> dict[str, str]:
        out: dict[str, str] = {}
        rows = Markup("").join(
            Markup("<dt>{}</dt><dd>{}</dd>").format(plain(name), str(value))
            for name, value in {**data["state"], **data["zones"], **data["pieces"]}.items()
        )
        out["part-state"] = str(Markup('<dl id="part-state">{}</dl>').format(rows))
        for number, kind in enumerate(self.kinds):
            cells = Markup(" ").join(
                self._member(kind, member, targets, marked)
                for member in self.info["kinds"][kind]["members"]
            )
            out[f"part-{number}"] = str(
                Markup('<p id="part-{}"><b>{}</b> {}</p>').format(number, kind, cells)
            )
        return out

    def _member(self, kind: str, member: str, targets: Any, marked: Any) -> Markup:
        actions = targets.get((kind, member))
        extra = Markup("")
        if actions:
            extra = Markup(' data-actions="{}" role="button"').format(" ".join(map(str, actions)))
        names = "member" + (" target" if actions else "") + (" marked" if (kind, member) in marked else "")
        return Markup('<span id="m-{}-{}" class="{}" tabindex="{}" data-member="{}"{}>{}</span>').format(
            escape(kind.replace(" ", "-")), member, names, 0 if actions else -1, f"{kind}/{member}", extra, plain(member)
        )

    def style(self) -> str:
        return ""
