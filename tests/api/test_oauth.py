"""Apps that act for people: consent, tokens, devices, and everything that is refused."""

import base64
import datetime as dt
import hashlib
import json
import time
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from allauth.account import signals
from allauth.account.internal.flows import login
from allauth.idp.oidc.internal.oauthlib import device_codes
from allauth.idp.oidc.models import Client as ProviderClient
from allauth.idp.oidc.models import Token as ProviderToken
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from tests.api.calls import Program, problem_of

from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.models import User
from diplomaccloud.api import oauth
from diplomaccloud.api.events import select_tokens
from diplomaccloud.api.models import AppGrant, AppToken
from diplomaccloud.api.oauth import find_redirect_fault, list_connected, register_app
from diplomaccloud.api.tokens import find_holders, hash_token
from diplomaccloud.games.table.errors import Refused, WrongMoment

DONE = "https://app.example/done"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode()[:-1]


def enter_password(browser, key):
    """Let the site take the person for one who has just logged in."""
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(key)
    session.save()


class Phone:
    """An app, and the browser of a person who uses it."""

    def __init__(self, table, person="alice", *, owner="bob", redirects=(DONE,)):
        self.browser, self.nobody = table.client(person), Client(enforce_csrf_checks=True)
        enter_password(self.browser, table.user_id(person))
        self.key = register_app(
            user_id=table.user_id(owner), name="Pocket", redirects=redirects, now=timezone.now()
        )

    def ask(self, **changes):
        """Return the answer to the request that the app sends the browser with."""
        asked = {
            "response_type": "code",
            "client_id": self.key,
            "redirect_uri": DONE,
            "scope": "read play",
            "state": "xyz",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
        } | changes
        given = {name: value for name, value in asked.items() if value is not None}
        return self.browser.get("/oauth/authorize", given)

    def decide(self, *scopes, action="grant", **changes):
        """Return where the browser goes once the person has decided, as the fields of the query."""
        page = self.ask(**changes)
        assert page.status_code == 200, page.content
        form = {"request": page.context["form"].initial["request"], "action": action}
        form["scopes"] = scopes or page.context["form"].initial.get("scopes") or ["read", "play"]
        answer = self.browser.post("/oauth/authorize", form)
        assert answer.status_code == 302, answer.content
        return read_query(answer)

    def exchange(self, **sent):
        """Return the answer to an exchange, which the app sends without a cookie."""
        return self.nobody.post("/oauth/token", {"client_id": self.key, **sent})

    def redeem(self, good_code, **changes):
        sent = {"grant_type": "authorization_code", "code": good_code, "redirect_uri": DONE}
        return self.exchange(**{**sent, "code_verifier": VERIFIER, **changes})

    def refresh(self, token, **more):
        return self.exchange(grant_type="refresh_token", refresh_token=token, **more)

    def connect(self, *scopes):
        """Return the tokens that the app gets at the end."""
        answer = self.redeem(self.decide(*scopes)["code"])
        assert answer.status_code == 200, answer.content
        return answer.json()


def read_query(answer):
    return {k: v[0] for k, v in parse_qs(urlsplit(answer.headers["Location"]).query).items()}


def sign_form(page):
    """Return what the form on the page of consent sends."""
    signed = page.context["form"].initial["request"]
    return {"request": signed, "action": "grant", "scopes": ["read"]}


def refusal_of(answer, error):
    """Return the description of a refused exchange."""
    assert answer.status_code in (400, 401), answer.content
    document = answer.json()
    assert document["error"] == error, document
    return document.get("error_description", "")


@pytest.fixture
def phone(table):
    return Phone(table)


def test_an_app_gets_tokens_and_acts_for_a_person(phone, table):
    made = phone.connect("read", "play")
    assert (made["token_type"], made["expires_in"]) == ("Bearer", 3600)
    assert set(made["scope"].split()) == {"read", "play"}
    app = Program(made["access_token"])
    me = app.get("/me").json()
    assert (me["token"], sorted(me["scopes"])) == ("Pocket", ["play", "read"])
    path = f"/games/{table.slug}/seat/orders"
    assert app.put(path, {"phase": 1, "orders": ["A VIE - GAL"]}).status_code == 200
    problem_of(app.get(f"/games/{table.slug}/seat/conversations"), "scope", 403)


