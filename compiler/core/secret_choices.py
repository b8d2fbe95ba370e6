"""A choice made in secret → what all know of its options, where its piece lies, and what only the chooser can test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.may_fail import may_fail
from rulewright.compiler.core.operations import OpName
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BOOL, ListT, SetT, Type
from rulewright.compiler.core.walk import expressions
from rulewright.compiler.text.source import NOWHERE


@dataclass(slots=True)
class Parts:
    """A choice taken apart. Tests are about the variable of the choice."""

    choice: C.SChoose
    # what is chosen from, if all can see that; None stands for all values of the type
    domain: C.Expr | None
    public: list[C.Expr]
    secret: list[C.Expr]
    # a hidden zone that holds a piece of the chosen kind
    zone: C.ZoneUse | None

    def public_options(self, fresh: Callable[[str, Type], C.Local]) -> C.Expr:
        """The set of values that may have been chosen, as far as all can tell."""
        element = self.choice.element
        whole: C.Expr = C.Const(fold.full_mask(element), SetT(element))
        domain = whole if self.domain is None else self.domain
        tests = list(self.public)
        use = C.Use(self.choice.var, element)
        if isinstance(domain.type, ListT):
            tests.append(C.Op("in_list", (use, domain), BOOL))
            domain = whole
        if not tests and isinstance(domain.type, SetT):
            return domain
        local = fresh(self.choice.var.name, element)
        env: dict[int, C.Expr] = {self.choice.var.number: C.Use(local, element)}
        test: C.Expr = fold.truth(True, NOWHERE)
        for t in reversed(tests):
            test = fold.op("and", (substitute(t, env), test), BOOL, NOWHERE)
        return C.Comp("set", local, domain, test, (), None, SetT(element))


def parts_of(choice: C.SChoose) -> Parts:
    out = Parts(choice, choice.domain, [], [], None)
    if is_hidden(choice.domain, choice.var):
        out.domain = known_part(choice.domain)
        out.zone = _zone_of(choice.domain)
        if out.zone is None:
            out.secret.append(_inside(choice))
    for condition in choice.where:
        test = condition.test
        if not is_hidden(test, choice.var):
            out.public.append(test)
            continue
        zone = _held(test, choice.var)
        if zone is not None and out.zone is None:
            out.zone = zone
        else:
            out.secret.append(test)
            out.public += [
                t for t in conjuncts(test) if not is_hidden(t, choice.var) and not may_fail(t)
            ]
    return out


def conjuncts(test: C.Expr) -> list[C.Expr]:
    """The tests that all have to hold."""
    match test:
        case C.Op("and", (first, second)):
            return [*conjuncts(first), *conjuncts(second)]
        case _:  # others: one test
            return [test]


def known_part(e: C.Expr) -> C.Expr | None:
    """A set in which a hidden set lies for sure, as far as all can tell by how it is written; None: any of its type."""
    if is_public(e) and not any(
        isinstance(x, C.Use) and not is_public(x) for x in expressions([e])
    ):
        return e if isinstance(e.type, SetT) else None
    match e:
        case C.Op("minus", (first, second)):
            found = known_part(first)
            if found is None:
                whole = e.type.element if isinstance(e.type, SetT) else None
                found = None if whole is None else C.Const(fold.full_mask(whole), SetT(whole))
            gone = known_part(second)
            if found is None or gone is not second:
                return found
            return C.Op("minus", (found, second), e.type)
        case C.Op("intersect", (first, second)):
            one, other = known_part(first), known_part(second)
            if one is None or other is None:
                return one or other
            return C.Op("intersect", (one, other), e.type)
        case C.Comp("set", _, domain, _, ()):
            return known_part(domain)
        case _:  # others: may be any
            return None


def is_public(e: C.Expr) -> bool:
    """Whether all see its value."""
    return e.secrecy is None and not (isinstance(e, C.Use) and e.local.secrecy is not None)


def held_openly(s: C.SChoose) -> C.ZoneUse | None:
    """The hidden zone out of which something is openly chosen."""
    return None if s.secret else parts_of(s).zone


@dataclass(slots=True)
class Asked:
    """The rules make known whether a zone holds a piece of a kind that all know, or with `no`, whether it holds none."""

    zone: C.ZoneUse
    kind: C.Expr
    no: bool = False


def asked_of(e: C.Expr) -> Asked | None:
    """What `reveal(c in hand[p])` asks, or `reveal(hand[p][c] > 0)`."""
    no = False
    if isinstance(e, C.Op) and e.op == "not":
        no, e = True, e.args[0]
    match e:
        case C.Reveal(C.Op("not", (inner,))):
            no, e = not no, C.Reveal(inner, e.type)
        case _:  # others: as they are
            pass
    match e:
        case C.Reveal(C.Op("in", (kind, C.Op("zone_kinds", (C.ZoneUse() as zone,))))):
            pass
        case C.Reveal(C.Op(">", (C.Op("zone_count", (C.ZoneUse() as zone, kind)), C.Const(0)))):
            pass
        case C.Reveal(C.Op(">=", (C.Op("zone_count", (C.ZoneUse() as zone, kind)), C.Const(1)))):
            pass
        case _:  # others: ask for something else
            return None
    seen = is_public(kind) and all(is_public(key) for key in zone.keys)
    return Asked(zone, kind, no) if seen and zone.is_one and zone.zone.visible != "all" else None


def is_hidden(e: C.Expr, var: C.Local) -> bool:
    """Whether working it out needs something that not all see; the variable that is being chosen does not count."""
    if e.secrecy is not None:
        return True
    uses = (x.local for x in expressions([e]) if isinstance(x, C.Use))
    bound = {x.var.number for x in expressions([e]) if isinstance(x, C.Comp)}
    return any(u.secrecy is not None and u is not var and u.number not in bound for u in uses)


def _zone_of(e: C.Expr) -> C.ZoneUse | None:
    match e:
        case C.Op("zone_kinds", (C.ZoneUse() as zone,)):
            return zone
        case _:  # others: not what a zone holds
            pass
    return None


def _held(test: C.Expr, var: C.Local) -> C.ZoneUse | None:
    """The zone of which a condition says that it holds the chosen kind."""
    match test:
        case C.Op("in", (C.Use(local), inner)) if local is var:
            return _zone_of(inner)
        case C.Op(
            ">" | "!=", (C.Op("zone_count", (C.ZoneUse() as zone, C.Use(local))), C.Const(0))
        ):
            return zone if local is var else None
        case C.Op(">=", (C.Op("zone_count", (C.ZoneUse() as zone, C.Use(local))), C.Const(1))):
            return zone if local is var else None
        case _:  # others: not a question whether a zone holds it
            pass
    return None


def _inside(choice: C.SChoose) -> C.Expr:
    """That the chosen value is in the domain."""
    use = C.Use(choice.var, choice.element)
    domain = choice.domain
    if isinstance(domain, C.Range):
        low = fold.op(">=", (use, domain.low), BOOL, NOWHERE)
        return fold.op(
            "and", (low, fold.op("<=", (use, domain.high), BOOL, NOWHERE)), BOOL, NOWHERE
        )
    name: OpName = "in_list" if isinstance(domain.type, ListT) else "in"
    return C.Op(name, (use, domain), BOOL)


def same(a: C.Expr, b: C.Expr) -> bool:
    """Whether two expressions name the same seat: one local, or one constant."""
    match a, b:
        case C.Use(x), C.Use(y):
            return x is y and not x.mutable
        case C.Column(column=c1, base=b1), C.Column(column=c2, base=b2):
            return c1 is c2 and same(b1, b2)
        case C.Const(x1), C.Const(y1):
            return x1 == y1
        case _:  # others: not known to be the same
            pass
    return False
