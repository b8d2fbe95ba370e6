"""Paired games → what the change does, in sentences: points, length, what was chosen more and less; and when enough has been seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.report.paired import Measure, Pairing
from rulewright.simulate.summary import Z

Json = dict[str, Any]
# before so many pairs nothing is said to be clear, and no run ends early
LEAST = 30
# a value of a choice that was taken so often in both runs together can be said to be taken more or less
_OFTEN = 30
# what a run that may end early must know, and the share of it that is next to nothing
_NEAR = {"score": 0.01, "decisions": 0.02}
_MOST_CHOICES = 12


@dataclass(frozen=True, slots=True)
class Effect:
    """One figure: its means, the difference and an interval for it."""

    name: str
    a: float
    b: float
    difference: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        return self.low > 0 or self.high < 0

    def to_json(self) -> Json:
        return {
            "measure": self.name, "a": self.a, "b": self.b, "difference": self.difference,
            "interval": [self.low, self.high], "clear": self.clear, "sentence": sentence(self),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chosen:
    """A value of a choice and its share of the answers in both runs."""

    choice: str
    value: str
    a: float
    b: float

    def to_json(self) -> Json:
        return {"choice": self.choice, "value": self.value, "a": self.a, "b": self.b}


def effects(pairing: Pairing, planned: int, early: bool) -> list[Effect]:
    """All figures. With `early`, the intervals are those that stay valid however the run ended."""
    out = []
    for m in pairing.measures.values():
        a, b, difference = m.means
        low, high = m.valid_interval(planned) if early else m.interval
        out.append(Effect(m.name, a, b, difference, low, high))
    return out


def enough(pairing: Pairing, planned: int) -> bool:
    """Whether a run that may end early can: the scores and the length are clear, or known to differ by next to nothing."""
    found = [(pairing.measures.get(name), near) for name, near in _NEAR.items()]
    return all(m is not None and m.n >= LEAST and _known(m, planned, near) for m, near in found)


def _known(m: Measure, planned: int, near: float) -> bool:
    low, high = m.valid_interval(planned)
    size = max(1.0, abs(m.means[0]))
    return low > 0 or high < 0 or (high - low) / 2 < near * size


def sentence(effect: Effect) -> str:
    """What a figure says, in words a player would use."""
    d, low, high = effect.difference, effect.low, effect.high
    if not effect.clear:
        if low == high == 0:
            return f"{_subject(effect.name)} {_are(effect.name)} the same."
        return f"{_subject(effect.name)}: no clear difference ({_n(d)}, {_n(low)} to {_n(high)})."
    if d > 0:
        small, large, word = low, high, "more"
    else:
        small, large, word = -high, -low, "less"
    size = _n(abs(d), False)
    span = f"{_n(small, False)} to {_n(large, False)}"
    name = effect.name
    if name == "decisions":
        return f"Games are {size} decisions {'longer' if d > 0 else 'shorter'} ({span})."
    if name.startswith("points for "):
        return f"{_capital(name.removeprefix('points for '))}: {size} points {word} for a player ({span})."
    if name.startswith("wins of "):
        share = f"{100 * abs(d):.0f}"
        seat = name.removeprefix("wins of ")
        return f"{_capital(seat)} wins {share} games in a hundred {word} ({100 * small:.0f} to {100 * large:.0f})."
    if name == "score":
        return f"A player scores {size} points {word} ({span})."
    if name == "best score":
        return f"The winner scores {size} points {word} ({span})."
    if name == "lead of the winner":
        return f"The winner is {size} points {'further ahead' if d > 0 else 'less far ahead'} ({span})."
    return f"{_capital(name)}: {size} {word} ({span})."


def _subject(name: str) -> str:
    return {"decisions": "The length of games", "score": "The scores"}.get(name, _capital(name))


def _are(name: str) -> str:
    return "is" if name in ("decisions", "best score", "lead of the winner") else "are"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _n(value: float, sign: bool = True) -> str:
    text = f"{value:+.1f}" if sign else f"{value:.1f}"
    if abs(value) < 0.95:
        text = f"{value:+.2f}" if sign else f"{value:.2f}"
    return text


def chosen(pairing: Pairing) -> list[Chosen]:
    """What was chosen clearly more or less often, the largest changes first; by name, so that the rules may have other numbers."""
    sides: list[dict[tuple[str, str], int]] = [{}, {}]
    asked: list[dict[str, int]] = [{}, {}]
    for side, (crowd, taken) in enumerate(zip(pairing.crowds, pairing.taken, strict=True)):
        game = crowd.player.game
        for choice in game.info["choices"].values():
            label = str(choice["label"])
            for i in range(choice["size"]):
                n = taken[choice["offset"] + i]
                key = (label, str(game.option_name(choice, i)))
                sides[side][key] = sides[side].get(key, 0) + n
                asked[side][label] = asked[side].get(label, 0) + n
    out: list[tuple[float, Chosen]] = []
    for key in dict.fromkeys([*sides[0], *sides[1]]):
        label, value = key
        n, m = asked[0].get(label, 0), asked[1].get(label, 0)
        x, y = sides[0].get(key, 0), sides[1].get(key, 0)
        if x + y < _OFTEN or not n or not m:
            continue
        a, b = x / n, y / m
        error = (a * (1 - a) / n + b * (1 - b) / m) ** 0.5
        # several values are looked at, so more than the usual is asked for
        if abs(a - b) > 1.6 * Z * error and abs(a - b) > 0.01:
            words = Chosen(label.replace("_", " "), value.replace("_", " "), a, b)
            out.append((abs(a - b), words))
    return [c for _, c in sorted(out, key=lambda row: -row[0])][:_MOST_CHOICES]
