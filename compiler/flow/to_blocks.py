"""Procedures → resumable blocks.

A procedure that may stop is cut where it stops; one called from a single place is laid into its caller, one called
from several places returns through a slot. Procedures that never stop stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.callees import may_stop, stopping
from rulewright.compiler.core.shared_numbers import shared_numbers
from rulewright.compiler.core.types import BOOL, GroupsT, IntT, ListT, SetT, Type, count_of
from rulewright.compiler.core.walk import outside_loops, statements
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
from rulewright.compiler.flow.reduce import simplify
from rulewright.compiler.text.source import Span


class _Frame:
    """The procedure that statements belong to, and where its return goes."""

    def __init__(self, p: C.Procedure, after: Block | None, result: C.Local | None) -> None:
        self.procedure = p
        self.after = after
        self.result = result
        self.breaks: list[Block] = []
        self.continues: list[Block] = []


class Flow:
    def __init__(self, game: C.Game, chance_stops: bool, all_entries: bool) -> None:
        self.game = game
        self.chance_stops = chance_stops
        self.asking = stopping(game.procedures, chance_stops)
        self.blocks: list[Block] = []
        self.asks: list[Ask] = []
        self.chances: list[Chance] = []
        # of a roll among others in a row, which of the dice of one random number it is
        self.digits: dict[int, C.Expr] = {}
        self.entries: dict[str, Block] = {}
        self.points: dict[int, Block] = {}
        self.names: dict[str, int] = {}
        self.dynamic: dict[str, int] = {}
        self.pending: list[C.Procedure] = []
        self.all_entries = all_entries
        self.sites = self._count_sites()
        self.places = number_statements(game)
        self.backs: dict[int, Block] = {}
        # the loops around the statement being laid, laid-in procedures included
        self.loops: list[tuple[str, Span]] = []
        self.inside: dict[int, tuple[str, Span]] = {}

    def _count_sites(self) -> dict[str, int]:
        sites: dict[str, int] = {}
        for p in self.game.procedures:
            for s in statements(p.body):
                if isinstance(s, C.SRun):
                    targets = (
                        [s.procedure]
                        if s.procedure
                        else (s.column.code if s.column else None) or []
                    )
                    for t in targets:
                        if t is not None:
                            sites[t.name] = sites.get(t.name, 0) + 1
        return sites

    # ------------------------------------------------------------ blocks

    def block(self, frame: _Frame, hint: str = "") -> Block:
        base = frame.procedure.name + (f"_{hint}" if hint else "")
        n = self.names.get(base, 0)
        self.names[base] = n + 1
        b = Block(len(self.blocks), base if n == 0 else f"{base}_{n + 1}", frame.procedure.name)
        b.cites = frame.procedure.cites
        self.blocks.append(b)
        return b

    def local(self, stmt: C.Stmt, role: int, name: str, type_: Type) -> C.Local:
        """A variable of the compiler's own; its number hangs on the statement alone, so that builds agree."""
        return C.Local(name, type_, 1_000_000 + 4 * self.places[id(stmt)] + role, mutable=True)

    def point(self, s: C.Stmt) -> int:
        """The dispatcher's number for a statement: the same in every build of a ruleset."""
        number = 1 + self.places[id(s)]
        if self.loops and not isinstance(s, C.SFor | C.SWhile):
            self.inside[number] = self.loops[-1]
        return number

    def run(self) -> Program:
        play = self.game.play
        frame = _Frame(play, None, None)
        start = self.block(frame)
        over = self.block(frame, "over")
        over.end = Over()
        frame.after = over
        self._dynamic_procedures()
        self.stmts(play.body, start, frame, over)
        done: set[str] = set()
        framed: list[C.Procedure] = []
        while self.pending:
            p = self.pending.pop(0)
            if p.name in done:
                continue
            done.add(p.name)
            framed.append(p)
            self._procedure(p)
        plain = [p for p in self.game.procedures if p.name not in self.asking]
        if self.all_entries:
            self.dynamic = {
                p.name: i for i, p in enumerate(self.game.procedures) if p.name in self.entries
            }
        return Program(
            self.blocks,
            start,
            plain,
            self.asks,
            self.chances,
            self.points,
            self.entries,
            self.dynamic,
            framed,
            inside=self.inside,
        )

    def _dynamic_procedures(self) -> None:
        """Those entered through a return slot: all that stop, where any may be called from outside."""
        for p in self.game.procedures:
            if p.name not in self.asking or p is self.game.play:
                continue
            if self.all_entries or self.sites.get(p.name, 0) > 1:
                self.dynamic[p.name] = len(self.dynamic)
                if self.all_entries:
                    self.pending.append(p)

    def entry(self, p: C.Procedure) -> Block:
        if p.name not in self.entries:
            self.entries[p.name] = self.block(_Frame(p, None, None))
            self.pending.append(p)
        return self.entries[p.name]

    def _procedure(self, p: C.Procedure) -> None:
        frame = _Frame(p, None, None)
        entry = self.entry(p)
        last = self.block(frame, "end")
        last.end = Leave(p, None)
        self.stmts(p.body, entry, frame, last)

    # ------------------------------------------------------------ statements

    def stmts(self, stmts: list[C.Stmt], b: Block, frame: _Frame, then: Block) -> None:
        """Lay statements into b; when they are done go on with `then`."""
        current: Block | None = b
        for s in stmts:
            if current is None:
                return
            if not may_stop([s], self.asking, self.chance_stops) and not self._jumps(s, frame):
                current.body.append(s)
                continue
            current = self.stmt(s, current, frame)
        if current is not None:
            current.end = Goto(then)

    def _jumps(self, s: C.Stmt, frame: _Frame) -> bool:
        """Whether a statement leaves a loop or procedure that is cut into blocks."""
        return any(isinstance(x, C.SReturn) for x in statements([s])) or self._loose(s)

    def _loose(self, s: C.Stmt) -> bool:
        """break or continue that belongs to a loop outside the statement."""
        return any(isinstance(x, C.SBreak | C.SContinue) for x in outside_loops(s))

    def stmt(self, s: C.Stmt, b: Block, frame: _Frame) -> Block | None:
        """Lay one statement that stops or jumps; the block to go on in, None if nothing goes on."""
        if self.chance_stops and isinstance(
            s, C.SIf | C.SWhile | C.SRun | C.SReturn | C.SBreak | C.SContinue
        ):
            # the full flavour counts what runs; a jump has no statement of its own left that could be counted
            b.body.append(C.SMark(s.span))
        match s:
            case C.SReturn(value):
                self._return(value, b, frame)
                return None
            case C.SBreak():
                b.end = Goto(frame.breaks[-1])
                return None
            case C.SContinue():
                b.end = Goto(frame.continues[-1], back=True)
                return None
            case C.SIf():
                return self._if(s, b, frame)
            case C.SWhile():
                return self._while(s, b, frame)
            case C.SFor():
                return self._for(s, b, frame)
            case C.SChoose():
                resume = self.block(frame, s.label.replace(".", "_"))
                resume.takes = s.var
                resume.is_function = True
                ask = Ask(s, self.point(s), resume)
                self.asks.append(ask)
                b.end = ask
                return resume
            case C.SRoll() | C.SDraw():
                resume = self.block(frame, "chance")
                resume.takes = s.var
                resume.is_function = True
                event = replace(s, digit=self.digits.get(id(s))) if isinstance(s, C.SRoll) else s
                chance = Chance(event, self.point(s), resume)
                self.chances.append(chance)
                b.end = chance
                return resume
            case C.SRun():
                return self._run(s, b, frame)
            case (
                C.SLet() | C.SAssign() | C.SMove() | C.SScore() | C.SRequire() | C.STell() | C.SPut() | C.STake()
                | C.SShow() | C.SReveal() | C.SMark()
            ):  # fmt: skip
                pass
        raise AssertionError(type(s).__name__)

    def _return(self, value: C.Expr | None, b: Block, frame: _Frame) -> None:
        if frame.after is None:
            b.end = Leave(frame.procedure, value)
            return
        if value is not None and frame.result is not None:
            b.body.append(C.SLet(frame.result, value, value.span))
        b.end = Goto(frame.after)

    def _if(self, s: C.SIf, b: Block, frame: _Frame) -> Block:
        after = self.block(frame, "then")
        arms: list[tuple[C.Expr, Block]] = []
        for test, body in s.arms:
            arm = self.block(frame)
            arms.append((test, arm))
            self.stmts(body, arm, frame, after)
        other = after
        if s.other:
            other = self.block(frame)
            self.stmts(s.other, other, frame, after)
        elif self.chance_stops and s.arms[-1][0].span.line:
            other = self.block(frame)
            other.body.append(C.SMark(s.arms[-1][0].span))
            other.end = Goto(after)
        b.end = Branch(arms, other)
        b.span = s.span
        return after

    def _while(self, s: C.SWhile, b: Block, frame: _Frame) -> Block:
        head = self.block(frame, "loop")
        head.is_head = True
        self.points[self.point(s)] = head
        head.span = s.span
        after = self.block(frame, "then")
        body = self.block(frame)
        b.end = Goto(head)
        head.end = Goto(body) if s.test is None else Branch([(s.test, body)], after)
        self._body(s.body, body, frame, head, after)
        return after

    def _body(
        self, stmts: list[C.Stmt], body: Block, frame: _Frame, head: Block, after: Block
    ) -> None:
        self.loops.append((frame.procedure.name, head.span))
        frame.breaks.append(after)
        frame.continues.append(head)
        last = self.block(frame, "again")
        last.end = Goto(head, back=True)
        self.stmts(stmts, body, frame, last)
        frame.breaks.pop()
        frame.continues.pop()
        self.loops.pop()

    def _for(self, s: C.SFor, b: Block, frame: _Frame) -> Block:
        """The domain is kept as it was: a mask, a list and a place in it, or a number and an end."""
        one_after_another = shared_numbers(s) if self.chance_stops else None
        if one_after_another is not None:
            self.digits[id(one_after_another.roll)] = one_after_another.digit
        head = self.block(frame, "loop")
        head.is_head = True
        self.points[self.point(s)] = head
        head.span = s.span
        after = self.block(frame, "then")
        body = self.block(frame)
        t = s.domain.type
        if isinstance(s.domain, C.Range):
            # their bounds are what a saved state is held to
            steps, last = _bounds(s.domain)
            at = self.local(s, 0, s.var.name + "_next", steps)
            end = self.local(s, 1, s.var.name + "_last", last)
            b.body += [C.SLet(at, s.domain.low, s.span), C.SLet(end, s.domain.high, s.span)]
            use_at, use_end = C.Use(at, IntT(), s.span), C.Use(end, IntT(), s.span)
            one = C.Const(1, IntT(1, 1))
            head.end = Branch([(fold.op("<=", (use_at, use_end), BOOL, s.span), body)], after)
            body.body += [
                C.SLet(s.var, use_at, s.span),
                C.SLet(at, fold.op("+", (use_at, one), IntT(), s.span), s.span),
            ]
        elif isinstance(t, SetT):
            rest = self.local(s, 0, s.var.name + "_rest", t)
            b.body.append(C.SLet(rest, s.domain, s.span))
            use = C.Use(rest, t, s.span)
            head.end = Branch([(fold.op("meets", (use, use), BOOL, s.span), body)], after)
            first = C.Op("first", (use,), t.element, s.span)
            body.body += [
                C.SLet(s.var, first, s.span),
                C.SLet(rest, C.Op("rest", (use,), t, s.span), s.span),
            ]
        else:
            assert isinstance(t, ListT | GroupsT)
            items = self.local(
                s,
                0,
                s.var.name + "_all",
                t if isinstance(t, ListT) else ListT(SetT(t.element), count_of(t.element)),
            )
            most = items.type.limit if isinstance(items.type, ListT) else None
            at = self.local(s, 1, s.var.name + "_place", IntT(0, most))
            b.body += [C.SLet(items, s.domain, s.span), C.SLet(at, C.Const(0, IntT(0, 0)), s.span)]
            use_items, use_at = C.Use(items, items.type, s.span), C.Use(at, IntT(), s.span)
            size = C.Op("size_list", (use_items,), IntT(), s.span)
            head.end = Branch([(fold.op("<", (use_at, size), BOOL, s.span), body)], after)
            one = C.Const(1, IntT(1, 1))
            body.body += [
                C.SLet(s.var, C.Op("entry", (use_items, use_at), s.var.type, s.span), s.span),
                C.SLet(at, fold.op("+", (use_at, one), IntT(), s.span), s.span),
            ]
        b.end = Goto(head)
        inner = body
        if s.where is not None:
            inner = self.block(frame)
            skip = self.block(frame, "again")
            skip.end = Goto(head, back=True)
            body.end = Branch([(s.where, inner)], skip)
        self._body(s.body, inner, frame, head, after)
        return after

    # ------------------------------------------------------------ calls

    def _run(self, s: C.SRun, b: Block, frame: _Frame) -> Block:
        after = self.block(frame, "then")
        if s.procedure is not None:
            self._call(s, s.procedure, s.result, b, after, frame)
            return after
        assert s.column is not None and s.base is not None and s.column.code is not None
        base = s.base
        if not isinstance(base, C.Const | C.Use):
            kept = self.local(s, 0, "row", base.type)
            b.body.append(C.SLet(kept, base, s.span))
            base = C.Use(kept, base.type, s.span)
        arms: list[tuple[C.Expr, Block]] = []
        for i, code in enumerate(s.column.code):
            if not isinstance(code, C.Procedure):
                continue
            test = fold.op("==", (base, C.Const(i, base.type)), BOOL, s.span)
            if isinstance(test, C.Const):
                if test.value:
                    self._call(s, code, None, b, after, frame)
                    return after
                continue
            arm = self.block(frame)
            self._call(s, code, None, arm, after, frame)
            arms.append((test, arm))
        b.end = Branch(arms, after)
        b.span = s.span
        return after

    def _call(
        self,
        site: C.SRun,
        p: C.Procedure,
        result: C.Local | None,
        b: Block,
        after: Block,
        frame: _Frame,
    ) -> None:
        args = site.args
        if p.name not in self.asking:
            b.body.append(C.SRun(p, None, None, None, args, result, p.span))
            b.end = Goto(after)
            return
        if p.name in self.dynamic:
            if id(site) not in self.backs:
                back = self.block(frame, "back")
                back.is_function = True
                back.takes = result
                back.end = Goto(after)
                self.backs[id(site)] = back
            b.end = Enter(p, args, self.entry(p), self.backs[id(site)], self.point(site))
            return
        # called from here alone: laid into the caller
        for param, arg in zip(p.params, args, strict=True):
            b.body.append(C.SLet(param, arg, arg.span))
        inner = _Frame(p, after, result)
        body = self.block(inner)
        b.end = Goto(body)
        self.stmts(p.body, body, inner, after)


def _bounds(domain: C.Range) -> tuple[IntT, IntT]:
    """Where the next number of a loop can be, one past the last included, and where the last can be."""
    low, high = domain.low.type, domain.high.type
    if not isinstance(low, IntT) or not isinstance(high, IntT):
        return IntT(), IntT()
    past = None if low.high is None or high.high is None else max(low.high, high.high + 1)
    return IntT(low.low, past), high


def to_blocks(game: C.Game, *, chance_stops: bool, all_entries: bool) -> Program:
    """The program of a ruleset; numbers are given to what the dispatcher must find."""
    program = Flow(game, chance_stops, all_entries).run()
    simplify(program)
    return program


def number_statements(game: C.Game) -> dict[int, int]:
    """A number for each statement; decisions come first, so that theirs are small.

    What only tells comes last: words are no part of the rules, and a save must not depend on them.
    """
    order = [s for p in game.procedures for s in statements(p.body)]
    order.sort(key=lambda s: (not isinstance(s, C.SChoose), isinstance(s, C.STell)))
    return {id(s): i for i, s in enumerate(order)}
