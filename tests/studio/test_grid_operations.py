"""What is done in grids, on copies of real specs: every file changes as asked, nothing else does, and undo brings all back."""

import random
import shutil

import pytest
import yaml

from rulewright.cli.common import resolved
from rulewright.compiler.build import read_spec
from rulewright.engines import SPECS
from rulewright.language.service import Language
from rulewright.studio.cell_grids import Grids
from rulewright.studio.edits import EditError
from rulewright.studio.grid_operations import perform
from rulewright.studio.project import Project


@pytest.fixture
def project(tmp_path):
    root = shutil.copytree(SPECS / "yspahan", tmp_path / "mine")
    return Project(root, tmp_path / "journal.jsonl")


def grids(project):
    return Grids({f: project.text(f) for f in project.files()})


def changed_lines(before, after):
    return [line for line in after.splitlines() if line not in before.splitlines()]


def test_cells_rows_and_constants_of_the_base_game(project):
    before = {f: project.text(f) for f in project.files()}

    def done(file, *lines, **asked):
        assert perform(project, asked) == [file]
        assert changed_lines(before[file], project.text(file)) == list(lines)

    done(
        "buildings.yaml",
        "    camels: 9",
        op="cell",
        table="Building",
        row="bazaar",
        column="camels",
        value=9,
    )
    project.undo()
    done(
        "board.yaml", "  vase.orange: {neighbourhood: vase, colour: orange, value: 15}",
        op="cell", table="Souk", row="vase.orange", column="value", value=15,
    )  # fmt: skip
    project.undo()
    done(
        "board.yaml", "  n4: {neighbours: [n3, e1], faces: [chest.pink.1], at: [408, 40]}",
        op="cell", table="RoadSquare", row="n4", column="neighbours", value=["n3", "e1"],
    )  # fmt: skip
    project.undo()
    done(
        "constants.yaml", "  weeks: {value: 2, from: 1, to: 99, cite: structure.three-weeks}",
        op="constant", name="weeks", value=2,
    )  # fmt: skip
    project.undo()
    done(
        "caravan.yaml", "  line4_camel1: {line: 4, points: 3, assumed: ours}",
        op="add", table="CaravanCamel", name="line4_camel1", after="line3_camel4",
        cells={"points": 3, "line": 4, "assumed": "ours"},
    )  # fmt: skip
    project.undo()
    done("buildings.yaml", "  palace:", op="copy", table="Building", row="hoist", name="palace")
    project.undo()
    done("game.yaml", "players: [2, 3, 4, 5]", op="game", key="players", value=[2, 3, 4, 5])
    project.undo()
    assert {f: project.text(f) for f in project.files()} == before
    perform(project, {"op": "move", "table": "Building", "row": "hoist", "to": 0})
    assert grids(project).kinds["Building"][0] == "hoist"
    perform(project, {"op": "delete", "table": "Building", "row": "hoist"})
    assert "hoist" not in grids(project).kinds["Building"]
    while project.undo():
        pass
    assert {f: project.text(f) for f in project.files()} == before


def test_a_variant_is_the_base_game_with_its_changes_laid_over(project):
    perform(project, {"op": "variant", "name": "rich", "about": "More: gold"})
    file = "variants/rich.yaml"
    perform(project, {"op": "constant", "name": "starting_gold", "value": 6, "variant": "rich"})
    cell = {"op": "cell", "table": "Building", "row": "hoist", "column": "gold", "variant": "rich"}
    perform(project, {**cell, "value": 6})
    perform(project, {**cell, "value": 7})
    new = {"copies": 1, "effect": "gain_gold(me, 2)"}
    perform(
        project, {"op": "add", "table": "CardKind", "name": "gift", "cells": new, "variant": "rich"}
    )
    assert Language(project.root).check(3, ["rich"])["errors"] == 0
    perform(project, {"op": "delete", "table": "CardKind", "row": "exchange", "variant": "rich"})
    # the picture speaks of a card that is gone, and is told so
    assert Language(project.root).check(3, ["rich"])["problems"][0]["file"] == "view.yaml"
    assert project.text(file) == (
        'variant: rich\nabout: "More: gold"\nplayers: [2, 3, 4]\nassumed: "the variant rich, for trying out"\n'
        "constants:\n  starting_gold: {value: 6}\n"
        "tables:\n  Building:\n    change:\n      hoist: {gold: 7}\n"
        '  CardKind:\n    add:\n      gift: {copies: 1, effect: "gain_gold(me, 2)"}\n    remove: [exchange]\n'
    )
    shown = grids(project).table("Building", "rich")
    hoist = next(r for r in shown["rows"] if r["name"] == "hoist")
    assert hoist["cells"]["gold"] | {"type": 0} == {
        "value": 7, "before": 4, "changed": True, "given": True, "type": 0, "spans": [[file, 10, 21, 10, 22]]
    }  # fmt: skip
    cards = grids(project).table("CardKind", "rich")["rows"]
    assert [r["name"] for r in cards if r["removed"]] == ["exchange"]
    assert [r["name"] for r in cards if r.get("added")] == ["gift"]
    # the base game shows who changes what
    base = grids(project).table("Building")
    hoist = next(r for r in base["rows"] if r["name"] == "hoist")
    assert hoist["cells"]["gold"]["changes"] == {"rich": 7}
    # and all of it can be given up again, which leaves nothing behind
    perform(project, {**cell, "value": None})
    perform(project, {"op": "restore", "table": "CardKind", "row": "exchange", "variant": "rich"})
    perform(project, {"op": "delete", "table": "CardKind", "row": "gift", "variant": "rich"})
    perform(project, {"op": "constant", "name": "starting_gold", "value": None, "variant": "rich"})
    assert "tables" not in project.text(file) and "constants" not in project.text(file)