def test_only_hashes_of_tokens_are_stored(phone):
    made = phone.connect()
    rows = [*AppToken.objects.values(), *ProviderToken.objects.values()]
    stored = json.dumps(rows, default=str)
    assert made["access_token"] not in stored
    assert made["refresh_token"] not in stored
    assert hash_token(made["refresh_token"]) in stored


def test_the_page_names_the_app_its_owner_and_each_scope(phone):
    page = phone.ask(scope="read press gm")
    text = page.content.decode()
    assert "Pocket" in text
    assert "/people/bob/" in text.lower()
    words = [choice.choice_label for choice in page.context["form"]["scopes"]]
    assert sorted(words) == sorted(oauth.SCOPE_WORDS[scope] for scope in ("read", "press", "gm"))
    assert "app.example" in text
    # Otherwise the browser stops the answer on its way to the app.
    assert "form-action 'self' https://app.example;" in page.headers["Content-Security-Policy"]


def test_a_person_can_grant_less(phone, table):
    made = phone.connect("read")
    assert made["scope"] == "read"
    path = f"/games/{table.slug}/seat/orders"
    problem_of(Program(made["access_token"]).put(path, {"phase": 1}), "scope", 403)


def test_a_refusal_leads_back_to_the_app(phone):
    assert phone.decide(action="cancel") == {"error": "access_denied", "state": "xyz"}
    assert not AppGrant.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        *("https://app.example/done/", "https://app.example/done?x=1", "https://app.example/Done"),
        *("http://app.example/done", "https://app.example:444/done", "https://evil.example/done"),
        *("https://app.example@evil.example/done", "https://app.example/done#x", "", None),
    ],
)
def test_a_wrong_redirect_address_leads_nowhere(phone, address):
    page = phone.ask(redirect_uri=address)
    assert page.status_code == 400
    assert "Location" not in page.headers
    assert not AppGrant.objects.exists()


def test_a_program_on_this_machine_chooses_its_port(table):
    phone = Phone(table, redirects=["http://127.0.0.1/done", "http://[::1]/done"])
    for address in ("http://127.0.0.1:51515/done", "http://[::1]:51515/done"):
        assert phone.ask(redirect_uri=address).status_code == 200
    for address in ("http://127.0.0.1:51515/other", "http://localhost:51515/done"):
        assert phone.ask(redirect_uri=address).status_code == 400


@pytest.mark.parametrize(
    ("changes", "error", "part"),
    [
        ({"scope": "read rule"}, "invalid_scope", "rule"),
        ({"scope": "openid"}, "invalid_scope", "openid"),
        ({"code_challenge": None}, "invalid_request", "code_challenge"),
        ({"code_challenge_method": None}, "invalid_request", "S256"),
        ({"code_challenge_method": "plain"}, "invalid_request", "S256"),
        ({"resource": "https://["}, "invalid_target", "resource"),
        ({"response_type": "token"}, "unauthorized_client", ""),
    ],
)
def test_a_wrong_request_is_reported_to_the_app(phone, changes, error, part):
    answer = phone.ask(**changes)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(DONE)
    fields = read_query(answer)
    assert (fields["error"], fields["state"]) == (error, "xyz")
    assert part in fields.get("error_description", "")


def test_the_password_is_asked_for_before_an_app_may_act(phone, table):
    phone.browser = table.client("alice")
    assert phone.ask().url.startswith("/accounts/reauthenticate/")
    url = f"/oauth/device?code={start_device(phone)['user_code']}"
    answer = phone.browser.post(url, {"action": "confirm"})
    assert answer.url.startswith("/accounts/reauthenticate/")


def test_an_app_leaves_nothing_that_outlives_its_access(phone):
    code = phone.decide("play", "press", scope="play press")["code"]
    app = Program(phone.redeem(code).json()["access_token"])
    for path, sent in {
        "/me/webhooks": {"address": "https://app.example/hook"},
        "/me/destinations": {"kind": "email", "address": "x@app.example"},
    }.items():
        problem_of(app.post(path, sent), "not-yours", 403)


def test_nothing_is_granted_silently(phone):
    phone.connect("read", "play")
    answer = phone.ask(prompt="none")
    assert answer.status_code == 303
    assert phone.browser.get(answer.headers["Location"]).status_code == 200


