"""A position as one seat sees it → the same data, noting what is looked at, so that a part is drawn anew only when that changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

Json = dict[str, Any]
Key = tuple[str, str]
Fragments = dict[str, str]
Parts = tuple[Fragments, ...]
# so many renderings of one part are kept at a table: those of its seats, and some from before
_MOST_KEPT = 12
_NOTHING: dict[str, Any] = {}
_FRAME = "frame"
_Made = TypeVar("_Made")
# what was looked at, what was seen there, and what was made of it
Looked = tuple[list[tuple[str, str]], list[Any], object]


def owned(source: str, owner: str) -> str:
    """Under which name it is marked what of a state somebody got or lost."""
    return f"{source}@{owner}"


def joined(parts: Parts) -> Fragments:
    """All fragments in the order of the parts."""
    out: Fragments = {}
    for part in parts:
        out.update(part)
    return out


class Watched(Mapping[str, Any]):
    """A mapping that notes which of its keys were asked for."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        # what is looked up here is not noted
        self.found = found
        self.asked: set[str] = set()
        self._prints: dict[str, str] = {}

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return self.found[key]

    def __contains__(self, key: object) -> bool:
        # what there is does not change from position to position
        return key in self.found

    def __iter__(self) -> Iterator[str]:
        self.asked.update(self.found)
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def print_of(self, key: str) -> str:
        """The value of a key in a form that can be compared."""
        found = self._prints.get(key)
        if found is None:
            found = self._prints[key] = repr(self.found.get(key))
        return found


class Now:
    """What is seen, what a click may mean, and what was touched last."""

    def __init__(
        self,
        data: Json,
        seat: int | None,
        targets: Mapping[Key, Sequence[int]],
        marked: Collection[Key],
        words: dict[str, Looked] | None = None,
    ) -> None:
        by_kind: dict[str, dict[str, tuple[Any, ...]]] = {}
        for (kind, member), actions in targets.items():
            by_kind.setdefault(kind, {})[member] = tuple(actions)
        touched: dict[str, dict[str, bool]] = {}
        for kind, member in marked:
            touched.setdefault(kind, {})[member] = True
        self.seat: int | None = seat
        self.decides: int | None = data["decides"]
        self.watched = {
            "state": Watched(data["state"]), "zones": Watched(data["zones"]), "pieces": Watched(data["pieces"]),
            "order": Watched(data.get("order", {})),
            "targets": _Kinds(by_kind), "marked": _Kinds(touched),
        }  # fmt: skip
        self.data: Json = {**data, **self.watched}
        self._words = {} if words is None else words

    def words(self, name: str, make: Callable[[], _Made]) -> _Made:
        """What `make` gives, or what it gave last time where it looks at nothing that has changed since."""
        last = self._words.get(name)
        if last is not None:
            asked, values, found = last
            if values == [self.watched[n].found.get(key) for n, key in asked]:
                for n, key in asked:
                    self.watched[n].asked.add(key)
                return cast(_Made, found)
        before = {n: watched.asked for n, watched in self.watched.items()}
        for watched in self.watched.values():
            watched.asked = set()
        made = make()
        asked = [(n, key) for n, watched in self.watched.items() for key in sorted(watched.asked)]
        self._words[name] = asked, [self.watched[n].found.get(key) for n, key in asked], made
        for n, watched in self.watched.items():
            watched.asked |= before[n]
        return made

    def actions(self, kind: str, member: str) -> tuple[int, ...]:
        found: tuple[int, ...] = self.watched["targets"][kind].get(member, ())
        return found

    @property
    def can_choose(self) -> bool:
        """Whether there is anything to choose by a click."""
        return len(self.watched["targets"]) > 0

    def kind_print(self, name: str, kind: str) -> str:
        """What can be chosen of a kind, or what of it was touched, in a form that can be compared."""
        self.watched[name].asked.add(kind)
        return self.watched[name].print_of(kind)

    def touching(self, kind: str) -> set[str]:
        """The members of a kind that can be chosen or were touched."""
        return {*self.watched["targets"][kind], *self.watched["marked"][kind]}

    def is_marked(self, kind: str, member: str) -> bool:
        return member in self.watched["marked"][kind]


class _Kinds(Watched):
    """The same by kinds, most of which have nothing."""

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return self.found.get(key, _NOTHING)


# the last renderings of one part at one table, with what each was made from
Renderings = list[tuple[tuple[object, ...], Fragments]]


class Kept:
    """A part that is drawn anew only when something that was ever looked at is not as it was in one of the last renderings.

    What was looked at is learnt once for all tables; each table keeps its own renderings. Values are compared as they are: most of
    them are the very same objects as before, which costs nothing. `also` is what a part depends on besides: who sees it and who
    decides. A board of one player is `whose`: of what is told apart by players it shows that player's part only. A `frame` is put around
    what was drawn, with what it depends on beside that.
    """

    def __init__(
        self,
        render: Callable[[Now], Fragments],
        also: Callable[[Now], object] | None = None,
        whose: tuple[str, Collection[str]] | None = None,
        frame: tuple[Callable[[Now, Fragments], Fragments], Callable[[Now], object]] | None = None,
    ) -> None:
        self._render, self._also, self._frame = render, also, frame
        self._key_of = None if whose is None else whose[0]
        self._by_players: Collection[str] = () if whose is None else whose[1]
        self._asked: list[tuple[str, str, str | None]] = []

    def render(self, now: Now, kept: Renderings) -> Fragments:
        if self._frame is None:
            return self._rendered(now, kept)
        frame, around = self._frame
        inside = self._rendered(now, kept)
        key = (_FRAME, around(now), inside)
        for before, found in kept:
            if before == key:
                return found
        made = frame(now, inside)
        kept.insert(0, (key, made))
        return made

    def _rendered(self, now: Now, kept: Renderings) -> Fragments:
        key = self._key(now)
        for before, found in kept:
            if before == key:
                return found
        for watched in now.watched.values():
            watched.asked = set()
        found = self._render(now)
        asked = {(name, key) for name, watched in now.watched.items() for key in watched.asked}
        known = {(name, key) for name, key, _ in self._asked}
        if not asked <= known:
            self._asked = [
                (name, key, self._key_of if key in self._by_players else None)
                for name, key in sorted(asked | known)
            ]
            key = self._key(now)
        kept.insert(0, (key, found))
        del kept[_MOST_KEPT:]
        return found

    def _key(self, now: Now) -> tuple[object, ...]:
        watched = now.watched
        values = [
            watched[name].found.get(key) if whose is None else watched[name].found[key].get(whose)
            for name, key, whose in self._asked
        ]
        # renderings that noted less have shorter keys
        return self._also and self._also(now), *values
