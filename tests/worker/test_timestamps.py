"""Actions that waited for the lock have later timestamps than those done in the meantime."""

import datetime as dt
import inspect

import pytest
from django.db import transaction
from django.utils import timezone
from tests.games.all_actions import ACTIONS
from tests.worker.fault_roles import ACTIONS_WITH_CLOCK
from tests.worker.separate_site import make_games, wait_for_lock_waits

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import freeze_game, pause_for_emergency, suspend_game
from diplomaccloud.games.lobby.actions import leave_game, start_game
from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.next_game.models import GameTemplate, NextGame
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.lock import Now
from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import claim_phase
from diplomaccloud.games.votes.actions import open_vote
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import Question, Terms

pytestmark = pytest.mark.real_database

SECOND, MINUTE, HOUR = (dt.timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours"))
NEEDS_OLD_GAME = ("credit_outage", "end_pauses")
"""Actions that need a game that started some time ago."""
FORMING = ("add_bot", "confirm", "end_wait", "join_game", "start_game", "start_with_bots")
MADE_OF_OTHERS = {"advance", "lock_due_phases", "tend_next_games", "think_for_bots"}
"""Actions that take no lock themselves; those that they call do."""


def test_every_action_with_a_clock_is_tested():
    verbs = {
        name
        for name, verb in ACTIONS.items()
        if Now
        in (parameter.annotation for parameter in inspect.signature(verb).parameters.values())
    }
    assert verbs - MADE_OF_OTHERS == set(ACTIONS_WITH_CLOCK)


def test_actions_that_waited_for_the_lock_have_later_timestamps(site):
    master = User.objects.create(username="master").pk
    games = _games(master)
    known = {verb: PREPARATIONS[verb](*games[verb], master) for verb in ACTIONS_WITH_CLOCK}
    events, entries = (table.objects.order_by("pk").last().pk for table in (Event, LogEntry))
    with transaction.atomic():
        list(Game.objects.select_for_update().order_by("pk"))
        waiting = {verb: site.start("late_clock", verb, known[verb]) for verb in ACTIONS_WITH_CLOCK}
        wait_for_lock_waits(len(waiting))
        done_at = timezone.now()
    for pid in waiting.values():
        site.wait(pid)
    for verb, (game, _) in games.items():
        created = Event.objects.filter(game=game, pk__gt=events).values_list(
            "created_at", flat=True
        )
        log = LogEntry.objects.filter(game=game, pk__gt=entries).values_list("at", flat=True)
        phases = Phase.objects.filter(game=game, locked_at__isnull=False)
        closed = phases.values_list("locked_at", flat=True)
        assert created, verb
        assert min([*created, *log, *closed]) > done_at, verb
        assert bool(closed) == (verb in ("lock_phase", "process_phase")), verb


def _games(master):
    """Return a game and its players for each action; some games are still in the lobby."""
    now = timezone.now()
    created = make_games(len(ACTIONS_WITH_CLOCK), now=now - HOUR, start=False)
    Game.objects.update(master_id=master)
    games = {}
    for verb, (slug, people) in zip(ACTIONS_WITH_CLOCK, created.items(), strict=True):
        if verb not in FORMING:
            at = now - HOUR if verb in NEEDS_OLD_GAME else now
            start_game(slug=slug, user_id=people[0], now=at)
        games[verb] = Game.objects.get(slug=slug), people
    return games


def _close(game, people, master):
    now = timezone.now()
    Phase.objects.filter(game=game).update(opens_at=now, due_at=now, adjudicate_at=now + HOUR)
    return {"phase_id": game.phases.get().pk}


def _claim(game, people, master):
    now = timezone.now()
    Phase.objects.filter(game=game).update(opens_at=now, due_at=now, adjudicate_at=now)
    return {"phase_id": claim_phase(game_id=game.pk, owner="x", now=now), "owner": "x"}


def _seat_a_bot(game, people, master):
    Seat.objects.filter(game=game, user=people[1]).update(user=None, bot="hold")
    return {"phase_id": game.phases.get().pk}


def _pause(game, people, master):
    change_time(
        slug=game.slug,
        user_id=master,
        sequence=1,
        question=Question.PAUSE,
        length=30 * MINUTE,
        reason="Holidays.",
        key="press",
        now=game.started_at + SECOND,
    )
    Phase.objects.filter(game=game).update(
        due_at=timezone.now() + HOUR, adjudicate_at=timezone.now() + HOUR
    )
    return {}


def _move(game, people, master):
    named = {"slug": game.slug, "user_id": people[0], "sequence": 1, "now": timezone.now()}
    motion = open_vote(**named, question=Question.DRAW, terms=Terms())
    Vote.objects.filter(pk=motion.pk).update(closes_at=timezone.now())
    return {}


def _put_aside(game, people, master):
    suspend_game(game_id=game.pk, reason="x", now=timezone.now())
    return {"slug": game.slug}


def _stop(game, people, master):
    freeze_game(slug=game.slug, now=timezone.now())
    return {"slug": game.slug}


def _pause_for_emergency(game, people, master):
    pause_for_emergency(game_id=game.pk, length=30 * MINUTE, now=timezone.now())
    return {"game_id": game.pk}


def _leave(game, people, master):
    resign(slug=game.slug, user_id=people[1], now=timezone.now())
    power = game.seats.get(user=None).power
    volunteer = User.objects.create(username="volunteer").pk
    return {"slug": game.slug, "user_id": volunteer, "power": power}


def _free(game, people, master):
    leave_game(slug=game.slug, user_id=people[1], now=timezone.now())
    return {"slug": game.slug, "user_id": people[1]}


def _leave_to_bot(game, people, master):
    leave_game(slug=game.slug, user_id=people[1], now=timezone.now())
    return {"slug": game.slug, "user_id": people[0], "bot": "hold"}


def _await_muster(game, **state):
    """Let the game wait as a next game, each from a template of its own."""
    slot = NextGame.objects.count() + 1
    given = {"title": "Daily", "map": "standard", "speed": "day", "press": "full"}
    template, _ = GameTemplate.objects.get_or_create(slot=slot, defaults=given)
    NextGame.objects.create(game=game, template=template, waiting=True, **state)


def _end_wait(game, people, master):
    _await_muster(game, due_at=timezone.now())
    return {"game_id": game.pk}


def _confirm(game, people, master):
    _await_muster(game, muster_at=timezone.now(), due_at=timezone.now() + HOUR)
    return {"slug": game.slug, "user_id": people[0]}


PREPARATIONS = {
    "add_bot": _leave_to_bot,
    "credit_outage": lambda game, *_: {"away_at": (game.started_at + MINUTE).isoformat()},
    "end_emergency": _pause_for_emergency,
    "end_pauses": _pause,
    "close_expired_votes": _move,
    "confirm": _confirm,
    "end_wait": _end_wait,
    "freeze_game": lambda game, *_: {"slug": game.slug},
    "join_game": _free,
    "lock_phase": _close,
    "move_bots": _seat_a_bot,
    "pause_for_emergency": lambda game, *_: {"game_id": game.pk},
    "process_phase": _claim,
    "suspend_game": lambda game, *_: {"game_id": game.pk, "reason": "x"},
    "resume_game": _put_aside,
    "resign": lambda game, people, _: {"slug": game.slug, "user_id": people[1]},
    "start_game": lambda game, people, _: {"slug": game.slug, "user_id": people[0]},
    "start_with_bots": _confirm,
    "take_seat": _leave,
    "unfreeze_game": _stop,
}
"""For each action, a function that prepares a game and returns the action's arguments."""
