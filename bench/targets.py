"""Results → what engines should reach against the yardstick and the packages of others, and whether they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from rulewright.bench.figures import Figure, figure
from rulewright.bench.plan import CPP_GAMES
from rulewright.bench.run import Result

_CPP = frozenset(f"open_spiel {name}" for name, _ in CPP_GAMES)


@dataclass(frozen=True, slots=True)
class Target:
    """A ratio, worked out in every round anew, and its bound."""

    name: str
    ratio: Figure
    # none where the ratio is only told
    bound: float | None
    at_most: bool = False

    @property
    def reached(self) -> bool | None:
        if self.bound is None:
            return None
        ratio = self.ratio.value
        return ratio <= self.bound if self.at_most else ratio >= self.bound

    @property
    def wanted(self) -> str:
        return "" if self.bound is None else f"{'≤' if self.at_most else '≥'} {self.bound:g}"

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name, "ratio": self.ratio.to_json(), "wanted": self.wanted, "reached": self.reached,
        }  # fmt: skip


def _rates(result: Result, what: str) -> list[float]:
    return [r[what] / r["seconds"] for r in result.rounds]


def _ratio(ours: Sequence[float], theirs: Sequence[float]) -> Figure:
    return figure([a / b for a, b in zip(ours, theirs, strict=True)])


def targets(results: Sequence[Result], game: str) -> list[Target]:
    """Every target for which there are figures; `game` is the one that the yardstick plays."""
    return [*_yardstick(results, game), *_limit(results, game), *_others(results, game)]


def _yardstick(results: Sequence[Result], game: str) -> list[Target]:
    found = {r.case.name: r for r in results if r.case.group == "inside"}
    out = []
    for players in (3, 4):
        for tag in ("", " native"):
            ours, hand = found.get(f"{game} {players}{tag}"), found.get(f"yardstick {players}{tag}")
            if ours is None or hand is None:
                continue
            name = f"{game} {players}{tag or ' interpreted'}"
            speed = _ratio(_rates(ours, "games"), _rates(hand, "games"))
            out.append(Target(f"{name}: games/s inside / yardstick", speed, 0.5 if tag else 0.65))
            copies = [[r["clone"] for r in result.rounds] for result in (ours, hand)]
            out.append(Target(f"{name}: copy / yardstick", _ratio(*copies), 2.0, True))
    return out


def _limit(results: Sequence[Result], game: str) -> list[Target]:
    """Native engines against one written by hand in C."""
    found = {r.case.name: r for r in results if r.case.group == "inside"}
    out = []
    for players in (3, 4):
        ours, hand = found.get(f"{game} {players} native"), found.get(f"limit {players}")
        if ours is not None and hand is not None:
            speed = _ratio(_rates(ours, "games"), _rates(hand, "games"))
            out.append(Target(f"{game} {players} native: games/s inside / limit", speed, 0.55))
    return out


def _others(results: Sequence[Result], game: str) -> list[Target]:
    """Decisions/s of ours through the public interface; of others, steps of chance count as well."""
    peers = {r.case.name: _rates(r, "steps") for r in results if r.case.group == "peers"}
    catan = [rates for name, rates in peers.items() if name.startswith("catanatron")]
    cpp = [rates for name, rates in peers.items() if name in _CPP]
    fastest = [max(rates) for rates in zip(*catan, strict=True)]
    middle = [median(rates) for rates in zip(*cpp, strict=True)]
    out = []
    for result in results:
        if result.case.group != "calls" or result.case.who != "ours":
            continue
        rates, native = _rates(result, "decisions"), bool(result.case.args["native"])
        name = result.case.name + ("" if native else " interpreted")
        bound = result.case.args["game"] == game
        if fastest and not native:
            ratio = _ratio(rates, fastest)
            out.append(Target(f"{name}: by calls / catanatron", ratio, 10.0 if bound else None))
        if middle:
            ratio, least = _ratio(rates, middle), 3.0 if native else 1.0
            words = f"{name}: by calls / OpenSpiel's C++ games"
            out.append(Target(words, ratio, least if bound else None))
    return out
