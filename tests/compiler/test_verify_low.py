"""What is wrong with a low-level program is found: one fault at a time in a program that is right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.compiler.build import check_ruleset, read_spec
from rulewright.compiler.flow.to_blocks import to_blocks
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.lower import lower
from rulewright.compiler.low.verify_low import verify_low
from rulewright.compiler.text.source import Span

TESTS = Path(__file__).parents[1]
GOLD = L.Field("gold", T.Array(T.Int(0, 9), 2))
P = L.Local("p", T.Int(0, 1))
N = L.Local("n", T.Int(0, 9))
WIDE = L.Local("m", T.Set(100))
COST = L.TableUse("COST", T.Array(T.Int(0, 5), 3))
ITEM = L.Item(GOLD, P, T.Int(0, 9))


def program(*body: L.Stmt, result: T.Type | None = T.PC) -> L.Program:
    """A program whose one function has this body."""
    own = L.Function("turn", (P,), result, "turn", body)
    other = L.Function("start", (), T.PC, "start", (L.Return(L.number(0)),))
    return L.Program(
        fields=(L.StateField("gold", GOLD.type, (0, 0)), L.StateField("pc", T.PC, (0,))),
        tables=(L.Table("COST", T.Array(T.Int(0, 5), 3), (1, 2, 5)),),
        functions=(own, other),
        start="start",
        decisions=(None, "turn"),
        points=(None,),
        offsets=(0, 0),
        sizes=(0, 2),
    )


END = L.Return(L.number(0))
RIGHT = (
    L.Let(N, ITEM),
    L.If(L.Compare(">", N, L.number(2)), (L.Store(ITEM, L.number(1), "-"),)),
    L.For(L.Local("k", T.Int(0, 1)), L.Range(L.number(0), L.number(2)), (L.Break(),)),
    L.Return(L.Call("start", (), T.PC)),
)


def test_a_right_program() -> None:
    assert verify_low(program(*RIGHT)) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ((L.Let(N, ITEM),), "turn: it may end without a result"),
        ((L.Return(N),), "turn: n has no value yet"),
        ((L.Let(N, ITEM), L.Let(L.Local("n", T.Int(0, 3)), ITEM), END), "turn: n is int 0..9 and int 0..3"),
        ((L.Let(N, L.Field("silver", T.INT)), END), "turn: there is no field silver"),
        ((L.Let(N, L.Item(GOLD, L.number(2), T.INT)), END), "turn: an entry of array 2 of int 0..9 that it has not"),
        ((L.Let(N, L.Item(P, L.number(0), T.INT)), END), "turn: an entry of int 0..1"),
        ((L.Let(N, L.Item(L.TableUse("PRICE", COST.type), P, T.INT)), END), "turn: there is no table PRICE"),
        ((L.Break(), END), "turn: a jump out of a loop where there is none"),
        ((L.Do(L.Call("pay", (), T.INT)), END), "turn: there is no function pay"),
        ((L.Do(L.Call("start", (P,), T.INT)), END), "turn: start is called with 1 arguments, it takes 0"),
        ((L.Let(N, L.Help("wish", (P,), T.INT)), END), "turn: the runtime has no wish"),
        ((L.Let(N, L.Help("nth", (P,), T.INT)), END), "turn: nth is called with 1 arguments"),
        ((L.Raise("no_luck", ()),), "turn: the runtime has no no_luck"),
        ((L.Let(N, GOLD), END), "turn: n gets array 2 of int 0..9, not int 0..9"),
        ((L.Store(GOLD, L.number(1)), END), "turn: a place of array 2 of int 0..9 gets int 1..1"),
        ((L.Let(N, L.Binary("+", GOLD, P, T.INT)), END), "turn: + of array 2 of int 0..9"),
        ((L.Let(N, L.Unary("rest", ITEM, T.INT)), END), "turn: rest of what is worked out twice"),
        ((L.Let(N, L.Number(1, T.INT, "AT_HOME")), END), "turn: there is no constant AT_HOME"),
        ((L.Return(),), "turn: a return gives back a result where there is none, or none where there is one"),
        ((L.Return(GOLD),), "turn: it gives back array 2 of int 0..9, not point"),
        ((L.If(L.Compare("==", GOLD, P), ()), END), "turn: a list beside int 0..1"),
    ],
)  # fmt: skip
def test_a_fault_is_found(body: tuple[L.Stmt, ...], fault: str) -> None:
    assert fault in verify_low(program(*body))


def test_what_can_fail_has_a_place() -> None:
    here = L.Origin(Span("turn.rules", 3, 5, 3, 9))
    right = program(L.Store(ITEM, L.number(1), at=here), replace(END, at=here))
    placed = replace(right, functions=(replace(right.functions[0], at=here), right.functions[1]))
    assert verify_low(placed) == []
    lost = replace(placed.functions[0], body=(L.Store(ITEM, L.number(1)), replace(END, at=here)))
    assert verify_low(replace(placed, functions=(lost, right.functions[1]))) == [
        "turn: an error in it could not be told with its place"
    ]


FOLDERS = sorted(file.parent for name in ("micro", "games") for file in (TESTS / name).rglob("game.yaml"))  # fmt: skip


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_low_programs_of_small_games(folder: Path) -> None:
    """With every construct; what the compiler puts in by itself has a place, too."""
    spec = read_spec(folder)
    game = check_ruleset(spec, spec.folder.game.players[0])
    for full in (False, True):
        blocks = to_blocks(game, chance_stops=full, all_entries=full)
        # trees are kept out of assertions: showing one takes too long
        problems = verify_low(lower(game, blocks, full=full, checking=not full).program)
        assert problems == []


def test_faults_of_the_whole() -> None:
    right = program(*RIGHT)
    assert verify_low(replace(right, start="begin")) == [
        "the dispatcher knows begin, which is no function"
    ]
    twice = replace(right, functions=(*right.functions, right.functions[1]))
    assert verify_low(twice) == ["two functions are called start"]
    short = replace(right, tables=(replace(right.tables[0], values=(1, 2)),))
    assert verify_low(short) == ["table COST has 2 entries, not 3"]


def test_a_wide_set_is_no_place_in_an_array() -> None:
    body = (L.Let(WIDE, L.Number(0, WIDE.type)), L.Let(N, L.Item(GOLD, WIDE, T.INT)), END)
    assert verify_low(program(*body)) == ["turn: an entry at set 100"]
