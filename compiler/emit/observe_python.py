"""What is known of an engine → the text of a module that writes what its seats see."""

from __future__ import annotations

from typing import Any

from rulewright.compiler.emit.python import Printer
from rulewright.compiler.emit.spelling import docstring
from rulewright.compiler.low.helpers import FUNCTIONS
from rulewright.compiler.observe.observation_layout import Layout
from rulewright.compiler.observe.writing import Writing

Json = dict[str, Any]


def observe_text(info: Json, found: Layout) -> str:
    """Over the states of the engine that `info` is of, whichever flavour; the layout is that of the fast one."""
    writing = Writing(info, found)
    printer = Printer()
    lines: list[str] = []
    for f in writing.functions():
        lines += ["", "", *("    " * depth + text for depth, text, _ in printer.function(f))]
    imports = [
        f"from rulewright.runtime.{FUNCTIONS[name].module} import {name}"
        for name in sorted(printer.helpers)
        if FUNCTIONS[name].module
    ]
    tables = [f"{t.name} = {list(t.values)!r}" for t in writing.tables]
    head = [
        docstring(f"What seats see of {info['game']}, ruleset {info['hash']}: {found.size} numbers."), "",
        "from __future__ import annotations", "", *imports, "", *tables,
    ]  # fmt: skip
    return "\n".join([*head, *lines, ""])
