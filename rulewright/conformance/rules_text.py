"""Rule coverage → what did not run, or the whole source with a mark beside each line; and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.compiler.text.source import Sources
from rulewright.conformance.rules import RuleCoverage, Sort, Unit
from rulewright.conformance.show import rounded_down

_SORTS: tuple[tuple[Sort, str], ...] = (
    ("statement", "statements"),
    ("branch", "branches"),
    ("row", "rows"),
)
SAID = {"statement": "never ran", "branch": "never false", "row": "not used"}


def rules_text(c: RuleCoverage, game: str, sources: Sources) -> str:
    """The lines with something that did not run, by file, and how much did."""
    lines: list[str] = []
    for file, units in by_file(c.missing()).items():
        lines.append(file)
        silent = -1
        for unit in units:
            _, line, column = unit.place
            text = sources.line(file, line)
            if line == silent:
                continue
            if not text[: column - 1].strip():
                silent = line  # the line begins with it: the rest of the line goes with it
            lines.append(f"  {line:>4}  {SAID[unit.sort]:<11} {text[column - 1 :].strip()}")
    lines.append(rules_summary(c, game))
    return "\n".join(lines)


def rules_summary(c: RuleCoverage, game: str) -> str:
    parts = []
    for sort, words in _SORTS:
        ran, all_ = c.counts(sort)
        parts.append(f"{ran} of {all_} {words}")
    return (
        f"{game}: {rounded_down(c.percent)} % of the rules ran under scenarios ({', '.join(parts)})"
    )


def annotated(c: RuleCoverage, sources: Sources) -> str:
    """Each file that has something to run; before each line: + all ran, ~ some did, ! none did."""
    out: list[str] = []
    for file in by_file(c.units):
        out.append(file)
        for number, text, flags in lines_of(c, file, sources):
            mark = " " if not flags else "+" if all(flags) else "~" if any(flags) else "!"
            out.append(f"{number:>5} {mark} {text}".rstrip())
    return "\n".join(out)


def lines_of(c: RuleCoverage, file: str, sources: Sources) -> Iterator[tuple[int, str, list[bool]]]:
    """The lines of a file, each with whether what stands there ran."""
    source = sources.get(file)
    if source is None:
        return
    on_line: dict[int, list[bool]] = {}
    for unit in c.units:
        if unit.place[0] == file:
            on_line.setdefault(unit.place[1], []).append(unit.ran)
    last = len(source.lines) - (source.lines[-1] == "")
    for number, text in enumerate(source.lines[:last], 1):
        yield number, text, on_line.get(number, [])


def rules_json(c: RuleCoverage, game: str) -> dict[str, Any]:
    files: dict[str, Any] = {}
    for file, units in by_file(c.units).items():
        files[file] = {
            "ran": sum(u.ran for u in units),
            "all": len(units),
            "missing": [
                {"line": u.place[1], "column": u.place[2], "what": u.sort}
                for u in units
                if not u.ran
            ],
        }
    counts = {
        words: dict(zip(("ran", "all"), c.counts(sort), strict=True)) for sort, words in _SORTS
    }
    return {"game": game, "percent": round(c.percent, 2), **counts, "files": files}


def by_file(units: list[Unit]) -> dict[str, list[Unit]]:
    out: dict[str, list[Unit]] = {}
    for unit in units:
        out.setdefault(unit.place[0], []).append(unit)
    return out
