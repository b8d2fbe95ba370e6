"""Variants and player counts laid over a folder; UPDATE_GOLDEN=1 writes messages anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright.compiler.read.folder import Folder
from rulewright.compiler.read.overlay import resolve, rulesets
from rulewright.compiler.read.print_folder import node_text, print_folder
from rulewright.compiler.read.read_folder import read_folder
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, render_all
from rulewright.compiler.text.source import Sources

BAD = Path(__file__).parents[1] / "bad" / "variants"
CASES = sorted(path for path in BAD.iterdir() if path.is_dir())

FILES = {
    "game.yaml": """\
game: tiny
title: Tiny
players: [2, 3, 4]
seats: [Blue, Green, Red, Grey]
reasons: {tiles: tiles bought}
absent: [{clause: a.b, because: it is so}]
""",
    "tiles.yaml": """\
table: Tile
cite: tile.all
columns:
  cost: 0..9
  act: {type: "procedure(me: Player)", default: pass}
rows:
  mill: {cost: {by players: {2: 1, 3: 2, 4: 3}}, cite: tile.mill}
  barn: {cost: 5, act: {by players: {2: "let x = 1", 3: pass, 4: pass}}}
  shed: {cost: 6}
""",
    "constants.yaml": """\
constants:
  rounds: {value: {by players: {2: 8, 3: 7, 4: 6}}, cite: rounds}
  start: {type: Tile, value: mill, cite: start}
""",
    "play.rules": """\
state:
    built: map Player to set of Tile  @built
open function price(t: Tile) -> int @price:
    return t.cost
procedure play() @play:
    pass
outcome p in Player by score[p] @end
""",
    "variants/pair.yaml": """\
variant: pair
about: With two.
players: [2]
automatic: true
cite: two
neutral: [nobody]
constants: {rounds: {value: 9}, extra: {new: true, value: true}}
tables:
  Tile:
    change: {mill: {cost: 4}}
rules: [pair.rules]
""",
    "variants/pair.rules": """\
replace function price(t: Tile) -> int:
    return t.cost + 1
state:
    spare: 0..9
""",
    "variants/long.yaml": """\
variant: long
cite: long
constants: {start: {value: barn, cite: long.start}}
options: {quick: {type: bool, default: {by players: {2: true, 3: false, 4: false}}}}
reasons: {length: long games}
absent: [{clause: a.b, because: it is still so}, {clause: a.c, because: so is this}]
tables:
  Tile:
    change: {mill: {cost: 7, act: "let y = 2", cite: long.mill}}
    add: {hut: {cost: {by players: {2: 1, 3: 1, 4: 2}}}, inn: {cost: 1, cite: long.inn}}
    remove: [shed]
  Season:
    rows: {warm: {}, cold: {cite: long.cold}}
rules: [long.rules]
---
table: Field
cite: long.field
grid: {columns: 2, rows: 2}
""",
    "variants/long.rules": """\
replace procedure play() @long.play:
    let x = 1
procedure more() @long.more:
    pass
outcome p in Player by 0 - score[p] @long.end
""",
    "variants/longer.yaml": """\
variant: longer
players: [3, 4]
needs: [long]
tables: {Tile: {change: {hut: {cost: 9}}}}
""",
    "variants/short.yaml": """\
variant: short
overrules: [a.b]
players: [2, 3]
excludes: [long]
constants: {start: {value: shed}}
""",
}


def read(folder: Path, files: dict[str, str]) -> Folder:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    sources, problems = Sources(), Problems()
    found = read_folder(folder, sources, problems, display="g")
    assert render_all(problems, sources) == ""
    assert found is not None
    return found


@pytest.fixture
def tiny(tmp_path: Path) -> Folder:
    return read(tmp_path, FILES)


def laid(folder: Folder, players: int, *variants: str) -> Folder:
    problems = Problems()
    found = resolve(folder, players, variants, problems)
    assert render_all(problems, Sources()) == ""
    assert found is not None
    return found


def cell(folder: Folder, row: str, column: str = "cost") -> str:
    return node_text(folder.tables["Tile"].rows[row].cells[column].node)


def clauses(cites: S.Cites) -> list[str]:
    return [cite.text for cite in cites]


def test_player_counts_are_settled(tiny: Folder) -> None:
    three, four = laid(tiny, 3), laid(tiny, 4)
    assert (three.players, three.applied, three.variants) == (3, (), {})
    assert (cell(three, "mill"), cell(four, "mill")) == ("2", "3")
    assert node_text(three.constants["rounds"].node) == "7"
    assert three.tables["Tile"].rows["barn"].cells["act"].code == (S.Pass(),)
    # The folder that was read stays as it was.
    assert "by players" in cell(tiny, "mill") and tiny.variants


def test_rows_stand_where_a_variant_puts_them(tmp_path: Path) -> None:
    placed = {
        "variants/placed.yaml": """\
