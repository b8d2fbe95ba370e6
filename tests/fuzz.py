"""Specs broken at random → what reading, checking, building and playing make of them, which must never be a crash.

python -m tests.fuzz --cases 100000 --seed 1 --jobs 2 runs for as long as it takes and prints what it found;
a case is known by its seed and number, so that `--only N` runs it again and `--keep DIR` writes it down. With `--state FILE` a run
that was stopped goes on where it was, unless the compiler has changed since.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import multiprocessing
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.compiler.build import Spec, build, check_spec, read_spec
from rulewright.compiler.read.overlay import rulesets
from rulewright.compiler.rules.build_expressions import RESERVED
from rulewright.compiler.text.diagnostics import Problems, SpecError, render_all, to_json
from rulewright.engines import game_of, module_of
from rulewright.runtime.errors import EngineError, RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.hashes import hash_of
from rulewright.workers import begin

try:
    from name_sweep import hostile_names
except ImportError:  # as a module of the folder: python -m tests.fuzz
    from tests.name_sweep import hostile_names

ROOT = Path(__file__).parents[1]
SECONDS = 20  # of processor time for one case
DECISIONS = 200  # of a game that still builds
Files = dict[str, str]


class TooSlow(BaseException):
    """A case took more than its time; nothing in the compiler may catch it."""


# ---------------------------------------------------------------- specs to break


def spec_files(folder: Path) -> Files:
    """The texts of a spec that can change an engine."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".yaml", ".rules", ".csv")
        and "scenarios" not in path.parts
        and path.is_file()
    }


def micro_specs() -> list[Files]:
    return [spec_files(path.parent) for path in sorted((ROOT / "tests/micro").glob("*/game.yaml"))]


def tiny_specs() -> list[Files]:
    """Mostly specs of a few lines, each with some constructs; and the tiny games and sketches."""
    games = sorted((ROOT / "tests/games").rglob("game.yaml"))
    return micro_specs() * 4 + [spec_files(path.parent) for path in games]


def real_specs() -> list[Files]:
    return [spec_files(path.parent) for path in sorted((ROOT / "spec").glob("*/game.yaml"))]


# ---------------------------------------------------------------- ways to break them

_TOKEN = re.compile(
    r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\.\.|[-+|&=!<>]=|//|\"[^\"\n]*\"|'[^'\n]*'|@\S+|[^\sA-Za-z0-9_]"
)
_WORDS = (
    "state function procedure open replace pieces of by per standing max hidden visible to owner resets at on instead "
    "before after invariant outcome heuristic let var if elif else for in where together while loop break continue "
    "return pass choose as or secretly any say others either option roll draw from deal move all revealing score "
    "require reset tell put with seen take show set map list int bool none true false not and meets within is best "
    "sort groups sum count min max abs clamp size distance walks clockwise is_player player position possible reveal "
    "Player Participant this me result kind owner value p q x turn play"
).split()
_SIGNS = "( ) [ ] { } : , . .. = == != < <= > >= + - * // % | & += -= |= &= -> @ ' \" # \\ ; ! ? $ ~ ` \t".split(
    " "
)
_NUMBERS = (
    "0",
    "1",
    "-1",
    "2",
    "9",
    "60",
    "61",
    "1000",
    "4097",
    "100001",
    "999999999",
    "9223372036854775807",
    "1e9",
    "0x10",
)
_VALUES = (
    "", "null", "yes", "[]", "{}", "''", "text", "[1, 2]", "[[1]]", "{a: 1}", "{by players: {2: 1, 3: 2}}", "all", "none",
    "true", "*x", "&x 1", "!!int 3", "2020-01-01", "0..9", "set of Player", "list of 0..9", "map Player to 0..9",
    "procedure(me: Player)", "function(me: Player) -> 0..9", "hook(me: Player) when true", "'on play(): 1'", "|\n      pass",
    ">\n   folded", "\t", "\u00e9", "\u202e", "- a", "? a",
)  # fmt: skip
_KEYS = (
    "table", "columns", "rows", "cite", "graph", "grid", "constants", "value", "type", "default", "players", "seats",
    "neutral", "reasons", "options", "absent", "clauses", "game", "title", "variant", "tables", "change", "add", "remove",
    "rules", "needs", "excludes", "automatic", "by players", "<<", "assumed", "stand-in", "about",
)  # fmt: skip


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _characters(rng: random.Random, text: str, other: str) -> str:
    i = rng.randrange(len(text) + 1)
    j = min(len(text), i + rng.choice((0, 1, 1, 2, 5, 40)))
    new = rng.choice(
        ("", text[i:j] * 2, chr(rng.choice((9, 10, 32, 34, 39, 58, 123, 233, 0x2028, 0x1F600))))
    )
    return text[:i] + new + text[j:]


