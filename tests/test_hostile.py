"""Specs made to do harm: each ends in a located problem or in success, in bounded time and memory."""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from steps import Steps, at_most

from rulewright import Game, RulewrightError
from rulewright.compiler.build import check_ruleset, check_spec, read_spec
from rulewright.compiler.text.diagnostics import Problem, SpecError
from rulewright.engines import game_of

STEPS = 40_000_000  # for reading, checking and building
MEGABYTES = 350  # more than the process had before it began
GAME = "game: tiny\ntitle: Tiny\nplayers: [2]\nseats: [Blue, Green]\n"
PLAY = "procedure play():\n    pass\n"
END = "outcome p in Player by score[p]\n"
N = "state:\n    n: 0..9\n"
FINE = "fine"


@dataclass
class Case:
    """Rules (None for no file), other files, what else to do to the folder, and how it must end."""

    end: str
    rules: str | bytes | None = PLAY + END
    files: dict[str, str | bytes] = field(default_factory=dict)
    prepare: Callable[[Path], None] | None = None
    where: str = ""  # what the place of the first error must begin with


def table(*rows: str, head: str = "") -> dict[str, str | bytes]:
    return {"t.yaml": f"table: T\n{head}rows:\n" + "".join(f"  {row}\n" for row in rows)}


def body(*lines: str, before: str = N, end: str = END) -> str:
    return before + "procedure play():\n" + "".join(f"    {line}\n" for line in lines) + end


def chain(first: str, link: Callable[[int], str], count: int, last: str) -> str:
    return N + first + "".join(link(i) for i in range(count)) + last + END


def _variants(folder: Path) -> None:
    (folder / "variants").mkdir()
    for i in range(150):
        (folder / "variants" / f"v{i:03}.yaml").write_text(f"variant: v{i:03}\nabout: One more.\n")


def _chained_variants(folder: Path) -> None:
    (folder / "variants").mkdir()
    for i in range(100):
        needs = f"needs: [v{i + 1}]\n" if i < 99 else ""
        (folder / "variants" / f"v{i}.yaml").write_text(f"variant: v{i}\n{needs}")


def _links(folder: Path) -> None:
    (folder / "loop.yaml").symlink_to("loop.yaml")
    (folder / "variants").symlink_to(".")


def _many_files(folder: Path) -> None:
    for i in range(300):
        (folder / f"t{i}.yaml").write_text(f"table: T{i}\nrows: {{a{i}: {{}}}}\n")


