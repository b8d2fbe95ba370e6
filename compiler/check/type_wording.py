"""Types and typed expressions → the words that messages use for them."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BadT,
    BoolT,
    GroupsT,
    IntT,
    KindT,
    ListT,
    MapT,
    NoneT,
    OptT,
    RangeT,
    SetT,
    TextT,
    Type,
    ZoneT,
    show,
)
from rulewright.compiler.core.walk import children
from rulewright.compiler.text.diagnostics import quoted


def a(t: Type) -> str:
    """What a value of the type is: a number, a Player, a set of Player."""
    match t:
        case IntT():
            return "a number"
        case BoolT():
            return "a truth value"
        case NoneT():
            return "none"
        case TextT():
            return "a text"
        case RangeT():
            return "a range of numbers"
        case GroupsT():
            return show(t)
        case OptT(base):
            return f"{a(base)} or none"
        case ZoneT(family):
            return f"a zone of {family}"
        case KindT() | SetT() | ListT() | MapT():
            text = show(t)
            return f"{'an' if text[:1] in 'AEIOUaeiou' else 'a'} {text}"
        case BadT():
            pass
    return show(t)


def wanted(t: Type) -> str:
    """What a value must be: with the bounds of numbers."""
    match t:
        case IntT(None, None):
            return "a number"
        case IntT(low, None):
            return f"a number from {low} up"
        case IntT(None, high):
            return f"a number up to {high}"
        case IntT(low, high):
            return f"a number from {low} to {high}"
        case OptT(base):
            return f"{wanted(base)}, or none"
        case (
            BadT() | BoolT() | GroupsT() | KindT() | ListT() | MapT() | NoneT() | RangeT() | SetT() | TextT() | ZoneT()
        ):  # fmt: skip
            pass
        case _:
            assert_never(t)
    return a(t)


def none_hint(e: C.Expr) -> str:
    """How to get at a value that may be none; only locals are known to be tested."""
    if isinstance(e, C.Use):
        return f"test it first: if {e.local.name} is none: return"
    return "name it and test that first: let x = …, then if x is none: return"


def hidden_part(e: C.Expr | None) -> str:
    """What in an expression is not for all to see."""
    if e is None or e.secrecy is None:
        return "a hidden value"
    match e:
        case C.Read(var, keys) if var.visible != "all":
            del keys
            return f"{quoted(var.name)}, which {who_sees(var.visible)}"
        case C.ZoneUse(zone) if zone.visible != "all":
            return f"what is in {quoted(zone.name)}, which {who_sees(zone.visible)}"
        case C.Use(local):
            return f"{quoted(local.name)}, which comes from something hidden"
        case C.Call(function) if function.tries and not _first(e.args):
            return "what would be after it, which hangs on something hidden"
        case C.Call(function) if function.secrecy is not None and not _first(e.args):
            return f"the result of {quoted(function.name)}, which reads something hidden"
        case C.CodeCall(column=column) if not _first((e.base, *e.args)):
            return f"the result of {quoted(column.name)}, which reads something hidden"
        case C.CanRun() if not _first((e.base, *e.args)):
            return "whether it is possible, which hangs on something hidden"
        case C.PieceRead(_, "value"):
            return "the value of a standing piece"
        case _:  # others: what is hidden is one of their parts
            pass
    inner = _first(children(e))
    return "a hidden value" if inner is None else hidden_part(inner)


def who_sees(visible: str) -> str:
    return {"owner": "only its owner sees", "team": "only a team sees"}.get(visible, "nobody sees")


def _first(parts: tuple[C.Expr | None, ...]) -> C.Expr | None:
    return next((p for p in parts if p is not None and p.secrecy is not None), None)
