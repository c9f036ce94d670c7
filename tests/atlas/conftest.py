"""Maps that several files of tests look at."""

import pytest

from diplomaccloud.atlas.generator import make_chart


@pytest.fixture(scope="session")
def chart():
    """Return the map of one seed, for seven powers; it is made once."""
    return make_chart("the first map")
