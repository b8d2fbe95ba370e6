"""The changes that an option brings → one short line of words, made of the names in the spec."""

from __future__ import annotations

from rulewright.runtime.data import Json, Value
from rulewright.runtime.info import Info, TypeRow
from rulewright.runtime.owners import keys_of
from rulewright.runtime.preview_tells import Tongue, filled, stands_alone

PEOPLE = ("Player", "Participant")
_MINUS = "−"
# a line tells no more than this
_MOST = 8


def tell(info: Info, chooser: int, changes: list[Json], then: Json | None, tongue: Tongue) -> str:
    """The line: what the chooser gets and gives first, then the others, then the rest."""
    return _Teller(info, chooser, tongue).line(changes, then)


class _Teller:
    def __init__(self, info: Info, chooser: int, tongue: Tongue) -> None:
        self.info, self.chooser, self.tongue = info, chooser, tongue
        seats = [str(s) for s in info["seats"][: info["players"]]]
        self.people = [*seats, *map(str, info["participants"][len(seats) :])]
        self.types: dict[str, Json] = {v["name"]: v["type"] for v in info["state"]}
        self.zones: dict[str, tuple[Json, list[TypeRow]]] = {
            z["name"]: (f["kind"], keys_of(z)) for f in info["families"] for z in f["zones"]
        }
        self.standing: dict[str, Json] = {
            f["standing"]["name"]: {"kind": f["kind"], "types": f["standing"]["types"]}
            for f in info["families"]
            if f["standing"]
        }

    def line(self, changes: list[Json], then: Json | None) -> str:
        mine: list[str] = []
        things: list[str] = []
        others: dict[int, list[str]] = {}
        unknown: list[str] = []
        for row in _together(changes):
            if not self._is_told(row):
                continue
            who = self._who(row)
            if row.get("unknown"):
                unknown.append(self._unknown(row, who))
                continue
            for about, text in self._by_view(row, who):
                if about is None:
                    group = things
                else:
                    group = mine if about == self.chooser else others.setdefault(about, [])
                if text not in group or self._counts(row):
                    group.append(text)
            if self._is_done(row):
                continue
            if who is None:
                things.append(self._thing(row))
            elif who == self.chooser:
                mine.append(self._own(row))
            else:
                others.setdefault(who, []).append(self._own(row))
        told = [_joined(mine), *(f"{self.people[w]} {_joined(p)}" for w, p in others.items())]
        parts = [p for p in [*told, *_few(things)] if p]
        if unknown:
            parts.append(f"unknown: {', '.join(_few(list(dict.fromkeys(unknown))))}")
        if then is not None and "chance" in then:
            parts.append(f"then a {then['chance']}")
        elif then is not None and "over" in then:
            parts.append("then the game is over")
        return "; ".join(parts)

    def _is_told(self, row: Json) -> bool:
        """Whether it is about something that has a name here."""
        named = [] if row["what"] == "points" else [row["of"]]
        named += [row["to"]] if row["what"] == "move" else []
        return not named or any(self.tongue.tells(name) for name in named)

    def _is_done(self, row: Json) -> bool:
        """Whether the view has words of its own for it, told or left out; a mere number keeps its sign and word."""
        if row["what"] == "points" or (row["what"] == "zone" and "by" in row):
            return False
        if row["what"] == "number":
            return bool(self.tongue.text(row["of"], "to"))
        ends = (row["of"], row["to"]) if row["what"] == "move" else (row["of"],)
        return any(self.tongue.has_texts(name) for name in ends)

    def _counts(self, row: Json) -> bool:
        """Whether the words for a change say how many there are, so that the same words twice mean two."""
        ends = (row["of"], row["to"]) if row["what"] == "move" else (row["of"],)
        texts = [self.tongue.text(name, way) for name in ends for way in ("gained", "lost", "to")]
        return any("|" in text for text in texts)

    # ------------------------------------------------------------ as the view says it

    def _by_view(self, row: Json, who: int | None) -> list[tuple[int | None, str]]:
        """What the view has words of its own for: whom it is told of, and the words."""
        match row["what"]:
            case "set" | "zone" if "gained" in row:
                return self._come_and_gone(row, who)
            case "number" | "value":
                found = self._text(row, row["of"], "to", who, self._keys(row, who), 1, row)
            case "move":
                found = self._taken(row)
            case "owner":
                found = self._taken(row)
            case "piece":
                found = self._put(row)
            case _:
                found = []
        return found

    def _come_and_gone(self, row: Json, who: int | None) -> list[tuple[int | None, str]]:
        out: list[tuple[int | None, str]] = []
        for way in ("gained", "lost"):
            members = row[way]
            if not members or not self.tongue.text(row["of"], way):
                continue
            if row["what"] == "zone":
                kind, n = self.zones[row["of"]][0], sum(members.values())
                names = [self._count(kind, k, v) for k, v in members.items()]
            else:
                n, t = len(members), self._value_type(row)["of"]
                names = [self._value(t, v) for v in members]
            it = ", ".join(dict.fromkeys(_few(names)))
            out += self._text(row, row["of"], way, who, self._keys(row, who), n, {"it": it})
        return out

    def _taken(self, row: Json) -> list[tuple[int | None, str]]:
        """Something that has gone from one place or owner to another: told by where it is now, else by where it was."""
        if row["what"] == "owner":
            name, n = self._owned(row), len(row["at"])
            ends = [
                (row["of"], [row["to"]], "to"),
                (row["of"], [row["to"]], "gained"),
                (row["of"], [row["from"]], "lost"),
            ]
        else:
            name, n = self._count(self.zones[row["of"]][0], row["piece"], row["by"]), row["by"]
            ends = [(row["to"], row["to_at"], "gained"), (row["of"], row["at"], "lost")]
        for of, keys, way in ends:
            types: list[TypeRow] = (
                self.zones[of][1] if row["what"] == "move" else [{"kind": PEOPLE[0]}]
            )
            owned = bool(keys) and bool(types) and types[0].get("kind") in PEOPLE
            who = self._index(keys[0]) if owned else None
            named = zip(types, keys, strict=False)
            at = ", ".join(self._value(t, k) for t, k in list(named)[owned:])
            found = self._text(row, of, way, who, at, n, {"it": name})
            if found:
                return found
        return []

    def _owned(self, row: Json) -> str:
        """What has gone from one owner to another."""
        t = self.types[row["of"]]["value"]["of"]
        return ", ".join(_few([self._value(t, member) for member in row["at"]]))

    def _put(self, row: Json) -> list[tuple[int | None, str]]:
        """A piece that comes, goes or moves."""
        old, new = row["from"], row["to"]
        way = "gained" if old is None else "lost" if new is None else "to"
        types = self.standing[row["of"]]["types"]
        known = new or old
        at = ", ".join(
            self._value(t, known[f])
            for f, t in types.items()
            if t["t"] == "kind" and (old is None or new is None or old[f] != new[f])
        )
        if not at:
            return []
        value = known["value"]
        kind = self.standing[row["of"]]["kind"]
        it = "" if isinstance(value, dict) else self._value(kind, value)
        owner = self._index(str(known["owner"])) if "owner" in known else None
        return self._text(row, row["of"], way, owner, at, 1, {"it": it})

    def _keys(self, row: Json, who: int | None) -> str:
        keys, types = row["at"], self._key_types(row)
        skip = 0 if who is None else 1
        told = zip(types[skip:], keys[skip:], strict=True)
        return ", ".join(self._value(t, k) for t, k in told)

    def _text(
        self, row: Json, of: str, way: str, who: int | None, at: str, n: int, more: Json
    ) -> list[tuple[int | None, str]]:
        text = self.tongue.text(of, way)
        if not text:
            return []
        values = {"n": str(n), "at": at, "it": str(more.get("it", ""))}
        if who is not None:
            mine = who == self.chooser
            values["who"] = "you" if mine else self.people[who]
            values["whose"] = "your" if mine else f"{self.people[who]}'s"
        if row["what"] in ("number", "value"):
            t = self._value_type(row)
            values |= {end: self._value(t, row[end]) for end in ("from", "to")}
            values["by"] = _signed(row["by"]) if "by" in row else ""
        told = filled(text, n, values).strip()
        if stands_alone(text):
            return [(None, told)]
        others = who is not None and who != self.chooser
        verb = {"gained": "gets ", "lost": "loses "}.get(way, "") if others else ""
        return [(who, verb + told)]

    # ------------------------------------------------------------ whose it is

    def _who(self, row: Json) -> int | None:
        """The participant whom a change is about."""
        if row["what"] == "points":
            return int(row["at"][0])
        if row["what"] in ("piece", "owner") or not row["at"]:
            return None
        keys = self._key_types(row)
        if not keys or keys[0].get("kind") not in PEOPLE:
            return None
        return self._index(row["at"][0])

    def _index(self, key: str) -> int:
        members: list[str] = self.info["kinds"]["Participant"]["members"]
        return members.index(key)

    # ------------------------------------------------------------ one change

    def _own(self, row: Json) -> str:
        """A change of what a participant has."""
        if row["what"] == "move":
            return self._move(row)
        label = self.tongue.label(row["of"]) if row["of"] is not None else ""
        if row["what"] == "points":
            reason = self.info["reasons"].get(row["of"]) or label
            told = f"{_signed(row['by'])} {_many('point', row['by'])}"
            return f"{told} for {reason}" if reason else told
        where = self._where(row, 1)
        if row["what"] == "number" or (row["what"] == "zone" and "by" in row):
            return f"{_signed(row['by'])} {self.tongue.counted(row['of'], row['by'])}{where}"
        return f"{label}{where}{self._changed(row)}"

    def _thing(self, row: Json) -> str:
        """A change of what belongs to nobody."""
        label = self.tongue.label(row["of"])
        if row["what"] == "owner":
            ends = f"{self._person(row['from'])} → {self._person(row['to'])}"
            return f"{label} {self._owned(row)}: {ends}"
        if row["what"] == "piece":
            return self._piece(row)
        if row["what"] == "move":
            return self._move(row)
        where = self._where(row, 0)
        if row["what"] == "number":
            return f"{label}{where} {row['from']} → {row['to']}"
        if row["what"] == "zone" and "by" in row:
            return f"{_signed(row['by'])} {self.tongue.counted(row['of'], row['by'])}{where}"
        return f"{label}{where}{self._changed(row)}"

    def _changed(self, row: Json) -> str:
        if row["what"] == "set":
            t = self._value_type(row)["of"]
            gained = [f"+{self._value(t, v)}" for v in row["gained"]]
            lost = [f"{_MINUS}{self._value(t, v)}" for v in row["lost"]]
            return ": " + ", ".join(_few([*gained, *lost]))
        if row["what"] == "zone":
            kind = self.zones[row["of"]][0]
            gained = [f"+{self._count(kind, k, n)}" for k, n in row["gained"].items()]
            lost = [f"{_MINUS}{self._count(kind, k, n)}" for k, n in row["lost"].items()]
            return ": " + ", ".join(_few([*gained, *lost]))
        t = self._value_type(row)
        if t["t"] == "list":
            return ": " + self._value(t, row["to"])
        return f" → {self._value(t, row['to'])}"

    def _move(self, row: Json) -> str:
        """Pieces that go from one zone to another."""
        what = self._count(self.zones[row["of"]][0], row["piece"], row["by"])
        ends = []
        for name, keys in ((row["of"], row["at"]), (row["to"], row["to_at"])):
            types = self.zones[name][1]
            # what belongs to the one whom the line is about needs no name
            own = bool(types) and types[0].get("kind") in PEOPLE and name == row["of"]
            told = [self._value(t, k) for t, k in zip(types, keys, strict=True)][own:]
            ends.append(f"{self.tongue.label(name)}{' of ' if told else ''}{', '.join(told)}")
        return f"{what}: {' → '.join(ends)}"

    def _piece(self, row: Json) -> str:
        """A piece that comes, goes or moves: whose it is, what it is, and where."""
        types = self.standing[row["of"]]["types"]
        old, new = row["from"], row["to"]
        known = new or old
        whose = ""
        if "owner" in known and self._index(str(known["owner"])) != self.chooser:
            whose = f"{self._person(str(known['owner']))}'s "
        value = known["value"]
        name = self.tongue.label(row["of"])
        what = (
            name
            if isinstance(value, dict)
            else f"{name} {self._value(self.standing[row['of']]['kind'], value)}"
        )
        told = []
        for field_name, t in types.items():
            a = None if old is None else old[field_name]
            b = None if new is None else new[field_name]
            if a == b or (t["t"] != "kind" and old is None):
                continue
            if new is None:
                if t["t"] == "kind":
                    told.append(f"leaves {self._value(t, a)}")
            elif t["t"] == "kind":
                told.append(f"→ {self._value(t, b)}")
            else:
                told.append(f"{field_name.replace('_', ' ')} {self._value(t, b)}")
        return f"{whose}{what} {', '.join(told)}".strip()

    def _unknown(self, row: Json, who: int | None) -> str:
        label = "points" if row["what"] == "points" else self.tongue.label(row["of"])
        if who is None:
            return label
        return label if who == self.chooser else f"{label} of {self.people[who]}"

    # ------------------------------------------------------------ names and values

    def _where(self, row: Json, skip: int) -> str:
        """The keys that lead to a value, beyond the participant."""
        keys = row["at"][skip:]
        if not keys:
            return ""
        types = self._key_types(row)[skip:]
        return f" of {', '.join(self._value(t, k) for t, k in zip(types, keys, strict=True))}"

    def _key_types(self, row: Json) -> list[Json]:
        if row["what"] in ("zone", "move"):
            return self.zones[row["of"]][1]
        t, out = self.types[row["of"]], []
        while t["t"] == "map":
            out.append(t["key"])
            t = t["value"]
        return out

    def _value_type(self, row: Json) -> Json:
        t = self.types[row["of"]]
        while t["t"] == "map":
            t = t["value"]
        return t

    def _count(self, kind: TypeRow, member: str, n: int) -> str:
        name = self._value(kind, member)
        return name if n == 1 else f"{n} {name}"

    def _person(self, key: str) -> str:
        return self.people[self._index(key)]

    def _member(self, kind: str, member: str) -> str:
        named = self.tongue.members.get(kind, {}).get(member)
        if named is not None:
            return named
        found = self.info["kinds"][kind]
        return str(found["texts"][found["members"].index(member)])

    def _value(self, t: TypeRow, value: Value) -> str:
        if value is None:
            return "–"
        if t["t"] == "opt":
            return self._value(t["of"], value)
        if t["t"] in ("list", "set"):
            return ", ".join(self._value(t["of"], v) for v in value) or "–"
        if t["t"] == "kind":
            if t["kind"] in PEOPLE:
                return self._person(str(value))
            return self._member(t["kind"], str(value))
        if t["t"] == "bool":
            return "yes" if value else "no"
        return str(value)


def _together(changes: list[Json]) -> list[Json]:
    """The same changes; all that goes from one owner to another is one of them."""
    out: list[Json] = []
    taken: dict[tuple[str, str, str], Json] = {}
    for row in changes:
        if row["what"] != "owner" or row.get("unknown"):
            out.append(row)
            continue
        key = row["of"], row["from"], row["to"]
        if key in taken:
            taken[key]["at"].append(row["at"][0])
        else:
            taken[key] = {**row, "at": list(row["at"])}
            out.append(taken[key])
    return out


def _signed(n: int) -> str:
    return f"+{n}" if n >= 0 else f"{_MINUS}{-n}"


def _many(word: str, n: int) -> str:
    return word if abs(n) == 1 else f"{word}s"


def _joined(parts: list[str]) -> str:
    return ", ".join(_few(parts))


def _few(parts: list[str]) -> list[str]:
    return (
        parts if len(parts) <= _MOST else [*parts[: _MOST - 1], f"… {len(parts) - _MOST + 1} more"]
    )
