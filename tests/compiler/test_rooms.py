"""The rooms of the compiler stand in an order: nobody imports from a room below, and the page shows what is so."""

from pathlib import Path

import pytest
from rooms import IMPORTS, ROOMS, graph_text, reachable

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


def test_a_late_import_says_why() -> None:
    silent = [i for i in IMPORTS if i.late and not i.told_why]
    assert not silent, "put a comment above that says why:\n" + "\n".join(map(str, silent))


def test_modules_in_a_loop_import_each_other_whole() -> None:
    """So that any of them may be imported first: a name can't be taken out of a module that is half read."""
    found = [
        i
        for i in IMPORTS
        if not i.whole and not i.late and not i.for_types
        if i.module in reachable(i.target)
    ]  # fmt: skip
    assert not found, "\n".join(map(str, found))
