"""Tokens: who has which rights, how they end, and what is stored."""

import datetime as dt
from types import SimpleNamespace

import pytest
from allauth.account import signals
from django.urls import reverse
from django.utils import timezone
from tests.api.calls import ALL, Program, problem_of, token_of

from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.models import User
from diplomaccloud.api import limits
from diplomaccloud.api.limits import Limit
from diplomaccloud.api.models import KeptAnswer, Token
from diplomaccloud.api.tokens import MAX_TOKENS, Scope, hash_token, make_token, prune_api
from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.errors import NoSuchGame, Refused
from diplomaccloud.shared import database_cache

DAY = dt.timedelta(days=1)


def make(user_id, *, scopes=ALL, slug="", name="a bot", life=DAY):
    return make_token(
        user_id=user_id, name=name, scopes=scopes, life=life, now=timezone.now(), slug=slug
    )


def test_only_the_hash_of_a_token_is_stored(table):
    text = make(table.alice)
    row = Token.objects.get()
    assert text.startswith("dc_")
    assert len(text) > 40
    assert row.digest == hash_token(text)
    assert text not in str(vars(row))


@pytest.mark.parametrize("wrong", ["", "dc_", "dc_unknown", "Bearer", "x" * 5000, "dc_\x00", "é"])
def test_a_wrong_token_is_refused(table, wrong):
    answer = Program(wrong or " ").get("/me")
    problem_of(answer, "bad-token", 401)
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_call_without_a_token_says_so(table):
    problem_of(Program().get("/me"), "no-token", 401)
    answer = Program().get("/me", Authorization="Basic YTpi")
    problem_of(answer, "bad-token", 401)


def test_an_expired_token_and_a_revoked_one_are_dead(table):
    text = make(table.alice)
    assert Program(text).get("/me").status_code == 200
    Token.objects.update(expires_at=timezone.now())
    problem_of(Program(text).get("/me"), "bad-token", 401)
    # Even where visitors may read, so that a program learns that its token is dead.
    problem_of(Program(text).get(f"/games/{table.slug}"), "bad-token", 401)


@pytest.mark.parametrize("change", [{"is_active": False}, {"deleted_at": timezone.now()}])
def test_a_person_who_is_gone_has_no_token(table, change):
    text = make(table.alice)
    User.objects.filter(pk=table.alice).update(**change)
    problem_of(Program(text).get("/me"), "bad-token", 401)


def test_a_changed_password_ends_all_tokens(table):
    text, other = make(table.alice), make(table.bob)
    user = User.objects.get(pk=table.alice)
    user.set_password("an old password")
    user.save()
    client = table.client("alice")
    new = {"password1": "a-new-password-9", "password2": "a-new-password-9"}
    address = reverse("account_change_password")
    client.post(address, {"oldpassword": "wrong", **new})
    assert Program(text).get("/me").status_code == 200
    answer = client.post(address, {"oldpassword": "an old password", **new})
    assert answer.status_code == 302, answer.content
    problem_of(Program(text).get("/me"), "bad-token", 401)
    assert Program(other).get("/me").status_code == 200


@pytest.mark.parametrize("name", ["password_reset", "password_set", "password_changed"])
def test_each_new_password_ends_all_tokens(table, name):
    make(table.alice)
    user = User.objects.get(pk=table.alice)
    getattr(signals, name).send(sender=User, request=None, user=user)
    assert not Token.objects.exists()


def test_a_banned_person_can_do_nothing(table):
    text = make(table.alice)
    User.objects.filter(pk=table.alice).update(banned_at=timezone.now())
    problem_of(Program(text).get("/me"), "banned", 403)


def test_a_deleted_account_leaves_no_token(table):
    make(table.alice)
    delete_account(user_id=table.alice, now=timezone.now())
    assert not Token.objects.exists()


def test_each_scope_allows_only_its_own(table):
    path = f"/games/{table.slug}/seat"
    play, read = (Program(make(table.alice, scopes=[scope])) for scope in ("play", "read"))
    document = problem_of(play.get(path), "scope", 403)
    assert document["scope"] == "read"
    problem_of(read.put(f"{path}/orders", {"phase": 1, "orders": ["A VIE H"]}), "scope", 403)
    assert play.put(f"{path}/orders", {"phase": 1, "orders": ["A VIE H"]}).status_code == 200


