"""Expressions of the low-level program → C. Nothing is decided here: types say how wide everything is.

An expression is asked for in the form in which it is needed: as a number, as a set of so many words, as a truth value, or as a
list. Every operation that can go wrong is given the file and line of the rule that it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.compiler.emit import c_types as K
from rulewright.compiler.low import program as L
from rulewright.compiler.low import types as T

_CONSTANTS = {"MULTIPLIER": "RW_MULTIPLIER", "LOW": "RW_LOW"}
_SET_OPS = {"&": "and", "|": "or", "^": "xor"}
_CHECKED = {"+": "rw_add", "-": "rw_sub", "*": "rw_mul"}
INT64 = (-(1 << 63), (1 << 63) - 1)
# files and lines share one number: so many bits for the line
LINE_BITS = 24


def is_set(t: T.Type | None) -> bool:
    return isinstance(t, T.Set | T.Zone)


def field(name: str) -> str:
    """A field of the state; names of the rules may be words of C, so each sort of name has letters of its own in front."""
    return f"s->x_{name}"


def local(name: str) -> str:
    return f"v_{name}"


def table(name: str) -> str:
    return f"t_{name}"


def function(name: str) -> str:
    return f"fn_{name}"


class Expressions:
    """Expressions → C; remembers which sets and lists the program has."""

    def __init__(self, program: L.Program, longest: int) -> None:
        self.fields = {f.name: f for f in program.fields}
        self.tables = {t.name: t for t in program.tables}
        self.functions = {f.name: f for f in program.functions}
        self.longest = longest
        self.sets: set[int] = set()
        self.lists: dict[str, K.Items] = {}
        self.files: list[str] = []
        # the file and line of the statement being printed
        self.at = "0"
        self.made = 0

    # ------------------------------------------------------------ types

    def place(self, at: L.Origin) -> str:
        """The file and line of a rule as one number, 0 if it has none."""
        if not at.span.line:
            return "0"
        if at.span.file not in self.files:
            self.files.append(at.span.file)
        return str((self.files.index(at.span.file) + 1) << LINE_BITS | at.span.line)

    def fresh(self, wish: str) -> str:
        self.made += 1
        return f"{wish}_{self.made}"

    def items(self, t: T.Items) -> K.Items:
        found = K.items(t, self.longest)
        if found.cell.words > 1:
            self.sets.add(found.cell.words)
        return self.lists.setdefault(found.c, found)

    def set_type(self, n: int) -> str:
        if n > 1:
            self.sets.add(n)
        return K.set_type(n)

    def type(self, t: T.Type | None) -> str:
        """The type of a local, parameter or result."""
        match t:
            case None:
                return "void"
            case T.Bool():
                return "bool"
            case T.Int():
                return "int64_t"
            case T.Set() | T.Zone():
                return self.set_type(K.words(t))
            case T.Items():
                return self.items(t).c
            case T.Rows():
                return "rw_rows"
            case _:
                pass
        raise AssertionError(f"no local is {T.show(t)}")

    def real_type(self, e: L.Expr) -> T.Type:
        """The type of what an expression names, which may be wider than what is known of it here."""
        match e:
            case L.Field(name):
                return self.fields[name].type
            case L.TableUse(name):
                return self.tables[name].type
            case L.Item(base):
                outer = self.real_type(base)
                assert isinstance(outer, T.Array | T.Items)
                return outer.element
            case L.Call(name) if name in self.functions:
                result = self.functions[name].result
                return e.type if result is None else result
            case _:
                pass
        return e.type

    # ------------------------------------------------------------ values as they are kept

    def lvalue(self, e: L.Expr) -> str:
        """What names a value: a field, local, table or an entry of one."""
        match e:
            case L.Field(name):
                return field(name)
            case L.Local(name):
                return local(name)
            case L.TableUse(name):
                return table(name)
            case L.Item(base, index):
                outer = self.real_type(base)
                if isinstance(outer, T.Array):
                    return f"{self.lvalue(base)}[{self.index(index, str(outer.length))}]"
                inner = self.lvalue(base)
                return f"{inner}.a[{self.index(index, f'{inner}.n')}]"
            case _:
                pass
        raise AssertionError(f"{e} names nothing")

    def index(self, index: L.Expr, length: str) -> str:
        if isinstance(index, L.Number) and length.isdigit() and 0 <= index.value < int(length):
            return str(index.value)
        return f"rw_at({self.number(index)}, {length}, {self.at})"

    def value(self, e: L.Expr, t: T.Type) -> str:
        """An expression as a value of a type."""
        match t:
            case T.Bool():
                return self.truth(e)
            case T.Int():
                return self.number(e)
            case T.Set() | T.Zone():
                return self.members(e, K.words(t))
            case T.Items():
                return self.list(e, self.items(t))
            case _:
                pass
        raise AssertionError(f"no value is {T.show(t)}")

    # ------------------------------------------------------------ numbers

    def number(self, e: L.Expr) -> str:
        match e:
            case L.Number(value, _, name):
                return _CONSTANTS.get(name) or K.literal(value)
            case L.Binary():
                return self._arithmetic(e)
            case L.Unary("-", operand):
                if _bounded(e.type):
                    return f"(-{self.number(operand)})"
                return f"rw_neg({self.number(operand)}, {self.at})"
            case L.Pick(test, yes, no):
                return f"({self.truth(test)} ? {self.number(yes)} : {self.number(no)})"
            case L.Help("bool" | "int", (operand,)) if isinstance(e.type, T.Bool):
                return self.truth(operand)
            case L.Help(name, args):
                return self._help_number(e, name, args)
            case L.Compare() | L.Between() | L.Logic() | L.Not() | L.Has():
                return self.truth(e)
            case L.Unary() | L.One():
                return f"(int64_t){self.members(e, 1)}"
            case _:
                pass
        t = self.real_type(e)
        text = self.call(e) if isinstance(e, L.Call) else self.lvalue(e)
        if is_set(t):
            return f"(int64_t){text}" if K.words(t) == 1 else f"(int64_t){text}.w[0]"
        return text if isinstance(e, L.Call | L.Local) else f"(int64_t){text}"

    def _arithmetic(self, e: L.Binary) -> str:
        if e.op in _SET_OPS or e.op in ("<<", ">>"):
            if is_set(e.left.type) or is_set(e.type) or e.op == "<<":
                return f"(int64_t){self.members(e, 1)}"
            return f"({self.number(e.left)} {e.op} {self.number(e.right)})"
        a, b = self.number(e.left), self.number(e.right)
        if e.op in ("//", "%"):
            return f"{'rw_div' if e.op == '//' else 'rw_mod'}({a}, {b}, {self.at})"
        if _bounded(e.type):
            return f"({a} {e.op} {b})"
        return f"{_CHECKED[e.op]}({a}, {b}, {self.at})"

    def _help_number(self, e: L.Help, name: str, args: Sequence[L.Expr]) -> str:
        match name:
            case "first" if isinstance(args[0], L.Unary) and args[0].op == "~":
                return self._of_set("rw_first_free", args[0].operand)
            case "first":
                return self._of_set("rw_first", args[0])
            case "first_of":
                found = self.fresh("found")
                first, place = self._of_set("rw_first", args[0]), self.number(args[1])
                empty = f"if ({found} < 0) rw_fail(RW_NO_EXTREME, {self.at}, {place}, 0, 0, 0);"
                return f"__extension__({{ int64_t {found} = {first}; {empty} {found}; }})"
            case "size":
                n = self.width(args[0])
                if n == 1:
                    return f"rw_pop({self.members(args[0], 1)})"
                return f"rw_size_in({self.members(args[0], n)}.w, {n})"
            case "nth":
                n = self.width(args[0])
                if n == 1:
                    return f"rw_nth({self.members(args[0], 1)}, {self.number(args[1])})"
                return f"rw_nth_in({self.members(args[0], n)}.w, {n}, {self.number(args[1])})"
            case "count":
                zone, kind, kinds = args
                n = self.width(zone)
                if n == 1:
                    column = self.column(zone, kinds)
                    return f"rw_count({self.members(zone, 1)}, {self.number(kind)}, {column}, {self.at})"
                given = f"{self.number(kind)}, {self.number(kinds)}, {self.at}"
                return f"rw_count_in({self.members(zone, n)}.w, {n}, {given})"
            case "times":
                return f"rw_times({self.number(args[0])}, {self.number(args[1])}, {self.at})"
            case "len":
                return f"(int64_t){self.whole_list(args[0])}.n"
            case "item":
                items = self.fresh("items")
                kept = self.items_of(args[0])
                at = f"{items}.a[rw_entry({self.number(args[1])}, {items}.n, {self.at})]"
                got = f"(int64_t){at}" if kept.cell.words == 1 else f"(int64_t){at}.w[0]"
                whole = self.whole_list(args[0])
                return f"__extension__({{ const {kept.c} {items} = {whole}; {got}; }})"
            case "position":
                items, found = self.fresh("items"), self.fresh("found")
                kept = self.items_of(args[1])
                return (
                    f"__extension__({{ const {kept.c} {items} = {self.whole_list(args[1])}; int64_t {found} = 0, {found}_v = {self.number(args[0])};"
                    f" for (int32_t i = 0; i < {items}.n; i++) if ({items}.a[i] == {found}_v) {{ {found} = i + 1; break; }}"
                    f" {found}; }})"
                )
            case "best_of":
                rows = args[0]
                assert isinstance(rows, L.Local) and isinstance(rows.type, T.Rows)
                return f"rw_best(&{local(rows.name)}, {rows.type.width})"
            case "in_range":
                given = self.fresh("given")
                value, low, high, place = (self.number(x) for x in args[:4])
                none = f" && {given} != -1" if len(args) > 4 else ""
                return (
                    f"__extension__({{ int64_t {given} = {value}; if (({given} < {low} || {given} > {high}){none})"
                    f" rw_fail(RW_OUT_OF_RANGE, {self.at}, {place}, {given}, {low}, {high}); {given}; }})"
                )
            case _:
                pass
        if is_set(e.type):
            return f"(int64_t){self.members(e, 1)}"
        raise AssertionError(f"{name} of the runtime is not known in C")

    def _of_set(self, name: str, e: L.Expr) -> str:
        n = self.width(e)
        return (
            f"{name}({self.members(e, 1)})" if n == 1 else f"{name}_in({self.members(e, n)}.w, {n})"
        )

    def column(self, zone: L.Expr, kinds: L.Expr) -> str:
        """The bits of the first kind in a zone of one word."""
        assert isinstance(kinds, L.Number)
        return K.set_literal(sum(1 << i for i in range(0, K.WORD_BITS, kinds.value)), 1)

    # ------------------------------------------------------------ sets

    def width(self, e: L.Expr) -> int:
        """So many words hold the whole of a set."""
        match e:
            case L.Number(value):
                return max(1, -(-value.bit_length() // K.WORD_BITS))
            case L.Binary(("|" | "^"), left, right):
                return max(self.width(left), self.width(right))
            case L.Binary("&", left, right):
                sides = [self.width(x) for x in (left, right) if not _is_complement(x)]
                return min(sides, default=K.words(e.type))
            case L.Pick(_, yes, no):
                return max(self.width(yes), self.width(no))
            case _:
                pass
        return max(K.words(e.type), K.words(self.real_type(e)))

    def members(self, e: L.Expr, n: int) -> str:
        """A set as n words; what does not fit into them is cut off."""
        if n > 1:
            self.sets.add(n)
        match e:
            case L.Number(value):
                return K.set_literal(value, n)
            case L.Unary("~", operand):
                inner = self.members(operand, n)
                return f"(~{inner})" if n == 1 else f"rw_not{n}({inner})"
            case L.Binary(("&" | "|" | "^") as op, left, right):
                if op == "&" and self.width(e) < n:
                    return self._widened(self.members(e, self.width(e)), self.width(e), n)
                a, b = self.members(left, n), self.members(right, n)
                return f"({a} {op} {b})" if n == 1 else f"rw_{_SET_OPS[op]}{n}({a}, {b})"
            case L.Binary("<<", left, right):
                a, by = self.members(left, n), self.number(right)
                if n == 1 and isinstance(right, L.Number) and 0 <= right.value < K.WORD_BITS:
                    return f"({a} << {by})"
                return f"rw_shl{'' if n == 1 else n}({a}, {by}, {self.at})"
            case L.Binary(">>", left, right):
                own = self.width(left)
                a, by = self.members(left, own), self.number(right)
                return self._widened(
                    f"rw_shr{'' if own == 1 else own}({a}, {by}, {self.at})", own, n
                )
            case L.Unary("rest", operand):
                own = self.width(operand)
                a = self.members(operand, own)
                return self._widened(
                    f"({a} & ({a} - 1))" if own == 1 else f"rw_rest{own}({a})", own, n
                )
            case L.Pick(test, yes, no):
                return f"({self.truth(test)} ? {self.members(yes, n)} : {self.members(no, n)})"
            case L.One(place, t):
                own = max(n, K.words(t))
                return self._widened(self._one(place, own), own, n)
            case L.Help(name, args):
                return self._help_set(e, name, args, n)
            case _:
                pass
        if not is_set(self.real_type(e)):
            return self._widened(f"(uint64_t){self.number(e)}", 1, n)
        text = self.call(e) if isinstance(e, L.Call) else self.lvalue(e)
        own = K.words(self.real_type(e))
        return self._widened(f"(uint64_t){text}" if own == 1 else text, own, n)

    def _one(self, place: L.Expr, n: int) -> str:
        if isinstance(place, L.Number) and 0 <= place.value < K.WORD_BITS * n:
            return K.set_literal(1 << place.value, n)
        return f"rw_one{'' if n == 1 else n}({self.number(place)}, {self.at})"

    def _widened(self, text: str, own: int, n: int) -> str:
        if own == n:
            return text
        self.set_type(own)
        if n == 1:
            return f"({text}).w[0]"
        return f"rw_of{n}({text})" if own == 1 else f"rw_wide{n}(({text}).w, {own})"

    def _help_set(self, e: L.Help, name: str, args: Sequence[L.Expr], n: int) -> str:
        match name:
            case "up_to":
                return f"rw_up_to{'' if n == 1 else n}({self.number(args[0])})"
            case "bit":
                return self._one(args[0], n)
            case "add" | "remove":
                own = self.width(args[0])
                short = "rw_more" if name == "add" else "rw_less"
                zone, kind, kinds = (
                    self.members(args[0], own),
                    self.number(args[1]),
                    self.number(args[2]),
                )
                if own == 1:
                    text = f"{short}({zone}, {kind}, {kinds}, {self.column(args[0], args[2])}, {self.at})"
                else:
                    text = f"{short}{own}({zone}, {kind}, {kinds}, {self.at})"
                return self._widened(text, own, n)
            case "union":
                own = max(self.width(args[0]), self.width(args[1]))
                a, b = self.members(args[0], own), self.members(args[1], own)
                kinds = self.number(args[2])
                if own == 1:
                    text = f"rw_union({a}, {b}, {kinds}, {self.column(args[0], args[2])})"
                else:
                    text = f"rw_union{own}({a}, {b}, {kinds})"
                return self._widened(text, own, n)
            case "mask_of":
                items, found = self.fresh("items"), self.fresh("found")
                kept, own = self.items_of(args[0]), K.words(e.type)
                one = f"{items}.a[i] - {self.number(args[1])}"
                if own == 1:
                    step = f"{found} |= rw_shl(1, {one}, {self.at})"
                else:
                    step = f"{found} = rw_or{own}({found}, rw_one{own}({one}, {self.at}))"
                text = (
                    f"__extension__({{ const {kept.c} {items} = {self.whole_list(args[0])}; {self.set_type(own)} {found} = {K.set_literal(0, own)};"
                    f" for (int32_t i = 0; i < {items}.n; i++) {step}; {found}; }})"
                )
                return self._widened(text, own, n)
            case _:
                pass
        return self._widened(f"(uint64_t){self._help_number(e, name, args)}", 1, n)

    # ------------------------------------------------------------ truth

    def truth(self, e: L.Expr) -> str:
        """Whether something holds, is not zero, or not empty."""
        match e:
            case L.Number(value):
                return "true" if value else "false"
            case L.Not(operand):
                return f"!{self.truth(operand)}"
            case L.Logic(op, left, right):
                return f"({self.truth(left)} {'&&' if op == 'and' else '||'} {self.truth(right)})"
            case L.Compare():
                return self._compare(e)
            case L.Between(low, value, high):
                given = self.fresh("given")
                return f"__extension__({{ int64_t {given} = {self.number(value)}; {self.number(low)} <= {given} && {given} <= {self.number(high)}; }})"
            case L.Has(members, place):
                return self._has(members, place)
            case L.Pick(test, yes, no):
                return f"({self.truth(test)} ? {self.truth(yes)} : {self.truth(no)})"
            case L.Help("bool", (operand,)):
                return self.truth(operand)
            case _:
                pass
        if isinstance(e.type, T.Items):
            return f"({self.whole_list(e)}.n != 0)"
        if is_set(e.type):
            n = self.width(e)
            return (
                f"({self.members(e, 1)} != 0)"
                if n == 1
                else f"rw_any_in({self.members(e, n)}.w, {n})"
            )
        text = self.number(e)
        return (
            text
            if isinstance(e.type, T.Bool) and isinstance(e, L.Call | L.Local)
            else f"({text} != 0)"
        )

    def _compare(self, e: L.Compare) -> str:
        if e.op == "in":
            return f"({self.number(L.Help('position', (e.left, e.right), T.INT))} != 0)"
        if is_set(e.left.type) or is_set(e.right.type):
            n = max(self.width(e.left), self.width(e.right))
            a, b = self.members(e.left, n), self.members(e.right, n)
            if n == 1:
                return f"({a} {e.op} {b})"
            assert e.op in ("==", "!=")
            return f"{'' if e.op == '==' else '!'}rw_same{n}({a}, {b})"
        return f"({self.number(e.left)} {e.op} {self.number(e.right)})"

    def _has(self, members: L.Expr, place: L.Expr) -> str:
        n = self.width(members)
        if isinstance(place, L.Number) and 0 <= place.value < K.WORD_BITS * n:
            word, bit = divmod(place.value, K.WORD_BITS)
            text = self.members(members, n)
            return f"({text if n == 1 else f'({text}).w[{word}]'} >> {bit} & 1)"
        if n == 1:
            return f"rw_has({self.members(members, 1)}, {self.number(place)}, {self.at})"
        return f"rw_has_in(({self.members(members, n)}).w, {n}, {self.number(place)}, {self.at})"

    # ------------------------------------------------------------ calls and lists

    def call(self, e: L.Call) -> str:
        f = self.functions[e.name]
        given = [
            *(["s"] if e.state else []),
            *(self.value(a, p.type) for a, p in zip(e.args, f.params, strict=True)),
        ]
        return f"{function(e.name)}({', '.join(given)})"

    def items_of(self, e: L.Expr) -> K.Items:
        """How the list is kept that an expression names or gives."""
        t = self.real_type(e)
        if isinstance(t, T.Array):
            # a row of a table is as long as the longest
            assert isinstance(t.element, T.Int | T.Set)
            t = T.Items(t.element, t.length)
        assert isinstance(t, T.Items)
        if isinstance(e, L.ListOf):
            t = T.Items(t.element, max(len(e.items), t.limit or 0))
        return self.items(t)

    def whole_list(self, e: L.Expr) -> str:
        """A list as it is kept where it comes from."""
        match e:
            case L.Field() | L.Local() | L.TableUse() | L.Item():
                return self.lvalue(e)
            case L.Call():
                return self.call(e)
            case _:
                pass
        return self.list(e, self.items_of(e))

    def list(self, e: L.Expr, t: K.Items) -> str:
        """A list with room for so many entries; a longer one, or entries that do not fit, are an error."""
        made = self.fresh("list")
        begin = f"__extension__({{ {t.c} {made}; {made}.n = 0;"
        match e:
            case L.ListOf(items):
                parts = [
                    self._entry(t, f"{made}.a[{i}]", self._item(t, x)) for i, x in enumerate(items)
                ]
                return f"{begin} {' '.join(parts)} {made}.n = {len(items)}; {made}; }})"
            case L.Pick(test, yes, no):
                return f"({self.truth(test)} ? {self.list(yes, t)} : {self.list(no, t)})"
            case L.Help("sorted_by", (L.Local() as rows,)):
                return f"{begin} {self._ordered(rows, t, made)} {made}; }})"
            case L.Help("grouped_by", (L.Local() as rows, L.Number(low))):
                return f"{begin} {self._groups(rows, t, made, low)} {made}; }})"
            case L.Help("copy", (whole,)):
                return self.list(whole, t)
            case L.Help("in_length"):
                raise AssertionError("lists are not looked at in fast engines")
            case _:
                pass
        own = self.items_of(e)
        if own == t:
            return self.whole_list(e)
        source = self.fresh("from")
        step = self._entry(t, f"{made}.a[i]", f"{source}.a[i]")
        room = f"if ({source}.n > {t.room}) rw_fail(RW_LIST_TOO_LONG, {self.at}, -1, {source}.n, {t.room}, 0);"
        return (
            f"{begin} const {own.c} {source} = {self.whole_list(e)}; {room}"
            f" for (int32_t i = 0; i < {source}.n; i++) {{ {step} }} {made}.n = {source}.n; {made}; }})"
        )

    def _item(self, t: K.Items, e: L.Expr) -> str:
        return self.number(e) if t.cell.sign == "i" else self.members(e, t.cell.words)

    def _entry(self, t: K.Items, place: str, value: str) -> str:
        if t.cell.words > 1:
            return f"{place} = {value};"
        if t.cell.sign == "u":
            return f"{place} = RW_KEEP_SET({t.cell.c}, (uint64_t)({value}), {self.at});"
        return f"{place} = RW_KEEP({t.cell.c}, {value}, 0, 0, {self.at});"

    def _ordered(self, rows: L.Local, t: K.Items, made: str) -> str:
        assert isinstance(rows.type, T.Rows)
        name, width = local(rows.name), rows.type.width
        room = f"if ({name}.n > {t.room}) rw_fail(RW_LIST_TOO_LONG, {self.at}, -1, {name}.n, {t.room}, 0);"
        step = self._entry(t, f"{made}.a[i]", f"{name}.a[{width} * i + {width - 1}]")
        return f"rw_sort(&{name}, {width}); {room} for (int64_t i = 0; i < {name}.n; i++) {{ {step} }} {made}.n = (int32_t){name}.n;"

    def _groups(self, rows: L.Local, t: K.Items, made: str, low: int) -> str:
        assert isinstance(rows.type, T.Rows)
        name, width, n = local(rows.name), rows.type.width, t.cell.words
        row = f"{name}.a + {width} * i"
        new = f"i == 0 || rw_compare({row}, {row} - {width}, {width}) != 0"
        room = f"if ({made}.n == {t.room}) rw_fail(RW_LIST_TOO_LONG, {self.at}, -1, {t.room} + 1, {t.room}, 0);"
        member = f"{name}.a[{width} * i + {width - 1}] - {low}"
        last = f"{made}.a[{made}.n - 1]"
        if n == 1:
            begin, more = "0", f"{last} |= ({t.cell.c})rw_one({member}, {self.at});"
        else:
            begin, more = (
                K.set_literal(0, n),
                f"{last} = rw_or{n}({last}, rw_one{n}({member}, {self.at}));",
            )
        return (
            f"rw_sort(&{name}, {width}); for (int64_t i = 0; i < {name}.n; i++) {{"
            f" if ({new}) {{ {room} {made}.a[{made}.n++] = {begin}; }} {more} }}"
        )


def _bounded(t: T.Type) -> bool:
    """Whether a number is sure to stay within a word."""
    if not isinstance(t, T.Int):
        return True
    return t.low is not None and t.high is not None and t.low >= INT64[0] and t.high <= INT64[1]


def _is_complement(e: L.Expr) -> bool:
    return isinstance(e, L.Unary) and e.op == "~"