def _line(rng: random.Random, text: str, other: str) -> str:
    lines, others = _lines(text), _lines(other)
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    way = rng.randrange(7)
    if way == 0:
        del lines[i]
    elif way == 1:
        lines.insert(j, lines[i])
    elif way == 2:
        lines[i], lines[j] = lines[j], lines[i]
    elif way == 3:
        lines.insert(i, rng.choice(others))
    elif way == 4:
        lines[i] = rng.choice(("    ", "  ", " ", "\t")) + lines[i]
    elif way == 5:
        lines[i] = lines[i][rng.choice((1, 2, 4)) :]
    else:
        i, j = min(i, j), max(i, j)
        k = rng.randrange(len(lines) + 1)
        lines[k:k] = lines[i : min(j, i + 30)]
    return "\n".join(lines)


def _token(rng: random.Random, text: str, other: str) -> str:
    found = list(_TOKEN.finditer(text))
    if not found:
        return text + rng.choice(_WORDS)
    spot = rng.choice(found)
    start, end = spot.span()
    way = rng.randrange(8)
    if way == 0:
        new = ""
    elif way == 1:
        new = f"{spot.group()} {spot.group()}"
    elif way == 2:
        new = rng.choice(_WORDS)
    elif way == 3:
        new = rng.choice(_SIGNS)
    elif way == 4:
        new = rng.choice(_NUMBERS)
    elif way == 5:
        new = rng.choice(found).group()
    elif way == 6:
        new = (rng.choice(list(_TOKEN.finditer(other)) or found)).group()
    else:
        second = rng.choice(found)
        if second.start() > end:
            a, b = spot.group(), second.group()
            return text[:start] + b + text[end : second.start()] + a + text[second.end() :]
        new = f"({spot.group()})"
    return text[:start] + new + text[end:]


_ENTRY = re.compile(r"^(\s*(?:- )?)([^\s:#{}\[\],]+)(: ?)(.*)$", re.MULTILINE)
_CELL = re.compile(r"([A-Za-z_.'-]+): ([^,{}\[\]\n]+)")


def _structure(rng: random.Random, text: str, other: str) -> str:
    """Keys renamed, taken away or doubled, values of another kind, levels moved; best on YAML."""
    found = list(_ENTRY.finditer(text))
    cells = list(_CELL.finditer(text))
    if cells and rng.random() < 0.4:
        spot = rng.choice(cells)
        key = (
            spot.group(1)
            if rng.random() < 0.7
            else rng.choice((*_KEYS, rng.choice(cells).group(1)))
        )
        value = rng.choice((*_VALUES, *_NUMBERS, rng.choice(cells).group(2)))
        return text[: spot.start()] + f"{key}: {value}" + text[spot.end() :]
    if not found:
        return _token(rng, text, other)
    spot = rng.choice(found)
    indent, key, colon, value = spot.groups()
    way = rng.randrange(7)
    if way == 0:
        key = rng.choice((*_KEYS, rng.choice(found).group(2)))
    elif way == 1:
        value = rng.choice((*_VALUES, *_NUMBERS))
    elif way == 2:
        value = rng.choice(found).group(4)
    elif way == 3:
        indent += "  "
    elif way == 4:
        indent = indent[2:]
    elif way == 5:
        return text[: spot.start()] + spot.group() + "\n" + text[spot.start() :]
    else:
        indent, key, colon, value = "", "", "", ""
    return text[: spot.start()] + indent + key + colon + value + text[spot.end() :]


_CLASSES = (
    r"\b[a-z][A-Za-z0-9_]*\b", r"\b[A-Z][A-Za-z0-9_]*\b", r"\b[0-9]+\b", r"[-+*|&]|//|%", r"==|!=|<=|>=|<|>",
    r"\b(?:and|or|not|in|meets|within|is)\b", r"\b(?:any|all|count|sum|min|max|best|sort|groups|size|abs)\b",
)  # fmt: skip


def _alike(rng: random.Random, text: str, other: str) -> str:
    """A word, number or sign becomes another of its class: the grammar still holds, what it means may not."""
    pattern = re.compile(rng.choice(_CLASSES))
    found = list(pattern.finditer(text))
    if not found:
        return _token(rng, text, other)
    spot = rng.choice(found)
    others = [m.group() for m in pattern.finditer(other)]
    new = rng.choice([rng.choice(found).group(), *others[:1], *rng.choices(others or [""], k=1)])
    return text[: spot.start()] + new + text[spot.end() :]


