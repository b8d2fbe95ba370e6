"""The studio in a real browser, by clicks and keys only: the edits of docs/editing.md, what a designer adds, mistakes at their cells."""

import re

import pytest
import yaml
from browser_checks import PATIENCE
from playwright.sync_api import expect

from rulewright.cli.common import resolved
from rulewright.compiler.build import read_spec
from rulewright.studio.scenarios import tried

pytestmark = pytest.mark.browser


def lines(work, file, *wanted):
    text = work.text(file)
    for line in wanted:
        assert line in text, f"{line!r} is not in {file}"


def test_the_eight_edits_of_the_page_on_editing_and_undo_of_all(work, designer):
    before = work.texts()
    d = designer
    # 1. another value for a souk
    d.open("Souk")
    d.set("value", "vase.orange", 15)
    lines(work, "board.yaml", "  vase.orange: {neighbourhood: vase, colour: orange, value: 15}\n")
    # 2. a new souk, with shops and a link to the road
    d.copy_row("chest.pink", "chest.green")
    d.set("colour", "chest.green", "green")
    d.set("value", "chest.green", 5)
    d.open("Shop")
    d.copy_row("chest.pink.3", "chest.green.0")
    d.set("souk", "chest.green.0", "chest.green")
    d.set("text", "chest.green.0", "shop 1 of the chest's green souk")
    d.set("at", "chest.green.0", "345, 12")
    d.copy_row("chest.green.0", "chest.green.1")
    d.set("text", "chest.green.1", "shop 2 of the chest's green souk")
    d.set("at", "chest.green.1", "262, 12")
    d.open("RoadSquare")
    d.copy_row("n4", "n5")
    d.members("neighbours", "n5", "n4")
    d.members("faces", "n5", "chest.green.0")
    d.set("at", "n5", "406, 12")
    lines(
        work, "board.yaml", "  chest.green: {neighbourhood: chest, colour: green, value: 5}\n",
        "  chest.green.0: {text: \"shop 1 of the chest's green souk\", souk: chest.green, at: [345, 12]}\n",
        "  chest.green.1: {text: \"shop 2 of the chest's green souk\", souk: chest.green, at: [262, 12]}\n",
        "  n5: {neighbours: [n4], faces: [chest.green.0], at: [406, 12]}\n",
    )  # fmt: skip
    assert d.errors() == 0
    # 3. other prices
    d.open("Building")
    d.set("camels", "hoist", 3)
    d.set("gold", "hoist", 2)
    lines(work, "buildings.yaml", "  hoist:\n    camels: 3\n    gold: 2\n")
    # 4. another power
    d.set("power", "shop", "after take_gold(me, dice): draw_card(me)")
    lines(work, "buildings.yaml", '    power: "after take_gold(me, dice): draw_card(me)"\n')
    # 5. a new card, made of what other cards do
    d.open("CardKind")
    d.add_row("travelling_merchant")
    d.set("effect", "travelling_merchant", "gain_camels(me, 2)\ngain_gold(me, 1)\nload_caravan(me)")
    lines(
        work, "cards.yaml",
        "    effect: |\n      gain_camels(me, 2)\n      gain_gold(me, 1)\n      load_caravan(me)\n    assumed: a row of our own\n",
    )  # fmt: skip
    # 6. five days a week, 7. ten white dice, with two players too
    d.open("Constants")
    d.set("value", "days_per_week", 5)
    d.set("value", "white_dice", 10)
    d.edit("two-players")
    d.set("value", "white_dice", 10)
    lines(work, "variants/two-players.yaml", "  white_dice: {value: 10, cite: two.eight-dice}\n")
    d.edit("")
    # 8. another caravan
    d.open("CaravanCamel")
    for number in range(1, 5):
        d.add_row(f"line4_camel{number}")
        d.set("line", f"line4_camel{number}", 4)
        d.set("points", f"line4_camel{number}", 3)
    for variant, gone in (("three-players", [1]), ("two-players", [3, 4])):
        d.edit(variant)
        for number in gone:
            d.page.get_by_role("button", name=f"Remove: line4_camel{number}", exact=True).click()
            d.page.locator(f'tr.removed[data-row="line4_camel{number}"]').wait_for()
    lines(
        work,
        "variants/three-players.yaml",
        "    remove: [line1_camel1, line2_camel1, line3_camel1, line4_camel1]\n",
    )
    lines(work, "variants/two-players.yaml", "line3_camel4, line4_camel3, line4_camel4]\n")
    d.edit("")
    assert d.errors() == 0
    assert read_spec(work.root)
    d.undo_all()
    assert work.texts() == before


