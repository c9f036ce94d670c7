import pytest
from extras.daide.tests.clients import Clients
from tests.api.conftest import tokens  # noqa: F401 - a fixture
from tests.conftest import share_site  # noqa: F401 - a fixture


@pytest.fixture
def clients(table, tokens):  # noqa: F811 - the fixture above
    """Clients who speak DAIDE at the seats of these tokens."""
    return Clients(table, *tokens)
