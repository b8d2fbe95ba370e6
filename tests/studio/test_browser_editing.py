"""The studio in a real browser, by clicks and keys only: the edits of docs/editing.md, what a designer adds, mistakes at their cells."""

import re

import pytest
from studio_pages import Designer, RealStudio

from rulewright.compiler.build import read_spec

pytestmark = pytest.mark.browser


@pytest.fixture
def studio(tmp_path):
    made = RealStudio(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def designer(studio, new_page):
    return Designer(new_page(1500, 1000), studio.url)


def lines(studio, file, *wanted):
    text = studio.text(file)
    for line in wanted:
        assert line in text, f"{line!r} is not in {file}"


def test_the_eight_edits_of_the_page_on_editing_and_undo_of_all(studio, designer):
    before = studio.texts()
    d = designer
    # 1. another value for a souk
    d.open("Souk")
    d.set("value", "vase.orange", 15)
    lines(studio, "board.yaml", "  vase.orange: {neighbourhood: vase, colour: orange, value: 15}\n")
    # 2. a new souk, with shops and a link to the road
    d.copy_row("chest.pink", "chest.green")
    d.set("colour", "chest.green", "green")
    d.set("value", "chest.green", 5)
    d.open("Shop")
    d.copy_row("chest.pink.3", "chest.green.0")
    d.set("souk", "chest.green.0", "chest.green")
    d.set("at", "chest.green.0", "345, 12")
    d.copy_row("chest.green.0", "chest.green.1")
    d.set("at", "chest.green.1", "262, 12")
    d.open("RoadSquare")
    d.copy_row("n4", "n5")
    d.members("neighbours", "n5", "n4")
    d.members("faces", "n5", "chest.green.0")
    d.set("at", "n5", "406, 12")
    lines(
        studio, "board.yaml", "  chest.green: {neighbourhood: chest, colour: green, value: 5}\n",
        "  chest.green.0: {souk: chest.green, at: [345, 12]}\n  chest.green.1: {souk: chest.green, at: [262, 12]}\n",
        "  n5: {neighbours: [n4], faces: [chest.green.0], at: [406, 12]}\n",
    )  # fmt: skip
    assert d.errors() == 0
    # 3. other prices
    d.open("Building")
    d.set("camels", "hoist", 3)
    d.set("gold", "hoist", 2)
    lines(studio, "buildings.yaml", "  hoist:\n    camels: 3\n    gold: 2\n")
    # 4. another power
    d.set("power", "shop", "after take_gold(me, dice): draw_card(me)")
    lines(studio, "buildings.yaml", '    power: "after take_gold(me, dice): draw_card(me)"\n')
    # 5. a new card, made of what other cards do
    d.open("CardKind")
    d.add_row("travelling_merchant")
    d.set("effect", "travelling_merchant", "gain_camels(me, 2)\ngain_gold(me, 1)\nload_caravan(me)")
    lines(
        studio, "cards.yaml",
        "    effect: |\n      gain_camels(me, 2)\n      gain_gold(me, 1)\n      load_caravan(me)\n    assumed: a row of our own\n",
    )  # fmt: skip
    # 6. five days a week, 7. ten white dice, with two players too
    d.open("Constants")
    d.set("value", "days_per_week", 5)
    d.set("value", "white_dice", 10)
    d.page.locator("#variant").select_option("two-players")
    d.set("value", "white_dice", 10)
    lines(studio, "variants/two-players.yaml", "  white_dice: {value: 10, cite: two.eight-dice}\n")
    d.page.locator("#variant").select_option("")
    # 8. another caravan
    d.open("CaravanCamel")
    for number in range(1, 5):
        d.add_row(f"line4_camel{number}")
        d.set("line", f"line4_camel{number}", 4)
        d.set("points", f"line4_camel{number}", 3)
    for variant, gone in (("three-players", [1]), ("two-players", [3, 4])):
        d.page.locator("#variant").select_option(variant)
        for number in gone:
            d.page.get_by_role("button", name=f"Remove: line4_camel{number}", exact=True).click()
            d.page.locator(f'tr.removed[data-row="line4_camel{number}"]').wait_for()
    lines(
        studio,
        "variants/three-players.yaml",
        "    remove: [line1_camel1, line2_camel1, line3_camel1, line4_camel1]\n",
    )
    lines(studio, "variants/two-players.yaml", "line3_camel4, line4_camel3, line4_camel4]\n")
    d.page.locator("#variant").select_option("")
    assert d.errors() == 0
    assert read_spec(studio.root)
    d.undo_all()
    assert studio.texts() == before


def test_a_new_building_with_a_power_and_a_card_from_the_palette(studio, designer):
    d = designer
    d.open("Building")
    d.add_row("palace")
    d.set("camels", "palace", 5)
    d.page.locator("#show-palette").click()
    d.cell("power", "palace").click()
    d.page.locator('.palette-item[data-name="caravan_count"] button').first.click()
    d.saved()
    lines(
        studio,
        "buildings.yaml",
        '  palace:\n    camels: 5\n    gold: 4\n    power: "on caravan_count(me): result + 1"\n',
    )
    d.open("CardKind")
    d.add_row("festival")
    d.cell("effect", "festival").fill("")
    for effect in ("draw_card", "load_caravan"):
        d.page.locator(f'.palette-item[data-name="{effect}"] button').last.click()
        d.saved()
    lines(studio, "cards.yaml", "    effect: |\n      draw_card(me)\n      load_caravan(me)\n")
    assert d.errors() == 0


def test_a_place_is_dragged_and_linked(studio, designer):
    """A new souk's shop and a square of the road, in the picture: copied, dragged into place, joined."""
    d = designer
    page = d.page
    d.open("Souk")
    d.copy_row("chest.blue", "chest.green")
    d.open("The board")
    page.locator(".studio-board .place").first.wait_for()
    page.locator("input[name=mode][value=add]").check()
    page.locator('[data-member="Shop/chest.blue.0"]').click()
    box = page.locator(".studio-board figure svg").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.35, box["y"] + box["height"] * 0.12)
    page.locator("#dialog input[name=name]").fill("chest.green.0")
    page.locator("#dialog").get_by_role("button", name="Add", exact=True).click()
    d.open("Shop")
    d.set("souk", "chest.green.0", "chest.green")
    d.open("RoadSquare")
    d.copy_row("w4", "w4b")
    d.members("neighbours", "w4b", "w4")
    d.members("faces", "w4b")
    assert d.errors() == 0
    d.open("The board")
    shop = page.locator('[data-member="Shop/chest.green.0"].place')
    shop.wait_for()
    before = re.search(
        r"chest\.green\.0: .*at: \[(\d+), (\d+)\]", studio.text("board.yaml")
    ).groups()
    place = shop.bounding_box()
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()
    page.mouse.move(place["x"] - 40, place["y"] + 30, steps=5)
    page.mouse.up()
    d.saved()
    after = re.search(
        r"chest\.green\.0: .*at: \[(\d+), (\d+)\]", studio.text("board.yaml")
    ).groups()
    assert int(after[0]) < int(before[0]) and int(after[1]) > int(before[1])
    d.settled()
    page.locator('[data-member="RoadSquare/w4b"].place').wait_for()
    page.locator("input[name=mode][value=link]").check()
    # the new square lies on its model; the keyboard reaches both
    page.locator('[data-member="RoadSquare/w4b"].place').press("Enter")
    page.locator('[data-member="Shop/chest.green.0"].place').press("Enter")
    page.wait_for_function("() => document.getElementById('picked').textContent.includes('–')")
    lines(
        studio, "board.yaml", "  w4b: {neighbours: [w4], faces: [chest.green.0], at: [263, 197]}\n"
    )
    assert d.errors() == 0


