"""Every action locks its game first, then at most one phase, and only then writes."""

import contextlib
import datetime as dt
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone
from tests.games.all_actions import ACTIONS
from tests.games.steps import HOUR, ballot, call_vote, due, game, phase

from diplomaccloud.games.bots.actions import move_bots
from diplomaccloud.games.deadlines import actions as deadlines_actions
from diplomaccloud.games.deadlines.actions import freeze_game, pause_for_emergency, suspend_game
from diplomaccloud.games.drafts.actions import new_draft
from diplomaccloud.games.lobby import actions as lobby_actions
from diplomaccloud.games.lobby.actions import join_game
from diplomaccloud.games.master import rollback
from diplomaccloud.games.next_game.actions import open_missing, tend_next_games
from diplomaccloud.games.next_game.models import NextGame
from diplomaccloud.games.orders.actions import save_orders, set_ready
from diplomaccloud.games.ratings.models import RatingKind
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.seats.actions import expel_player
from diplomaccloud.games.table import lock as locks
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import claim_phase
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.results import Ending
from diplomaccloud.shared.models import CacheEntry

ROOT = Path(__file__).parents[3]
READERS = {"due_games", "phases_to_lock"}
"""Actions that write nothing."""
OF_GUESTS = {"adopt_guest", "play_as_guest", "purge_guests"}
"""Actions on games that only their guest can reach: see the tests of guests."""
OF_PEOPLE = {
    *("follow_person", "unfollow_person", "follow_game", "unfollow_game", "let_people_follow")
}
"""Actions that change what a person wants, and no game: they lock people."""
OF_TEMPLATES = {"open_missing", "open_next", "remove_template", "save_template"}
"""Actions on templates, and on games that nobody knows yet: see the tests of next games."""
OF_SITE = {"tend_featured_game"}
"""Actions that only read games, and write what the site shows: see the tests of featured games."""
OF_RATINGS = {
    "rate_requested_games": lambda table: {"kind": Kind.FULL},
    "compare_ratings": lambda table: {},
    "hide_ratings": lambda table: {"user_id": table.alice, "hidden": True},
}
"""Actions on ratings, which lock a row of each kind, and no game."""
OF_MODERATORS = {"set_annulled"}
"""Actions that the caller's transaction calls with a locked game: see the tests of press."""
GAME, PHASE = Game._meta.db_table, Phase._meta.db_table
LEASED = (PHASE, NextGame._meta.db_table)
CACHE = CacheEntry._meta.db_table
GAME_TABLES = {model._meta.db_table for model in apps.get_app_config("games").get_models()}
STATEMENT = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b", re.IGNORECASE)


class LockRecorder:
    """Checks each statement as it is executed; the test's own transaction counts as none."""

    def __init__(self):
        self.faults, self.games_locked = [], 0
        self._depth, self._locked = 0, []

    def __call__(self, execute, sql, params, many, context):
        self._check(sql, params)
        if connection.vendor == "sqlite":
            sql = sql.removesuffix(" FOR UPDATE")
        return execute(sql, params, many, context)

    def _check(self, sql, params):
        if sql.startswith("SAVEPOINT"):
            self._depth += 1
        elif sql.startswith("RELEASE SAVEPOINT"):
            self._depth -= 1
            if not self._depth:
                self._locked = []
        elif verb := STATEMENT.match(sql):
            table = re.search(r"(?:FROM|INTO|UPDATE) [\"`](\w+)", sql)
            if sql.endswith("FOR UPDATE"):
                self._check_lock(table[1], sql, params)
            elif verb[1].upper() != "SELECT" and table[1] in GAME_TABLES:
                self._check_write(table[1], verb[1].upper(), sql)

    def _check_lock(self, table, sql, params):
        locked = [name for name, _ in self._locked]
        if table == CACHE:
            # A count that all processes share is locked in its own transaction.
            if locked or self._depth > 1:
                self.faults.append("locks the cache within another transaction")
            return
        if " JOIN " in sql:
            self.faults.append(f"locks several tables: {sql}")
        if table == GAME and self._locked and (table, params) not in self._locked:
            self.faults.append(f"locks a game after {locked}")
        if table == PHASE and locked != [GAME]:
            self.faults.append(f"locks a phase after {locked or 'nothing'}")
        if table not in (GAME, PHASE) and GAME not in locked:
            self.faults.append(f"locks {table} before the game")
        self.games_locked += table == GAME
        self._locked.append((table, params))

    def _check_write(self, table, verb, sql):
        if not self._depth:
            assignments = sql.partition(" SET ")[2].partition(" WHERE ")[0]
            columns = set(re.findall(r"[\"`](\w+)[\"`] =", assignments))
            if table not in LEASED or not columns <= {"lease_owner", "lease_until", "attempts"}:
                self.faults.append(f"writes outside a transaction: {sql}")
        elif (verb, table) == ("INSERT INTO", GAME):
            self._locked.append((GAME, None))
        elif GAME not in [name for name, _ in self._locked]:
            self.faults.append(f"writes before it locks the game: {sql}")


