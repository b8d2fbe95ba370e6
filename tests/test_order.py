"""Zones that keep their order: as likely as with real cards, known to whom has looked, and nothing of it in a state before."""

from __future__ import annotations

import io
import itertools
import random
from collections import defaultdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from common import sampled
from rich.console import Console

import rulewright
from rulewright.play.show import Screen
from rulewright.runtime.errors import EngineError, SaveError
from rulewright.runtime.game import Game
from rulewright.scene.read_view import read_layout
from rulewright.scene.view_names import Names
from rulewright.web.board import Board

SPEC = Path(__file__).parent / "games" / "sketches" / "order"
CARDS = ("ace", "king", "queen", "jack")
# with which of two steps a player with a card in hand goes on
ASKS = {"put_back": "back", "put_second": "back_second", "plan": "planned"}


@cache
def game() -> Game:
    return rulewright.compile(SPEC, 2)


class Table:
    """Real cards: a deck in some order, and what lies elsewhere."""

    def __init__(self, deck: tuple[str, ...]) -> None:
        self.deck = list(deck)
        self.row: list[str] = []
        self.hands: list[list[str]] = [[], []]
        self.programs: list[list[str]] = [[], []]

    def copy(self, deck: tuple[str, ...] | None = None) -> Table:
        other = Table(tuple(self.deck) if deck is None else deck)
        other.row = self.row[:]
        other.hands = [hand[:] for hand in self.hands]
        other.programs = [program[:] for program in self.programs]
        return other

    def can(self, step: str, p: int) -> bool:
        deck, row, hand = len(self.deck), len(self.row), len(self.hands[p])
        return {
            "look": deck > 0, "look_second": deck > 1, "under": deck > 0, "take": deck > 0, "lay": deck > 0, "second": deck > 1,
            "put_back": hand > 0, "put_second": hand > 0 and deck > 0, "mix": deck > 1, "sweep": row > 0, "gather": row > 0,
            "find": row > 0 and deck > 0, "plan": hand > 0, "run": len(self.programs[p]) > 0,
        }[step]  # fmt: skip

    def after(self, step: str, p: int) -> list[Table]:
        """What may come of a step, all of it alike; who must choose a card takes the first by its kind."""
        t = self.copy()
        card = min(t.hands[p], key=CARDS.index, default="")
        match step:
            case "under":
                t.deck.append(t.deck.pop(0))
            case "take":
                t.hands[p].append(t.deck.pop(0))
            case "lay":
                t.row.insert(0, t.deck.pop(0))
            case "second":
                t.row.append(t.deck.pop(1))
            case "put_back" | "put_second":
                t.hands[p].remove(card)
                t.deck.insert(0 if step == "put_back" else 1, card)
            case "sweep":
                t.deck, t.row = t.deck + t.row, []
            case "gather":
                t.deck, t.row = t.deck + t.row, []
            case "find":
                t.deck.append(t.row.pop(0))
            case "plan":
                t.hands[p].remove(card)
                t.programs[p].append(card)
            case "run":
                t.row.insert(0, t.programs[p].pop(0))
        if step in ("mix", "gather", "find"):
            return [t.copy(deck) for deck in itertools.permutations(t.deck)]
        return [t]

    def seen(self) -> str:
        return str((self.row, [sorted(h) for h in self.hands], self.programs))


def with_real_cards(steps: list[str]) -> dict[str, Fraction]:
    tables = [(Table(deck), Fraction(1, 24)) for deck in itertools.permutations(CARDS)]
    for number, step in enumerate(steps):
        tables = [
            (other, share / len(found))
            for table, share in tables
            for found in [table.after(step, number % 2)]
            for other in found
        ]
    out: defaultdict[str, Fraction] = defaultdict(Fraction)
    for table, share in tables:
        out[table.seen()] += share
    return dict(out)


