"""Steps a second of one core as who trains needs them, observations and masks included: ours beside OpenSpiel, PettingZoo and pgx.

`python -m rulewright.bench.learning [--quick] [--games NAMES …] [--only WORDS …] [--out FILE]`. Game by game, all cases take turns in processes
of their own, on one core, by CPU time. Each game's figures are written when it is done; the same command goes on with the games that are missing.
Games of ours that others have too are taken from a folder of examples.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
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
# seconds for one measurement: packages that compile their games take long before the first step
_FIRST = 240.0
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


def plan_of(name: str, game: str, players: int, only: Sequence[str], tell: Any) -> Plan:
    """The cases of one game: ours in all ways, and those of each package that has it."""
    plan = Plan()
    cases: list[Case] = []
    for native in (False, True):
        for way in ("calls", "batch"):
            args = {
                "game": game, "players": players, "native": native, "way": way, "games": MANY,
            }  # fmt: skip
            tag = "native" if native else "interpreted"
            cases.append(Case(f"{name} {tag}", way, "learning", args))
    for peer, called in COMMON.get(name, {}).items():
        args = {"game": called, "observe": True, "games": MANY}
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


class Kept:
    """The figures so far, in a file: a game is there when all of it was measured."""

    def __init__(self, file: Path | None, rounds: int, seconds: float) -> None:
        self.file = file
        self.how = {"rounds": rounds, "seconds": seconds}
        self.games: dict[str, list[Result]] = {}
        self.skipped: dict[str, str] = {}
        if file is None or not file.is_file():
            return
        found = json.loads(file.read_text(encoding="utf-8"))
        if found.get("how") != self.how:
            raise SystemExit(
                f"{file} was measured with {found.get('how')}, not {self.how}: give the same, or another file"
            )
        self.skipped = dict(found["skipped"])
        for game, results in found["games"].items():
            self.games[game] = [
                Result(Case(r["name"], r["group"], "", r["args"], who=r["who"]), r["rounds"])
                for r in results
            ]

    @property
    def results(self) -> list[Result]:
        return [r for game in self.games.values() for r in game]

    def add(self, game: str, results: list[Result], skipped: dict[str, str]) -> None:
        self.games[game] = results
        self.skipped |= skipped
        if self.file is None:
            return
        figures = {
            "how": self.how,
            "games": {name: [r.to_json() for r in found] for name, found in self.games.items()},
            "ratios": ratios(self.results),
            "skipped": self.skipped,
        }
        part = self.file.with_name(f".{self.file.name}.part")
        part.write_text(json.dumps(figures, indent=1), encoding="utf-8")
        part.replace(self.file)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m rulewright.bench.learning", description=__doc__
    )
    parser.add_argument("--games", nargs="*", default=[], help="only these games, such as chess")
    parser.add_argument(
        "--only", nargs="*", default=[], help="cases whose name holds one of these words"
    )
    parser.add_argument("--examples", nargs="*", type=Path, default=[_ROOT / "examples", _ROOT / "tests" / "games"], help="folders with specs of common games")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="of CPU time for each case in each round"
    )
    parser.add_argument(
        "--most", type=float, default=50.0, help="seconds for one game, after which no round is begun but the first"
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="one round of half a second")
    parser.add_argument(
        "--out", type=Path, help="keep the figures as JSON, game by game, and go on with it"
    )
    given = parser.parse_args(words)
    console = Console(stderr=True)
    rounds, seconds = (1, 0.5) if given.quick else (given.rounds, given.seconds)
    cases = our_cases(folders(given.examples))
    names = [name for name, _, _ in cases]
    for wanted in given.games:
        if wanted not in names:
            parser.error(f"there is no game {wanted!r} (there are {', '.join(names)})")
    kept = Kept(given.out, rounds, seconds)
    for name, game, players in cases:
        if (given.games and name not in given.games) or name in kept.games:
            continue
        begun = time.monotonic()
        plan = plan_of(name, game, players, given.only, console.print)
        results = run(plan, rounds, seconds, console.print, given.most, _FIRST)
        kept.add(name, results, plan.skipped)
        console.print(f"{name}: {time.monotonic() - begun:.0f} s")
    Console().print(table(kept.results))
    for ratio_of, ratio in ratios(kept.results).items():
        print(f"{ratio_of}: {ratio:.2f}")
    for left_out, why in kept.skipped.items():
        print(f"left out: {left_out}: {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
