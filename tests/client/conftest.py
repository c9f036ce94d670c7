import pytest
from tests.client.real_site import serving
from tests.worker.separate_site import drop_template, use_own_database


@pytest.fixture(scope="session", autouse=True)
def dropped_template(django_db_setup, django_db_blocker):
    """Leave no database behind on a server."""
    yield
    with django_db_blocker.unblock():
        drop_template()


@pytest.fixture
def real_site(tmp_path, django_db_setup, django_db_blocker):
    """A real server, for programs that come from outside."""
    with (
        django_db_blocker.unblock(),
        use_own_database(tmp_path) as database,
        serving(database, tmp_path) as site,
    ):
        yield site