variant: placed
cite: placed
tables:
  Tile:
    add: {hut: {cost: 1}, inn: {cost: 1}}
    after: {hut: mill, inn: none, shed: hut}
""",
        "variants/bare.yaml": """\
variant: bare
cite: bare
tables: {Tile: {remove: [mill]}}
""",
    }
    folder = read(tmp_path, FILES | placed)

    def rows(*variants: str) -> list[str]:
        return list(laid(folder, 4, *variants).tables["Tile"].rows)

    assert rows("placed") == ["inn", "mill", "hut", "shed", "barn"]
    # where the row that one stands behind is taken away, it stands where that was
    assert rows("placed", "bare") == rows("bare", "placed") == ["inn", "hut", "shed", "barn"]


def test_automatic_variant(tiny: Folder) -> None:
    two = laid(tiny, 2)
    assert two.applied == ("pair",)
    assert cell(two, "mill") == "4"
    assert two.tables["Tile"].rows["barn"].cells["act"].code == (S.Let(S.Name("x"), S.Num(1)),)
    assert clauses(two.tables["Tile"].rows["mill"].cites) == ["tile.mill", "two"]
    assert two.game.neutral == ("nobody",)
    assert node_text(two.constants["rounds"].node) == "9"
    assert node_text(two.constants["extra"].node) == "true"
    assert clauses(two.constants["extra"].cites) == ["two"]


def test_replaced_function_keeps_its_place_and_stays_open(tiny: Folder) -> None:
    two = laid(tiny, 2)
    assert [type(decl) for decl in two.decls] == [
        S.StateVar,
        S.Function,
        S.Procedure,
        S.Outcome,
        S.StateVar,
    ]
    price = two.decls[1]
    assert isinstance(price, S.Function)
    assert (price.is_open, price.replaces, clauses(price.cites)) == (True, False, ["two"])
    assert price.span.file == "g/variants/pair.rules"
    assert clauses(two.decls[4].cites) == ["two"]


def test_chosen_variant(tiny: Folder) -> None:
    long = laid(tiny, 4, "long")
    tile = long.tables["Tile"]
    assert list(tile.rows) == ["mill", "barn", "hut", "inn"]
    assert (cell(long, "mill"), cell(long, "hut"), cell(long, "inn")) == ("7", "2", "1")
    assert tile.rows["mill"].cells["act"].code == (S.Let(S.Name("y"), S.Num(2)),)
    assert tile.rows["hut"].cells["act"].code == (S.Pass(),)
    found = {row.name: clauses(row.cites) for row in tile.rows.values()}
    assert found == {
        "mill": ["long.mill"],
        "barn": ["tile.all"],
        "hut": ["long"],
        "inn": ["long.inn"],
    }
    assert [clauses(row.cites) for row in long.tables["Season"].rows.values()] == [
        ["long"],
        ["long.cold"],
    ]
    assert long.tables["Field"].grid is not None
    start = long.constants["start"]
    assert (start.type, clauses(start.cites)) == (S.NamedType("Tile"), ["long.start"])
    assert node_text(long.options["quick"].default) == "false"
    assert long.game.reasons == {"tiles": "tiles bought", "length": "long games"}
    assert [(a.clause, a.because) for a in long.absent] == [
        ("a.b", "it is still so"),
        ("a.c", "so is this"),
    ]
    assert long.overruled == ()
    outcomes = [decl for decl in long.decls if isinstance(decl, S.Outcome)]
    assert [clauses(decl.cites) for decl in outcomes] == [["long.end"]]


def test_a_clause_is_overruled(tiny: Folder) -> None:
    short = laid(tiny, 3, "short")
    assert (short.absent, short.overruled) == ((), ("a.b",))
    assert [a.clause for a in tiny.absent] == ["a.b"]
    assert "overruled a.b" in print_folder(short)


def test_order(tiny: Folder) -> None:
    assert laid(tiny, 2, "long").applied == ("pair", "long")
    assert cell(laid(tiny, 2, "long"), "mill") == "7"
    # A variant lies on top of those it needs, in whichever order they are given.
    for names in ("long", "longer"), ("longer", "long"):
        found = laid(tiny, 3, *names)
        assert found.applied == ("long", "longer")
        assert cell(found, "hut") == "9"


def test_rulesets(tiny: Folder) -> None:
    found = rulesets(tiny)
    assert found == [
        (2, ()),
        (2, ("long",)),
        (2, ("short",)),
        (3, ()),
        (3, ("long",)),
        (3, ("long", "longer")),
        (3, ("short",)),
        (4, ()),
        (4, ("long",)),
        (4, ("long", "longer")),
    ]
    for players, variants in found:
        laid(tiny, players, *variants)


def test_nothing_comes_of_problems_reported_before(tiny: Folder) -> None:
    problems = Problems()
    for _ in range(2):
        assert resolve(tiny, 5, (), problems) is None
    assert len(problems.errors) == 1


def test_independent_changes_go_together(tmp_path: Path) -> None:
    files = {
        **FILES,
        "variants/a.yaml": "variant: a\ntables: {Tile: {change: {mill: {cost: 1}}}}\n",
        "variants/b.yaml": "variant: b\ntables: {Tile: {change: {mill: {act: pass}}}}\n",
    }
    found = laid(read(tmp_path, files), 3, "b", "a")
    assert found.applied == ("b", "a")
    assert (cell(found, "mill"), cell(found, "mill", "act")) == ("1", "pass")


def test_print(tiny: Folder) -> None:
    text = print_folder(laid(tiny, 4, "long"))
    assert text == print_folder(laid(tiny, 4, "long"))
    assert text == """\
