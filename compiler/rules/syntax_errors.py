"""A token that the grammar does not allow into a message with what would be right and a hint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.compiler.rules.build_expressions import RESERVED, words
from rulewright.compiler.rules.slips import slip
from rulewright.compiler.rules.tokenise import (
    CLOSING,
    DEDENT,
    END,
    INDENT,
    INT,
    NEWLINE,
    QUOTED,
    SIGN,
    STRING,
    WORD,
    Tok,
)
from rulewright.compiler.text.diagnostics import Problems, Related, nearest, quoted
from rulewright.compiler.text.source import Span

MAX_EXPECTED = 6

_READABLE = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "text in double quotes",
    "QUOTED": "a name in single quotes",
    "CLAUSE": "a citation",
    "MARK": "a citation",
    "FULL": "'= all'",
    "WHEN": "a hook",
    "CODE": "'procedure' or 'function'",
    "_NL": "end of line",
    "_INDENT": "an indented block",
    "_DEDENT": "end of the block",
    "$END": "nothing more",
}

# Terminals that together are better called by one phrase: where all of the first can stand,
# all of the second are left out.
_GROUPS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "a declaration",
        words("state function"),
        words("state pieces function procedure invariant outcome heuristic open replace WHEN _NL"),
    ),
    (
        "a statement",
        words("let if for"),
        words(
            "let var break continue return roll draw deal move shuffle score require reset tell pass put"
            " take show append insert remove if for together while loop choose either"
        ),
    ),
    ("a type", words("set list map"), words("set list map")),
    (
        "an expression",
        words("NAME INT ( {"),
        words("NAME INT QUOTED ( { [ - not true false none"),
    ),
    ("an assignment", words("= +="), words("= += -= |= &=")),
    (
        "an operator",
        words("+ *"),
        words("+ - | * // % & . [ ( .. == != < <= > >= in not meets within is and or if"),
    ),
)
_LAST = ("an assignment", "end of line", "an operator", "a citation", "end of the block")

_STATEMENTS = (*_GROUPS[1][2], "elif", "else", "where", "option")
_BLOCK_HEADS = words(
    "state pieces function procedure open replace on instead before after standing if elif else"
    " for together while loop either option"
)
_THEN = ("then", "do", "{")
_CONDITIONS = words("if elif while where require invariant")
# what goes over something: the name, then `in`
_OVER = words("choose for roll")

# what has a block of its own
_OPENING = words("if for while loop either together choose")

# First words of lines, from other languages or in the wrong place.
_HABITS = {
    "elseif": "write 'elif'",
    "elsif": "write 'elif'",
    "elif": "an 'elif' must follow an 'if' in the same column",
    "else": "an 'else' must follow an 'if' in the same column",
    "def": "write 'function' (with a result) or 'procedure'",
    "func": "write 'function'",
    "fn": "write 'function'",
    "proc": "write 'procedure'",
    "const": "constants are written in a YAML file, under 'constants:'",
    "foreach": "write 'for x in D:'",
    "repeat": "write 'loop:', or 'for i in 1 .. n:'",
    "until": "write 'while not …:'",
    "switch": "write 'if … elif … else'",
    "match": "write 'if … elif … else'",
    "print": "write 'tell \"…\"'",
    "assert": "write 'require …', or an 'invariant' that always holds",
    "del": "write: s -= {x} for a set, remove x from row for a list",
    "delete": "write: s -= {x} for a set, remove x from row for a list",
    "try": "nothing is caught here; test with 'if' what may go wrong",
    "throw": "write 'require …'",
    "raise": "write 'require …'",
    "lambda": "write a 'function' of its own",
    "async": "rules wait by themselves where somebody chooses",
    "await": "rules wait by themselves where somebody chooses",
    "yield": "rules wait by themselves where somebody chooses",
    "global": "what a game keeps can be changed everywhere; leave it out",
    "class": "kinds are written as tables in a YAML file",
    "import": "all files of a game's folder belong to it; nothing is imported",
    "when": "a hook begins with 'on', 'before', 'after' or 'instead'; inside a body write 'if'",
    "whenever": "a hook begins with 'on', 'before', 'after' or 'instead'",
    "where": "a 'where' is indented below a 'choose', or comes first in an 'option'",
    "option": "an 'option' is indented below 'either by p as label:'",
}


def report_unexpected(
    tokens: Sequence[Tok],
    at: int,
    expected: Iterable[str],
    texts: Mapping[str, str],
    file: str,
    problems: Problems,
) -> None:
    """Report the token at an index, given the terminals that could have stood there."""
    found = _Unexpected(tokens, at, {texts.get(name, name) for name in expected}, file)
    found.known = set(texts.values())
    if (bracket := found.unclosed_bracket()) is not None:
        problems.error(
            "RW0206",
            bracket.span(file),
            f"this '{bracket.text}' is not closed",
            hint=f"close it with '{CLOSING[bracket.text]}'",
            related=[Related(found.span(), "the line below is read as part of the bracket")],
        )
        return
    if (place := found.missing_colon()) is not None:
        text = found.token.text
        message = f"there is no ':' before {text if found.token.kind == STRING else quoted(text)}"
        problems.error("RW0202", place, message, hint=found.colon_hint())
        return
    code, message = found.message()
    problems.error(code, found.span(), message, expected=found.expectation(), hint=found.hint())


class _Unexpected:
    """A token, what stands before it on its logical line, and what could stand in its place."""

    def __init__(self, tokens: Sequence[Tok], at: int, expected: set[str], file: str) -> None:
        self.tokens = tokens
        self.at = at
        self.token = tokens[at]
        self.expected = expected
        self.file = file
        self.known: set[str] = set()
        start = at
        while start > 0 and tokens[start - 1].kind not in (NEWLINE, INDENT, DEDENT):
            start -= 1
        self.line = tokens[start:at]
        self.head = self.line[0].text if self.line else self.token.text
        self.before = [token.text for token in self.line[-2:]]
        self.wants_block = "_INDENT" in expected and self.token.kind != INDENT
        # A block that may follow but need not is no reason to complain of its absence.
        self.wants_block = self.wants_block and "_NL" not in expected and len(expected) == 1
        self.wants_colon = (
            self.token.kind == NEWLINE and ":" in expected and self.head in _BLOCK_HEADS
        )

    def span(self) -> Span:
        # Indentation has no width; show what is indented.
        token = self.tokens[self.at + 1] if self.token.kind == INDENT else self.token
        return token.span(self.file)

    def open_brackets(self) -> list[Tok]:
        opened: list[Tok] = []
        for token in self.line:
            if token.kind == SIGN and token.text in CLOSING:
                opened.append(token)
            elif token.kind == SIGN and token.text in CLOSING.values() and opened:
                opened.pop()
        return opened

    def unclosed_bracket(self) -> Tok | None:
        """The bracket that swallowed the line this token begins."""
        if not self.token.first or self.token.text in CLOSING.values():
            return None
        opened = self.open_brackets()
        return opened[-1] if opened else None

    def missing_colon(self) -> Span | None:
        """Where a ':' should stand: after the word before this one, on a line that has none at its end either."""
        if slip(self.line, self.token, self.expected) is not None:
            return None
        begins = self.token.kind in (WORD, INT, STRING, QUOTED) or self.token.text in _THEN
        if ":" not in self.expected or not self.line or not begins:
            return None
        if self.token.text == "if" and self.line[-1].text == "else":
            return None
        if self.expected != {":"}:
            rest = self.tokens[self.at :]
            end = next((i for i, token in enumerate(rest) if token.kind in (NEWLINE, END)), 1)
            says_so = self.head in _BLOCK_HEADS and rest[end - 1].text != ":"
            then = self.token.text in _THEN
            if self.open_brackets() or not (says_so or then):
                return None
        last = self.line[-1]
        return Span(self.file, last.line, last.end_column, last.line, last.end_column + 1)

    def colon_hint(self) -> str:
        text = self.token.text
        if text in _THEN:
            return f"write ':' instead of '{text}'"
        before = self.line[-1]
        shown = before.text if before.kind == STRING else quoted(before.text)
        return (
            f"put a ':' between {shown} and {text if self.token.kind == STRING else quoted(text)}"
        )

    # ------------------------------------------------------------ what is wrong

    def message(self) -> tuple[str, str]:
        kind = self.token.kind
        if self.wants_block:
            if kind in (DEDENT, END):
                return "RW0207", "an indented block must follow this line"
            return "RW0207", "this line must be indented, as part of the block that begins above"
        if kind == INDENT:
            return "RW0207", "this line is indented more than the one above it"
        if self.wants_colon:
            return "RW0202", "there is no ':' at the end of this line"
        if kind == NEWLINE:
            return "RW0202", "the line ends too early"
        if kind in (DEDENT, END):
            empty = len(self.tokens) == 1
            return "RW0202", "there is nothing here" if empty else "the text ends too early"
        text = self.token.text
        return "RW0201", f"{text if kind == STRING else quoted(text)} cannot stand here"

    # ------------------------------------------------------------ what would be right

    def expectation(self) -> str | None:
        rest = self.expected - {"$END"} or self.expected
        groups: list[str] = []
        for called, signs, members in _GROUPS:
            if rest.issuperset(signs):
                rest = rest.difference(members)
                groups.append(called)
        if "a statement" in groups or "a type" in groups:
            # Both may begin like an expression, but that helps nobody.
            groups = [group for group in groups if group != "an expression"]
        found = [_readable(name) for name in sorted(rest, key=_rank)]
        found = list(dict.fromkeys(found))
        last = [text for text in _LAST if text in found or text in groups]
        # Room for what a group stands for: it says more than the fifth single word.
        main = [group for group in groups if group not in last]
        first = [text for text in found if text not in last][: MAX_EXPECTED - len(main)]
        shown = [*first, *main, *last][:MAX_EXPECTED]
        return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown) or None

    # ------------------------------------------------------------ what to do about it

    def hint(self) -> str | None:
        kind, text = self.token.kind, self.token.text
        if self.wants_block:
            return "indent the lines of the block by 4 spaces"
        if (meant := slip(self.line, self.token, self.expected)) is not None:
            return meant
        if kind == INDENT:
            return "only the lines of a block are indented, below a line that ends with ':'"
        if text == "if" and self.before[-1:] == ["else"]:
            return "write 'elif'"
        if self.head == "for" and [t.text for t in self.line] == ["for", "each"]:
            return "write 'for x in D:'"
        if kind == STRING and {"NAME", "INT"} <= self.expected and self.head not in _HABITS:
            return 'texts can\'t be kept; name a member of a table, or say it: tell "…"'
        if self.head == "tell" and text == "(":
            return 'leave the brackets out: tell "…"'
        if text == "=" and (self.head in _CONDITIONS or self.open_brackets()):
            return "to compare, write '=='"
        # most words of the language may be names too, so only the first place tells
        most = 0 if self.head in self.known and self.head != "when" else 2
        if self.head in _HABITS and len(self.line) <= most:
            return _HABITS[self.head]
        if self.wants_colon:
            return "write ':' at the end"
        if text == "to" and self.before[-2:-1] == ["in"] and self.head in _OVER:
            return f"a range is written: {self.before[-1]} .. n"
        if text in ("from", "of", ":", "=") and len(self.line) == 2 and self.head in _OVER:
            return f"say from what: {self.head} {self.before[-1]} in …"
        if text == "of" and self.before[-1:] == ["map"]:
            return "write: map Player to 0..9"
        if self.head == "choose" and self.expected & {"by", "as"}:
            return "say who chooses and name the choice: choose x in D by p as label"
        if self.head == "score" and text in ("=", "+=", "-="):
            return "the score is changed with: score 5 to p for reason"
        if self.head == "either" and self.expected & {"by", "as"}:
            return "say who chooses and name the choice: either by p as label:"
        if kind == NEWLINE and self.before == ["-", "-"]:
            return "write 'x -= 1'"
        if "none" in self.expected and "is" in self.before and self.before[-1:] != ["none"]:
            return "'is' asks only for none; compare with '==' or '!='"
        if kind == INT and self.before[-1:] == ["."]:
            return "numbers are whole: there are no decimals"
        if "(" in self.expected and self.before[-1:] in (["@assumed"], ["@stand-in"]):
            return f'say why: {self.before[-1]}("reason")'
        if self.expected == {":"} and text in (",", ")") and self.open_brackets():
            return "every parameter has a type: p: Player"
        if text in CLOSING.values() and self.before[-1:] == [","]:
            return "remove the ',' before it"
        if self.expected == {"->"}:
            return "a function says what it gives: '-> type'"
        if any(token.text == "//" for token in (*self.line, self.token)):
            return "a comment begins with '#'; '//' divides"
        return self.misspelt() or self.reserved()

    def misspelt(self) -> str | None:
        if len(self.line) == 1 and self.line[0].kind == WORD and self.head not in self.known:
            # a word that begins a line and is no statement was taken for a name
            found = nearest(self.head, _STATEMENTS)
            if found is not None:
                return f"did you mean '{found}'?"
            if self.token.kind in (WORD, INT):
                return f"to carry out a procedure, write {self.head}({self.token.text})"
        keywords = [word for word in self.expected if word.isalpha() and word.islower()]
        found = nearest(self.token.text, keywords) if self.token.kind == WORD else None
        return None if found is None or found == self.token.text else f"did you mean '{found}'?"

    def reserved(self) -> str | None:
        text = self.token.text
        if text in _OPENING and self.before[-1:] == [":"]:
            return (
                f"only a statement without a block stands behind a ':'; begin a line with '{text}'"
            )
        if text in RESERVED and self.line and self.expected.issuperset(("NAME", "INT")):
            return f"'{text}' is a word of the language; write a member of that name in quotes"
        return None


def _readable(name: str) -> str:
    return _READABLE.get(name) or f"'{name}'"


def _rank(name: str) -> tuple[int, str]:
    """Signs first, then words, then kinds of tokens; in an order that never changes."""
    if name in _READABLE:
        return 2, name
    return (1 if name[0].isalpha() else 0), name
