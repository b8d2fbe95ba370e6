"""A place in a file → what stands there: its type, how it is declared, what it means, and the clauses behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BadT, show
from rulewright.compiler.core.walk import expressions_in, gives, statements
from rulewright.compiler.text.source import Span
from rulewright.language.declared_names import Named, Names
from rulewright.language.word_at import Word, local_at, locals_near, parts_of, word_at


@dataclass(frozen=True, slots=True)
class Hover:
    """What a window beside the mouse says, and what part of the line it speaks of."""

    title: str
    type: str
    text: str
    clauses: list[tuple[str, str]]
    column: int
    end_column: int


@dataclass(slots=True)
class Types:
    """The types of everything in a ruleset that was right, by file and place."""

    by_file: dict[str, list[tuple[Span, str]]] = field(default_factory=dict)

    @staticmethod
    def of(game: C.Game) -> Types:
        out = Types()
        for span, text in _typed(game):
            out.by_file.setdefault(span.file, []).append((span, text))
        return out

    def at(self, file: str, line: int, column: int, end_column: int) -> str:
        """The type of the smallest expression that holds a word."""
        best: tuple[int, str] | None = None
        for span, text in self.by_file.get(file, ()):
            if span.line != line or span.end_line != line:
                continue
            if span.column <= column and end_column <= span.end_column:
                size = span.end_column - span.column
                if best is None or size < best[0]:
                    best = size, text
        return best[1] if best else ""


def _typed(game: C.Game) -> Iterator[tuple[Span, str]]:
    bodies = [
        *((p.params, p.body) for p in game.procedures),
        *((f.params, f.body) for f in game.functions),
    ]
    for params, body in bodies:
        for param in params:
            yield param.span, show(param.type)
        for statement in statements(body):
            local = gives(statement)
            if local is not None:
                yield local.span, show(local.type)
        for expression in expressions_in(body):
            if not isinstance(expression.type, BadT):
                yield expression.span, show(expression.type)


def definitions(word: Word, column: int, names: Names) -> list[Named]:
    """What a word can mean: as a whole first, and what belongs to the base game before what a variant has."""
    for part in parts_of(word, column):
        found = names.by_name.get(part.text.removeprefix("@"), [])
        if word.text.startswith("@"):
            found = [n for n in found if n.sort == "clause"]
        if found:
            return sorted(found, key=lambda n: (n.sort == "clause", bool(n.variant)))
    return []


def hover(
    file: str, text: str, line: int, column: int, names: Names, types: Types | None
) -> Hover | None:
    """`types` are those of this very text, or None."""
    word = word_at(text, line, column)
    if word is None:
        return None
    part = parts_of(word, column)[-1]
    type_ = "" if types is None else types.at(file, line, part.column, part.end_column)
    if not word.text.startswith("@") and local_at(text, line, word, column) is not None:
        kind = locals_near(text, line).get(part.text, "")
        said = " ".join(kind.split()) if kind else ""
        return Hover(part.text, type_ or said, "", [], part.column, part.end_column)
    found = definitions(word, column, names)
    if word.text.startswith("@"):
        id_ = word.text[1:]
        rule = names.clauses.get(id_)
        if rule is None:
            return None
        return Hover(word.text, "", rule, [], word.column, word.end_column)
    if not found:
        if not type_:
            return None
        return Hover(part.text, type_, "", [], part.column, part.end_column)
    shown = found[0]
    cites = [(id_, names.clauses[id_]) for id_ in shown.cites if id_ in names.clauses]
    more = [f"with {n.variant}: {n.text}" for n in found[1:] if n.variant and n.sort == shown.sort]
    about = "\n".join([*([shown.about] if shown.about else []), *more[:4]])
    whole = shown.name == word.text
    at = word if whole else part
    return Hover(shown.text, type_, about, cites[:6], at.column, at.end_column)
