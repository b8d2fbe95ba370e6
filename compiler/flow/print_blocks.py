"""Resumable blocks → text that people can read: what each block does and where it goes on."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.print_code import INDENT, CodePrinter
from rulewright.compiler.core.types import show
from rulewright.compiler.core.walk import gives, statements
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


def print_blocks(program: Program, game: C.Game | None = None) -> str:
    """All blocks, frame by frame; with the game at hand members of kinds go by their names."""
    return _Blocks(program, {} if game is None else game.kinds).whole()


def frames(program: Program) -> dict[str, list[Block]]:
    """The blocks that share a frame: those of play, and of each procedure that is entered; in order."""
    of: dict[int, str] = {}
    roots = [(program.start.owner, program.start), *program.entries.items()]
    for name, root in roots:
        stack = [root]
        while stack:
            b = stack.pop()
            if b.number not in of:
                of[b.number] = name
                stack.extend(within_frame(b))
    out: dict[str, list[Block]] = {name: [] for name, _ in roots}
    for b in program.blocks:
        out.setdefault(of.get(b.number, ""), []).append(b)
    return out


def within_frame(b: Block) -> list[Block]:
    """Where a block goes on in its frame: past a procedure it enters, not into it."""
    match b.end:
        case Goto(to):
            return [to]
        case Branch(arms, other):
            return [*(t for _, t in arms), other]
        case Ask(resume=after) | Chance(resume=after) | Enter(after=after):
            return [after]
        case Leave() | Over():
            return []


class _Blocks(CodePrinter):
    def __init__(self, program: Program, kinds: dict[str, C.Kind]) -> None:
        super().__init__(kinds)
        self.program = program
        self.locals = {x.number: x for x in _all_locals(program)}
        self.number = {b.number: n for n, b in program.points.items()}

    def local(self, local: C.Local) -> str:
        """A local that only renames another one goes by the name of that."""
        number = self.program.aliases.get(local.number, local.number)
        return super().local(self.locals.get(number, local))

    def whole(self) -> str:
        program = self.program
        parts: list[list[str]] = [[f"start {program.start.name}"]]
        for name, blocks in frames(program).items():
            self.begin()
            parts.append(list(self._frame_head(name)))
            parts.extend(list(self._block(b)) for b in blocks)
            parts.append(list(self._slots(blocks)))
        parts.append(list(self._rest()))
        return "\n\n".join("\n".join(part) for part in parts if part) + "\n"

    def _frame_head(self, name: str) -> Iterator[str]:
        if name not in self.program.entries:
            yield f"frame {name or 'nowhere'}:"
            return
        entry = self.program.entries[name]
        params = ""
        for b in self.program.blocks:
            if isinstance(b.end, Enter) and b.end.procedure.name == name:
                params = self.params(b.end.procedure.params)
                break
        back = self.program.dynamic.get(name)
        returns = "" if back is None else f", returns through x{back}"
        yield f"frame {name}({params}): from {entry.name}{returns}"

    def _block(self, b: Block) -> Iterator[str]:
        marks = [word for word, on in (("function", b.is_function), ("head", b.is_head)) if on]
        if b.number in self.number:
            marks.append(f"point {self.number[b.number]}")
        if b.takes is not None:
            self.declared.add(b.takes.number)
            marks.append(f"takes {self.local(b.takes)}: {show(b.takes.type)}")
        text = f" ({', '.join(marks)})" if marks else ""
        yield f"{INDENT}{b.number} {b.name}{text}:"
        for s in b.body:
            yield from self.stmt(s, 2)
        yield from self._end(b)

    def _end(self, b: Block) -> Iterator[str]:
        pad = INDENT * 2
        match b.end:
            case Goto(to, back):
                yield f"{pad}{'back to' if back else 'goto'} {to.name}"
            case Branch(arms, other):
                for test, to in arms:
                    yield f"{pad}if {self.expr(test)}: goto {to.name}"
                yield f"{pad}goto {other.name}"
            case Ask(choice, pc, resume):
                yield from self.choose(choice, 2)
                yield f"{pad}ask {pc}, then {resume.name}"
            case Chance(event, pc, resume):
                yield from self.stmt(event, 2)
                yield f"{pad}chance {pc}, then {resume.name}"
            case Enter(procedure, args, entry, after, pc):
                call = f"{procedure.name}({self.exprs(args)})"
                yield f"{pad}enter {call} at {entry.name}, back {pc} to {after.name}"
            case Leave(procedure, value):
                given = "" if value is None else f" with {self.expr(value)}"
                yield f"{pad}leave {procedure.name}{given}"
            case Over():
                yield f"{pad}over"

    def _slots(self, blocks: list[Block]) -> Iterator[str]:
        """Where the locals of a frame are kept across stops; they have their names by now."""
        found = [(n, name) for n, name in self.named.items() if n in self.program.slots]
        if found and blocks:
            yield f"{INDENT}slots:"
        for number, name in found:
            yield f"{INDENT * 2}{name} in {self.program.slots[number]}"

    def _rest(self) -> Iterator[str]:
        program = self.program
        if program.points:
            yield "points:"
        for n, b in sorted(program.points.items()):
            yield f"{INDENT}{n}: {b.name}"
        yield f"slots {program.slot_count}, lists {len(program.list_slots)}"
        if program.plain:
            yield f"plain {', '.join(p.name for p in program.plain)}"


def given(b: Block) -> Iterator[C.Local]:
    """The locals that a block gives a value to, somewhere inside its statements too."""
    if b.takes is not None:
        yield b.takes
    for s in statements(b.body):
        local = gives(s)
        if local is not None:
            yield local


def _all_locals(program: Program) -> Iterator[C.Local]:
    for b in program.blocks:
        yield from given(b)
        if isinstance(b.end, Enter | Leave):
            yield from b.end.procedure.params
