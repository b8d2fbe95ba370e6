"""Tables whose rows are in a file of comma-separated values: read, edited to the byte, undone, watched, and never left behind."""

import csv
import random
import re
import shutil

import pytest

from rulewright.cli.common import resolved
from rulewright.compiler.build import read_spec
from rulewright.engines import SPECS
from rulewright.language.service import Language
from rulewright.studio.cell_grids import Grids
from rulewright.studio.csv_file import CsvFile, spell
from rulewright.studio.edits import EditError, apply
from rulewright.studio.grid_operations import perform
from rulewright.studio.play import snapshot
from rulewright.studio.project import MOST_CHARACTERS, Project

SOUK = re.compile(r"(table: Souk\n.*?)rows:\n(.*?)(?=---)", re.S)
ROW = re.compile(r"  (\S+): \{neighbourhood: (\S+), colour: (\S+), value: (\d+)\}")


@pytest.fixture
def root(tmp_path):
    """A real game with one of its tables in a file of its own."""
    folder = shutil.copytree(SPECS / "yspahan", tmp_path / "mine")
    board = folder / "board.yaml"
    text = board.read_text()
    rows = ROW.findall(SOUK.search(text)[2])
    assert len(rows) > 10
    lines = ["souk, neighbourhood, colour, value", *(", ".join(row) for row in rows)]
    (folder / "souks.csv").write_text("\n".join(lines) + "\n")
    board.write_text(SOUK.sub(r"\1csv: souks.csv\n", text))
    return folder


@pytest.fixture
def project(root, tmp_path):
    return Project(root, tmp_path / "journal.jsonl")


def grids(project):
    return Grids({f: project.text(f) for f in project.files()})


def test_rows_of_a_file_are_a_grid_like_any_other(project, root):
    shown = grids(project).table("Souk")
    listed = Grids({f.relative_to(SPECS / "yspahan").as_posix(): f.read_text() for f in (SPECS / "yspahan").rglob("*.yaml")}).table("Souk")  # fmt: skip
    assert [r["name"] for r in shown["rows"]] == [r["name"] for r in listed["rows"]]
    for mine, theirs in zip(shown["rows"], listed["rows"], strict=True):
        assert {k: c["value"] for k, c in mine["cells"].items()} == {k: c["value"] for k, c in theirs["cells"].items()}  # fmt: skip
        assert mine["file"] == "souks.csv"
    assert shown["csv"] == "souks.csv" and grids(project).kinds["Souk"] == grids(project).members("Souk")  # fmt: skip
    # a mistake is told at its cell
    perform(project, {"op": "cell", "table": "Souk", "row": "vase.orange", "column": "value", "value": 999})  # fmt: skip
    wrong = Language(root).check(4, [])["problems"][0]
    cell = next(r for r in grids(project).table("Souk")["rows"] if r["name"] == "vase.orange")["cells"]["value"]  # fmt: skip
    [[file, line, column, _, end]] = cell["spans"]
    assert wrong["file"] == file == "souks.csv" and wrong["line"] == line
    assert column <= wrong["column"] <= end


def test_what_is_done_in_the_grid_changes_only_its_line_and_is_undone(project, root):
    before = {f: project.text(f) for f in project.files()}

    def done(lines, gone, **asked):
        old = project.text("souks.csv").splitlines()
        assert perform(project, {"table": "Souk", **asked}) == ["souks.csv"]
        new = project.text("souks.csv").splitlines()
        assert [x for x in new if x not in old] == lines and [x for x in old if x not in new] == gone  # fmt: skip
        assert (root / "souks.csv").read_text() == project.text("souks.csv")

    orange = next(x for x in before["souks.csv"].splitlines() if x.startswith("vase.orange"))
    done(["vase.orange, vase, orange, 15"], [orange], op="cell", row="vase.orange", column="value", value=15)  # fmt: skip
    done(["vase.green, vase, orange, 15"], [], op="copy", row="vase.orange", name="vase.green")
    done(["vase.lime, vase, orange, 15"], ["vase.green, vase, orange, 15"], op="rename", row="vase.green", name="vase.lime")  # fmt: skip
    done(["x.y, chest, pink, 4"], [], op="add", name="x.y", after="vase.lime", cells={"value": 4, "neighbourhood": "chest", "colour": "pink", "assumed": "mine"})  # fmt: skip
    done([], [], op="move", row="x.y", to=0)
    assert grids(project).members("Souk")[0] == "x.y"
    done([], ["x.y, chest, pink, 4"], op="delete", row="x.y")
    with pytest.raises(EditError, match="already"):
        perform(project, {"op": "copy", "table": "Souk", "row": "vase.lime", "name": "vase.orange"})
    with pytest.raises(EditError, match="no column cite"):
        perform(project, {"op": "reason", "table": "Souk", "row": "vase.lime", "cite": "a.b"})
    while project.undo():
        pass
    assert {f: project.text(f) for f in project.files()} == before


