"""A low-level program → the C of its engine: types, tables, functions, the dispatcher, and a list of the state's fields.

What it is compiled with stands in `runtime/c`: the extension type that makes a Python module of it reads the list of fields.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from rulewright.compiler.emit import c_types as K
from rulewright.compiler.emit.c_naming import LINE_BITS, function, table
from rulewright.compiler.emit.c_statements import Functions, field_cell
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.walk_low import expressions_in, statements
from rulewright.runtime.hashes import hash_of

# a loop over numbers that nothing limits gives a list no more than so many
_UNKNOWN = 64
# what seats see is written once a step at most, and is long: a quarter of the C compiler's time, at its best, for nothing that is felt
_SEEING = ("observe", "observe_locals", "mark_legal")


@dataclass(frozen=True, slots=True)
class Ends:
    """What players win by: the team of each seat, which is one of its own in most games; what all must reach together, or 0."""

    teams: tuple[int, ...]
    together: int = 0


def print_c(
    program: L.Program, most_decisions: int, fits: str | None, scales: list[float], ends: Ends
) -> str:
    """The whole of an engine's own C; `scales` are what the numbers of an observation are multiplied with."""
    printer = Functions(program, _longest(program))
    before = _before(printer, program, program.functions)
    fields = _fields(printer, program)
    parts: list[Iterable[str]] = [
        before,
        ["", *_dispatch(program), ""],
        _facts(printer, program, most_decisions, fits),
        [
            f"#define RW_SEEN {len(scales)}",
            f"#define RW_PLAYERS {len(ends.teams)}",
            f"#define RW_TOGETHER {ends.together}",
            f"static const int rw_team[] = {{{', '.join(map(str, ends.teams))}}};",
            f"static const float rw_scale[] = {{{', '.join(f'{x.hex()}f' for x in array('f', scales))}}};",
        ],
        fields,
        ["", '#include "rw_engine.h"', ""],
    ]
    return "\n".join(line for part in parts for line in part)


def print_judge(program: L.Program) -> str:
    """The estimate of a program and what it calls, to judge the states of an engine that keeps the same things in the same places."""
    known = {f.name: f for f in program.functions}
    wanted: dict[str, L.Function] = {}
    rest = ["heuristic"]
    while rest:
        f = known[rest.pop()]
        if f.name not in wanted:
            wanted[f.name] = f
            rest += [e.name for e in expressions_in(f.body) if isinstance(e, L.Call)]
    printer = Functions(program, _longest(program))
    before = _before(printer, program, [f for f in program.functions if f.name in wanted])
    return "\n".join([*before, "", *_places(printer), '#include "rw_own_judge.h"', ""])


def _before(printer: Functions, program: L.Program, wanted: Sequence[L.Function]) -> list[str]:
    """Types, the state, tables and functions."""
    functions: list[str] = []
    for f in wanted:
        text = printer.function(f)
        functions += ["", "RW_SOONER", *text, "RW_AS_BEFORE"] if f.name in _SEEING else ["", *text]
    heads = [f"{printer.head(f)};" for f in wanted]
    state = _state(printer, program)
    tables = [_table(printer, t) for t in program.tables]
    lists = [items.declared() for _, items in sorted(printer.lists.items())]
    return [
        "/* A generated engine. Do not edit. */",
        '#include "rulewright.h"',
        "",
        *(line for n in sorted(printer.sets) for line in (f"RW_SET({n})", f"RW_ZONE({n})")),
        *lists,
        "",
        *state,
        f'#define RW_LAYOUT "{hash_of(state)}"',
        "",
        *tables,
        "",
        *heads,
        *functions,
    ]


def _longest(program: L.Program) -> int:
    """How many entries a list can have whose length nothing limits: none is longer than what lists are made from."""
    found = [1]
    for t in (*(f.type for f in program.fields), *(t.type for t in program.tables)):
        match t:
            case T.Items(_, limit) | T.Array(T.Items(_, limit)):
                found.append(limit or 0)
            case T.Array(T.Array(_, length)):
                found.append(length)
            case T.Bool() | T.Int() | T.Set() | T.Zone() | T.Text() | T.Rows() | T.Array():
                pass
            case _:
                assert_never(t)
    for table_ in program.tables:
        found += [len(v) for v in table_.values if isinstance(v, tuple)]
        found.append(len(table_.values) if isinstance(table_.type, T.Items) else 0)
    for f in program.functions:
        for s in statements(f.body):
            if isinstance(s, L.Append) and isinstance(s.to.type, T.Items):
                found.append(_UNKNOWN if s.to.type.limit is None else s.to.type.limit)
        for e in expressions_in(f.body):
            if isinstance(e, L.ListOf):
                found.append(len(e.items))
            if isinstance(e.type, T.Items):
                found.append(e.type.limit or 0)
            if isinstance(e.type, T.Rows):
                found.append(_UNKNOWN if e.type.most is None else e.type.most)
    return max(found)


