"""A folder, a player count and chosen variants into the folder of that one ruleset.

What comes out has no variants and no value that differs by player count, so that nothing later
needs to know of either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from rulewright.compiler.read.folder import (
    Cell,
    Column,
    Constant,
    Folder,
    OptionDecl,
    Row,
    Table,
    Variant,
)
from rulewright.compiler.read.overlay_apply import Overlay, needed
from rulewright.compiler.read.read_values import BY_PLAYERS, by_players, read_cell
from rulewright.compiler.read.yaml_nodes import Node, YMap
from rulewright.compiler.text.diagnostics import Problems, did_you_mean, listed, quoted

MAX_RULESETS = 400


def resolve(
    folder: Folder, players: int, variants: Sequence[str], problems: Problems
) -> Folder | None:
    """The folder for a player count with variants laid over it; nothing when they do not fit."""
    # Problems drops repeated ones, so whether this call found any must be counted apart.
    own = Problems()
    chosen = _choose(folder, players, variants, own)
    resolved: Folder | None = None
    if not own.has_errors:
        overlay = Overlay(folder, own)
        for variant in chosen:
            overlay.apply(variant)
        resolved = _for_players(overlay.folder(chosen, players), players, own)
    for problem in own:
        problems.add(problem)
    return None if own.has_errors else resolved


def rulesets(folder: Folder) -> list[tuple[int, tuple[str, ...]]]:
    """Every player count without a variant, with each one, and with each two that go together.

    A variant that needs others comes with them. Pairs are left out once there are very many.
    """
    found: dict[tuple[int, tuple[str, ...]], None] = {}
    needs = {name: needed(folder, name) for name in folder.variants}
    for players in folder.game.players:
        found[players, ()] = None
        free = sorted(v.name for v in folder.variants.values() if not v.automatic)
        fixed = [v.name for v in _automatic(folder, players)]
        for size in (1, 2):
            for names in combinations(free, size):
                if len(found) >= MAX_RULESETS:
                    return list(found)
                wanted = _with_needs(needs, names)
                if _compatible(folder, players, (*fixed, *wanted)):
                    found[players, tuple(name for name in wanted if name not in fixed)] = None
    return list(found)


# --- choosing ---------------------------------------------------------------------------------


def _automatic(folder: Folder, players: int) -> list[Variant]:
    fitting = (v for v in folder.variants.values() if v.automatic and players in v.players)
    return sorted(fitting, key=lambda variant: variant.name)


def _with_needs(all_needs: dict[str, set[str]], names: Iterable[str]) -> tuple[str, ...]:
    """The names and what they need, each after what it needs itself."""
    order: dict[str, None] = {}
    for name in names:
        # What is needed by more stands lower: a variant needs more than each of its needs does.
        needs = sorted(all_needs[name] - {name}, key=lambda n: (len(all_needs.get(n, ())), n))
        order.update(dict.fromkeys([*needs, name]))
    return tuple(order)


def _compatible(folder: Folder, players: int, names: Sequence[str]) -> bool:
    chosen = [folder.variants[name] for name in names if name in folder.variants]
    return len(chosen) == len(names) and all(
        players in variant.players
        and not any(name.text in names for name in variant.excludes)
        and all(name.text in names for name in variant.needs)
        for variant in chosen
    )


def _choose(
    folder: Folder, players: int, names: Sequence[str], problems: Problems
) -> list[Variant]:
    """The variants to apply, in order; whatever keeps them from going together is reported."""
    at = folder.game.span
    if players not in folder.game.players:
        message = f"{folder.game.title} is not for {players} players"
        expected = listed(str(count) for count in folder.game.players)
        problems.error("RW0402", at, message, expected=expected)
        return []
    chosen = {variant.name: variant for variant in _automatic(folder, players)}
    given: set[str] = set()
    for name in names:
        variant = folder.variants.get(name)
        if variant is None:
            problems.error(
                "RW0401",
                at,
                f"there is no variant {quoted(name)}",
                expected=listed(folder.variants) or None,
                hint=did_you_mean(name, folder.variants),
            )
        elif name in given:
            problems.error("RW0413", variant.span, f"the variant {quoted(name)} is chosen twice")
        elif players not in variant.players:
            message = f"the variant {quoted(name)} is not for {players} players"
            expected = listed(str(count) for count in variant.players)
            problems.error("RW0403", variant.span, message, expected=expected)
        else:
            chosen.setdefault(name, variant)
        given.add(name)
    for variant in chosen.values():
        for name_ in variant.needs:
            if name_.text not in chosen and name_.text not in given:
                message = f"the variant {quoted(variant.name)} needs {quoted(name_.text)}"
                problems.error("RW0404", name_.span, message, hint="choose it too")
        for name_ in variant.excludes:
            if name_.text in chosen:
                message = f"{quoted(variant.name)} cannot be played with {quoted(name_.text)}"
                problems.error("RW0405", name_.span, message, hint="choose one of them")
    return _needs_first(folder, list(chosen.values()))


def _needs_first(folder: Folder, chosen: list[Variant]) -> list[Variant]:
    """In the order given, but each after those it needs: it is written to lie on top of them."""
    order: list[Variant] = []
    waiting = list(chosen)
    while waiting:
        names = {variant.name for variant in waiting}
        # Variants that need each other stay as given.
        ready = (v for v in waiting if not (needed(folder, v.name) - {v.name}) & names)
        order.append(next(ready, waiting[0]))
        waiting.remove(order[-1])
    return order


# --- player counts ----------------------------------------------------------------------------


def _for_players(folder: Folder, players: int, problems: Problems) -> Folder:
    """The folder with every value that differs by player count settled."""
    tables = {name: _table_for(table, players, problems) for name, table in folder.tables.items()}
    constants: dict[str, Constant] = {}
    for name, constant in folder.constants.items():
        node = _value_for(constant.node, players, problems)
        constants[name] = constant if node is constant.node else replace(constant, node=node)
    options: dict[str, OptionDecl] = {}
    for name, option in folder.options.items():
        options[name] = replace(option, default=_value_for(option.default, players, problems))
    return replace(folder, tables=tables, constants=constants, options=options)


def _table_for(table: Table, players: int, problems: Problems) -> Table:
    rows: dict[str, Row] = {}
    for row in table.rows.values():
        changed: dict[str, Cell] = {}
        for name, cell in row.cells.items():
            node = _value_for(cell.node, players, problems)
            if node is not cell.node:
                changed[name] = read_cell(table.columns[name], node, problems, None)
        rows[row.name] = replace(row, cells={**row.cells, **changed}) if changed else row
    if table.each is None:
        return replace(table, rows=rows)
    columns: dict[str, Column] = {}
    for column in table.columns.values():
        default = None if column.default is None else _value_for(column.default, players, problems)
        columns[column.name] = replace(column, default=default)
    return replace(table, rows=rows, columns=columns)


def _value_for(node: Node, players: int, problems: Problems) -> Node:
    """The value for one player count; the node itself when it does not depend on that."""
    values = by_players(node)
    if not isinstance(values, YMap):
        return node
    value = values.get(str(players))
    if value is None:
        message = f"there is no value for {players} players"
        hint = f"add '{players}: …' under '{BY_PLAYERS}'"
        problems.error("RW0412", values.span, message, expected=None, hint=hint)
        return node
    return value
