"""Resumable blocks → what is wrong with them: the invariants that emission relies on."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.verify_code import CodeChecker, Defined, meet
from rulewright.compiler.core.walk import statements
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
from rulewright.compiler.flow.print_blocks import frames, given, within_frame


def check_blocks(program: Program) -> list[str]:
    """One line for each thing that is wrong; nothing when the program is sound."""
    check = _BlockChecker(program)
    check.shape()
    if not check.problems:
        # the rest goes from block to block and needs them to be there
        check.stops()
        check.points()
        check.functions()
        check.values()
        check.aliases()
        check.slots()
    return check.problems


class _BlockChecker(CodeChecker):
    def __init__(self, program: Program) -> None:
        super().__init__(None)
        self.program = program
        self.numbers = {b.number for b in program.blocks}

    def real(self, number: int) -> int:
        return self.program.aliases.get(number, number)

    # ------------------------------------------------------------ shape

    def shape(self) -> None:
        """Every block has an end, and goes on with blocks of the program."""
        program = self.program
        self.where = "program"
        if len(self.numbers) != len(program.blocks) or len({b.name for b in program.blocks}) != len(
            program.blocks
        ):
            self.bad("two blocks have the same number or name")
        for name, b in (("start", program.start), *program.entries.items()):
            self._there(b, name)
        for n, b in program.points.items():
            self._there(b, f"point {n}")
        for b in program.blocks:
            self.where = f"block {b.name}"
            if not isinstance(b.end, Goto | Branch | Ask | Chance | Enter | Leave | Over):
                self.bad("it has no end")
                continue
            for t in within_frame(b):
                self._there(t, "where it goes on")
            if isinstance(b.end, Enter):
                self._there(b.end.entry, "what it enters")
        if self.problems:
            return
        seen: dict[int, str] = {}
        for name, blocks in frames(program).items():
            for b in blocks:
                self.where = f"block {b.name}"
                if not name:
                    self.bad("nothing leads to it")
                if seen.setdefault(b.number, name) != name:
                    self.bad(f"it is part of {seen[b.number]} and of {name}")
                # a block that was given no end looks like the end of the game
                if isinstance(b.end, Over) and (
                    name != program.start.owner or b.owner != program.start.owner
                ):
                    self.bad("the game is over inside a procedure")
                if isinstance(b.end, Leave) and b.end.procedure.name != name:
                    self.bad(f"it leaves {b.end.procedure.name} from {name}")

    def _there(self, b: Block, what: str) -> None:
        if b.number not in self.numbers or not any(x is b for x in self.program.blocks):
            self.bad(f"{what}: the block {b.name} is not part of the program")

    # ------------------------------------------------------------ stops

    def stops(self) -> None:
        """Nothing inside a block stops; where chance stops once it always does."""
        bodies = [(f"procedure {p.name}", p.body) for p in self.program.plain]
        bodies += [(f"block {b.name}", b.body) for b in self.program.blocks]
        for where, body in bodies:
            self.where = where
            self._stops(body, set())

    def _stops(self, body: list[C.Stmt], seen: set[int]) -> None:
        for s in statements(body):
            if isinstance(s, C.SChoose):
                self.bad(f"the decision {s.label} is inside it")
            if isinstance(s, C.SRoll | C.SDraw) and self.program.chances:
                self.bad("chance is inside it, but stops elsewhere")
            if isinstance(s, C.SRun):
                codes = (
                    [s.procedure]
                    if s.procedure is not None
                    else (s.column.code if s.column else None) or []
                )
                for p in codes:
                    if isinstance(p, C.Procedure) and id(p) not in seen:
                        seen.add(id(p))
                        self._stops(p.body, seen)

    # ------------------------------------------------------------ points and functions

    def points(self) -> None:
        """Each number of the dispatcher stands for one block, and each block that needs one has it."""
        given: dict[int, Block] = {}
        for b in self.program.blocks:
            self.where = f"block {b.name}"
            match b.end:
                case Ask(pc=pc, resume=to) | Chance(pc=pc, resume=to) | Enter(pc=pc, after=to):
                    if given.setdefault(pc, to) is not to:
                        self.bad(f"point {pc} stands for {given[pc].name} and {to.name}")
                    if self.program.points.get(pc) is not to:
                        self.bad(f"point {pc} does not lead to {to.name}")
                    if pc < 1:
                        self.bad(f"point {pc} is not a number for the dispatcher")
                case Goto(to, True):
                    if not any(x is to for x in self.program.points.values()):
                        self.bad(f"it goes back to {to.name}, which has no point")
                case Goto() | Branch() | Leave() | Over():
                    pass
        self.where = "program"
        reached = {b.number for b in self.program.points.values()}
        if len(reached) != len(self.program.points):
            self.bad("two points lead to one block")

    def functions(self) -> None:
        """What is not a function of its own is reached from one place, and calls never go in a circle."""
        calls: dict[int, list[Block]] = {b.number: _calls(b) for b in self.program.blocks}
        reached: dict[int, int] = {}
        for b in self.program.blocks:
            for t in [*within_frame(b), *([b.end.entry] if isinstance(b.end, Enter) else [])]:
                reached[t.number] = reached.get(t.number, 0) + 1
        roots = [self.program.start, *self.program.entries.values(), *self.program.points.values()]
        for b in roots:
            reached[b.number] = 2
        for b in self.program.blocks:
            self.where = f"block {b.name}"
            if not b.is_function and reached.get(b.number, 0) > 1:
                self.bad("it is reached from several places, but is no function")
        self._circles(calls)

    def _circles(self, calls: dict[int, list[Block]]) -> None:
        """Loops must go through the dispatcher, or the stack would grow with each turn of them."""
        waiting = {n: len([1 for c in calls.values() for t in c if t.number == n]) for n in calls}
        free = [n for n, many in waiting.items() if many == 0]
        while free:
            n = free.pop()
            del waiting[n]
            for t in calls[n]:
                waiting[t.number] -= 1
                if waiting[t.number] == 0:
                    free.append(t.number)
        names = sorted(b.name for b in self.program.blocks if b.number in waiting)
        if names:
            self.where = "program"
            self.bad(f"blocks call each other in a circle: {', '.join(names)}")

    # ------------------------------------------------------------ values

    def values(self) -> None:
        """A local has a value wherever it is used: on every way in its frame, and in each function by itself."""
        for name, blocks in frames(self.program).items():
            params = self._params(name)
            for p in params.values():
                self.local(p)
            known = self._flow(blocks, frozenset(params))
            for b in blocks:
                self._block(b, known.get(b.number) or frozenset())
        kept = frozenset(self.program.slots)
        for b in self.program.blocks:
            if b.is_function:
                self._function(b, kept, b.name, set())

    def _params(self, name: str) -> dict[int, C.Local]:
        """The parameters of a frame's procedure, which whoever enters it has given a value to."""
        for b in self.program.blocks:
            match b.end:
                case Enter(procedure) | Leave(procedure) if procedure.name == name:
                    return {p.number: p for p in procedure.params}
                case _:  # others: they name no procedure, or another one
                    pass
        return {}

    def _flow(self, blocks: list[Block], params: Defined) -> dict[int, Defined | None]:
        """For each block of a frame the locals that have a value whichever way it is reached."""
        known: dict[int, Defined | None] = {b.number: None for b in blocks}
        if not blocks:
            return known
        roots = {self.program.start.number, *(e.number for e in self.program.entries.values())}
        for b in blocks:
            if b.number in roots:
                known[b.number] = params
        changed = True
        while changed:
            changed = False
            for b in blocks:
                before = known[b.number]
                if before is None:
                    continue
                after = _given(b, before)
                for t in within_frame(b):
                    new = meet([known[t.number], after])
                    if new != known[t.number]:
                        known[t.number] = new
                        changed = True
        return known

    def _block(self, b: Block, known: Defined) -> None:
        self.where, self.loops = f"block {b.name}", 0
        if b.takes is not None:
            known = self.gives(b.takes, known)
        if any(isinstance(s, C.SReturn) for s in statements(b.body)):
            self.bad("a return is inside it")
        after = self.stmts(b.body, known)
        if after is None:
            self.bad("it is left before its end")
        self._end(b, known if after is None else after)

    def _end(self, b: Block, known: Defined) -> None:
        match b.end:
            case Branch(arms):
                for test, _ in arms:
                    self.expr(test, known)
            case Ask(choice, _, resume):
                self.choose(choice, known)
                if resume.takes is not choice.var:
                    self.bad(f"what is chosen for {choice.label} does not go to its variable")
            case Chance(event, _, resume):
                self.stmt(event, known)
                if resume.takes is not event.var:
                    self.bad("what chance gives does not go to its variable")
            case Enter(procedure, args, entry):
                self.args(procedure.name, [p.type for p in procedure.params], args, known)
                if self.program.entries.get(procedure.name) is not entry:
                    self.bad(f"it does not enter {procedure.name} at its beginning")
            case Leave(procedure, value):
                if value is not None:
                    self.typed(value, procedure.result, known)
            case Goto() | Over():
                pass
            case _:
                assert_never(b.end)

    def _function(self, b: Block, known: Defined, name: str, seen: set[int]) -> None:
        """The blocks that are laid into one function: locals that come from outside need a slot."""
        if b.number in seen:
            return
        seen.add(b.number)
        if b.takes is not None:
            known = known | {b.takes.number}
        self.where, self.loops = f"function {name}, block {b.name}", 0
        after = self.stmts(b.body, known)
        known = known if after is None else after
        self._end(b, known)
        for t in within_frame(b):
            if not t.is_function:
                self._function(t, known, name, seen)

    def aliases(self) -> None:
        """A name that stands for another local never gets a value of its own."""
        for b in self.program.blocks:
            self.where = f"block {b.name}"
            for number in sorted({x.number for x in given(b)} & self.program.aliases.keys()):
                self.bad(f"local {number} gets a value here, but stands for another local")

    # ------------------------------------------------------------ slots

    def slots(self) -> None:
        """Slots of one frame differ, and from those of all frames that wait below it."""
        program = self.program
        mine: dict[str, dict[str, int]] = {}
        below: dict[str, set[str]] = {}
        for name, blocks in frames(program).items():
            self.where = f"frame {name}"
            used: dict[str, int] = {}
            if name in program.dynamic:
                used[f"x{program.dynamic[name]}"] = -1
            elif name != program.start.owner:
                self.bad("it has no slot to return through")
            numbers = set(self._params(name))
            for b in blocks:
                numbers |= {x.number for x in given(b)}
                if isinstance(b.end, Enter):
                    below.setdefault(b.end.procedure.name, set()).add(name)
            for n in sorted(numbers & program.slots.keys()):
                slot = program.slots[n]
                if used.setdefault(slot, n) != n:
                    self.bad(f"two locals share the slot {slot}")
            mine[name] = used
        for name, used in mine.items():
            self.where = f"frame {name}"
            for caller in sorted(_all_below(name, below)):
                for slot in sorted(used.keys() & mine[caller].keys()):
                    self.bad(f"the slot {slot} is used by {caller} too, which waits for it")
        for number, slot in sorted(program.slots.items()):
            self.where = f"slot {slot}"
            if slot.startswith("x") and int(slot[1:]) >= program.slot_count:
                self.bad(f"there are only {program.slot_count}")
            if slot.startswith("l") and slot not in program.list_slots:
                self.bad(f"the list of local {number} is not kept")


def _calls(b: Block) -> list[Block]:
    """Blocks that run before this one's function is done."""
    match b.end:
        case Goto(to, back):
            return [] if back else [to]
        case Branch(arms, other):
            return [*(t for _, t in arms), other]
        case Ask(choice, _, resume):
            return [resume] if choice.if_any else []
        case Enter(entry=entry):
            return [entry]
        case Chance() | Leave() | Over():
            return []
        case _:
            assert_never(b.end)


def _given(b: Block, before: Defined) -> Defined:
    """The locals that have a value after a block; nothing in it stops or leaves."""
    out = set(before)
    if b.takes is not None:
        out.add(b.takes.number)
    quiet = CodeChecker(None)
    return quiet.stmts(b.body, frozenset(out)) or frozenset(out)


def _all_below(name: str, below: dict[str, set[str]]) -> set[str]:
    out: set[str] = set()
    stack = [name]
    while stack:
        for caller in below.get(stack.pop(), ()):
            if caller not in out:
                out.add(caller)
                stack.append(caller)
    return out