# ---------------------------------------------------------------- the state


def _state(printer: Functions, program: L.Program) -> list[str]:
    """Wide fields first, so that nothing is lost between them."""
    rows: list[tuple[int, str]] = []
    for f in program.fields:
        t: T.Type = f.type
        size = ""
        if isinstance(t, T.Array):
            size, t = f"[{max(1, t.length)}]", t.element
        if isinstance(t, T.Items):
            rows.append((4, f"{printer.items(t).c} x_{f.name}{size};"))
            continue
        cell = _cell(f)
        if cell.words > 1:
            printer.sets.add(cell.words)
        rows.append((64 if cell.words > 1 else cell.bits, f"{cell.c} x_{f.name}{size};"))
    rows.sort(key=lambda row: -row[0])
    return ["typedef struct {", *(f"    {text}" for _, text in rows), "} rw_state;"]


def _cell(f: L.StateField) -> K.Cell:
    if f.name == "opts":
        # the options of a decision are read by words
        return K.Cell("u", 64, K.words(f.type))
    if f.name == "rng":
        return K.Cell("i", 64)
    return field_cell(f)


def _fields(printer: Functions, program: L.Program) -> list[str]:
    """For each field its name, and how Python gets at it."""
    rows = []
    for f in program.fields:
        t: T.Type = f.type
        length = -1
        if isinstance(t, T.Array):
            length, t = t.length, t.element
        name = f"x_{f.name}"
        at = f"offsetof(rw_state, {name})"
        if isinstance(t, T.Items):
            items = printer.items(t)
            kind = "RW_LIST_OF_SETS" if items.cell.sign == "u" else "RW_LIST"
            step = f"sizeof(((rw_state *)0)->{name}{'[0]' if length >= 0 else ''})"
            rows.append(
                f'    {{"{f.name}", {kind}, {at}, {length}, {items.cell.bits // 8 * items.cell.words}, {items.room}, {step}}},'
            )
            continue
        cell = _cell(f)
        kind = (
            "RW_OPTIONS" if f.name == "opts" else "RW_MEMBERS" if cell.sign == "u" else "RW_NUMBER"
        )
        size = cell.bits // 8 * cell.words
        rows.append(f'    {{"{f.name}", {kind}, {at}, {length}, {size}, 0, {size}}},')
    first = [_first(f) for f in program.fields]
    return [
        "static const rw_field rw_fields[] = {",
        *rows,
        "};",
        "static void rw_begin_fields(rw_state *s) {",
        "    memset(s, 0, sizeof *s);",
        *(line for lines in first for line in lines),
        "}",
    ]


def _first(f: L.StateField) -> list[str]:
    """What a field holds before the first step, where that is not zero."""
    place = f"    s->x_{f.name}"
    if isinstance(f.type, T.Array):
        out = []
        for i, v in enumerate(f.first):
            out += _first_value(f"{place}[{i}]", f.type.element, v)
        return out
    if isinstance(f.type, T.Items):
        return _first_value(place, f.type, f.first)
    return [] if not f.first else _first_value(place, f.type, f.first[0])


def _first_value(place: str, t: T.Type, value: object) -> list[str]:
    if isinstance(value, tuple):
        out = [
            f"{place}.a[{i}] = {_constant(t.element if isinstance(t, T.Items) else t, v)};"
            for i, v in enumerate(value)
        ]
        return [*out, f"{place}.n = {len(value)};"] if value else []
    assert isinstance(value, int)
    return [f"{place} = {_constant(t, value)};"] if value else []


def _constant(t: T.Type, value: object) -> str:
    assert isinstance(value, int)
    if isinstance(t, T.Set | T.Zone):
        return K.set_literal(value, K.words(t))
    return K.literal(int(value))


# ---------------------------------------------------------------- tables


