"""Batches on several threads: the same as on one, whatever is wrong, whoever else is at work, in copies of the process too."""

from __future__ import annotations

import os
import signal
import threading
from array import array
from typing import Any

import pytest
from test_native import ONE, native, needs_compiler

pytestmark = needs_compiler
COUNT = 300


def begun(threads: int) -> Any:
    batch = native(ONE).module.Batch(COUNT)
    batch.begin(array("q", range(COUNT)), threads)
    return batch


def lengths(batch: Any, threads: int) -> list[int]:
    """Every game to its end; its number of decisions."""
    x = array("q", range(7, 7 + COUNT))
    batch.playouts(x, threads)
    return list(x)


def firsts(batch: Any) -> array[int]:
    return array("i", [batch[i].legal_actions()[0] for i in range(COUNT)])


def test_any_number_of_threads_plays_the_same_games() -> None:
    alone = begun(1)
    expected = lengths(alone, 1)
    for threads in (2, 3, 7, 64, 2):
        batch = begun(threads)
        assert lengths(batch, threads) == expected
        assert all(batch[i] == alone[i] for i in range(0, COUNT, 17))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_first_wrong_action_is_told(threads: int) -> None:
    for wrong in ((250, 40, 41), (299,), (0, 299), (120, 121)):
        batch = begun(threads)
        actions = firsts(batch)
        for i in wrong:
            actions[i] = 10**6 + i
        with pytest.raises(Exception, match=str(10**6 + min(wrong))):
            batch.step(actions, threads)


def test_threads_go_on_after_a_mistake() -> None:
    batch = begun(3)
    with pytest.raises(ValueError, match="threads are from 1 to 64"):
        batch.players(bytearray(COUNT), 65)
    wrong = firsts(batch)
    wrong[150] = -1
    with pytest.raises(Exception, match="-1"):
        batch.step(wrong, 3)
    again = begun(3)
    assert lengths(again, 3) == lengths(begun(1), 1)


def test_a_copy_of_the_process_has_threads_of_its_own() -> None:
    expected = lengths(begun(2), 2)
    get, put = os.pipe()
    child = os.fork()
    if not child:
        # a child that stands still ends by itself
        signal.alarm(60)
        right = lengths(begun(2), 2) == expected
        os.write(put, b"yes" if right else b"no")
        os._exit(0)
    os.close(put)
    assert os.read(get, 10) == b"yes"
    os.close(get)
    os.waitpid(child, 0)
    assert lengths(begun(2), 2) == expected


def test_threads_of_python_that_come_at_once_have_a_batch_each() -> None:
    expected = lengths(begun(1), 1)
    found: list[list[int]] = []
    batches = [begun(1) for _ in range(6)]

    def work(batch: Any) -> None:
        for _ in range(5):
            batch.begin(array("q", range(COUNT)), 3)
            found.append(lengths(batch, 3))

    crowd = [threading.Thread(target=work, args=[batch]) for batch in batches]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert len(found) == 30 and all(x == expected for x in found)


def test_two_threads_never_work_in_one_batch() -> None:
    """Whoever comes second is told; what the first one does is whole."""
    batch, refused, done = begun(1), 0, []
    expected = lengths(begun(1), 1)

    def work() -> None:
        nonlocal refused
        for _ in range(20):
            try:
                batch.begin(array("q", range(COUNT)), 2)
                done.append(lengths(batch, 2))
            except RuntimeError as error:
                assert str(error) == "another thread is at work in this batch"
                refused += 1

    crowd = [threading.Thread(target=work) for _ in range(4)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert len(done) + refused == 80
    batch.begin(array("q", range(COUNT)), 2)
    assert lengths(batch, 2) == expected


def test_signals_are_for_pythons_threads() -> None:
    """A signal wakes whoever waits in Python, though there are threads that are not Python's."""
    lengths(begun(2), 2)
    seen: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(threading.get_ident()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        signal.sigtimedwait([signal.SIGUSR2], 30)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert seen == [threading.main_thread().ident]
