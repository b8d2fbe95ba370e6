"""The typed tree and the blocks of every ruleset are sound; broken ones are found; hashes tell rulesets apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler.check.ruleset import check_game
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.bounds_checks import guard
from rulewright.compiler.core.print_core import print_core, ruleset_hash
from rulewright.compiler.core.types import BAD, IntT, KindT, OptT, SetT
from rulewright.compiler.core.verify_core import check_core
from rulewright.compiler.core.walk import statements
from rulewright.compiler.flow.blocks import Ask, Block, Enter, Goto, Leave, Program
from rulewright.compiler.flow.print_blocks import print_blocks
from rulewright.compiler.flow.to_blocks import to_blocks
from rulewright.compiler.flow.verify_blocks import check_blocks
from rulewright.compiler.read.folder import Folder
from rulewright.compiler.read.overlay import resolve, rulesets
from rulewright.compiler.read.read_folder import read_folder
from rulewright.compiler.text.diagnostics import Problems, render_all
from rulewright.compiler.text.source import Sources

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(
    path.parent
    for top in ("spec", "tests/games", "tests/micro")
    for path in (ROOT / top).rglob("game.yaml")
)


@cache
def folder_of(path: Path) -> Folder:
    sources, problems = Sources(), Problems()
    found = read_folder(path, sources, problems, display=path.name)
    assert found is not None, render_all(problems, sources)
    return found


def all_rulesets() -> list[tuple[Path, int, tuple[str, ...]]]:
    return [(path, n, names) for path in FOLDERS for n, names in rulesets(folder_of(path))]


def name_of(ruleset: tuple[Path, int, tuple[str, ...]]) -> str:
    path, players, variants = ruleset
    return "-".join([path.name, f"p{players}", *variants])


def checked(folder: Folder, players: int, variants: tuple[str, ...] = ()) -> C.Game:
    problems = Problems()
    laid = resolve(folder, players, variants, problems)
    game = None if laid is None else check_game(laid, problems)
    text = render_all(problems.errors, Sources())
    assert text == ""
    assert game is not None
    return game


@pytest.mark.parametrize("ruleset", all_rulesets(), ids=name_of)
def test_every_ruleset_is_sound(ruleset: tuple[Path, int, tuple[str, ...]]) -> None:
    path, players, variants = ruleset
    game = checked(folder_of(path), players, variants)
    # trees are kept out of assertions: showing one takes too long
    problems = check_core(game)
    assert problems == []
    for chance in (False, True):
        for entries in (False, True):
            program = to_blocks(game, chance_stops=chance, all_entries=entries)
            problems = check_blocks(program)
            assert problems == []
            text = print_blocks(program, game)
            again = print_blocks(to_blocks(game, chance_stops=chance, all_entries=entries), game)
            assert text == again
    game2 = checked(folder_of(path), players, variants)
    whole, whole2 = print_core(game), print_core(game2)
    assert whole == whole2
    one, two = ruleset_hash(game), ruleset_hash(game2)
    assert one == two
    guard(game2)
    problems = check_core(game2)
    assert problems == []
    problems = check_blocks(to_blocks(game2, chance_stops=True, all_entries=True))
    assert problems == []
    guarded = print_core(game2)
    guard(game2)
    assert print_core(game2) == guarded


GUARDED = """\
state:
    coins: map Player to 0..9
    row: list of 0..9 max 2

procedure play():
    for p in Player:
        choose n in 0 .. 3 by p as number
        var m: 0..9 = n + 1
        m += n
        gain(p, m * 2)
        gain(p, n)
        row = pair(n)

procedure gain(p: Player, k: 0..9):
    coins[p] = k

function pair(n: int) -> list of 0..9 max 2 = [n, 1] if n > 2 else row

