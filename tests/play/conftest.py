"""What the tests of playing share: the command line in this process, and small games."""

import json

import pytest
from common import GAMES

from rulewright import cli
from rulewright.engines import load


class Run:
    """What one run of the command line gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self):
        return json.loads(self.out)


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*words: object) -> Run:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main([str(word) for word in words])
        got = capsys.readouterr()
        return Run(int(stopped.value.code or 0), got.out, got.err)

    return call


@pytest.fixture(scope="session")
def race():
    return load(str(GAMES / "race"), 2)


@pytest.fixture(scope="session")
def auction():
    return load(str(GAMES / "auction"), 2)


@pytest.fixture(scope="session")
def bluff():
    return load(str(GAMES / "bluff"), 2)
