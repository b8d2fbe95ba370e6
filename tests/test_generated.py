"""What is committed under generated/ is what the specs yield; `make lint` lets the type checker look at it."""

import ast
import json
from pathlib import Path

import pytest

from rulewright import cli, committed
from rulewright.compiler.build import build, read_spec
from rulewright.compiler.emit.format import with_text
from rulewright.engines import GENERATED, SPECS, engine_name, games, load
from rulewright.runtime.hashes import files_hash
from rulewright.runtime.info import write_info

ROOT = Path(__file__).parents[1]


@pytest.mark.wide
def test_committed_engines_are_as_the_specs_say(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["build", "--all", "--check"])
    assert stopped.value.code == 0, capsys.readouterr().out


@pytest.mark.parametrize("game", games())
def test_the_largest_committed_engine_is_as_the_spec_says_to_the_byte(game, capsys):
    players = max(read_spec(SPECS / game).folder.game.players)
    with pytest.raises(SystemExit) as stopped:
        cli.main(["build", game, "--players", str(players), "--check"])
    assert stopped.value.code == 0, capsys.readouterr().out


@pytest.mark.parametrize("game", games())
def test_committed_engines_say_what_the_specs_say(game):
    """All of them, but for blanks and line ends: laying them out again takes ten times as long as building them."""
    spec = read_spec(SPECS / game, f"spec/{game}")
    for players, names in committed.committed(spec.folder):
        file = GENERATED / game / f"{engine_name(players, names, {})}.py"
        engine = build(spec, players, names, tuned=True)
        text = file.read_text()
        assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(engine.text)), file
        info = {**with_text(engine, text).info, "files": files_hash(SPECS / game)}
        assert write_info(info) == file.with_suffix(".json").read_text(), file


@pytest.mark.parametrize("game", games())
def test_every_player_count_and_a_variant_are_committed(game):
    folder = read_spec(SPECS / game).folder
    chosen = committed.committed(folder)
    assert [r for r in chosen if not r[1]] == [(n, ()) for n in sorted(folder.game.players)]
    free = sorted(v.name for v in folder.variants.values() if not v.automatic)
    with_variant = [(players, names[-1]) for players, names in chosen if names]
    assert with_variant == [(min(folder.variants[free[0]].players), free[0])] if free else True
    assert len(with_variant) == min(1, len(free))
    for players, names in chosen:
        assert (GENERATED / game / f"{engine_name(players, names, {})}.py").is_file()


@pytest.mark.parametrize("game", games())
def test_load_takes_the_committed_engine_and_its_lines_lead_to_the_spec(game):
    players = max(read_spec(SPECS / game).folder.game.players)
    loaded = load(game, players, native=False)
    file = Path(str(loaded.module.__file__))
    assert file.resolve().parent == (GENERATED / game).resolve()
    text = file.read_text().splitlines()
    lines = loaded.info["lines"]
    assert len(lines) == len(text) + 1
    led = [(number, place) for number, place in enumerate(lines, 1) if place is not None]
    assert len(led) > 300
    for number, (name, line) in led:
        assert text[number - 1].strip()
        source = (SPECS.parent / name).read_text().splitlines()
        assert source[line - 1].strip(), f"{file.name}:{number} leads to an empty line of {name}"


def test_the_side_tables_are_readable_by_line():
    """One key on a line, in order: a change of a spec shows where it is."""
    for game in games():
        for file in sorted((GENERATED / game).glob("*.json")):
            text = file.read_text()
            data = json.loads(text)
            assert write_info(data) == text
            assert [line.split('"')[1] for line in text.splitlines()[1:-1]] == sorted(data)
