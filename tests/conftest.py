"""The site's tests share the site; the judge's do not load it."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def share_site(shared_charts, shared_static_files):
    pass
