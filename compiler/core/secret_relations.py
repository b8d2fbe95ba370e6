"""Secret choices and where their values are kept → relations between hidden things, as tests that can be asked again later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.declared import Several
from rulewright.compiler.core.secret_choices import parts_of
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BOOL, IntT, KindT, OptT, SetT, Type, count_of, low_of
from rulewright.compiler.core.walk import (
    children,
    expressions,
    expressions_in,
    free_locals,
    operands,
    statements,
)
from rulewright.compiler.text.source import NOWHERE

if TYPE_CHECKING:
    from rulewright.compiler.core.trace_notes import Trace

Fresh = Callable[[str, Type], C.Local]
# (what, its name, the mask of its second keys that are read; None: any)
Reads = dict[tuple[str, str], int | None]
# a second key with so many values at most gives a relation for each of them
_MOST_KEYS = 12


@dataclass(slots=True)
class Relation:
    """What held between a value and other hidden things when it was chosen, as long as none of these has changed."""

    at: C.SAssign
    cell: tuple[C.Expr, ...]
    loops: list[C.Local]
    test: C.Expr
    reads: Reads
    key: KindT | IntT | None
    # of relations that are the same but for the second key: that key
    second: C.Expr | None
    # whether it is the first of those
    first: bool
    # what was read when it was asked, before values that were kept were looked up where they are
    asked: Reads

    def reads_of(self, what: tuple[str, str]) -> bool:
        return what in self.reads

    def at_key(self, what: tuple[str, str]) -> tuple[int, KindT | IntT] | None:
        mask = self.reads.get(what)
        return None if mask is None or self.key is None else (mask, self.key)

    def number(self, relations: list[Relation]) -> C.Expr:
        """The number of this relation, or of its sibling for the key at hand."""
        first = relations.index(self) + 1
        start = C.Const(first, IntT(first, first))
        if self.second is None:
            return start
        assert self.key is not None
        low = low_of(self.key)
        back = fold.op("-", (self.second, C.Const(low, IntT(low, low))), IntT(), NOWHERE)
        return fold.op("+", (start, back), IntT(1, len(relations)), NOWHERE)


def established(at: C.SAssign, relations: list[Relation], stale: Reads) -> C.Expr:
    """The set of relations that an assignment establishes; what was asked of things that have changed since holds no longer."""
    mine = [r for r in relations if r.at is at]
    # those for each second key stand one after the other: all of them or none
    firsts = [
        r
        for i, r in enumerate(mine)
        if r.first and not any(touched(x.asked, stale) for x in _block(mine, i))
    ]
    numbers = tuple(r.number(relations) for r in firsts)
    return fold.op("set", numbers, SetT(IntT(1, len(relations))), NOWHERE)


def _block(relations: list[Relation], start: int) -> list[Relation]:
    """A relation and those that are the same but for the second key."""
    end = start + 1
    while end < len(relations) and not relations[end].first:
        end += 1
    return relations[start:end]


def touched(reads: Reads, changed: Reads) -> bool:
    """Whether something that is read has changed."""
    for what in reads.keys() & changed.keys():
        read, new = reads[what], changed[what]
        if read is None or new is None or read & new:
            return True
    return False


def make_relations(p: C.Procedure, traces: dict[str, Trace], fresh: Fresh) -> None:
    """Adds to each hidden variable the relations that assignments in a procedure establish."""
    kept: dict[int, tuple[C.StateVar, tuple[C.Expr, ...]]] = {}
    assigns: list[C.SAssign] = []
    for s in statements(p.body):
        match s:
            case C.SAssign(C.Read(var, keys), "", C.Use(local)) if var.name in traces and (
                local.chosen_by is not None or local.several is not None
            ):
                kept[local.number] = (var, keys)
                assigns.append(s)
            case _:  # others: they keep nothing that was chosen
                pass
    for s in assigns:
        assert isinstance(s.target, C.Read)
        trace = traces[s.target.var.name]
        trace.relations.extend(_relations(s, trace, kept, fresh))


def _relations(
    s: C.SAssign,
    trace: Trace,
    kept: dict[int, tuple[C.StateVar, tuple[C.Expr, ...]]],
    fresh: Fresh,
) -> list[Relation]:
    assert isinstance(s.target, C.Read) and isinstance(s.value, C.Use)
    tests = _tests(s.value.local)
    if not tests:
        return []
    keys = s.target.keys
    key = trace.keys[1] if len(trace.keys) > 1 else None
    second = keys[1] if key is not None else None
    many = 1 if key is None else count_of(key) or 0
    by_key = isinstance(second, C.Use) and len(trace.keys) == 2 and many <= _MOST_KEYS
    values: list[int | None] = [None]
    if by_key:
        assert key is not None
        values = [low_of(key) + i for i in range(many)]
    out: list[Relation] = []
    for test in tests:
        block: list[Relation] = []
        for value in values:
            loops: list[C.Local] = []
            cell: list[C.Expr] = []
            env: dict[int, C.Expr] = {}
            for i, (t, given) in enumerate(zip(trace.keys, keys, strict=True)):
                entry: C.Expr
                if i == 1 and value is not None:
                    entry = C.Const(value, t)
                elif isinstance(given, C.Const):
                    entry = given
                else:
                    local = fresh("key", t)
                    loops.append(local)
                    entry = C.Use(local, t)
                cell.append(entry)
                if isinstance(given, C.Use):
                    env[given.local.number] = entry
            relation = _relation(s, trace, kept, test, tuple(cell), loops, env)
            if relation is None:
                break
            relation.key, relation.first = key, not block
            relation.second = second if by_key else None
            block.append(relation)
        if len(block) == len(values):
            out.extend(block)
    return out


def _tests(value: C.Local) -> list[C.Expr]:
    """What only the chooser could test; of a joint choice everything that ties its steps together; of a set what was asked of it."""
    if value.several is not None:
        return whole_tests(value, value.several)
    choice = value.chosen_by
    assert choice is not None
    out: list[C.Expr] = []
    for local in choice.var.chosen_with or [choice.var]:
        if local.chosen_by is None:
            continue
        tests = parts_of(local.chosen_by).secret
        if local is not choice.var and isinstance(local.type, OptT):
            # of several that were chosen at once: a step was declined, and could be, or its value was an option
            declined = C.Op("is_none", (C.Use(local, local.type),), BOOL)
            tests = [fold.op("or", (declined, test), BOOL, NOWHERE) for test in tests]
            stop_if = local.chosen_by.stop_if
            if stop_if is not None:
                taken = fold.op("not", (declined,), BOOL, NOWHERE)
                tests.append(fold.op("or", (taken, stop_if), BOOL, NOWHERE))
        out.extend(tests)
    return out


def whole_tests(whole: C.Local, several: Several) -> list[C.Expr]:
    """What holds of a set that was chosen at once, beside how many there are and what all know it was chosen from."""
    tests = list(several.tests)
    if several.over.secrecy is not None and isinstance(several.over.type, SetT):
        use = C.Use(whole, whole.type)
        tests.append(C.Op("within", (use, several.over), BOOL))
    return tests


def _relation(
    s: C.SAssign,
    trace: Trace,
    kept: dict[int, tuple[C.StateVar, tuple[C.Expr, ...]]],
    test: C.Expr,
    cell: tuple[C.Expr, ...],
    loops: list[C.Local],
    env: dict[int, C.Expr],
) -> Relation | None:
    assert isinstance(s.value, C.Use)
    bound = {x.number for x in loops}
    key = trace.keys[1] if len(trace.keys) > 1 else None
    base = trace.inner.base if isinstance(trace.inner, OptT) else trace.inner
    reads: Reads = {}
    own = s.value.local.number
    others: dict[int, C.Expr] = {}
    for number, (var, keys) in kept.items():
        if number != own:
            there = tuple(substitute(k, env) for k in keys)
            t: Type = var.type
            for _ in there:
                t = getattr(t, "value", t)
            others[number] = C.Read(var, there, t.base if isinstance(t, OptT) else t)
    around = substitute(substitute(test, others), env)
    if free_locals(around) - bound - {own} or not _readable(around):
        return None
    note_reads(around, key, reads)
    if _reads_itself(trace, cell, key, reads):
        return None
    whole = substitute(around, {own: C.Read(trace.var, cell, base)})
    if isinstance(trace.inner, OptT):
        nothing = C.Op("is_none", (C.Read(trace.var, cell, trace.inner),), BOOL)
        whole = fold.op("or", (nothing, whole), BOOL, NOWHERE)
    asked: Reads = {}
    note_reads(substitute(test, env), key, asked)
    return Relation(s, cell, loops, whole, reads, key, None, True, asked)


def _reads_itself(
    trace: Trace, cell: tuple[C.Expr, ...], key: KindT | IntT | None, reads: Reads
) -> bool:
    """Whether a test speaks of what the entry was before: that is gone as soon as the value is kept there."""
    name = ("state", trace.var.name)
    if name not in reads:
        return False
    mask = reads[name]
    at = cell[1].value if len(cell) > 1 and isinstance(cell[1], C.Const) else None
    if mask is None or key is None or not isinstance(at, int):
        return True
    return bool(mask >> (at - low_of(key)) & 1)


def _readable(e: C.Expr) -> bool:
    """Whether all that a test reads is known: code of tables, possible(…) and after(…) may read anything."""
    for x in expressions([e]):
        if isinstance(x, C.CodeCall | C.CanRun):
            return False
        if isinstance(x, C.Call) and x.function.tries:
            return False
        if isinstance(x, C.Call) and not all(map(_readable, expressions_in(x.function.body))):
            return False
    return True


def note_reads(e: C.Expr | None, key: KindT | IntT | None, out: Reads) -> None:
    """Every variable and zone that an expression reads; of maps with a second key which ones, where that is known."""
    match e:
        case C.Read(var, keys):
            name = ("state", var.name)
            mask: int | None = None
            if len(keys) > 1 and key is not None and isinstance(keys[1], C.Const):
                at = keys[1].value
                mask = 1 << (at - low_of(key)) if isinstance(at, int) else None
            before = out.get(name, 0)
            out[name] = None if mask is None or before is None else before | mask
            for k in keys:
                note_reads(k, key, out)
            return
        case C.ZoneUse(zone):
            out["zone", zone.name] = None
        case C.PieceRead() | C.Op("standing"):
            out["pieces", ""] = None
        case C.Call(function):
            for inner in statements(function.body):
                for x in operands(inner):
                    note_reads(x, None, out)
        case C.Comp(var=local, domain=domain, where=where, body=body, default=default):
            members = _members(domain)
            if members is not None:
                for m in members:
                    env: dict[int, C.Expr] = {local.number: C.Const(m, local.type)}
                    test = fold.truth(True, NOWHERE) if where is None else substitute(where, env)
                    first = test
                    while isinstance(first, C.Op) and first.op == "and":
                        first = first.args[0]
                    if isinstance(first, C.Const) and not first.value:
                        continue
                    for read in (test, *(substitute(b, env) for b in body)):
                        note_reads(read, key, out)
                if default is not None:
                    note_reads(default, key, out)
                return
        case (
            None | C.CanRun() | C.CodeCall() | C.Column() | C.Const() | C.Op() | C.Range() | C.Reveal() | C.Use()
        ):  # fmt: skip
            pass
        case _:
            assert_never(e)
    for part in () if e is None else children(e):
        note_reads(part, key, out)


def _members(domain: C.Expr) -> list[int] | None:
    """The values of a domain that is known before play, if they are few."""
    match domain:
        case C.Range(C.Const(int() as low), C.Const(int() as high)) if high - low < _MOST_KEYS:
            return list(range(low, high + 1))
        case C.Const(int() as mask, SetT(element)) if mask.bit_count() <= _MOST_KEYS:
            return [i + low_of(element) for i in range(mask.bit_length()) if mask >> i & 1]
        case _:  # others: what they hold is not known before play
            pass
    return None
