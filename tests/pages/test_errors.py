"""The page for a fault of our own."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.test import RequestFactory
from django.utils.functional import SimpleLazyObject

from diplomaccloud.pages.errors import broken


def no_database():
    raise OperationalError("the database is away")


@pytest.mark.parametrize("finds_user", [AnonymousUser, no_database])
def test_a_fault_is_told_whatever_broke(finds_user):
    request = RequestFactory().get("/games/")
    request.user = SimpleLazyObject(finds_user)
    page = broken(request)
    assert page.status_code == 500
    assert "Something broke" in page.content.decode()
    assert "Log in" in page.content.decode()
