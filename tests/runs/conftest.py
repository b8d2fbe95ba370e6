"""The rows that every run must give."""

import pytest
from run_tools import small

from rulewright.simulate.one import Row
from rulewright.simulate.run import Crowd


@pytest.fixture(scope="session")
def alone() -> list[Row]:
    """The rows of one process."""
    return list(Crowd(small()).rows())
