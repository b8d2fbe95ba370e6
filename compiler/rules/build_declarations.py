"""The parser's raw trees of declarations into the syntax tree."""

from __future__ import annotations

from rulewright.compiler.rules import syntax as s
from rulewright.compiler.rules.build_expressions import Node
from rulewright.compiler.rules.build_statements import StatementBuilder, trees
from rulewright.compiler.rules.lark_parser import Raw

_VISIBLE = {"seen_by_owner": "owner", "seen_by_team": "team", "seen_by_nobody": "nobody"}


class TreeBuilder(StatementBuilder):
    """Builds whole declarations and blocks; what is wrong is reported and something put in its place."""

    def rules(self, tree: Raw) -> list[s.Decl]:
        found: list[s.Decl] = []
        for child in trees(tree.children):
            if child.data == "state":
                found += [self.state_var(var) for var in trees(child.children)]
            else:
                found.append(getattr(self, child.data)(child))
        return found

    def hooks(self, tree: Raw) -> tuple[s.Hook, ...]:
        return tuple(self.hook(child) for child in trees(tree.children))

    # ------------------------------------------------------------ declarations

    def state_var(self, tree: Raw) -> s.StateVar:
        name, type_, visible, resets, first, cites = tree.children
        return s.StateVar(
            self.declared(name),
            self.type_of(type_),
            visibility(visible),
            None if resets is None else self.name(resets.children[0]),
            None if first is None else self.expr(first.children[0]),
            self.cites(cites),
            self.span(tree),
        )

    def pieces(self, tree: Raw) -> s.Pieces:
        name, per, kind, copies, cites, *rest = tree.children
        zones = [child for child in trees(rest) if child.data == "zone"]
        standing = [child for child in trees(rest) if child.data == "standing"]
        return s.Pieces(
            self.declared(name),
            self.kind(kind),
            None if per is None else self.kind(per.children[0]),
            self.expr(copies),
            tuple(self.zone(zone) for zone in zones),
            self.standing(standing[0]) if standing else None,
            self.cites(cites),
            self.span(tree),
        )

    def zone(self, tree: Raw) -> s.Zone:
        name, *pers, visible, ordered, full, cites = tree.children
        return s.Zone(
            self.declared(name),
            tuple(self.kind(per.children[0]) for per in trees(pers)),
            visibility(visible),
            full is not None,
            self.cites(cites),
            self.span(tree),
            ordered is not None,
        )

    def standing(self, tree: Raw) -> s.Standing:
        name, limit, *fields = tree.children
        return s.Standing(
            self.declared(name),
            self.expr(limit),
            tuple(self.piece_field(field) for field in trees(fields)),
            self.span(tree),
        )

    def piece_field(self, tree: Raw) -> s.PieceField:
        name, type_ = tree.children
        return s.PieceField(self.declared(name), self.type_of(type_), self.span(tree))

    def function(self, tree: Raw) -> s.Function:
        replaces, is_open, name, params, result, cites, body = tree.children
        marks = self.cites(cites)
        block: s.Block
        if body.data == "function_value":
            value, after = body.children
            block = (s.Return(self.expr(value), span=self.span(value)),)
            marks += self.cites(after)
        else:
            block = self.suite(body)
        return s.Function(
            self.declared(name),
            self.params(params),
            self.type_of(result),
            block,
            is_open is not None,
            replaces is not None,
            marks,
            self.span(tree),
        )

    def procedure(self, tree: Raw) -> s.Procedure:
        replaces, is_open, name, params, result, cites, body = tree.children
        return s.Procedure(
            self.declared(name),
            self.params(params),
            None if result is None else self.type_of(result.children[0]),
            self.suite(body),
            is_open is not None,
            replaces is not None,
            self.cites(cites),
            self.span(tree),
        )

    def hook(self, tree: Raw) -> s.Hook:
        when, target, names, cites, body = tree.children
        marks = self.cites(cites)
        if when.text in ("on", "instead"):
            block, inner = self.hook_value(when.text, body)
            marks += inner
        else:
            block = self.suite(body)
        params = tuple(self.declared(name) for name in names.children if name is not None)
        return s.Hook(when.text, self.name(target), params, block, marks, self.span(tree))

    def hook_value(self, when: str, body: Raw) -> tuple[s.Block, s.Cites]:
        """The one expression that such a hook consists of, and its citations."""
        inside = list(trees(body.children))
        if inside and inside[0].data == "stmts":
            inside = list(trees(inside[0].children))
        if len(inside) == 1 and inside[0].data == "run":
            value, cites = inside[0].children
            result = s.Return(self.expr(value), span=self.span(value))
            return (result,), self.cites(cites)
        hint = "for several statements, write a function and name it here"
        if inside[0].data == "return_stmt":
            hint = "leave out 'return'"
        at = self.span(inside[1] if len(inside) > 1 else inside[0])
        self.problems.error(
            "RW0215",
            at,
            f"after '{when} …:' there must be one expression, the new result, and nothing else",
            hint=hint,
        )
        return (s.Return(s.NoneLit(at), span=at),), ()

    def invariant(self, tree: Raw) -> s.Invariant:
        name, test, cites = tree.children
        return s.Invariant(self.declared(name), self.expr(test), self.cites(cites), self.span(tree))

    def outcome(self, tree: Raw) -> s.Outcome:
        head, keys, cites = tree.children
        var, domain = self.binding(head, "outcome p in Player by …")
        return s.Outcome(var, domain, self.exprs(keys), self.cites(cites), self.span(tree))

    def outcome_together(self, tree: Raw) -> s.Together:
        key, whole, cites = tree.children
        most = None if whole is None else self.expr(whole.children[0])
        return s.Together(self.expr(key), most, self.cites(cites), self.span(tree))

    def heuristic(self, tree: Raw) -> s.Heuristic:
        name, value, cites = tree.children
        return s.Heuristic(
            self.declared(name), self.expr(value), self.cites(cites), self.span(tree)
        )


def visibility(node: Node) -> str:
    return _VISIBLE[node.data] if isinstance(node, Raw) else "all"
