"""A spec's folder → answers for an editor: what is wrong, what something means, what could be written, where it is declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rulewright.compiler.build import read_spec
from rulewright.compiler.rules.formatter import format_rules
from rulewright.compiler.text.codes import CODES
from rulewright.compiler.text.diagnostics import Problem, Problems, Related, SpecError
from rulewright.compiler.text.source import Sources, Span
from rulewright.language.checked import Checked, check_one_ruleset, check_path, without_collection
from rulewright.language.completion import complete
from rulewright.language.declared_names import Names, names_of
from rulewright.language.fixes import fixes, text_at
from rulewright.language.hover import Types, definitions, hover
from rulewright.language.palette import palette
from rulewright.language.word_at import local_at, word_at

Json = dict[str, Any]
# how messages call the folder; whoever asks knows files by their place in it
SHOWN = "spec"


class Language:
    """One folder. Names are those of the last time that it could be read, so that half a sentence does not lose them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.names = Names()
        self._types = Types()
        # the texts that the types belong to
        self._typed: dict[str, str] = {}

    # ------------------------------------------------------------ problems

    def check(self, players: int | None = None, variants: Sequence[str] = ()) -> Json:
        """The ruleset in sight."""
        with without_collection():
            found = check_one_ruleset(self.root, SHOWN, players, variants)
            if found.spec is not None:
                self.names = names_of(found.spec.folder, found.sources)
            if found.game is not None:
                self._types = Types.of(found.game)
                self._typed = dict(self._sources(found))
        return self._told(found)

    def check_all(self, play: bool = False) -> Json:
        """All rulesets, with warnings; and with `play` what only games show."""
        with without_collection():
            return self._told(check_path(self.root, SHOWN, play))

    def _sources(self, found: Checked) -> list[tuple[str, str]]:
        files = {span.file for spans in self._types.by_file.values() for span, _ in spans[:1]}
        return [(f, s.text) for f in files if (s := found.sources.get(f)) is not None]

    def _told(self, found: Checked) -> Json:
        problems = [problem_json(p, found.sources) for p in sorted_by_weight(found.problems)]
        spec = found.spec
        known: Json = {}
        if spec is not None:
            game = spec.folder.game
            known = {
                "game": game.game,
                "title": game.title,
                "players": list(game.players),
                "clauses": bool(spec.folder.clauses),
                "variants": [
                    {"name": v.name, "players": list(v.players), "automatic": v.automatic, "about": v.about}
                    for v in spec.folder.variants.values()
                ],
            }  # fmt: skip
        return {
            "problems": problems,
            "errors": found.count("error"),
            "warnings": found.count("warning"),
            "rulesets": found.rulesets,
            "played": found.played,
            "spec": known,
        }

    # ------------------------------------------------------------ at a place

    def hover(self, file: str, text: str, line: int, column: int) -> Json | None:
        shown = f"{SHOWN}/{file}"
        types = self._types if self._typed.get(shown) == text else None
        found = hover(shown, text, line, column, self.names, types)
        return None if found is None else asdict(found)

    def complete(self, file: str, text: str, line: int, column: int) -> list[Json]:
        return [asdict(c) for c in complete(file, text, line, column, self.names)]

    def define(self, file: str, text: str, line: int, column: int) -> list[Json]:
        """Where the thing under the cursor is declared, the likeliest place first."""
        word = word_at(text, line, column)
        if word is None:
            return []
        if (at := local_at(text, line, word, column)) is not None:
            number, start, end = at
            return [
                {
                    "name": text.split("\n")[number - 1][start - 1 : end - 1], "sort": "local", "variant": "", "file": file,
                    "line": number, "column": start, "end_line": number, "end_column": end,
                }
            ]  # fmt: skip
        found = definitions(word, column, self.names)
        return [
            {"name": n.name, "sort": n.sort, "variant": n.variant, **span_json(n.span)}
            for n in found
        ]

    def palette(self) -> Json:
        """What can be hung on, done and written; nothing while the spec can't be read."""
        try:
            spec = read_spec(self.root, SHOWN)
        except SpecError:
            return {"hooks": [], "effects": [], "columns": []}
        return palette(spec.folder, spec.sources).to_json()

    @staticmethod
    def format(file: str, text: str) -> Json:
        """A rules file evenly spaced; as it was, with the reasons, when it can't be read."""
        problems = Problems()
        result = format_rules(text, f"{SHOWN}/{file}", problems)
        sources = Sources()
        sources.add(f"{SHOWN}/{file}", text)
        return {
            "text": result,
            "problems": [problem_json(p, sources) for p in problems.errors],
        }


def sorted_by_weight(problems: Sequence[Problem]) -> list[Problem]:
    """What matters first: errors before warnings, files that can't be read before what follows from them, then the order of the text."""

    def weight(problem: Problem) -> tuple[bool, int]:
        group = problem.code[2:4]
        order = {"01": 0, "02": 1, "03": 2, "04": 3, "05": 4, "06": 5, "07": 6, "08": 7, "10": 8}
        return problem.severity != "error", order.get(group, 9)

    return sorted(problems, key=weight)


def span_json(span: Span) -> Json:
    return {
        "file": span.file.removeprefix(f"{SHOWN}/"),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def problem_json(problem: Problem, sources: Sources) -> Json:
    def related(one: Related) -> Json:
        return {"message": one.message, **span_json(one.span)}

    source = sources.get(problem.span.file)
    return {
        "code": problem.code,
        "title": CODES[problem.code],
        "severity": problem.severity,
        "message": problem.message,
        "expected": problem.expected,
        "hint": problem.hint,
        **span_json(problem.span),
        "related": [related(one) for one in problem.related],
        "fixes": [
            {
                "label": fix.label,
                "text": fix.text,
                "old": text_at(source, fix.span),
                **span_json(fix.span),
            }
            for fix in fixes(problem, source)
            if source is not None
        ],
    }
