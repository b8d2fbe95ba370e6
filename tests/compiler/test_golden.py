"""Tiny games and what the compiler makes of them: data/*.case; UPDATE_GOLDEN=1 writes them anew.

A case is `[case name]`, then sections. What goes in: `[rules]`, and where needed `[tables]`, `[game]` (more lines for
game.yaml), `[variant name]`, `[variant-rules name]` and `[with]` (lines `players 3`, `variants a b`, `option x = 1`).
What comes out: `[core]` (functions and procedures), `[core all]`, `[meaning]`, `[blocks]` (with `chance` where chance
stops, `entries` where every procedure can be entered), `[low]` (with names where only those functions and
tables are shown, `full` for the full flavour, `checking` for a checking engine, `interpreted` for tuned engines), `[python]`. Lines that begin with `--` before the first section
are comments.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rulewright.compiler.check.ruleset import check_game
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.bounds_checks import guard
from rulewright.compiler.core.print_core import print_core
from rulewright.compiler.core.verify_core import check_core
from rulewright.compiler.flow.print_blocks import print_blocks
from rulewright.compiler.flow.to_blocks import to_blocks
from rulewright.compiler.flow.verify_blocks import check_blocks
from rulewright.compiler.low.interpreted import for_interpreter
from rulewright.compiler.low.lower import lower
from rulewright.compiler.low.print_low import print_low
from rulewright.compiler.low.verify_low import verify_low
from rulewright.compiler.read.overlay import resolve
from rulewright.compiler.read.read_folder import read_folder
from rulewright.compiler.text.diagnostics import Problems, render_all
from rulewright.compiler.text.source import Sources

DATA = Path(__file__).parent / "data"
HEADER = re.compile(
    r"\[(rules|tables|game|variant|variant-rules|with|core|meaning|blocks|low|python)((?: \S+)*)\]"
)
CASE = re.compile(r"\[case (\w+)\]")
GIVEN = ("rules", "tables", "game", "variant", "variant-rules", "with")
GAME = """\
game: tiny
title: Tiny
players: [2, 3]
seats: [Blue, Red, Green]
reasons: {points: points}
"""
OUTCOME = "outcome p in Player by score[p]\n"


@dataclass
class Section:
    word: str
    names: list[str]
    text: str = ""

    @property
    def title(self) -> str:
        return f"[{' '.join([self.word, *self.names])}]"


@dataclass
class Case:
    name: str
    comment: str = ""
    sections: list[Section] = field(default_factory=list)

    def text(self, word: str) -> str:
        return "".join(s.text for s in self.sections if s.word == word)

    def of(self, word: str) -> Iterator[Section]:
        return (s for s in self.sections if s.word == word)

    def whole(self) -> str:
        parts = [f"[case {self.name}]\n{self.comment}"]
        parts += [f"{s.title}\n{s.text}" for s in self.sections]
        return "".join(parts)


def read_cases(path: Path) -> list[Case]:
    cases: list[Case] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        case, header = CASE.fullmatch(line), HEADER.fullmatch(line)
        if case:
            cases.append(Case(case[1]))
        elif header:
            cases[-1].sections.append(Section(header[1], header[2].split()))
        elif cases[-1].sections:
            cases[-1].sections[-1].text += f"{line}\n"
        else:
            assert line.startswith("--"), f"{path.name}: {line}"
            cases[-1].comment += f"{line}\n"
    for c in cases:
        for s in c.sections:
            s.text = s.text.rstrip("\n") + "\n"
    return cases


def compiled(case: Case, folder: Path) -> C.Game:
    """The checked game of a case, with no problem but warnings."""
    rules = case.text("rules")
    files = {
        "game.yaml": GAME + case.text("game"),
        "play.rules": rules if "\noutcome " in rules else rules + OUTCOME,
    }
    if case.text("tables"):
        files["tables.yaml"] = case.text("tables")
    for s in case.of("variant"):
        files[f"variants/{s.names[0]}.yaml"] = s.text
    for s in case.of("variant-rules"):
        files[f"variants/{s.names[0]}.rules"] = s.text
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    players, variants, options = settings(case)
    sources, problems = Sources(), Problems()
    found = read_folder(folder, sources, problems, display="tiny")
    laid = None if found is None else resolve(found, players, variants, problems)
    game = None if laid is None else check_game(laid, problems, options)
    text = render_all(problems.errors, sources)
    assert text == ""
    assert game is not None
    return game


def settings(case: Case) -> tuple[int, list[str], dict[str, object]]:
    players, variants = 2, list[str]()
    options: dict[str, object] = {}
    for line in case.text("with").splitlines():
        word, *rest = line.split()
        if word == "players":
            players = int(rest[0])
        elif word == "variants":
            variants = rest
        else:
            assert word == "option" and rest[1] == "=", line
            value = rest[2]
            options[rest[0]] = {"true": True, "false": False}.get(
                value, int(value) if value.isdigit() else value
            )
    return players, variants, options


def outcome_of(section: Section, game: C.Game) -> str:
    """What the compiler makes of a game, as far as the section shows it."""
    chance, entries = "chance" in section.names, "entries" in section.names
    match section.word:
        case "meaning":
            return print_core(game, meaning_only=True)
        case "core":
            text = re.sub(r"  # tiny/\S+:\d+$", "", print_core(game), flags=re.MULTILINE)
            if section.names == ["all"]:
                return text
            parts = [p for p in text.split("\n\n") if p.startswith(("function ", "procedure "))]
            return "\n\n".join(p.rstrip("\n") for p in parts) + "\n"
        case "low":
            return low_text(section.names, game)
        case "blocks":
            return print_blocks(to_blocks(game, chance_stops=chance, all_entries=entries), game)
        case _:
            from rulewright.compiler.emit.module import emit_module

            program = to_blocks(game, chance_stops=False, all_entries=False)
            text = emit_module(game, program, full=False, ruleset_hash="0" * 16, source="tiny").text
            lines = text.split("\n")
            first = next(i for i, line in enumerate(lines) if line.startswith("def "))
            last = next(i for i, line in enumerate(lines) if line.startswith("def run("))
            return "\n".join(lines[first:last]).rstrip("\n") + "\n"


def low_text(names: list[str], game: C.Game) -> str:
    """The functions and tables of the low-level program that are named, or all of it; `full`: of the full flavour."""
    full = "full" in names
    if full:
        guard(game)
    blocks = to_blocks(game, chance_stops=full, all_entries=full)
    program = lower(game, blocks, full=full, checking="checking" in names).program
    if "interpreted" in names:
        program = for_interpreter(program, set())
    text = print_low(program)
    wanted = [name for name in names if name not in ("full", "checking", "interpreted")]
    if not wanted:
        return text
    tables = [f"{name}: " for name in wanted]
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith(tuple(tables))]
    parts = [f"table {line}" for line in lines if line[0].isupper()]
    heads = tuple(f"function {name}(" for name in wanted)
    parts += [p.rstrip("\n") for p in text.split("\n\n") if p.startswith(heads)]
    return "\n\n".join(parts) + "\n"


def update(path: Path) -> None:
    """Write the expectations of a file anew; those of a game with mistakes stay as they are."""
    cases = read_cases(path)
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            try:
                game = compiled(case, Path(folder))
            except AssertionError:
                continue
        for section in case.sections:
            if section.word not in GIVEN:
                section.text = outcome_of(section, game)
    new = path.with_suffix(f".{os.getpid()}")
    new.write_text("\n".join(c.whole() for c in cases), encoding="utf-8")
    new.replace(path)


FILES = sorted(DATA.glob("*.case"))
if os.environ.get("UPDATE_GOLDEN"):
    for file in FILES:
        update(file)
CASES = [(path.stem, case) for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize("case", [c for _, c in CASES], ids=[f"{f}-{c.name}" for f, c in CASES])
def test_case(case: Case, tmp_path: Path) -> None:
    game = compiled(case, tmp_path)
    # trees are kept out of assertions: showing one takes too long
    problems = check_core(game)
    assert problems == []
    for chance in (False, True):
        for entries in (False, True):
            problems = check_blocks(to_blocks(game, chance_stops=chance, all_entries=entries))
            assert problems == []
    for full in (False, True):
        blocks = to_blocks(game, chance_stops=full, all_entries=full)
        program = lower(game, blocks, full=full, checking=not full).program
        problems = verify_low(program)
        if not full:
            problems += verify_low(for_interpreter(program, set()))
        assert problems == []
    expected = [s for s in case.sections if s.word not in GIVEN]
    assert expected
    for section in expected:
        found = outcome_of(section, game)
        assert found == section.text, section.title


def test_there_are_enough_cases() -> None:
    words = [s.word for _, case in CASES for s in case.sections]
    assert words.count("core") + words.count("blocks") >= 30
    assert words.count("python") == 3
    names = [f"{f}-{c.name}" for f, c in CASES]
    assert len(set(names)) == len(names)
