"""Ending talk early: quiet time starts once all living people are done."""

import datetime as dt

import pytest
from django.utils import timezone
from tests.games.steps import HOUR, call_vote, phase, remove_centers, remove_units

from diplomaccloud.games.deadlines.actions import finish_talking, resume_talking
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.errors import DeadlinePassed, WrongMoment
from diplomaccloud.games.table.log_models import Event, LogEntry, RecordLine
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase, TalkDone
from diplomaccloud.games.votes.actions import cast_ballot

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def quiet(cast):
    """The game of Alice and Bob by the rulebook's press, with five minutes to write orders."""
    game = Game.objects.get()
    options = game.options.to_json()
    game.options = {
        **options,
        "press": "rulebook",
        "talk": {**options["talk"], "writing": 300},
    }
    game.save()
    return cast


def press_done(cast, who, *, now=None, sequence=1):
    finish_talking(
        slug=cast.slug, user_id=cast.user_id(who), sequence=sequence, now=now or timezone.now()
    )


def take_back(cast, who, *, now=None):
    resume_talking(slug=cast.slug, user_id=cast.user_id(who), sequence=1, now=now or timezone.now())


def test_once_all_are_done_orders_are_due_soon(quiet):
    now, due = timezone.now(), phase().due_at
    press_done(quiet, "alice", now=now)
    press_done(quiet, "alice", now=now)
    assert phase().due_at == due
    assert not LogEntry.objects.exists()
    press_done(quiet, "bob", now=now)
    assert phase().due_at == phase().adjudicate_at == now + 5 * MINUTE
    entry = LogEntry.objects.get()
    assert entry.kind == "talked"
    assert entry.text.startswith("Everyone is done talking: quiet time has started.")
    assert '"entry":"talked"' in RecordLine.objects.last().text.replace(" ", "")


def test_one_can_take_it_back_until_then(quiet):
    press_done(quiet, "alice")
    take_back(quiet, "alice")
    press_done(quiet, "bob")
    assert not LogEntry.objects.exists()
    press_done(quiet, "alice")
    with pytest.raises(WrongMoment, match="Quiet time"):
        take_back(quiet, "alice")


def test_nobody_sees_who_is_done(quiet):
    version = Game.objects.get().version
    press_done(quiet, "alice")
    take_back(quiet, "alice")
    assert Game.objects.get().version == version
    assert set(Event.objects.filter(kind="talking").values_list("seat__user", flat=True)) == {
        quiet.alice
    }


def test_a_fixed_deadline_stays(quiet):
    Phase.objects.update(fixed_deadline=True)
    due = phase().due_at
    press_done(quiet, "alice")
    press_done(quiet, "bob")
    assert phase().due_at == due
    assert LogEntry.objects.get().kind == "talked"


def test_orders_that_are_due_sooner_stay_due(quiet):
    due = phase().due_at
    with pytest.raises(WrongMoment, match="Quiet time"):
        press_done(quiet, "alice", now=due - 5 * MINUTE)
    with pytest.raises(DeadlinePassed):
        press_done(quiet, "alice", now=due)
    with pytest.raises(DeadlinePassed):
        press_done(quiet, "alice", sequence=7)


def test_a_player_who_leaves_is_not_waited_for(quiet):
    press_done(quiet, "alice")
    resign(slug=quiet.slug, user_id=quiet.bob, now=timezone.now())
    assert LogEntry.objects.filter(kind="talked").count() == 1


def test_a_player_who_comes_back_has_not_said_so(quiet):
    press_done(quiet, "bob")
    resign(slug=quiet.slug, user_id=quiet.bob, now=timezone.now())
    assert not TalkDone.objects.exists()
    assert not LogEntry.objects.filter(kind="talked").exists()


def test_players_who_are_out_are_not_waited_for(quiet):
    remove_units("TURKEY")
    remove_centers("TURKEY")
    with pytest.raises(WrongMoment, match="been eliminated"):
        press_done(quiet, "bob")
    press_done(quiet, "alice")
    assert LogEntry.objects.filter(kind="talked").exists()


def test_games_without_quiet_time_have_no_such_end(cast):
    with pytest.raises(WrongMoment, match="continues until the deadline"):
        press_done(cast, "alice")


def test_an_extension_moves_the_new_deadline(quiet):
    now = timezone.now()
    press_done(quiet, "alice", now=now)
    press_done(quiet, "bob", now=now)
    vote = call_vote(quiet, "alice", "extend", length=HOUR, now=now)
    cast_ballot(slug=quiet.slug, user_id=quiet.bob, sequence=1, vote_id=vote.pk, yes=True, now=now)
    assert phase().due_at == now + 5 * MINUTE + HOUR
