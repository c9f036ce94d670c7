"""A muster opens, people confirm or don't, and the game starts; then the next one waits."""

import random
from collections import Counter

import pytest
from django.db import IntegrityError, transaction

from diplomaccloud.games.creation.presets import SPEEDS
from diplomaccloud.games.lobby.actions import mark_ready
from diplomaccloud.games.next_game.actions import extend_musters, open_missing
from diplomaccloud.games.next_game.models import GameTemplate, NextGame, measure_muster
from diplomaccloud.games.people.actions import leave_all_games
from diplomaccloud.games.table.errors import DeadlinePassed, Refused, WrongMoment
from diplomaccloud.games.table.log_models import PlayerFigures
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.schedule.local_time import HOUR, MINUTE


class TestOpening:
    def test_one_game_waits_for_each_template(self, hall):
        assert hall.game.creator is None
        assert hall.game.master is None
        assert hall.game.rated
        assert hall.game.options.start == "muster"
        assert hall.seated() == set()
        open_missing(now=hall.now)
        assert Game.objects.count() == 1

    def test_the_database_refuses_a_second_one(self, hall):
        row, other = hall.row, Game.objects.get()
        other.pk, other.slug = None, "b" * 10
        other.save()
        with pytest.raises(IntegrityError), transaction.atomic():
            NextGame.objects.create(game=other, template=row.template, waiting=True)

    def test_a_template_without_its_map_opens_none(self, hall):
        GameTemplate.objects.filter(slot=2).update(active=True)
        assert open_missing(now=hall.now) == 0


class TestMuster:
    def test_the_fourth_person_opens_it(self, hall):
        hall.join(0, 1, 2)
        assert hall.row.muster_at is None
        hall.join(3)
        assert hall.row.due_at - hall.now == 12 * HOUR
        assert set(Seat.objects.exclude(ready_at=None).values_list("user", flat=True)) == {
            hall.people[3]
        }

    def test_two_people_wait_a_day_for_it(self, hall):
        hall.join(0, 1)
        hall.wait(hours=23, minutes=59)
        assert hall.row.muster_at is None
        hall.wait(minutes=1)
        assert hall.row.muster_at is not None

    def test_one_person_waits_alone(self, hall):
        hall.join(0)
        hall.wait(hours=48)
        assert hall.row.muster_at is None
        assert hall.seated() == {0}

    def test_of_live_games_it_takes_three_minutes(self):
        assert measure_muster(SPEEDS["evening"].schedule) == 3 * MINUTE
        assert measure_muster(SPEEDS["daily"].schedule) == 12 * HOUR

    def test_a_full_game_starts_once_all_confirmed(self, hall):
        slug = hall.game.slug
        hall.join(0, 1, 2, 3, 4, 5, 6)
        hall.confirm(0, 1)
        assert hall.game.slug == slug
        (started,) = hall.confirm(2)
        game = Game.objects.get(slug=slug)
        assert started == game.pk
        assert game.status == Status.RUNNING
        assert not Seat.objects.filter(game=game).exclude(bot="").exists()
        assert hall.game.slug != slug
        assert hall.seated() == set()

    def test_bots_take_the_seats_of_those_who_are_not_there(self, hall):
        game = hall.game
        hall.join(0, 1, 2, 3, 4, 5, 6)
        hall.confirm(0)
        hall.leave(5)
        hall.wait(hours=12)
        assert Game.objects.get(pk=game.pk).status == Status.RUNNING
        assert hall.seated(game) == {0, 3, 4, 6}
        bots = Seat.objects.filter(game=game).exclude(bot="").values_list("bot", flat=True)
        assert [bot.split(":")[:2] for bot in bots] == [["level", "3"]] * 3
        assert Game.objects.get(pk=game.pk).rated

    def test_too_few_keep_their_seats_and_wait_for_one_more(self, hall):
        hall.join(0, 1, 2, 3)
        hall.confirm(1)
        hall.wait(hours=12)
        assert hall.row.muster_at is None
        assert hall.seated() == {1, 3}
        assert not Seat.objects.exclude(ready_at=None).exists()
        hall.join(5)
        assert hall.row.muster_at == hall.now

    def test_too_few_get_another_muster_after_a_day(self, hall):
        hall.join(0, 1, 2, 3)
        hall.confirm(1)
        hall.wait(hours=12)
        hall.wait(hours=24)
        assert hall.row.muster_at == hall.now

    def test_nobody_loses_reliability(self, hall):
        hall.join(0, 1, 2, 3)
        hall.wait(hours=12)
        hall.leave(3)
        assert not PlayerFigures.objects.exclude(games=0, left=0).exists()

    def test_who_lost_a_seat_can_join_again(self, hall):
        hall.join(0, 1, 2, 3)
        hall.wait(hours=12)
        hall.join(0)
        assert hall.seated() == {0, 3}

    def test_who_comes_as_it_ends_hears_why_not(self, hall):
        hall.join(0, 1, 2, 3)
        hall.now = hall.row.due_at
        with pytest.raises(WrongMoment, match="just ended"):
            hall.join(4)
        with pytest.raises(DeadlinePassed):
            hall.confirm(0)
        assert hall.seated() == {0, 1, 2, 3}

    def test_confirming_needs_a_muster(self, hall):
        hall.join(0)
        with pytest.raises(WrongMoment, match="No muster is open"):
            hall.confirm(0)
        with pytest.raises(WrongMoment):
            mark_ready(slug=hall.game.slug, user_id=hall.people[0], ready=True, now=hall.now)

    def test_an_outage_gives_its_time_back(self, hall):
        hall.join(0, 1, 2, 3)
        due_at = hall.row.due_at
        back_at = hall.now + 2 * (due_at - hall.now)
        extend_musters(away_at=hall.now, back_at=back_at)
        assert hall.row.due_at == due_at + (back_at - hall.now)

    def test_an_account_that_is_deleted_frees_its_seat(self, hall):
        game = hall.game
        hall.join(0, 1, 2, 3, 4, 5, 6)
        hall.confirm(0, 1)
        leave_all_games(user_id=hall.people[2], removed=False, now=hall.now)
        assert hall.game == game
        assert hall.seated() == {0, 1, 3, 4, 5, 6}


