"""One studio for all tests in a browser, as starting it takes longer than most of them; each gets a folder of its own."""

import pytest
from studio_pages import Designer, RealStudio


@pytest.fixture(scope="session")
def real_studio(tmp_path_factory):
    made = RealStudio(tmp_path_factory.mktemp("studio"))
    yield made
    made.stop()


@pytest.fixture
def work(real_studio):
    return real_studio.work()


@pytest.fixture
def designer(real_studio, work, new_page):
    return Designer(new_page(1500, 1000), real_studio, work.root)
