"""What several commands need: specs by name, rulesets, options as typed, and how problems are shown."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal

import typer

from rulewright.engines import SPECS, games, is_native, spec_path
from rulewright.runtime.errors import RulewrightError

if TYPE_CHECKING:
    from rulewright.compiler.build import Spec
    from rulewright.compiler.read.folder import Folder
    from rulewright.compiler.text.diagnostics import SpecError
    from rulewright.runtime.game import Game
    from rulewright.simulate.plan import Plan

# The kinds of parameter that several commands share.
Format = Literal["text", "json"]
FormatOption = Annotated[Format, typer.Option("--format", help="How to print the result.")]
PlayersOption = Annotated[int | None, typer.Option("--players", "-p", help="The player count.")]
VariantsOption = Annotated[
    list[str] | None, typer.Option("--variant", "-v", help="A variant; may be given several times.")
]
OptionsOption = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game."),
]
InterpretedOption = Annotated[
    bool, typer.Option("--interpreted", help="Build no native engine, and use none.")
]

BackendOption = Annotated[
    str,
    typer.Option(
        "--backend",
        help="Where to play: local, ray (a Ray of this machine), ray://HOST:PORT, or folder (with --run).",
    ),
]
RunOption = Annotated[
    Path | None,
    typer.Option(
        "--run",
        metavar="FOLDER",
        help="Keep the games there, part by part; the same command goes on with them.",
    ),
]

# Problems with what was asked for and not with the spec: unknown or unfitting variants, counts, options.
_WRONG_CHOICE = frozenset(
    ("RW0401", "RW0402", "RW0403", "RW0404", "RW0405", "RW0413", "RW0420", "RW0421")
)


class Usage(RulewrightError):
    """The command was used wrongly; the message says what would be right."""


# ---------------------------------------------------------------- specs


def folder_of(game: str) -> tuple[Path, str]:
    """The folder of a spec, by the name of a game or by its path, and how messages call it."""
    path = Path(game)
    # A folder without a game file is read too: what is missing is then told as for any other spec.
    if game not in games() and path.is_dir():
        return path, path.as_posix()
    found = spec_path(game)
    return found, f"spec/{found.name}" if found.parent == SPECS else found.as_posix()


def read(game: str) -> Spec:
    """The spec of a game; raises SpecError or UnknownGame."""
    from rulewright.compiler.build import read_spec

    return read_spec(*folder_of(game))


def is_own(game: str) -> bool:
    """Whether it is a game of the package."""
    return folder_of(game)[0].resolve().parent == SPECS.resolve()


def resolved(spec: Spec, players: int, variants: Sequence[str]) -> Folder:
    """The folder of one ruleset; raises SpecError."""
    from rulewright.compiler.read.overlay import resolve
    from rulewright.compiler.text.diagnostics import Problems, SpecError

    problems = Problems()
    folder = resolve(spec.folder, players, variants, problems)
    if folder is None:
        raise SpecError(problems, spec.sources)
    return folder


def options_of(given: Iterable[str] | None) -> dict[str, object]:
    """name=value, as often as given: whole numbers and true or false are what they look like."""
    out: dict[str, object] = {}
    for text in given or ():
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise Usage(f"an option is given as NAME=VALUE, not {text!r}")
        if name in out:
            raise Usage(f"the option {name!r} is given twice")
        out[name] = _value(value)
    return out


def _value(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else text


# ---------------------------------------------------------------- output


def tell_engine(*games: Game, bots_only: bool = False) -> None:
    """Which engine plays, in one short line beside the result. Where people look on, only bots may use the native one."""
    native = [is_native(game) for game in games]
    if bots_only and all(native):
        words = "interpreted, native for the bots"
    else:
        words = (
            "native" if all(native) else "native and interpreted" if any(native) else "interpreted"
        )
    print(f"engine: {words}", file=sys.stderr)


def make_engine(plan: Plan, interpreted: bool) -> None:
    """Before many games are played: a native engine is built, unless there is one or it is not wanted; a line says so."""
    if interpreted:
        os.environ["RULEWRIGHT_NATIVE"] = "0"
    from rulewright.native import NativeUnavailable
    from rulewright.ready import build_for, to_be_built

    wanted = to_be_built([plan])
    if not wanted:
        return
    print(
        "building a native engine, which takes some seconds once (--interpreted does without)",
        file=sys.stderr,
    )
    try:
        build_for(wanted)
    except NativeUnavailable as error:
        print(f"note: {error}", file=sys.stderr)


def has_colour(stream: IO[str]) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ


def print_json(data: Mapping[str, Any]) -> None:
    from rulewright.cli.streams import shows_all

    typer.echo(json.dumps(_bounded(data), indent=2, ensure_ascii=not shows_all(), allow_nan=False))


def _bounded(data: Any) -> Any:
    """JSON has no word for what has no bound, such as the interval of a single game: it is null there."""
    match data:
        case float() if not isfinite(data):
            return None
        case dict():
            return {key: _bounded(value) for key, value in data.items()}
        case list() | tuple():
            return [_bounded(value) for value in data]
        case _:
            return data


def is_wrong_choice(error: SpecError) -> bool:
    """Whether the spec is right and what was asked of it is not: an unknown variant, a player count that it is not for."""
    found = error.problems.errors
    return bool(found) and all(problem.code in _WRONG_CHOICE for problem in found)


def spec_error_code(error: Exception) -> int | None:
    """Show the problems of a SpecError and give the exit code; None for any other error."""
    from rulewright.compiler.text.diagnostics import SpecError

    if not isinstance(error, SpecError):
        return None
    if is_wrong_choice(error):
        for problem in error.problems.errors:
            expected = f" (expected: {problem.expected})" if problem.expected else ""
            hint = f"; {problem.hint}" if problem.hint else ""
            print(f"rulewright: {problem.message}{hint}{expected}", file=sys.stderr)
        return 2
    print(error.render(colour=has_colour(sys.stderr)), file=sys.stderr)
    return 1
