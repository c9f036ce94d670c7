"""Every action of press on a game locks the game first, and only then writes."""

import importlib
import inspect

import pytest
from django.apps import apps
from tests.games.table import test_lock_order as of_games
from tests.games.table.test_lock_order import LockRecorder
from tests.press.deals import answer, peace, propose, terms
from tests.press.documents.test_documents import show
from tests.press.maps.test_maps import Table
from tests.press.moderation.test_reports import decide, report
from tests.press.people import new_key

from diplomaccloud.accounts.models import User
from diplomaccloud.games.models import Game, Seat
from diplomaccloud.games.seats.actions import seat_bot
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.press.documents.actions import digest_of_text
from diplomaccloud.press.moderation import actions as judgment
from diplomaccloud.press.moderation.models import AuditEntry, Case
from diplomaccloud.press.openings.actions import agree_to_open
from diplomaccloud.press.proposals.models import PendingReply, PendingTalk
from diplomaccloud.press.proposals.wording import Answer
from diplomaccloud.press.reports.read import copy_evidence
from diplomaccloud.press.table.addresses import EVERYONE, GRAY, MapPlace, parse_address

ENGLAND, FRANCE = parse_address("ENGLAND"), parse_address("FRANCE")
ROOMS = (
    *("bots", "conversations", "documents", "inspection", "ledger", "maps", "moderation"),
    *("openings", "personal", "proposals", "reports"),
)
OUTSIDE_GAMES = {
    *("accept_personal", "appoint_moderator", "block_person", "send_personal"),
    # Tested with the pauses and stops, and with the reports of texts, which belong to no game.
    *("assign_waiting_cases", "judge_text", "pause_games", "report_text", "stop_game"),
    "close_ledgers",  # one statement about games that ended long ago
}
LOCKED_AGAIN = {"add_map_orders": 3, "adopt_map": 2, "answer_for_bots": 2}
"""How often the game is locked by actions within which other actions lock it once more."""


def of_person(talking, who="ENGLAND", **more):
    return {"slug": talking.slug, "user_id": talking.user_id(who), **more}


def over(talking, **more):
    """Return the arguments of an action on a game that is over, in which England has agreed."""
    talking.finish()
    agree_to_open(**of_person(talking, to={FRANCE: 1}, now=talking.now))
    return of_person(talking, **more)


def prepare_gray(talking):
    talking.agree(gray=True)
    sent = talking.send("FRANCE", GRAY)
    return {"now": sent.published_at}


def prepare_map(talking):
    table = Table(talking)
    number = table.make("ENGLAND", table.move("LON", "NTH"))
    return of_person(talking, place=MapPlace(number), now=talking.now)


def prepare_answer(talking):
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    return of_person(talking, to=FRANCE, number=number, answer=Answer.ACCEPT, now=talking.now)


def prepare_bot(talking):
    talking.resign("ENGLAND")
    seat_bot(
        **of_person(talking, "Morgan", power="ENGLAND", bot="greedy", now=talking.now),
        sequence=talking.phase.sequence,
        reason="England is away.",
    )
    propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    return {"now": PendingReply.objects.get().due_at}


def prepare_talk(talking):
    now = prepare_bot(talking)["now"]
    seat = Seat.objects.get(power="ENGLAND")
    PendingTalk.objects.create(phase=talking.phase, seat=seat, due_at=now)
    return {"now": now}


def prepare_ledger(talking):
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    answer(talking, "ENGLAND", "FRANCE", number)
    at = talking.phase.adjudicate_at
    assert advance(game_id=talking.game_id, owner="test", now=at)
    return {"now": at}


def prepare_document(talking, who, to, **more):
    number = show(talking, "FRANCE", "ENGLAND", text="We divide Belgium.")
    return of_person(talking, who, to=to, number=number, now=talking.now, **more)


def prepare_report(talking):
    return of_person(
        talking,
        to=FRANCE,
        evidence=copy_evidence(talking.reader("ENGLAND"), FRANCE, 1),
        grounds="abuse",
        now=talking.now,
    )


def prepare_case(talking, *, is_taken=True, **more):
    """Return the arguments of a moderator's action on a case about a message of France."""
    Game.objects.update(master=None)
    mina = User.objects.create(username="Mina", moderator=True)
    key = report(talking, "ENGLAND", "FRANCE", 1)
    if is_taken:
        judgment.take_case(user_id=mina.pk, key=key, now=talking.now)
    return {"user_id": mina.pk, "key": key, "now": talking.now, **more}


def prepare_annulment(talking):
    Game.objects.update(master=None, rated=True)
    mina = User.objects.create(username="Mina", moderator=True)
    over(talking)
    known = {"slug": talking.slug, "user_id": mina.pk, "now": talking.now}
    return known | {"annulled": True, "reason": "One person played two countries."}


def prepare_appeal(talking):
    case = prepare_case(talking, is_taken=False)
    decide(talking, "Mina", case["key"], "warning")
    return {**case, "user_id": talking.user_id("FRANCE"), "text": "I was kind."}


