"""`a > b` → a question about two bots, asked of block after block until it is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rulewright.runtime.errors import RulewrightError
from rulewright.statistics.sequential import SequentialTest


class QuestionError(RulewrightError, ValueError):
    """It is no question about two of the bots."""


@dataclass(slots=True)
class Question:
    """Is bot `a` ahead of bot `b`? The test hears how far a was ahead in each block, from -1 to 1."""

    a: int
    b: int
    test: SequentialTest
    # the logarithm of the ratio after each block
    course: list[float] = field(default_factory=list)

    def add(self, ahead: float | None) -> None:
        """What one block said; nothing where they did not meet, and nothing more once there is an answer."""
        if ahead is not None and not self.answered:
            self.test.add(ahead)
            self.course.append(self.test.ratio)

    @property
    def answered(self) -> bool:
        return self.test.verdict != "open"

    def text(self, names: Sequence[str]) -> str:
        a, b, test = names[self.a], names[self.b], self.test
        rate, margin = f"{100 * test.error:g} %", f"{100 * test.margin:g}"
        match test.verdict:
            case "more":
                return f"{a} > {b}: yes, after {test.n} blocks. If they were equal, such an answer would come in {rate} of runs."
            case "not more":
                return (
                    f"{a} > {b}: no, after {test.n} blocks. If {a} were ahead by {margin} of 100 meetings (won less lost),"
                    f" such an answer would come in {rate} of runs."
                )
            case "open":
                return f"{a} > {b}: open after {test.n} blocks; more blocks would tell."

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        test = self.test
        return {
            "question": f"{names[self.a]} > {names[self.b]}", "verdict": test.verdict, "blocks": test.n, "margin": test.margin,
            "error": test.error, "ratio": test.ratio, "bound": test.bound,
        }  # fmt: skip


def ask(text: str, names: Sequence[str], margin: float = 0.1, error: float = 0.05) -> Question:
    """A question as it is typed; `>` or `<` between two bots of the ladder."""
    for sign, turned in ((">", False), ("<", True)):
        left, found, right = text.partition(sign)
        if found:
            places = []
            for word in (left.strip(), right.strip()):
                if word not in names:
                    raise QuestionError(
                        f"{text!r}: {word!r} is no bot of this ladder (they are {', '.join(names)})"
                    )
                places.append(list(names).index(word))
            if places[0] == places[1]:
                raise QuestionError(f"{text!r} asks about one bot; name two")
            a, b = reversed(places) if turned else places
            try:
                return Question(a, b, SequentialTest(margin, error))
            except ValueError as wrong:
                raise QuestionError(str(wrong)) from None
    raise QuestionError(f"{text!r} is no question; write 'a > b' with two bots of the ladder")
