"""A view → the numbers that an observation must hold, worked out from the names in the view alone.

A second way to the same numbers: it knows nothing of fields, masks and slots, and what is hidden is not in what it is given.
"""

from __future__ import annotations

from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.observation import Piece

Json = dict[str, Any]


class Expected:
    """The numbers of one view, piece by piece."""

    def __init__(self, game: Game, view: Any) -> None:
        self.game = game
        self.info = game.info
        self.players: int = game.info["players"]
        self.seat: int = view.seat
        self.data: Json = view.data
        # what the numbers of the state at hand are divided by, where the spec says so
        self.usual = 0

    # ------------------------------------------------------------ values

    def index(self, t: Json, shown: Any) -> int:
        """The place of a member, with the viewer first among the players."""
        if t["t"] == "int":
            return int(shown) - int(t["low"])
        if t["kind"] == "Player":
            return (int(shown) - self.seat) % self.players
        place = self.info["kinds"][t["kind"]]["members"].index(shown)
        if t["kind"] == "Participant" and place < self.players:
            return (int(place) - self.seat) % self.players
        return int(place)

    def count(self, t: Json) -> int:
        return int(t["high"] - t["low"] + 1 if t["t"] == "int" else t["size"])

    def number(self, low: int | None, high: int | None, shown: int) -> float:
        if self.usual:
            return shown / self.usual
        if low is None or high is None:
            return shown / 100
        return shown / max(abs(low), abs(high), 1)

    def hot(self, t: Json, members: list[Any]) -> list[float]:
        row = [0.0] * self.count(t)
        for one in members:
            row[self.index(t, one)] = 1.0
        return row

    def value(self, t: Json, shown: Any) -> list[float]:
        if shown == {"hidden": True}:
            # what another team sees
            return [0.0] * self.size(t)
        match t["t"]:
            case "int":
                return [self.number(t["low"], t["high"], shown)]
            case "bool":
                return [float(shown)]
            case "kind":
                return self.hot(t, [shown])
            case "opt" if t["of"]["t"] == "kind":
                return self.hot(t["of"], [] if shown is None else [shown])
            case "opt":
                return [0.0, 0.0] if shown is None else [1.0, *self.value(t["of"], shown)]
            case "set":
                return self.hot(t["of"], shown)
            case "list":
                inner = {"t": "opt", "of": t["of"]} if t["of"]["t"] == "int" else t["of"]
                rows = [self.value(inner, one) for one in shown]
                empty = (
                    self.value(inner, None)
                    if inner["t"] == "opt"
                    else [0.0] * self.count(_element(inner))
                )
                return [x for row in rows + [empty] * (t["limit"] - len(rows)) for x in row]
        rows_of: dict[int, list[float]] = {}
        for key, inner in shown.items():
            rows_of[self.index(t["key"], key)] = self.value(t["value"], inner)
        return [x for _, row in sorted(rows_of.items()) for x in row]

    # ------------------------------------------------------------ pieces

    def of(self, piece: Piece) -> list[float] | None:
        """What a piece of the state must hold; None for locals."""
        data = self.data
        if piece.name == "decides":
            row = [0.0] * self.players
            if data["decides"] >= 0:
                row[(data["decides"] - self.seat) % self.players] = 1.0
            return row
        if piece.name == "choice":
            labels = [
                c["label"] for _, c in sorted(self.info["choices"].items(), key=lambda x: int(x[0]))
            ]
            return [float(label == data.get("choice")) for label in dict.fromkeys(labels)]
        for var in self.info["state"]:
            if var["name"] == piece.name:
                self.usual = var.get("usual", 0)
                found = self.state(var)
                self.usual = 0
                return found
        for family in self.info["families"]:
            for zone in family["zones"]:
                if piece.name == zone["name"]:
                    return self.zone(family, zone)
                if piece.name == f"{zone['name']}_size":
                    return self.sizes(family, zone)
            st = family["standing"]
            if st is not None and piece.name.startswith(f"{st['name']}."):
                return self.pieces(family, piece.name.partition(".")[2])
        return None

    def size(self, t: Json) -> int:
        match t["t"]:
            case "map":
                return self.count(t["key"]) * self.size(t["value"])
            case "kind":
                return self.count(t)
            case "opt":
                return 2 if t["of"]["t"] == "int" else self.count(t["of"])
            case _:
                return 1

    def places(self, var: Json) -> list[float]:
        """What lies where in a zone that keeps its order, or who knows it."""
        shown = self.data["order" if var["role"] == "order" else "looked_at"][var["about"]]
        t = var["type"]
        if var["visible"] == "owner":
            t, shown = t["value"], shown[str(self.seat)]
        if var["role"] == "seen":
            # where nobody has ever known what lies there, nobody knows it now
            shown = _without_none(shown)
        return self.value(t, shown)

    def state(self, var: Json) -> list[float]:
        if var["role"] in ("order", "seen"):
            return self.places(var)
        if var["about"]:
            return self.value(var["type"], self.data["may_be"][var["about"]][var["role"]])
        shown = self.data["state"][var["name"]]
        if var["visible"] == "owner":
            return self.value(var["type"]["value"], shown[str(self.seat)])
        return self.value(var["type"], shown)

    def zone(self, family: Json, zone: Json) -> list[float]:
        shown = self.data["zones"][zone["name"]]
        most = max((max(row, default=0) for row in family["copies"]), default=0)

        def counts(content: Json) -> list[float]:
            row = [0.0] * self.count(family["kind"])
            for name, n in content.items() if content.keys() != {"hidden"} else ():
                row[self.index(family["kind"], name)] = n / max(1, most)
            return row

        keys = zone.get("keys") or ([] if zone["per"] is None else [zone["per"]])
        if zone["visible"] == "owner":
            keys, shown = keys[1:], shown[str(self.seat)]
        return [x for row in self.by_keys(keys, shown) for x in counts(row)]

    def by_keys(self, keys: list[Json], shown: Json) -> list[Json]:
        """The zones that there are for each key, in the order of an observation."""
        if not keys:
            return [shown]
        first, *rest = keys
        rows = {self.index(first, _key(first, k)): self.by_keys(rest, c) for k, c in shown.items()}
        return [x for _, row in sorted(rows.items()) for x in row]

    def sizes(self, family: Json, zone: Json) -> list[float]:
        totals = [sum(row) for row in family["copies"]]
        total = max(totals) if family["per"] is not None else sum(totals)

        def size(content: Json) -> float:
            n = content["hidden"] if "hidden" in content else sum(content.values())
            return float(n) / max(1, total)

        keys = zone.get("keys") or ([] if zone["per"] is None else [zone["per"]])
        return [size(one) for one in self.by_keys(keys, self.data["zones"][zone["name"]])]

    def pieces(self, family: Json, name: str) -> list[float]:
        st = family["standing"]
        player = {"t": "kind", "kind": "Player", "size": self.players}
        out: list[float] = []
        for h in range(st["size"]):
            row = self.data["pieces"][st["name"]].get(str(h + 1))
            match name:
                case "alive":
                    out.append(float(row is not None))
                case "value":
                    hidden = row is None or isinstance(row["value"], dict)
                    out += self.hot(family["kind"], [] if hidden else [row["value"]])
                case "known":
                    seats = (
                        []
                        if row is None
                        else [p for p in range(self.players) if row["known"] >> p & 1]
                    )
                    out += self.hot(player, seats)
                case "guess":
                    kinds = self.info["kinds"][family["kind"]["kind"]]["members"]
                    may = (
                        []
                        if row is None
                        else [k for i, k in enumerate(kinds) if int(row["guess"]) >> i & 1]
                    )
                    out += self.hot(family["kind"], may)
                case _:
                    t = family["per"] if name == "owner" else st["types"][name]
                    if row is None:
                        out += [0.0] * (self.count(t) if t["t"] == "kind" else len(self.nothing(t)))
                    else:
                        out += self.value(t, row[name])
        return out

    def nothing(self, t: Json) -> list[float]:
        """As many zeros as stand for a value."""
        match t["t"]:
            case "int" | "bool":
                return [0.0]
            case "opt":
                return [0.0, 0.0] if t["of"]["t"] == "int" else [0.0] * self.count(t["of"])
            case "set":
                return [0.0] * self.count(t["of"])
        return [0.0] * self.count(t)


def _element(t: Json) -> Json:
    return dict(t["of"]) if t["t"] in ("set", "opt") else t


def _key(t: Json, shown: str) -> Any:
    return int(shown) if t["t"] == "int" else shown


def _without_none(shown: Any) -> Any:
    if isinstance(shown, dict):
        return {key: _without_none(row) for key, row in shown.items()}
    return [seats or [] for seats in shown]
