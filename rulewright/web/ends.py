"""A game that is over → how it ended, as a fragment: who has won, points by reason, the course of scores."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from rulewright.play.game_over import how_it_ended
from rulewright.runtime.game import Game
from rulewright.scene.view_words import People
from rulewright.web.course import Course, Step
from rulewright.web.page import fragment
from rulewright.web.words import say

Json = dict[str, Any]
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP = 420, 180, 30, 70, 10
# so far apart are names at the end of lines that end close together
_APART = 14


def result(game: Game, people: People, course: Course, table: str) -> str:
    if not course.over:
        return _NONE_YET
    info, state = game.info, course.state
    reasons = info["reasons"]
    parts, places, scores = state.score_breakdown(), state.ranking(), state.scores()
    together = "together" in info
    rows = [
        {
            "seat": i, "name": info["seats"][i], "letter": people.initial(i), "score": scores[i],
            "rank": say("won" if places[i] == 1 else "lost") if together else places[i],
            "parts": [parts[i][reason] for reason in reasons],
        }
        for i in sorted(range(game.num_players()), key=lambda i: places[i])
    ]  # fmt: skip
    ended = ended_words(game, state)
    lines = _course_of_scores(info["seats"][: game.num_players()], course.steps)
    heading = say("outcome" if together else "rank")
    return fragment("result", rows, list(reasons.values()), lines, table, ended, heading)


def ended_words(game: Game, state: Any) -> str:
    """Who has won, in a sentence."""
    return " ".join(say(key, **values) for key, values in how_it_ended(game, state))


def _course_of_scores(names: Sequence[str], steps: Sequence[Step]) -> Json | None:
    """A line for each seat; none where nobody ever had a point."""
    if len(steps) < 2 or not any(any(step.scores) for step in steps):
        return None
    top = max(1, *(max(s.scores) for s in steps))
    low = min(0, *(min(s.scores) for s in steps))
    across = (_WIDTH - _LEFT - _RIGHT) / (len(steps) - 1)
    every = max(1, len(steps) // 150)

    def y(points: int) -> float:
        return round(_TOP + (_HEIGHT - 2 * _TOP) * (top - points) / (top - low), 1)

    lines: list[Json] = []
    for i, name in enumerate(names):
        shown = [*range(0, len(steps) - 1, every), len(steps) - 1]
        points = " ".join(f"{round(_LEFT + n * across, 1)},{y(steps[n].scores[i])}" for n in shown)
        lines.append({"seat": i, "name": name, "points": points, "y": y(steps[-1].scores[i])})
    for above, below in pairwise(sorted(lines, key=lambda line: float(line["y"]))):
        below["y"] = max(below["y"], above["y"] + _APART)
    return {"width": _WIDTH, "height": _HEIGHT, "top": top, "zero": y(0), "lines": lines}


# the place of the result while there is none
_NONE_YET = fragment("result", [], [], None, "", "", "")
