"""Problems found anywhere in the compiler into messages with a place, an excerpt and a hint."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rulewright.compiler.text.source import NOWHERE, Sources, Span
from rulewright.runtime.plain import one_line

Severity = Literal["error", "warning"]

# Ranges: RW01xx reading files and YAML, RW02xx syntax of rules, RW03xx tables and game file,
# RW04xx variants, RW05xx names, RW06xx types, RW07xx hidden information, RW08xx flow,
# RW09xx provenance (citations), RW10xx in play.
CODES: dict[str, str] = {
    # Files.
    "RW0101": "file not found",
    "RW0102": "not a file",
    "RW0103": "file cannot be read",
    "RW0104": "file is not UTF-8",
    "RW0105": "file is too large",
    "RW0106": "NUL byte in a file",
    "RW0107": "byte order mark",
    "RW0108": "character not allowed",
    # YAML.
    "RW0110": "not valid YAML",
    "RW0111": "tab in indentation",
    "RW0112": "duplicate key",
    "RW0113": "YAML anchor",
    "RW0114": "YAML alias",
    "RW0115": "YAML merge key",
    "RW0116": "YAML tag",
    "RW0117": "YAML directive",
    "RW0118": "nested too deeply",
    "RW0119": "too many values in one file",
    "RW0120": "folded text",
    "RW0121": "unclear yes or no",
    "RW0122": "unclear null",
    "RW0123": "unclear number",
    "RW0124": "unclear date",
    "RW0125": "decimal number",
    "RW0126": "key is not a word",
    "RW0127": "nothing written",
    # Values and fields.
    "RW0130": "text expected",
    "RW0131": "name expected",
    "RW0132": "integer expected",
    "RW0133": "true or false expected",
    "RW0134": "list expected",
    "RW0135": "mapping expected",
    "RW0136": "missing key",
    "RW0137": "unknown key",
    # Tables and the game file.
    "RW0301": "folder cannot be read",
    "RW0302": "too many or too large files",
    "RW0303": "file not allowed here",
    "RW0304": "unexpected document",
    "RW0305": "name not allowed",
    "RW0306": "defined twice",
    "RW0307": "unusable player counts",
    "RW0308": "unusable seats",
    "RW0309": "empty citation",
    "RW0310": "unusable column type",
    "RW0311": "unknown column",
    "RW0312": "missing cell",
    "RW0313": "wrong form of value",
    "RW0314": "code cannot be read",
    "RW0315": "unusable values by player count",
    "RW0316": "unusable graph",
    "RW0317": "unusable grid",
    "RW0318": "replace outside a variant",
    "RW0319": "unusable clause index",
    "RW0320": "table without rows",
    "RW0321": "table too large",
    "RW0322": "file that nothing reads",
    # Variants.
    "RW0401": "unknown variant",
    "RW0402": "player count not supported",
    "RW0403": "variant not for this player count",
    "RW0404": "needed variant missing",
    "RW0405": "variants exclude each other",
    "RW0406": "unknown table",
    "RW0407": "unknown row",
    "RW0408": "already there",
    "RW0409": "nothing to replace",
    "RW0410": "replacement does not fit",
    "RW0411": "conflicting variants",
    "RW0412": "no value for this player count",
    "RW0413": "variant chosen twice",
    "RW0414": "unused rules file",
    "RW0415": "nothing to overrule",
    "RW0416": "no constant to change",
    "RW0323": "value out of range",
    "RW0324": "too many values",
    "RW0325": "unknown member",
    "RW0326": "table without a property",
    "RW0327": "rows or cells cannot be made",
    "RW0328": "unusable source of rows or cells",
    "RW0329": "unusable teams",
    "RW0420": "unknown option",
    "RW0421": "wrong value for an option",
    "RW0501": "unknown name",
    "RW0502": "name already taken",
    "RW0503": "unknown type",
    "RW0504": "wrong use of a call",
    "RW0505": "ambiguous member",
    "RW0506": "declared twice",
    "RW0507": "no procedure play",
    "RW0508": "play takes no parameters",
    "RW0509": "second outcome",
    "RW0510": "no outcome",
    "RW0511": "outcome of something else than players",
    "RW0512": "unusable common outcome",
    "RW0601": "wrong type",
    "RW0602": "empty range",
    "RW0603": "can't be optional",
    "RW0604": "no such set",
    "RW0605": "no such list",
    "RW0606": "no such map",
    "RW0607": "list without a limit",
    "RW0608": "bound not known before play",
    "RW0609": "value may be none",
    "RW0610": "no columns",
    "RW0611": "code must be called",
    "RW0612": "can't be indexed",
    "RW0613": "number out of range",
    "RW0614": "can't be gone over",
    "RW0615": "can't be compared",
    "RW0616": "division by zero",
    "RW0617": "operator without meaning",
    "RW0618": "never none",
    "RW0619": "two sides differ",
    "RW0620": "kind not known",
    "RW0621": "range without an end",
    "RW0622": "not a key",
    "RW0626": "wrong number of arguments",
    "RW0627": "possible needs a call",
    "RW0628": "not a graph",
    "RW0629": "can't be kept in a local",
    "RW0630": "open brace in a text",
    "RW0631": "hole is no expression",
    "RW0632": "can't be put into a text",
    "RW0633": "not a zone",
    "RW0634": "owner of a zone missing",
    "RW0635": "other family of pieces",
    "RW0636": "field missing",
    "RW0637": "not a standing piece",
    "RW0638": "state too large",
    "RW0639": "state without bounds",
    "RW0640": "first value reads state",
    "RW0641": "first value not known",
    "RW0642": "pieces of no kind",
    "RW0643": "zone mixes owners",
    "RW0644": "no full zone",
    "RW0645": "number of pieces not known",
    "RW0646": "too many equal pieces",
    "RW0647": "range too long",
    "RW0648": "set or list too large",
    "RW0649": "no such type here",
    "RW0650": "graph too large",
    "RW0651": "list may be too short",
    "RW0652": "comparison decided beforehand",
    "RW0653": "nothing to take a fingerprint of",
    "RW0701": "hidden value made public",
    "RW0702": "public act among secret choices",
    "RW0703": "hidden value handed on",
    "RW0704": "hidden value shown to an owner",
    "RW0705": "together without players",
    "RW0706": "hidden value in a text",
    "RW0707": "secret chooser not fixed",
    "RW0708": "question shows a hidden value",
    "RW0709": "chooser can't see this",
    "RW0710": "if any shows a hidden value",
    "RW0711": "drawn piece into a zone not public",
    "RW0712": "move shows hidden pieces",
    "RW0713": "no owner",
    "RW0714": "hidden local across a decision",
    "RW0715": "hidden value not as it was chosen",
    "RW0716": "hidden set or list",
    "RW0717": "luck that all have seen kept in secret",
    "RW0801": "effect in a function",
    "RW0802": "procedure inside an expression",
    "RW0803": "wrong sort of code column",
    "RW0804": "never reached",
    "RW0805": "outside a loop",
    "RW0806": "result not used",
    "RW0807": "does nothing",
    "RW0808": "nothing given back",
    "RW0809": "not a variable",
    "RW0810": "can't be assigned",
    "RW0811": "score assigned",
    "RW0812": "whole map assigned",
    "RW0813": "pieces assigned",
    "RW0814": "value given back from a procedure without one",
    "RW0815": "value missing",
    "RW0816": "choice without an end",
    "RW0817": "choice too wide",
    "RW0818": "label used twice",
    "RW0819": "option twice",
    "RW0820": "recursive function",
    "RW0821": "end without a value",
    "RW0822": "not open",
    "RW0823": "wrong number of hook parameters",
    "RW0824": "hook without its owner",
    "RW0825": "two hooks replace one result",
    "RW0826": "recursive procedures",
    "RW0827": "unused function",
    "RW0828": "unused procedure",
    "RW0829": "unused state",
    "RW0830": "unused table",
    "RW0831": "unused constant",
    "RW0832": "unused reason",
    "RW0833": "hook of the wrong sort",
    "RW0834": "requirement after a change",
    "RW0835": "far too much work",
    "RW0836": "calls nested too deeply",
    "RW0837": "return in a hook",
    "RW0838": "unused row",
    "RW0901": "unknown clause",
    "RW0902": "missing citation",
    "RW0903": "clause not cited",
    "RW1001": "choice without an option",
    "RW1002": "too many steps without a decision",
    "RW1003": "number out of its range",
    "RW1004": "empty zone",
    "RW1005": "broken invariant",
    "RW1006": "index out of a list",
    "RW1007": "division by zero in play",
    "RW1008": "list too long",
    "RW1009": "no smallest or greatest value",
    "RW1010": "nothing to roll",
    "RW1011": "too many decisions",
    "RW1012": "not in the list",
    "RW1020": "game without an end",
    "RW1021": "hidden things that can't be dealt anew",
    # Syntax of rules.
    "RW0201": "unexpected word or sign",
    "RW0202": "text ends too early",
    "RW0203": "character that means nothing",
    "RW0204": "tab",
    "RW0205": "quote not closed",
    "RW0206": "bracket not closed",
    "RW0207": "wrong indentation",
    "RW0208": "nested too deeply",
    "RW0209": "too long",
    "RW0210": "number too large",
    "RW0211": "word of the language used as a name",
    "RW0212": "not of the form 'x in D'",
    "RW0213": "no such operation over a domain",
    "RW0214": "statement does nothing",
    "RW0215": "hook is not one expression",
    "RW0216": "choice marked wrongly",
    "RW0217": "chained comparison",
    "RW0218": "operation over a domain is incomplete",
    "RW0219": "cannot be assigned",
    "RW0220": "wrong number of arguments",
    "RW0221": "missing result type",
    "RW0222": "text cannot be formatted",
    # Any stage.
    "RW0199": "too many problems",
}

MAX_PROBLEMS = 200  # of each severity
_TOO_MANY = "RW0199"
_MAX_NAME = 80  # longer words are not worth a guess, and comparing them is quadratic
_LINE_WIDTH = 100
_TAB = 4


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a problem."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong, where it is, and what would be right."""

    code: str
    severity: Severity
    message: str
    span: Span
    expected: str | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()


