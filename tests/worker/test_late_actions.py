"""Actions that wait for the lock while their phase is resolved are rejected with an explanation."""

import inspect

import pytest
from django.apps import apps
from django.db import transaction
from django.utils import timezone
from tests.games.all_actions import ACTIONS
from tests.worker.separate_site import make_games, wait_for_lock_waits

from diplomaccloud.accounts.models import User
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.table.lock import NOTHING_CHANGED
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import claim_phase
from diplomaccloud.games.turn.turn import process_phase
from diplomaccloud.games.votes.actions import open_vote
from diplomaccloud.games.votes.wording import Question, Terms

PLAYERS = {
    "add_orders": "Your orders were not saved.",
    "save_orders": "Your orders were not saved.",
    "get_receipt": "There is no new receipt.",
    "set_ready": "You were not marked as ready",
    "unset_ready": "You were ready when it ended.",
    "new_draft": "Your drafts were not changed.",
    "rename_draft": "Your drafts were not changed.",
    "make_live": "Your drafts were not changed.",
    "drop_draft": "Your drafts were not changed.",
    "adopt_orders": "Your drafts were not changed.",
    "save_conditional_orders": "Your conditional orders were not saved.",
    "vote_with_orders": "Your vote was not counted.",
    "open_vote": "The vote was not opened.",
    "cast_ballot": "Your vote was not counted.",
    "withdraw_vote": "The vote was not withdrawn.",
    "finish_talking": NOTHING_CHANGED,
    "resume_talking": NOTHING_CHANGED,
    "ask_hint": NOTHING_CHANGED,
}
"""The answer to each."""
MASTERS = (
    "ask_players",
    "change_time",
    "force_phase",
    "preview_results",
    "remove_player",
    "reprimand",
    "seat_bot",
    "roll_back",
    "roll_forward",
    "try_again",
)
ABOUT_A_PLAYER = ("remove_player", "reprimand", "seat_bot")


def test_every_action_on_a_phase_is_tested():
    verbs = {
        name
        for name, verb in ACTIONS.items()
        if {"user_id", "sequence"} <= set(inspect.signature(verb).parameters)
    }
    assert verbs == {*PLAYERS, *MASTERS}


@pytest.mark.real_database
def test_actions_that_wait_while_the_phase_is_resolved_are_too_late(site, tmp_path):
    started = timezone.now()
    ((slug, (maker, other)),) = make_games(1, now=started).items()
    master = User.objects.create(username="master").pk
    Game.objects.update(master_id=master)
    known = {"slug": slug, "sequence": 1}
    for user in (maker, other):
        save_orders(**known, user_id=user, choices=[], sheet="", now=started)
    motion = open_vote(
        **known,
        user_id=maker,
        question=Question.DRAW,
        terms=Terms(),
        now=started,
    )
    more = {
        "cast_ballot": {"user_id": other, "vote_id": motion.pk},
        "withdraw_vote": {"vote_id": motion.pk},
        **{
            act: {"power": Game.objects.get().seats.get(user=other).power} for act in ABOUT_A_PLAYER
        },
    }
    due = timezone.now()
    Phase.objects.update(due_at=due, adjudicate_at=due)
    key = claim_phase(game_id=Game.objects.get().pk, owner="test", now=due)
    with transaction.atomic():
        Game.objects.select_for_update().get()
        assert process_phase(phase_id=key, owner="test", now=due)
        waiting = []
        for act in (*PLAYERS, *MASTERS):
            person = {"user_id": master if act in MASTERS else maker}
            form = {**known, **person, **more.get(act, {})}
            waiting.append(
                site.start("waiter", act, form, started.isoformat(), str(tmp_path / act))
            )
        wait_for_lock_waits(len(waiting))
        before = read_all_rows()
    for pid in waiting:
        site.wait(pid)
    for act in (*PLAYERS, *MASTERS):
        answer = (tmp_path / act).read_text()
        assert answer.startswith("DeadlinePassed: Spring 1901, Movement was resolved on "), act
        assert PLAYERS.get(act, NOTHING_CHANGED) in answer
        assert answer.endswith(" It is now Fall 1901, Movement."), act
    assert read_all_rows() == before


def read_all_rows():
    """Return the rows of all tables of games."""
    tables = apps.get_app_config("games").get_models()
    return {table.__name__: list(table.objects.order_by("pk").values()) for table in tables}