CALL = "procedure play():\n    n = clamp(f0(n), 0, 9)\n"
RUN = "procedure play():\n    p0()\n"
DENSE = table(
    *(f"r{i}: {{near: all}}" for i in range(60)), head="graph: near\ncolumns: {near: set of T}\n"
)
SLOW = (
    "function {0}(a: 0..63, b: 0..63) -> int:\n    var t: int = 0\n    for i in 1 .. 9999:\n"
    "        for j in 1 .. 9999:\n            t += i * j\n    return t + a + b\n"
)
CASES = {
    # files
    "not UTF-8": Case("RW0104", b"procedure play():\n    pass  # caf\xe9\n", where="tiny/play.rules:2:"),
    "not UTF-8 in YAML": Case("RW0104", files={"t.yaml": b"table: T\xff\n"}, where="tiny/t.yaml:1:"),
    "an empty rules file": Case("RW0507", ""),
    "an empty table file": Case("RW0304", files={"t.yaml": ""}, where="tiny/t.yaml"),
    "an empty game file": Case("RW0304", files={"game.yaml": ""}, where="tiny/game.yaml"),
    "no rules at all": Case("RW0507", None, where="tiny/game.yaml"),
    "a missing index of clauses": Case(
        "RW0101", files={"game.yaml": GAME + "clauses: [clauses/book.yaml]\n"}, where="tiny/clauses/book.yaml"
    ),
    "links that go in circles": Case("RW0103", prepare=_links, where="tiny/loop.yaml"),
    "a link to a device": Case("RW0102", prepare=lambda f: (f / "z.yaml").symlink_to("/dev/zero")),
    "a pipe": Case("RW0102", prepare=lambda f: os.mkfifo(f / "pipe.rules")),
    "a file of 3 MB": Case("RW0105", files={"t.yaml": "# " + "x" * (3 * 1024 * 1024)}),
    "300 files": Case("RW0302", prepare=_many_files),
    "a NUL byte": Case("RW0106", b"procedure play():\n    pass\0\n"),
    "a set of what is no kind": Case(
        "RW0503", PLAY.replace("pass", "var a: set of Spice = {}\n    a |= {1}") + END, where="tiny/play.rules:2:"
    ),
    # YAML
    "a YAML bomb": Case(
        "RW0113",
        files={"t.yaml": "a: &a [x]\n" + "".join(f"b{i}: &b{i} [*a, *a, *a]\n" for i in range(20))},
    ),
    "10,000 levels of YAML lists": Case("RW0118", files={"t.yaml": "a: " + "[" * 10_000 + "]" * 10_000}),
    "10,000 levels of YAML dashes": Case("RW0118", files={"t.yaml": "- " * 10_000 + "a"}),
    "10,000 levels of YAML mappings": Case("RW0126", files={"t.yaml": "{" * 10_000}),
    "1,000 levels of YAML indentation": Case(
        "RW0118", files={"t.yaml": "\n".join(" " * i + "a:" for i in range(1000)) + " 1\n"}
    ),
    "250,000 values": Case("RW0119", files={"t.yaml": "constants: {a: {value: [" + "1, " * 250_000 + "1]}}"}),
    "100,000 rows": Case("RW0119", files=table(*(f"r{i}: {{}}" for i in range(100_000)))),
    "5,000 rows": Case("RW0321", files=table(*(f"r{i}: {{}}" for i in range(5000)))),
    "2,000 rows to choose from": Case(
        FINE,
        body("for p in Player:", "    choose t in T by p as pick", "    n = t.cost"),
        table(*(f"r{i}: {{cost: {i % 10}}}" for i in range(2000)), head="columns: {cost: 0..9}\n"),
    ),
    "a grid of 10^10 members": Case("RW0317", files={"t.yaml": "table: T\ngrid: {columns: 100000, rows: 100000}\n"}),
    # depth
    "10,000 brackets": Case("RW0208", body("n = " + "(" * 10_000 + "1" + ")" * 10_000)),
    "10,000 open brackets": Case("RW0208", body("n = " + "[" * 10_000)),
    "100 levels of indentation": Case(
        "RW0208", body(*("    " * i + "if n > 1:" for i in range(100)), "    " * 100 + "pass")
    ),
    "300 levels of indentation": Case(
        "RW0209", body(*("    " * i + "if n > 1:" for i in range(300)), "    " * 300 + "pass")
    ),
    "1,000 elif": Case(FINE, body("if n == 0: n = 1", *["elif n == 1: n = 2"] * 1000)),
    "400 elif that ask": Case(
        FINE,
        body(
            "for p in Player:", "    if n == 0: n = 1",
            *(f"    elif n == 1:\n            choose x{i} in 1 .. 2 by p as c{i}" for i in range(400)),
        ),
    ),
    "a sum of 9,000": Case("RW0208", body("n = " + " + ".join(["n"] * 9000))),
    "a sum of 100": Case(FINE, body("n = " + " + ".join(["n"] * 100))),
    "4,000 conditions": Case("RW0208", body("if " + " and ".join(["n > 3"] * 4000) + ": n = 1")),
    "10,000 not": Case("RW0208", body("if " + "not " * 10_000 + "true: n = 1")),
    "10,000 minus": Case("RW0208", body("n = " + "-" * 10_000 + "1")),
    "8,000 dots": Case("RW0208", body("for p in Player:", "    n = clockwise(p, p" + ".next" * 8000 + ")")),
    "3,000 conditional values": Case("RW0208", body("n = " + "1 if n == 2 else " * 3000 + "3")),
    "min of 3,000": Case(FINE, body("n = min(" + ", ".join(["n"] * 3000) + ")")),
    "a set of 4,000": Case(FINE, body("let x = {" + ", ".join(map(str, range(4000))) + "}", "n = min(9, size(x))")),
    "100,000 characters": Case("RW0209", PLAY + END + "function f() -> int = " + "1 +  " * 25_000 + "1\n"),
    "1,000 unknown names": Case(
        "RW0199", PLAY + END + "".join(f"function f{i}() -> int = nope{i}\n" for i in range(1000))
    ),
    "a chain of 100 variants": Case(FINE, prepare=_chained_variants),
    "300 choices": Case(
        FINE,
        body("for p in Player:", *(f"    choose x{i} in 1 .. 3 by p as c{i}" for i in range(300))),
    ),
    "18 loops in each other": Case(
        "RW0835", body(*("    " * i + f"for i{i} in 1 .. 9:" for i in range(18)), "    " * 18 + "n = 1")
    ),
    "17 loops around a choice": Case(
        FINE,
        body(
            *("    " * i + f"for i{i} in 1 .. 9:" for i in range(17)), "    " * 17 + "for p in Player:",
            "    " * 18 + "choose x in 1 .. 3 by p as pick",
        ),
    ),
    "18 sums in each other": Case(
        "RW0835", body("n = " + "".join(f"sum(i{i} in 1 .. 9: " for i in range(18)) + "n" + ")" * 18)
    ),
    "13 short sums in each other": Case(
        FINE,
        body("n = clamp(" + "".join(f"sum(i{i} in 1 .. 2: " for i in range(13)) + "n" + ")" * 13 + ", 0, 9)"),
    ),
    # size
    "a state of 10^9 cells": Case("RW0638", "state:\n    a: map 0..999999999 to bool\n" + PLAY + END),
    "maps of maps of maps": Case(
        "RW0638", "state:\n    a: map 0..99999 to map 0..99999 to map 0..99999 to bool\n" + PLAY + END
    ),
    "a set of a million": Case("RW0648", "state:\n    a: set of 0..1000000\n" + PLAY + END),
    "a set written of a million": Case("RW0648", body("let s = {0, 1000000}", "n = min(9, size(s))")),
    "a set worked out of 10^12": Case("RW0648", body("let s = {i in 0 .. 1000000000000 where i > 3}", "n = min(9, size(s))")),
    "a list of 10^9": Case("RW0648", "state:\n    a: list of 0..9 max 1000000000\n" + PLAY + END),
    "10^9 standing pieces": Case(
        "RW0648", "pieces c of T by 1:\n    d = all\n    standing G max 1000000000:\n        x: 0..9\n" + PLAY + END,
        table("a: {}"),
    ),
    "240,000 pieces": Case(
        "RW0646", "pieces c of T by 60:\n    d = all\n" + PLAY + END, table(*(f"r{i}: {{}}" for i in range(4000)))
    ),
    "a choice among 10^12": Case("RW0817", body("for p in Player:", "    choose x in 0 .. 1000000000000 by p as pick")),
    "chance among 10^12": Case("RW0817", body("roll x in 0 .. 1000000000000", "n = min(9, x)")),
    "a loop of 10^12": Case("RW0647", body("for i in 0 .. 1000000000000:", "    n = 1")),
    "a sum over 10^12": Case("RW0647", body("n = min(9, sum(i in 0 .. 1000000000000: i))")),
    "a test in 10^12": Case(FINE, body("if n in 0 .. 1000000000000: n = 1")),
    "a bound that overflows": Case("RW0613", f"state:\n    a: 0..{' * '.join(['999999999'] * 9)}\n" + PLAY + END),
    "150 variants for 19 player counts": Case(
        FINE,
        files={
            "game.yaml": f"game: tiny\ntitle: Tiny\nplayers: {list(range(2, 21))}\n"
            f"seats: [{', '.join(f'S{i}' for i in range(20))}]\n"
        },
        prepare=_variants,
    ),
    "250 mistakes": Case("RW0199", body(*(f"x{i} = 1" for i in range(250)))),
    # doubling and chains
    "procedures that double": Case(
        "RW0835", chain(RUN, lambda i: f"procedure p{i}():\n    p{i + 1}()\n    p{i + 1}()\n", 40, "procedure p40():\n    n = 1\n")
    ),
    "asking procedures that double": Case(
        FINE,
        chain(
            RUN, lambda i: f"procedure p{i}():\n    p{i + 1}()\n    p{i + 1}()\n", 40,
            "procedure p40():\n    for p in Player:\n        choose x in 1 .. 3 by p as pick\n        n = x\n",
        ),
    ),
    "short procedures that double": Case(
        FINE, chain(RUN, lambda i: f"procedure p{i}():\n    p{i + 1}()\n    p{i + 1}()\n", 17, "procedure p17():\n    n = 1\n")
    ),
    "functions that double": Case(
        "RW0835", chain(CALL, lambda i: f"function f{i}(k: 0..9) -> int = f{i + 1}(k) + f{i + 1}(n)\n", 29, "function f29(k: 0..9) -> int = n + k\n")
    ),
    "short functions that double": Case(
        FINE, chain(CALL, lambda i: f"function f{i}(k: 0..9) -> int = f{i + 1}(k) + f{i + 1}(n)\n", 16, "function f16(k: 0..9) -> int = n + k\n")
    ),
    "constants that double": Case(
        "RW0641",
        "state:\n    n: 0..9 = f0(1)\nfunction f25(k: 0..9) -> int = k\n" + PLAY + END
        + "".join(f"function f{i}(k: 0..9) -> int = f{i + 1}(k) + f{i + 1}(k)\n" for i in range(25)),
    ),
    "numbers that double": Case(
        "in play RW1003", body("let x0 = 3 + n", *(f"let x{i + 1} = x{i} * x{i}" for i in range(100)), "n = min(9, x100)")
    ),
    "a number that doubles in a loop": Case(
        "in play RW1003", body("var x: int = 2", "loop:", "    x = x * x", "    if x < 0: break", "n = min(9, x)")
    ),
    "requirements that double": Case(
        "RW0836",
        chain(
            "procedure play():\n    if possible(p0()): p0()\n",
            lambda i: f"procedure p{i}():\n    require possible(p{i + 1}()) or possible(p{i + 1}())\n    n = 2\n",
            40, "procedure p40():\n    require n > 0\n    n = 1\n",
        ),
    ),
    "3,000 functions in a chain": Case(
        "RW0836", chain(CALL, lambda i: f"function f{i}(k: 0..9) -> int = f{i + 1}(k)\n", 3000, "function f3000(k: 0..9) -> int = n + k\n")
    ),
    "3,000 functions in a chain from its end": Case(
        "RW0836",
        N + CALL + "function f3000(k: 0..9) -> int = n + k\n" + END
        + "".join(f"function f{i}(k: 0..9) -> int = f{i + 1}(k)\n" for i in reversed(range(3000))),
    ),
    "2,500 procedures in a chain": Case(
        "RW0836", chain(RUN, lambda i: f"procedure p{i}():\n    n = 2\n    p{i + 1}()\n", 2500, "procedure p2500():\n    n = 1\n")
    ),
    "50 asking procedures in a chain": Case(
        FINE,
        chain(
            RUN, lambda i: f"procedure p{i}():\n    n = 2\n    p{i + 1}()\n    n = 3\n", 50,
            "procedure p50():\n    for p in Player:\n        choose x in 1 .. 3 by p as pick\n        n = x\n",
        ),
    ),
    "1,000 cells in a chain": Case(
        "RW0836", body("for p in Player:", "    n = r0.f(p)"),
        table(*(f"r{i}: {{f: 'r{i + 1}.f(me)'}}" for i in range(1000)), "r1000: {f: '3'}", head="columns: {f: 'function(me: Player) -> 0..9'}\n"),
    ),
    # how deep is too deep hangs on how deep the caller stands: it is built, or told
    "deep expressions in deep functions": Case(
        f"{FINE}|RW0836",
        chain(CALL, lambda i: f"function f{i}(k: 0..9) -> int = {'(' * 55}f{i + 1}(k){' + n)' * 55}\n", 29, "function f29(k: 0..9) -> int = n + k\n"),
    ),
    "hooks in a circle": Case(
        "RW0826",
        N + "open procedure a():\n    n = 1\nopen procedure b():\n    n = 2\nafter a(): b()\nafter b(): a()\n"
        "procedure play():\n    a()\n" + END,
    ),
    "500 hooks": Case(
        FINE, N + "open function f0(k: 0..9) -> int:\n    return k\n" + "on f0(k): result + 1\n" * 500 + CALL + END
    ),
    "150 hooks that ask": Case(
        FINE,
        "state:\n    n: 0..9\n    b: map Player to set of T\nopen procedure go(p: Player):\n    n = 1\nprocedure play():\n"
        "    for p in Player:\n        b[p] = T\n        go(p)\nprocedure ask(p: Player):\n    choose x in 1 .. 3 by p as pick\n    n = x\n" + END,
        table(*(f"r{i}: {{h: 'after go(me): ask(me)'}}" for i in range(150)), head="columns: {h: 'hook(me: Player) when this in b[me]'}\n"),
    ),
    # work at build time
    "a constant function of 10^8 steps": Case("in play RW1002", N + SLOW.format("f") + "procedure play():\n    n = clamp(f(n, n), 0, 9)\n" + END),
    "first values of 10^8 steps": Case(
        "RW0641", "state:\n" + "".join(f"    n{i}: 0..9 = f(1, 1)\n" for i in range(100)) + SLOW.format("f") + PLAY + END
    ),
    "100 constant functions of 10^8 steps": Case(
        "RW0835",
        N + "".join(SLOW.format(f"f{i}") for i in range(100)) + "procedure play():\n"
        + "".join(f"    n = clamp(f{i}(n, n), 0, 9)\n" for i in range(100)) + END,
    ),
    "walks on a dense graph": Case(
        "RW0650", "state:\n    at: T\n    s: set of T\nprocedure play():\n    s = walks(at, 9)\n" + END, DENSE
    ),
    "short walks on a dense graph": Case(
        FINE, "state:\n    at: T\n    s: set of T\nprocedure play():\n    s = walks(at, 2)\n" + END, DENSE
    ),
    "distances between 992 members": Case(
        "RW0650", "state:\n    at: T\nprocedure play():\n    if distance(at, r1c1) > 3: at = r1c1\n" + END,
        {"t.yaml": "table: T\ngrid: {columns: 31, rows: 32}\n"},
    ),
    "distances between 400 members": Case(
        FINE, "state:\n    at: T\nprocedure play():\n    if distance(at, r1c1) > 3: at = r1c1\n" + END,
        {"t.yaml": "table: T\ngrid: {columns: 20, rows: 20}\n"},
    ),
    "a joint choice of 40": Case(
        "RW0835",
        body(
            "for p in Player:", "    choose " + ", ".join(f"a{i} in 1 .. 9" for i in range(40)) + " by p as pick",
            "        where " + " and ".join(f"a{i} != a{i + 1}" for i in range(39)), "    n = a0",
        ),
    ),
    "secrets in loops in loops": Case(
        "in play RW1002",
        "state:\n    s: 0..9 hidden\nprocedure play():\n" + "".join(f"    var x{i}: 0..9 = 0\n" for i in range(40))
        + "".join("    " * (i + 1) + f"while x{i} < 3:\n" for i in range(8))
        + "".join("    " * 9 + f"x{i} = x{i + 1}\n" for i in range(39)) + "    " * 9 + "x39 = s\n" + "    " * 9 + "x0 = 4\n" + END,
    ),
}  # fmt: skip