outcome p in Player by coins[p] + size(row)
"""


def test_guards_stand_where_a_value_may_be_outside(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("game: g\ntitle: G\nplayers: [2]\nseats: [A, B]\n")
    (tmp_path / "g.rules").write_text(GUARDED)
    game = checked(folder_of(tmp_path), 2)
    before = print_core(game).splitlines()
    guard(game)
    after = print_core(game).splitlines()
    changed = [(a.strip(), b.strip()) for a, b in zip(before, after, strict=True) if a != b]
    assert sorted(changed) == [
        ("gain(p, m * 2)", "gain(p, checked(m * 2))"),
        ("m = m + n", "m = checked(m + n)"),
        ("return [n, 1] if n > 2 else row", "return [checked(n), 1] if n > 2 else row"),
    ]


def test_rulesets_differ() -> None:
    for path in FOLDERS:
        hashes = [
            ruleset_hash(checked(folder_of(path), n, v)) for n, v in rulesets(folder_of(path))
        ]
        assert len(set(hashes)) == len(hashes), path.name


# ---------------------------------------------------------------- hashes

GAME = """\
game: tiny
title: Tiny
players: [2, 3]
seats: [Blue, Red, Green]
reasons: {points: for points}
options: {quick: {type: bool, default: false, about: Shorter.}}
"""
TABLES = """\
table: Card
columns:
  copies: 0..9
  worth: 0..9
  unread: {type: 0..9, default: 3}
  act: {type: "procedure(me: Player)", default: "pass"}
  power: {type: "hook(me: Player) when this in built[me]", default: ""}
rows:
  sun: {copies: 3, worth: 1, act: "coins[me] += 1"}
  moon: {copies: 2, worth: 2, power: "on supply(me): result + 1"}
---
constants:
  most: {value: 9}
"""
RULES = """\
state:
    coins: map Player to 0..most = 2
    built: map Player to set of Card
    bid: map Player to 0..9 visible to owner
pieces cards of Card by copies:
    deck hidden = all
    hand per Player visible to owner
    discard
open function supply(p: Player) -> int = coins[p]
function spoken(p: Player) -> int = coins[p] + 1
procedure turn(p: Player):
    tell "{p} has {spoken(p)}" @some.clause
    choose c in Card by p as keep or nothing say "keeps {c}"
        where c.worth <= supply(p)
    if c is none: return
    c.act(p)
    built[p] |= {c}
    score 2 to p for points
procedure play():
    for p in Player:
        deal 1 from deck to hand[p]
        turn(p)
