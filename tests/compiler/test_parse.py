"""Rule text into trees: what each construct becomes, where it is, and what is refused."""

import hashlib
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.rules import lark_parser
from rulewright.compiler.rules import syntax as s
from rulewright.compiler.rules.build_expressions import COMP_OPS, RESERVED
from rulewright.compiler.rules.parse import (
    parse_block_text,
    parse_cell,
    parse_expression_text,
    parse_rules,
    parse_type_text,
    split_rules,
)
from rulewright.compiler.rules.tokenise import tokenise
from rulewright.compiler.text.diagnostics import Problems, render_all
from rulewright.compiler.text.source import Sources, Span

A, B, C, D, X = (s.Ref(name) for name in "abcDx")


def expr(text: str) -> s.Expr:
    problems = Problems()
    found = parse_expression_text(text, problems)
    assert not problems.has_errors, render_all(problems, Sources())
    assert found is not None
    return found


def block(text: str) -> s.Block:
    problems = Problems()
    found = parse_block_text(text, problems)
    assert not problems.has_errors, render_all(problems, Sources())
    assert found is not None
    return found


def rules(text: str) -> tuple[s.Decl, ...]:
    problems, sources = Problems(), Sources()
    found = parse_rules(sources.add("t.rules", text), problems)
    assert not problems.has_errors, render_all(problems, sources)
    return found.decls


def codes(text: str) -> list[str]:
    problems, sources = Problems(), Sources()
    parse_rules(sources.add("t.rules", text), problems)
    return [problem.code for problem in problems]


def name(text: str) -> s.Name:
    return s.Name(text)


# ---------------------------------------------------------------- expressions


EXPRESSIONS: list[tuple[str, s.Expr]] = [
    ("12", s.Num(12)),
    (str(2**62), s.Num(2**62)),
    ("true", s.Truth(True)),
    ("false", s.Truth(False)),
    ("none", s.NoneLit()),
    ("'north.gate-1'", s.Quoted("north.gate-1")),
    ("a.b", s.Attr(A, name("b"))),
    ("a.from", s.Attr(A, name("from"))),
    ("a[b]", s.Index(A, B)),
    ("a(b, c)", s.Call(A, (B, C))),
    ("a()", s.Call(A, ())),
    ("a.b(c)[x]", s.Index(s.Call(s.Attr(A, name("b")), (C,)), X)),
    ("-a", s.Unary("-", A)),
    ("a - -b", s.Binary("-", A, s.Unary("-", B))),
    ("not a and b", s.Binary("and", s.Unary("not", A), B)),
    ("not a == b", s.Unary("not", s.Binary("==", A, B))),
    ("a or b and c", s.Binary("or", A, s.Binary("and", B, C))),
    ("a + b * c", s.Binary("+", A, s.Binary("*", B, C))),
    ("(a + b) * c", s.Binary("*", s.Binary("+", A, B), C)),
    ("a - b - c", s.Binary("-", s.Binary("-", A, B), C)),
    ("a - (b - c)", s.Binary("-", A, s.Binary("-", B, C))),
    ("a // b % c", s.Binary("%", s.Binary("//", A, B), C)),
    ("a | b & c", s.Binary("|", A, s.Binary("&", B, C))),
    ("a not in b", s.Binary("not in", A, B)),
    ("a meets b", s.Binary("meets", A, B)),
    ("a within b", s.Binary("within", A, B)),
    ("(a < b) == c", s.Binary("==", s.Binary("<", A, B), C)),
    ("a .. b + c", s.Binary("..", A, s.Binary("+", B, C))),
    ("a in b .. c", s.Binary("in", A, s.Binary("..", B, C))),
    ("a is none", s.IsNone(A, False)),
    ("a is not none", s.IsNone(A, True)),
    ("(a == b) is none", s.IsNone(s.Binary("==", A, B), False)),
    ("a if b else c", s.Choice(B, A, C)),
    ("a if b else c if x else D", s.Choice(B, A, s.Choice(X, C, D))),
    ("{}", s.SetLit(())),
    ("{a, b}", s.SetLit((A, B))),
    ("{x in D where c}", s.SetOf(name("x"), D, C)),
    ("{x in D}", s.SetOf(name("x"), D, None)),
    ("[]", s.ListLit(())),
    ("[a, b]", s.ListLit((A, B))),
    ("possible(a(b))", s.Possible(s.Call(A, (B,)))),
    ("reveal(a)", s.Reveal(A)),
    ("after(a(b): c)", s.After(s.Call(A, (B,)), C)),
    ("any(x in D: c)", s.Comp("any", name("x"), D, None, (C,), None)),
    ("count(x in D where c)", s.Comp("count", name("x"), D, C, (), None)),
    ("max(x in D where c: a else b)", s.Comp("max", name("x"), D, C, (A,), B)),
    ("best(x in D: a, b)", s.Comp("best", name("x"), D, None, (A, B), None)),
    ("max(a, b)", s.Call(s.Ref("max"), (A, B))),
    # Words of statements are names where a value is asked for.
    ("score[a]", s.Index(s.Ref("score"), A)),
    ("take == draw", s.Binary("==", s.Ref("take"), s.Ref("draw"))),
    ("owner + kind + per", s.Binary("+", s.Binary("+", s.Ref("owner"), s.Ref("kind")), s.Ref("per"))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_expressions(text: str, tree: s.Expr) -> None:
    assert expr(text) == tree


def test_every_operation_over_a_domain() -> None:
    for op in COMP_OPS:
        assert expr(f"{op}(x in D: a)") == s.Comp(op, name("x"), D, None, (A,), None)


def test_lines_of_an_expression_need_no_brackets() -> None:
    assert expr("a +  # first\n  b\n\n* c") == expr("a + b * c")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("int", s.NamedType("int")),
        ("0..9", s.RangeType(s.Num(0), s.Num(9))),
        ("-a..b + c", s.RangeType(s.Unary("-", A), s.Binary("+", B, C))),
        ("K or none", s.OptionType(s.NamedType("K"))),
        ("set of K", s.SetType(s.NamedType("K"))),
        ("set of 1..3", s.SetType(s.RangeType(s.Num(1), s.Num(3)))),
        ("map K to map L to bool", s.MapType(s.NamedType("K"), s.MapType(s.NamedType("L"), s.NamedType("bool")))),
        ("list of K", s.ListType(s.NamedType("K"), None)),
        ("list of K max 4", s.ListType(s.NamedType("K"), s.Num(4))),
        ("map P to K or none", s.MapType(s.NamedType("P"), s.OptionType(s.NamedType("K")))),
    ],
)  # fmt: skip
def test_types(text: str, tree: s.TypeExpr) -> None:
    problems = Problems()
    assert parse_type_text(text, problems) == tree
    assert not problems.has_errors


