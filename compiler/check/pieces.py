"""Statements that handle pieces → typed statements: draw, deal, move, put, take, show."""

from __future__ import annotations

from rulewright.compiler.check import expressions, order, texts
from rulewright.compiler.check.fitting import needed, owner_token
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.secrecy import must_be_public
from rulewright.compiler.check.type_wording import a as article
from rulewright.compiler.check.type_wording import hidden_part, who_sees
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BAD, BadT, IntT, KindT, RangeT
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import listed, nearest, quoted
from rulewright.compiler.text.source import Span


def _zone(sc: Scope, e: S.Expr) -> C.ZoneUse | None:
    got = expressions.check_expr(sc, e)
    if not isinstance(got, C.ZoneUse):
        if not isinstance(got.type, BadT):
            sc.ruleset.error("RW0633", got.span, f"this is {article(got.type)}", expected="a zone")
        return None
    return got


def _pair(
    sc: Scope, source: S.Expr, target: S.Expr, span: Span
) -> tuple[C.ZoneUse, C.ZoneUse] | None:
    a, b = _zone(sc, source), _zone(sc, target)
    if a is None or b is None:
        return None
    if a.zone.family is not b.zone.family:
        sc.ruleset.error(
            "RW0635", span,
            f"{quoted(a.zone.name)} holds {a.zone.family.name}, {quoted(b.zone.name)} holds {b.zone.family.name}",
            expected="two zones of one family of pieces",
        )  # fmt: skip
        return None
    return a, b


def _public_act(sc: Scope, span: Span) -> None:
    """That pieces move is seen by all, so it may not hang on what is hidden."""
    if sc.secrecy is not None:
        must_be_public(sc, None, span, "moving pieces")


def _public_count(sc: Scope, count: C.Expr | None, what: str) -> None:
    if count is not None and count.secrecy is not None:
        sc.ruleset.error(
            "RW0701", count.span, f"how many are {what} would show everyone {hidden_part(count)}",
            hint="use reveal(…) where the rules make it known",
        )  # fmt: skip


def check_draw(sc: Scope, stmt: S.Draw, cites: C.Cites) -> list[C.Stmt]:
    pair = _pair(sc, stmt.source, stmt.target, stmt.span)
    local = sc.declare(stmt.var, pair[0].zone.family.kind if pair else BAD)
    if pair is None:
        return []
    _public_act(sc, stmt.span)
    if sc.together is not None:
        sc.ruleset.error(
            "RW0702",
            stmt.span,
            "a drawn piece is seen by all, but choices made together are secret",
            hint="draw it before or after the together block",
        )
    if pair[1].secrecy is not None:
        sc.ruleset.error(
            "RW0711",
            stmt.span,
            "a drawn piece is seen by all, but the target zone is not public",
            hint="write: deal 1 from … to …",
        )
    told = texts.chance_told(sc, stmt.say, stmt.span)
    lands = order.check_landing(sc, stmt.lands, pair[1])
    if pair[0].zone.order is not None and pair[0].zone.seen is None:
        # all, or some, know what lies on top: now all do
        top: C.Expr = order.top_of(pair[0], None, stmt.span)
        if top.secrecy is not None:
            top = C.Reveal(top, top.type, stmt.span)
        taken = C.Use(local, local.type, stmt.span)
        move = _by_place(taken, None, pair, lands, stmt.span)
        return [C.SLet(local, top, stmt.span, cites), move, *told]
    quiet = stmt.say is not None
    draw = C.SDraw(local, pair[0], pair[1], stmt.span, cites, quiet, _top(pair[0]), lands)
    return [draw, *told]


def _by_place(
    kind: C.Expr,
    at: C.Expr | None,
    pair: tuple[C.ZoneUse, C.ZoneUse],
    lands: C.Landing | None,
    span: Span,
    cites: C.Cites = (),
) -> C.SMove:
    """The piece at a place (the top one if none is named) of a zone that somebody sees goes elsewhere."""
    place = at or C.Const(1, IntT(1, 1), span)
    return C.SMove(None, kind, *pair, False, span, cites, False, place, lands)


def _top(zone: C.ZoneUse) -> C.Expr | None:
    return None if zone.zone.order is None else C.Const(1, IntT(1, 1))


