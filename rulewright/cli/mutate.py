"""`rulewright mutate`: small changes of a spec → those that its scenarios do not notice."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.common import FormatOption, folder_of, print_json


def register(app: typer.Typer) -> None:
    @app.command()
    def mutate(
        game: Annotated[str, typer.Argument(metavar="GAME|FOLDER", help="Which spec.")],
        jobs: Annotated[
            int, typer.Option("--jobs", "-j", min=1, max=256, help="How many processes to use.")
        ] = 2,
        sample: Annotated[
            int | None, typer.Option(min=1, help="Only so many mutants, picked by the seed.")
        ] = None,
        seed: Annotated[int, typer.Option(help="Picks the sample.")] = 1,
        fresh: Annotated[bool, typer.Option(help="Forget what an earlier run found.")] = False,
        minimum: Annotated[
            float, typer.Option("--min", help="Exit with 1 below this percentage.")
        ] = 0.0,
        format_: FormatOption = "text",
    ) -> None:
        """Change a spec in small ways, one at a time, and list the changes that no scenario notices."""
        from rulewright.cache import folder
        from rulewright.compiler.build import fingerprint
        from rulewright.compiler.text.diagnostics import Problems, SpecError
        from rulewright.conformance import mutation
        from rulewright.conformance.mutants import all_mutants
        from rulewright.conformance.reviewed import read_reviewed
        from rulewright.conformance.suite import load_suite

        path, display = folder_of(game)
        suite = load_suite(path, display)
        problems = Problems()
        reviewed = read_reviewed(
            path / "mutants.yaml", f"{display}/mutants.yaml", suite.spec.sources, problems
        )
        if problems.has_errors:
            raise SpecError(problems, suite.spec.sources)
        coverage = mutation.cover(suite)
        mutants = mutation.sample(all_mutants(suite.spec), sample, seed)
        name = f"{path.name}-{fingerprint(path)}-{_scenarios(path)}.jsonl"
        record = mutation.Record(folder("mutants") / name)
        if fresh:
            record.forget()
        todo = [m for m in mutants if m.id not in record.verdicts]
        stopped = _run(suite, todo, coverage, jobs, record)
        verdicts = [record.verdicts[m.id] for m in mutants if m.id in record.verdicts]
        noticed, survived, same, invalid = mutation.score(verdicts, reviewed)
        percent = 100.0 * noticed / max(1, noticed + survived)
        left = [v for v in verdicts if v.fate == "survived" and v.id not in reviewed]
        outdated = [v for v in verdicts if v.fate == "noticed" and v.id in reviewed]
        if format_ == "json":
            print_json(
                {
                    "game": path.name, "mutants": len(verdicts), "noticed": noticed,
                    "survived": survived, "equivalent": same, "invalid": invalid,
                    "score": round(percent, 2),
                    "survivors": [
                        {"id": v.id, "file": v.file, "line": v.line, "change": v.words, "clauses": list(v.cites)}
                        for v in left
                    ],
                    "reviewed_but_noticed": [{"id": v.id, "by": v.by} for v in outdated],
                }
            )  # fmt: skip
        else:
            _print(left)
            for v in outdated:
                typer.echo(
                    f"mutants.yaml says that {v.id} changes nothing, but a scenario notices it: {v.by}"
                )
            typer.echo(
                f"{path.name}: {len(verdicts)} mutants, {noticed} noticed, {survived} survived, {same} reviewed as "
                f"changing nothing, {invalid} no valid spec: {percent:.1f} % noticed"
            )
        if stopped:
            typer.echo("stopped; the same command goes on from here", err=True)
        if percent < minimum:
            typer.echo(f"rulewright: {percent:.1f} % noticed, less than {minimum:g} %", err=True)
        if stopped or percent < minimum:
            raise typer.Exit(1)


def _scenarios(path: Path) -> str:
    """Verdicts hold only for the scenarios they were found with."""
    import hashlib

    digest = hashlib.sha256()
    for file in sorted((path / "scenarios").glob("*.yaml")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _run(suite: Any, todo: list[Any], coverage: Any, jobs: int, record: Any) -> bool:
    """Judge the mutants with a bar of progress; True when it was stopped from the keyboard."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from rulewright.conformance.mutation import run_mutants
    from rulewright.terminal import console

    columns = (TextColumn("mutants"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        bar = progress.add_task("mutants", total=len(todo))

        def on_verdict(verdict: Any) -> None:
            record.add(verdict)
            progress.advance(bar)

        try:
            run_mutants(suite, todo, coverage, jobs, on_verdict)
        except KeyboardInterrupt:
            return True
    return False


def _print(left: list[Any]) -> None:
    """Survivors, by the clause of the rule that was changed."""
    groups: dict[str, list[Any]] = {}
    for v in left:
        groups.setdefault(v.cites[0] if v.cites else "(no clause)", []).append(v)
    for clause in sorted(groups):
        typer.echo(clause)
        for v in sorted(groups[clause], key=lambda v: (v.file, v.line)):
            typer.echo(f"  {v.file}:{v.line}: {v.words}  [{v.id}]")
