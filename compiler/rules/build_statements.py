"""The parser's raw trees of statements into the syntax tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright.compiler.rules import syntax as s
from rulewright.compiler.rules.build_expressions import Node
from rulewright.compiler.rules.build_texts import TextBuilder
from rulewright.compiler.rules.lark_parser import Raw
from rulewright.compiler.rules.tokenise import Tok
from rulewright.compiler.text.source import Span


class StatementBuilder(TextBuilder):
    """Builds blocks; what is wrong is reported and something put in its place."""

    def block(self, tree: Raw) -> s.Block:
        (stmts,) = trees(tree.children)
        return self.stmts(stmts)

    def suite(self, tree: Raw) -> s.Block:
        (inside,) = trees(tree.children)
        return self.stmts(inside) if inside.data == "stmts" else (self.stmt(inside),)

    def stmts(self, tree: Raw) -> s.Block:
        return tuple(self.stmt(child) for child in trees(tree.children))

    def stmt(self, tree: Raw) -> s.Stmt:
        build = getattr(self, f"stmt_{tree.data.removesuffix('_stmt')}")
        found: s.Stmt = build(self.span(tree), *tree.children)
        return found

    def stmt_let(self, at: Span, name: Tok, value: Node, cites: Raw) -> s.Stmt:
        return s.Let(self.declared(name), self.expr(value), self.cites(cites), at)

    def stmt_var(self, at: Span, name: Tok, type_: Raw, value: Raw | None, cites: Raw) -> s.Stmt:
        first = None if value is None else self.expr(value.children[0])
        return s.Var(self.declared(name), self.type_of(type_), first, self.cites(cites), at)

    def stmt_assign(self, at: Span, target: Node, op: Raw, value: Node, cites: Raw) -> s.Stmt:
        place = self.expr(target)
        if not isinstance(place, s.Ref | s.Attr | s.Index):
            self.problems.error(
                "RW0219",
                self.span(target),
                "this cannot be given a value",
                expected="a variable, or one entry of it such as x[p] or x.field",
            )
        return s.Assign(place, op.children[0].text, self.expr(value), self.cites(cites), at)

    def stmt_run(self, at: Span, call: Node, cites: Raw) -> s.Stmt:
        value = self.expr(call)
        if not isinstance(value, s.Call):
            hint = None
            if isinstance(value, s.Binary) and value.op == "==":
                hint = "to give a variable a value, write '='"
            elif isinstance(value, s.Ref):
                hint = f"to carry out a procedure, write {value.name}(…)"
            self.problems.error(
                "RW0214", self.span(call), "this does nothing", expected="a statement", hint=hint
            )
        return s.Run(value, self.cites(cites), at)

    def stmt_break(self, at: Span, cites: Raw) -> s.Stmt:
        return s.Break(self.cites(cites), at)

    def stmt_continue(self, at: Span, cites: Raw) -> s.Stmt:
        return s.Continue(self.cites(cites), at)

    def stmt_pass(self, at: Span, cites: Raw) -> s.Stmt:
        return s.Pass(self.cites(cites), at)

    def stmt_return(self, at: Span, *parts: Node) -> s.Stmt:
        *value, cites = parts
        return s.Return(self.expr(value[0]) if value else None, self.cites(cites), at)

    def stmt_roll(
        self, at: Span, name: Tok, domain: Node, seen: Node, say: Node, cites: Raw
    ) -> s.Stmt:
        told = self.saying(say)
        by = self.expr(seen.children[0]) if isinstance(seen, Raw) else None
        return s.Roll(self.declared(name), self.expr(domain), self.cites(cites), at, told, by)

    def stmt_draw(
        self, at: Span, name: Tok, source: Node, target: Node, lands: Node, say: Node, cites: Raw
    ) -> s.Stmt:
        places = self.expr(source), self.expr(target)
        told, there = self.saying(say), self.landing(lands)
        return s.Draw(self.declared(name), *places, self.cites(cites), at, told, there)

    def stmt_deal(
        self, at: Span, count: Node, source: Node, target: Node, lands: Node, say: Node, cites: Raw
    ) -> s.Stmt:
        places = self.expr(source), self.expr(target)
        told, there = self.saying(say), self.landing(lands)
        return s.Deal(self.expr(count), *places, self.cites(cites), at, told, there)

    def landing(self, node: Node) -> s.Landing | None:
        """Where in an ordered zone pieces come to lie."""
        if not isinstance(node, Raw):
            return None
        at = self.span(node)
        match node.data:
            case "on_top":
                return s.Landing("top", None, at)
            case "on_bottom":
                return s.Landing("bottom", None, at)
            case "shuffled_in":
                return s.Landing("shuffled", None, at)
            case _:
                return s.Landing("at", self.expr(node.children[0]), at)

    def stmt_shuffle(self, at: Span, zone: Node, cites: Raw) -> s.Stmt:
        return s.Shuffle(self.expr(zone), self.cites(cites), at)

    def saying(self, node: Node) -> s.Said | None:
        """What a chance point or a step of a joint choice says, with its place."""
        if not isinstance(node, Raw):
            return None
        return self.text(node.children[0])

    def stmt_move(
        self,
        at: Span,
        moved: Raw,
        source: Node,
        target: Node,
        lands: Node,
        revealing: Tok | None,
        say: Node,
        cites: Raw,
    ) -> s.Stmt:
        what = [self.expr(child) for child in moved.children]
        by_place = moved.data == "moved_at"
        count = what[0] if len(what) == 2 else None
        kind = what[-1] if what and not by_place else None
        places = self.expr(source), self.expr(target)
        told = self.saying(say)
        if told is not None and revealing is None:
            self.problems.error(
                "RW0216", self.span(say), "'say' cannot stand here: nothing is revealed",
                hint="write a line of its own: tell \"…\"",
            )  # fmt: skip
        openly = revealing is not None
        place, there = what[0] if by_place else None, self.landing(lands)
        return s.Move(count, kind, *places, openly, self.cites(cites), at, told, place, there)

    def stmt_score(self, at: Span, amount: Node, player: Node, reason: Tok, cites: Raw) -> s.Stmt:
        values = self.expr(amount), self.expr(player)
        return s.Score(*values, self.name(reason), self.cites(cites), at)

    def stmt_require(self, at: Span, test: Node, cites: Raw) -> s.Stmt:
        return s.Require(self.expr(test), self.cites(cites), at)

    def stmt_reset(self, at: Span, moment: Tok, cites: Raw) -> s.Stmt:
        return s.Reset(self.name(moment), self.cites(cites), at)

    def stmt_tell(self, at: Span, text: Tok, to: Raw | None, cites: Raw) -> s.Stmt:
        seat = None if to is None else self.expr(to.children[0])
        return s.Tell(self.text(text), seat, self.cites(cites), at)

    def stmt_put(self, at: Span, *parts: Node) -> s.Stmt:
        name, pieces, value, source, *fields, seen_by, cites = parts
        pairs = [(self.name(f.children[0]), self.expr(f.children[1])) for f in fields]
        to: s.Expr | None = None
        if seen_by is not None:
            (seen,) = seen_by.children
            # Nothing written means that nobody sees it, so everybody needs a word of its own.
            is_all = seen.data == "seen_all"
            to = s.Ref("all", self.span(seen)) if is_all else self.expr(seen)
        return s.Put(
            self.declared(name),
            self.name(pieces),
            self.expr(value),
            self.expr(source),
            tuple(pairs),
            to,
            self.cites(cites),
            at,
        )

    def stmt_append(self, at: Span, item: Node, target: Node, cites: Raw) -> s.Stmt:
        items = self.expr(target)
        return s.Change("append", items, self.expr(item), None, self.cites(cites), at)

    def stmt_insert(self, at: Span, item: Node, target: Node, place: Node, cites: Raw) -> s.Stmt:
        parts = self.expr(target), self.expr(item), self.expr(place)
        return s.Change("insert", *parts, self.cites(cites), at)

    def stmt_remove(self, at: Span, item: Node, target: Node, cites: Raw) -> s.Stmt:
        items = self.expr(target)
        return s.Change("remove", items, self.expr(item), None, self.cites(cites), at)

    def stmt_remove_at(self, at: Span, place: Node, target: Node, cites: Raw) -> s.Stmt:
        items = self.expr(target)
        return s.Change("remove", items, None, self.expr(place), self.cites(cites), at)

    def stmt_take(self, at: Span, piece: Node, target: Node, cites: Raw) -> s.Stmt:
        return s.Take(self.expr(piece), self.expr(target), self.cites(cites), at)

    def stmt_show(self, at: Span, piece: Node, to: Node, cites: Raw) -> s.Stmt:
        everybody = isinstance(to, Raw) and to.data == "seen_all"
        seat = None if everybody else self.expr(to)
        return s.Show(self.expr(piece), seat, self.cites(cites), at)

    def stmt_if(self, at: Span, test: Node, cites: Raw, body: Raw, *rest: Raw | None) -> s.Stmt:
        arms = [(self.expr(test), self.suite(body))]
        marks = self.cites(cites)
        other: s.Block = ()
        for arm in trees(rest):
            if arm.data == "else_arm":
                other = self.suite(arm.children[0])
                continue
            condition, more, block = arm.children
            arms.append((self.expr(condition), self.suite(block)))
            marks += self.cites(more)
        return s.If(tuple(arms), other, marks, at)

    def stmt_for(
        self, at: Span, name: Tok, domain: Node, where: Raw | None, cites: Raw, body: Raw
    ) -> s.For:
        test = None if where is None else self.expr(where.children[0])
        over = self.expr(domain)
        marks = self.cites(cites)
        return s.For(self.declared(name), over, test, self.suite(body), False, marks, at)

    def stmt_together(self, at: Span, *parts: Node) -> s.Stmt:
        loop = self.stmt_for(at, *parts)
        return s.For(loop.var, loop.domain, loop.where, loop.body, True, loop.cites, at)

    def stmt_while(self, at: Span, test: Node, cites: Raw, body: Raw) -> s.Stmt:
        return s.While(self.expr(test), self.suite(body), self.cites(cites), at)

    def stmt_loop(self, at: Span, cites: Raw, body: Raw) -> s.Stmt:
        return s.While(None, self.suite(body), self.cites(cites), at)

    # ------------------------------------------------------------ choices

    def stmt_choose(self, at: Span, *parts: Node) -> s.Stmt:
        nodes = [part for part in parts if part is not None]
        pairs = [node for node in nodes if is_a(node, "choose_var")]
        some = next((node for node in nodes if is_a(node, "choose_some")), None)
        by, label = nodes[len(pairs) or 1], nodes[(len(pairs) or 1) + 1]
        named = [(v.children[0], v.children[1]) for v in pairs]
        if some is not None:
            named = [(some.children[1], some.children[2])]
        marks = self.marks(nodes, ("otherwise", "secretly", "if_any", "say", "others", "else_say"))
        self.needs_or(marks)
        (cites,) = (node for node in nodes if is_a(node, "cites"))
        return s.Choose(
            tuple((self.declared(name), self.expr(domain)) for name, domain in named),
            self.expr(by),
            self.name(label),
            self.otherwise(marks),
            "secretly" in marks,
            "if_any" in marks,
            self.said(marks, "say"),
            self.said(marks, "others"),
            (*self.where_beside(nodes), *self.where(nodes)),
            self.cites(cites),
            at,
            self.said(marks, "else_say"),
            self.step_says(pairs),
            None if some is None else self.expr(some.children[0]),
        )

    def where_beside(self, nodes: Sequence[Node]) -> tuple[s.Where, ...]:
        """A condition on the line of the choice itself; the citations there are those of the choice."""
        found = [node for node in nodes if is_a(node, "condition")]
        return tuple(s.Where(self.expr(n.children[0]), (), self.span(n)) for n in found)

    def step_says(self, pairs: Sequence[Raw]) -> tuple[s.Said | None, ...]:
        """The words of each step of a joint choice; nothing at all where no step has any."""
        found = tuple(self.saying(v.children[2]) for v in pairs)
        return found if any(found) else ()

    def needs_or(self, marks: dict[str, Raw]) -> None:
        if "else_say" in marks and "otherwise" not in marks:
            self.problems.error(
                "RW0216", self.span(marks["else_say"]), "'else say' cannot stand here: nobody can decline",
                hint="it is told for the word after `or`: or nothing … else say \"…\"",
            )  # fmt: skip

    def stmt_either(self, at: Span, by: Node, label: Tok, *rest: Node) -> s.Stmt:
        marks = self.marks(rest, ("otherwise", "if_any", "else_say"))
        self.needs_or(marks)
        (cites,) = (node for node in rest if is_a(node, "cites"))
        return s.Either(
            self.expr(by),
            self.name(label),
            self.otherwise(marks),
            "if_any" in marks,
            tuple(self.option(node) for node in rest if is_a(node, "option")),
            self.cites(cites),
            at,
            self.said(marks, "else_say"),
        )

    def option(self, tree: Raw) -> s.Option:
        name, *marked, cites, body = tree.children
        marks = self.marks(marked, ("say", "others"))
        last = body.children[-1]
        return s.Option(
            self.name(name),
            self.said(marks, "say"),
            self.said(marks, "others"),
            self.where(body.children),
            self.stmts(last) if last.data == "stmts" else (self.stmt(last),),
            self.cites(cites),
            self.span(tree),
        )

    def marks(self, nodes: Sequence[Node], allowed: tuple[str, ...]) -> dict[str, Raw]:
        """The words after a choice's label, each at most once."""
        found: dict[str, Raw] = {}
        for node in trees(nodes):
            kind = node.data
            if kind not in _MARKS:
                continue
            if kind not in allowed or kind in found:
                why = "is written twice" if kind in found else "cannot stand here"
                self.problems.error("RW0216", self.span(node), f"'{_MARKS[kind]}' {why}")
            found[kind] = node
        return found

    def said(self, marks: dict[str, Raw], kind: str) -> s.Said | None:
        return self.saying(marks.get(kind))

    def otherwise(self, marks: dict[str, Raw]) -> s.Name | None:
        return self.name(marks["otherwise"].children[0]) if "otherwise" in marks else None

    def where(self, nodes: Sequence[Node]) -> tuple[s.Where, ...]:
        return tuple(
            s.Where(self.expr(node.children[0]), self.cites(node.children[1]), self.span(node))
            for node in trees(nodes)
            if node.data == "where"
        )


_MARKS = {
    "otherwise": "or",
    "secretly": "secretly",
    "if_any": "if any",
    "say": "say",
    "others": "others",
    "else_say": "else say",
}


def trees(nodes: Iterable[Node]) -> Iterator[Raw]:
    return (node for node in nodes if isinstance(node, Raw))


def is_a(node: Node, kind: str) -> bool:
    return isinstance(node, Raw) and node.data == kind
