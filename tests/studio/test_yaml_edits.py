"""Changes of tables change the bytes of the cell and nothing else: random ones over all specs, and rows added, copied, moved, removed."""

import random
from pathlib import Path

import pytest
import yaml

from rulewright.compiler.read.yaml_nodes import YList, YMap, YScalar
from rulewright.engines import EXAMPLES, SPECS
from rulewright.studio.edits import Edit, EditError, apply, difference, inverse
from rulewright.studio.yaml_edits import (
    add_entry,
    copy_row,
    move_row,
    put,
    remove_entry,
    rename_key,
    set_value,
)
from rulewright.studio.yaml_file import YamlFile

FILES = sorted(p for place in (SPECS, EXAMPLES) for p in place.resolve().rglob("*.yaml"))
TEXTS = [
    "word", "two words", "a: b", "# no comment", "yes", "007", "1.5", "~", "- dash", "it's", 'say "so"', "[x]", "{y}", "a, b", "ends:",
    "été", " around ", "back\\slash", "on f(me): result + 1", "2020-01-01", "'single'", "*star", "&and", "!bang", "%x", "@at", "`t`", "|",
]  # fmt: skip
LINES = ["gain(me, 1)\nlose(me, 2)", 'if x > 1:\n    say "a # b"\ndone()']


def cells(file):
    """The paths of all values of a file's documents."""
    found = []

    def walk(node, path):
        found.append(path)
        if isinstance(node, YMap):
            for key, value in node.entries:
                walk(value, (*path, key.text))
        elif isinstance(node, YList):
            for i, item in enumerate(node.items):
                walk(item, (*path, i))

    for number, node in enumerate(file.documents):
        walk(node, (number,))
    return [path for path in found if len(path) > 1]


def plain(text):
    """The documents of a text as another reader gets them: every scalar is its characters."""
    return [d for d in yaml.load_all(text, Loader=yaml.CBaseLoader) if d is not None]