def _statement(rng: random.Random, text: str, other: str) -> str:
    """A line goes where one with the same indentation stands, so that it is still a statement."""
    lines = _lines(text)
    pool = [line for line in (*lines, *_lines(other)) if line.strip()]
    i = rng.randrange(len(lines))
    here = len(lines[i]) - len(lines[i].lstrip(" "))
    fitting = [line for line in pool if len(line) - len(line.lstrip(" ")) == here]
    if not fitting:
        return _line(rng, text, other)
    new = rng.choice(fitting)
    way = rng.randrange(3)
    lines[i : i + (way == 0)] = [new] if way else [lines[i], new][1:]
    return "\n".join(lines)


def _expression(rng: random.Random, text: str, other: str) -> str:
    """What stands in brackets, or between words, is put in place of such another."""
    pattern = re.compile(
        r"(?<=[(\[{,:=] )[^()\[\]{},:=\n@]{1,40}|[a-z_]+[\[(][^()\[\]\n]{1,40}[\])]"
    )
    found = list(pattern.finditer(text))
    if len(found) < 2:
        return _alike(rng, text, other)
    spot, new = rng.choice(found), rng.choice(found).group()
    form = rng.choice(
        (
            "{0}",
            "{0}",
            "{0}",
            "({0} if {1} else {0})",
            "({0} + {1})",
            "{{{0}}}",
            "[{0}, {1}]",
            "not ({0})",
        )
    )
    return text[: spot.start()] + form.format(new, spot.group()) + text[spot.end() :]


_WAYS: tuple[Callable[[random.Random, str, str], str], ...] = (
    _characters, _line, _token, _token, _structure, _structure,
    _alike, _alike, _alike, _alike, _statement, _statement, _expression, _expression,
)  # fmt: skip


_NAMED = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]*\b")
_KEPT = {*_WORDS, *_KEYS, *RESERVED, "score", "yaml", "text", "copies", "by", "players", "rows"}


def renamed(rng: random.Random, files: Files) -> Files:
    """Some things of a spec are called, wherever they are named, as Python, the runtime or engines call theirs."""
    own = sorted({word for text in files.values() for word in _NAMED.findall(text)} - _KEPT)
    pool = hostile_names()
    new: dict[str, str] = {}
    for word in rng.sample(own, min(len(own), rng.choice((1, 1, 2, 4, 8)))):
        name = rng.choice(pool)
        new[word] = name[0].upper() + name[1:] if word[0].isupper() else name
    return {
        file: _NAMED.sub(lambda found: new.get(found[0], found[0]), text)
        for file, text in files.items()
    }


def broken(rng: random.Random, files: Files, others: list[Files]) -> Files:
    """A copy with one to four changes, mostly in one file; in many, things have names of Python's and the runtime's own."""
    out = dict(files)
    if rng.random() < 0.5:
        out = renamed(rng, out)
        # half of these are changed in nothing else, so that most of them are played
        if rng.random() < 0.5:
            return out
    # rules are where most can go wrong
    rules = [n for n in sorted(out) if n.endswith(".rules")]
    name = rng.choice(rules if rules and rng.random() < 0.5 else sorted(out))
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        if rng.random() < 0.2:
            name = rng.choice(sorted(out))
        source = rng.choice(others)
        other = source[rng.choice(sorted(source))]
        if rng.random() < 0.02:
            out[name] = rng.choice((other, "", out[name][: rng.randrange(len(out[name]) + 1)]))
        elif rng.random() < 0.01 and len(out) > 1:
            del out[name]
            name = rng.choice(sorted(out))
        else:
            out[name] = rng.choice(_WAYS)(rng, out[name], other)
    return out


# ---------------------------------------------------------------- one case


@dataclass(slots=True)
class Found:
    """How a case ended: "read", "checked", "built" or "played" tell how far it came; else a crash or "slow"."""

    number: int
    end: str
    codes: tuple[str, ...] = ()
    trace: str = ""
    seconds: float = 0.0


def run_case(folder: Path, number: int, seed: int) -> Found:
    """Read, check, build and play a folder; whatever may not happen is caught here."""
    began = time.process_time()
    signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        end, problems = _steps(folder, random.Random(f"{seed}/{number}/play"))
        codes = tuple(sorted({p.code for p in problems}))
        found = Found(number, end, codes)
    except TooSlow:
        found = Found(number, "slow", (), traceback.format_exc(limit=-6))
    except Exception as error:
        found = Found(number, f"{type(error).__name__}", (), traceback.format_exc(limit=-6))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    found.seconds = time.process_time() - began
    return found