def prepare_look(talking):
    talking.agree(master_reads=True)
    return of_person(
        talking,
        "Morgan",
        to=parse_address("ENGLAND+FRANCE"),
        reason="A complaint.",
        now=talking.now,
    )


ACTIONS = {
    "send_message": lambda talking: of_person(
        talking, to=FRANCE, body="Hello.", key=new_key(), now=talking.now
    ),
    "mark_read": lambda talking: of_person(talking, to=FRANCE, up_to=1),
    "mark_unread": lambda talking: of_person(talking, "FRANCE", to=EVERYONE, from_number=1),
    "hide_message": lambda talking: of_person(talking, to=FRANCE, number=1),
    "mute_conversation": lambda talking: of_person(talking, to=FRANCE, muted=True, now=talking.now),
    "mute_seat": lambda talking: of_person(talking, power="FRANCE", muted=True, now=talking.now),
    "publish_gray": prepare_gray,
    "agree_to_open": lambda talking: over(talking, to={FRANCE: 1}, now=talking.now),
    "withdraw_consent": lambda talking: over(talking, to=FRANCE),
    "make_map": lambda talking: of_person(
        talking, content=Table(talking).content(), now=talking.now
    ),
    "add_map_orders": prepare_map,
    "adopt_map": prepare_map,
    "answer_proposal": prepare_answer,
    "answer_for_bots": prepare_bot,
    "talk_for_bots": prepare_talk,
    "judge_deals": prepare_ledger,
    "look_at_conversation": prepare_look,
    "change_document": lambda talking: prepare_document(
        talking, "FRANCE", ENGLAND, text="Changed."
    ),
    "sign_document": lambda talking: prepare_document(
        talking, "ENGLAND", FRANCE, digest=digest_of_text("We divide Belgium.")
    ),
    "report_message": prepare_report,
    "report_player": lambda talking: of_person(
        talking, power="FRANCE", grounds="accounts", now=talking.now
    ),
    "appeal_decision": prepare_appeal,
    "take_case": lambda talking: prepare_case(talking, is_taken=False),
    "return_case": prepare_case,
    "inspect_case": lambda talking: prepare_case(talking, what="conversation", reason="To see."),
    "annul_game": prepare_annulment,
    "decide_case": lambda talking: prepare_case(
        talking, outcome="limited", days=7, reason="Be kind.", owner="test"
    ),
}
"""For each action, a function that prepares a game and returns the action's arguments."""


def list_actions():
    """Return the functions that change press, by their names; all their arguments are named."""
    modules = [importlib.import_module(f"diplomaccloud.press.{room}.actions") for room in ROOMS]
    return {
        name: value
        for module in modules
        for name, value in inspect.getmembers(module, inspect.isfunction)
        if value.__module__ == module.__name__ and not name.startswith("_") and has_names(value)
    }


def has_names(function):
    parameters = list(inspect.signature(function).parameters.values())
    return bool(parameters) and all(one.kind is one.KEYWORD_ONLY for one in parameters)


def test_a_moderator_who_is_dismissed_returns_each_case_under_the_lock_of_its_game(
    talking, monkeypatch
):
    tables = {model._meta.db_table for model in apps.get_app_config("press").get_models()}
    monkeypatch.setattr(of_games, "GAME_TABLES", of_games.GAME_TABLES | tables)
    # Writing the audit does not need a lock on a game.
    monkeypatch.setattr(of_games, "GAME_TABLES", of_games.GAME_TABLES - {AuditEntry._meta.db_table})
    talking.send("FRANCE", ENGLAND)
    case = prepare_case(talking)
    with of_games.record_locks() as recorder:
        judgment.appoint_moderator(name="Mina", appointed=False, by=None, now=talking.now)
    person = User._meta.db_table
    (fault,) = recorder.faults
    assert fault.startswith(f"locks {person} ")
    assert recorder.games_locked == 2
    row = Case.objects.get(key=case["key"])
    assert (row.taken_by, row.assigned_to) == (None, None)


def test_the_locks_of_every_action_are_tested():
    assert set(list_actions()) - OUTSIDE_GAMES == set(ACTIONS)


@pytest.mark.parametrize("name", ACTIONS)
def test_actions_lock_the_game_first(talking, name, monkeypatch):
    tables = {model._meta.db_table for model in apps.get_app_config("press").get_models()}
    monkeypatch.setattr(of_games, "GAME_TABLES", of_games.GAME_TABLES | tables)
    talking.send("FRANCE", ENGLAND)
    talking.send("ITALY", EVERYONE)
    arguments = ACTIONS[name](talking)
    with of_games.record_locks() as recorder:
        list_actions()[name](**arguments)
    assert isinstance(recorder, LockRecorder)
    assert recorder.faults == []
    assert recorder.games_locked == LOCKED_AGAIN.get(name, 1)
