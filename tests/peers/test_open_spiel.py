"""Examples against OpenSpiel: small games gone through whole, the others in random games."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from beside import example, replay, result, turns

import rulewright
from rulewright.engines import EXAMPLES

pytestmark = pytest.mark.peers
GAMES = int(os.environ.get("PEER_GAMES", "50"))


def cell(values: tuple[Any, ...], mark: str) -> str:
    row, column = str(values[0])[1:].split("c")
    return f"{mark}({int(row) - 1},{int(column) - 1})"


def test_tic_tac_toe_whole() -> None:
    """Every state that can be reached, in both engines."""
    import pyspiel

    peer = pyspiel.load_game("tic_tac_toe")
    seen: set[str] = set()

    def walk(ours: Any, theirs: Any) -> None:
        if str(theirs) in seen:
            return
        seen.add(str(theirs))
        assert ours.is_terminal() == theirs.is_terminal()
        if theirs.is_terminal():
            assert result(ours.returns()) == result(theirs.returns())
            return
        assert list(ours.legal_actions()) == theirs.legal_actions()
        assert ours.current_player() == theirs.current_player()
        for action in theirs.legal_actions():
            mine = ours.clone()
            mine.apply_action(action)
            walk(mine, theirs.child(action))

    walk(example("tictactoe").new_initial_state(seed=0, ask_forced=True), peer.new_initial_state())
    assert len(seen) == 5478


def test_kuhn_whole() -> None:
    """Every deal and every way to bet."""
    import pyspiel

    peer = pyspiel.load_game("kuhn_poker")
    game = example("kuhn").full
    ends = 0

    def walk(ours: Any, theirs: Any) -> None:
        nonlocal ends
        assert ours.is_terminal() == theirs.is_terminal()
        if theirs.is_terminal():
            ends += 1
            assert [2 * x for x in ours.scores()] == [2 * int(x) for x in theirs.returns()]
            return
        assert ours.is_chance_node() == theirs.is_chance_node()
        if theirs.is_chance_node():
            mine = sorted(action for action, _ in ours.chance_outcomes())
            assert mine == sorted(action for action, _ in theirs.chance_outcomes())
            actions = mine
        else:
            assert ours.current_player() == theirs.current_player()
            actions = list(theirs.legal_actions())
            base = ours.legal_actions()[0]
            assert list(ours.legal_actions()) == [base + a for a in actions]
        for action in actions:
            then = ours.clone()
            then.apply_action(
                action if theirs.is_chance_node() else ours.legal_actions()[0] + action
            )
            walk(then, theirs.child(action))

    walk(game.new_initial_state(chance="explicit", ask_forced=True), peer.new_initial_state())
    assert ends == 30


RANDOM = {
    "connect_four": ("connect_four", lambda v: str(v[0] - 1)),
    "breakthrough": ("breakthrough", lambda v: f"{v[0]}{v[1]}"),
    "othello": ("othello", lambda v: str(v[0])),
    "hex": ("hex(board_size=11)", lambda v: str(v[0])),
    "go": (
        "go(board_size=9,komi=7.5,max_game_length=400)",
        lambda v: "PASS" if v[0] == "no_stone" else str(v[0]),
    ),
}


@pytest.mark.parametrize("name", RANDOM)
def test_random_games(name: str) -> None:
    import pyspiel

    title, words = RANDOM[name]
    peer = pyspiel.load_game(title)
    luck = random.Random(name)
    lengths = [replay(name, _Named(peer, name), words, luck) for _ in range(GAMES)]
    assert len(lengths) == GAMES


class _Named:
    """A game of the peer whose actions are called as ours are."""

    def __init__(self, game: Any, name: str) -> None:
        self.game, self.name = game, name

    def new_initial_state(self) -> Any:
        return _State(self.game.new_initial_state(), self.name)


class _State:
    def __init__(self, state: Any, name: str) -> None:
        self.state, self.name = state, name

    def __getattr__(self, what: str) -> Any:
        return getattr(self.state, what)

    def action_to_string(self, player: int, action: int) -> str:
        text: str = self.state.action_to_string(player, action)
        if self.name == "go":  # columns without an i
            return text[2:].translate(str.maketrans("j", "i")) if "PASS" not in text else "PASS"
        return text[1:] if self.name == "connect_four" else text


def test_leduc_whole() -> None:
    """Every deal and every way to bet; a deal is a rank with us and a card with the peer."""
    import pyspiel

    peer = pyspiel.load_game("leduc_poker")
    names = ("fold", "call", "raise")
    ends = 0

    def walk(ours: Any, theirs: Any) -> None:
        nonlocal ends
        assert ours.is_terminal() == theirs.is_terminal()
        if theirs.is_terminal():
            ends += 1
            assert list(ours.scores()) == [int(x) for x in theirs.returns()]
            return
        assert ours.is_chance_node() == theirs.is_chance_node()
        for action in theirs.legal_actions():
            then = ours.clone()
            if theirs.is_chance_node():
                then.apply_action(action // 2)
            else:
                found = {ours.action_to_dict(a)["value"]: a for a in ours.legal_actions()}
                assert set(found) == {names[a] for a in theirs.legal_actions()}
                then.apply_action(found[names[action]])
            walk(then, theirs.child(action))

    start = example("leduc").full.new_initial_state(chance="explicit", ask_forced=True)
    walk(start, peer.new_initial_state())
    assert ends == 5520


def test_goofspiel_whole() -> None:
    """Four cards: every way to bid."""
    import pyspiel

    peer = pyspiel.load_game("goofspiel(num_cards=4,points_order=descending,players=2)")
    game = rulewright.compile(str(EXAMPLES / "goofspiel"), players=2, options={"cards": 4})
    ends = 0

    def walk(ours: Any, theirs: Any) -> None:
        nonlocal ends
        if theirs.is_terminal():
            ends += 1
            while not ours.is_terminal():  # the peer plays the last cards by itself
                ours.apply_action(ours.legal_actions()[0])
            assert result(ours.returns()) == result(theirs.returns())
            return
        assert len(ours.legal_actions()) == len(theirs.legal_actions(0))
        for i, mine in enumerate(ours.legal_actions()):
            one = ours.clone()
            one.apply_action(mine)
            for j, other in enumerate(one.legal_actions()):
                two = one.clone()
                two.apply_action(other)
                then = theirs.clone()
                then.apply_actions([theirs.legal_actions(0)[i], theirs.legal_actions(1)[j]])
                walk(two, then)

    walk(game.new_initial_state(seed=0, ask_forced=True), peer.new_initial_state())
    assert ends > 500


def test_go_until_a_position_comes_again(tmp_path: Path) -> None:
    """On five by five points, where nobody passes who can play, many games end because a position was there before."""
    import pyspiel

    for file in (EXAMPLES / "go").iterdir():
        text = file.read_text(encoding="utf-8").replace(
            "columns: 9, rows: 9", "columns: 5, rows: 5"
        )
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    game = rulewright.compile(str(tmp_path), players=2)
    peer = _Named(pyspiel.load_game("go(board_size=5,komi=7.5,max_game_length=400)"), "go")
    luck, again = random.Random("again"), 0
    for _ in range(max(12, GAMES // 4)):
        ours, theirs = game.new_initial_state(seed=0, ask_forced=True), peer.new_initial_state()
        while not theirs.is_terminal():
            assert not ours.is_terminal()
            who = theirs.current_player()
            legal = {theirs.action_to_string(who, a): a for a in theirs.legal_actions()}
            told = {ours.action_to_dict(a)["value"]: a for a in ours.legal_actions()}
            mine = {RANDOM["go"][1]((word,)): a for word, a in told.items()}
            assert mine.keys() == legal.keys()
            word = luck.choice(sorted(mine.keys() - {"PASS"}) or ["PASS"])
            ours.apply_action(mine[word])
            theirs.apply_action(legal[word])
        assert ours.is_terminal() and result(ours.returns()) == result(theirs.returns())
        again += result(ours.returns()) == 0
    assert again


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_liars_dice(dice: int) -> None:
    """Random games with the same dice and the same bids: as many ways to bid, the same one is right."""
    import pyspiel

    peer = pyspiel.load_game(f"liars_dice(numdice={dice})")
    folder = str(EXAMPLES / "liars_dice")
    game = rulewright.compile(folder, players=2, options={"dice": dice}).full
    luck = random.Random(dice)
    for _ in range(4 * GAMES):
        ours, theirs = (
            game.new_initial_state(chance="explicit", ask_forced=True),
            peer.new_initial_state(),
        )
        while not theirs.is_terminal():
            if theirs.is_chance_node():
                found = dict(theirs.chance_outcomes())
                assert dict(ours.chance_outcomes()) == pytest.approx(found)
                action = luck.choice(list(found))
                ours.apply_action(action)
            else:
                assert ours.current_player() == theirs.current_player()
                assert len(ours.legal_actions()) == len(theirs.legal_actions())
                # low bids mostly, so that games are long
                at = min(luck.randrange(len(theirs.legal_actions())) for _ in range(3))
                action = theirs.legal_actions()[at]
                ours.apply_action(ours.legal_actions()[at])
            theirs.apply_action(action)
        assert ours.is_terminal() and list(ours.scores()) == theirs.returns()


# how the peer numbers the ways to pass
PASSES = ("kept", "to_the_left", "across", "to_the_right")


@pytest.mark.parametrize("way", PASSES)
def test_hearts(way: str) -> None:
    """Random deals: the same cards passed and received, the same that may be played at every turn, the same points."""
    play_hearts(way, max(8, GAMES // 5))


@pytest.mark.soak
@pytest.mark.parametrize("way", PASSES)
def test_hearts_long(way: str) -> None:
    """1,000 deals of the four ways together, where OpenSpiel is installed."""
    pytest.importorskip("pyspiel")
    play_hearts(way, 250)


def play_hearts(way: str, games: int) -> None:
    import pyspiel

    peer = pyspiel.load_game("hearts")
    options = {"deals": 1, "first_pass": way}
    game = rulewright.compile(str(EXAMPLES / "hearts"), players=4, options=options).full
    luck = random.Random(way)
    moons = 0
    for _ in range(games):
        ours = game.new_initial_state(chance="explicit", ask_forced=True)
        theirs = peer.new_initial_state()
        theirs.apply_action(PASSES.index(way))
        # cards have the same numbers in both; whoever takes tricks on purpose shoots the moon now and then
        greedy = luck.randrange(8)
        while not theirs.is_terminal():
            assert ours.is_chance_node() == theirs.is_chance_node()
            if theirs.is_chance_node():
                found = dict(theirs.chance_outcomes())
                assert dict(ours.chance_outcomes()) == pytest.approx(found)
                action = luck.choice(list(found))
                ours.apply_action(action)
                theirs.apply_action(action)
                continue
            assert ours.current_player() == theirs.current_player()
            mine = {_card(ours, a): a for a in ours.legal_actions()}
            legal = theirs.legal_actions()
            if ours.pending()["choice"].startswith("pass_on"):
                # ours are asked in rising order, so that each three are passed in one way
                assert set(mine) <= set(legal)
            else:
                assert set(mine) == set(legal)
            card = luck.choice(sorted(mine)) if ours.current_player() != greedy else max(mine)
            ours.apply_action(mine[card])
            theirs.apply_action(card)
        assert ours.is_terminal()
        assert [26 - x for x in ours.scores()] == theirs.returns()
        moons += 0 in theirs.returns()
    assert games < 100 or moons


def _card(state: Any, action: int) -> int:
    names: list[str] = state.view(0).game.info["kinds"]["Card"]["members"]
    return names.index(state.action_to_dict(action)["value"])


def test_turns_are_whole() -> None:
    state = example("breakthrough").new_initial_state(seed=0, ask_forced=True)
    assert len(turns(state)) == 22
