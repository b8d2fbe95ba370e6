"""Saves and headers → thousands of broken ones, each refused by one error of our own or as good as a real one.

`python tests/mutated.py --cases 20000 --seed 1 --record FILE` goes on where the record ends. What is accepted is looked at by other
means than those that let it in: pieces are counted from the text, options come from asking each value for its reasons.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from common import Ruleset, game, reach

from rulewright.headers import json_line, replay, table
from rulewright.replay import FORMAT, ReplayError, header_of
from rulewright.runtime.errors import RulewrightError, SaveError
from rulewright.runtime.game import Game
from rulewright.runtime.given import Given, Reading
from rulewright.runtime.load import load
from rulewright.simulate.files import FileError
from rulewright.simulate.one import Player
from rulewright.simulate.plan import TABLE_FORMAT, describe, make_plan
from rulewright.simulate.table import TableWriter, read_table

Json = dict[str, Any]
# one of each game, with what is hardest to read: standing pieces, hidden state, locals, chance
RULESETS: tuple[Ruleset, ...] = (
    ("yspahan", 4, ()), ("yspahan", 2, ()), ("mykerinos", 3, ()), ("ys", 4, ("kings-favor",)),
)  # fmt: skip
_DIGITS = ("-1", "0", "00", "1e3", "٣", "", " 1", "9" * 30, "9" * 5000, "0x10", "1_0")
_ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 7, -(10**18), 10**18, 3_000_000, 10**4000, 0.5, float("nan"), float("inf"),
    "", "x", "none", "0", [], {}, [[]], [None], {"": 0}, {"0": 1}, ["x"] * 50, *_DIGITS,
)  # fmt: skip


class Broken(AssertionError):
    """Something was accepted that must not be."""


# ---------------------------------------------------------------- breaking


def _places(data: Any, into: list[tuple[Any, Any]]) -> None:
    """All (container, key) pairs of plain data."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        into.append((data, key))
        if isinstance(value, dict | list):
            _places(value, into)


