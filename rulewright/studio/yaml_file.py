"""The text of a YAML file → its documents, and where each value stands in it, as offsets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar
from rulewright.compiler.read.yaml_text import read_yaml
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Sources, Span
from rulewright.studio.edits import EditError

# the number of a document, then keys of mappings and numbers of list items
Path = Sequence[str | int]
_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Place:
    """A value with what holds it: `key` is the key before it, where there is one."""

    node: Node
    parent: Node | None
    key: YScalar | None


class YamlFile:
    """A text that could be read. Offsets count its characters as they stand in the file, line breaks of any sort included."""

    def __init__(self, text: str, name: str = "file.yaml") -> None:
        problems = Problems()
        self.text = text
        self.documents = read_yaml(Sources().add(name, text), problems)
        if problems.has_errors:
            first = problems.errors[0]
            raise EditError(f"{name}, line {first.span.line}: {first.message}")
        self.starts = [0, *(found.end() for found in _BREAK.finditer(text))]
        found = _BREAK.search(text)
        self.newline = found[0] if found else "\n"

    # ------------------------------------------------------------ places

    def find(self, path: Path) -> Place:
        """The value at a path; raises EditError when there is none."""
        found = self.look(path)
        if found is None:
            raise EditError(f"there is no {'/'.join(map(str, path[1:]))} in this file")
        return found

    def look(self, path: Path) -> Place | None:
        number, *keys = path
        if not isinstance(number, int) or not 0 <= number < len(self.documents):
            return None
        place = Place(self.documents[number], None, None)
        for key in keys:
            node = place.node
            if isinstance(node, YMap):
                entry = next(((k, v) for k, v in node.entries if k.text == key), None)
                if entry is None:
                    return None
                place = Place(entry[1], node, entry[0])
            elif isinstance(node, YList) and isinstance(key, int) and 0 <= key < len(node.items):
                place = Place(node.items[key], node, None)
            else:
                return None
        return place

    # ------------------------------------------------------------ offsets

    def offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column - 1

    def start(self, span: Span) -> int:
        return self.offset(span.line, span.column)

    def end(self, span: Span) -> int:
        return self.offset(span.end_line, span.end_column)

    def line_start(self, line: int) -> int:
        """Where a line begins; behind the last one it is the end of the text."""
        return self.starts[line - 1] if line <= len(self.starts) else len(self.text)

    def line_text(self, line: int) -> str:
        return self.text[self.line_start(line) : self.line_start(line + 1)].rstrip("\r\n")

    def is_flow(self, node: Node) -> bool:
        """Whether a mapping or list stands in brackets."""
        first = self.text[self.start(node.span) : self.start(node.span) + 1]
        return first in ("{", "[") and not isinstance(node, YScalar)
