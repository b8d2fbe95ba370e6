"""A game's own counters → when to note the scores, as `clock:` in the spec's view.yaml says.

clock: {period: year, step: month, called: year}
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.compiler.read.yaml_nodes import Node
    from rulewright.compiler.text.diagnostics import Problems

FILE = "view.yaml"
_EVERY = 20


@dataclass(frozen=True, slots=True)
class Clock:
    """`steps` are the fields whose change is a step of the course, `periods` those that end a period."""

    steps: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    called: str = ""

    @staticmethod
    def of(folder: Path, game: Any) -> Clock:
        """The clock of a game; without one the scores are noted after every few decisions."""
        return read_clock(folder, game) if (folder / FILE).is_file() else Clock()

    def step(self, state: Any, decisions: int) -> tuple[int, ...]:
        """A value that changes whenever the scores are to be noted."""
        if not self.steps:
            return (decisions // _EVERY,)
        return tuple([getattr(state, f) for f in self.steps])

    def period(self, state: Any) -> tuple[int, ...]:
        return tuple([getattr(state, f) for f in self.periods])


def read_clock(folder: Path, game: Any) -> Clock:
    """What view.yaml says about time; a mistake in it raises SpecError."""
    from rulewright.compiler.read.yaml_text import read_yaml
    from rulewright.compiler.text.diagnostics import Problems, SpecError
    from rulewright.compiler.text.source import Sources, read_text

    problems, sources = Problems(), Sources()
    source = read_text(folder / FILE, f"{folder.name}/{FILE}", sources, problems)
    documents = [] if source is None else read_yaml(source, problems)
    clock = clock_of(documents, game.info, problems)
    if problems.has_errors:
        raise SpecError(problems, sources)
    return clock


def clock_of(documents: list[Node], info: dict[str, Any], problems: Problems) -> Clock:
    """The clock in the documents of a view, for one ruleset; what is wrong becomes a problem."""
    from rulewright.compiler.read.yaml_nodes import Fields, YMap, as_map, as_name
    from rulewright.compiler.text.diagnostics import did_you_mean, listed

    top = documents[0] if documents else None
    node = top.get("clock") if isinstance(top, YMap) else None
    found = None if node is None else as_map(node, problems, "the clock")
    clock = Clock()
    if found is not None:
        fields = Fields(found, problems, "the clock")
        named = {key: fields.take(key) for key in ("period", "step", "called")}
        fields.need("period")
        fields.finish()
        counters = {
            v["name"]: v["field"]
            for v in info["state"]
            if v["visible"] == "all" and v["type"]["t"] in ("int", "kind")
        }
        got: dict[str, str] = {}
        for key, each in named.items():
            text = None if each is None else as_name(each, problems, key)
            if each is None or text is None:
                continue
            if key == "called":
                got[key] = text
            elif text in counters:
                got[key] = counters[text]
            else:
                problems.error(
                    "RW0501", each.span, f"the game has no public counter {text!r}",
                    expected=listed(counters), hint=did_you_mean(text, counters),
                )  # fmt: skip
        if "period" in got:
            steps = (got["period"], got["step"]) if "step" in got else (got["period"],)
            clock = Clock(steps, (got["period"],), got.get("called", "period"))
    return clock
