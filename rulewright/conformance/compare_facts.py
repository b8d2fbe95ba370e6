"""Facts that a scenario expects and a state → what differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.compiler.text.source import Span
from rulewright.conformance.bind import CHANCE, NOBODY
from rulewright.conformance.bound import Cell, Check, Content, Part, Piece, Pieces
from rulewright.conformance.show import flow
from rulewright.runtime import api
from rulewright.runtime.bits import members
from rulewright.runtime.game import Game
from rulewright.runtime.save import piece as show_piece
from rulewright.runtime.zones_text import counts

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What a scenario expected and what came, with the place in its file."""

    span: Span
    expected: str
    came: str


@dataclass(frozen=True, slots=True)
class Start:
    """Points at the beginning of the scenario."""

    scores: list[int]
    breakdown: list[dict[str, int]]


def compare(game: Game, state: Any, start: Start, checks: tuple[Check, ...]) -> list[Mismatch]:
    comparer = _Comparer(game, state, start)
    return [m for check in checks for m in comparer.check(check)]


class _Comparer:
    def __init__(self, game: Game, state: Any, start: Start) -> None:
        self.game = game
        self.values = game.values
        self.state = state
        self.start = start

    def check(self, c: Check) -> list[Mismatch]:
        match c.key:
            case "state":
                return [m for part in c.parts for m in self.part(part)]
            case "scores":
                return self.numbers(c, "score", list(self.state.score))
            case "gained":
                gained = [n - m for n, m in zip(self.state.score, self.start.scores, strict=True)]
                return self.numbers(c, "gained", gained)
            case "ranking":
                return self.numbers(c, "rank", api.ranking(self.game, self.state))
            case "breakdown":
                return self.breakdown(c)
            case "decides":
                came = self.decider()
                wanted = _decider(c.value)
                return (
                    []
                    if came == wanted
                    else [Mismatch(c.span, f"{wanted} decides", f"{came} decides{self.what()}")]
                )
            case "choice":
                label = self.label()
                return (
                    []
                    if label == c.value
                    else [
                        Mismatch(c.span, f"choice is {c.value}", label or "no decision is pending")
                    ]
                )
            case "legal" | "legal has" | "legal lacks":
                return self.legal(c)
            case "odds":
                return self.odds(c)
            case "holds":
                return [
                    Mismatch(span, text, "it does not hold")
                    for name, text, span in c.facts
                    if not self.game.module.fact(self.state, name)
                ]
            case "sees":
                return [m for seat, parts in c.seats.items() for m in self.sees(seat, parts)]
            case "hidden":
                return [m for seat, names in c.hidden.items() for m in self.hidden(seat, names)]
            case "over":
                over = self.state.pc == 0
                return (
                    []
                    if over == c.value
                    else [Mismatch(c.span, f"over is {flow(c.value)}", f"over is {flow(over)}")]
                )
            case _:
                pass
        raise AssertionError(c.key)

    # ------------------------------------------------------------ numbers

    def who(self, index: int) -> object:
        return self.values.names["Participant"][index]

    def numbers(self, c: Check, what: str, came: list[int]) -> list[Mismatch]:
        out = []
        for index, wanted in c.numbers.items():
            got = came[index] if index < len(came) else None
            if got != wanted:
                out.append(Mismatch(c.span, f"{what}.{self.who(index)} = {wanted}", flow(got)))
        return out

    def breakdown(self, c: Check) -> list[Mismatch]:
        now = api.score_breakdown(self.game, self.state)
        out = []
        for index, row in c.reasons.items():
            for reason, wanted in row.items():
                got = now[index][reason] - self.start.breakdown[index][reason]
                if got != wanted:
                    out.append(
                        Mismatch(
                            c.span, f"breakdown.{self.who(index)}.{reason} = {wanted}", str(got)
                        )
                    )
        return out

    # ------------------------------------------------------------ who and what

    def decider(self) -> str:
        return _decider(NOBODY if self.state.pc == 0 else self.state.who)

    def label(self) -> str | None:
        if self.state.pc == 0 or self.state.who == CHANCE:
            return None
        return str(self.game.info["choices"][str(self.state.pc)]["label"])

    def what(self) -> str:
        label = self.label()
        return f" {label}" if label else ""

    def offered(self) -> tuple[str, list[str]] | None:
        """What is pending, a decision or chance, and all that it could ever offer."""
        if self.state.pc == 0:
            return None
        if self.state.who == CHANCE:
            chance = self.game.info["chances"][str(self.state.pc)]
            t = chance["element"]
            low = self.values.low(t)
            size = t["size"] if t["t"] == "kind" else t["high"] - low + 1
            return f"the {chance['what']}", [str(self.values.show(t, low + i)) for i in range(size)]
        choice = self.game.info["choices"][str(self.state.pc)]
        names = [str(self.game.option_name(choice, i)) for i in range(choice["size"])]
        return str(choice["label"]), names

    def odds(self, c: Check) -> list[Mismatch]:
        wanted = {o.text: n for o, n in zip(c.options, c.ways, strict=True)}
        if self.state.who != CHANCE:
            return [Mismatch(c.span, f"odds {flow(wanted)}", f"{self.decider()} decides")]
        t = self.game.info["chances"][str(self.state.pc)]["element"]
        came: dict[str, int] = {}
        for bit in members(self.state.pool):
            name = str(self.values.show(t, self.values.low(t) + bit % self.state.kinds))
            came[name] = came.get(name, 0) + 1
        return [] if came == wanted else [Mismatch(c.span, f"odds {flow(wanted)}", flow(came))]

    def legal(self, c: Check) -> list[Mismatch]:
        offered = self.offered()
        wanted = [o.text for o in c.options]
        if offered is None:
            return [Mismatch(c.span, f"{c.key} {flow(wanted)}", "no decision is pending")]
        label, names = offered
        came = [n for i, n in enumerate(names) if self.state.opts >> i & 1]
        unknown = [w for w in wanted if w not in names]
        if unknown:
            return [
                Mismatch(
                    c.span,
                    f"{c.key} {flow(wanted)}",
                    f"{label} never offers {flow(unknown)}; legal is {flow(came)}",
                )
            ]
        missing = [w for w in wanted if w not in came]
        if c.key == "legal lacks":
            there = [w for w in wanted if w in came]
            return (
                [Mismatch(c.span, f"legal lacks {flow(wanted)}", f"{flow(there)} is legal")]
                if there
                else []
            )
        extra = [n for n in came if n not in wanted] if c.key == "legal" else []
        if not missing and not extra:
            return []
        parts = [f"legal is {flow(came)}"]
        parts += [f"missing {flow(missing)}"] if missing else []
        parts += [f"too many {flow(extra)}"] if extra else []
        return [Mismatch(c.span, f"{c.key} {flow(wanted)}", "; ".join(parts))]

    # ------------------------------------------------------------ state

    def part(self, part: Part) -> list[Mismatch]:
        match part:
            case Cell(path, var, index, t, wanted, span):
                value = getattr(self.state, var["field"])
                got = value if index is None else value[index]
                if t["t"] == "bool":
                    got, wanted = int(got), int(wanted)
                if got == wanted:
                    return []
                shown = self.values.show(t, wanted), self.values.show(t, got)
                return [Mismatch(span, f"{path} = {flow(shown[0])}", flow(shown[1]))]
            case Content(path, family, zone, owner, _, span, order) if order is not None:
                places = getattr(self.state, zone["order"])
                there = places if zone["per"] is None else places[owner]
                return self.places(path, family, list(order), there, span)
            case Content(path, family, zone, owner, copies, span):
                value = getattr(self.state, zone["field"])
                content = value if zone["per"] is None else value[owner]
                found = counts(content, family["kind"]["size"])
                if found == list(copies):
                    return []
                return [
                    Mismatch(
                        span,
                        f"{path} = {self.zone(family, list(copies))}",
                        self.zone(family, found),
                    )
                ]
            case Pieces():
                return self.pieces(part)

    def places(
        self, path: str, family: Json, wanted: list[int], there: list[int], span: Span
    ) -> list[Mismatch]:
        """What lies at each place from the top on."""
        names = [
            [None if k < 0 else self.values.show(family["kind"], k) for k in row]
            for row in (wanted, there)
        ]
        if wanted == there:
            return []
        return [Mismatch(span, f"{path} = {flow(names[0])}", flow(names[1]))]

    def zone(self, family: Json, copies: list[int]) -> str:
        return flow({self.values.show(family["kind"], k): n for k, n in enumerate(copies) if n})

    def pieces(self, wanted: Pieces) -> list[Mismatch]:
        alive = list(members(getattr(self.state, wanted.family["standing"]["fields"]["alive"])))
        if wanted.all is None:
            out = []
            for h, piece in wanted.named.items():
                fits = (
                    h not in alive
                    if piece is None
                    else h in alive and self.is_piece(wanted.family, h, piece)
                )
                if not fits:
                    expected = "none" if piece is None else self.shown(wanted.family, piece)
                    came = self.standing(wanted.family, h) if h in alive else "none"
                    at = wanted.span if piece is None else piece.span
                    out.append(Mismatch(at, f"{wanted.path}.{h + 1} = {expected}", came))
            return out
        if len(alive) == len(wanted.all) and self.match(wanted.family, list(wanted.all), alive):
            return []
        expected = ", ".join(self.shown(wanted.family, p) for p in wanted.all)
        came = ", ".join(self.standing(wanted.family, h) for h in alive)
        return [Mismatch(wanted.span, f"{wanted.path} = [{expected}]", f"[{came}]")]

    def match(self, family: Json, pieces: list[Piece], handles: list[int]) -> bool:
        """Whether each piece can be told apart as a different one of those that stand."""
        if not pieces:
            return True
        first, rest = pieces[0], pieces[1:]
        return any(
            self.is_piece(family, h, first)
            and self.match(family, rest, [x for x in handles if x != h])
            for h in handles
        )

    def is_piece(self, family: Json, h: int, piece: Piece) -> bool:
        f = family["standing"]["fields"]
        if piece.known is not None and getattr(self.state, f["known"])[h] != piece.known:
            return False
        return all(getattr(self.state, f[name])[h] == value for name, value in piece.fields.items())

    def shown(self, family: Json, piece: Piece) -> str:
        types = {"value": family["kind"], "owner": family["per"], **family["standing"]["types"]}
        row = {name: self.values.show(types[name], value) for name, value in piece.fields.items()}
        if piece.known is not None:
            row["seen"] = list(members(piece.known))
        return flow(row)

    def standing(self, family: Any, h: int) -> str:
        row = show_piece(self.game, family, self.state, h)
        row["seen"] = list(members(row.pop("known")))
        row.pop("guess")
        return flow(row)

    # ------------------------------------------------------------ views

    def sees(self, seat: int, parts: tuple[Part, ...]) -> list[Mismatch]:
        """What is named must be in the seat's view, with the value named."""
        view = self.state.view(seat).data
        out = []
        for part in parts:
            name, *keys = part.path.split(".")
            if isinstance(part, Content) and part.order is not None:
                out += self.sees_order(seat, part, view["order"])
                continue
            shown = _find(view, name, keys)
            if _is_hidden(shown):
                out.append(Mismatch(part.span, f"seat {seat} sees {part.path}", "it is hidden"))
                continue
            for m in self.seen_part(part, shown):
                out.append(Mismatch(m.span, f"seat {seat} sees {m.expected}", m.came))
        return out

    def sees_order(self, seat: int, part: Content, order: Json) -> list[Mismatch]:
        """What a seat knows of the places of a zone."""
        assert part.order is not None
        name, *keys = part.path.split(".")
        shown = order[name]
        for key in keys:
            shown = shown[key]
        wanted = [None if k < 0 else self.values.show(part.family["kind"], k) for k in part.order]
        if shown == wanted:
            return []
        return [Mismatch(part.span, f"seat {seat} sees {part.path} = {flow(wanted)}", flow(shown))]

    def seen_part(self, part: Part, shown: Any) -> list[Mismatch]:
        match part:
            case Cell(path, _, _, t, wanted, span):
                value = self.values.show(t, wanted)
                same = shown == value
                return [] if same else [Mismatch(span, f"{path} = {flow(value)}", flow(shown))]
            case Content(path, family, _, _, copies, span):
                row = {
                    str(self.values.show(family["kind"], k)): n for k, n in enumerate(copies) if n
                }
                return (
                    [] if shown == row else [Mismatch(span, f"{path} = {flow(row)}", flow(shown))]
                )
            case Pieces():
                return self.seen_pieces(part, shown)

    def seen_pieces(self, part: Pieces, shown: Json) -> list[Mismatch]:
        st = part.family["standing"]
        types = {"value": part.family["kind"], "owner": part.family["per"], **st["types"]}

        def fits(piece: Piece, row: Json) -> bool:
            return all(row[n] == self.values.show(types[n], v) for n, v in piece.fields.items())

        def match(pieces: list[Piece], rows: list[Json]) -> bool:
            if not pieces:
                return True
            return any(
                fits(pieces[0], row) and match(pieces[1:], rows[:i] + rows[i + 1 :])
                for i, row in enumerate(rows)
            )

        came = flow(
            {
                h: {k: v for k, v in row.items() if k not in ("known", "guess")}
                for h, row in shown.items()
            }
        )
        if part.all is not None:
            rows = list(shown.values())
            if len(rows) == len(part.all) and match(list(part.all), rows):
                return []
            expected = ", ".join(self.shown(part.family, p) for p in part.all)
            return [Mismatch(part.span, f"{part.path} = [{expected}]", came)]
        out = []
        for h, piece in part.named.items():
            row = shown.get(str(h + 1))
            if (piece is None and row is not None) or (
                piece is not None and (row is None or not fits(piece, row))
            ):
                expected = "none" if piece is None else self.shown(part.family, piece)
                out.append(Mismatch(part.span, f"{part.path}.{h + 1} = {expected}", came))
        return out

    def hidden(self, seat: int, names: tuple[tuple[str, str | None, Span], ...]) -> list[Mismatch]:
        view = self.state.view(seat).data
        out = []
        for name, key, span in names:
            path = name if key is None else f"{name}.{key}"
            if path in {c["label"] for c in self.game.info["choices"].values()}:
                shown = _chosen(view, str(key))
            else:
                shown = _find(view, name, [] if key is None else [key])
            if not _all_hidden(shown):
                out.append(
                    Mismatch(span, f"{path} is hidden from seat {seat}", f"it sees {flow(shown)}")
                )
        return out


