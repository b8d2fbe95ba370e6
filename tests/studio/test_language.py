"""What the language service knows of a spec: problems at their place, fixes that fix, hover, completion, definitions, formatting."""

import os
import re
import shutil
from pathlib import Path

import pytest
from common import calls_in

from rulewright.compiler.build import read_spec
from rulewright.engines import SPECS, games
from rulewright.language.completion import complete
from rulewright.language.palette import markdown, palette
from rulewright.language.service import Language
from rulewright.studio.edits import Edit, apply
from rulewright.studio.yaml_file import YamlFile


@pytest.fixture
def copy(tmp_path):
    def make(game="yspahan"):
        return shutil.copytree(SPECS / game, tmp_path / "mine", symlinks=False)

    return make


def change(folder, file, old, new):
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def offset(text, line, column):
    return sum(len(row) + 1 for row in text.split("\n")[: line - 1]) + column - 1


def fixed(folder, problem):
    """Do what the first fix of a problem says."""
    fix = problem["fixes"][0]
    path = folder / fix["file"]
    text = path.read_text()
    start = offset(text, fix["line"], fix["column"])
    end = offset(text, fix["end_line"], fix["end_column"])
    path.write_text(apply(text, [Edit(start, end, fix["text"])]))


# what somebody mistypes, and the code of the problem that tells it
MISTAKES = [
    ("buildings.rules", "b.gold <= gold[p]", "b.gold <= golf[p]", "RW0501"),
    ("buildings.rules", "@building.full-price", "@building.full-prize", "RW0901"),
    ("board.yaml", "neighbourhood: vase, colour: orange", "neighbourhood: vaze, colour: orange", "RW0325"),
    ("board.yaml", "faces: [sack.white.1]", "faces: [sack.whit.1]", "RW0325"),
    ("buildings.yaml", "camels: 4", 'camels: "4"', "RW0132"),
    ("buildings.yaml", "camels: 4", "camels: four", "RW0132"),
    ("cards.yaml", "copies: 2", "copys: 2", "RW0311"),
    ("cards.yaml", "gain_camels(me, 3)", "gain_camel(me, 3)", "RW0501"),
    ("buildings.yaml", "on camels_taken", "on camels_taking", "RW0501"),
    ("state.rules", "where q != p", "where q <> p", "RW02"),
    ("game.yaml", "players: [2, 3, 4]", "playrs: [2, 3, 4]", "RW01"),
    ("view.yaml", "parts:", "partz:", "RW01"),
]  # fmt: skip


@pytest.mark.parametrize("file, old, new, code", MISTAKES)
def test_a_mistake_is_told_at_its_place_and_its_fix_mends_it(copy, file, old, new, code):
    folder = copy()
    before = (folder / file).read_text()
    language = Language(folder)
    change(folder, file, old, new)
    found = [p for p in language.check(4)["problems"] if p["code"].startswith(code)]
    assert found, language.check(4)["problems"][:3]
    problem = next((p for p in found if p["fixes"]), found[0])
    assert problem["file"] == file and problem["line"] > 0
    fixed(folder, problem)
    assert (folder / file).read_text() == before
    assert language.check(4)["errors"] == 0


def test_what_matters_comes_first(copy):
    folder = copy()
    change(folder, "cards.yaml", "copies: 2", "copies: 200")
    change(folder, "turn.rules", "select_group(p)\n", "select_groop(p)\n")
    found = Language(folder).check_all()
    assert [p["severity"] for p in found["problems"]] == sorted(
        p["severity"] for p in found["problems"]
    )
    assert found["problems"][0]["code"] == "RW0323"


@pytest.mark.parametrize("game", games())
def test_the_ruleset_in_sight_is_checked_in_half_a_second(copy, game):
    """In a warm process. Counted in calls, which are the same on a busy machine: 200,000 take some 0.2 seconds of processor time."""
    folder = copy(game)
    language = Language(folder)
    language.check(3)
    change(folder, "game.yaml", "title: ", "title: 2")
    calls, told = calls_in(lambda: language.check(3))
    assert told["errors"] == 0
    assert calls <= 400_000


