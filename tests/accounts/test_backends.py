"""Who a request comes from: the backends of sessions."""

import pytest
from django.conf import settings
from django.contrib.auth import hashers
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client
from tests.games.steps import asked

from diplomaccloud.accounts.backends import BACKEND
from diplomaccloud.accounts.models import User

OF_OLDER_RELEASES = "allauth.account.auth_backends.AuthenticationBackend"


def log_in(name="Alice", word="a long enough word"):
    client = Client()
    response = client.post("/accounts/login/", {"login": name, "password": word})
    return client, response


def test_a_session_of_an_older_release_stays_logged_in(people):
    client = Client()
    client.force_login(User.objects.get(pk=people["alice"]), backend=OF_OLDER_RELEASES)
    assert client.get("/people/Alice/").context["person"].is_you
    assert client.session["_auth_user_backend"] == OF_OLDER_RELEASES


def test_a_new_session_reads_the_numbers_of_the_header_with_the_person(people):
    client, response = log_in()
    assert response.status_code == 302
    assert client.session["_auth_user_backend"] == BACKEND == settings.AUTHENTICATION_BACKENDS[0]
    client.get("/people/Alice/")
    queries = asked(lambda: client.get("/people/Alice/"))
    assert len([text for text in queries if "notices_notice" in text]) == 1
    assert len([text for text in queries if "press_membership" in text]) == 1


@pytest.mark.parametrize("name", ["Alice", "Nobody"])
def test_a_wrong_password_is_hashed_once(people, monkeypatch, name):
    hashed = []

    class CountingHasher(MD5PasswordHasher):
        def encode(self, *args):
            hashed.append(self)
            return super().encode(*args)

    monkeypatch.setattr(hashers, "get_hashers", lambda: [CountingHasher()])
    monkeypatch.setattr(hashers, "get_hasher", lambda *_: CountingHasher())
    _, response = log_in(name=name, word="another long word")
    assert response.status_code == 200
    assert len(hashed) == 1
