"""Games with bots only: how fast they continue, that they end, what the log says."""

import datetime as dt
from dataclasses import replace

import pytest
from django.utils import timezone
from tests.cast import Cast
from tests.games.records import verify
from tests.games.steps import (
    begun,
    call_vote,
    change_position,
    due,
    game,
    phase,
    remove_centers,
    vote_with_orders,
)

from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.results.actions import find_differences
from diplomaccloud.games.seats.actions import resign, seat_bot
from diplomaccloud.games.seats.wording import LastWish
from diplomaccloud.games.table.errors import DeadlinePassed, WrongMoment
from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.options import Master
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.turn.turn import PACE
from diplomaccloud.games.votes.wording import Question
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.results import Ending


@pytest.fixture
def bots(plan, people):
    """A game with a bot in every seat, and Alice as its master."""
    others = {"master": Master.CREATOR, "schedule": replace(plan.options.schedule, early=False)}
    made = begun(plan, people["alice"], seed="s", now=timezone.now(), **others)
    return Cast(made.slug, made.pk, **people)


def skip_to(name, without=()):
    """Change the open phase to another one, without the units of some powers."""
    row = phase()
    position = replace(row.position, phase=JudgePhase.parse(name))
    units = tuple(unit for unit in position.units if unit.power not in without)
    row.name, row.position = name, replace(position, units=units)
    row.save()


def log_texts(kind):
    return [entry.text for entry in LogEntry.objects.filter(kind=kind)]


@pytest.mark.long
def test_bots_alone_go_on_a_few_seconds_a_turn_until_1935(bots):
    assert (phase().due_at, phase().fixed_deadline) == (phase().opens_at + PACE, True)
    assert log_texts("alone") == ["Only bots are left. They play on until 1935 at the latest."]
    for _ in range(70):
        assert game().status == "running"
        assert due(bots) == 1
    assert game().status == "finished"
    why = "Time was up after 1935, with no person left to play: Russia led with 4 centers."
    assert game().ending == Ending(("RUSSIA",), why)
    assert (len(log_texts("alone")), log_texts("ended")) == (1, [why])
    assert phase().name == "F1935M"
    page = bots.client("nobody").get(bots.url()).content.decode()
    assert why in page


@pytest.mark.parametrize(
    ("name", "without", "status"),
    [
        ("F1935M", (), "running"),
        ("F1935M", ("AUSTRIA",), "running"),
        ("F1934M", ("AUSTRIA", "TURKEY"), "running"),
        ("S1936M", ("AUSTRIA", "TURKEY"), "running"),
        ("F1936M", ("AUSTRIA", "TURKEY"), "finished"),
    ],
    ids=[
        "people play as long as they like",
        "one of them is enough",
        "the last year is not over",
        "who has lost all units in a Spring may build yet",
        "nobody is left when a later year is over",
    ],
)
def test_it_takes_years_and_that_nobody_is_left(cast, name, without, status):
    Seat.objects.filter(user=None).update(bot="hold")
    skip_to(name, without)
    remove_centers(*without)
    due(cast)
    assert game().status == status


@pytest.mark.parametrize(("owned", "status"), [("VIE", "running"), ("SER", "finished")])
def test_who_waived_a_build_at_home_is_waited_for(cast, owned, status):
    Seat.objects.filter(user=None).update(bot="hold")
    skip_to("F1936M", ("AUSTRIA", "TURKEY"))
    remove_centers("AUSTRIA", "TURKEY")
    change_position(centers={**phase().position.centers, owned: "AUSTRIA"})
    due(cast)
    if owned == "VIE":
        assert phase().name == "W1936A"
        due(cast)
    assert game().status == status


def test_those_who_surrendered_are_not_waited_for(cast):
    vote_with_orders({"AUSTRIA": "surrender", "TURKEY": "surrender"})
    due(cast)
    assert len(log_texts("alone")) == 1
    assert phase().due_at == phase().opens_at + PACE
    skip_to("F1935M")
    due(cast)
    assert game().status == "finished"
    assert not {"AUSTRIA", "TURKEY"}.intersection(game().ending.winners)


def test_a_vacant_seat_is_waited_for_once_and_then_bots_take_it(cast):
    for user in (cast.alice, cast.bob):
        resign(slug=cast.slug, user_id=user, now=timezone.now())
    assert phase().due_at == phase().opens_at + dt.timedelta(days=1)
    due(cast)
    assert phase().due_at == phase().opens_at + PACE
    assert not Seat.objects.filter(bot="").exists()
    assert log_texts("alone") == ["Only bots are left. They play on until 1935 at the latest."]
    due(cast)
    verify(cast)
    skip_to("F1935M")
    due(cast)
    assert (game().status, len(log_texts("alone"))) == ("finished", 1)


def leave(cast, who, then=None):
    wish = then and LastWish(then)
    return resign(slug=cast.slug, user_id=cast.user_id(who), now=timezone.now(), then=wish)


