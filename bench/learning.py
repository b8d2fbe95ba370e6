"""Steps a second of one core as who trains needs them, observations and masks included: ours beside OpenSpiel, PettingZoo and pgx.

`python -m rulewright.bench.learning [--quick] [--only WORDS …] [--out FILE]`. All cases take turns in processes of their own, on one core,
by CPU time. Games of ours that others have too are taken from a folder of examples.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from rulewright.bench.environments import (
    LEARNING_PEERS,
    PEERS,
    Unavailable,
    compile_engine,
    environment,
)
from rulewright.bench.figures import number, spread
from rulewright.bench.plan import Case, Plan, player_counts
from rulewright.bench.run import Result, run
from rulewright.engines import games

# games side by side where many are stepped at once
MANY = 256
# the names of one game with each package
COMMON: dict[str, dict[str, str]] = {
    "connect_four": {"open_spiel": "connect_four", "pettingzoo": "connect_four_v3", "pgx": "connect_four"},
    "othello": {"open_spiel": "othello", "pgx": "othello"},
    "backgammon": {"open_spiel": "backgammon", "pgx": "backgammon"},
    "kuhn": {"open_spiel": "kuhn_poker", "pgx": "kuhn_poker"},
    "leduc": {"open_spiel": "leduc_poker", "pettingzoo": "leduc_holdem_v4", "pgx": "leduc_holdem"},
    "hearts": {"open_spiel": "hearts"},
    "chess": {"open_spiel": "chess", "pettingzoo": "chess_v6", "pgx": "chess"},
}  # fmt: skip
_ROOT = Path(__file__).resolve().parents[1]


def folders(examples: Sequence[Path]) -> dict[str, Path]:
    """The common games that are there as specs, by their names: kuhn and kuhn_poker are the same."""
    found: dict[str, Path] = {}
    for folder in examples:
        for path in sorted(p.parent for p in folder.glob("*/game.yaml")):
            for name in COMMON:
                if path.name in (name, f"{name}_poker", name.replace("_", "-")):
                    found.setdefault(name, path)
    return found


def our_cases(found: dict[str, Path]) -> list[tuple[str, str, int]]:
    """(name, what `load` takes, players): our own games with the most players, and the common ones."""
    from rulewright.compiler.build import read_spec

    own = [(f"{g} {max(player_counts(g))}", g, max(player_counts(g))) for g in games()]
    for name, path in found.items():
        own.append((name, str(path), max(read_spec(path).folder.game.players)))
    return own


def plan_of(examples: Sequence[Path], only: Sequence[str], tell: Any) -> Plan:
    plan = Plan()
    cases: list[Case] = []
    for name, game, players in our_cases(folders(examples)):
        for native in (False, True):
            for way in ("calls", "batch"):
                args = {
                    "game": game,
                    "players": players,
                    "native": native,
                    "way": way,
                    "games": MANY,
                }
                tag = "native" if native else "interpreted"
                cases.append(Case(f"{name} {tag}", way, "learning", args))
    for peer in ("open_spiel", "pettingzoo", "pgx"):
        for name, theirs in COMMON.items():
            if peer in theirs:
                args = {"game": theirs[peer], "observe": True, "games": MANY}
                group = "batch" if peer == "pgx" else "calls"
                cases.append(Case(f"{name} {peer}", group, peer, args, who=peer))
    cases = [c for c in cases if not only or any(w in f"{c.group} {c.who} {c.name}" for w in only)]
    for case in cases:
        try:
            if case.who in {**PEERS, **LEARNING_PEERS}:
                tell(f"the environment of {case.who}")
                case = Case(case.name, case.group, case.subject, case.args, str(environment(case.who)), case.who)  # fmt: skip
            elif case.args["native"]:
                tell(f"native engine of {case.args['game']}")
                compile_engine(case.args["game"], case.args["players"])
            plan.cases.append(case)
        except Unavailable as error:
            plan.skipped[f"{case.group} {case.name}"] = str(error)
    return plan


def ratios(results: Sequence[Result]) -> dict[str, float]:
    """Ours over each package, by common game and way: native by calls against their calls, and the batch against everything."""
    found = {(r.case.group, r.case.name): r.rate("decisions").value for r in results}
    out: dict[str, float] = {}
    for name, theirs in COMMON.items():
        for peer in theirs:
            for way in ("calls", "batch"):
                other = found.get(("batch" if peer == "pgx" else "calls", f"{name} {peer}"))
                ours = found.get((way, f"{name} native"))
                if ours and other:
                    out[f"{name}: native by {way} / {peer}"] = ours / other
    return out


def table(results: Sequence[Result]) -> Table:
    out = Table("way", "case", "steps/s", "spread", "what")
    for r in sorted(results, key=lambda r: (r.case.group, r.case.name)):
        rate = r.rate("decisions")
        out.add_row(r.case.group, r.case.name, number(rate.value), spread(rate), str(r.rounds[0].get("version")))  # fmt: skip
    return out


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m rulewright.bench.learning", description=__doc__
    )
    parser.add_argument(
        "--only", nargs="*", default=[], help="cases whose name holds one of these words"
    )
    parser.add_argument("--examples", nargs="*", type=Path, default=[_ROOT / "examples", _ROOT / "tests" / "games"], help="folders with specs of common games")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="of CPU time for each case in each round"
    )
    parser.add_argument("--quick", action="store_true", help="one round of half a second")
    parser.add_argument("--out", type=Path, help="keep the figures as JSON")
    given = parser.parse_args(words)
    console = Console(stderr=True)
    rounds, seconds = (1, 0.5) if given.quick else (given.rounds, given.seconds)
    plan = plan_of(given.examples, given.only, console.print)
    results = run(plan, rounds, seconds, console.print)
    Console().print(table(results))
    for name, ratio in ratios(results).items():
        print(f"{name}: {ratio:.2f}")
    for name, why in plan.skipped.items():
        print(f"left out: {name}: {why}")
    if given.out is not None:
        figures = {
            "results": [r.to_json() for r in results],
            "ratios": ratios(results),
            "skipped": plan.skipped,
        }
        given.out.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