def with_the_engine(steps: list[str]) -> dict[str, float]:
    edge = [(game().full.new_initial_state(chance="explicit", ask_forced=True), 0, 1.0)]
    out: defaultdict[str, float] = defaultdict(float)
    while edge:
        state, done, share = edge.pop()
        if state.is_chance_node():
            for outcome, weight in state.chance_outcomes():
                after = state.clone()
                after.apply_action(outcome)
                edge.append((after, done, share * weight))
            continue
        if state.pending()["choice"] in ASKS.values():
            state.apply_action(state.legal_actions()[0])
            edge.append((state, done, share))
        elif done == len(steps):
            data = state.to_dict()
            hands = [sorted(card for card in data["zones"]["hand"][p]) for p in "01"]
            places = data["state"]
            seen = (places["row.order"], hands, [places["program.order"][p] for p in "01"])
            out[str(seen)] += share
        else:
            state.apply_action(state.action_from_dict({"choice": "step", "value": steps[done]}))
            edge.append((state, done + 1, share))
    return dict(out)


def random_steps(seed: int, many: int) -> list[str]:
    dice, table, steps = random.Random(seed), Table(CARDS), list[str]()
    names = "look look_second under take lay second put_back put_second mix sweep gather find plan run".split()
    while len(steps) < many:
        p = len(steps) % 2
        step = dice.choice([name for name in names if table.can(name, p)])
        steps.append(step)
        table = table.after(step, p)[0]
    return steps


@pytest.mark.parametrize("seed", sampled(range(24), 3))
def test_all_that_may_happen_is_as_likely_as_with_real_cards(seed: int) -> None:
    steps = random_steps(seed, 6)
    real, played = with_real_cards(steps), with_the_engine(steps)
    assert played.keys() == real.keys(), steps
    for seen, share in real.items():
        assert played[seen] == pytest.approx(float(share)), (steps, seen)


def after(*steps: str, seed: int = 1) -> Any:
    state = game().new_initial_state(seed, ask_forced=True)
    for step in steps:
        state.apply_action(state.action_from_dict({"choice": "step", "value": step}))
        if not state.is_terminal() and state.pending()["choice"] in ASKS.values():
            state.apply_action(state.legal_actions()[0])
    return state


def places(state: Any, seat: int) -> list[str | None]:
    found: list[str | None] = state.view(seat).data["order"]["deck"]
    return found


def test_nothing_is_settled_that_nobody_has_seen() -> None:
    assert after().to_dict()["state"]["deck.order"] == [None] * 4
    assert after("under", "mix").to_dict()["state"]["deck.order"] == [None] * 4
    assert after("look").to_dict()["state"]["deck.order"][1:] == [None] * 3


def test_who_has_looked_knows_and_nobody_else() -> None:
    state = after("look")
    top = state.to_dict()["state"]["deck.order"][0]
    assert places(state, 0) == [top, None, None, None]
    assert places(state, 1) == [None] * 4
    # all know who has looked
    assert state.view(1).data["looked_at"]["deck"] == [[0], None, None, None]
    state = after("look", "under")
    assert places(state, 0) == [None, None, None, top]
    state = after("look", "mix")
    assert places(state, 0) == places(state, 1) == [None] * 4
    both = after("look", "look_second")
    assert places(both, 0)[:2] == both.to_dict()["state"]["deck.order"][:2]
    assert places(both, 1) == [None, both.to_dict()["state"]["deck.order"][1], None, None]


def test_a_card_put_back_is_known_to_who_did_it() -> None:
    state = after("take", "look", "put_back")
    top = state.to_dict()["state"]["deck.order"][:2]
    assert places(state, 0) == [top[0], None, None, None]
    assert places(state, 1) == [None, top[1], None, None]
    for seat in range(2):
        view = state.view(seat)
        found = set()
        for seed in range(200):
            other = view.determinize(seed)
            assert other.view(seat) == view
            found.add(tuple(other.to_dict()["state"]["deck.order"]))
        # the other one is any of the three that the seat has not seen
        assert len(found) == 3
        assert {order[seat] for order in found} == {top[seat]}