def _too_slow(_signal: int, _frame: object) -> None:
    raise TooSlow


def _steps(folder: Path, rng: random.Random) -> tuple[str, Problems]:
    try:
        spec = read_spec(folder, "spec")
    except SpecError as error:
        _shown(error.problems, error)
        return "read", error.problems
    problems = Problems()
    whole = rng.random() < 0.25  # else one ruleset, which is what differs least from the others
    if whole:
        problems = check_spec(spec)
        if problems.has_errors:
            _shown(problems, SpecError(problems, spec.sources))
            return "checked", problems
    players, variants = rng.choice(list(rulesets(spec.folder)))
    try:
        _play(
            (
                _full(spec, players, variants)
                if rng.random() < 0.4
                else game_of(spec, players, variants)
            ),
            rng,
        )
    except SpecError as error:
        _shown(error.problems, error)
        return ("built" if whole else "checked"), error.problems
    except RulewrightError as error:
        assert str(error)
        assert not isinstance(error, EngineError) or error.at is not None
    return "played", problems


def _full(spec: Spec, players: int, variants: tuple[str, ...]) -> Game:
    """The full flavour without the fast one, which takes as long again to build."""
    engine = build(spec, players, variants, full=True)
    return Game(module_of(engine.text, "fuzz"), engine.info)


def _shown(problems: Problems, error: SpecError) -> None:
    """A problem has a known file and a text, in each form that it can be shown in."""
    assert render_all(problems, error.sources).count("RW") >= 1
    for entry in to_json(problems):
        assert entry["message"]
        assert entry["file"] or entry["code"] == "RW0199"


def _play(game: Any, rng: random.Random) -> None:
    state = game.new_initial_state(rng.randrange(1000))
    for _ in range(DECISIONS):
        if state.is_terminal():
            state.returns()
            break
        actions = state.legal_actions()
        assert actions
        state.apply_action(rng.choice(actions))
    assert game.from_dict(state.to_dict()).to_dict() == state.to_dict()


# ---------------------------------------------------------------- many cases


@dataclass(slots=True)
class Bench:
    """A folder that holds the spec of the case being run, written anew only where it changes."""

    folder: Path
    specs: list[Files]
    seed: int
    held: Files = field(default_factory=dict)

    def files(self, number: int) -> Files:
        rng = random.Random(f"{self.seed}/{number}")
        return broken(rng, rng.choice(self.specs), self.specs)

    def write(self, files: Files) -> None:
        for name in self.held.keys() - files.keys():
            (self.folder / name).unlink()
        for name, text in files.items():
            if self.held.get(name) != text:
                path = self.folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        self.held = dict(files)

    def run(self, number: int) -> Found:
        self.write(self.files(number))
        return run_case(self.folder, number, self.seed)


def run_cases(specs: list[Files], seed: int, numbers: range) -> Iterator[Found]:
    memory = Path("/dev/shm")  # many small files, each for some milliseconds
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        bench = Bench(Path(name) / "spec", specs, seed)
        bench.folder.mkdir()
        for number in numbers:
            yield bench.run(number)


def chosen_specs(which: str) -> list[Files]:
    tiny = tiny_specs()
    if which == "tiny":
        return tiny
    # the real ones are an order of magnitude slower, so they are taken less often
    return real_specs() if which == "real" else tiny * 2 + real_specs()


def _worker(batch: tuple[str, int, int, int]) -> tuple[list[Found], int]:
    which, seed, first, last = batch
    # beyond what the process has anyway: where it has more than a limit, not even its stack can grow
    limit = _address_space() + 2 * 1024**3
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
    found = list(run_cases(chosen_specs(which), seed, range(first, last)))
    return found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@cache
