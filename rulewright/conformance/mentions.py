"""Syntax trees and folders → what they hold of one sort: citations, names of members, calls of functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from rulewright.compiler.read.yaml_nodes import YList, YMap, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.source import Span
from rulewright.runtime.values import Values


def parts(root: object) -> Iterator[Any]:
    """Every dataclass inside a value, itself included, in the order of its text; YAML nodes are left out."""
    waiting: list[object] = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, YScalar | YList | YMap | Span | str | int | None):
            continue
        if isinstance(item, dict):
            waiting.extend(reversed(list(item.values())))
        elif isinstance(item, tuple | list):
            waiting.extend(reversed(item))
        elif is_dataclass(item):
            yield item
            waiting.extend(getattr(item, f.name) for f in reversed(fields(item)))


def members_named(tree: S.Expr, values: Values) -> set[tuple[str, int]]:
    """The members of kinds that an expression names; a name that two kinds share counts for both."""
    out: set[tuple[str, int]] = set()
    for item in parts(tree):
        match item:
            case S.Attr(S.Ref(kind), S.Name(member)) if kind in values.index:
                if member in values.index[kind]:
                    out.add((kind, values.index[kind][member]))
            case S.Ref(name) | S.Quoted(name):
                out |= {
                    (kind, index[name]) for kind, index in values.index.items() if name in index
                }
            case _:  # others: they name no member; their parts come by themselves
                pass
    return out


def calls_in(root: object) -> set[str]:
    """The names of functions that are called somewhere inside."""
    return {x.func.name for x in parts(root) if isinstance(x, S.Call) and isinstance(x.func, S.Ref)}


def reached(roots: object, functions: dict[str, S.Function]) -> set[str]:
    """The functions that something calls, and those that these call in turn."""
    found: set[str] = set()
    waiting = list(calls_in(roots))
    while waiting:
        name = waiting.pop()
        if name in functions and name not in found:
            found.add(name)
            waiting += calls_in(functions[name])
    return found