class Problems:
    """Collects problems, drops repeated ones, and keeps the number shown bounded."""

    def __init__(self) -> None:
        self._kept: dict[Severity, list[Problem]] = {"error": [], "warning": []}
        self._seen: set[tuple[str, Span, str]] = set()
        self._dropped: Severity | None = None

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        expected: str | None = None,
        hint: str | None = None,
        related: Iterable[Related] = (),
    ) -> None:
        self.add(Problem(code, "error", message, span, expected, hint, tuple(related)))

    def warning(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        expected: str | None = None,
        hint: str | None = None,
        related: Iterable[Related] = (),
    ) -> None:
        self.add(Problem(code, "warning", message, span, expected, hint, tuple(related)))

    def add(self, problem: Problem) -> None:
        CODES[problem.code]  # an unknown code is a mistake of the compiler's: KeyError
        key = (problem.code, problem.span, problem.message)
        if key in self._seen:
            return
        kept = self._kept[problem.severity]
        if len(kept) >= MAX_PROBLEMS:
            if self._dropped != "error":
                self._dropped = problem.severity
            return
        self._seen.add(key)
        kept.append(problem)

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.all() if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        return [problem for problem in self.all() if problem.severity == "warning"]

    @property
    def has_errors(self) -> bool:
        return bool(self._kept["error"])

    @property
    def is_full(self) -> bool:
        """Whether further errors would only be counted out: looking for them helps nobody."""
        return len(self._kept["error"]) >= MAX_PROBLEMS

    def all(self) -> list[Problem]:
        """In the order of the files' text; a note that some were left out comes last."""
        found = sorted(self._kept["error"] + self._kept["warning"], key=_order)
        if self._dropped is not None:
            message = "too many problems, the rest are not shown; correct these first"
            found.append(Problem(_TOO_MANY, self._dropped, message, NOWHERE))
        return found

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.all())


