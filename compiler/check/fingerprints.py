"""Values that a fingerprint is taken of → one number, mixed from them one after the other.

A list and a variable that is a map are gone through by functions of the compiler's own.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.check.scope import Ruleset
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.keep_order import order_of
from rulewright.compiler.core.types import (
    BoolT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    SetT,
    Type,
)
from rulewright.compiler.text.source import NOWHERE
from rulewright.runtime.support import FINGERPRINT as _GREATEST

FINGERPRINT = IntT(0, _GREATEST)


def with_value(r: Ruleset, so_far: C.Expr, value: C.Expr) -> C.Expr | None:
    """The fingerprint with one more value in it; None where there is none of such a value."""
    t = value.type
    secrecy = C.join(so_far.secrecy, value.secrecy)
    if isinstance(value, C.ZoneUse):
        return _zones(r, so_far, value)
    if isinstance(t, IntT | BoolT | KindT | OptT | SetT):
        return C.Op("mixed", (so_far, value), FINGERPRINT, value.span, secrecy)
    if isinstance(t, ListT):
        f = _kept(r, f"fingerprint of {t!r}") or _of_list(r, t)
        return C.Call(f, (so_far, value), FINGERPRINT, value.span, secrecy)
    if isinstance(t, MapT) and isinstance(value, C.Read) and not value.keys:
        f = _kept(r, f"fingerprint of {value.var.name}") or _of_map(r, value.var)
        return C.Call(f, (so_far,), FINGERPRINT, value.span, secrecy)
    return None


def _zones(r: Ruleset, so_far: C.Expr, zone: C.ZoneUse) -> C.Expr:
    """What lies in a zone, or in the zones of all."""
    if zone.is_one:
        secrecy = C.join(so_far.secrecy, zone.secrecy)
        found: C.Expr = C.Op("mixed", (so_far, zone), FINGERPRINT, zone.span, secrecy)
        if zone.zone.order is None:
            return found
        return with_value(r, found, order_of(zone, zone.span)) or found
    kind = zone.zone.keys[len(zone.keys)]
    for member in range(kind.size):
        keys = (*zone.keys, C.Const(member, kind))
        so_far = _zones(r, so_far, replace(zone, keys=keys))
    return so_far


def _kept(r: Ruleset, key: str) -> C.Function | None:
    return r.library.get(key)


def _keep(r: Ruleset, key: str, f: C.Function) -> C.Function:
    r.library[key] = f
    r.all_functions.append(f)
    return f


def _mix(found: C.Local, value: C.Expr) -> C.Stmt:
    both = (C.Use(found, FINGERPRINT), value)
    return C.SLet(found, C.Op("mixed", both, FINGERPRINT))


def _of_list(r: Ruleset, t: ListT) -> C.Function:
    so_far, items = r.local("so_far", FINGERPRINT), r.local("items", t)
    found, x = r.local("found", FINGERPRINT, mutable=True), r.local("x", t.element)
    body: list[C.Stmt] = [
        C.SLet(found, C.Use(so_far, FINGERPRINT)),
        _mix(found, C.Op("size_list", (C.Use(items, t),), IntT(0, t.limit))),
        C.SFor(x, C.Use(items, t), None, [_mix(found, C.Use(x, t.element))]),
        C.SReturn(C.Use(found, FINGERPRINT)),
    ]
    f = C.Function("fingerprint_of_list", [so_far, items], FINGERPRINT, body, NOWHERE)
    return _keep(r, f"fingerprint of {t!r}", f)


def _of_map(r: Ruleset, var: C.StateVar) -> C.Function:
    so_far, found = r.local("so_far", FINGERPRINT), r.local("found", FINGERPRINT, mutable=True)
    loops: list[C.Local] = []
    t: Type = var.type
    while isinstance(t, MapT):
        loops.append(r.local("key", t.key))
        t = t.value
    cell = C.Read(var, tuple(C.Use(x, x.type) for x in loops), t)
    value = with_value(r, C.Use(found, FINGERPRINT), cell)
    assert value is not None
    inner: list[C.Stmt] = [C.SLet(found, value)]
    for local in reversed(loops):
        assert isinstance(local.type, KindT | IntT)
        domain = C.Const(fold.full_mask(local.type), SetT(local.type))
        inner = [C.SFor(local, domain, None, inner)]
    body: list[C.Stmt] = [
        C.SLet(found, C.Use(so_far, FINGERPRINT)),
        *inner,
        C.SReturn(C.Use(found, FINGERPRINT)),
    ]
    f = C.Function(
        f"fingerprint_of_{var.name}", [so_far], FINGERPRINT, body, NOWHERE, reads_state=True
    )
    return _keep(r, f"fingerprint of {var.name}", f)
