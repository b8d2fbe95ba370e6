"""An interpreted engine → the bytecodes and calls of each of its functions in a random game, which no other process disturbs.

python -m rulewright.bench.bytecodes yspahan 4
python -m rulewright.bench.bytecodes yspahan 4 --yardstick hand.py     the same of a hand-written engine
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

WARM = 300  # games before, so that what is kept for later is there


def counted(play: Callable[[], object]) -> tuple[Counter[str], Counter[str]]:
    """By function: the bytecodes that it runs, and how often it is called."""
    codes: Counter[str] = Counter()
    calls: Counter[str] = Counter()

    def inside(frame: FrameType, event: str, _: Any) -> Any:
        if event == "opcode":
            codes[frame.f_code.co_name] += 1
        return inside

    def begun(frame: FrameType, _event: str, _: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        calls[frame.f_code.co_name] += 1
        return inside

    sys.settrace(begun)
    try:
        play()
    finally:
        sys.settrace(None)
    return codes, calls


def engine(name: str, players: int, yardstick: Path | None) -> Callable[[int], int]:
    """What plays so many random games and gives the number of decisions."""
    if yardstick is not None:
        sys.path.insert(0, str(yardstick.parent))
        by_hand: Any = importlib.import_module(yardstick.stem)
        return lambda count: int(by_hand.games(players, count, 0))
    import rulewright

    module = rulewright.load(name, players, native=False).module
    return lambda count: int(module.playouts(count, 0))


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("game")
    asked.add_argument("players", type=int)
    asked.add_argument("--yardstick", type=Path)
    asked.add_argument("--games", type=int, default=60)
    given = asked.parse_args()
    play = engine(given.game, given.players, given.yardstick)
    play(WARM)
    decisions = play(given.games)
    codes, calls = counted(lambda: play(given.games))
    n = given.games
    print(
        f"a game: {decisions / n:.0f} decisions, {codes.total() / n:,.0f} bytecodes, {calls.total() / n:,.0f} calls"
    )
    for name, many in codes.most_common(24):
        print(f"{many / n:9,.0f} in {calls[name] / n:6.1f} calls of {name}")


if __name__ == "__main__":
    main()
