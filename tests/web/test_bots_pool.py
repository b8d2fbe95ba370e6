"""Bots in processes of their own: they answer, they are stopped in time, and nobody waits for them but their table."""

import asyncio
import os
from types import SimpleNamespace

import pytest

from rulewright.chance import SystemChance, begin
from rulewright.engines import load
from rulewright.web import brings
from rulewright.web.bots_pool import TooLong, WorkerError, Workers
from rulewright.web.bots_worker import Advise, Build, Choose, Rules
from rulewright.web.course import Course

RULES = Rules("mykerinos", 2)


@pytest.fixture(scope="module")
def position():
    state = begin(load("mykerinos", 2))
    while state.is_chance_node():
        state.apply_action(SystemChance().outcome(state))
    return state


def job(position, bot, seat=None):
    seat = position.current_player() if seat is None else seat
    return Choose(RULES, bot, position.to_dict(), seat, 7)


def run(work, count=1, most=10):
    async def working():
        workers = Workers(count, most)
        try:
            return await work(workers)
        finally:
            workers.close()

    return asyncio.run(working())


def test_a_bot_chooses_and_a_search_advises(position):
    async def work(workers):
        assert await workers.ask(Build(RULES), 60) == "mykerinos"
        action = await workers.ask(job(position, "greedy"), 60)
        seat = position.current_player()
        advice = await workers.ask(Advise(RULES, 50, position.to_dict(), seat, 1), 60)
        return action, advice

    action, advice = run(work)
    legal = list(position.legal_actions())
    assert action in legal
    assert sorted(a for a, _ in advice) == legal and abs(sum(s for _, s in advice) - 1) < 1e-6


def test_one_that_takes_too_long_is_ended_and_replaced(position):
    async def work(workers):
        assert await workers.ask(job(position, "random"), 60) in position.legal_actions()
        first = workers._workers[0].process.pid
        with pytest.raises(TooLong):
            await workers.ask(job(position, "mcts:10000000"), 0.3)
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)
        return await workers.ask(job(position, "random"), 60)

    assert run(work) in position.legal_actions()


def test_a_bot_that_fails_is_told_of_and_the_worker_stays(position):
    async def work(workers):
        with pytest.raises(WorkerError, match="there is no bot"):
            await workers.ask(job(position, "nobody"), 60)
        pid = workers._workers[0].process.pid
        await workers.ask(job(position, "random"), 60)
        assert workers._workers[0].process.pid == pid

    run(work)


def test_too_many_that_wait_are_refused(position):
    async def work(workers):
        asked = [asyncio.create_task(workers.ask(job(position, "random"), 60)) for _ in range(9)]
        done = await asyncio.gather(*asked, return_exceptions=True)
        return [type(d) for d in done]

    kinds = run(work, 1, 3)
    # one is at work, three wait
    assert kinds.count(int) == 1 + 3 and kinds.count(WorkerError) == 5


def test_the_loop_does_not_wait_for_a_thinking_bot(position):
    """While one worker thinks for long the loop goes round, and another worker answers."""

    async def work(workers):
        await workers.ask(job(position, "random"), 60)
        thinking = asyncio.create_task(workers.ask(job(position, "mcts:10000000"), 4))
        await asyncio.sleep(0)
        for _ in range(3):
            assert await workers.ask(job(position, "random"), 60) in position.legal_actions()
        assert not thinking.done()
        with pytest.raises(TooLong):
            await thinking

    run(work, 2)


def test_workers_end_when_their_server_is_killed(tmp_path):
    """They read from a pipe, and its end is theirs."""
    import signal
    import subprocess
    import sys

    program = tmp_path / "server.py"
    program.write_text(
        "import asyncio\n"
        "from rulewright.web.bots_pool import Workers\n"
        "from rulewright.web.bots_worker import Build, Rules\n"
        "async def main():\n"
        "    workers = Workers(1, 5)\n"
        "    await workers.ask(Build(Rules('mykerinos', 2)), 120)\n"
        "    print(workers._workers[0].process.pid, flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    server = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True)
    worker = int(server.stdout.readline())
    server.send_signal(signal.SIGKILL)
    server.wait()
    for _ in range(600):
        try:
            os.kill(worker, 0)
            # a child of nobody that nobody waits for stays as a name only
            with open(f"/proc/{worker}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except (ProcessLookupError, FileNotFoundError):
            return
        import time

        time.sleep(0.05)
    raise AssertionError("the worker outlived its server")


def test_what_options_bring_is_asked_for_again_when_there_is_room(monkeypatch):
    """While all processes are busy nobody waits for it; later it is there."""
    monkeypatch.setattr(brings, "_WHEN_FULL", 0.01)

    class Busy:
        full = True

        async def ask(self, job, seconds, wanted):
            return {0: "found"}

    course = Course(load("mykerinos", 2), [brings.PERSON] * 2)
    begun = course.draft_beginning()
    course.accept(begun.events, begun)
    seat = course.decides
    shown, told = [], []
    sight = SimpleNamespace(several=None)
    faces = SimpleNamespace(
        set_brings=lambda seat, found: shown.append((seat, found)), sight=lambda seat: sight
    )

    async def look():
        workers = Busy()
        one = brings.Brings(None, course, faces, workers)
        for _ in range(3):
            one.ask({seat}, 1.0, told.append)
        await asyncio.sleep(0.05)
        assert shown == []
        workers.full = False
        for _ in range(500):
            await asyncio.sleep(0.01)
            if shown:
                break
        await one.close()

    asyncio.run(look())
    # who looks with the eyes of the seat is told
    assert shown == [(seat, {0: "found"})] and told == [seat]
