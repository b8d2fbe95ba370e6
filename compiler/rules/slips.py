"""A line that goes wrong where a construct of the language is nearly said → how it is said."""

from __future__ import annotations

from collections.abc import Sequence, Set

from rulewright.compiler.rules.tokenise import INT, NEWLINE, SIGN, WORD, Tok

_CHOICE = "say who chooses and name the choice: choose x in D by p as label"
_HOLDS = ("has", "contains", "includes", "holds")


def slip(line: Sequence[Tok], token: Tok, expected: Set[str]) -> str | None:
    """What to write instead; `line` stands before the token, of which `expected` could have stood in its place."""
    if not line:
        return None
    words = [t.text for t in line]
    found = _statement(words, line, token, expected)
    return found if found is not None else _expression(words, token, expected)


def _statement(words: list[str], line: Sequence[Tok], token: Tok, expected: Set[str]) -> str | None:
    text = token.text
    match words[0]:
        case "choose" if "of" in expected and (
            (line[1:2] and line[1].kind == INT) or words[1:2] == ["up"]
        ):
            if text == "to":
                low = "0" if words[1] == "up" else words[1]
                return f"so many at least and at most are written: choose {low} .. 3 of xs in D"
            return f"write: choose {words[1]} of xs in D by p as label"
        case "choose" if text == "secretly" and "by" in expected:
            return "`secretly` comes last: choose x in D by p as label secretly"
        case "choose" if text in ("hidden", "secret") and "secretly" in expected:
            return "write: secretly"
        case "roll" if text in ("secretly", "hidden", "secret") and "seen" in expected:
            return "who alone sees it is named: roll d in 1 .. 6 seen by p"
        case "draw" if words[-1] in ("top", "bottom", "the") or text == "top":
            return "pieces are drawn from the top, and all see them: draw x from a to b"
        case "move" if text == "to" and "from" in expected:
            return "say what goes and where it lies: move x from a to b, or by its place: move at 1 from a to b"
        case "put" if text in ("on", "into", "to"):
            return "pieces go from zone to zone: move x from a to b on top"
        case "append" | "insert" | "remove" if text == ",":
            return f"one at a time: {words[0]} x …"
        case "insert" if text == "to":
            return "write: insert x into row at 1"
        case "remove" if token.kind == NEWLINE and words[-1] == "]":
            return f"by its place: remove at 1 from {words[1]}"
        case "pop" | "push" if len(words) == 1:
            return "write: remove at 1 from row, append x to row; pieces move: move x from a to b"
        case "reveal" if len(words) == 1:
            return "what is made known is a value: let x = reveal(offer[p])"
        case "let" if text == ":" and "=" in expected:
            return "only what changes has its type written: var x: 0..9 = 0"
        case "var" if text == "=" and ":" in expected:
            return f"say what it holds: var {words[-1]}: set of Player = {{}}"
        case _:  # others: nothing that is known to be meant
            return None


def _expression(words: list[str], token: Tok, expected: Set[str]) -> str | None:
    text, last = token.text, words[-1]
    if last == "reveal" and text != "(":
        return "write: reveal(…)"
    if last == "after" and token.kind == WORD and words[0] in ("if", "elif", "while", "where"):
        return "write: after(move(…): condition)"
    if text in ("=", "+=", "-=", "|=", "&=") and "after" in words and ")" in expected:
        return "what is tried out is a procedure: after(gain(p): condition)"
    if text == "," and "]" in expected and token.kind == SIGN:
        return "each key has brackets of its own, m[a][b]; the row of a table with some values is Kind.at(a, b)"
    if text in _HOLDS and ("in" in expected or ":" in expected):
        return "write: x in s"
    if text == "secret" and "visible" in expected:
        return "write: visible to owner, or: hidden"
    if text == "," and "visible" in expected and words[-2:-1] == [".."]:
        return "large numbers have only digits: 1000000"
    return None
