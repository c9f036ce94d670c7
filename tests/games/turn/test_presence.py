"""What counts as presence: any save, even one that orders nothing at the deadline."""

import datetime as dt

import pytest
from django.utils import timezone
from tests.games.all_actions import ACTIONS
from tests.games.steps import due, phase, save

from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.errors import (
    DeadlinePassed,
    InputOutdated,
    NoSuchDraft,
    Refused,
    TooMuchText,
)
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Attendance, Phase, Receipt, Submission
from diplomaccloud.games.turn.turn import lock_phase


def act(verb, cast, who="alice", **named):
    return ACTIONS[verb](
        slug=cast.slug,
        user_id=cast.user_id(who),
        sequence=phase().sequence,
        now=timezone.now(),
        **named,
    )


def save_in_draft(cast):
    act("new_draft", cast, name="Attack", copy=False)
    act("save_orders", cast, choices=["A VIE - GAL"], sheet="", draft="Attack")


def delete_draft(cast):
    save_in_draft(cast)
    act("drop_draft", cast, name="Attack")


def write_conditions(cast):
    act("save_conditional_orders", cast, text="if VIE is dislodged: BOH")


def delete_conditions(cast):
    write_conditions(cast)
    act("save_conditional_orders", cast, text="")


def refuse_order(cast):
    act("save_orders", cast, choices=[], sheet="A VIE - PAR")


def refuse_draft(cast):
    act("save_orders", cast, choices=[], sheet="A MOS - XXX", draft="Orders")


def refused_with(error, verb, cast, **named):
    with pytest.raises(error):
        act(verb, cast, **named)


def send_too_much(cast):
    refused_with(TooMuchText, "save_orders", cast, choices=[], sheet="A VIE H\n" * 9_000)


def send_outdated(cast):
    refused_with(InputOutdated, "save_orders", cast, choices=["A VIE H"], sheet="", version="x")


def save_in_lost_draft(cast):
    refused_with(NoSuchDraft, "save_orders", cast, choices=["A VIE H"], sheet="", draft="Gone")


def refuse_conditions(cast):
    refused_with(Refused, "save_conditional_orders", cast, text="if VIE is dislodged: PAR")


def take_back_readiness(cast):
    act("set_ready", cast)
    act("unset_ready", cast)


def take_back_draw_vote(cast):
    act("vote_with_orders", cast, vote="draw")
    act("vote_with_orders", cast, vote="")


def order_too_late(cast):
    with pytest.raises(DeadlinePassed):
        save(cast, "alice", "A VIE H", now=phase().due_at)


def delete_nothing(cast):
    act("save_conditional_orders", cast, text="")


def was_present(power="AUSTRIA"):
    return Attendance.objects.get(seat__power=power).ordered


@pytest.mark.parametrize(
    "step",
    [save_in_draft, delete_draft, write_conditions, delete_conditions],
    ids=[
        "orders in a draft that does not count",
        "a draft deleted later",
        "conditional orders",
        "conditional orders deleted later",
    ],
)
def test_any_save_is_presence_and_the_live_draft_counts(cast, step):
    step(cast)
    assert not Submission.objects.filter(seat__power="AUSTRIA").exists()
    due(cast)
    assert was_present()
    assert not was_present("TURKEY")
    assert "NO ORDERS" in Receipt.objects.get(seat__power="AUSTRIA").text
    assert "A VIE" in map(str, Phase.objects.get(sequence=2).position.units)


ATTEMPTS = {
    "refused orders": refuse_order,
    "refused orders in a draft": refuse_draft,
    "too much text": send_too_much,
    "an outdated page": send_outdated,
    "a draft that is gone": save_in_lost_draft,
    "refused conditional orders": refuse_conditions,
    "a ready mark taken back": take_back_readiness,
    "a draw vote taken back": take_back_draw_vote,
}


@pytest.mark.parametrize("step", ATTEMPTS.values(), ids=ATTEMPTS)
def test_an_attempt_to_order_is_presence(cast, step):
    step(cast)
    assert not Submission.objects.filter(seat__power="AUSTRIA").exclude(saved_at=None).exists()
    due(cast)
    assert was_present()
    assert not was_present("TURKEY")
    assert "NO ORDERS" in Receipt.objects.get(seat__power="AUSTRIA").text


