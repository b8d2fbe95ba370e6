"""A game → the names that a layout may use, with their types, and the columns of its tables as players read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.bots.evaluation import given_options
from rulewright.compiler.build import check_ruleset, read_spec
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BoolT, KindT, ListT, OptT, SetT, Type
from rulewright.runtime.bits import members
from rulewright.runtime.owners import keys_of
from rulewright.scene.view_words import PEOPLE

Json = dict[str, Any]


class Names:
    """What can be shown of a game."""

    def __init__(self, info: Json, core: C.Game | None = None) -> None:
        self.info = info
        self.state: dict[str, Json] = {
            v["name"]: v["type"] for v in info["state"] if not v.get("about")
        }
        self.zones: dict[str, Json | None] = {
            z["name"]: z["per"] for f in info["families"] for z in f["zones"]
        }
        self.standing: dict[str, Json] = {
            f["standing"]["name"]: f["standing"]["types"] for f in info["families"] if f["standing"]
        }
        self.kinds: dict[str, list[str]] = {k: v["members"] for k, v in info["kinds"].items()}
        self.index: dict[str, dict[str, int]] = {
            kind: {m: i for i, m in enumerate(found)} for kind, found in self.kinds.items()
        }
        self.zone_kinds: dict[str, str] = {
            z["name"]: str(f["kind"]["kind"]) for f in info["families"] for z in f["zones"]
        }
        self._told: dict[str, list[str]] = {}
        labels = [str(choice["label"]) for choice in info["choices"].values()]
        # decisions by name: each step of a joint one, and all of it
        self.decisions: set[str] = {*labels, *(label.partition(".")[0] for label in labels)}
        self.core = core

    @staticmethod
    def of(folder: Path, game: Any) -> Names:
        info = game.info
        spec = read_spec(folder, folder.name)
        options = given_options(spec.folder, info)
        return Names(info, check_ruleset(spec, info["players"], info["variants"], options))

    # ------------------------------------------------------------ state and zones

    def is_single(self, name: str) -> bool:
        return bool(self.state[name]["t"] != "map")

    def per(self, name: str) -> str | None:
        """The kind by which state or a zone is told apart."""
        t = self.state.get(name) or {}
        key = t.get("key") if t.get("t") == "map" else self.zones.get(name)
        return str(key["kind"]) if key and key["t"] == "kind" else None

    def second(self, zone: str) -> str | None:
        """The kind by which a zone of one owner is told apart further."""
        rows = (z for f in self.info["families"] for z in f["zones"] if z["name"] == zone)
        keys = keys_of(next(rows, {"per": None}))
        return str(keys[1]["kind"]) if len(keys) > 1 else None

    def is_owners(self, name: str, kind: str) -> bool:
        """Whether state says which members of the kind each player has."""
        return self.per(name) in PEOPLE and _is_set(self.state[name]["value"], kind)

    def is_set(self, name: str, kind: str) -> bool:
        return _is_set(self.state[name], kind)

    def is_member(self, name: str, kind: str) -> bool:
        t = self.state[name]
        t = t["of"] if t["t"] == "opt" else t
        return bool(t["t"] == "kind" and t["kind"] == kind)

    def counted(self, name: str) -> tuple[int, int] | None:
        """The lowest and the highest number that state, or state by the members of a kind, can be."""
        t = self.state[name]
        t = t["value"] if t["t"] == "map" and self.per(name) is not None else t
        if t["t"] != "int" or t["low"] is None or t["high"] is None:
            return None
        return int(t["low"]), int(t["high"])

    def standing_on(self, kind: str) -> list[tuple[str, str]]:
        """Pieces with a field that names a member of the kind."""
        return [
            (name, field)
            for name, types in self.standing.items()
            for field, t in types.items()
            if t["t"] == "kind" and t["kind"] == kind
        ]

    def why_no_column(self, name: str, per: tuple[str, ...]) -> str | None:
        """What is wrong with a column of a table over these members; None if it can be shown."""
        kind = per[0]
        if name.startswith("this."):
            if self.has_path(kind, name[5:]):
                return None
            return f"{kind} has no column {name[5:]!r}"
        first, _, second = name.partition(".")
        if second:
            if (first, second) in self.standing_on(kind):
                return None
            return f"there are no pieces {first!r} with a field {second!r} that names a {kind}"
        if name not in self.state and name not in self.zones:
            return f"the game has no state or zone {name!r}"
        if self.per(name) in per:
            return None
        if name in self.state and (self.is_set(name, kind) or self.is_owners(name, kind)):
            return None
        return f"{name!r} does not differ by {' or '.join(per)}"

    def value_kind(self, pieces: str) -> str | None:
        """The kind of which pieces that stand on the board are."""
        for family in self.info["families"]:
            if (family["standing"] or {}).get("name") == pieces:
                return str(family["kind"]["kind"])
        return None

    def told_of(self, kind: str) -> list[str]:
        """State that says something about each member of a kind."""
        if kind not in self._told:
            self._told[kind] = [name for name in self.state if self.per(name) == kind]
        return self._told[kind]

    def shown_kind(self, name: str) -> str | None:
        """The kind of which members are what state (of each seat) or a zone holds."""
        if name in self.zone_kinds:
            return self.zone_kinds[name]
        t = self.state.get(name) or {}
        t = t["value"] if t.get("t") == "map" else t
        while t.get("t") in ("opt", "set", "list", "bag"):
            t = t["of"]
        return str(t["kind"]) if t.get("t") == "kind" else None

    def can_tell(self, kind: str, name: str) -> bool:
        """Whether a text about a member of the kind may use a name: a column, what state says, or the member's own name."""
        if name == "name" or self.has_path(kind, name):
            return True
        first, _, rest = name.partition(".")
        if first not in self.told_of(kind):
            return False
        value = self.state[first]["value"]
        return not rest or (value["t"] == "kind" and self.has_path(value["kind"], rest))

    def tell(self, kind: str, index: int, name: str, state: Json) -> Any:
        """The value behind a name of `can_tell`, for one member."""
        member = self.kinds[kind][index]
        if name == "name":
            return member
        first, _, rest = name.partition(".")
        if first not in self.told_of(kind):
            return self.cell(kind, index, name)
        value = state[first].get(member)
        if not rest or value is None:
            return value
        of = self.state[first]["value"]["kind"]
        return self.cell(of, self.index[of][value], rest)

    # ------------------------------------------------------------ grids

    def grid(self, kind: str) -> C.Board | None:
        """What is known of a table with a grid."""
        found = self._kind(kind)
        return None if found is None else found.board

    def grid_places(self, kind: str) -> dict[str, tuple[int, int]]:
        """Where the members of a grid lie, from 1 at the top left; hexes as a grid that moves every second row by half a place."""
        grid = self.grid(kind)
        if grid is None:
            return {}
        out = {}
        for i, member in enumerate(self.kinds[kind]):
            row, column = int(self.cell(kind, i, "row")), int(self.cell(kind, i, "column"))
            down = grid.rows + 1 - row if grid.from_bottom else row
            out[member] = column + (down - 1) // 2 if grid.hexes else column, down
        left = min(x for x, _ in out.values()) - 1
        return {m: (x - left, y) for m, (x, y) in out.items()} if grid.hexes else out

    # ------------------------------------------------------------ tables

    def columns(self, kind: str) -> list[str]:
        found = self._kind(kind)
        return (
            []
            if found is None
            else [c for c, column in found.columns.items() if column.code is None]
        )

    def _kind(self, name: str) -> C.Kind | None:
        return None if self.core is None else self.core.kinds.get(name)

    def has_path(self, kind: str, path: str) -> bool:
        first, _, rest = path.partition(".")
        if first not in self.columns(kind):
            return False
        if not rest:
            return True
        found = self._kind(kind)
        t = found.columns[first].type if found is not None else None
        t = t.base if isinstance(t, OptT) else t
        return isinstance(t, KindT) and self.has_path(t.name, rest)

    def kind_of(self, kind: str, path: str) -> str | None:
        """The kind whose members a column names."""
        first, _, rest = path.partition(".")
        found = self._kind(kind)
        column = None if found is None else found.columns.get(first)
        if column is None:
            return None
        t = column.type.base if isinstance(column.type, OptT) else column.type
        if not isinstance(t, KindT):
            return None
        return self.kind_of(t.name, rest) if rest else t.name

    def named_kind(self, kind: str, column: str) -> str | None:
        """The kind whose members a column names, one of them or several."""
        found = self._kind(kind)
        t = found.columns[column].type if found is not None and column in found.columns else None
        t = t.base if isinstance(t, OptT) else t
        t = t.element if isinstance(t, (SetT, ListT)) else t
        return t.name if isinstance(t, KindT) else None

    def cell(self, kind: str, member: int, path: str) -> Any:
        """The value of a column in a player's words; `at.2` is the second entry of a list."""
        first, _, rest = path.partition(".")
        found = self._kind(kind)
        if found is None or first not in found.columns:
            return None
        column = found.columns[first]
        value: Any = column.values[member]
        t = column.type.base if isinstance(column.type, OptT) else column.type
        if value is None or (isinstance(column.type, OptT) and value == -1):
            return None
        if rest and isinstance(t, KindT):
            return self.cell(t.name, int(value), rest)
        if rest and isinstance(t, ListT):
            return value[int(rest) - 1] if len(value) >= int(rest) else None
        return self._words(t, value)

    def told_cell(self, kind: str, member: int, path: str) -> Any:
        """The same with people by their names."""
        value = self.cell(kind, member, path)
        who = self.named_kind(kind, path)
        if who not in PEOPLE or value is None:
            return value
        called = dict(zip(self.kinds[who], self.info["kinds"][who]["texts"], strict=True))
        return [called[one] for one in value] if isinstance(value, list) else called[value]

    def _words(self, t: Type | None, value: Any) -> Any:
        if isinstance(t, KindT):
            return self.kinds[t.name][value]
        if isinstance(t, SetT) and isinstance(t.element, KindT):
            return [self.kinds[t.element.name][i] for i in members(value)]
        if isinstance(t, ListT):
            return [self._words(t.element, v) for v in value]
        if isinstance(t, BoolT):
            return "yes" if value else "no"
        return value


def _is_set(t: Json, kind: str) -> bool:
    return bool(t["t"] == "set" and t["of"]["t"] == "kind" and t["of"]["kind"] == kind)
