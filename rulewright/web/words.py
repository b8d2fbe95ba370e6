"""The interface's own words, all of them, so that another language can be added beside them."""

from __future__ import annotations

from rulewright.play.game_over import WORDS as ENDS

ENGLISH = {
    **ENDS,
    # the lobby
    "lobby": "Games",
    "lobby_about": "Choose a game, say who plays, and send the others their links.",
    "your_tables": "Your tables",
    "more_games": "Well-known games",
    "players": "Players",
    "seats": "Who plays",
    "me": "me",
    "invited": "a person, by link",
    "bot": "bot",
    "variants": "Variants",
    "options_of_game": "Options",
    "make_table": "Make the table",
    "open_replay": "Open a recorded game",
    "drop_here": "Drop a replay file here, or choose one:",
    "dropping": "Drop it: the recorded game opens.",
    # the table
    "your_turn": "Your turn",
    "your_turn_of": "{name}, it is your turn",
    "turn_of": "{name} decides",
    "thinks": "{name} is thinking …",
    "over": "The game is over",
    "choose": "What to do",
    "so_far": "So far: {what}.",
    "mark": "Mark what you choose, in any order.",
    "more_marks": "{count} more",
    "confirm": "Choose these",
    "not_together": "These can't be chosen together.",
    "undo": "Take back",
    "clauses": "The rule behind this",
    "story": "What happened",
    "step_of": "step {step} of {last}",
    "live": "Back to the game",
    "before": "One step back",
    "after": "One step on",
    "since": "Show what happened since your last move",
    "links": "Links",
    "link_of": "{name}: send this link to who plays there",
    "own_link": "{name}: your own seat, on another device",
    "copy_link": "Copy",
    "copied": "Copied",
    "person": "person",
    "you": "you",
    "here": "here",
    # the picture, and how it is told to who does not see it
    "decides": "decides",
    "is_you": "{name} (you)",
    "decides_now": "{name}, decides now",
    "touched": "{what}, touched by the last move",
    "free": "free",
    "stands_here": "{what} here",
    "there": "there",
    "man_there": "{name} is there",
    "men_of": "{count} of {name}",
    "man_of": "{what} of {name}",
    "unknown_man": "unknown piece",
    "pips": "dice showing {values}",
    "one_die": "{count} {colour} die of {value}",
    "dice": "{count} {colour} dice of {value}",
    "hidden_ones": "{count} hidden",
    "away": "away",
    "table": "Table",
    "points": "points",
    "rank": "place",
    "outcome": "outcome",
    "won": "won",
    "lost": "lost",
    "total": "total",
    "result": "How it ended",
    "course": "The course of scores",
    "hand_to_bot": "Give this seat to a bot",
    "take_seat": "Play this seat again",
    "at_screen": "{name} is at the screen",
    "hand_over": "{name} decides. Others look away, please.",
    "ahead": "All choose at the same time. You need not wait for the others.",
    "chosen": "You have chosen. Waiting for the others.",
    "replay": "Go through the game",
    "download": "Download the game",
    "to_lobby": "All games",
    "picture": "The board",
    "enlarge": "Enlarge",
    "panel": "Your move",
    "keys_help": "Keys: arrows or Tab move, Enter takes, a number chooses an option, c confirms what is marked, u takes back, [ and ] go through the steps, ? asks for the rule, Esc closes.",
    # the replay
    "slider": "Step",
    "play": "Play",
    "pause": "Pause",
    "first": "To the beginning",
    "last": "To the end",
    "eyes": "Seen by",
    "everybody": "everybody",
    "jump": "Jump to",
    "turn_at": "{name}, step {step}",
    "advise": "What would mcts do here?",
    "continue": "Go on from here at a new table",
    "advice": "{share} %",
    "thinking": "thinking …",
    # connection
    "connecting": "Connecting …",
    "offline": "The connection is down. Trying again …",
    # answers
    "stale": "The game has gone on since: look again.",
    "not_yours": "It is not your turn.",
    "not_seated": "You are watching; only who sits at a seat can do that.",
    "not_possible": "That is not possible now: {why}",
    "possible": "That is possible: choose it.",
    "not_asked": "That is not asked now; the question is: {question}.",
    "no_clause": "The rules cite no clause for this.",
    "in_the_rules": "in the rules: {text}",
    "undo_nothing": "There is nothing to take back.",
    "undo_other": "Somebody else has decided since; that can't be taken back.",
    "undo_chance": "Not beyond a roll, a draw or a reveal: what was learnt can't be unlearnt.",
    "too_fast": "Slower, please.",
    "bad_message": "That was not understood.",
    "not_written": "That could not be written down and does not count. Try again.",
    "engine": "The rules of this game have a mistake here: {text}",
    "not_away": "{name} has not been away for long enough.",
    "no_such_bot": "There is no such bot.",
    "not_over": "That can be seen when the game is over.",
    "no_advice": "There is nothing to decide here.",
    "bot_failed": "A bot gave no answer; a random move was made for it.",
    "advice_failed": "The search gave no answer.",
    # refusals
    "not_found": "There is no such page or table.",
    "wrong_link": "This link leads to no seat.",
    "wrong_origin": "This was not asked from one of our own pages.",
    "too_many": "Too many at once. Try again in a while.",
    "full": "There is no room for another table.",
    "too_large": "That is too large.",
    "stops": "The server is being stopped.",
    "wrong_form": "This form can't be used: {why}",
    "wrong_replay": "This file can't be opened: {why}",
}  # fmt: skip


def say(key: str, **values: object) -> str:
    return ENGLISH[key].format(**values)


# how strong the bots are that every game has
STRENGTHS = {
    "random": "random moves", "greedy": "easy", "mcts:50": "medium", "mcts:200": "strong", "mcts:1000": "very strong",
}  # fmt: skip


def bot_name(words: str) -> str:
    """A bot and how strong it is; a strategy of the game goes by its own name."""
    strength = STRENGTHS.get(words)
    return words if strength is None else f"{strength} ({words})"


# what the client needs to say by itself
CLIENT = (
    "connecting", "offline", "your_turn", "copied", "play", "pause", "thinking", "dropping", "step_of", "enlarge",
)  # fmt: skip
