"""People who stay away, leave, are removed, and who takes their place."""

import pytest
from django.utils import timezone
from tests.games.all_actions import ACTIONS
from tests.games.steps import DAY, HOUR, due, game, phase, save

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import freeze_game
from diplomaccloud.games.master.actions import reprimand
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.seats.actions import (
    LastWish,
    expel_player,
    name_country,
    reinstate_player,
    remove_player,
    resign,
    seat_bot,
    take_seat,
)
from diplomaccloud.games.table.errors import DeadlinePassed, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.options import options_from_json
from diplomaccloud.games.table.phase_models import Attendance, OrderRow, Phase


class TestAbsence:
    def test_who_misses_as_often_as_agreed_is_replaced(self, cast):
        for _ in range(2):
            save(cast, "bob", "A CON H")
            due(cast)
        seat = Seat.objects.get(power="AUSTRIA")
        assert (seat.user_id, seat.bot) == (None, "")
        assert seat.vacated_at
        assert seat.tenures.get().left == "abandoned"
        assert Attendance.objects.filter(user=cast.alice, ordered=False).count() == 2
        assert Attendance.objects.filter(user=cast.bob, ordered=True).count() == 2

    def test_the_agreed_substitute_takes_over_at_once(self, cast, agree):
        agree(missed={"limit": 1, "substitute": "hold"})
        due(cast)
        assert set(Seat.objects.values_list("bot", flat=True)) == {"hold"}

    def test_with_no_limit_nobody_is_replaced(self, cast, agree):
        agree(missed={"limit": 0, "substitute": ""})
        for _ in range(4):
            due(cast)
        assert Seat.objects.filter(user=cast.alice).exists()

    def test_holding_everything_is_not_missing(self, cast):
        now = timezone.now()
        assert save(cast, "alice").orders == ()
        set_ready(slug=cast.slug, user_id=cast.bob, sequence=1, now=now)
        due(cast)
        assert not Attendance.objects.filter(ordered=False).exists()

    def test_the_first_missed_turn_has_its_grace_once(self, cast, agree):
        agree(schedule={**game().options.to_json()["schedule"], "grace": 3600})
        first = phase().due_at
        assert due(cast) == 0
        assert phase().due_at == first + HOUR
        assert "Austria" in LogEntry.objects.get(kind="grace").text
        save(cast, "alice", "A VIE H", now=first + HOUR / 2)
        assert due(cast) == 1
        assert due(cast) == 1, "the grace of both is spent"

    def begin_grace(self, cast, agree, *, locks, **changes):
        """Let Alice save in time and Bob not, and return when the grace period begins."""
        schedule = {**game().options.to_json()["schedule"], "grace": 3600, **changes}
        agree(schedule=schedule, grace_locks=locks)
        save(cast, "alice", "A VIE - GAL", "A BUD H", "F TRI H")
        begin = phase().due_at
        assert due(cast) == 0
        return begin

    def test_saved_orders_are_locked_in_grace_and_the_absent_can_order(self, cast, agree):
        at = self.begin_grace(cast, agree, locks=True) + HOUR / 2
        known = {"slug": cast.slug, "user_id": cast.alice, "sequence": 1, "now": at}
        for verb, more in {
            "save_orders": {"choices": ["A VIE H"], "sheet": ""},
            "save_conditional_orders": {"text": "if VIE is dislodged: BOH"},
            "new_draft": {"name": "Other", "copy": True},
            "set_ready": {},
            "vote_with_orders": {"vote": "draw"},
        }.items():
            with pytest.raises(DeadlinePassed, match="Your orders are locked"):
                ACTIONS[verb](**known, **more)
        for _ in range(2):
            save(cast, "bob", "A CON - BUL", now=at)
        assert [str(row.canonical) for row in OrderRow.objects.filter(draft__seat__bot="")] == [
            "A BUD H",
            "A VIE - GAL",
            "F TRI H",
            "A CON - BUL",
        ]

    def test_who_resigns_and_returns_has_no_second_grace_period(self, cast, agree):
        at = self.begin_grace(cast, agree, locks=True) + HOUR / 2
        save(cast, "bob", "A CON H", now=at)
        due(cast)
        save(cast, "alice", "A VIE H")
        resign(slug=cast.slug, user_id=cast.bob, now=phase().opens_at)
        take_seat(
            slug=cast.slug, user_id=cast.bob, power="TURKEY", now=phase().opens_at + HOUR / 60
        )
        assert due(cast) == 1
        assert LogEntry.objects.filter(kind="grace").count() == 1

    def test_the_turn_ends_when_the_absent_are_ready(self, cast, agree):
        at = self.begin_grace(cast, agree, locks=True, early=True) + HOUR / 2
        save(cast, "bob", "A CON - BUL", now=at)
        assert phase().due_at > at
        set_ready(slug=cast.slug, user_id=cast.bob, sequence=1, now=at)
        assert phase().due_at == at

    def test_everyone_can_order_in_grace_in_a_game_without_the_lock(self, cast, agree):
        at = self.begin_grace(cast, agree, locks=False) + HOUR / 2
        save(cast, "alice", "A VIE H", now=at)
        own = OrderRow.objects.filter(draft__seat__bot="", unit="A VIE")
        assert str(own.get().canonical) == "A VIE H"
        options = game().options.to_json()
        del options["grace_locks"]
        assert not options_from_json(options).grace_locks, "as before in older games"

    def test_who_takes_over_in_grace_can_order(self, cast, agree):
        at = self.begin_grace(cast, agree, locks=True) + HOUR / 2
        resign(slug=cast.slug, user_id=cast.alice, now=at)
        take_seat(slug=cast.slug, user_id=cast.charlie, power="AUSTRIA", now=at)
        assert save(cast, "charlie", "A VIE H", now=at).orders

    def test_the_page_says_for_whom_the_grace_period_is(self, cast, agree):
        self.begin_grace(cast, agree, locks=True)
        form = cast.client("alice").get(cast.url()).context["view"].order_form
        assert form.closed
        assert form.grace.endswith("is for Turkey.")
        assert form.conditions is None
        form = cast.client("bob").get(cast.url()).context["view"].order_form
        assert (form.closed, form.grace) == (False, "")

    def test_a_late_server_gives_the_time_back(self, cast):
        save(cast, "alice", "A VIE H")
        late = 5 * HOUR
        processed = phase().adjudicate_at + late
        due(cast, late)
        assert phase().due_at == processed + DAY + late or phase().due_at == processed + DAY
        assert LogEntry.objects.filter(kind="credited").count() == 1


