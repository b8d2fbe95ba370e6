"""Tokens into a raw tree, by the grammar's tables; words are told from names by what fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.compiler.rules.grammar_table import DROP, KEEP, grammar_table
from rulewright.compiler.rules.tokenise import (
    CLAUSE,
    DEDENT,
    END,
    INDENT,
    INT,
    NEWLINE,
    QUOTED,
    STRING,
    WORD,
    Tok,
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


class Raw:
    """A construct of the grammar: its parts are trees, tokens, or None for something left out."""

    __slots__ = ("children", "data", "end", "first", "last", "start")

    def __init__(
        self, data: str, children: list[Any], first: Tok, last: Tok, start: int, end: int
    ) -> None:
        self.data = data
        self.children = children
        self.first = first
        self.last = last
        self.start = start  # positions count tokens; nothing at all is from 0 to 0
        self.end = end


class Parser:
    """One run over the tokens of a text."""

    def __init__(self, start: str, tokens: Sequence[Tok], misplaced: Callable[[str], bool]) -> None:
        """`misplaced` tells the words that cannot be names where a value should stand."""
        self.table = grammar_table()
        self.tokens = tokens
        self.misplaced = misplaced
        self.terminals: list[str] = []  # of the tokens read so far
        first, self._last_state = self.table.starts[start]
        self._states = [first]
        # For each state but the first: what was read, and the positions it stands at.
        self._values: list[Any] = []
        self._spans: list[tuple[int, int]] = []

    def run(self) -> Raw | None:
        """The whole tree; None when the token that `terminals` ends before does not fit."""
        position = 0
        while position < len(self.tokens):
            terminal, width = self._terminal(position)
            if not self.fits(terminal) or self._is_misplaced(terminal, position):
                return None
            self._read(terminal, position, width)
            self.terminals += [terminal] * width
            position += width
        tree = self._values[-1]
        assert isinstance(tree, Raw)
        return tree

    def expected(self) -> list[str]:
        """All terminals that could come next."""
        return [name for name in self.table.actions[self._states[-1]] if self.fits(name)]

    def fits(self, terminal: str) -> bool:
        """Whether the text could go on with this, found without going on."""
        actions, goto, plans = self.table.actions, self.table.goto, self.table.plans
        stack = self._states
        kept, added = len(stack), list[int]()  # the stack as it would be, without copying it
        while True:
            action = actions[added[-1] if added else stack[kept - 1]].get(terminal)
            if action is None:
                return False
            if action >= 0:
                return True
            size, origin = plans[-1 - action][:2]
            kept -= max(0, size - len(added))
            del added[max(0, len(added) - size) :]
            added.append(goto[added[-1] if added else stack[kept - 1]][origin])
            if terminal == "$END" and added[-1] == self._last_state:
                return True

    def _terminal(self, position: int) -> tuple[str, int]:
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

    def _is_misplaced(self, terminal: str, position: int) -> bool:
        return (
            terminal == "NAME"
            and self.misplaced(self.tokens[position].text)
            and self.fits("INT")  # so it is not just a name that is wanted here
        )

    def _read(self, terminal: str, position: int, width: int) -> None:
        states, table = self._states, self.table
        while True:
            action = table.actions[states[-1]][terminal]
            if action >= 0:
                states.append(action)
                self._values.append(self.tokens[position])
                self._spans.append((position, position + width))
                return
            self._reduce(-1 - action)
            if terminal == "$END" and states[-1] == self._last_state:
                return

    def _reduce(self, number: int) -> None:
        """Make one construct of the parts read last."""
        size, origin, data, has_tree, steps, gaps = self.table.plans[number]
        states, values, spans = self._states, self._values, self._spans
        if size == 1 and not has_tree and steps[0][1] > KEEP and not steps[0][0] and not gaps:
            # By far the most frequent: an expression that is only the next level's expression.
            states[-1] = self.table.goto[states[-2]][origin]
            return
        children: list[Any] = []
        start = end = 0
        base = len(values) - size
        for offset, (before, use) in enumerate(steps):
            value = values[base + offset]
            from_, to = spans[base + offset]
            if to > from_:
                start, end = (start, to) if end else (from_, to)
            if before:
                children += [None] * before
            if use == KEEP:
                children.append(value)
            elif use != DROP:
                if not children and not has_tree:
                    children = value  # lists grow in place: nobody else has this one
                else:
                    children += value
        if gaps:
            children += [None] * gaps
        if size:
            del states[-size:], values[-size:], spans[-size:]
        states.append(self.table.goto[states[-1]][origin])
        spans.append((start, end))
        if not has_tree:
            values.append(children)
            return
        first, last = self.tokens[start], self.tokens[max(start, end - 1)]
        values.append(Raw(data, children, first, last, start, end))
