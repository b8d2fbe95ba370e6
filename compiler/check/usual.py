"""What the game file says of how large numbers usually get → the state that it speaks of, for observations to be scaled by."""

from __future__ import annotations

from rulewright.compiler.check.scope import Ruleset
from rulewright.compiler.core.types import BadT, IntT, ListT, MapT, OptT, Type
from rulewright.compiler.text.diagnostics import did_you_mean, quoted


def set_usual(r: Ruleset) -> None:
    for name, (most, span) in r.folder.game.usual.items():
        var = r.state.get(name)
        if var is None:
            message = f"there is no state called {quoted(name)}"
            r.error("RW0501", span, message, hint=did_you_mean(name, r.state))
        elif not _has_numbers(var.type):
            message = f"{quoted(name)} holds no number"
            r.error("RW0330", span, message, expected="a state of numbers, e.g. score")
        else:
            var.usual = most


def _has_numbers(t: Type) -> bool:
    while isinstance(t, MapT | ListT | OptT):
        t = t.value if isinstance(t, MapT) else t.element if isinstance(t, ListT) else t.base
    return isinstance(t, IntT | BadT)
