"""The page of patterns: every section is a game that is checked, played to the end, and played on from each seat's view."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from doc_blocks import blocks
from test_secret_games import deals_played_on

from rulewright.compiler.build import Spec, check_spec, read_spec
from rulewright.compiler.text.diagnostics import render_all
from rulewright.engines import game_of
from rulewright.runtime.game import Game

PAGE = blocks(Path(__file__).parent.parent / "docs" / "patterns.md")
COMMON = next(block.text for block in PAGE if block.target == ("file", "game.yaml"))
SECTIONS = list(dict.fromkeys(block.section for block in PAGE if block.lang == "rules"))


@cache
def spec_of(section: str, folder: Path) -> Spec:
    folder.mkdir()
    (folder / "game.yaml").write_text(COMMON, encoding="utf-8")
    for number, block in enumerate(b for b in PAGE if b.section == section):
        assert block.lang in ("yaml", "rules"), block.where
        (folder / f"part{number}.{block.lang}").write_text(block.text, encoding="utf-8")
    return read_spec(folder, "patterns")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("patterns")


def test_the_page_has_its_sections() -> None:
    assert len(SECTIONS) >= 16


@pytest.mark.parametrize("section", SECTIONS)
def test_a_pattern_is_a_whole_game(section: str, place: Path) -> None:
    spec = spec_of(section, place / section.replace(" ", "_"))
    problems = check_spec(spec)
    assert not list(problems), render_all(problems, spec.sources)
    for players in (2, 3):
        game = game_of(spec, players, ())
        deals_played_on(game, seed=1, deals=10)
        ends = {returns(game, seed) for seed in range(30)}
        assert len(ends) > 1, "every game ends alike"


def returns(game: Game, seed: int) -> tuple[float, ...]:
    return tuple(game.random_playout(game.new_initial_state(seed), seed).returns())