@contextlib.contextmanager
def record_locks():
    """Yield a recorder of what is executed; SQLite, too, writes the locks that it leaves out."""
    recorder = LockRecorder()
    with pytest.MonkeyPatch.context() as patch, connection.execute_wrapper(recorder):
        patch.setattr(connection.features, "has_select_for_update", True)
        for query in (locks._locked_game, locks._locked_game_of_slug):
            # Compiled again with the lock.
            patch.setattr(query, "_prepared", {})
        yield recorder


def person(cast, name="alice", **more):
    """Return the arguments of a person's action on the game."""
    return {
        "slug": cast.slug,
        "user_id": cast.user_id(name),
        "now": timezone.now(),
        **more,
    }


def player(table, name="alice", **more):
    """Return the arguments of a person's action on the open phase."""
    return person(table, name, sequence=phase().sequence, **more)


def master(table, **more):
    return player(table, "charlie", reason="The players asked for it.", **more)


def ask(table):
    Game.objects.update(master_id=table.alice)
    return player(table, question=Question.END_PHASE, terms=Terms(reason="Everyone is away."))


def make_due(adjudicate_after=dt.timedelta()):
    now = timezone.now()
    Phase.objects.filter(processed_at=None).update(
        opens_at=now, due_at=now, adjudicate_at=now + adjudicate_after
    )
    return {"now": now}


def claim(table):
    now = make_due()["now"]
    key = claim_phase(game_id=table.game_id, owner="x", now=now)
    return {"phase_id": key, "owner": "x", "now": now}


def join(forming):
    join_game(**person(forming, "bob"))


def invite(forming):
    lobby_actions.invite(name="Charlie", **person(forming))


def seat_bot_in_the_middle(table):
    Seat.objects.filter(user=table.alice).update(user=None, bot="hold")
    return {"phase_id": phase().pk, "now": timezone.now()}


def leave_alone(table):
    Seat.objects.exclude(user=table.alice).update(user=None, bot="hold")
    return player(table)


def let_bot_think(table):
    Seat.objects.filter(user=table.alice).update(user=None, bot="level:3")
    move_bots(phase_id=phase().pk, now=timezone.now())
    return {"owner": "x", "now": timezone.now()}


def pause(table):
    ballot(table, "bob", call_vote(table, "alice", "pause", length=HOUR))
    return {"now": timezone.now() + 2 * HOUR}


def let_vote_expire(table):
    vote = call_vote(table, "alice", "draw")
    return {"now": vote.closes_at + HOUR}


def suspend(table):
    suspend_game(game_id=table.game_id, reason="x", now=timezone.now())


def stopping(table, *_):
    return {"game_id": table.game_id, "now": timezone.now()}


def resign(table):
    seats_actions.resign(**person(table, "bob"))
    return "TURKEY"


def roll_back(table):
    due(table)
    rollback.roll_back(**master(table), to=1)


def agree_on_quiet_time(table):
    row = game()
    options = row.options.to_json()
    row.options = {
        **options,
        "press": "rulebook",
        "talk": {**options["talk"], "writing": 300},
    }
    row.save()


def finish_talking(table):
    agree_on_quiet_time(table)
    deadlines_actions.finish_talking(**player(table))


def draft(table):
    new_draft(**(player(table) | {"name": "Other"}), copy=True)


def wait_for_muster(people):
    """Let two people wait a day in a next game; return the arguments of what one of them does."""
    now = timezone.now()
    open_missing(now=now)
    slug = NextGame.objects.get(waiting=True).game.slug
    for name in ("alice", "bob"):
        join_game(slug=slug, user_id=people[name], now=now)
    later = now + 24 * HOUR
    return {"slug": slug, "user_id": people["alice"], "now": later}


def open_muster(people):
    arguments = wait_for_muster(people)
    tend_next_games(now=arguments["now"])
    return arguments


def await_worker(people):
    arguments = wait_for_muster(people)
    return {"game_id": NextGame.objects.get(waiting=True).pk, "now": arguments["now"]}


def expel(table):
    expel_player(**person(table, "bob"), decided_by="a moderator", reason="Abuse.")


def after(prepare, arguments):
    """Return a function that prepares a game and then makes the arguments of an action."""

    def make(table):
        result = prepare(table)
        return arguments(table, result) if result is not None else arguments(table)

    return make


