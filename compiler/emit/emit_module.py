"""A ruleset → the text of its engine module, and the table that leads its lines back to the spec."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import jinja2

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.calls import calls_of
from rulewright.compiler.core.types import BOOL, count_of
from rulewright.compiler.emit.emit_audit import audit
from rulewright.compiler.emit.emit_blocks import BlockEmitter
from rulewright.compiler.emit.emit_full import full_functions
from rulewright.compiler.emit.emit_options import settle
from rulewright.compiler.emit.emit_stmt import Statements
from rulewright.compiler.emit.emit_tables import Tables
from rulewright.compiler.emit.emit_words import python_type
from rulewright.compiler.emit.flavour import Asking, Flavour, Quiet
from rulewright.compiler.emit.layout import Field, Layout, layout
from rulewright.compiler.emit.names import Names
from rulewright.compiler.emit.writer import Writer
from rulewright.compiler.flow.blocks import Program
from rulewright.compiler.text.source import Span

_IMPORTS = {
    "arrays": ("Ints", "int_rows", "ints", "repeated"),
    "bits": ("BIT", "COMPILED", "FEW", "bit", "first", "members", "nth", "pick", "size", "up_to"),
    "errors": ("IN_PLAY", "empty_zone", "list_too_long", "lost", "no_extreme", "no_option", "nothing_to_roll", "out_of_range", "too_many_steps"),
    "rng": ("LOW", "MULTIPLIER", "from_seed"),
    "support": ("FORCED", "MANY", "STEPS", "best_of",
        "first_of", "grouped_by", "in_length", "in_range", "item", "mask_of", "members_from", "name_or_none", "names_of", "position", "sorted_by", "times"),
    "zones": ("add", "count", "remove", "union"),
}  # fmt: skip

_METHODS = (
    ("returns", "", "list[float]", "api.returns(GAME, self)"),
    ("scores", "", "list[int]", "api.scores(GAME, self)"),
    ("ranking", "", "list[int]", "api.ranking(GAME, self)"),
    ("score_breakdown", "", "list[dict[str, int]]", "api.score_breakdown(GAME, self)"),
    ("reseed", ", seed: int", "None", "api.reseed(self, seed)"),
    ("chance_outcomes", "", "list[tuple[int, float]]", "api.chance_outcomes(GAME, self)"),
    ("action_to_string", ", action: int, viewer: int | None = None", "str", "api.action_to_string(GAME, self, action, viewer)"),
    ("action_to_dict", ", action: int", "dict[str, Any]", "api.action_to_dict(GAME, self, action)"),
    ("action_from_dict", ", data: dict[str, Any]", "int", "api.action_from_dict(GAME, self, data)"),
    ("to_dict", "", "dict[str, Any]", "api.to_dict(GAME, self)"),
    ("view", ", seat: int", "Any", "api.view(GAME, self, seat)"),
    ("why_not", ", choice: str, value: object", "list[Any]", "api.why_not(GAME, self, choice, value)"),
    ("__eq__", ", other: object", "bool", "api.equal(GAME, self, other)"),
    ("__hash__", "", "int", "api.hash_of(GAME, self)"),
)  # fmt: skip


@dataclass(slots=True)
class Module:
    """The text of an engine, where its lines come from, and what the runtime must know of it."""

    text: str
    spans: list[Span]
    layout: Layout
    program: Program
    places: list[Span]
    hits: list[Span]
    asked: list[int]
    fails: list[C.SReturn]
    offsets: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)


def emit_module(
    game: C.Game,
    program: Program,
    *,
    full: bool,
    ruleset_hash: str,
    source: str,
    checking: bool = False,
) -> Module:
    lay = layout(game, program)
    flavour = Flavour(game, full)
    names = Names()
    for group in _IMPORTS.values():
        for name in group:
            names.new(name)
    for name in (
        "State",
        "GAME",
        "RULESET",
        "OFFSET",
        "LEGAL",
        "run",
        "lost_decision",
        "lost_point",
        "DECISIONS",
        "POINTS",
        "go_on",
        "decide",
        "follow",
        "begin",
        "new_state",
        "playout",
        "playout_until",
        "playouts",
        "playouts_from",
        "api",
        "rank_keys",
        "heuristic",
        "refresh",
        "why",
        "say",
        "broken",
        "call",
        "reopen",
        "fact",
        "checked_playout",
    ):
        names.new(name)
    tables = Tables(names)
    tables.reserve(game)
    writers: list[Writer] = []
    emitter = BlockEmitter(program, lay, tables, flavour)
    for block in program.blocks:
        if block.is_function:
            writers.append(emitter.function(block))
    for p in program.plain:
        writers.append(plain_procedure(p, lay, tables, flavour))
    writers.append(emitter.dispatcher())
    writers.append(emitter.refresh())
    writers.append(outcome(game, lay, tables, flavour))
    if full:
        writers.extend(full_functions(game, program, lay, tables, flavour, emitter.names))
    checks: list[str] = []
    if checking:
        audited = audit(game, program, lay, tables)
        writers.extend(audited.writers)
        checks = audited.checks
    writers.extend(_drain(lay, tables, flavour))
    offsets, sizes = _actions(game, program)
    fields = _fields(lay, full, len(flavour.hits))
    text = _render(
        game, program, tables, writers, fields, offsets, max(sizes), emitter, full, ruleset_hash, source,
    )  # fmt: skip
    return Module(
        text, _line_spans(text, writers), lay, program, tables.places, flavour.hits, flavour.asked, flavour.fails, offsets, sizes, checks
    )  # fmt: skip


def _drain(lay: Layout, tables: Tables, flavour: Flavour) -> list[Writer]:
    """Functions and dispatchers are written when something first calls them, and may call others."""
    out: list[Writer] = []
    while tables.queue or tables.dispatch_queue:
        if tables.queue:
            out.append(function(tables.queue.pop(0), lay, tables, flavour))
        else:
            out.append(dispatch(*tables.dispatch_queue.pop(0), lay, tables, flavour))
    return out


def _params(body: Statements, params: list[C.Local]) -> str:
    parts = []
    for p in params:
        name = body.local(p)
        body.annotated.add(name)
        parts.append(f", {name}: {python_type(p.type)}")
    return "".join(parts)


def function(f: C.Function, lay: Layout, tables: Tables, flavour: Flavour) -> Writer:
    body = Statements(lay, tables, {}, flavour)
    params = _params(body, f.params)
    head = f"s: State{params}" if f.reads_state else params[2:]
    with body.out.block(f"def {tables.function_name(f)}({head}) -> {python_type(f.result)}:"):
        body.out.line(f'"""{_title(f.name, f.cites)}"""')
        known = len(flavour.hits)
        if not (flavour.full and f.reads_state):
            body.flavour = Quiet(flavour)
        elif f in tables.possibles.values():
            body.flavour = Asking(flavour)
        body.stmts(body.tables.shortened(body, f).body if body.inline else f.body)
        if isinstance(body.flavour, Asking):
            flavour.asked += range(known, len(flavour.hits))
    return body.out


def _title(name: str, cites: C.Cites) -> str:
    known = ", ".join(c for c in cites if not c.startswith(("assumed:", "stand-in:")))
    return harmless(f"{name} ({known})" if known else name)


def harmless(text: str) -> str:
    """Text for a docstring: on one line, and nothing in it can end the string."""
    return " ".join(text.replace("\\", "/").replace('"', "'").split())


def plain_procedure(p: C.Procedure, lay: Layout, tables: Tables, flavour: Flavour) -> Writer:
    body = Statements(lay, tables, {}, flavour)
    name = tables.procedure_name(p)
    result = "None" if p.result is None else python_type(p.result)
    with body.out.block(f"def {name}(s: State{_params(body, p.params)}) -> {result}:"):
        body.out.line(f'"""{_title(p.name, p.cites)}"""')
        body.stmts(p.body)
    return body.out


def dispatch(
    what: str,
    name: str,
    kind: C.Kind,
    column: C.KindColumn,
    lay: Layout,
    tables: Tables,
    flavour: Flavour,
) -> Writer:
    """One function that runs the code of whichever row is meant."""
    body = Statements(lay, tables, {}, Quiet(flavour))
    body.inline = not flavour.full  # what is laid in here would not be counted
    params = [C.Local(f"a{i}", t, -100 - i) for i, t in enumerate(column.params)]
    text = _params(body, params)
    result = {"possible": "bool", "procedure": "None"}.get(what)
    if result is None:
        assert column.result is not None
        result = python_type(column.result)
    uses = tuple(C.Use(p, p.type) for p in params)
    with body.out.block(f"def {name}(s: State, row: i64{text}) -> {result}:"):
        body.out.line(f'"""{kind.name}.{column.name} of a row"""')
        for i, code in enumerate(column.code or []):
            with body.out.block(f"if row == {i}:"):
                if isinstance(code, C.Function):
                    body.out.line(f"return {body.call(code, uses)[0]}")
                elif isinstance(code, C.Procedure) and what == "possible":
                    asked = settle(body, C.CanRun(code, None, None, None, uses, BOOL))
                    body.out.line(f"return {body.bool_at(asked, 0)}")
                elif isinstance(code, C.Procedure):
                    body.stmt(C.SRun(code, None, None, None, uses, None))
                    body.out.line("return")
                else:
                    body.out.line("return True" if what == "possible" else "return")
        nothing = {"bool": " False", "list[int]": " []"}.get(result, " 0")
        ends = {"possible": " True", "procedure": ""}
        body.out.line(f"return{ends.get(what, nothing)}")
    return body.out


def outcome(game: C.Game, lay: Layout, tables: Tables, flavour: Flavour) -> Writer:
    """rank_keys(s): for each ranked participant its keys, the higher the better."""
    body = Statements(lay, tables, {}, Quiet(flavour))
    with body.out.block("def rank_keys(s: State) -> list[tuple[int, ...]]:"):
        body.out.line('"""For the final ranking: the participant, then the keys that rank it."""')
        body.out.line("rows: list[tuple[int, ...]] = []")
        with body.out.block(body.loop(game.outcome_var, game.outcome_domain)):
            keys = [body.value(k) for k in game.outcome_keys]
            who = body.local(game.outcome_var)
            body.out.line(f"rows.append(({', '.join([who, *keys])}))")
        body.out.line("return rows")
    with body.out.block("def heuristic(s: State, p: i64) -> int:"):
        body.out.line('"""How good the position looks for a player."""')
        if game.heuristic is None:
            body.out.line("return s.score[p]")
        else:
            local, value = game.heuristic
            body.locals[local.number] = "p"
            body.annotated.add("p")
            body.out.line(f"return {body.value(value)}")
    return body.out


def _actions(game: C.Game, program: Program) -> tuple[list[int], list[int]]:
    """The first action of each decision and how many values it has; numbers of actions never change in play."""
    most = max(program.points, default=0)
    offsets, sizes = [0] * (most + 1), [0] * (most + 1)
    at = 0
    played = reached(game)
    # decisions that play never comes to, which only scenarios call, have their numbers after all others
    for ask in sorted(program.asks, key=lambda a: (a.resume.owner not in played, a.pc)):
        n = (count_of(ask.choice.element) or 0) + (1 if ask.choice.otherwise is not None else 0)
        offsets[ask.pc], sizes[ask.pc] = at, n
        at += n
    for chance in program.chances:
        event = chance.event
        kind = event.element if isinstance(event, C.SRoll) else event.source.zone.family.kind
        offsets[chance.pc], sizes[chance.pc] = 0, count_of(kind) or 0
    return offsets, sizes


def reached(game: C.Game) -> set[str]:
    """The procedures that play may run."""
    found: set[str] = set()
    stack = [game.play]
    while stack:
        p = stack.pop()
        if p.name not in found:
            found.add(p.name)
            stack.extend(callee for callee, _ in calls_of(p))
    return found


@dataclass(slots=True)
class _FieldText:
    name: str
    type: str
    copy: str
    first: str


def _fields(lay: Layout, full: bool, hits: int) -> list[_FieldText]:
    opts = "int" if lay.opts_wide else "i64"
    out = [
        _FieldText("pc", "i64", "self.pc", "0"),
        _FieldText("who", "i64", "self.who", "0"),
        _FieldText("opts", opts, "self.opts", "0"),
        _FieldText("rng", "i64", "self.rng", "from_seed(seed)"),
        _FieldText("value", "i64", "self.value", "0"),
        _FieldText("values", "list[int]", "self.values", "[]"),
    ]
    for f in lay.fields:
        out.append(_field(f))
    if full:
        out += [
            _FieldText("pool", "int", "self.pool", "0"),
            _FieldText("kinds", "int", "self.kinds", "0"),
            _FieldText("barriers", "int", "self.barriers", "0"),
            _FieldText("explicit", "bool", "self.explicit", "False"),
            _FieldText("checked", "bool", "self.checked", "True"),
            _FieldText("asks_all", "bool", "self.asks_all", "False"),
            _FieldText("story", "list[tuple[int, str]]", "self.story[:]", "[]"),
            _FieldText("failed", "i64", "self.failed", "-1"),
            _FieldText("hits", "list[int]", "self.hits", f"[0] * {hits}"),
        ]
    return out


def _field(f: Field) -> _FieldText:
    match f.shape:
        case "int":
            return _FieldText(f.name, "int" if f.wide else "i64", f"self.{f.name}", str(f.first[0]))
        case "items":
            # lists of the rules are never changed in place: a copy may share them
            return _FieldText(f.name, "list[int]", f"self.{f.name}", repr(f.first))
        case "lists":
            return _FieldText(f.name, "list[list[int]]", f"self.{f.name}[:]", repr(f.first))
        case _:
            same = len(set(map(repr, f.first))) == 1
            if f.wide:
                first = f"[{f.first[0]!r}] * {len(f.first)}" if same else repr(f.first)
                return _FieldText(f.name, "list[int]", f"self.{f.name}[:]", first)
            first = f"repeated({f.first[0]!r}, {len(f.first)})" if same else f"ints({f.first!r})"
            return _FieldText(f.name, "Ints", f"self.{f.name}[:]", first)


@dataclass(slots=True)
class _TableText:
    name: str
    type: str
    text: str


@lru_cache(maxsize=1)
def _template() -> jinja2.Template:
    folder = Path(__file__).parent / "templates"
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    return env.get_template("engine.py.j2")


def _render(
    game: C.Game,
    program: Program,
    tables: Tables,
    writers: list[Writer],
    fields: list[_FieldText],
    offsets: list[int],
    most: int,
    emitter: BlockEmitter,
    full: bool,
    ruleset_hash: str,
    source: str,
) -> str:
    texts = [w.text() for w in writers]
    body = "\n".join(texts)
    shown = [_table_text(n, tables.types[n], _wrapped(t)) for n, t in tables.text.items()]
    around = [w for f in fields for w in (f.type, f.first)]
    around += [w for t in shown for w in (t.type, t.text[:9])]
    used = (
        _words(body)
        | _words(" ".join(around))
        | {
            "COMPILED",
            "FEW",
            "FORCED",
            *(() if full else ("IN_PLAY",)),
            "first",
            "LOW",
            "MULTIPLIER",
            "nth",
            "pick",
            "size",
            "STEPS",
            "from_seed",
            "too_many_steps",
            "lost",
        }
    )
    imports = []
    for module, names in _IMPORTS.items():
        wanted = [n for n in names if n in used]
        if wanted:
            imports.append((module, ", ".join(wanted)))
    methods = [{"name": n, "params": p, "result": r, "call": c} for n, p, r, c in _METHODS]
    variants = f", with {', '.join(game.variants)}" if game.variants else ""
    return _template().render(
        title=harmless(game.title), players=game.players, variants=variants, source=source, hash=ruleset_hash,
        imports=imports, tables=shown, offsets=_wrapped(str(offsets)), most=most, fields=fields, methods=methods,
        functions=texts, decisions=_list_text(emitter.decisions()), points=_list_text(emitter.other_points()), start=emitter.names[program.start.number], full=full,
    )  # fmt: skip


def _table_text(name: str, type_: str, text: str) -> _TableText:
    maker = {"Ints": "ints", "list[Ints]": "int_rows"}.get(type_)
    return _TableText(name, type_, text if maker is None else f"{maker}({text})")


def _wrapped(text: str) -> str:
    """A long list over several lines, as many entries in each as fit."""
    if len(text) <= 60 or "'" in text or '"' in text:
        return text
    lines = textwrap.wrap(
        text[1:-1],
        94,
        break_long_words=False,
        break_on_hyphens=False,
        initial_indent="    ",
        subsequent_indent="    ",
    )
    return "[\n" + "\n".join(lines) + ",\n]"


def _list_text(names: list[str]) -> str:
    return _wrapped(f"[{', '.join(names)}]")


def _words(text: str) -> set[str]:
    import re

    return set(re.findall(r"[A-Za-z_]\w*", text))


def _line_spans(text: str, writers: list[Writer]) -> list[Span]:
    """For each line of the module where it comes from; lines of the template come from nowhere."""
    from rulewright.compiler.text.source import NOWHERE

    spans = [NOWHERE] * (text.count("\n") + 2)
    lines = text.split("\n")
    at = 0
    for w in writers:
        if not w.lines:
            continue
        first = "    " * w.lines[0][0] + w.lines[0][1]
        while at < len(lines) and lines[at] != first:
            at += 1
        for i, (_, _, span) in enumerate(w.lines):
            if at + i < len(spans):
                spans[at + i] = span
        at += len(w.lines)
    return spans
