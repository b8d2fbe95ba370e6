"""Examples beside OpenSpiel's C++ games through Python: games/s by calls, interpreted and native, all taking turns.

python -m rulewright.bench.examples --only othello chess --rounds 5
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from rulewright.bench.environments import Unavailable, compile_engine, environment
from rulewright.bench.figures import number
from rulewright.bench.plan import Case, Plan
from rulewright.bench.run import Result, run
from rulewright.engines import EXAMPLES

# our examples, and what the peer calls the same game
GAMES = {
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "othello": "othello",
    "hex": "hex",
    "chess": "chess",
    "backgammon": "backgammon",
}


def plan_of(only: Sequence[str], native: bool, tell: Any) -> Plan:
    plan = Plan()
    for name, peer in GAMES.items():
        if only and name not in only:
            continue
        try:
            python = str(environment("open_spiel"))
            folder = str(EXAMPLES / name)
            for compiled in (False, True) if native else (False,):
                if compiled:
                    tell(f"native engine of {name}")
                    compile_engine(folder, 2)
                args = {"game": folder, "players": 2, "native": compiled, "way": "calls"}
                tag = "native" if compiled else "interpreted"
                plan.cases.append(Case(f"{name} {tag}", "calls", "engine", args))
            theirs = {"game": peer, "parameters": {"board_size": 11} if name == "hex" else {}}
            plan.cases.append(
                Case(f"{name} open_spiel", "calls", "open_spiel", theirs, python, "open_spiel")
            )
        except Unavailable as error:
            plan.skipped[name] = str(error)
    return plan


def ratios(results: Sequence[Result]) -> list[tuple[str, float, float | None]]:
    """Each case with its games/s, and the median of its ratios to the peer's in the same round."""
    by_name = {r.case.name: r for r in results}
    out = []
    for name, r in by_name.items():
        game, _, who = name.rpartition(" ")
        other = by_name.get(f"{game} open_spiel")
        part = None
        if who != "open_spiel" and other is not None:
            pairs = zip(r.rounds, other.rounds, strict=False)
            part = statistics.median(
                (a["games"] / a["seconds"]) / (b["games"] / b["seconds"]) for a, b in pairs
            )
        out.append((name, r.rate("games").value, part))
    return out


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m rulewright.bench.examples", description=__doc__
    )
    parser.add_argument("--only", nargs="*", default=[], choices=[*GAMES], help="these games")
    parser.add_argument("--interpreted", action="store_true", help="leave out native engines")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU time for each case")
    given = parser.parse_args(words)
    console = Console(stderr=True)
    plan = plan_of(given.only, not given.interpreted, console.print)
    results = run(plan, given.rounds, given.seconds, console.print)
    table = Table("by calls", "games/s", "of OpenSpiel's")
    for name, rate, part in ratios(results):
        table.add_row(name, number(rate), "" if part is None else f"{part:.2f}")
    Console().print(table)
    for name, why in plan.skipped.items():
        console.print(f"left out: {name}: {why}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
