"""A spec → engines: all passes in order, for one player count, set of variants and options."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.compiler.check.game import check_game
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.bounds_checks import guard
from rulewright.compiler.core.print_core import ruleset_hash
from rulewright.compiler.emit.engine import Engine
from rulewright.compiler.flow.blocks import Program
from rulewright.compiler.flow.to_blocks import to_blocks
from rulewright.compiler.read.folder import Folder
from rulewright.compiler.read.overlay import resolve, rulesets
from rulewright.compiler.read.read_folder import read_folder
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problem, Problems, Related, SpecError
from rulewright.compiler.text.source import Sources, Span

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


def check_spec(spec: Spec) -> Problems:
    """All rulesets of a spec: every error once, and the warnings that hold in each of them."""
    found = Problems()
    common: set[tuple[str, Span, str]] | None = None
    kept: dict[tuple[str, Span, str], Problem] = {}
    for players, variants in rulesets(spec.folder):
        problems = Problems()
        folder = resolve(spec.folder, players, variants, problems)
        if folder is not None:
            game = check_game(folder, problems)
            if game is not None and not problems.has_errors:
                try_flow(game, problems)
        for problem in problems.errors:
            found.add(problem)
        here = {(w.code, w.span, w.message) for w in problems.warnings}
        kept.update({(w.code, w.span, w.message): w for w in problems.warnings})
        common = here if common is None else common & here
        if found.is_full:
            break
    for key in sorted(common or (), key=repr):
        found.add(kept[key])
    return found


def try_flow(game: C.Game, problems: Problems) -> Program:
    """Cut the procedures into blocks and report what only shows there."""
    program = to_blocks(game, chance_stops=False, all_entries=False)
    for local, span in program.leaks:
        problems.error(
            "RW0714", local.span if local.span.line else span,
            f"'{local.name}' holds a hidden value and would have to wait through a decision",
            hint="keep it in state with its own visibility", related=[Related(span, "what follows a decision")],
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
    facts: Mapping[str, S.Expr] | None = None,
) -> Engine:
    """One engine of a spec; `full` tells the story, `all_entries` lets any procedure be called.

    `checking` adds to a fast engine what looks at the invariants and at the ranges of everything after each decision.
    """
    game = check_ruleset(spec, players, variants, options, facts)
    return build_game(spec, game, full=full, all_entries=all_entries, checking=checking)


def build_game(
    spec: Spec,
    game: C.Game,
    *,
    full: bool = False,
    all_entries: bool = False,
    checking: bool = False,
) -> Engine:
    problems = Problems()
    try:
        return _build_game(spec, game, problems, full, all_entries, checking)
    except RecursionError:
        # everything that is known to nest has a limit; this is for what is not
        at = spec.folder.game.span
        problems.error("RW0836", at, "the rules are nested too deeply to be built")
        raise SpecError(problems, spec.sources) from None


def _build_game(
    spec: Spec, game: C.Game, problems: Problems, full: bool, all_entries: bool, checking: bool
) -> Engine:
    # what only checks has no need of the emitter
    from rulewright.compiler.emit.emit_module import emit_module
    from rulewright.compiler.emit.info import describe

    try_flow(game, problems)
    if problems.has_errors:
        raise SpecError(problems, spec.sources)
    identity = ruleset_hash(game)
    if full:
        guard(game)
    program = to_blocks(game, chance_stops=full, all_entries=all_entries)
    source = f"spec/{game.name}"
    module = emit_module(
        game, program, full=full, ruleset_hash=identity, source=source, checking=checking
    )
    return Engine(module.text, describe(game, module, identity, VERSION, full), module, game)


def fingerprint(path: Path) -> str:
    """A hash of everything in a spec's folder that can change an engine, for caches."""
    digest = hashlib.sha256(VERSION.encode())
    here = Path(__file__).parent
    for file in sorted(f for f in here.rglob("*") if f.suffix in (".py", ".lark", ".j2")):
        digest.update(file.read_bytes())
    for file in sorted(path.rglob("*")):
        if file.suffix not in (".yaml", ".rules") or not file.is_file():
            continue
        # neither scenarios nor the list of reviewed mutants are part of the rules
        if "scenarios" not in file.parts and file.name != "mutants.yaml":
            digest.update(str(file.relative_to(path)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:24]
