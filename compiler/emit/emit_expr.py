"""Typed expressions → Python expressions; what needs statements (loops over domains) is written before."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.loop_bounds import longest_walk
from rulewright.compiler.core.types import (
    BoolT,
    IntT,
    KindT,
    MapT,
    SetT,
    Type,
    count_of,
    low_of,
)
from rulewright.compiler.emit import emit_calls as calls
from rulewright.compiler.emit import emit_over as over
from rulewright.compiler.emit import emit_tests as tests
from rulewright.compiler.emit.emit_checks import checked_call
from rulewright.compiler.emit.emit_tables import Tables
from rulewright.compiler.emit.emit_words import (
    AND,
    ATOM,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    COMPARE,
    NOT,
    OR,
    SHIFT,
    SUM,
    TERM,
    TERNARY,
    UNARY,
    python_type,
)
from rulewright.compiler.emit.layout import Layout, is_wide
from rulewright.compiler.emit.names import python_name
from rulewright.compiler.emit.writer import Writer

_BINARY = {"+": SUM, "-": SUM, "*": TERM, "//": TERM, "%": TERM}


class Body:
    """One Python function being written: its lines, the names of locals, the functions it may call."""

    def __init__(
        self,
        layout: Layout,
        tables: Tables,
        slots: dict[int, str],
        aliases: dict[int, int] | None = None,
    ) -> None:
        self.out = Writer()
        self.layout = layout
        self.tables = tables
        self.slots = slots
        self.aliases = aliases or {}
        # short functions are laid in and short loops written out; the full flavour keeps them for its counters
        self.inline = True
        # how many functions and procedures are being laid into each other, and the room left for them
        self.levels = 0
        self.room = 0
        self.names = tables.names.inner(("s", "m", "x", "low", "_"))
        self.locals: dict[int, str] = {}
        self.annotated: set[str] = set()

    # see emit_calls
    call = calls.call
    inlined = calls.inlined
    code_call = calls.code_call
    can_run = calls.can_run
    # see emit_tests
    cond = tests.cond
    test = tests.test
    some_of = tests.some_of
    size_test = tests.size_test
    # going over domains: see emit_over
    unrolled = over.unrolled
    loop_over = over.loop_over
    mask_of_comp = over.mask_of_comp
    few = over.few
    loop = over.loop
    comp = over.comp
    filter = over.filter
    extreme = over.extreme
    ordered = over.ordered

    # ------------------------------------------------------------ locals

    def local(self, local: C.Local) -> str:
        number = self.aliases.get(local.number, local.number)
        if number not in self.locals:
            self.locals[number] = self.temp(python_name(local.name))
        return self.locals[number]

    def load(self, local: C.Local, slot: str) -> None:
        """A local that lives in the state across decisions, under its name again."""
        text = f"s.{slot} != 0" if isinstance(local.type, BoolT) else f"s.{slot}"
        self.assign(self.local(local), text, local.type)

    def slot(self, local: C.Local) -> str | None:
        return self.slots.get(self.aliases.get(local.number, local.number))

    def temp(self, wish: str) -> str:
        """A name that neither this function nor the module uses yet."""
        return self.names.new(wish)

    def assign(self, name: str, value: str, type_: Type) -> None:
        """name = value, with a type where the name first appears."""
        if name in self.annotated:
            self.out.line(f"{name} = {value}")
            return
        self.annotated.add(name)
        # one name serves all options of a function, narrow and wide ones
        shown = "int" if name == "m" and self.layout.opts_wide else python_type(type_)
        self.out.line(f"{name}: {shown} = {value}")

    def define(self, local: C.Local, value: str) -> None:
        name = self.local(local)
        if value != name:
            self.assign(name, value, local.type)
        slot = self.slot(local)
        if slot is not None:
            self.out.line(f"s.{slot} = {name}")

    # ------------------------------------------------------------ expressions

    def value(self, e: C.Expr) -> str:
        return self.at(e, TERNARY)

    def atom(self, e: C.Expr) -> str:
        return self.at(e, ATOM)

    def at(self, e: C.Expr, need: int) -> str:
        text, has = self.expr(e)
        return text if has >= need else f"({text})"

    def simple(self, e: C.Expr, wish: str) -> str:
        """The value as a name or number, so that it can be used twice."""
        text, has = self.expr(e)
        if has == ATOM and (text.isidentifier() or text.lstrip("-").isdigit()):
            return text
        name = self.temp(wish)
        self.assign(name, text, e.type)
        return name

    def one(self, index: str, wide: bool) -> str:
        """The set with one member: from a table, because a compiled `1 << n` is only good for half a word."""
        return f"bit({index})" if wide else f"BIT[{index}]"

    def bit(
        self, base: tuple[str, int], index: C.Expr, low: int = 0, wide: bool = False
    ) -> tuple[str, int]:
        text = base[0] if base[1] >= SHIFT else f"({base[0]})"
        if isinstance(index, C.Const) and isinstance(index.value, int):
            masked = base[0] if base[1] >= BIT_AND else f"({base[0]})"
            return f"{masked} & {1 << (index.value - low)}", BIT_AND
        shift = self.index(index, low, SUM)
        if wide:
            return f"{base[0] if base[1] >= BIT_AND else f'({base[0]})'} & bit({shift})", BIT_AND
        t = index.type
        if text[0].isdigit() and isinstance(t, KindT | IntT) and (count_of(t) or 64) > 32:
            # compiled, a number that is written out has half a word to be shifted in
            return f"{text} & BIT[{shift}]", BIT_AND
        return f"{text} >> {shift} & 1", BIT_AND

    def contains(self, item: C.Expr, domain: C.Expr) -> tuple[str, int]:
        t = domain.type
        low = low_of(t.element) if isinstance(t, SetT) else 0
        if isinstance(domain, C.Op) and domain.op == "zone_kinds":
            return self.bit(self.expr(domain.args[0]), item, low, self.wide_zone(domain.args[0]))
        return self.bit(self.expr(domain), item, low, is_wide(domain.type))

    def wide_zone(self, zone: C.Expr) -> bool:
        return isinstance(zone, C.ZoneUse) and self.layout.by_zone[zone.zone.name].wide

    def index(self, e: C.Expr, low: int, need: int = TERNARY) -> str:
        """The place of a value in a map or set that begins at `low`."""
        if isinstance(e, C.Const) and isinstance(e.value, int):
            return str(e.value - low)
        if low == 0:
            return self.at(e, need)
        return f"({self.at(e, SUM)} - {low})" if need > SUM else f"{self.at(e, SUM)} - {low}"

    def expr(self, e: C.Expr) -> tuple[str, int]:
        match e:
            case C.Const():
                return self.const(e)
            case C.Use(local):
                return self.local(local), ATOM
            case C.Read():
                return self.read(e), ATOM
            case C.ZoneUse():
                return self.zone(e), ATOM
            case C.Column(kind, column, base):
                table = self.tables.column(kind, column)
                return f"{table}[{self.value(base)}]", ATOM
            case C.PieceRead(standing, name, piece):
                return (
                    f"s.{self.layout.by_piece[standing.name, name].name}[{self.value(piece)}]",
                    ATOM,
                )
            case C.Op():
                return self.op(e)
            case C.Call(function, args):
                return self.call(function, args)
            case C.CodeCall():
                return self.code_call(e)
            case C.Comp():
                return self.comp(e)
            case C.CanRun():
                return self.can_run(e)
            case C.Reveal(operand):
                return self.expr(operand)
            case C.Range(low, high):
                return f"range({self.value(low)}, {self.at(high, SUM)} + 1)", ATOM
        raise AssertionError(type(e).__name__)

    def const(self, e: C.Const) -> tuple[str, int]:
        if isinstance(e.value, tuple):
            return self.tables.constant_list(e.value), ATOM
        if isinstance(e.type, BoolT):
            return ("True" if e.value else "False"), ATOM
        if isinstance(e.type, SetT) and e.value > 1023:
            return hex(e.value), ATOM
        return str(e.value), ATOM if e.value >= 0 else UNARY

    def read(self, e: C.Read) -> str:
        f = self.layout.by_state[e.var.name]
        if not isinstance(e.var.type, MapT):
            return f"s.{f.name}"
        return f"s.{f.name}[{self.flat(e.var.type, e.keys)}]"

    def flat(self, t: Type, keys: tuple[C.Expr, ...]) -> str:
        """The place in the flat list of nested maps."""
        text = ""
        for i, key in enumerate(keys):
            assert isinstance(t, MapT)
            here = self.index(key, low_of(t.key), SUM)
            if i == 0:
                text = here
            else:
                size = count_of(t.key) or 0
                if text.isdigit() and here.isdigit():
                    text = str(int(text) * size + int(here))
                else:
                    head = text if text.isidentifier() or text.isdigit() else f"({text})"
                    text = f"{head} * {size} + {here}" if here != "0" else f"{head} * {size}"
            t = t.value
        return text

    def zone(self, e: C.ZoneUse) -> str:
        f = self.layout.by_zone[e.zone.name]
        return f"s.{f.name}" if e.owner is None else f"s.{f.name}[{self.value(e.owner)}]"

    # ------------------------------------------------------------ operations

    def op(self, e: C.Op) -> tuple[str, int]:
        name, args = e.op, e.args
        if name in _BINARY:
            level = _BINARY[name]
            if name in ("//", "%"):
                return self.divide(e)
            if name == "*" and grows(e):
                return f"times({self.value(args[0])}, {self.value(args[1])})", ATOM
            return f"{self.at(args[0], level)} {name} {self.at(args[1], level + 1)}", level
        if name in ("==", "!=", "<", "<=", ">", ">="):
            return self.as_bool(self.test(e)) if self._short_test(e) else self.compare(e)
        if name in ("and", "or"):
            return self.logic(e, self.at)
        if name == "not":
            return f"not {self.cond(args[0], NOT)}", NOT
        if name == "if":
            return self.ternary(e)
        if name == "neg":
            return f"-{self.at(args[0], UNARY)}", UNARY
        if name == "is_none":
            return f"{self.at(args[0], BIT_OR)} < 0", COMPARE
        if name in ("min", "max", "abs", "clamp"):
            return self.number(name, args)
        if name == "checked":
            return checked_call(self.value(args[0]), e.type, self.tables.place(e.span)), ATOM
        return self.set_op(e)

    def compare(self, e: C.Op) -> tuple[str, int]:
        return f"{self.at(e.args[0], BIT_OR)} {e.op} {self.at(e.args[1], BIT_OR)}", COMPARE

    def _short_test(self, e: C.Op) -> bool:
        left, right = e.args
        if not isinstance(left, C.Op) or not isinstance(right, C.Const):
            return False
        if left.op == "zone_count":
            return (e.op, right.value) in ((">", 0), ("!=", 0), (">=", 1))
        return left.op in ("size_set", "zone_size") and e.op != "<="

    def as_bool(self, pair: tuple[str, int]) -> tuple[str, int]:
        text, has = pair
        if has in (COMPARE, NOT) or text in ("True", "False"):
            return pair
        return f"{text if has > COMPARE else f'({text})'} != 0", COMPARE

    def divide(self, e: C.Op) -> tuple[str, int]:
        a, b = e.args
        if isinstance(b, C.Const):
            return f"{self.at(a, TERM)} {e.op} {self.at(b, UNARY)}", TERM
        return f"{self.at(a, TERM)} {e.op} {self.at(b, UNARY)}", TERM

    def number(self, name: str, args: tuple[C.Expr, ...]) -> tuple[str, int]:
        if name == "abs":
            n = self.simple(args[0], "n")
            return f"{n} if {n} >= 0 else -{n}", TERNARY
        if name == "clamp":
            a, low, high = (self.simple(x, "n") for x in args)
            return f"{low} if {a} < {low} else {high} if {a} > {high} else {a}", TERNARY
        a, b = (self.simple(x, "n") for x in args)
        sign = "<" if name == "min" else ">"
        return f"{a} if {a} {sign} {b} else {b}", TERNARY

    def logic(self, e: C.Op, how: object) -> tuple[str, int]:
        """and/or; where the right side needs statements these run only if it is looked at."""
        level = AND if e.op == "and" else OR
        left = self.cond(e.args[0], level) if how == self.cond else self.bool_at(e.args[0], level)
        kept = self.out.apart()
        right = (
            self.cond(e.args[1], level + 1)
            if how == self.cond
            else self.bool_at(e.args[1], level + 1)
        )
        aside = self.out.together(kept)
        if not aside:
            return f"{left} {e.op} {right}", level
        name = self.temp("both" if e.op == "and" else "either")
        self.assign(name, self.strict(left), BoolT())
        with self.out.block(f"if {name}:" if e.op == "and" else f"if not {name}:"):
            self.out.lines.extend((d + 1, t, sp) for d, t, sp in aside)
            self.out.line(f"{name} = {self.strict(right)}")
        return name, ATOM

    def bool_at(self, e: C.Expr, need: int) -> str:
        if isinstance(e, C.Op) and e.op in ("and", "or"):
            text, has = self.logic(e, self.at)
        else:
            kept_as_int = isinstance(e, C.Read | C.PieceRead)
            text, has = self.as_bool(self.test(e)) if _is_test(e) or kept_as_int else self.expr(e)
        return text if has >= need else f"({text})"

    def strict(self, text: str) -> str:
        """A text used as a truth value made into one."""
        if text in ("True", "False") or text.isidentifier():
            return text if text in ("True", "False") else f"bool({text})"
        return f"bool({text})"

    def ternary(self, e: C.Op) -> tuple[str, int]:
        test, yes, no = e.args
        t = self.cond(test, OR)
        kept = self.out.apart()
        a = self.at(yes, OR)
        aside_a = self.out.together(kept)
        kept = self.out.apart()
        b = self.at(no, TERNARY)
        aside_b = self.out.together(kept)
        if not aside_a and not aside_b:
            return f"{a} if {t} else {b}", TERNARY
        name = self.temp("picked")
        self.annotated.add(name)
        self.out.line(f"{name}: {python_type(e.type)}")
        with self.out.block(f"if {t}:"):
            self.out.lines.extend((d + 1, x, sp) for d, x, sp in aside_a)
            self.out.line(f"{name} = {a}")
        with self.out.block("else:"):
            self.out.lines.extend((d + 1, x, sp) for d, x, sp in aside_b)
            self.out.line(f"{name} = {b}")
        return name, ATOM

    def set_op(self, e: C.Op) -> tuple[str, int]:
        name, args = e.op, e.args
        match name:
            case "union":
                return f"{self.at(args[0], BIT_OR)} | {self.at(args[1], BIT_XOR)}", BIT_OR
            case "intersect":
                return f"{self.at(args[0], BIT_AND)} & {self.at(args[1], SHIFT)}", BIT_AND
            case "minus":
                if isinstance(args[1], C.Const) and isinstance(args[0].type, SetT):
                    full = (1 << (count_of(args[0].type.element) or 0)) - 1
                    assert isinstance(args[1].value, int)
                    return f"{self.at(args[0], BIT_AND)} & {hex(full & ~args[1].value)}", BIT_AND
                if isinstance(args[0], C.Const) and self._is_full(args[0]):
                    return f"{self.at(args[0], BIT_AND)} & ~{self.at(args[1], UNARY)}", BIT_AND
                return f"{self.at(args[0], BIT_AND)} & ~{self.at(args[1], UNARY)}", BIT_AND
            case "in":
                return self.as_bool(self.contains(args[0], args[1]))
            case "meets":
                if args[0] is args[1]:
                    return f"{self.at(args[0], BIT_OR)} != 0", COMPARE
                return f"{self.at(args[0], BIT_AND)} & {self.at(args[1], SHIFT)} != 0", COMPARE
            case "within":
                return f"not {self.at(args[0], BIT_AND)} & ~{self.at(args[1], UNARY)}", NOT
            case "size_set":
                return f"size({self.value(args[0])})", ATOM
            case "set":
                assert isinstance(e.type, SetT)
                low = low_of(e.type.element)
                wide = is_wide(e.type)
                bits = [self.one(self.index(x, low, SUM), wide) for x in args]
                if len(bits) == 1:
                    return bits[0], ATOM
                return " | ".join(bits) or "0", BIT_OR
            case "first":
                low = low_of(e.args[0].type.element) if isinstance(e.args[0].type, SetT) else 0
                text = f"first({self.value(args[0])})"
                return (text, ATOM) if low == 0 else (f"{text} + {low}", SUM)
            case "the_first":
                low = low_of(args[0].type.element) if isinstance(args[0].type, SetT) else 0
                text = f"first_of({self.value(args[0])}, {self.tables.place(e.span)})"
                return (text, ATOM) if low == 0 else (f"{text} + {low}", SUM)
            case "rest":
                m = self.simple(args[0], "rest")
                return f"{m} & ({m} - 1)", BIT_AND
            case "standing":
                assert e.kind is not None
                return f"s.{self.layout.by_piece[e.kind.name, 'alive'].name}", ATOM
        return self.other_op(e)

    def _is_full(self, e: C.Const) -> bool:
        return isinstance(e.type, SetT) and e.value == (1 << (count_of(e.type.element) or 0)) - 1

    def other_op(self, e: C.Op) -> tuple[str, int]:
        name, args = e.op, e.args
        match name:
            case "list":
                return f"[{', '.join(self.value(x) for x in args)}]", ATOM
            case "at":
                return self.list_at(args)
            case "entry":
                return f"{self.atom(args[0])}[{self.value(args[1])}]", ATOM
            case "size_list":
                return f"len({self.value(args[0])})", ATOM
            case "in_list":
                return f"{self.at(args[0], BIT_OR)} in {self.at(args[1], BIT_OR)}", COMPARE
            case "position":
                return f"position({self.value(args[0])}, {self.value(args[1])})", ATOM
            case "zone_kinds":
                zone = args[0]
                assert isinstance(zone, C.ZoneUse)
                full = (1 << zone.zone.family.kind.size) - 1
                return f"{self.zone(zone)} & {full if full < 1024 else hex(full)}", BIT_AND
            case "zone_size":
                return f"size({self.value(args[0])})", ATOM
            case "zone_count":
                zone = args[0]
                assert isinstance(zone, C.ZoneUse)
                kinds = zone.zone.family.kind.size
                if self.layout.planes[zone.zone.family.name] == 1:
                    text, _ = self.bit(self.expr(zone), args[1], 0, self.wide_zone(zone))
                    return f"1 if {text} else 0", TERNARY
                return f"count({self.zone(zone)}, {self.value(args[1])}, {kinds})", ATOM
            case "distance":
                assert e.kind is not None
                n = len(e.kind.members)
                table = self.tables.distances(e.kind)
                return f"{table}[{self.at(args[0], TERM)} * {n} + {self.at(args[1], SUM)}]", ATOM
            case "walks":
                assert e.kind is not None
                table, width = self.tables.walks(e.kind, longest_walk(e.kind, args[1]))
                steps = self.simple(args[1], "steps")
                return (
                    f"{table}[{self.at(args[0], TERM)} * {width} + {steps}] if 0 <= {steps} < {width} else 0",
                    TERNARY,
                )
            case "next":
                assert isinstance(e.type, KindT)
                return f"({self.at(args[0], SUM)} + 1) % {e.type.size}", TERM
            case "clockwise":
                assert isinstance(args[0].type, KindT)
                return (
                    f"({self.at(args[1], SUM)} - {self.at(args[0], TERM)}) % {args[0].type.size}",
                    TERM,
                )
            case "player":
                return self.expr(args[0])
        raise AssertionError(name)

    def list_at(self, args: tuple[C.Expr, ...]) -> tuple[str, int]:
        items, place = args
        if isinstance(place, C.Const) and isinstance(place.value, int):
            return f"item({self.value(items)}, {place.value})", ATOM
        return f"item({self.value(items)}, {self.value(place)})", ATOM


def grows(e: C.Op) -> bool:
    """A product of numbers without bounds: again and again, it would fill the memory."""
    known = isinstance(e.type, IntT) and None not in (e.type.low, e.type.high)
    return not known and not any(isinstance(x, C.Const) for x in e.args)


def _is_test(e: C.Expr) -> bool:
    return isinstance(e, C.Op) and e.op in ("in", "meets", "not", "and", "or")
