"""Values → YAML as people write it, in the style of what stands there already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rulewright.compiler.read.yaml_nodes import Style, YList, YMap, YScalar
from rulewright.compiler.read.yaml_text import read_yaml
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Sources
from rulewright.studio.edits import EditError

Value: TypeAlias = "int | bool | str | Sequence[Value] | Mapping[str, Value]"


def spell(value: Value, style: Style = "plain", *, flow: bool = True, indent: int = 0) -> str:
    """A value in one piece of YAML. `indent` is that of the line it begins in; only text outside of `flow` may go over several lines."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return spell_text(value, style, flow=flow, indent=indent)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{spell_text(k)}: {spell(v)}" for k, v in value.items())
        return f"{{{inside}}}"
    return f"[{', '.join(spell(item) for item in value)}]"


def spell_text(text: str, style: Style = "plain", *, flow: bool = True, indent: int = 0) -> str:
    """A text in its old style if that can hold it, else in the plainest that can."""
    if "\n" in text and not flow:
        return _block(text, indent)
    first = [style] if style in ("plain", "single", "double") else []
    if style != "plain" and "\\" in text:
        # in double quotes a backslash would have to be doubled, and rule text no longer stands there as it is
        first = ["single"]
    for one in (*first, "plain", "double", "single"):
        spelled = _in_style(text, one)
        if spelled is not None and _reads_as(spelled, text, flow):
            return spelled
    if not flow:
        return _block(text, indent)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    if _reads_as(f'"{escaped}"', text, flow):
        return f'"{escaped}"'
    raise EditError(f"this text can't be written in a table: {text[:60]!r}")


def _in_style(text: str, style: str) -> str | None:
    """The text as it is between the marks of a style; None where it would need escapes, which hide the place of its characters."""
    if style == "plain":
        return text
    if style == "double":
        return None if '"' in text or "\\" in text else f'"{text}"'
    return None if "'" in text else f"'{text}'"


def _block(text: str, indent: int) -> str:
    """Text after '|', two spaces further in than what it belongs to."""
    lines = text.rstrip("\n").split("\n")
    if not lines[0] or lines[0][0] == " ":
        raise EditError("text of several lines begins at the left of its first line")
    space = " " * (indent + 2)
    return "|\n" + "\n".join(space + line.rstrip() if line.strip() else "" for line in lines)


def _reads_as(spelled: str, text: str, flow: bool) -> bool:
    """Whether a reader of YAML gets this very text, and nothing to complain of."""
    if spelled != spelled.strip() or (not spelled and not text):
        return False
    whole = f"[{spelled}]" if flow else f"key: {spelled}"
    problems = Problems()
    found = read_yaml(Sources().add("", whole), problems)
    match found:
        case [YList([YScalar(read)])] | [YMap([(_, YScalar(read))])]:
            return read == text and not problems.has_errors
        case _:
            return False


def spell_entry(
    key: str, value: Value, indent: int, *, flow: bool | None = None, newline: str = "\n"
) -> str:
    """Whole lines for a key and its value: mappings of mappings line by line, a mapping of plain values in braces.

    `flow` False writes the innermost mapping line by line too; text of several lines needs that anyway.
    """
    space = " " * indent
    if isinstance(value, Mapping) and value:
        nested = any(isinstance(v, Mapping) and v for v in value.values())
        several = any(isinstance(v, str) and "\n" in v for v in value.values())
        if nested or several or flow is False:
            lines = "".join(
                spell_entry(k, v, indent + 2, flow=flow if nested else None, newline=newline)
                for k, v in value.items()
            )
            return f"{space}{spell_text(key)}:{newline}{lines}"
    spelled = spell(value, usual_style(value), flow=False, indent=indent)
    return f"{space}{spell_text(key)}: {spelled}".replace("\n", newline) + newline


def usual_style(value: Value) -> Style:
    """Rule text stands in quotes, where a bracket or a colon would need them; words do not."""
    return "double" if isinstance(value, str) and any(c in value for c in "(:{[") else "plain"
