"""Save and ready: one action with one time and one answer."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.steps import due, phase

from diplomaccloud.games.drafts.actions import make_live, new_draft
from diplomaccloud.games.orders import actions as submission
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.phase_models import OrderRow, Submission

HTMX = {"HX-Request": "true"}


def send(cast, *orders, who="alice", headers=None, **values):
    data = {"phase": 1, "order": orders, "ready": "1"} | values
    return cast.client(who).post(cast.url("orders/"), data, headers=headers or {}, follow=True)


def is_ready(power="AUSTRIA"):
    return Submission.objects.filter(seat__power=power).exclude(ready_at=None).exists()


def saved(power="AUSTRIA"):
    return sorted(row.written for row in OrderRow.objects.filter(draft__seat__power=power))


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_both_are_done_at_one_time(cast, headers):
    answer = send(cast, "A VIE - GAL", headers=headers)
    row = Submission.objects.get(seat__power="AUSTRIA")
    assert row.ready_at == row.saved_at
    assert answer.context["view"].order_form.submission.ready
    assert "Orders saved, and you are ready" in answer.content.decode()


def test_both_are_done_or_neither(cast, monkeypatch):
    def fail(*_):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(submission, "end_phase_early", fail)
    with pytest.raises(RuntimeError):
        save_orders(
            slug=cast.slug,
            user_id=cast.alice,
            sequence=1,
            choices=["A VIE - GAL"],
            sheet="",
            now=timezone.now(),
            ready=True,
        )
    assert (saved(), is_ready()) == ([], False)
    assert not Event.objects.filter(seat__power="AUSTRIA").exists()


def test_after_the_deadline_nothing_is_done_and_the_page_says_so(cast):
    due(cast)
    answer = send(cast, "A VIE - GAL")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Your orders were not saved, and you were not marked as ready." in text
    assert "A VIE - GAL" in text
    assert (saved(), is_ready()) == ([], False)


def test_the_last_to_be_ready_sees_the_results(cast):
    send(cast, "A VIE - GAL")
    answer = send(cast, "A CON - BUL", who="bob")
    assert phase().name == "F1901M"
    assert "A CON - BUL" in answer.content.decode()


@pytest.mark.parametrize(
    ("sheet", "sentence", "orders"),
    [
        (
            "A BUD - PAR",
            "You are not marked as ready, because one order was refused.",
            ["A VIE - GAL"],
        ),
        (
            "A BUD - PAR\nF TRI - MOS",
            "You are not marked as ready, because 2 orders were refused.",
            ["A VIE - GAL"],
        ),
    ],
    ids=["one", "two"],
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_with_a_refused_order_what_is_good_is_saved(cast, sheet, sentence, orders, headers):
    answer = send(cast, "A VIE - GAL", sheet=sheet, headers=headers)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert (saved(), is_ready()) == (orders, False)


def test_nothing_good_makes_nobody_ready(cast):
    text = send(cast, sheet="A VIE - PAR").content.decode()
    assert "because one order was refused" in text
    assert (saved(), is_ready()) == ([], False)


def test_a_draft_that_does_not_count_makes_nobody_ready(cast):
    """The page still shows the draft that another tab has replaced as the live one."""
    act = {"slug": cast.slug, "user_id": cast.alice, "sequence": 1, "now": timezone.now()}
    new_draft(**act, name="Attack", copy=False)
    make_live(**act, name="Attack")
    answer = send(cast, "A VIE - GAL", draft="Orders")
    text = answer.content.decode()
    assert "You are not marked as ready, because “Orders” is not the draft that counts." in text
    assert (saved(), is_ready()) == (["A VIE - GAL"], False)


def test_the_button_on_the_page_does_it(cast):
    alice = Browser(cast.client("alice"))
    alice.open(cast.url())
    alice.send("/orders/", choose=["A VIE - GAL"], button=("ready", "1"))
    assert is_ready()
    assert alice.messages[0].startswith("Orders saved, and you are ready.")


def test_it_takes_few_queries(cast):
    client = cast.client("alice")
    data = {"phase": 1, "draft": "Orders", "order": ["A VIE - GAL"], "ready": "1"}
    with CaptureQueriesContext(connection) as captured:
        client.post(cast.url("orders/"), data)
    writes = [query["sql"] for query in captured if query["sql"].startswith(("INSERT", "UPDATE"))]
    assert sum("games_submission" in sql for sql in writes) <= 2, writes