def check_deal(sc: Scope, stmt: S.Deal, cites: C.Cites) -> list[C.Stmt]:
    count = expressions.need_int(sc, stmt.count)
    pair = _pair(sc, stmt.source, stmt.target, stmt.span)
    if pair is None:
        return []
    _public_act(sc, stmt.span)
    _public_count(sc, count, "dealt")
    most = order.most_of(pair[0].zone.family)
    if (
        isinstance(count.type, IntT)
        and count.type.low is not None
        and count.type.low > most > 0
        and not sc.ruleset.problems.has_errors
    ):
        sc.ruleset.error(
            "RW0613", stmt.count.span, f"so many pieces there never are: this is {count.type.low}",
            expected=f"at most {most}",
        )  # fmt: skip
    quiet = stmt.say is not None
    lands = order.check_landing(sc, stmt.lands, pair[1])
    one: C.Stmt = C.SDraw(
        None, pair[0], pair[1], stmt.span, cites, quiet, _top(pair[0]), lands
    )  # fmt: skip
    if pair[0].zone.order is not None and pair[0].zone.seen is None:
        top = order.top_of(pair[0], None, stmt.span)
        one = _by_place(top, None, pair, lands, stmt.span, cites)
    target = pair[1]
    knows = target.owner if target.zone.visible == "owner" else None
    told = texts.chance_told(sc, stmt.say, stmt.span, knows)
    if isinstance(count, C.Const) and count.value == 1:
        return [one, *told]
    return [_so_often(sc, count, one, stmt.span, cites), *told]


def _so_often(sc: Scope, count: C.Expr, one: C.Stmt, span: Span, cites: C.Cites) -> C.Stmt:
    local = sc.ruleset.local("dealt", IntT(1, None))
    low = C.Const(1, IntT(1, 1))
    high = count.type.high if isinstance(count.type, IntT) else None
    return C.SFor(local, C.Range(low, count, RangeT(1, high), span), None, [one], span, cites)


def check_move(sc: Scope, stmt: S.Move, cites: C.Cites) -> list[C.Stmt]:
    r = sc.ruleset
    pair = _pair(sc, stmt.source, stmt.target, stmt.span)
    if pair is None:
        for part in (stmt.count, stmt.kind, stmt.at):
            if part is not None:
                expressions.check_expr(sc, part)
        return []
    source, target = pair
    count = None if stmt.count is None else expressions.need_int(sc, stmt.count)
    kind = None if stmt.kind is None else expressions.need(sc, stmt.kind, source.zone.family.kind)
    at = None if stmt.at is None else order.place_of(sc, stmt.at, source)
    _public_act(sc, stmt.span)
    _public_count(sc, count, "moved")
    lands = order.check_landing(sc, stmt.lands, target)
    if stmt.at is not None:
        if at is None:
            return []
        if source.zone.seen is not None:
            return [C.SDraw(None, source, target, stmt.span, cites, True, at, lands)]
        kind = order.top_of(source, at, stmt.span)
    elif kind is None:
        order.check_all(sc, source, target, stmt)
    hidden_from = source.secrecy if kind is None else kind.secrecy
    if (
        hidden_from is not None
        and target.secrecy not in (hidden_from, C.team_of(hidden_from), C.NOBODY)
        and not C.sees(target.secrecy, hidden_from)
        and not stmt.revealing
    ):
        hint = "if the rules make it known, write: move … revealing"
        if target.secrecy is not None and stmt.kind is None and stmt.at is None:
            hint += "; if only who looks there learns of them: deal size(…) from … to …"
        message = f"this would show what is in {quoted(source.zone.name)}, which {who_sees(source.zone.visible)}"
        r.error("RW0712", stmt.span, message, hint=hint)
    if sc.together is not None and target.secrecy is None:
        r.error(
            "RW0702",
            stmt.span,
            "choices made together are secret, but the target zone is public",
            hint="move the pieces to a zone that only their owner sees",
        )
    quiet, told = stmt.say is not None, texts.chance_told(sc, stmt.say, stmt.span)
    many = None if order.is_ordered(source, target) else count
    move = C.SMove(
        many, kind, source, target, stmt.revealing, stmt.span, cites, quiet, at, lands
    )  # fmt: skip
    if count is not None and many is None:
        # each has a place of its own
        return [_so_often(sc, count, move, stmt.span, cites), *told]
    return [move, *told]


def check_shuffle(sc: Scope, stmt: S.Shuffle, cites: C.Cites) -> list[C.Stmt]:
    return order.check_shuffle(sc, _zone(sc, stmt.zone), stmt.span, cites)


# ---------------------------------------------------------------- standing pieces


