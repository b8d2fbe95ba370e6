"""`rulewright fmt`: rules files → the same files, evenly spaced and indented."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.common import Usage, folder_of, has_colour
from rulewright.engines import games
from rulewright.wording import counted


def rules_files(wanted: Iterable[str]) -> list[tuple[Path, str]]:
    """The rules files meant by games, folders and files, and how messages call them."""
    found: dict[Path, tuple[Path, str]] = {}
    for name in wanted:
        path = Path(name)
        if path.is_file():
            if path.suffix != ".rules":
                raise Usage(f"{name} is not a rules file (*.rules)")
            found.setdefault(path.resolve(), (path, path.as_posix()))
            continue
        folder, shown = folder_of(name)
        for file in sorted(folder.rglob("*.rules")):
            told = f"{shown}/{file.relative_to(folder).as_posix()}"
            found.setdefault(file.resolve(), (file, told))
    return list(found.values())


def register(app: typer.Typer) -> None:
    @app.command()
    def fmt(
        wanted: Annotated[
            list[str] | None,
            typer.Argument(metavar="FILE|GAME|FOLDER", help="Which; without, all games."),
        ] = None,
        check: Annotated[
            bool, typer.Option("--check", help="Write nothing; fail if a file would change.")
        ] = False,
        diff: Annotated[
            bool, typer.Option("--diff", help="Write nothing; show what would change.")
        ] = False,
    ) -> None:
        """Format rules files."""
        from rulewright.compiler.rules.formatter import format_rules
        from rulewright.compiler.text.diagnostics import Problems, render_all
        from rulewright.compiler.text.source import Sources, read_text

        changed = 0
        problems, sources = Problems(), Sources()
        files = rules_files(wanted or games())
        for path, shown in files:
            source = read_text(path, shown, sources, problems)
            if source is None:
                continue
            result = format_rules(source.text, shown, problems)
            # Compared with the file itself: other ends of lines are a difference too.
            if result.encode() == path.read_bytes():
                continue
            changed += 1
            if diff:
                typer.echo(_diff(source.text, result, shown), nl=False)
            if not check and not diff:
                part = path.with_name(f".{path.name}.part")
                part.write_text(result, encoding="utf-8", newline="\n")
                part.replace(path)
            if not diff:
                typer.echo(f"{'would change' if check else 'formatted'}: {shown}")
        if problems.has_errors:
            print(render_all(problems, sources, colour=has_colour(sys.stderr)), file=sys.stderr)
        verb = "would change" if check or diff else "changed"
        print(
            f"{counted(len(files), 'file')}, {changed} {verb}",
            file=sys.stderr if diff else sys.stdout,
        )
        raise typer.Exit(1 if problems.has_errors or (check and changed) else 0)


def _diff(before: str, after: str, shown: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), shown, shown
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
