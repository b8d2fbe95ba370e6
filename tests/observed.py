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
                empty = [0.0] * (2 if inner["t"] == "opt" else self.count(_element(inner)))
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
                return self.state(var)
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

    def state(self, var: Json) -> list[float]:
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

        if zone["visible"] == "owner":
            return counts(shown[str(self.seat)])
        if zone["per"] is None:
            return counts(shown)
        rows = {self.index(zone["per"], _key(zone["per"], k)): counts(c) for k, c in shown.items()}
        return [x for _, row in sorted(rows.items()) for x in row]

    def sizes(self, family: Json, zone: Json) -> list[float]:
        totals = [sum(row) for row in family["copies"]]
        total = max(totals) if family["per"] is not None else sum(totals)

        def size(content: Json) -> float:
            n = content["hidden"] if "hidden" in content else sum(content.values())
            return float(n) / max(1, total)

        shown = self.data["zones"][zone["name"]]
        if zone["per"] is None:
            return [size(shown)]
        rows = {self.index(zone["per"], _key(zone["per"], k)): size(c) for k, c in shown.items()}
        return [x for _, x in sorted(rows.items())]

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
