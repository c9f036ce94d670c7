"""Which games change whose ratings, in which order, and that computing them again agrees."""

import datetime as dt
import io
import random

import pytest
from django.core.management import CommandError, call_command
from tests.games.ratings.rated_games import DAY, HOUR, NOW, Season, rate_all, rating_of, sign_up

from diplomaccloud.accounts.models import Relationship, User
from diplomaccloud.games.ratings import actions
from diplomaccloud.games.ratings.actions import compare_ratings, request_rating, set_annulled
from diplomaccloud.games.ratings.models import (
    PersonRating,
    PowerRating,
    RatedGame,
    RatingChange,
    RatingRequest,
)
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.table.models import Game, Status
from diplomaccloud.games.table.options import Press
from diplomaccloud.ratings import SPREAD


@pytest.fixture
def season(plan):
    return Season(plan)


@pytest.fixture
def players(db):
    return sign_up(9)


def points(*people, kind=Kind.FULL):
    rows = [rating_of(person, kind) for person in people]
    return [row.points if row else None for row in rows]


def test_a_solo_raises_one_and_lowers_all_others(season, players):
    season.play(players[:7])
    assert rate_all() == 1
    first, *others = points(*players[:7])
    assert first > 1500 > max(others)
    assert max(others) - min(others) <= 1
    row = rating_of(players[0])
    assert (row.games, row.solos, row.draws) == (1, 1, 0)
    assert not RatingRequest.objects.exists()


def test_the_members_of_a_draw_tie(season, players):
    season.play(players[:7], winners=(0, 1, 2), reason="agreed_draw")
    rate_all()
    *drawn, last = points(*players[:4])
    assert min(drawn) > 1500 > last
    assert rating_of(players[1]).draws == 1


@pytest.mark.parametrize(
    ("number", "options", "unrated"),
    [
        (4, {}, ""),
        (3, {}, "few people"),
        (4, {"reason": "conceded"}, "given up"),
        (4, {"reason": "canceled", "winners": ()}, "given up"),
        (4, {"rated": False}, None),
        (4, {"private": True}, None),
        (4, {"reason": "time_up_after_year_centers"}, ""),
    ],
    ids=["four", "three", "conceded", "canceled", "not marked", "private", "time limit"],
)
def test_which_games_count(season, players, number, options, unrated):
    game = season.play(players[:number], **options)
    rate_all()
    row = RatedGame.objects.filter(game=game).first()
    assert (row.unrated if row else None) == unrated
    assert RatingChange.objects.exists() == (unrated == "")


@pytest.mark.parametrize(
    ("ended", "unrated"),
    [(None, "few people"), (NOW - DAY, "few people"), (NOW - 90 * DAY, "")],
    ids=["related", "until shortly before the end", "until before the start"],
)
def test_related_people_count_as_one(season, players, ended, unrated):
    times = {"declared_at": NOW - 99 * DAY, "confirmed_at": NOW - 99 * DAY, "ended_at": ended}
    Relationship.objects.create(
        person_id=players[0], other_id=players[1], kind="household", **times
    )
    season.play(players[:4])
    rate_all()
    assert RatedGame.objects.get().unrated == unrated
    # What the account's deletion erases does not change what was counted.
    Relationship.objects.all().delete()
    assert compare_ratings() == []


def test_guests_do_not_count(season, players):
    User.objects.filter(pk=players[3]).update(guest=True)
    season.play(players[:4])
    season.play([*players[:3], players[4], players[3]])
    rate_all()
    assert [row.unrated for row in RatedGame.objects.order_by("game_id")] == ["few people", ""]
    assert rating_of(players[3]) is None


def test_who_leaves_is_last_whatever_the_seat_does_later(season, players):
    game = season.play(players[:7], winners=(0,), left=(0,), late=((0, players[7]),))
    rate_all()
    places = dict(RatingChange.objects.filter(game=game).values_list("person", "place"))
    assert places[players[0]] == 8
    assert places[players[7]] == 1
    assert set(places.values()) == {1, 2, 8}
    assert rating_of(players[0]).solos == 0
    assert points(players[0])[0] < points(players[1])[0]


def test_who_takes_over_in_the_second_year_can_only_rise(season, players):
    season.play(players[:7], winners=(1,), left=(0,), late=((0, players[7]),))
    rate_all()
    assert rating_of(players[7]) is None
    season.play(players[:7], winners=(0,), left=(0,), late=((0, players[7]),))
    rate_all()
    assert points(players[7])[0] > 1500
    assert compare_ratings() == []


def test_kinds_are_apart(season, players):
    season.play(players[:5], press=Press.FULL)
    season.play(players[:5], press=Press.RULEBOOK)
    season.play(players[:5], press=Press.NONE)
    season.play(players[:5], press=Press.PUBLIC)
    rate_all()
    games = {kind: rating_of(players[0], kind).games for kind in Kind}
    assert games == {Kind.FULL: 2, Kind.NONE: 1, Kind.PUBLIC: 1}


def test_a_power_that_wins_often_gives_less(season, players):
    for _ in range(5):
        season.play(players[:5])
    rate_all()
    winner = PowerRating.objects.order_by("-mu").first()
    assert winner.power == season.powers[0]
    assert winner.games == 5
    gains = RatingChange.objects.filter(person=players[0]).order_by("named_at")
    steps = [change.mu - change.mu_before for change in gains]
    assert steps == sorted(steps, reverse=True)


