"""A generated map for several test modules."""

import pytest

from diplomaccloud.atlas.generator.pipeline import make_chart


@pytest.fixture(scope="session")
def chart():
    """Return a generated map for seven powers."""
    return make_chart("the first map")
