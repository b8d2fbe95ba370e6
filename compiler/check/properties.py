"""Constants and tables with their values known → whether they keep to the bounds and properties that the spec states."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.compiler.check.kinds import const_int
from rulewright.compiler.check.scope import Ruleset
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BAD, BadT, BoolT, IntT, ListT
from rulewright.compiler.read.folder import Bounds, Constant, Property, Table
from rulewright.compiler.read.yaml_nodes import YList
from rulewright.compiler.text.diagnostics import Related, quoted
from rulewright.compiler.text.source import Span


def check_properties(r: Ruleset) -> None:
    for constant in r.folder.constants.values():
        if constant.bounds is not None and not _constant(r, constant, constant.bounds):
            # what follows from a wrong number is not to blame
            r.constants[constant.name] = C.Const(0, BAD, constant.span)
    wrong = {(p.span.file, p.span.line) for p in r.problems.errors}
    for table in r.folder.tables.values():
        cells = [cell for row in table.rows.values() for cell in row.cells.values()]
        if any((cell.span.file, cell.span.line) in wrong for cell in cells):
            continue  # what follows from a wrong cell is not to blame
        for each in table.properties:
            _CHECKS[each.name](r, table, each)


# ---------------------------------------------------------------- constants


def _limits(r: Ruleset, bounds: Bounds) -> tuple[int | None, int | None]:
    least = None if bounds.least is None else const_int(r, bounds.least)
    most = None if bounds.most is None else const_int(r, bounds.most)
    if least is not None and most is not None and least > most:
        r.error("RW0602", bounds.span, f"there is no number from {least} to {most}")
        return None, None
    return least, most


def _wanted(least: int | None, most: int | None) -> str:
    if least is None:
        return f"at most {most}"
    if most is None:
        return f"at least {least}"
    return str(least) if least == most else f"from {least} to {most}"


def _constant(r: Ruleset, constant: Constant, bounds: Bounds) -> bool:
    """Whether a constant keeps to its bounds."""
    value = r.constants[constant.name]
    related = [Related(bounds.span, "its bounds")] if bounds.span != constant.span else []
    least, most = _limits(r, bounds)
    if isinstance(value.type, BadT):
        return True
    numbers: Sequence[int]
    if isinstance(value.type, IntT) and isinstance(value.value, int):
        numbers, spans = (value.value,), [constant.node.span]
    elif isinstance(value.type, ListT) and isinstance(value.value, tuple):
        numbers = value.value if isinstance(value.type.element, IntT) else ()
        items = constant.node.items if isinstance(constant.node, YList) else []
        spans = [item.span for item in items]
    else:
        what = "true or false" if isinstance(value.type, BoolT) else "no number"
        r.error(
            "RW0323", bounds.span, f"{quoted(constant.name)} is {what} and has no bounds",
            hint="only numbers and lists have bounds",
        )  # fmt: skip
        return True
    fine = True
    for number, span in zip(numbers, spans, strict=False):
        if (least is not None and number < least) or (most is not None and number > most):
            message = f"{number} is not allowed for {quoted(constant.name)}"
            r.error("RW0323", span, message, expected=_wanted(least, most), related=related)
            fine = False
    length = None if bounds.length is None else const_int(r, bounds.length)
    if length is None:
        return fine
    if not isinstance(value.value, tuple):
        r.error("RW0323", bounds.span, f"{quoted(constant.name)} is no list and has no length")
    elif len(value.value) != length:
        count = f"{len(value.value)} entr{'y' if len(value.value) == 1 else 'ies'}"
        message = f"{quoted(constant.name)} has {count}"
        r.error(
            "RW0324", constant.node.span, message, expected=f"{length} of them", related=related
        )
        fine = False
    return fine


# ---------------------------------------------------------------- tables


def _lacks(
    r: Ruleset, table: Table, at: Span, message: str, each: Property, hint: str | None = None
) -> None:
    related = [Related(each.span, "the table says so here, and the rules rely on it")]
    cells = [cell for row in table.rows.values() for cell in row.cells.values()]
    changed = [cell.span for cell in cells if cell.span.file != table.span.file]
    if changed and at.file == table.span.file:
        related.append(Related(changed[0], "a variant changes the table here"))
    r.error("RW0326", at, message, hint=hint, related=related)


def _masks(r: Ruleset, table: Table) -> list[int] | None:
    column = r.kinds[table.name].columns.get(table.graph or "")
    if column is None:
        return None
    return [value if isinstance(value, int) else 0 for value in column.values]


def _connected(r: Ruleset, table: Table, each: Property) -> None:
    masks, rows = _masks(r, table), list(table.rows.values())
    if not masks or not rows:
        return
    seen, waiting = 1, [0]
    while waiting:
        new = masks[waiting.pop()] & ~seen
        seen |= new
        waiting += [i for i in range(len(masks)) if new >> i & 1]
    lost = [i for i in range(len(rows)) if not seen >> i & 1]
    if lost:
        others = f" (nor {len(lost) - 1} more)" if len(lost) > 1 else ""
        _lacks(
            r, table, rows[lost[0]].span,
            f"there is no way from {quoted(rows[0].name)} to {quoted(rows[lost[0]].name)}{others}: {table.name} falls apart",
            each, f"name a neighbour in '{table.graph}'",
        )  # fmt: skip


def _acyclic(r: Ruleset, table: Table, each: Property) -> None:
    """Rows are joined one link after the other: a link inside one group closes a circle."""
    masks, rows = _masks(r, table), list(table.rows.values())
    if not masks:
        return
    group = list(range(len(rows)))

    def root(i: int) -> int:
        while group[i] != i:
            group[i] = i = group[group[i]]
        return i

    for i, row in enumerate(rows):
        if masks[i] >> i & 1:
            message = f"{quoted(row.name)} is its own neighbour, so {table.name} has a circle"
            _lacks(r, table, row.span, message, each)
        for j in range(i + 1, len(rows)):
            if not masks[i] >> j & 1:
                continue
            a, b = root(i), root(j)
            if a == b:
                message = (
                    f"the link between {quoted(row.name)} and {quoted(rows[j].name)} closes a circle:"
                    f" there are two ways between some rows of {table.name}"
                )
                _lacks(r, table, rows[j].span, message, each, "take one link out of the circle")
                return
            group[a] = b


def _chain(r: Ruleset, table: Table, each: Property) -> None:
    name = each.columns[0].text
    column, rows = r.kinds[table.name].columns.get(name), list(table.rows.values())
    if column is None or column.type is None or isinstance(column.type, BadT) or not rows:
        return
    after = [value if isinstance(value, int) else 0 for value in column.values]
    led_to = {j for i, j in enumerate(after) if i != j}
    starts = [i for i in range(len(rows)) if i not in led_to]
    if not starts:
        message = f"'{name}' leads round in a circle: no row of {table.name} is the first"
        _lacks(r, table, rows[0].span, message, each, "the last row names itself")
        return
    if len(starts) > 1:
        # told at the later one: rows are added at the end
        at = rows[starts[-1]]
        message = f"nothing leads to {quoted(at.name)}: the chain of {table.name} begins at {quoted(rows[starts[0]].name)}"
        _lacks(r, table, at.span, message, each, f"let the '{name}' of another row name it")
        return
    seen: dict[int, None] = {}
    place = starts[0]
    while place not in seen:
        seen[place] = None
        if after[place] == place:
            break
        place = after[place]
    else:
        message = f"'{name}' leads from {quoted(rows[list(seen)[-1]].name)} back to {quoted(rows[place].name)}"
        _lacks(r, table, rows[list(seen)[-1]].span, message, each, "the last row names itself")
        return
    lost = [i for i in range(len(rows)) if i not in seen]
    if lost:
        message = f"the chain of {table.name} never comes to {quoted(rows[lost[0]].name)}"
        _lacks(r, table, rows[lost[0]].span, message, each)


def _distinct(r: Ruleset, table: Table, each: Property) -> None:
    columns = [r.kinds[table.name].columns.get(name.text) for name in each.columns]
    if any(column is None for column in columns):
        return
    shown = " and ".join(f"'{name.text}'" for name in each.columns)
    seen: dict[str, str] = {}
    for i, row in enumerate(table.rows.values()):
        key = repr([column.values[i] for column in columns if column is not None])
        first = seen.setdefault(key, row.name)
        if first != row.name:
            message = f"{quoted(row.name)} has the same {shown} as {quoted(first)}"
            _lacks(r, table, row.span, message, each)


def _rows(r: Ruleset, table: Table, each: Property) -> None:
    if each.bounds is None:
        return
    least, most = _limits(r, each.bounds)
    count, rows = len(table.rows), list(table.rows.values())
    if most is not None and count > most:
        message = f"{table.name} has {count} rows, and {quoted(rows[most].name)} is one too many"
        _lacks(r, table, rows[most].span, message, each, f"{_wanted(least, most)} rows")
    elif least is not None and count < least:
        message = f"{table.name} has {count} rows, which is too few"
        _lacks(r, table, table.span, message, each, f"{_wanted(least, most)} rows")


_CHECKS = {
    "connected": _connected,
    "acyclic": _acyclic,
    "chain": _chain,
    "distinct": _distinct,
    "rows": _rows,
}