def test_the_form_of_another_site_grants_nothing(phone, table):
    page = phone.ask()
    form = sign_form(page)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(User.objects.get(pk=table.alice))
    answer = browser.post("/oauth/authorize", form, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    answer = browser.post("/oauth/device?code=x", {"action": "confirm"})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "changes",
    [
        {"code_verifier": "w" * 43},
        {"code_verifier": ""},
        {"redirect_uri": "https://evil.example/done"},
        {"code": "unknown"},
    ],
)
def test_a_wrong_exchange_gives_nothing(phone, changes):
    code = phone.decide()["code"]
    answer = phone.redeem(code, **changes)
    assert answer.status_code in (400, 401)
    assert answer.json()["error"] in ("invalid_grant", "invalid_request")
    assert not AppGrant.objects.exists()
    assert not ProviderToken.objects.exists()


def test_a_code_is_good_for_its_own_app(phone, table):
    other, code = Phone(table), phone.decide()["code"]
    refusal_of(other.redeem(code), "invalid_grant")
    assert phone.redeem(code).status_code == 200


def test_a_code_that_is_used_twice_ends_what_it_gave(phone):
    code = phone.decide()["code"]
    made = phone.redeem(code).json()
    assert "before" in refusal_of(phone.redeem(code), "invalid_grant")
    problem_of(Program(made["access_token"]).get("/me"), "bad-token", 401)
    refusal_of(phone.refresh(made["refresh_token"]), "invalid_grant")


def test_a_refresh_token_is_good_once(phone):
    made = phone.connect()
    renewed = phone.refresh(made["refresh_token"]).json()
    assert renewed["refresh_token"] != made["refresh_token"]
    assert Program(renewed["access_token"]).get("/me").status_code == 200
    assert AppGrant.objects.count() == 1


def test_a_refresh_token_that_is_used_twice_ends_its_family(phone):
    kept, stolen = phone.connect(), phone.connect()
    renewed = phone.refresh(stolen["refresh_token"]).json()
    assert "before" in refusal_of(phone.refresh(stolen["refresh_token"]), "invalid_grant")
    for token in (stolen["access_token"], renewed["access_token"]):
        problem_of(Program(token).get("/me"), "bad-token", 401)
    refusal_of(phone.refresh(renewed["refresh_token"]), "invalid_grant")
    # The other device of the same person goes on.
    assert Program(kept["access_token"]).get("/me").status_code == 200
    assert phone.refresh(kept["refresh_token"]).status_code == 200


def test_a_refresh_token_of_another_app_ends_nothing(phone, table):
    made, other = phone.connect(), Phone(table)
    phone.refresh(made["refresh_token"])
    for _ in range(2):
        refusal_of(other.refresh(made["refresh_token"]), "invalid_grant")
    assert Program(made["access_token"]).get("/me").status_code == 200


def test_a_refresh_never_widens_what_was_granted(phone):
    made = phone.connect("read", "play")
    less = phone.refresh(made["refresh_token"], scope="read").json()
    assert less["scope"] == "read"
    assert Program(less["access_token"]).get("/me").json()["scopes"] == ["read"]
    refusal_of(phone.refresh(less["refresh_token"], scope="read play"), "invalid_scope")


def test_tokens_end_after_an_hour_and_after_ninety_days(phone, table):
    made = phone.connect()
    rows = {row.is_refresh: row.expires_at - timezone.now() for row in AppToken.objects.all()}
    assert dt.timedelta(minutes=59) < rows[False] <= dt.timedelta(hours=1)
    assert dt.timedelta(days=89) < rows[True] <= dt.timedelta(days=90)
    AppToken.objects.filter(is_refresh=False).update(expires_at=timezone.now())
    problem_of(Program(made["access_token"]).get("/me"), "bad-token", 401)
    assert list_connected(table.alice, timezone.now())
    oauth.prune_apps(now=timezone.now() + dt.timedelta(days=91))
    assert not ProviderToken.objects.exists()
    assert not AppToken.objects.exists()
    refusal_of(phone.refresh(made["refresh_token"]), "invalid_grant")


