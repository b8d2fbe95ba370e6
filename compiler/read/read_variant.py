"""The documents of a variant's file into an overlay: what it changes, adds and removes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from rulewright.compiler.read.folder import Absent, Table, TableChange, Variant
from rulewright.compiler.read.read_table import read_table
from rulewright.compiler.read.read_values import (
    CITE_KEYS,
    Counts,
    identifier,
    kind_name,
    member_name,
    once,
    read_cites,
    read_constants,
    read_options,
)
from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YMap,
    YScalar,
    as_bool,
    as_int,
    as_list,
    as_map,
    as_name,
    as_text,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, did_you_mean, listed, quoted
from rulewright.compiler.text.source import Span

MAX_PLAYERS = 20
T = TypeVar("T")


def read_variant(
    documents: list[Node],
    problems: Problems,
    players: Counts,
    read_rules: Callable[[YScalar], tuple[S.Decl, ...]],
    seats: tuple[str, ...] = (),
) -> Variant | None:
    """The first document says what the variant is; further ones may be tables that it adds."""
    first = as_map(documents[0], problems, "a variant")
    if first is None:
        return None
    fields = Fields(first, problems, "a variant")
    name_node = fields.need("variant")
    name = None if name_node is None else as_name(name_node, problems, "the name of a variant")
    about_node, counts_node = fields.take("about"), fields.take("players")
    about = None if about_node is None else as_text(about_node, problems, "'about'")
    counts = read_counts(counts_node, problems, players) if counts_node is not None else None
    automatic_node = fields.take("automatic")
    automatic = automatic_node is not None and as_bool(automatic_node, problems, "'automatic'")
    needs = _names(fields.take("needs"), problems, "'needs'", name)
    excludes = _names(fields.take("excludes"), problems, "'excludes'", name)
    cites = read_cites(fields, problems)
    constants_node, tables_node = fields.take("constants"), fields.take("tables")
    rules_node, neutral_node = fields.take("rules"), fields.take("neutral")
    teams_node = fields.take("teams")
    options_node, reasons_node = fields.take("options"), fields.take("reasons")
    absent_node = fields.take("absent")
    overrules = _names(fields.take("overrules"), problems, "'overrules'", None)
    fields.finish()
    changes = _Changes([], {}, {})
    if tables_node is not None:
        _read_tables(tables_node, changes, problems, players)
    for document in documents[1:]:
        mapping = as_map(document, problems, "a table")
        if mapping is not None:
            changes.add_table(read_table(mapping, problems, players), problems)
    decls: list[S.Decl] = []
    rules = None if rules_node is None else as_list(rules_node, problems, "'rules'")
    for item in rules.items if rules is not None else []:
        if as_text(item, problems, "a rules file") is not None and isinstance(item, YScalar):
            decls.extend(read_rules(item))
    constants = _take(
        constants_node, lambda n: read_constants(n, (), problems, players, variant=True)
    )
    options = _take(options_node, lambda n: read_options(n, cites, problems, players))
    neutral = read_members(neutral_node, problems, "'neutral'", {})
    # without seats the game file itself could not be read
    teams = read_teams(teams_node, problems, seats) if seats else {}
    reasons = read_reasons(reasons_node, problems)
    absent = read_absent(absent_node, problems)
    if name is None or name_node is None:
        return None
    return Variant(
        name=name,
        about=about or "",
        players=counts if counts is not None else players or (),
        automatic=bool(automatic),
        needs=needs,
        excludes=excludes,
        constants=constants,
        tables=tuple(changes.tables),
        new_tables=changes.added,
        decls=tuple(decls),
        neutral=neutral,
        teams=teams,
        teams_span=None if teams_node is None else teams_node.span,
        options=options,
        reasons=reasons,
        absent=absent,
        overrules=overrules,
        cites=cites,
        span=name_node.span,
    )


def _take(node: Node | None, read: Callable[[Node], dict[str, T]]) -> dict[str, T]:
    return {} if node is None else read(node)


# --- what the game file has too ---------------------------------------------------------------


def read_counts(node: Node, problems: Problems, allowed: Counts) -> tuple[int, ...] | None:
    """Player counts in rising order; when `allowed` is given, only those."""
    found = as_list(node, problems, "'players'")
    if found is None:
        return None
    counts: set[int] = set()
    for item in found.items:
        count = as_int(item, problems, "a player count")
        if count is None:
            continue
        if count in counts:
            problems.error("RW0307", item.span, f"the player count {count} is given twice")
        elif allowed is not None and count not in allowed:
            message = f"the game is not for {count} players"
            expected = listed(str(number) for number in allowed)
            problems.error("RW0307", item.span, message, expected=expected)
        elif not 1 <= count <= MAX_PLAYERS:
            message = f"a game cannot be for {count} players"
            problems.error("RW0307", item.span, message, expected=f"1 to {MAX_PLAYERS}")
        counts.add(count)
    if not found.items:
        problems.error("RW0307", found.span, "no player count is given", expected="[2, 3]")
    return tuple(sorted(counts))


def read_members(
    node: Node | None, problems: Problems, what: str, seen: dict[str, Span]
) -> tuple[str, ...]:
    """Names of seats or of further participants, none of them twice."""
    found = None if node is None else as_list(node, problems, what)
    names: list[str] = []
    for item in found.items if found is not None else []:
        name = member_name(item, problems, "the name of a participant")
        if name is not None and once(name, item.span, seen, problems, "the participant"):
            names.append(name)
    return tuple(names)


def read_teams(
    node: Node | None, problems: Problems, seats: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """Teams with their seats; each seat is in one of them."""
    found = None if node is None else as_map(node, problems, "'teams'")
    if node is None or found is None:
        return {}
    teams: dict[str, tuple[str, ...]] = {}
    placed: dict[str, Span] = {}
    named: dict[str, Span] = {}
    for key, value in found.entries:
        name = identifier(key, problems, "the name of a team")
        if name is None or not once(name, key.span, named, problems, "the team"):
            continue
        listed_seats = as_list(value, problems, f"the team {quoted(name)}")
        members: list[str] = []
        for item in () if listed_seats is None else listed_seats.items:
            seat = as_name(item, problems, "a seat")
            if seat is None:
                continue
            if seat not in seats:
                problems.error(
                    "RW0329", item.span, f"there is no seat {quoted(seat)}", expected=f"seats: {', '.join(seats)}",
                    hint=did_you_mean(seat, seats),
                )  # fmt: skip
            elif once(seat, item.span, placed, problems, "the seat"):
                members.append(seat)
        if listed_seats is not None and not listed_seats.items:
            problems.error("RW0329", value.span, "a team has at least one seat")
        teams[name] = tuple(members)
    alone = [seat for seat in seats if seat not in placed]
    if alone and not problems.has_errors:
        problems.error(
            "RW0329", node.span, f"{' and '.join(alone)} {'is' if len(alone) == 1 else 'are'} in no team",
            expected="every seat in one team",
        )  # fmt: skip
    return teams


def read_reasons(node: Node | None, problems: Problems) -> dict[str, str]:
    """Reasons to score, each with the words for it."""
    found = None if node is None else as_map(node, problems, "'reasons'")
    reasons: dict[str, str] = {}
    for key, value in found.entries if found is not None else []:
        name = identifier(key, problems, "the name of a reason")
        text = as_text(value, problems, f"the reason {quoted(key.text)}")
        if name is not None and text is not None:
            reasons[name] = text
    return reasons


def read_usual(node: Node | None, problems: Problems) -> dict[str, tuple[int, Span]]:
    """How large numbers of the state usually get, by the state's name."""
    found = None if node is None else as_map(node, problems, "'usual'")
    usual: dict[str, tuple[int, Span]] = {}
    for key, value in found.entries if found is not None else []:
        name = identifier(key, problems, "the name of a state")
        most = as_int(value, problems, f"the usual size of {quoted(key.text)}")
        if most is not None and not 1 <= most <= 10**9:
            message = "what a number usually comes to is at least 1"
            problems.error("RW0323", value.span, message, expected="1 .. 1000000000")
        elif name is not None and most is not None:
            usual[name] = (most, key.span)
    return usual


