"""The typed tree → its parts: the one place that knows what a node is made of.

Whoever looks for something in the tree, or makes a copy with something changed, goes through here. Each function names
every node, so a new one is a type error here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from rulewright.compiler.core import tree as C

OnExpr = Callable[[C.Expr], C.Expr]
OnBlock = Callable[[list[C.Stmt]], list[C.Stmt]]


# ---------------------------------------------------------------- parts


def children(e: C.Expr) -> tuple[C.Expr | None, ...]:
    """The expressions that an expression is made of, in the order in which they are worked out."""
    match e:
        case C.Const() | C.Use():
            return ()
        case C.Op(args=args) | C.Call(args=args):
            return args
        case C.Read(keys=keys) | C.ZoneUse(keys=keys):
            return keys
        case C.CodeCall(base=base, args=args) | C.CanRun(base=base, args=args):
            return (base, *args)
        case C.Column(base=base):
            return (base,)
        case C.PieceRead(piece=piece):
            return (piece,)
        case C.Reveal(operand):
            return (operand,)
        case C.Range(low, high):
            return (low, high)
        case C.Comp(domain=domain, where=where, body=body, default=default):
            return (domain, where, *body, default)
        case _:
            assert_never(e)


def bodies(s: C.Stmt) -> Iterator[list[C.Stmt]]:
    """The blocks of statements inside a statement."""
    if isinstance(s, C.SIf):
        for _, body in s.arms:
            yield body
        yield s.other
    elif isinstance(s, C.SFor | C.SWhile):
        yield s.body
    else:
        # few hold statements, and this is asked very often; a new kind that may is an error of types here
        _simple: C.Simple = s


def operands(s: C.Stmt) -> tuple[C.Expr | None, ...]:
    """The expressions that a statement itself holds, its texts' too; not those of the statements inside it."""
    match s:
        case C.SLet(value=value) | C.SReturn(value=value):
            return (value,)
        case C.SAssign(target, _, value):
            return (target, value)
        case C.SIf(arms):
            return tuple(test for test, _ in arms)
        case C.SFor(_, domain, where):
            return (domain, where)
        case C.SWhile(test) | C.SRequire(test):
            return (test,)
        case C.SChoose():
            pairs = (t for pair in s.option_says.values() for t in pair)
            texts = (s.say, s.others, s.else_say, *pairs, *(text for _, text in s.else_says))
            tests = (condition.test for condition in s.where)
            return (
                s.domain,
                s.by,
                s.stop_if,
                *tests,
                *(test for test, _ in s.else_says),
                *(hole for text in texts for hole in holes(text)),
            )
        case C.SRoll(domain=domain, seen=seen, digit=digit):
            return (domain, seen, digit)
        case C.SDraw(_, source, goal):
            return (source, goal, s.at, landing(s.lands), s.look)
        case C.SMove(count, kind, source, goal):
            return (count, kind, source, goal, s.at, landing(s.lands))
        case C.SScore(amount, player):
            return (amount, player)
        case C.SRun(base=base, args=args):
            return (base, *args)
        case C.STell(text, to):
            return (*holes(text), to)
        case C.SPut(_, _, value, source, fields, seen):
            return (value, source, *fields.values(), seen)
        case C.STake(piece, _, goal):
            return (piece, goal)
        case C.SShow(piece, _, to):
            return (piece, to)
        case C.SBreak() | C.SContinue() | C.SReveal() | C.SMark():
            return ()
        case _:
            assert_never(s)


def landing(lands: C.Landing | None) -> C.Expr | None:
    """The place that pieces land at."""
    return None if lands is None else lands.place


def holes(text: C.Text | None) -> tuple[C.Expr, ...]:
    """The expressions in a text."""
    return () if text is None else tuple(p for p in text.parts if not isinstance(p, str))


def gives(s: C.Stmt) -> C.Local | None:
    """The local that a statement gives a value to; what stands inside it may give one to others."""
    match s:
        case C.SLet(local):
            return local
        case C.SFor(var) | C.SRoll(var) | C.SDraw(var) | C.SPut(var) | C.SChoose(var):
            return var
        case C.SRun(result=result):
            return result
        case (
            C.SAssign() | C.SIf() | C.SWhile() | C.SBreak() | C.SContinue() | C.SReturn() | C.SMove() | C.SScore() | C.SRequire()
            | C.STell() | C.STake() | C.SShow() | C.SReveal() | C.SMark()
        ):  # fmt: skip
            return None
        case _:
            assert_never(s)