def broken(data: Any, dice: random.Random) -> Any:
    """A copy with one to three changes: values exchanged, nearly right, of other types; entries left out, added, doubled."""
    out = copy.deepcopy(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        found: list[tuple[Any, Any]] = []
        _places(out, found)
        if not found:
            return dice.choice(_ODD)
        into, key = dice.choice(found)
        _change(into, key, found, dice)
    return out


def _change(into: Any, key: Any, found: list[tuple[Any, Any]], dice: random.Random) -> None:
    value = into[key]
    way = dice.randrange(9)
    if way == 0:
        into[key] = copy.deepcopy(dice.choice(_ODD))
    elif way == 1:
        other, place = dice.choice(found)
        # what stands elsewhere is of a type that occurs
        into[key] = copy.deepcopy(other[place])
    elif way == 2 and isinstance(into, dict):
        del into[key]
    elif way == 3 and isinstance(into, dict):
        into[dice.choice((f"{key}x", "0", "1", "Player", f"{key}"[1:]))] = into.pop(key)
    elif way == 4 and isinstance(into, list):
        into.insert(key, copy.deepcopy(value))
    elif way == 5 and isinstance(into, list):
        del into[key]
    elif type(value) is int:
        into[key] = value + dice.choice((-1, 1, -2, 2, 10, -value, 100))
    elif isinstance(value, str) and value.isdigit() and len(value) < 100:
        into[key] = (
            str(int(value) ^ 1 << dice.randrange(8))
            if dice.random() < 0.8
            else dice.choice(_DIGITS)
        )
    elif isinstance(value, list) and len(value) > 1:
        dice.shuffle(value)
    else:
        into[key] = copy.deepcopy(dice.choice(_ODD))


# ---------------------------------------------------------------- what must hold


def check_state(engine: Game, state: Any, saved: Json) -> None:
    """A state that was let in is one that the rules know."""
    told = state.to_dict()
    if engine.from_dict(json.loads(json.dumps(told))) != state:
        raise Broken("it is not what it is when it is saved again")
    for family in engine.info["families"]:
        _check_family(engine, told, family)
    width = max(1, len(engine.info["reasons"]))
    sums = [sum(told["breakdown"][i : i + width]) for i in range(0, len(told["breakdown"]), width)]
    if sums != list(state.score):
        raise Broken("scores are not the sums of their reasons")
    full, s = engine.full, engine.full_state(state.clone())
    if full.module.broken(s) >= 0:
        raise Broken("an invariant does not hold")
    if state.pc and state.who >= 0:
        _check_options(full, s)


def _in_all(content: Json) -> Iterator[tuple[str, int]]:
    """Kinds and numbers in a zone, or in each of those of one owner."""
    for key, inner in content.items():
        if isinstance(inner, dict):
            yield from _in_all(inner)
        else:
            yield key, inner


def _check_family(engine: Game, told: Json, family: Json) -> None:
    have: Counter[tuple[str, str]] = Counter()
    for zone in family["zones"]:
        found = told["zones"][zone["name"]]
        for owner, content in (found.items() if zone["per"] is not None else [("", found)]):
            for kind, n in _in_all(content):
                have[owner if family["per"] is not None else "", kind] += n
    if family["standing"] is not None:
        for row in told["pieces"][family["standing"]["name"]].values():
            have[str(row["owner"]) if family["per"] is not None else "", row["value"]] += 1
    wanted: Counter[tuple[str, str]] = Counter()
    for group, copies in enumerate(family["copies"]):
        owner = "" if family["per"] is None else str(engine.values.show(family["per"], group))
        for kind, n in enumerate(copies):
            wanted[owner, str(engine.values.show(family["kind"], kind))] += n
    if +have != +wanted:
        raise Broken(f"pieces of {family['name']} are lost or made")


def _check_options(full: Game, s: Any) -> None:
    """Every value that no condition rules out is an option, and nothing else is."""
    choice = full.info["choices"][str(s.pc)]
    if choice["otherwise"] is not None and not s.opts >> choice["size"] - 1 & 1:
        raise Broken("the word after `or` is missing")
    last = choice["size"] - (choice["otherwise"] is not None)
    for value in range(last):
        if bool(s.opts >> value & 1) == bool(full.module.why(s.clone(), value)):
            raise Broken(f"{choice['label']} {value} is not offered as the rules have it")
    if s.opts >> choice["size"] or not s.opts:
        raise Broken("options beyond the domain, or none")


def play_on(state: Any, dice: random.Random, most: int = 25) -> None:
    """What comes of it later ends in errors of our own at worst."""
    for _ in range(most):
        if state.is_terminal():
            return
        try:
            state.apply_action(dice.choice(state.legal_actions()))
        except RulewrightError:
            return


# ---------------------------------------------------------------- cases


@cache
def saves(ruleset: Ruleset) -> list[tuple[bool, Json, int]]:
    """Real saves in both flavours, with the steps that reading them takes."""
    out = []
    fast = game(*ruleset)
    for number, (full, chance) in enumerate(
        ((False, "sampled"), (True, "sampled"), (True, "explicit"))
    ):
        engine = fast.full if full else fast
        for decisions in (0, 3, 17, 60, 150, 10_000):
            state, _ = reach(engine, 100 * number + decisions, decisions, chance)
            data = json.loads(json.dumps(state.to_dict()))
            reading = Reading("", SaveError)
            load(engine, data, reading)
            out.append((full, data, reading.steps))
    return out


def save_case(dice: random.Random) -> str:
    ruleset = dice.choice(RULESETS)
    full, data, steps = dice.choice(saves(ruleset))
    engine = game(*ruleset).full if full else game(*ruleset)
    changed = broken(data, dice)
    reading = Reading("the saved state can't be used", SaveError)
    try:
        state = load(engine, changed, reading)
    except SaveError:
        return "save refused"
    finally:
        # as much as a real one and a little more, whatever it holds
        if reading.steps > 2 * steps + 2000:
            raise Broken(f"{reading.steps} steps, but a real one takes {steps}")
    check_state(engine, state, changed)
    play_on(state, dice)
    return "save accepted"


@cache
def headers() -> tuple[Json, Json, list[str]]:
    """The header of a real table, of a real replay, and the lines of a table."""
    plan = make_plan("yspahan", ["random"], 3, 2)
    player = Player(plan)
    meta = json.loads(json.dumps(describe(plan, player.game, "week")))
    head = header_of("yspahan", player.game, (), {}, ["random"] * 3).to_json()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        writer = TableWriter(path, meta)
        for number in range(2):
            writer.add(player.play(number))
        writer.finish()
        lines = path.read_text(encoding="utf-8").splitlines()
    return meta, head, lines


def table_header_case(dice: random.Random) -> str:
    meta = headers()[0]
    changed = broken(meta, dice)
    try:
        found = table(Given(changed, Reading("", FileError)), TABLE_FORMAT)
    except FileError:
        return "header refused"
    players = found["players"]
    if not 1 <= players <= 20 or len(found["seats"]) != players or len(found["bots"]) != players:
        raise Broken("seats and bots do not go with the player count")
    if not all(type(x) is str for x in (*found["variants"], *found["seats"], *found["bots"])):
        raise Broken("a name is no text")
    return "header accepted"


def replay_header_case(dice: random.Random) -> str:
    changed = broken(headers()[1], dice)
    try:
        line = json.dumps(changed)
        found = replay(json_line(line, "", ReplayError), FORMAT)
    except ReplayError:
        return "header refused"
    if len(found["seats"]) != found["players"]:
        raise Broken("seats do not go with the player count")
    return "header accepted"


def table_row_case(dice: random.Random) -> str:
    first, *rows = headers()[2]
    changed = broken(json.loads(rows[0]), dice)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_text(first + "\n" + json.dumps(changed) + "\n", encoding="utf-8")
        try:
            meta, found = read_table(path)
            (row,) = found
        except FileError:
            return "row refused"
    if not all(0 <= w <= 1 for w in row.wins) or len(row.scores) != meta["players"]:
        raise Broken("a row does not fit to its table")
    return "row accepted"


CASES: tuple[Callable[[random.Random], str], ...] = (
    save_case, save_case, save_case, save_case, save_case, save_case,
    table_header_case, replay_header_case, table_row_case,
)  # fmt: skip


def run_case(seed: int, number: int) -> str:
    dice = random.Random(f"{seed}/{number}")
    return dice.choice(CASES)(dice)


def run(cases: int, seed: int, record: Path | None = None) -> Counter[str]:
    """So many cases; with a record, those that it does not hold yet."""
    done = 0
    results: Counter[str] = Counter()
    if record is not None and record.is_file():
        kept = json.loads(record.read_text(encoding="utf-8"))
        if kept["seed"] == seed:
            done, results = kept["done"], Counter(kept["results"])
    for number in range(done, cases):
        try:
            results[run_case(seed, number)] += 1
        except Exception as error:
            raise AssertionError(f"case {number} of seed {seed}: {error!r}") from error
        if record is not None and (number + 1) % 100 == 0:
            record.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"seed": seed, "done": number + 1, "results": results})
            record.write_text(text, encoding="utf-8")
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    for name, n in sorted(run(given.cases, given.seed, given.record).items()):
        print(f"{name}: {n}")


if __name__ == "__main__":
    main()
