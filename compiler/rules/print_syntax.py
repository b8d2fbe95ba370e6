"""The syntax tree into its canonical text, which parses to the same tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import singledispatch
from itertools import zip_longest
from typing import assert_never

from rulewright.compiler.rules import syntax as s

INDENT = "    "

# How tightly an expression holds together: an operand that holds less tightly than its place
# asks for needs brackets.
_CHOICE, _OR, _AND, _NOT, _COMPARE, _RANGE, _SUM, _TERM, _NEGATIVE, _POSTFIX, _ATOM = range(11)

_LEVELS = {"or": _OR, "and": _AND, "..": _RANGE}
_LEVELS |= dict.fromkeys(("+", "-", "|"), _SUM)
_LEVELS |= dict.fromkeys(("*", "//", "%", "&"), _TERM)

# Operators in a row group from the left, except where they cannot stand in a row at all.
_CHAINS = (_OR, _AND, _SUM, _TERM)


# ---------------------------------------------------------------- expressions


def print_expr(expr: s.Expr) -> str:
    """An expression, with no more brackets than it needs."""
    return _expr(expr, _CHOICE)


def _expr(expr: s.Expr, place: int) -> str:
    text, level = _text(expr)
    return text if level >= place else f"({text})"


def _text(expr: s.Expr) -> tuple[str, int]:
    """The text without brackets around it, and how tightly it holds together."""
    match expr:
        case s.Binary(op, left, right):
            level = _LEVELS.get(op, _COMPARE)
            first = level if level in _CHAINS else level + 1
            return f"{_expr(left, first)} {op} {_expr(right, level + 1)}", level
        case s.Unary("not", operand):
            return f"not {_expr(operand, _NOT)}", _NOT
        case s.Unary(op, operand):
            return f"{op}{_expr(operand, _NEGATIVE)}", _NEGATIVE
        case s.IsNone(operand, negated):
            return f"{_expr(operand, _RANGE)} is {'not ' if negated else ''}none", _COMPARE
        case s.Choice(test, then, other):
            return f"{_expr(then, _OR)} if {_expr(test, _OR)} else {_expr(other, _CHOICE)}", _CHOICE
        case s.Attr(base, name):
            return f"{_expr(base, _POSTFIX)}.{name.text}", _POSTFIX
        case s.Index(base, index):
            return f"{_expr(base, _POSTFIX)}[{print_expr(index)}]", _POSTFIX
        case s.Call(func, args):
            return f"{_expr(func, _POSTFIX)}({_exprs(args)})", _POSTFIX
        case s.Possible(call):
            return f"possible({print_expr(call)})", _POSTFIX
        case s.After(call, value):
            return f"after({print_expr(call)}: {print_expr(value)})", _POSTFIX
        case s.Reveal(operand):
            return f"reveal({print_expr(operand)})", _POSTFIX
        case s.Comp():
            return _comp(expr), _POSTFIX
        case s.SetOf(var, domain, where):
            only = "" if where is None else f" where {print_expr(where)}"
            return f"{{{_binding(var, domain)}{only}}}", _ATOM
        case s.SetLit(items):
            return f"{{{_exprs(items)}}}", _ATOM
        case s.ListLit(items):
            return f"[{_exprs(items)}]", _ATOM
        case s.Num(value):
            return str(value), _ATOM
        case s.Truth(value):
            return ("true" if value else "false"), _ATOM
        case s.NoneLit():
            return "none", _ATOM
        case s.Ref(name):
            return name, _ATOM
        case s.Quoted(name):
            return f"'{name}'", _ATOM


def _exprs(exprs: Sequence[s.Expr]) -> str:
    return ", ".join(print_expr(expr) for expr in exprs)


def _binding(var: s.Name, domain: s.Expr) -> str:
    """`x in D` where the grammar reads it as a comparison."""
    return f"{var.text} in {_expr(domain, _RANGE)}"


def _comp(comp: s.Comp) -> str:
    where = f" where {print_expr(comp.where)}" if comp.where is not None else ""
    body = f": {_exprs(comp.body)}" if comp.body else ""
    default = f" else {print_expr(comp.default)}" if comp.default is not None else ""
    return f"{comp.op}({_binding(comp.var, comp.domain)}{where}{body}{default})"


# ---------------------------------------------------------------- types


def print_type(type_: s.ColumnType) -> str:
    """A type, or what a column may hold besides values."""
    match type_:
        case s.NamedType(name):
            return name
        case s.RangeType(low, high):
            dots = ".." if _is_short(low) and _is_short(high) else " .. "
            return f"{_expr(low, _SUM)}{dots}{_expr(high, _SUM)}"
        case s.OptionType(base):
            return f"{print_type(base)} or none"
        case s.SetType(element):
            return f"set of {print_type(element)}"
        case s.MapType(key, value):
            return f"map {print_type(key)} to {print_type(value)}"
        case s.ListType(element, limit):
            most = f" max {_expr(limit, _SUM)}" if limit is not None else ""
            return f"list of {print_type(element)}{most}"
        case s.CodeType(params, result, is_function):
            word = "function" if is_function else "procedure"
            return f"{word}({print_params(params)}){_result(result)}"
        case s.HookType(params, when):
            return f"hook({print_params(params)}) when {print_expr(when)}"


def _is_short(expr: s.Expr) -> bool:
    return isinstance(expr, s.Num | s.Ref) or (
        isinstance(expr, s.Unary) and isinstance(expr.operand, s.Num | s.Ref)
    )


def print_params(params: Sequence[s.Param]) -> str:
    return ", ".join(f"{param.name.text}: {print_type(param.type)}" for param in params)


def _result(result: s.TypeExpr | None) -> str:
    return f" -> {print_type(result)}" if result is not None else ""


def print_cite(cite: s.Cite) -> str:
    return f"@{cite.text}" if cite.kind == "clause" else f'@{cite.kind}("{cite.text}")'


def _cites(cites: s.Cites, gap: str = "  ") -> str:
    return gap + " ".join(print_cite(cite) for cite in cites) if cites else ""


# ---------------------------------------------------------------- statements


def print_block(block: s.Block, depth: int = 0) -> str:
    """Statements, one on each line or more, each line ending with a newline."""
    return "".join(f"{line}\n" for line in _indented(_block(block), depth))


def print_stmt(stmt: s.Stmt, depth: int = 0) -> str:
    """One statement with all that is inside it."""
    return print_block((stmt,), depth)


def _indented(lines: Iterator[str], depth: int = 1) -> Iterator[str]:
    return (INDENT * depth + line for line in lines)


def _block(block: s.Block) -> Iterator[str]:
    if not block:
        yield "pass"
    for stmt in block:
        yield from _stmt(stmt)


def _head(text: str, cites: s.Cites, block: s.Block) -> Iterator[str]:
    yield f"{text}{_cites(cites, ' ')}:"
    yield from _indented(_block(block))


@singledispatch
def _stmt(stmt: s.Stmt) -> Iterator[str]:
    """The lines of a statement; this one is for those without any others inside."""
    yield f"{_simple(stmt)}{_cites(stmt.cites)}"


def _simple(stmt: s.Stmt) -> str:
    match stmt:
        case s.Let(name, value):
            return f"let {name.text} = {print_expr(value)}"
        case s.Var(name, type_, first):
            start = f" = {print_expr(first)}" if first is not None else ""
            return f"var {name.text}: {print_type(type_)}{start}"
        case s.Assign(target, op, value):
            return f"{print_expr(target)} {op} {print_expr(value)}"
        case s.Break():
            return "break"
        case s.Continue():
            return "continue"
        case s.Pass():
            return "pass"
        case s.Return(result):
            return f"return {print_expr(result)}" if result is not None else "return"
        case s.Roll(var, domain):
            seen = "" if stmt.seen is None else f" seen by {print_expr(stmt.seen)}"
            return f"roll {var.text} in {print_expr(domain)}{seen}{_saying(stmt.say)}"
        case s.Draw(var, source, target):
            places = f"from {print_expr(source)} to {print_expr(target)}"
            return f"draw {var.text} {places}{_landing(stmt.lands)}{_saying(stmt.say)}"
        case s.Deal(count, source, target):
            places = f"from {print_expr(source)} to {print_expr(target)}"
            return f"deal {print_expr(count)} {places}{_landing(stmt.lands)}{_saying(stmt.say)}"
        case s.Move(how_many, kind, source, target, revealing):
            what = "all" if kind is None else print_expr(kind)
            what = what if how_many is None else f"{print_expr(how_many)} of {what}"
            what = what if stmt.at is None else f"at {print_expr(stmt.at)}"
            openly = f"{_landing(stmt.lands)}{' revealing' if revealing else ''}"
            return f"move {what} from {print_expr(source)} to {print_expr(target)}{openly}{_saying(stmt.say)}"
        case s.Shuffle(zone):
            return f"shuffle {print_expr(zone)}"
        case s.Score(amount, player, reason):
            return f"score {print_expr(amount)} to {print_expr(player)} for {reason.text}"
        case s.Run(call):
            return print_expr(call)
        case s.Require(test):
            return f"require {print_expr(test)}"
        case s.Reset(moment):
            return f"reset {moment.text}"
        case s.Tell(text, to):
            return f'tell "{text.text}"' + (f" to {print_expr(to)}" if to is not None else "")
        case s.Put(var, pieces, value, source, fields, seen):
            given = ", ".join(f"{name.text} = {print_expr(part)}" for name, part in fields)
            by = f" seen by {print_expr(seen)}" if seen is not None else ""
            return (
                f"put {var.text} in {pieces.text} of {print_expr(value)}"
                f" from {print_expr(source)} with {given}{by}"
            )
        case s.Take(piece, target):
            return f"take {print_expr(piece)} to {print_expr(target)}"
        case s.Show(piece, to):
            return f"show {print_expr(piece)} to {print_expr(to) if to is not None else 'all'}"
        case s.Change(verb, target, item, place):
            joins = {"append": "to", "insert": "into", "remove": "from"}
            what = f"at {print_expr(place)}" if item is None and place is not None else ""
            what = what if item is None else print_expr(item)
            at = f" at {print_expr(place)}" if item is not None and place is not None else ""
            return f"{verb} {what} {joins[verb]} {print_expr(target)}{at}"
        case s.If() | s.For() | s.While() | s.Choose() | s.Either():
            raise AssertionError("these have lines of their own")
        case _:
            assert_never(stmt)


def _landing(lands: s.Landing | None) -> str:
    match lands:
        case None:
            return ""
        case s.Landing("at", place) if place is not None:
            return f" at {print_expr(place)}"
        case s.Landing("shuffled"):
            return " shuffled"
        case s.Landing(where):
            return f" on {where}"


@_stmt.register
def _(stmt: s.If) -> Iterator[str]:
    for number, (test, block) in enumerate(stmt.arms):
        word, cites = ("elif", ()) if number else ("if", stmt.cites)
        yield from _head(f"{word} {print_expr(test)}", cites, block)
    if stmt.other:
        yield from _head("else", (), stmt.other)


@_stmt.register
def _(stmt: s.For) -> Iterator[str]:
    word = "together" if stmt.together else "for"
    where = f" where {print_expr(stmt.where)}" if stmt.where is not None else ""
    head = f"{word} {stmt.var.text} in {print_expr(stmt.domain)}{where}"
    yield from _head(head, stmt.cites, stmt.body)


@_stmt.register
def _(stmt: s.While) -> Iterator[str]:
    head = f"while {print_expr(stmt.test)}" if stmt.test is not None else "loop"
    yield from _head(head, stmt.cites, stmt.body)


@_stmt.register
def _(stmt: s.Choose) -> Iterator[str]:
    pairs = ", ".join(
        f"{name.text} in {print_expr(domain)}{_saying(say)}"
        for (name, domain), say in zip_longest(stmt.vars, stmt.step_says)
    )
    marks = _marks(stmt.otherwise, stmt.secret, stmt.if_any, stmt.say, stmt.others, stmt.else_say)
    who = f"by {print_expr(stmt.by)} as {stmt.label.text}"
    count = "" if stmt.count is None else f"{print_expr(stmt.count)} of "
    yield f"choose {count}{pairs} {who}{marks}{_cites(stmt.cites)}"
    yield from _indented(_where(stmt.where))


@_stmt.register
def _(stmt: s.Either) -> Iterator[str]:
    marks = _marks(stmt.otherwise, False, stmt.if_any, None, None, stmt.else_say)
    who = f"by {print_expr(stmt.by)} as {stmt.label.text}"
    yield f"either {who}{marks}{_cites(stmt.cites, ' ')}:"
    for option in stmt.options:
        marks = _marks(None, False, False, option.say, option.others)
        yield f"{INDENT}option {option.name.text}{marks}{_cites(option.cites, ' ')}:"
        yield from _indented(_where(option.where), 2)
        yield from _indented(_block(option.body), 2)


def _where(conditions: Sequence[s.Where]) -> Iterator[str]:
    return (f"where {print_expr(where.test)}{_cites(where.cites)}" for where in conditions)


def _saying(say: s.Said | None) -> str:
    return "" if say is None else f' say "{say.text}"'


def _marks(
    otherwise: s.Name | None,
    secret: bool,
    if_any: bool,
    say: s.Said | None,
    others: s.Said | None,
    else_say: s.Said | None = None,
) -> str:
    return "".join(
        (
            f" or {otherwise.text}" if otherwise is not None else "",
            " secretly" if secret else "",
            " if any" if if_any else "",
            f' say "{say.text}"' if say is not None else "",
            f' others "{others.text}"' if others is not None else "",
            f' else say "{else_say.text}"' if else_say is not None else "",
        )
    )


# ---------------------------------------------------------------- declarations


def print_rules(rules: s.RulesFile, comments: Mapping[int, str] | None = None) -> str:
    """A whole file; `comments` are put above the declarations with these numbers, from 0."""
    parts: list[str] = []
    in_state = False
    for number, decl in enumerate(rules.decls):
        note = (comments or {}).get(number, "")
        lines = [f"# {line}".rstrip() for line in note.splitlines()]
        goes_on = isinstance(decl, s.StateVar) and in_state
        in_state = isinstance(decl, s.StateVar)
        if parts and not goes_on:
            parts.append("")
        if in_state:
            parts += [] if goes_on else ["state:"]
            parts += _indented(iter(lines))
            parts += _indented(_decl(decl))
        else:
            parts += lines
            parts += _decl(decl)
    return "".join(f"{line}\n" for line in parts)


def print_decl(decl: s.Decl) -> str:
    """One declaration."""
    return print_rules(s.RulesFile((decl,)))


def print_hooks(hooks: Sequence[s.Hook]) -> str:
    """The hooks of one cell."""
    return "".join(f"{line}\n" for hook in hooks for line in _decl(hook))


VISIBLE = {"all": "", "owner": " visible to owner", "team": " visible to team", "nobody": " hidden"}


def _decl(decl: s.Decl) -> Iterator[str]:
    match decl:
        case s.StateVar(name, type_, visible, resets, first):
            again = f" resets at {resets.text}" if resets is not None else ""
            start = f" = {print_expr(first)}" if first is not None else ""
            seen = VISIBLE[visible]
            yield f"{name.text}: {print_type(type_)}{seen}{again}{start}{_cites(decl.cites)}"
        case s.Pieces():
            yield from _pieces(decl)
        case s.Function() | s.Procedure() | s.Hook():
            yield from _code(decl)
        case s.Invariant(name, test):
            yield f"invariant {name.text}: {print_expr(test)}{_cites(decl.cites)}"
        case s.Outcome(var, domain, keys):
            yield f"outcome {_binding(var, domain)} by {_exprs(keys)}{_cites(decl.cites)}"
        case s.Together(key, whole):
            of = "" if whole is None else f" of {print_expr(whole)}"
            yield f"outcome together by {print_expr(key)}{of}{_cites(decl.cites)}"
        case s.Heuristic(var, value):
            yield f"heuristic {var.text}: {print_expr(value)}{_cites(decl.cites)}"


def _code(decl: s.Function | s.Procedure | s.Hook) -> Iterator[str]:
    value = decl.body[0].value if decl.body and isinstance(decl.body[0], s.Return) else None
    is_value = len(decl.body) == 1 and value is not None and not decl.body[0].cites
    if isinstance(decl, s.Hook):
        head = f"{decl.when} {decl.target.text}({', '.join(name.text for name in decl.params)})"
        if value is not None and is_value and decl.when in ("on", "instead"):
            yield f"{head}: {print_expr(value)}{_cites(decl.cites)}"
            return
    else:
        word = "function" if isinstance(decl, s.Function) else "procedure"
        mode = ("replace " if decl.replaces else "") + ("open " if decl.is_open else "")
        params = print_params(decl.params)
        head = f"{mode}{word} {decl.name.text}({params}){_result(decl.result)}"
        if value is not None and is_value and isinstance(decl, s.Function):
            yield f"{head} = {print_expr(value)}{_cites(decl.cites)}"
            return
    yield from _head(head, decl.cites, decl.body)


def _pieces(decl: s.Pieces) -> Iterator[str]:
    per = f" per {print_type(decl.per)}" if decl.per is not None else ""
    what = f"of {print_type(decl.kind)} by {print_expr(decl.copies)}"
    yield f"pieces {decl.name.text}{per} {what}{_cites(decl.cites, ' ')}:"
    for zone in decl.zones:
        per = "".join(f" per {print_type(kind)}" for kind in zone.per)
        full = f"{' ordered' if zone.ordered else ''}{' = all' if zone.starts_full else ''}"
        line = f"{zone.name.text}{per}{VISIBLE[zone.visible]}{full}{_cites(zone.cites)}"
        yield f"{INDENT}{line}"
    if decl.standing is not None:
        limit = print_expr(decl.standing.limit)
        yield f"{INDENT}standing {decl.standing.name.text} max {limit}:"
        for field in decl.standing.fields:
            yield f"{INDENT}{INDENT}{field.name.text}: {print_type(field.type)}"