def test_a_token_for_a_seat_is_for_that_game_alone_and_dies_with_the_seat(table, plan):
    program = Program(make(table.alice, scopes=["read", "play"], slug=table.slug))
    other = create_game(
        plan=plan,
        creator_id=table.alice,
        now=timezone.now(),
        slug="bbbbbbbbbb",
        code="letmein333",
        seed="another",
    )
    assert program.get(f"/games/{table.slug}/seat").status_code == 200
    for path in ("", "/seat", "/phases"):
        problem_of(program.get(f"/games/{other.slug}{path}"), "other-seat", 403)
        problem_of(program.get(f"/games/zzzzzzzzzz{path}"), "other-seat", 403)
    assert [game["id"] for game in program.get("/me").json()["games"]] == [table.slug]
    resign(slug=table.slug, user_id=table.alice, now=timezone.now())
    problem_of(program.get(f"/games/{table.slug}/seat"), "bad-token", 401)
    # Even once the same person has the seat again.
    take_seat(slug=table.slug, user_id=table.alice, power="AUSTRIA", now=timezone.now(), code="")
    problem_of(program.get(f"/games/{table.slug}/seat"), "bad-token", 401)


def test_a_token_that_makes_no_sense_is_refused(table):
    for wrong in ({"name": " "}, {"name": "x" * 61}, {"scopes": []}):
        with pytest.raises(Refused):
            make(table.alice, **wrong)
    with pytest.raises(Refused, match="one seat"):
        make(table.alice, scopes=[Scope.CREATE], slug=table.slug)
    with pytest.raises(NoSuchGame):
        make(table.charlie, scopes=[Scope.READ], slug=table.slug)
    User.objects.filter(pk=table.bob).update(guest=True)
    with pytest.raises(Refused, match="Sign up"):
        make(table.bob)
    for _ in range(MAX_TOKENS):
        make(table.alice)
    with pytest.raises(Refused, match="Revoke one"):
        make(table.alice)


def test_cookies_count_for_nothing(table):
    client = table.client("alice")
    answer = client.get("/api/v1/me")
    problem_of(answer, "no-token", 401)
    assert not answer.cookies
    orders = {"phase": 1, "orders": ["A VIE H"]}
    path = f"/api/v1/games/{table.slug}/seat/orders"
    answer = client.put(path, orders, content_type="application/json")
    problem_of(answer, "no-token", 401)


def set_time(monkeypatch, seconds):
    for module in (limits, database_cache):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: seconds))


def test_calls_are_limited_by_token_and_by_address(table, monkeypatch, settings):
    settings.API_LIMITS = True
    database_cache.this_minute.clear()
    set_time(monkeypatch, 600.0)
    monkeypatch.setattr(limits, "TOKEN", Limit("token", 2))
    program = Program(make(table.alice))
    assert [program.get("/me").status_code for _ in range(3)] == [200, 200, 429]
    document = program.get("/me")
    problem_of(document, "too-many", 429)
    assert 0 < int(document.headers["Retry-After"]) <= 61
    monkeypatch.setattr(limits, "VISITOR", Limit("visitor", 1))
    statuses = [Program().get("/games").status_code for _ in range(2)]
    assert statuses == [200, 429]
    monkeypatch.setattr(limits, "WRONG_TOKENS", Limit("wrong-tokens", 1))
    assert [Program("dc_x").get("/me").status_code for _ in range(2)] == [401, 429]
    set_time(monkeypatch, 661.0)
    assert program.get("/me").status_code == 200


def read_limit(answer):
    """Return the headers about the nearest limit."""
    return answer.headers["RateLimit-Policy"], answer.headers["RateLimit"]