def test_column_types() -> None:
    problems = Problems()
    me = s.Param(name("me"), s.NamedType("Player"))
    cells: dict[str, s.ColumnType] = {
        "procedure(me: Player)": s.CodeType((me,), None, False),
        "procedure() -> K": s.CodeType((), s.NamedType("K"), False),
        "function(me: Player) -> 0..9": s.CodeType((me,), s.RangeType(s.Num(0), s.Num(9)), True),
        "hook(me: Player) when a": s.HookType((me,), A),
        "set of K": s.SetType(s.NamedType("K")),
    }
    for text, tree in cells.items():
        assert parse_cell("column_type", [(1, 1, text)], "t.yaml", problems) == tree
    assert not problems.has_errors
    assert parse_cell("column_type", [(1, 1, "function(me: Player)")], "t.yaml", problems)
    assert [problem.code for problem in problems] == ["RW0221"]


# ---------------------------------------------------------------- statements


STATEMENTS: list[tuple[str, s.Stmt]] = [
    ("let x = a", s.Let(name("x"), A)),
    ("var x: int", s.Var(name("x"), s.NamedType("int"), None)),
    ("var x: int = a", s.Var(name("x"), s.NamedType("int"), A)),
    ("a = b", s.Assign(A, "=", B)),
    ("a[b] += c", s.Assign(s.Index(A, B), "+=", C)),
    ("a.b -= c", s.Assign(s.Attr(A, name("b")), "-=", C)),
    ("a |= b", s.Assign(A, "|=", B)),
    ("a &= b", s.Assign(A, "&=", B)),
    ("a(b)", s.Run(s.Call(A, (B,)))),
    ("break", s.Break()),
    ("continue", s.Continue()),
    ("pass", s.Pass()),
    ("return", s.Return(None)),
    ("return a", s.Return(A)),
    ("roll x in 1 .. 6", s.Roll(name("x"), s.Binary("..", s.Num(1), s.Num(6)))),
    ("draw x from a to b", s.Draw(name("x"), A, B)),
    ("deal 3 from a to b", s.Deal(s.Num(3), A, B)),
    ("move all from a to b", s.Move(None, None, A, B, False)),
    ("move all from a to b revealing", s.Move(None, None, A, B, True)),
    ("move x from a to b", s.Move(None, X, A, B, False)),
    ("move 2 of x from a to b", s.Move(s.Num(2), X, A, B, False)),
    ("score 5 to a for score", s.Score(s.Num(5), A, name("score"))),
    ("require a", s.Require(A)),
    ("reset turn", s.Reset(name("turn"))),
    ('tell "a {x}"', s.Tell(s.Said("a {x}"), None)),
    ('tell "" to a', s.Tell(s.Said(""), A)),
    ("take a to b", s.Take(A, B)),
    ("show a to b", s.Show(A, B)),
    ("show a to all", s.Show(A, None)),
    ("put x in Man of a from b with c = D", s.Put(name("x"), name("Man"), A, B, ((name("c"), D),), None)),
    (
        "put x in Man of a from b with c = D, d = x seen by c",
        s.Put(name("x"), name("Man"), A, B, ((name("c"), D), (name("d"), X)), C),
    ),
    (
        "put x in Man of a from b with c = D seen by all",
        s.Put(name("x"), name("Man"), A, B, ((name("c"), D),), s.Ref("all")),
    ),
    ("if a: break", s.If(((A, (s.Break(),)),), ())),
    (
        "if a:\n  break\nelif b:\n  pass\nelse: return",
        s.If(((A, (s.Break(),)), (B, (s.Pass(),))), (s.Return(None),)),
    ),
    ("for x in D: pass", s.For(name("x"), D, None, (s.Pass(),))),
    ("for x in D where a: pass", s.For(name("x"), D, A, (s.Pass(),))),
    ("together x in D: pass", s.For(name("x"), D, None, (s.Pass(),), True)),
    ("while a: pass", s.While(A, (s.Pass(),))),
    ("loop:\n pass\n break", s.While(None, (s.Pass(), s.Break()))),
    (
        "choose x in D by a as pick",
        s.Choose(((name("x"), D),), A, name("pick"), None, False, False, None, None, ()),
    ),
    (
        'choose x in D, y in b by a as pick or pass secretly if any say "s" others "o"\n'
        "    where c\n    where x",
        s.Choose(
            ((name("x"), D), (name("y"), B)),
            A,
            name("pick"),
            name("pass"),
            True,
            True,
            s.Said("s"),
            s.Said("o"),
            (s.Where(C), s.Where(X)),
        ),
    ),
    (
        'either by a as act or none if any:\n  option take say "s": pass\n'
        "  option b:\n    where c\n    break",
        s.Either(
            A,
            name("act"),
            name("none"),
            True,
            (
                s.Option(name("take"), s.Said("s"), None, (), (s.Pass(),)),
                s.Option(name("b"), None, None, (s.Where(C),), (s.Break(),)),
            ),
        ),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), STATEMENTS, ids=[text[:40] for text, _ in STATEMENTS])
