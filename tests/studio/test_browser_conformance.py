"""Clauses and scenarios beside the rules, by clicks: what an edit makes fail, which lines ran, what no scenario notices."""

import pytest
from studio_pages import Designer, Work

from rulewright.new_specs import make_game

pytestmark = pytest.mark.browser


@pytest.fixture
def stand(real_studio, new_page):
    """A small game with a rulebook and scenarios."""
    real_studio.works += 1
    place = real_studio.folder / f"work{real_studio.works}"
    place.mkdir()
    work = Work(real_studio, make_game("stand", place))
    return work, Designer(new_page(1500, 1000), real_studio, work.root)


def run(d):
    d.open("Clauses")
    d.page.locator("#ran").evaluate("e => (e.textContent = '')")
    d.page.locator("#run-scenarios").click()
    d.page.wait_for_function(
        "() => / runs of scenarios in /.test(document.getElementById('ran').textContent)"
    )
    return d.page.locator("#ran").inner_text()


def test_what_an_edit_makes_fail_is_sorted(stand):
    _, d = stand
    page = d.page
    assert "all hold" in run(d)
    clause = page.locator('[id="clause-turn.again"]')
    assert "You may pay a coin to roll again" in clause.inner_text()
    clause.get_by_text("rules: 3").click()
    assert "coins[p] -= 1" in clause.inner_text()
    clause.get_by_text("scenarios: 2").click()
    assert "holds Rolling again costs a coin" in clause.inner_text()
    # two changes: the scenario of the first tells of it, that of the second is a surprise
    d.open("Constants")
    d.set("value", "starting_coins", 2)
    d.rules("game.rules")
    d.write(lambda text: text.replace("score coins[p] to p", "score 2 * coins[p] to p"))
    assert d.errors() == 0
    assert "2 scenarios fail" in run(d)
    heaps = page.locator("#failures .heap")
    assert heaps.first.get_attribute("data-heap") == "surprise"
    assert "Rolling again costs a coin" in heaps.first.inner_text()
    tells = page.locator('[data-heap="tells of what you changed"]')
    tells.locator("summary").click()
    assert "What is kept counts at the end" in tells.inner_text()
    # and leads to the scenario
    tells.get_by_role("button", name="scenarios/turn.yaml:2").click()
    page.wait_for_function(
        "() => document.querySelector('main h2')?.textContent === 'scenarios/turn.yaml'"
    )
    d.undo_all()
    assert "all hold" in run(d)


def test_margins_show_what_ran_and_what_nobody_notices(stand):
    work, d = stand
    run(d)
    d.rules("game.rules")
    lines = work.text("game.rules").split("\n")

    def noted(kind):
        found = d.page.locator(f".gutter .m-{kind}")
        found.first.wait_for()
        return [lines[int(text) - 1].strip() for text in found.all_inner_texts()]

    assert any(line.startswith("roll d in") for line in noted("run"))
    assert any(line.startswith("round = r") for line in noted("missed"))
    d.page.get_by_role("button", name="Mutants").click()
    mutants = noted("mutant")
    assert any(
        "1 .. rounds" in line or "p.next" in line or "first_player" in line for line in mutants
    ), mutants
    note = d.page.locator(".gutter .m-mutant").first
    assert "no scenario notices" in note.get_attribute("title")
