"""Playing beside the editor, by clicks and keys only: a game carried over, positions set up by hand, scenarios written from them."""

import re

import pytest
from playwright.sync_api import expect
from studio_pages import Designer

pytestmark = pytest.mark.browser


def carried(d, words):
    """What the note at the table says, once it holds these words."""
    d.page.wait_for_function(
        "w => new RegExp(w).test(document.getElementById('carried')?.textContent || '')", arg=words
    )
    return d.page.locator("#carried").inner_text()


def test_a_running_game_is_carried_over_up_to_the_first_decision_that_is_not_possible(
    work, designer
):
    d = designer
    frame = d.play()
    # one yellow die: the second option
    d.choose(frame, 1)
    d.decide(frame, 1)
    d.open("Building")
    d.set("camels", "hoist", 3)
    told = carried(d, "carried over")
    first = re.fullmatch(
        r"The game goes on under the new rules \((\d+) decisions carried over\)\.", told
    )
    assert first and int(first[1]) >= 2, told
    # a yellow die costs more than anybody has: the very first decision is not possible any more
    d.open("Constants")
    d.set("value", "yellow_price", 9)
    told = carried(d, "up to decision")
    assert (
        told.startswith("Carried over up to decision 0 of ") and "this is not possible now" in told
    ), told
    assert "yellow dice: 1" in told, told
    # rules with a mistake leave the table with the last good ones
    d.open("Building")
    d.set("camels", "hoist", 99)
    d.page.wait_for_selector("body:not([data-errors='0'])")
    d.table()
    # a new table begins with those too, and says so
    d.page.get_by_role("button", name="Begin anew").click()
    assert "the last ones that were right" in carried(d, "There are mistakes")
    d.table()
    d.page.locator("#undo").click()
    d.checked(0)


def heap(d, label, **counts):
    d.page.get_by_role("button", name=label, exact=True).click()
    for name, n in counts.items():
        d.page.locator("#dialog").get_by_label(name, exact=True).fill(str(n))
    d.page.locator("#dialog").get_by_role("button", name="Done").click()


def number(d, label, value):
    d.page.get_by_label(label, exact=True).fill(str(value))
    d.page.get_by_label(label, exact=True).press("Tab")


def test_a_position_by_hand_is_played_from_and_becomes_a_scenario(work, designer):
    d = designer
    page = d.page
    d.play()
    page.locator("#set-up").click()
    # numbers, a set, a pick list, a heap of cards
    number(d, "gold Blue", 5)
    number(d, "camels Blue", 2)
    page.get_by_label("cubes Blue", exact=True).click()
    d.tick("chest.yellow.0", "chest.yellow.1")
    page.get_by_label("supervisor", exact=True).select_option("w9")
    heap(d, "hand Blue", gold_3=1)
    # a card too many for the pieces that there are: no game leads here
    page.locator("#play-position").click()
    page.wait_for_selector("#position-note.problem")
    assert "cards" in page.locator("#position-note").inner_text()
    heap(d, "deck", gold_3=1)
    page.locator("#play-position").click()
    frame = d.table()
    # 5 gold buy up to three yellow dice: none, one, two, three
    assert frame.locator("#options .option").count() >= 4
    # the scenario: with two camels a shop can be built and no hoist
    page.locator("#set-up").click()
    heap(d, "hand Blue", gold_3=5)
    page.locator("#write-scenario").click()
    page.locator("#scenario-options button").first.wait_for()
    page.get_by_label("What is run").select_option("construct_building")
    page.locator("#scenario-options").get_by_role("button", name="shop", exact=True).wait_for()
    page.get_by_text("Not possible here: ").click()
    page.locator(".refusals").get_by_role("button", name="hoist", exact=True).wait_for()
    page.locator("#scenario-options").get_by_role("button", name="shop", exact=True).click()
    page.get_by_text("Nobody decides any more").wait_for()
    facts = page.locator("#facts").inner_text()
    assert (
        "camels Blue 2 → 0" in facts
        and "gold Blue 5 → 3" in facts
        and "built Blue none → shop" in facts
    ), facts
    page.get_by_label("Name of the scenario").fill("Blue builds a shop")
    page.locator("#covers").get_by_role("button", name="@building.full-price").click()
    page.locator("#keep-scenario").click()
    page.get_by_text("Kept, and it holds").wait_for()
    assert work.text("scenarios/studio.yaml") == (
        "- scenario: Blue builds a shop\n  covers: [building.full-price]\n  players: 4\n  given:\n"
        "    order: [0, 1, 2, 3]\n    supervisor: w9\n    camels: {0: 2}\n    gold: {0: 5}\n    cubes: {0: [chest.yellow.0, chest.yellow.1]}\n"
        "    hand: {0: {gold_3: 5}}\n"
        "    deck: {camels_3: 2, gold_3: 1, build_without_camels: 2, build_without_gold: 2, cube_to_caravan: 2,"
        " cube_to_shop: 2, gold_for_points: 2, camels_for_points: 2, exchange: 2}\n  call: construct_building(0)\n  when:\n    - build: shop\n  then:\n"
        "    decides: nobody\n    state: {camels: {0: 0}, gold: {0: 3}, built: {0: [shop]}}\n"
    )
    assert d.errors() == 0


def test_standing_pieces_are_put_on_the_board_by_hand(real_studio, new_page):
    work = real_studio.work("ys")
    d = Designer(new_page(1500, 1000), real_studio, work.root)
    page = d.page
    page.locator("#players").select_option("2")
    d.play()
    page.locator("#set-up").click()
    page.get_by_role("button", name="Put one more Broker").click()
    page.get_by_label("Broker 1 value", exact=True).select_option("four")
    page.get_by_label("Broker 1 place", exact=True).select_option("n1_palace")
    page.get_by_label("Broker 1 up", exact=True).check()
    page.locator("#write-scenario").click()
    page.get_by_label("What is run").wait_for()
    page.get_by_label("What is run").select_option("count_palace")
    page.get_by_label("count_palace, argument 1").select_option("n1")
    page.locator("#facts").get_by_text("character at n1").wait_for()
    # who alone has a broker in the palace wins its character
    facts = page.locator("#facts").inner_text()
    assert re.search(r"character at n1 \w+: 1 → nothing", facts), facts


def test_zones_in_their_order_and_by_two_kinds_are_set_up_by_hand(real_studio, new_page):
    """A row of cards that lie in order is a list; a pile that nobody has looked into is counted."""
    work = real_studio.work("orchard")
    d = Designer(new_page(1500, 1000), real_studio, work.root)
    page = d.page
    d.play()
    page.locator("#set-up").click()
    row = page.get_by_role("button", name="row", exact=True)
    before = row.inner_text().split(", ")
    row.click()
    entries = page.locator("#dialog select[name=entry]")
    for i, plant in enumerate(reversed(before)):
        entries.nth(i).select_option(label=plant)
    page.locator("#dialog").get_by_role("button", name="Done").click()
    expect(row).to_have_text(", ".join(reversed(before)))
    page.locator("#play-position").click()
    d.table()
    page.locator("#set-up").click()
    expect(row).to_have_text(", ".join(reversed(before)))
    # a game without clauses has scenarios that cover none
    page.locator("#write-scenario").click()
    page.locator("#scenario-options button").first.wait_for()
    page.get_by_label("Name of the scenario").fill("The row the other way round")
    assert not page.locator("#covers").count()
    page.locator("#keep-scenario").click()
    page.get_by_text("Kept, and it holds").wait_for()
    assert f"    row: [{', '.join(reversed(before))}]\n" in work.text("scenarios/studio.yaml")
