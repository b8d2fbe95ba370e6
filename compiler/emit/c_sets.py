"""Sets and zones of the low-level program → C: so many words as each needs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import assert_never

from rulewright.compiler.emit import c_types as K
from rulewright.compiler.emit.c_lists import Lists
from rulewright.compiler.emit.c_naming import is_set
from rulewright.compiler.low import program as L

SET_OPS = {"&": "and", "|": "or", "^": "xor"}


class Sets(Lists):
    """Expressions as sets."""

    @abstractmethod
    def help_number(self, e: L.Help, name: str, args: Sequence[L.Expr]) -> str:
        """What a function of the runtime gives, as a number."""

    def column(self, zone: L.Expr, kinds: L.Expr) -> str:
        """The bits of the first kind in a zone of one word."""
        assert isinstance(kinds, L.Number)
        return K.set_literal(sum(1 << i for i in range(0, K.WORD_BITS, kinds.value)), 1)

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
            case (
                L.Words()
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
                | L.ListOf()
                | L.Row()
                | L.Sentence()
            ):
                pass
            case _:
                assert_never(e)
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
                return f"({a} {op} {b})" if n == 1 else f"rw_{SET_OPS[op]}{n}({a}, {b})"
            case L.Binary("<<", left, right):
                a, by = self.members(left, n), self.number(right)
                if n == 1 and isinstance(right, L.Number) and 0 <= right.value < K.WORD_BITS:
                    return f"({a} << {by})"
                return f"rw_shl{_tail(n)}({a}, {by}, {self.at})"
            case L.Binary(">>", left, right):
                own = self.width(left)
                a, by = self.members(left, own), self.number(right)
                return self._widened(f"rw_shr{_tail(own)}({a}, {by}, {self.at})", own, n)
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
            case (
                L.Words()
                | L.Local()
                | L.Field()
                | L.TableUse()
                | L.Item()
                | L.Binary()
                | L.Unary()
                | L.Has()
                | L.Compare()
                | L.Between()
                | L.Logic()
                | L.Not()
                | L.Call()
                | L.ListOf()
                | L.Row()
                | L.Sentence()
            ):
                pass
            case _:
                assert_never(e)
        if not is_set(self.real_type(e)):
            return self._widened(f"(uint64_t){self.number(e)}", 1, n)
        text = self.call(e) if isinstance(e, L.Call) else self.lvalue(e)
        own = K.words(self.real_type(e))
        return self._widened(f"(uint64_t){text}" if own == 1 else text, own, n)

    def _one(self, place: L.Expr, n: int) -> str:
        if isinstance(place, L.Number) and 0 <= place.value < K.WORD_BITS * n:
            return K.set_literal(1 << place.value, n)
        return f"rw_one{_tail(n)}({self.number(place)}, {self.at})"

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
                return f"rw_up_to{_tail(n)}({self.number(args[0])})"
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
                    kinds += f", {self.column(args[0], args[2])}"
                text = f"{short}{_tail(own)}({zone}, {kind}, {kinds}, {self.at})"
                return self._widened(text, own, n)
            case "union":
                own = max(self.width(args[0]), self.width(args[1]))
                a, b = self.members(args[0], own), self.members(args[1], own)
                kinds = self.number(args[2])
                if own == 1:
                    kinds += f", {self.column(args[0], args[2])}"
                return self._widened(f"rw_union{_tail(own)}({a}, {b}, {kinds})", own, n)
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
        return self._widened(f"(uint64_t){self.help_number(e, name, args)}", 1, n)


def _tail(words: int) -> str:
    """How the name of a function of the runtime ends, for sets of so many words."""
    return "" if words == 1 else str(words)


def _is_complement(e: L.Expr) -> bool:
    return isinstance(e, L.Unary) and e.op == "~"
