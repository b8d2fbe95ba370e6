"""A ruleset → the text of its engine module, and the table that leads its lines back to the spec."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import jinja2

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BOOL
from rulewright.compiler.emit.emit_audit import audit
from rulewright.compiler.emit.emit_blocks import BlockEmitter
from rulewright.compiler.emit.emit_full import full_functions
from rulewright.compiler.emit.emit_options import settle
from rulewright.compiler.emit.emit_stmt import Statements
from rulewright.compiler.emit.emit_tables import Tables
from rulewright.compiler.emit.emit_words import python_type
from rulewright.compiler.emit.flavour import Asking, Flavour, Quiet
from rulewright.compiler.emit.layout import FULL_FIELDS, OWN_FIELDS, Field, Layout, layout
from rulewright.compiler.emit.names import IMPORTS, METHODS, Names
from rulewright.compiler.emit.outline import action_numbers
from rulewright.compiler.emit.spelling import docstring
from rulewright.compiler.emit.writer import Writer
from rulewright.compiler.flow.blocks import Program
from rulewright.compiler.text.source import Span


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
    holders: dict[int, C.Zone] = field(default_factory=dict)
    # the function that tells whether hidden things fit together, if the game has one
    fits: str | None = None


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
    names = Names.of_module()
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
    fits = None if game.fits is None else tables.function_name(game.fits)
    writers.extend(_drain(lay, tables, flavour))
    offsets, sizes = action_numbers(game, program)
    fields = _fields(lay, full, len(flavour.hits))
    text = _render(
        game, program, tables, writers, fields, offsets, max(sizes), emitter, full, ruleset_hash, source,
    )  # fmt: skip
    return Module(
        text, _line_spans(text, writers), lay, program, tables.places, flavour.hits, flavour.asked, flavour.fails, offsets, sizes, checks,
        tables.holders, fits,
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
        body.out.line(docstring(_title(f.name, f.cites)))
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
    return f"{name} ({known})" if known else name


def plain_procedure(p: C.Procedure, lay: Layout, tables: Tables, flavour: Flavour) -> Writer:
    body = Statements(lay, tables, {}, flavour)
    name = tables.procedure_name(p)
    result = "None" if p.result is None else python_type(p.result)
    with body.out.block(f"def {name}(s: State{_params(body, p.params)}) -> {result}:"):
        body.out.line(docstring(_title(p.name, p.cites)))
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
    body.names.take("row")
    params = [C.Local(f"a{i}", t, -100 - i) for i, t in enumerate(column.params)]
    text = _params(body, params)
    result = {"possible": "bool", "procedure": "None"}.get(what)
    if result is None:
        assert column.result is not None
        result = python_type(column.result)
    uses = tuple(C.Use(p, p.type) for p in params)
    with body.out.block(f"def {name}(s: State, row: i64{text}) -> {result}:"):
        body.out.line(docstring(f"{kind.name}.{column.name} of a row"))
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
    body.names.take("rows")
    with body.out.block("def rank_keys(s: State) -> list[tuple[int, ...]]:"):
        body.out.line('"""For the final ranking: the participant, then the keys that rank it."""')
        body.out.line("rows: list[tuple[int, ...]] = []")
        with body.out.block(body.loop(game.outcome_var, game.outcome_domain)):
            keys = [body.value(k) for k in game.outcome_keys]
            who = body.local(game.outcome_var)
            body.out.line(f"rows.append(({', '.join([who, *keys])}))")
        body.out.line("return rows")
    judge = Statements(lay, tables, {}, Quiet(flavour))
    asked = judge.temp("p") if game.heuristic is None else judge.local(game.heuristic[0])
    judge.annotated.add(asked)
    with judge.out.block(f"def heuristic(s: State, {asked}: i64) -> int:"):
        judge.out.line('"""How good the position looks for a player."""')
        value = f"s.score[{asked}]" if game.heuristic is None else judge.value(game.heuristic[1])
        judge.out.line(f"return {value}")
    body.out.lines += judge.out.lines
    return body.out


@dataclass(slots=True)
class _FieldText:
    name: str
    type: str
    copy: str
    first: str


def _fields(lay: Layout, full: bool, hits: int) -> list[_FieldText]:
    out = [_own_field(*own) for own in OWN_FIELDS]
    if lay.opts_wide:
        next(f for f in out if f.name == "opts").type = "int"
    out += [_field(f) for f in lay.fields]
    if full:
        out += [_own_field(*own) for own in FULL_FIELDS]
        out[-1].first = f"[0] * {hits}"
    return out


def _own_field(name: str, type_: str, first: str) -> _FieldText:
    # the story grows in place, so a copy has its own
    return _FieldText(name, type_, f"self.{name}{'[:]' if name == 'story' else ''}", first)


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
    for module, names in IMPORTS.items():
        wanted = [n for n in names if n in used]
        if wanted:
            imports.append((module, ", ".join(wanted)))
    methods = [{"name": n, "params": p, "result": r, "call": c} for n, p, r, c in METHODS]
    variants = f", with {', '.join(game.variants)}" if game.variants else ""
    title = f"{game.title}, {game.players} players{variants}: a generated engine. Do not edit."
    return _template().render(
        title=docstring(title)[3:-3], source=docstring(source)[3:-3], hash=ruleset_hash,
        imports=imports, tables=shown, offsets=_wrapped(str(offsets)), most=most, most_decisions=game.most_decisions, fields=fields, methods=methods,
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
