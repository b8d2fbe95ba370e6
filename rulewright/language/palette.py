"""A spec as read → what can be hung on, done and written in it: open procedures and functions, effects, columns; each with an example.

What something means is the comment directly above it or behind it, else the first clause that it cites.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.compiler.read.folder import Folder, Table
from rulewright.compiler.read.print_folder import node_text
from rulewright.compiler.read.yaml_nodes import YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import print_expr, print_type
from rulewright.compiler.text.source import Sources
from rulewright.conformance.mentions import calls_in, parts
from rulewright.language.completion import hook_params
from rulewright.language.declared_names import Named, Names, names_of

Json = dict[str, Any]
CHANGES, HAPPENS, EFFECT, COLUMN = "changes", "happens", "effect", "column"
_PEOPLE = ("Player", "Participant")
# a comment of fewer words is the heading of a section
_SENTENCE = 4
# a call that can be written wherever there is a `me`
_FOR_ME = re.compile(r"\w+\(me(, (\d+|true|false|me))*\)")


@dataclass(frozen=True, slots=True)
class Item:
    """Something to write. `example` can be written as it stands where `where` says."""

    name: str
    sort: str
    example: str
    about: str
    where: str
    cites: tuple[str, ...] = ()
    variant: str = ""
    file: str = ""
    line: int = 0
    # whether cells of the game itself do so already
    used: bool = False

    def to_json(self) -> Json:
        return {
            "name": self.name, "sort": self.sort, "example": self.example, "about": self.about, "where": self.where,
            "cites": list(self.cites), "variant": self.variant, "file": self.file, "line": self.line, "used": self.used,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Palette:
    hooks: list[Item]
    effects: list[Item]
    columns: list[Item]

    def to_json(self) -> Json:
        return {
            "hooks": [i.to_json() for i in self.hooks],
            "effects": [i.to_json() for i in self.effects],
            "columns": [i.to_json() for i in self.columns],
        }


def palette(folder: Folder, sources: Sources) -> Palette:
    names = names_of(folder, sources)
    effects = list(_effects(folder, names))
    return Palette(list(_hooks(folder, names)), effects, list(_columns(folder, names)))


def meaning(named: Named, names: Names) -> str:
    """What it means in a sentence."""
    if len(named.about.split()) >= _SENTENCE:
        return named.about
    found = next((names.clauses[c] for c in named.cites if c in names.clauses), "")
    return " ".join(found.split()) or named.about


# ---------------------------------------------------------------- hooks


def _hooks(folder: Folder, names: Names) -> Iterator[Item]:
    """Open functions, whose result a power changes, then open procedures, which it goes before or after."""
    where = _hook_columns(folder)
    used = _hooks_in_cells(folder)
    reason = next(iter(folder.game.reasons), "")
    for sort in ("function", "procedure"):
        for named in names.of_sort(sort):
            if named.within != "open" or named.text.startswith("replace"):
                continue
            params = ", ".join(hook_params(named))
            for_me = "me" in hook_params(named)
            if sort == "function":
                number = named.result == "int" or ".." in named.result
                example = f"on {named.name}({params}): {'result + 1' if number else 'result'}"
            else:
                # points lead nowhere else, so that any power can have them
                does = f"score 1 to me for {reason}" if for_me and reason else "pass"
                example = f"after {named.name}({params}): {does}"
            yield Item(
                named.name, CHANGES if sort == "function" else HAPPENS, used.get(named.name, example),
                meaning(named, names), where if for_me and where else "rules", named.cites, named.variant, _file(named),
                named.span.line, named.name in used,
            )  # fmt: skip


def _hook_columns(folder: Folder) -> str:
    """The columns that hold powers, as 'Table.column'."""
    found = [
        f"{table.name}.{column.name}"
        for table in folder.tables.values()
        for column in table.columns.values()
        if isinstance(column.type, S.HookType)
    ]
    return ", ".join(found)


def _hooks_in_cells(folder: Folder) -> dict[str, str]:
    """A hook that stands in a cell of the game on one line, by what it hangs on."""
    out: dict[str, str] = {}
    for _, cell in _code_cells(folder):
        if isinstance(cell.code, tuple) and isinstance(cell.node, YScalar):
            for hook in cell.code:
                if isinstance(hook, S.Hook) and "\n" not in cell.node.text.strip():
                    out.setdefault(hook.target.text, cell.node.text.strip())
    return out


# ---------------------------------------------------------------- effects


def _effects(folder: Folder, names: Names) -> Iterator[Item]:
    """Procedures that a cell of code can call: those that cells call already, then all others that can be called for a player.

    One that leads back to the cells themselves can't: procedures do not recurse.
    """
    columns = _code_columns(folder)
    if not columns:
        return
    where = ", ".join(columns)
    back = {column.partition(".")[2] for column in columns}
    closed = _leading_to(folder, back)
    called = _called(folder)
    declared = [n for n in names.of_sort("procedure") if not n.text.startswith("replace")]
    for named in sorted(declared, key=lambda n: (n.name not in called, bool(n.variant))):
        first = named.params[0].partition(": ")[2] if named.params else ""
        # what gives back a value can't stand alone
        if named.name in closed or first not in _PEOPLE or named.result:
            continue
        example = called.get(named.name, "")
        if not _FOR_ME.fullmatch(example):
            example = _call(named, names)
        yield Item(
            named.name, EFFECT, example, meaning(named, names), where, named.cites, named.variant,
            _file(named), named.span.line, named.name in called,
        )  # fmt: skip
    reason = next(iter(folder.game.reasons), "")
    if reason:
        yield Item("score", EFFECT, f"score 2 to me for {reason}", "points", where, used=True)


def _code_columns(folder: Folder) -> list[str]:
    return [
        f"{table.name}.{column.name}"
        for table in _tables(folder)
        for column in table.columns.values()
        if isinstance(column.type, S.CodeType) and not column.type.is_function
    ]


def _tables(folder: Folder) -> list[Table]:
    return [
        *folder.tables.values(),
        *(t for v in folder.variants.values() for t in v.new_tables.values()),
    ]


def _code_cells(folder: Folder) -> Iterator[tuple[str, Any]]:
    for table in _tables(folder):
        for row in table.rows.values():
            for cell in row.cells.values():
                if cell.code is not None:
                    yield row.name, cell


def _called(folder: Folder) -> dict[str, str]:
    """Procedures that cells of the game call, each with such a call as it is written there."""
    out: dict[str, str] = {}
    for _, cell in _code_cells(folder):
        for item in parts(cell.code):
            if isinstance(item, S.Run) and isinstance(item.call, S.Call):
                func = item.call.func
                text = print_expr(item.call)
                if isinstance(func, S.Ref) and re.search(r"\bme\b", text):
                    out.setdefault(func.name, text)
    for variant in folder.variants.values():
        for change in variant.tables:
            texts = [
                node.text
                for cells in change.change.values()
                for node in cells.values()
                if isinstance(node, YScalar)
            ]
            texts += [
                value.text
                for row in change.add.values()
                for _, value in getattr(row, "entries", ())
                if isinstance(value, YScalar)
            ]
            for text in texts:
                if found := re.fullmatch(r"(\w+)\(me\b.*\)", text.strip()):
                    out.setdefault(found[1], text.strip())
    return out


def _leading_to(folder: Folder, columns: set[str]) -> set[str]:
    """The procedures that may call a cell of one of these columns, directly or not."""
    bodies = _bodies(folder)
    found = {
        name
        for name, code in bodies.items()
        if any(
            isinstance(x, S.Call) and isinstance(x.func, S.Attr) and x.func.name.text in columns
            for x in parts(code)
        )
    }
    calls = {name: calls_in(code) for name, code in bodies.items()}
    while more := {n for n, c in calls.items() if c & found} - found:
        found |= more
    return found


def _bodies(folder: Folder) -> dict[str, list[object]]:
    """What happens in each procedure and function: its own code, that of variants, and that of hooks on it."""
    bodies: dict[str, list[object]] = {}
    decls: Iterable[S.Decl] = [
        *folder.decls,
        *(d for v in folder.variants.values() for d in v.decls),
    ]
    for decl in decls:
        if isinstance(decl, S.Procedure | S.Function):
            bodies.setdefault(decl.name.text, []).append(decl.body)
        elif isinstance(decl, S.Hook):
            bodies.setdefault(decl.target.text, []).append(decl.body)
    for _, cell in _code_cells(folder):
        if isinstance(cell.code, tuple):
            for hook in cell.code:
                if isinstance(hook, S.Hook):
                    bodies.setdefault(hook.target.text, []).append(hook.body)
    return bodies


def _call(named: Named, names: Names) -> str:
    """A call with values that fit the types of the parameters."""
    values = ["me"]
    for param in named.params[1:]:
        type_ = param.partition(": ")[2].removesuffix(" or none")
        if ".." in type_:
            low = type_.partition("..")[0].strip()
            values.append(str(max(1, int(low))) if low.lstrip("-").isdigit() else "1")
        elif type_ in ("int",):
            values.append("1")
        elif type_ == "bool":
            values.append("true")
        elif type_ in _PEOPLE:
            values.append("me")
        elif rows := names.rows_of(type_):
            name = rows[0].name
            shared = len({n.within for n in names.by_name[name] if n.sort == "row"}) > 1
            plain = f"{type_}.{name}" if shared and name.isidentifier() else name
            values.append(plain if name.isidentifier() else f"'{name}'")
        else:
            values.append("…")
    return f"{named.name}({', '.join(values)})"


# ---------------------------------------------------------------- columns


def _columns(folder: Folder, names: Names) -> Iterator[Item]:
    for table in _tables(folder):
        for column in table.columns.values():
            named = next(n for n in names.columns_of(table.name) if n.name == column.name)
            type_ = "text" if column.type is None else print_type(column.type)
            cells = [r.cells[column.name] for r in table.rows.values() if column.name in r.cells]
            example = f"{column.name}: {_shortest(cells)}" if cells else ""
            about = named.about or _from_about(table.about, column.name)
            yield Item(
                f"{table.name}.{column.name}", COLUMN, example, about or type_, type_, (), named.variant,
                _file(named), named.span.line,
            )  # fmt: skip


def _shortest(cells: list[Any]) -> str:
    """The value of the cell that is read most easily: one of a single line that says something, else the shortest block of lines."""
    texts = [node_text(cell.node) for cell in cells]
    single = [t for t in texts if "\n" not in t and len(t) <= 60]
    telling = [t for t in single if t not in ("[]", "0", "none", '"pass"')]
    if telling or single:
        return (telling or single)[0]
    # a block is written under the column's name
    blocks = [cell.node.text for cell in cells if isinstance(cell.node, YScalar)]
    lines = min(blocks or texts, key=len).strip("\n").split("\n")
    return "|\n" + "\n".join(f"  {line.rstrip()}" for line in lines)


def _from_about(about: str, column: str) -> str:
    """The sentence of a table's description that speaks of a column by name."""
    for sentence in re.split(r"(?<=[.;])\s+", about):
        if f"`{column}`" in sentence:
            return " ".join(sentence.split())
    return ""


def markdown(items: Iterable[Item], head: str, about: str) -> str:
    """A table of a page, each example with its meaning."""
    rows = [f"| `{item.example}` | {_cell(item.about)} |" for item in items if item.example]
    return "\n".join([f"| {head} | {about} |", "|---|---|", *rows]) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").rstrip(".")


def _file(named: Named) -> str:
    return named.span.file.partition("/")[2] or named.span.file