LOBBY = {
    "create_game": lambda cast: {
        "creator_id": cast.bob,
        "now": timezone.now(),
        "slug": "bbbbbbbbbb",
        "code": "letmein222",
        "seed": "x",
    },
    "add_bot": lambda cast: person(cast, bot="hold"),
    "cancel_game": person,
    "mark_ready": lambda cast: person(cast, ready=True),
    "join_game": lambda cast: person(cast, "bob"),
    "leave_game": after(join, lambda cast: person(cast, "bob")),
    "start_game": person,
    "invite": lambda cast: {**person(cast), "name": "Charlie"},
    "withdraw_invitation": after(invite, lambda cast: person(cast, invited_id=cast.charlie)),
    "dismiss": after(
        join, lambda cast: person(cast, seat_id=Seat.objects.get(user_id=cast.bob).pk)
    ),
}
RUNNING = {
    "ask_hint": leave_alone,
    "advance": lambda table: {"game_id": table.game_id, "owner": "x", **make_due()},
    "cast_ballot": after(
        lambda table: call_vote(table, "alice", "draw"),
        lambda table, vote: player(table, "bob", vote_id=vote.pk, yes=True),
    ),
    "change_time": lambda table: master(table, question=Question.EXTEND, length=HOUR, key="k"),
    "claim_phase": lambda table: {"game_id": table.game_id, "owner": "x", **make_due()},
    "close_expired_votes": let_vote_expire,
    "color_country": lambda table: person(table, color=""),
    "credit_outage": lambda table: {
        "away_at": timezone.now() + HOUR,
        "back_at": timezone.now() + 5 * HOUR,
    },
    "add_orders": lambda table: player(table, choices=["A VIE - GAL"]),
    "adopt_orders": lambda table: (
        player(table, orders=[Hold(unit) for unit in phase().position.units]) | {"name": "Map"}
    ),
    "drop_draft": after(draft, lambda table: player(table) | {"name": "Other"}),
    "end_emergency": after(
        lambda table: pause_for_emergency(**stopping(table), length=3 * HOUR), stopping
    ),
    "end_pauses": pause,
    "ask_players": ask,
    "expel_player": lambda table: {
        **person(table, "bob"),
        "decided_by": "a moderator",
        "reason": "After a report.",
    },
    "freeze_game": lambda table: {"slug": table.slug, "now": timezone.now()},
    "leave_all_games": lambda table: {
        "user_id": table.bob,
        "removed": False,
        "now": timezone.now(),
    },
    "finish_talking": after(agree_on_quiet_time, player),
    "force_phase": lambda table: master(table, key="k"),
    "lock_due_phases": lambda table: make_due(HOUR),
    "lock_phase": lambda table: {"phase_id": phase().pk, **make_due(HOUR)},
    "make_live": after(draft, lambda table: player(table) | {"name": "Other"}),
    "move_bots": seat_bot_in_the_middle,
    "think_for_bots": let_bot_think,
    "name_country": lambda table: person(table, country="Elbonia"),
    "new_draft": lambda table: player(table, copy=True) | {"name": "Other"},
    "open_vote": lambda table: player(table, question=Question.CANCEL, terms=Terms()),
    "pause_for_emergency": lambda table: {**stopping(table), "length": 3 * HOUR},
    "preview_results": master,
    "process_phase": claim,
    "reinstate_player": after(
        expel,
        lambda table: {
            "slug": table.slug,
            "user_id": table.bob,
            "since": timezone.now() - 24 * HOUR,
            "now": timezone.now(),
        },
    ),
    "remove_player": lambda table: master(table, power="TURKEY"),
    "rename_draft": after(draft, lambda table: player(table) | {"name": "Other", "new_name": "B"}),
    "reprimand": lambda table: master(table, power="TURKEY"),
    "resign": person,
    "resume_game": after(suspend, lambda table: {"slug": table.slug, "now": timezone.now()}),
    "resume_talking": after(finish_talking, player),
    "roll_back": after(due, lambda table, _: master(table, to=1)),
    "roll_forward": after(roll_back, master),
    "save_conditional_orders": after(
        due, lambda table, _: player(table, text="if two gained: A VIE, A BUD")
    ),
    "save_orders": lambda table: player(table, choices=["A VIE - GAL"], sheet=""),
    "seat_bot": after(resign, lambda table, power: master(table, power=power, bot="hold")),
    "get_receipt": after(
        lambda table: save_orders(**player(table, choices=["A VIE - GAL"], sheet="")),
        lambda table, *_: player(table),
    ),
    "set_ready": player,
    "store_tallies": lambda table: {"slug": table.slug, "tallies": {}},
    "unfreeze_game": after(
        lambda table: freeze_game(slug=table.slug, now=timezone.now()),
        lambda table, *_: {"slug": table.slug, "now": timezone.now()},
    ),
    "suspend_game": lambda table: {
        "game_id": table.game_id,
        "reason": "x",
        "now": timezone.now(),
    },
    "take_seat": after(
        lambda table: Game.objects.update(master_id=None) and resign(table),
        lambda table, power: person(table, "charlie", power=power),
    ),
    "try_again": after(suspend, lambda table: master(table, key="k")),
    "unset_ready": after(lambda table: set_ready(**player(table)), player),
    "vote_with_orders": lambda table: player(table, vote="draw"),
    "withdraw_vote": after(
        lambda table: call_vote(table, "alice", "draw"),
        lambda table, vote: player(table, vote_id=vote.pk),
    ),
}
"""For each action, a function that prepares a game and returns the action's arguments."""
NEXT_GAMES = {
    "confirm": open_muster,
    "end_wait": await_worker,
    "extend_musters": lambda people: {
        "away_at": open_muster(people)["now"],
        "back_at": timezone.now() + 48 * HOUR,
    },
    "start_with_bots": wait_for_muster,
    "tend_next_games": lambda people: {"now": wait_for_muster(people)["now"]},
}
LOCKS_NO_GAME = {"create_game", "claim_phase"}
"""A new game needs no lock, and the claim of a phase is one statement."""


