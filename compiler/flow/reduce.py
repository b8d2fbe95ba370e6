"""Blocks → fewer blocks, with numbers for the dispatcher and slots for what lives across a stop.

Before: a chain of small blocks.  After: empty blocks are gone, each block that must be a function of its own is
marked, and every local that is live where such a function begins has a slot in the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import ListT, SetT, Type, count_of
from rulewright.compiler.core.walk import free_locals, gives, holes, operands, statements
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
)
from rulewright.compiler.text.source import Span

# sets with more members need several words of a machine
ONE_WORD = 62


def simplify(program: Program) -> None:
    _skip_empty(program)
    _keep_reachable(program)
    program.asks[:] = [b.end for b in program.blocks if isinstance(b.end, Ask)]
    program.chances[:] = [b.end for b in program.blocks if isinstance(b.end, Chance)]
    _number(program)
    _mark_functions(program)
    _find_aliases(program)
    _slots(program)
    program.direct_returns = _deepest(program) <= MAX_STACK


def successors(b: Block) -> list[Block]:
    match b.end:
        case Goto(to):
            return [to]
        case Branch(arms, other):
            return [t for _, t in arms] + [other]
        case Ask(resume=resume) | Chance(resume=resume):
            return [resume]
        case Enter(entry=entry, after=after):
            return [entry, after]
        case Leave() | Over():
            return []
        case _:
            assert_never(b.end)


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


# ---------------------------------------------------------------- liveness


def uses_and_defs(s: C.Stmt) -> tuple[set[int], set[int]]:
    """Locals that a statement reads before writing them, and those it always writes."""
    if isinstance(s, C.Simple):
        given = gives(s)
        return free_locals(*operands(s)), set() if given is None else {given.number}
    match s:
        case C.SIf(arms, other):
            used, written = _block_uses(other)
            for test, body in arms:
                inner, sure = _block_uses(body)
                used |= free_locals(test) | inner
                written &= sure
            return used, written
        case C.SFor(var, domain, where, body):
            inner = _block_uses(body)[0] | free_locals(where)
            return free_locals(domain) | (inner - {var.number}), set()
        case C.SWhile(test, body):
            return free_locals(test) | _block_uses(body)[0], set()
        case _:
            assert_never(s)


def _block_uses(stmts: list[C.Stmt]) -> tuple[set[int], set[int]]:
    used: set[int] = set()
    written: set[int] = set()
    for s in stmts:
        u, d = uses_and_defs(s)
        used |= u - written
        written |= d
    return used, written


def choice_uses(c: C.SChoose) -> set[int]:
    """What working out the options reads (the chosen variable itself is bound by it)."""
    stop = () if c.stop_if is None else (c.stop_if,)
    used = free_locals(c.domain, c.by, *stop, *(w.test for w in c.where))
    return used - {c.var.number}


def text_uses(c: C.SChoose) -> set[int]:
    """What the texts of a decision read; they are told when it is pending."""
    texts = [c.say, c.others, c.else_say, *(t for pair in c.option_says.values() for t in pair)]
    texts += [text for _, text in c.else_says]
    tests = (test for test, _ in c.else_says)
    return free_locals(*tests, *(hole for t in texts for hole in holes(t))) - {c.var.number}


def end_uses(b: Block) -> set[int]:
    match b.end:
        case Branch(arms):
            return free_locals(*(t for t, _ in arms))
        case Ask(choice):
            return choice_uses(choice)
        case Chance(event):
            return uses_and_defs(event)[0]
        case Enter(args=args):
            return free_locals(*args)
        case Leave(_, value):
            return free_locals(value)
        case Goto() | Over():
            return set()
        case _:
            assert_never(b.end)


def _waiting_uses(b: Block) -> set[int]:
    """What is needed while a block's end waits for an answer."""
    match b.end:
        case Ask(choice):
            # texts and reasons of a pending decision are worked out while it waits
            return text_uses(choice) | choice_uses(choice)
        case Chance(event):
            # the zones of a draw are found again when the outcome is there
            return uses_and_defs(event)[0]
        case Branch() | Enter() | Goto() | Leave() | Over():
            return set()
        case _:
            assert_never(b.end)


def live_in(program: Program) -> dict[int, set[int]]:
    """For each block the locals whose value is still needed when it begins."""
    use: dict[int, set[int]] = {}
    define: dict[int, set[int]] = {}
    same = program.aliases

    def real(numbers: set[int]) -> set[int]:
        return {same.get(n, n) for n in numbers}

    drawn = {c.resume.number: real(uses_and_defs(c.event)[0]) for c in program.chances}
    for b in program.blocks:
        # after a draw its zones are needed once more
        used: set[int] = set(drawn.get(b.number, ()))
        written: set[int] = set() if b.takes is None else {b.takes.number}
        for s in b.body:
            u, d = uses_and_defs(s)
            used |= real(u) - written
            written |= d
        use[b.number] = used | (real(end_uses(b)) - written)
        define[b.number] = written
    waits = {b.number: real(_waiting_uses(b)) for b in program.blocks}
    live = {b.number: set(use[b.number]) for b in program.blocks}
    order = list(reversed(program.blocks))
    changed = True
    while changed:
        changed = False
        for b in order:
            out = set(waits[b.number])
            for t in _frame_successors(b):
                out |= live[t.number]
            new = use[b.number] | (out - define[b.number])
            if new != live[b.number]:
                live[b.number] = new
                changed = True
    return live


def _frame_successors(b: Block) -> list[Block]:
    """Successors in the same frame: what a called procedure needs is its own affair."""
    return [b.end.after] if isinstance(b.end, Enter) else successors(b)


def locals_of(program: Program) -> dict[int, C.Local]:
    out: dict[int, C.Local] = {}
    for b in program.blocks:
        if b.takes is not None:
            out[b.takes.number] = b.takes
        for s in b.body:
            for x in defined(s):
                out[x.number] = x
    return out


def defined(s: C.Stmt) -> Iterator[C.Local]:
    for x in statements([s]):
        given = gives(x)
        if given is not None:
            yield given


def real(program: Program, numbers: set[int]) -> set[int]:
    """Numbers of locals with aliases replaced by what they stand for."""
    return {program.aliases.get(n, n) for n in numbers}


def _slots(program: Program) -> None:
    """Frames are laid out like a stack: a procedure's slots begin after those of all its callers."""
    live = live_in(program)
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
        for number in sorted(real(program, _kept(b)) & needed):
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


def mentioned(b: Block) -> set[int]:
    """The locals that the statements and the end of a block read or write."""
    out = end_uses(b)
    for s in b.body:
        u, d = uses_and_defs(s)
        out = out | u | d
    return out


def _kept(b: Block) -> set[int]:
    """Those, and what its decision is told with, what it takes and what its caller gave."""
    out = mentioned(b)
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
            stack.extend(_frame_successors(b))
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
