"""What names mean while a ruleset is checked: the whole ruleset's names, and the scope of one body."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rulewright.compiler import core as C
from rulewright.compiler import syntax as S
from rulewright.compiler.diagnostics import Problems, Related, did_you_mean, quoted
from rulewright.compiler.folder import Folder
from rulewright.compiler.source import Span
from rulewright.compiler.types import Type

BUILTINS = frozenset(
    "min max abs clamp size distance walks clockwise is_player player position possible reveal".split()
)


@dataclass(slots=True)
class Ruleset:
    """All that one resolved folder declares, filled in step by step by the checking passes."""

    folder: Folder
    problems: Problems
    kinds: dict[str, C.Kind] = field(default_factory=dict)
    constants: dict[str, C.Const] = field(default_factory=dict)
    state: dict[str, C.StateVar] = field(default_factory=dict)
    zones: dict[str, C.Zone] = field(default_factory=dict)
    families: dict[str, C.Family] = field(default_factory=dict)
    standing: dict[str, C.Standing] = field(default_factory=dict)
    functions: dict[str, S.Function] = field(default_factory=dict)
    procedures: dict[str, S.Procedure] = field(default_factory=dict)
    checked_functions: dict[str, C.Function] = field(default_factory=dict)
    checked_procedures: dict[str, C.Procedure] = field(default_factory=dict)
    members: dict[str, list[tuple[C.Kind, int]]] = field(default_factory=dict)
    labels: dict[str, Span] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    # functions whose bodies are being checked, innermost last: to find recursion
    active: list[str] = field(default_factory=list)
    next_local: int = 0
    # every function and procedure made, in a stable order
    all_functions: list[C.Function] = field(default_factory=list)
    all_procedures: list[C.Procedure] = field(default_factory=list)
    hooks: dict[str, list[BoundHook]] = field(default_factory=dict)
    cited: dict[str, list[Span]] = field(default_factory=dict)

    def local(self, name: str, type_: Type, *, mutable: bool = False) -> C.Local:
        self.next_local += 1
        return C.Local(name, type_, self.next_local, mutable)

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        expected: str | None = None,
        hint: str | None = None,
        related: Iterable[Related] = (),
    ) -> None:
        self.problems.error(
            code, span, message, expected=expected, hint=hint, related=tuple(related)
        )

    def unknown(self, name: str, span: Span, what: str, candidates: Iterable[str]) -> None:
        self.error(
            "RW0501",
            span,
            f"unknown {what} {quoted(name)}",
            hint=did_you_mean(name, candidates),
        )

    def cite(self, cites: S.Cites) -> C.Cites:
        """The clause ids of citations, each checked against the index."""
        out: list[str] = []
        for c in cites:
            if c.kind != "clause":
                out.append(f"{c.kind}: {c.text}")
                continue
            out.append(c.text)
            self.cited.setdefault(c.text, []).append(c.span)
        return tuple(out)


@dataclass(frozen=True, slots=True)
class BoundHook:
    """A hook of a table row or of a rules file, with what `this` and `when` mean for it."""

    hook: S.Hook
    this: C.Const | None
    owner: str | None  # the parameter of the hook column, e.g. me
    when: S.Expr | None


@dataclass(slots=True)
class Scope:
    """The names of one body. `pure` bodies may not change anything or ask anyone."""

    ruleset: Ruleset
    pure: bool
    owner: str
    names: dict[str, C.Local] = field(default_factory=dict)
    consts: dict[str, C.Expr] = field(default_factory=dict)
    narrowed: dict[int, Type] = field(default_factory=dict)
    parent: Scope | None = None
    loops: int = 0
    result: Type | None = None
    # who may see which way the surrounding conditions went
    secrecy: C.Secrecy = None
    together: str | None = None
    body: BodyFacts = field(default_factory=lambda: BodyFacts())

    def child(self) -> Scope:
        return Scope(
            self.ruleset,
            self.pure,
            self.owner,
            {},
            self.consts,
            dict(self.narrowed),
            self,
            self.loops,
            self.result,
            self.secrecy,
            self.together,
            self.body,
        )

    def find(self, name: str) -> C.Local | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def declare(self, name: S.Name, type_: Type, *, mutable: bool = False) -> C.Local:
        local = self.ruleset.local(name.text, type_, mutable=mutable)
        if self.find(name.text) is not None:
            self.ruleset.error(
                "RW0502", name.span, f"{quoted(name.text)} is already a name in this body",
                hint="give this one another name",
            )  # fmt: skip
        elif name.text in self.ruleset.state or name.text in self.ruleset.constants:
            self.ruleset.error(
                "RW0502", name.span, f"{quoted(name.text)} is already the name of state or a constant",
                hint="give the local another name",
            )  # fmt: skip
        self.names[name.text] = local
        return local

    def visible_names(self) -> list[str]:
        out: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            out.extend(scope.names)
            scope = scope.parent
        r = self.ruleset
        out.extend(self.consts)
        for group in (r.state, r.zones, r.constants, r.kinds, r.members, r.functions, r.procedures, r.standing):
            out.extend(group)  # fmt: skip
        return out

    def type_of(self, local: C.Local) -> Type:
        return self.narrowed.get(local.number, local.type)


@dataclass(slots=True)
class BodyFacts:
    """What is learnt about a body while it is checked."""

    reads_state: bool = False
    secrecy: C.Secrecy = None
