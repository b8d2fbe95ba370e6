"""A low-level program → what is wrong with it; printers rely on all of this. Run in tests only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.helpers import CONSTANTS, ERRORS, FUNCTIONS, ON_STATE, Helper
from rulewright.compiler.low.walk_low import bodies, expressions, operands, statements

# functions of the module around the program that it may call
_AROUND = ("run",)
# fields that only the full flavour has may be named by functions both have
_NUMBERS = ("word", "wide")


def verify_low(program: L.Program) -> list[str]:
    """Every fault in words, with the function in which it is; none of a good program."""
    check = _Verifier(program)
    return [
        *check.whole(),
        *(f"{f.name}: {x}" for f in program.functions for x in check.function(f)),
    ]


def storage(t: T.Type) -> str:
    """How a value is held: values of one kind may stand for each other."""
    match t:
        case T.Int() | T.Bool():
            return "word"
        case T.Set() | T.Zone():
            return "wide" if T.is_wide(t) else "word"
        case T.Items() | T.Array():
            return "list"
        case T.Rows():
            return "rows"
        case T.Text():
            return "text"


def _fits(value: T.Type, place: T.Type) -> bool:
    """A number fits where a wide set is kept, and a wide set that was cut down where a number is."""
    a, b = storage(value), storage(place)
    return a == b or (a in _NUMBERS and b in _NUMBERS)


class _Verifier:
    def __init__(self, program: L.Program) -> None:
        self.program = program
        self.functions = {f.name: f for f in program.functions}
        self.fields = {f.name: f for f in program.fields}
        self.tables = {t.name: t for t in program.tables}
        self.constants = {*CONSTANTS, *(n.name for n in program.numbers)}

    def whole(self) -> Iterator[str]:
        for what, names in (
            ("functions", [f.name for f in self.program.functions]),
            ("fields", [f.name for f in self.program.fields]),
            ("tables", [t.name for t in self.program.tables]),
        ):
            for twice in sorted({n for n in names if names.count(n) > 1}):
                yield f"two {what} are called {twice}"
        named = (self.program.start, *self.program.decisions, *self.program.points)
        for name in named:
            if name is not None and name not in self.functions:
                yield f"the dispatcher knows {name}, which is no function"
        for t in self.program.tables:
            length = t.type.length if isinstance(t.type, T.Array) else t.type.limit
            if length != len(t.values):
                yield f"table {t.name} has {len(t.values)} entries, not {length}"
        for f in self.program.fields:
            if isinstance(f.type, T.Array) and f.type.length != len(f.first):
                yield f"field {f.name} begins with {len(f.first)} entries, not {f.type.length}"

    # ------------------------------------------------------------ functions

    def function(self, f: L.Function) -> Iterator[str]:
        yield from self.locals_of(f)
        yield from self.block(f.body, False, {p.name for p in f.params})
        if f.result is not None and not _ends(f.body):
            yield "it may end without a result"
        for s in statements(f.body):
            if f.at.span.line and not s.at.span.line:
                yield "an error in it could not be told with its place"
            if isinstance(s, L.Return):
                if (s.value is None) != (f.result is None):
                    yield "a return gives back a result where there is none, or none where there is one"
                elif (
                    s.value is not None
                    and f.result is not None
                    and not _fits(s.value.type, f.result)
                ):
                    yield f"it gives back {T.show(s.value.type)}, not {T.show(f.result)}"

    def locals_of(self, f: L.Function) -> Iterator[str]:
        """One name, one type."""
        types: dict[str, T.Type] = {p.name: p.type for p in f.params}
        for s in statements(f.body):
            named = [e for e in expressions(operands(s)) if isinstance(e, L.Local)]
            if isinstance(s, L.Let):
                named.append(s.local)
            if isinstance(s, L.For) and s.var.name != "_":
                named.append(s.var)
            for local in named:
                if types.setdefault(local.name, local.type) != local.type:
                    yield f"{local.name} is {T.show(types[local.name])} and {T.show(local.type)}"

    def block(self, body: Sequence[L.Stmt], in_loop: bool, known: set[str]) -> Iterator[str]:
        """Statements in order; `known` are the locals that may have a value by now."""
        for s in body:
            for e in expressions(operands(s)):
                yield from self.expr(e, known)
            match s:
                case L.Let(local, value):
                    known.add(local.name)
                    if not _fits(value.type, local.type):
                        yield f"{local.name} gets {T.show(value.type)}, not {T.show(local.type)}"
                case L.Store(place, value):
                    if not _fits(value.type, place.type):
                        yield f"a place of {T.show(place.type)} gets {T.show(value.type)}"
                    if isinstance(place, L.Field):
                        yield from self.expr(place, known)
                case L.For(var):
                    known.add(var.name)
                case L.Break() | L.Continue() if not in_loop:
                    yield "a jump out of a loop where there is none"
                case L.Raise(error, args):
                    yield from self.helper(ERRORS.get(error), error, len(args))
                case (
                    L.Append() | L.Break() | L.Continue() | L.Do() | L.Hit() | L.If() | L.Loop() | L.Mark() | L.Return()
                    | L.Tell()
                ):  # fmt: skip
                    pass  # nothing more to ask of it
                case _:
                    assert_never(s)
            inner = in_loop or isinstance(s, L.For | L.Loop)
            for part in bodies(s):
                yield from self.block(part, inner, known)

    # ------------------------------------------------------------ expressions

    def expr(self, e: L.Expr, known: set[str]) -> Iterator[str]:
        match e:
            case L.Local(name) if name not in known:
                yield f"{name} has no value yet"
            case L.Field(name, t):
                f = self.fields.get(name)
                if f is None:
                    yield f"there is no field {name}"
                elif not _fits(t, f.type):
                    yield f"field {name} is {T.show(f.type)}, not {T.show(t)}"
            case L.TableUse(name):
                if name not in self.tables and name not in CONSTANTS:
                    yield f"there is no table {name}"
            case L.Item(base, index):
                yield from self.item(base, index)
            case L.Number(_, _, name) if name and name not in self.constants:
                yield f"there is no constant {name}"
            case L.Compare("==" | "!=", left, right) if storage(left.type) == "list":
                if storage(right.type) != "list":
                    yield f"a list beside {T.show(right.type)}"
            case L.Binary(op, left, right) | L.Compare(op, left, right) if op != "in":
                for side in (left, right):
                    if storage(side.type) not in (*_NUMBERS, "text"):
                        yield f"{op} of {T.show(side.type)}"
            case L.Unary("rest", operand) if not isinstance(operand, L.Local | L.Number):
                yield "rest of what is worked out twice"
            case L.Call(name, args, t, state):
                yield from self.call(name, args, t, state)
            case L.Help(name, args):
                yield from self.helper(FUNCTIONS.get(name), name, len(args))
            case (
                L.Between() | L.Binary() | L.Compare() | L.Has() | L.ListOf() | L.Local() | L.Logic() | L.Not()
                | L.Number() | L.One() | L.Pick() | L.Row() | L.Sentence() | L.Unary() | L.Words()
            ):  # fmt: skip
                pass  # nothing more to ask of it
            case _:
                assert_never(e)

    def item(self, base: L.Expr, index: L.Expr) -> Iterator[str]:
        if not isinstance(base.type, T.Array | T.Items):
            yield f"an entry of {T.show(base.type)}"
        elif isinstance(base.type, T.Array) and _outside(index, base.type.length):
            yield f"an entry of {T.show(base.type)} that it has not"
        if storage(index.type) != "word":
            yield f"an entry at {T.show(index.type)}"

    def call(self, name: str, args: tuple[L.Expr, ...], t: T.Type, state: bool) -> Iterator[str]:
        f = self.functions.get(name)
        if f is None:
            if name in ON_STATE:
                yield from self.helper(ON_STATE[name], name, len(args))
            elif name not in _AROUND:
                yield f"there is no function {name}"
            return
        if f.state != state or len(f.params) != len(args):
            yield f"{name} is called with {len(args)} arguments, it takes {len(f.params)}"
        for p, arg in zip(f.params, args, strict=False):
            if not _fits(arg.type, p.type):
                yield f"{name} gets {T.show(arg.type)} for {p.name}, not {T.show(p.type)}"
        if f.result is not None and not _fits(f.result, t):
            yield f"{name} gives {T.show(f.result)}, not {T.show(t)}"

    def helper(self, found: Helper | None, name: str, args: int) -> Iterator[str]:
        if found is None:
            yield f"the runtime has no {name}"
            return
        low, high = found.args
        if not low <= args <= high:
            yield f"{name} is called with {args} arguments"


def _outside(index: L.Expr, length: int) -> bool:
    return isinstance(index, L.Number) and not 0 <= index.value < length


def _ends(body: Sequence[L.Stmt]) -> bool:
    """Whether nothing comes after these statements."""
    if not body:
        return False
    last = body[-1]
    match last:
        case L.Return() | L.Raise():
            return True
        case L.If(_, yes, no):
            return _ends(yes) and _ends(no)
        case L.Loop(inner):
            return not any(isinstance(s, L.Break) for s in statements(inner))
        case (
            L.Append() | L.Break() | L.Continue() | L.Do() | L.For() | L.Hit() | L.Let() | L.Mark() | L.Store() | L.Tell()
        ):  # fmt: skip
            return False
        case _:
            assert_never(last)
