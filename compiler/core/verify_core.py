"""The typed tree → what is wrong with it: the invariants that flow and emission rely on."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BoolT, IntT, Type, show
from rulewright.compiler.core.verify_code import CodeChecker, const_fits


def check_core(game: C.Game) -> list[str]:
    """One line for each thing that is wrong; nothing when the tree is sound."""
    check = _CoreChecker(game.kinds)
    check.game(game)
    return check.problems


class _CoreChecker(CodeChecker):
    def game(self, game: C.Game) -> None:
        self.all_functions = {id(f) for f in (*game.functions, *game.facts.values())}
        self.all_procedures = {id(p) for p in game.procedures}
        self._once("function", [f.name for f in game.functions])
        self._once("procedure", [p.name for p in game.procedures])
        for kind in game.kinds.values():
            self.where = f"kind {kind.name}"
            self._kind(kind)
        for var in game.state:
            self.where = f"state {var.name}"
            self.type(var.type, "the state")
            if var.first is not None:
                self.expr(var.first, frozenset())
        for family in game.families:
            self.where = f"pieces {family.name}"
            self._family(family)
        for f in (*game.functions, *game.facts.values()):
            self.body(f"function {f.name}", f.params, f.result, f.body, pure=not f.tries)
        for p in game.procedures:
            self.body(f"procedure {p.name}", p.params, p.result, p.body, pure=False)
        self.where = "play"
        if id(game.play) not in self.all_procedures:
            self.bad("it is not among the procedures")
        for i in game.invariants:
            self.where = f"invariant {i.name}"
            self.typed(i.test, BoolT(), frozenset())
        self.where = "outcome"
        self.expr(game.outcome_domain, frozenset())
        for key in game.outcome_keys:
            self.expr(key, frozenset((game.outcome_var.number,)))
        if game.heuristic is not None:
            self.where = "heuristic"
            local, value = game.heuristic
            self.typed(value, IntT(), frozenset((local.number,)))

    def _once(self, what: str, names: list[str]) -> None:
        self.where = "game"
        for name in sorted({n for n in names if names.count(n) > 1}):
            self.bad(f"two {what}s are called {name}")

    def _kind(self, kind: C.Kind) -> None:
        size = len(kind.members)
        if len(set(kind.members)) != size or len(kind.texts) != size:
            self.bad("members repeat, or do not have one text each")
        for c in kind.columns.values():
            if c.type is None:
                if c.code is None or len(c.code) != size:
                    self.bad(f"column {c.name} does not have one piece of code for each member")
                for code in c.code or ():
                    self.known(code)
                    if code is not None and len(code.params) != len(c.params):
                        self.bad(
                            f"column {c.name}: {code.name} takes {len(code.params)} parameters"
                        )
                continue
            self.type(c.type, f"column {c.name}")
            if len(c.values) != size:
                self.bad(f"column {c.name} does not have one value for each member")
            for value in c.values:
                if not isinstance(value, str) and not const_fits(value, c.type):
                    self.bad(f"column {c.name}: {value} is no {show(c.type)}")

    def _family(self, family: C.Family) -> None:
        owners = 1 if family.per is None else family.per.size
        if [len(row) for row in family.copies] != [family.kind.size] * owners:
            self.bad("the copies do not match owners and kinds")
        if sum(z.starts_full for z in family.zones) != 1:
            self.bad("not just one zone holds all pieces at the start")
        for t in (family.kind, family.per, *(key for z in family.zones for key in z.keys)):
            if t is not None:
                self.type(t, "the pieces")
        if family.standing is not None:
            for name, field in family.standing.fields.items():
                self.type(field, f"field {name}")

    def body(
        self,
        where: str,
        params: list[C.Local],
        result: Type | None,
        stmts: list[C.Stmt],
        *,
        pure: bool,
    ) -> None:
        self.where, self.result, self.pure, self.loops = where, result, pure, 0
        for p in params:
            self.type(p.type, f"parameter {p.name}")
        if result is not None:
            self.type(result, "the result")
        left = self.stmts(stmts, frozenset(p.number for p in params))
        if result is not None and left is not None:
            self.bad("it may end without a value")
