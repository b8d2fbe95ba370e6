"""A game ↔ a replay file: JSON lines, written as the game goes, so that a killed process loses the move under way at most.

The first line says under which rules the game was played and by whom; each further line is a decision, an outcome of chance, an
undo, or the end. There is no seed in it: a file that is handed on while the game goes on tells nothing of what is to come.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from rulewright.chance import begin
from rulewright.engines import load, spec_path
from rulewright.headers import replay as read_header
from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.given import Given, Reading
from rulewright.runtime.hashes import SPEC_ENDINGS
from rulewright.runtime.support import STEPS

Json = dict[str, Any]
# 2: no seed; every outcome of chance is a line
FORMAT = 2


class ReplayError(RulewrightError):
    """A replay file can't be used; the message says why."""


@dataclass(slots=True)
class Header:
    """The first line of a replay."""

    game: str
    players: int
    variants: list[str]
    options: Json
    seats: list[str]
    ruleset: str
    spec: str
    compiler: str

    def to_json(self) -> Json:
        return {
            "rulewright": "replay", "format": FORMAT, "game": self.game, "players": self.players,
            "variants": self.variants, "options": self.options, "seats": self.seats,
            "ruleset": self.ruleset, "spec": self.spec, "compiler": self.compiler,
        }  # fmt: skip

    def load(self) -> Game:
        """The game under the rules that the file was recorded with; other rules are refused."""
        try:
            game = load(self.game, self.players, self.variants, self.options)
        except RulewrightError as error:
            raise ReplayError(f"the game of this replay can't be loaded: {error}") from error
        if game.info["hash"] != self.ruleset:
            raise ReplayError(
                f"this replay was recorded under other rules of {self.game}: ruleset {self.ruleset},"
                f" now it is {game.info['hash']}. Check out the spec it was recorded with to see it"
            )
        return game


def header_of(
    name: str,
    game: Game,
    variants: Sequence[str],
    options: Mapping[str, object],
    seats: Sequence[str],
) -> Header:
    return Header(
        name, game.num_players(), list(variants), dict(options), list(seats),
        game.info["hash"], spec_hash(spec_path(name)), game.info["compiler"],
    )  # fmt: skip


def spec_hash(folder: Path) -> str:
    """A hash of the files of a spec as they stand, comments and all."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.suffix in SPEC_ENDINGS and "scenarios" not in file.parts and file.is_file():
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


# ---------------------------------------------------------------- writing


class Recorder:
    """Appends lines to a replay and flushes each of them."""

    def __init__(self, path: Path, header: Header | None) -> None:
        """A new file with a header, or without one the continuation of a file that was read before."""
        self.path = path
        self.file: IO[bytes]
        try:
            if header is not None:
                self.file = path.open("xb")
                self.write(header.to_json())
            else:
                _cut_to_whole_lines(path)
                self.file = path.open("ab")
        except FileExistsError:
            raise ReplayError(
                f"{path} is there already; name another file, or go on with it by --resume"
            ) from None
        except OSError as error:
            raise ReplayError(f"{path} can't be written: {error.strerror or error}") from error

    def write(self, data: Json) -> None:
        try:
            self.file.write(
                json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            )
            self.file.flush()
        except OSError as error:
            raise ReplayError(
                f"{self.path} can't be written any more: {error.strerror or error};"
                " what it holds can be gone on with by --resume"
            ) from error

    def close(self) -> None:
        self.file.close()


def _cut_to_whole_lines(path: Path) -> None:
    data = path.read_bytes()
    end = data.rfind(b"\n") + 1
    if end < len(data):
        os.truncate(path, end)


# ---------------------------------------------------------------- reading


@dataclass(slots=True)
class Replay:
    """A replay as read: its header, its lines with their numbers, and what had to be said about it."""

    path: Path
    header: Header
    events: list[tuple[int, Json]]
    notes: list[str] = field(default_factory=list)


def read_replay(path: Path) -> Replay:
    """The lines of a file; a cut-off last line is dropped with a note, any other damage is an error."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReplayError(f"{path} can't be read: {error.strerror or error}") from error
    return read_lines(path, data)


def read_lines(path: Path, data: bytes) -> Replay:
    """A replay from what stands in a file; the path is only for what is said about it."""
    notes: list[str] = []
    lines = data.split(b"\n")
    if lines.pop():
        notes.append(f"the last line of {path} is cut off and was dropped")
    rows: list[tuple[int, Json]] = []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
        except (ValueError, UnicodeDecodeError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise ReplayError(
                f"{path}:{number}: this line is damaged" if rows else f"{path} is not a replay"
            )
        rows.append((number, row))
    if not rows:
        raise ReplayError(f"{path} is not a replay: it has no whole line")
    return Replay(path, _header(path, rows[0][1]), _undone(path, rows[1:]), notes)


def _header(path: Path, row: Json) -> Header:
    reading = Reading(f"{path}:1: this header can't be used", ReplayError)
    return Header(**read_header(Given(row, reading), FORMAT))


def _undone(path: Path, rows: list[tuple[int, Json]]) -> list[tuple[int, Json]]:
    """The events that count: an undo takes back the last decisions."""
    out: list[tuple[int, Json]] = []
    for number, row in rows:
        if "undo" not in row:
            out.append((number, row))
            continue
        left = row["undo"]
        if type(left) is not int or left < 1:
            raise ReplayError(f"{path}:{number}: this undo is damaged")
        while left and out and "choice" in out[-1][1]:
            out.pop()
            left -= 1
        if left:
            raise ReplayError(f"{path}:{number}: there is nothing left to undo")
    return out


# ---------------------------------------------------------------- playing


def event_of(state: Any, action: int) -> Json:
    """An action as a line of a replay."""
    data: Json = state.action_to_dict(action)
    if "choice" in data:
        return {"by": state.current_player(), **data}
    return data


def steps(replay: Replay, game: Game) -> Iterator[tuple[Any, Json]]:
    """The states of a replay, each before the event beside it; at last the state that is reached, with {}."""
    state = begin(game)
    decisions = chances = 0
    for number, row in replay.events:
        if state.is_chance_node():
            chances += 1
        else:
            decisions, chances = decisions + 1, 0
        if decisions > game.most_decisions or chances > STEPS:
            raise game.endless(state)
        if "end" in row:
            _check_end(replay, number, row, state)
            break
        yield state, row
        where = f"{replay.path}:{number}"
        try:
            if "by" in row and row["by"] != state.current_player():
                raise ReplayError(
                    f"{where}: seat {row['by']} does not decide here; the replay is damaged"
                )
            action = state.action_from_dict(row)
            if action not in state.legal_actions():
                raise IllegalAction("it is not possible here")
            state.apply_action(action)
        except ReplayError:
            raise
        except (RulewrightError, KeyError, TypeError, ValueError) as error:
            raise ReplayError(
                f"{where}: this line can't be played, the replay is damaged: {error}"
            ) from error
    yield state, {}


def _check_end(replay: Replay, number: int, row: Json, state: Any) -> None:
    scores = row["end"].get("scores") if isinstance(row["end"], dict) else None
    if not state.is_terminal() or scores != state.scores():
        raise ReplayError(
            f"{replay.path}:{number}: the game does not end like this; the replay is damaged"
        )


def end_event(state: Any) -> Json:
    return {"end": {"scores": state.scores(), "ranking": state.ranking()}}
