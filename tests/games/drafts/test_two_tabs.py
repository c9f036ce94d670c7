"""Two tabs of one player: the older one overwrites nothing without asking."""

import pytest
from django.utils import timezone
from tests.games.browsing import Browser

from diplomaccloud.games.drafts.actions import drop_draft, new_draft
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.table.phase_models import ConditionalOrders, OrderRow, Submission

HTMX = {"HX-Request": "true"}


def saved(draft="Orders"):
    rows = OrderRow.objects.filter(draft__seat__power="AUSTRIA", draft__name=draft)
    return sorted(str(row.canonical) for row in rows)


@pytest.fixture
def tabs(cast):
    """Two browsers of Alice that show the same page; the second has saved newer orders."""
    older, newer = Browser(cast.client("alice")), Browser(cast.client("alice"))
    older.open(cast.url())
    newer.open(cast.url())
    newer.send("/orders/", choose=["A VIE - GAL"])
    return older, newer


NEWER = ["A BUD H", "A VIE - GAL", "F TRI H"]
OLDER = ["A BUD - SER", "A VIE H", "F TRI H"]


def test_nothing_is_overwritten_and_both_versions_are_shown(tabs):
    older, _ = tabs
    assert older.send("/orders/", choose=["A BUD - SER"]) == 409
    assert saved() == NEWER
    lines = older.shown.context["conflict"].differences
    assert {line.title: (line.shown, line.live) for line in lines} == {
        "Army in Budapest": ("Move to Serbia", "Hold"),
        "Army in Vienna": ("Hold", "Move to Galicia"),
        "Fleet in Trieste": ("Hold", "Hold"),
    }
    assert "The orders in “Orders” were changed on another page" in older.text
    assert "Keep the saved orders" in older.text


def test_the_older_page_can_save_its_orders_after_all(tabs):
    older, _ = tabs
    older.send("/orders/", choose=["A BUD - SER"], sheet="F TRI - ALB\nA XYZ")
    older.send("/orders/")
    assert saved() == ["A BUD - SER", "A VIE H", "F TRI - ALB"]


def test_the_saved_orders_can_be_kept(tabs, cast):
    older, _ = tabs
    older.send("/orders/", choose=["A BUD - SER"])
    older.open(cast.url() + "?draft=Orders")
    assert saved() == NEWER
    older.send("/orders/", choose=["F TRI - ALB"])
    assert saved() == ["A BUD H", "A VIE - GAL", "F TRI - ALB"]


def test_typed_orders_are_shown_and_kept(tabs):
    older, _ = tabs
    older.send("/orders/", sheet="A BUD - SER\n# & <later>")
    assert "A BUD - SER\n# &amp; &lt;later&gt;</pre>" in older.text
    older.send("/orders/")
    assert "A BUD - SER" in saved()


def test_ready_is_asked_for_again(tabs):
    older, _ = tabs
    assert older.send("/orders/", choose=["A BUD - SER"], button=("ready", "1")) == 409
    assert not Submission.objects.filter(seat__power="AUSTRIA").exclude(ready_at=None).exists()
    older.send("/orders/", button=("ready", "1"))
    assert Submission.objects.get(seat__power="AUSTRIA").ready_at
    assert saved() == OLDER


def test_if_they_change_once_more_it_asks_once_more(tabs, cast):
    older, newer = tabs
    older.send("/orders/", choose=["A BUD - SER"])
    newer.open(cast.url())
    newer.send("/orders/", choose=["F TRI - ALB"])
    assert older.send("/orders/") == 409
    assert "F TRI - ALB" in saved()


def test_the_part_of_the_page_asks_too(tabs, cast):
    page = tabs[1].open(cast.url()).context["view"].order_form
    data = {"phase": 1, "draft": "Orders", "version": "0" * 16, "order": OLDER}
    answer = cast.client("alice").post(cast.url("orders/"), data, headers=HTMX)
    assert answer.status_code == 409
    assert answer.templates[0].name == "games/page/_board.html"
    assert f'name="version" value="{page.draft.version}"' in answer.content.decode()
    assert saved() == NEWER


def test_the_same_orders_sent_twice_are_no_conflict(cast):
    alice = Browser(cast.client("alice"))
    alice.open(cast.url())
    (form,) = alice.forms("/orders/")
    form.choose(["A VIE - GAL"])
    for _ in range(2):
        answer = alice.client.post(cast.url("orders/"), form.data(None))
        assert answer.status_code == 303
    assert saved() == NEWER


def test_another_draft_does_not_matter(cast):
    act = {"slug": cast.slug, "user_id": cast.alice, "sequence": 1, "now": timezone.now()}
    new_draft(**act, name="Attack", copy=False)
    older = Browser(cast.client("alice"))
    older.open(cast.url())
    save_orders(**act, choices=["A VIE - GAL"], sheet="", draft="Attack")
    assert older.send("/orders/", choose=["A BUD - SER"]) == 303


def test_a_draft_deleted_on_another_page_loses_no_orders(cast):
    act = {"slug": cast.slug, "user_id": cast.alice, "sequence": 1, "now": timezone.now()}
    new_draft(**act, name="Attack", copy=False)
    older = Browser(cast.client("alice"))
    older.open(cast.url() + "?draft=Attack")
    drop_draft(**act, name="Attack")
    assert older.send("/orders/", choose=["A BUD - SER"]) == 409
    assert "This draft no longer exists." in older.text
    older.send("/orders/")
    assert saved() == OLDER


def test_the_version_says_nothing_to_others(tabs, cast):
    version = tabs[1].open(cast.url()).context["view"].order_form.draft.version
    for who in ("bob", "charlie", "nobody"):
        assert version not in cast.client(who).get(cast.url()).content.decode()


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_conditional_orders_are_not_overwritten_either(cast, headers):
    older, newer = Browser(cast.client("alice")), Browser(cast.client("alice"))
    older.open(cast.url("parts/conditional-orders/"))
    newer.open(cast.url("parts/conditional-orders/"))
    newer.send("/conditional-orders/", ahead="if VIE is dislodged: BOH")
    (form,) = older.forms("/conditional-orders/")
    form.fill(ahead="if VIE is dislodged: TYR")
    url = cast.url("conditional-orders/")
    answer = older.client.post(url, form.data(None), headers=headers)
    assert answer.status_code == 409
    assert ConditionalOrders.objects.get().written == "if VIE is dislodged: BOH"
    text = answer.content.decode()
    assert "changed on another page" in text
    assert "if VIE is dislodged: TYR</textarea>" in text
    version = answer.context["conditions"].orders.version
    older.client.post(url, {**form.data(None), "version": version}, headers=headers)
    assert ConditionalOrders.objects.get().written == "if VIE is dislodged: TYR"
