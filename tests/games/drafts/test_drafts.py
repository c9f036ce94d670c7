"""Several drafts of the orders for one phase, by the actions and on the pages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from tests.games.all_actions import ACTIONS
from tests.games.steps import due, phase, save

from diplomaccloud.games.drafts.actions import drop_draft
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.errors import (
    DeadlinePassed,
    NoSuchGame,
    NotYourSeat,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import (
    Attendance,
    Draft,
    OrderRow,
    Phase,
    Receipt,
    Submission,
)

pytestmark = pytest.mark.every_database


def act(verb, cast, who="alice", **named):
    return ACTIONS[verb](
        slug=cast.slug,
        user_id=cast.user_id(who),
        sequence=phase().sequence,
        now=timezone.now(),
        **named,
    )


def save_in(cast, name, *choices):
    return act("save_orders", cast, choices=choices, sheet="", draft=name)


def orders_in(name):
    rows = OrderRow.objects.filter(draft__name=name, draft__seat__power="AUSTRIA")
    return sorted(row.written for row in rows)


@pytest.fixture
def drafted(cast):
    """Alice has saved an order, and has a draft called Attack that is a copy of it."""
    save(cast, "alice", "A VIE - GAL")
    act("new_draft", cast, name="Attack", copy=True)
    return cast


class TestVerbs:
    def test_a_draft_is_a_copy_or_empty(self, drafted):
        act("new_draft", drafted, name="Empty", copy=False)
        assert (orders_in("Attack"), orders_in("Empty")) == (["A VIE - GAL"], [])

    def test_a_draft_that_is_not_live_submits_nothing_and_does_not_run(self, cast):
        act("new_draft", cast, name="Attack", copy=False)
        saved = save_in(cast, "Attack", "A VIE - GAL")
        assert (saved.draft, saved.live, saved.counts) == ("Attack", False, ("A VIE - GAL",))
        seat = Seat.objects.get(power="AUSTRIA")
        assert not Submission.objects.filter(seat=seat).exists()
        due(cast)
        assert Attendance.objects.get(seat=seat).ordered
        assert Receipt.objects.get(seat=seat).text.endswith("\nNO ORDERS")
        assert "A VIE" in map(str, Phase.objects.get(sequence=2).position.units)

    def test_made_live_it_submits_and_counts(self, drafted):
        save_in(drafted, "Attack", "A VIE - BOH")
        act("make_live", drafted, name="Attack")
        assert [d.name for d in Draft.objects.filter(seat__power="AUSTRIA", live=True)] == [
            "Attack"
        ]
        due(drafted)
        assert Receipt.objects.get(seat__power="AUSTRIA").text.endswith("\nAUSTRIA A VIE - BOH")

    def test_a_page_left_open_saves_in_the_draft_that_it_shows(self, drafted):
        act("make_live", drafted, name="Attack")
        save_in(drafted, "Orders", "A VIE - TYR")
        assert (orders_in("Orders"), orders_in("Attack")) == (["A VIE - TYR"], ["A VIE - GAL"])

    def test_only_a_draft_that_is_not_live_is_dropped(self, drafted):
        with pytest.raises(WrongMoment, match="live"):
            act("drop_draft", drafted, name="Orders")
        act("drop_draft", drafted, name="Attack")
        assert not Draft.objects.filter(name="Attack").exists()
        with pytest.raises(Refused):
            act("drop_draft", drafted, name="Attack")

    def test_nothing_that_counted_is_deleted(self, drafted):
        act("make_live", drafted, name="Attack")
        number = phase().sequence
        due(drafted)
        for name in ("Orders", "Attack"):
            with pytest.raises(DeadlinePassed):
                drop_draft(
                    slug=drafted.slug,
                    user_id=drafted.alice,
                    sequence=number,
                    name=name,
                    now=timezone.now(),
                )
        assert orders_in("Attack") == ["A VIE - GAL"]

    def test_a_draft_is_renamed(self, drafted):
        act("rename_draft", drafted, name="Attack", new_name="  North   first ")
        assert orders_in("North first") == ["A VIE - GAL"]

    @pytest.mark.parametrize(
        "name", ["", "  ", "x" * 31, "orders", "ATTACK", "a\u202eb", "nul\x00"], ids=repr
    )
    def test_a_name_is_short_and_one_s_own(self, drafted, name):
        with pytest.raises(Refused):
            act("new_draft", drafted, name=name, copy=False)

    def test_there_are_at_most_eight(self, drafted):
        for number in range(6):
            act("new_draft", drafted, name=f"Draft {number}", copy=False)
        with pytest.raises(WrongMoment, match="8 drafts"):
            act("new_draft", drafted, name="One more", copy=False)

    @pytest.mark.parametrize("verb", ["new_draft", "make_live", "drop_draft"])
    def test_strangers_have_no_drafts(self, drafted, verb):
        named = {"name": "Attack"} | ({"copy": True} if verb == "new_draft" else {})
        with pytest.raises((NotYourSeat, NoSuchGame)):
            act(verb, drafted, "charlie", **named)

    def test_who_takes_a_seat_finds_no_draft_of_the_player_before(self, drafted):
        resign(slug=drafted.slug, user_id=drafted.alice, now=timezone.now())
        power = "AUSTRIA"
        take_seat(slug=drafted.slug, user_id=drafted.charlie, power=power, now=timezone.now())
        desk = drafted.client("charlie").get(drafted.url()).context["view"].order_form
        assert ([tab.name for tab in desk.drafts], desk.live_draft.text) == (["Orders"], "")
        with pytest.raises(Refused):
            act("make_live", drafted, "charlie", name="Attack")
        save(drafted, "charlie", "A VIE - TYR")
        due(drafted)
        assert Receipt.objects.get(seat__power=power).text.endswith("\nAUSTRIA A VIE - TYR")


class TestPages:
    def post(self, cast, **data):
        data = {"phase": phase().sequence} | data
        return cast.client("alice").post(cast.url("drafts/"), data, follow=True)

    def desk(self, cast, who="alice", draft=""):
        page = cast.client(who).get(cast.url(), {"draft": draft} if draft else {})
        return page.context["view"].order_form

    def test_from_a_new_draft_to_the_live_one(self, cast):
        page = self.post(cast, act="new", name="Attack", copy="1")
        assert page.context["view"].order_form.draft.name == "Attack"
        assert b"does not count" in page.content
        assert b"Save and ready" not in page.content
        data = {"phase": 1, "draft": "Attack", "order": ["A VIE - GAL", "A BUD H"]}
        saved = cast.client("alice").post(cast.url("orders/"), data, follow=True)
        assert "not the live draft" in saved.content.decode()
        desk = saved.context["view"].order_form
        assert (desk.draft.live, desk.submission.saved_at) == (False, None)
        assert desk.live_draft.text == ""
        assert [one.title for one in desk.differences if one.changed] == ["Army in Vienna"]
        assert {(one.shown, one.live) for one in desk.differences if one.changed} == {
            ("Move to Galicia", "Hold")
        }
        live = self.post(cast, act="live", draft="Attack")
        assert live.context["view"].order_form.live_draft.text == "A BUD H\nA VIE - GAL"
        assert [(tab.name, tab.live) for tab in live.context["view"].order_form.drafts] == [
            ("Orders", False),
            ("Attack", True),
        ]

    def test_the_map_shows_the_draft_shown(self, drafted):
        save_in(drafted, "Attack", "A VIE - TYR")
        client = drafted.client("alice")
        for name, order in (("", "A VIE - GAL"), ("Attack", "A VIE - TYR")):
            overlay = client.get(drafted.url(), {"draft": name}).context["view"].overlay
            assert f'data-order="{order}"' in overlay, name

    def test_renamed_and_dropped_by_forms(self, drafted):
        page = self.post(drafted, act="rename", draft="Attack", name="North")
        assert page.context["view"].order_form.draft.name == "North"
        page = self.post(drafted, act="drop", draft="North")
        assert [tab.name for tab in page.context["view"].order_form.drafts] == ["Orders"]

    @pytest.mark.parametrize(
        ("data", "status"),
        [
            ({"act": "burn"}, 400),
            ({"act": "live", "draft": "Nowhere"}, 400),
            ({"act": "new", "name": ""}, 400),
            ({"act": "drop", "draft": "Orders"}, 409),
        ],
        ids=["no such act", "no such draft", "no name", "the live one"],
    )
    def test_what_cannot_be_is_refused(self, drafted, data, status):
        assert self.post(drafted, **data).status_code == status

    def test_nobody_else_sees_a_draft(self, drafted):
        save_in(drafted, "Attack", "A VIE - TYR")
        for who in ("bob", "charlie", "nobody"):
            page = drafted.client(who).get(drafted.url(), {"draft": "Attack"})
            assert b"Attack" not in page.content.replace(b"Attack now", b"")
            assert b"A VIE - TYR" not in page.content


@pytest.mark.parametrize("again", [False, True], ids=["the first time", "once more"])
def test_saving_orders_takes_few_queries(cast, again):
    client = cast.client("alice")
    data = {"phase": 1, "draft": "Orders", "order": ["A VIE - GAL", "A BUD - SER", "F TRI - ALB"]}
    if again:
        client.post(cast.url("orders/"), data | {"order": ["A VIE - BOH", "A BUD H", "F TRI H"]})
    with CaptureQueriesContext(connection) as captured:
        assert client.post(cast.url("orders/"), data).status_code == 303
    # What is asked of the session and of the transaction is no part of it.
    beside = ("SAVEPOINT", "RELEASE", 'SELECT "django_session"', 'SELECT "accounts_user"')
    told = [one["sql"].replace("`", '"') for one in captured]
    asked = [sql for sql in told if not sql.startswith(beside)]
    assert len(asked) <= 12, "\n".join(sql[:150] for sql in asked)


class TestSideBySide:
    def compare(self, cast, who, draft):
        return cast.client(who).get(cast.url("drafts/compare/"), {"draft": draft})

    def test_both_are_drawn_and_differing_lines_are_marked(self, drafted):
        save_in(drafted, "Orders", "A VIE - GAL", "A BUD H")
        save_in(drafted, "Attack", "A VIE - BOH", "A BUD H")
        answer = self.compare(drafted, "alice", "Attack")
        changed = {one.title: one.changed for one in answer.context["view"].order_form.differences}
        assert changed == {
            "Army in Budapest": False,
            "Fleet in Trieste": False,
            "Army in Vienna": True,
        }
        here, live = answer.context["view"].overlay, answer.context["live_overlay"]
        assert (here.count("<svg"), live.count("<svg")) == (1, 1)
        assert here != live

    @pytest.mark.parametrize(
        ("who", "draft"),
        [
            ("alice", "Orders"),
            ("alice", ""),
            ("alice", "None such"),
            ("bob", "Attack"),
            ("charlie", "Attack"),
        ],
    )
    def test_only_one_s_own_draft_beside_the_live_one(self, drafted, who, draft):
        assert self.compare(drafted, who, draft).status_code == 404