def _decider(who: int) -> str:
    return "nobody" if who == NOBODY else "chance" if who == CHANCE else f"seat {who}"


def _find(view: Json, name: str, keys: list[str]) -> Any:
    """The part of a view's data that has this name; None where there is none."""
    for area in ("state", "zones", "pieces"):
        if name in view[area]:
            found = view[area][name]
            # keys may hold dots themselves: take the longest that is there
            rest = ".".join(keys)
            while rest and isinstance(found, dict):
                key = next(
                    (
                        k
                        for k in sorted(found, key=len, reverse=True)
                        if rest == k or rest.startswith(f"{k}.")
                    ),
                    None,
                )
                if key is None:
                    return found if _is_hidden(found) else None
                found = found[key]
                rest = rest[len(key) + 1 :]
            return found
    return None


def _chosen(view: Json, name: str) -> Any:
    """What a seat sees of an earlier step of the pending joint choice."""
    found = (value for key, value in view["locals"].items() if key.partition(":")[2] == name)
    return next(found, {"hidden": True})


def _is_hidden(shown: Any) -> bool:
    return isinstance(shown, dict) and set(shown) == {"hidden"}


def _all_hidden(shown: Any) -> bool:
    """Hidden as a whole, or each of its parts; a standing piece is hidden when its value is."""
    if _is_hidden(shown):
        return True
    if isinstance(shown, dict) and "value" in shown:
        return _is_hidden(shown["value"])
    return isinstance(shown, dict) and bool(shown) and all(_all_hidden(v) for v in shown.values())
