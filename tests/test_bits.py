"""Sets and multisets as bits: the interpreted and the compiled engines' own functions agree with plain Python."""

from __future__ import annotations

from collections import Counter
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.native_text import with_words
from rulewright.runtime import bits, bits_native, zones, zones_native

# around the end of a machine word, too
NUMBERS = st.sets(st.one_of(st.integers(0, 9), st.integers(55, 66), st.integers(0, 200)))
BITS = pytest.mark.parametrize("module", [bits, bits_native])
ZONES = pytest.mark.parametrize("module", [zones, zones_native])


def mask_of(numbers: set[int]) -> int:
    return sum(1 << n for n in numbers)


@BITS
@settings(max_examples=200, deadline=None)
@given(numbers=NUMBERS)
def test_sets(module: ModuleType, numbers: set[int]) -> None:
    mask, listed = mask_of(numbers), sorted(numbers)
    assert module.size(mask) == len(numbers)
    assert list(module.members(mask)) == listed
    assert [module.nth(mask, n) for n in range(len(listed))] == listed
    assert module.nth(mask, len(listed)) == -1
    assert module.first(mask) == (listed[0] if listed else -1)
    assert module.first(~mask) == min(set(range(202)) - numbers)


@BITS
def test_tables_of_sets(module: ModuleType) -> None:
    assert all(module.BIT[n] == 1 << n for n in range(63))
    assert all(module.bit(n) == 1 << n for n in (0, 61, 62, 63, 64, 200))
    assert all(module.up_to(n) == mask_of(set(range(n))) for n in (-1, 0, 1, 61, 62, 63, 64, 200))
    assert [list(row) for row in module.FEW] == [
        [n for n in range(10) if m >> n & 1] for m in range(1024)
    ]


@ZONES
@settings(max_examples=150, deadline=None)
@given(
    kinds=st.sampled_from([1, 2, 5, 9, 31, 62, 64, 65, 90]),
    moves=st.lists(st.tuples(st.integers(0, 89), st.booleans()), max_size=120),
    more=st.lists(st.integers(0, 89), max_size=40),
)
def test_multisets(
    module: ModuleType, kinds: int, moves: list[tuple[int, bool]], more: list[int]
) -> None:
    """Pieces come and go, and two zones are laid together, also beyond what columns are kept for."""
    zone, held = 0, Counter[int]()
    for wanted, comes in moves:
        kind = wanted % kinds
        if comes or not held[kind]:
            zone = module.add(zone, kind, kinds)
            held[kind] += 1
        else:
            zone = module.remove(zone, kind, kinds)
            held[kind] -= 1
        assert module.count(zone, kind, kinds) == held[kind]
    other, added = 0, Counter[int]()
    for wanted in more:
        other = module.add(other, wanted % kinds, kinds)
        added[wanted % kinds] += 1
    both = module.union(zone, other, kinds)
    assert all(module.count(both, k, kinds) == held[k] + added[k] for k in range(kinds))
    assert zone.bit_count() == held.total()


@ZONES
def test_a_zone_with_very_many_pieces_of_a_kind(module: ModuleType) -> None:
    zone = 0
    for n in range(1, 700):
        zone = module.add(zone, 1, 2)
        assert module.count(zone, 1, 2) == n
    assert module.count(module.remove(zone, 1, 2), 1, 2) == 698


# ---------------------------------------------------------------- text for the native compiler

TEXT = '''"""A module."""
from __future__ import annotations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

TABLE: Final[Ints] = ints([1, 2])
WIDE: Final[list[int]] = [1 << 70]


def low(n: i64, wide: int) -> i64:
    """é: text before a place on the same line"""; x: i64 = n if n < 5 else 5
    y: int = TABLE[n if n > 0 else 0] & ~n
    z: int = WIDE[0] if n else 1
    w: int = 3
    w += 1
    v = "é" if 0 > low(x, y) else 7
    return -1 if n > 3 else low(n, 0) if wide else (1 if n else 2)
'''


def test_numbers_beside_machine_words_become_machine_words() -> None:
    lines = with_words(TEXT).split("\n")
    assert len(lines) == len(TEXT.split("\n"))
    assert lines[6] == (
        "WORD_MINUS_1: Final[i64] = -1; WORD_0: Final[i64] = 0; WORD_1: Final[i64] = 1; "
        "WORD_2: Final[i64] = 2; WORD_5: Final[i64] = 5"
    )
    assert lines[12].endswith("x: i64 = n if n < 5 else WORD_5")
    # a variable that only holds machine words is one; a large number, or one that is counted up, stays what it is
    assert lines[13] == "    y: i64 = TABLE[n if n > 0 else WORD_0] & ~n"
    assert lines[14] == "    z: int = WIDE[0] if n else 1"
    assert lines[15] == "    w: int = 3"
    assert lines[17] == '    v = "é" if 0 > low(x, y) else 7'
    inner = "(WORD_1 if n else WORD_2)"
    assert lines[18] == f"    return WORD_MINUS_1 if n > 3 else low(n, 0) if wide else {inner}"


def test_what_other_modules_give_is_known() -> None:
    other = "def size(m: int) -> i64:\n    return 0\n"
    text = "def f(m: int) -> int:\n    return size(m) if m else 0\n"
    assert "else WORD_0" in with_words(text, [other])
    assert with_words(text) == text
    shadowed = text + "\n\ndef size(m: int) -> int:\n    return m\n"
    assert with_words(shadowed, [other]) == shadowed