def prepared(case: Case, root: Path) -> Path:
    folder = root / "tiny"
    folder.mkdir()
    files: dict[str, str | bytes] = {"game.yaml": GAME}
    if case.rules is not None:
        files["play.rules"] = case.rules
    for name, text in (files | case.files).items():
        data = text if isinstance(text, bytes) else text.encode()
        (folder / name).write_bytes(data)
    if case.prepare is not None:
        case.prepare(folder)
    return folder


def ended(folder: Path) -> tuple[str, list[Problem], int]:
    """How a spec ends, the errors it has, and the steps until it was built."""
    count = Steps(0)
    try:
        with at_most(STEPS) as count:
            spec = read_spec(folder, "tiny")
            problems = check_spec(spec)
            if problems.has_errors:
                raise SpecError(problems, spec.sources)
            game = game_of(spec, 2)
        for flavour in (game, game.full):
            play(flavour)
    except SpecError as error:
        assert str(error)
        found = error.problems.errors
        code = found[-1].code if found[-1].code == "RW0199" else found[0].code
        return code, found, count.done
    except RulewrightError as error:
        return f"in play {getattr(error, 'code', '')}", [], count.done
    return FINE, [], count.done


def play(game: Game) -> None:
    state = game.new_initial_state(1)
    choose = random.Random(1)
    for _ in range(10):
        if not state.is_terminal():
            state.apply_action(choose.choice(state.legal_actions()))


