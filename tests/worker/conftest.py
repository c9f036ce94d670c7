import pytest
from tests.worker.site import Crew, own_database


@pytest.fixture
def site(tmp_path, django_db_setup, django_db_blocker):
    """A crew at work on a fresh database, in which this process works too."""
    with django_db_blocker.unblock(), own_database(tmp_path) as url, Crew(url, tmp_path) as crew:
        yield crew


@pytest.fixture
def times(pytestconfig):
    """How many times as many games as usual are asked for."""
    return pytestconfig.getoption("--faults")
