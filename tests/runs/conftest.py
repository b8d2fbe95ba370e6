"""The rows that every run must give; and a secret of these tests' own for the Rays that they start, as nobody else should use them."""

import os
import secrets

import pytest
from run_tools import small

from rulewright.simulate.one import Row
from rulewright.simulate.run import Crowd

os.environ["RAY_AUTH_MODE"] = "token"
os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)


@pytest.fixture(scope="session")
def alone() -> list[Row]:
    """The rows of one process."""
    return list(Crowd(small()).rows())
