"""Strict YAML: what is accepted, where it stands, and the whole message for what is not."""

from __future__ import annotations

import pytest
import yaml
from common import calls_in

from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YList,
    YMap,
    YScalar,
    as_bool,
    as_int,
    as_list,
    as_map,
    as_name,
    as_text,
)
from rulewright.compiler.read.yaml_text import read_yaml
from rulewright.compiler.text.diagnostics import Problems, render_all
from rulewright.compiler.text.source import Sources, Span


def good(text: str) -> list[Node]:
    sources, problems = Sources(), Problems()
    nodes = read_yaml(sources.add("f.yaml", text), problems)
    assert render_all(problems, sources) == ""
    return nodes


def bad(text: str) -> str:
    sources, problems = Sources(), Problems()
    assert read_yaml(sources.add("f.yaml", text), problems) == []
    assert problems.has_errors
    return render_all(problems, sources)


def value(text: str, key: str = "a") -> Node:
    (node,) = good(text)
    assert isinstance(node, YMap)
    found = node.get(key)
    assert found is not None
    return found


def scalar(text: str, key: str = "a") -> YScalar:
    node = value(text, key)
    assert isinstance(node, YScalar)
    return node


def where(span: Span) -> tuple[int, int, int, int]:
    return span.line, span.column, span.end_line, span.end_column


def test_documents() -> None:
    assert good("") == good("# only a remark\n") == []
    assert len(good("--- a\n--- [b]\n--- {c: d}\n")) == 3


def test_shapes_and_spans() -> None:
    (node,) = good("é: [ü, 'ñ']\nb:\n  - x: 1\n\n# remark\nc: {d: true}\n")
    assert isinstance(node, YMap)
    assert node.keys() == ["é", "b", "c"] and node.get("z") is None
    assert where(node.span) == (1, 1, 6, 13)
    first, second, third = (item for _, item in node.entries)
    assert isinstance(first, YList) and where(first.span) == (1, 4, 1, 12)
    assert [where(item.span) for item in first.items] == [(1, 5, 1, 6), (1, 8, 1, 11)]
    assert isinstance(second, YList) and where(second.span) == (3, 3, 3, 9)
    assert isinstance(third, YMap) and where(third.span) == (6, 4, 6, 13)


@pytest.mark.parametrize(
    ("text", "style", "lines"),
    [
        ("é: 1\na: b c  # d\n", "plain", [(2, 4, "b c")]),
        ("{日本: 1, a: 'b # c'}", "single", [(1, 13, "b # c")]),
        ('a: "日本 x"', "double", [(1, 5, "日本 x")]),
        ("a: ''", "single", [(1, 5, "")]),
        ("a: |\n  x é\n\n    y\n\nb: 1\n", "literal", [(2, 3, "x é"), (3, 3, ""), (4, 3, "  y")]),
        ("a: |-  # why\n  x\n \n  y", "literal", [(2, 3, "x"), (3, 3, ""), (4, 3, "y")]),
        ("a: |1\n   x\n y\n", "literal", [(2, 2, "  x"), (3, 2, "y")]),
        ("a: |+\n  x\n\n\nb: 1", "literal", [(2, 3, "x"), (3, 3, ""), (4, 3, "")]),
        ("a: |\n\n  x\n", "literal", [(2, 3, ""), (3, 3, "x")]),
        ("a: |\n  x\ty\n  \tz\n", "literal", [(2, 3, "x\ty"), (3, 3, "\tz")]),
        ("a: |\r\n  x\r\n  y\r\n", "literal", [(2, 3, "x"), (3, 3, "y")]),
        ("a: |\nb: 1\n", "literal", []),
        ("a: |+\n  \nb: 1\n", "literal", [(2, 1, "")]),
        ("a: b\n  c\n", "plain", None),
        ("a: 'it''s'", "single", None),
        ('a: "b\\tc"', "double", None),
        ('a: "b\n  c"', "double", None),
    ],
)
def test_lines_of_text(text: str, style: str, lines: list[tuple[int, int, str]] | None) -> None:
    node = scalar(text)
    assert node.style == style
    assert node.code_lines() == lines
    if lines is not None:
        assert "\n".join(line for _, _, line in lines) == node.text.removesuffix("\n")
        file_lines = text.replace("\r\n", "\n").split("\n")
        for number, column, line in lines:
            assert file_lines[number - 1][column - 1 :].startswith(line)


