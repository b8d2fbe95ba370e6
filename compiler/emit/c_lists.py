"""Lists, and rows put in order, of the low-level program → C."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.emit import c_types as K
from rulewright.compiler.emit.c_naming import Naming, local
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L


class Lists(Naming):
    """Expressions as lists."""

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
            case (
                L.Number()
                | L.Words()
                | L.Binary()
                | L.Unary()
                | L.Has()
                | L.One()
                | L.Compare()
                | L.Between()
                | L.Logic()
                | L.Not()
                | L.Pick()
                | L.Help()
                | L.ListOf()
                | L.Row()
                | L.Sentence()
            ):
                pass
            case _:
                assert_never(e)
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
                # lists are values in C
                return self.list(whole, t)
            case L.Help("cut", (whole, start, stop)):
                return f"{begin} {self._cut(whole, start, stop, t, made)} {made}; }})"
            case L.Help("joined", (first, second)):
                parts = [self._more(part, t, made) for part in (first, second)]
                return f"{begin} {' '.join(parts)} {made}; }})"
            case L.Help("filled", (value, many)):
                return f"{begin} {self._filled(value, many, t, made)} {made}; }})"
            case L.Help("in_length"):
                raise AssertionError("lists are not looked at in fast engines")
            case (
                L.Number()
                | L.Words()
                | L.Local()
                | L.Field()
                | L.TableUse()
                | L.Item()
                | L.Binary()
                | L.Unary()
                | L.Has()
                | L.One()
                | L.Compare()
                | L.Between()
                | L.Logic()
                | L.Not()
                | L.Call()
                | L.Help()
                | L.Row()
                | L.Sentence()
            ):
                pass
            case _:
                assert_never(e)
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

    def same_lists(self, left: L.Expr, right: L.Expr) -> str:
        """Whether two lists hold the same in the same order."""
        a, b, same = self.fresh("a"), self.fresh("b"), self.fresh("same")
        ours, theirs = self.items_of(left), self.items_of(right)
        n = ours.cell.words
        each = f"{a}.a[i] == {b}.a[i]" if n == 1 else f"rw_same{n}({a}.a[i], {b}.a[i])"
        return (
            f"__extension__({{ const {ours.c} {a} = {self.whole_list(left)}; const {theirs.c} {b} = {self.whole_list(right)};"
            f" bool {same} = {a}.n == {b}.n; for (int32_t i = 0; {same} && i < {a}.n; i++) {same} = {each}; {same}; }})"
        )

    def _cut(self, whole: L.Expr, start: L.Expr, stop: L.Expr, t: K.Items, made: str) -> str:
        """The entries from a place counted from 0 up to and without another, as far as there are any."""
        own, source, i, end = self.items_of(whole), *map(self.fresh, ("from", "i", "end"))
        begin = f"const {own.c} {source} = {self.whole_list(whole)}; int64_t {i} = {self.number(start)}, {end} = {self.number(stop)};"
        clip = f"if ({i} < 0) {i} = 0; if ({end} > {source}.n) {end} = {source}.n;"
        step = self._put(t, made, f"{source}.a[{i}]")
        return f"{begin} {clip} for (; {i} < {end}; {i}++) {{ {step} }}"

    def _more(self, part: L.Expr, t: K.Items, made: str) -> str:
        """The entries of another list at the end of one."""
        own, source, i = self.items_of(part), *map(self.fresh, ("from", "i"))
        step = self._put(t, made, f"{source}.a[{i}]")
        return f"{{ const {own.c} {source} = {self.whole_list(part)}; for (int32_t {i} = 0; {i} < {source}.n; {i}++) {{ {step} }} }}"

    def _filled(self, value: L.Expr, many: L.Expr, t: K.Items, made: str) -> str:
        end, i = map(self.fresh, ("end", "i"))
        step = self._put(t, made, self._item(t, value))
        return f"const int64_t {end} = {self.number(many)}; for (int64_t {i} = 0; {i} < {end}; {i}++) {{ {step} }}"

    def _put(self, t: K.Items, made: str, value: str) -> str:
        """One entry more at the end of a list that is being made."""
        room = f"if ({made}.n == {t.room}) rw_fail(RW_LIST_TOO_LONG, {self.at}, -1, {t.room} + 1, {t.room}, 0);"
        return f"{room} {self._entry(t, f'{made}.a[{made}.n]', value)} {made}.n++;"

    def appended(self, to: L.Local, value: L.Expr) -> str:
        """The statement that puts an entry at the end of a list."""
        assert isinstance(to.type, T.Items)
        t, name = self.items(to.type), local(to.name)
        room = f"if ({name}.n == {t.room}) rw_fail(RW_LIST_TOO_LONG, {self.at}, -1, {t.room} + 1, {t.room}, 0);"
        return f"{{ {room} {self._entry(t, f'{name}.a[{name}.n]', self._item(t, value))} {name}.n++; }}"

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
