"""Pictures for the browser: well-formed in every ruleset, nothing hidden in them, everything escaped, drawn again only when needed."""

from __future__ import annotations

import copy
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from common import Ruleset, each_ruleset, game, reach, walk

from rulewright.engines import SPECS, games, load
from rulewright.runtime.view import Memo, data_of
from rulewright.scene.colours import WORDS, ink, luminance
from rulewright.scene.everybody import seen_by_all
from rulewright.scene.read_view import read_layout
from rulewright.scene.view_names import Names
from rulewright.web import shots, style
from rulewright.web.board import Board, Drawings
from rulewright.web.now import Kept, Now, Renderings, joined
from rulewright.web.shots import page, targets_of
from rulewright.web.sight import touched

GAMES = Path(__file__).parent / "games"
SMALL = [
    "auction", "bluff", "race", "sketches/boards", "sketches/brokers", "sketches/columns", "sketches/free_cards", "sketches/neutral",
    "sketches/powers", "sketches/region", "sketches/several",
]  # fmt: skip


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def check(board: Board, fragments: dict[str, str]) -> ET.Element:
    """A picture is well-formed, each fragment has its own id and stands in it, and what can be chosen can be reached."""
    for name, text in fragments.items():
        assert parsed(text).get("id") == name
    whole = parsed(board.picture(fragments))
    ids = [element.get("id") for element in whole.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert set(fragments) <= set(ids)
    for element in whole.iter():
        assert element.get("style") is None and element.tag != "script"
        member = element.get("data-member")
        if member is None:
            assert element.get("data-actions") is None
            continue
        target = "target" in (element.get("class") or "").split()
        assert element.get("aria-label")
        assert element.get("tabindex") == ("0" if target else "-1")
        assert element.get("role") == ("button" if target else "img")
        assert bool(element.get("data-actions")) == target
        # what is inside a button or an image can't be reached by those who listen
        assert not any(inner.get("tabindex") for inner in element.iter() if inner is not element)
    return whole


def positions(engine: Any, seed: int) -> list[Any]:
    """A few positions of one game, the first and the last among them."""
    state = engine.new_initial_state(seed)
    found = []
    for i, _ in enumerate(walk(state, seed)):
        if i % 80 == 0:
            found.append(state.clone())
    return [*found, state]


@each_ruleset
def test_every_ruleset_has_a_picture_in_every_position(ruleset: Ruleset) -> None:
    name, players, variants = ruleset
    engine = game(name, players, variants)
    board = Board(engine, SPECS / name)
    ids: list[str] | None = None
    for n, state in enumerate(positions(engine, 5)):
        seat = n % players
        targets = {} if state.is_terminal() else targets_of(engine, state)
        fragments = board.render(state.view(seat).data, seat, targets)
        check(board, fragments)
        check(board, board.render(seen_by_all(state), None, {}))
        # a page can be mended piece by piece, since the pieces are the same ones throughout
        ids = ids or list(fragments)
        assert list(fragments) == ids


@pytest.mark.parametrize("name", SMALL)
def test_games_without_a_view_have_a_picture(name: str) -> None:
    engine = load(str(GAMES / name), 2)
    board = Board(engine, GAMES / name)
    state, _ = reach(engine, 3, 8)
    for seat in range(2):
        whole = check(board, board.render(state.view(seat).data, seat, {}))
        assert len(whole.findall(".//section[@aria-label]")) >= 2  # a board for each player


# ---------------------------------------------------------------- what is seen


@pytest.mark.parametrize("name", games())
def test_nothing_hidden_is_in_a_picture(name: str) -> None:
    """For states dealt from a seat's view the picture of that seat, and that of those who have none, is the same."""
    engine = game(name, 3)
    board = Board(engine, SPECS / name)
    different = 0
    for n, state in enumerate(positions(engine, 11)[:-1]):
        seat = n % 3
        mine = board.render(state.view(seat).data, seat, {})
        public = board.render(seen_by_all(state), None, {})
        for seed in range(2):
            other = state.view(seat).determinize(seed)
            different += other != state
            assert Board.render(board, other.view(seat).data, seat, {}) == mine
            assert board.render(seen_by_all(other), None, {}) == public
    assert different or name == "mykerinos"  # whose only hidden thing is a shuffled pile


def test_who_has_no_seat_sees_what_all_see() -> None:
    engine = load(str(GAMES / "bluff"), 2)
    state, _ = reach(engine, 1, 2)
    seen, views = seen_by_all(state), [state.view(i).data for i in range(2)]
    assert seen["seat"] is None and "legal" not in seen
    hands = [v["zones"] for v in views]
    assert hands[0] != hands[1]
    for zone, found in seen["zones"].items():
        for key, value in found.items():
            shown = [hand[zone][key] for hand in hands]
            assert value == shown[0] if shown[0] == shown[1] else "hidden" in str(value)


@pytest.mark.parametrize("name", games())
def test_a_rendering_that_is_kept_is_the_one_that_would_be_made(name: str) -> None:
    """However many positions a board has drawn before, it draws the next one as a new board would."""
    engine = game(name, 3)
    board, kept, memo = Board(engine, SPECS / name), Drawings(), Memo()
    state = engine.new_initial_state(2)
    for n, _ in enumerate(walk(state, 2, 120)):
        seat = n % 4 if n % 4 < 3 else None
        memo.new_position()
        data = seen_by_all(state) if seat is None else data_of(state.view(seat), memo)
        targets = targets_of(engine, state) if seat == state.current_player() else {}
        marked = list(targets)[:2]
        drawn = joined(board.render_parts(data, seat, targets, marked, kept))
        if n % 17 == 0:
            new = Board(engine, SPECS / name) if n % 34 == 0 else board
            assert new.render(data, seat, targets, marked) == drawn


@pytest.mark.parametrize("name", games())
def test_what_seats_share_of_a_position_is_what_each_would_see(name: str) -> None:
    """Data that views of one position share, and keep from position to position, are those that each view has by itself."""
    engine = game(name, 3)
    state, memo = engine.new_initial_state(3), Memo()
    for n, _ in enumerate(walk(state, 3, 120)):
        if n % 3:
            continue
        memo.new_position()
        for seat in (n % 3, (n + 1) % 3, (n + 2) % 3):
            shared = data_of(state.view(seat), memo)
            assert shared == state.view(seat).data
            assert [*shared["state"]] == [*state.view(seat).data["state"]]


def test_a_part_is_drawn_once_for_what_it_shows() -> None:
    drawn = []

    def render(now: Now) -> dict[str, str]:
        drawn.append(now.data["state"]["seen"])
        return {"p": str(now.data["state"]["seen"]) + str(now.actions("Kind", "a"))}

    part = Kept(render)

    def now(seen: int, unseen: int, actions: dict[tuple[str, str], list[int]]) -> Now:
        state = {"seen": seen, "unseen": unseen}
        return Now({"state": state, "zones": {}, "pieces": {}, "decides": 0}, 0, actions, ())

    kept: Renderings = []
    assert part.render(now(1, 1, {}), kept) == part.render(now(1, 2, {("Other", "b"): [7]}), kept)
    assert len(drawn) == 1
    assert part.render(now(2, 2, {}), kept) == {"p": "2()"}
    assert part.render(now(2, 2, {("Kind", "a"): [3, 4]}), kept) == {"p": "2(3, 4)"}
    assert len(drawn) == 3
    # another table has drawn nothing yet
    assert part.render(now(1, 1, {}), []) == {"p": "1()"}
    assert len(drawn) == 4


# ---------------------------------------------------------------- choosing


def test_targets_and_marks() -> None:
    engine = game("yspahan", 3)
    board = Board(engine)
    state, _ = reach(engine, 4, 30)
    shop, road = ("Shop", "sack.pink.0"), ("RoadSquare", "centre")
    whole = check(board, board.render(state.view(0).data, 0, {shop: [31, 7]}, [road]))
    (target,) = whole.findall(".//*[@data-actions]")
    assert target.get("data-member") == "Shop/sack.pink.0"
    assert target.get("data-actions") == "31 7"
    (marked,) = [e for e in whole.iter() if "marked" in (e.get("class") or "").split()]
    assert marked.get("data-member") == "RoadSquare/centre"
    assert "touched by the last move" in (marked.get("aria-label") or "")


def test_only_who_decides_can_take_from_a_board_of_a_player() -> None:
    engine = game("yspahan", 3)
    board = Board(engine)
    state, _ = reach(engine, 4, 30)
    who = state.current_player()
    fragments = board.render(state.view(who).data, who, {("Building", "hoist"): [5]})
    seats = [i for i, part in enumerate(board.layout.web) if type(part).__name__ == "Seats"]
    boards = [name for name, text in fragments.items() if 'data-actions="5"' in text]
    assert f"p{seats[0]}-{who}" in boards
    assert [b for b in boards if b.startswith(f"p{seats[0]}-")] == [f"p{seats[0]}-{who}"]


def test_members_are_told_in_words() -> None:
    engine = game("yspahan", 3)
    board = Board(engine)
    state = engine.new_initial_state(1)
    whole = check(board, board.render(state.view(0).data, 0, {}))
    said = {e.get("data-member"): e.get("aria-label") for e in whole.iter() if e.get("data-member")}
    assert said["Shop/sack.pink.0"] == "Shop of the pink souk of the sack, worth 8, free"
    assert said["RoadSquare/centre"] == "Street centre, supervisor here"


def test_pieces_can_be_chosen_themselves() -> None:
    engine = game("ys", 4)
    board = Board(engine)
    state, _ = reach(engine, 3, 40)
    data = state.view(0).data
    assert data["pieces"]["Broker"]
    whole = check(
        board, board.render(data, 0, {("Broker", next(iter(data["pieces"]["Broker"]))): [9]})
    )
    (target,) = whole.findall(".//*[@data-actions]")
    assert (target.get("data-member") or "").startswith("Broker/")


# ---------------------------------------------------------------- everything is escaped

HOSTILE = """
colours: {teal: {light: "#1c7c7d", letter: "<"}}
icons: {dot: "M12 2 a10 10 0 1 0 .1 0 Z"}
kinds:
  Special: {shape: hex, colour: teal, label: '<i>&"', title: '"><script>{name}', note: "<b>'", says: '" onclick="x', texts: {TEXT}}
parts:
  - line: "<script>alert(1)</script> {HOLE}"
  - seats: {title: '"<x>', columns: {'<h>"': score}}
  - table: {title: '</table><script>', of: Special, columns: {'<c>': this.at}}
  - cards: {title: '<u>', of: Special}
  - board: {title: '"><svg onload=x>', size: [99, 99], layers: [{of: Special, at: PLACES}], areas: [{at: [1, 1], label: '<b>'}]}
"""


def test_words_of_a_spec_are_escaped(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(GAMES / "race", tmp_path / "race"))
    engine = load(str(folder), 2)
    names = Names.of(folder, engine)
    member = names.kinds["Special"][0]
    text = HOSTILE.replace("TEXT", f"{member}: '<script>'").replace("HOLE", "gathered")
    text = text.replace("PLACES", f"{{{member}: [50, 50]}}")
    single = next(n for n in names.state if names.is_single(n))
    (folder / "view.yaml").write_text(text.replace("gathered", single))
    board = Board(engine, folder)
    picture = board.picture(board.render(engine.new_initial_state(1).view(0).data, 0, {}))
    tags = {element.tag for element in parsed(picture).iter()}
    assert not tags & {"script", "i", "x", "h", "c", "u"}
    assert not any(a.startswith("on") for element in parsed(picture).iter() for a in element.attrib)
    assert "<script>alert(1)</script>" in "".join(parsed(picture).itertext())


# ---------------------------------------------------------------- colours


def contrast(one: str, other: str) -> float:
    light = sorted((luminance(one), luminance(other)))
    return (light[1] + 0.05) / (light[0] + 0.05)


@pytest.mark.parametrize("name", [None, *games()])
def test_what_stands_on_a_colour_can_be_read(name: str | None) -> None:
    colours = WORDS
    if name is not None:
        engine = game(name, 3)
        colours = dict(read_layout(SPECS / name, Names.of(SPECS / name, engine)).colours)
    for word, colour in colours.items():
        for shade in (colour.light, colour.dark):
            assert contrast(ink(shade), shade) >= 4.5, word


def test_the_style_sheet_has_every_class_that_tells_a_colour() -> None:
    for name in games():
        engine = game(name, 3)
        board = Board(engine)
        state, _ = reach(engine, 2, 60)
        text = board.picture(board.render(state.view(0).data, 0, {}))
        used = {c for found in re.findall(r'class="([^"]*)"', text) for c in found.split()}
        sheet = board.style()
        for word in (c for c in used if re.fullmatch(r"(c|b)-.*|s\d", c)):
            assert f".table .{word}{{" in sheet, word
        assert (
            "prefers-color-scheme:dark" in sheet and "@import" not in sheet and "url(h" not in sheet
        )


def test_seats_differ_in_letters_and_colours() -> None:
    for name in games():
        board = Board(game(name, 4))
        people = board.members.people
        assert len({people.initial(i) for i in range(4)}) == 4
        rules = re.findall(r"\.table \.s\d\{([^}]*)\}", board.style())
        assert len(set(rules[:4])) == 4  # in light, and then the same for dark


# ---------------------------------------------------------------- pages of their own


def test_a_page_of_its_own(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    engine = game("mykerinos", 3)
    state, _ = reach(engine, 2, 20)
    assert 'class="table"' in page(engine, state)
    monkeypatch.setattr(shots, "BROWSERS", ("no-such-browser",))
    assert shots.main([str(tmp_path)]) == 1
    assert "no-such-browser is needed" in capsys.readouterr().err


def test_what_somebody_got_is_marked_there_and_nowhere_else() -> None:
    """All players have chips of the same buildings; the mark of the last move belongs to one of them."""
    game = load("yspahan", 3)
    state = game.full.new_initial_state(3)
    after = state.view(0).data
    before = copy.deepcopy(after)
    after["state"]["built"]["1"] = ["shop"]
    board = Board(game)
    marked = touched(game.info, board.shown, before, after)
    seats = {
        k: v for k, v in board.render(after, 0, {}, marked).items() if "hoist" in v and "<dl>" in v
    }
    assert len(seats) == 3
    chips = [
        re.findall(r'class="[^"]*marked[^"]*" data-member="Building/(\w+)"', v)
        for v in seats.values()
    ]
    assert chips == [[], ["shop"], []]


def test_the_page_and_the_picture_mean_different_things_by_no_class() -> None:
    """A rule of the page for a class alone would hold for what has the same class in a picture, and move it."""
    page = (Path(shots.__file__).parent / "static" / "site.css").read_text(encoding="utf-8")
    heads = re.sub(r"\{[^{}]*\}", ",", re.sub(r"/\*.*?\*/", "", page, flags=re.S))
    parts = [re.fullmatch(r"\.([\w-]+)(:[\w-]+)?( *>.*)?", h.strip()) for h in re.split("[,{}]", heads)]  # fmt: skip
    alone = {found[1] for found in parts if found is not None}
    assert {"side", "choices", "option", "status"} <= alone
    drawn = set(re.findall(r"\.([a-z][\w-]*)", re.sub(r"\{[^{}]*\}", " ", style._PLAIN)))
    assert {"beside", "seat", "card", "note"} <= drawn
    # what can be chosen is so in both
    assert alone & drawn == {"target"}
