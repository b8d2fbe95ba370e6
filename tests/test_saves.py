"""Saved states are not trusted: what the rules do not know is refused by one error, quickly; what they know is let in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mutated
import pytest
from common import all_rulesets, each_ruleset, game, reach, ruleset_name, same, walk

import rulewright.runtime.load
from rulewright.cache import folder
from rulewright.compiler.build import fingerprint
from rulewright.engines import SPECS
from rulewright.runtime.errors import SaveError
from rulewright.runtime.given import Reading
from rulewright.runtime.hashes import hash_of
from rulewright.runtime.load import load, placed

Json = dict[str, Any]
YSPAHAN = ("yspahan", 4, ())
YS = ("ys", 4, ())


def saved(ruleset: Any, decisions: int = 40, seed: int = 3, full: bool = False) -> tuple[Any, Json]:
    engine = game(*ruleset).full if full else game(*ruleset)
    state, _ = reach(engine, seed, decisions)
    return engine, json.loads(json.dumps(state.to_dict()))


def refused(engine: Any, data: Any, *words: str) -> None:
    with pytest.raises(SaveError) as caught:
        engine.from_dict(data)
    for word in words:
        assert word in str(caught.value), str(caught.value)


@each_ruleset
def test_what_play_reaches_is_let_in(ruleset: Any) -> None:
    """In both flavours, across flavours, at chance and at the end; the options are those that the engine had."""
    fast = game(*ruleset)
    for engine, chance in ((fast, "sampled"), (fast.full, "explicit")):
        state = engine.new_initial_state(5, chance)
        for number, _ in enumerate(walk(state, 5)):
            if number % 23 == 0:
                data = json.loads(json.dumps(state.to_dict()))
                again = engine.from_dict(data)
                assert same(again, state) and again.to_dict() == data
                if state.who >= 0:
                    other = fast.full if engine is fast else fast
                    assert other.from_dict(data).legal_actions() == state.legal_actions()
        assert same(engine.from_dict(state.to_dict()), state)


@pytest.mark.parametrize("ruleset", all_rulesets("ys")[::3], ids=ruleset_name)
def test_what_is_dealt_from_a_view_is_let_in(ruleset: Any) -> None:
    engine = game(*ruleset)
    state, _ = reach(engine, 4, 60)
    for seat in range(engine.num_players()):
        dealt = state.view(seat).determinize(seat)
        assert same(engine.from_dict(dealt.to_dict()), dealt)


@pytest.mark.parametrize(
    ("where", "value", "words"),
    [
        (("state", "week_marker"), 10**6, ("state.week_marker", "1000000 is outside")),
        (("state", "week_marker"), True, ("true is not a whole number",)),
        (("state", "week_marker"), 1.0, ("1.0 is not a whole number",)),
        (("state", "week_marker"), 10**5000, ("very many digits",)),
        (("state", "camels", "0"), None, ("state.camels.0",)),
        (("state", "camels"), {"0": 1}, ("state.camels", "is missing")),
        (("state", "nothing"), 1, ("there is nothing called 'nothing'",)),
        (("zones", "deck", "camel_3"), 3_000_000, ("zones.deck",)),
        (("players",), 10**9, ("players",)),
        (("variants",), [5], ("variants",)),
        (("rng",), "-1", ("rng",)),
        (("rng",), "0", ("rng", "outside")),
        (("rng",), "9" * 5000, ("rng",)),
        (("at", "pc"), 10**18, ("at.pc", "no stop number")),
        (("at", "who"), 3, ("at",)),
        (("at", "options"), "-1", ("options",)),
        (("at", "locals"), [], ("local", "is missing")),
        (("at", "returns"), [1], ("at.returns",)),
        (("breakdown",), [], ("breakdown",)),
        (("pieces",), [], ("pieces", "is not a mapping")),
    ],
    ids=[str(n) for n in range(20)],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(
    where: tuple[str, ...], value: Any, words: tuple[str, ...]
) -> None:
    engine, data = saved(YSPAHAN)
    inner = data
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = value
    if where == ("at", "who"):
        inner["who"] = (engine.from_dict(saved(YSPAHAN)[1]).who + 1) % 4
    refused(engine, data, *words)


@pytest.mark.parametrize("data", [None, 5, [], {}, "x", {"ruleset": 1, "at": 2}])
def test_what_is_no_save_at_all(data: Any) -> None:
    refused(game(*YSPAHAN), data)


def test_pieces_are_neither_lost_nor_made() -> None:
    engine, data = saved(YSPAHAN)
    kind, n = next(iter(data["zones"]["deck"].items()))
    data["zones"]["deck"][kind] = n - 1
    refused(engine, data, "but there are")


def test_a_piece_number_that_there_is_not_takes_no_memory() -> None:
    engine, data = saved(YS, 60)
    (name,) = data["pieces"]
    handle = next(iter(data["pieces"][name]))
    data["pieces"][name][str(10**18)] = data["pieces"][name].pop(handle)
    refused(engine, data, "there is nothing called")


def test_points_are_the_sum_of_their_reasons() -> None:
    engine, data = saved(YSPAHAN, 150)
    data["breakdown"][0] += 1
    refused(engine, data, "by reason", "the score is")


def test_options_are_worked_out_and_not_read() -> None:
    engine, data = saved(YSPAHAN)
    right = engine.from_dict(data).opts
    del data["at"]["options"]
    assert engine.from_dict(data).opts == right
    data["at"]["options"] = str(right ^ 1)
    refused(engine, data, "not the options that the rules give")


def test_an_invariant_must_hold(tmp_path: Path) -> None:
    """And a decision at which nobody would be asked is none to stand at."""
    (tmp_path / "game.yaml").write_text(
        "game: small\nplayers: [2]\nseats: [A, B]\n", encoding="utf-8"
    )
    (tmp_path / "small.rules").write_text(
        "state:\n    n: 0..9 = 1\n    top: 0..9 = 9\n"
        "invariant odd: n % 2 == 1\n"
        "procedure play():\n    loop:\n        for p in Player:\n            turn(p)\n            other(p)\n"
        "        if n == 9: return\n"
        "procedure turn(p: Player):\n    ask(p)\n"
        "procedure other(p: Player):\n    ask(p)\n"
        "procedure ask(p: Player):\n"
        "    choose k in 0 .. 9 by p as step\n        where k % 2 == 0\n        where k <= top\n"
        "    if n + k <= 9: n += k\n"
        "outcome p in Player by n\n",
        encoding="utf-8",
    )  # fmt: skip
    engine = rulewright.compile(tmp_path, 2)
    data = json.loads(json.dumps(engine.new_initial_state(1).to_dict()))
    assert engine.from_dict(data).legal_actions() == (0, 2, 4, 6, 8)
    less = {**data, "at": {k: v for k, v in data["at"].items() if k != "options"}}
    # another value of the state gives other options
    assert engine.from_dict({**less, "state": {**less["state"], "top": 5}}).legal_actions() == (0, 2, 4)  # fmt: skip
    refused(engine, {**less, "state": {**less["state"], "n": 2}}, "the invariant odd")
    refused(engine, {**less, "state": {**less["state"], "top": 1}}, "one option only")
    # where the rules return to must be a place that runs this
    (back,) = {tuple(data["at"]["returns"])}
    callers = [pc for points in engine.info["callers"].values() for pc in points]
    assert back and all(pc in callers for pc in back)
    for pc in range(40):
        at = {**less["at"], "returns": [pc, *back[1:]]}
        if pc in engine.info["callers"]["ask"]:
            assert engine.from_dict({**less, "at": at}).who == 0
        else:
            refused(engine, {**less, "at": at}, "at.returns")


def test_a_state_at_chance_is_loaded_by_the_flavour_that_stops_there() -> None:
    fast = game(*YSPAHAN)
    state = fast.full.new_initial_state(1, "explicit")
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    data = state.to_dict()
    assert fast.full.from_dict(data).chance_outcomes() == state.chance_outcomes()
    refused(fast, data, "game.full")
    refused(fast.full, {**data, "chance": {**data["chance"], "explicit": False}}, "from outside")


def test_a_position_set_up_by_hand_may_break_what_play_keeps() -> None:
    engine, data = saved(YSPAHAN, full=True)
    data["zones"]["deck"] = {}
    refused(engine, data)
    assert placed(engine, data).to_dict()["zones"]["deck"] == {}


def test_reading_takes_as_much_work_as_the_rules_are_large() -> None:
    engine, data = saved(YSPAHAN)
    real = Reading("", SaveError)
    load(engine, data, real)
    data["state"] = {str(n): n for n in range(100_000)}
    data["at"]["locals"] = [[n, "x", 0] for n in range(100_000)]
    data["zones"]["deck"] = {str(n): 1 for n in range(100_000)}
    for _ in range(3):
        large = Reading("", SaveError)
        with pytest.raises(SaveError):
            load(engine, data, large)
        assert large.steps <= real.steps
        # one after another is put right
        fresh = saved(YSPAHAN)[1]
        if len(data["state"]) > 1000:
            data["state"] = fresh["state"]
        elif len(data["zones"]["deck"]) > 1000:
            data["zones"] = fresh["zones"]


def test_a_sample_of_broken_saves_and_headers() -> None:
    found = mutated.run(400, 20)
    assert found["save refused"] > 100 and found["save accepted"] > 5
    assert found["header refused"] > 20 and found["row refused"] > 5


@pytest.mark.soak
def test_twenty_thousand_broken_saves_and_headers() -> None:
    """A run that was broken off goes on where it was, if specs, the compiler and the runtime are the same still."""
    games = sorted({r[0] for r in mutated.RULESETS})
    runtime = Path(rulewright.runtime.load.__file__).parent
    own = [Path(mutated.__file__), *sorted(runtime.glob("*.py"))]
    key = hash_of([*(fingerprint(SPECS / g) for g in games), *(f.read_bytes() for f in own)])
    record = folder("soak") / f"mutated-{key}.json"
    found = mutated.run(20_000, 1, record)
    assert found.total() == 20_000 and found["save refused"] > 8000
