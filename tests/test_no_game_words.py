"""The compiler, the runtime and the tools know no game: no identifier of a spec is a word in them, but for general words."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import pytest

from rulewright.compiler.build import read_spec
from rulewright.compiler.read.folder import Folder
from rulewright.compiler.read.overlay import resolve, rulesets
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems
from rulewright.engines import SPECS, games

ROOT = Path(__file__).parents[1]
PLACES = ("compiler/**/*.py", "compiler/**/*.lark", "compiler/**/*.j2", "runtime/*.py")

# Identifiers of some spec that are words of the language, of programming or of plain English as well. Each was looked up where
# it stands in the compiler and the runtime, and means there what is said here and nothing of a game.
GENERAL = {
    # the language and the interface
    "in_play": "errors that only show while a game is played",
    "action": "what an engine applies: an int",
    "cards": "pieces in an example of the language",
    "card": "a kind in an example of the language",
    "copies": "how many pieces of a kind there are",
    "drawn": "of a piece that came by draw",
    "effect": "what a function must not have",
    "cell": "of a table",
    "column": "of a table, a grid or a line of text",
    "row": "of a table or a grid",
    "text": "of a file, a message or a member",
    "source": "where something comes from: a file, a zone, a spec",
    "neighbours": "of a member of a graph",
    "neutral": "a participant who is no player; a key of the game file",
    "order": "in which things come",
    "play": "the procedure that is the game",
    "ranking": "the result of `outcome`",
    "team": "seats that win together; a key of the game file",
    "turn": "an example of what state resets at",
    # programming
    "black": "the formatter",
    "build": "making an engine",
    "building": "the same",
    "built": "of an engine or a tree",
    "character": "of a text",
    "closed": "of a bracket",
    "colour": "of a terminal",
    "direction": "of writing: marks that change it",
    "discard": "a method of sets",
    "extend": "a method of lists",
    "final": "typing.Final; the end of a chain of jumps",
    "first": "the lowest bit; the first value",
    "left": "a side of an operator",
    "line": "of a file",
    "main": "the most important part of a message",
    "nearest": "the most similar name",
    "number": "of a block, a local, a line",
    "part": "of a text or a file",
    "pass": "a statement of Python and of the language",
    "place": "in a file; of an expression in another",
    "points": "where a state can stand; code points",
    "reserve": "keep a name from being given twice",
    "right": "a side of an operator; correct",
    "shift": "of bits",
    "slot": "a field of a state for a local",
    "space": "between tokens",
    "start": "where something begins",
    "step": "of a program or a choice",
    "total": "a sum",
    "value": "of an expression",
    "zero": "the number",
    "one": "the number",
    "two": "the number",
    "three": "the number",
    "four": "the number",
    # English
    "above": "higher up in a file",
    "around": "enclosing",
    "claimed": "of pieces that a hidden value stands for",
    "corner": "of a grid",
    "counting": "of bits",
    "front": "in front: before",
    "hand": "at hand; to hand on",
    "laid": "of a variant laid over a folder",
    "large": "of files",
    "looks": "seems; reads",
    "marked": "in the tree: of what has a mark",
    "offer": "give to choose from",
    "owned": "of state that belongs to a seat",
    "power": "a number to the power of another",
    "raised": "of a version number",
    "room": "space for more",
    "second": "a unit of time; the next after the first",
    "shows": "becomes visible",
    "squares": "cells of a grid that is not of hexagons",
    "stake": "STake, the statement that takes a piece away",
    "turned": "of a shape: rotated",
    "turns": "changes into",
    "used": "made use of",
    "worth": "worth doing",
}

# What people touch is general as well: playing, bots, simulations, reports, the command line. The demo names the game that it shows.
TOOLS = tuple(
    f"rulewright/{folder}*.py"
    for folder in (
        "",
        "bots/",
        "cli/",
        "conformance/",
        "play/",
        "report/",
        "scene/",
        "simulate/",
        "web/",
    )
)
EXCEPT = {"rulewright/demo.py"}
GENERAL_IN_TOOLS = {
    "area": "of a plot",
    "blue": "a colour; a seat in the skeleton of a game",
    "book": "of the strategies of a game",
    "box": "a frame around a table",
    "brown": "a colour",
    "centre": "put in the middle",
    "colors": "forced-colors, a feature that a style sheet asks for",
    "faces": "of a die, in the skeleton of a game",
    "facing": "where a piece on a board looks",
    "first_player": "an option in the skeleton of a game",
    "green": "a colour; a seat in the skeleton of a game",
    "orange": "a colour",
    "lying": "of files and things",
    "ordinary": "of a file",
    "pink": "a colour",
    "port": "of an address in the network",
    "red": "a colour; a seat in the skeleton of a game",
    "screen": "of a terminal",
    "sent": "of messages",
    "series": "of values in a plot",
    "setup": "of setuptools; a section in the skeleton of a game",
    "strength": "of a bot",
    "white": "a colour",
    "window": "of a browser",
    "won": "of meetings of bots",
    "winner": "who has won; a clause in the skeleton of a game",
    "yellow": "a colour; a seat in the skeleton of a game",
}


def names_in(thing: object) -> Iterator[str]:
    """The labels of decisions and menus anywhere in a part of a spec."""
    if isinstance(thing, S.Choose | S.Either):
        yield thing.label.text
    if isinstance(thing, S.Either):
        yield from (option.name.text for option in thing.options)
    if isinstance(thing, dict):
        for value in thing.values():
            yield from names_in(value)
    elif isinstance(thing, list | tuple):
        for value in thing:
            yield from names_in(value)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from names_in(getattr(thing, field.name))


def names_of(folder: Folder) -> Iterator[str]:
    """The identifiers that a folder gives to its tables, rows, state, rules, decisions and reasons."""
    yield folder.game.game
    yield from folder.game.reasons
    yield from folder.game.neutral
    yield from folder.constants
    yield from folder.options
    yield from folder.variants
    for table in folder.tables.values():
        yield table.name
        yield from table.columns
        yield from table.rows
    for decl in folder.decls:
        match decl:
            case S.StateVar() | S.Function() | S.Procedure() | S.Invariant():
                yield decl.name.text
            case S.Pieces():
                yield decl.name.text
                yield from (zone.name.text for zone in decl.zones)
                if decl.standing is not None:
                    yield decl.standing.name.text
                    yield from (field.name.text for field in decl.standing.fields)
    yield from names_in(folder.tables)
    yield from names_in(folder.decls)


@cache
def identifiers(game: str) -> frozenset[str]:
    """All of a game's identifiers with at least three letters, whatever the ruleset."""
    spec = read_spec(SPECS / game)
    found = set(names_of(spec.folder))
    for players, variants in rulesets(spec.folder):
        folder = resolve(spec.folder, players, variants, Problems())
        assert folder is not None
        found.update(names_of(folder))
    # 'north.gate.1' is three names, two-players is one; a letter or two mean nothing by themselves.
    parts = {part for name in found for part in re.split(r"[^a-z_]+", snake(name))}
    return frozenset(part for part in parts if len(part.strip("_")) >= 3)


