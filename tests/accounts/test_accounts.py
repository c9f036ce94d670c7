"""Sign up, log in, log out."""

import pytest
from django.db import IntegrityError
from django.test import Client

from diplomaccloud.accounts.adapter import Adapter
from diplomaccloud.accounts.models import User

GOOD = {"username": "Alice", "password1": "a long enough word"}


def sign_up(**change):
    client = Client()
    return client, client.post("/accounts/signup/", GOOD | change)


def logged_in(client):
    return "_auth_user_id" in client.session


def test_a_screen_name_and_a_password_are_enough(db):
    client, response = sign_up()
    assert (response.status_code, response.url) == (302, "/")
    assert logged_in(client)
    assert User.objects.get().screen_name == "Alice"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"username": "aLICE"}, id="a name that differs in case only"),
        pytest.param({"username": "A"}, id="one letter"),
        pytest.param({"username": "x" * 31}, id="31 letters"),
        pytest.param({"username": "al\u0456ce"}, id="a letter that looks like another"),
        pytest.param({"username": "<b>bob</b>"}, id="markup"),
        pytest.param({"username": "Bob", "password1": "12345678"}, id="a password of digits"),
        pytest.param({"username": "Bob", "password1": "short"}, id="a short password"),
        pytest.param({"username": "Bob", "email": "nonsense"}, id="no e-mail address"),
    ],
)
def test_a_bad_sign_up_creates_no_user(people, change):
    client, response = sign_up(**change)
    assert response.status_code == 200
    assert response.context["form"].errors
    assert not logged_in(client)
    assert User.objects.count() == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"username": "aLICE"}, Adapter.error_messages["username_taken"]),
        ({"username": "Bobby", "password1": "123"}, "Use at least 8 characters."),
        ({"username": "Bobby", "password1": "password"}, "This password is too common"),
        ({"username": "Barnabas", "password1": "barnabas1"}, "too similar to the screen name"),
    ],
)
def test_a_bad_sign_up_gets_one_plain_reason(people, change, message):
    _, response = sign_up(**change)
    errors = [text for texts in response.context["form"].errors.values() for text in texts]
    assert len(errors) == 1
    assert message in errors[0]


def test_letter_case_does_not_distinguish_users(people):
    with pytest.raises(IntegrityError):
        User.objects.create(username="ALICE")


def test_logging_in_and_out(people):
    client = Client()
    page = client.post("/accounts/login/", {"login": "alice", "password": "a long enough word"})
    assert page.status_code == 302
    assert logged_in(client)
    assert client.get("/accounts/logout/").status_code == 200
    assert logged_in(client)
    client.post("/accounts/logout/")
    assert not logged_in(client)


def test_a_wrong_password_is_refused(people):
    client = Client()
    page = client.post("/accounts/login/", {"login": "alice", "password": "another"})
    assert Adapter.error_messages["username_password_mismatch"] in page.content.decode()
    assert not logged_in(client)


def test_passwords_are_hashed_with_argon2():
    from diplomaccloud.project import settings

    assert settings.PASSWORD_HASHERS == ["django.contrib.auth.hashers.Argon2PasswordHasher"]


def test_login_does_not_redirect_to_another_site(people):
    data = {"login": "alice", "password": "a long enough word", "next": "https://evil.example/"}
    assert Client().post("/accounts/login/", data).url == "/"
