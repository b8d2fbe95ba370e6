"""One variant after another onto the parts of a folder: what each changes, adds and removes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.compiler.read.folder import Constant, Folder, Row, Table, TableChange, Variant
from rulewright.compiler.read.read_table import default_cells, read_row, unknown_column
from rulewright.compiler.read.read_values import read_cell
from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, Related, did_you_mean, quoted
from rulewright.compiler.text.source import Span


def needed(folder: Folder, name: str) -> set[str]:
    """All variants that one needs, directly or through others."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        variant = folder.variants.get(waiting.pop())
        for need in variant.needs if variant is not None else ():
            if need.text not in found:
                found.add(need.text)
                waiting.append(need.text)
    return found


class Overlay:
    """The parts of a folder while variants are laid over it, and who has changed what."""

    def __init__(self, folder: Folder, problems: Problems) -> None:
        self._base = folder
        self._problems = problems
        self._tables = dict(folder.tables)
        self._constants = dict(folder.constants)
        self._options = dict(folder.options)
        self._decls = list(folder.decls)
        self._names: dict[str, Span] = {}
        for decl in folder.decls:
            for name in declared_names(decl):
                self._names.setdefault(name.text, name.span)
        self._neutral = list(folder.game.neutral)
        self._teams = folder.game.teams
        self._reasons = dict(folder.game.reasons)
        self._absent = {absent.clause: absent for absent in folder.absent}
        self._overruled: list[str] = []
        self._touched: dict[tuple[str, ...], list[tuple[Variant, Span]]] = {}

    def folder(self, chosen: Sequence[Variant], players: int) -> Folder:
        game = replace(
            self._base.game, neutral=tuple(self._neutral), teams=self._teams, reasons=self._reasons
        )
        return replace(
            self._base,
            game=game,
            tables=self._tables,
            constants=self._constants,
            options=self._options,
            decls=tuple(self._decls),
            variants={},
            variant_cites=tuple(c for v in self._base.variants.values() for c in v.cites),
            absent=tuple(self._absent.values()),
            overruled=tuple(self._overruled),
            applied=tuple(variant.name for variant in chosen),
            players=players,
        )

    def apply(self, variant: Variant) -> None:
        for constant in variant.constants.values():
            self._constant(constant, variant)
        for table in variant.new_tables.values():
            self._new_table(table, variant)
        for change in variant.tables:
            self._change_table(change, variant)
        for decl in variant.decls:
            self._declare(decl, variant)
        for option in variant.options.values():
            old = self._options.get(option.name)
            if old is not None:
                self._exists("the option", option.name, option.span, old.span)
            same = self._constants.get(option.name)
            if same is not None:
                hint = "options are read like constants: give one of them another name"
                self._exists("the constant", option.name, option.span, same.span, hint)
            self._options[option.name] = option
        for name in variant.neutral:
            if name in self._neutral or name in self._base.game.seats:
                self._exists("the participant", name, variant.span, None)
                continue
            self._neutral.append(name)
        if variant.teams_span is not None:
            self._clashes(("teams",), "the teams", variant, variant.teams_span)
            self._touch(("teams",), variant, variant.teams_span)
            self._teams = variant.teams
        for name, text in variant.reasons.items():
            if name in self._reasons:
                self._exists("the reason", name, variant.span, None)
            self._reasons[name] = text
        for clause in variant.overrules:
            self._overrule(clause)
        for absent in variant.absent:
            self._absent[absent.clause] = absent

    def _overrule(self, clause: S.Name) -> None:
        """A clause that held because no rule said otherwise no longer holds; several variants may say so."""
        if self._absent.pop(clause.text, None) is not None:
            self._overruled.append(clause.text)
        elif clause.text not in self._overruled:
            self._problems.error(
                "RW0415", clause.span, f"{quoted(clause.text)} is not listed under 'absent'",
                hint=did_you_mean(clause.text, self._absent),
            )  # fmt: skip

    def _exists(self, what: str, name: str, at: Span, first: Span | None, hint: str = "") -> None:
        related = [] if first is None else [Related(first, "it is defined here")]
        message = f"{what} {quoted(name)} exists already"
        self._problems.error("RW0408", at, message, hint=hint or None, related=related)

    def _clashes(self, key: tuple[str, ...], what: str, variant: Variant, at: Span) -> bool:
        """Whether another variant, which knows nothing of this one, has changed the same thing."""
        for first, where in self._touched.get(key, ()):
            if first is variant or first.automatic or variant.automatic:
                continue
            if first.name in needed(self._base, variant.name):
                continue
            if variant.name in needed(self._base, first.name):
                continue
            self._problems.error(
                "RW0411",
                at,
                f"the variants {quoted(first.name)} and {quoted(variant.name)} both change {what}",
                hint="let one of them need or exclude the other",
                related=[Related(where, f"{quoted(first.name)} changes it here")],
            )
            return True
        return False

    def _touch(self, key: tuple[str, ...], variant: Variant, at: Span) -> None:
        self._touched.setdefault(key, []).append((variant, at))

    def _constant(self, constant: Constant, variant: Variant) -> None:
        key, what = ("constant", constant.name), f"the constant {quoted(constant.name)}"
        self._clashes(key, what, variant, constant.span)
        self._touch(key, variant, constant.span)
        old = self._constants.get(constant.name)
        if old is None and not constant.new:
            near = did_you_mean(constant.name, self._constants)
            new = "write 'new: true' in it if the variant brings it along"
            self._problems.error(
                "RW0416", constant.span, f"there is no constant {quoted(constant.name)} to change",
                hint=new if near is None else f"{near} Or {new}",
            )  # fmt: skip
        elif old is not None and constant.new:
            hint = "leave out 'new' to change it"
            self._exists("the constant", constant.name, constant.span, old.span, hint)
        elif old is not None and not self._alike(old, constant):
            return
        elif constant.new and constant.name in self._options:
            first = self._options[constant.name].span
            self._exists("the option", constant.name, constant.span, first)
        self._constants[constant.name] = replace(
            constant,
            type=constant.type or (None if old is None else old.type),
            bounds=constant.bounds or (None if old is None else old.bounds),
            cites=constant.cites or variant.cites or (() if old is None else old.cites),
        )

    def _alike(self, old: Constant, new: Constant) -> bool:
        """Whether the value is of the sort that the constant has in the game."""
        was, now = _sort_of(old.node), _sort_of(new.node)
        if was is None or now is None or was == now:
            return True
        self._problems.error(
            "RW0410", new.node.span, f"{quoted(new.name)} is {was} in the game, and {now} here",
            hint="a variant changes the value of a constant, not its type",
            related=[Related(old.node.span, "it is defined here")],
        )  # fmt: skip
        return False

    # --- tables ---

    def _new_table(self, table: Table, variant: Variant) -> None:
        old = self._tables.get(table.name)
        if old is not None:
            hint = "change its rows with 'change', 'add' and 'remove'"
            self._exists("the table", table.name, table.span, old.span, hint)
            return
        rows = {n: replace(row, cites=row.cites or variant.cites) for n, row in table.rows.items()}
        self._tables[table.name] = replace(table, rows=rows, cites=table.cites or variant.cites)

    def _change_table(self, change: TableChange, variant: Variant) -> None:
        name = change.table
        table = self._tables.get(name.text)
        if table is None:
            message = f"there is no table {quoted(name.text)} to change"
            hint = did_you_mean(name.text, self._tables)
            self._problems.error("RW0406", name.span, message, hint=hint)
            return
        if table.each is not None and (change.add or change.remove or change.after):
            message = f"the rows of {table.name} are made: none can be added, removed or moved"
            related = [Related(table.each.span, "what they are made from")]
            hint = "change cells with 'change'"
            self._problems.error("RW0317", name.span, message, hint=hint, related=related)
            return
        rows = dict(table.rows)
        for row_name in change.change:
            self._change_row(table, rows, row_name, change, variant)
        for gone in change.remove:
            if not self._has_row(table, rows, gone, variant):
                continue
            if gone.text in change.change:
                message = f"{quoted(gone.text)} is removed here and changed as well"
                self._problems.error("RW0411", gone.span, message, hint="leave one of them out")
            what = f"the row {quoted(gone.text)} of {table.name}"
            self._clashes(("row", table.name, gone.text), what, variant, gone.span)
            self._touch(("removed", table.name, gone.text), variant, gone.span)
            del rows[gone.text]
        self._add_rows(table, rows, change, variant)
        rows = self._move_rows(table, rows, change, variant)
        if not rows and table.each is None:
            message = f"the table {table.name} has no rows left"
            self._problems.error("RW0320", name.span, message)
        self._tables[table.name] = replace(table, rows=rows)

    def _change_row(
        self,
        table: Table,
        rows: dict[str, Row],
        name: str,
        change: TableChange,
        variant: Variant,
    ) -> None:
        at = change.change_spans[name]
        if table.each is not None and name not in rows:
            # whether it is made is seen when the rows are
            rows[name] = Row(name, {}, table.cites, at)
        if not self._has_row(table, rows, S.Name(name, at), variant):
            return
        row = rows[name]
        self._touch(("row", table.name, name), variant, at)
        cells = dict(row.cells)
        for column_name, node in change.change[name].items():
            column = table.columns.get(column_name)
            if column is None:
                unknown_column(table, column_name, node.span, self._problems)
                continue
            key = ("cell", table.name, name, column_name)
            what = f"the cell '{column_name}' of {quoted(name)} in {table.name}"
            self._clashes(key, what, variant, node.span)
            self._touch(key, variant, node.span)
            cells[column_name] = read_cell(column, node, self._problems, self._base.game.players)
        # Without clauses of its own a change rests on the row's and on the variant's.
        cites = change.change_cites[name] or (*row.cites, *variant.cites)
        rows[name] = replace(row, cells=cells, cites=cites)

    def _add_rows(
        self, table: Table, rows: dict[str, Row], change: TableChange, variant: Variant
    ) -> None:
        counts = self._base.game.players
        defaults = default_cells(table, self._problems, counts)
        for wrapped in change.add.values():
            assert isinstance(wrapped, YMap)
            ((key, node),) = wrapped.entries
            if key.text in rows:
                hint = "change it with 'change'"
                self._exists("the row", key.text, key.span, rows[key.text].span, hint)
                continue
            inherited = variant.cites or table.cites
            row = read_row(table, key, node, inherited, defaults, self._problems, counts)
            if row is not None:
                rows[row.name] = row

    def _move_rows(
        self, table: Table, rows: dict[str, Row], change: TableChange, variant: Variant
    ) -> dict[str, Row]:
        """Rows at the places that a variant gives them, one after the other."""
        order = list(rows)
        for name, behind in change.after:
            if name.text in rows:
                order.remove(name.text)
            elif self._was_removed(table, name) or not self._has_row(table, rows, name, variant):
                continue
            at = 0
            if behind is not None and behind.text in rows:
                at = order.index(behind.text) + 1
            elif behind is not None and self._was_removed(table, behind):
                # where it would be if it were still there
                listed = list(self._base.tables[table.name].rows)
                ahead = [r for r in listed[: listed.index(behind.text)] if r in order]
                at = order.index(ahead[-1]) + 1 if ahead else 0
            elif behind is not None:
                self._has_row(table, rows, behind, variant)
            if name.text in rows:
                order.insert(at, name.text)
        return {name: rows[name] for name in order}

    def _was_removed(self, table: Table, name: S.Name) -> bool:
        """Whether a variant has taken away a row that the base game has."""
        base = self._base.tables.get(table.name)
        gone = ("removed", table.name, name.text) in self._touched
        return gone and base is not None and name.text in base.rows

    def _has_row(self, table: Table, rows: dict[str, Row], name: S.Name, variant: Variant) -> bool:
        if name.text in rows:
            return True
        key = ("removed", table.name, name.text)
        what = f"the row {quoted(name.text)} of {table.name}"
        if not self._clashes(key, what, variant, name.span):
            removed = [
                Related(where, f"the variant {quoted(other.name)} removes it")
                for other, where in self._touched.get(key, ())
            ]
            self._problems.error(
                "RW0407",
                name.span,
                f"the table {table.name} has no row {quoted(name.text)}",
                hint=did_you_mean(name.text, rows),
                related=removed,
            )
        return False

    # --- declarations ---

    def _declare(self, decl: S.Decl, variant: Variant) -> None:
        if isinstance(decl, S.Outcome | S.Together | S.Heuristic):
            self._only(decl, variant)
            return
        if isinstance(decl, S.Function | S.Procedure) and decl.replaces:
            self._replace(decl, variant)
            return
        for name in declared_names(decl):
            old = self._names.get(name.text)
            if old is None:
                self._names[name.text] = name.span
            else:
                code = isinstance(decl, S.Function | S.Procedure)
                hint = "write 'replace' before it to put it in the place of the other"
                self._exists("the name", name.text, name.span, old, hint if code else "")
        self._decls.append(decl)

    def _only(self, decl: S.Outcome | S.Together | S.Heuristic, variant: Variant) -> None:
        """There is one of these in a game, so a variant's own takes the place of the other."""
        alike = S.Heuristic if isinstance(decl, S.Heuristic) else S.Outcome | S.Together
        word = "heuristic" if isinstance(decl, S.Heuristic) else "outcome"
        self._clashes(("decl", word), f"the {word}", variant, decl.span)
        self._touch(("decl", word), variant, decl.span)
        kept = [other for other in self._decls if not isinstance(other, alike)]
        self._decls = [*kept, decl]

    def _replace(self, decl: S.Function | S.Procedure, variant: Variant) -> None:
        name, word = decl.name, _word(decl)
        # The names of a variant's own file count too: what it replaces may be another variant's.
        known = {
            other.name.text: i
            for i, other in enumerate(self._decls)
            if isinstance(other, S.Function | S.Procedure)
        }
        place = known.get(name.text)
        if place is None:
            message = f"there is no {word} {quoted(name.text)} to replace"
            hint = did_you_mean(name.text, known) or "remove the word 'replace' to add it"
            self._problems.error("RW0409", name.span, message, hint=hint)
            return
        old = self._decls[place]
        assert isinstance(old, S.Function | S.Procedure)
        related = [Related(old.name.span, "it is to replace this")]
        if type(old) is not type(decl):
            message = f"{quoted(name.text)} is a {_word(old)} and cannot become a {word}"
            self._problems.error("RW0410", name.span, message, related=related)
            return
        if len(old.params) != len(decl.params):
            message = (
                f"{quoted(name.text)} has {_parameters(old)}, but its replacement"
                f" {len(decl.params)}"
            )
            self._problems.error("RW0410", name.span, message, related=related)
            return
        self._clashes(("decl", name.text), f"the {word} {quoted(name.text)}", variant, name.span)
        self._touch(("decl", name.text), variant, name.span)
        # Hooks that rely on an open one must find it open after the change.
        self._decls[place] = replace(decl, replaces=False, is_open=decl.is_open or old.is_open)


def _sort_of(node: Node) -> str | None:
    """What a constant is written as; nothing for a member, or what differs by player count."""
    if isinstance(node, YList):
        return "a list"
    if not isinstance(node, YScalar):
        return None
    if node.text in ("true", "false"):
        return "true or false"
    return "a number" if node.text.lstrip("-").isdecimal() else None


def declared_names(decl: S.Decl) -> list[S.Name]:
    """The names that a declaration makes known to all rules."""
    if isinstance(decl, S.Pieces):
        standing = [] if decl.standing is None else [decl.standing.name]
        return [decl.name, *(zone.name for zone in decl.zones), *standing]
    if isinstance(decl, S.StateVar | S.Function | S.Procedure | S.Invariant):
        return [decl.name]
    return []


def _word(decl: S.Function | S.Procedure) -> str:
    return "function" if isinstance(decl, S.Function) else "procedure"


def _parameters(decl: S.Function | S.Procedure) -> str:
    count = len(decl.params)
    return f"{count} parameter{'' if count == 1 else 's'}"