class TestSeats:
    def test_orders_of_who_left_never_run(self, cast):
        save(cast, "alice", "A VIE - GAL")
        resign(slug=cast.slug, user_id=cast.alice, now=timezone.now())
        due(cast)
        position = Phase.objects.get(sequence=1).resolution.next
        assert "GAL" not in {unit.province for unit in position.units}
        assert OrderRow.objects.filter(draft__seat__power="AUSTRIA").exists(), "but are kept"

    def test_a_volunteer_takes_a_vacant_seat(self, cast):
        now = timezone.now()
        resign(slug=cast.slug, user_id=cast.alice, now=now)
        known = {"slug": cast.slug, "power": "AUSTRIA", "now": now}
        with pytest.raises(WrongMoment, match="already"):
            take_seat(user_id=cast.bob, **known)
        take_seat(user_id=cast.charlie, **known)
        assert save(cast, "charlie", "A VIE - GAL").orders
        with pytest.raises(WrongMoment, match="taken"):
            take_seat(user_id=cast.alice, **known)
        seat = Seat.objects.get(power="AUSTRIA")
        assert [one.left for one in seat.tenures.all()] == ["resigned", ""]

    def test_the_creator_may_seat_a_bot_where_nobody_is_master(self, cast):
        now = timezone.now()
        resign(slug=cast.slug, user_id=cast.bob, now=now)
        known = {"slug": cast.slug, "power": "TURKEY", "reason": "Nobody came.", "now": now}
        known["sequence"] = 1
        with pytest.raises(Refused, match="no bot called"):
            seat_bot(user_id=cast.alice, bot="nobody", **known)
        with pytest.raises(NotYourSeat):
            seat_bot(user_id=cast.charlie, bot="hold", **known)
        seat_bot(user_id=cast.alice, bot="hold", **known)
        assert Seat.objects.get(power="TURKEY").bot == "hold"

    def test_the_master_removes_and_the_removed_stay_out(self, table):
        now = timezone.now()
        known = {"slug": table.slug, "power": "AUSTRIA", "now": now}
        with pytest.raises(Refused, match="Give a reason"):
            remove_player(user_id=table.charlie, sequence=1, reason=" ", **known)
        with pytest.raises(NotYourSeat):
            remove_player(user_id=table.bob, sequence=1, reason="I want Trieste.", **known)
        remove_player(user_id=table.charlie, sequence=1, reason="Threats.", **known)
        with pytest.raises(NotYourSeat, match="removed"):
            take_seat(user_id=table.alice, **known)
        assert LogEntry.objects.get(kind="left").reason == "Threats."

    def test_a_reprimand_is_public(self, table):
        reprimand(
            slug=table.slug,
            user_id=table.charlie,
            sequence=1,
            power="TURKEY",
            reason="Rude words.",
            now=timezone.now(),
        )
        entry = LogEntry.objects.get()
        assert (entry.text, entry.reason) == (
            "Turkey was reprimanded by the game master.",
            "Rude words.",
        )


def test_who_may_not_play_gets_no_seat_back(cast):
    since = timezone.now()
    expel_player(
        slug=cast.slug, user_id=cast.bob, decided_by="a moderator", reason="Abuse.", now=since
    )
    User.objects.filter(pk=cast.bob).update(banned_at=since)
    back = {"slug": cast.slug, "user_id": cast.bob, "since": since, "now": timezone.now()}
    assert reinstate_player(**back) is False
    User.objects.filter(pk=cast.bob).update(banned_at=None)
    Tenure.objects.filter(user=cast.bob).update(left="removed")
    assert reinstate_player(**back) is True


def test_the_last_player_cannot_end_a_stopped_game(cast):
    resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
    freeze_game(slug=cast.slug, now=timezone.now())
    alone = {"slug": cast.slug, "user_id": cast.alice, "now": timezone.now()}
    with pytest.raises(WrongMoment, match="stopped"):
        resign(**alone, then=LastWish.END)
    assert Game.objects.get().status == "running"


def test_a_country_keeps_its_printed_name(cast):
    name = Seat.objects.get(user=cast.alice).country_name
    name_country(slug=cast.slug, user_id=cast.alice, country=name, now=timezone.now())
    with pytest.raises(Refused, match="uses itself"):
        name_country(slug=cast.slug, user_id=cast.alice, country="Moderators", now=timezone.now())
