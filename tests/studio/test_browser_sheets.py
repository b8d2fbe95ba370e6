"""Two style sheets on one page: what the studio says of its own things changes nothing within the picture of a game."""

import re
from pathlib import Path

import pytest

import rulewright.studio
from rulewright.engines import games
from rulewright.web import shots

SHEET = Path(rulewright.studio.__file__).parent / "static" / "studio.css"
LOOKS = """() => [...document.querySelectorAll('.table *')].map(e => {
  const s = getComputedStyle(e);
  return [e.className.baseVal ?? e.className, s.display, s.padding, s.margin, s.borderWidth, s.borderStyle, s.borderRadius, s.minWidth, s.minHeight,
    s.fontSize, s.fontWeight, s.color, s.backgroundColor, s.cursor, s.overflow, s.columns, s.position, s.opacity, s.outlineStyle].join(' | ');
})"""


def test_the_whole_sheet_ends_where_a_picture_begins():
    text = re.sub(r"/\*.*?\*/", "", SHEET.read_text(), flags=re.S).strip()
    assert text.startswith("@scope (:root) to (.table) {")
    # the first brace is closed by the last one
    depth = 0
    for i, sign in enumerate(text):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth > 0 or i < text.index("{") or i == len(text) - 1
    assert depth == 0


@pytest.mark.browser
@pytest.mark.parametrize("game", games())
def test_a_picture_looks_the_same_in_the_studio(new_page, game):
    page = new_page()
    page.set_content(shots.page(*shots.position(game, 3)))
    page.evaluate("document.body.className = 'start'")
    before = page.evaluate(LOOKS)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p class=chip>a</p>')")
    page.add_style_tag(content=SHEET.read_text())
    # it is in force, outside the picture
    chip = "getComputedStyle(document.querySelector('body > .chip')).borderTopLeftRadius"
    assert page.evaluate(chip) == "16px"
    after = page.evaluate(LOOKS)
    assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]] == []