def read_absent(node: Node | None, problems: Problems) -> tuple[Absent, ...]:
    """Clauses that need no rule, each with the reason why."""
    found = None if node is None else as_list(node, problems, "'absent'")
    absent: list[Absent] = []
    seen: dict[str, Span] = {}
    for item in found.items if found is not None else []:
        mapping = as_map(item, problems, "an absent clause")
        if mapping is None:
            continue
        fields = Fields(mapping, problems, "an absent clause")
        clause_node, because_node = fields.need("clause"), fields.need("because")
        fields.finish()
        if clause_node is None or because_node is None:
            continue
        clause = as_name(clause_node, problems, "'clause'")
        because = as_text(because_node, problems, "'because'")
        if because is not None and not because.strip():
            problems.error("RW0309", because_node.span, "the reason under 'because' is empty")
            continue
        if clause is None or because is None:
            continue
        if once(clause, clause_node.span, seen, problems, "the absent clause"):
            absent.append(Absent(clause, because, clause_node.span))
    return tuple(absent)


# --- tables -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Changes:
    """What one variant does to tables, while it is being read."""

    tables: list[TableChange]
    added: dict[str, Table]
    seen: dict[str, Span]

    def add_table(self, table: Table | None, problems: Problems) -> None:
        if table is not None and once(table.name, table.span, self.seen, problems, "the table"):
            self.added[table.name] = table


def _read_tables(node: Node, changes: _Changes, problems: Problems, players: Counts) -> None:
    mapping = as_map(node, problems, "'tables'")
    for key, value in mapping.entries if mapping is not None else []:
        entry = as_map(value, problems, f"the table {quoted(key.text)}")
        if entry is None:
            continue
        if any(entry.get(word) is not None for word in ("rows", "grid", "each", "csv")):
            changes.add_table(read_table(entry, problems, players, key), problems)
            continue
        change = _read_change(key, entry, problems)
        if change is not None and once(key.text, key.span, changes.seen, problems, "the table"):
            changes.tables.append(change)