def test_a_longer_caravan_as_a_variant(studio, designer):
    d = designer
    before = studio.texts()
    d.open("The game")
    d.page.locator("#new-variant").click()
    d.page.locator("#dialog input[name=name]").fill("long-caravan")
    d.page.locator("#dialog input[name=about]").fill("Fifteen camels")
    d.page.get_by_role("button", name="Begin it").click()
    d.page.wait_for_function("() => document.getElementById('variant').value === 'long-caravan'")
    d.open("CaravanCamel")
    for line in (1, 2, 3):
        d.copy_row(f"line{line}_camel4", f"line{line}_camel5")
    assert d.errors() == 0
    after = studio.texts()
    text = after.pop("variants/long-caravan.yaml")
    assert after == before, "the game itself has changed"
    assert "  CaravanCamel:\n    add:\n      line1_camel5: {line: 1, points: 2}\n" in text


def test_a_five_player_game(studio, designer):
    d = designer
    d.open("The game")
    d.page.get_by_label("Player counts").fill("2, 3, 4, 5")
    d.page.get_by_label("Player counts").press("Tab")
    d.page.get_by_label("Seats, clockwise").fill("Blue, Green, Red, Yellow, Black")
    d.page.get_by_label("Seats, clockwise").press("Tab")
    d.saved()
    lines(
        studio, "game.yaml", "players: [2, 3, 4, 5]\n", "seats: [Blue, Green, Red, Yellow, Black]\n"
    )
    d.open("state.rules")
    area = d.page.locator("textarea.code")
    area.wait_for()
    text = area.input_value().replace("list of Player max 4", "list of Player max 5")
    area.fill(text)
    d.page.locator("#players option[value='5']").wait_for(state="attached")
    d.page.locator("#players").select_option("5")
    assert d.errors() == 0
    d.page.locator("#play").click()
    frame = d.page.frame_locator("iframe.table-frame")
    frame.locator("#options .option").first.wait_for()
    assert frame.locator("#seats .letter").count() == 5