invariant rich: all(p in Player: coins[p] >= 0)
heuristic p: coins[p]
outcome p in Player by score[p], coins[p]
"""


def tiny(tmp_path: Path, game: str = GAME, tables: str = TABLES, rules: str = RULES) -> Folder:
    for name, text in {"game.yaml": game, "tables.yaml": tables, "play.rules": rules}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    sources, problems = Sources(), Problems()
    found = read_folder(tmp_path, sources, problems, display="tiny")
    assert found is not None, render_all(problems, sources)
    return found


WORDS = [
    ("game", "title: Tiny", "title: Another"),
    ("game", "game: tiny", "game: other"),
    ("game", "Blue, Red", "White, Black"),
    ("game", "for points", "for something"),
    ("game", "Shorter.", "Longer."),
    ("tables", "default: 3", "default: 4"),
    ("tables", "columns:\n", "about: words\ncolumns:\n"),
    ("tables", "worth: 1,", "worth: 1, cite: x.y,"),
    ("rules", "keeps {c}", "takes {c}"),
    ("rules", ' say "keeps {c}"', ""),
    ("rules", '    tell "{p} has {spoken(p)}" @some.clause\n', ""),
    ("rules", "coins[p] + 1", "coins[p] + 2"),
    ("rules", "@some.clause", "@other.clause"),
    ("rules", "heuristic p: coins[p]\n", "heuristic p: coins[p] + 1\n"),
    ("rules", "heuristic p: coins[p]\n", ""),
    ("rules", "state:\n", "# a comment\n\nstate:\n"),
    ("rules", "turn(p", "one_turn(p"),
    ("rules", "procedure turn(p: Player):", "procedure turn(p: Player) @x.y:"),
    ("rules", "supply(p: Player) -> int = coins[p]", "supply(q: Player) -> int = coins[q]"),
    ("rules", "invariant rich", "procedure never(): pass\ninvariant rich"),
]
MEANING = [
    ("game", "default: false", "default: true"),
    ("game", "points: for points", "points: for points, more: more points"),
    ("tables", "copies: 3", "copies: 4"),
    ("tables", "worth: 1", "worth: 3"),
    ("tables", "coins[me] += 1", "coins[me] += 2"),
    ("tables", "result + 1", "result + 2"),
    ("tables", "on supply(me): result + 1", ""),
    ("tables", "value: 9", "value: 8"),
    ("tables", "  sun: {", "  sun2: {"),
    (
        "tables",
        '  sun: {copies: 3, worth: 1, act: "coins[me] += 1"}\n  moon: {copies: 2, worth: 2, power: "on supply(me): result + 1"}\n',
        '  moon: {copies: 2, worth: 2, power: "on supply(me): result + 1"}\n  sun: {copies: 3, worth: 1, act: "coins[me] += 1"}\n',
    ),
    ("rules", "= 2\n", "= 3\n"),
    ("rules", "0..9 visible to owner", "0..9 hidden"),
    ("rules", "0..9 visible to owner", "0..9"),
    ("rules", "hand per Player visible to owner", "hand per Player"),
    ("rules", "deck hidden = all", "deck = all"),
    ("rules", "as keep or nothing", "as take_it or nothing"),
    ("rules", "as keep or nothing", "as keep or pass"),
    ("rules", "or nothing say", "or nothing if any say"),
    ("rules", "c.worth <=", "c.worth <"),
    ("rules", "score 2", "score 3"),
    ("rules", "coins[p] >= 0", "coins[p] >= 1"),
    ("rules", "by score[p], coins[p]", "by score[p]"),
    ("rules", "    c.act(p)\n", ""),
    ("rules", "deal 1", "deal 2"),
    ("rules", "for p in Player:", "for p in Player where p.next != p:"),
]


def _hash_with(tmp_path: Path, where: str, old: str, new: str) -> str:
    files = {"game": GAME, "tables": TABLES, "rules": RULES}
    assert old in files[where]
    files[where] = files[where].replace(old, new)
    return ruleset_hash(checked(tiny(tmp_path, **files), 2))


@pytest.mark.parametrize(("where", "old", "new"), WORDS)
def test_words_do_not_count(tmp_path: Path, where: str, old: str, new: str) -> None:
    before = ruleset_hash(checked(tiny(tmp_path), 2))
    after = _hash_with(tmp_path, where, old, new)
    assert before == after


@pytest.mark.parametrize(("where", "old", "new"), MEANING)
def test_what_changes_play_counts(tmp_path: Path, where: str, old: str, new: str) -> None:
    before = ruleset_hash(checked(tiny(tmp_path), 2))
    after = _hash_with(tmp_path, where, old, new)
    assert before != after


def test_players_count(tmp_path: Path) -> None:
    folder = tiny(tmp_path)
    two, three = ruleset_hash(checked(folder, 2)), ruleset_hash(checked(folder, 3))
    assert two != three


def test_order_of_decisions_counts(tmp_path: Path) -> None:
    """Actions are numbered in the order of procedures."""
    one = "procedure one(p: Player):\n    choose a in 1 .. 2 by p as first_of\n    score a to p for points\n"
    two = "procedure two(p: Player):\n    choose b in 1 .. 2 by p as second_of\n    score b to p for points\n"
    play = "procedure play():\n    for p in Player:\n        one(p)\n        two(p)\noutcome p in Player by score[p]\n"
    hashes = {
        ruleset_hash(checked(tiny(tmp_path, tables="constants: {n: {value: 1}}\n", rules=rules), 2))
        for rules in (one + two + play, one + play + two, two + one + play)
    }
    assert len(hashes) == 2


# ---------------------------------------------------------------- broken trees


def body_of(game: C.Game, name: str) -> list[C.Stmt]:
    return next(p.body for p in game.procedures if p.name == name)


def choice_of(game: C.Game) -> C.SChoose:
    return next(s for s in statements(body_of(game, "turn")) if isinstance(s, C.SChoose))


def _undefined_local(game: C.Game) -> None:
    ghost = C.Local("ghost", IntT(0, 9), 9999)
    body_of(game, "play").insert(0, C.SLet(C.Local("x", IntT(), 9998), C.Use(ghost, ghost.type)))


def _defined_in_one_arm(game: C.Game) -> None:
    local = C.Local("half", IntT(0, 9), 9999)
    arm: list[C.Stmt] = [C.SLet(local, C.Const(1, IntT(1, 1)))]
    use: C.Stmt = C.SLet(C.Local("x", IntT(), 9998), C.Use(local, local.type))
    test = C.Const(1, game.invariants[0].test.type)
    body_of(game, "play")[:0] = [C.SIf([(test, arm)], []), use]


def _defined_in_a_loop(game: C.Game) -> None:
    local = C.Local("inside", IntT(0, 9), 9999)
    loop = body_of(game, "play")[-1]
    assert isinstance(loop, C.SFor)
    loop.body.append(C.SLet(local, C.Const(1, IntT(1, 1))))
    body_of(game, "play").append(C.SLet(C.Local("x", IntT(), 9998), C.Use(local, local.type)))


def _wrong_count(game: C.Game) -> None:
    run = next(s for s in statements(body_of(game, "play")) if isinstance(s, C.SRun))
    run.args = (*run.args, C.Const(0, IntT(0, 0)))


def _bad_type(game: C.Game) -> None:
    choice_of(game).where[0].test.type = BAD


def _asking_function(game: C.Game) -> None:
    game.functions[0].body.insert(0, choice_of(game))


def _rolling_function(game: C.Game) -> None:
    die = IntT(1, 6)
    domain = C.Const(63, SetT(die))
    game.functions[0].body.insert(0, C.SRoll(C.Local("d", die, 9999), domain, die))


def _assigning_function(game: C.Game) -> None:
    var = next(v for v in game.state if v.name == "coins")
    target = C.Read(
        var, (C.Use(game.functions[0].params[0], game.functions[0].params[0].type),), IntT(0, 9)
    )
    game.functions[0].body.insert(0, C.SAssign(target, "+", C.Const(1, IntT(1, 1))))


def _const(value: int | tuple[int, ...], kind: C.Kind | None = None) -> Callable[[C.Game], None]:
    def apply(game: C.Game) -> None:
        t = KindT("Card", 2) if kind is None else kind.type
        body_of(game, "play").insert(0, C.SLet(C.Local("x", OptT(t), 9999), C.Const(value, t)))

    return apply


def _kind_of_other_size(game: C.Game) -> None:
    game.kinds["Card"].members.append("star")


def _lost_function(game: C.Game) -> None:
    game.functions.pop()


def _no_value_at_the_end(game: C.Game) -> None:
    game.functions[0].body.clear()


def _none_for_a_plain_variable(game: C.Game) -> None:
    choice_of(game).var.type = choice_of(game).element


def _break_outside(game: C.Game) -> None:
    body_of(game, "play").append(C.SBreak())


def _fields_of_choice(game: C.Game) -> None:
    other = C.Local("p", KindT("Player", 2), 9999)
    choice_of(game).by = C.Use(other, other.type)


BROKEN = [
    (_undefined_local, "ghost may not have a value"),
    (_defined_in_one_arm, "half may not have a value"),
    (_defined_in_a_loop, "inside may not have a value"),
    (_wrong_count, "turn takes 1 arguments, here are 2"),
    (_bad_type, "has a type that could not be found"),
    (_asking_function, "a function holds SChoose"),
    (_rolling_function, "a function holds SRoll"),
    (_assigning_function, "a function holds SAssign"),
    (_const(2), "the constant 2 is no Card"),
    (_const(-1), "the constant -1 is no Card"),
    (_const((0, 1)), "the constant (0, 1) is no Card"),
    (_kind_of_other_size, "there is no kind Card of 2 members"),
    (_lost_function, "is not part of the game"),
    (_no_value_at_the_end, "it may end without a value"),
    (_none_for_a_plain_variable, "may give none"),
    (_break_outside, "outside a loop"),
    (_fields_of_choice, "p may not have a value"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN)
def test_broken_trees(tmp_path: Path, change: Callable[[C.Game], None], message: str) -> None:
    game = checked(tiny(tmp_path), 2)
    problems = check_core(game)
    assert problems == []
    change(game)
    problems = check_core(game)
    assert any(message in problem for problem in problems), problems


# ---------------------------------------------------------------- broken blocks

ASKING = """\
state:
    n: 0..9
