"""Playthroughs: a whole random game of every ruleset, told from an all-seeing seat, as it was when last looked at.

`UPDATE_GOLDEN=1 pytest tests/test_playthroughs.py` writes them anew. Read what has changed before you commit it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common import Ruleset, all_rulesets, each_ruleset, game, ruleset_name

from rulewright.engines import SPECS
from rulewright.runtime import api
from rulewright.runtime.game import Game
from rulewright.simulate.clock import Clock

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 28  # one whose games are neither very short nor very long
MOST_OPTIONS = 8
MOST_BYTES = 60_000


def told(ruleset: Ruleset, engine: Game | None = None) -> str:
    """The game as the full flavour tells it; another engine has no story to tell, so its lines are left out."""
    name, _, variants = ruleset
    if engine is None:
        engine = game(*ruleset).full
    with_them = f", with {' and '.join(variants)}" if variants else ""
    head = [
        f"{engine.info['title']}, {engine.num_players()} players{with_them}. A random game, seed {SEED}.",
        "Who decides what: the options -> what was chosen; below it what came of it.",
    ]
    return "\n".join([*head, *_course(engine, Clock.of(SPECS / name, engine)), ""])


def _course(engine: Game, clock: Clock) -> Iterator[str]:
    """The lines of one game."""
    dice = random.Random(SEED)
    full = engine.info["full"]
    state = engine.new_initial_state(SEED, chance="explicit" if full else "sampled")
    read = decisions = 0
    step: tuple[int, ...] = ()
    while True:
        while state.is_chance_node():
            state.apply_action(api.sample(state))
        if full:
            yield from (f"   {line}" for line in _story(engine, state, read))
            read = len(state.story)
        if clock.step(state, decisions) != step:
            step = clock.step(state, decisions)
            yield _time(engine, state, clock, step)
        if state.is_terminal():
            break
        decisions += 1
        legal = state.legal_actions()
        action = dice.choice(legal)
        yield f"{decisions}. {_question(engine, state, legal)} -> {_word(engine, state, action)}"
        state.apply_action(action)
    yield f"The end after {decisions} decisions."
    participants = engine.info["participants"]
    ranks = state.ranking()
    for who in sorted(range(len(ranks)), key=lambda i: (ranks[i], i)):
        points = {r: n for r, n in state.score_breakdown()[who].items() if n}
        reasons = ", ".join(f"{r} {n}" for r, n in points.items())
        place = f"{ranks[who]}. " if ranks[who] else ""
        yield f"{place}{participants[who]}: {state.scores()[who]}" + (
            f" ({reasons})" if reasons else ""
        )


def _time(engine: Game, state: Any, clock: Clock, step: tuple[int, ...]) -> str:
    """A line for the point reached in the game, with the scores."""
    names = {v["field"]: v["name"].replace("_", " ") for v in engine.info["state"]}
    fields = [(names[f], n) for f, n in zip(clock.steps, step, strict=False)]
    point = ", ".join(f"{name} {n}" for name, n in fields) or "after a while"
    people = zip(engine.info["participants"], state.scores(), strict=False)
    return f"== {point}: " + ", ".join(f"{who} {n}" for who, n in people)


def _story(engine: Game, state: Any, since: int) -> list[str]:
    """The new lines of the story as those who know most hear them; lines that differ in their last word are one."""
    out: list[str] = []
    head, text_before, times = "", "", 1
    for viewer, text in state.story[since:]:
        if viewer < -1:
            continue
        if viewer >= 0 and not text.startswith(engine.info["seats"][viewer]):
            text = f"{engine.info['seats'][viewer]}: {text}"
        words, _, last = text.rpartition(" ")
        if text == text_before and not last.isdigit():
            times += 1
            out[-1] = f"{text} ({times} times)"
        elif out and words and words == head and times == 1:
            out[-1] += f", {last}"
        else:
            out.append(text)
            times = 1
        head, text_before = words, text
    return out


def _question(engine: Game, state: Any, legal: list[int]) -> str:
    label = engine.info["choices"][str(state.pc)]["label"].replace("_", " ")
    words = [_word(engine, state, a) for a in legal[:MOST_OPTIONS]]
    if len(legal) > MOST_OPTIONS:
        words.append(f"… ({len(legal)})")
    return f"{engine.info['seats'][state.current_player()]}, {label}: {', '.join(words)}"


def _word(engine: Game, state: Any, action: int) -> str:
    """An option in a word or two."""
    choice = engine.info["choices"][str(state.pc)]
    index = action - choice["offset"]
    if choice["otherwise"] is not None and index == choice["size"] - 1:
        return str(choice["otherwise"])
    return engine.values.text(choice["element"], index + engine.values.low(choice["element"]))


# ---------------------------------------------------------------- the tests


@each_ruleset
def test_the_game_goes_as_it_did(ruleset: Ruleset) -> None:
    path = FOLDER / f"{ruleset_name(ruleset)}.txt"
    now = told(ruleset)
    assert len(now.encode()) < MOST_BYTES
    if os.environ.get("UPDATE_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(now, encoding="utf-8")
    assert path.is_file(), "there is no playthrough of this ruleset; write it with UPDATE_GOLDEN=1"
    assert path.read_text(encoding="utf-8").splitlines() == now.splitlines()


@each_ruleset
def test_the_fast_flavour_goes_the_same_way(ruleset: Ruleset) -> None:
    check_course(ruleset, game(*ruleset))


def check_course(ruleset: Ruleset, engine: Game) -> None:
    """Every option, decision, score and the end are as in the playthrough, whatever engine plays it."""
    path = FOLDER / f"{ruleset_name(ruleset)}.txt"
    known = path.read_text(encoding="utf-8").splitlines()
    assert [x for x in known if not x.startswith("   ")] == told(ruleset, engine).splitlines()


def test_none_is_missing_or_superfluous() -> None:
    there = {path.stem for path in FOLDER.iterdir()}
    assert there == {ruleset_name(r) for r in all_rulesets()}
