"""How many bots and seats → who sits where in the games of a block, so that all meet the same luck from every seat.

A block is one seed with all seat orders. Where these are too many, it is a balanced part of them: in the order of a circle, turned by
one from game to game, so that every bot has every seat equally often; the circle is mixed anew for each block, so that over blocks everybody meets
everybody from everywhere. All of it depends on the seed of the run and the number of the block alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, perm

from rulewright.seeds import derive

Order = tuple[int, ...]
# all orders of four bots at three or four seats, of three at four, of six at two
_MOST = 36
# a part of all orders has about so many
_USUAL = 24


def block_size(bots: int, players: int) -> int:
    """How many games a block has."""
    if _count(bots, players) <= _MOST:
        return len(_all(bots, players))
    circle = max(bots, players)
    return circle * max(1, _USUAL // circle)


def order(bots: int, players: int, seed: int, block: int, game: int) -> Order:
    """Which bot sits at each seat in a game of a block."""
    return orders(bots, players, seed, block)[game]


@lru_cache(maxsize=64)
def orders(bots: int, players: int, seed: int, block: int) -> tuple[Order, ...]:
    """All games of a block."""
    if _count(bots, players) <= _MOST:
        return _all(bots, players)
    out: list[Order] = []
    for turn in range(block_size(bots, players) // max(bots, players)):
        mixed = _mixed(bots, seed, block, turn)
        # with fewer bots than seats some of them sit twice; who does so changes with the mixing
        circle = [mixed[i % bots] for i in range(max(bots, players))]
        out += [
            tuple(circle[(seat + game) % len(circle)] for seat in range(players))
            for game in range(len(circle))
        ]
    return tuple(out)


def _count(bots: int, players: int) -> int:
    """How many orders there are, or more than are wanted."""
    if bots >= players:
        return perm(bots, players)
    many, more = divmod(players, bots)
    ways, left = comb(bots, more), players
    for i in range(bots):
        seats = many + (i < more)
        ways *= comb(left, seats)
        left -= seats
    return ways


@lru_cache(maxsize=64)
def _all(bots: int, players: int) -> tuple[Order, ...]:
    if bots >= players:
        return tuple(permutations(range(bots), players))
    many, more = divmod(players, bots)
    found = {
        way
        for extra in combinations(range(bots), more)
        for way in permutations(sorted([*list(range(bots)) * many, *extra]))
    }
    return tuple(sorted(found))


def _mixed(bots: int, seed: int, block: int, turn: int) -> Sequence[int]:
    return sorted(range(bots), key=lambda i: derive(seed, "order", block, turn, i))
