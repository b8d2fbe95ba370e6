"""The scenarios of a spec and the names of its rulesets → what is wrong with them, found without an engine.

A file that was fine is not read again until it changes, or what it can name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from rulewright.compiler.build import Spec, check_ruleset, try_flow
from rulewright.compiler.core import tree as C
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems
from rulewright.conformance.scenario import Ruleset


def check_scenarios(spec: Spec, path: Path, interfaces: str, kept: Path | None) -> Problems:
    """`interfaces` is a hash of what scenarios can name; in `kept` it is noted which files were fine with it."""
    problems = Problems()
    files = _files(path / "scenarios")
    notes = {
        name: hashlib.sha256(f"{interfaces} {name} ".encode() + text).hexdigest()
        for name, text in files.items()
    }
    fine = {name for name, note in notes.items() if kept is not None and (kept / note).is_file()}
    others = [entry for entry in _names(path / "scenarios") if entry not in fine]
    if others:
        _look(spec, path, fine, problems)
    wrong = {problem.span.file.rsplit("/", 1)[-1] for problem in problems}
    if kept is not None:
        _note(kept, [note for name, note in notes.items() if name not in {*wrong, *fine}])
    return problems


def _look(spec: Spec, path: Path, fine: set[str], problems: Problems) -> None:
    """Read and bind all scenarios but those in files that were fine before."""
    # most checks find nothing new here, and have no need of all this
    from rulewright.compiler.emit.outline import outline
    from rulewright.conformance.bind import bind
    from rulewright.conformance.read import read_scenarios
    from rulewright.conformance.scenario_engines import by_ruleset, with_conditions
    from rulewright.runtime.values import Known

    scenarios = read_scenarios(path, spec, problems, fine)
    for ruleset, mine in by_ruleset(scenarios).items():
        made = with_conditions(spec, ruleset, mine, problems, partial(_game, spec, ruleset))
        if made is None:
            continue
        known = Known(outline(made[0], try_flow(made[0], Problems())))
        for scenario in mine:  # those with a wrong condition too: there may be more to tell
            bind(scenario, ruleset, known, problems)


def _game(spec: Spec, ruleset: Ruleset, facts: Mapping[str, S.Expr]) -> C.Game:
    return check_ruleset(spec, ruleset.players, ruleset.variants, dict(ruleset.options), facts)


def _names(folder: Path) -> list[str]:
    """All that lies there, what does not belong there too."""
    try:
        return [entry.name for entry in folder.iterdir() if not entry.name.startswith(".")]
    except OSError:
        return [""]  # reading says what is wrong


def _files(folder: Path) -> dict[str, bytes]:
    try:
        return {f.name: f.read_bytes() for f in sorted(folder.glob("*.yaml")) if f.is_file()}
    except OSError:
        return {}  # reading them says what is wrong


def _note(folder: Path, notes: list[str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for note in notes:
            (folder / note).touch()
    except OSError:
        pass  # then they are read again the next time
