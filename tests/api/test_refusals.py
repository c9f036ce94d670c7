"""A refusal names the field and says in plain English what is wrong, whatever refuses it."""

import asyncio
import json

import pytest
from tests.api.calls import problem_of
from tests.api.test_operations import SCHEMA, WITH_BODY, fill, schema_of_body
from tests.games.steps import ballot, call_vote, due

from diplomaccloud.api.events import EventStream
from diplomaccloud.api.problems import word_fault
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow


@pytest.fixture
def alice(program):
    return program("alice")


def errors_of(answer, kind, status):
    """Return the fields of a problem document and what each says."""
    document = problem_of(answer, kind, status)
    return {fault["field"]: fault["message"] for fault in document["errors"]}


def test_an_unknown_bot_draft_or_power_is_named(alice, program, table):
    path = f"/games/{table.slug}"
    made = f"/games/{alice.post('/games', {'world': 'A'}).json()['id']}"
    for call in ("bots", "start"):
        answer = alice.post(f"{made}/{call}", {"bot": "no such"})
        assert list(errors_of(answer, "refused", 422)) == ["bot"]
    answer = program("charlie").post(f"{path}/seats", {"power": "MARS"})
    assert list(errors_of(answer, "refused", 422)) == ["power"]
    body = {"phase": 1, "orders": ["A VIE H"], "draft": "nowhere"}
    for key in ("", "one"):
        answer = alice.put(f"{path}/seat/orders", body, key=key)
        assert list(errors_of(answer, "refused", 422)) == ["draft"]
    del body["orders"]
    answer = alice.put(f"{path}/seat/orders", {**body, "ready": False})
    assert list(errors_of(answer, "refused", 422)) == ["draft"]
    answer = alice.call("DELETE", f"{path}/seat/drafts/nowhere?phase=1")
    assert list(errors_of(answer, "refused", 422)) == ["name"]


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "votes", {"question": "concede", "power": "MARS"}, "power"),
        ("POST", "votes", {"question": "extend", "seconds": 10**7}, "seconds"),
        ("PUT", "conditional-orders", {"text": "rubbish"}, "text"),
        ("PUT", f"drafts/{'x' * 50}", {}, "name"),
        ("POST", "drafts/Orders/rename", {"new_name": "x" * 50}, "new_name"),
        ("POST", "drafts/nowhere/rename", {"new_name": "x"}, "name"),
        ("PUT", "country", {"country": "x" * 99}, "country"),
        ("PUT", "color", {"color": "#123456"}, "color"),
    ],
)
def test_a_value_that_the_rules_refuse_is_named(alice, table, method, path, body, field):
    if path not in ("country", "color"):
        body = {"phase": 1, **body}
    answer = alice.call(method, f"/games/{table.slug}/seat/{path}", body)
    assert list(errors_of(answer, "refused", 422)) == [field]


def test_a_body_that_is_refused_as_a_whole_says_why(alice, table):
    path = f"/games/{table.slug}/seat/orders"
    assert list(errors_of(alice.put(path, raw="[1]"), "invalid", 422)) == ["the body"]
    body = {"phase": 1, "orders": ["A VIE H", "A BUD\0H"]}
    for raw in (json.dumps(body), json.dumps(body).replace("\\u0000", "\0")):
        document = problem_of(alice.put(path, raw=raw), "not-understood", 400)
        assert "NUL" in document["detail"] or "valid JSON" in document["detail"]
    fields = errors_of(alice.put(path, body), "not-understood", 400)
    assert list(fields) == ["orders[1]"]
    huge = problem_of(alice.put(path, raw='"' + "x" * 1_000_000 + '"'), "too-large", 413)
    assert "128 KB" in huge["detail"]
    assert not OrderRow.objects.filter(draft__seat__user=table.alice).exists()


def test_what_is_not_found_is_named(alice, program, table):
    path = f"/games/{table.slug}"
    due(table)
    for phase in ("99", "S1999M"):
        detail = problem_of(alice.get(f"{path}/phases/{phase}"), "not-found", 404)["detail"]
        assert detail == f"This game has no processed phase {phase}."
    detail = problem_of(alice.get(f"{path}/phases/1/why/99"), "not-found", 404)["detail"]
    assert "99" in detail
    detail = problem_of(alice.get(f"{path}/receipts?phase=99"), "not-found", 404)["detail"]
    assert "99" in detail
    detail = problem_of(alice.get(f"/maps/{'0' * 64}"), "not-found", 404)["detail"]
    assert "map" in detail
    detail = problem_of(program("charlie").get(f"{path}/seat"), "not-found", 404)["detail"]
    assert detail == "You have no seat in this game."


def test_a_unit_without_orders_is_named_unless_it_is_your_own(alice, table):
    path = f"/games/{table.slug}/seat/legal"
    assert list(errors_of(alice.get(f"{path}?unit=A ZZZ"), "invalid", 422)) == ["unit"]
    assert list(errors_of(alice.get(f"{path}?unit=A PAR"), "invalid", 422)) == ["unit"]
    assert alice.get(f"{path}?unit=a vie").json()["units"]
    row = Game.objects.get().newest_phase()
    due(table)
    assert row.sequence == 1