def test_statements(text: str, tree: s.Stmt) -> None:
    assert block(text) == (tree,)
    # The same as part of a procedure, after another statement.
    inside = "".join(f"    {line}\n" for line in ["pass", *text.split("\n")])
    (decl,) = rules(f"procedure f():\n{inside}")
    assert isinstance(decl, s.Procedure)
    assert decl.body == (s.Pass(), tree)


def test_words_of_declarations_are_names_inside_blocks() -> None:
    text = "procedure f():\n    pass\n    state = open\n    pieces(before)\n    on += 1\n"
    (decl,) = rules(text)
    assert isinstance(decl, s.Procedure)
    assert decl.body[1] == s.Assign(s.Ref("state"), "=", s.Ref("open"))


def test_citations() -> None:
    (stmt,) = block('a() @b.c-d @assumed("why not") @stand-in("so")')
    marks = ("clause", "b.c-d"), ("assumed", "why not"), ("stand-in", "so")
    assert stmt.cites == tuple(s.Cite(*mark) for mark in marks)
    (stmt,) = block("if a @x: pass\nelif b @y: pass")
    assert stmt.cites == (s.Cite("clause", "x"), s.Cite("clause", "y"))
    (function,) = rules("function f() -> int @x = 3 @y")
    assert isinstance(function, s.Function)
    assert function.cites == (s.Cite("clause", "x"), s.Cite("clause", "y"))
    (hook,) = rules("on f(me) @x: result + 1 @y")
    assert isinstance(hook, s.Hook)
    assert hook.cites == (s.Cite("clause", "x"), s.Cite("clause", "y"))


