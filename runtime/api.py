"""placeholder"""
from typing import Any
from rulewright.runtime.bits import members
def actions(mask: int, offset: int) -> list[int]:
    return [offset + i for i in members(mask)]
def illegal(game: Any, s: Any, a: int) -> Exception:
    return ValueError(a)
def apply_full(game, s, v): ...
