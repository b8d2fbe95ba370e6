"""Luck that nobody can foresee: no seed and no generator leaves a game, and thieves who try to find them end with nothing."""

import json
import math
from collections import Counter

import pytest
from common import GAMES

from rulewright import chance as chances
from rulewright.bots import base
from rulewright.chance import SeededChance, SystemChance, begin, decision_seed
from rulewright.engines import load
from rulewright.play.session import Session, SessionError
from rulewright.runtime import rng
from rulewright.seeds import derive
from rulewright.simulate import plan as plans
from rulewright.simulate import table as tables
from rulewright.simulate.one import Player
from rulewright.simulate.plan import make_plan

RACE, BLUFF = str(GAMES / "race"), str(GAMES / "bluff")
_MASK = (1 << 62) - 1
_A, _B, _C = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mixed(seed, number):
    """How the seeds of bots were once made: every step of it can be undone."""
    x = (seed * _A + number * _B + _C) & _MASK
    x ^= x >> 29
    x = x * _B & _MASK
    return x ^ x >> 32


def unmixed(x, number):
    """The thief: from the seed of a decision back to the seed of the game."""
    x ^= x >> 32
    x = x * pow(_B, -1, 1 << 62) & _MASK
    x ^= x >> 29 ^ x >> 58
    return (x - number * _B - _C) * pow(_A, -1, 1 << 62) & _MASK


class Thief:
    """Plays the first option, and tries the seed that it was handed in every way it knows."""

    def __init__(self):
        self.heard = []

    def choose(self, view, seed):
        self.heard.append((len(self.heard), seed))
        return view.legal_actions()[0]


def test_the_thief_knows_the_trade():
    for seed in range(20):
        for number in (0, 7, 300):
            assert unmixed(mixed(seed, number), number) == seed
    state = load(BLUFF, 2).new_initial_state(unmixed(mixed(12, 3), 3))
    assert state.to_dict() == load(BLUFF, 2).new_initial_state(12).to_dict()


@pytest.mark.parametrize("name", [RACE, BLUFF])
def test_what_a_bot_is_handed_leads_to_no_seed_of_the_game(name):
    """In a simulation: neither as it is nor undone does a bot's seed give the game, its generator, or another bot's seed."""
    plan = make_plan(name, ["random"], 2, games=10, seed=3)
    player = Player(plan)
    thief = Thief()
    player.bots = [thief, thief]
    for number in range(10):
        thief.heard.clear()
        row = player.play(number)
        true = {row.seed, rng.from_seed(row.seed), plan.seed, plan.bots_seed(number)}
        states, x = set(true), rng.from_seed(row.seed)
        for _ in range(2000):
            x = rng.step(x)
            states.add(x)
        numbers = range(row.length)
        for _, seed in thief.heard:
            tried = {seed, rng.from_seed(seed), *(unmixed(seed, n) for n in numbers)}
            tried |= {t & (1 << 53) - 1 for t in tried} | {rng.from_seed(t) for t in tried}
            assert not tried & states
        assert len({seed for _, seed in thief.heard}) == len(thief.heard)


def test_seeds_under_different_labels_have_nothing_in_common():
    plan = make_plan(RACE, ["random"], 2, games=3, seed=0)
    found = [derive(0, "game", n) for n in range(500)] + [derive(0, "bots", n) for n in range(500)]
    found += [decision_seed(plan.bots_seed(0), seat, n) for seat in (0, 1) for n in range(500)]
    assert len(set(found)) == len(found)
    # the text of labels can't be cut in two ways
    assert derive(1, "a", 11) != derive(1, "a", 1, 1) and derive(1, "1") != derive(1, 1)
    # half of the bits differ from one to the next
    apart = [(derive(0, "game", n) ^ derive(0, "game", n + 1)).bit_count() for n in range(300)]
    assert 62 < sum(apart) / 300 < 66


def spied(monkeypatch):
    """Whoever asks the seeded generator is found out."""
    asked = []

    def spy(name):
        real = getattr(rng, name)

        def call(*words):
            asked.append(name)
            return real(*words)

        monkeypatch.setattr(rng, name, call)

    for name in ("step", "below"):
        spy(name)
    return asked


