"""docs/editing.md: each change it shows is made in a copy of the spec, which then compiles and plays differently."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from common import copy_of, walk
from doc_blocks import blocks

import rulewright
from rulewright.compiler.build import check_spec, read_spec
from rulewright.compiler.text.diagnostics import render_all
from rulewright.engines import SPECS, game_of
from rulewright.runtime.game import Game
from rulewright.runtime.load import placed

PAGE = Path(__file__).parent.parent / "docs" / "editing.md"
Edit = tuple[str, str, str]
Json = dict[str, Any]


@cache
def edits() -> dict[str, list[Edit]]:
    """By heading: file, text before, text after. A block `in FILE` is followed by one that says what it becomes."""
    out: dict[str, list[Edit]] = {}
    waiting: tuple[str, str] | None = None
    for block in blocks(PAGE):
        if block.lang != "yaml":
            continue
        if block.words == ("becomes",):
            assert waiting is not None, f"{block.where}: what becomes this?"
            out.setdefault(block.section, []).append((*waiting, block.text))
            waiting = None
        else:
            assert waiting is None and block.words[0] == "in", block.where
            waiting = (block.words[1], block.text)
    assert waiting is None
    return out


def change(folder: Path, file: str, before: str, after: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{file} holds {text.count(before)} times:\n{before}"
    (folder / file).write_text(text.replace(before, after), encoding="utf-8")


def edited(heading: str, folder: Path) -> Path:
    """A copy of the spec with the changes under a heading; it has no mistakes in any ruleset."""
    copy = copy_of("yspahan", folder)
    for edit in edits()[heading]:
        change(copy, *edit)
    spec = read_spec(copy, "my-yspahan")
    problems = check_spec(spec)
    assert not problems.has_errors, render_all(problems.errors, spec.sources)
    return copy


def game_in(path: Path, players: int) -> Game:
    """The game in the full flavour, which can ask a decision again in a changed position."""
    return rulewright.compile(path, players).full


# ---------------------------------------------------------------- playing


def put(game: Game, state: Any, **position: Any) -> Any:
    """The state with parts of its position changed, and the pending decision asked anew."""
    data = state.to_dict()
    for name, value in position.items():
        where = data["zones"] if name in data["zones"] else data["state"]
        if isinstance(value, dict):
            where[name].update({str(k): v for k, v in value.items()})
        else:
            where[name] = value
    changed = placed(game, data)
    game.module.follow(changed, game.module.reopen(changed))
    return changed


def decide(state: Any, **choices: object) -> Any:
    """Carry out decisions by name, each as it comes up."""
    for label, value in choices.items():
        action = state.action_from_dict({"choice": label, "value": value})
        state.apply_action(action)
    return state


QUIET: Json = {
    "yellow_dice": 0, "dice_action": "card", "play_card": "done", "build": "nothing", "protect": "camel",
}  # fmt: skip


def go_on(state: Any, until: Callable[[Any], bool], **wishes: object) -> Any:
    """Play on, taking cards and building nothing unless something else is wished, until something is so."""
    for _ in range(2000):
        if state.is_terminal() or until(state):
            return state
        legal = {
            (d["choice"], d["value"]): a
            for a in state.legal_actions()
            for d in [state.action_to_dict(a)]
        }
        label = next(iter(legal))[0]
        wish = {**QUIET, **wishes}.get(label)
        state.apply_action(legal.get((label, wish), next(iter(legal.values()))))
    raise AssertionError("it never came to that")


def asked(label: str) -> Callable[[Any], bool]:
    return lambda state: state.to_dict()["at"].get("choice") == label


def options(state: Any) -> list[Any]:
    return [state.action_to_dict(a)["value"] for a in state.legal_actions()]


def new_week(state: Any) -> bool:
    return bool(state.to_dict()["state"]["week_marker"] == 2)


def last_day(game: Game, **position: Any) -> Any:
    """The first decision on the tower of the last day of the first week."""
    state = put(game, game.new_initial_state(1), day_marker=game_days(game), **position)
    return go_on(state, asked("take_group"))


def game_days(game: Game) -> int:
    """How many days there are in a week, seen in play."""
    seen = set()
    state = game.new_initial_state(1)
    for _ in walk(state, 1):
        seen.add(state.to_dict()["state"]["day_marker"])
    return max(seen)


# ---------------------------------------------------------------- each change


def test_another_value_for_a_souk(tmp_path: Path) -> None:
    shops = [f"vase.orange.{i}" for i in range(3)]
    worth = []
    for path in (SPECS / "yspahan", edited("Another value for a souk", tmp_path)):
        state = last_day(game_in(path, 4), cubes={0: shops})
        assert go_on(state, new_week).score_breakdown()[0]["souks"] == state.scores()[0]
        worth.append(state.scores()[0])
    assert worth == [12, 15]


def test_a_new_souk(tmp_path: Path) -> None:
    game = game_in(edited("A new souk, with shops and a link to the road", tmp_path), 3)
    # its shops are filled by dice on the square of its neighbourhood
    state = go_on(game.new_initial_state(1), asked("take_group"))
    state = put(game, state, white_on={"chest": 2}, value_on={"chest": 5}, supervisor="centre")
    owner = state.current_player()
    decide(state, take_group="chest", dice_action="main")
    assert {"chest.green.0", "chest.green.1"} < set(options(state))
    decide(state, place_cube="chest.green.0")
    # the second cube finishes the souk; there is no other shop for it, so nobody is asked
    assert state.to_dict()["state"]["cubes"][str(owner)] == ["chest.green.0", "chest.green.1"]
    # the road leads there, and a good is sent from the shop that the square faces
    other = go_on(state.clone(), asked("take_group"))
    other = put(game, other, white_on={"sack": 1}, value_on={"sack": 5}, gold={1: 0})
    decide(other, take_group="sack", dice_action="supervisor")
    assert "n5" in options(other)
    decide(other, supervisor_to="n5")
    data = other.to_dict()["state"]
    assert data["cubes"][str(owner)] == ["chest.green.1"]
    assert sum(len(cubes) for cubes in data["caravan"].values()) == 1
    # and it scores when the week ends
    state = put(game, state, day_marker=7)
    assert go_on(state, new_week).score_breakdown()[owner]["souks"] == 5


def test_other_prices(tmp_path: Path) -> None:
    game = game_in(edited("Other prices", tmp_path), 4)
    state = go_on(game.new_initial_state(1), asked("take_group"))
    seat = state.current_player()
    state = put(game, state, camels={seat: 3}, gold={seat: 2})
    go_on(state, asked("build"))
    assert "hoist" in options(state) and "bazaar" not in options(state)
    decide(state, build="hoist")
    data = state.to_dict()["state"]
    assert data["built"][str(seat)] == ["hoist"]
    assert (data["camels"][str(seat)], data["gold"][str(seat)]) == (0, 0)


def test_a_card_whenever_gold_is_taken(tmp_path: Path) -> None:
    game = game_in(edited("Another power: a card whenever gold is taken", tmp_path), 3)
    for built, cards in ((["shop"], 1), ([], 0)):
        state = go_on(game.new_initial_state(1), asked("take_group"))
        seat = state.current_player()
        state = put(
            game, state, built={seat: built}, gold={seat: 0}, white_on={"gold": 3}, value_on={"gold": 6},
            yellow_on={"gold": 0},
        )  # fmt: skip
        decide(state, take_group="gold", dice_action="main")
        data = state.to_dict()
        assert data["state"]["gold"][str(seat)] == 3
        assert sum(data["zones"]["hand"][str(seat)].values()) == cards


def test_a_new_card(tmp_path: Path) -> None:
    game = game_in(edited("A new card, made of what other cards do", tmp_path), 4)
    state = game.new_initial_state(1)
    deck = dict(state.to_dict()["zones"]["deck"])
    assert sum(deck.values()) == 20 and deck["travelling_merchant"] == 2
    hand = {"travelling_merchant": 1, "gold_3": 1}
    state = put(game, state, gold={0: 0}, hand={0: hand})
    go_on(state, asked("play_card"))
    assert options(state) == ["gold_3", "travelling_merchant", "done"]
    decide(state, play_card="travelling_merchant")
    data = state.to_dict()
    assert data["state"]["camels"]["0"] == 2 and data["state"]["gold"]["0"] == 1
    assert data["state"]["caravan"]["0"] == ["line1_camel1"]
    assert data["zones"]["discard"] == {"travelling_merchant": 1}
    assert state.scores()[0] == 2


def test_five_days_a_week(tmp_path: Path) -> None:
    game = game_in(edited("Five days a week", tmp_path), 3)
    assert game_days(game) == 5
    days = set()
    state = game.new_initial_state(2)
    for _ in walk(state, 2):
        now = state.to_dict()["state"]
        days.add((now["week_marker"], now["day_marker"]))
    assert days == {(week, day) for week in (1, 2, 3) for day in (1, 2, 3, 4, 5)}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ten_white_dice(tmp_path: Path, players: int) -> None:
    game = game_in(edited("Ten white dice", tmp_path), players)
    state = go_on(game.new_initial_state(1), asked("take_group"))
    assert sum(state.to_dict()["state"]["white_on"].values()) == 10


@pytest.mark.parametrize(("players", "camels"), [(2, 8), (3, 12), (4, 16)])
def test_another_caravan(tmp_path: Path, players: int, camels: int) -> None:
    game = game_in(edited("Another caravan", tmp_path), players)
    names = game.info["kinds"]["CaravanCamel"]["members"]
    assert len(names) == camels
    # all camels but the last two are loaded, and the supervisor comes to a cube of the first player
    state = go_on(game.new_initial_state(1), asked("take_group"))
    seat = state.current_player()
    state = put(
        game, state, caravan={seat: names[:-2]}, cubes={seat: ["vase.blue.0"]}, supervisor="centre",
        white_on={"sack": 1}, value_on={"sack": 1},
    )  # fmt: skip
    decide(state, take_group="sack", dice_action="supervisor", supervisor_to="n1")
    assert state.score_breakdown()[seat]["loading"] == 3
    assert state.to_dict()["state"]["caravan"][str(seat)] == names[:-1]
    # a count multiplies by the number of the farthest line
    state = put(game, state, day_marker=7)
    assert go_on(state, new_week).score_breakdown()[seat]["caravan"] == 4 * (camels - 1)


# ---------------------------------------------------------------- the page as a whole


def test_every_change_of_the_page_is_tested() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert [heading for heading in edits() if f'"{heading}"' not in text] == []
    assert len(edits()) == 8


def listed(head: str) -> list[str]:
    """The code in the first column of a table of the page."""
    text = PAGE.read_text(encoding="utf-8")
    table = text.split(f"| {head} |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


@pytest.mark.parametrize("head", ["power", "effect"])
def test_what_the_page_lists_can_be_used(head: str, tmp_path: Path) -> None:
    """All listed powers and effects at once, each in a building or card of its own, play to the end."""
    codes = listed(head)
    assert len(codes) > 10
    copy = copy_of("yspahan", tmp_path)
    file, rest = {
        "power": ("buildings.yaml", "    camels: 1\n    gold: 1\n"),
        "effect": ("cards.yaml", "    copies: 1\n"),
    }[head]
    rows = "".join(
        f'  own_{i}:\n{rest}    {head}: "{code}"\n    assumed: listed\n'
        for i, code in enumerate(codes)
    )
    text = (copy / file).read_text(encoding="utf-8")
    (copy / file).write_text(text + rows, encoding="utf-8")
    game = game_of(read_spec(copy, "my-yspahan"), 3)
    for seed in range(10):
        assert game.full.random_playout(game.full.new_initial_state(seed), seed).is_terminal()