@pytest.mark.parametrize("step", [delete_nothing, order_too_late], ids=["nothing", "too late"])
def test_a_request_without_orders_in_time_is_not_presence(cast, step):
    step(cast)
    due(cast)
    assert not was_present()


def test_presence_keeps_the_seat(cast, agree):
    agree(missed={"limit": 1, "substitute": "hold"})
    save_in_draft(cast)
    due(cast)
    seats = {seat.power: seat for seat in Seat.objects.all()}
    assert seats["AUSTRIA"].user_id == cast.alice
    assert seats["TURKEY"].user_id is None


def test_what_an_earlier_player_saved_is_not_presence(cast):
    save_in_draft(cast)
    write_conditions(cast)
    now = timezone.now() + dt.timedelta(seconds=1)
    resign(slug=cast.slug, user_id=cast.alice, now=now)
    take_seat(slug=cast.slug, user_id=cast.charlie, power="AUSTRIA", now=now)
    due(cast)
    assert not was_present()


def take_turkey(cast, left, who="charlie"):
    """Let a volunteer take the vacant Turkey when that part of the phase is left."""
    row = phase()
    now = row.due_at - (row.due_at - row.opens_at) * left
    if Seat.objects.filter(power="TURKEY", user=cast.bob).exists():
        resign(slug=cast.slug, user_id=cast.bob, now=row.opens_at)
    person = cast.user_id(who)
    take_seat(slug=cast.slug, user_id=person, power="TURKEY", now=now)
    return now


class TestLateTakeover:
    @pytest.mark.parametrize(("left", "owes"), [(0.3, False), (0.4, True)])
    def test_orders_are_owed_after_a_third_of_the_phase(self, cast, agree, left, owes):
        agree(missed={"limit": 1, "substitute": ""})
        take_turkey(cast, left)
        due(cast)
        assert Attendance.objects.filter(seat__power="TURKEY").exists() is owes
        assert Seat.objects.filter(power="TURKEY", user=cast.charlie).exists() is not owes
        if not owes:
            due(cast)
            assert not Seat.objects.filter(power="TURKEY", user=cast.charlie).exists()

    def test_orders_that_are_not_owed_count_as_a_turn(self, cast):
        now = take_turkey(cast, 0.1)
        save(cast, "charlie", "A CON - BUL", now=now)
        due(cast)
        assert was_present("TURKEY")

    def test_who_returns_late_owes_orders_and_missed_turns_count_on(self, cast, agree):
        agree(missed={"limit": 2, "substitute": ""})
        for missed in (1, 2):
            now = phase().due_at - dt.timedelta(minutes=5)
            resign(slug=cast.slug, user_id=cast.bob, now=now)
            take_seat(slug=cast.slug, user_id=cast.bob, power="TURKEY", now=now)
            save(cast, "alice")
            due(cast)
            assert Attendance.objects.filter(user=cast.bob, ordered=False).count() == missed
        assert Seat.objects.get(power="TURKEY").user is None

    def test_who_returns_after_the_lock_owes_orders(self, cast):
        resign(slug=cast.slug, user_id=cast.bob, now=phase().opens_at)
        row = phase()
        lock_phase(phase_id=row.pk, now=row.due_at)
        after = row.due_at + dt.timedelta(seconds=1)
        take_seat(slug=cast.slug, user_id=cast.bob, power="TURKEY", now=after)
        due(cast)
        assert not was_present("TURKEY")

    def test_who_comes_back_keeps_the_seat_by_ordering(self, cast, agree):
        agree(missed={"limit": 2, "substitute": ""})
        for _ in range(2):
            save(cast, "alice")
            due(cast)
        assert not Seat.objects.filter(power="TURKEY", user=cast.bob).exists()
        now = take_turkey(cast, 0.9, "bob")
        save(cast, "bob", now=now)
        due(cast)
        assert Seat.objects.filter(power="TURKEY", user=cast.bob).exists()
        due(cast)
        assert Seat.objects.filter(power="TURKEY", user=cast.bob).exists(), "one turn missed"

    @pytest.mark.parametrize(("left", "owes"), [("resigned", True), ("", False)])
    def test_who_is_back_after_an_appeal_is_as_new(self, cast, left, owes):
        now = take_turkey(cast, 0.1, "bob")
        Tenure.objects.filter(user=cast.bob, until_at__lt=now).update(left=left)
        due(cast)
        assert Attendance.objects.filter(user=cast.bob).exists() is owes


