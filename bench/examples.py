"""Examples beside OpenSpiel's C++ games through Python: games/s by calls, interpreted and native, all taking turns.

python -m rulewright.bench.examples --only othello chess --rounds 5
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table

from rulewright.bench.environments import Unavailable, compile_engine, environment
from rulewright.bench.figures import number
from rulewright.bench.plan import Case, Plan
from rulewright.bench.run import Result, run
from rulewright.engines import EXAMPLES


@dataclass(frozen=True, slots=True)
class Pair:
    """One of our examples, and the same game of the peer's."""

    peer: str
    players: int = 2
    options: Mapping[str, object] = field(default_factory=dict)
    parameters: Mapping[str, object] = field(default_factory=dict)


GAMES = {
    "connect_four": Pair("connect_four"),
    "breakthrough": Pair("breakthrough"),
    "othello": Pair("othello"),
    "hex": Pair("hex", parameters={"board_size": 11}),
    "chess": Pair("chess"),
    "backgammon": Pair("backgammon"),
    # a game of the peer's is one deal
    "hearts": Pair("hearts", 4, {"deals": 1}),
}


def plan_of(only: Sequence[str], native: bool, tell: Any) -> Plan:
    plan = Plan()
    for name, pair in GAMES.items():
        if only and name not in only:
            continue
        try:
            python = str(environment("open_spiel"))
            folder = str(EXAMPLES / name)
            for compiled in (False, True) if native else (False,):
                if compiled:
                    tell(f"native engine of {name}")
                    compile_engine(folder, pair.players, pair.options)
                args = {
                    "game": folder, "players": pair.players, "options": dict(pair.options), "native": compiled, "way": "calls",
                }  # fmt: skip
                tag = "native" if compiled else "interpreted"
                plan.cases.append(Case(f"{name} {tag}", "calls", "engine", args))
            theirs = {"game": pair.peer, "parameters": dict(pair.parameters)}
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
