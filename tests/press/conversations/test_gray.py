"""Gray messages: without an author, published every quarter of an hour in random order."""

import datetime as dt
import random

import pytest
from django.utils import timezone
from tests.press.people import new_key

from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.conversations.actions import block_person, mute_seat, publish_gray
from diplomaccloud.press.inbox.read import count_unread, read_sent, search
from diplomaccloud.press.news.read import find_new_messages
from diplomaccloud.press.table.addresses import GRAY
from diplomaccloud.press.table.errors import KeyReused, NoSuchConversation, PressClosed
from diplomaccloud.press.table.models import Message, Send, WaitingMessage

QUARTER = dt.timedelta(minutes=15)


@pytest.fixture
def gray(talking):
    talking.agree(gray=True)
    return talking


def publish(at, seed=1):
    return publish_gray(now=at, rng=random.Random(seed))


def test_a_game_without_gray_messages_has_none(talking):
    with pytest.raises(NoSuchConversation):
        talking.send("FRANCE", GRAY)
    with pytest.raises(NoSuchConversation):
        talking.reader("FRANCE").conversation(GRAY)


def test_a_gray_message_waits_and_is_published_unsigned(gray):
    key = new_key()
    sent = gray.send("FRANCE", GRAY, "Psst.", key=key, subject="A rumor")
    assert gray.send("FRANCE", GRAY, "Psst.", key=key, subject="A rumor") == sent
    with pytest.raises(KeyReused):
        gray.send("FRANCE", GRAY, "Other.", key=key)
    assert gray.read("FRANCE", GRAY) == []
    (waiting,) = gray.reader("FRANCE").conversation(GRAY).waiting
    assert (waiting.body, waiting.published_at) == ("Psst.", sent.published_at)
    assert gray.reader("ENGLAND").conversation(GRAY).waiting == ()
    assert publish(sent.published_at - dt.timedelta(seconds=1)) == 0
    assert publish(sent.published_at) == 1
    assert publish(sent.published_at) == 0
    for who in ("FRANCE", "ENGLAND", "Sam", None):
        (message,) = gray.reader(who).conversation(GRAY).messages
        author = message.author
        assert (author.kind, author.power, author.name, author.is_you) == (
            "unsigned",
            "",
            "",
            False,
        )
        assert (message.subject, message.at) == ("A rumor", sent.published_at)
    assert gray.reader("ENGLAND").unread == 1
    assert gray.reader("FRANCE").unread == 0
    row = Message.objects.get()
    assert (row.author_id, row.seat_id, row.tenure_id) == (None, None, None)


def test_nothing_about_one_who_wrote_gray_can_be_seen_by_others(gray):
    before = [gray.reader(who).conversations for who in ("ENGLAND", "Sam")]
    gray.send("FRANCE", GRAY, "Psst.")
    assert [gray.reader(who).conversations for who in ("ENGLAND", "Sam")] == before


def test_a_mute_or_a_block_does_not_name_who_wrote_gray(gray):
    """If one reader's count stayed the same, that reader would know the author."""
    france, england, italy = (gray.user_id(power) for power in ("FRANCE", "ENGLAND", "ITALY"))
    mute_seat(slug=gray.slug, user_id=england, power="FRANCE", muted=True, now=timezone.now())
    block_person(user_id=italy, name=gray.name_of("FRANCE"), blocked=True, now=timezone.now())
    gray.send("FRANCE", GRAY, "Psst.")
    gray.send("GERMANY", GRAY, "Psst.")
    publish(gray.now + QUARTER)
    sends = list(Send.objects.values_list("pk", flat=True))
    announced = [message.user for message in find_new_messages(sends)]
    for person in (england, italy):
        assert count_unread(Viewer(person)) == 2
        assert announced.count(person) == 2
    assert announced.count(france) == 1


def test_the_order_is_random_and_the_numbers_have_no_gaps(gray):
    orders = set()
    at = gray.now
    for seed in range(4):
        for number in range(5):
            gray.send("FRANCE", GRAY, str(number), now=at)
        at += QUARTER
        assert publish(at, seed) == 5
        rows = list(Message.objects.order_by("-number")[:5])
        orders.add(tuple(row.body for row in reversed(rows)))
    assert len(orders) > 1
    assert list(Message.objects.values_list("number", flat=True)) == list(range(1, 21))


def test_no_end_of_a_game_stops_a_message_that_was_accepted(gray):
    gray.agree(press="rulebook", gray=True)
    gray.send("FRANCE", GRAY, "Psst.")
    gray.finish()
    assert publish(gray.now + QUARTER) == 1
    assert gray.read("Sam", GRAY) == ["Psst."]


def test_gray_messages_follow_the_rule_of_public_ones(gray):
    gray.agree(press="rulebook", gray=True)
    with pytest.raises(PressClosed):
        gray.send("FRANCE", GRAY, now=gray.phase.due_at)
    gray.agree(press="none", gray=True)
    with pytest.raises(NoSuchConversation):
        gray.send("FRANCE", GRAY)
    assert not WaitingMessage.objects.exists()


def test_the_author_finds_it_among_what_was_sent(gray):
    gray.send("FRANCE", GRAY, "Psst.")
    viewer = Viewer(gray.user_id("FRANCE"))
    (entry,) = read_sent(viewer).entries
    assert entry.published_at is not None
    publish(gray.now + QUARTER)
    (entry,) = read_sent(viewer).entries
    assert (entry.body, entry.published_at) == ("Psst.", None)
    assert search(Viewer(gray.user_id("ENGLAND")), "psst")[0].message.author.name == ""


def test_the_background_publishes_them(gray):
    from diplomaccloud.worker.threads import BackgroundThread

    gray.send("FRANCE", GRAY, "Psst.", now=timezone.now() - QUARTER)
    BackgroundThread().run_once()
    assert gray.read(None, GRAY) == ["Psst."]
