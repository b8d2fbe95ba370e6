"""The low-level program → text that people can read: its state, its tables in short, and its functions with all types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from rulewright.compiler.low import program as L
from rulewright.compiler.low.machine_types import Bool, show

INDENT = "    "
# so many entries of a table are shown
_SHOWN = 12


def print_low(program: L.Program) -> str:
    parts = [["state:", *(f"{INDENT}{_field(f)}" for f in program.fields)]]
    if program.tables:
        parts.append(["tables:", *(f"{INDENT}{_table(t)}" for t in program.tables)])
    parts.append([f"start {program.start}", *_numbers(program)])
    parts.extend(list(print_function(f)) for f in program.functions)
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _field(f: L.StateField) -> str:
    words = f"  # {f.about}" if f.about else ""
    return f"{'slot ' if f.slot else ''}{f.name}: {show(f.type)}{words}"


def _table(t: L.Table) -> str:
    values = [str(list(v)) if isinstance(v, tuple) else repr(v) for v in t.values[:_SHOWN]]
    more = ", …" if len(t.values) > _SHOWN else ""
    return f"{t.name}: {show(t.type)} = {', '.join(values)}{more}"


def _numbers(program: L.Program) -> Iterator[str]:
    for word, names in (("decision", program.decisions), ("point", program.points)):
        for n, name in enumerate(names):
            if name is not None:
                yield f"{word} {n}: {name}"


def print_function(f: L.Function) -> Iterator[str]:
    params = ", ".join(f"{p.name}: {show(p.type)}" for p in f.params)
    result = "" if f.result is None else f" -> {show(f.result)}"
    keeps = f" keeps {', '.join(field.name for field, _ in f.keeps)}" if f.keeps else ""
    yield f"function {f.name}({params}){result}{keeps}:{'' if f.state else '  # without state'}"
    yield from _block(f.body, 1, {p.name for p in f.params})


def _block(body: Sequence[L.Stmt], depth: int, said: set[str]) -> Iterator[str]:
    for s in body:
        yield from _stmt(s, depth, said)
    if not body:
        yield f"{INDENT * depth}pass"


def _stmt(s: L.Stmt, depth: int, said: set[str]) -> Iterator[str]:
    pad = INDENT * depth
    match s:
        case L.Let(local, value):
            yield f"{pad}let {_said(local, said)} = {print_expr(value)}"
        case L.Store(place, value, op):
            yield f"{pad}{print_expr(place)} {op}= {print_expr(value)}"
        case L.Do(call):
            yield f"{pad}{print_expr(call)}"
        case L.If(test, body, other):
            yield f"{pad}if {print_expr(test)}:"
            yield from _block(body, depth + 1, said)
            if other:
                yield f"{pad}else:"
                yield from _block(other, depth + 1, said)
        case L.For(var, over, body, other):
            yield f"{pad}for {_said(var, said)} in {_over(over)}:"
            yield from _block(body, depth + 1, said)
            if other:
                yield f"{pad}else:"
                yield from _block(other, depth + 1, said)
        case L.Loop(body):
            yield f"{pad}loop:"
            yield from _block(body, depth + 1, said)
        case L.Break():
            yield f"{pad}break"
        case L.Continue():
            yield f"{pad}continue"
        case L.Return(value):
            yield f"{pad}return" if value is None else f"{pad}return {print_expr(value)}"
        case L.Raise(error, args):
            yield f"{pad}raise {error}({_list(args)})"
        case L.Append(to, value):
            yield f"{pad}append {print_expr(value)} to {to.name}"
        case L.Tell(to, text):
            yield f"{pad}tell {print_expr(to)} {print_expr(text)}"
        case L.Mark(at):
            yield f"{pad}mark {at.span.line}:{at.span.column}"
        case L.Hit(number):
            yield f"{pad}hit {number}"
        case _:
            assert_never(s)


def _said(local: L.Local, said: set[str]) -> str:
    """With its type where a local first appears."""
    if local.name in said:
        return local.name
    said.add(local.name)
    return f"{local.name}: {show(local.type)}"


def _over(over: L.Range | L.Members | L.Expr) -> str:
    match over:
        case L.Range(start, stop, step):
            by = "" if step == 1 else f" by {step}"
            return f"{print_expr(start)} until {print_expr(stop)}{by}"
        case L.Members(members, base):
            return f"members of {print_expr(members)}" + (f" from {base}" if base else "")
        case _:
            return print_expr(over)


def _list(args: Sequence[L.Expr]) -> str:
    return ", ".join(map(print_expr, args))


def print_expr(e: L.Expr) -> str:
    """An expression with brackets around everything that has parts of its own."""
    match e:
        case L.Number(value, Bool()):
            return "true" if value else "false"
        case L.Number(value, _, name):
            return name or str(value)
        case L.Words(text):
            return repr(text)
        case L.Local(name) | L.TableUse(name):
            return name
        case L.Field(name):
            return f"state.{name}"
        case L.Item(base, index):
            return f"{print_expr(base)}[{print_expr(index)}]"
        case L.Binary(op, left, right) | L.Compare(op, left, right) | L.Logic(op, left, right):
            return f"({print_expr(left)} {op} {print_expr(right)})"
        case L.Unary(op, operand):
            return f"({op} {print_expr(operand)})"
        case L.Has(members, place):
            return f"({print_expr(members)} has {print_expr(place)})"
        case L.One(place):
            return f"{{{print_expr(place)}}}"
        case L.Between(low, middle, high):
            return f"({print_expr(low)} <= {print_expr(middle)} <= {print_expr(high)})"
        case L.Not(operand):
            return f"(not {print_expr(operand)})"
        case L.Pick(test, yes, no):
            return f"(if {print_expr(test)} then {print_expr(yes)} else {print_expr(no)})"
        case L.Call(name, args):
            return f"{name}({_list(args)})"
        case L.Help(name, args):
            return f"#{name}({_list(args)})"
        case L.ListOf(items):
            return f"[{_list(items)}]"
        case L.Row(items):
            return f"row({_list(items)})"
        case L.Sentence(parts):
            return f"text({', '.join(repr(p) if isinstance(p, str) else print_expr(p) for p in parts)})"
        case _:
            assert_never(e)