def test_after_a_year_the_rating_stays_and_is_uncertain_again(season, players):
    season.play(players[:5])
    season.play(players[:5])
    rate_all()
    before = rating_of(players[0])
    assert before.sigma < SPREAD
    season.now += dt.timedelta(days=366)
    season.play(players[:5], winners=(1,))
    rate_all()
    late = abs(rating_of(players[0]).mu - before.mu)
    assert compare_ratings() == []
    Game.objects.order_by("-pk").update(finished_at=season.now - 300 * DAY)
    game = Game.objects.order_by("-pk").first()
    Game.objects.exclude(pk=game.pk).update(finished_at=season.now - 400 * DAY)
    compare_ratings(repair=True)
    assert abs(rating_of(players[0]).mu - before.mu) < late


def test_a_game_that_was_late_is_rated_in_its_place(season, players):
    season.play(players[:5], winners=(0,))
    season.play(players[2:7], winners=(1,))
    rate_all()
    early = season.play(players[:6], winners=(2,), at=NOW + HOUR / 2)
    assert rate_all() == 3
    newest = RatingChange.objects.order_by("named_at", "game_id").values_list("game", flat=True)
    assert newest.first() == early.pk
    assert compare_ratings() == []


def test_games_of_one_moment_are_rated_by_their_keys(season, players):
    one, _ = (season.play(players[:5], at=NOW, winners=(n,)) for n in (0, 1))
    RatingRequest.objects.filter(game=one).delete()
    rate_all()
    request_rating(one)
    assert rate_all() == 2
    assert compare_ratings() == []


def test_an_annulled_game_changes_nothing_and_later_ones_are_rated_again(season, players):
    games = [season.play(players[n : n + 5]) for n in range(4)]
    rate_all()
    before = points(*players)
    assert set_annulled(game=games[1], annulled=True, now=season.now)
    assert not set_annulled(game=games[1], annulled=True, now=season.now)
    assert rate_all() == 3
    assert RatedGame.objects.get(game=games[1]).unrated == "annulled"
    assert not RatingChange.objects.filter(game=games[1]).exists()
    assert points(*players) != before
    assert compare_ratings() == []
    assert set_annulled(game=games[1], annulled=False, now=season.now)
    rate_all()
    assert points(*players) == before


def reopen(game):
    Game.objects.filter(pk=game.pk).update(status=Status.RUNNING, finished_at=None, ending=None)
    request_rating(Game.objects.get(pk=game.pk))


def test_a_game_that_goes_on_no_longer_counts(season, players):
    first, second = season.play(players[:5]), season.play(players[3:8])
    rate_all()
    reopen(second)
    rate_all()
    assert rating_of(players[7]) is None
    assert list(RatedGame.objects.values_list("game", flat=True)) == [first.pk]
    reopen(first)
    rate_all()
    assert not PersonRating.objects.exists()
    assert not PowerRating.objects.exists()


@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(4))
def test_rating_one_after_another_agrees_with_rating_all(season, players, seed):
    rng = random.Random(seed)
    games = []
    for _ in range(30):
        what = rng.choice(["play", "play", "play", "annul", "reopen", "rate"])
        if what == "play" or not games:
            chosen = rng.sample(players[:8], rng.randint(4, 7))
            outcome = rng.choice(["ending_centers", "agreed_draw", "conceded"])
            count = {"agreed_draw": rng.randint(2, 3)}.get(outcome, 1)
            left = tuple(rng.sample(range(7), rng.randint(0, 1)))
            late = tuple((seat, players[8]) for seat in left if seat < len(chosen))
            at = season.now - rng.choice([0, 0, 0, 5]) * HOUR
            games.append(
                season.play(
                    chosen,
                    winners=tuple(rng.sample(range(7), count)),
                    reason=outcome,
                    press=rng.choice([Press.FULL, Press.RULEBOOK, Press.NONE]),
                    anonymous=rng.random() < 0.3,
                    left=tuple(seat for seat in left if seat < len(chosen)),
                    late=late,
                    at=at,
                )
            )
            season.now += rng.choice([HOUR, DAY, 200 * DAY])
        elif what == "annul":
            set_annulled(game=rng.choice(games), annulled=rng.random() < 0.7, now=season.now)
        elif what == "reopen":
            game = Game.objects.get(pk=rng.choice(games).pk)
            if game.status == Status.FINISHED:
                reopen(game)
            else:
                game.status, game.finished_at = Status.FINISHED, season.now
                game.ending = games[0].ending
                game.save()
                request_rating(game)
        else:
            rate_all()
    rate_all()
    assert RatingChange.objects.count() > 5
    assert compare_ratings() == []


def test_the_command_lists_what_differs_and_replaces_it(season, players):
    season.play(players[:5])
    rate_all()
    out = io.StringIO()
    call_command("ratings", "--check", stdout=out)
    PersonRating.objects.filter(person=players[0]).update(mu=99.0)
    PowerRating.objects.first().delete()
    with pytest.raises(CommandError) as error:
        call_command("ratings", "--check", stdout=out)
    assert error.value.returncode == 1
    lines = out.getvalue().splitlines()
    assert sum(line.startswith("- ") for line in lines) == 1
    assert sum(line.startswith("+ ") for line in lines) == 2
    assert rating_of(players[0]).mu == 99.0
    call_command("ratings", stdout=out)
    call_command("ratings", "--check", stdout=out)
    assert rating_of(players[0]).mu != 99.0


def test_the_command_keeps_few_rows_at_a_time(season, players, monkeypatch):
    season.play(players[:5])
    gone = season.play(players[1:6])
    season.play(players[2:7])
    rate_all()
    monkeypatch.setattr(actions, "_ROWS_AT_ONCE", 1)
    assert compare_ratings() == []
    Game.objects.filter(pk=gone.pk).update(rated=False)
    lines = compare_ratings(repair=True)
    assert sum(line.startswith("- rated game: ") for line in lines) == 2
    assert not RatingChange.objects.filter(game=gone).exists()
    assert compare_ratings() == []
