"""On a phone every board fits the screen, and one that has become too small for a finger is enlarged on demand."""

import pytest
from browser_checks import axe_complaints, is_too_wide
from playing import PHONE, Player, make_table

pytestmark = pytest.mark.browser

# what can be moved sideways, and how wide the smallest thing is that can be chosen on a board
WIDER = """() => [...document.querySelectorAll('#picture, #picture *')]
  .filter(e => !(e instanceof SVGElement) && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible'
    && !e.classList.contains('sr'))
  .map(e => `${e.className}: ${e.scrollWidth} in ${e.clientWidth}`)"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('#picture figure.picture g.target > .f:first-child')].map(e => {
  const box = e.getBoundingClientRect();
  return Math.min(box.width, box.height);
}))"""


def test_no_board_goes_beyond_the_screen(real_server, new_page):
    page = new_page(**PHONE)
    page.goto(real_server.url)
    offered = page.locator("form[data-game]")
    names = [offered.nth(i).get_attribute("data-game") for i in range(offered.count())]
    assert len(names) > 15
    for name in names:
        page.goto(real_server.url)
        page.locator(f'form[data-game="{name}"] button.main').click()
        page.wait_for_url("**/table/*")
        page.wait_for_function("() => document.getElementById('connection').textContent === ''")
        assert page.evaluate(WIDER) == [], name
        assert not is_too_wide(page), name


def test_a_board_is_enlarged_for_fingers(real_server, new_page):
    page = new_page(**PHONE)
    make_table(page, real_server.url, "yspahan", ["me", "random", "random"])
    enlarge = page.locator("figure.picture .enlarge")
    assert enlarge.count() == 1 and enlarge.inner_text() == "Enlarge"
    player = Player(page, "taps")
    # until something can be chosen on the board
    for _ in range(40):
        player.wait()
        if page.locator("figure.picture g.target").count():
            break
        player.decide()
    fitted = page.evaluate(SMALLEST)
    enlarge.tap()
    assert enlarge.get_attribute("aria-pressed") == "true"
    assert page.evaluate(SMALLEST) > 1.5 * fitted and page.evaluate(SMALLEST) >= 38
    # what can be chosen is in sight, the page itself is no wider than before
    assert not is_too_wide(page)
    box = page.locator("figure.picture .scroll").bounding_box()
    seen = page.locator("figure.picture g.target").first.bounding_box()
    assert box["x"] <= seen["x"] + seen["width"] / 2 <= box["x"] + box["width"]
    assert axe_complaints(page) == []
    enlarge.tap()
    assert page.evaluate(SMALLEST) == pytest.approx(fitted, abs=0.5)


def test_a_wide_screen_needs_no_button(real_server, new_page):
    page = new_page(width=1280)
    make_table(page, real_server.url, "yspahan", ["me", "random", "random"])
    assert page.locator(".enlarge:visible").count() == 0
