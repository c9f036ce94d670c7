import pytest
from tests.client.real_site import serving
from tests.worker.separate_site import use_own_database


@pytest.fixture
def real_site(tmp_path, django_db_setup, django_db_blocker):
    """A real server, for programs that come from outside."""
    with (
        django_db_blocker.unblock(),
        use_own_database(tmp_path) as database,
        serving(database, tmp_path) as site,
    ):
        yield site
