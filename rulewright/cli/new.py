"""`rulewright new`: a name → a skeleton of a game or of a variant, or a copy of a game; it checks and plays as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar

import typer

from rulewright.cli.common import Usage, folder_of, read
from rulewright.new_specs import CanNotMake, check_name, make_copy, make_game

P = ParamSpec("P")
T = TypeVar("T")


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
        target = _made(make_game, name, folder)
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
        source = folder_of(of)[0]
        read(of)  # a folder that is no game is told here
        target = _made(make_copy, name, source, folder)
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

        _made(check_name, name)
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


def _made(make: Callable[P, T], *words: P.args, **more: P.kwargs) -> T:
    """What is made; a name or place that can't be used is wrong use of the command."""
    try:
        return make(*words, **more)
    except CanNotMake as error:
        raise Usage(str(error)) from error
