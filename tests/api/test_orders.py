"""Saving orders: faults known from other sites, and repeated requests."""

import datetime as dt
import threading

import pytest
from django.db import connection
from django.utils import timezone
from tests.api.calls import Program, problem_of, token_of
from tests.games.steps import due

from diplomaccloud.api import models, operations, orders
from diplomaccloud.api.models import KeptAnswer
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.phase_models import OrderRow, Phase, Submission


@pytest.fixture
def alice(program):
    return program("alice")


def path_of(table):
    return f"/games/{table.slug}/seat/orders"


def saved_orders():
    return sorted(str(row.canonical) for row in OrderRow.objects.filter(draft__seat__bot=""))


def people_ready():
    return Submission.objects.filter(seat__bot="").exclude(ready_at=None).exists()


def test_bad_orders_never_cost_the_good_ones(alice, table):
    orders = ["A VIE - GAL", "A PAR - BUR", "rubbish", "FRANCE", "F TRI - ALB", "A BUD - LON"]
    answer = alice.put(path_of(table), {"phase": 1, "orders": orders}).json()
    assert answer["accepted"] == ["A VIE - GAL", "F TRI - ALB"]
    refused = sorted(fault["text"] for fault in answer["refused"])
    assert refused == ["A BUD - LON", "A PAR - BUR", "FRANCE", "rubbish"]
    assert all(fault["message"] for fault in answer["refused"])
    assert answer["orders"] == saved_orders() == ["A VIE - GAL", "F TRI - ALB"]
    assert len(answer["receipt"]) == 64


def test_orders_are_read_in_many_notations(alice, table):
    orders = ["Army Vienna to Galicia", "f tri-alb", "BUD H"]
    answer = alice.put(path_of(table), {"phase": 1, "orders": orders}).json()
    assert answer["refused"] == []
    assert answer["orders"] == ["A BUD H", "A VIE - GAL", "F TRI - ALB"]


def test_a_set_of_bad_orders_changes_nothing(alice, table):
    alice.put(path_of(table), {"phase": 1, "orders": ["A VIE - GAL"]})
    answer = alice.put(path_of(table), {"phase": 1, "orders": ["A VIE - LON"], "ready": True})
    document = problem_of(answer, "orders", 422)
    assert document["orders"][0]["text"] == "A VIE - LON"
    assert saved_orders() == ["A VIE - GAL"]
    assert not people_ready()


@pytest.mark.parametrize("key", ["", "once"])
@pytest.mark.parametrize(
    ("body", "status"),
    [({"orders": ["A MOS - XXX"]}, 422), ({"orders": ["A VIE H"], "version": "old"}, 409)],
    ids=["illegal", "outdated"],
)
def test_a_refused_attempt_keeps_only_the_proof_of_presence(alice, table, key, body, status):
    answer = alice.put(path_of(table), {"phase": 1, **body}, key=key)
    assert answer.status_code == status
    submission = Submission.objects.get(seat__user=table.alice)
    assert submission.tried_at
    assert not submission.saved_at
    assert saved_orders() == []


def test_seven_ready_programs_advance_the_game(table):
    for name in ("alice", "bob"):
        program = Program(token_of(table.user_id(name), "play", "read"))
        units = program.get(f"/games/{table.slug}/seat/legal").json()["units"]
        orders = [unit["orders"][0] for unit in units]
        answer = program.put(
            path_of(table), {"phase": 1, "orders": orders, "ready": True, "confirmed": True}
        )
        assert answer.json()["ready"], answer.content
    assert Phase.objects.get(sequence=1).processed_at is not None
    assert Program().get(f"/games/{table.slug}").json()["phase"]["sequence"] == 2


def test_readiness_is_asked_about_and_taken_back(alice, table):
    body = {"phase": 1, "orders": ["A VIE H"], "ready": True}
    answer = alice.put(path_of(table), body).json()
    assert (answer["ready"], answer["not_ready"]) == (False, "undecided")
    assert alice.put(path_of(table), {**body, "confirmed": True}).json()["ready"]
    answer = alice.put(path_of(table), {"phase": 1, "ready": False}).json()
    assert (answer["ready"], answer["orders"]) == (False, ["A VIE H"])
    assert not people_ready()


