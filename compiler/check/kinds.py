"""Types and values as they are written → types, and the numbers, masks and tuples that stand for values."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.check.fingerprints import FINGERPRINT
from rulewright.compiler.check.scope import Ruleset
from rulewright.compiler.check.type_wording import a, wanted
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BAD,
    BOOL,
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
    count_of,
    low_of,
    show,
)
from rulewright.compiler.read.yaml_nodes import (
    Node,
    YScalar,
    as_bool,
    as_int,
    as_list,
    as_text,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import did_you_mean, listed, nearest, quoted
from rulewright.compiler.text.source import Span

MAX_BITS = 4096  # of a set: each operation on one costs that much
MAX_LIST = 4096
MAX_NUMBER = 2**62


# ---------------------------------------------------------------- types


def can_be_none(t: Type) -> bool:
    """Whether none fits in beside the type's values: it is kept as -1."""
    return isinstance(t, KindT) or (isinstance(t, IntT) and t.low is not None and t.low >= 0)


def plain_type(r: Ruleset, t: S.TypeExpr, what: str) -> Type:
    """A type for what holds one value: no map, no text."""
    type_ = check_type(r, t)
    if isinstance(type_, MapT | TextT):
        r.error(
            "RW0649", t.span, f"{what} can't be {a(type_)}",
            expected="a number, bool, a kind, a set or a list", hint="only state and variables (var) are kept in maps" if isinstance(type_, MapT) else None,
        )  # fmt: skip
        return BAD
    return type_


def _named(r: Ruleset, name: str, span: Span) -> Type:
    """The kind, or the standing pieces, with a name."""
    if name in r.kinds:
        r.used.add(name)
        return r.kinds[name].type
    if name in r.standing:
        return r.standing[name].handle
    r.error(
        "RW0503", span, f"unknown type {quoted(name)}",
        expected="a kind (the name of a table), Player, Participant, bool or a range such as 0..9",
        hint=did_you_mean(name, [*r.kinds, *r.standing, "int", "bool"]),
    )  # fmt: skip
    r.used.add(nearest(name, r.kinds) or name)
    return BAD


def check_type(r: Ruleset, t: S.TypeExpr) -> Type:
    match t:
        case S.NamedType("int"):
            return IntT()
        case S.NamedType("fingerprint"):
            return FINGERPRINT
        case S.NamedType("bool"):
            return BOOL
        case S.NamedType("text"):
            return TextT()
        case S.NamedType(name, span):
            return _named(r, name, span)
        case S.RangeType(low, high, span):
            low_end, high_end = const_int(r, low), const_int(r, high)
            if low_end is None or high_end is None:
                return BAD
            if low_end > high_end:
                r.error(
                    "RW0602",
                    span,
                    f"the range {low_end}..{high_end} is empty",
                    expected="the smaller number first",
                )
                return BAD
            return IntT(low_end, high_end)
        case S.OptionType(base, span):
            inner = check_type(r, base)
            if isinstance(inner, KindT | IntT) and can_be_none(inner):
                return OptT(inner)
            if not isinstance(inner, BadT):
                r.error(
                    "RW0603",
                    span,
                    f"{show(inner)} can't be optional",
                    expected="a kind or a range from 0 up",
                )
            return BAD
        case S.SetType(element, span):
            inner = check_type(r, element)
            if isinstance(inner, KindT) or (
                isinstance(inner, IntT) and count_of(inner) is not None
            ):
                size = count_of(inner) or 0
                if size > MAX_BITS:
                    r.error(
                        "RW0648",
                        span,
                        f"a set with room for {size:,} values",
                        expected=f"at most {MAX_BITS:,}",
                    )
                    return BAD
                return SetT(inner)
            if not isinstance(inner, BadT):
                r.error(
                    "RW0604",
                    span,
                    f"there is no set of {show(inner)}",
                    expected="a kind or a range",
                )
            return BAD
        case S.ListType(element, limit, span):
            inner = check_type(r, element)
            most = None if limit is None else const_int(r, limit)
            if most is not None and not 0 < most <= MAX_LIST:
                r.error(
                    "RW0648",
                    span,
                    f"a list with room for {most:,} values",
                    expected=f"from 1 to {MAX_LIST:,}",
                )
                return BAD
            if isinstance(inner, KindT | IntT):
                return ListT(inner, most)
            if not isinstance(inner, BadT):
                r.error(
                    "RW0605",
                    span,
                    f"there is no list of {show(inner)}",
                    expected="a kind or a range",
                )
            return BAD
        case S.MapType(key, value, span):
            k, v = check_type(r, key), check_type(r, value)
            if isinstance(k, BadT) or isinstance(v, BadT):
                return BAD
            if not isinstance(k, KindT | IntT) or count_of(k) is None:
                r.error(
                    "RW0606",
                    span,
                    f"{show(k)} can't be the key of a map",
                    expected="a kind or a range",
                )
                return BAD
            if isinstance(v, TextT):
                r.error(
                    "RW0649",
                    span,
                    "a map can't hold texts",
                    expected="a number, bool, a kind, a set, a list or a map",
                )
                return BAD
            return MapT(k, v)