# ---------------------------------------------------------------- declarations


def test_state() -> None:
    assert rules(
        "state:\n"
        "    a: map Player to 0..9 visible to owner resets at turn = 3 @x\n"
        "    state: bool hidden = all(p in Player: b)\n"
    ) == (
        s.StateVar(
            name("a"),
            s.MapType(s.NamedType("Player"), s.RangeType(s.Num(0), s.Num(9))),
            "owner",
            name("turn"),
            s.Num(3),
            (s.Cite("clause", "x"),),
        ),
        s.StateVar(
            name("state"),
            s.NamedType("bool"),
            "nobody",
            None,
            s.Comp("all", name("p"), s.Ref("Player"), None, (B,), None),
        ),
    )


def test_pieces() -> None:
    assert rules(
        "pieces team per Side of Power by a(owner, kind) @x:\n"
        "    bag hidden = all @y\n"
        "    hand per Player per Place visible to owner\n"
        "    standing Man max 40:\n"
        "        place: Place\n"
    ) == (
        s.Pieces(
            name("team"),
            s.NamedType("Power"),
            s.NamedType("Side"),
            s.Call(A, (s.Ref("owner"), s.Ref("kind"))),
            (
                s.Zone(name("bag"), (), "nobody", True, (s.Cite("clause", "y"),)),
                s.Zone(name("hand"), (s.NamedType("Player"), s.NamedType("Place")), "owner", False),
            ),
            s.Standing(
                name("Man"), s.Num(40), (s.PieceField(name("place"), s.NamedType("Place")),)
            ),
            (s.Cite("clause", "x"),),
        ),
    )


def test_code_declarations() -> None:
    p = s.Param(name("p"), s.NamedType("Player"))
    value = (s.Return(s.Num(0)),)
    integer = s.NamedType("int")
    assert rules(
        "function f(p: Player) -> int = 0\n"
        "replace open function f(p: Player,) -> int:\n    return 0\n"
        "procedure g(): pass\n"
        "open procedure g() -> int: return 0\n"
        "on f(me): 0\n"
        "instead f(me):\n    0\n"
        "before g(): a()\n"
        "after g():\n    pass\n    pass\n"
    ) == (
        s.Function(name("f"), (p,), integer, value),
        s.Function(name("f"), (p,), integer, value, True, True),
        s.Procedure(name("g"), (), None, (s.Pass(),)),
        s.Procedure(name("g"), (), integer, value, True),
        s.Hook("on", name("f"), (name("me"),), value),
        s.Hook("instead", name("f"), (name("me"),), value),
        s.Hook("before", name("g"), (), (s.Run(s.Call(A, ())),)),
        s.Hook("after", name("g"), (), (s.Pass(), s.Pass())),
    )


def test_ends() -> None:
    assert rules("invariant a: b\noutcome x in D by a, b\nheuristic x: c\n") == (
        s.Invariant(name("a"), B),
        s.Outcome(name("x"), D, (A, B)),
        s.Heuristic(name("x"), C),
    )


def test_hooks_of_a_cell() -> None:
    problems = Problems()
    lines = [(4, 9, "on f(me): result + 1"), (5, 9, "after g(me):"), (6, 9, "    pass")]
    hooks = parse_cell("hooks", lines, "t.yaml", problems)
    assert hooks is not None and not problems.has_errors
    assert [hook.when for hook in hooks] == ["on", "after"]
    assert hooks[1].span == Span("t.yaml", 5, 9, 6, 17)


def test_brackets_may_span_lines_and_close_in_the_first_column() -> None:
    (decl,) = rules("function f(\n    p: Player,\n\n  # who\n) -> int = g(\n  p,\n  3\n)\n")
    assert isinstance(decl, s.Function)
    assert decl.body == (s.Return(s.Call(s.Ref("g"), (s.Ref("p"), s.Num(3)))),)


def test_nothing_is_an_empty_file() -> None:
    assert rules("") == ()
    assert rules("\n  \n# a comment\n    # another\n") == ()


# ---------------------------------------------------------------- places


