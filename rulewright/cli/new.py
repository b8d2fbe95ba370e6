"""`rulewright new`: a name → a skeleton of a game or of a variant, or a copy of a game; it checks and plays as it is."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.common import Usage, folder_of, read
from rulewright.engines import games

_NAME = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")


def register(app: typer.Typer) -> None:
    new = typer.Typer(
        help="Lay down a new game or variant with comments; it checks and plays as it is.",
        no_args_is_help=True,
    )
    app.add_typer(new, name="new")

    @new.command("game")
    def new_game(
        name: Annotated[str, typer.Argument(metavar="NAME")],
        folder: Annotated[Path, typer.Option("--in", help="Where to put its folder.")] = Path(),
    ) -> None:
        """A folder with a small complete game."""
        from rulewright.simulate.files import write_text
        from rulewright.skeletons import game_files

        target = _free(name, folder)
        with _whole(target) as part:
            for path, text in game_files(name).items():
                (part / path).parent.mkdir(parents=True, exist_ok=True)
                write_text(part / path, text)
        typer.echo(f"{target} is a small game of its own. Go on with:")
        _next(
            f"check {target}",
            f"test {target}",
            f"play {target} --seats human,greedy",
            f"watch {target}",
        )

    @new.command("copy")
    def new_copy(
        name: Annotated[str, typer.Argument(metavar="NAME")],
        of: Annotated[
            str, typer.Option("--of", metavar="GAME|FOLDER", help="The game to be copied.")
        ],
        folder: Annotated[Path, typer.Option("--in", help="Where to put its folder.")] = Path(),
    ) -> None:
        """The folder of a game once more, to change it."""
        from rulewright.simulate.files import write_text

        source = folder_of(of)[0]
        read(of)  # a folder that is no game is told here
        target = _free(name, folder)
        if target.resolve().is_relative_to(source.resolve()):
            raise Usage(f"{target} lies inside of {source}; name another place by --in")
        with _whole(target) as part:
            shutil.copytree(source, part, ignore=shutil.ignore_patterns(".*", "__pycache__"))
            file = part / "game.yaml"
            text = file.read_text(encoding="utf-8")
            named = re.sub(r"^game:.*$", f"game: {name}", text, count=1, flags=re.MULTILINE)
            write_text(file, named)
        typer.echo(f"{target} is a copy of {of}. Change what you like, then:")
        _next(f"check {target}", f"diff {of} {target}", f"play {target}")

    @new.command("variant")
    def new_variant(
        name: Annotated[str, typer.Argument(metavar="NAME")],
        of: Annotated[
            str,
            typer.Option("--of", metavar="GAME|FOLDER", help="The game that it is a variant of."),
        ],
    ) -> None:
        """An overlay that changes nothing yet, with examples in comments."""
        from rulewright.simulate.files import write_text
        from rulewright.skeletons import variant_file

        _check(name)
        spec = read(of)
        path = folder_of(of)[0] / "variants" / f"{name}.yaml"
        if name in spec.folder.variants or path.exists():
            raise Usage(f"{spec.folder.game.title} has a variant {name!r} already")
        path.parent.mkdir(exist_ok=True)
        write_text(path, variant_file(name, spec.folder))
        typer.echo(f"{path} changes nothing yet. Edit it, then:")
        _next(f"check {of}", f"play {of} --variant {name}", f"compare {of} {of}+{name}")


def _next(*commands: str) -> None:
    for words in commands:
        typer.echo(f"  rulewright {words}")


def _free(name: str, folder: Path) -> Path:
    """Where a new folder goes; a name that can't be one or is taken is an error."""
    _check(name)
    target = folder / name
    if name in games() and target.resolve() == Path(name).resolve():
        raise Usage(
            f"{name} is a game of the package, and a folder of that name here would hide it;"
            f" take another name, such as my-{name}, or another place by --in"
        )
    if target.exists():
        raise Usage(f"{target} is there already")
    return target


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A folder beside the target that takes its place in the end: it appears whole or not at all."""
    part = target.with_name(f".{target.name}.part")
    try:
        yield part
        part.rename(target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _check(name: str) -> None:
    if not _NAME.fullmatch(name) or len(name) > 60:
        raise Usage(
            f"{name!r} can't be a name: use small letters and digits, with - or _ between words"
        )
