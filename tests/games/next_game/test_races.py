"""People and workers who change a next game in the same instant, by threads."""

from functools import partial

import pytest
from tests.games.racing import run_together

from diplomaccloud.games.lobby.actions import join_game, leave_game
from diplomaccloud.games.next_game.actions import (
    TemplateGiven,
    confirm,
    end_wait,
    open_missing,
    remove_template,
    save_template,
    tend_next_games,
)
from diplomaccloud.games.next_game.models import GameTemplate, NextGame
from diplomaccloud.games.table.models import Game, Status

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_database]

SEATS = 7


def acting(hall, action, *numbers):
    """Return a task for each of the people: the action on the game that waits now."""
    slug, now = hall.game.slug, hall.now
    return [partial(action, slug=slug, user_id=hall.people[number], now=now) for number in numbers]


def check_start(hall, old):
    """Require that the game has started with all its seats, and that one other waits, empty."""
    old.refresh_from_db()
    assert old.status == Status.RUNNING
    assert old.seats.count() == SEATS == len(set(old.seats.values_list("power", flat=True)))
    assert NextGame.objects.get(game=old).waiting is None
    assert NextGame.objects.filter(template__slot=1).count() == 2
    assert Game.objects.get(status=Status.FORMING) == hall.game != old
    assert not hall.game.seats.exists()


def sort_types(answers):
    return sorted(type(answer).__name__ for answer in answers)


def test_one_of_two_people_gets_the_last_seat(hall):
    old = hall.game
    hall.join(*range(6))
    hall.confirm(0, 1, 2)
    answers = run_together(*acting(hall, join_game, 6, 7))
    assert sort_types(answers) == ["Seat", "WrongMoment"]
    check_start(hall, old)
    assert hall.seated(old) - {6, 7} == set(range(6))


def test_the_last_two_confirmations_start_it_once(hall):
    old = hall.game
    hall.join(*range(SEATS))
    hall.confirm(0)
    answers = run_together(*acting(hall, confirm, 1, 2))
    assert sorted(answers, key=str) == [old.pk, None]
    check_start(hall, old)
    assert hall.seated(old) == set(range(SEATS))


def test_workers_who_end_the_same_muster_start_one_game(hall):
    old = hall.game
    hall.join(*range(6))
    hall.confirm(0)
    hall.now = hall.row.due_at
    ending = partial(end_wait, game_id=old.pk, now=hall.now)  # a worker whose lease has run out
    tending = partial(tend_next_games, now=hall.now)
    opening = partial(open_missing, now=hall.now)
    late = [*acting(hall, join_game, 8), *acting(hall, confirm, 1)]
    first, second, third, opened, *refused = run_together(tending, tending, ending, opening, *late)
    assert sorted([*first, *second, *([third] if third else [])]) == [old.pk]
    assert opened == 0
    assert sort_types(refused) in (
        ["DeadlinePassed", "WrongMoment"],
        ["NotYourSeat", "WrongMoment"],
    )
    check_start(hall, old)
    assert hall.seated(old) == {0, 3, 4, 5}


def test_who_leaves_as_workers_end_the_muster_takes_nobody_along(hall):
    old = hall.game
    hall.join(*range(4))
    hall.confirm(0, 1)
    hall.now = hall.row.due_at
    tending = partial(tend_next_games, now=hall.now)
    *started, left = run_together(tending, tending, *acting(hall, leave_game, 1))
    assert (started, left) == ([[], []], None)
    assert hall.game == old
    assert hall.row.muster_at is None
    assert hall.seated() == {0, 3}


@pytest.mark.parametrize("change", [save_template, remove_template])
def test_the_host_changes_a_template_as_its_game_starts(hall, change):
    old = hall.game
    hall.join(*range(SEATS))
    hall.confirm(0, 1)
    given = TemplateGiven("Europe in public", "standard", "daily", "public", "2000")
    more = {"given": given} if change is save_template else {}
    changing = partial(change, slot=1, now=hall.now, **more)
    answers = run_together(changing, *acting(hall, confirm, 2), partial(open_missing, now=hall.now))
    assert answers[:2] == [None, old.pk]
    waiting = NextGame.objects.filter(waiting=True)
    titles = ["Europe in public"] if change is save_template else []
    assert list(waiting.values_list("title", flat=True)) == titles
    assert Game.objects.filter(status=Status.FORMING).count() == len(titles)


def test_workers_open_one_game_for_a_template(hall):
    empty = GameTemplate.objects.get(slot=1)
    empty.pk, empty.slot = None, 3
    empty.save()
    opening = partial(open_missing, now=hall.now)
    assert sorted(run_together(*[opening] * 4)) == [0, 0, 0, 1]
    assert NextGame.objects.filter(template__slot=3).count() == 1
    assert Game.objects.count() == 2