@pytest.mark.parametrize("game", games())
def test_no_ruleset_of_a_game_has_a_mistake_when_it_is_in_sight(game):
    """Also where bots know what only another ruleset asks; a word that none of them has is told in every one."""
    language = Language(SPECS / game)
    spec = language.check()["spec"]
    free = [v for v in spec["variants"] if not v["automatic"]]
    for players in spec["players"]:
        for variants in [[], *([v["name"]] for v in free if players in v["players"])]:
            told = language.check(players, variants)
            assert told["errors"] == 0, (players, variants, told["problems"])


def test_a_word_of_a_bot_that_no_ruleset_has_is_told_in_each(copy):
    folder = copy()
    change(folder, "bots.yaml", "build: {nothing: 0", "build: {nobody_at_all: 0")
    for players, variants in ((4, []), (2, ["two-player-sheet"])):
        told = Language(folder).check(players, variants)
        assert "nobody_at_all" in told["problems"][0]["message"]


def test_names_stay_while_a_file_can_not_be_read(copy):
    folder = copy()
    language = Language(folder)
    language.check(4)
    (folder / "turn.rules").write_text("open procedure turn(p: Player\n")
    assert language.check(4)["errors"] > 0
    assert language.complete("cards.rules", "procedure x(p: Player):\n    gain_ca", 2, 12)


def place(text, words):
    at = text.index(words)
    line = text.count("\n", 0, at) + 1
    return line, at - (text.rfind("\n", 0, at) + 1) + 1


def test_hover_tells_type_meaning_and_clause(copy):
    folder = copy()
    language = Language(folder)
    language.check(4)
    text = (folder / "turn.rules").read_text()
    line, column = place(text, "dice_for(p, s) > 0")
    found = language.hover("turn.rules", text, line, column + 3)
    assert "function dice_for" in found["title"] and found["type"].startswith("0..")
    line, column = place(text, "p, s) > 0")
    assert language.hover("turn.rules", text, line, column)["type"] == "Player"
    line, column = place(text, "@select.empty-square")
    assert "empty" in language.hover("turn.rules", text, line, column + 5)[
        "text"
    ] or "without dice" in (language.hover("turn.rules", text, line, column + 5)["text"])
    line, column = place(text, "value_on[s]")
    assert "map TowerSquare to 0..6" in language.hover("turn.rules", text, line, column)["title"]
    # another text than the one that was checked has no types, but meanings
    assert (
        "function"
        in language.hover(
            "turn.rules", "# \n" + text, *place("# \n" + text, "camels_taken(p, dice)")
        )["title"]
    )


def test_definitions(copy):
    folder = copy()
    language = Language(folder)
    language.check(4)
    text = (folder / "turn.rules").read_text()

    def defined(words, more=0):
        line, column = place(text, words)
        found = language.define("turn.rules", text, line, column + more)
        return (found[0]["file"], found[0]["sort"]) if found else None

    assert defined("draw_card(p)") == ("cards.rules", "procedure")
    assert defined("value_on[s]") == ("state.rules", "state")
    assert defined("@select.compulsory", 3) == ("clauses/yspahan.yaml", "clause")
    assert defined("extra)") == ("turn.rules", "local")
    assert defined("TowerSquare by") == ("tower.yaml", "table")
    assert defined("take_camels(p: Player") == ("turn.rules", "procedure")


def offered(language, file, text):
    line = text.count("\n") + 1
    column = len(text.rpartition("\n")[2]) + 1
    return [c.name for c in complete(file, text, line, column, language.names)]


def test_completion(copy):
    folder = copy()
    language = Language(folder)
    language.check(4)
    head = "procedure x(p: Player, b: Building):\n    "
    assert offered(language, "a.rules", head + "cam")[0] == "camels"
    assert {"camels", "gold", "power"} == set(offered(language, "a.rules", head + "let x = b."))
    assert "hoist" in offered(language, "a.rules", head + "let x = Building.")
    assert "building.optional" in offered(language, "a.rules", head + "pass @building.opt")
    assert "buildings" in offered(language, "a.rules", head + "score 2 to p for b")
    assert "gold_taken" in offered(language, "buildings.yaml", '    power: "on gold')
    assert "take_gold" in offered(language, "buildings.yaml", '    power: "after take')
    assert "cost.shop" in offered(language, "buildings.yaml", "    cite: [cost.pa, cost.s")
    assert offered(language, "a.rules", head + 'tell "cam') == []
    assert "procedure" in offered(language, "a.rules", "proc")
    assert "Building" in offered(language, "a.rules", "procedure x(b: Bui")
    power = complete("buildings.yaml", '    power: "on gold', 1, 20, language.names)[0]
    assert power.insert.startswith("gold_taken(me, dice): ")


