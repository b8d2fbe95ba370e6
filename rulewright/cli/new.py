"""`rulewright new`: a name → a skeleton of a game or of a variant, which checks and plays as it is."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.common import Usage, folder_of, read

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

        _check(name)
        target = folder / name
        if target.exists():
            raise Usage(f"{target} is there already")
        part = folder / f".{name}.part"
        try:
            for path, text in game_files(name).items():
                (part / path).parent.mkdir(parents=True, exist_ok=True)
                write_text(part / path, text)
            part.rename(target)
        except BaseException:
            # a folder appears whole or not at all
            shutil.rmtree(part, ignore_errors=True)
            raise
        typer.echo(f"{target} is a small game of its own. Go on with:")
        for words in (
            f"check {target}",
            f"test {target}",
            f"play {target} --seats human,greedy",
            f"watch {target}",
        ):
            typer.echo(f"  rulewright {words}")

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
        for words in (f"check {of}", f"play {of} --variant {name}", f"compare {of} {of}+{name}"):
            typer.echo(f"  rulewright {words}")


def _check(name: str) -> None:
    if not _NAME.fullmatch(name) or len(name) > 60:
        raise Usage(
            f"{name!r} can't be a name: use small letters and digits, with - or _ between words"
        )