def test_place_of_a_character() -> None:
    block = scalar("x: 1\na: |\n  é one\n\n    two\n")
    assert block.place(0) == (3, 3)
    assert block.place(block.text.index("one")) == (3, 5)
    assert block.place(block.text.index("two")) == (5, 5)
    assert block.place(6) == (4, 3)
    assert block.place(10_000) == (5, 8)
    assert where(block.part(block.text.index("two"), len(block.text))) == (5, 5, 5, 8)
    assert scalar("a: 'one two'").place(4) == (1, 9)
    escaped = scalar('a: "b\\tc"')
    assert escaped.place(2) == (1, 4) and escaped.part(1, 2) == escaped.span
    assert scalar("a: |\nb: 1").place(0) == (1, 4)


def test_span_of_a_block_ends_with_its_text() -> None:
    assert where(scalar("a: |\n  x\n  yy  \n\n\nb: 1\n").span) == (1, 4, 3, 5)
    assert where(scalar("a: |\n  x\n  yy").span) == (1, 4, 3, 5)


def test_words_that_read_as_written() -> None:
    words = "0 -5 12 true false 1.2.3 3a none 1-2 3/4 10% v1.0 o 0x 2001-12 -- -a + 'no' '08' ''"
    for word in words.split():
        assert scalar(f"a: {word}").text == word.strip("'")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            "yes No ON off y N True FALSE",
            "RW0121",
            "is read as true or false by some and as text by others",
        ),
        ("null Null ~", "RW0122", "stands for nothing at all in YAML"),
        (
            "08 007 0o7 0x1F 0b1 1_000 1:30 1:30.5 190:20:30 +3 -0 -012",
            "RW0123",
            "is a number that YAML readers do not agree on",
        ),
        ("2001-12-14 2001-12-14T21:59:43.10-05:00", "RW0124", "is a date in YAML"),
        (
            "1.5 -1.10 .5 1. 1e3 1.5e+3 .inf -.INF .nan",
            "RW0125",
            "is a decimal number in YAML",
        ),
    ],
)
def test_words_that_do_not(words: str, code: str, message: str) -> None:
    for word in words.split():
        told = bad(f"a: [x, {word}]").splitlines()
        assert told[0] == f"f.yaml:1:8: error {code}: '{word}' {message}"
        assert told[2] == "      |        " + "^" * len(word)
        assert told[3].startswith("   hint: ") and "quotes" in told[3]
        assert good(f"a: ['{word}']")


def test_unclear_words_as_keys() -> None:
    assert bad("on: 1") == (
        "f.yaml:1:1: error RW0121: 'on' is read as true or false by some and as text by others\n"
        "    1 | on: 1\n"
        "      | ^^\n"
        "   hint: write true or false, or put it in quotes if text is meant\n"
        "1 error"
    )