def check_put(sc: Scope, stmt: S.Put, cites: C.Cites) -> list[C.Stmt]:
    r = sc.ruleset
    standing = r.standing.get(stmt.pieces.text)
    if standing is None:
        r.unknown(stmt.pieces.text, stmt.pieces.span, "standing pieces", r.standing)
        for e in (stmt.source, stmt.value, *(e for _, e in stmt.fields)):
            expressions.check_expr(sc, e)
        sc.declare(stmt.var, BAD)
        return []
    source = _zone(sc, stmt.source)
    value = expressions.need(sc, stmt.value, standing.family.kind)
    fields: dict[str, C.Expr] = {}
    guessed: set[str] = set()
    for name, e in stmt.fields:
        if name.text not in standing.fields:
            r.lacks(standing.name, "field", name, standing.fields)
            expressions.check_expr(sc, e)
            guess = nearest(name.text, standing.fields.keys() - fields.keys())
            guessed.update(() if guess is None else (guess,))
            continue
        got = expressions.need(sc, e, standing.fields[name.text])
        if got.secrecy is not None:
            r.error(
                "RW0701",
                got.span,
                f"the field {quoted(name.text)} is seen by all; it would show {hidden_part(got)}",
                hint="use reveal(…) where the rules make it known",
            )
        fields[name.text] = got
    for missing in standing.fields:
        if missing not in fields and missing not in guessed:
            r.error(
                "RW0636",
                stmt.span,
                f"the field {quoted(missing)} of the new piece is not given",
                hint=f"write: with …, {missing} = …",
            )
    seen = None
    if stmt.seen is not None and not _is_all(stmt.seen):
        seen = expressions.need(sc, stmt.seen, r.kinds["Player"].type)
    _public_act(sc, stmt.span)
    local = sc.declare(stmt.var, standing.handle)
    if source is None:
        return []
    if source.zone.family is not standing.family:
        _other_family(sc, source.zone, standing, stmt.source.span)
        return []
    everyone = stmt.seen is not None and _is_all(stmt.seen)
    token = None if everyone else C.NOBODY if seen is None else owner_token(seen)
    if value.secrecy is not None and token is None:
        r.error(
            "RW0712",
            value.span,
            f"this would show everyone {hidden_part(value)}",
            hint="choose it openly, or write: seen by p",
        )
    return [C.SPut(local, standing, value, source, fields, seen, everyone, stmt.span, cites)]


def _other_family(sc: Scope, zone: C.Zone, standing: C.Standing, span: Span) -> None:
    expected = listed([z.name for z in standing.family.zones])
    sc.ruleset.error(
        "RW0635",
        span,
        f"{quoted(zone.name)} holds {zone.family.name}, but a {standing.name} is of {standing.family.name}",
        expected=expected,
    )


def _is_all(e: S.Expr) -> bool:
    return isinstance(e, S.Ref) and e.name == "all"


def _piece(sc: Scope, e: S.Expr) -> tuple[C.Expr, C.Standing] | None:
    got = expressions.check_expr(sc, e)
    if isinstance(got.type, KindT) and got.type.name in sc.ruleset.standing:
        return got, sc.ruleset.standing[got.type.name]
    if not isinstance(got.type, BadT):
        sc.ruleset.error(
            "RW0637",
            got.span,
            f"this is {article(got.type)}",
            expected=listed([f"a {name}" for name in sc.ruleset.standing]) or "a standing piece",
            hint=(
                'what is no piece is told, tell "…" to p, or made known to all: reveal(…)'
                if isinstance(got, C.Read)
                else None
            ),
        )
    return None


def check_take(sc: Scope, stmt: S.Take, cites: C.Cites) -> list[C.Stmt]:
    found = _piece(sc, stmt.piece)
    target = _zone(sc, stmt.target)
    _public_act(sc, stmt.span)
    if found is None or target is None:
        return []
    piece, standing = found
    if target.zone.family is not standing.family:
        _other_family(sc, target.zone, standing, stmt.target.span)
        return []
    return [C.STake(piece, standing, target, stmt.span, cites)]


def check_show(sc: Scope, stmt: S.Show, cites: C.Cites) -> list[C.Stmt]:
    place = order.shown_place(sc, stmt.piece)
    found = _piece(sc, stmt.piece) if place is None else None
    who = None
    if stmt.to is not None and not _is_all(stmt.to):
        player = sc.ruleset.kinds["Player"].type
        who = needed(sc, expressions.check_expr(sc, stmt.to, player), player)
    _public_act(sc, stmt.span)
    if place is not None:
        zone, at = place
        everyone = stmt.to is None or _is_all(stmt.to)
        look = C.SDraw(
            None, zone, zone, stmt.span, cites, at=at, look=who, all_look=everyone
        )  # fmt: skip
        return [look] if zone.zone.seen is not None else []
    if found is None:
        return []
    return [C.SShow(found[0], found[1], who, stmt.span, cites)]
