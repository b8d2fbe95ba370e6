"""possible(…): who may see its answer, and that no answer asks for itself."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.check import demand
from rulewright.compiler.check.scope import Ruleset
from rulewright.compiler.check.secrecy import seen_by
from rulewright.compiler.check.usage import code_names, too_deep
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.callees import code_at
from rulewright.compiler.core.derive_possible import derive_possible
from rulewright.compiler.core.walk import expressions_in
from rulewright.compiler.text.source import Span

MAX_CALLS = 30  # of functions inside functions
MAX_BODIES = 12  # checked one inside another, because one asks whether the other is possible
Targets = list[C.Procedure]


def possible_level(r: Ruleset, p: C.Procedure, depth: int = 0) -> C.Secrecy:
    """Who may see whether a procedure can be carried out, said of its parameters."""
    if p.name in r.possible_levels:
        return r.possible_levels[p.name]
    if p.name in r.waiting and len(r.checking) >= MAX_BODIES:
        return r.unknown_level()
    # the functions being checked do not call this body: asking about it is not running it
    active, r.active = r.active, []
    demand.ensure_body(r, p)
    r.active = active
    if p.name in r.checking:
        # it asks about itself while it is checked: nothing is known of it yet
        return r.unknown_level()
    if depth > MAX_CALLS:
        return r.unknown_level()
    r.possible_levels[p.name] = None
    level: C.Secrecy = None
    for e in expressions_in(derive_possible(p).body, (C.Reveal,)):
        # what is read of a zone says itself who may see it: its size is public, whatever it holds
        if not isinstance(e, C.ZoneUse):
            level = C.join(level, e.secrecy)
        if isinstance(e, C.CanRun):
            for target in targets(e):
                inner = possible_level(r, target, depth + 1)
                level = C.join(level, seen_by(inner, target.params, e.args))
    r.possible_levels[p.name] = level
    return level


def targets(e: C.CanRun) -> Targets:
    """The procedures that possible(…) may ask about."""
    if e.procedure is not None:
        return [e.procedure]
    return [c for c in code_at(e.column, e.base) if isinstance(c, C.Procedure)]


def check_possible(r: Ruleset) -> bool:
    """An answer of possible(…) may not need itself, through functions and tables either; nor may functions call too deep."""
    fine = True
    # a node is a function, or a procedure that stands for its possible(…); an explicit stack, since chains may be long
    depths: dict[int, int] = {}
    shown = code_names(r)
    for start in r.all_code():
        if id(start) in depths or (isinstance(start, C.Procedure) and start.name not in r.asked):
            continue
        needs = _needs(start)
        stack = [(start, needs, iter(needs))]
        path = {id(start): 0}
        while stack:
            node, needs, rest = stack[-1]
            found = next(rest, None)
            if found is None:
                stack.pop()
                path.pop(id(node), None)
                depths[id(node)] = 1 + max((depths.get(id(n), 0) for n, _ in needs), default=0)
                if depths[id(node)] > MAX_CALLS and fine:
                    fine = False
                    too_deep(r, node.span, "functions", MAX_CALLS)
                continue
            needed, span = found
            if id(needed) in path:
                fine = False
                nodes = [n for n, _, _ in stack[path[id(needed)] :]]
                names = " → ".join(shown.get(n.name, n.name) for n in (*nodes, needed))
                if any(isinstance(n, C.Procedure) for n in nodes):
                    r.error(
                        "RW0826", span, f"possible(…) asks for its own answer: {names}",
                        hint="test the state itself instead",
                    )  # fmt: skip
                else:
                    r.error(
                        "RW0820", span, f"the function calls itself: {names}",
                        hint="functions can't recurse, not through tables or hooks either; use a loop",
                    )  # fmt: skip
            elif id(needed) not in depths:
                path[id(needed)] = len(stack)
                needs = _needs(needed)
                stack.append((needed, needs, iter(needs)))
    return fine


def _needs(node: C.Function | C.Procedure) -> list[tuple[C.Function | C.Procedure, Span]]:
    body = derive_possible(node).body if isinstance(node, C.Procedure) else node.body
    out: list[tuple[C.Function | C.Procedure, Span]] = []
    for e in expressions_in(body):
        match e:
            case C.CanRun(span=span):
                out.extend((p, span) for p in targets(e))
            case C.Call(function, span=span):
                out.append((function, span))
            case C.CodeCall(column=column, base=base, span=span):
                out.extend((f, span) for f in code_at(column, base) if isinstance(f, C.Function))
            case (
                C.Column() | C.Comp() | C.Const() | C.Op() | C.PieceRead() | C.Range() | C.Read() | C.Reveal() | C.Use()
                | C.ZoneUse()
            ):  # fmt: skip
                pass
            case _:
                assert_never(e)
    return out
