"""The page about pictures: every example is read, drawn in both faces, and every word of the vocabulary stands in it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from common import copy_of, game, reach
from doc_blocks import Block, blocks
from rich.console import Console

from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import games, load, spec_path
from rulewright.play.show import Screen
from rulewright.scene import layout, read_looks
from rulewright.scene.colours import WORDS
from rulewright.scene.read_view import read_layout
from rulewright.scene.view_names import Names
from rulewright.web.board import Board

PAGE = Path(__file__).parent.parent / "docs" / "view.md"
EXAMPLES = [b for b in blocks(PAGE) if b.words and b.words[0].startswith("view=")]


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda b: f"{b.section} (line {b.line})")
def test_an_example_is_drawn_in_both_faces(block: Block, tmp_path: Path) -> None:
    name = block.words[0].removeprefix("view=")
    spec = spec_path(name)
    engine = game(name, 3) if name in games() else load(name, 2)
    folder = tmp_path / name
    folder.mkdir()
    (folder / "view.yaml").write_text(block.text)
    if (spec / "variants").is_dir():
        (folder / "variants").symlink_to(spec / "variants")
    names = Names.of(spec, engine)
    found = read_layout(folder, names)
    state, _ = reach(engine, 4, 60 if name in games() else 6)
    out = io.StringIO()
    Screen(found, names).show(Console(file=out, width=120), state.view(0).data)
    assert bool(out.getvalue()) == bool(found.terminal)
    board = Board(engine, spec, found)
    fragments = board.render(state.view(0).data, 0, {})
    assert bool(fragments) == bool(found.web)
    assert board.picture(fragments)


def test_the_page_names_every_word() -> None:
    text = PAGE.read_text()
    words = [*layout.SHAPES, *layout.PATTERNS, *layout.WAYS, *read_looks.LOOK_KEYS, *WORDS]
    parts = ["line", "seats", "table", "grid", "track", "scale", "zone", "cards", "board"]
    assert [w for w in [*words, *parts] if w not in text] == []
    shown = {b.words[0].removeprefix("view=") for b in EXAMPLES}
    assert shown == {*games(), "backgammon", "chess", "connect_four", "go", "hex", "liars_dice"}


def test_the_mistake_on_the_page_is_told_so(tmp_path: Path) -> None:
    folder = copy_of("yspahan", tmp_path)
    text = (folder / "view.yaml").read_text()
    (folder / "view.yaml").write_text(text.replace("shape: square", "shape: squar", 1))
    with pytest.raises(SpecError) as error:
        read_layout(folder, Names.of(folder, game("yspahan", 3)))
    shown = next(b.text for b in blocks(PAGE) if b.lang == "text")
    assert str(error.value).startswith(shown.rstrip())