def _table(printer: Functions, t: L.Table) -> str:
    name = table(t.name)
    match t.type:
        case T.Items():
            items = printer.items(t.type)
            return f"static const {items.c} {name} = {_list(items, t.values)};"
        case T.Array(T.Items() | T.Array() as element):
            if isinstance(element, T.Array):
                assert isinstance(element.element, T.Int | T.Set)
                element = T.Items(element.element, element.length)
            items = printer.items(element)
            rows = ", ".join(_list(items, v) for v in t.values if isinstance(v, tuple))
            return f"static const {items.c} {name}[{max(1, len(t.values))}] = {{{rows}}};"
        case T.Array(element, length):
            if isinstance(element, T.Text):
                return f"/* {t.name} is for people */"
            cell = K.cell(element)
            numbers = [v for v in t.values if isinstance(v, int)]
            if cell.sign == "i":
                # what stands in a table may be narrower or wider than its type says
                cell = K.number_cell(min(numbers, default=0), max(numbers, default=0))
            if cell.words > 1:
                printer.sets.add(cell.words)
            values = ", ".join(_initial(cell, v) for v in numbers)
            return f"static const {cell.c} {name}[{max(1, length)}] = {{{values or 0}}};"
        case T.Bool() | T.Int() | T.Set() | T.Zone() | T.Text() | T.Rows():
            raise AssertionError(f"no table is {T.show(t.type)}")
        case _:
            assert_never(t.type)


def _initial(cell: K.Cell, value: int) -> str:
    """A constant as an initialiser, where C allows no casts."""
    if cell.words > 1:
        parts = (f"UINT64_C({value >> 64 * i & (1 << 64) - 1:#x})" for i in range(cell.words))
        return f"{{{{{', '.join(parts)}}}}}"
    return f"UINT64_C({value:#x})" if cell.sign == "u" else K.literal(int(value))


def _list(items: K.Items, values: tuple[object, ...]) -> str:
    inner = ", ".join(_initial(items.cell, v) for v in values if isinstance(v, int))
    return f"{{{len(values)}, {{{inner or 0}}}}}"


# ---------------------------------------------------------------- where the game goes on


def _dispatch(program: L.Program) -> list[str]:
    out = ["static int64_t rw_decide(rw_state *s, int64_t pc, int64_t v) {", "    switch (pc) {"]
    out += [
        f"    case {n}: return {function(name)}(s, v);"
        for n, name in enumerate(program.decisions)
        if name is not None
    ]
    out += ["    }", "    rw_fail(RW_LOST, 0, pc, 0, 0, 0);", "}"]
    out += ["static int64_t rw_go_on(rw_state *s, int64_t pc) {", "    switch (pc) {"]
    out += [
        f"    case {n}: return {function(name)}(s);"
        for n, name in enumerate(program.points)
        if name is not None
    ]
    out += ["    }", "    rw_fail(RW_LOST, 0, pc, 0, 0, 0);", "}"]
    out += [f"static int64_t rw_start(rw_state *s) {{ return {function(program.start)}(s); }}"]
    return out


def _facts(
    printer: Functions, program: L.Program, most_decisions: int, fits: str | None
) -> list[str]:
    known = {f.name: f for f in program.functions}
    ranked = known["rank_keys"].result
    assert isinstance(ranked, T.Rows)
    fitting = f"{function(fits)}(s)" if fits is not None else "true"
    return [
        f"#define RW_OPTION_WORDS {K.words(next(f.type for f in program.fields if f.name == 'opts'))}",
        f"#define RW_POINTS {len(program.sizes)}",
        f"#define RW_ACTIONS {max(o + n for o, n in zip(program.offsets, program.sizes, strict=True))}",
        f"#define RW_MOST INT64_C({most_decisions})",
        f"#define RW_RANK_WIDTH {ranked.width}",
        f"#define RW_RANK_MOST {8 if ranked.most is None else max(1, ranked.most)}",
        f"static const int32_t rw_offset[] = {{{', '.join(map(str, program.offsets))}}};",
        f"static const int32_t rw_size[] = {{{', '.join(map(str, program.sizes))}}};",
        *_places(printer),
        f"static bool rw_fits(rw_state *s) {{ (void)s; return {fitting}; }}",
    ]


def _places(printer: Functions) -> list[str]:
    names = "".join(f'"{_text(f)}", ' for f in printer.files)
    return [
        f"#define RW_LINE_BITS {LINE_BITS}",
        f"static const char *const rw_files[] = {{{names}NULL}};",
    ]


def _text(text: str) -> str:
    """A text of the spec's as one of C's: what is no plain letter is spelled by its bytes."""
    return "".join(
        chr(b) if 32 <= b < 127 and b not in (34, 63, 92) else f"\\{b:03o}" for b in text.encode()
    )
