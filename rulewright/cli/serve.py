"""`rulewright serve`: games → tables in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.common import Usage


def register(app: typer.Typer) -> None:
    @app.command()
    def serve(
        folders: Annotated[
            list[str] | None,
            typer.Argument(metavar="[FOLDER …]", help="Specs of your own to offer as well."),
        ] = None,
        host: Annotated[
            str, typer.Option("--host", help="The address to listen at.")
        ] = "127.0.0.1",
        port: Annotated[
            int, typer.Option("--port", "-p", help="The port; 0 takes any that is free.")
        ] = 8765,
        store: Annotated[
            str | None,
            typer.Option(
                "--store",
                help="Where tables are kept: a file, or postgresql://… for several servers.",
            ),
        ] = None,
        url: Annotated[
            str,
            typer.Option("--url", help="What browsers see, behind a proxy: https://games.example"),
        ] = "",
        proxy: Annotated[
            str,
            typer.Option("--proxy", help="Addresses of proxies to believe who the visitor is."),
        ] = "",
        bots: Annotated[
            int | None, typer.Option("--bots", help="How many bots think at the same time.")
        ] = None,
        tables: Annotated[
            int | None, typer.Option("--tables", help="How many tables there may be.")
        ] = None,
        clear: Annotated[
            float | None,
            typer.Option("--clear", help="Remove tables untouched for so many days, and stop."),
        ] = None,
        browser: Annotated[
            bool, typer.Option("--browser/--no-browser", help="Open the lobby in the browser.")
        ] = True,
    ) -> None:
        """Play in the browser, alone, with others or against bots."""
        try:
            from rulewright.web.run import clear_tables, run
            from rulewright.web.settings import Limits, Settings
        except ImportError as error:
            raise Usage(
                f"the web server needs packages that are missing ({error.name});"
                " install them with: pip install 'rulewright[web]'"
            ) from error
        where = store or os.environ.get("RULEWRIGHT_STORE") or str(default_store())
        if clear is not None:
            count = clear_tables(where, clear)
            print(f"{count} tables removed")
            return
        if not 0 <= port < 65536:
            raise Usage(f"--port is a number from 0 to 65535, not {port}")
        if url and not url.startswith(("http://", "https://")):
            raise Usage(f"--url begins with http:// or https://, not {url!r}")
        usual = Limits()
        limits = Limits(
            bot_processes=max(1, bots or min(4, os.cpu_count() or 1)),
            tables=usual.tables if tables is None else tables,
        )
        settings = Settings(host, port, url.rstrip("/"), limits)
        code = run(settings, where, folders or [], proxy, browser and sys.stdout.isatty())
        if code:
            raise typer.Exit(code)


def default_store() -> Path:
    """A file of the user's own."""
    root = os.environ.get("XDG_DATA_HOME")
    folder = (Path(root) if root else Path.home() / ".local" / "share") / "rulewright"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "tables.sqlite"
