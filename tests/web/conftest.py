"""One real server for all tests of a file."""

import pytest
from real_server import RealServer


@pytest.fixture(scope="module")
def real_server(tmp_path_factory):
    server = RealServer(tmp_path_factory.mktemp("real"))
    yield server
    server.stop()