def test_spans_are_those_of_the_file() -> None:
    text = "# head\n\nprocedure f(p: Player):\n    if a:\n        go(p, b)  @x  # end\n\n\nstate:\n    a: int\n"
    procedure, state = rules(text)
    assert isinstance(procedure, s.Procedure)
    assert procedure.span == Span("t.rules", 3, 1, 5, 21)
    assert procedure.name.span == Span("t.rules", 3, 11, 3, 12)
    (test,) = procedure.body
    assert isinstance(test, s.If) and test.span == Span("t.rules", 4, 5, 5, 21)
    (run,) = test.arms[0][1]
    assert isinstance(run, s.Run) and run.span == Span("t.rules", 5, 9, 5, 21)
    assert run.call.span == Span("t.rules", 5, 9, 5, 17)
    assert run.cites[0].span == Span("t.rules", 5, 19, 5, 21)
    assert state.span == Span("t.rules", 9, 5, 9, 11)


def test_places_in_cells_are_those_of_the_file() -> None:
    problems = Problems()
    lines = [(10, 7, "if a:"), (11, 7, "    go("), (12, 7, "        b + )")]
    assert parse_cell("block", lines, "t.yaml", problems) is None
    assert [problem.span for problem in problems] == [Span("t.yaml", 12, 19, 12, 20)]
    problems = Problems()
    assert parse_cell("expression", [(3, 20, "a @")], "t.yaml", problems) is None
    assert [problem.span for problem in problems] == [Span("t.yaml", 3, 22, 3, 23)]
    problems = Problems()
    assert parse_cell("expression", [(3, 20, "  ")], "t.yaml", problems) is None
    assert [problem.span for problem in problems] == [Span("t.yaml", 3, 20, 3, 21)]


# ---------------------------------------------------------------- what is refused


def test_each_broken_declaration_is_reported_and_the_others_are_read() -> None:
    problems, sources = Problems(), Sources()
    text = (
        "function a() -> int = (\nfunction b() -> int = 1\nfunction = 3\nfunction c() -> int = 2\n"
    )
    found = parse_rules(sources.add("t.rules", text), problems)
    assert [decl.name.text for decl in found.decls if isinstance(decl, s.Function)] == ["b", "c"]
    assert [(p.code, p.span.line) for p in problems] == [("RW0206", 1), ("RW0201", 3)]


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_are_no_names(word: str) -> None:
    assert "RW0211" in codes(f"state:\n    {word}: bool\n")
    assert "RW0211" in codes(f"procedure {word}(): pass\n")
    assert "RW0211" in codes(f"procedure f({word}: int): pass\n")
    assert "RW0211" in codes(f"procedure f():\n    let {word} = 3\n")


def test_limits() -> None:
    problems = Problems()

    def refused(text: str) -> str:
        before = len(problems.all())
        assert parse_block_text(text, problems, f"file{before}") is None
        (problem,) = [p for p in problems if p.span.file == f"file{before}"]
        assert problem.span.line >= 1 and problem.span.column >= 1
        return problem.code

    assert refused("a(" + "(" * 60 + "b" + ")" * 61) == "RW0208"
    assert refused("a(" + "not " * 10_000 + "b)") == "RW0208"
    assert refused("a(" + "-" * 10_000 + "b)") == "RW0208"
    assert refused("a(1" + " + 1" * 5_000 + ")") == "RW0208"
    assert refused("a(b" + ".c" * 5_000 + ")") == "RW0208"
    assert refused("a(" + "b if c else " * 2_000 + "d)") == "RW0208"
    assert refused("".join("  " * n + "if a:\n" for n in range(30)) + "  " * 30 + "b()") == "RW0208"
    assert refused("a(" + "b, " * 10_000 + "c)") == "RW0209"
    assert refused("a()" + " " * 100_000) == "RW0209"
    twenty = "".join("  " * n + "if a:\n" for n in range(20)) + "  " * 20 + "b()"
    assert len(block(twenty)) == 1
    assert len(block("a(" + "(" * 59 + "b" + ")" * 60)) == 1


def test_numbers_that_are_too_large() -> None:
    for text in (str(2**62 + 1), "9" * 20, "9" * 5_000):
        problems = Problems()
        parse_expression_text(text, problems)
        assert [problem.code for problem in problems] == ["RW0210"]