def test_an_app_that_is_deleted_while_in_use_is_dead_at_once(phone, table):
    made, code = phone.connect(), phone.decide()["code"]
    page = phone.ask()
    url = reverse("api:delete-app", args=[phone.key])
    table.client("alice").post(url)
    assert Program(made["access_token"]).get("/me").status_code == 200
    table.client("bob").post(url)
    problem_of(Program(made["access_token"]).get("/me"), "bad-token", 401)
    assert "client_id" in refusal_of(phone.refresh(made["refresh_token"]), "invalid_client")
    assert "client_id" in refusal_of(phone.redeem(code), "invalid_client")
    form = sign_form(page)
    assert phone.browser.post("/oauth/authorize", form).status_code == 400
    assert phone.ask().status_code == 400
    assert not AppGrant.objects.exists()


def test_people_see_and_revoke_what_apps_do(phone, table):
    made = phone.connect("read")
    (app,) = list_connected(table.alice, timezone.now())
    assert (app.name, app.owner.lower(), app.used_at) == ("Pocket", "bob", None)
    Program(made["access_token"]).get("/me")
    (app,) = list_connected(table.alice, timezone.now())
    assert app.used_at is not None
    page = table.client("alice").get(reverse("api:apps")).content.decode()
    assert "Pocket" in page
    url = reverse("api:revoke-grant", args=[app.key])
    table.client("bob").post(url)
    assert Program(made["access_token"]).get("/me").status_code == 200
    table.client("alice").post(url)
    problem_of(Program(made["access_token"]).get("/me"), "bad-token", 401)
    refusal_of(phone.refresh(made["refresh_token"]), "invalid_grant")


def test_a_new_password_revokes_all(phone, table):
    made = phone.connect()
    user = User.objects.get(pk=table.alice)
    signals.password_changed.send(sender=User, request=None, user=user)
    problem_of(Program(made["access_token"]).get("/me"), "bad-token", 401)
    refusal_of(phone.refresh(made["refresh_token"]), "invalid_grant")


@pytest.mark.parametrize("is_device", [False, True])
def test_a_new_password_ends_what_was_just_allowed(phone, table, is_device):
    if is_device:
        device = start_device(phone)
        phone.browser.post(f"/oauth/device?code={device['user_code']}", {"action": "confirm"})
    else:
        code = phone.decide()["code"]
    user = User.objects.get(pk=table.alice)
    user.set_password("another-horse-8")
    user.save()
    answer = poll(phone, device) if is_device else phone.redeem(code)
    assert "password" in refusal_of(answer, "invalid_grant")
    assert not AppGrant.objects.exists()
    assert not ProviderToken.objects.exists()


def test_a_refresh_token_that_only_the_library_knows_gives_nothing(phone):
    made = phone.connect()
    AppGrant.objects.all().delete()
    refusal_of(phone.refresh(made["refresh_token"]), "invalid_grant")
    assert not AppGrant.objects.exists()


def test_an_app_is_connected_to_a_person_a_few_times(phone, table, monkeypatch):
    monkeypatch.setattr(oauth, "MAX_FAMILIES", 2)
    first, *others = [phone.connect("read") for _ in range(3)]
    problem_of(Program(first["access_token"]).get("/me"), "bad-token", 401)
    assert all(Program(made["access_token"]).get("/me").status_code == 200 for made in others)
    assert len(list_connected(table.alice, timezone.now())) == 2


def test_an_app_of_a_banned_owner_gets_nothing(phone, table):
    made, page = phone.connect(), phone.ask()
    code, device = phone.decide()["code"], start_device(phone)
    User.objects.filter(pk=table.bob).update(banned_at=timezone.now())
    assert phone.ask().status_code == 400
    assert phone.browser.post("/oauth/authorize", sign_form(page)).status_code == 400
    assert phone.browser.get(f"/oauth/device?code={device['user_code']}").status_code == 400
    for answer in (phone.redeem(code), phone.refresh(made["refresh_token"])):
        refusal_of(answer, "invalid_client")
    problem_of(Program(made["access_token"]).get("/me"), "bad-token", 401)


@pytest.mark.parametrize("path", ["token", "revoke", "device/code"])
@pytest.mark.parametrize(
    ("query", "sent", "error"),
    [
        ("?scope=gm", {}, "invalid_request"),
        ("", {"resource": "x"}, "invalid_target"),
        ("", {"client_id": "x"}, "invalid_client"),
    ],
)
def test_a_refused_call_of_an_app_says_why(phone, path, query, sent, error):
    sent = {"client_id": phone.key, **sent}
    answer = phone.nobody.post(f"/oauth/{path}{query}", sent)
    assert refusal_of(answer, error)
    assert refusal_of(phone.exchange(), "unsupported_grant_type")