def test_a_new_building_with_a_power_and_a_card_from_the_palette(work, designer):
    d = designer
    d.open("Building")
    d.add_row("palace")
    d.set("camels", "palace", 5)
    d.page.locator("#show-palette").click()
    d.cell("power", "palace").click()
    d.page.locator('.palette-item[data-name="caravan_count"] button').first.click()
    d.saved()
    lines(
        work,
        "buildings.yaml",
        '  palace:\n    camels: 5\n    gold: 4\n    power: "on caravan_count(me): result + 1"\n',
    )
    d.open("CardKind")
    d.add_row("festival")
    d.cell("effect", "festival").fill("")
    for effect in ("draw_card", "load_caravan"):
        d.page.locator(f'.palette-item[data-name="{effect}"] button').last.click()
        d.saved()
    lines(work, "cards.yaml", "    effect: |\n      draw_card(me)\n      load_caravan(me)\n")
    assert d.errors() == 0


def drag(d, member, right, down):
    place = d.page.locator(f'[data-member="{member}"].place').bounding_box()
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    d.page.mouse.move(x, y)
    d.page.mouse.down()
    d.page.mouse.move(x + right, y + down, steps=5)
    d.page.mouse.up()
    d.page.wait_for_function(
        "() => document.getElementById('picked').textContent.includes(' is at ')"
    )
    d.saved()


def add_place(d, model, name, right, down):
    """A place like another one, so much further to the right and down in the picture of the board."""
    d.page.locator("input[name=mode][value=add]").check()
    place = d.page.locator(f'[data-member="{model}"].place')
    place.click()
    box = place.bounding_box()
    d.page.mouse.click(box["x"] + box["width"] / 2 + right, box["y"] + box["height"] / 2 + down)
    d.dialog("Add", name=name)
    d.page.locator(f'[data-member="{model.partition("/")[0]}/{name}"].place').wait_for()


def at(work, row):
    return [int(n) for n in re.search(rf"  {re.escape(row)}: .*at: \[(\d+), (\d+)\]", work.text("board.yaml")).groups()]  # fmt: skip


def test_one_more_souk_is_dragged_into_place_and_linked(work, designer):
    """The souk in its grid; two shops and a square of the road copied, dragged and joined in the picture of the board."""
    d = designer
    d.open("Souk")
    d.copy_row("chest.blue", "chest.green")
    d.set("colour", "chest.green", "green")
    d.set("value", "chest.green", 5)
    d.page.locator("#nav").get_by_text("Souk 15").wait_for()
    d.open("The board")
    d.page.locator(".studio-board .place").first.wait_for()
    add_place(d, "Shop/chest.pink.0", "chest.green.0", -146, -85)
    add_place(d, "Shop/chest.pink.0", "chest.green.1", -201, -85)
    add_place(d, "RoadSquare/n4", "n5", 20, -25)
    d.page.locator("input[name=mode][value=move]").check()
    before = at(work, "chest.green.1")
    drag(d, "Shop/chest.green.1", -25, 20)
    after = at(work, "chest.green.1")
    assert after[0] < before[0] and after[1] > before[1]
    d.page.locator("input[name=mode][value=link]").check()
    d.page.locator('[data-member="RoadSquare/n5"].place').click()
    d.page.locator('[data-member="Shop/chest.green.0"].place').click()
    d.page.wait_for_function(
        "() => document.getElementById('picked').textContent === 'n5 – chest.green.0'"
    )
    d.open("Shop")
    for shop in ("chest.green.0", "chest.green.1"):
        d.set("souk", shop, "chest.green")
    assert d.errors() == 0
    assert re.search(r"\n  n5: \{neighbours: \[n4\], faces: \[chest.green.0\], at: \[\d+, \d+\]\}\n", work.text("board.yaml"))  # fmt: skip
    tables = resolved(read_spec(work.root), 4, []).tables
    assert len(tables["Souk"].rows) == 15 and len(tables["Shop"].rows) == 49
    # a link goes as it came
    d.open("The board")
    d.page.locator("input[name=mode][value=link]").check()
    for place in ("RoadSquare/n5", "Shop/chest.green.0"):
        d.page.locator(f'[data-member="{place}"].place').press("Enter")
    d.page.wait_for_function("() => document.getElementById('picked').textContent.includes('–')")
    lines(work, "board.yaml", "  n5: {neighbours: [n4], faces: [], at: ")


