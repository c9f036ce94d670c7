"""Programs from outside play on a real server of the site."""

from tests.client.conftest import real_site  # noqa: F401 - a fixture
from tests.conftest import share_site  # noqa: F401 - a fixture