PIECES_OF_TEXT = [
    "state:", "procedure f(p: K):", "if", "elif", "else:", "for x in", "choose", "either by p as a:",
    "option", "where", "let x =", "var", "return", "move all from", "(", ")", "[", "]", "{", "}", "@a.b",
    "@assumed", '"text"', '"', "'a'", "'", "\n", "\n    ", "\n        ", "\n  ", "\t", "#", "a", "b", "12",
    "..", ".", ",", ":", "=", "==", "+", "-", "//", "not", "in", "is", "none", "any(x in D:", "é", "&&", "\\",
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES_OF_TEXT), max_size=25), st.sampled_from(["", " "]))
def test_any_text_gives_a_tree_or_located_problems(pieces: list[str], glue: str) -> None:
    text = glue.join(pieces)
    problems, sources = Problems(), Sources()
    source = sources.add("t.rules", text)
    parse_rules(source, problems)
    parse_expression_text(text, problems, "t.rules")
    parse_block_text(text, problems, "t.rules")
    for problem in problems:
        span = problem.span
        assert 1 <= span.line <= len(source.lines)
        assert 1 <= span.column <= len(source.lines[span.line - 1]) + 1
        assert (span.line, span.column) < (span.end_line, span.end_column)
    assert render_all(problems, sources) or not problems.has_errors


def test_the_file_is_split_at_declarations() -> None:
    text = "# a\nstate:\n    a: int\n# b\n\nfunction f(\n) -> int = 3\nif a:\n    b\n"
    chunks = [[number for number, _, _ in chunk] for chunk in split_rules(text.split("\n"))]
    assert chunks == [[2, 3], [6, 7], [8, 9]]


def test_the_holes_of_a_text_are_read_with_it() -> None:
    (tell,) = block('tell "{a} has {b + 1: coin/coins} left"')
    assert isinstance(tell, s.Tell)
    first, has, second, left = tell.text.parts
    assert first == s.Hole(A, None) and (has, left) == (" has ", " left")
    assert second == s.Hole(s.Binary("+", B, s.Num(1)), ("coin", "coins"))
    assert isinstance(second, s.Hole) and (second.span.column, second.span.end_column) == (15, 34)
    assert (second.value.span.column, second.value.span.end_column) == (16, 21)


@pytest.mark.parametrize(
    ("hole", "code"), [("{a", "RW0630"), ("{}", "RW0631"), ("{a +}", "RW0631")]
)
def test_a_hole_that_is_no_expression(hole: str, code: str) -> None:
    problems = Problems()
    assert parse_block_text(f'tell "{hole}"', problems) is not None
    assert [problem.code for problem in problems] == [code]


# ---------------------------------------------------------------- the parser on disk


def tables(folder: Path) -> list[Path]:
    return sorted(folder.glob("*"))


def built(monkeypatch: pytest.MonkeyPatch, folder: Path) -> lark_parser.Language:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(folder))
    return lark_parser.language.__wrapped__()


def works(language: lark_parser.Language) -> bool:
    """It reads `3`, given as its tokens."""
    run: Any = lark_parser.Parser("expression", tokenise([(1, 1, "3")], "text", Problems()), bool)
    return language.parser.parse(run, start="expression").data == "expression"


def is_whole(file: Path) -> bool:
    content = file.read_bytes()
    return len(content) > 10_000 and content[:32] == hashlib.sha256(content[32:]).digest()


def test_the_parser_is_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "deep" / "cache"
    assert works(built(monkeypatch, folder))
    (file,) = tables(folder)
    content = file.read_bytes()
    assert is_whole(file)

    def never(*args: object, **options: object) -> None:
        raise AssertionError("built anew")

    with monkeypatch.context() as patch:
        patch.setattr(lark_parser, "_build", never)
        assert works(built(monkeypatch, folder))

    # building takes seconds, so what stands in for it gives the one that was built
    whole, anew = built(monkeypatch, folder).parser, []
    monkeypatch.setattr(lark_parser, "_build", lambda grammar: anew.append(grammar) or whole)
    other = pickle.dumps({"data": {}, "memo": {}})
    for number, damaged in enumerate(
        (b"", b"short", content[:-1], hashlib.sha256(other).digest() + other), 1
    ):
        file.write_bytes(damaged)
        assert works(built(monkeypatch, folder))
        assert len(anew) == number
        assert tables(folder) == [file]
        assert is_whole(file)


def test_a_cache_that_cannot_be_written_is_no_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    assert works(built(monkeypatch, file / "below"))
    assert file.read_text(encoding="utf-8") == ""