def test_public_rows_are_seen_in_order_by_all() -> None:
    state = after("lay", "lay", "second")
    rows = [state.view(seat).data["order"]["row"] for seat in range(2)]
    assert rows[0] == rows[1] == state.to_dict()["state"]["row.order"]
    assert len(rows[0]) == 3


def test_others_see_how_long_a_hidden_row_is() -> None:
    state = after("take", "look", "plan")
    own = state.view(0).data["order"]["program"]
    assert own["0"] == state.to_dict()["state"]["program.order"]["0"]
    assert state.view(1).data["order"]["program"] == {"0": [None], "1": []}


@pytest.mark.parametrize("full", [False, True])
def test_saves_that_do_not_add_up_are_refused(full: bool) -> None:
    engine = game().full if full else game()
    state = after("lay", "look")
    data = state.to_dict()
    assert game().from_dict(data) == state
    top = data["state"]["deck.order"][0]
    laid = data["state"]["row.order"][0]
    for key, value, words in (
        ("deck.order", [top], "1 places, but 3 pieces lie in deck"),
        ("deck.order", [laid, None, None], "more"),
        ("row.order", [top], "more"),
        ("deck.seen", [[1]], "1 places, but 3 pieces lie in deck"),
        ("deck.seen", [[1], [0], []], "nothing is there for sure"),
        ("deck.seen", [[2], [], []], "2"),
        ("row.order", [None], "is not a text"),
    ):
        broken = {**data, "state": {**data["state"], key: value}}
        with pytest.raises(SaveError, match=words):
            engine.from_dict(broken)


def test_what_goes_wrong_in_play_is_told_with_its_place(tmp_path: Path) -> None:
    for file in ("game.yaml", "cards.yaml"):
        (tmp_path / file).write_text((SPEC / file).read_text())
    rules = """pieces cards of Card by 1:
    deck hidden ordered = all
    row ordered

procedure play():
    for p in Player:
        choose n in 1 .. 9 by p as many
        {}

outcome p in Player by size(row)
"""
    for line, code in (
        ("deal n from deck to row", "RW1004"),
        ("show deck[n] to p", "RW1006"),
        ("move at n from deck to row", "RW1006"),
        ("deal 1 from row to deck", "RW1006"),
        ("if row[n] == ace: pass", "RW1006"),
        ("deal 1 from deck to row at n", "RW1003"),
    ):
        (tmp_path / "play.rules").write_text(rules.format(line))
        for engine in (rulewright.compile(tmp_path, 2), rulewright.compile(tmp_path, 2).full):
            state = engine.new_initial_state(1)
            with pytest.raises(EngineError, match=f"play.rules:8.*{code}"):
                state.apply_action(state.legal_actions()[-1])
            assert not engine.info["full"] or state == engine.new_initial_state(1)


def test_both_faces_show_the_order(tmp_path: Path) -> None:
    names = Names.of(SPEC, game())
    (tmp_path / "view.yaml").write_text(
        "parts:\n"
        "  - zone: {title: Row, of: row}\n"
        "  - zone: {title: Deck, of: deck}\n"
        "  - zone: {title: Laid, of: row, look: cards}\n"
        "  - seats: {title: Players, columns: {program: program}}\n"
    )
    layout = read_layout(tmp_path, names)
    board = Board(game(), SPEC, layout)
    state = after("lay", "lay", "look")
    row = state.to_dict()["state"]["row.order"]
    top = state.to_dict()["state"]["deck.order"][0]
    for seat, deck in ((0, f"Deck: {top}, 1 hidden"), (1, "Deck: 2 hidden")):
        data = state.view(seat).data
        out = io.StringIO()
        Screen(layout, names).show(Console(file=out, width=100), data)
        assert f"Row: {row[0]}, {row[1]}" in out.getvalue()
        assert deck in out.getvalue()
        page = board.picture(board.render(data, seat, {}))
        assert f"{row[0]}, {row[1]}" in page and deck.partition(": ")[2] in page
        laid = page[page.index("Laid") :]
        assert laid.lower().index(row[0]) < laid.lower().index(row[1])
