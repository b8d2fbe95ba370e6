"""Rule text, in files and in the cells of tables, into the syntax tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, overload

from lark import Token, Tree
from lark.parsers.lalr_analysis import Shift

from rulewright.compiler import syntax as s
from rulewright.compiler.build_expressions import (
    COMP_OPS,
    RESERVED,
    ExpressionBuilder,
    RawTree,
    words,
)
from rulewright.compiler.build_tree import TreeBuilder
from rulewright.compiler.diagnostics import Problems
from rulewright.compiler.grammar_table import GrammarTable, grammar_table
from rulewright.compiler.source import Source, Span
from rulewright.compiler.syntax_errors import report_unexpected
from rulewright.compiler.tokenise import (
    CLAUSE,
    DEDENT,
    END,
    INDENT,
    INT,
    NEWLINE,
    QUOTED,
    STRING,
    WORD,
    BadText,
    Line,
    Tok,
    tokenise,
)

__all__ = [
    "COMP_OPS",
    "MAX_DEPTH",
    "RESERVED",
    "CellKind",
    "CellTree",
    "classify",
    "parse_block_text",
    "parse_cell",
    "parse_expression_text",
    "parse_rules",
    "parse_type_text",
    "split_rules",
]

MAX_DEPTH = 150

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
    words("score any all possible reveal pass roll draw deal move require reset tell put take show")
)
_MARKS = ("@assumed", "@stand-in")
_TERMINALS = {
    INT: "INT",
    STRING: "STRING",
    QUOTED: "QUOTED",
    NEWLINE: "_NL",
    INDENT: "_INDENT",
    DEDENT: "_DEDENT",
    END: "$END",
}


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
        tree = _parse("rules", lines, source.file, problems)
        if tree is not None:
            decls += TreeBuilder(source.file, problems).rules(tree)
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
    tree = _parse(kind, lines, file, problems)
    return None if tree is None else getattr(TreeBuilder(file, problems), kind)(tree)


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
    try:
        driver = _Driver("rules", tokenise(lines, file, problems), file, problems)
    except BadText:
        return None
    if driver.run() is None:
        return None
    return list(zip(driver.tokens, driver.terminals, strict=True))


def _parse(start: str, lines: Sequence[Line], file: str, problems: Problems) -> RawTree | None:
    layout = start in ("rules", "block", "hooks")
    try:
        tokens = tokenise(lines, file, problems, layout=layout)
    except BadText:
        return None
    tree = _Driver(start, tokens, file, problems).run()
    return tree if tree is not None and _is_shallow(tree, file, problems) else None


class _Driver:
    """Feeds tokens to the parser, which tells words of the language from names by what fits."""

    def __init__(self, start: str, tokens: Sequence[Tok], file: str, problems: Problems) -> None:
        self.table: GrammarTable = grammar_table()
        self.tokens = tokens
        self.terminals: list[str] = []  # of the tokens read so far
        self.file = file
        self.problems = problems
        self.parser = self.table.parser.parse_interactive("", start=start)
        self.state = self.parser.parser_state
        self.actions: Any = self.state.parse_conf.states
        self.end_state: Any = self.state.parse_conf.end_state

    def run(self) -> RawTree | None:
        result: RawTree | None = None
        position = 0
        while position < len(self.tokens):
            token = self.tokens[position]
            terminal, width = self.terminal(position)
            if not self.fits(terminal) or (terminal == "NAME" and self.is_misplaced(token.text)):
                expected = [
                    name
                    for name in self.actions[self.state.position]
                    if (name.isupper() or name == "$END") and self.fits(name)
                ]
                report_unexpected(
                    self.tokens, position, expected, self.table.texts, self.file, self.problems
                )
                return None
            last = self.tokens[position + width - 1]
            result = self.parser.feed_token(
                # Positions count tokens, which is enough to see what stands next to what.
                Token(
                    terminal,
                    token.text,
                    start_pos=position,
                    line=token.line,
                    column=token.column,
                    end_line=last.line,
                    end_column=last.end_column,
                    end_pos=position + width,
                )
            )
            self.terminals += [terminal] * width
            position += width
        return result

    def terminal(self, position: int) -> tuple[str, int]:
        """The terminal for the token at a position, and how many tokens it takes."""
        token = self.tokens[position]
        if token.kind == WORD:
            for name in self.table.words.get(token.text, ()):
                if self.fits(name):
                    return name, 1
            return "NAME", 1
        if token.kind == CLAUSE:
            return ("MARK" if token.text in _MARKS else "CLAUSE"), 1
        if token.kind in _TERMINALS:
            return _TERMINALS[token.kind], 1
        if token.text == "=" and self.tokens[position + 1].text == "all" and self.fits("FULL"):
            return "FULL", 2
        return self.table.signs[token.text], 1

    def is_misplaced(self, word: str) -> bool:
        """Whether a word of the language stands where a value should, and not just a name."""
        return word in RESERVED and word not in _ALSO_NAMES and self.fits("INT")

    def fits(self, terminal: str) -> bool:
        """Whether the parser could go on with this, found without disturbing it."""
        actions, stack = self.actions, self.state.state_stack
        kept, added = len(stack), list[Any]()  # the stack as it would be, without copying it
        while True:
            found = actions[added[-1] if added else stack[kept - 1]].get(terminal)
            if found is None:
                return False
            action, target = found
            if action is Shift:
                return True
            size = len(target.expansion)
            kept -= max(0, size - len(added))
            del added[max(0, len(added) - size) :]
            below = added[-1] if added else stack[kept - 1]
            added.append(actions[below][target.origin.name][1])
            if terminal == "$END" and added[-1] == self.end_state:
                return True


def _is_shallow(tree: RawTree, file: str, problems: Problems) -> bool:
    """Refuse trees so deep that walking them would exhaust the stack."""
    waiting: list[tuple[RawTree, int, RawTree | None]] = [(tree, 1, None)]
    while waiting:
        node, depth, whole = waiting.pop()
        if whole is None and hasattr(ExpressionBuilder, f"expr_{node.data}"):
            whole = node
        if depth > MAX_DEPTH:
            at = (whole or node).meta
            span = Span(file, at.line, at.column, at.end_line, at.end_column)
            problems.error(
                "RW0208",
                span,
                f"this is nested more than {MAX_DEPTH} levels deep",
                hint="name parts of it with 'let', or move some into a function",
            )
            return False
        inside = (child for child in node.children if isinstance(child, Tree))
        waiting += [(child, depth + 1, whole) for child in inside]
    return True