def test_a_form_with_a_query_grants_nothing(phone):
    form = sign_form(phone.ask())
    for query in ("prompt=none", "scope=gm"):
        assert phone.browser.post(f"/oauth/authorize?{query}", form).status_code == 400
        assert Client().post(f"/oauth/authorize?{query}", form).status_code == 400


def test_a_deleted_account_takes_its_apps_along(phone, table):
    made = phone.connect()
    delete_account(user_id=table.bob, now=timezone.now())
    assert not ProviderClient.objects.exists()
    problem_of(Program(made["access_token"]).get("/me"), "bad-token", 401)


def test_a_banned_person_is_refused(phone, table):
    made = phone.connect()
    User.objects.filter(pk=table.alice).update(banned_at=timezone.now())
    problem_of(Program(made["access_token"]).get("/me"), "banned", 403)
    assert phone.ask().status_code == 403
    assert find_holders([hash_token(made["access_token"])]) == {}


def test_a_guest_cannot_let_apps_act(phone, table):
    User.objects.filter(pk=table.alice).update(guest=True)
    assert phone.ask().status_code == 403
    with pytest.raises(Refused):
        register_app(user_id=table.alice, name="A", redirects=[], now=timezone.now())


def test_an_app_can_revoke_its_own_tokens(phone):
    made = phone.connect()
    sent = {"token": made["refresh_token"], "client_id": phone.key}
    assert phone.nobody.post("/oauth/revoke", sent).status_code == 200
    problem_of(Program(made["access_token"]).get("/me"), "bad-token", 401)
    assert not AppGrant.objects.exists()


def test_a_stream_of_an_app_ends_with_its_access(phone, table):
    digest = hash_token(phone.connect()["access_token"])

    def count_listening():
        return sum(len(rows) for rows in select_tokens([digest]))

    assert (count_listening(), find_holders([digest])) == (1, {digest: table.alice})
    oauth.end_grants(table.alice)
    assert (count_listening(), find_holders([digest])) == (0, {})


def post_form(phone, path, sent):
    kind = "application/x-www-form-urlencoded"
    return phone.nobody.post(path, urlencode(sent), content_type=kind)


def start_device(phone, **more):
    answer = post_form(phone, "/oauth/device/code", {"client_id": phone.key, **more})
    assert answer.status_code == 200, answer.content
    return answer.json()


def poll(phone, device, **more):
    """Ask whether the person has decided, as if the app had waited."""
    key = device_codes.cache_device_code_key(device["device_code"])
    if kept := cache.get(key):
        cache.set(key, {**kept, "last_poll_at": 0})
    kind = "urn:ietf:params:oauth:grant-type:device_code"
    return phone.exchange(grant_type=kind, device_code=device["device_code"], **more)


def test_a_device_without_a_browser_is_connected(phone, table):
    device = start_device(phone, scope="read play")
    assert device["verification_uri"].endswith("/oauth/device")
    refusal_of(poll(phone, device), "authorization_pending")
    url = f"/oauth/device?code={device['user_code']}"
    page = phone.browser.get(url)
    text = page.content.decode()
    assert "Pocket" in text
    assert "/people/bob/" in text.lower()
    assert page.context["scopes"] == [oauth.SCOPE_WORDS[word] for word in ("read", "play")]
    assert phone.browser.post(url, {"action": "confirm"}).status_code == 200
    made = poll(phone, device).json()
    assert Program(made["access_token"]).get("/me").json()["scopes"] == ["read", "play"]
    refusal_of(poll(phone, device), "invalid_grant")
    problem_of(Program(made["access_token"]).get("/me"), "bad-token", 401)


@pytest.mark.parametrize("asked", [{"scope": "read"}, {"scope": ""}, {}])
def test_a_device_never_gets_more_than_the_person_has_seen(phone, asked):
    device = start_device(phone, **asked)
    url = f"/oauth/device?code={device['user_code']}"
    assert phone.browser.get(url).context["scopes"] == [oauth.SCOPE_WORDS["read"]]
    phone.browser.post(url, {"action": "confirm"})
    refusal_of(poll(phone, device, scope="read play press create gm"), "invalid_request")
    assert poll(phone, device).json()["scope"] == "read"


