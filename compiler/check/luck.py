"""Luck that all have seen and that is then kept as if it were a secret → problems."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, assert_never

from rulewright.compiler.check.scope import Ruleset
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.callees import code_at
from rulewright.compiler.core.walk import expressions, free_locals, statements
from rulewright.compiler.text.diagnostics import Related, quoted
from rulewright.compiler.text.source import Span

# what chance did, and where
Luck = tuple[str, Span]
Key = TypeVar("Key", int, str)


def check_luck(r: Ruleset) -> None:
    """A roll and a drawn piece are seen by all, wherever their value is handed on to."""
    seen = _Seen(r.all_procedures)
    seen.follow()
    for p in r.all_procedures:
        for s in statements(p.body):
            match s:
                case C.SAssign(C.Read(var), _, value, span) if var.visible != "all":
                    found = seen.luck_in(value)
                    if found is not None:
                        word, at = found
                        whom = "everybody" if var.visible == "nobody" else "the others"
                        r.error(
                            "RW0717", span,
                            f"{quoted(var.name)} is hidden from {whom}, but all have seen what was {word}",
                            hint="roll it where its owner alone looks (roll d in 1 .. 6 seen by p), or deal a piece to a zone that only its owner sees",
                            related=[Related(at, "here all see it")] if at.line else (),
                        )  # fmt: skip
                case _:  # others: they write no hidden state
                    pass


class _Seen:
    """Which locals, and which public variables, hold what chance gave before everybody's eyes."""

    def __init__(self, procedures: Iterable[C.Procedure]) -> None:
        self.procedures = list(procedures)
        self.locals: dict[int, Luck] = {}
        self.state: dict[str, Luck] = {}
        self.results: dict[int, Luck] = {}

    def follow(self) -> None:
        """Until nothing new is found: values go from local to local, into procedures and back."""
        before = -1
        while before != (now := len(self.locals) + len(self.state) + len(self.results)):
            before = now
            for p in self.procedures:
                for s in statements(p.body):
                    self._statement(p, s)

    def _statement(self, p: C.Procedure, s: C.Stmt) -> None:
        match s:
            case C.SRoll(var, span=span):
                if s.seen is None:
                    self.locals.setdefault(var.number, ("rolled", span))
            case C.SDraw(drawn, target=target, span=span) if drawn is not None:
                if target.zone.visible == "all":
                    self.locals.setdefault(drawn.number, ("drawn", span))
            case C.SLet(local, value):
                self._note(self.locals, local.number, value)
            case C.SAssign(C.Read(public), "", C.Use() as value) if public.visible == "all":
                # a copy of a die is a die; what is worked out from it is something else
                self._note(self.state, public.name, value)
            case C.SReturn(result) if result is not None:
                self._note(self.results, id(p), result)
            case C.SRun(procedure, _, column, base, args, result):
                code = [procedure] if procedure is not None else code_at(column, base)
                for callee in code:
                    for param, arg in zip(callee.params, args, strict=False):
                        self._note(self.locals, param.number, arg)
                    if result is not None and id(callee) in self.results:
                        self.locals.setdefault(result.number, self.results[id(callee)])
            case (
                C.SAssign() | C.SBreak() | C.SChoose() | C.SContinue() | C.SDraw() | C.SFor() | C.SIf() | C.SMark()
                | C.SMove() | C.SPut() | C.SRequire() | C.SReturn() | C.SReveal() | C.SScore() | C.SShow() | C.STake()
                | C.STell() | C.SWhile()
            ):  # fmt: skip
                pass
            case _:
                assert_never(s)

    def _note(self, where: dict[Key, Luck], key: Key, value: C.Expr) -> None:
        found = self.luck_in(value)
        if found is not None:
            where.setdefault(key, found)

    def luck_in(self, value: C.Expr) -> Luck | None:
        """What in an expression all have seen chance give."""
        for number in sorted(free_locals(value)):
            if number in self.locals:
                return self.locals[number]
        for x in expressions([value]):
            if isinstance(x, C.Read) and x.var.name in self.state:
                return self.state[x.var.name]
        return None
