"""Stored counts agree with the facts after every action, and `manage recount` repairs them."""

import datetime as dt
import importlib
import io
from contextlib import suppress
from dataclasses import replace

import pytest
import structlog
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone
from django_tasks_db.management.commands import db_worker
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.games.steps import DAY, call_vote, due, seat_people

from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.orders.actions import save_orders, set_ready
from diplomaccloud.games.results.actions import find_differences, finish_game
from diplomaccloud.games.seats.actions import remove_player, resign, take_seat
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.log import add_figures
from diplomaccloud.games.table.log_models import Event, PlayerFigures
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.options import Master, Missed, Watch
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.actions import cast_ballot, open_vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.judge.results import Ending
from diplomaccloud.worker.task_rows import run_waiting_tasks

PEOPLE = ("alice", "bob", "charlie")


def figures_of(person):
    row = PlayerFigures.objects.filter(user__username__iexact=person).values().first() or {}
    return {name: number for name, number in row.items() if number and name != "user_id"}


def differences():
    return [str(difference) for difference in find_differences()]


class Players:
    """People who do random things to one game."""

    def __init__(self, plan, people, options, private):
        self.people, self.now, self.number = people, timezone.now(), 0
        chosen = replace(plan.options, fill_with="hold", **options)
        game = create_game(
            plan=replace(plan, options=chosen, private=private),
            creator_id=people["charlie"],
            now=self.now,
            slug="aaaaaaaaaa",
            code="letmein222",
            seed="figures",
        )
        self.game_id, self.slug = game.pk, game.slug
        for name in ("alice", "bob"):
            self.do("join", name, 0)
        self.do("start", "charlie", 0)

    def do(self, what, name, number):
        """Do something; a refusal changes nothing."""
        self.now += dt.timedelta(minutes=1)
        self.number += 1
        with suppress(Refused):
            getattr(self, what)(self.people[name], name, number)

    def join(self, user, name, number):
        join_game(slug=self.slug, user_id=user, now=self.now, code="letmein222")

    def start(self, user, name, number):
        start_game(slug=self.slug, user_id=user, now=self.now)

    def save(self, user, name, number):
        save_orders(**self.act(user), choices=(), sheet="")

    def ready(self, user, name, number):
        if set_ready(**self.act(user)):
            advance(game_id=self.game_id, owner="test", now=self.now)

    def draw(self, user, name, number):
        vote = {"question": Question.DRAW, "terms": Terms()}
        open_vote(**self.act(user), **vote)

    def agree(self, user, name, number):
        for vote in Game.objects.get().votes.filter(open=True):
            cast_ballot(**self.act(user), vote_id=vote.pk, yes=True)

    def deadline(self, user, name, number):
        phase = Game.objects.get().newest_phase()
        if phase is not None:
            self.now = max(self.now, phase.adjudicate_at)
            advance(game_id=self.game_id, owner="test", now=self.now)

    def late_deadline(self, user, name, number):
        self.now += 3 * DAY
        self.deadline(user, name, number)

    def resign(self, user, name, number):
        resign(slug=self.slug, user_id=user, now=self.now)

    def take_seat(self, user, name, number):
        for power in self.vacant():
            take_seat(slug=self.slug, user_id=user, power=power, now=self.now, code="letmein222")

    def vacant(self):
        return list(Seat.objects.exclude(vacated_at=None).values_list("power", flat=True))

    def remove(self, user, name, number):
        seat = Seat.objects.filter(user=user).first()
        if seat is not None:
            master = self.act(self.people["charlie"])
            remove_player(**master, power=seat.power, reason="Rude.")

    def roll_back(self, user, name, number):
        to = max(1, self.sequence() - 1 - number % 2)
        roll_back(**self.act(self.people["charlie"]), to=to, reason="A mistake.")

    def roll_forward(self, user, name, number):
        roll_forward(**self.act(self.people["charlie"]), reason="No mistake.")

    def sequence(self):
        phase = Game.objects.get().newest_phase()
        return phase.sequence if phase else 1

    def act(self, user):
        return {
            "slug": self.slug,
            "user_id": user,
            "sequence": self.sequence(),
            "now": self.now,
        }


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *("save", "ready", "draw", "agree", "deadline", "deadline", "late_deadline"),
                *("resign", "take_seat", "remove", "roll_back", "roll_forward"),
            ]
        ),
        st.sampled_from(PEOPLE),
        st.integers(0, 3),
    ),
    min_size=6,
    max_size=14,
)