procedure play():
    for p in Player:
        pick(p, n)
        n = 0
        pick(p.next, 3)
procedure pick(p: Player, most: 0..9):
    if n == 9: return
    choose k in 1 .. 9 by p as step
        where k <= most
    n = k
outcome p in Player by score[p]
"""


def block(program: Program, name: str) -> Block:
    return next(b for b in program.blocks if b.name == name)


def asking(program: Program) -> Ask:
    return next(b.end for b in program.blocks if isinstance(b.end, Ask))


def entering(program: Program) -> Enter:
    return next(b.end for b in program.blocks if isinstance(b.end, Enter))


def _no_end(program: Program) -> None:
    block(program, "pick_step").end = None  # type: ignore[assignment]


def _forgotten_end(program: Program) -> None:
    new = Block(999, "new", "pick")
    program.blocks.append(new)
    block(program, "pick_step").end = Goto(new)


def _outside(program: Program) -> None:
    block(program, "pick_step").end = Goto(Block(999, "elsewhere", "pick"))


def _no_slot(program: Program) -> None:
    number = next(n for n, slot in program.slots.items() if slot == "x2")
    del program.slots[number]


def _same_slot(program: Program) -> None:
    for number in program.slots:
        program.slots[number] = "x1"


def _slot_of_caller(program: Program) -> None:
    for number, slot in program.slots.items():
        if slot == "x4":
            program.slots[number] = "x2"


def _slot_of_return(program: Program) -> None:
    program.dynamic["pick"] = 1


def _same_point(program: Program) -> None:
    asking(program).pc = entering(program).pc


def _wrong_point(program: Program) -> None:
    program.points[asking(program).pc] = program.start


def _decision_inside(program: Program) -> None:
    program.start.body.append(asking(program).choice)


def _asking_call_inside(program: Program) -> None:
    end = entering(program)
    program.start.body.append(C.SRun(end.procedure, None, None, None, (), None))


def _not_a_function(program: Program) -> None:
    block(program, "pick_step").is_function = False


def _circle(program: Program) -> None:
    block(program, "play_over").end = Goto(block(program, "play_loop"))


def _wrong_taker(program: Program) -> None:
    asking(program).resume.takes = None


def _wrong_count_of_values(program: Program) -> None:
    entering(program).args = entering(program).args[:1]


def _unset(program: Program) -> None:
    head = next(b for b in program.blocks if b.name == "play_2")
    head.body.clear()


def _leave_from_play(program: Program) -> None:
    block(program, "play_over").end = Leave(entering(program).procedure, None)


def _unreached(program: Program) -> None:
    program.blocks.append(Block(999, "alone", "play"))


def _left_early(program: Program) -> None:
    block(program, "pick_step").body.append(C.SReturn(None))


def _alias_with_a_value(program: Program) -> None:
    taken = asking(program).resume.takes
    assert taken is not None
    program.aliases[taken.number] = entering(program).procedure.params[0].number


BROKEN_BLOCKS = [
    (_no_end, "it has no end"),
    (_forgotten_end, "the game is over inside a procedure"),
    (_outside, "the block elsewhere is not part of the program"),
    (_no_slot, "may not have a value where it is used"),
    (_same_slot, "two locals share the slot x1"),
    (_slot_of_caller, "is used by play too"),
    (_slot_of_return, "is used by play too"),
    (_same_point, "stands for"),
    (_wrong_point, "does not lead to"),
    (_decision_inside, "the decision step is inside it"),
    (_asking_call_inside, "the decision step is inside it"),
    (_not_a_function, "reached from several places, but is no function"),
    (_circle, "blocks call each other in a circle"),
    (_wrong_taker, "does not go to its variable"),
    (_wrong_count_of_values, "pick takes 2 arguments, here are 1"),
    (_unset, "may not have a value where it is used"),
    (_leave_from_play, "it leaves pick from play"),
    (_unreached, "nothing leads to it"),
    (_left_early, "a return is inside it"),
    (_alias_with_a_value, "stands for another local"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN_BLOCKS)
def test_broken_blocks(tmp_path: Path, change: Callable[[Program], None], message: str) -> None:
    game = checked(tiny(tmp_path, tables="constants: {x: {value: 1}}\n", rules=ASKING), 2)
    program = to_blocks(game, chance_stops=False, all_entries=False)
    problems = check_blocks(program)
    assert problems == []
    change(program)
    problems = check_blocks(program)
    assert any(message in problem for problem in problems), problems


def test_chance_stops_everywhere_or_nowhere(tmp_path: Path) -> None:
    rules = ASKING.replace("        n = 0\n", "        roll d in 1 .. 6\n        n = d\n")
    game = checked(tiny(tmp_path, tables="constants: {x: {value: 1}}\n", rules=rules), 2)
    program = to_blocks(game, chance_stops=True, all_entries=False)
    problems = check_blocks(program)
    assert problems == []
    program.start.body.append(program.chances[0].event)
    problems = check_blocks(program)
    assert any("chance is inside it" in problem for problem in problems)


def test_names_without_the_game(tmp_path: Path) -> None:
    rules = RULES.replace("c is none:", "c is none or c == moon:")
    game = checked(tiny(tmp_path, rules=rules), 2)
    program = to_blocks(game, chance_stops=False, all_entries=False)
    bare, named = print_blocks(program), print_blocks(program, game)
    assert "c == Card#1" in bare and "c == moon" in named


RETURNS = """\
procedure play():
    for p in Player:
        let k = pick(p)
        if k is none: score 1 to p for points