def test_an_order_never_lands_in_the_next_phase(alice, table):
    due(table)
    answer = alice.put(path_of(table), {"phase": 1, "orders": ["A VIE - GAL"]})
    problem_of(answer, "phase-over", 409)
    problem_of(alice.put(path_of(table), {"phase": 9, "orders": ["A VIE H"]}), "phase-over", 409)
    assert saved_orders() == []


def test_strangers_and_orders_based_on_old_ones_are_refused(alice, program, table):
    stranger = program("charlie").put(path_of(table), {"phase": 1, "orders": ["A VIE H"]})
    problem_of(stranger, "not-yours", 403)
    unknown = alice.put("/games/zzzzzzzzzz/seat/orders", {"phase": 1, "orders": ["A VIE H"]})
    problem_of(unknown, "not-found", 404)
    old = {"phase": 1, "orders": ["A VIE H"], "version": "0" * 16}
    alice.put(path_of(table), {"phase": 1, "orders": ["A VIE - GAL"]})
    problem_of(alice.put(path_of(table), old), "outdated", 409)
    missing = {"phase": 1, "orders": ["A VIE H"], "draft": "no such draft"}
    problem_of(alice.put(path_of(table), missing), "refused", 422)
    assert saved_orders() == ["A VIE - GAL"]


def test_a_request_that_is_sent_again_has_one_effect(alice, table):
    body = {"phase": 1, "orders": ["A VIE - GAL", "rubbish"]}
    first = alice.put(path_of(table), body, key="one")
    count = Event.objects.count()
    again = alice.put(path_of(table), body, key="one")
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Event.objects.count() == count
    # The same answer, even when the phase is over.
    due(table)
    assert alice.put(path_of(table), body, key="one").content == first.content
    other = alice.put(path_of(table), {"phase": 1, "orders": ["A VIE H"]}, key="one")
    problem_of(other, "key-reused", 409)


def test_a_refusal_is_repeated_too_and_a_key_is_a_persons_own(alice, program, table):
    body = {"phase": 2, "orders": ["A VIE H"]}
    first = alice.put(path_of(table), body, key="k")
    problem_of(first, "phase-over", 409)
    due(table)
    assert alice.put(path_of(table), body, key="k").content == first.content
    bob = program("bob").put(path_of(table), {"phase": 2, "orders": ["A CON H"]}, key="k")
    assert bob.status_code == 200


def test_a_key_is_refused_after_a_day_and_forgotten_after_a_week(alice, table):
    body, other = ({"phase": 1, "orders": [order]} for order in ("A VIE - GAL", "A VIE H"))
    alice.put(path_of(table), body, key="k")
    saves = Event.objects.filter(kind="saved").count()
    KeptAnswer.objects.update(at=timezone.now() - models.KEEP_FOR)
    for again in (body, other):
        problem_of(alice.put(path_of(table), again, key="k"), "key-expired", 409)
    assert Event.objects.filter(kind="saved").count() == saves
    KeptAnswer.objects.update(at=timezone.now() - models.REMEMBER_FOR)
    assert alice.put(path_of(table), other, key="k").status_code == 200


def test_a_person_has_only_so_many_keys(alice, table, monkeypatch):
    monkeypatch.setattr(operations, "MOST_KEYS", 1)
    body = {"phase": 1, "orders": ["A VIE - GAL"]}
    assert alice.put(path_of(table), body, key="one").status_code == 200
    refused = alice.put(path_of(table), body, key="two")
    problem_of(refused, "too-many-keys", 429)
    # The answer says when a key is free again, so that programs need not try every minute.
    assert 0 <= models.KEEP_FOR.total_seconds() - int(refused.headers["Retry-After"]) < 60
    assert alice.put(path_of(table), body, key="one").status_code == 200
    assert alice.put(path_of(table), body).status_code == 200
    # An old key makes room, long before it would expire.
    KeptAnswer.objects.update(at=timezone.now() - models.KEEP_FOR)
    assert alice.put(path_of(table), body, key="two").status_code == 200
    assert KeptAnswer.objects.count() == 1


