"""The rooms of the compiler stand in an order: nobody imports from a room below, and the page shows what is so."""

from pathlib import Path

import pytest
from rooms import IMPORTS, ROOMS, graph_text

ROOT = Path(__file__).parents[2]


def test_every_room_has_its_place() -> None:
    there = {p.parent.name for p in (ROOT / "compiler").glob("*/__init__.py")}
    assert there == set(ROOMS) - {"build"}


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_imports_from_one_below(room: str) -> None:
    order = {name: i for i, name in enumerate(ROOMS)}
    upward = [i for i in IMPORTS if i.room == room and order[i.of_room] > order[i.room]]
    assert not upward, "\n".join(map(str, upward))


def test_the_page_shows_the_graph() -> None:
    page = (ROOT / "docs" / "compiler.md").read_text(encoding="utf-8")
    assert graph_text() in page, "write it anew: python tests/compiler/rooms.py"