def test_formatting():
    found = Language.format("a.rules", "procedure  x( ):\n  pass   # nothing\n")
    assert found["text"].startswith("procedure x():\n    pass") and not found["problems"]
    wrong = Language.format("a.rules", "procedure x(:\n")
    assert wrong["text"] == "procedure x(:\n" and wrong["problems"]


@pytest.mark.parametrize("game", games())
def test_everything_in_the_palette_means_something_and_its_hooks_can_be_written(copy, game):
    folder = copy(game)
    spec = read_spec(folder, "mine")
    found = palette(spec.folder, spec.sources)
    assert all(item.about for item in (*found.hooks, *found.effects, *found.columns))
    assert all(item.example for item in (*found.hooks, *found.effects, *found.columns))
    assert [c.name for c in found.columns if c.about == c.where] == [], "a type is no meaning"
    opened = {decl.name.text for decl in spec.folder.decls if getattr(decl, "is_open", False)}
    assert opened <= {item.name for item in found.hooks}
    # all hooks of the palette at once, as rules of a variant
    lines = []
    for item in found.hooks:
        if not item.variant:
            lines.append(re.sub(r"\bme\b", "someone", item.example))
    (folder / "variants" / "palette.yaml").write_text(
        f"variant: palette\nabout: all hooks\nplayers: [{max(spec.folder.game.players)}]\nassumed: a try\nrules: [palette.rules]\n"
    )
    text = "".join(
        f'{line.partition(":")[0]} @assumed("a try"):{line.partition(":")[2]}\n' for line in lines
    )
    (folder / "variants" / "palette.rules").write_text(text)
    wrong = Language(folder).check(max(spec.folder.game.players), ["palette"])["problems"]
    assert [p for p in wrong if p["code"] not in ("RW0826", "RW0820")] == [], text


def test_effects_of_the_palette_can_be_written_in_a_cell(copy):
    """Each alone in a new card: it checks, as none of them leads back to the cards."""
    folder = copy()
    spec = read_spec(folder, "mine")
    language = Language(folder)
    before = (folder / "cards.yaml").read_text()
    effects = [e for e in palette(spec.folder, spec.sources).effects if not e.variant]
    usable = [e for e in effects if "dice" not in e.example and "…" not in e.example]
    assert len(usable) >= 15
    rows = "".join(
        f'  new_{i}: {{copies: 1, effect: "{e.example}", assumed: a try}}\n'
        for i, e in enumerate(usable)
    )
    (folder / "cards.yaml").write_text(before + rows)
    assert YamlFile(before + rows)
    wrong = language.check(4)["problems"]
    # what gives back a value can't stand alone, which is told
    assert {p["code"] for p in wrong} <= {"RW0806"}, wrong[:3]


PAGE = Path(__file__).parents[2] / "docs" / "editing.md"
HEADS = {
    "powers": ("power", "when, or what it changes"),
    "hooks": ("hook", "when, or what it changes"),
    "effects": ("effect", "what it does"),
}


def shown_in_docs(game, what):
    spec = read_spec(SPECS / game, f"spec/{game}")
    found = palette(spec.folder, spec.sources)
    items = found.effects if what == "effects" else found.hooks
    items = [i for i in items if not i.variant]
    if what == "powers":
        items = [i for i in items if i.where != "rules"]
    elif what == "effects":
        items = [i for i in items if i.used and "…" not in i.example]
    return markdown(items, *HEADS[what])


def test_the_tables_of_the_page_on_editing_are_the_palette():
    """UPDATE_GOLDEN=1 writes them anew."""
    text = PAGE.read_text()

    def made(found):
        game, what = found[1].split()
        return f"<!-- palette {game} {what} -->\n{shown_in_docs(game, what)}<!-- end -->"

    wanted = re.sub(r"<!-- palette (\w+ \w+) -->\n.*?<!-- end -->", made, text, flags=re.DOTALL)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(wanted)
    assert text.count("<!-- palette ") == 6
    assert PAGE.read_text() == wanted, "write the tables anew with UPDATE_GOLDEN=1"
