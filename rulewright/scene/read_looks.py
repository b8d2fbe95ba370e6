"""`colours:`, `icons:`, `kinds:`, `tells:` and `asks:` of a `view.yaml`, and the looks of columns → how members are drawn and told."""

from __future__ import annotations

import re
from dataclasses import fields as parts_of
from dataclasses import replace
from typing import Any

from rulewright.compiler.read.yaml_nodes import Fields, Node, YList, YMap, YScalar, as_list, as_map
from rulewright.compiler.text.diagnostics import did_you_mean, listed
from rulewright.runtime.preview_tells import HOLES, Tell, holes_of
from rulewright.scene.colours import word_exists
from rulewright.scene.layout import PATTERNS, SHAPES, WAYS, Cell, Cells, Colour, Columns, Look
from rulewright.scene.layout_values import MOST_SIZE, Values
from rulewright.scene.templates import holes

_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9 ,.\-]{1,4000}")
_ICON = re.compile(r"[A-Za-z0-9_.-]{1,80}")
LOOK_KEYS = ("shape", "size", "colour", "border", "label", "icon", "title", "note", "says", "shows")


class Looks(Values):
    """Reads how things look."""

    icons: dict[str, str]
    known_colours: dict[str, Colour]
    looks: dict[str, Look]
    tells: dict[str, Tell]

    # ------------------------------------------------------------ colours and icons

    def read_colours(self, node: Node | None) -> dict[str, Colour]:
        found = None if node is None else as_map(node, self.problems, "colours")
        return {key.text: self._colour(v) for key, v in ([] if found is None else found.entries)}

    def _colour(self, node: Node) -> Colour:
        """`"#rrggbb"`, or {light, dark, letter, pattern}."""
        if isinstance(node, YScalar):
            return Colour(self._hex(node), self._hex(node))
        fields = self.fields(node, "a colour")
        if fields is None:
            return Colour("#888888", "#888888")
        light, dark = fields.need("light"), fields.take("dark")
        letter, pattern = fields.take("letter"), fields.take("pattern")
        fields.finish()
        shown = self.text(letter, "") or None
        if letter is not None and shown is not None and len(shown) > 2:
            self.wrong(letter, "a letter is one character or two")
        return Colour(
            self._hex(light), self._hex(dark if dark is not None else light), shown,
            self.one_of(pattern, PATTERNS, "a pattern"),
        )  # fmt: skip

    def _hex(self, node: Node | None) -> str:
        text = self.text(node, "")
        if node is not None and not _HEX.fullmatch(text):
            self.wrong(node, 'a colour is written as "#rrggbb"')
        return text if _HEX.fullmatch(text) else "#888888"

    def read_icons(self, node: Node | None) -> dict[str, str]:
        """Names with paths in a square of 24 by 24."""
        found = None if node is None else as_map(node, self.problems, "icons")
        out = {}
        for key, value in [] if found is None else found.entries:
            if not _ICON.fullmatch(key.text):
                self.wrong(key, "the name of an icon is made of letters, digits, '_', '-' and '.'")
            out[key.text] = self.drawn(value)
        return out

    def drawn(self, node: Node) -> str:
        """A path as SVG writes it: letters of strokes and numbers, nothing else."""
        text = " ".join(self.text(node, "").split())
        if not _PATH.fullmatch(text) or text[0] not in "Mm":
            self.wrong(
                node,
                "a path begins with M and is made of the letters M L H V C S Q T A Z and numbers",
            )
            return "M0 0"
        return text

    def one_of(self, node: Node | None, words: tuple[str, ...], what: str) -> str | None:
        if node is None:
            return None
        text = self.text(node, "")
        if text not in words:
            self.unknown_word(node, text, words, what)
            return None
        return text

    def colour(self, node: Node | None, kind: str) -> str | None:
        """A word for a colour, or what says it of each member: `name`, a column, state."""
        if node is None:
            return None
        text = self.text(node, "")
        if not self.names.can_tell(kind, text):
            return self.colour_word(node, self.names.columns(kind))
        return text

    def colour_word(self, node: Node | None, more: list[str] | None = None) -> str | None:
        if node is None:
            return None
        text = self.text(node, "")
        if text not in self.known_colours and not word_exists(text):
            self.unknown_word(node, text, (*self.known_colours, *(more or [])), "a colour")
        return text

    def icon(self, node: Node | None, kind: str | None) -> str | None:
        """The name of an icon, or a text with columns in braces that makes one for each member."""
        if node is None:
            return None
        text = self.text(node, "")
        if kind is not None and holes(text):
            return self.template(node, kind)
        if text not in self.icons:
            self.unknown_word(node, text, tuple(self.icons), "an icon")
        return text

    # ------------------------------------------------------------ kinds

    def read_kinds(self, node: Node | None) -> dict[str, Look]:
        found = None if node is None else as_map(node, self.problems, "the looks of kinds")
        out = {}
        for key, value in [] if found is None else found.entries:
            kind = self.kind(key)
            fields = None if kind is None else self.fields(value, f"the look of {kind}")
            if kind is None or fields is None:
                continue
            look = self.look(fields, kind)
            names, texts = fields.take("names"), fields.take("texts")
            fields.finish()
            out[kind] = replace(
                look,
                names={m: self.text(v, m) for m, v in self.by_member(names, kind)},
                texts={m: self.text(v, "") for m, v in self.by_member(texts, kind)},
            )
        return out

    def look(self, fields: Fields, kind: str) -> Look:
        """The keys of a look, where a kind or a layer has them."""
        got = {key: fields.take(key) for key in LOOK_KEYS}
        size = got["size"]
        return Look(
            self.one_of(got["shape"], SHAPES, "a shape"),
            None if size is None else self.size(size),
            self.colour(got["colour"], kind), self.colour(got["border"], kind),
            self.template(got["label"], kind), self.icon(got["icon"], kind),
            self.fixed(got["title"], kind), self.template(got["note"], kind),
            self.template(got["says"], kind), self._shows(got["shows"], kind),
        )  # fmt: skip

    def fixed(self, node: Node | None, kind: str) -> str | None:
        """A text about a member that is the same in every position."""
        text = self.template(node, kind)
        for name in holes(text or ""):
            if name.partition(".")[0] in self.names.told_of(kind) and node is not None:
                self.wrong(node, f"a title is the same in every position, and {name} changes")
        return text

    def size(self, node: Node) -> tuple[int, int]:
        """One number for both sides, or [width, height]."""
        if isinstance(node, YList):
            return self.pair(node, MOST_SIZE)
        side = self.number(node, MOST_SIZE, "a size") or 1
        return side, side

    def _shows(self, node: Node | None, kind: str) -> tuple[str, ...]:
        found = None if node is None else as_list(node, self.problems, "columns that are shown")
        return tuple(self.kind_column(i, kind) for i in ([] if found is None else found.items))

    def merged(self, kind: str, own: Look) -> Look:
        """The look of a kind, with what a layer says otherwise."""
        base = self.looks.get(kind, Look())
        said = {p.name: getattr(own, p.name) for p in parts_of(Look)}
        return replace(base, **{name: value for name, value in said.items() if value})

    # ------------------------------------------------------------ what changes

    def read_tells(self, node: Node | None) -> dict[str, Tell]:
        """Names of state, zones and pieces with how their changes are told; one with a ? may be missing from a ruleset."""
        found = None if node is None else as_map(node, self.problems, "how changes are told")
        known = [*self.names.state, *self.names.zones, *self.names.standing]
        out = {}
        for key, value in [] if found is None else found.entries:
            name = key.text.removesuffix("?")
            if name in known:
                out[name] = self._tell(value)
            elif name == key.text:
                self.unknown(key, name, known, "state, zone or piece")
        return out

    def read_asks(self, node: Node | None) -> dict[str, str]:
        """Names of decisions with what a player is asked; one with a ? may be missing from a ruleset."""
        found = None if node is None else as_map(node, self.problems, "what is asked")
        known = self.names.decisions
        out = {}
        for key, value in [] if found is None else found.entries:
            name = key.text.removesuffix("?")
            if name in known:
                out[name] = self.text(value, name)
            elif name == key.text:
                self.unknown(key, name, sorted(known), "decision")
        return out

    def _tell(self, node: Node) -> Tell:
        """`nothing`, a word as `one|many`, or that word as `called` with texts for what is gained, lost, or set to a value."""
        if not isinstance(node, YMap):
            text = self.text(node, "")
            return Tell(silent=True) if text == "nothing" else Tell(*_counted(text))
        fields = Fields(node, self.problems, "how a change is told")
        called = self.text(fields.take("called"), "")
        texts = [fields.take(key) for key in ("gained", "lost", "to")]
        fields.finish()
        for given in texts:
            for hole in [] if given is None else holes_of(self.text(given, "")):
                if hole not in HOLES and given is not None:
                    self.unknown_word(given, hole, HOLES, "a hole of such a text")
        gained, lost, to = (self.text(given, "") for given in texts)
        return Tell(*_counted(called), gained, lost, to)

    # ------------------------------------------------------------ columns

    def cells(self, node: Node | None, columns: Columns, kind: str | None) -> Cells:
        """Headings with how their column is drawn: a word of WAYS, {icon: NAME}, or {dice: STATE, colour: WORD}."""
        found = None if node is None else as_map(node, self.problems, "looks")
        sources = dict(columns)
        out = {}
        for key, value in [] if found is None else found.entries:
            if key.text not in sources:
                self.unknown(key, key.text, sources, "column")
                continue
            cell = self.cell(value, sources[key.text], kind)
            if cell is not None:
                out[key.text] = cell
        return out

    def cell(self, node: Node, source: str, kind: str | None) -> Cell | None:
        if isinstance(node, YMap):
            return self._keyed(node, kind)
        plain = tuple(w for w in WAYS if w not in ("icon", "dice"))
        way = self.one_of(node, plain, "a look")
        known = source in self.names.state or source in self.names.zones
        if (
            way in ("slots", "cards", "tokens", "stack")
            and known
            and self.names.shown_kind(source) is None
        ):
            self.wrong(node, f"{source} holds no members of a kind, so it has no {way}")
            return None
        if way == "pips" and not holds_numbers(self.names.state.get(source)):
            self.wrong(node, f"{source} holds no numbers, so it has no {way}")
            return None
        return None if way is None else Cell(way)

    def _keyed(self, node: YMap, kind: str | None) -> Cell | None:
        fields = Fields(node, self.problems, "a look")
        icon, dice, colour = fields.take("icon"), fields.take("dice"), fields.take("colour")
        fields.finish()
        word = self.colour_word(colour)
        if icon is not None:
            return Cell("icon", self.icon(icon, None), word)
        name = self.text(dice, "")
        if dice is None or name not in self.names.state:
            self.unknown(node if dice is None else dice, name, self.names.state, "state")
            return None
        if kind is not None and self.names.per(name) != kind:
            self.wrong(dice, f"{name} must say the value of the dice for each {kind}")
        return Cell("dice", name, word)

    def unknown_word(self, node: Node, text: str, words: tuple[str, ...], what: str) -> None:
        self.problems.error(
            "RW0501", node.span, f"{text!r} is not {what}", expected=listed(words) or None,
            hint=did_you_mean(text, words),
        )  # fmt: skip


def holds_numbers(t: dict[str, Any] | None) -> bool:
    """Whether a type is a number, or holds nothing but numbers."""
    while t is not None and t["t"] in ("map", "list", "opt"):
        t = t["value"] if t["t"] == "map" else t["of"]
    return t is not None and t["t"] == "int"


def _counted(text: str) -> tuple[str, str]:
    """The words for one and for several."""
    one, _, many = text.partition("|")
    return one, many or one
