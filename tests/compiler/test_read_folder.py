"""Folders into tables, constants, rules and clauses; UPDATE_GOLDEN=1 writes messages anew."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from rulewright.compiler.read.folder import Folder
from rulewright.compiler.read.read_folder import MAX_FILES, read_folder
from rulewright.compiler.read.yaml_nodes import YList, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, render_all
from rulewright.compiler.text.source import Sources

BAD = Path(__file__).parents[1] / "bad" / "tables"
CASES = sorted(path for path in BAD.iterdir() if path.is_dir())

GAME = """\
game: tiny
title: Tiny
about: A small game.
players: [3, 2]
clauses: [clauses/book.yaml, clauses/sheet.yaml]
seats: [Blue, Green, Red]
neutral: [grey]
reasons: {tiles: tiles bought}
options:
  first: {type: Player, default: 0, about: Who begins., cite: setup.first}
absent:
  - {clause: tile.kept, because: nothing takes a tile away}
"""
TILES = """\
table: Tile
about: The tiles.
cite: tile.all
columns:
  cost: 0..9
  label: text
  near: {type: set of Tile, default: []}
  act: {type: "procedure(me: Player)", default: pass}
  worth: {type: "function(me: Player) -> 0..9", default: "1"}
  power: {type: "hook(me: Player) when this in built[me]", default: ''}
graph: near
rows:
  mill:
    cost: {by players: {2: 1, 3: 2}}
    label: The mill
    near: [barn.1]
    act: |
      let x = 1
      built[me] |= {this}
    worth: 2 + 3
    power: |
      on price(t): result + 1
      after play(): pass
    cite: [tile.mill, tile.cost]
    assumed: the price is not given
  barn.1: {cost: 0, label: '2', near: all}
---
table: Field
cite: board.field
grid: {columns: 4, rows: 3}
---
constants:
  rounds: {value: 3, cite: rounds.three}
  scale: {value: [0, 1, 3], stand-in: not printed}
  start: {type: Field, value: r1c1}
cite: board.start
"""
RULES = """\
state:
    built: map Player to set of Tile  @tile.built
procedure play() @game.play:
    pass
"""
BOOK = """\
- {id: setup.first, section: Setup / start, rule: "The oldest begins: always."}
- {id: tile.kept, section: Tiles, rule: Kept., players: [2], example: true, variant: long, note: A note.}
"""
SHEET = """\
shared: [setup.first, other.clause]
more:
  - {id: sheet.one, section: s, rule: One., differs_from: [tile.kept], decision: adopt}
  - {id: sheet.two, section: s, rule: Two., differs_from: [], decision: reject}
