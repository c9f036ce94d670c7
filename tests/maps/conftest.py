"""Tests of maps store certificates under the same numbers, which never happens on a site."""

import pytest

from diplomaccloud.maps.certification import read_facts


@pytest.fixture(autouse=True)
def forget_certificates():
    """Forget the certificates of the test before."""
    read_facts.cache_clear()