def _address_space() -> int:
    """What this process had of it when it began, in bytes."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * resource.getpagesize()


def _begin() -> None:
    begin()
    # a crash of the interpreter itself tells where it was
    faulthandler.enable()
    _address_space()


FINE = ("read", "checked", "built", "played")
BATCH = 250
RENEWED = 6  # batches of each process


@dataclass(slots=True)
class Batch:
    """Some cases together: how they ended, and those that may not end so."""

    first: int
    ends: dict[str, int]
    codes: dict[str, int]
    bad: list[str]
    slowest: float
    memory: int


def run_on(
    which: str, seed: int, first: int, cases: int, jobs: int = 1, state: Path | None = None
) -> Iterator[Batch]:
    """Batches of cases, those first that the file of an earlier run holds; each is written there when it is done."""
    key = f"{which} {seed} {_version()}"
    done: dict[int, Batch] = {}
    if state is not None and state.is_file():
        for line in state.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row.pop("key") == key:
                done[row["first"]] = Batch(**row)
    last = first + cases
    todo = []
    for n in range(first, last, BATCH):
        if n in done:
            yield done[n]
        else:
            todo.append((which, seed, n, min(n + BATCH, last)))
    # Processes are renewed, so that what one case leaves in memory does not add up: all together, because a pool that renews them
    # one by one may come to stand still. They begin anew, because a copy of this one would have its threads' locks and address space.
    for start in range(0, len(todo), RENEWED * jobs):
        for batch in _together(todo[start : start + RENEWED * jobs], jobs):
            if state is not None and sum(batch.ends.values()) == BATCH:
                state.parent.mkdir(parents=True, exist_ok=True)
                with state.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, **asdict(batch)}) + "\n")
            yield batch


def _together(todo: list[tuple[str, int, int, int]], jobs: int) -> Iterator[Batch]:
    """Batches as they are done; a process that dies ends the run."""
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin) as pool:
        under_way = {pool.submit(_worker, one): one for one in todo}
        try:
            for future in as_completed(under_way):
                yield _batch(*future.result())
        except BrokenProcessPool as error:
            left = min(one[2] for future, one in under_way.items() if future.exception())
            raise RuntimeError(f"a process died in the {BATCH} cases from {left} on") from error
        finally:
            for future in under_way:
                future.cancel()


def _batch(found: list[Found], memory: int) -> Batch:
    ends, codes = Counter(c.end for c in found), Counter[str]()
    for case in found:
        codes.update(case.codes)
    bad = [f"case {c.number}: {c.end}\n{c.trace}" for c in found if c.end not in FINE]
    slowest = max((c.seconds for c in found), default=0.0)
    return Batch(found[0].number, dict(ends), dict(codes), bad, round(slowest, 2), memory)


def _version() -> str:
    """What the cases and their ends depend on."""
    folders = (ROOT / "compiler", ROOT / "runtime", ROOT / "tests/micro", ROOT / "tests/games")
    files = sorted(f for folder in folders for f in folder.rglob("*") if f.is_file())
    own = [f for f in files if f.suffix in (".py", ".lark", ".j2", ".yaml", ".rules")]
    return hash_of([*(f.read_bytes() for f in own), Path(__file__).read_bytes()])


def main() -> int:
    parser = argparse.ArgumentParser(description="Break specs at random and look for crashes.")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--specs", choices=("tiny", "real", "all"), default="all")
    parser.add_argument("--state", type=Path, help="what is done is kept here, and not done again")
    parser.add_argument("--only", type=int, help="run one case and show it")
    parser.add_argument("--keep", type=Path, help="write the spec of --only here")
    args = parser.parse_args()
    if args.only is not None:
        return _one(args)
    began, ends, codes, bad = time.monotonic(), Counter[str](), Counter[str](), []
    slowest, memory = 0.0, 0
    for done, batch in enumerate(
        run_on(args.specs, args.seed, args.first, args.cases, args.jobs, args.state), 1
    ):
        memory = max(memory, batch.memory)
        slowest = max(slowest, batch.slowest)
        ends.update(batch.ends)
        codes.update(batch.codes)
        bad += batch.bad
        for text in batch.bad:
            print(text, flush=True)
        if done % 20 == 0:
            print(f"{sum(ends.values())} cases, {time.monotonic() - began:.0f} s", flush=True)
    print(
        f"{sum(ends.values())} cases of seed {args.seed} in {time.monotonic() - began:.0f} s: {dict(ends)}"
    )
    print(f"slowest {slowest:.1f} s, at most {memory} MB, {len(codes)} different codes")
    print(f"{len(bad)} crashes or hangs")
    return 1 if bad else 0


def _one(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name) / "spec", chosen_specs(args.specs), args.seed)
        bench.folder.mkdir()
        found = bench.run(args.only)
        if args.keep is not None:
            shutil.copytree(bench.folder, args.keep, dirs_exist_ok=True)
    print(f"case {found.number}: {found.end} {' '.join(found.codes)} {found.seconds:.2f} s")
    print(found.trace)
    return 0 if found.end in FINE else 1


if __name__ == "__main__":
    sys.exit(main())
