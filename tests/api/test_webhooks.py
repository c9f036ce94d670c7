"""Webhooks over the API: only the owner can create, test, renew and delete them."""

import base64
import contextlib
import datetime as dt
import hashlib
import hmac
import json
import threading

import pytest
from django.db import connection
from django.utils import timezone
from tests.api.calls import Program, problem_of, token_of
from tests.games.steps import due
from tests.notices.steps import consume, deliver_all
from tests.press.conftest import talking  # noqa: F401 - a fixture

from diplomaccloud.api.addresses import IdOf, read_id
from diplomaccloud.notices import channels, destinations
from diplomaccloud.notices.consumer import consume_press
from diplomaccloud.notices.destinations import (
    OLD_SECRET_WORKS,
    RefusedDestination,
    list_secrets,
    send_test,
)
from diplomaccloud.notices.kinds import Group, NoticeKind
from diplomaccloud.notices.models import Delivery, Destination
from diplomaccloud.notices.preferences import read_preferences, switch

ADDRESS = "https://bot.example/hook"
pytestmark = pytest.mark.every_database


@pytest.fixture
def alice(table):
    return Program(token_of(table.alice))


@pytest.fixture
def called(monkeypatch):
    """What was sent to webhooks: the address, the headers, and the body as it went out."""
    calls = []
    monkeypatch.setattr(
        channels, "post", lambda url, *, body, headers: calls.append((url, headers, body))
    )
    return calls


def make(program, address=ADDRESS, **more):
    made = program.post("/me/webhooks", {"address": address, **more})
    assert made.status_code == 201, made.content
    return made.json()


def is_signed(secret, headers, body):
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in headers["webhook-signature"].split(" ")


def test_a_webhook_is_called_when_a_turn_is_over(table, alice, called):
    made = make(alice)
    assert made["secret"].startswith("whsec_")
    assert (made["address"], made["off"], made["failing_since"]) == (ADDRESS, False, None)
    consume()
    due(table)
    consume()
    deliver_all(timezone.now())
    kinds = [json.loads(body)["type"] for _, _, body in called]
    assert "phase.resolved" in kinds
    for url, headers, body in called:
        assert url == ADDRESS
        assert is_signed(made["secret"], headers, body)
        assert json.loads(body)["data"]["game"] == table.slug
    (listed,) = alice.get("/me/webhooks").json()["webhooks"]
    assert "secret" not in listed
    assert listed["id"] == made["id"]


def test_a_webhook_in_a_private_network_is_refused(alice, settings):
    settings.WEBHOOK_LOOKUPS = True
    problem_of(alice.post("/me/webhooks", {"address": "https://10.1.2.3/x"}), "refused", 422)
    assert not Destination.objects.exists()


def test_the_same_address_again_is_the_same_webhook(alice):
    assert make(alice) == make(alice)
    assert Destination.objects.count() == 1


def test_messages_are_announced_if_one_asks_for_it(table, alice, called):
    make(alice)
    assert "message" not in read_preferences([table.alice])[table.alice].choices
    make(alice, messages=True)
    assert read_preferences([table.alice])[table.alice].choices["message"]["chat"] is True


def test_only_a_token_that_reads_messages_has_them_announced(table):
    player = Program(token_of(table.alice, "play"))
    asked = {"address": ADDRESS, "messages": True}
    problem_of(player.post("/me/webhooks", asked), "scope", 403)
    assert not Destination.objects.exists()
    make(player)


def test_a_webhook_of_a_program_that_reads_no_messages_hears_of_none(talking, called):  # noqa: F811
    france = talking.user_id("FRANCE")
    made = make(Program(token_of(france, "play")))
    assert made["messages"] is False
    switch(user_id=france, kinds=[NoticeKind.MESSAGE], group=Group.CHAT, is_on=True)
    consume_press(now=timezone.now())

    def hear(sender):
        talking.send(sender, "FRANCE", "For you.")
        talking.send(sender, "everyone", "For all.")
        consume_press(now=timezone.now())
        deliver_all(timezone.now())
        return {json.loads(body)["type"] for _, _, body in called}

    assert hear("ENGLAND") == set()
    assert make(Program(token_of(france, "play", "press")), messages=True)["messages"] is True
    # A later request with fewer scopes does not take this away.
    assert make(Program(token_of(france, "play")))["messages"] is True
    assert hear("ITALY") == {"message.waiting"}


@pytest.mark.django_db(transaction=True)
def test_of_two_requests_at_the_same_time_one_makes_the_webhook(table, monkeypatch):
    found = []
    digest, both = destinations._digest, threading.Barrier(2)
    calls = threading.local()

    def wait_before_writing(address):
        calls.count = getattr(calls, "count", 0) + 1
        if calls.count == 2:
            with contextlib.suppress(threading.BrokenBarrierError):
                both.wait(0.5)
        return digest(address)

    monkeypatch.setattr(destinations, "_digest", wait_before_writing)

    def send():
        row = destinations.add_webhook(
            user_id=table.alice, address=ADDRESS, origin="https://x.example", now=timezone.now()
        )
        found.append((row.pk, row.secret))
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert found[0] == found[1]


