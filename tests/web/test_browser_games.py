"""Whole games in a real browser: by clicks only, by keys only, on a phone."""

import pytest
from playing import Player, make_table

from rulewright.engines import games

pytestmark = pytest.mark.browser
PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("way", ["clicks", "keys", "taps"])
def test_a_whole_game(real_server, new_page, game, way):
    page = new_page(**(PHONE if way == "taps" else {}))
    make_table(page, real_server.url, game, ["me", "random"])
    player = Player(page, way)
    while player.decide():
        assert player.taken < 1000
    assert player.taken > 10
    assert page.locator("#status").inner_text().startswith("The game is over")
    assert page.locator("#result thead .player").count() == 2
    # no part of the page is wider than the screen
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