procedure pick(q: Player) -> Player or none:
    choose a in Player by q as one
    choose b in Player by q as two
    if a == b: return none
    if a == q: return a
    if b == q: return b
    return q
outcome p in Player by score[p]
"""


def test_each_return_gives_its_own_value(tmp_path: Path) -> None:
    """A procedure laid into its caller: the result is a variable of its own, set at each return."""
    game = checked(tiny(tmp_path, tables="constants: {x: {value: 1}}\n", rules=RETURNS), 2)
    program = to_blocks(game, chance_stops=False, all_entries=False)
    text = print_blocks(program, game)
    assert [text.count(f"= {name}\n") for name in ("none", "a", "b", "p")] == [1, 1, 1, 1], text


NARROWING = """\
state:
    last: Player or none
    total: 0..99
procedure play():
    for p in Player:
        choose n in 1 .. 3 by p as take_some
        let w = last
        if w is none or score[w] > n: total = 1
        if not (w is none) and score[w] > n: total = 2
        if not (w is not none and score[w] > n) or score[p] > 1: total = 3
        total = n if w is none or score[w] > n else 4
        if any(k in 1 .. 3: w is none or score[w] > k): total = 5
        look(w)
        find(p)
        last = p
procedure look(w: Player or none):
    if w is not none:
        total = 6
    else:
        return
    score 1 to w for points
