"""What is asked for → the cases to measure: every engine, the yardstick, and the packages that people would use instead."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.bench.environments import (
    PEERS,
    Unavailable,
    compile_engine,
    compile_limit,
    compile_yardstick,
    environment,
    is_ready,
)
from rulewright.engines import GENERATED, games

HERE = Path(__file__).parent
# the game that the yardstick plays
YARDSTICK_GAME = "yspahan"
# groups of cases, in the order in which they are shown
GROUPS = ("calls", "inside", "playouts", "peers")


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to measure."""

    name: str
    group: str
    subject: str
    args: dict[str, Any]
    python: str = sys.executable
    # what the case is for the targets: ours, yardstick or the package
    who: str = "ours"

    def order(self, seconds: float) -> str:
        path = str(HERE / f"subject_{self.subject}.py")
        return json.dumps({"subject": path, "args": self.args, "seconds": seconds})


@dataclass(slots=True)
class Plan:
    cases: list[Case] = field(default_factory=list)
    # what is left out, and why
    skipped: dict[str, str] = field(default_factory=dict)


def player_counts(game: str) -> list[int]:
    """The player counts of a game whose engines are committed without a variant."""
    names = (p.stem for p in (GENERATED / game).glob("p*.json"))
    return sorted(int(name[1:]) for name in names if name[1:].isdigit())


def engine_cases(native: bool) -> list[Case]:
    out = []
    for way in ("calls", "inside", "playouts"):
        for game in games():
            for players in player_counts(game):
                args = {"game": game, "players": players, "native": native, "way": way}
                out.append(Case(f"{game} {players}{_tag(native)}", way, "engine", args))
    return out


def _tag(native: bool) -> str:
    return " native" if native else ""


def yardstick_cases(path: Path, native: bool) -> list[Case]:
    out = []
    for way in ("calls", "inside"):
        for players in (3, 4):
            args = {"path": str(path), "players": players, "native": native, "way": way}
            name = f"yardstick {players}{_tag(native)}"
            out.append(Case(name, way, "yardstick", args, who="yardstick"))
    return out


def limit_cases(path: Path) -> list[Case]:
    """A hand-written engine in C: nobody expects to be faster."""
    return [
        Case(f"limit {n}", "inside", "limit", {"path": str(path), "players": n}, who="limit")
        for n in (3, 4)
    ]


# OpenSpiel's games in C++: of several players, or with chance and hidden information
CPP_GAMES: tuple[tuple[str, dict[str, int]], ...] = (
    ("backgammon", {}),
    ("crazy_eights", {"players": 4}),
    ("euchre", {}),
    ("gin_rummy", {}),
    ("hanabi", {"players": 4}),
    ("hearts", {}),
    ("oh_hell", {"players": 4}),
    ("skat", {}),
    ("spades", {}),
)
_PEER_GAMES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "catanatron": [(f"catan {n}", {"players": n}) for n in (2, 3, 4)],
    "open_spiel": [
        *((name, {"game": name, "parameters": options}) for name, options in CPP_GAMES),
        ("python_team_dominoes", {"game": "python_team_dominoes"}),
    ],
    "rlcard": [
        ("doudizhu", {"game": "doudizhu"}),
        ("gin-rummy", {"game": "gin-rummy"}),
        ("leduc-holdem", {"game": "leduc-holdem"}),
        ("mahjong", {"game": "mahjong"}),
        ("uno", {"game": "uno"}),
    ],
    "pettingzoo": [
        ("connect_four", {"game": "connect_four_v3"}),
        ("hanabi", {"game": "hanabi_v5"}),
        ("texas_holdem", {"game": "texas_holdem_v4"}),
    ],
}


def peer_cases(peer: str, python: Path) -> list[Case]:
    return [
        Case(f"{peer} {name}", "peers", peer, args, str(python), who=peer)
        for name, args in _PEER_GAMES[peer]
    ]


def make_plan(
    yardstick: Path | None,
    limit: Path | None,
    only: Sequence[str],
    work: Path,
    tell: Callable[[str], None],
) -> Plan:
    """The cases whose group or name holds one of the words, with all that they need made ready."""
    plan = Plan()

    def wanted(case: Case) -> bool:
        return not only or any(word in f"{case.group} {case.who} {case.name}" for word in only)

    plan.cases += filter(wanted, engine_cases(False))
    native = list(filter(wanted, engine_cases(True)))
    if native:
        try:
            _compile(native, tell)
            plan.cases += native
        except Unavailable as error:
            plan.skipped["native engines"] = str(error)
    if yardstick is None:
        if any(wanted(case) for case in yardstick_cases(HERE, False)):
            plan.skipped["yardstick"] = "give the file of a hand-written engine with --yardstick"
    else:
        plan.cases += filter(wanted, yardstick_cases(yardstick, False))
        hand = list(filter(wanted, yardstick_cases(yardstick, True)))
        if hand:
            try:
                tell("compiling the yardstick")
                built = compile_yardstick(yardstick, work)
                plan.cases += filter(wanted, yardstick_cases(built, True))
            except Unavailable as error:
                plan.skipped["yardstick native"] = str(error)
    if limit is None:
        if any(wanted(case) for case in limit_cases(HERE)):
            plan.skipped["limit"] = "give the file of a hand-written engine in C with --limit"
    elif any(wanted(case) for case in limit_cases(limit)):
        try:
            tell("compiling the engine in C")
            plan.cases += filter(wanted, limit_cases(compile_limit(limit, work)))
        except Unavailable as error:
            plan.skipped["limit"] = str(error)
    for peer in PEERS:
        if not any(wanted(case) for case in peer_cases(peer, HERE)):
            continue
        try:
            if not is_ready(peer):
                tell(f"installing {peer} in an environment of its own")
            python = environment(peer)
            plan.cases += filter(wanted, peer_cases(peer, python))
        except Unavailable as error:
            plan.skipped[peer] = str(error)
    return plan


def _compile(cases: Sequence[Case], tell: Callable[[str], None]) -> None:
    """Compile the engines that the cases need, unless that has been done."""
    for game, players in dict.fromkeys((c.args["game"], c.args["players"]) for c in cases):
        tell(f"native engine of {game} for {players}")
        compile_engine(game, players)
