"""Resumable blocks: what flow makes of procedures that ask (or, where chance is given from outside, that roll).

A block runs to its end without a break; its end says what comes next. Statements inside a block never stop.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.text.source import NOWHERE, Span


@dataclass(slots=True, eq=False)
class Block:
    """`takes` is the variable that a resumed decision or a returning procedure gives its value to."""

    number: int
    name: str
    owner: str
    body: list[C.Stmt] = field(default_factory=list)
    end: End = field(default_factory=lambda: Over())
    takes: C.Local | None = None
    # a head of a loop: jumps back to it go through the dispatcher, so that the stack stays flat
    is_head: bool = False
    # has to be a function of its own: a resume point, a head, or reached from several places
    is_function: bool = False
    span: Span = NOWHERE
    cites: C.Cites = ()


@dataclass(slots=True, eq=False)
class Goto:
    to: Block
    back: bool = False


@dataclass(slots=True, eq=False)
class Branch:
    arms: list[tuple[C.Expr, Block]]
    other: Block


@dataclass(slots=True, eq=False)
class Ask:
    """Stop for a decision. `pc` is its number; resume continues with the value chosen."""

    choice: C.SChoose
    pc: int
    resume: Block


@dataclass(slots=True, eq=False)
class Chance:
    """Stop for chance given from outside: a roll or a draw."""

    event: C.SRoll | C.SDraw
    pc: int
    resume: Block


@dataclass(slots=True, eq=False)
class Enter:
    """Run a procedure called from several places; it comes back to `after`."""

    procedure: C.Procedure
    args: tuple[C.Expr, ...]
    entry: Block
    after: Block
    pc: int  # number of `after` in the dispatcher


@dataclass(slots=True, eq=False)
class Leave:
    """Back to where the procedure was called from, with its value."""

    procedure: C.Procedure
    value: C.Expr | None


@dataclass(slots=True, eq=False)
class Over:
    """The game (or the procedure that a scenario called) is over."""


End: TypeAlias = Goto | Branch | Ask | Chance | Enter | Leave | Over


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


def successors_in_frame(b: Block) -> list[Block]:
    """Those in the same frame: what a called procedure needs is its own affair."""
    return [b.end.after] if isinstance(b.end, Enter) else successors(b)


@dataclass(slots=True, eq=False)
class Program:
    """All blocks of a ruleset, the plain procedures beside them, and where things are kept."""

    blocks: list[Block]
    start: Block
    plain: list[C.Procedure]
    asks: list[Ask]
    chances: list[Chance]
    # dispatcher number → block, for decisions, chance, returns and loop heads
    points: dict[int, Block]
    entries: dict[str, Block]
    # procedures that are entered dynamically, by name → number of their return slot
    dynamic: dict[str, int]
    # procedures with a frame of their own, also those that nothing but a scenario enters
    framed: list[C.Procedure] = field(default_factory=list)
    # loop bookkeeping and variables that live across blocks: local number → slot name
    slots: dict[int, str] = field(default_factory=dict)
    slot_count: int = 0
    list_slots: list[str] = field(default_factory=list)
    # locals that only rename another local, laid-in parameters above all: number → the number they stand for
    aliases: dict[int, int] = field(default_factory=dict)
    # the number of a decision, chance or return → the procedure and the place of the innermost loop around it
    inside: dict[int, tuple[str, Span]] = field(default_factory=dict)
    # whether a procedure returns by calling what follows; otherwise through the dispatcher
    direct_returns: bool = False
    # hidden locals that would live across a decision: a mistake in the spec
    leaks: list[tuple[C.Local, Span]] = field(default_factory=list)
    # for each block the locals whose value is still needed when it begins, and those that it reads or writes (liveness.py)
    live: dict[int, set[int]] = field(default_factory=dict)
    mentioned: dict[int, set[int]] = field(default_factory=dict)
