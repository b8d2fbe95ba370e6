"""Last moves are marked so that one sees it: in a real browser, on the board and in lists, by more than colour."""

import pytest
from playing import Player, make_table
from real_server import RealServer

pytestmark = pytest.mark.browser

# how what is marked is drawn, and how its like that is not: a broken line around the shape on a board, a ring around anything else
LOOKS = """() => {
  const look = (element) => {
    const shape = element instanceof SVGElement ? element.querySelector('.f') || element : element;
    const style = getComputedStyle(shape);
    return element instanceof SVGElement ? [style.strokeDasharray, style.strokeWidth] : [style.boxShadow];
  };
  return [...document.querySelectorAll('#picture .marked')].map((marked) => {
    const like = [...document.querySelectorAll(`#picture .${[...marked.classList].find((c) => c.startsWith('k-'))}`)]
      .find((other) => !other.matches('.marked') && other.tagName === marked.tagName);
    return {look: look(marked), other: like ? look(like) : null, said: marked.getAttribute('aria-label')};
  });
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = RealServer(tmp_path_factory.mktemp("marks"))
    yield server
    server.stop()


@pytest.mark.parametrize("game", ["yspahan", "mykerinos", "ys"])
def test_what_the_last_moves_touched_has_an_outline(server, new_page, game):
    page = new_page()
    make_table(page, server.url, game, ["me", "random", "random"])
    player, found = Player(page, "clicks"), []
    for _ in range(12):
        player.decide()
        player.wait()
        found += page.evaluate(LOOKS)
    assert found, "nothing was ever marked"
    for mark in found:
        assert "touched by the last move" in mark["said"]
        assert mark["look"] != mark["other"] and mark["look"][0] != "none", mark
