"""A spec's folder → everything that is wrong with it: its rules in every ruleset, and each other file that is about them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from rulewright.bots import strategies
from rulewright.compiler.build import VERSION, Spec, check_spec, try_flow
from rulewright.compiler.check.ruleset import Estimates, check_game
from rulewright.compiler.core import tree as C
from rulewright.compiler.emit.outline import interface, outline
from rulewright.compiler.flow.blocks import Program
from rulewright.compiler.read.overlay import resolve
from rulewright.compiler.read.yaml_nodes import Node
from rulewright.compiler.read.yaml_text import read_yaml
from rulewright.compiler.text.diagnostics import Problem, Problems
from rulewright.compiler.text.source import Span, read_text
from rulewright.runtime.values import Known

VIEW, REVIEWED = "view.yaml", "mutants.yaml"


def check_folder(spec: Spec, path: Path, kept: Path | None = None) -> Problems:
    """All problems of a spec that could be read; `kept` is a folder for notes of what was fine before."""
    beside = _Beside(spec, path)
    found = check_spec(spec, beside.estimates, beside.look)
    for problem in (*spec.problems, *beside.told()):
        found.add(problem)
    if not found.has_errors and (path / "scenarios").is_dir():
        from rulewright.conformance.check_names import check_scenarios

        for problem in check_scenarios(spec, path, beside.interfaces(), kept):
            found.add(problem)
    return found


def check_ruleset_in_folder(
    spec: Spec, path: Path, players: int, variants: Sequence[str]
) -> tuple[Problems, C.Game | None]:
    """What is wrong with one ruleset and with what is said about it beside the rules; the game, if it is right."""
    beside = _Beside(spec, path, alone=True)
    found = Problems()
    folder = resolve(spec.folder, players, variants, found)
    game = None if folder is None else check_game(folder, found, estimates=beside.estimates)
    if game is not None and not found.has_errors:
        program = try_flow(game, found)
        if not found.has_errors:
            beside.look(game, program)
    problems = Problems()
    # warnings hold only where they hold in every ruleset that has what they speak of
    for problem in (*found.errors, *spec.problems.errors, *beside.told()):
        if problem.severity == "error":
            problems.add(problem)
    return problems, None if found.has_errors else game


class _Beside:
    """The files of bots and of the view, read once and looked at with each ruleset."""

    def __init__(self, spec: Spec, path: Path, alone: bool = False) -> None:
        """With `alone` only one ruleset is looked at: bots may know what the rules of another have, as far as their text tells."""
        self.spec, self.path = spec, path
        self.problems = Problems()
        self.bots = self._documents(strategies.FILE)
        self.view = self._documents(VIEW)
        self.estimates = Estimates(strategies.estimates_in(self.bots), self.problems)
        self._hashes: list[str] = []
        # names in the file of bots that some ruleset knows
        self._fitting: set[Span] | None = None if alone else set()
        if (path / REVIEWED).is_file():
            from rulewright.conformance.reviewed import read_reviewed

            shown = f"{spec.label}/{REVIEWED}"
            read_reviewed(path / REVIEWED, shown, spec.sources, self.problems)

    def _documents(self, name: str) -> list[Node]:
        if not (self.path / name).is_file():
            return []
        source = read_text(
            self.path / name, f"{self.spec.label}/{name}", self.spec.sources, self.problems
        )
        return [] if source is None else read_yaml(source, self.problems)

    def look(self, game: C.Game, program: Program) -> None:
        known = outline(game, program)
        self._hashes.append(interface(game, known))
        if self.bots:
            strategies.check_book(self.path, self.bots, Known(known), self.problems, self._fitting)
        if self.view:
            from rulewright.scene.read_view import check_layout
            from rulewright.scene.view_names import Names
            from rulewright.simulate.clock import clock_of

            check_layout(self.view, self.path, Names(known, game), self.problems)
            clock_of(self.view, known, self.problems)

    def told(self) -> list[Problem]:
        """What is wrong in each ruleset; a bot may know more than one of them has."""
        known = self._fitting or set()
        return [
            p for p in self.problems if p.code not in ("RW0325", "RW0501") or p.span not in known
        ]

    def interfaces(self) -> str:
        """A hash of all that scenarios can name: what each ruleset has, and the clauses that they cover."""
        words = [VERSION, *self._hashes, *self.spec.folder.clauses]
        return hashlib.sha256(" ".join(words).encode()).hexdigest()
