"""A typed expression → all expressions inside it, and the locals that it uses."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.core import tree as C


def parts(e: object) -> list[object]:
    """What an expression is directly made of."""
    match e:
        case tuple() | list():
            return list(e)
        case C.Read(keys=keys):
            return [keys]
        case C.Op(args=args) | C.Call(args=args):
            return [args]
        case C.CodeCall(base=base, args=args) | C.CanRun(base=base, args=args):
            return [base, args]
        case C.Column(base=base):
            return [base]
        case C.PieceRead(piece=piece):
            return [piece]
        case C.ZoneUse(owner=owner):
            return [owner]
        case C.Range(low, high):
            return [low, high]
        case C.Comp(domain=domain, where=where, body=body, default=default):
            return [domain, where, body, default]
        case C.Reveal(operand):
            return [operand]
    return []


def inside(e: object) -> Iterator[object]:
    """The expression and everything in it."""
    stack = [e]
    while stack:
        x = stack.pop()
        yield x
        stack.extend(parts(x))


def locals_in(e: object) -> set[int]:
    """Numbers of the locals that a typed expression uses and does not bind itself."""
    out: set[int] = set()
    stack: list[object] = [e]
    while stack:
        x = stack.pop()
        if isinstance(x, C.Use):
            out.add(x.local.number)
        elif isinstance(x, C.Comp):
            stack.extend((x.domain, x.default))
            out |= locals_in((x.where, x.body)) - {x.var.number}
        else:
            stack.extend(parts(x))
    return out
