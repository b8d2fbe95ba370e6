"""Tokens → a raw tree, by lark's parser; words are told from names by what fits."""

from __future__ import annotations

import copy
import functools
import hashlib
import importlib.metadata
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import lark
from lark.lexer import Lexer, LexerState

from rulewright.cache import folder, read, write
from rulewright.compiler.rules.tokenise import (
    CLAUSE,
    DEDENT,
    INDENT,
    INT,
    NEWLINE,
    QUOTED,
    STRING,
    WORD,
    Tok,
)

STARTS = ["rules", "block", "expression", "hooks", "column_type", "type"]

_GRAMMAR = Path(__file__).with_name("grammar.lark")
# Terminals of several words; the words mean different terminals in different places.
_WORDS = {"WHEN": ("on", "instead", "before", "after"), "CODE": ("procedure", "function")}
_MARKS = ("@assumed", "@stand-in")
_TERMINALS = {
    INT: "INT",
    STRING: "STRING",
    QUOTED: "QUOTED",
    NEWLINE: "_NL",
    INDENT: "_INDENT",
    DEDENT: "_DEDENT",
}
# What stays in a tree: the other tokens only give it its form. In some constructs they tell which of several it is.
_KEPT = frozenset(
    "NAME INT STRING QUOTED CLAUSE MARK FULL WHEN CODE REPLACE OPEN REVEALING ORDERED".split()
)
_OPERATORS = frozenset(("assign_op", "compare_op", "sum_op", "term_op"))


_NONE = Tok("", "", 0, 0)


class Leaf:
    """A token as lark's parser takes it, with its number among the tokens."""

    __slots__ = ("index", "tok", "type")
    # lark asks the last one for these
    start_pos = line = column = end_line = end_column = end_pos = None

    def __init__(self, type_: str, tok: Tok = _NONE, index: int = 0) -> None:
        self.type = type_
        self.tok = tok
        self.index = index


class Raw:
    """A construct of the grammar: its parts are trees, tokens, or None for something left out.

    lark gives it all of its parts, so that it knows where it begins and ends; positions count tokens, and nothing at all is
    from 0 to 0.
    """

    __slots__ = ("children", "data", "end", "first", "last", "start")
    first: Tok
    last: Tok

    def __init__(self, data: str, children: list[Any]) -> None:
        self.data = data
        self.children = children
        if data[0] == "_":
            return  # lark lays its parts into what it stands in
        self.start = self.end = 0
        for child in children:
            if type(child) is Leaf:
                self.start, self.first = child.index, child.tok
                break
            if child is not None and child.end:
                self.start, self.first = child.start, child.first
                break
        for child in reversed(children):
            if type(child) is Leaf:
                self.end, self.last = child.index + 1, child.tok
                break
            if child is not None and child.end:
                self.end, self.last = child.end, child.last
                break
        whole = data in _OPERATORS
        self.children = [
            child.tok if type(child) is Leaf else child
            for child in children
            if type(child) is not Leaf or whole or child.type in _KEPT
        ]


class _Misplaced(Exception):
    """A word stands where only a value can, and it is none."""


class TokenLexer(Lexer):
    """Gives lark's parser the tokens of a text, each as the terminal that fits where the parser is."""

    __future_interface__ = True

    def __init__(self, conf: Any) -> None:
        self.words: dict[str, list[str]] = {}  # word -> terminals it may be
        self.signs: dict[str, str] = {}  # sign -> its terminal
        for terminal in conf.terminals:
            if terminal.pattern.type != "str":
                for word in _WORDS.get(terminal.name, ()):
                    self.words.setdefault(word, []).append(terminal.name)
            elif terminal.pattern.value[0].isalpha():
                self.words.setdefault(terminal.pattern.value, []).append(terminal.name)
            else:
                self.signs[terminal.pattern.value] = terminal.name

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Any]:
        run: Any = lexer_state.text
        assert isinstance(run, Parser)
        rows = parser_state.parse_conf.states
        tokens, last = run.tokens, len(run.tokens) - 1  # the last is the end of the text
        position = 0
        while position < last:
            token = tokens[position]
            row = rows[parser_state.position]
            width = 1
            if token.kind == WORD:
                terminal = self._word(token.text, row, parser_state)
                if terminal == "NAME" and run.misplaced(token.text) and fits(parser_state, "INT"):
                    raise _Misplaced  # it is not just a name that is wanted here
            elif token.kind == CLAUSE:
                terminal = "MARK" if token.text in _MARKS else "CLAUSE"
            elif token.kind in _TERMINALS:
                terminal = _TERMINALS[token.kind]
            elif (
                token.text == "="
                and tokens[position + 1].text == "all"
                and fits(parser_state, "FULL")
            ):
                terminal, width = "FULL", 2
            else:
                terminal = self.signs[token.text]
            leaf = Leaf(terminal, token, position)
            run.leaves.append(leaf)
            run.terminals += [terminal] * width
            yield leaf
            position += width

    def _word(self, text: str, row: Any, parser_state: Any) -> str:
        found = [name for name in self.words.get(text, ()) if name in row]
        if len(found) == 1 and "NAME" not in row:
            return found[0]
        return next((name for name in found if fits(parser_state, name)), "NAME")


