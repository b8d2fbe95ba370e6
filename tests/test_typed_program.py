"""A program of a user's that plays games is seen through by `mypy --strict`: right ones pass, wrong ones do not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mypy import api

from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.info import FORMAT, read_info, write_info

ROOT = Path(__file__).parents[1]

PROGRAM = '''
import rulewright
from rulewright import Bot, Game, State, View


class Greedy:
    """A bot of one's own."""

    def choose(self, view: View, seed: int) -> int:
        dealt: State = view.determinize(seed)
        best = max(view.legal_actions(), key=lambda a: self.worth(view.game, dealt, a))
        return best

    def worth(self, game: Game, state: State, action: int) -> float:
        after = state.clone()
        after.apply_action(action)
        end = game.random_playout(after, seed=1)
        return end.returns()[state.current_player()] if end.is_terminal() else 0.0


def play(game: Game, bots: list[Bot]) -> list[int]:
    state = game.new_initial_state(seed=7)
    while not state.is_terminal():
        seat = state.current_player()
        state.apply_action(bots[seat].choose(state.view(seat), 1))
    again = game.from_dict(state.to_dict())
    assert again.ranking() == state.ranking()
    return state.scores()


loaded = rulewright.load("yspahan", players=3)
print(play(loaded, [Greedy(), Greedy(), Greedy()]), loaded.info["title"].upper())
'''
WRONG = """
import rulewright

game = rulewright.load("yspahan", players=3)
state = game.new_initial_state(seed=7)
state.aply_action(1)
state.apply_action("1")
state.clone().scores().upper()
game.from_dict(state.to_dict()).legal()
state.view(0).determinize(1).winner()
print(game.info["tittle"])
"""


def test_a_right_program_passes_and_every_slip_is_seen(tmp_path: Path) -> None:
    # in one go, because all that an engine uses is looked at for it
    for name, text in (("right", PROGRAM), ("wrong", WRONG)):
        (tmp_path / f"{name}.py").write_text(text)
    out, err, _ = api.run(
        ["--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}", "--follow-imports=silent",
         str(tmp_path / "right.py"), str(tmp_path / "wrong.py")]
    )  # fmt: skip
    assert not err
    errors = [line.split(":") for line in out.splitlines() if ": error:" in line]
    assert {(Path(file).stem, int(line)) for file, line, *_ in errors} == {
        ("wrong", line) for line in (6, 7, 8, 9, 10, 11)
    }


def test_little_of_the_runtime_is_untyped() -> None:
    """`Any` stands for what a type beside it tells, what C is given, and rows of JSON; each line of it is looked at here."""
    lines = [
        f"{file.name}:{number} {line.strip()}"
        for file in sorted((ROOT / "runtime").glob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"\bAny\b", line)
    ]
    assert len(lines) <= 20, "\n".join(lines)


def test_info_of_another_version_is_refused() -> None:
    text = (ROOT / "generated" / "yspahan" / "p3.json").read_text(encoding="utf-8")
    info = read_info(text)
    assert info["players"] == 3 and write_info(info) == text
    for broken in (text[:1000], text.replace(f'"format": {FORMAT}', '"format": 0'), "[]", "{}"):
        with pytest.raises(RulewrightError):
            read_info(broken)
    with pytest.raises(RulewrightError, match="lacks"):
        read_info(f'{{"format": {FORMAT}}}')


@pytest.mark.parametrize("folder", ["compiler", "runtime", "rulewright"])
def test_no_types_are_looked_away_from(folder: str) -> None:
    silenced = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if "# type: ignore" in line or "# mypy:" in line
    ]
    assert not silenced, "say what it is, or look at it: " + ", ".join(silenced)
