"""Tests with pages share what those of the site share."""

from tests.conftest import share_site  # noqa: F401 - a fixture
