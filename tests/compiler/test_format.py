"""Emitted text and its line table → formatted text and the table moved along."""

import ast

import pytest
from common import sampled

from rulewright.compiler.build import build, read_spec
from rulewright.compiler.emit.format import format_engine, format_text, move_spans
from rulewright.compiler.text.source import NOWHERE, Span
from rulewright.engines import SPECS, games

EMITTED = '''\
"""A module."""
TABLE = [1000000, 1000001, 1000002, 1000003, 1000004, 1000005, 1000006, 1000007, 1000008, 1000009, 1000010]
def run(s, v):
    # a comment
    if v == 1: return s.first
    elif s.something_long + s.something_longer == v and s.something_even_longer_than_that > 17 or not v:
        s.total += v
    else:
        pass
    for i in range(3):

        s.total -= i
    return 0
'''


def at(line: int) -> Span:
    return Span("a.rules", line, 1, line, 2)


def test_lines_follow_their_statements():
    spans = [NOWHERE, NOWHERE, *(at(line) for line in range(3, 14)), NOWHERE]
    text = format_text(EMITTED)
    moved = move_spans(EMITTED, spans, text)
    told = [(line, span.line) for line, span in zip(text.splitlines(), moved, strict=False)]
    assert [(line.strip(), number) for line, number in told if number] == [
        ("def run(s, v):", 3),
        ("if v == 1:", 5),
        ("return s.first", 5),
        ("elif (", 6),
        ("s.something_long + s.something_longer == v", 6),
        ("and s.something_even_longer_than_that > 17", 6),
        ("or not v", 6),
        ("):", 6),
        ("s.total += v", 7),
        ("pass", 9),
        ("for i in range(3):", 10),
        ("s.total -= i", 12),
        ("return 0", 13),
    ]
    assert text.count("\n") > EMITTED.count("\n")


def test_another_text_is_refused():
    with pytest.raises(ValueError):
        move_spans("a = 1\n", [NOWHERE], "a = 1\nb = 2\n")
    with pytest.raises(ValueError):
        move_spans("a = 1\n", [NOWHERE], "del a\n")


def test_results_are_kept_and_a_broken_cache_does_no_harm(tmp_path, monkeypatch):
    first = format_text("a=1\n", tmp_path)
    assert first == "a = 1\n"
    (kept,) = tmp_path.rglob("*.py")
    monkeypatch.setattr("black.format_str", None)  # would fail if it were called
    assert format_text("a=1\n", tmp_path) == first
    monkeypatch.undo()
    kept.write_bytes(b"\xff")
    assert format_text("a=1\n", tmp_path) == first
    assert format_text("b=1\n", kept) == "b = 1\n"


@pytest.mark.parametrize("game", sampled(games(), 3))
def test_an_engine_keeps_its_statements_and_their_places(game):
    spec = read_spec(SPECS / game, f"spec/{game}")
    engine = build(spec, min(spec.folder.game.players), tuned=True)
    made = format_engine(engine)
    assert format_text(made.text) == made.text
    assert ast.dump(ast.parse(made.text)) == ast.dump(ast.parse(engine.text))
    assert {k: v for k, v in made.info.items() if k != "lines"} == {
        k: v for k, v in engine.info.items() if k != "lines"
    }
    # Every place in the spec that the emitted lines lead to is still led to.
    before = {tuple(place) for place in engine.info["lines"] if place}
    after = {tuple(place) for place in made.info["lines"] if place}
    assert after == before and len(before) > 50
