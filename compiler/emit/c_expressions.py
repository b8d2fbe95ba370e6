"""Expressions of the low-level program → C. Nothing is decided here: types say how wide everything is.

Every operation that can go wrong is given the file and line of the rule that it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulewright.compiler.emit import c_types as K
from rulewright.compiler.emit.c_naming import is_set, local
from rulewright.compiler.emit.c_sets import SET_OPS, Sets
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L

_CONSTANTS = {"MULTIPLIER": "RW_MULTIPLIER", "LOW": "RW_LOW"}
_CHECKED = {"+": "rw_add", "-": "rw_sub", "*": "rw_mul"}
INT64 = (-(1 << 63), (1 << 63) - 1)


class Expressions(Sets):
    """Expressions as numbers and truth values."""

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
                return self.help_number(e, name, args)
            case L.Compare() | L.Between() | L.Logic() | L.Not() | L.Has():
                return self.truth(e)
            case L.Unary() | L.One():
                return f"(int64_t){self.members(e, 1)}"
            case (
                L.Words()
                | L.Local()
                | L.Field()
                | L.TableUse()
                | L.Item()
                | L.Call()
                | L.ListOf()
                | L.Row()
                | L.Sentence()
            ):
                pass
            case _:
                assert_never(e)
        t = self.real_type(e)
        text = self.call(e) if isinstance(e, L.Call) else self.lvalue(e)
        if is_set(t):
            return f"(int64_t){text}" if K.words(t) == 1 else f"(int64_t){text}.w[0]"
        return text if isinstance(e, L.Call | L.Local) else f"(int64_t){text}"

    def _arithmetic(self, e: L.Binary) -> str:
        if e.op in SET_OPS or e.op in ("<<", ">>"):
            if is_set(e.left.type) or is_set(e.type) or e.op == "<<":
                return f"(int64_t){self.members(e, 1)}"
            return f"({self.number(e.left)} {e.op} {self.number(e.right)})"
        a, b = self.number(e.left), self.number(e.right)
        if e.op in ("//", "%"):
            # where nothing can be below zero, C rounds as the rules do
            if _not_negative(e.left.type) and isinstance(e.right, L.Number) and e.right.value > 0:
                return f"({a} {e.op[0]} {b})"
            return f"{'rw_div' if e.op == '//' else 'rw_mod'}({a}, {b}, {self.at})"
        if _bounded(e.type):
            return f"({a} {e.op} {b})"
        return f"{_CHECKED[e.op]}({a}, {b}, {self.at})"

    def help_number(self, e: L.Help, name: str, args: Sequence[L.Expr]) -> str:
        match name:
            case "first" if isinstance(args[0], L.Unary) and args[0].op == "~":
                return self._of_set("rw_first_free", args[0].operand)
            case "first":
                return self._of_set("rw_first", args[0])
            case "topmost":
                return self._of_set("rw_topmost", args[0])
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
            case "mixed":
                if not is_set(args[1].type):
                    return (
                        f"rw_fingerprint({self.number(args[0])}, (uint64_t){self.number(args[1])})"
                    )
                n = self.width(args[1])
                if n == 1:
                    return f"rw_fingerprint({self.number(args[0])}, {self.members(args[1], 1)})"
                return f"rw_fingerprint_in({self.number(args[0])}, ({self.members(args[1], n)}).w, {n})"
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
            case (
                L.Words()
                | L.Local()
                | L.Field()
                | L.TableUse()
                | L.Item()
                | L.Binary()
                | L.Unary()
                | L.One()
                | L.Call()
                | L.Help()
                | L.ListOf()
                | L.Row()
                | L.Sentence()
            ):
                pass
            case _:
                assert_never(e)
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
        if isinstance(e.left.type, T.Items | T.Array):
            return f"{'' if e.op == '==' else '!'}{self.same_lists(e.left, e.right)}"
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


def _not_negative(t: T.Type) -> bool:
    return isinstance(t, T.Int) and t.low is not None and t.low >= 0


def _bounded(t: T.Type) -> bool:
    """Whether a number is sure to stay within a word."""
    if not isinstance(t, T.Int):
        return True
    return t.low is not None and t.high is not None and t.low >= INT64[0] and t.high <= INT64[1]