def test_the_locks_of_every_action_are_tested():
    known = READERS | OF_GUESTS | OF_PEOPLE | OF_TEMPLATES | OF_SITE | OF_MODERATORS
    known |= set(OF_RATINGS)
    assert set(ACTIONS) - known == {*LOBBY, *RUNNING, *NEXT_GAMES}


@pytest.mark.parametrize("name", [*LOBBY, *RUNNING, *NEXT_GAMES])
def test_actions_lock_the_game_first(name, request, plan, settings):
    if name in NEXT_GAMES:
        settings.NEXT_GAMES = True
        arguments = NEXT_GAMES[name](request.getfixturevalue("people"))
    elif name in LOBBY:
        arguments = LOBBY[name](request.getfixturevalue("forming"))
    else:
        arguments = RUNNING[name](request.getfixturevalue("table"))
    if name == "create_game":
        arguments["plan"] = plan
    with record_locks() as recorder:
        ACTIONS[name](**arguments)
    assert recorder.faults == []
    assert (recorder.games_locked > 0) == (name not in LOCKS_NO_GAME)


@pytest.mark.parametrize("name", OF_RATINGS)
def test_actions_on_ratings_lock_these_first_and_no_game(table, name):
    Game.objects.update(rated=True)
    finish_game(game(), Ending(("TURKEY",), "Turkey won."), timezone.now())
    arguments = OF_RATINGS[name](table)
    with record_locks() as recorder:
        ACTIONS[name](**arguments)
    assert recorder.games_locked == 0
    first, *others = recorder.faults
    assert first == f"locks {RatingKind._meta.db_table} before the game"
    assert {fault for fault in others if fault.startswith("locks ")} <= {first}


def test_only_one_module_takes_locks():
    games = ROOT / "src/diplomaccloud/games"
    modules = {
        str(path.relative_to(games))
        for path in games.rglob("*.py")
        if "select_for_update" in path.read_text()
    }
    # `log` locks the figures of people, which games share, last, and events, which nobody
    # else changes, and no game after them; it never waits for these, as it skips rows that are
    # locked. `guests` locks a game and then the guest who owns it, when nobody else can reach
    # either. `ratings` locks only its own rows, before all else, and no game. `next_game` locks a
    # template; `_withdraw_empty` says why this may come before its game or after it. A migration
    # locks one game at a time.
    known = {
        *("table/lock.py", "table/log.py", "guests/actions.py", "ratings/actions.py"),
        *("next_game/actions.py", "migrations/0002_late_draws.py"),
    }
    assert modules == known


def test_no_action_has_a_transaction_without_retries():
    sources = (ROOT / "src/diplomaccloud/games").rglob("*.py")
    assert [path for path in sources if "@transaction.atomic" in path.read_text()] == []


def test_the_recorder_finds_faults(table):
    key = phase().pk
    with record_locks() as recorder:
        with transaction.atomic():
            list(Game.objects.select_for_update().filter(phases=key))
        with transaction.atomic():
            list(Phase.objects.select_for_update().order_by())
            list(Game.objects.select_for_update())
        with transaction.atomic():
            Seat.objects.update(country="")
            list(Game.objects.select_for_update())
        Game.objects.update(world="")
    assert [fault.partition(":")[0] for fault in recorder.faults] == [
        "locks several tables",
        "locks a phase after nothing",
        "locks a game after ['games_phase']",
        "writes before it locks the game",
        "writes outside a transaction",
    ]
