"""Before a conversation is open, nobody learns from its pages who has agreed to open it."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from diplomaccloud.accounts.models import User


def read_pages(slug, user_id):
    """Return what a person finds on every page that concerns opening, and the number of queries."""
    client, found = Client(), []
    if user_id is not None:
        client.force_login(User.objects.get(pk=user_id))
    paths = ("press/opening/", "chronicle/", "chronicle/1/", "", "phases/1/", "press/everyone/")
    for members in ("ENGLAND", "FRANCE", "ITALY", "notes"):
        paths += (f"press/{members}/",)
    with CaptureQueriesContext(connection) as captured:
        for path in paths:
            answer = client.get(f"/games/{slug}/{path}")
            assert "ETag" not in answer.headers
            assert answer.status_code == 404 or "no-store" in answer.headers["Cache-Control"]
            body = answer.content.decode()
            found.append((path, answer.status_code, strip(body)))
    return found, len(captured)


def strip(body):
    """Return a page without what is new each time."""
    body = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", body)
    body = re.sub(r'name="server-time" content="[^"]+"', "", body)
    body = re.sub(r'data-version="\w+"', "", body)
    return re.sub(r'value="[0-9a-f]{32}"', "", body)


@pytest.mark.long
@pytest.mark.parametrize("anonymous", [False, True])
def test_nobody_learns_who_agreed_before_all_have(archive, anonymous):
    talking = archive.talking
    talking.agree(anonymous=anonymous)
    roles = [None, *map(talking.user_id, ("Sam", "Morgan", "ENGLAND", "TURKEY", "ITALY"))]
    talking.resign("ITALY")
    archive.end()
    # Opening a page marks its messages as read.
    for role in roles:
        read_pages(archive.slug, role)
    before = {role: read_pages(archive.slug, role) for role in roles}
    archive.agree("FRANCE")
    for role in roles:
        assert read_pages(archive.slug, role) == before[role], role