class SpecError(Exception):
    """A specification that cannot be used; its text is the rendered problems."""

    def __init__(self, problems: Problems, sources: Sources) -> None:
        super().__init__(problems, sources)
        self.problems = problems
        self.sources = sources

    def render(self, *, colour: bool = False) -> str:
        """The errors alone: nobody should have to look for them among warnings, which `rulewright check` tells."""
        return render_all(self.problems.errors, self.sources, colour=colour)

    def __str__(self) -> str:
        return self.render()


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the name, or nothing when none is close."""
    if not name or len(name) > _MAX_NAME:
        return None
    best: tuple[float, str] | None = None
    plain = name.casefold()
    matcher = difflib.SequenceMatcher(None, "", plain)  # it prepares its second text, once for all
    for candidate in sorted({c for c in candidates if 0 < len(c) <= _MAX_NAME}):
        if candidate.casefold() == plain:
            return candidate
        # A word of two or three letters differs from another by one letter at most.
        cutoff = 0.5 if min(len(name), len(candidate)) <= 3 else 0.65
        matcher.set_seq1(candidate.casefold())
        if matcher.real_quick_ratio() < cutoff or matcher.quick_ratio() < cutoff:
            continue
        ratio = matcher.ratio()
        if ratio >= cutoff and (best is None or ratio > best[0]):
            best = (ratio, candidate)
    return None if best is None else best[1]


_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
).split()


def number_hint(word: str) -> str | None:
    """What to write for a number in letters, fit for a hint; nothing for any other word."""
    plain = word.casefold()
    if plain not in _NUMBERS:
        return None
    return f"numbers are written in digits: {_NUMBERS.index(plain)}"


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The nearest candidate as a question, fit for a hint."""
    found = nearest(name, candidates)
    return None if found is None else f"did you mean {quoted(found)}?"


