"""Sets and multisets as bits: the functions of interpreted engines agree with plain Python."""

from __future__ import annotations

from collections import Counter
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.runtime import bits, zones

# around the end of a machine word, too
NUMBERS = st.sets(st.one_of(st.integers(0, 9), st.integers(55, 66), st.integers(0, 200)))
BITS = pytest.mark.parametrize("module", [bits])
ZONES = pytest.mark.parametrize("module", [zones])


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
@settings(max_examples=50, deadline=None)
@given(numbers=st.sets(st.integers(0, 9000), max_size=300))
def test_large_sets(module: ModuleType, numbers: set[int]) -> None:
    mask, listed = mask_of(numbers), sorted(numbers)
    assert [module.nth(mask, n) for n in range(len(listed))] == listed
    assert module.nth(mask, len(listed)) == -1


@ZONES
@pytest.mark.parametrize("kinds", [1, 3, 8, 65])
def test_many_equal_pieces(module: ModuleType, kinds: int) -> None:
    zone = 0
    for n in range(1000):
        zone = module.add(zone, kinds - 1, kinds)
        assert module.count(zone, kinds - 1, kinds) == n + 1
    for n in reversed(range(1000)):
        zone = module.remove(zone, kinds - 1, kinds)
        assert module.count(zone, kinds - 1, kinds) == n
    assert zone == 0


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