@pytest.mark.long
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    steps=STEPS,
    anonymous=st.booleans(),
    private=st.booleans(),
    watch=st.sampled_from(Watch),
    substitute=st.sampled_from(["", "hold"]),
)
def test_they_never_drift(plan, people, steps, anonymous, private, watch, substitute):
    options = {
        "anonymous": anonymous,
        "watch": watch,
        "master": Master.CREATOR,
        "missed": Missed(limit=1, substitute=substitute),
    }
    with transaction.atomic():
        players = Players(plan, people, options, private)
        for step in steps:
            players.do(*step)
            assert differences() == [], step
        transaction.set_rollback(True)


def test_a_turn_a_missed_turn_and_a_departure(cast):
    assert figures_of("alice") == {"games": 1, "running": 1}
    save_orders(
        slug=cast.slug, user_id=cast.alice, sequence=1, choices=(), sheet="", now=timezone.now()
    )
    due(cast)
    assert figures_of("alice") == {"games": 1, "running": 1, "turns": 1}
    assert figures_of("bob") == {"games": 1, "running": 1, "turns": 1, "missed": 1}
    resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
    assert figures_of("bob") == {"games": 1, "left": 1, "turns": 1, "missed": 1}
    assert figures_of("charlie") == {}


def end(reason, winners=("AUSTRIA",)):
    finish_game(Game.objects.get(), Ending.of(winners, reason, country="Austria"), timezone.now())


def test_two_accounts_cannot_farm_wins_against_bots(cast):
    power = Seat.objects.get(user=cast.bob).power
    call_vote(cast, "alice", Question.CONCEDE, power=power)
    assert Game.objects.get().ending.winners == (power,)
    assert figures_of("bob") == figures_of("alice") == {"games": 1, "unrated": 1}
    assert differences() == []


@pytest.mark.parametrize(
    ("number", "reason", "rated"),
    [
        pytest.param(4, "agreed_draw", True, id="a draw of four people"),
        pytest.param(3, "agreed_draw", False, id="a draw of three people"),
        pytest.param(4, "conceded", False, id="a concession"),
        pytest.param(4, "canceled", False, id="canceled by a vote"),
        pytest.param(4, "ended_on_leaving", False, id="ended by the last player"),
        pytest.param(4, "all_surrendered", False, id="everyone surrendered"),
        pytest.param(4, "last_one_left", False, id="all others surrendered or left"),
        pytest.param(4, "surrendered_to_alliance", False, id="all outside an alliance"),
    ],
)
def test_which_games_are_rated(cast, number, reason, rated):
    seat_people(number)
    powers = Seat.objects.exclude(user=None).values_list("power", flat=True)
    end(reason, tuple(sorted(powers)))
    result = {"finished": 1, "shared": 1} if rated else {"unrated": 1}
    assert figures_of("bob") == figures_of("alice") == {"games": 1, **result}


def test_a_country_named_like_a_concession_wins_all_the_same(cast):
    seat_people(4)
    Seat.objects.filter(user=cast.bob).update(country="The others conceded the game.")
    powers = Seat.objects.filter(user__in=(cast.alice, cast.bob)).values_list("power", flat=True)
    end("agreed_draw", tuple(powers))
    assert figures_of("bob") == {"games": 1, "finished": 1, "shared": 1}


def test_the_last_one_left_wins_nothing_by_a_draw_with_nobody(cast):
    seat_people(4)
    end("agreed_draw", (Seat.objects.get(user=cast.bob).power,))
    assert figures_of("bob") == {"games": 1, "unrated": 1}


