"""Results → tables of words: what was measured, how it compares, and what the figures do not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.bench.endurance import Endured
from rulewright.bench.figures import duration, number, size, spread
from rulewright.bench.run import Result
from rulewright.bench.startup import Start
from rulewright.bench.targets import Target


@dataclass(slots=True)
class Table:
    title: str
    note: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)


HONEST = (
    "CPU time of one thread; medians of rounds in which all take turns, each measurement in a process of its own. "
    "Games differ: a decision of one is not a decision of another, and an engine that asks less (skipping what is forced) plays a game "
    "in fewer. Against the yardstick, which plays one of our games with other readings of its rules, games/s is the fair figure."
)
_TITLES = {
    "calls": (
        "By calls",
        "Through the public interface: legal_actions, random.choice, apply_action, one decision after another.",
    ),
    "inside": (
        "Inside the engine",
        "Whole random games in one call; of the yardstick likewise.",
    ),
    "playouts": (
        "Playouts for a search",
        "game.random_playouts(state, seeds): copies of a first position, played to the end.",
    ),
    "peers": (
        "Packages of others",
        "Through their own interface with random legal choices. Steps count outcomes of chance too, where the caller must choose them.",
    ),
}


def speed_table(group: str, results: Sequence[Result]) -> Table:
    title, note = _TITLES[group]
    results = sorted(results, key=lambda r: (r.case.who != "ours", r.case.name))
    if group == "playouts":
        table = Table(title, note, ("", "playouts/s", "spread"))
        for r in results:
            games = r.rate("games")
            table.rows.append((r.case.name, number(games.value), spread(games)))
        return table
    others = group == "peers"
    table = Table(
        title,
        note,
        ("", "decisions/s", "steps/s" if others else "spread", "games/s", "per game", "options", "copy", "state"),
    )  # fmt: skip
    for r in results:
        decisions = r.rate("decisions")
        clone, memory = r.of("clone"), r.of("memory")
        options = r.rounds[0].get("options")
        table.rows.append(
            (
                r.case.name,
                number(decisions.value),
                number(r.rate("steps").value) if others else spread(decisions),
                number(r.rate("games").value),
                number(r.length),
                "" if options is None else f"{options:.1f}",
                "" if clone is None else duration(clone.value),
                "" if memory is None else size(memory.value),
            )
        )
    return table


def startup_table(starts: Sequence[Start]) -> Table:
    table = Table(
        "Start-up",
        "CPU time from the start of the process to its end.",
        ("", "time", "spread", "times python -c pass"),
    )
    for s in starts:
        table.rows.append((s.name, duration(s.seconds.value), spread(s.seconds), f"{s.ratio:.2f}"))
    return table


def target_table(found: Sequence[Target]) -> Table:
    table = Table(
        "Targets",
        "Medians of the ratios of each round: games/s against the yardstick, decisions/s by calls against catanatron's fastest table, and "
        "against the median of OpenSpiel's C++ games (theirs with steps of chance).",
        ("", "ratio", "spread", "wanted", ""),
    )
    words = {True: "reached", False: "NOT reached", None: ""}
    for t in found:
        row = (t.name, f"{t.ratio.value:.2f}", spread(t.ratio), t.wanted, words[t.reached])
        table.rows.append(row)
    return table


def endurance_table(found: Sequence[Endured]) -> Table:
    table = Table(
        "Endurance",
        "Games one after another in one process: the speed of the first and the last quarter, the memory after the first part and at the end.",
        ("", "games", "games/s first", "games/s last", "last / first", "memory first", "memory last"),
    )  # fmt: skip
    for e in found:
        table.rows.append(
            (
                e.name, f"{e.games:,}", number(e.early), number(e.late), f"{e.late / e.early:.2f}",
                size(e.memory[0]), size(e.memory[-1]),
            )
        )  # fmt: skip
    return table


def skipped_table(skipped: Mapping[str, str]) -> Table:
    return Table("Left out", "", ("", "why"), list(skipped.items()))


def markdown(tables: Sequence[Table]) -> str:
    """The tables as they stand in a page of the docs."""
    out = []
    for table in tables:
        out += [f"### {table.title}", ""]
        if table.note:
            out += [table.note, ""]
        out.append("| " + " | ".join(table.columns) + " |")
        out.append("|---|" + "---:|" * (len(table.columns) - 1))
        out += ["| " + " | ".join(row) + " |" for row in table.rows]
        out.append("")
    return "\n".join(out)