game tiny: Tiny
players 4
variants long
seats Blue, Green, Red, Grey
reason tiles: tiles bought
reason length: long games

constant rounds = 6 @rounds
constant start: Tile = barn @long.start
option quick: bool = false @long

table Tile: 4 rows
  column cost: 0..9
  column act: procedure(me: Player)
  mill @long.mill
    cost: 7
    act: "let y = 2"
  barn @tile.all
    cost: 5
    act: pass
  hut @long
    cost: 2
    act: pass
  inn @long.inn
    cost: 1
    act: pass

table Season: 2 rows
  warm @long
  cold @long.cold

table Field: grid of 2 columns and 2 rows, graph neighbours

state built: map Player to set of Tile @built  # g/play.rules:2
open function price(t: Tile) -> int @price  # g/play.rules:3
procedure play() @long.play  # g/variants/long.rules:1
procedure more() @long.more  # g/variants/long.rules:3
outcome @long.end  # g/variants/long.rules:5

absent a.b: it is still so
absent a.c: so is this
"""
    assert "variants long, longer, pair, short, not laid over" in print_folder(tiny)


def messages(path: Path) -> str:
    """What reading and then laying over say; rulesets.txt names what to choose, if not all."""
    sources, problems = Sources(), Problems()
    folder = read_folder(path, sources, problems, display=path.name)
    parts = [render_all(problems, sources)]
    if folder is not None and not problems.has_errors:
        chosen = rulesets(folder)
        if (path / "rulesets.txt").exists():
            lines = (path / "rulesets.txt").read_text(encoding="utf-8").splitlines()
            chosen = [(int(line.split()[0]), tuple(line.split()[1:])) for line in lines]
        for players, variants in chosen:
            own = Problems()
            found = resolve(folder, players, variants, own)
            assert (found is None) == own.has_errors
            if own.has_errors:
                parts += [f"== {players} {' '.join(variants)}".rstrip(), render_all(own, sources)]
    return "\n".join(part for part in parts if part) + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_messages(path: Path) -> None:
    found = messages(path)
    golden = path / "expected.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")
    assert "error RW" in found


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 12
