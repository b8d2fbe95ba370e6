"""What a seat sees, as numbers: which pieces there are, and a state → a buffer filled with them.

The functions that write are made by the compiler from types and visibility, when they are first asked for; here is what people hold.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Protocol, cast

from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.given import seat_number, shown
from rulewright.runtime.state import EngineState

if TYPE_CHECKING:
    from numpy import ndarray

    from rulewright.runtime.game import Game

LAYOUTS = ("flat", "pieces")

# what lies in a buffer, or a TypeError where there is none
_BYTES = cast("Callable[[object], memoryview]", memoryview)
_FLOATS = cast("Callable[[object], memoryview[float]]", memoryview)


@dataclass(frozen=True, slots=True)
class Piece:
    """A named part of an observation: `axes` says what each dimension of its shape goes over, None is no bound."""

    name: str
    start: int
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    low: float | None
    high: float | None
    meaning: str
    # what its numbers are multiplied with, again and again over its cells
    scale: tuple[float, ...] = field(default=(1.0,), repr=False)
    dtype: str = "float32"

    @property
    def size(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class ObservationSpec:
    """What an observation of one game holds.

    With the layout "flat" it is one row of `size` numbers, with "pieces" a mapping of names to arrays. Seats are counted from the viewer, so
    that it comes first. `version` changes with the rules and with what is written where.
    """

    layout: str
    pieces: tuple[Piece, ...]
    size: int
    actions: int
    version: str
    dtype: str = "float32"

    def __getitem__(self, name: str) -> Piece:
        for piece in self.pieces:
            if piece.name == name:
                return piece
        raise KeyError(name)

    def new(self) -> array[float] | dict[str, array[float]]:
        """An empty buffer: for "flat" an array of floats, for "pieces" one for each name."""
        if self.layout == "flat":
            return array("f", bytes(4 * self.size))
        return {piece.name: array("f", bytes(4 * piece.size)) for piece in self.pieces}

    def split(self, flat: ndarray | array[float]) -> dict[str, ndarray]:
        """A flat observation (or the last dimension of many) as named pieces in their shapes, without a copy; from a buffer as arrays of numpy."""
        rows = cast("ndarray", flat) if hasattr(flat, "reshape") else _array(flat)
        if rows.ndim < 1 or rows.shape[-1] != self.size:
            raise RulewrightError(
                f"an observation has {self.size} numbers; this has the shape {tuple(rows.shape)}"
            )
        return {
            p.name: rows[..., p.start : p.start + p.size].reshape((*rows.shape[:-1], *p.shape))
            for p in self.pieces
        }


class Writers(Protocol):
    """What the compiler makes for one game: what a seat sees into numbers by their places, legal actions into a mask."""

    def observe(self, s: EngineState, seat: int, found: dict[int, int]) -> None: ...

    def mark_legal(self, s: EngineState, mask: memoryview) -> None: ...


class NativeWriters(Protocol):
    """The same in a native engine."""

    def observe(self, s: EngineState, cells: memoryview[float], seat: int) -> None: ...

    def mark_legal(self, s: EngineState, mask: memoryview, seat: int) -> None: ...


class Observer:
    """Writes observations and action masks of one game's states."""

    def __init__(self, game: Game, module: Writers, spec: ObservationSpec) -> None:
        self.game = game
        self.spec = spec
        # a compiled engine writes them by itself
        self._native = cast(NativeWriters, game.module) if game.module.COMPILED else None
        self._observe = module.observe
        self._legal = module.mark_legal
        self._players = int(game.info["players"])
        self._bytes, self._actions = 4 * spec.size, spec.actions
        self._no_action = memoryview(bytes(spec.actions))
        # by what each number is multiplied
        self.scale = array("f", (x for p in spec.pieces for x in _scales(p)))
        self._scatter = _scatter(self.scale)

    def into(self, state: EngineState, buffer: object, seat: int) -> None:
        """What a seat sees of a state, into a flat buffer of floats or a mapping of names to such buffers."""
        if type(seat) is not int or not 0 <= seat < self._players:
            seat = seat_number(seat, self._players)
        if isinstance(buffer, dict):
            self._into_pieces(state, buffer, seat)
            return
        try:
            cells = _FLOATS(buffer)
        except TypeError:
            if isinstance(buffer, Mapping):
                self._into_pieces(state, buffer, seat)
                return
            cells = _floats(buffer, self.spec.size, "an observation")
        # what nearly everybody hands in is looked at here, which takes a part of the time that a native engine needs to write it
        if cells.format != "f" or cells.nbytes != self._bytes or cells.ndim != 1 or cells.readonly or not cells.c_contiguous:  # fmt: skip
            cells = _floats(buffer, self.spec.size, "an observation")
        self._into_flat(state, cells, seat)

    def mask_into(self, state: EngineState, buffer: object, seat: int | None = None) -> None:
        """1 for each action that the seat can take now (whoever decides, if none is named), into a buffer of bytes."""
        if seat is not None and (type(seat) is not int or not 0 <= seat < self._players):
            seat = seat_number(seat, self._players)
        try:
            mask = _BYTES(buffer)
        except TypeError:
            mask = _bytes(buffer, self._actions)
        if mask.itemsize != 1 or mask.nbytes != self._actions or mask.readonly or not mask.c_contiguous:  # fmt: skip
            mask = _bytes(buffer, self._actions)
        if self._native is not None:
            self._native.mark_legal(state, mask, -1 if seat is None else seat)
            return
        mask = _bytes(mask, self._actions)
        mask[:] = self._no_action
        who = state.current_player()
        if who >= 0 and (seat is None or seat == who):
            self._legal(state, mask)

    def _into_flat(self, state: EngineState, cells: memoryview[float], seat: int) -> None:
        if self._native is not None:
            self._native.observe(state, cells, seat)
            return
        # most numbers are zero: the others are gathered first, because the interpreter writes a buffer slowly
        found: defaultdict[int, int] = defaultdict(int)
        self._observe(state, seat, found)
        self._scatter(found, cells)

    def _into_pieces(self, state: EngineState, buffers: Mapping[str, object], seat: int) -> None:
        if set(buffers) != {p.name for p in self.spec.pieces}:
            odd = sorted(set(buffers) ^ {p.name for p in self.spec.pieces})
            raise RulewrightError(
                f"an observation has one buffer for each piece; too many or missing: {', '.join(map(shown, odd[:5]))}"
            )
        row = array("f", bytes(4 * self.spec.size))
        flat = cast("memoryview[float]", memoryview(row))
        self._into_flat(state, flat, seat)
        for p in self.spec.pieces:
            _floats(buffers[p.name], p.size, p.name)[:] = flat[p.start : p.start + p.size]