def const_int(r: Ruleset, e: S.Expr) -> int | None:
    """An integer known now: a number, a constant, or sums of those."""
    match e:
        case S.Num(value):
            return value
        case S.Ref(name) if name in r.constants:
            r.used.add(name)
            if isinstance(r.constants[name].type, BadT):
                return None
            known = r.constants[name].value
            if isinstance(known, int):
                return known
        case S.Ref(name) if nearest(name, r.constants) is not None:
            r.unknown(name, e.span, "constant", r.constants)
            return None
        case S.Call(S.Ref("size"), (S.Ref(name),)) if name in r.kinds:
            r.used.add(name)
            return len(r.kinds[name].members)
        case S.Call(S.Ref("size"), (S.Ref(name),)) if name in r.constants:
            whole = r.constants[name]
            if isinstance(whole.value, tuple):
                r.used.add(name)
                return len(whole.value)
            if isinstance(whole.type, SetT):
                r.used.add(name)
                return whole.value.bit_count()
        case S.Unary("-", operand):
            inner = const_int(r, operand)
            return None if inner is None else -inner
        case S.Binary(op, left, right) if op in "+-*":
            x, y = const_int(r, left), const_int(r, right)
            if x is None or y is None:
                return None
            found = {"+": x + y, "-": x - y, "*": x * y}[op]
            if abs(found) > MAX_NUMBER:
                r.error(
                    "RW0613", e.span, "this number is too large", expected=f"at most {MAX_NUMBER:,}"
                )
                return None
            return found
        case _:  # others: refused below
            pass
    r.error(
        "RW0608", e.span, "this bound must be known before play", expected="a number or a constant"
    )
    return None


# ---------------------------------------------------------------- values


def node_value(r: Ruleset, node: Node, type_: Type) -> int | tuple[int, ...] | None:
    """A YAML value as the number, mask or tuple that stands for it; None after a problem."""
    match type_:
        case IntT(low, high):
            value = as_int(node, r.problems, "this value")
            if value is None:
                return None
            if (low is not None and value < low) or (high is not None and value > high):
                r.error("RW0323", node.span, f"{value} is out of range", expected=wanted(type_))
                return None
            return value
        case BoolT():
            flag = as_bool(node, r.problems, "this value")
            return None if flag is None else int(flag)
        case KindT(name, _):
            return _member(r, node, r.kinds[name])
        case OptT(base):
            if isinstance(node, YScalar) and node.text == "none":
                return -1
            return node_value(r, node, base)
        case SetT(element):
            items = _items(r, node, element)
            return None if items is None else sum({1 << (i - low_of(element)) for i in items})
        case ListT(element, limit) if not isinstance(element, SetT):
            items = _items(r, node, element)
            if items is not None and limit is not None and len(items) > limit:
                r.error(
                    "RW0324", node.span, f"{len(items)} values, but the list holds at most {limit}"
                )
            return None if items is None else tuple(items)
        case BadT() | GroupsT() | ListT() | MapT() | NoneT() | RangeT() | TextT() | ZoneT():
            return None
        case _:
            assert_never(type_)


def _items(r: Ruleset, node: Node, element: KindT | IntT) -> list[int] | None:
    if isinstance(node, YScalar) and isinstance(element, KindT) and node.text == "all":
        r.whole.add(element.name)
        return list(range(element.size))
    seq = as_list(node, r.problems, "this value")
    if seq is None:
        return None
    values = [node_value(r, item, element) for item in seq.items]
    return [v for v in values if isinstance(v, int)]


def _member(r: Ruleset, node: Node, kind: C.Kind) -> int | None:
    text = as_text(node, r.problems, "this value")
    if text is None:
        return None
    r.used.add(kind.name)
    if text in kind.members:
        index = kind.members.index(text)
        r.named.add((kind.name, index))
        return index
    near = did_you_mean(text, kind.members)
    few = near is None and len(kind.members) <= 12
    expected = listed(kind.members) if few else f"a member of {kind.name}"
    r.error(
        "RW0325", node.span, f"{quoted(text)} is not a member of {kind.name}",
        expected=expected, hint=near,
    )  # fmt: skip
    return None