# where something wrong is written, what is written, and the message that stands beside it
PLANTED = [
    ("Building", "camels", "hoist", 99, "99"),
    ("Building", "power", "hoist", "on cubes_suplied(me, dice): result + 1", "cubes_suplied"),
    ("Building", "power", "shop", "on gold_taken(me): result + 2", "dice"),
    ("CardKind", "effect", "camels_3", "gain_camels(me, )", "takes 2 arguments"),
    ("CardKind", "effect", "gold_3", "gain_gold(you, 3)", "you"),
    ("CardKind", "copies", "exchange", 10, "10"),
    ("Shop", "at", "sack.pink.0", "900, 20", "900"),
]  # fmt: skip
TYPED = [
    ("turn.rules", "draw_card(p)", "draw_cart(p)", "draw_cart"),
    ("turn.rules", "if c is none: return 0", "if c is nothing: return 0", "nothing"),
    ("buildings.rules", "b.gold <= gold[p]", "b.gold <= camls[p]", "camls"),
]


def test_ten_planted_mistakes_are_shown_at_their_place_within_a_second_of_cpu(studio, designer):
    d = designer
    d.checked(0)
    seen = 0
    for table, column, row, value, words in PLANTED:
        d.open(table)
        d.set(column, row, value)
        box = d.page.locator(f'[data-for="{row}/{column}"] .wrong.error').first
        box.wait_for()
        assert words in box.inner_text(), box.inner_text()
        assert float(d.page.locator("body").get_attribute("data-seconds")) < 1.0
        seen += 1
        d.page.locator("#undo").click()
        d.checked(0)
    for file, old, new, words in TYPED:
        d.open(file)
        area = d.page.locator("textarea.code")
        d.page.wait_for_function(
            "f => document.querySelector('main h2')?.textContent === f", arg=file
        )
        text = area.input_value()
        assert old in text
        area.fill(text.replace(old, new, 1))
        mark = d.page.locator(".copy .error").first
        mark.wait_for()
        assert words in mark.inner_text()
        assert float(d.page.locator("body").get_attribute("data-seconds")) < 1.0
        seen += 1
        d.page.locator("#undo").click()
        d.checked(0)
    assert seen == 10


def test_a_hint_is_a_fix_with_one_click(studio, designer):
    d = designer
    before = studio.text("turn.rules")
    d.open("turn.rules")
    area = d.page.locator("textarea.code")
    area.wait_for()
    area.fill(before.replace("draw_card(p)", "draw_cart(p)", 1))
    d.page.locator("#problem-list .fix").first.click()
    d.checked(0)
    assert studio.text("turn.rules") == before


def test_killed_in_the_middle_of_an_edit_nothing_is_lost(studio, designer):
    """The server dies while somebody types; the page keeps what it could not send, and sends it to the next server."""
    d = designer
    d.open("cards.rules")
    area = d.page.locator("textarea.code")
    area.wait_for()
    area.press("Control+End")
    area.press_sequentially("# one\n")
    d.saved()
    studio.kill()
    area.press_sequentially("# two\n")
    d.page.wait_for_function("() => document.getElementById('saved').textContent.includes('away')")
    area.press_sequentially("# three\n")
    studio.start()
    d.saved()
    assert studio.text("cards.rules").endswith("# one\n# two\n# three\n")
    # what was done before the crash can still be undone
    d.page.locator("main").click(position={"x": 5, "y": 5})
    d.undo_all()
    assert "# one" not in studio.text("cards.rules")


def test_what_a_text_editor_changes_shows_up(studio, designer):
    d = designer
    d.open("Building")
    d.cell("camels", "hoist").wait_for()
    file = studio.root / "buildings.yaml"
    file.write_text(file.read_text().replace("  hoist:\n    camels: 4", "  hoist:\n    camels: 7"))
    d.page.wait_for_function(
        "() => document.querySelector('[data-cell=\"hoist/camels\"]').value === '7'"
    )


def test_a_running_game_is_carried_over(studio, designer):
    d = designer
    d.page.locator("#play").click()
    frame = d.page.frame_locator("iframe.table-frame")
    for _ in range(3):
        frame.locator("#options .option:enabled").first.click()
        d.page.wait_for_timeout(600)
        frame.locator("#options .option:enabled").first.wait_for()
    d.open("Building")
    d.set("camels", "hoist", 3)
    d.page.wait_for_function(
        "() => /carried over/i.test(document.getElementById('carried')?.textContent || '')"
    )
    assert re.search(
        r"\d+ decisions carried over|up to decision", d.page.locator("#carried").inner_text()
    )
