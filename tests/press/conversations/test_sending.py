"""Sending messages in a game: who gets them, how they are numbered, one answer for each key."""

import datetime as dt

import pytest
from tests.games.steps import asked, over_budget
from tests.press.people import SECOND, new_key

from diplomaccloud.games.deadlines.read import read_clock
from diplomaccloud.games.seats.read import read_seats
from diplomaccloud.games.table.errors import NoSuchGame, NotYourSeat
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.conversations.actions import SentTo, mark_read
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.table.actions import CLOSED
from diplomaccloud.press.table.addresses import EVERYONE, NOTES, parse_address, seats_address
from diplomaccloud.press.table.errors import (
    KeyReused,
    NoSuchConversation,
    PressClosed,
    TooManyMessages,
)
from diplomaccloud.press.table.models import Conversation, Message, Send
from diplomaccloud.press.table.rules import Why

SEND_QUERIES = 10


def test_a_message_to_one_is_read_by_two(talking):
    talking.send("FRANCE", "ENGLAND", "Channel?")
    assert talking.read("FRANCE", "ENGLAND") == talking.read("ENGLAND", "FRANCE") == ["Channel?"]
    assert talking.read("GERMANY", "ENGLAND") == []
    assert talking.reader("GERMANY").unread == 0
    assert talking.reader("ENGLAND").unread == 1
    assert talking.reader("FRANCE").unread == 0


def test_copies_show_nobody_else(talking):
    sent = talking.send("FRANCE", "ENGLAND+ITALY", "Peace?", mode="apart")
    assert sent.messages == (
        SentTo(seats_address(["ENGLAND"]), 1),
        SentTo(seats_address(["ITALY"]), 1),
    )
    assert talking.read("ENGLAND", "FRANCE") == ["Peace?"]
    assert talking.read("ENGLAND", "FRANCE+ITALY") == []


def test_a_group_has_one_conversation_for_good(talking):
    talking.send("FRANCE", "ENGLAND+ITALY", "One.")
    talking.send("ITALY", "ENGLAND+FRANCE", "Two.")
    assert talking.read("ENGLAND", "FRANCE+ITALY") == ["One.", "Two."]
    assert Conversation.objects.count() == 1


def test_everyone_who_sees_the_game_reads_what_is_public(talking):
    talking.send("FRANCE", EVERYONE, "To all.")
    for who in ("ITALY", "Morgan", "Sam", None):
        assert talking.read(who, EVERYONE) == ["To all."]


def test_the_same_key_sends_once_and_answers_alike(talking):
    key = new_key()
    first = talking.send("FRANCE", "ENGLAND+ITALY", "Once.", key=key, mode="apart")
    assert talking.send("FRANCE", "ENGLAND+ITALY", "Once.", key=key, mode="apart") == first
    assert Message.objects.count() == 2
    with pytest.raises(KeyReused):
        talking.send("FRANCE", "ENGLAND", "Other.", key=key)
    # Different people can use the same key.
    talking.send("ITALY", "ENGLAND", "Other.", key=key)


def test_a_key_answers_also_once_talk_is_closed(talking):
    talking.agree(press="rulebook")
    key = new_key()
    first = talking.send("FRANCE", "ENGLAND", "Once.", key=key)
    late = talking.phase.due_at
    assert talking.send("FRANCE", "ENGLAND", "Once.", key=key, now=late) == first
    with pytest.raises(PressClosed, match=CLOSED[Why.ORDERS_CLOSED]):
        talking.send("FRANCE", "ENGLAND", "Late.", now=late)


@pytest.mark.parametrize("to", ["FRANCE", "ENGLAND", "ENGLAND+ITALY", "gray", "table"])
def test_strangers_find_no_conversation(talking, to):
    with pytest.raises((NoSuchConversation, NotYourSeat)):
        talking.send("Sam", to)
    with pytest.raises(NoSuchConversation):
        talking.reader("Sam").conversation(parse_address(to))


def test_a_stranger_cannot_write_to_everyone(talking):
    with pytest.raises(NotYourSeat, match="Only the players"):
        talking.send("Sam", EVERYONE)
    game = talking.game
    game.private = True
    game.save()
    for to in ("everyone", "FRANCE", "notes", "ENGLAND+ITALY"):
        with pytest.raises(NoSuchGame):
            talking.send("Sam", to)
        with pytest.raises(NoSuchGame):
            mark_read(
                user_id=talking.user_id("Sam"), slug=talking.slug, to=parse_address(to), up_to=1
            )