def snake(name: str) -> str:
    """twoWords, TwoWords and two-words as two_words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.replace("-", "_")).lower()


@cache
def words(places: tuple[str, ...] = PLACES) -> dict[str, list[str]]:
    """Every word in these files, and where it stands; parts of longer names are words."""
    found: dict[str, list[str]] = {}
    for pattern in places:
        for file in sorted(ROOT.glob(pattern)):
            if file.relative_to(ROOT).as_posix() in EXCEPT:
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                at = f"{file.relative_to(ROOT)}:{number}"
                for token in re.findall(r"[A-Za-z_]+", line):
                    for word in {snake(token), *snake(token).split("_")}:
                        found.setdefault(word, []).append(at)
    return found


@pytest.mark.parametrize("game", games())
def test_no_word_of_a_game_stands_in_compiler_or_runtime(game: str) -> None:
    known = words()
    found = {name: known[name][:3] for name in sorted(identifiers(game)) if name in known}
    for name in GENERAL:
        found.pop(name, None)
    assert not found, "\n".join(f"{name}: {', '.join(places)}" for name, places in found.items())


@pytest.mark.parametrize("game", games())
def test_no_word_of_a_game_stands_in_the_tools(game: str) -> None:
    known = words(TOOLS)
    reviewed = {*GENERAL, *GENERAL_IN_TOOLS}
    found = {n: known[n][:3] for n in sorted(identifiers(game)) if n in known and n not in reviewed}
    assert not found, "\n".join(f"{name}: {', '.join(places)}" for name, places in found.items())


def test_the_reviewed_words_are_needed() -> None:
    """A word that no spec or no part of the compiler has any more must go from the list."""
    of_specs = frozenset().union(*(identifiers(game) for game in games()))
    assert [word for word in GENERAL if word not in of_specs or word not in words()] == []
    tools = words(TOOLS)
    assert [
        w for w in GENERAL_IN_TOOLS if w not in of_specs or w not in tools or w in GENERAL
    ] == []


def test_a_word_of_a_game_would_be_found() -> None:
    """The search sees table names, rows, state, procedures, labels and reasons of each game."""
    for game in games():
        spec = read_spec(SPECS / game)
        rows = [row for table in spec.folder.tables.values() for row in table.rows]
        rules = [d.name.text for d in spec.folder.decls if isinstance(d, S.Procedure | S.StateVar)]
        assert len(rows) > 20 and len(rules) > 20
        for name in (*rows, *rules, *spec.folder.tables, *spec.folder.game.reasons):
            if re.fullmatch(r"[A-Za-z_]{3,}", name):
                assert snake(name) in identifiers(game)
        labels = set(names_in(spec.folder.decls))
        assert len(labels) > 5 and {snake(label) for label in labels} <= identifiers(game)
