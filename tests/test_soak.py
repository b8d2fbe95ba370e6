"""Long runs: many random games in one process neither slow down nor take more memory."""

import os
import resource
import time

import pytest

from rulewright.engines import games, load

GAMES = int(os.environ.get("RULEWRIGHT_SOAK", "20000"))
PARTS = 10


def memory() -> int:
    """The memory of this process now, in KiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


@pytest.mark.soak
@pytest.mark.parametrize("game", games())
def test_speed_and_memory_stay_flat(game):
    engine = load(game, 3).module
    engine.playouts(GAMES // 20, 1)  # warm up
    rates, sizes = [], []
    for part in range(PARTS):
        start = time.process_time()
        engine.playouts(GAMES // PARTS, 1000 + part * GAMES)
        rates.append(GAMES / PARTS / (time.process_time() - start))
        sizes.append(memory())
    print(f"{game}: {[round(rate) for rate in rates]} games/s, {sizes} KiB")
    late, early = sorted(rates[-3:])[1], sorted(rates[:3])[1]
    assert late > 0.8 * early
    assert sizes[-1] - sizes[1] < 2048
