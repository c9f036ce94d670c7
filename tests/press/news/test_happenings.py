"""Events about messages: which messages have reached a person, and how the database finds them."""

import pytest
from django.db import connection
from django.db.models import Exists, OuterRef, Q
from django.test.utils import CaptureQueriesContext
from tests.press.deals import answer, peace, propose, terms
from tests.press.page.test_query_counts import find_scans

from diplomaccloud.press.news.read import count_answers, count_messages, list_happenings
from diplomaccloud.press.table.models import Conversation, Membership, Message

NUMBERS = "COVERING INDEX sqlite_autoindex_press_message_1 (conversation_id=?)"
"""The index of the constraint `message_number` on SQLite."""
EARLIER = 300
"""How many conversations of the person are in other games."""


def list_reached(talking, user_id):
    """Return when the messages that reached the person were sent, found row by row."""
    reached = Membership.objects.filter(
        Q(last=None) | Q(last__gte=OuterRef("number")),
        user=user_id,
        conversation=OuterRef("conversation"),
        since__lte=OuterRef("number"),
    )
    rows = Message.objects.filter(Exists(reached), conversation__game=talking.game_id)
    rows = rows.exclude(send__author=user_id).order_by("pk")
    return list(rows.values_list("at", flat=True))


def list_new(talking, user_id, messages, limit=100):
    found, _ = list_happenings(talking.game_id, user_id, messages=messages, answers=0, limit=limit)
    return [happening.at for happening in found]


def test_messages_reach_their_readers_in_order_and_from_any_position(talking):
    england, sam = talking.user_id("ENGLAND"), talking.user_id("Sam")
    for who, to in (
        ("FRANCE", "ENGLAND"),
        ("ENGLAND", "FRANCE"),
        ("GERMANY", "FRANCE"),
        ("ITALY", "everyone"),
        ("FRANCE", "ENGLAND+ITALY"),
        ("ENGLAND", "notes"),
    ):
        talking.send(who, to)
    talking.resign("ENGLAND")
    talking.send("FRANCE", "ENGLAND", "Are you there?")
    talking.take(sam, "ENGLAND")
    talking.send("FRANCE", "ENGLAND", "Welcome.")
    talking.send(sam, "FRANCE", "Thanks.")
    talking.send("ITALY", "everyone")
    people = [england, sam, *map(talking.user_id, ("FRANCE", "GERMANY", "ITALY", "Morgan"))]
    for person in people:
        reached = list_reached(talking, person)
        assert count_messages(talking.game_id, person) == len(reached)
        for place in range(len(reached) + 2):
            assert list_new(talking, person, place) == reached[place:]
            assert list_new(talking, person, place, 2) == reached[place : place + 2]
    assert [len(list_reached(talking, person)) for person in people] == [3, 2, 5, 2, 1, 2]


@pytest.fixture
def busy(talking):
    """England has talked in this game, and in hundreds of conversations elsewhere."""
    england = talking.user_id("ENGLAND")
    number = propose(talking, "FRANCE", "ENGLAND", terms([peace()]))
    answer(talking, "ENGLAND", "FRANCE", number)
    talking.send("FRANCE", "ENGLAND")
    Conversation.objects.bulk_create(
        Conversation(kind="personal", key=f"earlier {number}", last=9, last_at=talking.now)
        for number in range(EARLIER)
    )
    earlier = Conversation.objects.filter(key__startswith="earlier")
    Membership.objects.bulk_create(
        Membership(conversation=row, user_id=england, first=1, since=1) for row in earlier
    )
    return talking


def capture(*tasks):
    """Return the statements of these tasks."""
    with CaptureQueriesContext(connection) as captured:
        for task in tasks:
            task()
    return [query["sql"] for query in captured]


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="servers scan tables of few rows")
def test_events_are_found_by_indexes_of_their_conversations(busy):
    game, person = busy.game_id, busy.user_id("ENGLAND")
    asked = capture(
        lambda: list_happenings(game, person, messages=0, answers=0, limit=9),
        lambda: count_messages(game, person),
        lambda: count_answers(game, person),
    )
    for statement in asked:
        assert not find_scans(statement), statement
    plans = "\n".join(map(explain, asked))
    assert "membership_unread" not in plans, plans
    for index in ("membership_reader (conversation_id=? AND user_id=?)", NUMBERS, "send_limits"):
        assert index in plans, plans


def explain(statement):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
        return "\n".join(row[3] for row in cursor.fetchall())


def test_a_listener_who_has_everything_sorts_no_messages(busy):
    person = busy.user_id("ENGLAND")
    messages = count_messages(busy.game_id, person)
    assert messages == 2
    asked = capture(lambda: list_new(busy, person, messages))
    assert not [sql for sql in asked if "press_message" in sql.partition("ORDER BY")[2]], asked
    assert len(list_new(busy, person, messages - 1)) == 1
