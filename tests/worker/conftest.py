import pytest
from tests.worker.separate_site import Crew, own_database


@pytest.fixture
def site(tmp_path, django_db_setup, django_db_blocker):
    """A crew on a fresh database, which this process uses too."""
    with django_db_blocker.unblock(), own_database(tmp_path) as url, Crew(url, tmp_path) as crew:
        yield crew


@pytest.fixture
def times(pytestconfig):
    """The factor by which tests multiply their number of games."""
    return pytestconfig.getoption("--faults")
