"""Engines as text → compiled extension modules, built once with mypyc and kept in the cache."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from rulewright import cache as kept
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.hashes import hash_of, text_hash

_RUNTIME = Path(__file__).parent / "runtime"
_REWRITING = Path(__file__).parent / "native_text.py"
# the inner loop of the searching bot: no part of any engine, compiled once for all of them
_SEARCH = Path(__file__).parent / "bots" / "search.py"
# compiled together with the engine, so that calls between them are plain C calls
_TOGETHER = ("arrays", "bits", "zones", "support", "rng")
# of which compiled engines have their own
_OWN = ("arrays", "bits", "zones")


class NativeUnavailable(RulewrightError):
    """Native engines can't be built here; everything works interpreted."""


def _sources() -> dict[str, str]:
    files = {name: _RUNTIME / f"{name}{'_native' if name in _OWN else ''}.py" for name in _TOGETHER}
    return {name: path.read_text(encoding="utf-8") for name, path in files.items()}


def _in_package(modules: dict[str, str], package: str) -> dict[str, str]:
    """The modules as they are compiled: with each other instead of the interpreted runtime."""
    from rulewright.native_text import with_words

    found: dict[str, str] = {}
    for name, text in modules.items():
        text = with_words(text, [m for other, m in modules.items() if other != name])
        for other in _TOGETHER:
            text = text.replace(
                f"from rulewright.runtime.{other} import", f"from {package}.{other} import"
            )
        found[name] = text
    return found


def package_name(engine: str, level: str = "3") -> str:
    """A name that changes with everything the compiled module depends on; the engine goes by the hash of its text."""
    rewriting = _REWRITING.read_text(encoding="utf-8")
    parts = (level, engine, rewriting, sys.version, sysconfig.get_platform(), *_sources().values())
    return f"rulewright_native_{hash_of(parts)}"


def native_dir() -> Path:
    return kept.folder("native")


def find_native(engine: str, level: str = "3") -> ModuleType | None:
    """The compiled module of the engine with this hash, if it has been built."""
    return _find(package_name(engine, level), "engine")


def find_search() -> ModuleType | None:
    """The compiled inner loop of the searching bot, if it has been built."""
    return _search_in(native_dir())


@cache
def _search_in(folder: Path) -> ModuleType | None:
    return _find(search_name(), "search") if folder.is_dir() else None


def search_name() -> str:
    parts = (_SEARCH.read_text(encoding="utf-8"), sys.version, sysconfig.get_platform())
    return f"rulewright_search_{hash_of(parts)}"


def _find(package: str, name: str) -> ModuleType | None:
    folder = native_dir() / package
    if not (folder / "done").is_file() or not kept.is_own(folder):
        return None
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    try:
        return importlib.import_module(f"{package}.{name}")
    except ImportError:
        return None


def check_tools() -> None:
    """A clear word about what is missing for native builds."""
    try:
        import mypyc  # noqa: F401
    except ImportError:
        raise NativeUnavailable(
            "native engines need mypyc: pip install 'rulewright[native]'; engines work interpreted without it"
        ) from None
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        raise NativeUnavailable(
            f"native engines need a C compiler, and {compiler!r} is not there; engines work interpreted without it"
        )


_SETUP = """
import sys
from setuptools import setup
from mypyc.build import mypycify
setup(name="engine", packages=[{package!r}], ext_modules=mypycify(["--config-file=", "--ignore-missing-imports", *{files!r}], opt_level={level!r}),
      script_args=["-q", "build_ext", "--inplace"])
"""


def build_native(text: str, level: str = "3", engine: str | None = None) -> ModuleType:
    """Compile an engine's text (and the hot part of the runtime) unless that has been done.

    `engine` is the hash by which it is found again (`info["engine"]`), that of this text if none is given. The C compiler optimises as the level says: 0 is done soonest, 3 runs fastest.
    """
    engine = engine or text_hash(text)
    found = find_native(engine, level)
    if found is not None:
        return found
    package = package_name(engine, level)
    modules = {**_sources(), "engine": text}
    _build(package, _in_package(modules, package), level)
    found = find_native(engine, level)
    if found is None:
        raise NativeUnavailable("the compiled engine could not be loaded")
    return found


def build_several(engines: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """Compile engines (texts and hashes) side by side, one on each core; their names in order, each when it is done."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        under_way = {
            name: pool.submit(build_native, text, engine=engine)
            for name, (text, engine) in engines.items()
        }
        try:
            for name, building in under_way.items():
                building.result()
                yield name
        finally:
            for building in under_way.values():
                building.cancel()


def build_search() -> None:
    """Compile the inner loop of the searching bot unless that has been done."""
    if find_search() is None:
        _build(search_name(), {"search": _SEARCH.read_text(encoding="utf-8")}, "3")
        _search_in.cache_clear()


def _build(package: str, sources: dict[str, str], level: str) -> None:
    """Modules as text → a package of compiled modules in the cache."""
    check_tools()
    if not native_dir().is_dir():
        raise NativeUnavailable(
            "there is no folder where compiled engines could be kept; name one by RULEWRIGHT_CACHE"
        )
    with tempfile.TemporaryDirectory(dir=native_dir()) as work:
        folder = Path(work) / package
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").write_text("", encoding="utf-8")
        for name, source in sources.items():
            (folder / package / f"{name}.py").write_text(source, encoding="utf-8")
        files = [f"{package}/{name}.py" for name in sources]
        script = _SETUP.format(package=package, files=files, level=level)
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise NativeUnavailable(
                f"{', '.join(sources)} could not be compiled:\n{(done.stdout + done.stderr)[-3000:]}"
            )
        for name in ("build", ".mypy_cache"):
            shutil.rmtree(folder / name, ignore_errors=True)
        for name in sources:
            # only the compiled modules may be found
            (folder / package / f"{name}.py").unlink()
        (folder / "done").write_text("", encoding="utf-8")
        target = native_dir() / package
        if not target.exists():
            folder.rename(target)
