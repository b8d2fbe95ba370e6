"""A spec as read → everything that has a name in it: where it is declared, what it is, and which clauses it cites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rulewright.compiler.read.folder import Folder, OptionDecl, Table
from rulewright.compiler.read.print_folder import node_text, type_text
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import VISIBLE, print_expr, print_params, print_type
from rulewright.compiler.text.source import Source, Sources, Span


@dataclass(frozen=True, slots=True)
class Named:
    """One thing with a name. `sort` is what it is, `text` how it is declared, `about` what it means in words."""

    name: str
    sort: str
    text: str
    about: str
    cites: tuple[str, ...]
    span: Span
    # the table of a row or column, the variant of what a variant declares
    within: str = ""
    variant: str = ""
    params: tuple[str, ...] = ()
    result: str = ""


@dataclass(slots=True)
class Names:
    """All names of a spec, its variants' too, in the order of the files."""

    all: list[Named] = field(default_factory=list)
    by_name: dict[str, list[Named]] = field(default_factory=dict)
    clauses: Mapping[str, str] = field(default_factory=dict)

    def add(self, named: Named) -> None:
        self.all.append(named)
        self.by_name.setdefault(named.name, []).append(named)

    def of_sort(self, *sorts: str) -> list[Named]:
        return [named for named in self.all if named.sort in sorts]

    def columns_of(self, kind: str) -> list[Named]:
        return [n for n in self.all if n.sort == "column" and n.within == kind]

    def rows_of(self, kind: str) -> list[Named]:
        return [n for n in self.all if n.sort == "row" and n.within == kind]


def names_of(folder: Folder, sources: Sources) -> Names:
    out = Names(clauses={id_: clause.rule for id_, clause in folder.clauses.items()})
    for id_, clause in folder.clauses.items():
        out.add(Named(id_, "clause", f"@{id_}", clause.rule, (), clause.span, clause.section))
    for named in _folder(folder, sources):
        out.add(named)
    for variant in folder.variants.values():
        text = f"variant {variant.name}"
        out.add(
            Named(variant.name, "variant", text, variant.about, _ids(variant.cites), variant.span)
        )
        for named in _variant(folder, variant.name, sources):
            out.add(named)
    return out


def _folder(folder: Folder, sources: Sources) -> Iterator[Named]:
    for name, text in folder.game.reasons.items():
        at = folder.game.reason_spans.get(name, folder.game.span)
        yield Named(name, "reason", f"reason {name}", text, (), at)
    for table in folder.tables.values():
        yield from _table(table, sources)
    for constant in folder.constants.values():
        text = f"{constant.name} = {node_text(constant.node)}"
        about = comment_near(sources.get(constant.span.file), constant.span)
        yield Named(constant.name, "constant", text, about, _ids(constant.cites), constant.span)
    for option in folder.options.values():
        yield _option(option)
    for decl in folder.decls:
        yield from _declared(decl, sources, "")


def _option(option: OptionDecl, variant: str = "") -> Named:
    text = f"{option.name}: {type_text(option.type)}"
    return Named(
        option.name, "option", text, option.about, _ids(option.cites), option.span, "", variant
    )


def _table(table: Table, sources: Sources, variant: str = "") -> Iterator[Named]:
    text = f"table {table.name}, {len(table.rows)} rows"
    cites = _ids(table.cites)
    yield Named(table.name, "table", text, table.about, cites, table.span, "", variant)
    for column in table.columns.values():
        shown = "text" if column.type is None else print_type(column.type)
        about = comment_near(sources.get(column.span.file), column.span)
        yield Named(
            column.name, "column", f"{table.name}.{column.name}: {shown}", about, (), column.span, table.name,
            variant, (), shown,
        )  # fmt: skip
    for row in table.rows.values():
        cells = ", ".join(f"{k}: {node_text(c.node)}"[:80] for k, c in row.cells.items())
        yield Named(
            row.name, "row", f"{row.name}: {cells}", f"a {table.name}", _ids(row.cites), row.span, table.name, variant
        )  # fmt: skip


