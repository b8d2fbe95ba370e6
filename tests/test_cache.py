"""The cache is run when it is found again, so nothing counts that a stranger could have put there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from common import copy_of

import rulewright
from rulewright import cache
from rulewright.compiler.rules import lark_parser

POISON = "raise SystemExit('a planted engine ran')\n"


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_told", set())
    return tmp_path / "cache"


def modes(folder: Path) -> dict[str, int]:
    return {str(p.relative_to(folder)): stat.S_IMODE(p.stat().st_mode) for p in folder.rglob("*")}


def play(path: Path) -> bool:
    engine = rulewright.load(str(path), 2)
    return bool(engine.random_playout(engine.new_initial_state(1), 1).is_terminal())


def engines(folder: Path) -> list[Path]:
    return sorted((folder / "engines").rglob("*.py"))


def test_what_is_kept_is_for_the_user_alone(own: Path, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        assert play(copy_of("mykerinos", tmp_path))
        cache.write(cache.folder("some", "where") / "file", b"x")
    finally:
        os.umask(before)
    found = {**modes(own), ".": stat.S_IMODE(own.stat().st_mode)}
    assert engines(own) and set(found.values()) == {0o700, 0o600}
    assert all(mode == 0o700 for name, mode in found.items() if (own / name).is_dir())


def plant(own: Path, path: Path) -> Path:
    assert play(path)
    (engine,) = engines(own)
    engine.write_text(POISON, encoding="utf-8")
    return engine


def test_a_planted_engine_would_run_where_everything_is_the_users(
    own: Path, tmp_path: Path
) -> None:
    """So the others of these tests test something."""
    path = copy_of("mykerinos", tmp_path)
    plant(own, path)
    with pytest.raises(SystemExit):
        play(path)


@pytest.mark.parametrize("where", ["root", "engines", "folder", "file"])
@pytest.mark.parametrize("mode", [0o020, 0o002])
def test_where_others_may_write_nothing_is_run(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str, mode: int
) -> None:
    path = copy_of("mykerinos", tmp_path)
    engine = plant(own, path)
    at = {"root": own, "engines": own / "engines", "folder": engine.parent, "file": engine}[where]
    at.chmod(at.stat().st_mode | mode)
    assert play(path)
    said = capsys.readouterr().err
    assert str(at) in said and "others may write there" in said and "built anew" in said
    assert said.count("\n") == 1
    if where == "file":
        # the file is the user's again, and whole
        assert "def playout(" in engine.read_text(encoding="utf-8")
        assert stat.S_IMODE(engine.stat().st_mode) == 0o600
    else:
        assert engine.read_text(encoding="utf-8") == POISON


def test_what_belongs_to_somebody_else_is_not_run(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy_of("mykerinos", tmp_path)
    plant(own, path)
    me = os.geteuid()
    monkeypatch.setattr(cache, "_me", lambda: me + 1)
    assert play(path)
    assert "belongs to somebody else" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["engines", "file"])
def test_links_are_not_followed(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    path = copy_of("mykerinos", tmp_path)
    engine = plant(own, path)
    at = own / "engines" if where == "engines" else engine
    at.rename(tmp_path / "elsewhere")
    at.symlink_to(tmp_path / "elsewhere")
    assert play(path)
    assert str(at) in capsys.readouterr().err


def test_tables_of_the_parser_that_others_may_have_written_are_not_read(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted: list[object] = []
    lark_parser.language.__wrapped__()
    (file,) = own.glob("*.table")
    file.chmod(0o666)
    monkeypatch.setattr(lark_parser.lark.Lark, "load", planted.append)
    assert lark_parser.language.__wrapped__().texts
    assert not planted
    assert "others may write there" in capsys.readouterr().err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_compiled_module_with_a_strangers_file_is_not_imported(own: Path) -> None:
    tree = cache.folder("native", "package")
    (tree / "inner").mkdir(mode=0o755)
    file = tree / "inner" / "engine.so"
    file.write_bytes(b"")
    assert cache.is_own(tree)
    file.chmod(0o666)
    assert not cache.is_own(tree)
    file.chmod(0o600)
    (tree / "link").symlink_to(file)
    assert not cache.is_own(tree)


def test_without_a_home_nothing_is_kept_and_all_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("RULEWRIGHT_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(cache.Path, "home", staticmethod(nobody))
    assert cache.root() is None
    assert play(copy_of("mykerinos", tmp_path))
    # for this process alone
    place = cache.folder("engines")
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