def test_an_upgrade_takes_unrated_games_out(cast):
    end("agreed_draw", (Seat.objects.get(user=cast.bob).power,))
    for person, won in ((cast.alice, 0), (cast.bob, 1)):
        PlayerFigures.objects.filter(user=person).update(finished=1, won=won, unrated=0)
    migration = importlib.import_module("diplomaccloud.games.migrations.0007_unrated_figures")
    migration.leave_out_unrated(apps, None)
    assert figures_of("bob") == figures_of("alice") == {"games": 1, "unrated": 1}
    assert differences() == []


def test_a_private_event_is_no_new_version(cast):
    before = Game.objects.get().version
    assert before == Event.objects.filter(seat=None).count()
    save_orders(
        slug=cast.slug, user_id=cast.alice, sequence=1, choices=(), sheet="", now=timezone.now()
    )
    assert Game.objects.get().version == before


def test_an_action_that_fails_leaves_no_figures_behind(cast, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    before = figures_of("bob"), Game.objects.get().version, Event.objects.count()
    monkeypatch.setattr("diplomaccloud.games.seats.actions.end_current_phase_early", fail)
    with pytest.raises(ZeroDivisionError):
        resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
    assert (figures_of("bob"), Game.objects.get().version, Event.objects.count()) == before


class TestRecount:
    def run(self, *arguments):
        out = io.StringIO()
        call_command("recount", *arguments, stdout=out)
        return out.getvalue()

    def test_it_says_that_all_is_right(self, cast):
        assert self.run() == "All stored figures are correct.\n"

    def test_it_names_and_repairs_what_differs(self, cast):
        due(cast)
        version = Game.objects.get().version
        PlayerFigures.objects.filter(user=cast.alice).update(turns=7)
        PlayerFigures.objects.create(user_id=cast.charlie, won=3)
        Game.objects.update(version=version + 5)
        Seat.objects.filter(user=cast.bob).update(finished_at=timezone.now())
        Phase.objects.filter(processed_at=None).update(open=None)
        with pytest.raises(CommandError, match="5 stored values differ from the facts"):
            self.run()
        told = self.run("--repair")
        assert f"turns of person {cast.alice}: stored 7, counted 1" in told
        assert f"won of person {cast.charlie}: stored 3, counted 0" in told
        assert f"stored {version + 5}, counted {version}" in told
        assert "5 values repaired." in told
        assert self.run() == "All stored figures are correct.\n"

    def test_a_worker_recounts_in_slices_and_logs_what_differs(self, cast, monkeypatch):
        monkeypatch.setattr("diplomaccloud.games.results.actions._KEYS_IN_TASK", 1)
        monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)
        due(cast)
        version = Game.objects.get().version
        PlayerFigures.objects.create(user_id=cast.charlie, won=3)
        Game.objects.update(version=version + 5)
        for repair, expected in ((["--repair"], 2), ([], 0)):
            assert "A worker counts now." in self.run("--background", *repair)
            with structlog.testing.capture_logs() as logs:
                tasks = sum(iter(lambda: run_waiting_tasks("default"), 0))
            assert tasks > 2
            differences = [line for line in logs if line["event"] == "stored value differs"]
            assert len(differences) == expected
            (end,) = [line for line in logs if line["event"] == "recount finished"]
            assert end["differences"] == expected
        assert self.run() == "All stored figures are correct.\n"


def test_a_row_that_another_transaction_has_just_inserted_is_updated(cast):
    inserted = []

    def insert_after_the_first_statement(execute, *arguments):
        result = execute(*arguments)
        if not inserted:
            inserted.append(1)
            PlayerFigures.objects.create(user_id=cast.charlie, won=3)
        return result

    with transaction.atomic(), connection.execute_wrapper(insert_after_the_first_statement):
        add_figures({cast.charlie: {"won": 1}})
    assert figures_of("charlie") == {"won": 4}