def test_a_write_can_ask_that_nothing_has_changed(alice, program, table):
    body = {"phase": 1, "orders": ["A VIE - GAL"], "ready": True, "confirmed": True}
    tag = alice.get(f"/games/{table.slug}").headers["ETag"]
    saved = alice.put(path_of(table), body, **{"If-Match": f'"0", {tag}'})
    assert (saved.status_code, saved.json()["ready"]) == (200, True)
    # Being ready was an event that everyone could see.
    stale = program("bob").put(
        path_of(table), {"phase": 1, "orders": ["A CON H"]}, key="k", **{"If-Match": tag}
    )
    problem_of(stale, "changed", 412)
    assert stale.headers["ETag"] == alice.get(f"/games/{table.slug}").headers["ETag"] != tag
    fresh = {"If-Match": stale.headers["ETag"]}
    again = program("bob").put(
        path_of(table), {"phase": 1, "orders": ["A CON H"]}, key="k", **fresh
    )
    assert again.status_code == 200
    assert alice.put(path_of(table), body, **{"If-Match": "*"}).status_code == 200
    elsewhere = alice.post("/me/webhooks", {"address": "https://a.example/"}, **{"If-Match": tag})
    problem_of(elsewhere, "changed", 412)


@pytest.mark.parametrize("key", ["a b", "é", "x" * 201, "a\tb"])
def test_a_key_that_is_no_key_is_refused(alice, table, key):
    answer = alice.put(path_of(table), {"phase": 1, "orders": ["A VIE H"]}, key=key)
    problem_of(answer, "not-understood", 400)
    assert saved_orders() == []


def test_an_answer_is_written_with_its_effect_or_not_at_all(alice, table, monkeypatch):
    body = {"phase": 1, "orders": ["A VIE - GAL"]}
    alice.client.raise_request_exception = False
    with monkeypatch.context() as patch:
        # As if the process died once the orders were written, before the answer was.
        patch.setattr(operations, "Effect", lambda *_: 1 / 0)
        patch.setattr(orders, "Effect", lambda *_: 1 / 0)
        assert alice.put(path_of(table), body, key="k").status_code == 500
    assert saved_orders() == []
    assert alice.put(path_of(table), body, key="k").status_code == 200
    assert saved_orders() == ["A VIE - GAL"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.every_database
def test_of_requests_at_the_same_time_one_has_an_effect(table):
    token, answers = token_of(table.alice, "play"), []
    start = threading.Barrier(4)

    def send():
        program = Program(token)
        start.wait()
        body = {"phase": 1, "orders": ["A VIE - GAL"]}
        answers.append(program.put(path_of(table), body, key="race"))
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert KeptAnswer.objects.count() == 1
    assert Event.objects.filter(kind="saved", seat__user=table.alice).count() == 1


def test_an_order_that_waited_for_the_lock_past_the_deadline_is_on_time(alice, table, monkeypatch):
    due_at = Phase.objects.get(game=table.game_id).due_at
    clock = [due_at - dt.timedelta(seconds=1)]
    monkeypatch.setattr(timezone, "now", lambda: clock[0])

    def wait(request, slug):
        clock[0] = due_at + dt.timedelta(seconds=20)

    monkeypatch.setattr(operations, "_require_match", wait)
    body = {"phase": 1, "orders": ["A VIE - GAL"]}
    assert alice.put(path_of(table), body, key="late").status_code == 200
    assert saved_orders() == ["A VIE - GAL"]
    problem_of(alice.put(path_of(table), body), "phase-over", 409)


def test_a_refused_request_with_a_key_leaves_no_event(alice, table):
    body = {"phase": 1, "orders": ["A VIE H"], "ready": True, "confirmed": True}
    assert alice.put(path_of(table), body).json()["ready"]
    events = Event.objects.count()
    version = alice.get(f"/games/{table.slug}").json()["version"]
    # The ready mark is removed before the draft turns out to be unknown.
    wrong = {"phase": 1, "orders": ["A VIE - GAL"], "ready": False, "draft": "Nobody"}
    problem_of(alice.put(path_of(table), wrong, key="one"), "refused", 422)
    assert people_ready()
    assert Event.objects.count() == events
    assert alice.get(f"/games/{table.slug}").json()["version"] == version
