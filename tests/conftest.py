"""The site's tests share the site; the judge's do not load it."""

import math

import pytest


@pytest.fixture(scope="session", autouse=True)
def share_site(shared_charts, shared_static_files):
    pass


@pytest.fixture(autouse=True)
def quiet_announcements():
    """Begin as if announcements had just been read, and there were none.

    Otherwise, pages of slow tests would ask for them now and then, which takes a query. Tests that
    announce something call `forget_current`.
    """
    from diplomaccloud.announcements import read

    read._FRESH_SECONDS = math.inf
    read._Remembered.rows, read._Remembered.until = (), math.inf
