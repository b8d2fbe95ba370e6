"""An ordinary install outside the checkout works like the editable one: specs, grammar, template and engines are in the wheel."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

# a wheel is made and an environment filled, which takes a while
pytestmark = pytest.mark.wide

ROOT = Path(__file__).parents[1]
PARTS = ("bench", "compiler", "examples", "generated", "rulewright", "runtime", "spec", "pyproject.toml", "README.md", "LICENSE")  # fmt: skip
PLAY = """
import json, rulewright
told = {"file": rulewright.__file__}
for name in rulewright.games():
    game = rulewright.load(name, players=3)
    end = game.random_playout(game.new_initial_state(seed=7), seed=7)
    told[name] = [end.is_terminal(), game.full.module.__file__]
print(json.dumps(told))
"""


def run(command: Sequence[object], place: Path) -> str:
    """Run something in a place that knows nothing of the checkout; gives what it prints."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "RULEWRIGHT", "XDG", "VIRTUAL"))}  # fmt: skip
    done = subprocess.run(
        [str(word) for word in command],
        cwd=place, env={**kept, "HOME": str(place)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment in which a wheel of the checkout is installed.

    The packages it needs are those of the environment that runs the tests, so nothing is fetched.
    """
    folder = tmp_path_factory.mktemp("install")
    source = folder / "source"
    source.mkdir()
    for name in PARTS:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.so", "build")
            shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy(ROOT / name, source / name)
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    offline = ["--no-deps", "--no-build-isolation", "--no-index"]
    run([*pip, "wheel", *offline, "--wheel-dir", folder, source], folder)
    shutil.rmtree(source)
    (wheel,) = folder.glob("*.whl")
    run([*pip, "--python", python, "install", *offline, wheel], folder)
    library = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder)
    # A line in such a file adds a folder, but not what the files in that folder add: the editable install stays out.
    Path(library.strip(), "needs.pth").write_text(sysconfig.get_path("purelib"))
    return folder


def test_the_command_line_works(place: Path) -> None:
    command = place / "env" / "bin" / "rulewright"
    assert run([command, "--version"], place).startswith("rulewright ")
    assert "no errors" in run([command, "check"], place)
    told = json.loads(run([command, "games", "--format", "json"], place))
    names = [game["game"] for game in told["games"]]
    assert names == sorted(p.parent.name for p in ROOT.glob("spec/*/game.yaml"))
    assert "def playout(" in run([command, "build", names[0], "--dump", "python"], place)


def test_games_are_played_from_what_was_installed(place: Path) -> None:
    told = json.loads(run([place / "env" / "bin" / "python", "-c", PLAY], place))
    assert Path(told.pop("file")).is_relative_to(place / "env")
    assert len(told) == len(list(ROOT.glob("spec/*/game.yaml")))
    for over, full in told.values():
        # The full flavour is not committed: it was built from the installed spec.
        assert over is True and full.startswith("<engine")


def test_nothing_else_is_installed(place: Path) -> None:
    library = next((place / "env" / "lib").glob("python3*/site-packages"))
    names = {p.name for p in library.iterdir() if not p.name.endswith((".dist-info", ".pth"))}
    assert names - {"__pycache__"} == {"rulewright"}
    assert not list(library.rglob("test_*.py"))
