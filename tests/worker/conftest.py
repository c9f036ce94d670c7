import pytest
from tests.worker.separate_site import Launcher, use_own_database


@pytest.fixture
def site(tmp_path, django_db_setup, django_db_blocker):
    """Return a launcher of processes on a fresh database, which this process also uses."""
    with (
        django_db_blocker.unblock(),
        use_own_database(tmp_path) as url,
        Launcher(url, tmp_path) as launcher,
    ):
        yield launcher


@pytest.fixture
def times(pytestconfig):
    """Return the factor by which tests multiply their number of games."""
    return pytestconfig.getoption("--times")
