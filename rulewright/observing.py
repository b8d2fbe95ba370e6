"""A game → what writes its observations: the functions are made from what is known of the engine, when first asked for."""

from __future__ import annotations

from typing import Any

from rulewright.compiler.emit.observe_python import observe_text
from rulewright.compiler.observe.observation_layout import layout, spec_of
from rulewright.engines import module_of
from rulewright.runtime.observation import Observer


def observer_of(game: Any, fast: Any) -> Observer:
    """For the states of a game; `fast` is the same game in its fast flavour, which says what stands where."""
    found = layout(fast.info)
    module = module_of(observe_text(game.info, found), f"{game.name}-observe")
    return Observer(game, module, spec_of(found, fast.info, "flat"))
