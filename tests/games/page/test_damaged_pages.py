"""A game with damaged data says so on its own pages, in plain words; none of them crashes."""

import logging

import pytest
from django.db import transaction
from django.utils import timezone

from diplomaccloud.games.conditional_orders.actions import save_conditional_orders
from diplomaccloud.games.orders.actions import save_orders, set_ready
from diplomaccloud.games.record.read import is_damaged
from diplomaccloud.games.results.read import decoded_phases
from diplomaccloud.games.statistics import page as statistics
from diplomaccloud.games.table.log_models import Event, LogEntry, RecordLine
from diplomaccloud.games.table.models import Game, Seat, StoredRules, find_rules
from diplomaccloud.games.table.phase_models import ConditionalOrders, OrderRow, Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.actions import open_vote
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.maps.library import load_named, load_recent
from diplomaccloud.maps.models import StoredChart

NONSENSE = [{"v": "nonsense"}, [7], "nonsense"]
DAMAGE = [
    *[(Game.objects.all, column, NONSENSE) for column in ("options", "coins", "ending")],
    *[
        (lambda: Phase.objects.filter(sequence=2), column, values)
        for column, values in {
            "position": NONSENSE,
            "civil_disorder": NONSENSE,
            "name": ["nonsense", ""],
            "map_hash": ["nonsense"],
        }.items()
    ],
    (lambda: Phase.objects.filter(sequence=1), "results", NONSENSE),
    (StoredRules.objects.all, "rules", NONSENSE),
    (Seat.objects.all, "colors", NONSENSE),
    (lambda: Seat.objects.filter(power="AUSTRIA"), "power", ["nonsense"]),
    (OrderRow.objects.all, "canonical", NONSENSE),
    (ConditionalOrders.objects.all, "canonical", [*NONSENSE, {"plans": {"AUSTRIA": "nonsense"}}]),
    (LogEntry.objects.all, "data", NONSENSE),
    (Event.objects.all, "data", NONSENSE),
    (Vote.objects.all, "data", NONSENSE),
    (Vote.objects.all, "kind", ["nonsense"]),
    (StoredChart.objects.all, "text", ["{}", "nonsense"]),
    (RecordLine.objects.all, "text", ["nonsense", ""]),
]
PAGES = ("", "log/", "receipts/", "phases/1/", "state/")
SENTENCE = "This page needs data that cannot be read."


@pytest.fixture
def second_turn(cast):
    """The game in its second phase, with orders, conditional orders and a vote."""
    now = timezone.now()
    first, second = ({"slug": cast.slug, "sequence": sequence, "now": now} for sequence in (1, 2))
    save_orders(user_id=cast.alice, choices=["A VIE - GAL"], sheet="", **first)
    for player in (cast.alice, cast.bob):
        set_ready(user_id=player, **first)
    advance(game_id=cast.game_id, owner="test", now=now)
    save_orders(user_id=cast.alice, choices=["A GAL - RUM"], sheet="", **second)
    save_conditional_orders(user_id=cast.alice, text="if one gained: A VIE", **second)
    question = Question.CANCEL
    open_vote(user_id=cast.alice, question=question, terms=Terms(), **second)
    return cast


def forget_rows():
    """Forget what a process remembers of rows that never change."""
    decoded_phases.clear()
    statistics._views.clear()
    for remembered in (find_rules, load_recent, load_named):
        remembered.cache_clear()


def answers(cast, who):
    """Return the status and text of each page."""
    client = cast.client(who)
    client.raise_request_exception = False
    pages = {page: client.get(cast.url(page)) for page in PAGES}
    return {page: (got.status_code, got.content.decode()) for page, got in pages.items()}


@pytest.mark.long
@pytest.mark.every_database
def test_each_kind_of_damage_has_a_plain_sentence(second_turn):
    logging.disable(logging.CRITICAL)
    shown = set()
    for select, column, values in DAMAGE:
        for value in values:
            with transaction.atomic():
                select().update(**{column: value})
                forget_rows()
                for page, (status, text) in answers(second_turn, "alice").items():
                    where = (select().model.__name__, column, value, page)
                    assert status in {200, 302, 404, 503}, where
                    assert (status == 503) == (SENTENCE in text), where
                    shown.add(status)
                transaction.set_rollback(True)
    logging.disable(logging.NOTSET)
    forget_rows()
    assert {200, 503} <= shown


def test_a_record_can_be_had_although_the_options_are_damaged(second_turn):
    Game.objects.update(options=NONSENSE[0])
    forget_rows()
    answer = second_turn.client("alice").get(second_turn.url("record.jsonl"))
    assert answer.status_code == 200
    assert b'"kind":"open"' in b"".join(answer.streaming_content)


def test_an_error_of_the_site_is_not_called_damage(second_turn, monkeypatch):
    def fail(*_args, **_named):
        raise KeyError("a fault of the site")

    monkeypatch.setattr("diplomaccloud.games.page.views.game_page", fail)
    client = second_turn.client("alice")
    client.raise_request_exception = False
    page = client.get(second_turn.url())
    assert page.status_code == 500
    assert SENTENCE not in page.content.decode()


def test_a_sound_game_is_not_damaged(second_turn):
    assert not is_damaged(second_turn.slug)
    Vote.objects.update(data=7)
    assert is_damaged(second_turn.slug)