class TestLastPlayer:
    @pytest.fixture
    def alone(self, cast):
        """The game, which only Alice still plays; its other people have left to bots."""
        for seat in Seat.objects.filter(user=cast.bob):
            seat.game = game()
            resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
        seat_bot(
            slug=cast.slug,
            user_id=cast.alice,
            sequence=1,
            power="TURKEY",
            bot="hold",
            reason="Bob left.",
            now=timezone.now(),
        )
        return cast

    def test_the_game_ends_at_once(self, alone):
        assert leave(alone, "alice", "end") is None
        ending = Ending((), "The last player left and ended the game.")
        assert (game().status, game().ending) == ("finished", ending)
        assert Seat.objects.filter(user=alone.alice).exists(), "it stays among her games"
        assert Event.objects.filter(kind="finished", seat=None).exists()
        assert log_texts("ended") == [
            "The player of Austria, the last one, left and ended the game."
        ]
        verify(alone)
        verify(alone, "alice")

    @pytest.mark.parametrize("change", [{}, {"early": False}], ids=["early", "fixed"])
    def test_bots_play_on_at_once(self, alone, agree, change):
        agree(schedule={**game().options.to_json()["schedule"], **change})
        Phase.objects.update(fixed_deadline=bool(change))
        assert leave(alone, "alice", "bots") == alone.game_id
        assert not Seat.objects.filter(bot="").exists()
        assert phase().adjudicate_at <= timezone.now()
        due(alone)
        assert phase().due_at == phase().opens_at + PACE
        due(alone)
        assert not list(find_differences())
        verify(alone)

    def test_bots_play_on_after_a_pause(self, alone):
        call_vote(alone, "alice", "pause", length=dt.timedelta(days=1))
        leave(alone, "alice", "bots")
        assert due(alone) == 1

    def test_a_seat_that_is_lost_by_absence_goes_to_a_bot(self, alone, agree):
        agree(missed={"limit": 1, "substitute": ""})
        due(alone)
        assert not Seat.objects.filter(bot="").exists()
        assert phase().due_at == phase().opens_at + PACE
        due(alone)
        verify(alone)

    def test_nobody_decides_while_others_play(self, cast):
        for then in LastWish:
            with pytest.raises(WrongMoment, match="Only the last player"):
                leave(cast, "bob", then)
        assert Seat.objects.filter(user=cast.bob).exists()
        assert game().status == "running"

    def test_hidden_players_stay_hidden(self, alone, agree):
        agree(anonymous=True)
        with pytest.raises(WrongMoment, match="Only the last player"):
            leave(alone, "alice", "end")
        assert b'value="end"' not in alone.client("alice").get(alone.url("resign/")).content

    def test_the_page_offers_both(self, alone):
        page = alone.client("alice").get(alone.url("resign/")).content.decode()
        assert 'name="then" value="end"' in page
        assert 'name="then" value="bots"' in page
        refused = alone.client("alice").post(alone.url("resign/"), {"then": "maybe"})
        assert refused.status_code == 400
        assert Seat.objects.filter(user=alone.alice).exists()
        assert alone.client("alice").post(alone.url("resign/"), {"then": "end"}).status_code == 303
        assert game().status == "finished"

    def test_the_page_offers_nothing_while_others_play(self, cast):
        page = cast.client("alice").get(cast.url("resign/")).content.decode()
        assert 'name="then"' not in page


def test_a_vacant_seat_beside_a_person_is_nothing_to_tell(cast):
    resign(slug=cast.slug, user_id=cast.alice, now=timezone.now())
    due(cast)
    assert not log_texts("alone")


def change(cast, question, sequence, now, who="alice"):
    change_time(
        slug=cast.slug,
        user_id=cast.user_id(who),
        question=Question(question),
        length=None,
        reason="Let us look at this.",
        key=question,
        sequence=sequence,
        now=now,
    )


@pytest.mark.parametrize("late", [-1, 0, 1], ids=["in time", "when it is due", "overdue"])
def test_their_master_pauses_them_in_whatever_phase_they_are(bots, late):
    due(bots)
    due(bots)
    now = phase().due_at + dt.timedelta(seconds=late)
    for _ in range(2):
        change(bots, "pause", 1, now)
    assert Phase.objects.count() == 3
    assert len(log_texts("paused")) == 1
    day = now + dt.timedelta(days=1)
    assert advance(game_id=bots.game_id, owner="test", now=day) == 0
    change(bots, "resume", 3, day)
    change(bots, "pause", 1, day)
    assert advance(game_id=bots.game_id, owner="test", now=day + PACE) == 1
    change(bots, "pause", 1, day + PACE)
    assert len(log_texts("paused")) == 1


def test_where_people_play_a_pause_is_for_the_phase_it_was_meant_for(table):
    due(table)
    with pytest.raises(DeadlinePassed):
        change(table, "pause", 1, timezone.now(), who="charlie")
    assert not log_texts("paused")
