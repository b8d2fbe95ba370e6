"""What a program holds beside its functions: tables of columns, distances and walks; and what functions are called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.derive_possible import derive_possible
from rulewright.compiler.core.evaluate import FUEL
from rulewright.compiler.core.graphs import distances, walk_table
from rulewright.compiler.core.types import BoolT, ListT
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.names import Names, constant_name, python_name
from rulewright.compiler.low.state_layout import kept
from rulewright.compiler.text.source import Span


def _storage(t: T.Type) -> str:
    """Tables with the same content and storage are one table."""
    match t:
        case T.Array(T.Array() | T.Items() | T.Text() | T.Bool() as element):
            return f"{type(element).__name__}s"
        case T.Array(element):
            return "list" if T.is_wide(element) else "words"
        case T.Bool() | T.Int() | T.Items() | T.Rows() | T.Set() | T.Text() | T.Zone():
            return "list"
        case _:
            assert_never(t)


class Tables:
    """Tables, names and places, shared by all functions of a program."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.tables: dict[str, L.Table] = {}  # in order of first use
        self.by_content: dict[tuple[object, ...], str] = {}
        self.columns: dict[tuple[str, str], L.TableUse] = {}
        self.functions: dict[int, str] = {}
        self.queue: list[C.Function] = []
        self.written: set[int] = set()
        self.procedures: dict[int, str] = {}
        # functions that were worked out for all arguments (see tabulate), and those in fewer steps
        self.worked: dict[int, object] = {}
        self.shorter: dict[int, C.Function] = {}
        self.members: dict[str, list[list[int]]] = {}
        self.fuel = FUEL
        self.dispatchers: dict[tuple[str, str, str], str] = {}
        self.dispatch_queue: list[tuple[str, str, C.Kind, C.KindColumn]] = []
        self.possibles: dict[int, C.Function] = {}
        # functions that try something out, and the names in each
        self.trying: dict[str, Names] = {}
        self.places: list[Span] = []
        # by the number of a place: the zone that may hold no piece there
        self.holders: dict[int, C.Zone] = {}
        self.place_index: dict[Span, int] = {}
        self._fresh = 2_000_000_000

    # ------------------------------------------------------------ tables

    def add(self, wish: str, values: Iterable[object], t: T.Array | T.Items) -> L.TableUse:
        """A table with this content: the one there is, or a new one."""
        content = tuple(values)
        key = (content, _storage(t))
        if key not in self.by_content:
            name = self.names.new(wish)
            self.by_content[key] = name
            self.tables[name] = L.Table(name, t, content)
        return L.TableUse(self.by_content[key], t)

    def array(self, wish: str, values: Iterable[object], element: T.Int | T.Set) -> L.TableUse:
        content = tuple(values)
        return self.add(wish, content, T.Array(element, len(content)))

    def lists(self, wish: str, rows: list[list[int]], element: T.Int | T.Set) -> L.TableUse:
        """A table of rows of numbers, to go over."""
        longest = max(map(len, rows), default=0)
        return self.add(wish, map(tuple, rows), T.Array(T.Array(element, longest), len(rows)))

    def constant_list(self, values: tuple[int, ...]) -> L.TableUse:
        low, high = min(values, default=0), max(values, default=0)
        return self.add("LIST", values, T.Items(T.Int(low, high), len(values)))

    def texts(self, kind: str, texts: Iterable[str]) -> L.TableUse:
        content = tuple(texts)
        return self.add(constant_name(f"names_{kind}"), content, T.Array(T.TEXT, len(content)))

    def column(self, kind: C.Kind, column: C.KindColumn) -> L.TableUse:
        key = (kind.name, column.name)
        if key not in self.columns:
            wish = constant_name(f"{kind.name}_{column.name}")
            assert column.type is not None
            n = len(column.values)
            t: T.Int | T.Set | T.Items | T.Bool = kept(column.type)
            values: list[object] = list(column.values)
            if isinstance(column.type, ListT):
                values = [v for v in values if isinstance(v, tuple)]
            elif isinstance(column.type, BoolT):
                values, t = [bool(v) for v in values], T.BOOL
            self.columns[key] = self.add(wish, values, T.Array(t, n))
        return self.columns[key]

    def distances(self, kind: C.Kind) -> L.TableUse:
        flat = [d for row in distances(kind) for d in row]
        t = T.Int(min(flat, default=0), max(flat, default=0))
        return self.array(constant_name(f"{kind.name}_distance"), flat, t)

    def walks(self, kind: C.Kind, most: int) -> tuple[L.TableUse, int]:
        """Where walks of up to `most` steps end, and how many entries each member has."""
        rows = walk_table(kind, most)
        assert rows is not None  # seen to when the use was checked
        masks = [mask for row in rows for mask in row]
        wish = constant_name(f"{kind.name}_walks")
        return self.array(wish, masks, T.Set(len(kind.members))), most + 1

    def fresh(self) -> int:
        """A number for a local of the compiler's own."""
        self._fresh += 1
        return self._fresh

    def place(self, span: Span) -> L.Number:
        """The number of a place in the spec, for errors that can only be seen in play."""
        if span not in self.place_index:
            self.place_index[span] = len(self.places)
            self.places.append(span)
        return L.number(self.place_index[span])

    # ------------------------------------------------------------ functions and procedures

    def reserve(self, game: C.Game) -> None:
        """Names for all functions and procedures, before any local can take them."""
        for f in (*game.functions, *game.facts.values()):
            self.functions[id(f)] = self.names.new(python_name(f.name))
        for p in game.procedures:
            self.procedure_name(p)

    def function_name(self, f: C.Function) -> str:
        """What a function is called; from now on it is written."""
        if id(f) not in self.functions:
            self.functions[id(f)] = self.names.new(python_name(f.name))
        if id(f) not in self.written:
            self.written.add(id(f))
            self.queue.append(f)
        return self.functions[id(f)]

    def procedure_name(self, p: C.Procedure) -> str:
        if id(p) not in self.procedures:
            self.procedures[id(p)] = self.names.new(python_name(p.name))
        return self.procedures[id(p)]

    def possible(self, p: C.Procedure) -> C.Function:
        if id(p) not in self.possibles:
            self.possibles[id(p)] = derive_possible(p)
        return self.possibles[id(p)]

    def dispatcher(self, what: str, kind: C.Kind, column: C.KindColumn) -> str:
        """The function that runs the code of a row, asks whether it is possible, or gives its value."""
        wish = {"function": "", "possible": "possible_", "procedure": "run_"}[what]
        key = (what, kind.name, column.name)
        if key not in self.dispatchers:
            name = self.names.new(python_name(f"{wish}{kind.name}_{column.name}"))
            self.dispatchers[key] = name
            self.dispatch_queue.append((what, name, kind, column))
        return self.dispatchers[key]