class TestStartWithBots:
    def test_all_must_choose_it(self, hall):
        game = hall.game
        hall.join(0, 1, 2)
        assert hall.agree(0, 1) == [None, None]
        hall.agree(2)
        assert Game.objects.get(pk=game.pk).status == Status.RUNNING
        assert not Game.objects.get(pk=game.pk).rated
        assert hall.game.rated
        assert hall.seated() == set()

    def test_who_leaves_no_longer_counts(self, hall):
        game = hall.game
        hall.join(0, 1, 2)
        hall.agree(0, 1)
        hall.leave(2)
        assert Game.objects.get(pk=game.pk).status == Status.RUNNING

    @pytest.mark.parametrize("numbers", [(0,), (0, 1, 2, 3)])
    def test_only_two_or_three_can(self, hall, numbers):
        hall.join(*numbers)
        with pytest.raises(WrongMoment, match="two or three"):
            hall.agree(0)


class TestRandomHours:
    @pytest.mark.parametrize("seed", range(3))
    def test_one_game_waits_and_nobody_loses_a_seat(self, hall, seed):
        rng = random.Random(seed)
        starts = Counter()
        for _ in range(120):
            act(hall, rng)
            check(hall)
            starts[Game.objects.exclude(status=Status.FORMING).count()] += 1
        assert len(starts) > 1


def act(hall, rng):
    """Let one of ten people do something, or let time pass; refusals are part of it."""
    number = rng.randrange(10)
    before, game = hall.seated(), hall.game
    match rng.choice(("join", "join", "join", "leave", "confirm", "confirm", "bots", "time")):
        case "time":
            confirmed = Seat.objects.filter(game=game).exclude(ready_at=None)
            confirmed = {hall.people.index(seat.user_id) for seat in confirmed}
            is_muster = hall.row.muster_at is not None
            hall.wait(hours=rng.choice((1, 6, 12, 24)))
            kept = hall.seated(game)
            assert kept == before or (is_muster and kept == confirmed)
            return
        case name:
            work = {"join": hall.join, "leave": hall.leave, "confirm": hall.confirm}
            try:
                work.get(name, hall.agree)(number)
            except Refused:
                assert hall.seated(game) == before
                return
            expected = {"join": before | {number}, "leave": before - {number}}
            assert hall.seated(game) == expected.get(name, before)


def check(hall):
    waiting = NextGame.objects.filter(waiting=True)
    assert waiting.count() == 1 == Game.objects.filter(status=Status.FORMING).count()
    for game in Game.objects.all():
        seats = game.seats.count()
        assert seats <= 7 if game.status == Status.FORMING else seats == 7
