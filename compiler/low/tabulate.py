"""Functions that read no state → tables of their results, looked up instead of called.

function price(c: Card, n: 0..3) -> 0..20      CARD_PRICE = [2, 4, 6, 8, 3, …]
… price(c, n) …                            →   … CARD_PRICE[c * 4 + n] …

A parameter that makes no difference is left out; a function that gives back its parameter is that parameter.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import FUEL, Evaluator, NotConstant
from rulewright.compiler.core.may_fail import may_fail
from rulewright.compiler.core.types import BoolT, IntT, KindT, SetT, count_of, low_of
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import Body, added, scaled
from rulewright.compiler.low.measure import bits_of
from rulewright.compiler.low.names import constant_name
from rulewright.compiler.low.shared_tables import Tables
from rulewright.compiler.low.state_layout import kept

MAX_TABLE = 4096


@dataclass(frozen=True, slots=True)
class Worked:
    """A function worked out for all arguments: the parameters that matter, their domains' sizes, and the table of results.

    Without a table the result is the one parameter that matters, or a number where none does.
    """

    kept: tuple[int, ...]
    sizes: tuple[int, ...]
    table: L.TableUse | None
    always: L.Number | None = None


def tabulated(tables: Tables, f: C.Function) -> Worked | None:
    """A function that can be worked out for all arguments, as a table."""
    if id(f) not in tables.worked:
        tables.worked[id(f)] = None
        tables.worked[id(f)] = _worked(tables, f)
    found = tables.worked[id(f)]
    assert found is None or isinstance(found, Worked)
    return found


def _domains(f: C.Function) -> list[range] | None:
    """All values of the parameters, where these are few."""
    domains: list[range] = []
    total = 1
    for p in f.params:
        n = count_of(p.type) if isinstance(p.type, KindT | IntT) else None
        if n is None or n > 128 or not isinstance(p.type, KindT | IntT):
            return None
        low = low_of(p.type)
        domains.append(range(low, low + n))
        total *= n
    return domains if domains and total <= MAX_TABLE else None


def _worked(tables: Tables, f: C.Function) -> Worked | None:
    domains = None if f.reads_state else _domains(f)
    if domains is None:
        return None
    evaluator = Evaluator(min(FUEL, tables.fuel))
    before = evaluator.fuel
    try:
        results = {args: evaluator.call(f, list(args)) for args in itertools.product(*domains)}
    except (NotConstant, RecursionError):
        return None
    finally:
        tables.fuel -= before - max(0, evaluator.fuel)
    matter = tuple(i for i, d in enumerate(domains) if _matters(results, i, d[0]))
    always = next(iter(results.values()))
    if not matter and isinstance(always, int) and isinstance(f.result, IntT | KindT):
        return Worked((), (), None, L.Number(always, T.Int(always, always)))
    matter = matter or (0,)
    values: list[object] = [
        results[args]
        for args in results
        if all(i in matter or args[i] == d[0] for i, d in enumerate(domains))
    ]
    plain = isinstance(f.result, IntT | KindT)
    if plain and len(matter) == 1 and values == list(domains[matter[0]]):
        return Worked(matter, (), None)
    t: T.Int | T.Bool | T.Set | T.Items = kept(f.result)
    if isinstance(f.result, BoolT):
        values, t = [bool(v) for v in values], T.BOOL
    table = tables.add(constant_name(f.name), values, T.Array(t, len(values)))
    if isinstance(f.result, SetT):
        base = low_of(f.result.element)
        tables.members[table.name] = [bits_of(v, base) for v in values if isinstance(v, int)]
    return Worked(matter, tuple(len(domains[i]) for i in matter), table)


def _matters(results: Mapping[tuple[int, ...], object], i: int, first: int) -> bool:
    """Whether results differ with parameter number i alone."""
    return any(
        value != results[(*args[:i], first, *args[i + 1 :])] for args, value in results.items()
    )


def _inside(t: IntT, wide: IntT) -> bool:
    if t.low is None or t.high is None or wide.low is None or wide.high is None:
        return False
    return wide.low <= t.low and t.high <= wide.high


def serves(tables: Tables, f: C.Function, args: tuple[C.Expr, ...]) -> Worked | None:
    """The table of a function, if it serves for these arguments: none can be outside of it, and what is left out can't go wrong."""
    worked = tabulated(tables, f)
    if worked is None:
        return None
    for i, (arg, p) in enumerate(zip(args, f.params, strict=True)):
        if i not in worked.kept and may_fail(arg):
            return None
        t = arg.type
        if isinstance(arg, C.Const) and isinstance(arg.value, int):
            t = IntT(arg.value, arg.value)
        if isinstance(p.type, IntT) and not (isinstance(t, IntT) and _inside(t, p.type)):
            return None
    return worked


def look_up(body: Body, worked: Worked, f: C.Function, args: tuple[C.Expr, ...]) -> L.Expr:
    if worked.always is not None:
        return worked.always
    if worked.table is None:
        return body.expr(args[worked.kept[0]])
    assert isinstance(worked.table.type, T.Array)
    return L.Item(worked.table, _place(body, worked, f, args), worked.table.type.element)


def _place(body: Body, worked: Worked, f: C.Function, args: tuple[C.Expr, ...]) -> L.Expr:
    place: L.Expr = L.number(0)
    for i, size in zip(worked.kept, worked.sizes, strict=True):
        place = added(scaled(place, size), body.index(args[i], body.base(f.params[i].type)))
    return place


@dataclass(frozen=True, slots=True)
class Listed:
    """A set that is a table's: the table's name, the members of each of its sets, and which of them is meant."""

    name: str
    rows: list[list[int]]
    index: L.Expr


def listed(body: Body, domain: C.Expr) -> Listed | None:
    if isinstance(domain, C.Call):
        worked = serves(body.tables, domain.function, domain.args)
        if worked is not None and worked.table is not None:
            rows = body.tables.members.get(worked.table.name)
            if rows is not None:
                index = _place(body, worked, domain.function, domain.args)
                return Listed(worked.table.name, rows, index)
    if isinstance(domain, C.Column) and isinstance(domain.column.type, SetT):
        base = low_of(domain.column.type.element)
        rows = [bits_of(v if isinstance(v, int) else 0, base) for v in domain.column.values]
        wish = constant_name(f"{domain.kind.name}_{domain.column.name}")
        return Listed(wish, rows, body.expr(domain.base))
    return None
