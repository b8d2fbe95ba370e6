"""Blocks → fewer blocks, with numbers for the dispatcher and slots for what lives across a stop.

Before: a chain of small blocks.  After: empty blocks are gone, each block that must be a function of its own is
marked, and every local that is live where such a function begins has a slot in the state.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.flow.blocks import (
    Ask,
    Block,
    Branch,
    Chance,
    Enter,
    Goto,
    Leave,
    Over,
    Program,
    successors,
)
from rulewright.compiler.flow.liveness import defined, find_live
from rulewright.compiler.flow.slots import give_slots


def simplify(program: Program) -> None:
    _skip_empty(program)
    _keep_reachable(program)
    program.asks[:] = [b.end for b in program.blocks if isinstance(b.end, Ask)]
    program.chances[:] = [b.end for b in program.blocks if isinstance(b.end, Chance)]
    _number(program)
    _mark_functions(program)
    _find_aliases(program)
    find_live(program)
    give_slots(program)
    program.direct_returns = _deepest(program) <= MAX_STACK


def _skip_empty(program: Program) -> None:
    """Jumps to blocks that only jump on go straight to the end of the chain."""

    def final(b: Block) -> tuple[Block, bool]:
        back = False
        seen: set[int] = set()
        while (
            not b.body and isinstance(b.end, Goto) and not b.is_head and not b.is_function
            and b.number not in seen
        ):  # fmt: skip
            seen.add(b.number)
            back = back or b.end.back
            b = b.end.to
        return b, back

    for b in program.blocks:
        match b.end:
            case Goto(to, back):
                target, more = final(to)
                b.end = Goto(target, back or more)
            case Branch(arms, other):
                # a jump back inside an arm stays a block of its own, so that it is seen as one
                new_arms = []
                for test, to in arms:
                    target, more = final(to)
                    new_arms.append((test, to if more else target))
                target, more = final(other)
                b.end = Branch(new_arms, other if more else target)
            case Enter():
                b.end.entry = final(b.end.entry)[0]
            case Ask() | Chance() | Leave() | Over():
                pass
            case _:
                assert_never(b.end)
    for name, entry in program.entries.items():
        program.entries[name] = final(entry)[0]


def _keep_reachable(program: Program) -> None:
    seen: set[int] = set()
    stack = [program.start, *program.entries.values()]
    while stack:
        b = stack.pop()
        if b.number in seen:
            continue
        seen.add(b.number)
        stack.extend(successors(b))
    program.blocks = [b for b in program.blocks if b.number in seen]


def _number(program: Program) -> None:
    """What the dispatcher must find: resume points, returns, and the heads of loops that are left."""
    heads = {n: b for n, b in program.points.items() if b in program.blocks}
    program.points.clear()
    for b in program.blocks:
        match b.end:
            case Ask(pc=pc, resume=resume) | Chance(pc=pc, resume=resume):
                program.points[pc] = resume
            case Enter(pc=pc, after=after):
                program.points[pc] = after
            case Goto() | Branch() | Leave() | Over():
                pass
    program.points.update(heads)


def _mark_functions(program: Program) -> None:
    preds: dict[int, int] = {}
    for b in program.blocks:
        for t in successors(b):
            preds[t.number] = preds.get(t.number, 0) + 1
    for b in program.blocks:
        if preds.get(b.number, 0) > 1 or b.is_head:
            b.is_function = True
    program.start.is_function = True
    for entry in program.entries.values():
        entry.is_function = True


def _deepest(program: Program) -> int:
    """The most functions that can be on the stack at once if returns are direct calls; loops go through the dispatcher."""
    lengths: dict[int, int] = {}
    procedures: dict[str, int] = {}

    def through(name: str) -> int:
        if name not in procedures:
            procedures[name] = 0
            procedures[name] = length(program.entries[name])
        return procedures[name]

    def length(b: Block) -> int:
        if b.number in lengths:
            return lengths[b.number]
        lengths[b.number] = 0
        match b.end:
            case Goto(to, back):
                n = 0 if back else length(to)
            case Branch(arms, other):
                n = max([length(other), *(length(t) for _, t in arms)])
            case Enter(procedure=p, after=after):
                n = through(p.name) + length(after)
            case Ask() | Chance() | Leave() | Over():
                n = 0
            case _:
                assert_never(b.end)
        lengths[b.number] = min(n + int(b.is_function), 10**6)
        return lengths[b.number]

    try:
        return max((length(b) for b in reversed(program.blocks)), default=0)
    except RecursionError:
        return 10**6


MAX_STACK = 120


def _find_aliases(program: Program) -> None:
    """`let p2 = p` of two names that get a value in one place only: one name is enough."""
    places: dict[int, int] = {}
    for b in program.blocks:
        if b.takes is not None:
            places[b.takes.number] = places.get(b.takes.number, 0) + 1
        for s in b.body:
            for local in defined(s):
                places[local.number] = places.get(local.number, 0) + 1

    def once(local: C.Local) -> bool:
        return not local.mutable and places.get(local.number, 0) <= 1

    for b in program.blocks:
        kept: list[C.Stmt] = []
        for s in b.body:
            if (
                isinstance(s, C.SLet) and isinstance(s.value, C.Use)
                and once(s.local) and once(s.value.local) and s.local.secrecy is None
            ):  # fmt: skip
                program.aliases[s.local.number] = s.value.local.number
            else:
                kept.append(s)
        b.body = kept
    for number in list(program.aliases):
        target = program.aliases[number]
        while target in program.aliases:
            target = program.aliases[target]
        program.aliases[number] = target
