"""One ruleset → its text after a pass of the compiler, for people who want to see what a pass does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.cli.common import Usage, resolved

if TYPE_CHECKING:
    from rulewright.compiler.build import Spec
    from rulewright.compiler.core.tree import Game


@dataclass(frozen=True, slots=True)
class Asked:
    """The ruleset to show."""

    spec: Spec
    players: int
    variants: Sequence[str]
    options: Mapping[str, object]


def dump(name: str, asked: Asked) -> str:
    """The text after the pass of that name."""
    if name not in PASSES:
        from rulewright.compiler.text.diagnostics import did_you_mean

        hint = did_you_mean(name, PASSES)
        known = "\n".join(f"  {key:8} {about}" for key, (about, _) in PASSES.items())
        raise Usage(f"there is no pass {name!r}{'; ' + hint if hint else ''}\npasses:\n{known}")
    return PASSES[name][1](asked)


def _folder(asked: Asked) -> str:
    from rulewright.compiler.read.print_folder import print_folder

    return print_folder(asked.spec.folder)


def _overlay(asked: Asked) -> str:
    from rulewright.compiler.read.print_folder import print_folder

    return print_folder(resolved(asked.spec, asked.players, asked.variants))


def _syntax(asked: Asked) -> str:
    from rulewright.compiler.rules.parse import parse_rules
    from rulewright.compiler.rules.print_syntax import print_rules
    from rulewright.compiler.text.diagnostics import Problems

    parts = []
    for file in asked.spec.folder.files:
        source = asked.spec.sources.get(file)
        if source is not None and file.endswith(".rules"):
            parts.append(f"# {file}\n\n{print_rules(parse_rules(source, Problems()))}")
    return "\n".join(parts)


def _core(asked: Asked) -> str:
    from rulewright.compiler.core.print_core import print_core

    return print_core(_game(asked))


def _blocks(asked: Asked) -> str:
    from rulewright.compiler.flow.print_blocks import print_blocks
    from rulewright.compiler.flow.to_blocks import to_blocks

    game = _game(asked)
    return print_blocks(to_blocks(game, chance_stops=False, all_entries=False), game)


def _python(asked: Asked) -> str:
    from rulewright.committed import engine_files

    files = engine_files(asked.spec, asked.players, asked.variants, asked.options)
    return next(text for name, text in files.items() if name.endswith(".py"))


def _game(asked: Asked) -> Game:
    from rulewright.compiler.build import check_ruleset

    return check_ruleset(asked.spec, asked.players, asked.variants, asked.options)


# In the order in which the compiler comes to them.
PASSES: dict[str, tuple[str, Callable[[Asked], str]]] = {
    "folder": ("the files as read: tables, constants, declarations", _folder),
    "syntax": ("the syntax trees of the rules files", _syntax),
    "overlay": ("the folder with variants and player count settled", _overlay),
    "core": ("the checked rules, with types and all names found", _core),
    "blocks": ("the procedures cut at their decisions", _blocks),
    "python": ("the engine", _python),
}
