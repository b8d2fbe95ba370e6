"""Trees into text and back: nothing is lost, and no bracket is written that is not needed."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.rules import syntax as s
from rulewright.compiler.rules.build_expressions import COMP_OPS
from rulewright.compiler.rules.parse import (
    parse_block_text,
    parse_cell,
    parse_expression_text,
    parse_rules,
    parse_type_text,
)
from rulewright.compiler.rules.print_syntax import (
    print_block,
    print_decl,
    print_expr,
    print_hooks,
    print_rules,
    print_stmt,
    print_type,
)
from rulewright.compiler.text.diagnostics import Problems, render_all
from rulewright.compiler.text.source import Sources

ROOT = Path(__file__).parents[2]
# Broken files and files of other formats are for other tests.
FILES = sorted(
    path
    for folder in ("spec", "tests")
    for path in (ROOT / folder).rglob("*.rules")
    if "bad" not in path.parts
)
EVERYTHING = (Path(__file__).parent / "everything.rules").read_text(encoding="utf-8")


def read(text: str) -> s.RulesFile:
    problems, sources = Problems(), Sources()
    found = parse_rules(sources.add("t.rules", text), problems)
    assert not problems.has_errors, render_all(problems, sources)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_come_back(path: Path) -> None:
    tree = read(path.read_text(encoding="utf-8"))
    text = print_rules(tree)
    assert read(text) == tree
    assert print_rules(read(text)) == text


def test_each_declaration_comes_back_alone() -> None:
    for decl in read(EVERYTHING).decls:
        assert read(print_decl(decl)).decls == (decl,)


def test_each_statement_comes_back_alone() -> None:
    found = 0
    for decl in read(EVERYTHING).decls:
        if isinstance(decl, s.Function | s.Procedure):
            for stmt in decl.body:
                problems = Problems()
                assert parse_block_text(print_stmt(stmt), problems) == (stmt,)
                assert parse_block_text(print_block((stmt, stmt), 2), problems) == (stmt, stmt)
                found += 1
    assert found > 30


CANONICAL = """\
state:
    a: map Player to 0..9 visible to owner resets at turn = 3  @x.y @assumed("why")
    b: 0 .. n + 1 hidden

pieces cards of Card by copies @x:
    deck hidden = all  @y
    hand per Player visible to owner

function f(p: Player) -> int = a[p] + 1  @x

function g(p: Player) -> int @x:
    return 3  @y

procedure h():
    if a:
        pass
    elif b:
        break
    else:
        continue
    choose x in D by p as pick or nothing secretly if any say "s" others "o"  @x
        where c  @y
    either by p as act:
        option one:
            where c
            pass

on f(me): result + 1  @x

after h():
    pass

