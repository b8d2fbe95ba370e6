"""Headers and rows of tables and replays: whatever is wrong with them is one line, never a traceback, and nothing runs on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mutated
import pyarrow.parquet
import pytest

from rulewright.cli import main
from rulewright.replay import ReplayError, read_replay
from rulewright.simulate.files import FileError
from rulewright.simulate.table import TableWriter, read_table

Json = dict[str, Any]
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as caught:
            main(list(words))
        return int(str(caught.value.code)), capsys.readouterr().err

    return go


def write(path: Path, meta: Any, rows: list[str]) -> Path:
    first = (
        json.dumps({"rulewright": meta})
        if path.suffix == ".jsonl"
        else f"# rulewright {json.dumps(meta)}"
    )
    path.write_text("\n".join([first, *rows]) + "\n", encoding="utf-8")
    return path


ODD: tuple[Any, ...] = (None, 5, -1, 10**9, 1.5, True, "x", "", [], [5], {}, {"x": []}, [[]])
KEYS = tuple(mutated.headers()[0])


@pytest.mark.parametrize("key", KEYS)
def test_a_table_with_a_wrong_or_missing_field(key: str, tmp_path: Path, run: Run) -> None:
    meta, _, (_, *rows) = mutated.headers()
    less = {k: v for k, v in meta.items() if k != key}
    path = write(tmp_path / "t.jsonl", less, rows)
    code, said = run("report", str(path))
    assert code == 1 and said.count("\n") == 1 and key in said
    for value in ODD:
        path = write(tmp_path / "t.jsonl", {**meta, key: value}, rows)
        try:
            found, lines = read_table(path)
            list(lines)
        except FileError as error:
            assert str(path) in str(error)
        else:
            # another value of the same type is as good
            assert type(found[key]) is type(meta[key]) and type(value) is type(meta[key])


def test_a_table_of_a_thousand_million_players_ends_at_once(tmp_path: Path, run: Run) -> None:
    meta, _, (_, *rows) = mutated.headers()
    for name in ("t.csv", "t.jsonl"):
        path = write(tmp_path / name, {**meta, "players": 10**9}, rows)
        code, said = run("report", str(path))
        assert code == 1 and "players: 1000000000 is outside 1..20" in said


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seat0_win", "nan"), ("seat0_win", "inf"), ("seat0_win", 7), ("seat0_score", "x"), ("seat0_score", None),
        ("seat0_bot", 9), ("seat0_bot", -1), ("length", 10**30), ("course", "[[1]]"), ("course", "[" * 100_000),
        ("course", "nonsense"), ("periods", "[[[1]]]"), ("periods", 5), ("seat0_choices", "1"), ("seat0_choices", "a:b"),
        ("game", "9" * 5000), ("more", 1),
    ],
)  # fmt: skip
def test_a_row_that_does_not_fit(column: str, value: Any, tmp_path: Path, run: Run) -> None:
    meta, _, (_, *rows) = mutated.headers()
    row = {**json.loads(rows[0]), column: value}
    code, said = run("report", str(write(tmp_path / "t.jsonl", meta, [json.dumps(row)])))
    assert code == 1 and "row 1" in said and said.count("\n") == 1


@pytest.mark.parametrize("text", ["", "nonsense", "# rulewright", "# rulewright {", "# rulewright []", "# rulewright " + "[" * 100_000])  # fmt: skip
def test_a_first_line_that_is_none(text: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    code, said = run("report", str(path))
    assert code == 1 and "not a table of games" in said and said.count("\n") == 1


def test_a_table_that_turns_into_no_text(tmp_path: Path, run: Run) -> None:
    meta, _, (_, *rows) = mutated.headers()
    path = write(tmp_path / "t.jsonl", meta, rows[:1] * 50)
    path.write_bytes(path.read_bytes() + b"\xff\xfe\n")
    code, said = run("report", str(path))
    assert code == 1 and "is damaged: row" in said and "can't be read" in said


def test_a_parquet_table_is_checked_alike(tmp_path: Path, run: Run) -> None:
    meta = mutated.headers()[0]
    path = tmp_path / "t.parquet"
    TableWriter(path, meta).finish()
    assert list(read_table(path)[1]) == []
    rows = pyarrow.parquet.read_table(path)
    for wrong in (
        {**meta, "players": 10**9},
        {**meta, "seats": []},
        {**meta, "reasons": {"x": "y"}},
    ):
        told = rows.replace_schema_metadata({"rulewright": json.dumps(wrong)})
        pyarrow.parquet.write_table(told, path)
        code, said = run("report", str(path))
        assert code == 1 and said.count("\n") == 1
    path.write_bytes(path.read_bytes()[:-30])
    code, said = run("report", str(path))
    assert code == 1 and "not a table of games" in said


@pytest.mark.parametrize("key", ["game", "players", "variants", "options", "seats", "ruleset", "spec", "compiler", "format"])  # fmt: skip
def test_a_replay_with_a_wrong_or_missing_field(key: str, tmp_path: Path, run: Run) -> None:
    head = mutated.headers()[1]
    path = tmp_path / "r.jsonl"
    cases = [{k: v for k, v in head.items() if k != key}, *({**head, key: v} for v in ODD)]
    for case in cases:
        path.write_text(json.dumps(case) + "\n", encoding="utf-8")
        try:
            header = read_replay(path).header
        except ReplayError:
            code, said = run("replay", str(path), "--story")
            assert code == 1 and said.count("\n") == 1
        else:
            assert type(getattr(header, key)) is type(head[key])
            # what could be read can still name no game, variant or bot that there is
            code, said = run("replay", str(path), "--story")
            assert "Traceback" not in said


@pytest.mark.parametrize("change", [{"variants": [5]}, {"seats": []}, {"players": 10**9}, {"seats": ["random"] * 2}])  # fmt: skip
def test_replays_that_broke_before(change: Json, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({**mutated.headers()[1], **change}) + "\n", encoding="utf-8")
    for words in (("replay", str(path), "--story"), ("play", "--resume", str(path))):
        code, said = run(*words)
        assert code == 1 and next(iter(change)) in said and said.count("\n") == 1
