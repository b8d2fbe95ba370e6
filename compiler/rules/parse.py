"""Rule text, in files and in the cells of tables, into the syntax tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias, overload

from rulewright.compiler.rules import syntax as s
from rulewright.compiler.rules.build_declarations import TreeBuilder
from rulewright.compiler.rules.build_expressions import RESERVED, ExpressionBuilder, words
from rulewright.compiler.rules.lark_parser import Parser, Raw, language
from rulewright.compiler.rules.syntax_errors import report_unexpected
from rulewright.compiler.rules.tokenise import BadText, Line, Tok, tokenise
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Source, Span

MAX_DEPTH = 150
MAX_REMEMBERED = 5000  # characters of a declaration

CellKind: TypeAlias = Literal["block", "expression", "hooks", "column_type", "type"]
CellTree: TypeAlias = s.Block | s.Expr | tuple[s.Hook, ...] | s.ColumnType

_DECLARES = re.compile(
    r"(state|pieces|function|procedure|open|replace|on|instead|before|after|invariant|outcome"
    r"|heuristic)\b"
)
_BLOCK_BEGINS = re.compile(r":\s*(#.*)?$")

# Reserved words that a name may also be: built-in state and functions, and verbs that a table
# may have members for. They are told apart by what fits.
_ALSO_NAMES = frozenset(
    words(
        "score any all possible reveal pass roll draw deal move shuffle require reset tell put take show append insert remove"
    )
)


def parse_rules(source: Source, problems: Problems) -> s.RulesFile:
    """All declarations of a file that can be read; each of the others is a problem."""
    decls: list[s.Decl] = []
    for lines in split_rules(source.lines):
        line, column, text = lines[0]
        if text[0] == " ":  # a tab is for the tokeniser to complain of
            indent = len(text) - len(text.lstrip(" "))
            at = Span(source.file, line, column + indent, line, column + indent + 1)
            problems.error(
                "RW0207",
                at,
                "a declaration must begin in the first column",
                hint="remove the spaces before it",
            )
            continue
        decls += _built("rules", lines, source.file, problems) or ()
    return s.RulesFile(tuple(decls))


def split_rules(lines: Sequence[str]) -> list[list[Line]]:
    """The lines of each declaration, so that one that is broken leaves the others alone."""
    chunks: list[list[Line]] = []
    for number, text in enumerate(lines, 1):
        code = text.lstrip(" ")
        if code and code[0] != "#":
            if not chunks or not _goes_on(text, chunks[-1][-1][2]):
                chunks.append([])
            chunks[-1].append((number, 1, text))
    return chunks


def _goes_on(text: str, above: str) -> bool:
    """Whether a line belongs to the declaration above it."""
    if text[0] in " \t)]}":
        return True
    # A block that somebody forgot to indent: one message is enough.
    return _BLOCK_BEGINS.search(above) is not None and _DECLARES.match(text) is None


@overload
def parse_cell(
    kind: Literal["block"], lines: Sequence[Line], file: str, problems: Problems
) -> s.Block | None: ...
@overload
def parse_cell(
    kind: Literal["expression"], lines: Sequence[Line], file: str, problems: Problems
) -> s.Expr | None: ...
@overload
def parse_cell(
    kind: Literal["hooks"], lines: Sequence[Line], file: str, problems: Problems
) -> tuple[s.Hook, ...] | None: ...
@overload
def parse_cell(
    kind: Literal["column_type"], lines: Sequence[Line], file: str, problems: Problems
) -> s.ColumnType | None: ...
@overload
def parse_cell(
    kind: Literal["type"], lines: Sequence[Line], file: str, problems: Problems
) -> s.TypeExpr | None: ...
@overload
def parse_cell(
    kind: CellKind, lines: Sequence[Line], file: str, problems: Problems
) -> CellTree | None: ...


def parse_cell(kind: CellKind, lines: Sequence[Line], file: str, problems: Problems) -> Any:
    """The tree of rule text inside a table; None when it cannot be read."""
    return _built(kind, lines, file, problems)


def parse_expression_text(text: str, problems: Problems, file: str = "text") -> s.Expr | None:
    return parse_cell("expression", _lines(text), file, problems)


def parse_block_text(text: str, problems: Problems, file: str = "text") -> s.Block | None:
    return parse_cell("block", _lines(text), file, problems)


def parse_type_text(text: str, problems: Problems, file: str = "text") -> s.TypeExpr | None:
    return parse_cell("type", _lines(text), file, problems)


def _lines(text: str) -> list[Line]:
    return [(number, 1, line) for number, line in enumerate(text.split("\n"), 1)]


def classify(lines: Sequence[Line], file: str, problems: Problems) -> list[tuple[Tok, str]] | None:
    """The tokens of one declaration, each with what the grammar takes it for."""
    parser, tree = _read("rules", lines, file, problems)
    if parser is None or tree is None:
        return None
    return list(zip(parser.tokens, parser.terminals, strict=True))


def _built(start: str, lines: Sequence[Line], file: str, problems: Problems) -> Any:
    """The syntax tree of a text; short ones are remembered, for the next reading of a file that has hardly changed."""
    if sum(len(text) for _, _, text in lines) > MAX_REMEMBERED:
        return _build(start, lines, file, problems)
    tree, known = _remembered(start, tuple(lines), file)
    for problem in known:
        problems.add(problem)
    return tree


@lru_cache(maxsize=2000)
def _remembered(start: str, lines: tuple[Line, ...], file: str) -> tuple[Any, Problems]:
    problems = Problems()
    return _build(start, lines, file, problems), problems


def _build(start: str, lines: Sequence[Line], file: str, problems: Problems) -> Any:
    tree = _parse(start, lines, file, problems)
    return None if tree is None else getattr(TreeBuilder(file, problems, _parse_hole), start)(tree)


def _parse_hole(line: Line, file: str) -> s.Expr | None:
    """The expression inside a text; what is wrong with it is told of the text."""
    return parse_cell("expression", [line], file, Problems())


def _parse(start: str, lines: Sequence[Line], file: str, problems: Problems) -> Raw | None:
    _, tree = _read(start, lines, file, problems)
    return tree if tree is not None and _is_shallow(tree, file, problems) else None


def _read(
    start: str, lines: Sequence[Line], file: str, problems: Problems
) -> tuple[Parser | None, Raw | None]:
    try:
        layout = start in ("rules", "block", "hooks")
        tokens = tokenise(lines, file, problems, layout=layout)
    except BadText:
        return None, None
    parser = Parser(start, tokens, lambda word: word in RESERVED and word not in _ALSO_NAMES)
    tree = parser.run()
    if tree is None:
        at = len(parser.terminals)
        texts = language().texts
        report_unexpected(tokens, at, parser.expected(), texts, file, problems)
    return parser, tree


def _is_shallow(tree: Raw, file: str, problems: Problems) -> bool:
    """Refuse trees so deep that walking them would exhaust the stack."""
    waiting: list[tuple[Raw, int, Raw | None]] = [(tree, 1, None)]
    while waiting:
        node, depth, whole = waiting.pop()
        if whole is None and hasattr(ExpressionBuilder, f"expr_{node.data}"):
            whole = node
        if depth > MAX_DEPTH:
            at = whole or node
            problems.error(
                "RW0208",
                Span(file, at.first.line, at.first.column, at.last.line, at.last.end_column),
                f"this is nested more than {MAX_DEPTH} levels deep",
                hint="name parts of it with 'let', or move some into a function",
            )
            return False
        inside = (child for child in node.children if isinstance(child, Raw) and child.end)
        waiting += [(child, depth + 1, whole) for child in inside]
    return True
