"""Packages of others → an environment for each, made once and kept; the surroundings in which measurements run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from rulewright.cache import folder

# what pip installs for each package that is compared
PEERS = {
    "catanatron": ["catanatron"],
    "open_spiel": ["open_spiel"],
    "rlcard": ["rlcard"],
    "pettingzoo": ["pettingzoo[classic]"],
}
# and for what only steps many games side by side
LEARNING_PEERS = {"pgx": ["pgx"]}
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_PATIENCE = 900  # seconds for an installation


class Unavailable(Exception):
    """Something can't be measured here; the message says why."""


def bench_cache() -> Path:
    """Environments and compiled engines of the benchmark are kept apart, so that `load` does not find them."""
    return folder("bench")


def surroundings() -> dict[str, str]:
    """The environment variables of every measurement: one thread, the benchmark's own engines, nothing left to luck."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "RULEWRIGHT"))}
    return {
        **kept,
        **dict.fromkeys(_ONE_THREAD, "1"),
        "PYTHONHASHSEED": "0",
        "PYTHONWARNINGS": "ignore",
        "RULEWRIGHT_CACHE": str(bench_cache()),
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
    }


def folder_of(peer: str) -> Path:
    return bench_cache() / f"environments-{sys.version_info.major}.{sys.version_info.minor}" / peer


def is_ready(peer: str) -> bool:
    return (folder_of(peer) / "ready").is_file()


def environment(peer: str) -> Path:
    """The Python of a package's environment; raises Unavailable when it can't be installed."""
    folder = folder_of(peer)
    python = folder / "bin" / "python"
    if is_ready(peer):
        return python
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _run([sys.executable, "-m", "venv", str(folder)])
        _run([str(python), "-m", "pip", "install", "--quiet", *({**PEERS, **LEARNING_PEERS}[peer])])
    except Unavailable:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    (folder / "ready").write_text("", encoding="utf-8")
    return python


def _run(command: list[str]) -> None:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    try:
        done = subprocess.run(
            command, env=kept, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"can't be installed: {error}") from error
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "ERROR" in line] or ["pip failed"]
        raise Unavailable(f"can't be installed: {lines[-1].strip()}")


def compile_engine(game: str, players: int, options: Mapping[str, object] | None = None) -> None:
    """Compile an engine for the benchmark, in a process of its own, unless that has been done."""
    from rulewright.native import NativeUnavailable, check_tools

    try:
        check_tools()
    except NativeUnavailable as error:
        raise Unavailable(str(error)) from error
    script = (
        "import json, sys, rulewright.engines as e;"
        "e.make_native(sys.argv[1], int(sys.argv[2]), options=json.loads(sys.argv[3]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, game, str(players), json.dumps(dict(options or {}))],
        env=surroundings(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise Unavailable((done.stderr.strip().splitlines() or ["the compilation failed"])[-1])


# what a hand-written engine in C is called by; it has new_game, playout and seed_rng, and a main of its own
_LIMIT = """
#define main limit_main
#include "{name}"
#undef main
long long limit_games(int players, long long count, long long seed) {{
    static S s;
    long long total = 0;
    for (long long i = 0; i < count; i++) {{ new_game(&s, players, seed + i); total += playout(&s, seed_rng(seed + i + 1000003)); }}
    return total;
}}
void limit_copy(void) {{ static S a, b; memcpy(&b, &a, sizeof a); __asm__ volatile("" ::: "memory"); }}
"""


def compile_limit(path: Path, work: Path) -> Path:
    """A hand-written engine in C as a library; programs beside it that make its tables (make_*.py) are run first."""
    from rulewright.native import NativeUnavailable, compiler

    try:
        command = compiler()
    except NativeUnavailable as error:
        raise Unavailable(str(error)) from error
    folder = work / "limit"
    folder.mkdir(parents=True, exist_ok=True)
    for file in path.parent.iterdir():
        if file.suffix in (".c", ".h", ".py"):
            shutil.copy(file, folder / file.name)
    (folder / "limit_calls.c").write_text(_LIMIT.format(name=path.name), encoding="utf-8")
    makers = [[sys.executable, file.name] for file in sorted(folder.glob("make_*.py"))]
    library = [*command, "-O2", "-w", "-shared", "-fPIC", "limit_calls.c", "-o", "limit.so"]
    for step in (*makers, library):
        done = subprocess.run(
            step, cwd=folder, env=surroundings(), capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise Unavailable((done.stderr.strip().splitlines() or ["it can't be compiled"])[-1])
    return folder / "limit.so"


_SETUP = """
import sys
from setuptools import setup
from mypyc.build import mypycify
setup(name="yardstick", ext_modules=mypycify(["--config-file=", sys.argv.pop(1)], opt_level="3"), script_args=["-q", "build_ext", "--inplace"])
"""


def compile_yardstick(path: Path, work: Path) -> Path:
    """A copy of a hand-written module, compiled with mypyc; gives the path of the compiled module."""
    from importlib.util import find_spec

    from rulewright.native import NativeUnavailable, check_tools

    try:
        check_tools()
    except NativeUnavailable as error:
        raise Unavailable(str(error)) from error
    if find_spec("mypyc") is None:
        raise Unavailable("it is compiled with mypyc, which is not there (pip install mypy)")
    folder = work / "yardstick"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, folder / path.name)
    done = subprocess.run(
        [sys.executable, "-c", _SETUP, path.name],
        cwd=folder, env=surroundings(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise Unavailable((done.stderr.strip().splitlines() or ["it can't be compiled"])[-1])
    (folder / path.name).unlink()
    built = sorted(folder.glob(f"{path.stem}.*.so")) + sorted(folder.glob(f"{path.stem}.*.pyd"))
    return built[0]