outcome p in Player by score[p]
"""


def test_canonical_text_stays_as_it_is() -> None:
    assert print_rules(read(CANONICAL)) == CANONICAL


def test_comments_go_above_declarations() -> None:
    tree = read("state:\n    a: int\n    b: int\n\nfunction f() -> int = 3\n")
    assert print_rules(tree, {1: "two\n\nlines", 2: "last"}) == (
        "state:\n    a: int\n    # two\n    #\n    # lines\n    b: int\n\n"
        "# last\nfunction f() -> int = 3\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "(a + b) * c",
        "a + b * c",
        "a - (b - c)",
        "a - b - c",
        "-(a + b)",
        "--a",
        "-a.b",
        "(-a).b",
        "not (a and b)",
        "not a and b",
        "(not a) == b",
        "not a == b",
        "a and (b or c)",
        "(a if b else c) if d else e",
        "a if b else c if d else e",
        "(a if b else c) + 1",
        "(a < b) == c",
        "a == (b < c)",
        "(a == b) is not none",
        "(a .. b) .. c",
        "a in b .. c + 1",
        "{x in (a if b else c) where d}",
        "any(x in a | b: c)",
        "any(x in (a in b): c)",
        "max(x in D where a if b else c: d if e else f else g if h else i)",
        "(a | b).c[d](e)",
        "[a, {}, {b}, []]",
        "count(x in D where c)",
        "best(x in D: a, -b)",
        "possible(f(a, 'b-c'))",
        "reveal(a) is none",
    ],
)
def test_brackets_are_written_only_where_needed(text: str) -> None:
    problems = Problems()
    tree = parse_expression_text(text, problems)
    assert tree is not None and not problems.has_errors
    assert print_expr(tree) == text


@pytest.mark.parametrize(
    "text",
    [
        "procedure(me: Player)",
        "function(me: Player, n: 0..9) -> set of K",
        "hook(me: Player) when this in a[me]",
        "list of 1..3 max n + 1",
        "map K to map -1..1 to bool",
        "a.b .. c",
    ],
)
def test_column_types_come_back(text: str) -> None:
    problems = Problems()
    tree = parse_cell("column_type", [(1, 1, text)], "t.yaml", problems)
    assert tree is not None and print_type(tree) == text


def test_hooks_come_back() -> None:
    problems = Problems()
    text = "on f(me): result + 1\nafter g(me, b):\n    pass\n"
    lines = [(1, 1, line) for line in text.split("\n")]
    tree = parse_cell("hooks", lines, "t.yaml", problems)
    assert tree is not None and print_hooks(tree) == text


# ---------------------------------------------------------------- any tree at all

names = st.sampled_from(["a", "b", "players", "score", "x1", "_y", "state", "at", "owner", "max"])
places = st.builds(s.Name, names)
variables = st.builds(s.Name, st.sampled_from(["x", "y", "p"]))
atoms: st.SearchStrategy[s.Expr] = st.one_of(
    st.builds(s.Num, st.integers(0, 2**62)),
    st.builds(s.Truth, st.booleans()),
    st.just(s.NoneLit()),
    st.builds(s.Ref, names),
    st.builds(s.Quoted, st.sampled_from(["north.1", "a-b", "if", "x y"])),
)
SIGNS = "+ - * // % | & and or == != < <= > >= in meets within .."
OPERATORS = [*SIGNS.split(), "not in"]


def bigger(inner: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    several = st.lists(inner, max_size=3).map(tuple)
    one = st.tuples(inner)
    maybe = st.none() | inner
    return st.one_of(
        st.builds(s.Binary, st.sampled_from(OPERATORS), inner, inner),
        st.builds(s.Unary, st.sampled_from(["-", "not"]), inner),
        st.builds(s.IsNone, inner, st.booleans()),
        st.builds(s.Choice, inner, inner, inner),
        st.builds(s.Attr, inner, st.builds(s.Name, st.sampled_from(["a", "in", "none"]))),
        st.builds(s.Index, inner, inner),
        st.builds(s.Call, inner, several),
        st.builds(s.SetLit, several),
        st.builds(s.ListLit, several),
        st.builds(s.SetOf, variables, inner, inner),
        st.builds(s.Possible, inner),
        st.builds(s.Reveal, inner),
        st.builds(s.After, inner, inner),
        st.builds(s.Comp, st.sampled_from(COMP_OPS), variables, inner, maybe, one, st.none()),
        st.builds(s.Comp, st.sampled_from(["min", "max"]), variables, inner, maybe, one, maybe),
        st.builds(s.Comp, st.just("count"), variables, inner, inner, st.just(()), st.none()),
    )


expressions = st.recursive(atoms, bigger, max_leaves=12)


@settings(max_examples=500, deadline=None)
@given(expressions)
def test_any_expression_comes_back(tree: s.Expr) -> None:
    problems = Problems()
    text = print_expr(tree)
    assert parse_expression_text(text, problems) == tree, text
    assert not problems.has_errors


plain_types = st.one_of(
    st.builds(s.NamedType, st.sampled_from(["int", "Player", "K"])),
    st.builds(s.RangeType, atoms, expressions),
)
types = st.recursive(
    st.one_of(
        plain_types,
        st.builds(s.OptionType, plain_types),
        st.builds(s.SetType, plain_types),
        st.builds(s.ListType, plain_types, st.none() | expressions),
    ),
    lambda inner: st.builds(s.MapType, plain_types, inner),
    max_leaves=3,
)


@settings(max_examples=200, deadline=None)
@given(types)
def test_any_type_comes_back(tree: s.TypeExpr) -> None:
    problems = Problems()
    assert parse_type_text(print_type(tree), problems) == tree
    assert not problems.has_errors
