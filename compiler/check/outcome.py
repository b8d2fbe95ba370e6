"""Who wins: `outcome … by …` → what ranks the players, their teams, or all of them together against the game."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.compiler.check.expressions import check_expr, need_domain, need_int
from rulewright.compiler.check.fitting import item_type
from rulewright.compiler.check.scope import Ruleset, Scope
from rulewright.compiler.check.type_wording import a
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import constant
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BadT, BoolT, IntT, KindT, SetT
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Related
from rulewright.compiler.text.source import Span


@dataclass(frozen=True, slots=True)
class Outcome:
    """A variable, what it goes over, and its keys."""

    var: C.Local
    domain: C.Expr
    keys: list[C.Expr]
    # whether players stand for their teams
    by_team: bool = False
    # of a common outcome: what its key must reach
    together: int = 0


def check_outcome(r: Ruleset, decl: S.Outcome | S.Together) -> Outcome:
    if isinstance(decl, S.Outcome):
        return _ranked(r, decl)
    together, key = _together(r, decl)
    player = r.kinds["Player"].type
    everybody = C.Const(fold.full_mask(player), SetT(player))
    return Outcome(r.local("p", player), everybody, [key], together=together)


def team_numbers(r: Ruleset) -> tuple[int, ...]:
    column = r.kinds["Player"].columns.get("team")
    return () if column is None else tuple(v for v in column.values if isinstance(v, int))


def only_outcome(r: Ruleset, first: Span | None, span: Span) -> Span:
    if first is not None:
        r.error(
            "RW0509",
            span,
            "there is a second outcome",
            related=[Related(first, "the first one")],
            hint="further keys go after a comma: by score[p], coins[p]",
        )
    return first or span


def _ranked(r: Ruleset, decl: S.Outcome) -> Outcome:
    """What is ranked and by what; players, by what their team has, where teams are ranked."""
    sc = Scope(r, pure=True, owner="outcome")
    over, element = need_domain(sc, decl.domain)
    ranked = ("Player", "Participant", *(["Team"] if team_numbers(r) else []))
    if isinstance(over.type, BadT):
        pass
    elif not isinstance(element, KindT) or element.name not in ranked:
        r.error(
            "RW0511",
            decl.domain.span,
            f"the outcome ranks players{' or teams' if len(ranked) > 2 else ''}, and this is {a(over.type)}",
            expected="outcome p in Player by …",
        )
    player = r.kinds["Player"].type
    if not isinstance(over, C.Const) or not isinstance(over.type, SetT):
        over = C.Const(fold.full_mask(player), SetT(player))
    inner = sc.child()
    local = inner.declare(decl.var, item_type(over, element))
    keys = [need_int(inner, key) for key in decl.keys]
    if not team_numbers(r) or not isinstance(element, KindT) or element.name != "Team":
        return Outcome(local, over, keys)
    p = r.local("p", player)
    team = r.kinds["Player"].columns["team"]
    own = C.Column(r.kinds["Player"], team, C.Use(p, player), local.type)
    keys = [substitute(key, {local.number: own}) for key in keys]
    return Outcome(p, C.Const(fold.full_mask(player), SetT(player)), keys, by_team=True)


def _together(r: Ruleset, decl: S.Together) -> tuple[int, C.Expr]:
    """What must be reached for a win of all, and how far they have come."""
    sc = Scope(r, pure=True, owner="outcome")
    if decl.whole is None:
        reached = check_expr(sc, decl.key)
        if not isinstance(reached.type, BoolT | BadT):
            r.error(
                "RW0512", reached.span, f"all win together or not, and this is {a(reached.type)}",
                expected="a condition, or a number and what it must reach: outcome together by points of 25",
            )  # fmt: skip
        one, nothing = C.Const(1, IntT(1, 1)), C.Const(0, IntT(0, 0))
        return 1, C.Op("if", (reached, one, nothing), IntT(0, 1), reached.span)
    key, whole = need_int(sc, decl.key), constant(need_int(sc, decl.whole), r)
    if not isinstance(whole, int) or whole < 1:
        r.error(
            "RW0512", decl.whole.span, "what all must reach together is a number that is known before play",
            expected="a number from 1 up",
        )  # fmt: skip
        whole = 1
    return whole, key
