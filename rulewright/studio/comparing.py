"""Two folders of rules → what the change does, worked out in a process of its own that tells how far it is and can be ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from rulewright.workers import begin

Json = dict[str, Any]
_SPAWN = get_context("spawn")
TELL_EVERY = 0.4
# so many pairs for each process in a round: figures come soon, and hiring processes costs little
_ROUND = 4
_MOST_JOBS = 4
# so many seconds a comparison has to come to an end by itself
_PATIENCE = 20.0
# the editor's checks go before the games
_NICE = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """Two rulesets by folder and variants, who plays them, and how many pairs of games at most."""

    a: str
    b: str
    variants_a: tuple[str, ...]
    variants_b: tuple[str, ...]
    players: int
    bots: str
    games: int
    early: bool
    called_a: str
    called_b: str


class Comparison:
    """One comparison under way; `tell` hears of its progress, and at last of what was found."""

    def __init__(self, wanted: Wanted, tell: Callable[[Json], None]) -> None:
        self.wanted, self.tell = wanted, tell
        self.last: Json = {"type": "compare", "running": True, "done": 0, "of": wanted.games}
        self.page = ""
        self._pipe, other = _SPAWN.Pipe()
        # no daemon, as those may have no processes of their own; it ends with this one all the same
        self._process = _SPAWN.Process(target=work, args=(other, wanted))
        self._process.start()
        other.close()
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        while True:
            try:
                message: Json = await asyncio.to_thread(self._pipe.recv)
            except (EOFError, OSError):
                # it was in the middle of a game for too long: what was seen stays
                seen = {**self.last, "stopped": True} if self.last.get("measures") else None
                message = seen or {"problem": "the comparison was ended"}
                message["running"] = False
            self.page = message.pop("page", self.page)
            self.last = {"type": "compare", **message}
            self.tell(self.last)
            if not message.get("running"):
                self.last["running"] = False
                break
        await asyncio.to_thread(self._process.join)

    async def stop(self) -> None:
        """Ended by whoever looked at it: no more games are begun, and what was seen so far stays and has its page."""
        with contextlib.suppress(OSError):
            self._pipe.send("stop")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._task), _PATIENCE)
        await self.end()

    async def end(self) -> None:
        """Nobody wants it any more."""
        if self._process.is_alive():
            self._process.kill()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task


def work(pipe: Connection, wanted: Wanted) -> None:
    """In the other process: play, tell, and at last send the page."""
    begin()
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    try:
        for message in _messages(wanted, pipe.poll):
            pipe.send(message)
    except (BrokenPipeError, EOFError):
        return
    except Exception as error:
        # a spec is anybody's: whatever goes wrong in its games is told to who wrote it
        with contextlib.suppress(OSError):
            pipe.send({"running": False, "problem": str(error).splitlines()[0][:400]})


def _messages(wanted: Wanted, stopped: Callable[[], bool]) -> Iterator[Json]:
    from rulewright.bots.registry import book_of
    from rulewright.engines import spec_path
    from rulewright.native import NativeUnavailable
    from rulewright.ready import build_for, to_be_built
    from rulewright.report.compare_page import Compared, compared, page
    from rulewright.report.effects import enough
    from rulewright.report.paired import Pairing
    from rulewright.report.ruleset_differences import compare_rulesets
    from rulewright.report.rulesets import Ruleset
    from rulewright.simulate.plan import make_plan

    sides = ((wanted.a, wanted.variants_a), (wanted.b, wanted.variants_b))
    yield {"running": True, "done": 0, "of": wanted.games, "text": "reading the rules"}
    differences = compare_rulesets(
        *(Ruleset(path, path, variants, wanted.players) for path, variants in sides)
    )
    bots = wanted.bots
    if not bots:
        probe = make_plan(wanted.a, ["greedy"], wanted.players, 1, 0, wanted.variants_a, {}).load()
        bots = book_of(probe, spec_path(wanted.a)).judge
    plans = [
        make_plan(path, bots.split(","), wanted.players, wanted.games, 0, variants, {})
        for path, variants in sides
    ]
    slow = to_be_built(plans)
    if slow:
        yield {
            "running": True, "done": 0, "of": wanted.games,
            "text": "making engines that play fast, which takes some seconds after a change",
        }  # fmt: skip
        with contextlib.suppress(NativeUnavailable):
            build_for(slow)
    pairing = Pairing(plans[0], plans[1], None)

    if stopped():
        return

    def found() -> Compared:
        return compared(
            wanted.called_a, wanted.called_b, pairing, wanted.games, bots, 0, wanted.early, differences
        )  # fmt: skip

    told = time.monotonic()
    done = 0
    jobs = min(_MOST_JOBS, os.cpu_count() or 1)
    for left, right in pairing.rows(jobs, size=_ROUND * jobs):
        pairing.add(left, right)
        done += 1
        if time.monotonic() - told > TELL_EVERY:
            told = time.monotonic()
            seen = found()
            yield {"running": True, **_told(seen, done, wanted), "page": page(seen)}
        if stopped() or (wanted.early and enough(pairing, wanted.games)):
            break
    last = found()
    yield {"running": False, **_told(last, done, wanted, stopped()), "page": page(last)}


def _told(found: Any, done: int, wanted: Wanted, stopped: bool = False) -> Json:
    return {
        "done": done,
        "of": wanted.games,
        "bots": found.bots,
        "early": wanted.early,
        "stopped": stopped,
        "measures": [e.to_json() for e in found.effects] if done >= 2 else [],
        "sentences": found.sentences if done >= 2 else [],
        "unclear": found.unclear if done >= 2 else [],
        "chosen": [c.to_json() for c in found.chosen],
        "seldom": found.seldom,
        "differences": found.differences,
    }
