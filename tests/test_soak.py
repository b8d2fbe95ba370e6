"""Long runs: neither many random games in one process nor what bots do with views slow down or take more memory."""

import os
import random
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


@pytest.mark.soak
@pytest.mark.parametrize("game", games())
def test_views_leave_nothing_behind(game):
    """What bots do: look, deal what is hidden, play out, save and load."""
    engine = load(game, 3)

    def games_with_views(seeds):
        for seed in seeds:
            state = engine.new_initial_state(seed)
            dice = random.Random(seed)
            while not state.is_terminal():
                if dice.random() < 0.2:
                    view = state.view(dice.randrange(3))
                    assert engine.random_playout(view.determinize(seed), seed).is_terminal()
                    assert (
                        engine.from_dict(view.determinize(seed).to_dict()).view(view.seat) == view
                    )
                state.apply_action(dice.choice(state.legal_actions()))

    sizes = []
    each = max(1, GAMES // 2000)
    for part in range(PARTS + 2):
        games_with_views(range(part * each, (part + 1) * each))
        sizes.append(memory())
    print(f"{game}: {sizes} KiB")
    # tables of lists of actions fill up in the beginning
    assert sizes[-1] - sizes[PARTS // 2] < 4096
