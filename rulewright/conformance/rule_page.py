"""Rule coverage → one self-contained HTML page: the files of the spec, each line with whether it ran."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.compiler.text.source import Sources
from rulewright.conformance.rules import RuleCoverage
from rulewright.conformance.rules_text import SAID, by_file, lines_of, rules_summary
from rulewright.pages import page


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a spec: how much of it ran (all, some, none; nothing to run) and what did not."""

    number: int
    text: str
    kind: str
    missing: str


@dataclass(frozen=True, slots=True)
class File:
    name: str
    ran: int
    all: int
    lines: list[Line]


def rule_page(c: RuleCoverage, game: str, title: str, sources: Sources) -> str:
    files = [
        File(name, sum(u.ran for u in units), len(units), _lines(c, name, sources))
        for name, units in by_file(c.units).items()
    ]
    return page("rules.html.j2", title=title, summary=rules_summary(c, game), files=files)


def _lines(c: RuleCoverage, file: str, sources: Sources) -> list[Line]:
    missing: dict[int, list[str]] = {}
    for unit in c.missing():
        if unit.place[0] == file:
            missing.setdefault(unit.place[1], []).append(
                f"{SAID[unit.sort]}: column {unit.place[2]}"
            )
    out = []
    for number, text, flags in lines_of(c, file, sources):
        kind = "" if not flags else "all" if all(flags) else "some" if any(flags) else "none"
        out.append(Line(number, text, kind, "; ".join(missing.get(number, []))))
    return out
