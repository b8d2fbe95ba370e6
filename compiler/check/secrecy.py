"""What a statement would show to those who may not see it → problems."""

from __future__ import annotations

from rulewright.compiler.check.fitting import owner_token, viewer_token
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import hidden_part
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import SetT
from rulewright.compiler.text.diagnostics import Related, quoted
from rulewright.compiler.text.source import Span


def must_be_public(sc: Scope, e: C.Expr | None, span: Span, what: str) -> None:
    """Inside the current conditions, something public happens that depends on e."""
    if e is not None and e.secrecy is not None:
        sc.ruleset.error(
            "RW0701", e.span, f"{what} would show everyone {hidden_part(e)}",
            hint="use reveal(…) where the rules make it known",
        )  # fmt: skip
    elif sc.secrecy is not None:
        at = sc.secret_at
        sc.ruleset.error(
            "RW0701", span, f"{what} here would show everyone how a hidden condition went",
            hint="use reveal(…) in the condition where the rules make it known",
            related=() if at is None else [Related(at, "this decides it")],
        )  # fmt: skip
    if sc.together is not None:
        sc.ruleset.error(
            "RW0702",
            span,
            f"{what} is public, but choices made together are secret",
            hint="do it after the together block",
        )


def public_run(sc: Scope, span: Span) -> None:
    """What a procedure does is seen by all, as far as this body can tell."""
    if sc.secrecy is not None or sc.together is not None:
        must_be_public(sc, None, span, "running a procedure")


def public_args(sc: Scope, values: tuple[C.Expr, ...]) -> None:
    for value in values:
        if value.secrecy is not None:
            sc.ruleset.error(
                "RW0703",
                value.span,
                f"a procedure can't be handed {hidden_part(value)}",
                hint="reveal(…) it, or read the state inside the procedure",
            )


def may_write(
    sc: Scope, var: C.StateVar, keys: tuple[C.Expr, ...], value: C.Expr, op: str, span: Span
) -> None:
    level = C.join(value.secrecy, sc.secrecy)
    if var.visible == "all":
        must_be_public(sc, value, span, f"assigning to {quoted(var.name)}")
    elif var.visible in ("owner", "team"):
        token = viewer_token(var.visible, keys[0]) if keys else C.NOBODY
        if level is not None and level != token and C.team_of(level) != token:
            shown = (
                hidden_part(value) if value.secrecy is not None else "how a hidden condition went"
            )
            sc.ruleset.error(
                "RW0704",
                span,
                f"assigning to {quoted(var.name)} would show its owner {shown}",
                hint="reveal(…) it, or keep it in hidden state",
            )
        elif sc.secrecy is not None or (level is not None and not _just_chosen(value, op)):
            # others must be able to work out which values it may have: those that could be chosen
            if isinstance(value.type, SetT):
                _set_not_as_chosen(sc, var, span)
                return
            sc.ruleset.error(
                "RW0715",
                span,
                f"{quoted(var.name)} is hidden from the others and can only take a value just as it was chosen in secret",
                expected=f"{var.name}[p] = x, with x from: choose x … secretly",
                hint="keep pieces in a zone that only their owner sees, or work it out when it is revealed",
            )


def _just_chosen(value: C.Expr, op: str) -> bool:
    match value:
        case C.Use(local) if isinstance(value.type, SetT):
            return op in ("", "|", "-") and local.several is not None
        case C.Op("set", (C.Use(local),)):
            return op in ("", "|", "-") and local.chosen_by is not None
        case C.Use(local):
            return not op and local.chosen_by is not None
        case _:  # others: worked out from what is hidden
            return False


def _set_not_as_chosen(sc: Scope, var: C.StateVar, span: Span) -> None:
    sc.ruleset.error(
        "RW0715",
        span,
        f"{quoted(var.name)} is hidden from the others, who must be able to tell what may be in it: it takes what all know, or what was chosen in secret, just as it was chosen",
        expected=f"{var.name}[p] = xs, |= xs or -= xs, with xs from: choose … of xs … secretly, or {{x}} with x from: choose x … secretly",
        hint="where nothing may be chosen, write: choose 0 .. 1 of xs … secretly, and keep xs without a condition",
    )


def seen_by(secrecy: C.Secrecy, params: list[C.Local], values: tuple[C.Expr, ...]) -> C.Secrecy:
    """Who may see a result, said of the caller's values instead of the parameters."""
    for param, value in zip(params, values, strict=False):
        if secrecy == f"v{param.number}":
            return owner_token(value)
        if secrecy in (f"{C.TEAM}v{param.number}", f"{C.TEAM}={param.number}"):
            return viewer_token("team", value)
    return secrecy
