"""A function → the same without looking again at what it knows already.

state.turn_p = p                                   state.turn_p = p
let q = state.turn_p                               let here = (state.men[0] | state.men[1])
if not (state.men[0] | state.men[1]): …     →      if not here: …
let others = (state.men[0] | state.men[1]) & m     let others = here & m
state.held[q] -= 1                                 state.held[p] -= 1

Statements are gone through from the first to the last with the values that are known: what a local or a field was given, and what
a local was worked out from. A branch whose condition is known is taken. What a call or a store may change is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field, replace

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.folded import folded
from rulewright.compiler.low.lay_in import ends
from rulewright.compiler.low.new_names import NewNames
from rulewright.compiler.low.walk_low import (
    bodies,
    children,
    expressions,
    map_children,
    map_operands,
    operands,
    statements,
)

Block = tuple[L.Stmt, ...]
# parts of an expression that is worth a local when it comes again
WORTH = 6
_ALL = "*"


def without_repeats(f: L.Function, pure: Set[str]) -> L.Function:
    """`pure`: the functions of the program that change nothing."""
    if f.keeps:
        return f
    body = _Repeats(f, pure).block(f.body)
    return replace(f, body=_Known(pure).block(body, Values()))


@dataclass(frozen=True, slots=True)
class _Uses:
    """What an expression depends on; `items`: the arrays of which it reads entries."""

    locals: frozenset[str]
    fields: frozenset[str]
    items: frozenset[str]


def uses(e: L.Expr) -> _Uses:
    found: tuple[set[str], set[str], set[str]] = (set(), set(), set())
    for x in expressions((e,)):
        match x:
            case L.Local(name):
                found[0].add(name)
            case L.Field(name):
                found[1].add(name)
            case L.Item(base):
                root = _root(base)
                if isinstance(root, L.Field):
                    found[2].add(root.name)
                elif isinstance(root, L.Local):
                    found[2].add(_ALL)
            case L.Call():
                found[1].add(_ALL)
                found[2].add(_ALL)
            case _:  # others: they depend on their parts alone
                pass
    return _Uses(*map(frozenset, found))


def _root(e: L.Expr) -> L.Expr:
    while isinstance(e, L.Item):
        e = e.base
    return e


def stays(e: L.Expr, pure: Set[str]) -> bool:
    """Whether an expression only reads, and gives no list that would be made anew."""
    for x in expressions((e,)):
        match x:
            case L.Call(name) if name not in pure:
                return False
            case L.Help("copy") | L.ListOf() | L.Row() | L.Sentence() | L.Words():
                return False
            case _:  # others: they change nothing
                pass
    return isinstance(e.type, T.Int | T.Bool | T.Set | T.Zone) or isinstance(e, L.Field)


@dataclass(slots=True)
class Values:
    """What is known: an expression, and the local or number that has its value."""

    known: dict[L.Expr, tuple[L.Expr, _Uses]] = field(default_factory=dict)

    def copy(self) -> Values:
        return Values(dict(self.known))

    def set(self, e: L.Expr, value: L.Expr) -> None:
        self.known[e] = (value, uses(e))

    def _forget(self, gone: Callable[[L.Expr, _Uses], bool]) -> None:
        for e in [e for e, (value, u) in self.known.items() if gone(value, u)]:
            del self.known[e]

    def local(self, name: str) -> None:
        self._forget(lambda v, u: name in u.locals or (isinstance(v, L.Local) and v.name == name))

    def stored(self, place: L.Place) -> None:
        """A place of the state has got another value."""
        if isinstance(place, L.Local):
            self.local(place.name)
        elif isinstance(place, L.Field):
            name = place.name
            self._forget(lambda _, u: name in u.fields or _ALL in u.fields)
        else:
            root = _root(place)
            array = root.name if isinstance(root, L.Field) else _ALL
            self._forget(
                lambda _, u: bool(u.items) if array == _ALL else array in u.items or _ALL in u.items
            )

    def anything(self) -> None:
        self._forget(lambda _, u: bool(u.fields or u.items))

    def both(self, other: Values) -> None:
        """Only what is known either way."""
        for e in list(self.known):
            if other.known.get(e) != self.known[e]:
                del self.known[e]


def forget(values: Values, s: L.Stmt, pure: Set[str]) -> None:
    """What a statement, without those inside it, may change."""
    match s:
        case L.Let(local) | L.For(local):
            values.local(local.name)
        case L.Store(place):
            values.stored(place)
        case L.Append(to):
            values.local(to.name)
        case _:  # others: only by what they call
            pass
    if any(isinstance(e, L.Call) and e.name not in pure for e in expressions(operands(s))):
        values.anything()


class _Known:
    def __init__(self, pure: Set[str]) -> None:
        self.pure = pure

    def block(self, body: Block, values: Values) -> Block:
        out: list[L.Stmt] = []
        for s in body:
            out += self.stmt(s, values)
            if ends(tuple(out[-1:])):
                break
        return tuple(out)

    def stmt(self, s: L.Stmt, values: Values) -> list[L.Stmt]:
        def known(e: L.Expr) -> L.Expr:
            if isinstance(e, L.Number):
                return e
            found = values.known.get(bare(e))
            if found is None:
                e = folded(map_children(e, known))
                # what its parts are known to be may make it another one that is known
                found = values.known.get(bare(e))
            return e if found is None else found[0]

        if isinstance(s, L.For | L.Loop):
            return [self.loop(s, values, known)]
        if not any(isinstance(e, L.Call) and e.name not in self.pure for e in _inside(s)):
            s = map_operands(s, known)
        if isinstance(s, L.Let) and s.local == s.value:
            return []
        forget(values, s, self.pure)
        if isinstance(s, L.If):
            return self.branches(s, values)
        match s:
            case L.Let(local, L.Local() | L.Number() as value):
                values.set(local, value)
            case L.Let(local, L.Binary("|", L.Number(n))) if n > 0 and n & (n - 1):
                # more than one member for certain
                values.set(L.Not(local), L.FALSE)
                values.set(L.Unary("rest", local, local.type), L.TRUE)
            case L.Let(local, value) if stays(value, self.pure):
                if local.name not in uses(value).locals:
                    values.set(bare(value), local)
            case L.Store(L.Field() as f, L.Local() | L.Number() as value, ""):
                values.set(bare(f), value)
            case _:  # others: nothing is known of them
                pass
        return [s]

    def branches(self, s: L.If, values: Values) -> list[L.Stmt]:
        if isinstance(s.test, L.Number):
            return list(self.block(s.body if s.test.value else s.other, values))
        other = values.copy()
        _tested(s.test, values, other)
        body, no = self.block(s.body, values), self.block(s.other, other)
        if ends(body):
            values.known = other.known
        elif not ends(no):
            values.both(other)
        return [replace(s, body=body, other=no)]

    def loop(self, s: L.For | L.Loop, values: Values, known: Callable[[L.Expr], L.Expr]) -> L.Stmt:
        if isinstance(s, L.For):
            over = map_operands(s, known)
            assert isinstance(over, L.For)
            s = over
            forget(values, s, self.pure)
        for x in statements(s.body):
            forget(values, x, self.pure)
        if isinstance(s, L.Loop):
            return replace(s, body=self.block(s.body, values.copy()))
        inner = self.block(s.body, values.copy())
        for x in statements(s.other):
            forget(values, x, self.pure)
        return replace(s, body=inner, other=self.block(s.other, values.copy()))


def bare(e: L.Expr) -> L.Expr:
    """A field whatever it holds here."""
    return L.Field(e.name, e.type) if isinstance(e, L.Field) and e.holds else e


def _tested(test: L.Expr, yes: Values, no: Values) -> None:
    """What is known where a condition holds, and where it does not."""
    if isinstance(test, L.Not):
        yes, no, test = no, yes, test.operand
    if isinstance(test, L.Local | L.Field | L.Item):
        yes.set(L.Not(test), L.FALSE)
        no.set(L.Not(test), L.TRUE)


def _inside(s: L.Stmt) -> Iterable[L.Expr]:
    return expressions(operands(s))


class _Repeats:
    """Expressions that come again, before anything changes them, get a local of their own."""

    def __init__(self, f: L.Function, pure: Set[str]) -> None:
        self.pure = pure
        self.names = NewNames(f)

    def block(self, body: Block) -> Block:
        out: list[L.Stmt] = []
        rest = list(body)
        while rest:
            s = rest.pop(0)
            for e in self.sure(s, rest):
                if any(x == e for x in _inside(s)) and self.again(e, s, rest):
                    local = L.Local(self.names.new("here"), e.type)
                    out.append(L.Let(local, e, s.at))
                    s = _put(s, e, local)
            match s:
                case L.If(body=yes, other=no) | L.For(body=yes, other=no):
                    s = replace(s, body=self.block(yes), other=self.block(no))
                case L.Loop(body=inner):
                    s = replace(s, body=self.block(inner))
                case _:  # others: nothing inside
                    pass
            out.append(s)
        return tuple(out)

    def sure(self, s: L.Stmt, rest: list[L.Stmt]) -> list[L.Expr]:
        """What a statement surely works out, and is worth a local: the larger first."""
        if isinstance(s, L.For | L.Loop) or not all(
            e.name in self.pure for e in _inside(s) if isinstance(e, L.Call)
        ):
            return []
        found: list[L.Expr] = []
        stack = list(operands(s))
        whole = s.value if isinstance(s, L.Let) else None
        while stack:
            e = stack.pop(0)
            if e is whole and self.is_worth(e) and self.again(e, s, rest):
                # it has a local already
                continue
            if isinstance(e, L.Logic):
                stack.append(e.left)
                continue
            if isinstance(e, L.Pick):
                stack.append(e.test)
                continue
            if e is not whole and self.is_worth(e) and e not in found:
                found.append(e)
            stack.extend(children(e))
        return found

    def is_worth(self, e: L.Expr) -> bool:
        return (
            isinstance(e, L.Binary)
            and sum(1 for _ in expressions((e,))) >= WORTH
            and stays(e, self.pure)
        )

    def again(self, e: L.Expr, s: L.Stmt, rest: list[L.Stmt]) -> bool:
        """Whether it comes again here, or later and is the same still."""
        times = sum(1 for x in _inside(s) if x == e)
        if times != 1:
            return times > 1
        values = Values()
        values.set(e, L.TRUE)
        self.past(values, s)
        for later in rest:
            if not values.known:
                return False
            if not isinstance(later, L.Loop) and any(x == e for x in _inside(later)):
                return True
            self.past(values, later)
        return False

    def past(self, values: Values, s: L.Stmt) -> None:
        """What a statement that was gone through may have changed."""
        forget(values, s, self.pure)
        for body in bodies(s):
            if not ends(body):
                for x in statements(body):
                    forget(values, x, self.pure)


def _put(s: L.Stmt, e: L.Expr, local: L.Local) -> L.Stmt:
    def put(x: L.Expr) -> L.Expr:
        return local if x == e else map_children(x, put)

    return map_operands(s, put)