def test_a_variant_lays_its_changes_over_such_rows(project, root):
    perform(project, {"op": "variant", "name": "dear"})
    before = project.text("souks.csv")
    for asked in (
        {"op": "cell", "row": "vase.orange", "column": "value", "value": 20},
        {"op": "copy", "row": "vase.orange", "name": "vase.green"},
    ):
        perform(project, {"table": "Souk", "variant": "dear", **asked})
    assert project.text("souks.csv") == before
    assert "vase.green" in project.text("variants/dear.yaml")
    shown = {r["name"]: r for r in grids(project).table("Souk", "dear")["rows"]}
    assert shown["vase.orange"]["cells"]["value"]["before"] != 20
    souks = resolved(read_spec(root), 4, ["dear"]).tables["Souk"].rows
    assert len(souks) == len(before.splitlines())


def test_others_changes_snapshots_and_large_files(project, root, tmp_path):
    text = (root / "souks.csv").read_text()
    first = snapshot(root, tmp_path / "shelf")
    assert (first / "souks.csv").read_text() == text
    (root / "souks.csv").write_text(text.replace("orange, 12", "orange, 13"))
    assert project.look() == ["souks.csv"] and "13" in project.text("souks.csv")
    assert snapshot(root, tmp_path / "shelf") != first, "a table would keep the old rows"
    project.undo()
    assert (root / "souks.csv").read_text() == text
    # games that were simulated here are not rows of a table
    (root / "games.csv").write_text("a,b\n" + "1,2\n" * (MOST_CHARACTERS // 4 + 1))
    assert project.look() == [] and "games.csv" not in project.files()
    # one that can't be read leaves the others
    project.change("broken", {"souks.csv": "souk, value\nvase.orange, 1, 2\n"})
    assert "line 2" in grids(project).index()["broken"]["souks.csv"]
    with pytest.raises(EditError, match="line 2"):
        perform(project, {"op": "delete", "table": "Souk", "row": "vase.orange"})


VALUES = ["", "7", "a b", "x", '"a, b"', '"say ""hi"""', "-", "long words here"]
NEW = [0, -12, True, [], ["a", "b"], "plain", "with, comma", 'a "quote" in it', '"', None]


def test_random_cells_change_exactly_their_bytes():
    random_ = random.Random(5)
    for _ in range(400):
        width, newline = random_.randint(1, 5), random_.choice(["\n", "\r\n"])
        comma = random_.choice([",", ", ", " , "])
        head = comma.join(["row", *(f"c{i}" for i in range(width))])
        lines = [comma.join([f"r{k}", *random_.choices(VALUES, k=width)]) for k in range(4)]
        text = newline.join([head, *lines]) + random_.choice(["", newline])
        row, column, value = random_.randrange(4), random_.randrange(width), random_.choice(NEW)
        after = apply(text, CsvFile(text, "a.csv").set_cell(f"r{row}", f"c{column}", value))
        old, new = (list(csv.reader(t.splitlines(), skipinitialspace=True)) for t in (text, after))
        for y, (a, b) in enumerate(zip(old, new, strict=True)):
            for x, (s, t) in enumerate(zip(a, b, strict=True)):
                if (y, x) == (row + 1, column + 1):
                    assert CsvFile(after, "a.csv").rows[row].fields[x].value == t.strip()
                    assert spell(t.strip()) == spell(value) or spell(value).startswith('"')
                else:
                    assert s.strip() == t.strip()
        # other lines are the same to the byte
        rest = [i for i in range(5) if i != row + 1]
        assert [text.splitlines(True)[i] for i in rest] == [after.splitlines(True)[i] for i in rest]
