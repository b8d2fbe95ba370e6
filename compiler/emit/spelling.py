"""Text of a spec → Python: literals, parts of f-strings, docstrings. No other way leads from a spec's text into an engine."""

from __future__ import annotations

from rulewright.runtime.plain import one_line


def literal(value: object) -> str:
    """A text, a number, or a list or mapping of them, as Python writes it."""
    match value:
        case str():
            return repr(value)
        case None | bool() | int():
            return str(value)
        case list() | tuple():
            return f"[{', '.join(map(literal, value))}]"
        case dict():
            return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
        case _:
            raise AssertionError(f"no literal for {type(value)}")


def inside(text: str) -> str:
    """Text between the double quotes of an f-string; nothing in it ends the string or opens a hole."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return one_line(quoted).replace("{", "{{").replace("}", "}}")


def docstring(text: str) -> str:
    """A docstring on one line."""
    shown = one_line(" ".join(text.replace("\\", "/").replace('"', "'").split()))
    return f'"""{shown}"""'