def test_an_outdated_version_is_named(alice, table):
    path = f"/games/{table.slug}/seat/orders"
    alice.put(path, {"phase": 1, "orders": ["A VIE H"]})
    body = {"phase": 1, "orders": ["A VIE - GAL"], "version": "0" * 16}
    fields = errors_of(alice.put(path, body), "outdated", 409)
    assert list(fields) == ["version"]
    assert "page" not in fields["version"]


def test_a_phase_that_never_was_is_refused_in_a_finished_game(alice, table):
    path = f"/games/{table.slug}/seat/orders"
    document = problem_of(alice.put(path, {"phase": 99}), "phase-over", 409)
    never = document["detail"]
    assert never.startswith("This game has no such phase.")
    ballot(table, "bob", call_vote(table, "alice", "draw"))
    document = problem_of(alice.put(path, {"phase": 99}), "phase-over", 409)
    assert document["detail"].removeprefix(never) not in ("", document["detail"])


OPTIONAL = [row for row in WITH_BODY if not schema_of_body(row[2], row[1]).get("required")]


@pytest.mark.parametrize(("name", "method", "path"), OPTIONAL)
def test_a_body_may_be_absent_if_no_field_is_required(alice, table, name, method, path):
    assert not SCHEMA["paths"][f"/api/v1{path}"][method.lower()]["requestBody"].get("required")
    address = fill(name, path, table.slug)
    without = alice.call(method, address)
    if without.status_code == 422:
        empty = alice.call(method, address, {})
        assert (empty.status_code, empty.content) == (422, without.content)
        assert "the body" not in without.content.decode()
        assert "given" not in without.content.decode()


def test_a_game_is_started_without_a_body(alice, table):
    made = f"/games/{alice.post('/games', {'world': 'A'}).json()['id']}"
    assert alice.post(f"{made}/start").json()["status"] == "running"


def test_a_wrong_last_event_id_is_named(table):
    sent = []

    async def fail(scope, receive, send):
        raise AssertionError("asked the pages")

    async def send(message):
        sent.append(message)

    headers = [(b"accept", b"text/event-stream"), (b"last-event-id", b"nonsense")]
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/api/v1/games/{table.slug}/events",
        "query_string": b"after=1",
        "headers": headers,
    }
    asyncio.run(EventStream(fail)(scope, None, send, slug=table.slug))
    assert sent[0]["status"] == 422
    (fault,) = json.loads(sent[1]["body"])["errors"]
    assert fault["field"] == "Last-Event-ID"


def test_every_pattern_has_a_sentence():
    def list_patterns(value):
        if isinstance(value, dict):
            for name, part in value.items():
                if name == "pattern" and isinstance(part, str):
                    yield part
                yield from list_patterns(part)
        elif isinstance(value, list):
            for part in value:
                yield from list_patterns(part)

    patterns = set(list_patterns(SCHEMA)) - {"^[!-~]+$"}
    assert patterns
    for pattern in patterns:
        fault = {"type": "string_pattern_mismatch", "msg": "", "ctx": {"pattern": pattern}}
        assert "match" not in word_fault(fault), pattern


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "This field is required."),
        ({"phase": 1, "x": 1}, "There is no such field."),
        ({"phase": "1"}, "This must be a whole number."),
        ({"phase": 0}, "This must be 1 or more."),
        ({"phase": 1, "orders": 1}, "This must be a list."),
        ({"phase": 1, "orders": [""]}, "This must not be blank."),
        ({"phase": 1, "orders": ["x" * 400]}, "This must have at most 300 characters."),
        ({"phase": 1, "ready": "yes"}, "This must be true or false."),
    ],
)
def test_a_wrong_field_is_described_in_plain_words(alice, table, body, message):
    answer = alice.put(f"/games/{table.slug}/seat/orders", body)
    assert list(errors_of(answer, "invalid", 422).values()) == [message]


def test_times_have_one_form(alice, table):
    due(table)
    events = alice.get(f"/games/{table.slug}/events").json()["events"]
    opened = [event for event in events if event["type"] == "phase.opened"]
    assert opened
    due_at = alice.get(f"/games/{table.slug}").json()["phase"]["due_at"]
    assert opened[-1]["data"]["due_at"] == due_at
    assert due_at.endswith("Z")
    assert all(event["at"].endswith("Z") for event in events)


def test_a_solo_game_has_as_many_bots_as_seats_and_a_last_year(alice, table):
    nine = ",".join(["hold"] * 9)
    assert list(errors_of(alice.post("/solo-games", {"bot": nine}), "invalid", 422)) == ["bot"]
    count = Game.objects.count()
    answer = alice.post("/solo-games", {"last_year": 1899})
    assert list(errors_of(answer, "refused", 422)) == ["last_year"]
    assert Game.objects.count() == count
    made = alice.post("/solo-games", {"bot": "hold", "last_year": 1903}).json()
    assert made["options"]["ends"]["last_year"] == 1903
    made = alice.post("/solo-games").json()
    assert made["options"]["ends"]["last_year"] == 1935