def test_a_caravan_of_fifteen_camels_as_a_variant(work, designer):
    d = designer
    before = work.texts()
    d.open("The game")
    d.page.locator("#new-variant").click()
    d.dialog("Begin it", name="long-caravan", about="Fifteen camels")
    d.page.wait_for_function("() => document.getElementById('variant').value === 'long-caravan'")
    d.open("CaravanCamel")
    # a fourth line at the end, its camels each behind the one before
    for number in (1, 2, 3):
        d.copy_row(
            f"line4_camel{number - 1}" if number > 1 else "line3_camel4", f"line4_camel{number}"
        )
        d.set("line", f"line4_camel{number}", 4)
        d.set("points", f"line4_camel{number}", 3)
    assert d.errors() == 0
    d.page.locator("#nav").get_by_text("CaravanCamel 15").wait_for()
    after = work.texts()
    text = after.pop("variants/long-caravan.yaml")
    assert after == before, "the game itself has changed"
    assert "  CaravanCamel:\n    add:\n      line4_camel1: {line: 4, points: 3, cite: " in text or (
        "  CaravanCamel:\n    add:\n      line4_camel1: {line: 4, points: 3}\n" in text
    )
    camels = list(resolved(read_spec(work.root), 4, ["long-caravan"]).tables["CaravanCamel"].rows)
    assert len(camels) == 15
    # fourteen are loaded: the fifteenth fills it, it is counted by its fourth line, and emptied
    loaded = {
        "given": {"caravan": {"0": camels[:12], "1": camels[12:14]}},
        "call": "load_caravan(0)",
    }
    found = tried(work.root, {"players": 4, "variants": ["long-caravan"], **loaded})
    assert found["gained"] == {"0": 3 + 13 * 4, "1": 2 * 4}, found
    assert {tuple(c["path"]): c["after"] for c in found["changes"]} == {("caravan", "0"): [], ("caravan", "1"): []}  # fmt: skip


def test_a_camel_more_in_each_line_as_a_variant(work, designer):
    """Rows that a variant adds stand where they belong, in the grid, in the rules and in the picture; and are moved there."""
    d = designer
    before = work.texts()
    d.open("The game")
    d.page.locator("#new-variant").click()
    d.dialog("Begin it", name="wide-caravan", about="Five camels in a line")
    d.page.wait_for_function("() => document.getElementById('variant').value === 'wide-caravan'")
    d.open("CaravanCamel")
    d.copy_row("line1_camel4", "line1_camel5")
    d.page.locator("#add-row").click()
    d.page.locator("#dialog select[name=after]").select_option("line2_camel4")
    d.dialog("Add", name="line2_camel5")
    d.page.locator('[data-row="line2_camel5"]').wait_for()
    # one begins at the wrong place and is moved
    d.copy_row("line3_camel3", "line3_camel5")
    d.page.get_by_role("button", name="Move down: line3_camel5", exact=True).click()
    names = [f"line{line}_camel{n}" for line in (1, 2, 3) for n in range(1, 6)]
    d.page.wait_for_function(
        "names => [...document.querySelectorAll('tr[data-row]')].map(r => r.dataset.row).join() === names.join()",
        arg=names,
    )
    assert d.errors() == 0
    overlay = yaml.safe_load(work.text("variants/wide-caravan.yaml"))["tables"]["CaravanCamel"]
    assert overlay["after"] == {"line1_camel5": "line1_camel4", "line2_camel5": "line2_camel4"}
    after = work.texts()
    after.pop("variants/wide-caravan.yaml")
    assert after == before, "the game itself has changed"
    spec = read_spec(work.root)
    assert list(resolved(spec, 4, ["wide-caravan"]).tables["CaravanCamel"].rows) == names
    # with fewer players some of the camels that they stand behind are away
    with_two = list(resolved(spec, 2, ["wide-caravan"]).tables["CaravanCamel"].rows)
    assert with_two == [n for n in names if n[-1] in "125"]
    frame = d.play()
    shown = frame.locator('[data-member^="CaravanCamel/"]')
    drawn = [one.get_attribute("data-member").partition("/")[2] for one in shown.all()]
    assert sorted(drawn) == sorted(names)
    d.undo_all()
    assert work.texts() == before