def quoted(text: str, limit: int = 40) -> str:
    """Text in quotes for a message, cut when it is long."""
    return f"'{text}'" if len(text) <= limit else f"'{text[: limit - 1]}…'"


def listed(names: Iterable[str], limit: int = 12) -> str:
    """Names as 'a, b or c' for an expectation, cut when there are many."""
    words = list(names)
    if len(words) > limit:
        return ", ".join(words[:limit]) + f" … ({len(words)} in all)"
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def render(problem: Problem, sources: Sources, *, colour: bool = False) -> str:
    """One problem as lines of text, with the line of the file that it is about."""
    paint = _COLOURS if colour else {}
    tone = paint.get(problem.severity, "")
    reset = paint.get("reset", "")
    where = _where(problem.span)
    head = f"{paint.get('bold', '')}{where}: {reset}" if where else ""
    lines = [f"{head}{tone}{problem.severity} {problem.code}{reset}: {one_line(problem.message)}"]
    lines += _excerpt(problem.span, sources, tone, reset)
    if problem.expected:
        lines.append(f"   expected: {one_line(problem.expected)}")
    if problem.hint:
        lines.append(f"   hint: {one_line(problem.hint)}")
    for related in problem.related:
        place = _where(related.span)
        lines.append(f"   {place + ': ' if place else ''}{one_line(related.message)} (related)")
    return "\n".join(lines)


def render_all(problems: Iterable[Problem], sources: Sources, *, colour: bool = False) -> str:
    """All problems as text that ends with their number; nothing for no problems."""
    shown = list(problems)
    if not shown:
        return ""
    parts = []
    severities: tuple[Severity, ...] = ("error", "warning")
    for severity in severities:
        count = sum(p.severity == severity and p.code != _TOO_MANY for p in shown)
        if count:
            parts.append(f"{count} {severity}{'' if count == 1 else 's'}")
    blocks = [render(problem, sources, colour=colour) for problem in shown]
    return "\n".join([*blocks, ", ".join(parts)])


def to_json(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """All problems as values that JSON can hold."""
    return [
        {
            "code": problem.code,
            "title": CODES[problem.code],
            "severity": problem.severity,
            "message": problem.message,
            **_span_json(problem.span),
            "expected": problem.expected,
            "hint": problem.hint,
            "related": [
                {"message": related.message, **_span_json(related.span)}
                for related in problem.related
            ],
        }
        for problem in problems
    ]


_COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "bold": "\x1b[1m",
    "reset": "\x1b[0m",
}


def _order(problem: Problem) -> tuple[str, int, int, str, str]:
    span = problem.span
    return span.file, span.line, span.column, problem.code, problem.message


def _span_json(span: Span) -> dict[str, Any]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _where(span: Span) -> str:
    if not span.file or span.line < 1:
        return one_line(span.file)
    return f"{one_line(span.file)}:{span.line}:{span.column}"


def _excerpt(span: Span, sources: Sources, tone: str, reset: str) -> list[str]:
    """The line a span begins on and carets under it, aligned as a terminal shows them."""
    source = sources.get(span.file)
    if source is None or not 1 <= span.line <= len(source.lines):
        return []
    line = source.lines[span.line - 1]
    start = max(0, min(span.column - 1, len(line)))
    end = min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line)
    cut_start, before, after = 0, "", ""
    if len(line) > _LINE_WIDTH:
        cut_start = max(0, min(start - _LINE_WIDTH // 2, len(line) - _LINE_WIDTH))
        before = "…" if cut_start > 0 else ""
        after = "…" if cut_start + _LINE_WIDTH < len(line) else ""
        line = line[cut_start : cut_start + _LINE_WIDTH]
        start, end = start - cut_start, min(end - cut_start, len(line))
    cells, column, starts = [before], len(before), []
    for char in line:
        starts.append(column)
        shown, width = _cell(char, column)
        cells.append(shown)
        column += width
    starts.append(column)
    carets = max(1, starts[end] - starts[start]) if end > start else 1
    text = ("".join(cells) + after).rstrip()
    gutter = f"{span.line:>5}"
    return [
        f"{gutter} | {text}".rstrip(),
        f"{' ' * len(gutter)} | {' ' * starts[start]}{tone}{'^' * carets}{reset}",
    ]


def _cell(char: str, column: int) -> tuple[str, int]:
    """What a terminal shows for a character at a column, and how many columns it takes."""
    if char == "\t":
        width = _TAB - column % _TAB
        return " " * width, width
    if unicodedata.category(char) in ("Mn", "Me"):
        return char, 0
    if not char.isprintable():
        return "\N{REPLACEMENT CHARACTER}", 1
    return char, 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
