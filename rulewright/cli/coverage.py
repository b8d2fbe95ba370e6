"""`rulewright coverage`: a spec and its scenarios → clauses without a rule or a scenario, and rules that never ran."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from rulewright.cli.common import Usage, folder_of, has_colour

if TYPE_CHECKING:
    from rulewright.conformance.outcomes import Run
    from rulewright.conformance.suite import Suite


def register(app: typer.Typer) -> None:
    @app.command()
    def coverage(
        spec: Annotated[str, typer.Argument(metavar="GAME|FOLDER", help="Which game.")],
        rules: Annotated[
            bool,
            typer.Option(
                "--rules", help="Which statements, branches and rows ran, instead of clauses."
            ),
        ] = False,
        annotate: Annotated[
            bool,
            typer.Option("--annotate", help="The rules with a mark on each line (with --rules)."),
        ] = False,
        format_: Annotated[
            Literal["text", "json", "html"],
            typer.Option("--format", help="How to show the result."),
        ] = "text",
        out: Annotated[
            Path | None, typer.Option("--out", metavar="FILE", help="Write it there.")
        ] = None,
        min_cited: Annotated[
            float, typer.Option(min=0, max=100, help="Fail when less of the clauses are cited.")
        ] = 100,
        min_covered: Annotated[
            float, typer.Option(min=0, max=100, help="Fail when less of the clauses are covered.")
        ] = 100,
        min_rules: Annotated[
            float,
            typer.Option(min=0, max=100, help="Fail when less of the rules ran (with --rules)."),
        ] = 100,
        jobs: Annotated[
            int, typer.Option("--jobs", "-j", min=1, max=256, help="How many processes to use.")
        ] = 1,
    ) -> None:
        """How far rules and scenarios cover the rulebook's clauses, and scenarios the rules."""
        from rulewright.compiler.text.diagnostics import SpecError
        from rulewright.conformance.outcomes import run_suite
        from rulewright.conformance.suite import load_suite

        if annotate and not rules:
            raise Usage("--annotate goes with --rules")
        if annotate and format_ != "text":
            raise Usage("--annotate is text; leave out --format")
        suite = load_suite(*folder_of(spec))
        try:
            run = run_suite(suite, jobs=jobs)
        except SpecError as error:
            # citations can be looked at all the same; whatever else is wrong is told after them
            if rules:
                raise
            text, _ = _clauses(suite, None, format_, min_cited, min_covered)
            _put(text, out)
            raise error from None
        if rules:
            text, fine = _rules(suite, run, format_, annotate, min_rules)
        else:
            text, fine = _clauses(suite, run, format_, min_cited, min_covered)
        _put(text, out)
        fine = _tell_problems(suite, run) and fine
        raise typer.Exit(0 if fine else 1)


def _put(text: str, out: Path | None) -> None:
    if out is None:
        typer.echo(text.rstrip("\n"))
    else:
        out.write_text(text.rstrip("\n") + "\n", encoding="utf-8")


def _rules(suite: Suite, run: Run, format_: str, annotate: bool, least: float) -> tuple[str, bool]:
    from rulewright.conformance import rules_text as shown
    from rulewright.conformance.rules import rule_coverage

    found = rule_coverage(suite.spec, run)
    if format_ == "json":
        text = json.dumps(shown.rules_json(found, suite.name), indent=2, ensure_ascii=False)
    elif format_ == "html":
        from rulewright.conformance.rule_page import rule_page

        title = suite.spec.folder.game.title
        text = rule_page(found, suite.name, title, suite.spec.sources)
    elif annotate:
        text = f"{shown.annotated(found, suite.spec.sources)}\n{shown.rules_summary(found, suite.name)}"
    else:
        text = shown.rules_text(found, suite.name, suite.spec.sources)
    return text, _enough("of the rules ran", found.percent, least)


def _clauses(
    suite: Suite, run: Run | None, format_: str, least_cited: float, least_covered: float
) -> tuple[str, bool]:
    from rulewright.conformance.clause_page import clause_page
    from rulewright.conformance.clauses import clause_coverage, clauses_json, clauses_text

    found = clause_coverage(suite.spec, suite.scenarios, run)
    if format_ == "json":
        text = json.dumps(clauses_json(found), indent=2, ensure_ascii=False)
    elif format_ == "html":
        text = clause_page(found, suite.spec.sources)
    else:
        text = clauses_text(found)
    fine = _enough("of the clauses are cited", found.percent_cited, least_cited)
    fine = _enough("of the clauses are covered", found.percent_covered, least_covered) and fine
    if found.unknown:
        # pages and files show them too, but whoever reads the exit code should not have to look there
        names = ", ".join(sorted({name for name, _ in found.unknown}))
        typer.echo(f"rulewright: cited, but in no index of clauses: {names}", err=True)
    return text, fine and not found.unknown


def _enough(what: str, percent: float, least: float) -> bool:
    if percent >= least:
        return True
    from rulewright.conformance.show import rounded_down

    typer.echo(f"rulewright: {rounded_down(percent)} % {what}, less than {least:g} %", err=True)
    return False


def _tell_problems(suite: Suite, run: Run) -> bool:
    """Scenarios that can't be read or that fail are told, since they count for nothing."""
    from rulewright.compiler.text.diagnostics import render

    errors = [p for p in run.problems if p.severity == "error"]
    for problem in errors:
        typer.echo(render(problem, suite.spec.sources, colour=has_colour(sys.stderr)), err=True)
    if run.failed:
        typer.echo(f"rulewright: {len(run.failed)} scenarios fail; see `rulewright test`", err=True)
    return not errors and not run.failed