BAD = [
    (
        "é: b: c",
        """\
f.yaml:1:5: error RW0110: a ':' cannot come here
    1 | é: b: c
      |     ^^^
   hint: check the indentation, and put text that holds ': ' in quotes
1 error""",
    ),
    (
        "a: [b,\n",
        """\
f.yaml:1:7: error RW0110: a value is missing here
    1 | a: [b,
      |       ^
   hint: close the list or mapping, or put a sign that stands alone in quotes
1 error""",
    ),
    (
        "a: [b\n",
        """\
f.yaml:1:4: error RW0110: a ',' or ']' is missing
    1 | a: [b
      |    ^^
   hint: close the list with ']'
1 error""",
    ),
    (
        "a: {b: c]\n",
        """\
f.yaml:1:9: error RW0110: a ',' or '}' is missing
    1 | a: {b: c]
      |         ^
   hint: close the mapping with '}'
   f.yaml:1:4: it began here (related)
1 error""",
    ),
    (
        'a: "b\nc: d\n',
        """\
f.yaml:1:4: error RW0110: this quote is never closed
    1 | a: "b
      |    ^^
   hint: close it, or remove it
1 error""",
    ),
    (
        'a: "\\q"',
        """\
f.yaml:1:4: error RW0110: there is no such escape in double quotes
    1 | a: "\\q"
      |    ^^^^
   hint: write '\\\\' for a backslash, or use single quotes
1 error""",
    ),
    (
        "a: @b",
        """\
f.yaml:1:4: error RW0110: a value cannot begin with '@'
    1 | a: @b
      |    ^
   hint: put it in quotes
1 error""",
    ),
    (
        "a: 1\n\nb\n\nc: 2\n",
        """\
f.yaml:3:1: error RW0110: there is no ':' after this key
    3 | b
      | ^
   hint: write 'key: value', or '- value' with a space; text of several lines needs '|'
1 error""",
    ),
    (
        "- a\nb: 1\n",
        """\
f.yaml:2:1: error RW0110: this does not fit the list it stands in
    2 | b: 1
      | ^^^^
   hint: check the indentation; a list item begins with '- '
   f.yaml:1:1: it began here (related)
1 error""",
    ),
    (
        ": b",
        """\
f.yaml:1:1: error RW0110: this ':' has no key before it
    1 | : b
      | ^
   hint: write 'key: value'
1 error""",
    ),
    (
        "a:\r\n\tb: 1\r\n",
        """\
f.yaml:2:1: error RW0111: a tab is used for indentation
    2 |     b: 1
      | ^^^^
   hint: indent with spaces
1 error""",
    ),
    (
        "a: [b,\n  \tc]\n",
        """\
f.yaml:2:3: error RW0111: a tab is used for indentation
    2 |     c]
      |   ^^
   hint: indent with spaces
1 error""",
    ),
    (
        "a: |\n  b\n\tc\n",
        """\
f.yaml:3:1: error RW0111: a tab is used for indentation
    3 |     c
      | ^^^^
   hint: indent with spaces
1 error""",
    ),
    (
        "日本: 1\nb: 2\n'日本': 3\n",
        """\
f.yaml:3:1: error RW0112: the key '日本' is written twice
    3 | '日本': 3
      | ^^^^^^
   hint: remove one of them
   f.yaml:1:1: first written here (related)
1 error""",
    ),
    (
        "a: !!str &x b\n",
        """\
f.yaml:1:4: error RW0116: YAML tags are not allowed
    1 | a: !!str &x b
      |    ^^^^^
   hint: remove it, or put text that begins with '!' in quotes
f.yaml:1:10: error RW0113: the YAML anchor '&x' is not allowed
    1 | a: !!str &x b
      |          ^^
   hint: write the value out where it is used, or put text in quotes
2 errors""",
    ),
    (
        "a: {<<: *x}\n",
        """\
f.yaml:1:5: error RW0115: YAML merge keys are not allowed
    1 | a: {<<: *x}
      |     ^^
   hint: write the keys out, or put '<<' in quotes
f.yaml:1:9: error RW0114: the YAML alias '*x' is not allowed
    1 | a: {<<: *x}
      |         ^^
   hint: write the value out again, or put text in quotes
2 errors""",
    ),
    (
        "%YAML 1.1\n--- a\n",
        """\
f.yaml:1:1: error RW0117: YAML directives are not allowed
    1 | %YAML 1.1
      | ^^^^^^^^^
   hint: remove the line
1 error""",
    ),
    (
        "a: >-\n  b\n",
        """\
f.yaml:1:4: error RW0120: folded text '>' is not allowed
    1 | a: >-
      |    ^
   hint: write '|' to keep lines
1 error""",
    ),
    (
        "[a]: b\n",
        """\
f.yaml:1:1: error RW0126: a list or mapping cannot be a key
    1 | [a]: b
      | ^
   expected: a word or text before the ':'
   hint: put text that begins with '[', '{' or '-' in quotes
1 error""",
    ),
    (
        "a:\nb:\n  -\n",
        """\
f.yaml:1:1: error RW0127: the key 'a' has no value
    1 | a:
      | ^
   hint: write '' for an empty text, [] for an empty list, {} for an empty mapping
f.yaml:3:4: error RW0127: this list item is empty
    3 |   -
      |    ^
   hint: write '' for an empty text, or remove it
2 errors""",
    ),
    (
        "--- a\n---\n",
        """\
f.yaml:2:1: error RW0127: this document is empty
    2 | ---
      | ^^^
   hint: remove the '---', or write something after it
1 error""",
    ),
    (
        "a: b\u2028c\n",
        """\
f.yaml:1:5: error RW0108: the character U+2028 is not allowed
    1 | a: b\ufffdc
      |     ^
   hint: remove it; it is invisible in most editors
1 error""",
    ),
]


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="places differ a little without libyaml")
@pytest.mark.parametrize(("text", "message"), BAD, ids=[repr(text) for text, _ in BAD])
def test_whole_message(text: str, message: str) -> None:
    assert bad(text) == message


