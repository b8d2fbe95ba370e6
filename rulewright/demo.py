"""A game by name → a short table of random players and what came of it: `python -m rulewright.demo [GAME]`."""

from __future__ import annotations

import statistics
import sys
import time

from rulewright import games, load
from rulewright.committed import differences, game_files
from rulewright.engines import GENERATED
from rulewright.runtime.api import story

GAMES = 500
STORY = 8


def show(name: str, players: int) -> bool:
    """Check and build a game, play some games at random, print a summary; whether all was well."""
    from rulewright.cli.check import check_one
    from rulewright.cli.common import counted, read

    start = time.perf_counter()
    checked = check_one(name)
    print(f"check  {checked.line()}  [{time.perf_counter() - start:.1f} s]")
    if checked.count("error"):
        return False
    start = time.perf_counter()
    files = game_files(read(name))
    stale = differences(GENERATED, files)
    state = "as committed" if not stale else f"{len(stale)} not as committed"
    print(f"build  {counted(len(files), 'file')}, {state}  [{time.perf_counter() - start:.1f} s]")
    game = load(name, players)
    start = time.perf_counter()
    ends = [game.random_playout(game.new_initial_state(seed), seed) for seed in range(GAMES)]
    seconds = time.perf_counter() - start
    print(f"play   {GAMES} games of {players} random players  [{seconds:.1f} s]\n")
    reasons = game.info["reasons"]
    told = [end.score_breakdown() for end in ends]
    print(f"{'':10}{'wins':>7}{'score':>8}{'spread':>8}" + "".join(f"{r:>11}" for r in reasons))
    for seat in range(players):
        scores = [end.scores()[seat] for end in ends]
        wins = sum(end.returns()[seat] for end in ends) / GAMES
        parts = (statistics.fmean(each[seat][reason] for each in told) for reason in reasons)
        print(
            f"{game.info['seats'][seat]:10}{wins:7.1%}{statistics.fmean(scores):8.1f}"
            f"{statistics.pstdev(scores):8.1f}" + "".join(f"{part:11.1f}" for part in parts)
        )
    print("\nHow the first of these games ended, told by the full flavour:\n")
    full = game.full
    for line in story(full.random_playout(full.new_initial_state(0), 0), 0)[-STORY:]:
        print(f"  {line}")
    return not stale


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else games()[-1]
    sys.exit(0 if show(wanted, 4) else 1)