def test_a_webhook_that_was_removed_meanwhile_gets_no_secret(alice):
    make(alice)
    row = Destination.objects.get()
    Destination.objects.all().delete()
    with pytest.raises(RefusedDestination):
        destinations.renew_secret(row, now=timezone.now())


def test_a_test_is_sent_but_not_twice_in_a_moment(alice, called):
    made = make(alice)
    path = f"/me/webhooks/{made['id']}/test"
    assert alice.post(path).json() == {"sent": True}
    problem_of(alice.post(path), "wrong-moment", 409)
    deliver_all(timezone.now())
    ((_, headers, body),) = called
    assert json.loads(body)["type"] == "test"
    assert is_signed(made["secret"], headers, body)


def test_both_secrets_sign_for_a_day_after_one_was_replaced(alice, called):
    old = make(alice)
    new = alice.post(f"/me/webhooks/{old['id']}/new-secret").json()
    assert new["secret"] != old["secret"]
    row = Destination.objects.get()
    send_test(row, now=timezone.now())
    deliver_all(timezone.now())
    ((_, headers, body),) = called
    assert is_signed(new["secret"], headers, body)
    assert is_signed(old["secret"], headers, body)
    later = timezone.now() + OLD_SECRET_WORKS + dt.timedelta(seconds=1)
    assert [f"whsec_{key}" for key in list_secrets(row, now=later)] == [new["secret"]]


def test_a_webhook_that_was_switched_off_can_be_switched_on(alice):
    made = make(alice)
    Destination.objects.update(off_at=timezone.now(), failing_since=timezone.now())
    assert alice.get("/me/webhooks").json()["webhooks"][0]["off"]
    problem_of(alice.post(f"/me/webhooks/{made['id']}/test"), "wrong-moment", 409)
    again = alice.post(f"/me/webhooks/{made['id']}/switch-on").json()
    assert (again["off"], again["failing_since"]) == (False, None)


def test_a_deleted_webhook_is_gone_with_what_waited_for_it(alice):
    made = make(alice)
    alice.post(f"/me/webhooks/{made['id']}/test")
    assert alice.call("DELETE", f"/me/webhooks/{made['id']}").json() == {"deleted": True}
    assert not Delivery.objects.exists()
    problem_of(alice.call("DELETE", f"/me/webhooks/{made['id']}"), "not-found", 404)


def test_the_webhooks_of_others_do_not_exist(table, alice):
    made = make(alice)
    bob = Program(token_of(table.bob))
    assert bob.get("/me/webhooks").json() == {"webhooks": []}
    for method, act in (("DELETE", ""), ("POST", "/test"), ("POST", "/new-secret")):
        other = bob.call(method, f"/me/webhooks/{made['id']}{act}")
        unknown = bob.call(method, f"/me/webhooks/{'0' * 32}{act}")
        assert other.content == unknown.content
        problem_of(other, "not-found", 404)


@pytest.mark.parametrize("scopes", [("read",), ("press",)])
def test_a_token_that_cannot_play_makes_no_webhook(table, scopes):
    program = Program(token_of(table.alice, *scopes))
    problem_of(program.post("/me/webhooks", {"address": ADDRESS}), "scope", 403)
    problem_of(program.get("/me/webhooks"), "scope", 403)


def test_a_token_for_a_seat_makes_no_webhook(table):
    program = Program(token_of(table.alice, "read", "play", slug=table.slug))
    problem_of(program.post("/me/webhooks", {"address": ADDRESS}), "other-seat", 403)


@pytest.mark.parametrize(
    "address",
    [
        "http://bot.example/hook",
        "ftp://bot.example/",
        "https://user:word@bot.example/",
        "https://bot.example/#part",
        "https:///hook",
        "https://bot.example:0/",
        "not an address",
        "",
        "https://hooks.slack.com/services/T000/B000/abcdefghijkl",
        "https://discord.com/api/webhooks/1234567890/abcdefghijkl",
    ],
)
def test_other_addresses_are_refused_and_nothing_is_stored(alice, address):
    problem_of(alice.post("/me/webhooks", {"address": address}), "refused", 422)
    assert not Destination.objects.exists()


def test_an_operator_may_allow_addresses_without_https(alice, settings):
    settings.PRIVATE_WEBHOOKS = True
    assert make(alice, "http://127.0.0.1:8080/hook")["address"] == "http://127.0.0.1:8080/hook"


def test_the_page_renews_the_secret_of_a_webhook_and_of_nothing_else(table, alice):
    made = make(alice)
    client = table.client("alice")
    page = client.get("/notices/settings/").content.decode()
    assert made["secret"] in page
    client.post(page_of(made), {"act": "new secret"})
    row = Destination.objects.get()
    assert f"whsec_{row.secret['old_key']}" == made["secret"]
    Destination.objects.update(channel="slack", secret={})
    client.post(page_of(made), {"act": "new secret"})
    assert Destination.objects.get().secret == {}


def page_of(made):
    key = read_id(IdOf.DESTINATION, made["id"])
    return f"/notices/settings/destinations/{key}/"
