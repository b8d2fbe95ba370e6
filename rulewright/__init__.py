"""Rulewright: board-game rules as source code.

`load` gives a game that comes with the package, `compile` one from a spec's folder. Importing this does not load the compiler.
"""

from __future__ import annotations

from rulewright.engines import UnknownGame, compile, games, load
from rulewright.runtime.errors import EngineError, IllegalAction, RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.view import View

__version__ = "0.1.0"

__all__ = [
    "EngineError",
    "Game",
    "IllegalAction",
    "RulewrightError",
    "UnknownGame",
    "View",
    "compile",
    "games",
    "load",
]