def _scales(piece: Piece) -> list[float]:
    return list(piece.scale) * (piece.size // len(piece.scale))


def _scatter(scale: array[float]) -> Callable[[Mapping[int, int], memoryview[float]], None]:
    """What writes numbers to their places, scaled; with numpy where it is there, and the same numbers without it."""
    zero = memoryview(array("f", bytes(4 * len(scale))))
    try:
        # an extra: all works without it
        import numpy
    except ImportError:

        def one_by_one(found: Mapping[int, int], cells: memoryview[float]) -> None:
            cells[:] = zero
            for i, value in found.items():
                cells[i] = value * scale[i]

        return one_by_one
    factors = numpy.frombuffer(scale, numpy.float32)

    def with_numpy(found: Mapping[int, int], cells: memoryview[float]) -> None:
        cells[:] = zero
        n = len(found)
        at = numpy.fromiter(found, numpy.intp, n)
        values = numpy.fromiter(found.values(), numpy.float32, n)
        numpy.frombuffer(cast(memoryview, cells), numpy.float32)[at] = values * factors[at]

    return with_numpy


def _array(buffer: object) -> ndarray:
    # an extra, which arrays need and buffers do not
    import numpy

    return numpy.asarray(_buffer(buffer, "an observation"))


def _floats(buffer: object, size: int, what: str) -> memoryview[float]:
    found = _buffer(buffer, what)
    if found.format != "f" or found.nbytes != 4 * size or found.readonly:
        raise RulewrightError(
            f"{what} needs {size} numbers of type float32 that can be written; this buffer has {found.nbytes // found.itemsize}"
            f" of format {found.format!r}" + (", read-only" if found.readonly else "")
        )
    return cast("memoryview[float]", found) if found.ndim == 1 else found.cast("B").cast("f")


def _bytes(buffer: object, size: int) -> memoryview:
    found = _buffer(buffer, "an action mask")
    if found.itemsize != 1 or found.nbytes != size or found.readonly:
        raise RulewrightError(
            f"an action mask needs {size} bytes that can be written; this buffer has {found.nbytes // found.itemsize}"
            f" of format {found.format!r}" + (", read-only" if found.readonly else "")
        )
    return found.cast("B") if found.format != "B" or found.ndim != 1 else found


def _buffer(buffer: object, what: str) -> memoryview:
    try:
        found = _BYTES(buffer)
    except TypeError:
        raise RulewrightError(
            f"{what} is written into a buffer (a numpy array, an array of floats), not {shown(buffer)}"
        ) from None
    if not found.c_contiguous:
        raise RulewrightError(f"{what} is written into a buffer whose numbers lie side by side")
    return found