# ---------------------------------------------------------------- all of them


def outside_loops(s: C.Stmt) -> Iterator[C.Stmt]:
    """A statement and those inside it, without the bodies of loops: what breaks here breaks a loop around it."""
    yield s
    if not isinstance(s, C.SFor | C.SWhile):
        for body in bodies(s):
            for inner in body:
                yield from outside_loops(inner)


def statements(stmts: Iterable[C.Stmt]) -> Iterator[C.Stmt]:
    """All statements, those inside others too."""
    for s in stmts:
        yield s
        for body in bodies(s):
            yield from statements(body)


def expressions(
    roots: Iterable[C.Expr | None], but_not_inside: tuple[type[C.Expr], ...] = ()
) -> Iterator[C.Expr]:
    """All expressions, those inside others too, but none inside those of the given classes."""
    stack = list(roots)
    while stack:
        e = stack.pop()
        if e is not None:
            yield e
            if not but_not_inside or not isinstance(e, but_not_inside):
                stack.extend(children(e))


def expressions_in(
    stmts: Iterable[C.Stmt], but_not_inside: tuple[type[C.Expr], ...] = ()
) -> Iterator[C.Expr]:
    """All expressions of statements, wherever they stand."""
    roots = (e for s in statements(stmts) for e in operands(s))
    return expressions(roots, but_not_inside)


def free_locals(*roots: C.Expr | None) -> set[int]:
    """Numbers of the locals that expressions use and do not bind themselves."""
    out: set[int] = set()
    stack = list(roots)
    while stack:
        e = stack.pop()
        match e:
            case None:
                pass
            case C.Use(local):
                out.add(local.number)
            case C.Comp(_, var, domain, where, body, default):
                stack.extend((domain, default))
                out |= free_locals(where, *body) - {var.number}
            case _:  # others: the locals are in their parts
                stack.extend(children(e))
    return out


# ---------------------------------------------------------------- copies


def map_children(e: C.Expr, f: OnExpr) -> C.Expr:
    """The same expression made of what `f` gives for each part; the original stays as it is."""

    def maybe(part: C.Expr | None) -> C.Expr | None:
        return None if part is None else f(part)

    def each(parts: tuple[C.Expr, ...]) -> tuple[C.Expr, ...]:
        return tuple(map(f, parts))

    match e:
        case C.Const() | C.Use() | C.Read(keys=()):
            return e
        case C.Read(var, keys, type_, span, secrecy):
            return C.Read(var, each(keys), type_, span, secrecy)
        case C.ZoneUse(zone, keys, type_, span, secrecy):
            return C.ZoneUse(zone, each(keys), type_, span, secrecy)
        case C.Column(kind, column, base, type_, span, secrecy):
            return C.Column(kind, column, f(base), type_, span, secrecy)
        case C.PieceRead(standing, field, piece, type_, span, secrecy):
            return C.PieceRead(standing, field, f(piece), type_, span, secrecy)
        case C.Op(op, args, type_, span, secrecy, of):
            return C.Op(op, each(args), type_, span, secrecy, of)
        case C.Call(function, args, type_, span, secrecy):
            return C.Call(function, each(args), type_, span, secrecy)
        case C.CodeCall(kind, column, base, args, type_, span, secrecy):
            return C.CodeCall(kind, column, f(base), each(args), type_, span, secrecy)
        case C.Comp(over, var, domain, where, body, default, type_, span, secrecy):
            return C.Comp(
                over, var, f(domain), maybe(where), each(body), maybe(default), type_, span, secrecy
            )
        case C.Range(low, high, type_, span, secrecy):
            return C.Range(f(low), f(high), type_, span, secrecy)
        case C.CanRun(procedure, rows, code, row, args, type_, span, secrecy):
            return C.CanRun(procedure, rows, code, maybe(row), each(args), type_, span, secrecy)
        case C.Reveal(operand, type_, span, secrecy):
            return C.Reveal(f(operand), type_, span, secrecy)
        case _:
            assert_never(e)


