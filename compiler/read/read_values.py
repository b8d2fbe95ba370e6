"""YAML values into names, citations, types, cells, constants and options."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, overload

from rulewright.compiler.read.folder import Bounds, Cell, Code, Column, Constant, OptionDecl
from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YList,
    YMap,
    YScalar,
    as_bool,
    as_int,
    as_map,
    as_name,
    as_text,
    describe,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.parse import CellKind, parse_cell
from rulewright.compiler.text.diagnostics import Problems, Related, listed, quoted
from rulewright.compiler.text.source import Span

BY_PLAYERS = "by players"
CITE_KEYS = ("cite", "assumed", "stand-in")
BUILT_IN = frozenset({"Player", "Participant", "int", "bool", "text", "fingerprint"})
Counts = tuple[int, ...] | None  # the game's player counts, None while they are not known
# The type of a column whose own could not be read: its cells are not to blame.
UNKNOWN = S.NamedType("")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CAPITALISED = re.compile(r"[A-Z][A-Za-z0-9_]*")
# As a name, each of these could not be told from the value or row of the same spelling.
_TAKEN = frozenset({"none", "true", "false", "this"})


# --- names and citations ----------------------------------------------------------------------


def identifier(node: Node, problems: Problems, what: str) -> str | None:
    """A name that rules can write without quotes."""
    return _matching(node, problems, what, _IDENTIFIER, "a word of letters, digits and '_'")


def kind_name(node: Node, problems: Problems) -> str | None:
    """The name of a table."""
    expected = "a word that begins with a capital letter"
    return _matching(node, problems, "the name of a table", _CAPITALISED, expected)


def member_name(node: Node, problems: Problems, what: str) -> str | None:
    """The name of a row, seat or participant; dots and dashes are allowed inside."""
    name = as_name(node, problems, what)
    if name is None:
        return None
    if not name[0].isalpha():
        _bad_name(node.span, problems, what, name, "a name that begins with a letter")
        return None
    return _not_taken(name, node.span, problems, what)


def _matching(
    node: Node, problems: Problems, what: str, pattern: re.Pattern[str], expected: str
) -> str | None:
    name = as_name(node, problems, what)
    if name is None:
        return None
    if not pattern.fullmatch(name):
        _bad_name(node.span, problems, what, name, expected)
        return None
    return _not_taken(name, node.span, problems, what)


def _not_taken(name: str, at: Span, problems: Problems, what: str) -> str | None:
    if name in _TAKEN or name in BUILT_IN:
        message = f"{what} cannot be {quoted(name)}: the language uses the word itself"
        problems.error("RW0305", at, message, hint="choose another name")
        return None
    return name


def _bad_name(at: Span, problems: Problems, what: str, name: str, expected: str) -> None:
    message = f"{what} cannot be {quoted(name)}"
    problems.error("RW0305", at, message, expected=expected)


def once(name: str, at: Span, seen: dict[str, Span], problems: Problems, what: str) -> bool:
    """Whether a name comes for the first time; report it where it comes again."""
    first = seen.setdefault(name, at)
    if first is at:
        return True
    message = f"{what} {quoted(name)} is defined twice"
    problems.error("RW0306", at, message, related=[Related(first, "first defined here")])
    return False


def read_cites(fields: Fields, problems: Problems) -> S.Cites:
    """The citations under cite, assumed and stand-in, each one or a list."""
    found: list[S.Cite] = []
    for key in CITE_KEYS:
        node = fields.take(key)
        if node is None:
            continue
        items = node.items if isinstance(node, YList) else [node]
        if not items:
            problems.error("RW0309", node.span, f"'{key}' names nothing", hint="remove it")
        for item in items:
            if key == "cite":
                text = as_name(item, problems, "a clause to cite")
            else:
                text = as_text(item, problems, f"the reason under '{key}'")
            if text is None:
                continue
            if not text.strip():
                problems.error("RW0309", item.span, f"the reason under '{key}' is empty")
                continue
            found.append(S.Cite("clause" if key == "cite" else key, text, item.span))
    return tuple(found)


# --- types and values -------------------------------------------------------------------------


def read_type(node: Node, problems: Problems, kind: CellKind, what: str) -> object | None:
    """A type written in YAML, parsed; `kind` is "type" or "column_type"."""
    text = as_text(node, problems, what)
    if text is None or not isinstance(node, YScalar):
        return None
    return parse_code(node, problems, kind)


@overload
def parse_code(node: YScalar, problems: Problems, kind: Literal["expression"]) -> S.Expr | None: ...
@overload
def parse_code(node: YScalar, problems: Problems, kind: Literal["block"]) -> S.Block | None: ...
@overload
def parse_code(
    node: YScalar, problems: Problems, kind: Literal["hooks"]
) -> tuple[S.Hook, ...] | None: ...
@overload
def parse_code(node: YScalar, problems: Problems, kind: CellKind) -> object | None: ...


def parse_code(node: YScalar, problems: Problems, kind: CellKind) -> object | None:
    """The rule text of a scalar, parsed; nothing when it could not be."""
    lines = node.code_lines()
    if lines is None:
        message = "this text is not code as it stands in the file"
        hint = "begin it with '|' and write it on the lines below, without escapes"
        problems.error("RW0314", node.span, message, hint=hint)
        return None
    parsed: object | None = parse_cell(kind, lines, node.span.file, problems)
    return parsed


def by_players(node: Node) -> Node | None:
    """What stands under 'by players' when the value is one that differs by player count."""
    return node.get(BY_PLAYERS) if isinstance(node, YMap) else None


def values_of(node: Node, problems: Problems, players: Counts) -> Iterable[tuple[int | None, Node]]:
    """Each value a node stands for, with the player count it is for (None: for all)."""
    inner = by_players(node)
    if inner is None:
        return [(None, node)]
    assert isinstance(node, YMap)
    fields = Fields(node, problems, "a value by player count")
    fields.take(BY_PLAYERS)
    fields.finish()
    mapping = as_map(inner, problems, f"'{BY_PLAYERS}'")
    found: list[tuple[int | None, Node]] = []
    for key, value in mapping.entries if mapping is not None else []:
        count = as_int(key, problems, "a player count")
        if count is None:
            continue
        if players is not None and count not in players:
            message = f"the game is not for {count} players"
            expected = listed(str(number) for number in players)
            problems.error("RW0315", key.span, message, expected=expected)
        if by_players(value) is not None:
            problems.error("RW0315", value.span, f"'{BY_PLAYERS}' cannot stand inside itself")
            continue
        found.append((count, value))
    if mapping is not None and not mapping.entries:
        problems.error("RW0315", mapping.span, f"'{BY_PLAYERS}' gives no value")
    return found


def read_cell(column: Column, node: Node, problems: Problems, players: Counts) -> Cell:
    """A cell, with its code parsed; code that differs by player count is parsed when one is known."""
    if by_players(node) is None:
        return Cell(node, _cell_code(column, node, problems), node.span)
    for _, value in values_of(node, problems, players):
        # Parsed only to find what is wrong with it, whichever player count is played.
        _cell_code(column, value, problems)
    return Cell(node, None, node.span)


def _cell_code(column: Column, node: Node, problems: Problems) -> Code | None:
    kind = column.type
    if kind == UNKNOWN:
        return None
    if not isinstance(kind, S.CodeType | S.HookType):
        wants_list = isinstance(kind, S.SetType | S.ListType)
        if wants_list and isinstance(node, YScalar) and node.text == "all":
            return None
        if isinstance(node, YMap) or isinstance(node, YList) != wants_list:
            wanted = "a list" if wants_list else "one value"
            _wrong_form(node, problems, f"the cell '{column.name}'", wanted)
        return None
    if not isinstance(node, YScalar):
        _wrong_form(node, problems, f"the cell '{column.name}'", "code")
        return None
    if isinstance(kind, S.HookType):
        # A row without hooks of its own says so with an empty text.
        return parse_code(node, problems, "hooks") if node.text.strip() else ()
    if kind.is_function:
        return parse_code(node, problems, "expression")
    return parse_code(node, problems, "block")


def _wrong_form(node: Node, problems: Problems, what: str, wanted: str) -> None:
    hint = "write [a, b]" if wanted == "a list" else None
    if isinstance(node, YMap):
        hint = f"a value that differs by player count is written {{{BY_PLAYERS}: {{2: …, 3: …}}}}"
    message = f"{what} must be {wanted}, not {describe(node)}"
    problems.error("RW0313", node.span, message, expected=wanted, hint=hint)


# --- constants and options --------------------------------------------------------------------


def read_bounds(fields: Fields, problems: Problems, at: Span, *keys: str) -> Bounds | None:
    """`from`, `to` and `length`, as far as they are allowed: numbers, constants, or sums of those."""
    found: dict[str, S.Expr] = {}
    for key in keys:
        node = fields.take(key)
        if node is None or as_text(node, problems, f"'{key}'") is None:
            continue
        assert isinstance(node, YScalar)
        parsed = parse_code(node, problems, "expression")
        if parsed is not None:
            found[key] = parsed
    if not found:
        return None
    return Bounds(found.get("from"), found.get("to"), found.get("length"), at)


def read_constants(
    node: Node, inherited: S.Cites, problems: Problems, players: Counts, *, variant: bool = False
) -> dict[str, Constant]:
    """What stands under `constants:`; those of a variant say whether they are new."""
    found: dict[str, Constant] = {}
    mapping = as_map(node, problems, "'constants'")
    for key, value in mapping.entries if mapping is not None else []:
        name = identifier(key, problems, "the name of a constant")
        entry = as_map(value, problems, f"the constant {quoted(key.text)}")
        if entry is None:
            continue
        fields = Fields(entry, problems, f"the constant {quoted(key.text)}")
        type_node, value_node = fields.take("type"), fields.need("value")
        bounds = read_bounds(fields, problems, key.span, "from", "to", "length")
        new_node = fields.take("new") if variant else None
        new = new_node is not None and bool(as_bool(new_node, problems, "'new'"))
        cites = read_cites(fields, problems)
        fields.finish()
        type_ = None if type_node is None else _value_type(type_node, problems)
        if value_node is None:
            continue
        for _, each in values_of(value_node, problems, players):
            if isinstance(each, YMap):
                what = f"the value of {quoted(key.text)}"
                _wrong_form(each, problems, what, "one value or a list")
        if name is not None:
            found[name] = Constant(
                name, type_, value_node, cites or inherited, key.span, bounds, new
            )
    return found


def read_options(
    node: Node, inherited: S.Cites, problems: Problems, players: Counts
) -> dict[str, OptionDecl]:
    """What stands under `options:`."""
    found: dict[str, OptionDecl] = {}
    mapping = as_map(node, problems, "'options'")
    for key, value in mapping.entries if mapping is not None else []:
        name = identifier(key, problems, "the name of an option")
        entry = as_map(value, problems, f"the option {quoted(key.text)}")
        if entry is None:
            continue
        fields = Fields(entry, problems, f"the option {quoted(key.text)}")
        type_node, default = fields.need("type"), fields.need("default")
        about_node = fields.take("about")
        about = None if about_node is None else as_text(about_node, problems, "'about'")
        cites = read_cites(fields, problems) or inherited
        fields.finish()
        type_ = None if type_node is None else _value_type(type_node, problems)
        if default is None or type_ is None:
            continue
        for _, each in values_of(default, problems, players):
            if isinstance(each, YMap):
                _wrong_form(each, problems, "'default'", "one value or a list")
        if name is not None:
            found[name] = OptionDecl(name, type_, default, about or "", cites, key.span)
    return found


def _value_type(node: Node, problems: Problems) -> S.TypeExpr | None:
    parsed = read_type(node, problems, "type", "a type")
    return parsed if isinstance(parsed, S.TypeExpr) else None
