"""A name → a new folder with a small game or a copy of a game, or a new overlay in one; each is there whole or not at all."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulewright.engines import games
from rulewright.runtime.errors import RulewrightError

_NAME = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")


class CanNotMake(RulewrightError):
    """A name or a place that can't be used; the message says what would be right."""


def make_game(name: str, folder: Path) -> Path:
    """A folder with a small complete game."""
    from rulewright.simulate.files import write_text
    from rulewright.skeletons import game_files

    target = free_place(name, folder)
    with _whole(target) as part:
        for path, text in game_files(name).items():
            (part / path).parent.mkdir(parents=True, exist_ok=True)
            write_text(part / path, text)
    return target


def make_copy(name: str, source: Path, folder: Path) -> Path:
    """The folder of a game once more, under another name."""
    from rulewright.simulate.files import write_text

    target = free_place(name, folder)
    if target.resolve().is_relative_to(source.resolve()):
        raise CanNotMake(f"{target} lies inside of {source}; name another place by --in")
    with _whole(target) as part:
        shutil.copytree(source, part, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        file = part / "game.yaml"
        text = file.read_text(encoding="utf-8")
        named = re.sub(r"^game:.*$", f"game: {name}", text, count=1, flags=re.MULTILINE)
        write_text(file, named)
    return target


def free_place(name: str, folder: Path) -> Path:
    """Where a new folder goes; a name that can't be one or is taken is an error."""
    check_name(name)
    target = folder / name
    if name in games() and target.resolve() == Path(name).resolve():
        raise CanNotMake(
            f"{name} is a game of the package, and a folder of that name here would hide it;"
            f" take another name, such as my-{name}, or another place by --in"
        )
    if target.exists():
        raise CanNotMake(f"{target} is there already")
    return target


@contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """A folder beside the target that takes its place in the end: it appears whole or not at all."""
    part = target.with_name(f".{target.name}.part")
    try:
        yield part
        part.rename(target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or len(name) > 60:
        raise CanNotMake(
            f"{name!r} can't be a name: use small letters and digits, with - or _ between words"
        )