def map_statement(s: C.Stmt, f: OnExpr, block: OnBlock) -> C.Stmt:
    """The same statement with what `f` gives for its expressions and `block` for the statements inside it."""

    def maybe(part: C.Expr | None) -> C.Expr | None:
        return None if part is None else f(part)

    def zone(part: C.ZoneUse) -> C.ZoneUse:
        new = f(part)
        assert isinstance(new, C.ZoneUse)
        return new

    def there(old: C.Landing | None) -> C.Landing | None:
        return None if old is None else C.Landing(maybe(old.place), old.shuffled)

    def text(old: C.Text) -> C.Text:
        return C.Text([p if isinstance(p, str) else f(p) for p in old.parts], old.forms)

    def said(old: C.Text | None) -> C.Text | None:
        return None if old is None else text(old)

    match s:
        case C.SLet(local, value, span, cites):
            return C.SLet(local, f(value), span, cites)
        case C.SAssign(target, op, value, span, cites):
            place = f(target)
            assert isinstance(place, C.Read | C.PieceRead)
            return C.SAssign(place, op, f(value), span, cites)
        case C.SIf(arms, other, span, cites):
            new_arms = [(f(test), block(body)) for test, body in arms]
            return C.SIf(new_arms, block(other), span, cites)
        case C.SFor(var, domain, where, body, span, cites):
            return C.SFor(var, f(domain), maybe(where), block(body), span, cites)
        case C.SWhile(test, body, span, cites):
            return C.SWhile(maybe(test), block(body), span, cites)
        case C.SReturn(result, span, cites, fails):
            return C.SReturn(maybe(result), span, cites, fails)
        case C.SChoose():
            where_ = [C.Condition(f(c.test), c.text, c.span, c.cites) for c in s.where]
            says = {n: (said(own), said(others)) for n, (own, others) in s.option_says.items()}
            return C.SChoose(
                s.var, f(s.domain), s.element, f(s.by), s.label, s.otherwise, s.secret, s.if_any,
                said(s.say), said(s.others), where_, says, s.span, s.cites, said(s.else_say), s.more,
                maybe(s.stop_if), s.asks_on, [(f(test), text(told)) for test, told in s.else_says],
            )  # fmt: skip
        case C.SRoll(var, domain, element, span, cites):
            return C.SRoll(
                var, f(domain), element, span, cites, s.quiet, maybe(s.seen), maybe(s.digit)
            )
        case C.SDraw(drawn, source, goal, span, cites):
            return C.SDraw(
                drawn, zone(source), zone(goal), span, cites, s.quiet, maybe(s.at), there(s.lands),
                maybe(s.look), s.all_look,
            )  # fmt: skip
        case C.SMove(count, kind, source, goal, revealing, span, cites):
            return C.SMove(
                maybe(count), maybe(kind), zone(source), zone(goal), revealing, span, cites, s.quiet,
                maybe(s.at), there(s.lands),
            )  # fmt: skip
        case C.SScore(amount, player, reason, span, cites):
            return C.SScore(f(amount), f(player), reason, span, cites)
        case C.SRun(procedure, of, column, base, args, given, span, cites):
            new_args = tuple(map(f, args))
            return C.SRun(procedure, of, column, maybe(base), new_args, given, span, cites)
        case C.SRequire(required, span, cites, words):
            return C.SRequire(f(required), span, cites, words)
        case C.STell(told, to, span, cites):
            return C.STell(text(told), maybe(to), span, cites, s.others)
        case C.SPut(var, standing, value, source, fields, seen, everyone, span, cites):
            filled = {name: f(part) for name, part in fields.items()}
            return C.SPut(
                var, standing, f(value), zone(source), filled, maybe(seen), everyone, span, cites
            )
        case C.STake(piece, standing, goal, span, cites):
            return C.STake(f(piece), standing, zone(goal), span, cites)
        case C.SShow(piece, standing, to, span, cites):
            return C.SShow(f(piece), standing, maybe(to), span, cites)
        case C.SBreak() | C.SContinue() | C.SReveal() | C.SMark():
            return s
        case _:
            assert_never(s)
