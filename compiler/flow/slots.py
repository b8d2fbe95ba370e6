"""Blocks → the same with a slot of the state for each local that lives across a stop.

Before: `program.live` is known.  After: every local that is live where a function begins has a slot; hidden ones that would need
one are told (`program.leaks`).
"""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import ListT, SetT, Type, count_of
from rulewright.compiler.flow.blocks import (
    Ask,
    Block,
    Chance,
    Enter,
    Leave,
    Program,
    successors_in_frame,
)
from rulewright.compiler.flow.liveness import (
    choice_uses,
    locals_of,
    real,
    text_uses,
    uses_and_defs,
)
from rulewright.compiler.text.source import Span

# sets with more members need several words of a machine
ONE_WORD = 62


def give_slots(program: Program) -> None:
    """Frames are laid out like a stack: a procedure's slots begin after those of all its callers."""
    live = program.live
    needed: set[int] = set()
    for b in program.blocks:
        if b.is_function:
            needed |= live[b.number] - (set() if b.takes is None else {b.takes.number})
        if isinstance(b.end, Ask):
            # while a decision waits its options and texts can be asked for
            needed |= real(program, text_uses(b.end.choice) | choice_uses(b.end.choice))
        if isinstance(b.end, Chance):
            needed |= real(program, uses_and_defs(b.end.event)[0])
    names = locals_of(program)
    for entry in program.entries.values():
        for number in live[entry.number]:
            needed.add(number)
    frames_by = frames(program)
    names.update({x.number: x for p in program.framed for x in p.params})
    for b in program.blocks:
        if b.is_function:
            for number in sorted(live[b.number]):
                local = names.get(number)
                if local is None or local.secrecy is None or local is b.takes:
                    continue
                if not _same_question(local, b):
                    program.leaks.append((local, b.span if b.span.line else _where(b)))
    base: dict[str, int] = {}
    order = _call_order(program, frames_by)
    own: dict[str, list[int]] = {f: [] for f in order}
    for b in program.blocks:
        frame = frames_by[b.number]
        for number in sorted(real(program, _kept(program, b)) & needed):
            if number not in own[frame]:
                own[frame].append(number)
    top = 0
    callers = _callers(program, frames_by)
    for frame in order:
        start = max(
            (base[c] + len(own[c]) + 1 for c in callers.get(frame, ()) if c in base), default=0
        )
        base[frame] = start
        place = start + 1  # the first slot of a frame holds where to return
        for number in own[frame]:
            local = names.get(number)
            if local is not None and _apart(local.type):
                name = f"l{len(program.list_slots)}"
                program.list_slots.append(name)
                program.slots[number] = name
            else:
                program.slots[number] = f"x{place}"
                place += 1
        top = max(top, place)
    program.slot_count = top
    for name in list(program.dynamic):
        program.dynamic[name] = base.get(name, 0)


def _apart(t: Type) -> bool:
    """Lists, and sets that need several words, share no slot with numbers."""
    return isinstance(t, ListT) or (isinstance(t, SetT) and (count_of(t.element) or 0) > ONE_WORD)


def _same_question(local: C.Local, b: Block) -> bool:
    """An earlier step of a secret joint choice waits for the later ones; views know how to hide it."""
    later = b.takes.chosen_by if b.takes is not None else None
    first = local.chosen_by
    return first is not None and later is not None and first.span == later.span


def _where(b: Block) -> Span:
    for s in b.body:
        if s.span.line:
            return s.span
    return b.end.choice.span if isinstance(b.end, Ask) else b.span


def _kept(program: Program, b: Block) -> set[int]:
    """The locals that a block reads or writes, what its decision is told with, what it takes and what its caller gave."""
    out = program.mentioned[b.number]
    if b.takes is not None:
        out = out | {b.takes.number}
    if isinstance(b.end, Ask):
        out = out | text_uses(b.end.choice)
    if isinstance(b.end, Leave):
        out = out | {x.number for x in b.end.procedure.params}
    return out


def frames(program: Program) -> dict[int, str]:
    """The frame of each block: the dynamic procedure (or play) into which it is laid."""
    found: dict[int, str] = {}
    roots = [(program.start, "play"), *((b, name) for name, b in program.entries.items())]
    for root, name in roots:
        stack = [root]
        while stack:
            b = stack.pop()
            if b.number in found:
                continue
            found[b.number] = name
            stack.extend(successors_in_frame(b))
    return found


def _callers(program: Program, frames: dict[int, str]) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for b in program.blocks:
        if isinstance(b.end, Enter):
            out.setdefault(b.end.procedure.name, set()).add(frames[b.number])
    return out


def _call_order(program: Program, frames: dict[int, str]) -> list[str]:
    """Callers before those they call."""
    callers = _callers(program, frames)
    order: list[str] = []
    done: set[str] = set()

    def visit(name: str) -> None:
        if name in done:
            return
        done.add(name)
        for caller in sorted(callers.get(name, ())):
            visit(caller)
        order.append(name)

    for name in ["play", *program.entries]:
        visit(name)
    return order
