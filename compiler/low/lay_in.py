"""Calls of functions of the program → what these do, written where they are called; for an interpreter, which pays for every call.

function waiting(p):                               function step():
    if not state.men[p]: return 0                      p = state.turn_p
    return AHEAD[p]                          →         if not state.men[p]: found = 0
function step():                                       else: found = AHEAD[p]
    p = state.turn_p                                   …
    found = waiting(p)
    …

Functions that are called from one place, and small ones. What nobody calls any more is left out. A C compiler does the same by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import replace

from rulewright.compiler.low import program as L
from rulewright.compiler.low.machine_types import PC
from rulewright.compiler.low.new_names import NewNames, changed
from rulewright.compiler.low.walk_low import (
    bodies,
    expressions,
    expressions_in,
    map_bodies,
    map_children,
    map_operands,
    operands,
    statements,
)

# statements of a function that is laid in although others call it too: of one that goes on with what comes next, and of others
NEXT = 20
SMALL = 10
# statements of a function that is laid in wherever there is no room for others
TINY = 2
# statements that a function may grow to
MOST = 90
Block = tuple[L.Stmt, ...]


def laid_in(program: L.Program, kept: Set[str], pure: Set[str]) -> tuple[L.Function, ...]:
    """The functions of a program; `kept`: those that are called from outside of it, `pure`: those that change nothing."""
    numbered = {n for n in (program.start, *program.decisions, *program.points) if n is not None}
    functions = {f.name: f for f in program.functions}
    called = {name for f in program.functions for name in _calls(f)}
    # what stands in no rule and is called by nobody belongs to the engine itself
    own = {f.name for f in program.functions if not f.at.owner and f.name not in called}
    roots = numbered | own | kept
    live = _reached(functions, roots)
    work = _LayingIn({n: functions[n] for n in functions if n in live}, roots, pure)
    done = {name: work.function(name) for name in work.functions}
    live = _reached(done, roots)
    return tuple(f for name, f in done.items() if name in live)


def _calls(f: L.Function) -> Iterable[str]:
    return (e.name for e in expressions_in(f.body) if isinstance(e, L.Call))


def _reached(functions: dict[str, L.Function], roots: Iterable[str]) -> set[str]:
    live: set[str] = set()
    stack = [name for name in roots if name in functions]
    while stack:
        name = stack.pop()
        if name not in live:
            live.add(name)
            stack.extend(n for n in _calls(functions[name]) if n in functions)
    return live


def ends(body: Block) -> bool:
    """Whether nothing after these statements is ever reached."""
    match body[-1] if body else None:
        case L.Return() | L.Raise():
            return True
        case L.If(_, yes, no):
            return ends(yes) and ends(no)
        case _:  # others: what follows may be reached
            return False


def _gives(body: Iterable[L.Stmt]) -> bool:
    return any(isinstance(s, L.Return) for s in statements(body))


def assigned(body: Block, target: L.Local | None) -> list[L.Stmt] | None:
    """What returns a value, as statements that give it to a local and go on; None where that needs more than branches."""
    out: list[L.Stmt] = []
    for i, s in enumerate(body):
        match s:
            case L.Return(value, at):
                if target is not None and value is not None:
                    out.append(L.Let(target, value, at))
                return out
            case L.If(test, yes, no, at) if _gives((s,)):
                rest = body[i + 1 :]
                if not ends(yes) and rest:
                    if not ends(no):
                        return None
                    yes = (*yes, *rest)
                elif not ends(no):
                    no = (*no, *rest)
                first, second = assigned(yes, target), assigned(no, target)
                if first is None or second is None:
                    return None
                out.append(_branches(test, first, second, at))
                return out
            case _ if _gives((s,)):
                return None
            case _:  # others: they stay
                out.append(s)
    return out


def _branches(test: L.Expr, yes: list[L.Stmt], no: list[L.Stmt], at: L.Origin) -> L.Stmt:
    # a test only reads
    match yes, no:
        case [L.Let(local, a)], [L.Let(_, b)] if not isinstance(b, L.Pick | L.Call):
            return L.Let(local, a if a == b else L.Pick(test, a, b, local.type), at)
        case [], [_, *_]:
            return L.If(L.Not(test), tuple(no), (), at)
        case _:  # others: both do something
            return L.If(test, tuple(yes), tuple(no), at)


class _LayingIn:
    def __init__(self, functions: dict[str, L.Function], roots: Set[str], pure: Set[str]) -> None:
        self.functions = functions
        self.roots = roots
        self.pure = pure
        self.counts: dict[str, int] = {}
        for f in functions.values():
            for name in _calls(f):
                self.counts[name] = self.counts.get(name, 0) + 1
        self.sizes = {n: sum(1 for _ in statements(f.body)) for n, f in functions.items()}
        self.done: dict[str, L.Function] = {}
        self.busy: set[str] = set()

    def function(self, name: str) -> L.Function:
        if name not in self.done:
            f = self.functions[name]
            self.busy.add(name)
            inner = f if f.keeps else _Caller(self, f).function()
            self.busy.discard(name)
            self.sizes[name] = sum(1 for _ in statements(inner.body))
            self.done[name] = inner
        return self.done[name]

    def suits(self, name: str) -> L.Function | None:
        """The function, if it is one to be laid in."""
        if name in self.busy or name not in self.functions:
            return None
        f = self.function(name)
        alone = self.counts[name] == 1 and name not in self.roots
        small = self.sizes[name] <= (NEXT if f.result == PC else SMALL)
        return f if (alone or small) and not f.keeps else None


class _Caller:
    """One function into which others are laid."""

    def __init__(self, work: _LayingIn, f: L.Function) -> None:
        self.work = work
        self.f = f
        self.size = work.sizes[f.name]
        self.names = NewNames(f)

    def function(self) -> L.Function:
        body = self.block(self.f.body)
        return self.f if body == self.f.body else replace(self.f, body=body)

    def block(self, body: Block) -> Block:
        out: list[L.Stmt] = []
        for s in body:
            out += self.stmt(map_bodies(s, self.block))
        return tuple(out)

    def stmt(self, s: L.Stmt) -> list[L.Stmt]:
        match s:
            case L.Return(L.Call(name, args)):
                found = self.instance(name, args, s.at)
                return [s] if found is None else list(found)
            case L.Do(L.Call(name, args)):
                return self.into(name, args, None, s)
            case L.Let(local, L.Call(name, args)):
                return self.into(name, args, local, s)
            case _:  # others: only what they read may be laid in
                return self.operands(s)

    def operands(self, s: L.Stmt) -> list[L.Stmt]:
        """What is surely worked out first, and changes nothing, is laid in before the statement."""
        calls = [e.name for e in expressions(operands(s)) if isinstance(e, L.Call)]
        if not calls or not self.work.pure >= set(calls):
            return [s]
        if not isinstance(s, L.Let | L.Store | L.If | L.Return):
            return [s]
        before: list[L.Stmt] = []

        def sure(e: L.Expr) -> L.Expr:
            match e:
                case L.Call(name, args, t) if name in self.work.pure:
                    e = L.Call(name, tuple(map(sure, args)), t, e.state)
                    local = L.Local(self.name(f"{name}_now"), t)
                    into = self.into(name, e.args, local, L.Let(local, e, s.at))
                    if len(into) == 1 and isinstance(into[0], L.Let) and into[0].value == e:
                        return e
                    before.extend(into)
                    return local
                case L.Logic(op, left, right, t):
                    return L.Logic(op, sure(left), right, t)
                case L.Pick(test, yes, no, t):
                    return L.Pick(sure(test), yes, no, t)
                case _:  # others: all their parts are worked out
                    return map_children(e, sure)

        found = map_operands(s, sure)
        return [*before, found] if before else [s]

    def into(
        self, name: str, args: tuple[L.Expr, ...], target: L.Local | None, s: L.Stmt
    ) -> list[L.Stmt]:
        found = self.instance(name, args, s.at)
        into = None if found is None else assigned(found, target)
        return [s] if into is None else into

    def instance(self, name: str, args: tuple[L.Expr, ...], at: L.Origin) -> Block | None:
        """The body of a function with the arguments put in, and with names of its own for its locals."""
        f = self.work.suits(name)
        if f is None:
            return None
        if self.size + self.work.sizes[name] > MOST and self.work.sizes[name] > TINY:
            return None
        self.size += self.work.sizes[name]
        given = changed(f.body)
        env: dict[str, L.Expr] = {}
        first: list[L.Stmt] = []
        for param, arg in zip(f.params, args, strict=True):
            if isinstance(arg, L.Local | L.Number | L.TableUse) and param.name not in given:
                env[param.name] = arg
            else:
                local = L.Local(self.name(param.name), param.type)
                env[param.name] = local
                first += self.stmt(L.Let(local, arg, at))
        for name_, t in given.items():
            env.setdefault(name_, L.Local(self.name(name_), t))
        return (*first, *_placed(renamed(f.body, env), at))

    def name(self, wish: str) -> str:
        # p_2 once more is p_3
        return self.names.new(wish, re.sub(r"(?<=.)_\d+$", "", wish).rstrip("_"))


def _placed(body: Block, at: L.Origin) -> Block:
    """What has no place of its own in the rules stands where it is called."""

    def stmt(s: L.Stmt) -> L.Stmt:
        s = map_bodies(s, lambda inner: _placed(inner, at)) if bodies(s) else s
        return s if s.at.span.line else replace(s, at=replace(s.at, span=at.span))

    return tuple(map(stmt, body))


def renamed(body: Block, env: dict[str, L.Expr]) -> Block:
    """Statements with other expressions for locals; for those that get a value, other locals."""

    def expr(e: L.Expr) -> L.Expr:
        return env.get(e.name, e) if isinstance(e, L.Local) else map_children(e, expr)

    def local(x: L.Local) -> L.Local:
        found = env.get(x.name, x)
        assert isinstance(found, L.Local)
        return found

    def stmt(s: L.Stmt) -> L.Stmt:
        s = map_operands(s, expr) if operands(s) else s
        s = map_bodies(s, block) if bodies(s) else s
        match s:
            case L.Let(x):
                return replace(s, local=local(x))
            case L.For(x):
                return replace(s, var=local(x))
            case L.Append(x):
                return replace(s, to=local(x))
            case L.Store(L.Local() as x):
                return replace(s, place=local(x))
            case _:  # others: no local gets a value
                return s

    def block(stmts: Block) -> Block:
        return tuple(map(stmt, stmts))

    return block(body)
