"""A ruleset in blocks → its low-level program, and what else is known of it: places, counters, checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BOOL
from rulewright.compiler.flow import blocks as B
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.actions import action_numbers
from rulewright.compiler.low.beforehand import worked_before
from rulewright.compiler.low.counters import Counters
from rulewright.compiler.low.dead_copies import without_dead_copies
from rulewright.compiler.low.flavour import Flavour
from rulewright.compiler.low.lower_audit import audit
from rulewright.compiler.low.lower_blocks import BlockLowering
from rulewright.compiler.low.lower_calls import call
from rulewright.compiler.low.lower_comprehensions import most_of, over
from rulewright.compiler.low.lower_expressions import entry
from rulewright.compiler.low.lower_full import full_functions
from rulewright.compiler.low.lower_options import settle
from rulewright.compiler.low.lower_statements import Statements
from rulewright.compiler.low.names import Names, title
from rulewright.compiler.low.one_name import with_one_name
from rulewright.compiler.low.shared_tables import Tables
from rulewright.compiler.low.shorten import shortened
from rulewright.compiler.low.state_layout import Layout, layout, low_type
from rulewright.compiler.low.try_out import giving_back
from rulewright.compiler.text.source import Span


@dataclass(slots=True)
class Lowered:
    """The program of an engine, and what leads back from it to the rules."""

    program: L.Program
    layout: Layout
    blocks: B.Program
    places: list[Span]
    hits: list[Span]
    asked: list[int]
    fails: list[C.SReturn]
    checks: list[str]
    # for each block the locals whose value is still needed when it begins
    live: dict[int, set[int]]
    # by the number of a place: the zone that may hold no piece there
    holders: dict[int, C.Zone]
    # the function that tells whether hidden things fit together, if the game has one
    fits: str | None


def lower(game: C.Game, blocks: B.Program, *, full: bool, checking: bool = False) -> Lowered:
    """One flavour of an engine."""
    lay = layout(game, blocks)
    flavour = Flavour(game, full, counts=full)
    tables = Tables(Names.of_module())
    tables.reserve(game)
    lowering = BlockLowering(blocks, lay, tables, flavour)
    functions = [lowering.function(block) for block in blocks.blocks if block.is_function]
    functions += [_procedure(p, lay, tables, flavour) for p in blocks.plain]
    functions += [*lowering.refresh(), *_outcome(game, lay, tables, flavour)]
    if full:
        functions += full_functions(game, lowering)
    checks: list[str] = []
    if checking:
        audited = audit(game, lowering)
        functions += audited.functions
        checks = audited.checks
    fits = None if game.fits is None else tables.function_name(game.fits)
    functions += _drained(lay, tables, flavour)
    functions = giving_back(functions, tables.trying)
    counters = Counters()
    # only the full flavour is counted, and only the fast one is made short
    if full:
        functions = counters.counted(functions)
    else:
        pure = {name for of, name in tables.functions.items() if of in tables.written}
        functions = [without_dead_copies(with_one_name(worked_before(f, pure))) for f in functions]
    offsets, sizes = action_numbers(game, blocks)
    program = L.Program(
        (*_own_fields(game, lay), *lay.fields, *(_full_fields(len(counters.hits)) if full else ())),
        tuple(tables.tables.values()), tuple(functions), lowering.names[blocks.start.number],
        lowering.decisions(), lowering.other_points(), tuple(offsets), tuple(sizes),
        tuple(number for _, number in sorted(lowering.named.items())),
    )  # fmt: skip
    return Lowered(
        program, lay, blocks, tables.places, counters.hits, counters.asked, flavour.fails, checks, lowering.live,
        tables.holders, fits,
    )  # fmt: skip


def _own_fields(game: C.Game, lay: Layout) -> list[L.StateField]:
    """Where the game stands: what every state has before the fields of the rules."""
    given = [low_type(p.result) for p in game.procedures if p.result is not None]
    wide = max((t.size for t in given if isinstance(t, T.Set) and T.is_wide(t)), default=0)
    sets = [L.StateField("value_set", T.Set(wide), (0,), "the set that a procedure gives back")]
    return [
        L.StateField("pc", T.PC, (0,), "the number of the pending decision, 0 at the end"),
        L.StateField("who", T.Int(-4, None), (0,), "the seat that decides, -1 for chance, -4 at the end"),
        L.StateField("opts", lay.options, (0,), "the options of the pending decision"),
        L.StateField("rng", T.Int(0, (1 << 63) - 1), (), "the random state, from the seed"),
        L.StateField("value", T.INT, (0,), "what a procedure gives back"),
        L.StateField("values", T.Items(T.INT), (), "the list that a procedure gives back"),
        *(sets if wide else ()),
    ]  # fmt: skip


def _full_fields(hits: int) -> list[L.StateField]:
    wide = T.Set(T.WORD + 1)
    return [
        L.StateField("pool", wide, (0,)),
        L.StateField("kinds", wide, (0,)),
        L.StateField("digit", T.INT, (0,)),
        L.StateField("barriers", wide, (0,)),
        L.StateField("explicit", T.BOOL, (0,)),
        L.StateField("checked", T.BOOL, (1,)),
        L.StateField("asks_all", T.BOOL, (0,)),
        L.StateField("story", T.Rows(-1), ()),
        L.StateField("failed", T.INT, (-1,)),
        L.StateField("hits", T.Array(wide, hits), (0,) * hits),
    ]


def _drained(lay: Layout, tables: Tables, flavour: Flavour) -> list[L.Function]:
    """Functions and dispatchers are lowered when something first calls them, and may call others."""
    out: list[L.Function] = []
    while tables.queue or tables.dispatch_queue:
        if tables.queue:
            out.append(_function(tables.queue.pop(0), lay, tables, flavour))
        else:
            out.append(_by_row(*tables.dispatch_queue.pop(0), lay, tables, flavour))
    return out


def _function(f: C.Function, lay: Layout, tables: Tables, flavour: Flavour) -> L.Function:
    body = Statements(lay, tables, {}, flavour)
    params = tuple(body.local(p) for p in f.params)
    if not (flavour.full and f.reads_state):
        body.flavour = flavour.quiet()
    elif f in tables.possibles.values():
        body.flavour = flavour.only_asking()
    if f.tries:
        tables.trying[tables.function_name(f)] = body.names
    body.at = L.Origin(f.span, f.name, f.cites)
    body.stmts(shortened(tables, f).body if body.inline else f.body)
    return L.Function(
        tables.function_name(f), params, low_type(f.result), title(f.name, f.cites), tuple(body.statements),
        f.reads_state, L.Origin(f.span, f.name, f.cites),
    )  # fmt: skip


def _procedure(p: C.Procedure, lay: Layout, tables: Tables, flavour: Flavour) -> L.Function:
    body = Statements(lay, tables, {}, flavour)
    params = tuple(body.local(x) for x in p.params)
    body.at = L.Origin(p.span, p.name, p.cites)
    body.stmts(p.body)
    result = None if p.result is None else low_type(p.result)
    return L.Function(
        tables.procedure_name(p), params, result, title(p.name, p.cites), tuple(body.statements),
        at=L.Origin(p.span, p.name, p.cites),
    )  # fmt: skip


def _by_row(
    what: str,
    name: str,
    kind: C.Kind,
    column: C.KindColumn,
    lay: Layout,
    tables: Tables,
    flavour: Flavour,
) -> L.Function:
    """One function that runs the code of whichever row is meant."""
    body = Statements(lay, tables, {}, flavour.quiet())
    body.inline = not flavour.full  # what is laid in here would not be counted
    params = [C.Local(f"a{i}", t, -100 - i) for i, t in enumerate(column.params)]
    body.names.take("row")
    row = L.Local("row", T.Int(0, len(kind.members) - 1))
    given = tuple(body.local(p) for p in params)
    result: T.Type | None = {"possible": T.BOOL, "procedure": None}.get(what)
    if what == "function":
        assert column.result is not None
        result = low_type(column.result)
    uses = tuple(C.Use(p, p.type) for p in params)
    for i, code in enumerate(column.code or []):
        with body.when(L.Compare("==", row, L.number(i))):
            if isinstance(code, C.Function):
                body.give(call(body, code, uses))
            elif isinstance(code, C.Procedure) and what == "possible":
                asked = settle(body, C.CanRun(code, None, None, None, uses, BOOL))
                body.give(body.truth(asked))
            elif isinstance(code, C.Procedure):
                body.stmt(C.SRun(code, None, None, None, uses, None))
                body.give(None)
            else:
                body.give(L.TRUE if what == "possible" else None)
    body.give(_nothing(what, result))
    words = f"{kind.name}.{column.name} of a row"
    return L.Function(name, (row, *given), result, words, tuple(body.statements))


def _nothing(what: str, result: T.Type | None) -> L.Expr | None:
    match result:
        case None:
            return None
        case T.Bool():
            return L.TRUE if what == "possible" else L.FALSE
        case T.Items():
            return L.ListOf((), result)
        case T.Array() | T.Int() | T.Rows() | T.Set() | T.Text() | T.Zone():
            return L.number(0)
        case _:
            assert_never(result)


def _outcome(game: C.Game, lay: Layout, tables: Tables, flavour: Flavour) -> list[L.Function]:
    """rank_keys(s): for each ranked participant its keys, the higher the better; heuristic(s, p)."""
    body = Statements(lay, tables, {}, flavour.quiet())
    body.names.take("rows")
    width = 1 + len(game.outcome_keys)
    rows = L.Local("rows", T.Rows(width, most_of(game.outcome_domain)))
    body.let(rows, L.ListOf((), rows.type))
    who = body.local(game.outcome_var)
    with body.place(game.outcome_keys[0].span):
        domain = over(body, game.outcome_domain)
        with body.over(who, domain):
            keys = tuple(body.expr(k) for k in game.outcome_keys)
            body.statements.append(L.Append(rows, L.Row((who, *keys)), body.at))
    body.give(rows)
    words = "For the final ranking: the participant, then the keys that rank it."
    ranked = L.Function("rank_keys", (), rows.type, words, tuple(body.statements))
    judge = Statements(lay, tables, {}, flavour.quiet())
    if game.heuristic is None:
        p = judge.temp("p", T.Int(0, len(game.participants) - 1))
        judge.give(entry(lay.by_state["score"], p))
    else:
        p = judge.local(game.heuristic[0])
        with judge.place(game.heuristic[1].span):
            judge.give(judge.expr(game.heuristic[1]))
    words = "How good the position looks for a player."
    return [ranked, L.Function("heuristic", (p,), T.INT, words, tuple(judge.statements))]