def test_a_five_player_game(work, designer):
    d = designer
    d.open("The game")
    d.page.get_by_label("Player counts").fill("2, 3, 4, 5")
    d.page.get_by_label("Player counts").press("Tab")
    d.page.get_by_label("Seats, clockwise").fill("Blue, Green, Red, Yellow, Black")
    d.page.get_by_label("Seats, clockwise").press("Tab")
    d.saved()
    lines(
        work, "game.yaml", "players: [2, 3, 4, 5]\n", "seats: [Blue, Green, Red, Yellow, Black]\n"
    )
    d.open("state.rules")
    d.write(lambda text: text.replace("list of Player max 4", "list of Player max 5"))
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


def test_ten_planted_mistakes_are_shown_at_their_place_within_a_second_of_cpu(work, designer):
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


def test_a_hint_is_a_fix_with_one_click(work, designer):
    d = designer
    before = work.text("turn.rules")
    d.open("turn.rules")
    area = d.page.locator("textarea.code")
    area.wait_for()
    area.fill(before.replace("draw_card(p)", "draw_cart(p)", 1))
    d.page.locator("#problem-list .fix").first.click()
    d.checked(0)
    assert work.text("turn.rules") == before


def test_killed_in_the_middle_of_an_edit_nothing_is_lost(work, designer):
    """The server dies while somebody types; the page keeps what it could not send, and sends it to the next server."""
    d = designer
    before = work.texts()
    d.open("cards.rules")
    area = d.page.locator("textarea.code")
    area.wait_for()
    area.press("Control+End")
    area.press_sequentially("# one\n")
    d.saved()
    work.studio.kill()
    area.press_sequentially("# two\n")
    d.page.wait_for_function("() => document.getElementById('saved').textContent.includes('away')")
    area.press_sequentially("# three\n")
    work.studio.start()
    d.saved()
    assert work.text("cards.rules").endswith("# one\n# two\n# three\n")
    # the same in a grid
    d.open("Building")
    d.cell("camels", "hoist").wait_for()
    work.studio.kill()
    d.page.wait_for_function("() => document.getElementById('saved').textContent.includes('away')")
    d.cell("camels", "hoist").fill("1")
    d.cell("camels", "hoist").press("Tab")
    d.cell("gold", "hoist").fill("2")
    d.cell("gold", "hoist").press("Tab")
    work.studio.start()
    d.saved()
    d.page.wait_for_function(
        "() => document.querySelector('[data-cell=\"hoist/gold\"]').value === '2'"
    )
    lines(work, "buildings.yaml", "  hoist:\n    camels: 1\n    gold: 2\n")
    # what was done before the crashes can still be undone
    d.page.locator("main").click(position={"x": 5, "y": 5})
    d.undo_all()
    assert work.texts() == before


def test_a_grid_that_is_drawn_anew_leaves_the_button_under_the_mouse(work, designer):
    """Who types into a cell and then presses a button leaves the cell by that: what is drawn for it waits until the mouse is up."""
    d = designer
    d.open("Building")
    d.cell("camels", "hoist").fill("2")
    button = d.page.get_by_role("button", name="Copy: shop", exact=True)
    button.hover()
    d.page.mouse.down()
    d.saved()
    d.settled()
    lines(work, "buildings.yaml", "  hoist:\n    camels: 2\n")
    d.page.mouse.up()
    d.dialog("Copy", name="stall")
    d.page.locator('[data-row="stall"]').wait_for()
    # what was put off is drawn: the cell holds what is in the file
    (work.root / "buildings.yaml").write_text(
        work.text("buildings.yaml").replace("  hoist:\n    camels: 2", "  hoist:\n    camels: 7")
    )
    d.page.wait_for_function(
        "() => document.querySelector('[data-cell=\"hoist/camels\"]').value === '7'"
    )


def test_what_a_text_editor_changes_shows_up(work, designer):
    d = designer
    # news that come while a mouse button is down do not take the click away
    d.settled()
    button = d.page.locator("#nav").get_by_role("button", name=re.compile("^Building"))
    button.hover()
    d.page.mouse.down()
    before = d.page.locator("body").get_attribute("data-checked")
    (work.root / "cards.rules").open("a").write("# a line\n")
    expect(d.page.locator("body")).not_to_have_attribute("data-checked", before, timeout=PATIENCE)
    d.page.mouse.up()
    d.cell("camels", "hoist").wait_for()
    file = work.root / "buildings.yaml"
    file.write_text(file.read_text().replace("  hoist:\n    camels: 4", "  hoist:\n    camels: 7"))
    d.page.wait_for_function(
        "() => document.querySelector('[data-cell=\"hoist/camels\"]').value === '7'"
    )