def fits(parser_state: Any, terminal: str) -> bool:
    """Whether the text could go on with this, found without going on: a row of the table promises more than it holds."""
    if terminal not in parser_state.parse_conf.states[parser_state.position]:
        return False
    trial = parser_state.copy(deepcopy_values=False)
    trial.parse_conf = copy.copy(parser_state.parse_conf)
    trial.parse_conf.callbacks = {}  # no trees are made
    try:
        trial.feed_token(Leaf(terminal))
    except lark.UnexpectedToken:
        return False
    return True


class Language(NamedTuple):
    """lark's parser for the grammar, and the words and signs of its terminals."""

    parser: lark.Lark
    texts: dict[str, str]


@functools.cache
def language() -> Language:
    """The parser for this process: from the cache if it is there and whole, else built anew."""
    grammar = _GRAMMAR.read_text(encoding="utf-8")
    version = importlib.metadata.version("lark")
    key = repr((grammar, STARTS, version, sys.version, __name__)).encode()
    file = folder() / f"grammar-{hashlib.sha256(key).hexdigest()[:32]}.table"
    parser = _load(file)
    if parser is None:
        parser = _build(grammar)
        _save(parser, file)
    return Language(
        parser, {t.name: t.pattern.value for t in parser.terminals if t.pattern.type == "str"}
    )


def _build(grammar: str) -> lark.Lark:
    options: dict[str, Any] = {"lexer": TokenLexer, "tree_class": Raw}
    return lark.Lark(grammar, parser="lalr", start=STARTS, keep_all_tokens=True, **options)


def _load(file: Path) -> lark.Lark | None:
    # It is a pickle, so only our own cache is asked for it; the digest in front tells a damaged file.
    data = read(file)
    if data is None or hashlib.sha256(data[32:]).digest() != data[:32]:
        return None
    try:
        return lark.Lark.load(io.BytesIO(data[32:]))
    except Exception:
        return None  # whatever is wrong with the cache, building anew is right


def _save(parser: lark.Lark, file: Path) -> None:
    out = io.BytesIO()
    parser.save(out)
    write(file, hashlib.sha256(out.getvalue()).digest() + out.getvalue())


class Parser:
    """One run over the tokens of a text."""

    def __init__(self, start: str, tokens: Sequence[Tok], misplaced: Callable[[str], bool]) -> None:
        """`misplaced` tells the words that cannot be names where a value should stand."""
        self.start = start
        self.tokens = tokens
        self.misplaced = misplaced
        self.leaves: list[Leaf] = []
        self.terminals: list[str] = []  # of the tokens read so far

    def run(self) -> Raw | None:
        """The whole tree; None when the token that `terminals` ends before does not fit."""
        given: Any = self
        try:
            tree: Any = language().parser.parse(given, start=self.start)
        except lark.UnexpectedToken as error:
            if error.token.type != "$END":
                del self.terminals[self.leaves.pop().index :]
            return None
        except _Misplaced:
            return None
        assert isinstance(tree, Raw)
        self.terminals.append("$END")
        return tree

    def expected(self) -> set[str]:
        """All terminals that could come next.

        The text is read again up to there, since on the wrong token lark has already ended what could have gone on.
        """
        again: Any = language().parser.parse_interactive(start=self.start)
        for leaf in self.leaves:
            again.feed_token(leaf)
        return set(again.accepts())
