"""Games by name or by folder → games to play: from the committed engines, from the cache, or built now."""

from __future__ import annotations

import hashlib
import importlib
import json
import linecache
import os
import re
import warnings
import weakref
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rulewright import cache
from rulewright.runtime.engine_module import NativeModule
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.given import shown
from rulewright.runtime.hashes import files_hash
from rulewright.runtime.info import Info, read_info, write_info

if TYPE_CHECKING:
    from rulewright.compiler.build import Spec
    from rulewright.compiler.emit.engine import Engine

_HERE = Path(__file__).parent
SPECS = _HERE / "spec"
EXAMPLES = _HERE / "examples"
GENERATED = _HERE / "generated"


class Notice(UserWarning):
    """What people should know beside the result; the command line shows it in a line."""


class UnknownGame(RulewrightError, ValueError):
    """There is no game, variant, option or player count of that name."""


def games() -> list[str]:
    """The games that come with the package."""
    return sorted(p.name for p in SPECS.iterdir() if (p / "game.yaml").is_file())


def examples() -> list[str]:
    """Well-known games that show the language; their engines are built when asked for."""
    return sorted(p.name for p in EXAMPLES.iterdir() if (p / "game.yaml").is_file())


def _home(game: str) -> Path | None:
    """The folder of a game or example of the package."""
    for folder, names in ((SPECS, games()), (EXAMPLES, examples())):
        if game in names:
            return folder / game
    return None


# games of the package that a folder stands for here, which is said once
_noticed: set[str] = set()