def _read_change(key: YScalar, entry: YMap, problems: Problems) -> TableChange | None:
    name = kind_name(key, problems)
    fields = Fields(entry, problems, f"a change to the table {quoted(key.text)}")
    change_node, add_node = fields.take("change"), fields.take("add")
    remove_node, after_node = fields.take("remove"), fields.take("after")
    fields.finish()
    change: dict[str, dict[str, Node]] = {}
    cites: dict[str, S.Cites] = {}
    spans: dict[str, Span] = {}
    changed = None if change_node is None else as_map(change_node, problems, "'change'")
    for row, value in changed.entries if changed is not None else []:
        cells = as_map(value, problems, f"the change to {quoted(row.text)}")
        if cells is None:
            continue
        change[row.text] = {k.text: v for k, v in cells.entries if k.text not in CITE_KEYS}
        cites[row.text] = read_cites(Fields(cells, problems), problems)
        spans[row.text] = row.span
    added = None if add_node is None else as_map(add_node, problems, "'add'")
    add: dict[str, Node] = {}
    for row, value in added.entries if added is not None else []:
        if member_name(row, problems, "the name of a row") is not None:
            # With its key, whose place messages about the row need.
            add[row.text] = YMap([(row, value)], row.span)
    remove = _names(remove_node, problems, "'remove'", None)
    after = _read_after(after_node, problems)
    return (
        None
        if name is None
        else TableChange(S.Name(name, key.span), change, cites, spans, add, remove, after)
    )


def _read_after(node: Node | None, problems: Problems) -> tuple[tuple[S.Name, S.Name | None], ...]:
    """Rows, each with the one that it stands behind; behind none it is the first."""
    found = None if node is None else as_map(node, problems, "'after'")
    out: list[tuple[S.Name, S.Name | None]] = []
    for row, value in found.entries if found is not None else []:
        behind = as_name(value, problems, f"the row before {quoted(row.text)}")
        if behind == row.text:
            message = f"{quoted(row.text)} can't stand behind itself"
            hint = "name another row, or none for the first place"
            problems.error("RW0407", value.span, message, hint=hint)
        elif behind is not None:
            place = None if behind == "none" else S.Name(behind, value.span)
            out.append((S.Name(row.text, row.span), place))
    return tuple(out)


def _names(node: Node | None, problems: Problems, what: str, own: str | None) -> tuple[S.Name, ...]:
    """Names in a list, none twice; `own` is one that would make no sense there."""
    found = None if node is None else as_list(node, problems, what)
    names: list[S.Name] = []
    seen: dict[str, Span] = {}
    for item in found.items if found is not None else []:
        name = as_name(item, problems, f"a name in {what}")
        if name is None or not once(name, item.span, seen, problems, "the name"):
            continue
        if name == own:
            problems.error("RW0401", item.span, f"{what} names the variant itself")
            continue
        names.append(S.Name(name, item.span))
    return tuple(names)


def check_variants(variants: dict[str, Variant], unread: set[str], problems: Problems) -> None:
    """Report variants named by others that are not there, or that are needed and excluded at once; `unread` have problems of their own."""
    for variant in variants.values():
        for name in _unknown((*variant.needs, *variant.excludes), {*variants, *unread}):
            message = f"there is no variant {quoted(name.text)}"
            problems.error("RW0401", name.span, message, hint=did_you_mean(name.text, variants))
        excluded = {name.text for name in variant.excludes}
        for name in variant.needs:
            if name.text in excluded:
                message = f"{quoted(name.text)} is both needed and excluded"
                problems.error("RW0405", name.span, message)
            other = variants.get(name.text)
            if other is None:
                continue
            if variant.name in {n.text for n in other.excludes}:
                message = f"{quoted(variant.name)} can never be chosen: it needs {quoted(other.name)}, which excludes it"
                problems.error("RW0405", name.span, message)
            elif variant.name == min(_circle(variants, variant.name), default=None):
                message = f"{quoted(variant.name)} needs {quoted(other.name)}, which needs it: neither comes first"
                hint = "leave one of the two out, or make one variant of them"
                problems.error("RW0404", name.span, message, hint=hint)


def _needed(variants: dict[str, Variant], name: str) -> set[str]:
    """All that a variant needs, and what that needs."""
    found: set[str] = set()
    left = [name]
    while left:
        one = variants.get(left.pop())
        more = {n.text for n in one.needs} - found if one is not None else set()
        found |= more
        left += more
    return found


def _circle(variants: dict[str, Variant], name: str) -> set[str]:
    """The variants that need this one and are needed by it."""
    return {other for other in _needed(variants, name) if name in _needed(variants, other)}


def _unknown(names: Iterable[S.Name], variants: set[str]) -> list[S.Name]:
    return [name for name in names if name.text not in variants]
