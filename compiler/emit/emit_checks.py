"""checked(…) → the call that raises an error with its place when a value is outside its bounds."""

from __future__ import annotations

from rulewright.compiler.core.types import LIMIT, IntT, ListT, OptT, Type


def checked_call(value: str, type_: Type, place: int) -> str:
    """The text of the value, checked."""
    match type_:
        case IntT(low, high):
            return f"in_range({value}, {_low(low)}, {_high(high)}, {place})"
        case OptT(IntT(low, high)):
            return f"in_range({value}, {_low(low)}, {_high(high)}, {place}, True)"
        case ListT(element, limit):
            low, high = (element.low, element.high) if isinstance(element, IntT) else (None, None)
            most = LIMIT if limit is None else limit
            return f"in_length({value}, {most}, {_low(low)}, {_high(high)}, {place})"
    raise AssertionError(f"no bounds to check of {type_}")


def _low(low: int | None) -> int:
    return -LIMIT if low is None else low


def _high(high: int | None) -> int:
    return LIMIT if high is None else high