@pytest.mark.parametrize("text", [text for text, _ in BAD], ids=repr)
def test_slow_parser_finds_the_same_codes(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def codes() -> list[str]:
        return [line.split()[2] for line in bad(text).splitlines() if ": error RW" in line]

    with_libyaml = codes()
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert codes() == with_libyaml


SIZE = 2 * 1024 * 1024


@pytest.mark.parametrize(
    ("unit", "first"),
    [
        ("[", "f.yaml:1:41: error RW0118: lists and mappings go more than 40 levels deep"),
        ("- ", "f.yaml:1:81: error RW0118: lists and mappings go more than 40 levels deep"),
        ("{a: ", "f.yaml:1:161: error RW0118: lists and mappings go more than 40 levels deep"),
        ("a: &a [*a,*a]\n", "f.yaml:1:4: error RW0113: the YAML anchor '&a' is not allowed"),
        ("- a\n", "f.yaml:200000:3: error RW0119: the file holds more than 200000 values"),
        ("- y\n", "f.yaml:1:3: error RW0121: 'y' is read as true or false by some"),
        ("a: b\n", "f.yaml:2:1: error RW0112: the key 'a' is written twice"),
        ("!", "f.yaml:1:1: error RW0116: YAML tags are not allowed"),
        ('"', "f.yaml:1:3: error RW0110: "),
    ],
)
def test_hostile_files_end_soon(unit: str, first: str) -> None:
    calls, told = calls_in(lambda: bad((unit * (SIZE // len(unit) + 1))[:SIZE]))
    # 200,000 values are read at the most, and each takes a dozen calls
    assert calls < 3_000_000
    assert told.startswith(first)
    assert len(told) < 100_000


def test_depth_just_allowed() -> None:
    assert good("[" * 40 + "]" * 40)


def test_values() -> None:
    problems = Problems()
    assert as_text(scalar("a: 3"), problems, "it") == "3"
    assert as_text(scalar("a: |\n  x\n"), problems, "it") == "x\n"
    assert as_name(scalar("a: big-box.2_b"), problems, "it") == "big-box.2_b"
    assert as_int(scalar("a: -12"), problems, "it") == -12
    assert as_bool(scalar("a: true"), problems, "it") is True
    assert as_bool(scalar("a: false"), problems, "it") is False
    assert as_list(value("a: [b]"), problems, "it") == value("a: [b]")
    assert as_map(value("a: {b: c}"), problems, "it") == value("a: {b: c}")
    assert problems.all() == []


NAME = "a name of letters, digits, '_', '-' and '.'"


@pytest.mark.parametrize(
    ("reader", "text", "code", "message", "expected", "hint"),
    [
        (as_text, "a: [b]", "RW0130", "must be text, not a list", "text", None),
        (as_name, "a: b c", "RW0131", f"must be {NAME}, not 'b c'", NAME, None),
        (as_name, "a: -b", "RW0131", f"must be {NAME}, not '-b'", NAME, None),
        (as_name, "a: é", "RW0131", f"must be {NAME}, not 'é'", NAME, None),
        (as_name, "a: ''", "RW0131", f"must be {NAME}, not the text ''", NAME, None),
        (as_int, "a: b", "RW0132", "must be an integer, not 'b'", "an integer", None),
        (
            as_int,
            "a: '3'",
            "RW0132",
            "must be an integer, not the text '3'",
            "an integer",
            "write it without quotes",
        ),
        (
            as_int,
            "a: " + "9" * 9000,
            "RW0132",
            "must be an integer of at most 9007199254740991, not '" + "9" * 39 + "…'",
            "an integer of at most 9007199254740991",
            None,
        ),
        (as_bool, "a: 1", "RW0133", "must be true or false, not '1'", "true or false", None),
        (
            as_bool,
            "a: 'true'",
            "RW0133",
            "must be true or false, not the text 'true'",
            "true or false",
            "write it without quotes",
        ),
        (as_list, "a: {b: c}", "RW0134", "must be a list, not a mapping", "a list", None),
        (as_map, "a: [b]", "RW0135", "must be a mapping, not a list", "a mapping", None),
    ],
)
def test_wrong_values(
    reader: object, text: str, code: str, message: str, expected: str, hint: str | None
) -> None:
    problems = Problems()
    assert callable(reader)
    node = value(text)
    assert reader(node, problems, "the size") is None
    (problem,) = problems.all()
    assert (problem.code, problem.message) == (code, f"the size {message}")
    assert (problem.expected, problem.hint, problem.span) == (expected, hint, node.span)


def test_fields() -> None:
    sources, problems = Sources(), Problems()
    text = "name: b\nszie: 3\nzebra: 4\n"
    (node,) = read_yaml(sources.add("f.yaml", text), problems)
    assert isinstance(node, YMap)
    fields = Fields(node, problems, "a table")
    assert fields.need("name") == node.get("name")
    assert fields.take("size") is None
    assert fields.need("rows") is None
    fields.finish()
    assert render_all(problems, sources) == """\
f.yaml:1:1: error RW0136: a table needs the key 'rows'
    1 | name: b
      | ^^^^
   expected: 'rows: …'
f.yaml:2:1: error RW0137: a table has no key 'szie'
    2 | szie: 3
      | ^^^^
   expected: name, size or rows
   hint: did you mean 'size'?
f.yaml:3:1: error RW0137: a table has no key 'zebra'
    3 | zebra: 4
      | ^^^^^
   expected: name, size or rows
3 errors"""


def test_fields_of_an_empty_mapping() -> None:
    problems = Problems()
    node = value("a: {}")
    assert isinstance(node, YMap)
    fields = Fields(node, problems)
    assert fields.need("rows") is None
    fields.finish()
    assert [p.span for p in problems.all()] == [node.span]
