"""What names mean while a ruleset is checked: the whole ruleset's names, and the scope of one body."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rulewright.compiler.check.habits import NAMES
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import FUNCTIONS
from rulewright.compiler.core.types import Type
from rulewright.compiler.read.folder import Folder
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import (
    Problems,
    Related,
    did_you_mean,
    listed,
    nearest,
    number_hint,
    quoted,
)
from rulewright.compiler.text.source import Span

# functions that every spec has; those with a rule of their own beside those of the table of operations
BUILTINS = frozenset([*FUNCTIONS, "size", "fingerprint", "distance", "walks", "is_player", "possible", "reveal", "step", "line", "sight", "region", "turned", "mirrored", "laid"])  # fmt: skip
# those that a spec may have under the same name: its own is meant then
GEOMETRY = frozenset(
    ["fingerprint", "step", "line", "sight", "region", "turned", "mirrored", "laid"]
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
    # zones of pieces that something is wrong with: nothing more is told of them
    spoilt: set[str] = field(default_factory=set)
    standing: dict[str, C.Standing] = field(default_factory=dict)
    functions: dict[str, S.Function] = field(default_factory=dict)
    procedures: dict[str, S.Procedure] = field(default_factory=dict)
    checked_functions: dict[str, C.Function] = field(default_factory=dict)
    checked_procedures: dict[str, C.Procedure] = field(default_factory=dict)
    members: dict[str, list[tuple[C.Kind, int]]] = field(default_factory=dict)
    labels: dict[str, Span] = field(default_factory=dict)
    # the words after `or` of choices, to explain them where they are used as values
    words: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    # functions whose bodies are being checked, innermost last: to find recursion
    active: list[str] = field(default_factory=list)
    next_local: int = 0
    # every function and procedure made, in a stable order
    all_functions: list[C.Function] = field(default_factory=list)
    all_procedures: list[C.Procedure] = field(default_factory=list)
    hooks: dict[str, list[BoundHook]] = field(default_factory=dict)
    # bodies that wait until every name and signature is known, by the procedure's name
    waiting: dict[str, tuple[Scope, S.Block]] = field(default_factory=dict)
    # steps left to work out constants with
    fuel: int = 1_000_000
    # procedures that possible(…) asks about
    asked: set[str] = field(default_factory=set)
    checking: set[str] = field(default_factory=set)
    possible_levels: dict[str, C.Secrecy] = field(default_factory=dict)
    cited: dict[str, list[Span]] = field(default_factory=dict)
    # kinds whose members some rule goes over, and members that are named alone
    whole: set[str] = field(default_factory=set)
    named: set[tuple[str, int]] = field(default_factory=set)
    # tables whose columns of values are read, those whose rows are being made, and columns that wait for functions
    with_columns: set[str] = field(default_factory=set)
    making: list[str] = field(default_factory=list)
    unmade: dict[tuple[str, str], Callable[[], None]] = field(default_factory=dict)
    # functions about boards that were asked for, by their names
    library: dict[str, C.Function] = field(default_factory=dict)
    # what after(…) tries out, with its place
    tried: list[tuple[C.Function, Span]] = field(default_factory=list)
    # in an invariant, which says what holds anyway
    asserting: bool = False

    def all_code(self) -> list[C.Function | C.Procedure]:
        """Every function and procedure, those of tables too."""
        return [*self.all_functions, *self.all_procedures]

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

    def unknown(
        self,
        name: str,
        span: Span,
        what: str,
        candidates: Iterable[str],
        here: list[str] | None = None,
    ) -> None:
        """Report a name; the one it was probably meant to be counts as used. `here`: what has a name at this place alone."""
        # finding near names takes long; what will not be shown needs none
        near = None if self.problems.is_full or name in NAMES else nearest(name, candidates)
        hint = number_hint(name) if near is None else f"did you mean {quoted(near)}?"
        if hint is None and here:
            hint = f"names of this place: {', '.join(list(dict.fromkeys(here))[:8])}"
        hint = NAMES.get(name, hint)
        self.error("RW0501", span, f"unknown {what} {quoted(name)}", hint=hint)
        self.used.add(near or name)

    def lacks(self, owner: str, what: str, name: S.Name, candidates: Iterable[str]) -> None:
        """Report that something has no part of this name, and what parts it has."""
        known = list(candidates)
        near = did_you_mean(name.text, known)
        self.error(
            "RW0501", name.span, f"{owner} has no {what} {quoted(name.text)}",
            expected=listed(known) if known and near is None else None, hint=near,
        )  # fmt: skip

    def unknown_level(self) -> C.Secrecy:
        """Who may see a value of which nothing is known yet: nobody, if anything is hidden at all."""
        state = any(v.visible != "all" for v in self.state.values())
        zones = any(z.visible != "all" for z in self.zones.values())
        return C.NOBODY if state or zones or self.standing else None

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
    loop: LoopFacts | None = None
    result: Type | None = None
    # who may see which way the surrounding conditions went, and where the first hidden one stands
    hidden_by: C.Secrecy = None
    hidden_at: Span | None = None
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
            self.loop,
            self.result,
            self.hidden_by,
            self.hidden_at,
            self.together,
            self.body,
        )

    @property
    def secrecy(self) -> C.Secrecy:
        """Who may see that control comes here: conditions around, and those under which it left before."""
        level = C.join(self.hidden_by, self.body.left)
        loop = self.loop
        while loop is not None:
            level = C.join(level, C.join(loop.skipped, loop.stopped))
            loop = loop.parent
        return level

    @property
    def secret_at(self) -> Span | None:
        """The condition that makes it hidden whether control comes here."""
        found = self.hidden_at or self.body.left_at
        loop = self.loop
        while found is None and loop is not None:
            found, loop = loop.hidden_at, loop.parent
        return found

    def under(self, level: C.Secrecy, at: Span) -> None:
        """What follows in this scope happens only if something went one way."""
        self.hidden_by = C.join(self.hidden_by, level)
        if level is not None and self.hidden_at is None:
            self.hidden_at = at

    def leave(self, how: str) -> None:
        """Control leaves here: what it does not come to then tells of the conditions that led here."""
        level, at = self.secrecy, self.secret_at
        if level is None:
            return
        loop = self.loop
        if how == "return":
            self.body.left = C.join(self.body.left, level)
            self.body.left_at = self.body.left_at or at
            while loop is not None:
                loop.stopped = C.join(loop.stopped, level)
                loop.hidden_at = loop.hidden_at or at
                loop = loop.parent
        elif loop is not None:
            if how == "break":
                loop.stopped = C.join(loop.stopped, level)
            else:
                loop.skipped = C.join(loop.skipped, level)
            loop.hidden_at = loop.hidden_at or at

    def find(self, name: str) -> C.Local | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def declare(self, name: S.Name, type_: Type, *, mutable: bool = False) -> C.Local:
        local = self.ruleset.local(name.text, type_, mutable=mutable)
        local.span = name.span
        if self.find(name.text) is not None:
            self.ruleset.error(
                "RW0502", name.span, f"{quoted(name.text)} is already a name in this body",
                hint="give this one another name",
            )  # fmt: skip
        else:
            r = self.ruleset
            for group, what in (
                (r.state, "state"),
                (r.zones, "a zone"),
                (r.constants, "a constant"),
            ):
                if name.text in group:
                    r.error(
                        "RW0502", name.span, f"{quoted(name.text)} is already the name of {what}",
                        hint="give the local another name",
                    )  # fmt: skip
        self.names[name.text] = local
        return local

    def locals_here(self) -> list[str]:
        out: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            out.extend(scope.names)
            scope = scope.parent
        return out

    def visible_names(self) -> list[str]:
        out = self.locals_here()
        r = self.ruleset
        out.extend((*self.consts, "true", "false", "none"))
        for group in (
            r.state,
            r.zones,
            r.constants,
            r.kinds,
            r.members,
            r.functions,
            r.procedures,
            r.standing,
        ):
            out.extend(group)  # fmt: skip
        return out

    def type_of(self, local: C.Local) -> Type:
        return self.narrowed.get(local.number, local.type)

    def forget(self, local: C.Local) -> None:
        """The variable may be none again, here and after what this scope is inside of."""
        scope: Scope | None = self
        while scope is not None:
            scope.narrowed.pop(local.number, None)
            scope = scope.parent


@dataclass(slots=True)
class BodyFacts:
    """What is learnt about a body while it is checked."""

    reads_state: bool = False
    secrecy: C.Secrecy = None
    # under which hidden conditions it may have been left already
    left: C.Secrecy = None
    left_at: Span | None = None


@dataclass(slots=True)
class LoopFacts:
    """Under which hidden conditions a turn of a loop was cut short, or the loop ended."""

    parent: LoopFacts | None
    skipped: C.Secrecy = None
    stopped: C.Secrecy = None
    hidden_at: Span | None = None


def wrong_count(
    sc: Scope, span: Span, what: str, needed: int, given: int, params: str | None = None
) -> None:
    number = {0: "no arguments", 1: "1 argument"}.get(needed, f"{needed} arguments")
    found = {0: "there is none", 1: "there is 1"}.get(given, f"there are {given}")
    sc.ruleset.error(
        "RW0626",
        span,
        f"{what} takes {number}, here {found}",
        expected=params and f"{what.strip(chr(39))}({params})",
    )