def megabytes() -> int:
    """The most that this process has used so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _child(folder: Path, answer: Connection) -> None:
    before = megabytes()
    # an end to what has none, and calls nothing
    resource.setrlimit(resource.RLIMIT_CPU, (300, 310))
    result: tuple[Any, ...]
    try:
        end, errors, steps = ended(folder)
        places = [(p.code, f"{p.span.file}:{p.span.line}:") for p in errors]
        result = (end, places, steps, "")
    except BaseException:
        result = ("crash", [], 0, traceback.format_exc(limit=-8))
    answer.send((*result, megabytes() - before))
    answer.close()


# these take several seconds each; others of their kinds are looked at in every run
DEAR = (
    "constants that double",
    "3,000 functions in a chain",
    "a constant function of 10^8 steps",
    "2,500 procedures in a chain",
    "100,000 rows",
    "250,000 values",
    "min of 3,000",
    "1,000 unknown names",
    "first values of 10^8 steps",
    "3,000 functions in a chain from its end",
    "1,000 elif",
    "a chain of 100 variants",
    "400 elif that ask",
    "walks on a dense graph",
)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.wide] if n in DEAR else []) for n in CASES]
)
def test_ends(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    folder = prepared(case, tmp_path)
    # a process of its own: its memory can be measured, and its end does not end the tests
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=_child, args=(folder, theirs))
    child.start()
    theirs.close()
    try:
        # it ends by itself: what it may do is bounded
        end, errors, steps, trace, memory = ours.recv()
    except EOFError:
        end, errors, steps, trace, memory = "died", [], 0, "", 0
    finally:
        child.kill()
        child.join()
    assert end in case.end.split("|"), trace or errors[:3]
    assert 0 < steps < STEPS
    assert memory < MEGABYTES
    if end.startswith("RW"):
        assert all(place.startswith("tiny") or code == "RW0199" for code, place in errors)
        assert errors[0][1].startswith(case.where)


def test_options_of_the_wrong_sort(tmp_path: Path) -> None:
    """Options come from those who load a game: mistakes in them are told like those in a spec."""
    options = "options: {first: {type: Player, default: 0, about: Who begins.}, fast: {type: bool, default: true, about: A short game.}}\n"
    rules = body("if fast and first == first.next: n = 1")
    spec = read_spec(prepared(Case(FINE, rules, {"game.yaml": GAME + options}), tmp_path), "tiny")
    assert [p.message for p in check_spec(spec).errors] == []
    for wrong, code, word in (
        ({"frist": 0}, "RW0420", "did you mean 'first'?"),
        ({"first": 7}, "RW0421", "7 is no value for the option 'first'"),
        ({"fast": "yes"}, "RW0421", "'yes' is no value for the option 'fast'"),
    ):
        with pytest.raises(SpecError) as error:
            check_ruleset(spec, 2, (), wrong)
        assert [p.code for p in error.value.problems] == [code]
        assert word in str(error.value)