def test_where_people_play_there_is_no_generator_to_work_out(monkeypatch):
    """The second thief watches many rolls and works out the generator behind them; here none stands behind them."""
    asked = spied(monkeypatch)
    session = Session.new(RACE, load(RACE, 2), (), {}, None, ["human", "human"])
    first = session.state.rng
    rolls = []
    for _ in range(40):
        if session.over:
            break
        session.decide(session.state.legal_actions()[0])
        assert session.state.rng == first
    rolls += [e["value"] for e in session.events if "chance" in e]
    assert asked == [] and len(rolls) > 5
    # the state's own generator is that of every such game, and gives other rolls
    assert first == begin(load(BLUFF, 2)).rng == rng.from_seed(0)


def test_two_games_without_a_seed_differ_and_their_bots_hear_different_seeds():
    def one():
        session = Session.new(RACE, load(RACE, 2), (), {}, None, ["random", "random"])
        thief = Thief()
        session.bots = [thief, thief]
        while not session.over:
            session.bot_moves()
        return session.events, [seed for _, seed in thief.heard]

    (first, heard), (second, heard_too) = one(), one()
    assert first != second
    assert len(set(heard + heard_too)) == len(heard + heard_too)


def test_outcomes_come_with_their_weights():
    """A die's faces alike; a draw by how many pieces there are, to the piece."""
    state = begin(load(RACE, 2))
    assert state.is_chance_node()
    many = 6000
    faces = Counter(SystemChance().outcome(state) for _ in range(many))
    assert sorted(faces) == [o for o, _ in state.chance_outcomes()]
    for outcome, p in state.chance_outcomes():
        # eight standard deviations: once in 10**14 runs
        assert abs(faces[outcome] - many * p) < 8 * math.sqrt(many * p * (1 - p))
    deal = begin(load(BLUFF, 2))
    pieces = deal.pool.bit_count()
    every = Counter(chances._outcome(deal, n) for n in range(pieces))
    assert {o: n / pieces for o, n in every.items()} == dict(deal.chance_outcomes())


def test_a_seed_that_was_given_gives_the_same_game_again(tmp_path):
    def one(path):
        session = Session.new(
            BLUFF, load(BLUFF, 3), (), {}, 8, ["random", "greedy", "random"], path
        )
        while not session.over:
            session.bot_moves()
        session.close()
        return path.read_text()

    assert one(tmp_path / "a.jsonl") == one(tmp_path / "b.jsonl")
    state, luck = begin(load(RACE, 2)), SeededChance(4)
    sampled = load(RACE, 2).new_initial_state(4)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(luck.outcome(state))
        else:
            sampled.apply_action(sampled.legal_actions()[0])
            state.apply_action(state.legal_actions()[0])
    assert sampled.is_terminal() and sampled.scores() == state.scores()


def test_a_game_is_gone_on_with_under_its_own_seed_only(tmp_path):
    path = tmp_path / "r.jsonl"
    session = Session.new(RACE, load(RACE, 2), (), {}, 5, ["random", "random"], path)
    for _ in range(3):
        session.bot_moves()
    session.close()
    assert Session.resume(path, 5)[0].state.to_dict() == session.state.to_dict()
    with pytest.raises(SessionError, match="was not played with the seed 6"):
        Session.resume(path, 6)
    # without one, luck comes from the operating system from here on
    assert isinstance(Session.resume(path)[0].chance, SystemChance)


