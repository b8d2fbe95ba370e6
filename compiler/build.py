"""A spec → engines: all passes in order, for one player count, set of variants and options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from rulewright.compiler.check.ruleset import Estimates, check_game
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.bounds_checks import guard
from rulewright.compiler.core.print_core import ruleset_hash
from rulewright.compiler.core.walk import statements
from rulewright.compiler.emit.engine import Engine
from rulewright.compiler.flow.blocks import Program
from rulewright.compiler.flow.to_blocks import to_blocks
from rulewright.compiler.read.folder import Folder
from rulewright.compiler.read.overlay import resolve, rulesets
from rulewright.compiler.read.read_folder import read_folder
from rulewright.compiler.read.warnings import Warnings
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, Related, SpecError
from rulewright.compiler.text.source import Sources
from rulewright.runtime.hashes import files_hash, hash_of

VERSION = "0.1"


@dataclass(slots=True)
class Spec:
    """A folder as read, with its files for messages."""

    folder: Folder
    sources: Sources
    problems: Problems = field(default_factory=Problems)
    label: str = ""
    path: Path | None = None


def read_spec(path: Path, display: str | None = None) -> Spec:
    """Read a spec's folder; raises SpecError with every problem found."""
    sources, problems = Sources(), Problems()
    folder = read_folder(path, sources, problems, display)
    if folder is None or problems.has_errors:
        raise SpecError(problems, sources)
    return Spec(folder, sources, problems, display or path.name, path)


def check_ruleset(
    spec: Spec,
    players: int,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    facts: Mapping[str, S.Expr] | None = None,
) -> C.Game:
    """One ruleset, checked; raises SpecError."""
    problems = Problems()
    folder = resolve(spec.folder, players, variants, problems)
    game = None if folder is None else check_game(folder, problems, options, facts)
    if game is None or problems.has_errors:
        raise SpecError(problems, spec.sources)
    return game


# told of each ruleset that is right: the game, and its procedures as blocks
Look = Callable[[C.Game, Program], None]


def check_spec(
    spec: Spec, estimates: Estimates | None = None, look: Look | None = None
) -> Problems:
    """All rulesets of a spec: every error once, and the warnings that hold wherever what they speak of is there.

    `estimates` are expressions about a player p beside the rules; what else is to be looked at is for `look`.
    """
    found = Problems()
    warned = Warnings()
    for players, variants in rulesets(spec.folder):
        problems = Problems()
        folder = resolve(spec.folder, players, variants, problems)
        if folder is not None:
            game = check_game(folder, problems, estimates=estimates)
            if game is not None and not problems.has_errors:
                program = try_flow(game, problems)
                if look is not None and not problems.has_errors:
                    look(game, program)
        for problem in problems.errors:
            found.add(problem)
        warned.add(folder, problems.warnings)
        if found.is_full:
            break
    wrong = {problem.span for problem in found.errors}
    for warning in warned.that_hold():
        if warning.span not in wrong:
            found.add(warning)
    return found


def try_flow(game: C.Game, problems: Problems) -> Program:
    """Cut the procedures into blocks and report what only shows there."""
    program = to_blocks(game, chance_stops=False, all_entries=False)
    leaks = list(program.leaks)
    if any(isinstance(s, C.SRoll) and s.seen for p in game.procedures for s in statements(p.body)):
        # chance may be given from outside: what was rolled in secret may not wait through that either
        known = {local.number for local, _ in leaks}
        at_chance = to_blocks(game, chance_stops=True, all_entries=False).leaks
        leaks += [
            (local, span)
            for local, span in at_chance
            if local.number not in known
            and local.chosen_by is not None
            and not local.chosen_by.label
        ]
    for local, span in leaks:
        problems.error(
            "RW0714", local.span if local.span.line else span,
            f"'{local.name}' holds a hidden value and would have to wait through a decision",
            hint="keep it in state with its own visibility", related=[Related(span, "what follows a decision or a roll")],
        )  # fmt: skip
    return program


def build(
    spec: Spec,
    players: int,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    *,
    full: bool = False,
    all_entries: bool = False,
    checking: bool = False,
    tuned: bool = False,
    facts: Mapping[str, S.Expr] | None = None,
) -> Engine:
    """One engine of a spec; `full` tells the story, `all_entries` lets any procedure be called.

    `checking` adds to a fast engine what looks at the invariants and at the ranges of everything after each decision.
    A `tuned` engine plays the same games with fewer steps of the interpreter and takes longer to build: it is for engines that are kept.
    """
    game = check_ruleset(spec, players, variants, options, facts)
    return build_game(
        spec, game, full=full, all_entries=all_entries, checking=checking, tuned=tuned
    )


def build_game(
    spec: Spec,
    game: C.Game,
    *,
    full: bool = False,
    all_entries: bool = False,
    checking: bool = False,
    tuned: bool = False,
) -> Engine:
    problems = Problems()
    try:
        return _build_game(spec, game, problems, full, all_entries, checking, tuned)
    except RecursionError:
        # everything that is known to nest has a limit; this is for what is not
        at = spec.folder.game.span
        problems.error("RW0836", at, "the rules are nested too deeply to be built")
        raise SpecError(problems, spec.sources) from None


def _build_game(
    spec: Spec,
    game: C.Game,
    problems: Problems,
    full: bool,
    all_entries: bool,
    checking: bool,
    tuned: bool,
) -> Engine:
    # what only checks has no need of the emitter
    from rulewright.compiler.emit.make_info import describe
    from rulewright.compiler.emit.module import emit_module

    program = try_flow(game, problems)
    if problems.has_errors:
        raise SpecError(problems, spec.sources)
    identity = ruleset_hash(game)
    if full:
        guard(game)
    if full or all_entries:
        program = to_blocks(game, chance_stops=full, all_entries=all_entries)
    source = f"spec/{game.name}"
    module = emit_module(
        game, program,
        full=full, ruleset_hash=identity, source=source, checking=checking, tuned=tuned,
    )  # fmt: skip
    info = describe(game, module, identity, VERSION, full)
    return Engine(module.text, info, module, game)


def fingerprint(path: Path) -> str:
    """A hash of everything that can change an engine of a spec, the compiler included, for caches."""
    return hash_of([VERSION, _own_files(), files_hash(path)])


@cache
def _own_files() -> str:
    """Of the compiler and the runtime as they were when first asked: an old process must not keep its engines as those of newer files."""
    here = Path(__file__).resolve().parent
    found = [f for room in (here, here.parent / "runtime") for f in room.rglob("*")]
    own = sorted(f for f in found if f.suffix in (".py", ".lark", ".j2"))
    return hash_of([file.read_bytes() for file in own])
