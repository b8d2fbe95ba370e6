"""A node of `view.yaml` → a value of a layout: names, columns, texts, places, each checked against the names of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YList,
    YMap,
    as_bool,
    as_int,
    as_list,
    as_map,
    as_text,
)
from rulewright.compiler.text.diagnostics import Problems, did_you_mean, listed
from rulewright.compiler.text.source import Sources
from rulewright.scene.layout import Columns, Point
from rulewright.scene.templates import holes, stray
from rulewright.scene.view_names import Names

MOST_CELLS = 300
MOST_SIZE = 100_000


class Values:
    """Reads values and collects what is wrong with them."""

    def __init__(self, folder: Path, names: Names) -> None:
        self.folder, self.names = folder, names
        self.variants = sorted(file.stem for file in folder.glob("variants/*.yaml"))
        self.problems = Problems()
        self.sources = Sources()

    def fields(self, node: Node, what: str) -> Fields | None:
        found = as_map(node, self.problems, what)
        return None if found is None else Fields(found, self.problems, what)

    def text(self, node: Node | None, default: str) -> str:
        return default if node is None else as_text(node, self.problems, "this") or default

    def holes(self, node: Node, text: str) -> list[str]:
        """The names that a text asks for; a brace without one is a slip."""
        if stray(text):
            message = "a brace in this text holds no name"
            hint = "write {name} for a value, {name:1} for its first letter"
            self.problems.error("RW0630", node.span, message, hint=hint)
        return holes(text)

    def flag(self, node: Node | None) -> bool:
        return False if node is None else bool(as_bool(node, self.problems, "this"))

    def number(
        self, node: Node | None, most: int = MOST_CELLS, what: str = "a number of rows"
    ) -> int | None:
        if node is None:
            return None
        found = as_int(node, self.problems, what)
        if found is not None and not 1 <= found <= most:
            self.wrong(node, f"{what} is from 1 to {most}")
        return found

    def pair(self, node: Node | None, most: int, least: int = 1) -> Point:
        if node is None:
            return 1, 1
        items = node.items if isinstance(node, YList) else []
        numbers = [as_int(i, self.problems, "a size") or 0 for i in items]
        if len(numbers) != 2 or not all(least <= n <= most for n in numbers):
            self.wrong(node, f"a size is two numbers from {least} to {most}, [width, height]")
            return 1, 1
        return numbers[0], numbers[1]

    def kind(self, node: Node | None) -> str | None:
        if node is None:
            return None
        name = self.text(node, "")
        if name not in self.names.kinds:
            self.unknown(node, name, self.names.kinds, "kind")
            return None
        return name

    def columns(self, node: Node | None, per: tuple[str, ...]) -> Columns:
        """Headings, each with a name of state or of a zone by these members, `this.column`, or `Pieces.field`."""
        found = None if node is None else as_map(node, self.problems, "columns")
        out = []
        for key, value in [] if found is None else found.entries:
            name = self.text(value, "")
            problem = self.names.why_no_column(name, per)
            if problem is not None:
                hint = did_you_mean(name, [*self.names.state, *self.names.zones])
                self.problems.error("RW0501", value.span, problem, hint=hint)
            out.append((key.text, name))
        return tuple(out)

    def path(self, node: Node | None, kind: str) -> str | None:
        """A column of the kind, or a column of what a column names: `house.colour`."""
        if node is None:
            return None
        text = self.text(node, "")
        if not self.names.has_path(kind, text):
            self.unknown(node, text, self.names.columns(kind), f"column of {kind}")
        return text

    def kind_column(self, node: Node | None, kind: str) -> str:
        """A column that names members of another kind."""
        text = self.path(node, kind) or ""
        known = node is not None and self.names.has_path(kind, text)
        if node is not None and known and self.names.kind_of(kind, text) is None:
            self.wrong(node, f"{text} must be a column that names members of a kind")
        return text

    def template(self, node: Node | None, kind: str, *more: str) -> str | None:
        """A text with columns of a member, or what state says about it, in braces; `more` are other names it may use."""
        if node is None:
            return None
        text = self.text(node, "")
        for name in self.holes(node, text):
            if name not in more and not self.names.can_tell(kind, name):
                known = ["name", *more, *self.names.columns(kind), *self.names.told_of(kind)]
                self.unknown(node, name, known, f"column of {kind}")
        return text

    def pieces(self, node: Node | None, kind: str) -> str | None:
        """`Pieces.field`, where the field says on which member a piece stands."""
        if node is None:
            return None
        known = [f"{name}.{field}" for name, field in self.names.standing_on(kind)]
        name = self.text(node, "")
        if name not in known:
            self.unknown(node, name, known, f"pieces on a {kind}")
        return name

    def piece(self, node: Node | None, pieces: str | None) -> str:
        """How a piece is told: its owner, and columns of its value."""
        text = self.text(node, "{owner} {value}")
        if node is None:
            return text
        value = self.names.value_kind(pieces.partition(".")[0]) if pieces else None
        for name in self.holes(node, text):
            first, _, rest = name.partition(".")
            if name in ("owner", "value"):
                continue
            if first != "value" or value is None or not self.names.has_path(value, rest):
                known = ["owner", "value", *(f"value.{c}" for c in self.names.columns(value or ""))]
                self.unknown(node, name, known, "part of a piece")
        return text

    def other_pieces(self, node: Node | None, kind: str) -> Columns:
        """Pieces with the text that each is told by; those with a ? are left out of rulesets that do not have them."""
        found = None if node is None else as_map(node, self.problems, "other pieces")
        known = [f"{name}.{field}" for name, field in self.names.standing_on(kind)]
        out = []
        for key, value in [] if found is None else found.entries:
            name = key.text.removesuffix("?")
            if name in known:
                out.append((name, self.piece(value, name)))
            elif name == key.text:
                self.unknown(key, name, known, f"pieces on a {kind}")
        return tuple(out)

    def places(self, node: Node, kind: str) -> dict[str, Point]:
        """`at` (a column with a list of two numbers), [column, row] (two columns), or a place for each member."""
        if isinstance(node, YMap):
            found = {m: self.pair(n, MOST_SIZE, 0) for m, n in self.by_member(node, kind)}
            return {m: found[m] for m in self.names.kinds[kind] if m in found}
        if not isinstance(node, YList):
            name = self.path(node, kind) or ""
            return self._located(kind, f"{name}.1", f"{name}.2")
        if len(node.items) != 2:
            self.wrong(node, "a place is one column with two numbers, or a list of two columns")
            return {}
        x, y = (self.path(item, kind) or "" for item in node.items)
        return self._located(kind, x, y)

    def _located(self, kind: str, x: str, y: str) -> dict[str, Point]:
        out = {}
        for i, member in enumerate(self.names.kinds[kind]):
            at = self.names.cell(kind, i, x), self.names.cell(kind, i, y)
            if isinstance(at[0], int) and isinstance(at[1], int):
                out[member] = at[0], at[1]
        return out

    def by_member(self, node: Node | None, kind: str) -> list[tuple[str, Node]]:
        """A mapping from members of a kind.

        `MEMBER?` is left out of rulesets that lack the member; `MEMBER@VARIANT` holds with that variant, and comes after
        what is said of the member without it.
        """
        found = (
            None if node is None else as_map(node, self.problems, f"what is said of each {kind}")
        )
        plain, varied = [], []
        for key, value in [] if found is None else found.entries:
            name, _, variant = key.text.partition("@")
            name = name.removesuffix("?")
            if variant and variant not in self.variants:
                self.unknown(key, variant, self.variants, "variant")
            elif name not in self.names.index[kind]:
                if name == key.text:
                    self.unknown(key, name, self.names.kinds[kind], kind)
            elif not variant:
                plain.append((name, value))
            elif variant in self.names.info["variants"]:
                varied.append((name, value))
        return [*plain, *varied]

    def members_of(self, node: Node | None, kind: str) -> tuple[str, ...]:
        """A list of members."""
        found = None if node is None else as_list(node, self.problems, f"members of {kind}")
        out = []
        for item in [] if found is None else found.items:
            name = self.text(item, "")
            if name not in self.names.index[kind]:
                self.unknown(item, name, self.names.kinds[kind], kind)
            out.append(name)
        return tuple(out)

    def state(self, node: Node | None, fits: Callable[[str], bool], what: str) -> str | None:
        """A name of state that is what it must be."""
        if node is None:
            return None
        name = self.text(node, "")
        if name not in self.names.state:
            self.unknown(node, name, self.names.state, "state")
        elif not fits(name):
            self.wrong(node, f"{name} must be {what}")
        return name

    def owners(self, node: Node | None, kind: str) -> str | None:
        what = f"a map from players to sets of {kind}"
        return self.state(node, lambda name: self.names.is_owners(name, kind), what)

    def member_set(self, node: Node | None, kind: str) -> str | None:
        return self.state(node, lambda name: self.names.is_set(name, kind), f"a set of {kind}")

    def marks(self, node: Node | None, kind: str, sets: bool) -> Columns:
        """Names of state with what is drawn for them: where a pawn stands, or all members of a set."""
        found = None if node is None else as_map(node, self.problems, "marks")
        out = []
        for key, value in [] if found is None else found.entries:
            name = key.text
            fits = self.names.is_set if sets else self.names.is_member
            if name not in self.names.state:
                self.unknown(key, name, self.names.state, "state")
            elif not fits(name, kind):
                self.wrong(key, f"{name} must be a {'set of' if sets else 'member of'} {kind}")
            out.append((name, self.text(value, "?")))
        return tuple(out)

    def unknown(self, node: Node, name: str, known: Iterable[str], what: str) -> None:
        names = list(known)
        self.problems.error(
            "RW0501", node.span, f"the game has no {what} {name!r}", expected=listed(names) or None, hint=did_you_mean(name, names)
        )  # fmt: skip

    def wrong(self, node: Node, message: str) -> None:
        self.problems.error("RW0313", node.span, message)
