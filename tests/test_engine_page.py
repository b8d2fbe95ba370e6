"""docs/compiler.md shows functions of an engine beside their rules, as both are now; UPDATE_GOLDEN=1 writes them anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "compiler.md"
SHOWN = re.compile(
    r"<!-- (?P<what>rules|engine) (?P<file>\S+) (?P<name>\w+) -->\n```(?P<lang>\w+)\n(?P<text>.*?)```\n",
    re.DOTALL,
)


def as_it_is(what: str, file: str, name: str) -> str:
    """The text of a procedure in the rules, or of a function in an engine."""
    folder, head = (
        ("generated", f"def {name}(") if what == "engine" else ("spec", f"procedure {name}(")
    )
    lines = (ROOT / folder / file).read_text(encoding="utf-8").split("\n")
    first = next(i for i, line in enumerate(lines) if line.removeprefix("open ").startswith(head))
    last = next(
        i for i in range(first + 1, len(lines)) if lines[i] and not lines[i].startswith(" ")
    )
    return "\n".join(lines[first:last]).rstrip("\n") + "\n"


if os.environ.get("UPDATE_GOLDEN"):
    PAGE.write_text(
        SHOWN.sub(
            lambda m: m[0].replace(
                f"{m['lang']}\n{m['text']}```",
                f"{m['lang']}\n{as_it_is(m['what'], m['file'], m['name'])}```",
            ),
            PAGE.read_text(encoding="utf-8"),
        ),
        encoding="utf-8",
    )


def test_the_page_shows_rules_and_engines_as_they_are() -> None:
    shown = list(SHOWN.finditer(PAGE.read_text(encoding="utf-8")))
    assert [m["what"] for m in shown].count("engine") >= 3
    for m in shown:
        assert m["text"] == as_it_is(m["what"], m["file"], m["name"]), m["name"]
