"""Paired games and the difference between the rules → one HTML page that needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.pages import page as rendered
from rulewright.report import svg
from rulewright.report.diff_text import to_text
from rulewright.report.effects import Chosen, Effect, chosen, effects, sentence
from rulewright.report.paired import Pairing
from rulewright.report.ruleset_differences import Differences


@dataclass(frozen=True, slots=True)
class Compared:
    """All that a page or a window says about a comparison."""

    a: str
    b: str
    pairs: int
    planned: int
    bots: str
    seed: int
    early: bool
    effects: list[Effect]
    chosen: list[Chosen]
    seldom: list[str]
    differences: str

    @property
    def sentences(self) -> list[str]:
        """What is clear, the largest parts of the game first."""
        return [sentence(e) for e in self.effects if e.clear]

    @property
    def unclear(self) -> list[str]:
        return [e.name for e in self.effects if not e.clear]


def compared(
    a: str, b: str, pairing: Pairing, planned: int, bots: str, seed: int, early: bool, found: Differences | None
) -> Compared:  # fmt: skip
    pairs = max((m.n for m in pairing.measures.values()), default=0)
    return Compared(
        a, b, pairs, planned, bots, seed, early, effects(pairing, planned, early), chosen(pairing), pairing.seldom(),
        "" if found is None else to_text(found),
    )  # fmt: skip


def page(found: Compared) -> str:
    return rendered(
        "compare.html.j2",
        title=f"{found.a} → {found.b}",
        found=found,
        plot_of=_intervals(found.effects),
        rows=[
            (
                e.name,
                f"{e.a:.2f}",
                f"{e.b:.2f}",
                f"{e.difference:+.2f}",
                f"{e.low:+.2f} … {e.high:+.2f}",
                e.clear,
            )
            for e in found.effects
        ],
    )


def _intervals(found: list[Effect]) -> svg.Element | None:
    """The differences in points as bars around nought, each with its interval."""
    points = [e for e in found if e.name in ("score", "best score") or e.name.startswith("points")]
    shown = [e for e in points if e.low > float("-inf")]
    if not shown:
        return None
    return svg.differences(
        [(e.name, e.difference, e.low, e.high) for e in shown], "Points more or less"
    )
