"""The modules of the compiler → which room imports from which; `python tests/compiler/rooms.py` writes the graph into docs/compiler.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "compiler.md"
# a room may use those before it
ROOMS = ["text", "rules", "read", "core", "check", "flow", "low", "observe", "emit", "build"]
PREFIX = "rulewright.compiler."


@dataclass(frozen=True)
class Import:
    """One module of the compiler imports another."""

    module: str
    target: str
    line: int
    late: bool
    told_why: bool
    whole: bool  # the module itself, and not names out of it
    for_types: bool  # only read by the type checker

    @property
    def room(self) -> str:
        return self.module.split(".")[0]

    @property
    def of_room(self) -> str:
        return self.target.split(".")[0]

    def __str__(self) -> str:
        return f"{self.module}:{self.line} → {self.target}"


def imports_of(module: str, tree: ast.Module, text: str) -> Iterator[Import]:
    """What a module imports from the compiler; imports for types only are looked at like any other."""
    lines = text.splitlines()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if node.module == PREFIX[:-1] or not node.module.startswith(PREFIX):
            targets = [a.name for a in node.names] if node.module == PREFIX[:-1] else []
        else:
            tail = node.module.removeprefix(PREFIX)
            targets = [tail] if "." in tail or tail == "build" else [f"{tail}.{a.name}" for a in node.names]  # fmt: skip
        for_types = _for_types(tree, node)
        late = node.col_offset > 0 and not for_types
        told = late and _told_why(lines, node.lineno)
        whole = node.module.count(".") < 3
        for target in targets:
            yield Import(module, target, node.lineno, late, told, whole, for_types)


def _told_why(lines: list[str], number: int) -> bool:
    """Whether a comment stands above the row of imports that this one is part of."""
    above = number - 2
    while lines[above].lstrip().startswith(("from ", "import ")):
        above -= 1
    return lines[above].lstrip().startswith("#")


def _for_types(tree: ast.Module, node: ast.ImportFrom) -> bool:
    return any(
        isinstance(outer, ast.If) and "TYPE_CHECKING" in ast.unparse(outer.test) and node in outer.body
        for outer in tree.body
    )  # fmt: skip


def _all() -> Iterator[Import]:
    folder = ROOT / "compiler"
    for file in sorted(folder.rglob("*.py")):
        name = ".".join(file.relative_to(folder).with_suffix("").parts)
        text = file.read_text(encoding="utf-8")
        yield from imports_of(name, ast.parse(text), text)


IMPORTS = list(_all())


def reachable(module: str) -> set[str]:
    """All modules that are imported when this one is; itself too, when it stands in a loop."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        here = waiting.pop()
        more = {i.target for i in IMPORTS if i.module == here and not i.for_types} - found
        found |= more
        waiting += more
    return found


def graph_text() -> str:
    """Each room with the rooms that it imports from."""
    out = ["```text"]
    for room in ROOMS:
        used = {i.of_room for i in IMPORTS if i.room == room and i.of_room != room}
        out.append(f"{room:8s}→ {', '.join(sorted(used, key=ROOMS.index)) or 'none'}")
    return "\n".join([*out, "```"])


if __name__ == "__main__":
    old = PAGE.read_text(encoding="utf-8")
    block = re.compile(r"```text\ntext    →.*?```", re.DOTALL)
    PAGE.write_text(block.sub(graph_text(), old), encoding="utf-8")