def spec_path(game: str) -> Path:
    """The folder of a game: any folder by path, or one of the package's by name.

    Where a folder in sight bears the name of a game of the package, the folder is meant: whoever made it did so to use it.
    """
    path = Path(game)
    own = _home(game)
    if (path / "game.yaml").is_file() and not (own and path.resolve() == own.resolve()):
        if own and game not in _noticed:
            _noticed.add(game)
            text = f"{game} is the folder {path.resolve()} here, not the game of the package"
            warnings.warn(Notice(text), stacklevel=3)
        return path
    if own:
        return own
    import difflib

    near = difflib.get_close_matches(game, [*games(), *examples()], n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UnknownGame(
        f"there is no game {game!r}{hint} (there are {', '.join(games())}, or give a folder)"
    )


def engine_name(
    players: int, variants: Sequence[str], options: Mapping[str, object], full: bool = False
) -> str:
    """The module name of a ruleset, and of its files: p4, p2_long; no two rulesets have the same.

    Names of variants that are not plain small words, and options, are told apart by a short hash; nothing in a name can lead
    out of a folder.
    """
    name = f"p{players:d}" + "".join(f"_{_word(v)}" for v in variants)
    marks = [v for v in variants if v != _word(v) or "_" in v]
    if marks or options:
        text = json.dumps([marks, dict(options)], sort_keys=True)
        name += "__" + hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{name}__full" if full else name


def _word(text: str) -> str:
    return re.sub("[^a-z0-9]", "_", text.lower())[:40]


def load(
    game: str,
    players: int,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    native: bool | None = None,
) -> Game:
    """A game that comes with the package (or in a folder), ready to play.

    A native engine is taken when `rulewright build --native` has made one; `native=False` or RULEWRIGHT_NATIVE=0 in the
    environment take the interpreted one, `native=True` insists on the native one.
    """
    found = _loaded(game, players, variants, options, native)
    found.source = (
        "load",
        _found_again(game),
        players,
        tuple(variants),
        dict(options or {}),
        native,
    )
    return found


def _found_again(game: str) -> str:
    """A name stays a name; a folder is named from the root, so that another process finds it too."""
    path = spec_path(game)
    return game if path.parent == SPECS else str(path.resolve())


def from_source(source: tuple[Any, ...]) -> Game:
    """A game from what its `source` says."""
    how, path, players, variants, options, *native = source
    if how == "load":
        return load(path, players, variants, options, *native)
    return compile(path, players, variants, options)


def _loaded(
    game: str,
    players: int,
    variants: Sequence[str],
    options: Mapping[str, object] | None,
    native: bool | None,
) -> Game:
    if players is None:
        raise UnknownGame("name a player count")
    variants, options = _asked(game, players, variants, options)
    if native is None:
        wish = os.environ.get("RULEWRIGHT_NATIVE", "")
        native = {"0": False, "1": True}.get(wish)
    path = spec_path(game)
    name = engine_name(players, variants, options)
    if path.parent == SPECS and (GENERATED / path.name / f"{name}.json").is_file():
        try:
            info = read_info((GENERATED / path.name / f"{name}.json").read_bytes())
        except RulewrightError:
            info = None
        if info is None or info.get("files") != files_hash(path):
            # somebody has edited the spec or the compiler: what is committed is no longer what it says
            return _cached(path, players, tuple(variants), options, full=False, native=native)
        compiled = _native_module(info, native)
        if compiled is not None:
            return Game(compiled, info, _full_maker(path, players, tuple(variants), options))
        module = importlib.import_module(f"rulewright.generated.{path.name}.{name}")
        return Game(module, info, _full_maker(path, players, tuple(variants), options))
    return _cached(path, players, tuple(variants), options, full=False, native=native)


def _path(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    if not isinstance(path, str | os.PathLike):
        raise UnknownGame(f"a spec is a folder, not {shown(path)}")
    return path


def _asked(
    game: str, players: int | None, variants: Sequence[str], options: Mapping[str, object] | None
) -> tuple[tuple[str, ...], dict[str, object]]:
    """What the caller asked for, if it has the right types: whoever gives something else hears so at once."""
    if not isinstance(game, str):
        raise UnknownGame(f"a game is a name or a folder, not {shown(game)}")
    if players is not None and type(players) is not int:
        raise UnknownGame(f"a player count is a whole number, not {shown(players)}")
    if isinstance(variants, str) or not isinstance(variants, Sequence | Set):
        raise UnknownGame(f"variants are a list of names, not {shown(variants)}")
    for name in variants:
        if not isinstance(name, str):
            raise UnknownGame(f"a variant is a name, not {shown(name)}")
    if options is not None and not isinstance(options, Mapping):
        raise UnknownGame(f"options are a mapping of names to values, not {shown(options)}")
    for key, value in (options or {}).items():
        if not isinstance(key, str) or not isinstance(value, int | str):
            raise UnknownGame(f"the option {shown(key)} can't be {shown(value)}")
    return tuple(variants), dict(options or {})


def _native_module(info: Info, native: bool | None) -> NativeModule | None:
    """The compiled engine, if one is wanted and there; insisting on one that is not there is an error."""
    if native is False or (native is None and not cache.exists("native")):
        return None
    from rulewright.native import find_native

    found = find_native(info)
    if found is None and native:
        raise RulewrightError(
            "there is no native engine for this game; make it with: rulewright build --native"
        )
    return found


def make_native(
    game: str,
    players: int,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> Game:
    """The game with a native engine, which is built now unless it is there; NativeUnavailable where that can't be done."""
    from rulewright.native import build_native, check_tools

    found = load(game, players, variants, options, native=None)
    if is_native(found):
        return found
    check_tools()
    build_native(engine_of(game, players, variants, options))
    return load(game, players, variants, options, native=True)


def engine_of(
    game: str,
    players: int,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> Engine:
    """The compiler's own form of a ruleset, from which native engines are made."""
    from rulewright.compiler.build import build, read_spec

    path = spec_path(game)
    return build(read_spec(path, _display(path)), players, variants, options)


def _display(path: Path) -> str:
    """What a spec's folder is called in messages."""
    return f"spec/{path.name}" if path.parent == SPECS else str(path)


def is_native(game: Game) -> bool:
    """Whether the game's fast engine is compiled to machine code."""
    return bool(game.module.COMPILED)


def compile(
    path: str | os.PathLike[str],
    players: int | None = None,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> Game:
    """A game straight from a spec's folder, in memory. Problems in the spec raise SpecError."""
    from rulewright.compiler.build import read_spec

    variants, options = _asked(os.fspath(_path(path)), players, variants, options)
    spec = read_spec(Path(path))
    if players is None:
        players = max(spec.folder.game.players)
    return game_of(spec, players, variants, options)


def game_of(
    spec: Spec,
    players: int,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> Game:
    """Both flavours of one ruleset of a spec, in memory; the full one when it is first needed."""
    from rulewright.compiler.build import build

    def make_full() -> Game:
        full = build(spec, players, variants, options, full=True)
        return Game(module_of(full.text, f"{spec.folder.game.game}-full"), full.info)

    fast = build(spec, players, variants, options)
    game = Game(module_of(fast.text, spec.folder.game.game), fast.info, make_full)
    if spec.path is not None:
        path = str(spec.path.resolve())
        game.source = ("compile", path, players, tuple(variants), dict(options or {}))
    return game


_COUNTER = [0]


def module_of(text: str, name: str) -> ModuleType:
    """A module from its text; its lines can be shown in tracebacks."""
    _COUNTER[0] += 1
    file = f"<engine {name} {_COUNTER[0]}>"
    module = ModuleType(f"rulewright.engine_{_COUNTER[0]}")
    module.__file__ = file
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    weakref.finalize(module, linecache.cache.pop, file, None)
    exec(_code(text, file), module.__dict__)
    return module


def _code(text: str, file: str) -> Any:
    import builtins

    return builtins.compile(text, file, "exec")


# ---------------------------------------------------------------- the cache


def _full_maker(
    path: Path, players: int, variants: tuple[str, ...], options: dict[str, object]
) -> Any:
    return lambda: _cached(path, players, variants, options, full=True)


def is_built(
    game: str,
    players: int,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> bool:
    """Whether the full flavour of a ruleset is in the cache, so that nothing needs to be compiled for it."""
    from rulewright.compiler.build import fingerprint

    path = spec_path(game)
    name = engine_name(players, variants, dict(options or {}), True)
    root = cache.root()
    if root is None:
        return False
    folder = root / "engines" / f"{path.name}-{fingerprint(path)}"
    return all((folder / f"{name}{suffix}").is_file() for suffix in (".py", ".json"))


def _cached(
    path: Path,
    players: int,
    variants: tuple[str, ...],
    options: dict[str, object],
    *,
    full: bool,
    native: bool | None = False,
) -> Game:
    """An engine built before from the same files, or built now and kept. A cache that can't be written does no harm."""
    from rulewright.compiler.build import build, fingerprint, read_spec

    name = engine_name(players, variants, options, full)
    folder = cache.folder("engines", f"{path.name}-{fingerprint(path)}")
    maker = None if full else _full_maker(path, players, variants, options)
    kept = [cache.read(folder / f"{name}{suffix}") for suffix in (".py", ".json")]
    if kept[0] is not None and kept[1] is not None:
        try:
            text, info = kept[0].decode(), read_info(kept[1])
            return Game(_native_module(info, native) or module_of(text, name), info, maker)
        except (ValueError, RulewrightError, ImportError, SyntaxError, NameError, AttributeError):
            pass  # cut off, damaged, or of another version: built anew
    spec = read_spec(path, _display(path))
    engine = build(spec, players, variants, options, full=full, tuned=not full)
    for suffix, content in ((".py", engine.text), (".json", write_info(engine.info))):
        cache.write(folder / f"{name}{suffix}", content.encode())
    return Game(
        _native_module(engine.info, native) or module_of(engine.text, name), engine.info, maker
    )
