"""Words on the command line → the command that is meant, and its errors → a message and an exit code.

Exit codes: 0 fine, 1 problems in the spec or the result, 2 wrong use. Commands import what they need when they run, so that
help is shown at once.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, NoReturn, TextIO

import typer

from rulewright.engines import Notice
from rulewright.runtime.errors import RulewrightError
from rulewright.stop import Stop
from rulewright.terminal import plain_streams

# One module for each group of commands, in the order of the help; each has a function register(app).
MODULES = (
    "check", "build", "fmt", "games", "test", "coverage", "mutate", "bench", "play", "replay",
    "serve", "studio", "simulate", "ladder", "report", "compare", "work", "diff", "new", "watch",
)  # fmt: skip


# commands that keep what they have done when they are asked to stop
_STOPPABLE = ("simulate", "compare", "ladder", "work")


def make_app() -> typer.Typer:
    """The command line with every command there is."""
    app = typer.Typer(
        name="rulewright",
        help="Board-game rules as source code: check, build, test and play them.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def root(
        ctx: typer.Context,
        version: Annotated[
            bool,
            typer.Option(
                "--version", callback=_show_version, is_eager=True, help="Show the version."
            ),
        ] = False,
    ) -> None:
        if isinstance(ctx.obj, Stop) and ctx.invoked_subcommand not in _STOPPABLE:
            ctx.obj.release()

    for name in MODULES:
        module = f"{__name__}.{name}"
        if importlib.util.find_spec(module) is not None:
            importlib.import_module(module).register(app)
    return app


def main(args: Sequence[str] | None = None, stop: Stop | None = None) -> NoReturn:
    """Run the command line and exit; `stop` has heard requests to end since the program began."""
    from rulewright.cli.streams import mend

    mend()
    with plain_streams(), warnings.catch_warnings():
        warnings.simplefilter("always", Notice)
        warnings.showwarning = _note
        _run(args, stop)


def _run(args: Sequence[str] | None, stop: Stop | None) -> NoReturn:
    try:
        make_app()(args=args, prog_name="rulewright", obj=stop)
    except KeyboardInterrupt:
        sys.exit(130)
    except RulewrightError as error:
        from rulewright.cli.common import Usage
        from rulewright.engines import UnknownGame

        print(f"rulewright: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, Usage | UnknownGame) else 1)
    except OSError as error:
        print(f"rulewright: {_file_problem(error)}", file=sys.stderr)
        sys.exit(2 if isinstance(error, _WRONG_PATH) else 1)
    except Exception as error:
        # Only a spec's errors are left to tell; looking for them loads the compiler, which is no loss now.
        from rulewright.cli.common import spec_error_code

        code = spec_error_code(error)
        if code is None:
            raise
        sys.exit(code)
    sys.exit(0)


def _note(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    text = warnings.formatwarning(message, category, filename, lineno, line)
    print(f"note: {message}\n" if category is Notice else text, end="", file=file or sys.stderr)


_WRONG_PATH = (
    FileNotFoundError,
    FileExistsError,
    NotADirectoryError,
    IsADirectoryError,
    PermissionError,
)


def _file_problem(error: OSError) -> str:
    what = error.strerror or str(error)
    return f"{error.filename}: {what}" if error.filename else what


def _show_version(wanted: bool) -> None:
    if wanted:
        from rulewright import __version__

        typer.echo(f"rulewright {__version__}")
        raise typer.Exit
