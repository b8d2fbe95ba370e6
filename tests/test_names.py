"""No name of a spec can meet a name of Python, of the runtime or of the engine, in any role."""

from __future__ import annotations

import builtins
import itertools
import re
from pathlib import Path

import pytest
from common import sampled
from name_sweep import (
    ROLES,
    all_roles_at_once,
    expected,
    filled,
    hostile_names,
    played,
    tried,
)

from rulewright.compiler.emit import module
from rulewright.compiler.low.helpers import STATE_METHODS
from rulewright.compiler.low.names import Names, python_name, reserved

SHARE = 8  # of the cases, in each run; `make soak` tries them all


def _sweep(folder: Path, cases: list[dict[str, str]]) -> int:
    stood, wrong = 0, []
    for names in cases:
        count, what = tried(names, folder)
        stood += count
        wrong += [what] if what else []
    assert wrong == []
    return stood


@pytest.mark.parametrize("part", sampled(range(8), 8))
def test_every_name_in_every_role(part: int, tmp_path: Path) -> None:
    cases = list(itertools.islice(all_roles_at_once(), part, None, 8 * SHARE))
    # nearly all are allowed: the language keeps few words for itself
    assert _sweep(tmp_path, cases) > 0.9 * len(cases) * len(ROLES)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(50))
def test_every_name_in_every_role_in_full(part: int, tmp_path: Path) -> None:
    _sweep(tmp_path, list(itertools.islice(all_roles_at_once(), part, None, 50)))


# names that once met others, and in which roles
@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("number", "pool"), ("coins", "pool"), ("deck", "pool"), ("number", "checked"), ("deck", "checked"), ("number", "asks_all"),
        ("hand", "asks_all"), ("coins", "explicit"), ("row", "story"), ("number", "hits"), ("bid", "breakdown_"), ("deck", "some_bid_guess"),
        ("variable", "range"), ("turn", "len"), ("chosen", "SOMEKIND_SOME_COLUMN"), ("found", "SOMEKIND_SOME_COLUMN"),
        ("parameter", "__p"), ("coins", "__coins"), ("number", "__slots__"), ("function", "__init__"), ("Kind", "State"),
        ("variable", "low"), ("rolled", "_"), ("plain", "v"), ("procedure", "v"), ("ranked", "rows"), ("judged", "q"), ("summed", "p"),
        ("function", "refresh_1"), ("table", "refresh_2"), ("plain", "members"), ("field", "value_"), ("Standing", "Broken"), ("bid", "_"),
    ],
)  # fmt: skip
def test_names_that_once_broke_an_engine(role: str, name: str, tmp_path: Path) -> None:
    assert tuple(played(filled({role: name}), tmp_path)) == expected()


def test_what_is_tried() -> None:
    assert len(ROLES) > 70 and len(hostile_names()) * len(ROLES) > 5200
    assert {"pool", "range", "asks_all", "class", "LEGAL", "x1", "__slots__"} <= {*hostile_names()}


def test_builtins_of_this_python_are_known() -> None:
    plain = {name for name in dir(builtins) if not name.startswith("_")}
    assert plain <= reserved() | {"_"}


def test_names_of_the_templates_are_known() -> None:
    folder = Path(module.__file__).parent / "templates"
    shape = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.j2")))
    given = r"^(?:def |class |    def )?([A-Za-z_]\w*)(?=[:(])"
    found = {*re.findall(given, shape, re.MULTILINE), *(name for name, *_ in STATE_METHODS)}
    for line in re.findall(r"import ([\w, ]+)$", shape, re.MULTILINE):
        found |= {*re.findall(r"\w+", line)}
    assert len(found) > 40
    assert found - reserved() == set()


def test_scopes() -> None:
    module = Names(["taken"])
    one, other = module.inner(["s"]), module.inner()
    assert [one.new("a"), one.new("a"), other.new("a")] == ["a", "a_2", "a"]
    # neither what the module has nor what it comes to have later is hidden by a local
    assert (one.new("taken"), module.new("a"), other.new("a_3"), module.new("a")) == (
        "taken_", "a_3", "a_3_", "a_4",
    )  # fmt: skip
    assert one.new("s") == "s_" and other.new("s") == "s" and module.new("s") == "s_2"


def test_spelling() -> None:
    spelt = ["4 players", "a.b", "__init__", "été", ""]
    assert [python_name(x) for x in spelt] == ["n4_players", "a_b", "n__init__", "_t_", "n"]
