"""Statements and functions of the low-level program → C, one line each. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulewright.compiler.emit import c_types as K
from rulewright.compiler.emit.c_expressions import Expressions
from rulewright.compiler.emit.c_naming import function, local
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.walk_low import statements

_ERRORS = {
    "empty_zone": "RW_EMPTY_ZONE",
    "lost": "RW_LOST",
    "no_extreme": "RW_NO_EXTREME",
    "not_in_list": "RW_NOT_IN_LIST",
    "no_option": "RW_NO_OPTION",
    "nothing_to_roll": "RW_NOTHING_TO_ROLL",
    "too_many_steps": "RW_TOO_MANY_STEPS",
    "list_too_long": "RW_LIST_TOO_LONG",
    "out_of_range": "RW_OUT_OF_RANGE",
}
# rows of a loop of which nothing is known begin with room for so many
_ROWS = 16


class Functions(Expressions):
    """Functions → lines of C."""

    def __init__(self, program: L.Program, longest: int) -> None:
        super().__init__(program, longest)
        self.lines: list[str] = []
        self.result: T.Type | None = None
        # for each loop around the statement being printed: what notes that it was broken off, if anything needs to know
        self.loops: list[str] = []

    # ------------------------------------------------------------ functions

    def head(self, f: L.Function) -> str:
        result = None if isinstance(f.result, T.Rows) else f.result
        params = ["rw_state *s"] if f.state else []
        params += [f"{self.type(p.type)} {local(p.name)}" for p in f.params]
        if isinstance(f.result, T.Rows):
            params.append("rw_rows *out")
        return f"static {self.type(result)} {function(f.name)}({', '.join(params) or 'void'})"

    def function(self, f: L.Function) -> list[str]:
        self.lines, self.result, self.loops = [], f.result, []
        # names are spelled in the letters of Python; clauses and titles are for the Python engine
        self._line(0, self.head(f) + " {")
        if f.keeps:
            self._line(1, "rw_state then = *s; s = &then;")
        for name in self._locals(f):
            self._line(1, name)
        self.block(f.body, 1)
        if f.result is not None and not isinstance(f.result, T.Rows):
            self._line(1, "__builtin_unreachable();")
        self._line(0, "}")
        return self.lines

    def _locals(self, f: L.Function) -> list[str]:
        """Declarations of all locals; C wants them before the first jump."""
        params = {p.name for p in f.params}
        found: dict[str, T.Type] = {}
        for s in statements(f.body):
            if isinstance(s, L.Let) and s.local.name not in params:
                found.setdefault(s.local.name, s.local.type)
            if isinstance(s, L.For) and s.var.name not in params:
                found.setdefault(s.var.name, s.var.type)
        out = []
        for name, t in found.items():
            match t:
                case T.Rows(width, most):
                    room = _ROWS if most is None else max(1, most)
                    out.append(
                        f"int64_t {local(name)}_a[{room * width}]; rw_rows {local(name)} = {{0, {room}, {local(name)}_a}};"
                    )
                case T.Int() | T.Bool():
                    out.append(f"{self.type(t)} {local(name)} = 0;")
                case T.Set() | T.Zone() if K.words(t) == 1:
                    out.append(f"{self.type(t)} {local(name)} = 0;")
                case T.Set() | T.Zone() | T.Items() | T.Array() | T.Text():
                    out.append(f"{self.type(t)} {local(name)};")
                case _:
                    assert_never(t)
        return out

    # ------------------------------------------------------------ statements

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def block(self, body: Sequence[L.Stmt], depth: int) -> None:
        for s in body:
            self.stmt(s, depth)

    def stmt(self, s: L.Stmt, depth: int) -> None:
        self.at = self.place(s.at)
        match s:
            case L.Let(to, L.ListOf((), T.Rows())):
                self._line(depth, f"{local(to.name)}.n = 0;")
            case L.Let(to, value):
                self._line(depth, f"{local(to.name)} = {self.value(value, to.type)};")
            case L.Store(to, value, op):
                self._store(to, value, op, depth)
            case L.Do(L.Call() as call):
                self._line(depth, f"{self.call(call)};")
            case L.Do(call):
                self._line(depth, f"(void){self.number(call)};")
            case L.If(test, body, other):
                self._line(depth, f"if ({self.truth(test)}) {{")
                self.block(body, depth + 1)
                if other:
                    self._line(depth, "} else {")
                    self.block(other, depth + 1)
                self._line(depth, "}")
            case L.For():
                self._for(s, depth)
            case L.Loop(body):
                self._line(depth, "for (;;) {")
                self._inside("", body, depth)
            case L.Break():
                broken = self.loops[-1]
                self._line(depth, f"{{ {broken} = true; break; }}" if broken else "break;")
            case L.Continue():
                self._line(depth, "continue;")
            case L.Return(value):
                self._return(value, depth)
            case L.Raise(error, args):
                self._raise(error, args, depth)
            case L.Append(to, value):
                self._append(to, value, depth)
            case L.Mark():
                pass
            case L.Tell() | L.Hit():
                raise AssertionError("stories and counters are for the full flavour")
            case _:
                assert_never(s)

    def _return(self, value: L.Expr | None, depth: int) -> None:
        if value is None:
            self._line(depth, "return;")
        elif isinstance(self.result, T.Rows):
            assert isinstance(value, L.Local) and isinstance(value.type, T.Rows)
            name, width = local(value.name), value.type.width
            self._line(
                depth,
                f"for (int64_t i = 0; i < {name}.n; i++) memcpy(rw_row(out, {width}), {name}.a + {width} * i, {width} * sizeof(int64_t));",
            )
            self._line(depth, "return;")
        elif self.result is None:
            self._line(depth, "return;")
        else:
            self._line(depth, f"return {self.value(value, self.result)};")

    def _raise(self, error: str, args: Sequence[L.Expr], depth: int) -> None:
        given = [self.number(a) for a in args]
        if error == "empty_zone":
            given += ["-1"] * (3 - len(given))
        if error == "out_of_range" or error == "list_too_long":
            given = [given[0], *given[1:]]
        given += ["0"] * (4 - len(given))
        self._line(depth, f"rw_fail({_ERRORS[error]}, {self.at}, {', '.join(given)});")

    def _append(self, to: L.Local, value: L.Expr, depth: int) -> None:
        if isinstance(to.type, T.Items):
            self._line(depth, self.appended(to, value))
            return
        assert isinstance(value, L.Row) and isinstance(to.type, T.Rows)
        # what a row holds is worked out before room is made for it
        names = [self.fresh("e") for _ in value.items]
        lets = " ".join(
            f"int64_t {n} = {self.number(x)};" for n, x in zip(names, value.items, strict=True)
        )
        row = self.fresh("row")
        puts = " ".join(f"{row}[{i}] = {n};" for i, n in enumerate(names))
        self._line(
            depth,
            f"{{ {lets} int64_t *{row} = rw_row(&{local(to.name)}, {to.type.width}); {puts} }}",
        )

    # ------------------------------------------------------------ places

    def _store(self, to: L.Place, value: L.Expr, op: str, depth: int) -> None:
        t = self.real_type(to)
        if isinstance(to, L.Local):
            given = value if not op else L.Binary(op, to, value, to.type)
            self._line(depth, f"{local(to.name)} = {self.value(given, to.type)};")
            return
        if isinstance(to, L.Field) and to.name == "opts":
            self._options(value, depth)
            return
        match t:
            case T.Array(element, length):
                self._array(self.lvalue(to), element, length, value, depth)
            case T.Items():
                self._line(depth, f"{self.lvalue(to)} = {self.list(value, self.items(t))};")
            case T.Set() | T.Zone():
                self._store_set(to, t, value, op, depth)
            case T.Bool() | T.Int() | T.Rows() | T.Text():
                self._store_number(to, t, value, op, depth)
            case _:
                assert_never(t)

    def _address(self, to: L.Place, c: str, op: str, depth: int) -> tuple[str, int]:
        """The place itself, or a pointer to it where it is read and written."""
        if not op or isinstance(to, L.Field):
            return self.lvalue(to), depth
        name = self.fresh("p")
        self._line(depth, f"{{ {c} *{name} = &{self.lvalue(to)};")
        return f"*{name}", depth + 1

    def _store_number(self, to: L.Place, t: T.Type, value: L.Expr, op: str, depth: int) -> None:
        cell = self.kept(to, t)
        place, inner = self._address(to, cell.c, op, depth)
        if op in ("+", "-"):
            given = f"{'rw_add' if op == '+' else 'rw_sub'}((int64_t){place}, {self.number(value)}, {self.at})"
        elif op:
            given = f"((int64_t){place} {op} {self.number(value)})"
        else:
            given = self.number(value)
        if cell.bits < 64 and not isinstance(value, L.Number if not op else ()):
            low, high = (t.low, t.high) if isinstance(t, T.Int) and t != T.PC else (0, 0)
            given = f"RW_KEEP({cell.c}, {given}, {K.literal(low or 0)}, {K.literal(high or 0)}, {self.at})"
        self._line(inner, f"{place} = {given};")
        if inner > depth:
            self._line(depth, "}")

    def _store_set(
        self, to: L.Place, t: T.Set | T.Zone, value: L.Expr, op: str, depth: int
    ) -> None:
        n, cell = K.words(t), self.kept(to, t)
        place, inner = self._address(to, cell.c, op, depth)
        given = self.members(value, n)
        if n > 1:
            names = {"&": "and", "|": "or", "^": "xor"}
            if op in names:
                given = f"rw_{names[op]}{n}({place}, {given})"
            elif op:
                given = f"rw_{'shl' if op == '<<' else 'shr'}{n}({place}, {self.number(value)}, {self.at})"
            self._line(inner, f"{place} = {given};")
        else:
            if op in ("<<", ">>"):
                given = f"rw_{'shl' if op == '<<' else 'shr'}((uint64_t){place}, {self.number(value)}, {self.at})"
            elif op == "&":
                given = f"{place} & {given}"
            elif op:
                given = f"{place} {op} {given}"
            if cell.bits < 64 and op != "&":
                given = f"RW_KEEP_SET({cell.c}, {given}, {self.at})"
            self._line(
                inner, f"{place} = ({cell.c})({given});" if op == "&" else f"{place} = {given};"
            )
        if inner > depth:
            self._line(depth, "}")

    def _options(self, value: L.Expr, depth: int) -> None:
        """So many words as the decision has; those after them hold what was there before."""
        n = min(self.width(value), K.words(self.fields["opts"].type))
        place, given = "s->x_opts", self.members(value, n)
        if K.words(self.fields["opts"].type) == 1:
            self._line(depth, f"{place} = {given};")
            return
        if n == 1:
            self._line(depth, f"{place}.w[0] = {given};")
            return
        name = self.fresh("o")
        self._line(
            depth,
            f"{{ {self.set_type(n)} {name} = {given}; memcpy({place}.w, {name}.w, sizeof {name}); }}",
        )

    def _array(self, place: str, element: T.Type, length: int, value: L.Expr, depth: int) -> None:
        """A whole array anew, from another one."""
        if isinstance(value, L.Help) and value.name == "copy":
            value = value.args[0]
        source, i = self.lvalue(value), self.fresh("i")
        cell = K.cell(element)
        given = f"{source}[{i}]"
        self._line(
            depth,
            f"for (int {i} = 0; {i} < {length}; {i}++) {place}[{i}] = {given if cell.words > 1 else f'({cell.c}){given}'};",
        )

    def kept(self, to: L.Place, t: T.Type) -> K.Cell:
        """How a place of the state is kept."""
        root: L.Expr = to
        while isinstance(root, L.Item):
            root = root.base
        if isinstance(root, L.Local):
            return K.cell(t)
        assert isinstance(root, L.Field)
        return field_cell(self.fields[root.name])

    # ------------------------------------------------------------ loops

    def _inside(self, broken: str, body: Sequence[L.Stmt], depth: int) -> None:
        self.loops.append(broken)
        self.block(body, depth + 1)
        self.loops.pop()
        self._line(depth, "}")

    def _for(self, s: L.For, depth: int) -> None:
        broken = ""
        if s.other:
            broken = self.fresh("broken")
            self._line(depth, f"{{ bool {broken} = false;")
        self._line(depth, self._over(s))
        if not isinstance(s.over, L.Range | L.Members):
            self._line(depth + 1, self._entry_of(s))
        self._inside(broken, s.body, depth)
        if not isinstance(s.over, L.Range | L.Members):
            self._line(depth, "}")
        if isinstance(s.over, L.Members) and self.width(s.over.set) > 1:
            self._line(depth, "}")
        if s.other:
            self._line(depth, f"if (!{broken}) {{")
            self.block(s.other, depth + 1)
            self._line(depth, "} }")

    def _over(self, s: L.For) -> str:
        var = local(s.var.name)
        match s.over:
            case L.Range(start, stop, step):
                i, end = self.fresh("i"), self.fresh("end")
                go = f"{i} < {end}; {i} += {step}" if step > 0 else f"{i} > {end}; {i} -= {-step}"
                return f"for (int64_t {i} = {self.number(start)}, {end} = {self.number(stop)}; {go}) {{ {var} = {i};"
            case L.Members(members, base):
                n, r = self.width(members), self.fresh("r")
                add = f" + {base}" if base else ""
                if n == 1:
                    return f"for (uint64_t {r} = {self.members(members, 1)}; {r}; {r} &= {r} - 1) {{ {var} = rw_ctz({r}){add};"
                w, at = self.fresh("w"), self.fresh("at")
                begin = f"{{ {self.set_type(n)} {w} = {self.members(members, n)}; int {at} = 0;"
                return f"{begin} for (int64_t {r}; ({r} = rw_take_in({w}.w, {n}, &{at})) >= 0;) {{ {var} = {r}{add};"
            case _:
                # the list as it is when the loop begins
                self.over_list = self.fresh("over")
                items = self.items_of(s.over)
                constant = isinstance(s.over, L.Item | L.TableUse) and isinstance(
                    _root(s.over), L.TableUse
                )
                if constant:
                    begin = f"{{ const {items.c} *{self.over_list} = &{self.lvalue(s.over)};"
                else:
                    begin = f"{{ const {items.c} {self.over_list}_all = {self.whole_list(s.over)}, *{self.over_list} = &{self.over_list}_all;"
                self.over_at = self.fresh("i")
                return f"{begin} for (int32_t {self.over_at} = 0; {self.over_at} < {self.over_list}->n; {self.over_at}++) {{"

    def _entry_of(self, s: L.For) -> str:
        return f"{local(s.var.name)} = {self.over_list}->a[{self.over_at}];"


def _root(e: L.Expr) -> L.Expr:
    while isinstance(e, L.Item):
        e = e.base
    return e


def field_cell(f: L.StateField) -> K.Cell:
    """How a number or set of a field is kept, or one of its entries."""
    t: T.Type = f.type
    if isinstance(t, T.Array):
        t = t.element
    also = tuple(v for v in f.first if isinstance(v, int)) if isinstance(t, T.Int) else ()
    return K.cell(t, (0, *also) if also else ())