def test_each_answer_states_the_nearest_limit(table, monkeypatch, settings):
    settings.API_LIMITS = True
    database_cache.this_minute.clear()
    set_time(monkeypatch, 629.5)
    program, nobody = Program(make(table.alice)), Program()
    policy = '"token";q=600;w=60'
    assert read_limit(program.get("/me")) == (policy, '"token";r=599;t=31')
    assert read_limit(program.get("/games/zzzzzzzzzz")) == (policy, '"token";r=598;t=31')
    refused = Program(token_of(table.alice, Scope.READ)).post("/games", {"world": "A"})
    # With a new token, the address has the smaller part left.
    assert (refused.status_code, read_limit(refused)[1]) == (403, '"address";r=1197;t=31')
    assert read_limit(nobody.get("/games"))[0] == '"visitor";q=120;w=60'
    # These are answered before the caller is known, and count for nothing.
    for path in ("/nowhere", "/openapi.json"):
        assert read_limit(nobody.get(path)) == ('"visitor";q=120;w=60', '"visitor";r=119;t=31')
    too_large = program.post("/judge", raw='"' + "x" * 200_000 + '"')
    assert (too_large.status_code, read_limit(too_large)[0]) == (413, '"address";q=1200;w=60')
    assert read_limit(Program("dc_x").get("/me"))[1] == '"wrong-tokens";r=29;t=31'
    monkeypatch.setattr(limits, "ADDRESS", Limit("address", 8))
    assert read_limit(program.get("/me"))[1] == '"address";r=3;t=31'
    set_time(monkeypatch, 661.0)
    assert read_limit(program.get("/me"))[1] == '"address";r=7;t=59'


def test_a_refusal_says_when_the_limit_starts_over(table, monkeypatch, settings):
    settings.API_LIMITS = True
    database_cache.this_minute.clear()
    set_time(monkeypatch, 629.5)
    monkeypatch.setattr(limits, "TOKEN", Limit("token", 1))
    program = Program(make(table.alice))
    program.get("/me")
    refused = program.get("/me")
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "31")
    assert read_limit(refused)[1] == '"token";r=0;t=31'


def test_a_site_without_limits_states_none(table):
    assert "RateLimit" not in Program(make(table.alice)).get("/me").headers


def test_old_tokens_and_answers_are_swept_away(table):
    now = timezone.now()
    make(table.alice)
    KeptAnswer.objects.create(
        user_id=table.alice, key_digest="a", request_digest="b", at=now, status=200, body="{}"
    )
    prune_api(now=now)
    assert (Token.objects.count(), KeptAnswer.objects.get().body) == (1, "{}")
    prune_api(now=now + 2 * DAY)
    assert (Token.objects.count(), KeptAnswer.objects.get().body) == (0, "")
    prune_api(now=now + 8 * DAY)
    assert not KeptAnswer.objects.exists()


PASSWORD = "a long enough word"


@pytest.fixture
def alice(table):
    """The browser of Alice, who has not yet entered her password again."""
    person = User.objects.get(pk=table.alice)
    person.set_password(PASSWORD)
    person.save()
    return table.client("alice")


def test_the_password_is_asked_for_before_a_token_is_made(alice):
    client, page = alice, "/account/tokens/"
    assert client.get(page).status_code == 200
    sent = {"name": "my bot", "scopes": ["read"], "seat": "", "days": "7"}
    ask = client.post(page, sent).url
    assert ask.startswith("/accounts/reauthenticate/")
    client.post(ask, {"password": "wrong", "next": page})
    assert not Token.objects.exists()
    # What was typed is not lost.
    made = client.post(ask, {"password": PASSWORD, "next": page}).content.decode()
    assert Token.objects.get().name == "my bot"
    assert 'data-text="dc_' in made


def test_a_person_makes_and_revokes_a_token_on_the_page(table, alice):
    client = alice
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get("/account/tokens/")
    assert "Only Austria in Testland" in page.content.decode()
    sent = {"name": "my bot", "scopes": ["read", "play"], "seat": table.slug, "days": "7"}
    page = client.post("/account/tokens/", sent).content.decode()
    text = page.partition('data-text="')[2].partition('"')[0]
    assert "never used" in client.get("/account/tokens/").content.decode()
    assert Program(text).get("/me").json()["scopes"] == ["read", "play"]
    page = client.get("/account/tokens/").content.decode()
    assert "never used" not in page
    assert "my bot" in page
    assert text not in page
    assert client.post("/account/tokens/", {**sent, "scopes": []}).status_code == 422
    assert client.post("/account/tokens/", {**sent, "scopes": ["king"]}).status_code == 422
    key = Token.objects.get().pk
    table.client("bob").post(f"/account/tokens/{key}/revoke/")
    assert Token.objects.exists()
    client.post(f"/account/tokens/{key}/revoke/")
    problem_of(Program(text).get("/me"), "bad-token", 401)
    assert table.client("nobody").get("/account/tokens/").status_code == 302