@pytest.mark.parametrize("to", ["FRANCE", "NOWHERE", "ENGLAND+NOWHERE", "FRANCE+ITALY"])
def test_an_address_that_does_not_name_others_is_none(talking, to):
    with pytest.raises(NoSuchConversation):
        talking.send("FRANCE", to)


def test_notes_are_read_by_nobody_else(talking):
    talking.send("FRANCE", NOTES, "Trust nobody.")
    assert talking.read("FRANCE", NOTES) == ["Trust nobody."]
    assert talking.read("ENGLAND", NOTES) == talking.read("Morgan", NOTES) == []


def test_the_game_master_talks_with_each_seat(talking):
    talking.send("FRANCE", "game-master", "A question.")
    talking.send("Morgan", "FRANCE", "An answer.")
    both = ["A question.", "An answer."]
    assert talking.read("FRANCE", "game-master") == talking.read("Morgan", "FRANCE") == both
    assert talking.read("ENGLAND", "game-master") == []
    with pytest.raises(NoSuchConversation):
        talking.send("Morgan", "FRANCE+ITALY")


def test_thirty_messages_a_minute(talking):
    for _ in range(10):
        talking.send("FRANCE", "ENGLAND+ITALY+RUSSIA", mode="apart", now=talking.now)
    with pytest.raises(TooManyMessages):
        talking.send("FRANCE", "ENGLAND", now=talking.now)
    assert Send.objects.count() == 10
    talking.send("ENGLAND", "FRANCE", now=talking.now)


def test_a_send_asks_little(talking):
    lookups = 5  # queries for the sender by the test itself
    for press in ("full", "rulebook"):
        talking.agree(press=press)
        for to in ("ENGLAND", "ENGLAND+ITALY", "everyone", "notes", "game-master"):
            most = SEND_QUERIES + (3 if press == "full" else 0)  # 3 for a new conversation
            first = asked(lambda to=to: talking.send("FRANCE", to))
            assert len(first) - lookups <= most, "\n".join([press, to, *first])
            for who in ("FRANCE", "ENGLAND", "ITALY"):
                if to == "everyone":
                    talking.send(who, to)
            again = asked(lambda to=to: talking.send("FRANCE", to))
            assert len(again) - lookups <= SEND_QUERIES, "\n".join([press, to, *again])


def test_a_message_a_second_after_quiet_time_began_is_late(talking):
    talking.agree(press="rulebook", writing=300)
    quiet = talking.reader("FRANCE").state.quiet_from
    talking.send("FRANCE", "ENGLAND", "In time.", now=quiet - SECOND)
    with pytest.raises(PressClosed, match="Quiet time"):
        talking.send("FRANCE", "ENGLAND", "Late.", now=quiet + SECOND)
    summary = talking.reader("FRANCE", now=quiet).conversation(parse_address("ENGLAND")).summary
    assert (summary.is_writable, summary.why) == (False, Why.QUIET)


def test_many_addressees_that_the_game_does_not_have(talking):
    with pytest.raises(NoSuchConversation):
        talking.send("FRANCE", "+".join(sorted(f"POWER{number}" for number in range(300))))


READS = {
    "a conversation": (5, lambda talking: talking.read("ENGLAND", "FRANCE")),
    "everyone": (5, lambda talking: talking.read("ENGLAND", "everyone")),
    "the list": (5, lambda talking: talking.reader("ENGLAND").conversations),
    "addressees": (3, lambda talking: talking.reader("ENGLAND").addressees),
}
LOOKUPS = 2
"""The test's own reads of a viewer."""


def test_reads_ask_as_much_with_many_messages(talking):
    counts = []
    for count in (3, 80):
        talking.now += dt.timedelta(hours=2)
        for number in range(count):
            to = ("ENGLAND", "ENGLAND+ITALY", "everyone", "ENGLAND+RUSSIA")[number % 4]
            talking.send("FRANCE", to, now=talking.now + dt.timedelta(minutes=number))
        counts.append({})
        for name, (_, read) in READS.items():
            read(talking)
            counts[-1][name] = len(asked(lambda read=read: read(talking))) - LOOKUPS
    assert counts[0] == counts[1]
    assert not over_budget({name: most for name, (most, _) in READS.items()}, counts[1])


def test_the_panel_of_the_game_page_asks_three_times(talking):
    talking.send("FRANCE", "ENGLAND")
    talking.send("ITALY", EVERYONE)
    game_reader = Reader(talking.slug, Viewer(talking.user_id("ENGLAND")))
    assert all((game_reader.phase, read_clock(game_reader), read_seats(game_reader)))

    def read():
        reader = PressReader.on_page(game_reader)
        return reader.unread, reader.conversations, reader.addressees

    read()
    assert len(asked(read)) == 3
