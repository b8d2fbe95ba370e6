"""Engines in C → extension modules, built once with the C compiler that is there and kept in the cache."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from rulewright import cache as kept
from rulewright.runtime.engine_module import NativeModule
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.hashes import hash_of
from rulewright.runtime.native import failed, finished

if TYPE_CHECKING:
    from rulewright.compiler.emit.engine import Engine

_HERE = Path(__file__).parent
_RUNTIME = _HERE / "runtime" / "c"
_PREFIX = "rulewright_native_"
# taken in this order where nothing is said by CC
_COMPILERS = ("gcc", "clang", "cc")
# whole numbers go round instead of doing what they like, numbers with a point are rounded as Python does it; the rest is how modules of
# Python are built
_FLAGS = (
    "-std=gnu11",
    "-fwrapv",
    "-ffp-contract=off",
    "-fPIC",
    "-shared",
    "-fvisibility=hidden",
    "-w",
    "-pthread",
)
# what a processor may have, by its name in /proc/cpuinfo, and the flag that uses it
_FEATURES = {"popcnt": "-mpopcnt", "bmi1": "-mbmi", "bmi2": "-mbmi2"}
_PATIENCE = 600  # seconds for a compiler


class NativeUnavailable(RulewrightError):
    """Native engines can't be built here; everything works interpreted."""


# ---------------------------------------------------------------- what there is to build with


def compiler() -> list[str]:
    """The C compiler as the beginning of a command; a clear word where there is none."""
    wish = os.environ.get("CC")
    for name in (wish,) if wish else _COMPILERS:
        command = shlex.split(name)
        found = shutil.which(command[0]) if command else None
        if found is not None:
            return [found, *command[1:]]
    missing = (
        f"{wish!r} is not there" if wish else f"neither {' nor '.join(_COMPILERS[:2])} is there"
    )
    raise NativeUnavailable(
        f"native engines need a C compiler, and {missing}; engines work interpreted without it"
    )


def headers() -> Path:
    """The folder with Python's headers."""
    folder = Path(sysconfig.get_paths()["include"])
    if not (folder / "Python.h").is_file():
        raise NativeUnavailable(
            f"native engines need the headers of Python, and there is no {folder / 'Python.h'}"
            " (Debian: python3-dev); engines work interpreted without them"
        )
    return folder


def check_tools() -> None:
    """A clear word about what is missing for native builds."""
    compiler()
    headers()


