"""Administration: only staff with two-factor log-in see it, and it changes nothing by itself."""

import re

import pytest
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from diplomaccloud.accounts.backends import BACKEND
from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game
from diplomaccloud.project import admin_site

LISTS = ("/admin/", "/admin/games/game/", "/admin/press/case/", "/admin/accounts/user/")


def enter(name, *, staff=True, factors=True, used=True):
    user = User.objects.get(username=name)
    User.objects.filter(pk=user.pk).update(is_staff=staff)
    if factors:
        Authenticator.objects.create(user=user, type="totp", data={"secret": "x"})
    client = Client()
    client.force_login(user, backend=BACKEND)
    if factors and used:
        request = HttpRequest()
        request.session, request.user = client.session, user
        record_authentication(request, user, method="mfa", type="totp")
        request.session.save()
    return client


@pytest.fixture
def staff(table):
    return enter("Bob")


@pytest.mark.parametrize("path", LISTS)
def test_for_players_and_visitors_there_is_no_administration(people, path):
    assert enter("Alice", staff=False).get(path).status_code == 404
    assert Client().get(path, follow=True).redirect_chain[-1][0].startswith("/accounts/login/")


@pytest.mark.parametrize("path", LISTS)
def test_staff_must_have_two_factors(people, path):
    client = enter("Alice", factors=False)
    assert client.get(path, follow=True).redirect_chain[-1][0] == "/accounts/two-factor/"


@pytest.mark.parametrize("path", LISTS)
def test_staff_must_have_used_a_second_factor_in_the_session(people, path):
    client = enter("Alice", used=False)
    assert client.get(path, follow=True).redirect_chain[-1][0] == (
        "/accounts/two-factor/reauthenticate/?next=/admin/"
    )
    Authenticator.objects.update(type="webauthn", data={"name": "Key"})
    assert client.get("/admin/login/").url == (
        "/accounts/two-factor/webauthn/reauthenticate/?next=/admin/"
    )


@pytest.mark.parametrize("path", LISTS)
def test_staff_read_lists_without_an_inline_script(staff, path):
    answer = staff.get(path)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert not re.findall(r"<script(?![^>]*\ssrc=)(?![^>]*json)[^>]*>", page)
    assert not re.search(r"\sstyle=|\son[a-z]+=|<style", page)


def test_nothing_can_be_added_changed_or_deleted(staff, table):
    game = Game.objects.get()
    for model, row in (("games_game", game), ("accounts_user", User.objects.get(username="Alice"))):
        change = reverse(f"admin:{model}_change", args=[row.pk])
        assert staff.get(change).status_code == 200
        page = staff.get(change).content.decode().partition('id="content"')[2]
        assert re.findall(r'<(?:input|select|textarea)[^>]*name="(\w+)"', page) == [
            "csrfmiddlewaretoken"
        ]
        for address in (
            change,
            reverse(f"admin:{model}_add"),
            reverse(f"admin:{model}_delete", args=[row.pk]),
        ):
            assert staff.post(address, {"world": "Changed", "is_staff": "on"}).status_code == 403
    assert Game.objects.get().world == game.world
    assert not User.objects.get(username="Alice").is_staff


def test_pages_show_no_password_secret_or_player(staff, table):
    game, bob = Game.objects.get(), User.objects.get(username="Bob")
    pages = [staff.get(path).content.decode() for path in LISTS]
    for model, row in (("games_game", game), ("accounts_user", bob)):
        pages.append(staff.get(reverse(f"admin:{model}_change", args=[row.pk])).content.decode())
    text = "".join(pages)
    assert bob.password not in text
    assert "last_login" not in text.lower()
    assert str(game.draw_secret) not in text
    assert "Alice" not in pages[1] + pages[4]


def test_a_suspended_game_is_resumed_through_the_action_of_the_game(staff, table):
    game = Game.objects.get()
    sent = {"action": "resume_games", "_selected_action": [game.pk]}
    page = staff.post("/admin/games/game/", sent, follow=True).content.decode()
    assert game.slug in page
    Game.objects.update(suspended_reason="a fault")
    page = staff.post("/admin/games/game/", sent, follow=True).content.decode()
    assert "the game continues" in page
    assert Game.objects.get().suspended_reason == ""


def test_lists_end_after_some_rows(staff, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(admin_site, "MAX_ROWS", 2)
    with django_assert_max_num_queries(12):
        assert "2 users" in staff.get("/admin/accounts/user/").content.decode()


def test_a_password_is_changed_on_the_site_s_own_page(staff):
    sent = {"old_password": "x", "new_password1": "y", "new_password2": "y"}
    assert staff.post("/admin/password_change/", sent).url == "/accounts/password/change/"
    assert staff.post("/admin/logout/").url == "/accounts/logout/"


@pytest.mark.parametrize(
    "asked",
    [
        "accounts/user/?password__startswith=argon2",
        "accounts/user/?last_login__gt=2020-01-01",
        "accounts/user/?session_salt=",
        "accounts/user/?authenticator__data__contains=x",
        "games/game/?draw_secret__gt=0",
        "games/game/?seats__tenures__user=1",
        "press/case/?id__gt=0",
    ],
)
def test_lists_answer_no_question_about_what_they_do_not_show(staff, table, asked):
    answer = staff.get(f"/admin/{asked}")
    assert answer.status_code == 400 or answer.url.endswith("?e=1")
