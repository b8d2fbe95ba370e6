"""The parser's raw trees of expressions and types into the syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from rulewright.compiler.rules import syntax as s
from rulewright.compiler.rules.lark_parser import Raw
from rulewright.compiler.rules.tokenise import Line, Tok
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Span

# Trees, tokens, or None for something left out: which of them stands where only the grammar
# knows, so their types cannot be told here.
Node: TypeAlias = Any

# takes the piece of a line, with its place, and the file
ParseHole: TypeAlias = Callable[[Line, str], s.Expr | None]

MAX_INT = 2**62


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Words that begin or join expressions and statements: no variable, function or state may be
# called so, though members, columns, labels and reasons may.
RESERVED = frozenset(words("""
    true false none not and or if else in is meets within where
    let var return break continue pass elif for while loop together choose either option
    roll draw deal move shuffle score require reset tell put take show append insert remove
    by as to from of with all any possible reveal
    """))

COMP_OPS = ("any", "all", "count", "sum", "min", "max", "union", "best", "sort", "groups")
_ONE_BODY = ("any", "all", "count", "sum", "min", "max", "union")
_COMPARISONS = ("compare", "is_none", "is_some")


class ExpressionBuilder:
    """Builds expressions and types; what is wrong is reported and something put in its place."""

    def __init__(self, file: str, problems: Problems, parse_hole: ParseHole) -> None:
        """`parse_hole` reads the expression inside a text; None when it is none."""
        self.file = file
        self.problems = problems
        self.parse_hole = parse_hole

    # ------------------------------------------------------------ places and names

    def span(self, node: Node) -> Span:
        if isinstance(node, Tok):
            return Span(self.file, node.line, node.column, node.line, node.end_column)
        first, last = node.first, node.last
        return Span(self.file, first.line, first.column, last.line, last.end_column)

    def name(self, token: Tok) -> s.Name:
        return s.Name(token.text, self.span(token))

    def declared(self, token: Tok) -> s.Name:
        """A name that this place brings into being."""
        if token.text in RESERVED:
            self.problems.error(
                "RW0211",
                self.span(token),
                f"'{token.text}' is a word of the language and cannot be used as a name",
                hint=f"call it '{token.text}_', or something else",
            )
        return self.name(token)

    def kind(self, token: Tok) -> s.NamedType:
        return s.NamedType(token.text, self.span(token))

    def cites(self, tree: Raw) -> s.Cites:
        found = []
        for cite in tree.children:
            mark, *reason = cite.children
            kind, text = "clause", mark.text[1:]
            if reason:
                kind, text = text, reason[0].text[1:-1]
            found.append(s.Cite(kind, text, self.span(cite)))
        return tuple(found)

    # ------------------------------------------------------------ expressions

    def expression(self, tree: Raw) -> s.Expr:
        return self.expr(tree.children[0])

    def exprs(self, tree: Raw) -> tuple[s.Expr, ...]:
        return tuple(self.expr(child) for child in tree.children)

    def expr(self, tree: Node) -> s.Expr:
        build = getattr(self, f"expr_{tree.data}")
        found: s.Expr = build(tree, self.span(tree), *tree.children)
        return found

    def expr_number(self, tree: Raw, at: Span, digits: Tok) -> s.Expr:
        # Length first: turning a very long numeral into a number is slow or refused.
        if len(digits.text) > 19 or int(digits.text) > MAX_INT:
            self.problems.error(
                "RW0210", at, "this number is too large", expected=f"at most {MAX_INT}"
            )
            return s.Num(0, at)
        return s.Num(int(digits.text), at)

    def expr_true(self, tree: Raw, at: Span) -> s.Expr:
        return s.Truth(True, at)

    def expr_false(self, tree: Raw, at: Span) -> s.Expr:
        return s.Truth(False, at)

    def expr_none(self, tree: Raw, at: Span) -> s.Expr:
        return s.NoneLit(at)

    def expr_ref(self, tree: Raw, at: Span, name: Tok) -> s.Expr:
        return s.Ref(name.text, at)

    def expr_quoted(self, tree: Raw, at: Span, name: Tok) -> s.Expr:
        return s.Quoted(name.text[1:-1], at)

    def expr_attr(self, tree: Raw, at: Span, base: Node, name: Tok) -> s.Expr:
        return s.Attr(self.expr(base), self.name(name), at)

    def expr_index(self, tree: Raw, at: Span, base: Node, index: Node) -> s.Expr:
        return s.Index(self.expr(base), self.expr(index), at)

    def expr_call(self, tree: Raw, at: Span, func: Node, args: Raw) -> s.Expr:
        if args.data in ("comp_plain", "comp_where"):
            return self.comp(at, func, args)
        target = self.expr(func)
        values = () if args.children[0] is None else self.exprs(args.children[0])
        if isinstance(target, s.Ref) and target.name in ("possible", "reveal"):
            if len(values) == 1:
                return (
                    s.Possible(values[0], at)
                    if target.name == "possible"
                    else s.Reveal(values[0], at)
                )
            self.problems.error(
                "RW0220", at, f"{target.name}(…) takes one argument, not {len(values)}"
            )
        return s.Call(target, values, at)

    def comp(self, at: Span, func: Node, parts: Raw) -> s.Expr:
        """any(x in D where c: e else f) and its sisters."""
        head, *where, inside = parts.children
        keys: Node
        default: Node
        keys, default = (None, None) if inside is None else inside.children
        op = func.children[0].text if func.data == "ref" else ""
        if op == "after":
            return self.after(at, head, where, keys, default)
        if op not in COMP_OPS:
            self.problems.error(
                "RW0213",
                self.span(func),
                "only a few built-in functions go over a domain",
                expected=", ".join(COMP_OPS),
            )
            op = "any"
        var, domain = self.binding(head, f"{op}(x in D: …)")
        body = () if keys is None else self.exprs(keys)
        if not body and op != "count":
            shown = "a value" if op not in ("any", "all") else "a condition"
            self.problems.error(
                "RW0218", at, f"{op}(…) needs ':' and {shown}", expected=f"{op}(x in D where c: e)"
            )
        if len(body) > 1 and op in _ONE_BODY:
            self.problems.error(
                "RW0218", self.span(keys.children[1]), f"{op}(…) takes one value after the ':'"
            )
        if default is not None and op not in ("min", "max"):
            self.problems.error(
                "RW0218",
                self.span(default.children[0]),
                f"{op}(…) has no 'else': only min and max need a value for an empty domain",
            )
        test = self.expr(where[0]) if where else None
        other = None if default is None else self.expr(default.children[0])
        return s.Comp(op, var, domain, test, body, other, at)

    def after(self, at: Span, head: Node, where: list[Node], keys: Node, default: Node) -> s.Expr:
        """after(move(…): value)"""
        values = () if keys is None else self.exprs(keys)
        if where or default is not None or len(values) != 1:
            self.problems.error(
                "RW0218", at, "after(…) takes a call, ':' and one value",
                expected="e.g. after(move_to(p, s): not attacked(p))",
            )  # fmt: skip
        value = values[0] if values else s.Truth(False, at)
        return s.After(self.expr(head), value, at)

    def binding(self, head: Node, shape: str) -> tuple[s.Name, s.Expr]:
        """`x in D`, which the grammar reads as a comparison like any other."""
        if head.data == "compare":
            var, op, domain = head.children
            if var.data == "ref" and [word.text for word in op.children] == ["in"]:
                return self.declared(var.children[0]), self.expr(domain)
        at = self.span(head)
        self.problems.error(
            "RW0212", at, "this must name a variable and what it goes over", expected=shape
        )
        return s.Name("_", at), s.SetLit((), at)

    def expr_set_lit(self, tree: Raw, at: Span, items: Node) -> s.Expr:
        if items is not None and len(items.children) == 1:
            only = items.children[0]
            words = only.children[1].children if only.data == "compare" else ()
            if [word.text for word in words] == ["in"] and only.children[0].data == "ref":
                # {x in D}: there are no sets of truth values that it could be
                return s.SetOf(*self.binding(only, "{x in D}"), None, at)
        return s.SetLit(() if items is None else self.exprs(items), at)

    def expr_list_lit(self, tree: Raw, at: Span, items: Node) -> s.Expr:
        return s.ListLit(() if items is None else self.exprs(items), at)

    def expr_set_of(self, tree: Raw, at: Span, head: Node, where: Node) -> s.Expr:
        return s.SetOf(*self.binding(head, "{x in D where c}"), self.expr(where), at)

    def expr_ternary(self, tree: Raw, at: Span, then: Node, test: Node, other: Node) -> s.Expr:
        return s.Choice(self.expr(test), self.expr(then), self.expr(other), at)

    def expr_or_expr(self, tree: Raw, at: Span, left: Node, right: Node) -> s.Expr:
        return s.Binary("or", self.expr(left), self.expr(right), at)

    def expr_and_expr(self, tree: Raw, at: Span, left: Node, right: Node) -> s.Expr:
        return s.Binary("and", self.expr(left), self.expr(right), at)

    def expr_not_expr(self, tree: Raw, at: Span, operand: Node) -> s.Expr:
        return s.Unary("not", self.expr(operand), at)

    def expr_negative(self, tree: Raw, at: Span, operand: Node) -> s.Expr:
        return s.Unary("-", self.expr(operand), at)

    def expr_compare(self, tree: Raw, at: Span, left: Node, op: Raw, right: Node) -> s.Expr:
        self.check_chain(left, op.start, at)
        words = " ".join(word.text for word in op.children)
        return s.Binary(words, self.expr(left), self.expr(right), at)

    def expr_is_none(self, tree: Raw, at: Span, operand: Node) -> s.Expr:
        self.check_chain(operand, tree.end - 2, at)
        return s.IsNone(self.expr(operand), False, at)

    def expr_is_some(self, tree: Raw, at: Span, operand: Node) -> s.Expr:
        self.check_chain(operand, tree.end - 3, at)
        return s.IsNone(self.expr(operand), True, at)

    def check_chain(self, left: Node, op_pos: int, at: Span) -> None:
        """Refuse a < b < c; positions count tokens, so a bracket between leaves a gap."""
        if left.data in _COMPARISONS and left.end == op_pos:
            self.problems.error(
                "RW0217",
                at,
                "comparisons cannot be chained",
                hint="write 'a < b and b < c', or put one of them in brackets",
            )

    def expr_range(self, tree: Raw, at: Span, low: Node, high: Node) -> s.Expr:
        return s.Binary("..", self.expr(low), self.expr(high), at)

    def expr_sum_expr(self, tree: Raw, at: Span, left: Node, op: Raw, right: Node) -> s.Expr:
        return s.Binary(op.children[0].text, self.expr(left), self.expr(right), at)

    expr_term_expr = expr_sum_expr

    # ------------------------------------------------------------ types

    def type(self, tree: Raw) -> s.TypeExpr:
        return self.type_of(tree.children[0])

    def type_of(self, tree: Node) -> s.TypeExpr:
        at = self.span(tree)
        parts: Sequence[Node] = tree.children
        if tree.data == "option_type":
            return s.OptionType(self.type_of(parts[0]), at)
        if tree.data == "set_type":
            return s.SetType(self.type_of(parts[0]), at)
        if tree.data == "map_type":
            return s.MapType(self.type_of(parts[0]), self.type_of(parts[1]), at)
        if tree.data == "list_type":
            limit = None if parts[1] is None else self.expr(parts[1].children[0])
            return s.ListType(self.type_of(parts[0]), limit, at)
        if tree.data == "range_type":
            return s.RangeType(self.expr(parts[0]), self.expr(parts[1]), at)
        return s.NamedType(parts[0].text, at)

    def params(self, tree: Raw) -> tuple[s.Param, ...]:
        found = []
        for param in tree.children:
            if param is not None:
                name, type_ = param.children
                found.append(s.Param(self.declared(name), self.type_of(type_), self.span(param)))
        return tuple(found)

    def column_type(self, tree: Raw) -> s.ColumnType:
        inside: Node = tree.children[0]
        at = self.span(inside)
        if inside.data == "code_type":
            word, params, result = inside.children
            is_function = word.text == "function"
            if is_function and result is None:
                self.problems.error(
                    "RW0221", at, "a function must say what it gives", expected="'-> type'"
                )
            type_ = None if result is None else self.type_of(result.children[0])
            return s.CodeType(self.params(params), type_, is_function, at)
        if inside.data == "hook_type":
            params, when = inside.children
            return s.HookType(self.params(params), self.expr(when), at)
        return self.type_of(inside)
