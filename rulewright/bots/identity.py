"""The words for a bot and a game → a hash of all that decides how it plays, beside the rules and the seed.

Results can be repeated from the ruleset's hash, the bots with their arguments and hashes, and the seed. The hash holds the code that the bot runs, what the
spec says for it in bots.yaml, and its words. The heuristic that bots judge by is one of the rules, and in the ruleset's hash.
"""

from __future__ import annotations

import inspect
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from rulewright.bots import basic, judge, mcts, search
from rulewright.bots.registry import BUILT_IN, FIXED, GROUP, book_of
from rulewright.bots.strategies import Strategy
from rulewright.runtime.hashes import hash_of

_CODE = {"random": (basic,), "greedy": (basic, judge, search), "mcts": (mcts, judge, search)}
_SHORT = 16


def bot_hash(text: str, game: Any, folder: Path | None = None) -> str:
    """The hash of a bot that can be made; one that is not known has the hash of its words."""
    words = text.strip()
    name, _, _argument = words.partition(":")
    book = book_of(game, folder)
    parts: list[str | bytes] = [words]
    if name in BUILT_IN:
        parts += [*_sources(name), *([] if name == "random" else [_data(book.search)])]
    elif name in book.strategies:
        own = book.strategies[name]
        played = own.plays.partition(":")[0]
        parts += [*_sources("random" if played == "weights" else played), _data(own)]
    elif name.startswith(FIXED):
        from rulewright.bench import opponents

        parts.append(_source(opponents))
    else:
        for entry in metadata.entry_points(group=GROUP):
            if entry.name == name:
                made = entry.load()
                module = inspect.getmodule(made) or sys.modules.get(entry.module)
                version = entry.dist.version if entry.dist is not None else ""
                parts += [entry.value, version, _source(module)]
    return hash_of(parts)[:_SHORT]


def _sources(name: str) -> list[str | bytes]:
    return [_source(module) for module in _CODE[name]]


def _source(module: Any) -> bytes:
    """The text of a module; of a compiled one its bytes."""
    file = getattr(module, "__file__", None)
    return Path(file).read_bytes().replace(b"\r\n", b"\n") if file else b""


def _data(strategy: Strategy) -> str:
    return repr((strategy.plays, strategy.weights, strategy.horizon, strategy.text))
