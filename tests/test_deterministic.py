"""The same spec gives the same bytes in every process, whatever the seed of its hashes."""

import hashlib
import os
import subprocess
import sys

import pytest
from common import sampled

from rulewright.engines import games

# Prints a digest of the text and the side table of both flavours of a game, the fast one tuned too, for the fewest players.
PROGRAM = """
import hashlib, json, sys
from rulewright.compiler.build import build, read_spec
from rulewright.engines import SPECS

name = sys.argv[1]
spec = read_spec(SPECS / name, f"spec/{name}")
players = min(spec.folder.game.players)
for full, tuned in ((False, False), (False, True), (True, False)):
    engine = build(spec, players, full=full, tuned=tuned)
    for text in (engine.text, json.dumps(engine.info)):
        print(len(text), hashlib.sha256(text.encode()).hexdigest())
"""


def digests(game: str, seed: str) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, game],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("game", sampled(games(), 3))
def test_the_hash_seed_changes_nothing(game):
    first = digests(game, "1")
    assert len(first) == len(set(first)) == 6
    assert first == digests(game, "4242")
    empty = hashlib.sha256(b"").hexdigest()
    assert not any(empty in line for line in first)