def as_read(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return [as_read(v) for v in value]
    if isinstance(value, dict):
        return {k: as_read(v) for k, v in value.items()}
    return value


def replaced(data, path, value):
    """Plain data with one value exchanged."""
    if not path:
        return value
    if isinstance(data, dict):
        return {k: replaced(v, path[1:], value) if k == path[0] else v for k, v in data.items()}
    return [replaced(v, path[1:], value) if i == path[0] else v for i, v in enumerate(data)]


def random_value(dice, node):
    if isinstance(node, YList):
        return [dice.choice(["a", "b.c", 3, "two words"]) for _ in range(dice.randint(0, 4))]
    if isinstance(node, YMap):
        return {"value": dice.randint(0, 9), "about": dice.choice(TEXTS)}
    return dice.choice([dice.randint(-9, 99999), True, dice.choice(TEXTS), dice.choice(LINES)])


def random_edits(count, seed):
    dice = random.Random(seed)
    opened = {}
    for _ in range(count):
        path = dice.choice(FILES)
        if path not in opened:
            text = path.read_bytes().decode()
            opened[path] = YamlFile(text), plain(text)
        file, data = opened[path]
        one_random_edit(dice, path, file, data)


def one_random_edit(dice, path, file, data):
    place = dice.choice(cells(file))
    found = file.find(place)
    value = random_value(dice, found.node)
    several = isinstance(value, str) and "\n" in value
    try:
        edits = set_value(file, place, value)
    except EditError:
        # only text of several lines has places where it can't stand
        assert several
        return
    after = apply(file.text, edits)
    wanted = as_read(value)
    if several:
        # read with its last line break, as a block of lines has one
        got = YamlFile(after).find(place).node
        assert isinstance(got, YScalar) and got.text.rstrip("\n") == value
        wanted = got.text
    expected = [replaced(d, place[1:], wanted) if i == place[0] else d for i, d in enumerate(data)]
    assert plain(after) == expected, (path, place, value)
    assert apply(after, inverse(file.text, edits)) == file.text
    # the bytes: only those of the cell, and spaces behind it
    start, end = file.start(found.node.span), file.end(found.node.span)
    for edit in edits:
        inside = start <= edit.start and edit.end <= end
        if several and file.text[edit.start : edit.end] and edit.text.count("\n"):
            # a comment behind it stands behind the first line then
            rest = file.text[end : edit.end]
            inside = "\n" not in rest and rest in edit.text and start <= edit.start
        padding = edit.start >= end and not file.text[edit.start : edit.end].strip(" ")
        opened = (
            found.key is not None and file.end(found.key.span) <= edit.start and edit.end <= end
        )
        whole = several and found.parent is not None and file.is_flow(found.parent)
        assert inside or padding or opened or whole, (path, place, value, edit)


def test_a_sample_of_random_edits():
    random_edits(120, 1)


@pytest.mark.soak
def test_two_thousand_random_edits():
    random_edits(2000, 2)


def edited(text, function, *args, **more):
    return apply(text, function(YamlFile(text), *args, **more))


TABLE = """\
# A table.
table: Good
rows:
  # all of them
  grain: {value: 1,   text: a}   # the first
  wine: {value: 100, text: b}

  # cloth is dear
  cloth:
    value: 4
    text: c
  last: {}
"""


def test_padding_keeps_the_columns():
    text = edited(TABLE, set_value, (0, "rows", "grain", "value"), 25)
    assert "  grain: {value: 25,  text: a}   # the first\n" in text
    text = edited(TABLE, set_value, (0, "rows", "grain", "value"), 12345)
    assert "  grain: {value: 12345, text: a}   # the first\n" in text
    text = edited(TABLE, set_value, (0, "rows", "grain", "text"), "abc")
    assert "  grain: {value: 1,   text: abc}   # the first\n" in text


def test_rows_are_added_copied_moved_removed():
    text = edited(TABLE, add_entry, (0, "rows"), "salt", {"value": 2, "text": "d"}, after="grain")
    assert "# the first\n  salt: {value: 2, text: d}\n  wine" in text
    text = edited(TABLE, add_entry, (0, "rows"), "silk", {"value": 2}, after="cloth")
    assert "    text: c\n  silk:\n    value: 2\n  last" in text
    text = edited(TABLE, copy_row, (0, "rows", "cloth"), "silk")
    assert "    text: c\n  silk:\n    value: 4\n    text: c\n  last" in text
    text = edited(TABLE, move_row, (0, "rows", "cloth"), 0)
    assert (
        "rows:\n  # all of them\n  # cloth is dear\n  cloth:\n    value: 4\n    text: c\n  grain:"
        in text
    )
    text = edited(TABLE, remove_entry, (0, "rows", "cloth"))
    assert "cloth" not in text and text.endswith("text: b}\n\n  last: {}\n")
    text = edited(TABLE, rename_key, (0, "rows", "wine"), "beer")
    assert text == TABLE.replace("wine", "beer")
    with pytest.raises(EditError, match="already"):
        edited(TABLE, rename_key, (0, "rows", "wine"), "cloth")
    with pytest.raises(EditError, match="already"):
        edited(TABLE, copy_row, (0, "rows", "wine"), "cloth")


def test_keys_are_added_and_removed_in_both_styles():
    text = edited(TABLE, put, (0, "rows", "grain", "cite"), "a.b")
    assert "{value: 1,   text: a, cite: a.b}" in text
    text = edited(TABLE, put, (0, "rows", "last", "value"), 3)
    assert "  last: {value: 3}\n" in text
    text = edited(
        TABLE, put, (0, "rows", "cloth", "colour"), "red", order=["value", "colour", "text"]
    )
    assert "    value: 4\n    colour: red\n    text: c\n" in text
    text = edited(TABLE, remove_entry, (0, "rows", "grain", "value"))
    assert "  grain: {text: a}   # the first\n" in text
    text = edited(TABLE, remove_entry, (0, "rows", "grain", "text"))
    assert "  grain: {value: 1}   # the first\n" in text


def test_text_of_several_lines_opens_the_braces():
    text = edited(TABLE, set_value, (0, "rows", "wine", "text"), "one()\ntwo()")
    assert "  wine:\n    value: 100\n    text: |\n      one()\n      two()\n" in text


def test_missing_keys_on_the_way_are_written():
    text = "variant: mine\nabout: a try\nrules: [mine.rules]\n"
    order = ["variant", "about", "constants", "tables", "rules"]
    after = edited(text, put, (0, "tables", "Good", "change", "wine", "value"), 7, order)
    assert after == (
        "variant: mine\nabout: a try\ntables:\n  Good:\n    change:\n      wine: {value: 7}\nrules: [mine.rules]\n"
    )
    after = edited(after, put, (0, "tables", "Good", "change", "wine", "text"), "x")
    assert "wine: {value: 7, text: x}\n" in after
    after = edited(after, put, (0, "tables", "Good", "change", "grain", "value"), 2)
    assert "      wine: {value: 7, text: x}\n      grain: {value: 2}\nrules" in after


def test_the_last_line_may_lack_its_end():
    text = "rows:\n  a: {x: 1}\n  b: {x: 2}"
    assert (
        edited(text, copy_row, (0, "rows", "b"), "c")
        == "rows:\n  a: {x: 1}\n  b: {x: 2}\n  c: {x: 2}"
    )
    assert edited(text, move_row, (0, "rows", "a"), 1) == "rows:\n  b: {x: 2}\n  a: {x: 1}"
    assert edited(text, move_row, (0, "rows", "b"), 0) == "rows:\n  b: {x: 2}\n  a: {x: 1}"
    assert edited(text, remove_entry, (0, "rows", "a")) == "rows:\n  b: {x: 2}"


def test_line_breaks_of_windows_stay():
    text = "rows:\r\n  a: {x: 1}\r\n  b: {x: 2}\r\n"
    assert edited(text, set_value, (0, "rows", "b", "x"), 33) == text.replace("x: 2", "x: 33")
    assert (
        edited(text, copy_row, (0, "rows", "a"), "c")
        == "rows:\r\n  a: {x: 1}\r\n  c: {x: 1}\r\n  b: {x: 2}\r\n"
    )


def test_edits_and_back():
    dice = random.Random(3)
    for _ in range(200):
        a = "".join(dice.choice("ab\n") for _ in range(dice.randint(0, 12)))
        b = "".join(dice.choice("ab\n") for _ in range(dice.randint(0, 12)))
        edits = difference(a, b)
        assert apply(a, edits) == b and apply(b, inverse(a, edits)) == a
    with pytest.raises(EditError):
        apply("abc", [Edit(0, 2, ""), Edit(1, 3, "")])


def test_rows_of_every_spec_can_be_moved_and_moved_back():
    for path in FILES:
        if path.parent.name in ("scenarios", "clauses"):
            continue
        text = path.read_bytes().decode()
        file = YamlFile(text)
        for number, node in enumerate(file.documents):
            rows = node.get("rows") if isinstance(node, YMap) else None
            if not isinstance(rows, YMap) or len(rows.entries) < 3:
                continue
            keys = rows.keys()
            moved = edited(text, move_row, (number, "rows", keys[1]), 2)
            after = YamlFile(moved).find((number, "rows")).node
            assert after.keys() == [keys[0], keys[2], keys[1], *keys[3:]], path
            assert plain(moved) == plain(text)


def test_paths_that_are_not_there():
    file = YamlFile(Path(FILES[0]).read_text())
    for path in [(0, "no", "such"), (9, "rows"), (0, 3)]:
        with pytest.raises(EditError):
            set_value(file, path, 1)
