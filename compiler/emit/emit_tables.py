"""What a module holds beside its functions: tables of columns, of constant functions, of sets; and who is called what."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.derive_possible import derive_possible
from rulewright.compiler.core.evaluate import FUEL, Evaluator, NotConstant
from rulewright.compiler.core.graphs import distances, walk_table
from rulewright.compiler.core.may_fail import may_fail
from rulewright.compiler.core.types import BoolT, IntT, KindT, ListT, SetT, count_of, low_of
from rulewright.compiler.emit.emit_words import bits_of
from rulewright.compiler.emit.layout import WORD, is_wide
from rulewright.compiler.emit.names import Names, constant_name, python_name
from rulewright.compiler.text.source import Span

if TYPE_CHECKING:
    from rulewright.compiler.emit.emit_expr import Body

MAX_TABLE = 4096


def _inside(t: IntT, wide: IntT) -> bool:
    if t.low is None or t.high is None or wide.low is None or wide.high is None:
        return False
    return wide.low <= t.low and t.high <= wide.high


@dataclass(frozen=True, slots=True)
class Worked:
    """A function worked out for all arguments: the parameters that matter, their domains' sizes, and the table of results.

    Without a table the result is the one parameter that matters.
    """

    kept: tuple[int, ...]
    sizes: tuple[int, ...]
    table: str | None


def _matters(results: Mapping[tuple[int, ...], object], i: int, first: int) -> bool:
    """Whether results differ with parameter number i alone."""
    return any(
        value != results[(*args[:i], first, *args[i + 1 :])] for args, value in results.items()
    )


class Tables:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.text: dict[str, str] = {}  # name of a table → its Python text, in order of first use
        self.types: dict[str, str] = {}
        self.by_content: dict[tuple[str, str], str] = {}
        self.columns: dict[tuple[str, str], str] = {}
        self.functions: dict[int, str] = {}
        self.queue: list[C.Function] = []
        self.written: set[int] = set()
        self.procedures: dict[int, str] = {}
        self.known: dict[int, Worked | None] = {}
        self.item_tables: dict[str, list[list[int]]] = {}
        self.shorter: dict[int, C.Function] = {}
        self.dispatchers: dict[tuple[str, str, str], str] = {}
        self.dispatch_queue: list[tuple[str, str, C.Kind, C.KindColumn]] = []
        self.possibles: dict[int, C.Function] = {}
        self.places: list[Span] = []
        # by the number of a place: the zone that may hold no piece there
        self.holders: dict[int, C.Zone] = {}
        self._fresh = 2_000_000_000
        self.fuel = FUEL  # for all functions of a module together
        self.place_index: dict[Span, int] = {}

    # ------------------------------------------------------------ tables

    def add(self, wish: str, text: str, type_: str) -> str:
        """A table with this content: the one there is, or a new one."""
        key = (text, type_)
        if key not in self.by_content:
            name = self.names.new(wish)
            self.by_content[key] = name
            self.text[name] = text
            self.types[name] = type_
        return self.by_content[key]

    def numbers(self, wish: str, values: Iterable[object], wide: bool) -> str:
        """A table of numbers, or of sets; wide: of sets that may pass a machine word."""
        return self.add(wish, f"[{', '.join(map(str, values))}]", "list[int]" if wide else "Ints")

    def constant_list(self, values: tuple[int, ...]) -> str:
        return self.add("LIST", f"[{', '.join(map(str, values))}]", "list[int]")

    def column(self, kind: C.Kind, column: C.KindColumn) -> str:
        key = (kind.name, column.name)
        if key not in self.columns:
            wish = constant_name(f"{kind.name}_{column.name}")
            if isinstance(column.type, ListT):
                rows = ", ".join(
                    f"[{', '.join(map(str, v))}]" for v in column.values if isinstance(v, tuple)
                )
                self.columns[key] = self.add(wish, f"[{rows}]", "list[list[int]]")
            elif isinstance(column.type, BoolT):
                self.columns[key] = self.add(
                    wish, f"[{', '.join(str(bool(v)) for v in column.values)}]", "list[bool]"
                )
            else:
                self.columns[key] = self.numbers(
                    wish, column.values, column.type is not None and is_wide(column.type)
                )
        return self.columns[key]

    def distances(self, kind: C.Kind) -> str:
        flat = [d for row in distances(kind) for d in row]
        return self.numbers(constant_name(f"{kind.name}_distance"), flat, False)

    def walks(self, kind: C.Kind, most: int) -> tuple[str, int]:
        """Where walks of up to `most` steps end, and how many entries each member has."""
        rows = walk_table(kind, most)
        assert rows is not None  # seen to when the use was checked
        masks = [mask for row in rows for mask in row]
        wish = constant_name(f"{kind.name}_walks")
        return self.numbers(wish, masks, len(kind.members) > WORD), most + 1

    def fresh(self) -> int:
        """A number for a local of the emitter's own."""
        self._fresh += 1
        return self._fresh

    def place(self, span: Span) -> int:
        """The number of a place in the spec, for errors that can only be seen in play."""
        if span not in self.place_index:
            self.place_index[span] = len(self.places)
            self.places.append(span)
        return self.place_index[span]

    # ------------------------------------------------------------ constant functions

    def tabulated(self, f: C.Function) -> Worked | None:
        """A function that can be worked out for all arguments, as a table."""
        if id(f) in self.known:
            return self.known[id(f)]
        self.known[id(f)] = None
        if f.reads_state or not f.params:
            return None
        domains: list[range] = []
        for p in f.params:
            if not isinstance(p.type, KindT | IntT):
                return None
            n = count_of(p.type)
            if n is None or n > 128:
                return None
            low = low_of(p.type)
            domains.append(range(low, low + n))
        total = 1
        for d in domains:
            total *= len(d)
        if total > MAX_TABLE:
            return None
        evaluator = Evaluator(min(FUEL, self.fuel))
        before = evaluator.fuel
        try:
            results = {args: evaluator.call(f, list(args)) for args in itertools.product(*domains)}
        except (NotConstant, RecursionError):
            return None
        finally:
            self.fuel -= before - max(0, evaluator.fuel)
        kept = tuple(i for i, d in enumerate(domains) if _matters(results, i, d[0])) or (0,)
        values = [
            results[args]
            for args in results
            if all(i in kept or args[i] == d[0] for i, d in enumerate(domains))
        ]
        plain = isinstance(f.result, IntT | KindT)
        if plain and len(kept) == 1 and values == list(domains[kept[0]]):
            self.known[id(f)] = Worked(kept, (), None)
            return self.known[id(f)]
        if isinstance(f.result, ListT):
            rows = (f"[{', '.join(map(str, v))}]" for v in values if isinstance(v, tuple))
            text, type_ = ", ".join(rows), "list[list[int]]"
        elif isinstance(f.result, BoolT):
            text, type_ = ", ".join(str(bool(v)) for v in values), "list[bool]"
        else:
            text = ", ".join(str(v) for v in values)
            type_ = "list[int]" if is_wide(f.result) else "Ints"
        name = self.add(constant_name(f.name), f"[{text}]", type_)
        if isinstance(f.result, SetT):
            low = low_of(f.result.element)
            self._items(name, [v for v in values if isinstance(v, int)], low)
        self.known[id(f)] = Worked(kept, tuple(len(domains[i]) for i in kept), name)
        return self.known[id(f)]

    def holds(self, f: C.Function, args: tuple[C.Expr, ...]) -> bool:
        """Whether the table serves for these arguments: none can be outside of it, and what is left out can't go wrong."""
        worked = self.tabulated(f)
        for i, (arg, p) in enumerate(zip(args, f.params, strict=True)):
            if worked is not None and i not in worked.kept and may_fail(arg):
                return False
            t = arg.type
            if isinstance(arg, C.Const) and isinstance(arg.value, int):
                t = IntT(arg.value, arg.value)
            if isinstance(p.type, IntT) and not (isinstance(t, IntT) and _inside(t, p.type)):
                return False
        return True

    def _items(self, name: str, masks: list[int], low: int) -> None:
        self.item_tables[name] = [bits_of(m, low) for m in masks]

    def look_up(
        self, body: Body, worked: Worked, f: C.Function, args: tuple[C.Expr, ...]
    ) -> tuple[str, int]:
        if worked.table is None:
            return body.expr(args[worked.kept[0]])
        return f"{worked.table}[{self._place_in(body, worked, f, args)}]", 12

    def _place_in(self, body: Body, worked: Worked, f: C.Function, args: tuple[C.Expr, ...]) -> str:
        text = ""
        for i, size in zip(worked.kept, worked.sizes, strict=True):
            t = f.params[i].type
            here = body.index(args[i], low_of(t) if isinstance(t, KindT | IntT) else 0, 9)
            if not text:
                text = here
            else:
                head = text if text.isidentifier() or text.isdigit() else f"({text})"
                text = f"{head} * {size} + {here}"
        return text

    def listed(self, body: Body, domain: C.Expr) -> str | None:
        """The members of a set as a ready-made list, where the set is a table's."""
        found = self.rows_of(body, domain)
        if found is None:
            return None
        name, rows, index = found
        return f"{self.add(f'{name}_LIST', str(rows), 'list[Ints]')}[{index}]"

    def rows_of(self, body: Body, domain: C.Expr) -> tuple[str, list[list[int]], str] | None:
        """Of a set that is a table's: the table's name, the members of each of its sets, and which of them is meant."""
        if isinstance(domain, C.Call):
            worked = self.tabulated(domain.function)
            known = worked is not None and self.holds(domain.function, domain.args)
            if worked is not None and known and worked.table in self.item_tables:
                index = self._place_in(body, worked, domain.function, domain.args)
                return worked.table, self.item_tables[worked.table], index
        if isinstance(domain, C.Column) and isinstance(domain.column.type, SetT):
            low = low_of(domain.column.type.element)
            rows = [bits_of(v if isinstance(v, int) else 0, low) for v in domain.column.values]
            wish = constant_name(f"{domain.kind.name}_{domain.column.name}")
            return wish, rows, body.value(domain.base)
        return None

    # ------------------------------------------------------------ functions and procedures

    def reserve(self, game: C.Game) -> None:
        """Names for all functions and procedures, before any local can take them."""
        for f in (*game.functions, *game.facts.values()):
            self.functions[id(f)] = self.names.new(python_name(f.name))
        for p in game.procedures:
            self.procedure_name(p)

    def function_name(self, f: C.Function) -> str:
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

    def shortened(self, body: Body, f: C.Function) -> C.Function:
        """The function in fewer steps; the same when it is asked for again."""
        from rulewright.compiler.emit.shorten import shorten

        if id(f) not in self.shorter:
            self.shorter[id(f)] = shorten(body, f)
        return self.shorter[id(f)]

    def possible(self, p: C.Procedure) -> C.Function:
        if id(p) not in self.possibles:
            self.possibles[id(p)] = derive_possible(p)
        return self.possibles[id(p)]

    def dispatcher(self, kind: C.Kind, column: C.KindColumn) -> str:
        return self._dispatch("function", kind, column, f"{kind.name}_{column.name}")

    def possible_dispatcher(self, kind: C.Kind, column: C.KindColumn) -> str:
        return self._dispatch("possible", kind, column, f"possible_{kind.name}_{column.name}")

    def procedure_dispatcher(self, kind: C.Kind, column: C.KindColumn) -> str:
        return self._dispatch("procedure", kind, column, f"run_{kind.name}_{column.name}")

    def _dispatch(self, what: str, kind: C.Kind, column: C.KindColumn, wish: str) -> str:
        key = (what, kind.name, column.name)
        if key not in self.dispatchers:
            name = self.names.new(python_name(wish))
            self.dispatchers[key] = name
            self.dispatch_queue.append((what, name, kind, column))
        return self.dispatchers[key]
