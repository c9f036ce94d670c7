"""People who stay away, leave, are removed, and who takes their place."""

import pytest
from django.utils import timezone
from tests.games.steps import DAY, HOUR, due, game, phase, save

from diplomaccloud.games import actions
from diplomaccloud.games.errors import (
    NotYourSeat,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.models import (
    Attendance,
    LogEntry,
    OrderRow,
    Phase,
    Seat,
)


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
        actions.set_ready(slug=cast.slug, user_id=cast.bob, sequence=1, now=now)
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
        actions.resign(slug=cast.slug, user_id=cast.alice, now=timezone.now())
        due(cast)
        position = Phase.objects.get(sequence=1).resolution.next
        assert "GAL" not in {unit.province for unit in position.units}
        assert OrderRow.objects.filter(draft__seat__power="AUSTRIA").exists(), "but are kept"

    def test_a_volunteer_takes_a_vacant_seat(self, cast):
        now = timezone.now()
        actions.resign(slug=cast.slug, user_id=cast.alice, now=now)
        known = {"slug": cast.slug, "power": "AUSTRIA", "now": now}
        with pytest.raises(WrongMoment, match="already"):
            actions.take_seat(user_id=cast.bob, **known)
        actions.take_seat(user_id=cast.charlie, **known)
        assert save(cast, "charlie", "A VIE - GAL").orders
        with pytest.raises(WrongMoment, match="taken"):
            actions.take_seat(user_id=cast.alice, **known)
        seat = Seat.objects.get(power="AUSTRIA")
        assert [one.left for one in seat.tenures.all()] == ["resigned", ""]

    def test_the_creator_may_seat_a_bot_where_nobody_is_master(self, cast):
        now = timezone.now()
        actions.resign(slug=cast.slug, user_id=cast.bob, now=now)
        known = {"slug": cast.slug, "power": "TURKEY", "reason": "Nobody came.", "now": now}
        known["sequence"] = 1
        with pytest.raises(Refused, match="no bot called"):
            actions.seat_bot(user_id=cast.alice, bot="nobody", **known)
        with pytest.raises(NotYourSeat):
            actions.seat_bot(user_id=cast.charlie, bot="hold", **known)
        actions.seat_bot(user_id=cast.alice, bot="hold", **known)
        assert Seat.objects.get(power="TURKEY").bot == "hold"

    def test_the_master_removes_and_the_removed_stay_out(self, table):
        now = timezone.now()
        known = {"slug": table.slug, "power": "AUSTRIA", "now": now}
        with pytest.raises(Refused, match="Give a reason"):
            actions.remove_player(user_id=table.charlie, sequence=1, reason=" ", **known)
        with pytest.raises(NotYourSeat):
            actions.remove_player(user_id=table.bob, sequence=1, reason="I want Trieste.", **known)
        actions.remove_player(user_id=table.charlie, sequence=1, reason="Threats.", **known)
        with pytest.raises(NotYourSeat, match="removed"):
            actions.take_seat(user_id=table.alice, **known)
        assert LogEntry.objects.get(kind="left").reason == "Threats."

    def test_a_reprimand_is_public(self, table):
        actions.reprimand(
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