procedure find(p: Player):
    var found: Player or none = none
    while found is none:
        found = p
    score 1 to found for points
outcome p in Player by score[p]
"""
# what may be none is still an error where nothing rules it out
NOT_NARROWED = {
    "and for or": ("if w is none or score[w] > n: total = 1", "if w is none and score[w] > n: total = 1"),
    "or for and": ("if not (w is none) and", "if not (w is none) or"),
    "the other branch": ("    else:\n        return\n", "    else:\n        total = 7\n"),
    "assigned in the branch": ("        total = 6\n", "        total = 6\n        w2 = none\n"),
    "a loop that is left": ("        found = p\n", "        if total > 3: break\n        found = p\n"),
}  # fmt: skip


def test_what_a_condition_tells_of_none(tmp_path: Path) -> None:
    """On the right of `or`, after an else that leaves and after a loop; never more than is sure."""
    checked(tiny(tmp_path, tables="constants: {x: {value: 1}}\n", rules=NARROWING), 2)


@pytest.mark.parametrize("name", NOT_NARROWED)
def test_what_a_condition_does_not_tell(name: str, tmp_path: Path) -> None:
    right, wrong = NOT_NARROWED[name]
    assert right in NARROWING
    rules = NARROWING.replace(right, wrong)
    if "w2" in wrong:
        rules = rules.replace(
            "procedure look(w: Player or none):\n",
            "procedure look(w: Player or none):\n    var w2: Player or none = w\n",
        )
        rules = rules.replace("    if w is not none:\n", "    if w2 is not none:\n").replace(
            "score 1 to w for", "score 1 to w2 for"
        )
    with pytest.raises(AssertionError, match=r"may be none|or none"):
        checked(tiny(tmp_path, tables="constants: {x: {value: 1}}\n", rules=rules), 2)
