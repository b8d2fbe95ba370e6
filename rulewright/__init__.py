"""Rulewright: board-game rules as source code.

`load` gives a game that comes with the package, `compile` one from a spec's folder. Importing this does not load the compiler.
"""

from __future__ import annotations

from rulewright.engines import UnknownGame, compile, games, load
from rulewright.runtime.bot import Bot
from rulewright.runtime.errors import EngineError, IllegalAction, RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.state import State
from rulewright.runtime.view import View

__version__ = "0.1.0"

__all__ = [
    "Bot",
    "EngineError",
    "Game",
    "IllegalAction",
    "RulewrightError",
    "State",
    "UnknownGame",
    "View",
    "compile",
    "games",
    "load",
]
