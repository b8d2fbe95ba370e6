"""Blocks → for each the locals that it reads and writes, and those whose value is still needed when it begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulewright.compiler.core import tree as C
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
    successors_in_frame,
)


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


def find_live(program: Program) -> None:
    """`program.live` and `program.mentioned`, worked out once for all that ask."""
    use: dict[int, set[int]] = {}
    define: dict[int, set[int]] = {}
    drawn = {c.resume.number: uses_and_defs(c.event)[0] for c in program.chances}
    for b in program.blocks:
        # after a draw its zones are needed once more
        used = real(program, drawn.get(b.number, set()))
        written: set[int] = set() if b.takes is None else {b.takes.number}
        at_end = end_uses(b)
        mentioned = set(at_end)
        for s in b.body:
            u, d = uses_and_defs(s)
            mentioned |= u
            mentioned |= d
            used |= real(program, u) - written
            written |= d
        use[b.number] = used | (real(program, at_end) - written)
        define[b.number] = written
        program.mentioned[b.number] = mentioned
    waits = {b.number: real(program, _waiting_uses(b)) for b in program.blocks}
    live = program.live
    live.update({number: set(used) for number, used in use.items()})
    order = [(b.number, [t.number for t in successors_in_frame(b)]) for b in program.blocks]
    order.reverse()
    changed = True
    while changed:
        changed = False
        for number, after in order:
            new = waits[number].union(*(live[t] for t in after))
            new -= define[number]
            new |= use[number]
            if new != live[number]:
                live[number] = new
                changed = True


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
    aliases = program.aliases
    if aliases.keys().isdisjoint(numbers):
        return set(numbers)
    return {aliases.get(n, n) for n in numbers}
