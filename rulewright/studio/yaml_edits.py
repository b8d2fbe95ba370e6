"""A change of a YAML file → the edits of its text that make it and touch nothing else: values, keys, rows of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulewright.compiler.read.yaml_nodes import Node, YMap, YScalar
from rulewright.studio.edits import Edit, EditError
from rulewright.studio.yaml_file import Path, YamlFile
from rulewright.studio.yaml_spelling import Value, spell, spell_entry, spell_text, usual_style

_GAP = re.compile(r"(,?)( +)(?=([^\s]))")


# ---------------------------------------------------------------- one value


def set_value(file: YamlFile, path: Path, value: Value) -> list[Edit]:
    """The value at a path becomes another; everything else stays as it is to the byte, but for the padding behind it."""
    place = file.find(path)
    node = place.node
    inside = place.parent is not None and file.is_flow(place.parent)
    if isinstance(value, str) and "\n" in value and inside:
        return _unfolded(file, path, value)
    flow = inside or (place.key is None and place.parent is not None)
    indent = (place.key or node).span.column - 1
    style = node.style if isinstance(node, YScalar) else "plain"
    text = spell(value, style, flow=flow, indent=indent).replace("\n", file.newline)
    start, end = file.start(node.span), file.end(node.span)
    if place.key is not None and node.span.line != place.key.span.line:
        # a list or mapping line by line makes room for one line
        start, text = file.end(place.key.span), f": {text}"
    if file.newline in text and not inside:
        # a comment behind the value stays in its line, behind the sign that text follows
        line_end = len(file.text) if (found := file.text.find(file.newline, end)) < 0 else found
        first, _, lines = text.partition(file.newline)
        rest = file.text[end:line_end]
        return [Edit(start, line_end, f"{first}{rest}{file.newline}{lines}")]
    edits = [Edit(start, end, text)]
    if node.span.line == node.span.end_line and file.newline not in text:
        edits += _padding(file, end, len(text) - (end - start))
    return edits


def _padding(file: YamlFile, end: int, longer: int) -> list[Edit]:
    """Two or more spaces behind a value hold a column: what follows stays where it is as far as there is room."""
    found = _GAP.match(file.text, end)
    if found is None or len(found[2]) < 2:
        return []
    least = 2 if found[3] == "#" else 1
    width = max(least, len(found[2]) - longer)
    if width == len(found[2]):
        return []
    return [Edit(found.start(2), found.end(2), " " * width)]


def _unfolded(file: YamlFile, path: Path, value: str) -> list[Edit]:
    """Text of several lines has no place in braces: the mapping around it is written line by line."""
    holder = file.find(path[:-1])
    if not isinstance(holder.node, YMap) or holder.key is None:
        raise EditError("text of several lines can't stand here")
    if holder.parent is not None and file.is_flow(holder.parent):
        raise EditError("text of several lines can't stand inside of braces in braces")
    indent = holder.key.span.column + 1
    lines = ""
    for key, node in holder.node.entries:
        if key.text == path[-1]:
            lines += spell_entry(key.text, value, indent, newline=file.newline)
        else:
            found = file.text[file.start(node.span) : file.end(node.span)]
            lines += f"{' ' * indent}{spell_text(key.text)}: {found}{file.newline}"
    start = file.end(holder.key.span)
    text = f":{file.newline}{lines.removesuffix(file.newline)}"
    return [Edit(start, file.end(holder.node.span), text)]


# ---------------------------------------------------------------- keys


def put(file: YamlFile, path: Path, value: Value, order: Sequence[str] = ()) -> list[Edit]:
    """Set the value at a path; keys that are missing on the way are written too. `order` tells between which keys a new one stands."""
    if file.look(path) is not None:
        return set_value(file, path, value)
    depth = len(path) - 1
    while file.look(path[:depth]) is None:
        value, depth = {str(path[depth]): value}, depth - 1
        if depth < 1:
            raise EditError("there is no such document in this file")
    return add_entry(file, path[:depth], str(path[depth]), value, order)


def add_entry(
    file: YamlFile,
    path: Path,
    key: str,
    value: Value,
    order: Sequence[str] = (),
    after: str | None = None,
) -> list[Edit]:
    """A new key in a mapping: behind the key `after`, or where `order` says, or at the end."""
    node = file.find(path).node
    if not isinstance(node, YMap):
        raise EditError(f"{path[-1]} is no mapping, so it can't have the key {key}")
    if node.get(key) is not None:
        raise EditError(f"there is a {key} already")
    before = _place_before(node, key, order, after)
    if file.is_flow(node):
        if isinstance(value, str) and "\n" in value:
            raise EditError("text of several lines can't be added inside of braces")
        entry = f"{spell_text(key)}: {spell(value, usual_style(value))}"
        return [_into_flow(file, node, before, entry)]
    indent = node.entries[0][0].span.column - 1
    nested = isinstance(value, Mapping) and any(isinstance(v, Mapping) for v in value.values())
    block = isinstance(value, Mapping) and not nested and _in_lines(file, node, before)
    lines = spell_entry(key, value, indent, flow=False if block else None, newline=file.newline)
    return [_insert_lines(file, node, before, lines)]


def _place_before(node: YMap, key: str, order: Sequence[str], after: str | None) -> int:
    """Behind how many entries a new one stands."""
    keys = node.keys()
    if after is not None:
        if after not in keys:
            raise EditError(f"there is no {after}")
        return keys.index(after) + 1
    if key in order:
        earlier = set(order[: order.index(key)])
        found = [i + 1 for i, k in enumerate(keys) if k in earlier]
        return found[-1] if found else 0
    return len(keys)


def _into_flow(file: YamlFile, node: YMap, before: int, entry: str) -> Edit:
    if not node.entries:
        at = file.start(node.span) + 1
        return Edit(at, file.end(node.span) - 1, entry)
    if before == 0:
        at = file.start(node.entries[0][0].span)
        return Edit(at, at, f"{entry}, ")
    at = file.end(node.entries[before - 1][1].span)
    return Edit(at, at, f", {entry}")


def _in_lines(file: YamlFile, node: YMap, before: int) -> bool:
    """Whether the neighbour of a new entry is written line by line."""
    near = node.entries[max(0, before - 1)][1]
    return isinstance(near, YMap) and bool(near.entries) and not file.is_flow(near)


def _insert_lines(file: YamlFile, node: YMap, before: int, lines: str) -> Edit:
    if before == 0:
        line = _first_line(file, node, 0)
    else:
        line = node.entries[before - 1][1].span.end_line + 1
    at = file.line_start(line)
    if at == len(file.text) and not file.text.endswith(("\n", "\r")):
        lines = file.newline + lines.removesuffix(file.newline)
    return Edit(at, at, lines)


def remove_entry(file: YamlFile, path: Path) -> list[Edit]:
    """A key goes with its value; the last one leaves an empty mapping."""
    place = file.find(path)
    node = place.parent
    if not isinstance(node, YMap) or place.key is None:
        raise EditError("only a key of a mapping can be removed")
    number = node.keys().index(place.key.text)
    if file.is_flow(node):
        if number + 1 < len(node.entries):
            ends = file.start(node.entries[number + 1][0].span)
            return [Edit(file.start(place.key.span), ends, "")]
        if number == 0:
            return [Edit(file.start(node.span) + 1, file.end(node.span) - 1, "")]
        starts = file.end(node.entries[number - 1][1].span)
        return [Edit(starts, file.end(place.node.span), "")]
    if len(node.entries) == 1:
        holder = file.find(path[:-1])
        if holder.key is None:
            raise EditError("the last key of a file can't be removed")
        return [Edit(file.end(holder.key.span), file.end(node.span), ": {}")]
    start, end = _lines_of(file, node, number)
    return [Edit(start, end, "")]


def rename_key(file: YamlFile, path: Path, name: str) -> list[Edit]:
    place = file.find(path)
    if place.key is None or not isinstance(place.parent, YMap):
        raise EditError("only a key of a mapping has a name")
    if name != place.key.text and place.parent.get(name) is not None:
        raise EditError(f"there is a {name} already")
    flow = file.is_flow(place.parent)
    spelled = spell_text(name, place.key.style, flow=flow)
    return [Edit(file.start(place.key.span), file.end(place.key.span), spelled)]


# ---------------------------------------------------------------- rows: entries as whole lines


def _first_line(file: YamlFile, node: YMap, number: int) -> int:
    """The first line of an entry: comments directly above it belong to it, but for those above the first, which speak of all."""
    line = node.entries[number][0].span.line
    if number == 0:
        return line
    above = node.entries[number - 1][1].span.end_line
    while line - 1 > above and file.line_text(line - 1).lstrip().startswith("#"):
        line -= 1
    return line


def _lines_of(file: YamlFile, node: YMap, number: int) -> tuple[int, int]:
    """An entry as whole lines, with the comments directly above it."""
    last = node.entries[number][1].span.end_line
    return file.line_start(_first_line(file, node, number)), file.line_start(last + 1)


def _row(file: YamlFile, path: Path) -> tuple[YMap, int]:
    place = file.find(path)
    if not isinstance(place.parent, YMap) or place.key is None:
        raise EditError("this is no row of a table")
    return place.parent, place.parent.keys().index(place.key.text)


def copy_row(file: YamlFile, path: Path, name: str) -> list[Edit]:
    """The same row once more under another name, directly behind."""
    node, number = _row(file, path)
    key, value = node.entries[number]
    if node.get(name) is not None:
        raise EditError(f"there is a {name} already")
    body = file.text[file.end(key.span) : file.end(value.span)]
    spelled = spell_text(name, key.style, flow=file.is_flow(node))
    if file.is_flow(node):
        at = file.end(value.span)
        return [Edit(at, at, f", {spelled}{body}")]
    indent = " " * (key.span.column - 1)
    return [_insert_lines(file, node, number + 1, f"{indent}{spelled}{body}{file.newline}")]


def move_row(file: YamlFile, path: Path, to: int) -> list[Edit]:
    """A row goes to another place among the rows; `to` is its number then."""
    node, number = _row(file, path)
    last = len(node.entries) - 1
    to = max(0, min(to, last))
    if to == number:
        return []
    if file.is_flow(node):
        return _reordered(file, node, number, to)
    start, end = _lines_of(file, node, number)
    text = file.text[start:end]
    before, behind = _lines_of(file, node, to)
    at = behind if to > number else before
    if not text.endswith(("\n", "\r")):
        # the last row of a file without a line break at its end
        return [
            Edit(at, at, text + file.newline),
            Edit(start - len(file.newline), end, ""),
        ]
    if at == len(file.text) and not file.text.endswith(("\n", "\r")):
        return [
            Edit(start, end, ""),
            Edit(at, at, file.newline + text.removesuffix(file.newline)),
        ]
    return [Edit(start, end, ""), Edit(at, at, text)]


def _reordered(file: YamlFile, node: YMap, number: int, to: int) -> list[Edit]:
    """Entries in braces change places; what stands between them stays."""
    spans = [(file.start(k.span), file.end(v.span)) for k, v in node.entries]
    texts = [file.text[a:b] for a, b in spans]
    texts.insert(to, texts.pop(number))
    return [
        Edit(a, b, text)
        for (a, b), text in zip(spans, texts, strict=True)
        if file.text[a:b] != text
    ]


def value_of(node: Node) -> Value:
    """A node as plain data: whole numbers and truth values where they are written so, else text."""
    if isinstance(node, YMap):
        return {key.text: value_of(value) for key, value in node.entries}
    if not isinstance(node, YScalar):
        return [value_of(item) for item in node.items]
    if node.style == "plain":
        if node.text in ("true", "false"):
            return node.text == "true"
        if re.fullmatch(r"0|-?[1-9][0-9]{0,16}", node.text):
            return int(node.text)
    return node.text