def words_of(value):
    """Every key, and every number, in data however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from words_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words_of(inner)
    else:
        yield str(value)


def test_nothing_that_leaves_a_game_under_way_holds_a_seed(tmp_path):
    seed = 987_654_321_987
    path = tmp_path / "r.jsonl"
    session = Session.new(BLUFF, load(BLUFF, 2), (), {}, seed, ["random", "random"], path)
    state = load(BLUFF, 2).new_initial_state(seed)
    secret = {str(seed), str(rng.from_seed(seed)), str(state.rng), str(derive(seed, "bots"))}
    for _ in range(6):
        session.bot_moves()
        state.apply_action(state.legal_actions()[0])
        secret |= {str(state.rng), str(session.chance._x)}
        told = [state.view(0), state.view(1), session.state.view(0), session.state.view(1)]
        for view in told:
            assert view._masked.rng == 1
            assert not secret & set(words_of(view.data))
            assert not {"seed", "rng"} & set(words_of(view.data))
        for line in path.read_text().splitlines():
            assert not (secret | {"seed", "rng"}) & set(words_of(json.loads(line)))


def test_deals_hang_on_the_view_and_not_on_the_generator():
    game = load(BLUFF, 2)
    one = game.new_initial_state(5)
    other = one.clone()
    other.reseed(77)
    for seed in range(5):
        a, b = one.view(0).determinize(seed), other.view(0).determinize(seed)
        assert a == b and a.rng == b.rng
        assert a.rng not in (one.rng, other.rng)


def test_bots_know_no_way_to_make_seeds():
    assert not hasattr(base, "decision_seed")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_table_of_an_older_version_is_refused(tmp_path, run, ending, monkeypatch):
    assert tables.TABLE_FORMAT == 3
    table = tmp_path / f"t.{ending}"
    with monkeypatch.context() as patch:
        patch.setattr(plans, "TABLE_FORMAT", 2)
        assert run("simulate", RACE, "-n", 3, "--bots", "random", "--out", table).code == 0
    for words in (["report", table], ["replay", table, "--game", 1]):
        got = run(*words)
        assert got.code == 1 and "table format 2; this version reads 3" in got.err, got.err


# ---------------------------------------------------------------- the second thief, who works out a generator from rolls

SIDES, ROLLS, HEARD = 100, 40, 12
DICE = {
    "game.yaml": "game: dice\ntitle: Dice\nplayers: [2]\nseats: [Ada, Bo]\nreasons: {dice: dice rolled}\n",
    "dice.rules": f"""procedure play():
    for n in 1 .. {ROLLS // 2}:
        for p in Player:
            roll d in 1 .. {SIDES}
            either by p as what:
                option keep: score d to p for dice
                option leave: pass

outcome p in Player by score[p]
""",
}
_MODULUS = (rng.MULTIPLIER << rng.BITS) - 1


def reduced(basis):
    """A basis of the same lattice with short vectors (Lenstra, Lenstra and Lovász)."""
    upright, norms, shares, k = [], [], [], 0
    while k < len(basis):
        del upright[k:], norms[k:], shares[k:]
        changed = True
        while changed:
            vector, share, changed = [float(x) for x in basis[k]], [], False
            for other, norm in zip(upright, norms, strict=True):
                share.append(sum(x * y for x, y in zip(basis[k], other, strict=True)) / norm)
                vector = [x - share[-1] * y for x, y in zip(vector, other, strict=True)]
            for j in reversed(range(k)):
                if q := round(share[j]):
                    changed = True
                    basis[k] = [x - q * y for x, y in zip(basis[k], basis[j], strict=True)]
                    for i, part in enumerate((*shares[j], 1)):
                        share[i] -= q * part
        norms.append(sum(x * x for x in vector))
        upright.append(vector)
        shares.append(share)
        if k and norms[k] < (0.75 - share[-1] ** 2) * norms[k - 1]:
            basis[k - 1 : k + 1] = basis[k], basis[k - 1]
            k -= 1
        else:
            k += 1
    return basis


def generator_behind(rolls):
    """The state of the generator after the second of these rolls, if it stands behind them: each roll tells its first digits."""
    n = len(rolls)
    powers = [2 * SIDES * pow(rng.MULTIPLIER, i, _MODULUS) for i in range(n)]
    rows = [[2 * SIDES * _MODULUS * (i == j) for i in range(n)] + [0] for j in range(1, n)]
    told = [-(2 * roll + 1) * _MODULUS for roll in rolls] + [_MODULUS]
    for vector in reduced([[*powers, 0], *rows, told]):
        if abs(vector[-1]) == _MODULUS:
            return (vector[0] * vector[-1] // _MODULUS + (2 * rolls[0] + 1) * _MODULUS) // (2 * SIDES)  # fmt: skip
    return None


def rolls_foretold(session):
    """How many of the rolls of a game the thief foretells, once it has seen some."""
    while not session.over:
        session.decide(session.state.legal_actions()[0])
    rolls = [e["value"] - 1 for e in session.events if "chance" in e]
    assert len(rolls) == ROLLS
    x, right = generator_behind(rolls[:HEARD]), 0
    for place, roll in enumerate(rolls):
        if x is not None and place >= HEARD:
            right += rng.below(x, SIDES) == roll
        if x is not None and place > 0:
            x = rng.step(x)
    return right


def test_the_second_thief_knows_the_trade_and_finds_nothing_at_a_table(tmp_path):
    """From a dozen rolls of a game with a seed it foretells all that follow; where people play it foretells no more than luck does."""
    for file, text in DICE.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    name = str(tmp_path)
    for seed in (1, 2, 3):
        session = Session.new(name, load(name, 2), (), {}, seed, ["human", "human"])
        assert rolls_foretold(session) == ROLLS - HEARD
        session = Session.new(name, load(name, 2), (), {}, None, ["human", "human"])
        assert rolls_foretold(session) < 8