def test_a_code_that_expires_meanwhile_connects_no_device(phone, monkeypatch):
    url = f"/oauth/device?code={start_device(phone)['user_code']}"
    monkeypatch.setattr(device_codes, "update_device_state", lambda *_: False)
    assert phone.browser.post(url, {"action": "confirm"}).status_code == 400


def test_a_device_can_be_refused_and_codes_can_be_wrong(phone):
    device = start_device(phone)
    url = f"/oauth/device?code={device['user_code']}"
    phone.browser.post(url, {"action": "deny"})
    refusal_of(poll(phone, device), "access_denied")
    page = phone.browser.get("/oauth/device?code=WRONG")
    assert page.context["form"].errors
    sent = {"client_id": phone.key, "scope": "rule"}
    refused = post_form(phone, "/oauth/device/code", sent)
    refusal_of(refused, "invalid_scope")


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://app.example/done", True),
        ("https://app.example:8443/done?x=1", True),
        ("com.example.app:/done", True),
        ("http://127.0.0.1/done", True),
        ("http://[::1]:80/done", True),
        ("http://localhost/done", False),
        ("http://app.example/done", False),
        ("myapp:/done", False),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("https:///done", False),
        ("https://a@app.example/done", False),
        ("https://*.example/done", False),
        ("https://app.example/done#x", False),
        ("https://app.example/" + "x" * 300, False),
        ("https://[::1/done", False),
        ("https://[::1].evil/done", False),
        ("https://evil.example\\.app.example/done", False),
        ("https://a.example;sandbox/done", False),
        ("https://a.example,x/done", False),
        ("http://127.0.0.1.evil.example/done", False),
        ("done", False),
    ],
)
def test_a_redirect_address_follows_the_rules(address, good):
    assert (find_redirect_fault(address) == "") is good


def test_a_person_registers_and_deletes_apps(table):
    browser = table.client("alice")
    sent = {"name": "Pocket", "redirects": f"{DONE}\nhttp://127.0.0.1/done"}
    assert browser.post(reverse("api:apps"), sent).status_code == 303
    (app,) = oauth.list_apps(table.alice)
    assert (app.redirects, app.people) == ([DONE, "http://127.0.0.1/done"], 0)
    row = ProviderClient.objects.get()
    assert (row.type, row.skip_consent, row.secret) == ("public", False, "")
    assert app.key in browser.get(reverse("api:apps")).content.decode()
    wrong = browser.post(reverse("api:apps"), {"name": "Other", "redirects": "myapp:/done"})
    assert (wrong.status_code, len(oauth.list_apps(table.alice))) == (422, 1)
    browser.post(reverse("api:delete-app", args=[app.key]))
    assert oauth.list_apps(table.alice) == []


def test_a_person_has_only_so_many_apps(table, monkeypatch):
    monkeypatch.setattr(oauth, "MAX_APPS", 1)
    now = timezone.now()
    register_app(user_id=table.alice, name="A", redirects=[], now=now)
    with pytest.raises(WrongMoment):
        register_app(user_id=table.alice, name="B", redirects=[], now=now)


def test_the_metadata_names_what_there_is():
    answer = Client().get(
        "/.well-known/oauth-authorization-server", headers={"Origin": "https://a"}
    )
    document = answer.json()
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert document["issuer"] == "http://testserver"
    assert document["token_endpoint"] == "http://testserver/oauth/token"
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert document["token_endpoint_auth_methods_supported"] == ["none"]
    assert "registration_endpoint" not in document
    for name in ("authorization", "token", "revocation", "device_authorization"):
        path = urlsplit(document[f"{name}_endpoint"]).path
        assert Client().get(path).status_code in (302, 400, 405)


def test_a_page_of_another_origin_can_get_tokens(phone):
    answer = phone.nobody.post(
        "/oauth/token", {"client_id": phone.key}, headers={"Origin": "https://app.example"}
    )
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    page = phone.browser.get("/oauth/authorize", headers={"Origin": "https://app.example"})
    assert "Access-Control-Allow-Origin" not in page.headers
