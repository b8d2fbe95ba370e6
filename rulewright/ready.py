"""A game on an interpreted engine → the same on a native one, built beside it for who must not wait, or first where that pays.

Whoever looks on plays at once; bots go on with the native engine when it is there. It is built in a process of its own, with what the
machine has left.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from rulewright.engines import engine_of, is_native, load, make_native
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game
from rulewright.simulate.plan import Plan

# games of bots that think pay for a compiler after a few, those of bots that do not after many
_FEW, _MANY = 10, 500


def to_be_built(plans: Sequence[Plan]) -> list[Plan]:
    """The plans whose games are many enough to pay for a native engine, and that have none yet."""
    out: list[Plan] = []
    for plan in plans:
        thinking = any(name.partition(":")[0] != "random" for name in plan.bots)
        if os.environ.get("RULEWRIGHT_NATIVE") == "0" or plan.games < (_FEW if thinking else _MANY):
            continue
        if not is_native(plan.load()):
            out.append(plan)
    return out


def build_for(plans: Sequence[Plan]) -> None:
    """Native engines for plans, side by side; NativeUnavailable where there can be none."""
    from rulewright.native import build_several, check_tools

    check_tools()
    engines = {
        str(i): engine_of(plan.game, plan.players, plan.variants, plan.options)
        for i, plan in enumerate(plans)
    }
    for _ in build_several(engines):
        pass


class Later:
    """One ruleset: interpreted until its native engine is ready."""

    def __init__(
        self,
        game: Game,
        name: str,
        players: int,
        variants: Sequence[str] = (),
        options: Mapping[str, object] | None = None,
    ) -> None:
        self._game = game
        self._asked = (name, players, list(variants), dict(options or {}))
        self._building: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Build the native engine, unless there is one or none is wanted; nothing is said where it can't be built."""
        if is_native(self._game) or os.environ.get("RULEWRIGHT_NATIVE") == "0":
            return
        from rulewright.native import NativeUnavailable, check_tools

        try:
            check_tools()
            self._building = subprocess.Popen(
                [sys.executable, "-m", "rulewright.ready", json.dumps(self._asked)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except (NativeUnavailable, OSError):
            return
        atexit.register(self.end)

    def end(self) -> None:
        """Nothing is left behind."""
        if self._building is not None and self._building.poll() is None:
            self._building.terminate()
            self._building.wait()

    @property
    def game(self) -> Game:
        """The game on the best engine there is by now."""
        if self._building is not None and self._building.poll() is not None:
            done, self._building = self._building.returncode == 0, None
            atexit.unregister(self.end)
            if done:
                # where the spec was edited meanwhile, the engine that was begun with goes on
                with contextlib.suppress(RulewrightError):
                    self._game = load(*self._asked, native=True)
        return self._game


if __name__ == "__main__":
    os.nice(10)
    make_native(*json.loads(sys.argv[1]))
