"""Specs → the files of generated/: which engines are committed, their text, and what differs from it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cache import folder
from rulewright.engines import engine_name
from rulewright.runtime.hashes import files_hash
from rulewright.runtime.info import write_info

if TYPE_CHECKING:
    from rulewright.compiler.build import Spec
    from rulewright.compiler.read.folder import Folder

Ruleset = tuple[int, tuple[str, ...]]

README = "README.md"
_ENGINE = re.compile(r"p[0-9]+\w*\.(py|json)")
_README = """\
# Generated engines

One folder for each game, one module for each ruleset in it. Do not edit: change the spec and run `rulewright build --all`.
`rulewright build --all --check` tells what is not as the specs say.

| file | what it is |
|---|---|
| `<game>/p4.py` | the engine for 4 players, base rules |
| `<game>/p2_name.py` | the engine for 2 players with the variant `name` |
| `<game>/p4.json` | what the runtime knows of that engine beside its rules: names, texts, places in the spec |

Committed are all player counts without a variant, and one variant of each game that has one. `rulewright.load` builds any
other ruleset when it is first asked for, and keeps it in a cache.
"""


def committed(folder: Folder) -> list[Ruleset]:
    """The rulesets whose engines are committed: every player count as it is, and one variant.

    That is the first by name of those that are not automatic, with the fewest players it holds for.
    """
    from rulewright.compiler.read.overlay import rulesets

    possible = rulesets(folder)
    chosen: list[Ruleset] = [(players, ()) for players in sorted(folder.game.players)]
    for name in sorted(v.name for v in folder.variants.values() if not v.automatic):
        # A variant comes last, after those it needs.
        fitting = [(p, names) for p, names in possible if names and names[-1] == name]
        if fitting:
            return [*chosen, min(fitting, key=lambda r: (len(r[1]), r[0]))]
    return chosen


def engine_files(
    spec: Spec,
    players: int,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> dict[str, str]:
    """One engine: the names of its files and their content."""
    from rulewright.compiler.build import build
    from rulewright.compiler.emit.format import format_engine

    engine = format_engine(build(spec, players, variants, options, tuned=True), folder("format"))
    if spec.path is not None:
        engine.info["files"] = files_hash(spec.path)
    name = engine_name(players, variants, options or {})
    return {f"{name}.py": engine.text, f"{name}.json": write_info(engine.info)}


def package_file(spec: Spec) -> str:
    """The __init__.py of a game's folder of engines."""
    from rulewright.compiler.emit.spelling import docstring

    return docstring(f"Engines of {spec.folder.game.title}: generated, do not edit.") + "\n"


def game_files(spec: Spec) -> dict[str, str]:
    """All that is committed for a game, by path below generated/."""
    game = spec.folder.game.game
    files = {f"{game}/__init__.py": package_file(spec)}
    for players, variants in committed(spec.folder):
        for name, text in engine_files(spec, players, variants).items():
            files[f"{game}/{name}"] = text
    return files


def common_files() -> dict[str, str]:
    """What stands beside the folders of games."""
    return {"__init__.py": "", README: _README}


def is_engine(name: str) -> bool:
    """Whether a file below generated/ is an engine or its side table, by its name."""
    return _ENGINE.fullmatch(name.rpartition("/")[2]) is not None


def superfluous(out: Path, expected: Mapping[str, str], games: Sequence[str]) -> list[str]:
    """Engines in these games' folders that are not among the expected ones."""
    found = []
    for game in games:
        for file in sorted((out / game).glob("*")):
            name = f"{game}/{file.name}"
            if is_engine(name) and name not in expected:
                found.append(name)
    return found


def differences(out: Path, expected: Mapping[str, str]) -> list[tuple[str, str]]:
    """The expected files that are not there or not so: "missing" or "differs", and the name."""
    found = []
    for name, text in sorted(expected.items()):
        try:
            content = (out / name).read_bytes()
        except OSError:
            found.append(("missing", name))
            continue
        if content != text.encode():
            found.append(("differs", name))
    return found


def write(out: Path, files: Mapping[str, str]) -> list[str]:
    """Write the files that are not yet so; gives their names."""
    changed = [name for _, name in differences(out, files)]
    for name in changed:
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        part.write_text(files[name], encoding="utf-8", newline="\n")
        part.replace(path)
    return changed
