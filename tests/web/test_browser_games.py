"""Whole games in a real browser: by clicks only, by keys only, on a phone."""

import pytest
from browser_checks import is_too_wide
from playing import PHONE, Player, make_table

from rulewright.engines import games

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("way", ["clicks", "keys", "taps"])
def test_a_whole_game(real_server, new_page, game, way):
    page = new_page(**(PHONE if way == "taps" else {}))
    make_table(page, real_server.url, game, ["me", "random"])
    player = Player(page, way)
    while player.decide():
        assert player.taken < 1000
    # nobody can leave every season of the shortest game without deciding something
    assert player.taken >= 4
    assert page.locator("#status").inner_text().startswith("The game is over")
    assert page.locator("#result thead .player").count() == 2
    # no part of the page is wider than the screen
    assert not is_too_wide(page)
