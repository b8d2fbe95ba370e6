"""A resolved folder → the typed tree of one ruleset (core.Game), or problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulewright.compiler.check.demand import ensure_body, ensure_code, function, procedure
from rulewright.compiler.check.expressions import need_bool, need_int
from rulewright.compiler.check.hooks import bind_hooks
from rulewright.compiler.check.kinds import check_type
from rulewright.compiler.check.luck import check_luck
from rulewright.compiler.check.outcome import Outcome, check_outcome, only_outcome, team_numbers
from rulewright.compiler.check.possible import check_possible
from rulewright.compiler.check.properties import check_properties
from rulewright.compiler.check.scope import BUILTINS, GEOMETRY, Ruleset, Scope
from rulewright.compiler.check.state_and_pieces import check_pieces_decl, check_state
from rulewright.compiler.check.tables_to_kinds import check_kinds
from rulewright.compiler.check.usage import check_recursion, check_usage
from rulewright.compiler.check.usual import set_usual
from rulewright.compiler.check.what_if import check_tried
from rulewright.compiler.check.work import check_work
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.keep_order import keep_order
from rulewright.compiler.core.trace_secrets import trace_secrets
from rulewright.compiler.core.trace_seen import trace_seen
from rulewright.compiler.core.types import BoolT
from rulewright.compiler.read.folder import Folder
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, Related, did_you_mean, quoted
from rulewright.compiler.text.source import Span


@dataclass(frozen=True, slots=True)
class Estimates:
    """Numbers that tell how good a position is for a player p, and what is wrong with them."""

    expressions: Sequence[S.Expr]
    problems: Problems


def check_game(
    folder: Folder,
    problems: Problems,
    options: Mapping[str, object] | None = None,
    facts: Mapping[str, S.Expr] | None = None,
    estimates: Estimates | None = None,
) -> C.Game | None:
    """`facts` are further conditions to compile beside the game, by name (scenarios use them).

    `estimates` are only looked at, and what is wrong with them is told apart (bots use them).
    """
    r = Ruleset(folder, problems)
    try:
        return _check(r, options or {}, facts or {}, estimates)
    except RecursionError:
        # everything that is known to nest has a limit; this is for what is not
        r.error("RW0836", folder.game.span, "the rules are nested too deeply to be checked")
        return None


def _check(
    r: Ruleset,
    options: Mapping[str, object],
    facts: Mapping[str, S.Expr],
    estimates: Estimates | None,
) -> C.Game | None:
    problems = r.problems
    check_kinds(r, options)
    _declare(r)
    for later in list(r.unmade.values()):
        later()
    check_properties(r)
    bind_hooks(r)
    check_state(r)
    set_usual(r)
    for name in r.functions:
        function(r, name, r.functions[name].span)
    _code_columns(r)
    for name in r.procedures:
        procedure(r, name)
    for p in r.checked_procedures.values():
        ensure_body(r, p)
    for column in _columns(r):
        for code in column.code or ():
            if isinstance(code, C.Procedure):
                ensure_body(r, code)
    if check_recursion(r) and check_possible(r) and check_tried(r) and not problems.has_errors:
        check_work(r)
    check_luck(r)
    game = _finish(r, options, facts)
    if estimates is not None:
        _look_at(r, estimates)
    check_usage(r)
    if game is None or problems.has_errors:
        return None
    trace_secrets(game, r.local)
    trace_seen(game, r.local)
    keep_order(game, r.local)
    return game


def _look_at(r: Ruleset, estimates: Estimates) -> None:
    """What they name counts as used; the game is right or wrong without them."""
    of_game, r.problems = r.problems, estimates.problems
    for estimate in estimates.expressions:
        sc = Scope(r, pure=True, owner="evaluation")
        sc.declare(S.Name("p", estimate.span), r.kinds["Player"].type)
        need_int(sc, estimate)
    r.problems = of_game


# ---------------------------------------------------------------- declarations


def _declare(r: Ruleset) -> None:
    seen: dict[str, Span] = {name: c.span for name, c in r.constants.items()}
    for decl in r.folder.decls:
        match decl:
            case S.Function(name) | S.Procedure(name) | S.StateVar(name) | S.Pieces(name):
                _new_name(r, seen, name)
            case S.Hook() | S.Invariant() | S.Outcome() | S.Together() | S.Heuristic():
                pass
        match decl:
            case S.Function():
                r.functions[decl.name.text] = decl
            case S.Procedure():
                r.procedures[decl.name.text] = decl
            case S.StateVar():
                check_state_name(r, decl)
            case S.Pieces():
                for zone in decl.zones:
                    _new_name(r, seen, zone.name)
                if decl.standing is not None:
                    _new_name(r, seen, decl.standing.name)
                check_pieces_decl(r, decl)
            case S.Hook() | S.Invariant() | S.Outcome() | S.Together() | S.Heuristic():
                pass


def check_state_name(r: Ruleset, decl: S.StateVar) -> None:
    r.cite(decl.cites)
    type_ = check_type(r, decl.type)
    r.state[decl.name.text] = C.StateVar(
        decl.name.text, type_, decl.visible, None if decl.resets is None else decl.resets.text, None, decl.span
    )  # fmt: skip


def _new_name(r: Ruleset, seen: dict[str, Span], name: S.Name) -> None:
    if name.text in seen:
        r.error(
            "RW0506", name.span, f"{quoted(name.text)} is declared twice",
            related=[Related(seen[name.text], "first declared here")],
        )  # fmt: skip
    elif name.text in r.kinds:
        table = r.folder.tables.get(name.text)
        r.error(
            "RW0506", name.span, f"{quoted(name.text)} is already the name of a table" if table else f"{quoted(name.text)} is a built-in kind",
            related=[Related(table.span, "the table")] if table else (),
        )  # fmt: skip
    elif name.text in ("score", *BUILTINS) and name.text not in GEOMETRY:
        r.used.add(name.text)
        r.error(
            "RW0506", name.span, f"{quoted(name.text)} is built in", hint="give it another name"
        )
    seen[name.text] = name.span


# ---------------------------------------------------------------- code in tables


def _columns(r: Ruleset) -> list[C.KindColumn]:
    return [c for kind in r.kinds.values() for c in kind.columns.values()]


def _code_columns(r: Ruleset) -> None:
    for table in r.folder.tables.values():
        kind = r.kinds[table.name]
        for column in list(kind.columns.values()):
            if column.type is None:
                ensure_code(r, kind, column)


# ---------------------------------------------------------------- the rest


def _finish(
    r: Ruleset, options: Mapping[str, object], facts: Mapping[str, S.Expr]
) -> C.Game | None:
    game_file = r.folder.game
    play = r.checked_procedures.get("play")
    if play is None:
        near = did_you_mean("play", r.procedures)
        r.error(
            "RW0507",
            game_file.span,
            "there is no procedure play()",
            expected="procedure play(): …, which is the game",
            hint=near,
        )
    elif play.params or play.result is not None:
        r.error(
            "RW0508",
            r.procedures["play"].name.span,
            "play() takes nothing and gives nothing back",
            expected="procedure play():",
            hint="it is the game; go over the players inside it",
        )
    r.used.add("play")
    invariants: list[C.Invariant] = []
    outcome: Outcome | None = None
    first_outcome: Span | None = None
    heuristic: tuple[C.Local, C.Expr] | None = None
    for decl in r.folder.decls:
        match decl:
            case S.Invariant(name, test, cites, span):
                sc = Scope(r, pure=True, owner=name.text)
                r.asserting = True
                invariants.append(C.Invariant(name.text, need_bool(sc, test), span, r.cite(cites)))
                r.asserting = False
            case S.Outcome(cites=cites, span=span) | S.Together(cites=cites, span=span):
                first_outcome = only_outcome(r, first_outcome, span)
                r.cite(cites)
                outcome = check_outcome(r, decl)
            case S.Heuristic(var, value, cites, span):
                r.cite(cites)
                sc = Scope(r, pure=True, owner="heuristic")
                local = sc.declare(var, r.kinds["Player"].type)
                heuristic = (local, need_int(sc, value))
            case S.StateVar() | S.Pieces() | S.Function() | S.Procedure() | S.Hook():
                pass
    if outcome is None:
        r.error(
            "RW0510",
            game_file.span,
            "no rules file says who wins",
            expected="an outcome",
            hint="write: outcome p in Player by score[p]",
        )
    compiled: dict[str, C.Function] = {}
    # conditions of scenarios are about a table at which each seat is somebody
    player = r.kinds["Player"].type
    seats: dict[str, C.Expr] = {f"seat_{i}": C.Const(i, player) for i in range(player.size)}
    for asked, fact in facts.items():
        sc = Scope(r, pure=True, owner=asked, consts=seats)
        holds = need_bool(sc, fact)
        body: list[C.Stmt] = [C.SReturn(holds, fact.span)]
        compiled[asked] = C.Function(asked, [], BoolT(), body, fact.span, (), None, True)
    if play is None or outcome is None:
        return None
    all_options: dict[str, object] = {}
    for option in r.folder.options:
        all_options[option] = r.constants[option].value if option in r.constants else None
    return C.Game(
        game_file.game, game_file.title, r.folder.players, r.folder.applied, all_options,
        tuple(r.kinds["Player"].texts), r.kinds["Participant"].texts, dict(game_file.reasons), r.kinds,
        list(r.state.values()), list(r.families.values()), r.all_functions, r.all_procedures, play,
        invariants, outcome.var, outcome.domain, outcome.keys, heuristic, team_numbers(r), outcome.by_team,
        outcome.together, compiled, game_file.most_decisions,
    )  # fmt: skip
