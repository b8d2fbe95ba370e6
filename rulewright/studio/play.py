"""The rules as they are now → a table to play them at; a running game is carried over by replaying its decisions by name."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulewright.play.player_words import choice_text
from rulewright.replay import event_of
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.hashes import SPEC_ENDINGS, hash_of
from rulewright.runtime.support import STEPS
from rulewright.web.app import Server
from rulewright.web.catalogue import Catalogue, Ruleset, read_offer
from rulewright.web.course import PERSON, Course
from rulewright.web.room import Room
from rulewright.web.store import Events, Table

Json = dict[str, Any]
# so many states of the rules are kept, each as a copy of its folder, for tables that are still open
_KEPT = 40


@dataclass(frozen=True, slots=True)
class Carried:
    """How far a game could be carried over: so many decisions, and what did not fit, in words."""

    decisions: int
    of: int
    stopped: str


# ---------------------------------------------------------------- rules as they were


def snapshot(root: Path, shelf: Path, texts: Mapping[str, str] | None = None) -> Path:
    """A copy of the folder, by what is in it; tables go on with the rules that they were begun with. `texts` stand in for the
    files that the folder has now."""
    shelf.mkdir(parents=True, exist_ok=True)
    # copied first, so that what is hashed is what is played, whoever writes meanwhile
    with tempfile.TemporaryDirectory(dir=shelf, prefix=".") as place:
        part = Path(place) / root.name
        shutil.copytree(root, part, ignore=shutil.ignore_patterns(".*", "__pycache__", "scenarios"))
        if texts is not None:
            _put_back(part, texts)
        target = shelf / _hash(part) / root.name
        if not target.is_dir():
            target.parent.mkdir(exist_ok=True)
            with contextlib.suppress(OSError):
                part.rename(target)
    target.parent.touch()
    return target


def _put_back(root: Path, texts: Mapping[str, str]) -> None:
    for file in root.rglob("*.*"):
        if file.suffix in (".yaml", ".rules") and file.relative_to(root).as_posix() not in texts:
            file.unlink()
    for name, text in texts.items():
        if not name.startswith("scenarios/"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text.encode())


def _hash(root: Path) -> str:
    """Of all that a table shows: rules, picture and bots."""
    files = sorted(f for f in root.rglob("*") if f.suffix in SPEC_ENDINGS and f.is_file())
    return hash_of(part for f in files for part in (f.relative_to(root).as_posix(), f.read_bytes()))[:16]  # fmt: skip


def offer_snapshot(catalogue: Catalogue, folder: Path) -> str:
    """A copy becomes a game that tables can be made of; its name in the catalogue."""
    name = f"{folder.name}-{folder.parent.name}"
    catalogue.add(replace(read_offer(str(folder)), name=name))
    return name


def offer_all(catalogue: Catalogue, shelf: Path) -> None:
    """The copies of earlier servers, so that their tables can be opened; old ones go."""
    found = sorted(shelf.glob("*/"), key=lambda p: -p.stat().st_mtime) if shelf.is_dir() else []
    for number, place in enumerate(found):
        # one that begins with a dot was being made when a server was killed
        if number >= _KEPT or place.name.startswith("."):
            shutil.rmtree(place, ignore_errors=True)
            continue
        for folder in place.iterdir():
            if (folder / "game.yaml").is_file():
                with contextlib.suppress(Exception):
                    # one that can't be read any more only loses its tables
                    offer_snapshot(catalogue, folder)


# ---------------------------------------------------------------- tables


async def new_table(
    server: Server,
    shelf: Path,
    root: Path,
    players: int,
    variants: Sequence[str],
    seats: Sequence[str],
    carry: Room | None = None,
    position: Json | None = None,
    texts: Mapping[str, str] | None = None,
) -> tuple[Table, Carried | None]:
    """A table with the rules of the folder as they are now, or as `texts` has them, from the beginning, a position, or where another table is."""
    folder = await asyncio.to_thread(snapshot, root, shelf, texts)
    name = await asyncio.to_thread(offer_snapshot, server.catalogue, folder)
    ruleset = await server.rooms.ruleset(name, players, list(variants), {})
    carried: Carried | None = None
    entries: list[Events] | None = None
    if carry is not None:
        entries, carried = await asyncio.to_thread(carry_over, carry, ruleset)
        seats = list(carry.course.seats)[:players]
        seats += [PERSON] * (players - len(seats))
    elif position is not None:
        course = Course(ruleset.game, seats, ruleset.clock)
        # under other rules than before it is another save: whether it fits them is what loading looks at
        position = {**position, "ruleset": ruleset.game.info["hash"]}
        entries = [(await asyncio.to_thread(course.draft_position, position)).events]
    table = await server.rooms.make(ruleset, seats, entries)
    return table, carried


def carry_over(room: Room, ruleset: Ruleset) -> tuple[list[Events], Carried]:
    """The game of a table under other rules: its decisions by name, with the chance that it had where that still fits."""
    before = _events(room.course)
    decisions = [event for event in before if "choice" in event]
    course = Course(ruleset.game, room.course.seats)
    state: Any = course.state
    entries: list[Events] = [[]]
    rest = list(before)
    done = 0
    stopped = ""
    while True:
        if not _chance(state, rest, entries[-1], course):
            stopped = "the new rules never come to a decision"
            break
        while rest and "choice" not in rest[0]:
            rest.pop(0)  # chance that nothing asks for any more
        if not rest or state.is_terminal():
            break
        event = rest.pop(0)
        problem = _fits(state, event)
        if problem:
            stopped = problem
            break
        state.apply_action(state.action_from_dict(event))
        entries.append([event])
        done += 1
    if rest and not stopped and "choice" in rest[0]:
        stopped = "the game is over there"
    return entries, Carried(done, len(decisions), stopped)


def _events(course: Course) -> list[Json]:
    state: Any = course.at(0)
    out: list[Json] = []
    for step in course.steps:
        for action in step.actions:
            out.append(event_of(state, action))
            state.apply_action(action)
    return out


def _chance(state: Any, rest: list[Json], into: Events, course: Course) -> bool:
    """Let chance happen until somebody decides: as it did before where it can, else anew."""
    for _ in range(STEPS):
        if not state.is_chance_node():
            return True
        action = None
        if rest and "choice" not in rest[0]:
            with contextlib.suppress(RulewrightError, ValueError, KeyError, TypeError):
                found = state.action_from_dict(rest[0])
                if found in state.legal_actions():
                    action = found
                    rest.pop(0)
        if action is None:
            action = course.chance.outcome(state)
        into.append(event_of(state, action))
        state.apply_action(action)
    return False


def _fits(state: Any, event: Json) -> str:
    """Why a decision can't be made again; nothing if it can."""
    words = f"{choice_text(str(event['choice']))}: {str(event.get('value')).replace('_', ' ')}"
    try:
        if "by" in event and event["by"] != state.current_player():
            return f"somebody else decides now ({words})"
        action = state.action_from_dict(event)
    except (RulewrightError, ValueError, KeyError, TypeError):
        return f"there is no such decision now ({words})"
    if action not in state.legal_actions():
        return f"this is not possible now ({words})"
    return ""


def position_of(room: Room) -> Json:
    """The position of a table as a save, which can be changed by hand."""
    found: Json = json.loads(json.dumps(room.course.state.to_dict()))
    return found