class TestSecrecy:
    def pages(self, cast, who):
        client = cast.client(who)
        state = client.get(cast.url("state/")).content
        page = client.get(cast.url())
        text = page.content.decode()
        token = text.partition('name="csrfmiddlewaretoken" value="')[2][:64]
        return state, text.replace(token, "") if token else text, page.headers.get("ETag")

    @pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
    @pytest.mark.parametrize("step", [save_in_draft, write_conditions, refuse_order])
    def test_presence_shows_nothing_to_others(self, cast, who, step):
        views = []
        for change in (None, step):
            if change:
                change(cast)
            view = cast.client(who).get(cast.url()).context["view"]
            views.append((view.seats, view.header.version, view.status))
            views[-1] += (cast.client(who).get(cast.url("state/")).content,)
        assert views[0] == views[1]


def warning(cast, draft=""):
    query = {"draft": draft} if draft else {}
    return cast.client("alice").get(cast.url(), query).context["view"].order_form.warning


def bring_near(**left):
    """Make the open phase, which lasts a day, end in `left`."""
    row = phase()
    row.due_at = row.adjudicate_at = timezone.now() + dt.timedelta(**left)
    row.opens_at = row.due_at - dt.timedelta(days=1)
    row.save()


class TestWarning:
    def test_no_orders_at_all(self, cast):
        assert warning(cast).text == (
            "You have not saved any orders yet. If you don't save orders, your units hold."
        )

    def test_it_is_shown_in_the_last_quarter(self, cast):
        bring_near(hours=7)
        assert not warning(cast).near
        bring_near(hours=5)
        assert warning(cast).near
        page = cast.client("alice").get(cast.url()).content.decode()
        assert "The deadline is near." in page

    def test_a_long_phase_warns_half_a_day_before(self, cast):
        row = phase()
        row.opens_at = timezone.now() - dt.timedelta(days=7)
        row.due_at = row.adjudicate_at = timezone.now() + dt.timedelta(hours=13)
        row.save()
        assert not warning(cast).near
        row.due_at = row.adjudicate_at = timezone.now() + dt.timedelta(hours=11)
        row.save()
        assert warning(cast).near

    def test_saved_orders_need_none(self, cast):
        save(cast, "alice", "A VIE - GAL")
        assert warning(cast) is None

    @pytest.mark.parametrize("shown", ["", "Attack"], ids=["on the live one", "on the other"])
    def test_an_empty_live_draft(self, cast, shown):
        save_in_draft(cast)
        assert warning(cast, shown).text == (
            "“Orders” counts, and it has no orders. If you don't save orders, your units hold. "
            "If “Attack” should count, make it live."
        )

    @pytest.mark.parametrize("shown", ["", "Attack"], ids=["on the live one", "on the other"])
    def test_a_live_draft_that_is_older(self, cast, shown):
        save(cast, "alice", "A VIE - BOH")
        save_in_draft(cast)
        assert warning(cast, shown).text == (
            "“Orders” counts, but you saved “Attack” after it. If “Attack” should count, make it "
            "live."
        )
        act("make_live", cast, name="Orders")
        assert warning(cast, shown) is None

    def test_a_new_name_is_not_a_save(self, cast):
        act("new_draft", cast, name="Attack", copy=False)
        save(cast, "alice", "A VIE - BOH")
        act("rename_draft", cast, name="Attack", new_name="Later")
        assert warning(cast, "Later") is None

    def test_the_page_says_which_draft_counts(self, cast):
        save_in_draft(cast)
        client = cast.client("alice")
        assert (
            "“Attack” does not count. “Orders” counts at the deadline, and it has no orders."
            in client.get(cast.url(), {"draft": "Attack"}).content.decode()
        )
        assert (
            "“Orders” is the live draft: it counts at the deadline, and it has no orders."
            in client.get(cast.url()).content.decode()
        )

    def test_a_player_who_is_ready_gets_none(self, cast):
        save_in_draft(cast)
        act("set_ready", cast)
        assert warning(cast) is None
        assert Game.objects.get().status == "running"
