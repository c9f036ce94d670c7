"""Bad input: each refusal is a problem document that names the field, and nothing changes."""

import json
from unittest.mock import Mock

import pytest
from tests.api.calls import problem_of

from diplomaccloud.api import bodies, games
from diplomaccloud.games.table.phase_models import OrderRow


@pytest.fixture
def save(program, table):
    """A function that saves orders as Alice."""
    alice = program("alice")

    def put(body=None, **more):
        return alice.put(f"/games/{table.slug}/seat/orders", body, **more)

    yield put
    assert not OrderRow.objects.filter(draft__seat__user=table.alice).exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"orders": []}, "phase"),
        ({"phase": "1"}, "phase"),
        ({"phase": 1.0}, "phase"),
        ({"phase": 0}, "phase"),
        ({"phase": 10**30}, "phase"),
        ({"phase": True}, "phase"),
        ({"phase": 1, "orders": "A VIE H"}, "orders"),
        ({"phase": 1, "orders": ["A VIE H", 3]}, "orders[1]"),
        ({"phase": 1, "orders": [" "]}, "orders[0]"),
        ({"phase": 1, "orders": ["A VIE H"] * 121}, "orders"),
        ({"phase": 1, "orders": ["x" * 301]}, "orders[0]"),
        ({"phase": 1, "ready": "yes"}, "ready"),
        ({"phase": 1, "order": ["A VIE H"]}, "order"),
        ({"phase": 1, "confirmed": None}, "confirmed"),
    ],
)
def test_a_wrong_field_is_named(save, body, field):
    document = problem_of(save(body), "invalid", 422)
    assert document["errors"][0]["field"] == field
    assert document["errors"][0]["message"]


@pytest.mark.parametrize(
    "raw",
    [
        "{",
        "nothing",
        '{"phase": 1, "phase": 2}',
        '{"phase": NaN}',
        '{"phase": 1e999}',
        '{"orders": [1e999]}',
        '{"draft": "\\ud800"}',
        '{"\\ud800": 1}',
        b"\xff\xfe",
        '{"orders": ' + "[" * 100 + "]" * 100 + "}",
        "[" * 50_000,
        '{"phase": 1, "draft": "\\u0000"}',
    ],
)
def test_a_body_that_is_not_plain_json_is_refused(save, raw):
    problem_of(save(raw=raw), "not-understood", 400)


def test_looking_for_a_name_that_stands_twice_compares_few_names():
    class Name(str):
        compared = 0
        __hash__ = str.__hash__

        def __eq__(self, other):
            Name.compared += 1
            return str.__eq__(self, other)

    pairs = [(Name(number), 0) for number in (*range(1000), 999)]
    with pytest.raises(ValueError, match="'999' appears twice"):
        bodies.read_object(pairs)
    assert Name.compared < 10_000


def test_a_body_of_another_kind_is_refused(save):
    problem_of(save(raw="[1]"), "invalid", 422)
    problem_of(save(raw="phase=1", kind="application/x-www-form-urlencoded"), "media-type", 415)
    huge = json.dumps({"phase": 1, "orders": ["x" * 1_000_000]})
    problem_of(save(raw=huge), "too-large", 413)


def test_an_address_that_leads_nowhere_is_a_problem(program, table):
    alice = program("alice")
    problem_of(alice.get("/nothing"), "not-found", 404)
    problem_of(alice.get("/me/"), "not-found", 404)
    answer = alice.post("/me", {})
    problem_of(answer, "method", 405)
    assert "GET" in answer.headers["Allow"]
    problem_of(alice.get("/games/UPPERCASE1"), "invalid", 422)
    problem_of(alice.get("/maps/short"), "invalid", 422)


@pytest.mark.parametrize("fault", [RuntimeError("secret"), ValueError("secret")])
def test_a_fault_of_ours_tells_nothing(program, table, monkeypatch, fault):

    alice = program("alice")
    alice.client.raise_request_exception = False
    monkeypatch.setattr(games.lobby, "ListQuery", Mock(side_effect=fault))
    answer = alice.get("/games")
    problem_of(answer, "fault", 500)
    assert b"secret" not in answer.content
