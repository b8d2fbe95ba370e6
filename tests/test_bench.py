"""`rulewright bench`: what is measured, how it is told, and what happens where something is missing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright import cli
from rulewright.bench import endurance, environments, figures, plan, startup
from rulewright.bench.environments import PEERS
from rulewright.bench.figures import Figure
from rulewright.bench.plan import CPP_GAMES, Case, Plan
from rulewright.bench.run import Result
from rulewright.bench.targets import targets
from rulewright.engines import games

HAND = """
class State:
    def __init__(self, n, left):
        self.n, self.left = n, left

    def clone(self):
        return State(self.n, self.left)


def new_game(n, seed):
    return State(n, 7)


def legal(s):
    return [0, 1] if s.left else []


def apply(s, a):
    s.left -= 1


def games(n, count, seed):
    for i in range(count):
        s = new_game(n, seed + i)
        while legal(s):
            apply(s, 0)
    return 7 * count
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    # nothing is fetched or compiled
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("CC", "no-such-cc")

    def call(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            cli.main(["bench", *map(str, words)])
        told = capsys.readouterr()
        return int(stop.value.code or 0), told.out, told.err

    return call


@pytest.mark.wide
def test_a_short_run(run: Any, tmp_path: Path) -> None:
    """Two engines against a yardstick: figures, ratios, files, and what was left out."""
    hand, out, page = tmp_path / "hand.py", tmp_path / "out.json", tmp_path / "out.md"
    hand.write_text(HAND)
    code, shown, told = run(
        "--only", "yspahan 4", "--only", "yardstick", "--rounds", 2, "--seconds", 0.02,
        "--yardstick", hand, "--out", out, "--markdown", page,
    )  # fmt: skip
    assert code == 0
    data = json.loads(out.read_text())
    by = {(r["group"], r["name"]): r for r in data["results"]}
    assert set(by) == {
        ("calls", "yspahan 4"), ("inside", "yspahan 4"), ("playouts", "yspahan 4"),
        *((way, f"yardstick {n}") for way in ("calls", "inside") for n in (3, 4)),
    }  # fmt: skip
    ours = by["inside", "yspahan 4"]
    assert len(ours["rounds"]) == 2 and all(r["seconds"] >= 0.02 for r in ours["rounds"])
    rate = ours["games_per_second"]
    assert 0 < rate["min"] <= rate["median"] <= rate["max"]
    assert 100 < ours["decisions_per_game"] < 1000 and 0 < ours["clone"]["median"] < 0.01
    assert 500 < ours["memory"]["median"] < 100_000
    assert by["calls", "yardstick 4"]["decisions_per_game"] == 7
    speed, copy = data["targets"]
    assert speed["wanted"] == "≥ 0.65" and copy["wanted"] == "≤ 2"
    assert "no-such-cc" in data["skipped"]["native engines"]
    assert "no-such-cc" in data["skipped"]["yardstick native"]
    assert "games/s is the fair figure" in " ".join(shown.split())
    for words in ("By calls", "Inside the engine", "Playouts", "Targets", "Left out"):
        assert words in shown and words in page.read_text()
    assert "round 2 of 2" in told


@pytest.mark.wide
def test_packages_that_cannot_be_installed_are_named(run: Any) -> None:
    code, shown, told = run(
        "--only", "uno", "--only", "yspahan 2", "--rounds", 1, "--seconds", 0.01
    )
    assert code == 0 and "installing rlcard" in told
    assert "can't be installed" in shown and "By calls" in shown


def test_wrong_use(run: Any, tmp_path: Path) -> None:
    code, _, told = run("--yardstick", tmp_path / "none.py")
    assert code == 2 and "there is no file" in told
    code, _, told = run("--out", tmp_path / "none" / "out.json")
    assert code == 2 and "there is no folder" in told
    assert run("--rounds", 0)[0] == 2


def test_endurance(run: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    code, shown, told = run("--endurance", 40, "--only", "nothing of this name", "--out", out)
    assert code == 1 and "nothing to measure" in told and not shown and not out.exists()
    code, shown, _ = run("--endurance", 40, "--only", "mykerinos 2", "--out", out)
    assert code == 0 and "last / first" in shown
    found = json.loads(out.read_text())["endurance"]
    assert [e["name"] for e in found] == ["calls mykerinos 2", "inside mykerinos 2"]
    assert all(len(e["games_per_second"]) == endurance.PARTS for e in found)


# ---------------------------------------------------------------- parts


def test_every_engine_and_package_is_in_the_plan() -> None:
    cases = [*plan.engine_cases(False), *plan.engine_cases(True)]
    for game in games():
        for players in plan.player_counts(game):
            mine = [c for c in cases if (c.args["game"], c.args["players"]) == (game, players)]
            assert len(mine) == 6
    for peer in PEERS:
        for case in plan.peer_cases(peer, Path(sys.executable)):
            subject = plan.HERE / f"subject_{case.subject}.py"
            assert subject.is_file() and json.loads(case.order(1.0))["subject"] == str(subject)


def _result(name: str, group: str, who: str, speeds: list[float], **args: Any) -> Result:
    rounds = [
        {"games": s, "decisions": 10 * s, "steps": 10 * s, "seconds": 1.0, "clone": 1 / s}
        for s in speeds
    ]
    return Result(Case(name, group, "engine", args, who=who), rounds)


def test_targets_are_judged_round_by_round() -> None:
    results = [
        # the machine was twice as fast in the second round
        _result("yspahan 4", "inside", "ours", [66, 132, 66]),
        _result("yardstick 4", "inside", "yardstick", [100, 200, 100]),
        _result("yspahan 4", "calls", "ours", [99, 99, 99], game="yspahan", native=False),
        _result("yspahan 4 native", "calls", "ours", [400] * 3, game="yspahan", native=True),
        _result("ys 2", "calls", "ours", [50] * 3, game="ys", native=False),
        _result("catanatron catan 4", "peers", "catanatron", [10] * 3),
        *(_result(f"open_spiel {n}", "peers", "open_spiel", [100] * 3) for n, _ in CPP_GAMES),
        _result("open_spiel python_team_dominoes", "peers", "open_spiel", [1] * 3),
    ]
    found = {t.name: t for t in targets(results, "yspahan")}
    speed = found["yspahan 4 interpreted: games/s inside / yardstick"]
    assert speed.ratio == Figure(0.66, 0.66, 0.66) and speed.reached
    copy = found["yspahan 4 interpreted: copy / yardstick"]
    assert copy.ratio.value == pytest.approx(1 / 0.66) and copy.reached and copy.wanted == "≤ 2"
    catan = found["yspahan 4 interpreted: by calls / catanatron"]
    assert catan.ratio.value == pytest.approx(9.9) and catan.reached is False
    cpp = found["yspahan 4 native: by calls / OpenSpiel's C++ games"]
    assert cpp.ratio.value == 4 and cpp.wanted == "≥ 3" and cpp.reached
    assert found["ys 2 interpreted: by calls / OpenSpiel's C++ games"].reached is None


def test_start_up_is_measured_against_python_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "is_ready", lambda peer: False)
    commands = startup.starts("yspahan", 4, False)
    found = startup.measure(commands, 1, lambda words: None)
    assert found[0].ratio == 1 and found[0].seconds.value > 0
    assert [s.name for s in found][1:3] == ["import rulewright", "rulewright --help"]


def test_numbers() -> None:
    assert [figures.number(n) for n in (0.5, 12.34, 2345, 23456, 2345678)] == [
        "0.50", "12.3", "2,345", "23.5 k", "2.35 M",
    ]  # fmt: skip
    assert [figures.duration(n) for n in (2e-7, 3.456e-6, 0.0123, 4)] == [
        "200 ns", "3.46 µs", "12.3 ms", "4.00 s",
    ]  # fmt: skip
    assert figures.spread(figures.figure([90, 100, 120])) == "-10% +20%"
    assert figures.size(2012) == "2,012 B" and figures.size(20480) == "20 KiB"


def test_measurements_run_on_one_thread_with_engines_of_their_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setenv("RULEWRIGHT_NATIVE", "1")
    around = environments.surroundings()
    assert around["OMP_NUM_THREADS"] == "1" and "RULEWRIGHT_NATIVE" not in around
    assert around["RULEWRIGHT_CACHE"] == str(tmp_path / "bench")


def test_figures_of_learning_are_kept_game_by_game(tmp_path, monkeypatch, capsys):
    """A run that ends early goes on with the games that are missing; one measured in another way is refused."""
    from rulewright.bench import learning

    played = []

    def plan(name, game, players, only, tell):
        return Plan([Case(f"{name} {who}", "calls", "learning", {}, who=who) for who in ("native", "open_spiel")])  # fmt: skip

    def measured(plan, rounds, seconds, tell, most, patience):
        played.append(plan.cases[0].name)
        if len(played) == 2:
            raise KeyboardInterrupt
        return [Result(case, [{"decisions": 10 * (i + 1), "games": 1, "steps": 1, "seconds": 1.0}]) for i, case in enumerate(plan.cases)]  # fmt: skip

    monkeypatch.setattr(learning, "plan_of", plan)
    monkeypatch.setattr(learning, "run", measured)
    out = tmp_path / "figures.json"
    words = ["--games", "kuhn", "leduc", "--out", str(out)]
    with pytest.raises(KeyboardInterrupt):
        learning.main(words)
    first = played[0].removesuffix(" native")
    assert list(json.loads(out.read_text())["games"]) == [first]
    assert learning.main(words) == 0
    assert played[1] == played[2] and len(played) == 3
    found = json.loads(out.read_text())
    assert sorted(found["games"]) == ["kuhn", "leduc"]
    assert found["ratios"]["kuhn: native by calls / open_spiel"] == 0.5
    with pytest.raises(SystemExit, match="rounds"):
        learning.main([*words, "--rounds", "9"])
    with pytest.raises(SystemExit):
        learning.main(["--games", "no-such-game"])
