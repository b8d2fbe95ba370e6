"""What can be opened, by clicks and keys only: a copy, a true variant, an example, a new game, a folder."""

from pathlib import Path

import pytest
from studio_pages import Designer, Work

from rulewright.engines import EXAMPLES, SPECS

pytestmark = pytest.mark.browser


@pytest.fixture
def start(real_studio, new_page):
    return Designer(new_page(1300, 900), real_studio)


def way(d, title, button, **fields):
    """One of the panels of the first page, filled in."""
    panel = d.page.get_by_role("region", name=title)
    for label, value in fields.items():
        found = panel.get_by_label(label.replace("_", " "))
        if found.evaluate("e => e.tagName") == "SELECT":
            found.select_option(value)
        else:
            found.fill(value)
    panel.get_by_role("button", name=button).click()


def same_files(work, original: Path):
    """What differs between a folder and what it was made of, by name."""
    before = Work(work.studio, original).texts()
    after = work.texts()
    return {f for f in {*before, *after} if before.get(f) != after.get(f)}


def test_a_game_as_a_new_variant_which_is_saved_as_an_overlay(start, real_studio):
    d = start
    way(d, "Begin a variant", "Begin the variant", Game="yspahan", Name_of_the_variant="cheap", What_is_different="A cheap hoist")  # fmt: skip
    d.ready()
    d.page.wait_for_function("() => document.getElementById('variant').value === 'cheap'")
    d.open("Building")
    d.set("camels", "hoist", 1)
    d.page.locator("td.changed .before").wait_for()
    assert d.page.locator("td.changed .before").inner_text().startswith("was 4")
    work = Work(real_studio, real_studio.folder / "my-yspahan")
    assert same_files(work, SPECS / "yspahan") == {"game.yaml", "variants/cheap.yaml"}
    assert work.text("variants/cheap.yaml").startswith(
        "variant: cheap\nabout: A cheap hoist\nplayers: [2, 3, 4]\n"
    )
    assert work.text("variants/cheap.yaml").endswith(
        "tables:\n  Building:\n    change:\n      hoist: {camels: 1}\n"
    )
    assert d.errors() == 0
    # another one goes into the same folder
    d.page.goto(d.page.url.partition("/studio")[0] + "/studio")
    way(d, "Begin a variant", "Begin the variant", Game="yspahan", Name_of_the_variant="rich")
    d.ready()
    d.page.wait_for_function("() => document.getElementById('variant').value === 'rich'")
    assert (work.root / "variants" / "rich.yaml").is_file()
    # and one that is there is not written over
    d.page.goto(d.page.url.partition("/studio")[0] + "/studio")
    way(d, "Begin a variant", "Begin the variant", Game="yspahan", Name_of_the_variant="cheap")
    assert "already" in d.page.get_by_role("alert").inner_text()


def test_a_copy_an_example_and_a_game_from_the_skeleton(start, real_studio):
    d = start
    home = real_studio.folder
    way(d, "Change a game", "Make the copy", Game="mykerinos")
    d.ready()
    assert same_files(Work(real_studio, home / "my-mykerinos"), SPECS / "mykerinos") == {
        "game.yaml"
    }
    d.page.get_by_role("link", name="Studio").click()
    way(d, "Look at an example", "Open the example", Example="tictactoe")
    d.ready()
    assert d.errors() == 0
    assert same_files(Work(real_studio, home / "my-tictactoe"), EXAMPLES / "tictactoe") == {
        "game.yaml"
    }
    d.page.get_by_role("link", name="Studio").click()
    way(d, "Write a game", "Make the game", Name_of_the_game="stall")
    d.ready()
    assert d.errors() == 0 and (home / "stall" / "game.yaml").is_file()
    # a second time it is told that it is there
    d.page.get_by_role("link", name="Studio").click()
    way(d, "Write a game", "Make the game", Name_of_the_game="stall")
    assert "is there already" in d.page.get_by_role("alert").inner_text()
    way(d, "Open a folder", "Open", Folder=str(home / "nowhere"))
    assert "no game.yaml" in d.page.get_by_role("alert").inner_text()
    d.page.get_by_role("link", name="stall").click()
    d.ready()
