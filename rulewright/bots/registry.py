"""The words for a bot ("greedy", "mcts:200", a game's own strategy, a user's own bot) → the bot."""

from __future__ import annotations

import difflib
from importlib import metadata
from pathlib import Path
from typing import Any

from rulewright.bots.base import Bot, BotError, Made
from rulewright.bots.basic import GreedyBot, RandomBot
from rulewright.bots.mcts import MctsBot, budget, clock_of
from rulewright.bots.strategies import Book, Strategy, read_book

GROUP = "rulewright.bots"
# bots that never change, to measure others by; they are kept with the benchmarks
FIXED = "fixed-"
BUILT_IN = {
    "random": "any legal action",
    "greedy": "the option after which the position looks best; greedy:20 looks at 20 deals of what is hidden",
    "mcts": "information-set Monte Carlo tree search; mcts:200 with 200 iterations, mcts:2s for two seconds, mcts:2cpu for two of the processor",
}


def make(text: str, game: Any, folder: Path | None = None) -> Bot:
    """A bot by its words, `name` or `name:argument`, for one game; `folder` is the game's spec, for its own strategies."""
    bot = _made(text, game, folder)
    if isinstance(bot, Made):
        bot.words = (text, game, folder)
    return bot


def _made(text: str, game: Any, folder: Path | None) -> Bot:
    name, _, argument = text.strip().partition(":")
    book = book_of(game, folder)
    if name in BUILT_IN:
        return _built_in(name, argument, game, book.search)
    if name in book.strategies:
        return _strategy(book, book.strategies[name], argument, game)
    if name.startswith(FIXED):
        from rulewright.bench.opponents import make_fixed  # only who measures needs them

        return make_fixed(name, argument, game)
    for entry in metadata.entry_points(group=GROUP):
        if entry.name == name:
            return _own(entry, argument, game)
    names = known(game, folder)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise BotError(f"there is no bot {name!r}{hint} (there are {', '.join(names)})")


def known(game: Any, folder: Path | None = None) -> list[str]:
    """The names of all bots for a game."""
    own = [entry.name for entry in metadata.entry_points(group=GROUP)]
    return [*BUILT_IN, *book_of(game, folder).strategies, *sorted(own)]


def book_of(game: Any, folder: Path | None) -> Book:
    if folder is None:
        from rulewright.engines import SPECS

        folder = SPECS / str(game.info["game"])
    return read_book(folder, game)


def _built_in(name: str, argument: str, game: Any, own: Strategy, evaluate: Any = None) -> Bot:
    if name == "random":
        if argument:
            raise BotError(f"the bot random takes no argument, not {argument!r}")
        return RandomBot()
    if name == "greedy":
        if argument and (not argument.isdigit() or not 1 <= int(argument) <= 10_000):
            raise BotError(
                f"greedy:{argument}: the number of deals must be a whole number from 1 to 10000"
            )
        return GreedyBot(game, int(argument or 6), evaluate, own.weights)
    iterations, seconds = budget(argument or "200")
    return MctsBot(
        game,
        iterations,
        seconds,
        evaluate=evaluate,
        weights=own.weights,
        horizon=own.horizon,
        clock=clock_of(argument),
    )


def _strategy(book: Book, strategy: Strategy, argument: str, game: Any) -> Bot:
    if strategy.plays == "weights":
        from rulewright.bots.basic import WeightsBot

        if argument:
            raise BotError(f"the bot {strategy.name} takes no argument, not {argument!r}")
        return WeightsBot(strategy.weights)
    name, _, default = strategy.plays.partition(":")
    evaluate = None
    if strategy.evaluation is not None:
        from rulewright.bots.evaluation import evaluation_of

        evaluate = evaluation_of(book.folder, strategy, game)
    return _built_in(name, argument or default, game, strategy, evaluate)


def _own(entry: metadata.EntryPoint, argument: str, game: Any) -> Bot:
    """A user's bot: the entry point names something to call with the game and the words after the colon."""
    try:
        bot: Bot = entry.load()(game, argument)
    except BotError:
        raise
    except Exception as error:
        raise BotError(
            f"the bot {entry.name} ({entry.value}) could not be made: {error!r}"
        ) from error
    if not callable(getattr(bot, "choose", None)):
        raise BotError(f"the bot {entry.name} ({entry.value}) has no method choose(view, seed)")
    return bot
