"""A function → names for locals that it has not: none of its own, of the module or of the runtime."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.compiler.low import program as L
from rulewright.compiler.low.machine_types import Type
from rulewright.compiler.low.names import reserved
from rulewright.compiler.low.walk_low import expressions_in, statements


class NewNames:
    """Few functions need any, so what is taken is looked up only then."""

    def __init__(self, f: L.Function) -> None:
        self.f = f
        self.taken: set[str] = set()

    def new(self, wish: str, stem: str = "") -> str:
        """The wish, or its stem with a number behind it."""
        if not self.taken:
            self.taken = {*reserved(), "s", *names_in(self.f)}
        name, times = wish, 1
        while name in self.taken:
            times += 1
            name = f"{stem or wish}_{times}"
        self.taken.add(name)
        return name


def names_in(f: L.Function) -> set[str]:
    """All names that a function uses."""
    taken = {*(p.name for p in f.params), *changed(f.body)}
    for e in expressions_in(f.body):
        if isinstance(e, L.Local | L.TableUse | L.Call | L.Help | L.Number):
            taken.add(e.name)
    return taken


def changed(body: Iterable[L.Stmt]) -> dict[str, Type]:
    """The locals that statements give a value."""
    found: dict[str, Type] = {}
    for s in statements(body):
        match s:
            case (
                L.Let(L.Local() as local) | L.For(L.Local() as local) | L.Store(L.Local() as local)
            ):
                found.setdefault(local.name, local.type)
            case _:  # others: no local gets a value
                pass
    return found
