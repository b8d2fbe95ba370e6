"""Hidden sets → what all know of them, noted beside them.

    marks.may_be    what may be in it
    marks.surely    what is in it for sure
    marks.least     how many are in it at least
    marks.most      how many at most

A set that was chosen at once has so many of what all could see to be offered. What all see put in or taken out changes every set that it may be in
the same way, and what is made known of a member, a part or the number leaves some of them out: of all that the notes go on saying exactly which sets
are left. What is put in or taken out in secret is noted as well as the four can say it: where the chooser could only take what was not
in it, or only what was, the number changes by as many. What else was asked of the whole is a relation, as for values (secret_relations.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import NumberOp, OpName, number_type
from rulewright.compiler.core.secret_choices import Parts, conjuncts, is_public, known_part, same
from rulewright.compiler.core.secret_relations import (
    Reads,
    established,
    note_reads,
    touched,
    whole_tests,
)
from rulewright.compiler.core.trace_moves import Moves
from rulewright.compiler.core.trace_notes import Chosen, Env, Keys, Trace, steady
from rulewright.compiler.core.types import BOOL, IntT, KindT, SetT, Type, count_of, low_of
from rulewright.compiler.text.source import NOWHERE

# how a comparison is written from the other side
_TURNED: dict[str, NumberOp] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


class Sets(Moves):
    """Statements before and after those that change a hidden set or make known what is in it."""

    def is_kept_set(self, e: C.Expr) -> bool:
        return isinstance(e, C.Read) and e.var.name in self.traces and isinstance(e.type, SetT)

    def secretly(self, s: C.SAssign) -> C.Local | None:
        """What was chosen in secret and is now a hidden set, or goes into one or out of it: a whole, or a single value."""
        if not self.is_kept_set(s.target):
            return None
        match s.value:
            case C.Use(local) if local.several is not None:
                return local
            case C.Op("set", (C.Use(local),)) if local.chosen_by is not None:
                return local
            case _:  # others: all know it
                return None

    def whole_chosen(self, whole: C.Local, env: Env) -> Iterator[C.Stmt]:
        """What was offered and how many could be chosen, as far as all know, put together where the last step was asked."""
        several, element = whole.several, self._element(whole)
        assert several is not None
        first = whole.steps[0].chosen_by
        assert first is not None
        parts = Parts(first, known_part_of(several.over), [], [], None)
        options = self.fresh(f"{whole.name} options", SetT(element))
        yield C.SLet(options, parts.public_options(self.fresh), NOWHERE)
        most = min(count_of(element) or 0, len(whole.steps))
        ends: list[C.Expr] = []
        for number, unknown in ((several.low, 0), (several.high, most)):
            if not is_public(number):
                ends.append(_number(unknown))
                continue
            local = self.fresh(f"{whole.name} number", IntT(0, most))
            clamped = fold.op("clamp", (number, _number(0), _number(most)), local.type, NOWHERE)
            yield C.SLet(local, clamped, NOWHERE)
            ends.append(C.Use(local, local.type))
        tests = whole_tests(whole, several)
        env[whole.number] = Chosen(
            parts, options, None, few=ends[0], many=ends[1], tests=tests
        )  # fmt: skip

    def _element(self, whole: C.Local) -> KindT | IntT:
        assert isinstance(whole.type, SetT) and not isinstance(whole.type.element, SetT)
        return whole.type.element

    def set_changed(self, s: C.SAssign, trace: Trace, keys: Keys, env: Env) -> Iterator[C.Stmt]:
        """What is noted of a hidden set; this comes before it changes, since what it becomes may speak of what it was."""
        local = self.secretly(s)
        if local is None:
            yield from self._openly(s, trace, keys)
        else:
            yield from self._in_secret(s, local, trace, keys, env.get(local.number))
        if trace.holds is not None and (local is None or s.op):
            yield self.set(trace.holds, keys, C.Const(0, SetT(IntT(1, len(trace.relations)))))

    def _openly(self, s: C.SAssign, trace: Trace, keys: Keys) -> Iterator[C.Stmt]:
        assert trace.surely is not None and trace.least is not None and trace.most is not None
        given: C.Expr = s.value
        if not isinstance(given, C.Const):
            local = self.fresh("given", s.value.type)
            yield C.SLet(local, s.value, NOWHERE)
            given = C.Use(local, local.type)
        if not s.op:
            yield from self._exactly(trace, keys, given)
            return
        if s.op == "&":
            whole = C.Const(fold.full_mask(trace.element), SetT(trace.element))
            given = _sets("minus", whole, given)
        name: OpName = "union" if s.op == "|" else "minus"
        may, surely = self.read(trace.may_be, keys), self.read(trace.surely, keys)
        unsure = _sets("minus", may, surely)
        met = _size(_sets("intersect", unsure, given))
        # of the others that are not sure, so many are in it at least and at most
        few = self._counted(
            "few", trace, _less(_less(self.read(trace.least, keys), _size(surely)), met)
        )
        rest = _size(_sets("minus", unsure, given))
        many = self._counted(
            "many", trace, _least(_less(self.read(trace.most, keys), _size(surely)), rest)
        )
        yield from (few, many)
        yield self.set(trace.surely, keys, _sets(name, surely, given))
        yield self.set(trace.may_be, keys, _sets(name, may, given))
        for note, more in ((trace.least, few), (trace.most, many)):
            assert isinstance(more, C.SLet)
            plus = _plus(_size(surely), C.Use(more.local, more.local.type))
            yield self.set(note, keys, plus)

    def _counted(self, name: str, trace: Trace, e: C.Expr) -> C.SLet:
        """A number between nothing and all, kept for later."""
        local = self.fresh(name, IntT(0, count_of(trace.element) or 0))
        return C.SLet(local, self._bounded(trace, e), NOWHERE)

    def _bounded(self, trace: Trace, e: C.Expr) -> C.Expr:
        size = IntT(0, count_of(trace.element) or 0)
        return fold.op("clamp", (e, _number(0), _number(size.high or 0)), size, NOWHERE)

    def _exactly(self, trace: Trace, keys: Keys, value: C.Expr) -> Iterator[C.Stmt]:
        """All know the whole set."""
        assert trace.surely is not None and trace.least is not None and trace.most is not None
        yield self.set(trace.may_be, keys, value)
        yield self.set(trace.surely, keys, value)
        yield self.set(trace.least, keys, _size(value))
        yield self.set(trace.most, keys, _size(value))

    def _in_secret(
        self, s: C.SAssign, local: C.Local, trace: Trace, keys: Keys, chosen: Chosen | None
    ) -> Iterator[C.Stmt]:
        assert trace.surely is not None and trace.least is not None and trace.most is not None
        t = SetT(trace.element)
        options: C.Expr = C.Const(fold.full_mask(trace.element), t)
        single = local.several is None
        few: C.Expr = _number(1 if single else 0)
        many: C.Expr = _number(1 if single else len(local.steps))
        if chosen is not None:
            options = self.over_values(trace, C.Use(chosen.options, chosen.options.type))
            if chosen.few is not None and chosen.many is not None:
                few, many = chosen.few, chosen.many
        kept = self.fresh("offered", t)
        yield C.SLet(kept, options, NOWHERE)
        options = C.Use(kept, t)
        may, surely = self.read(trace.may_be, keys), self.read(trace.surely, keys)
        least, most = self.read(trace.least, keys), self.read(trace.most, keys)
        if not s.op:
            yield self.set(trace.may_be, keys, options)
            yield self.set(trace.surely, keys, C.Const(0, t))
            yield self.set(trace.least, keys, self._bounded(trace, few))
            yield self.set(trace.most, keys, self._bounded(trace, _least(many, _size(options))))
            if trace.holds is not None:
                none: C.Expr = C.Const(0, SetT(IntT(1, len(trace.relations))))
                if chosen is not None and chosen.fresh:
                    none = established(s, trace.relations, chosen.stale)
                yield self.set(trace.holds, keys, none)
            return
        tests = _still(chosen)
        if s.op == "|":
            if _only(tests, local, trace, keys, inside=False):
                at_least, at_most = _plus(least, few), _plus(most, many)
            else:
                # some of them may have been in it
                new = _less(few, _size(_sets("intersect", options, may)))
                at_least = _most(_most(least, few), _plus(least, new))
                at_most = _plus(most, _least(many, _size(_sets("minus", options, surely))))
            yield self.set(trace.least, keys, self._bounded(trace, at_least))
            yield self.set(trace.may_be, keys, _sets("union", may, options))
            yield self.set(trace.most, keys, self._bounded(trace, _least(at_most, _size(may))))
            return
        if _only(tests, local, trace, keys, inside=True):
            at_least, at_most = _less(least, many), _less(most, few)
        else:
            there = _least(many, _size(_sets("intersect", options, may)))
            at_least, at_most = _less(least, there), most
        yield self.set(trace.least, keys, self._bounded(trace, at_least))
        yield self.set(trace.most, keys, self._bounded(trace, at_most))
        yield self.set(trace.surely, keys, _sets("minus", surely, options))

    # ------------------------------------------------------------ what is made known

    def set_shown(self, e: C.Expr) -> Iterator[C.Stmt]:
        """What all learn from `e`, which is revealed: a hidden set, a part of it, whether something is in it, or how many are."""
        match e:
            case C.Read(var, keys) if self.is_kept_set(e):
                yield from self._exactly(self.traces[var.name], keys, e)
            case C.Op("not", (inner,)):
                yield from self.set_shown(inner)
            case C.Op("size_set", (C.Read() as read,)) if self.is_kept_set(read):
                yield from self._number_known(read, "==", e)
            case C.Op("==" | "<" | "<=" | ">" | ">=" as name, (C.Op("size_set", (C.Read() as read,)), number)) if (
                self.is_kept_set(read) and is_public(number)
            ):  # fmt: skip
                yield from self._compared(read, name, number, e)
            case C.Op("==" | "<" | "<=" | ">" | ">=" as name, (number, C.Op("size_set", (C.Read() as read,)))) if (
                self.is_kept_set(read) and is_public(number)
            ):  # fmt: skip
                yield from self._compared(read, _TURNED[name], number, e)
            case C.Op("in", (one, C.Read() as read)) if self.is_kept_set(read) and is_public(one):
                yield from self._part_known(read, C.Op("set", (one,), read.type))
            case C.Op("intersect" | "minus" | "meets" | "within" | "==" as how, (a, b)):
                yield from self._compared_sets(how, a, b, e)
            case _:  # others: nothing that the notes can say
                return

    def _compared_sets(self, how: str, a: C.Expr, b: C.Expr, e: C.Expr) -> Iterator[C.Stmt]:
        read, other = (a, b) if self.is_kept_set(a) else (b, a)
        if not isinstance(read, C.Read) or not self.is_kept_set(read) or not is_public(other):
            return
        whole = C.Const(fold.full_mask(self.traces[read.var.name].element), read.type)
        rest = _sets("minus", whole, other)
        told = fold.op("not", (e,), BOOL, NOWHERE) if how == "meets" else e
        part = rest if read is a and how in ("minus", "within") else other
        known = list(self._part_known(read, whole if how == "==" else part))
        if how in ("intersect", "minus"):
            yield from known
        else:
            # the other answer leaves open what is in it
            yield C.SIf([(told, known)], [])

    def _part_known(self, read: C.Read, part: C.Expr) -> Iterator[C.Stmt]:
        """All know from now on which members of a part are in it."""
        trace, keys = self.traces[read.var.name], read.keys
        assert trace.surely is not None and trace.least is not None and trace.most is not None
        value = C.Read(read.var, keys, read.type)
        yield self.set(trace.surely, keys, _sets("intersect", part, value), "|")
        yield self.set(trace.may_be, keys, _sets("minus", part, value), "-")
        surely, may = self.read(trace.surely, keys), self.read(trace.may_be, keys)
        yield self.set(trace.least, keys, _most(self.read(trace.least, keys), _size(surely)))
        yield self.set(trace.most, keys, _least(self.read(trace.most, keys), _size(may)))

    def _compared(self, read: C.Read, name: str, number: C.Expr, e: C.Expr) -> Iterator[C.Stmt]:
        """The number was compared with one that all know."""
        one = _number(1)
        if name == "==":
            yield C.SIf([(e, list(self._number_known(read, "==", number)))], [])
            return
        # on one side of the number, or on the other
        up = number if name in (">=", "<") else _plus(number, one)
        down = _less(up, one)
        yes, no = (">=", "<=") if name in (">", ">=") else ("<=", ">=")
        ends = {">=": up, "<=": down}
        yield C.SIf(
            [(e, list(self._number_known(read, yes, ends[yes])))],
            list(self._number_known(read, no, ends[no])),
        )

    def _number_known(self, read: C.Read, how: str, number: C.Expr) -> Iterator[C.Stmt]:
        """So many are in it, or at least, or at most."""
        trace, keys = self.traces[read.var.name], read.keys
        assert trace.least is not None and trace.most is not None
        if how in ("==", ">="):
            found = _most(self.read(trace.least, keys), number)
            yield self.set(trace.least, keys, self._bounded(trace, found))
        if how in ("==", "<="):
            found = _least(self.read(trace.most, keys), number)
            yield self.set(trace.most, keys, self._bounded(trace, found))


def known_part_of(over: C.Expr) -> C.Expr | None:
    """What is chosen from, as far as all know; None: any value of the type."""
    return over if is_public(over) else known_part(over)


def stale(env: Env, what: tuple[str, str], keys: Keys = (), of: tuple[Type, ...] = ()) -> None:
    """Something has changed: what was tested together with it need no longer hold of what was chosen before."""
    mask: int | None = None
    if len(keys) > 1 and isinstance(keys[1], C.Const) and isinstance(keys[1].value, int):
        t = of[1]
        mask = 1 << (keys[1].value - low_of(t)) if isinstance(t, KindT | IntT) else None
    for chosen in env.values():
        before = chosen.stale.get(what, 0)
        chosen.stale[what] = None if mask is None or before is None else before | mask


def _still(chosen: Chosen | None) -> list[C.Expr]:
    """What was tested of a value when it was chosen, and holds still."""
    if chosen is None or not chosen.fresh:
        return []
    found: list[C.Expr] = []
    for test in chosen.tests:
        reads: Reads = {}
        note_reads(test, None, reads)
        if not touched(reads, chosen.stale):
            found.append(test)
    return found


def _only(tests: list[C.Expr], chosen: C.Local, trace: Trace, keys: Keys, *, inside: bool) -> bool:
    """Whether the chooser could only take what was in a hidden set, or with `inside` False only what was not."""

    def is_set(e: C.Expr) -> bool:
        return (
            isinstance(e, C.Read)
            and e.var is trace.var
            and steady(keys)
            and all(map(same, e.keys, keys))
        )

    def is_chosen(e: C.Expr) -> bool:
        return isinstance(e, C.Use) and e.local is chosen

    def within(e: C.Expr) -> bool:
        match e:
            case C.Op("minus", (first, second)):
                return within(first) if inside else is_set(second) or within(first)
            case C.Op("intersect", (first, second)):
                return within(first) or within(second)
            case C.Comp("set", _, domain, _, ()):
                return within(domain)
            case _:  # others: the set itself, or nothing that is known of it
                return inside and is_set(e)

    def says(e: C.Expr) -> bool:
        match e:
            case C.Op("in" | "within", (x, domain)) if is_chosen(x):
                return within(domain)
            case C.Op("not", (C.Op("in", (x, domain)),)) if is_chosen(x) and not inside:
                return is_set(domain)
            case C.Op("not", (C.Op("meets", (a, b)),)) if not inside:
                return (is_chosen(a) and is_set(b)) or (is_set(a) and is_chosen(b))
            case _:  # others: say something else
                return False

    return any(says(part) for test in tests for part in conjuncts(test))


def _number(n: int) -> C.Const:
    return C.Const(n, IntT(n, n))


def _sets(name: OpName, a: C.Expr, b: C.Expr) -> C.Expr:
    return fold.op(name, (a, b), a.type, NOWHERE)


def _size(e: C.Expr) -> C.Expr:
    assert isinstance(e.type, SetT) and not isinstance(e.type.element, SetT)
    return fold.op("size_set", (e,), IntT(0, count_of(e.type.element)), NOWHERE)


def _of(name: OpName, a: C.Expr, b: C.Expr) -> C.Expr:
    return fold.op(name, (a, b), number_type(name, (a, b)), NOWHERE)


def _plus(a: C.Expr, b: C.Expr) -> C.Expr:
    return _of("+", a, b)


def _less(a: C.Expr, b: C.Expr) -> C.Expr:
    return _of("-", a, b)


def _least(a: C.Expr, b: C.Expr) -> C.Expr:
    return _of("min", a, b)


def _most(a: C.Expr, b: C.Expr) -> C.Expr:
    return _of("max", a, b)
