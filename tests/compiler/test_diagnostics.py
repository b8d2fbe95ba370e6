"""Problems and unreadable files: what is kept, in which order, and the exact text shown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rulewright.compiler.text.diagnostics import (
    CODES,
    MAX_PROBLEMS,
    Problems,
    Related,
    SpecError,
    did_you_mean,
    listed,
    nearest,
    render,
    render_all,
    to_json,
)
from rulewright.compiler.text.source import MAX_BYTES, NOWHERE, Sources, Span, read_text


def at(line: int, column: int, length: int = 1, file: str = "f.rules") -> Span:
    return Span(file, line, column, line, column + length)


def shown(text: str, span: Span, message: str = "wrong") -> list[str]:
    sources, problems = Sources(), Problems()
    sources.add("f.rules", text)
    problems.error("RW0110", span, message)
    return render(problems.all()[0], sources).splitlines()


def test_full_message() -> None:
    sources, problems = Sources(), Problems()
    sources.add("f.rules", "first\n  coisn[me] += 3\n")
    problems.error(
        "RW0137",
        at(2, 3, 5),
        "unknown name 'coisn'",
        expected="a state variable",
        hint=did_you_mean("coisn", ["coins", "cards"]),
        related=[Related(at(3, 5, file="g.rules"), "declared here")],
    )
    problems.warning("RW0110", at(1, 1, 5), "odd")
    assert render_all(problems, sources) == (
        "f.rules:1:1: warning RW0110: odd\n"
        "    1 | first\n"
        "      | ^^^^^\n"
        "f.rules:2:3: error RW0137: unknown name 'coisn'\n"
        "    2 |   coisn[me] += 3\n"
        "      |   ^^^^^\n"
        "   expected: a state variable\n"
        "   hint: did you mean 'coins'?\n"
        "   g.rules:3:5: declared here (related)\n"
        "1 error, 1 warning"
    )
    # what is raised tells the errors alone
    assert str(SpecError(problems, sources)) == render_all(problems.errors, sources)


def test_colour_changes_nothing_but_colour() -> None:
    sources, problems = Sources(), Problems()
    sources.add("f.rules", "x")
    problems.error("RW0110", at(1, 1), "wrong")
    painted = render(problems.all()[0], sources, colour=True)
    assert "\x1b[1;31merror RW0110\x1b[0m" in painted
    assert "\x1b" not in render(problems.all()[0], sources)


def test_tabs_are_expanded_and_carets_line_up() -> None:
    assert shown("\ta\tbc", at(1, 4, 2))[1:] == ["    1 |     a   bc", "      |         ^^"]


def test_wide_and_combining_characters_line_up() -> None:
    assert shown("日本 ab", at(1, 4, 2))[2] == "      |      ^^"
    assert shown("日本 ab", at(1, 1, 2))[2] == "      | ^^^^"
    assert shown("e\u0301 ab", at(1, 4, 2))[2] == "      |   ^^"


def test_characters_that_steer_a_terminal_are_not_passed_on() -> None:
    lines = shown("a\x1b[31m\udc80b", at(1, 2), "bad \x1b[2J\nname\udc80")
    assert lines[0] == "f.rules:1:2: error RW0110: bad \\x1b[2J\\nname\\udc80"
    assert lines[1] == "    1 | a\ufffd[31m\ufffdb"
    "\n".join(lines).encode("utf-8")


def test_long_line_is_cut_around_the_caret() -> None:
    lines = shown("x" * 5000 + "HERE" + "y" * 5000, at(1, 5001, 4))
    assert len(lines[1]) < 130
    assert lines[1].startswith("    1 | …") and lines[1].endswith("…")
    caret = lines[2].index("^")
    assert lines[1][caret : caret + 4] == "HERE" and lines[2].endswith(" ^^^^")
    assert shown("x" * 5000, at(1, 1, 5000))[2].count("^") == 100
    assert shown("x" * 5000, at(1, 5001))[1].endswith("x")


def test_span_of_several_lines_marks_the_first() -> None:
    assert shown("ab cd\nef", Span("f.rules", 1, 4, 2, 2))[2] == "      |    ^^"


@pytest.mark.parametrize(
    ("span", "head"),
    [
        (NOWHERE, "error RW0110: wrong"),
        (Span("f.rules", 0, 0, 0, 0), "f.rules: error RW0110: wrong"),
        (at(99, 1), "f.rules:99:1: error RW0110: wrong"),
        (at(1, 1, file="other"), "other:1:1: error RW0110: wrong"),
    ],
)
def test_places_without_a_line_to_show(span: Span, head: str) -> None:
    assert shown("text", span) == [head]


@pytest.mark.parametrize("span", [at(1, 50), at(1, 3, 0), at(1, 3, -2), at(2, 1), at(1, 0)])
def test_odd_columns_do_not_crash(span: Span) -> None:
    assert shown("text\n", span)[2].count("^") == 1


def test_order_and_repeats() -> None:
    problems = Problems()
    problems.error("RW0110", at(2, 1), "b")
    problems.error("RW0110", at(1, 9), "a")
    problems.error("RW0110", at(2, 1), "b")
    problems.warning("RW0110", at(1, 1, file="a.rules"), "first")
    assert [p.message for p in problems.all()] == ["first", "a", "b"]
    assert [p.message for p in problems.errors] == ["a", "b"]
    assert [p.message for p in problems.warnings] == ["first"]
    assert problems.has_errors


def test_warnings_are_no_errors_and_do_not_crowd_them_out() -> None:
    problems = Problems()
    for n in range(MAX_PROBLEMS + 50):
        problems.warning("RW0110", at(n + 1, 1), "odd")
    assert not problems.has_errors
    problems.error("RW0110", at(1, 1), "wrong")
    assert problems.has_errors


def test_number_of_problems_is_bounded() -> None:
    problems = Problems()
    for n in range(MAX_PROBLEMS + 50):
        problems.error("RW0110", at(n + 1, 1), "wrong")
    assert len(problems.all()) == MAX_PROBLEMS + 1
    assert render_all(problems, Sources()).splitlines()[-2:] == [
        "error RW0199: too many problems, the rest are not shown; correct these first",
        "200 errors",
    ]


def test_unknown_code_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Problems().error("RW9999", NOWHERE, "x")


def test_codes_are_well_formed() -> None:
    assert all(len(c) == 6 and c[:2] == "RW" and c[2:].isdigit() and CODES[c] for c in CODES)


def test_json() -> None:
    problems = Problems()
    related = [Related(at(3, 1), "here")]
    problems.error("RW0112", at(1, 2, 3), "twice", expected="once", related=related)
    place = {"file": "f.rules", "line": 3, "column": 1, "end_line": 3, "end_column": 2}
    assert json.loads(json.dumps(to_json(problems))) == [
        {
            "code": "RW0112",
            "title": "duplicate key",
            "severity": "error",
            "message": "twice",
            **place,
            "line": 1,
            "column": 2,
            "end_line": 1,
            "end_column": 5,
            "expected": "once",
            "hint": None,
            "related": [{"message": "here", **place}],
        }
    ]
    assert render_all([], Sources()) == ""


@pytest.mark.parametrize(
    ("name", "candidates", "found"),
    [
        ("coisn", ["coins", "cards"], "coins"),
        ("Coins", ["coins"], "coins"),
        ("ab", ["ac", "ad"], "ac"),
        ("zebra", ["coins"], None),
        ("x", ["y"], None),
        ("", ["y"], None),
        ("coins" * 100_000, ["coins"], None),
        ("coins", ["coins" * 100_000, ""], None),
    ],
)
def test_nearest(name: str, candidates: list[str], found: str | None) -> None:
    assert nearest(name, candidates) == nearest(name, reversed(candidates)) == found
    assert did_you_mean(name, candidates) == (found and f"did you mean '{found}'?")


def test_listed() -> None:
    assert [listed([]), listed("a"), listed("ab"), listed("abc")] == [
        "",
        "a",
        "a or b",
        "a, b or c",
    ]
    assert listed([str(n) for n in range(20)]).endswith("11 … (20 in all)")


def reading(path: Path) -> str:
    sources, problems = Sources(), Problems()
    assert read_text(path, "shown/x.yaml", sources, problems) is None
    return render_all(problems, sources)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            "é: 1\r\nab".encode() + b"\xff\xfe: 2\n",
            "shown/x.yaml:2:3: error RW0104: the file is not UTF-8: byte 0xff at offset 9"
            " (line 2)\n"
            "    2 | ab\ufffd\ufffd: 2\n"
            "      |   ^\n"
            "   hint: save it as UTF-8\n1 error",
        ),
        (
            b"a: 1\nb\x00: 2\n",
            "shown/x.yaml:2:2: error RW0106: the file holds a NUL byte\n"
            "    2 | b\ufffd: 2\n"
            "      |  ^\n"
            "   hint: save it as plain UTF-8\n1 error",
        ),
        (
            b"\xef\xbb\xbfa: 1\n",
            "shown/x.yaml:1:1: error RW0107: the file begins with a byte order mark\n"
            "    1 | \ufffda: 1\n"
            "      | ^\n"
            "   hint: save it as UTF-8 without BOM\n1 error",
        ),
        (
            "a: \u202eb\n".encode(),
            "shown/x.yaml:1:4: error RW0108: the character U+202E is not allowed\n"
            "    1 | a: \ufffdb\n"
            "      |    ^\n"
            "   hint: remove it; it is invisible in most editors\n1 error",
        ),
        (
            b"a" * (MAX_BYTES + 1),
            "shown/x.yaml: error RW0105: the file is larger than 2 MB\n"
            "   hint: split it into several files\n1 error",
        ),
    ],
)
def test_bad_bytes(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(data)
    assert reading(path) == message


def test_missing_and_odd_files(tmp_path: Path) -> None:
    missing = "shown/x.yaml: error RW0101: there is no such file\n1 error"
    (tmp_path / "file").write_text("x")
    assert reading(tmp_path / "none.yaml") == missing
    assert reading(tmp_path / "file" / "none.yaml") == missing
    no_file = "shown/x.yaml: error RW0102: this is not a file\n   expected: a text file\n1 error"
    assert reading(tmp_path) == no_file
    os.mkfifo(tmp_path / "pipe")
    assert reading(tmp_path / "pipe") == no_file
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert "RW0103: the file cannot be read: " in reading(tmp_path / "loop")
    assert "RW0103: the file cannot be read: " in reading(tmp_path / "a\0b")


def test_good_file_and_places(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes("é: 1\r\nb: 日本\rc\n".encode())
    sources, problems = Sources(), Problems()
    source = read_text(path, "x", sources, problems)
    assert source is not None and not problems.all()
    assert source.lines == ["é: 1", "b: 日本", "c", ""]
    assert sources.get("x") is source and sources.line("x", 2) == "b: 日本"
    assert sources.line("x", 9) == sources.line("y", 1) == ""
    start = source.text.index("本")
    assert source.span(start, start + 1) == Span("x", 2, 5, 2, 6)
    assert source.span(0, 1).to(source.span(start, start + 1)) == Span("x", 1, 1, 2, 6)
    assert source.position(10_000) == (4, 1)