"""
FILES = {
    "game.yaml": GAME,
    "tiles.yaml": TILES,
    "play.rules": RULES,
    "clauses/book.yaml": BOOK,
    "clauses/sheet.yaml": SHEET,
    "bots.yaml": "not: [a table\n",
    "view.yaml": "not: a table\n",
    "scenarios/one.yaml": "not: a table\n",
    ".hidden.yaml": "not: a table\n",
    "notes.txt": "not read",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def read(path: Path) -> tuple[Folder | None, str]:
    sources, problems = Sources(), Problems()
    folder = read_folder(path, sources, problems, display="g")
    return folder, render_all(problems, sources)


def good(path: Path) -> Folder:
    folder, messages = read(path)
    assert messages == ""
    assert folder is not None
    return folder


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def test_game_file(tiny: Path) -> None:
    folder = good(tiny)
    game = folder.game
    assert (game.game, game.title, game.about) == ("tiny", "Tiny", "A small game.")
    assert game.players == (2, 3)
    assert game.seats == ("Blue", "Green", "Red")
    assert game.neutral == ("grey",)
    assert game.reasons == {"tiles": "tiles bought"}
    assert (game.span.file, game.span.line, game.span.column) == ("g/game.yaml", 1, 7)
    option = folder.options["first"]
    assert option.type == S.NamedType("Player")
    assert option.cites == (S.Cite("clause", "setup.first"),)
    assert [(a.clause, a.because) for a in folder.absent] == [
        ("tile.kept", "nothing takes a tile away")
    ]
    assert (folder.applied, folder.players, folder.variants) == ((), 0, {})
    assert folder.files == (
        "g/game.yaml",
        "g/clauses/book.yaml",
        "g/clauses/sheet.yaml",
        "g/tiles.yaml",
        "g/play.rules",
    )


def test_columns_and_cells(tiny: Path) -> None:
    table = good(tiny).tables["Tile"]
    assert (table.graph, table.grid, list(table.rows)) == ("near", None, ["mill", "barn.1"])
    columns = table.columns
    assert columns["cost"].type == S.RangeType(S.Num(0), S.Num(9))
    assert columns["label"].type is None
    assert columns["near"].type == S.SetType(S.NamedType("Tile"))
    assert isinstance(columns["act"].type, S.CodeType) and not columns["act"].type.is_function
    assert isinstance(columns["worth"].type, S.CodeType) and columns["worth"].type.is_function
    assert isinstance(columns["power"].type, S.HookType)
    mill, barn = table.rows["mill"], table.rows["barn.1"]
    assert list(mill.cells) == list(barn.cells) == list(columns)
    act = mill.cells["act"].code
    assert isinstance(act, tuple)
    assert [type(statement) for statement in act] == [S.Let, S.Assign]
    assert (act[1].span.file, act[1].span.line, act[1].span.column) == ("g/tiles.yaml", 19, 7)
    assert mill.cells["worth"].code == S.Binary("+", S.Num(2), S.Num(3))
    hooks = mill.cells["power"].code
    assert isinstance(hooks, tuple)
    assert [hook.when for hook in hooks] == ["on", "after"]
    assert mill.cells["cost"].code is None
    near = mill.cells["near"].node
    assert isinstance(near, YList)
    assert [item.text for item in near.items if isinstance(item, YScalar)] == ["barn.1"]


def test_defaults(tiny: Path) -> None:
    barn = good(tiny).tables["Tile"].rows["barn.1"]
    assert barn.cells["act"].code == (S.Pass(),)
    assert barn.cells["worth"].code == S.Num(1)
    assert barn.cells["power"].code == ()


def test_citations(tiny: Path) -> None:
    folder = good(tiny)
    tile = folder.tables["Tile"]
    assert tile.rows["mill"].cites == (
        S.Cite("clause", "tile.mill"),
        S.Cite("clause", "tile.cost"),
        S.Cite("assumed", "the price is not given"),
    )
    assert tile.rows["barn.1"].cites == tile.cites == (S.Cite("clause", "tile.all"),)
    assert folder.constants["scale"].cites == (S.Cite("stand-in", "not printed"),)
    assert folder.constants["start"].cites == (S.Cite("clause", "board.start"),)


def test_grid_and_constants(tiny: Path) -> None:
    folder = good(tiny)
    grid = folder.tables["Field"].grid
    assert grid is not None
    assert (grid.columns, grid.rows) == (4, 3)
    assert folder.tables["Field"].rows == {}
    assert folder.constants["start"].type == S.NamedType("Field")
    assert folder.constants["rounds"].type is None
    assert [type(decl) for decl in folder.decls] == [S.StateVar, S.Procedure]


def test_clauses(tiny: Path) -> None:
    clauses = good(tiny).clauses
    assert list(clauses) == ["setup.first", "tile.kept", "sheet.one"]
    first, kept = clauses["setup.first"], clauses["tile.kept"]
    assert (first.section, first.rule) == ("Setup / start", "The oldest begins: always.")
    assert (first.players, first.variant, first.example, first.note) == (None, None, False, "")
    assert (kept.players, kept.variant, kept.example, kept.note) == ((2,), "long", True, "A note.")


def test_display_is_the_path_as_passed(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tiny / "bad.yaml").write_text("x: 1\n", encoding="utf-8")
    monkeypatch.chdir(tiny.parent)
    for path, shown in (Path(tiny.name), f"{tiny.name}/"), (tiny, f"{tiny.as_posix()}/"):
        problems = Problems()
        read_folder(path, Sources(), problems)
        assert [problem.span.file for problem in problems] == [shown + "bad.yaml"]


def test_no_folder(tmp_path: Path) -> None:
    assert read(tmp_path / "no")[1].startswith("g: error RW0301: there is no such folder")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert read(tmp_path / "file")[1].startswith("g: error RW0301: this is not a folder")
    assert read(tmp_path / "file" / "x")[0] is None
    assert read(Path("a\0b"))[1].startswith("g: error RW0301: the folder cannot be read")


def test_things_that_are_not_files(tiny: Path) -> None:
    (tiny / "dir.yaml").mkdir()
    (tiny / "dir.rules").mkdir()
    (tiny / "loop.yaml").symlink_to("loop.yaml")
    (tiny / "gone.yaml").symlink_to("nowhere.yaml")
    os.mkfifo(tiny / "pipe.yaml")
    (tiny / "variants").symlink_to("variants")
    folder, messages = read(tiny)
    assert folder is not None
    heads = [line for line in messages.splitlines() if line.startswith("g/")]
    assert [head.split(": ")[:2] for head in heads] == [
        ["g/dir.rules", "error RW0102"],
        ["g/dir.yaml", "error RW0102"],
        ["g/gone.yaml", "error RW0101"],
        ["g/loop.yaml", "error RW0103"],
        ["g/pipe.yaml", "error RW0102"],
        ["g/variants", "error RW0301"],
    ]


def test_game_file_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").mkdir()
    folder, messages = read(tmp_path)
    assert folder is None
    assert messages.startswith("g/game.yaml: error RW0102")


def test_too_many_files(tiny: Path) -> None:
    for i in range(MAX_FILES):
        (tiny / f"t{i}.yaml").write_text(f"table: T{i}\ncite: x\nrows: {{a: {{}}}}\n")
    messages = read(tiny)[1]
    assert messages.count("RW0302") == 1 and messages.endswith("1 error")


def test_too_large_in_all(tiny: Path) -> None:
    for i in range(12):
        (tiny / f"r{i}.rules").write_text("# " + "x" * 1_900_000 + "\n")
    assert "RW0302" in read(tiny)[1]


@pytest.mark.parametrize("seed", range(40))
def test_broken_text_gives_problems_and_no_exception(tiny: Path, seed: int) -> None:
    variant = "variant: v\ntables: {Tile: {change: {mill: {cost: 2}}, add: {x: {cost: 1}}}}\n"
    write(tiny, {"variants/v.yaml": variant})
    pick = random.Random(seed)
    names = ["game.yaml", "tiles.yaml", "play.rules", "clauses/book.yaml", "variants/v.yaml"]
    for _ in range(5):
        name = pick.choice(names)
        text = (tiny / name).read_text(encoding="utf-8")
        at = pick.randrange(len(text) + 1)
        span = pick.randrange(1, 12)
        new = pick.choice(
            ["", "{", "[", "- ", "\n", ": ", "'", '"', "  ", "none", "9" * 30, "@", "|"]
        )
        (tiny / name).write_text(text[:at] + new + text[at + span :], encoding="utf-8")
        read(tiny)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_messages(path: Path) -> None:
    sources, problems = Sources(), Problems()
    read_folder(path, sources, problems, display=path.name)
    found = render_all(problems, sources) + "\n"
    golden = path / "expected.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")
    assert problems.has_errors


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 15
