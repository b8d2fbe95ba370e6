"""`rulewright studio`: a game or a folder → its rules in the browser, to be edited, checked, played and compared."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.common import Usage, folder_of
from rulewright.engines import examples, games


def register(app: typer.Typer) -> None:
    @app.command()
    def studio(
        game: Annotated[
            str | None,
            typer.Argument(
                metavar="[GAME|FOLDER]",
                help="A folder to open, or a game or example of the package, of which a copy is made.",
            ),
        ] = None,
        port: Annotated[
            int, typer.Option("--port", "-p", help="The port; 0 takes any that is free.")
        ] = 8766,
        home: Annotated[Path, typer.Option("--in", help="Where new folders go.")] = Path(),
        browser: Annotated[
            bool, typer.Option("--browser/--no-browser", help="Open it in the browser.")
        ] = True,
    ) -> None:
        """Edit, check, play and compare rules in the browser, on this computer alone."""
        try:
            from rulewright.studio.run import run
        except ImportError as error:
            raise Usage(
                f"the studio needs packages that are missing ({error.name});"
                " install them with: pip install 'rulewright[web]'"
            ) from error
        if not 0 <= port < 65536:
            raise Usage(f"--port is a number from 0 to 65535, not {port}")
        if not home.is_dir():
            raise Usage(f"{home} is no folder")
        code = run(_folder(game, home), port, home, browser and sys.stdout.isatty())
        if code:
            raise typer.Exit(code)


def _folder(game: str | None, home: Path) -> Path | None:
    """The folder to open: one that is there, or for a game of the package a copy to change."""
    if game is None:
        return None
    path, _ = folder_of(game)
    # what is named as a place is edited in its place
    if Path(game).is_dir() or game not in (*games(), *examples()):
        return path
    from rulewright.new_specs import make_copy

    name = f"my-{path.name}"
    if not (home / name / "game.yaml").is_file():
        make_copy(name, path, home)
        print(f"{home / name} is a copy of {game}, to be changed.")
    return home / name
