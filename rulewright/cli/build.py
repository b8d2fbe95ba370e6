"""`rulewright build`: specs → engines as files, or the proof that the committed ones are as the specs say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright import committed
from rulewright.cli.common import (
    OptionsOption,
    PlayersOption,
    Usage,
    VariantsOption,
    is_own,
    options_of,
    read,
)
from rulewright.engines import GENERATED, engine_name, games
from rulewright.wording import counted

if TYPE_CHECKING:
    from rulewright.compiler.build import Spec


def register(app: typer.Typer) -> None:
    @app.command()
    def build(
        specs: Annotated[
            list[str] | None, typer.Argument(metavar="GAME|FOLDER", help="Which games.")
        ] = None,
        all_: Annotated[bool, typer.Option("--all", help="All games of the package.")] = False,
        check: Annotated[
            bool,
            typer.Option("--check", help="Write nothing; fail if a file is not as it would be."),
        ] = False,
        players: PlayersOption = None,
        variant: VariantsOption = None,
        option: OptionsOption = None,
        dump: Annotated[
            str | None,
            typer.Option("--dump", metavar="PASS", help="Print the ruleset after a pass instead."),
        ] = None,
        native: Annotated[
            bool, typer.Option("--native", help="Compile the engines to machine code too.")
        ] = False,
        out: Annotated[
            Path | None, typer.Option("--out", metavar="DIR", help="Write below this folder.")
        ] = None,
    ) -> None:
        """Write the engines of games: every player count and one variant, or the ruleset asked for."""
        if all_ and specs:
            raise Usage("give games or --all, not both")
        if not all_ and not specs:
            raise Usage(f"give a game ({', '.join(games())}), a folder, or --all")
        names = games() if all_ else list(dict.fromkeys(specs or ()))
        variants, options = tuple(variant or ()), options_of(option)
        single = players is not None or bool(variants) or bool(options)
        if (single or dump is not None) and len(names) != 1:
            raise Usage("a single ruleset is of one game; give just one")
        if dump is not None and (check or native or out is not None):
            raise Usage("--dump only prints: leave out --check, --native and --out")
        if dump is not None:
            _dump(dump, names[0], players, variants, options)
            return
        if out is None and not all(is_own(name) for name in names):
            raise Usage("say with --out where the engines of a game of your own should go")
        if single:
            spec = read(names[0])
            files = _single_files(spec, players, variants, options, out is None)
            extra: list[str] = []
        else:
            files, extra = _all_files(names, out or GENERATED, all_)
        done = (
            _compare(files, extra, out or GENERATED)
            if check
            else _write(files, extra, out or GENERATED)
        )
        if native and done:
            _native(names, [(players, variants)] if players is not None else None, options)
        raise typer.Exit(0 if done else 1)


def _dump(
    name: str, game: str, players: int | None, variants: Sequence[str], options: dict[str, object]
) -> None:
    from rulewright.cli.dump import Asked, dump

    spec = read(game)
    count = max(spec.folder.game.players) if players is None else players
    typer.echo(dump(name, Asked(spec, count, variants, options)), nl=False)


def _single_files(
    spec: Spec,
    players: int | None,
    variants: Sequence[str],
    options: dict[str, object],
    for_package: bool,
) -> dict[str, str]:
    game = spec.folder.game
    if players is None:
        counts = ", ".join(map(str, game.players))
        raise Usage(f"say with --players for how many ({counts}) the engine should be")
    engine = committed.engine_files(spec, players, variants, options)
    if for_package and (
        options or (players, tuple(variants)) not in committed.committed(spec.folder)
    ):
        name = engine_name(players, variants, options)
        raise Usage(f"{name} of {game.game} is not among the committed engines; give --out DIR")
    files = {f"{game.game}/__init__.py": committed.package_file(spec)}
    return files | {f"{game.game}/{name}": text for name, text in engine.items()}


def _all_files(names: Sequence[str], out: Path, whole: bool) -> tuple[dict[str, str], list[str]]:
    """What should be there, and which engines are there that should not."""
    files = committed.common_files() if whole else {}
    titles = []
    for name in names:
        spec = read(name)
        titles.append(spec.folder.game.game)
        files.update(committed.game_files(spec))
    there = (
        sorted(p.name for p in out.iterdir() if p.is_dir()) if whole and out.is_dir() else titles
    )
    return files, committed.superfluous(out, files, there)


def _compare(files: dict[str, str], extra: Sequence[str], out: Path) -> bool:
    found = [*committed.differences(out, files), *(("superfluous", name) for name in extra)]
    for what, name in found:
        typer.echo(f"{what}: {_shown(out)}/{name}")
    if found:
        typer.echo(
            f"{counted(len(found), 'file is', 'files are')} not as the specs say; run 'rulewright build'"
        )
    else:
        typer.echo(f"{counted(len(files), 'file')} as the specs say")
    return not found


def _write(files: dict[str, str], extra: Sequence[str], out: Path) -> bool:
    changed = committed.write(out, files)
    for name in changed:
        typer.echo(f"written: {_shown(out)}/{name}")
    for name in extra:
        (out / name).unlink()
        typer.echo(f"removed: {_shown(out)}/{name}")
    typer.echo(f"{counted(len(files), 'file')}, {len(changed)} changed")
    return True


def _shown(out: Path) -> str:
    return "generated" if out == GENERATED else out.as_posix()


def _native(
    names: Sequence[str],
    rulesets: Sequence[tuple[int, Sequence[str]]] | None,
    options: dict[str, object],
) -> None:
    """Compile these rulesets, or those whose engines are committed, to machine code."""
    from rulewright import native
    from rulewright.compiler.build import build as built

    native.check_tools()
    engines = {}
    for name in names:
        spec = read(name)
        for players, variants in rulesets or committed.committed(spec.folder):
            engine = built(spec, players, variants, options)
            engines[f"{spec.folder.game.game}/{engine_name(players, variants, options)}"] = engine
    for name in native.build_several(engines):
        typer.echo(f"compiled: {name}")