def test_rule_text_of_several_lines_in_a_row_in_braces(project):
    perform(
        project,
        {"op": "cell", "table": "Souk", "row": "sack.pink", "column": "colour", "value": "a\nb"},
    )
    assert (
        "  sack.pink:\n    neighbourhood: sack\n    colour: |\n      a\n      b\n    value: 8\n"
        in project.text("board.yaml")
    )


def test_what_names_a_row_comes_rules_first_and_scenarios_last(project):
    texts = {file: project.text(file) for file in project.files()}
    found = [use["file"] for use in Grids(texts).uses("hoist", texts)]
    sort = [0 if f.endswith(".rules") else 2 if f.startswith("scenarios/") else 1 for f in found]
    assert sort == sorted(sort) and {0, 1, 2} == set(sort)


def test_where_a_row_comes_from(project):
    perform(
        project,
        {
            "op": "reason",
            "table": "Building",
            "row": "shop",
            "cite": ["cost.shop"],
            "assumed": "ours",
        },
    )
    text = project.text("buildings.yaml")
    assert "    cite: [cost.shop]\n    assumed: ours\n" in text
    perform(
        project,
        {"op": "reason", "table": "Building", "row": "shop", "cite": None, "assumed": "ours"},
    )
    assert "cost.shop" not in project.text("buildings.yaml")


@pytest.mark.parametrize(
    "asked",
    [
        {}, {"op": "no"}, {"op": "cell"}, {"op": "cell", "table": "No", "row": "x", "column": "y", "value": 1},
        {"op": "cell", "table": "Souk", "row": "no", "column": "value", "value": 1},
        {"op": "cell", "table": "Souk", "row": "vase.orange", "column": "value", "value": 1.5},
        {"op": "cell", "table": "Souk", "row": "vase.orange", "column": "value", "value": 1, "variant": "no"},
        {"op": "add", "table": "Souk", "name": "a b", "cells": {}}, {"op": "add", "table": "Souk", "name": "x", "cells": 3},
        {"op": "add", "table": "Souk", "name": "sack.pink", "cells": {"value": 1}},
        {"op": "move", "table": "Souk", "row": "sack.pink", "to": "top"}, {"op": "variant", "name": "../x"},
        {"op": "variant", "name": "manual"}, {"op": "file", "file": "../x.yaml"}, {"op": "game", "key": "clauses", "value": 1},
        {"op": "constant", "name": "no", "value": 1}, {"op": "restore", "table": "Souk", "row": "sack.pink"},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_and_changes_nothing(project, asked):
    before = {f: project.text(f) for f in project.files()}
    with pytest.raises(EditError):
        perform(project, asked)
    assert {f: project.text(f) for f in project.files()} == before


def test_rows_of_a_variant_stand_where_they_are_put(project):
    perform(project, {"op": "variant", "name": "wide"})
    file = "variants/wide.yaml"

    def order():
        return [r["name"] for r in grids(project).table("CaravanCamel", "wide")["rows"]]

    def after():
        overlay = yaml.safe_load(project.text(file)).get("tables", {}).get("CaravanCamel", {})
        return overlay.get("after", {})

    def do(**asked):
        perform(project, {"table": "CaravanCamel", "variant": "wide", **asked})
        found = resolved(read_spec(project.root), 4, ["wide"]).tables["CaravanCamel"].rows
        shown = [r["name"] for r in grids(project).table("CaravanCamel", "wide")["rows"] if not r["removed"]]  # fmt: skip
        assert list(found) == shown

    base = grids(project).kinds["CaravanCamel"]
    do(op="copy", row="line1_camel4", name="more")
    assert order().index("more") == 4 and after() == {"more": "line1_camel4"}
    do(op="copy", row="more", name="again")
    do(op="rename", row="more", name="most")
    assert order()[4:6] == ["most", "again"] and after() == {
        "most": "line1_camel4",
        "again": "most",
    }
    do(op="delete", row="most")
    assert order()[4] == "again" and after() == {"again": "line1_camel4"}
    do(op="delete", row="line1_camel4")
    do(op="move", row="again", to=0)
    assert after() == {"again": "none"}
    do(op="move", row="again", to=99)
    assert after() == {} and order()[-1] == "again"
    do(op="move", row="line1_camel1", to=2)
    assert after() == {"line1_camel1": "line1_camel3"}
    random_ = random.Random(3)
    for _ in range(12):
        do(op="move", row=random_.choice([n for n in order() if n != "line1_camel4"]), to=random_.randrange(13))  # fmt: skip
    while project.undo():
        pass
    assert grids(project).kinds["CaravanCamel"] == base and file not in project.files()
