"""What people type from habit, or get wrong once: one error each, at its place, with what to write here."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.build import check_spec, read_spec
from rulewright.compiler.text.diagnostics import Problem, SpecError

GAME = (
    "game: tiny\ntitle: Tiny\nplayers: [2]\nseats: [Blue, Green]\nreasons: {coins: what was won}\n"
)
RULES = """\
state:
    coins: map Player to 0..9
    built: map Player to set of Card
    row: list of Card max 4
    last: Card or none
pieces cards of Card by 2:
    deck hidden = all
    table
procedure play():
    for p in Player: turn(p)
procedure turn(p: Player):
    choose n in 1 .. 3 by p as take_some
    coins[p] = n
LINE
    score n to p for coins
outcome p in Player by score[p] + size(table)
"""
# a line of a procedure, what it is told at, and what is said of it
HABITS = {
    # constructs nearly said
    "choose 2 cards from deck by n as pick": ("cards", "choose 2 of xs"),
    "choose 1 to 3 of xs in Card by n as pick": ("to", "choose 1 .. 3 of xs"),
    "choose up to 3 of xs in Card by n as pick": ("to", "choose 0 .. 3 of xs"),
    "choose any of xs in Card by p as pick": ("any", "choose 0 .. 3 of xs"),
    "choose 2 of xs in Card by p as pick\n    built[p] |= {xs}": ("xs", "it holds several"),
    "choose 2 of xs in Card by p as pick\n    if xs is none: pass": ("xs", "== {}"),
    "choose x in Card secretly by p as pick": ("secretly", "secretly` comes last"),
    "choose x in Card by p as pick hidden": ("hidden", "write: secretly"),
    "built[p] |= ace": ("ace", "{x}"),
    "coins[p] = built[p].rank": ("rank", "sum(x in …: x.rank)"),
    "draw c from top of deck to table": ("of", "drawn from the top"),
    "move table[1] to deck": ("to", "move at 1 from a to b"),
    "put ace on table": ("on", "move x from a to b on top"),
    "append ace, king to row": (",", "one at a time"),
    "insert ace to row at 1": ("to", "into row at 1"),
    "remove row[1]": (None, "remove at 1 from row"),
    "pop row": ("row", "remove at 1 from row"),
    "let top_card = top(row)": ("top", "row[1]"),
    "let it = coins[p, n]": (",", "m[a][b]"),
    "roll d in 1 .. 6 secretly": ("secretly", "seen by p"),
    "reveal coins[p]": ("coins", "let x = reveal("),
    "coins[p] = reveal coins[p]": ("coins", "reveal(…)"),
    "let mate = partner(p)": ("partner", "p.team.members"),
    "if repeated(): pass": ("repeated", "list of fingerprint"),
    "if row has ace: pass": ("has", "x in s"),
    "if after(coins[p] += 1: coins[p] > 2): pass": ("+=", "after(gain(p)"),
    "if after turn(p): pass": ("turn", "after(move(…)"),
    "let m: map Card to 0..3 = 0": (":", "var x: 0..9"),
    "var s = {}": ("=", "set of Player"),
    "coins[p] = 1_000": ("1", "1000000"),
    "coins[p] = 2 ^ 3": ("^", "no power"),
    "if n > 1: if n < 3: pass": ("if", "begin a line"),
    "coins[p] = len(row)": ("len", "size(x)"),
    "coins[p] = row.length": ("length", "size(x)"),
    "coins[p] = built[p].size()": ("size", "size(x)"),
    "built[p].append(ace)": ("append", "s |= {x}"),
    "row.append(ace)": ("append", "append x to row"),
    "row.push(ace)": ("push", "append x to row"),
    "built[p].add(ace)": ("add", "s |= {x}"),
    "built[p].remove(ace)": ("remove", "s -= {x}"),
    "append ace to built[p]": ("built[p]", "|= {…}"),
    "built[p] += ace": ("built[p] += ace", "|= {…}"),
    "row += ace": ("row += ace", "append x to"),
    "if built[p].contains(ace): pass": ("contains", "x in s"),
    "table.shuffle()": ("shuffle", "zones have no order"),
    "if n > 1 && n < 3: pass": ("&&", "'and'"),
    "if n > 1 || n < 3: pass": ("||", "'or'"),
    "if !(n > 1): pass": ("!", "'not'"),
    "if n = 1: pass": ("=", "'=='"),
    "if n === 1: pass": ("===", "'=='"),
    "if n > 1: pass\n    else if n > 2: pass": ("if", "'elif'"),
    "if n > 1: pass\n    elseif n > 2: pass": ("n", "'elif'"),
    "if last == null: pass": ("null", "'none'"),
    "if last == None: pass": ("None", "'none'"),
    "let yes = True": ("True", "'true'"),
    "print(n)": ("print", "tell"),
    'print("hello")': ('"hello"', "tell"),
    'tell("hello")': ("(", "leave the brackets out"),
    "import random": ("random", "nothing is imported"),
    "for i in range(3): pass": ("range", "1 .. n"),
    "for i in 3: pass": ("3", "1 .. n"),
    "for each q in Player: pass": ("q", "'for x in D:'"),
    "coins[p]++": ("++", "+= 1"),
    "let m = n > 1 ? 1 : 2": ("?", "a if condition else b"),
    "x = 5": ("x", "let x = …"),
    "let x = random()": ("random", "roll d in 1 .. 6"),
    "coins[p] = int(n)": ("int", "all numbers are whole"),
    "coins[p] = n / 2": ("/", "'//'"),
    "coins[p] = sum(coins)": ("sum", "sum(x in D: value)"),
    "coins[p] = n;": (";", "line of its own"),
    "assert n > 1": ("n", "require"),
    "del built[p]": ("built", "s -= {x}"),
    "try: pass": (":", "'if'"),
    "lambda x: x": ("x", "'function'"),
    "self.coins = 1": ("self", "named by itself"),
    'let s = "text"': ('"text"', "texts can't be kept"),
    "if n > 1 then pass": (None, "':' instead of 'then'"),
    "// what comes": ("//", "'#'"),
}  # fmt: skip
# of the game file: what stands in place of what, and where it is told
SEATS = {
    "too many players": ("[2]", "[100]", "100", "RW0307"),
    "nobody": ("[2]", "[0, 2]", "0", "RW0307"),
    "a count twice": ("[2]", "[2, 2]", "2", "RW0307"),
    "too few seats": ("[2]", "[2, 3]", "[Blue, Green]", "RW0308"),
    "a count in words": ("[2]", "[two]", "two", "RW0132"),
    "a single count": ("[2]", "2", "2", "RW0134"),
    "a doubled seat": ("Green", "Blue", "Blue", "RW0306"),
    "a seat without a name": ("Green", '""', '""', "RW0131"),
    "a number for a seat": ("Green", "5", "5", "RW0305"),
    "a single seat": ("[Blue, Green]", "Blue", "Blue", "RW0134"),
}


def errors(folder: Path, game: str, rules: str, cards: str) -> tuple[list[Problem], dict[str, str]]:
    files = {"game.yaml": game, "cards.yaml": cards, "play.rules": rules}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        problems = check_spec(read_spec(folder, "tiny"))
    except SpecError as error:
        problems = error.problems
    return problems.errors, files


def text_at(files: dict[str, str], problem: Problem) -> str:
    line = files[problem.span.file.split("/")[1]].splitlines()[problem.span.line - 1]
    return line[problem.span.column - 1 : problem.span.end_column - 1]


CARDS = "table: Card\nrows: {ace: {}, king: {}}\n"


@pytest.mark.parametrize("line", HABITS)
def test_each_habit_gets_one_error_that_says_what_to_write(line: str, tmp_path: Path) -> None:
    at, words = HABITS[line]
    found, files = errors(tmp_path, GAME, RULES.replace("LINE", f"    {line}"), CARDS)
    assert len(found) == 1
    assert words in (found[0].hint or "")
    if at is not None:
        assert text_at(files, found[0]) == at


@pytest.mark.parametrize("name", SEATS)
def test_a_wrong_player_count_or_seat_is_one_error(name: str, tmp_path: Path) -> None:
    right, wrong, at, code = SEATS[name]
    game = GAME.replace(right, wrong)
    found, files = errors(tmp_path, game, RULES.replace("LINE", "    pass"), CARDS)
    assert [p.code for p in found] == [code]
    assert text_at(files, found[0]) == at


def test_pieces_of_an_unknown_kind_are_told_once_for_each_place_that_names_it(
    tmp_path: Path,
) -> None:
    rules = RULES.replace("pieces cards of Card", "pieces cards of Crad").replace(
        "LINE", "    draw c from deck to table"
    )
    found, files = errors(tmp_path, GAME, rules, CARDS)
    assert [(p.code, text_at(files, p)) for p in found] == [("RW0503", "Crad")]
    rules = RULES.replace("set of Card", "Crad visible to owner").replace("LINE", "    pass")
    found, files = errors(tmp_path, GAME, rules, CARDS)
    assert [(p.code, text_at(files, p)) for p in found] == [("RW0503", "Crad")]