@cache
def _features() -> tuple[str, ...]:
    """Flags for what this processor has: a cache may be shared by machines that differ."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return ()
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    line = next((x for x in text.splitlines() if x.startswith("flags")), "")
    has = set(line.split())
    return tuple(flag for name, flag in _FEATURES.items() if name in has)


def _flags(level: str) -> tuple[str, ...]:
    more = ("-undefined", "dynamic_lookup") if sys.platform == "darwin" else ()
    extra = shlex.split(os.environ.get("RULEWRIGHT_CFLAGS", ""))
    return (f"-O{level}", *_FLAGS, *_features(), *more, *extra)


# ---------------------------------------------------------------- names


@cache
def _sources() -> str:
    """A hash of all that makes C of a ruleset: the compiler and the runtime in C."""
    compiler_ = _HERE / "compiler"
    files = [f for f in compiler_.rglob("*") if f.suffix in (".py", ".lark", ".j2")]
    files += [*_RUNTIME.glob("*.h"), _HERE / "runtime" / "native.py"]
    return hash_of([file.read_bytes() for file in sorted(files)])


@cache
def _tool(command: tuple[str, ...]) -> str:
    """Which compiler it is, without starting it."""
    found = Path(command[0]).resolve()
    try:
        known = found.stat()
        return f"{shlex.join(command)} {found} {known.st_size} {known.st_mtime_ns}"
    except OSError:
        return shlex.join(command)


def module_name(info: Mapping[str, Any], level: str = "2") -> str:
    """The name of an engine in C."""
    # places of rules, which stand in the code for errors, are part of the engine's hash; how the Python text is written down is not
    content = json.dumps([info["engine"], info["hash"], info["most_decisions"]])
    return _named(content, level)


def _named(content: str, level: str) -> str:
    """A name that changes with everything that the machine code depends on: content, compiler, flags, Python, processor."""
    try:
        tool = _tool(tuple(compiler()))
    except NativeUnavailable:
        tool = ""
    python = (sys.version, sysconfig.get_config_var("EXT_SUFFIX") or "", sysconfig.get_platform())
    return _PREFIX + hash_of((content, _sources(), tool, *_flags(level), *python))


def native_dir() -> Path:
    return kept.folder("native")


# ---------------------------------------------------------------- finding and building

_LOADED: dict[str, ModuleType] = {}


def find_native(info: Mapping[str, Any], level: str = "2") -> NativeModule | None:
    """The compiled module of the engine that this is known of, if it has been built."""
    found = _found(module_name(info, level), lambda module: finished(module, info["fits"]))
    return None if found is None else cast(NativeModule, found)


def _found(name: str, finish: Callable[[ModuleType], Any]) -> ModuleType | None:
    """A module of the cache, loaded once and finished in its way."""
    folder = native_dir() / name
    if not (folder / "done").is_file() or not kept.is_own(folder):
        return None
    if str(folder) not in _LOADED:
        try:
            module = _imported(name, folder / f"{name}.so")
        except ImportError:
            return None
        finish(module)
        _LOADED[str(folder)] = module
    return _LOADED[str(folder)]


def _imported(name: str, path: Path) -> ModuleType:
    loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def build_native(engine: Engine, level: str = "2") -> NativeModule:
    """Compile an engine unless that has been done. The C compiler optimises as the level says: 0 is done soonest."""
    if engine.info["full"]:
        raise NativeUnavailable("only the fast flavour of an engine can be compiled")
    found = find_native(engine.info, level)
    if found is not None:
        return found
    _build(module_name(engine.info, level), engine.c_text(), level)
    found = find_native(engine.info, level)
    if found is None:
        raise NativeUnavailable("the compiled engine could not be loaded")
    return found


def build_judge(engine: Engine, module: NativeModule, level: str = "2") -> ModuleType | None:
    """The estimate of an engine, compiled by itself, for the states of a native engine; None where these are laid out in another way."""
    text = engine.judge_c_text()
    # it keeps what its states are, so that each engine has a judge of its own
    name = _named(f"{module.__name__}\n{text}", level)

    def finish(judge: Any) -> None:
        judge.finish(failed, module)

    found = _found(name, finish)
    if found is None:
        _build(name, text, level)
        found = _found(name, finish)
    return found if found is not None and found.LAYOUT == module.LAYOUT else None


def build_several(engines: Mapping[str, Engine]) -> Iterator[str]:
    """Compile engines side by side, one on each core; their names in order, each when it is done."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        under_way = {name: pool.submit(build_native, engine) for name, engine in engines.items()}
        try:
            for name, building in under_way.items():
                building.result()
                yield name
        finally:
            for building in under_way.values():
                building.cancel()


def _build(name: str, source: str, level: str) -> None:
    """C as text → a module in the cache; another process may be doing the same."""
    command = [
        *compiler(),
        *_flags(level),
        f"-DRW_MODULE={name}",
        f"-I{_RUNTIME}",
        f"-I{headers()}",
    ]
    if not native_dir().is_dir():
        raise NativeUnavailable(
            "there is no folder where compiled engines could be kept; name one by RULEWRIGHT_CACHE"
        )
    with tempfile.TemporaryDirectory(dir=native_dir()) as work:
        folder = Path(work) / name
        folder.mkdir(mode=0o700)
        (folder / "engine.c").write_text(source, encoding="utf-8")
        try:
            done = subprocess.run(
                [*command, "engine.c", "-o", f"{name}.so", "-lm"], cwd=folder, capture_output=True, text=True,
                errors="replace", check=False, timeout=_PATIENCE,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NativeUnavailable(f"the C compiler could not be run: {error}") from None
        if done.returncode != 0:
            raise NativeUnavailable(
                f"the engine could not be compiled:\n{(done.stdout + done.stderr)[-3000:]}"
            )
        (folder / "done").write_text("", encoding="utf-8")
        target = native_dir() / name
        if not target.exists():
            try:
                folder.rename(target)
            except OSError:
                if not (target / "done").is_file():
                    raise