def _variant(folder: Folder, name: str, sources: Sources) -> Iterator[Named]:
    variant = folder.variants[name]
    for table in variant.new_tables.values():
        yield from _table(table, sources, name)
    for constant in variant.constants.values():
        text = f"{constant.name} = {node_text(constant.node)}"
        yield Named(
            constant.name, "constant", text, f"with {name}", _ids(constant.cites), constant.span, "", name
        )  # fmt: skip
    for option in variant.options.values():
        yield _option(option, name)
    for change in variant.tables:
        for row, node in change.add.items():
            yield Named(
                row, "row", f"{row}: {node_text(node)}"[:160], f"a {change.table.text}, with {name}", (), node.span,
                change.table.text, name,
            )  # fmt: skip
    for decl in variant.decls:
        yield from _declared(decl, sources, name)


def _declared(decl: S.Decl, sources: Sources, variant: str) -> Iterator[Named]:
    cites = _ids(decl.cites)
    about = comment_near(sources.get(decl.span.file), decl.span)
    match decl:
        case S.Function(name, params, result) | S.Procedure(name, params, result):
            sort = "function" if isinstance(decl, S.Function) else "procedure"
            gives = "" if result is None else print_type(result)
            words = [
                *(["replace"] if decl.replaces else []),
                *(["open"] if decl.is_open else []),
                f"{sort} {name.text}({print_params(params)})",
                *([f"-> {gives}"] if gives else []),
            ]
            yield Named(
                name.text, sort, " ".join(words), about, cites, name.span, "open" if decl.is_open else "", variant,
                tuple(f"{p.name.text}: {print_type(p.type)}" for p in params), gives,
            )  # fmt: skip
        case S.StateVar(name, type_):
            text = f"{name.text}: {print_type(type_)}"
            text += VISIBLE[decl.visible]
            yield Named(
                name.text,
                "state",
                text,
                about,
                cites,
                name.span,
                "",
                variant,
                (),
                print_type(type_),
            )
        case S.Pieces(name, kind, _, _, zones, standing):
            text = f"pieces {name.text} of {print_type(kind)}"
            yield Named(name.text, "pieces", text, about, cites, name.span, "", variant)
            for zone in zones:
                per = "".join(f" per {print_type(one)}" for one in zone.per)
                note = comment_near(sources.get(zone.span.file), zone.span)
                yield Named(
                    zone.name.text, "zone", f"zone {zone.name.text}{per} of {name.text}", note, _ids(zone.cites),
                    zone.name.span, name.text, variant,
                )  # fmt: skip
            if standing is not None:
                shown = standing.name.text
                text = f"standing {shown} of {name.text}"
                yield Named(shown, "table", text, "", cites, standing.name.span, "", variant)
                for one in standing.fields:
                    text = f"{shown}.{one.name.text}: {print_type(one.type)}"
                    yield Named(
                        one.name.text, "column", text, "", (), one.name.span, shown, variant
                    )
        case S.Invariant(name, test):
            text = f"invariant {name.text}: {print_expr(test)}"
            yield Named(name.text, "invariant", text, about, cites, name.span, "", variant)
        case S.Hook() | S.Outcome() | S.Together() | S.Heuristic():
            return


def _ids(cites: S.Cites) -> tuple[str, ...]:
    return tuple(cite.text for cite in cites if cite.kind == "clause")


def comment_near(source: Source | None, span: Span) -> str:
    """What a comment says of a declaration: the lines directly above it, or what stands behind it."""
    if source is None or not 1 <= span.line <= len(source.lines):
        return ""
    line = span.line - 1
    above: list[str] = []
    while line > 0 and source.lines[line - 1].lstrip().startswith("#"):
        above.insert(0, source.lines[line - 1].lstrip(" #"))
        line -= 1
    if above and line > 0:
        # the heading of a file speaks of the file
        return " ".join(above)
    code, sign, text = source.lines[span.line - 1].partition("#")
    if sign and code.count('"') % 2 == 0 and code.count("'") % 2 == 0:
        return text.strip()
    return ""
