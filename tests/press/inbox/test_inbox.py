"""Messages over all games: the inbox, what was sent, unread counts, search and export."""

import datetime as dt
import json

import pytest
from django.utils import timezone
from tests.games.steps import asked, over_budget
from tests.press.people import new_key

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import NoSuchPlayer
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.conversations.actions import (
    block_person,
    hide_message,
    mark_read,
    mark_unread,
    mute_conversation,
    mute_seat,
)
from diplomaccloud.press.inbox.read import count_unread, export, read_inbox, read_sent, search
from diplomaccloud.press.personal.actions import accept_personal, send_personal
from diplomaccloud.press.personal.read import read_personal
from diplomaccloud.press.table.addresses import EVERYONE, NOTES, parse_address
from diplomaccloud.press.table.errors import PressClosed, TooManyMessages

WEEKS = dt.timedelta(weeks=2)


def viewer(talking, who):
    return Viewer(talking.user_id(who))


def inbox(talking, who, **more):
    page = read_inbox(viewer(talking, who), **more)
    return [(str(row.address), row.unread) for row in page.entries]


def write(talking, who, to, body="Hello there.", *, key="", now=None):
    return send_personal(
        user_id=talking.user_id(who),
        to=to,
        body=body,
        key=key or new_key(),
        now=now or talking.tick(),
    )


def talk_personally(talking, who, to, **more):
    found = read_personal(viewer(talking, who), to, now=timezone.now(), **more)
    return [message.body for message in found.messages]


def test_the_newest_conversation_comes_first(talking):
    talking.send("FRANCE", "ENGLAND", "One.")
    talking.send("ITALY", "ENGLAND+FRANCE", "Two.")
    talking.send("FRANCE", EVERYONE, "Three.")
    assert inbox(talking, "ENGLAND") == [("everyone", 1), ("FRANCE+ITALY", 1), ("FRANCE", 1)]
    assert inbox(talking, "FRANCE") == [("everyone", 0), ("ENGLAND+ITALY", 1), ("ENGLAND", 0)]
    assert inbox(talking, "Sam") == []
    assert count_unread(viewer(talking, "ENGLAND")) == 3


def test_pages_of_the_inbox_leave_out_nothing_that_was_sent_at_once(talking):
    talking.send("FRANCE", "AUSTRIA+ENGLAND+GERMANY+ITALY+RUSSIA", mode="apart")
    talking.send("FRANCE", "TURKEY")
    found, cursor = [], ""
    while True:
        page = read_inbox(viewer(talking, "FRANCE"), cursor=cursor, limit=2)
        found += [str(row.address) for row in page.entries]
        cursor = page.cursor
        if not cursor:
            break
    assert found[0] == "TURKEY"
    assert sorted(found[1:]) == ["AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA"]


CURSORS = [
    *("x", "2026-01-01~1", "9" * 500, "~", "2026-01-01T00:00:00+00:00~x"),
    *("2026-01-01T00:00:00+00:00~-1", "2026-01-01T00:00:00+00:00~-100"),
    *("2026-01-01T00:00:00+00:00~999999999", "0001-01-01T00:00:00+14:00~0"),
]


def test_a_damaged_cursor_is_the_first_page(talking):
    talking.send("FRANCE", "ENGLAND")
    for cursor in CURSORS:
        assert inbox(talking, "ENGLAND", cursor=cursor) == [("FRANCE", 1)]
        sent = read_sent(viewer(talking, "FRANCE"), cursor=cursor)
        assert len(sent.entries) == 1


def test_what_was_sent_is_listed_once_with_its_copies(talking):
    talking.send("FRANCE", "ENGLAND+ITALY", "Peace?", mode="apart", subject="Plans")
    talking.send("FRANCE", NOTES, "Lies.")
    write(talking, "FRANCE", "Sam")
    entries = read_sent(viewer(talking, "FRANCE")).entries
    assert [[copy.place or copy.person for copy in row.copies] for row in entries] == [
        ["Sam"],
        ["notes"],
        ["ENGLAND", "ITALY"],
    ]
    assert entries[2].subject == "Plans"
    assert read_sent(viewer(talking, "ENGLAND")).entries == ()


def test_marks_move_unread_messages_and_stay_with_the_person(talking):
    for number in range(5):
        talking.send("FRANCE", "ENGLAND", f"Number {number}.")
    talking.send("ENGLAND", "FRANCE", "Enough.")
    person = {"user_id": talking.user_id("ENGLAND"), "slug": talking.slug}
    to = parse_address("FRANCE")
    mark_read(**person, to=to, up_to=3)
    assert talking.reader("ENGLAND").unread == 2
    mark_read(**person, to=to, up_to=1)
    assert talking.reader("ENGLAND").unread == 2
    hide_message(**person, to=to, number=5)
    assert talking.reader("ENGLAND").unread == 1
    mark_unread(**person, to=to, from_number=2)
    facts = talking.reader("ENGLAND").conversation(to)
    assert (facts.read, facts.summary.unread, facts.count) == (1, 3, 6)
    assert [message.number for message in facts.messages] == [1, 2, 3, 4, 6]
    mark_read(**person, to=to, up_to=99)
    assert talking.reader("ENGLAND").unread == 0
    assert len(talking.read("FRANCE", "ENGLAND")) == 6
    mute_conversation(**person, to=to, muted=True, now=timezone.now())
    talking.send("FRANCE", "ENGLAND", "Hello?")
    assert talking.reader("ENGLAND").unread == 0
    assert count_unread(viewer(talking, "ENGLAND")) == 0
    assert inbox(talking, "ENGLAND") == [("FRANCE", 1)]


def test_a_muted_seat_counts_nowhere_until_it_changes_hands(talking):
    mute_seat(
        slug=talking.slug,
        user_id=talking.user_id("ENGLAND"),
        power="FRANCE",
        muted=True,
        now=timezone.now(),
    )
    talking.send("FRANCE", "ENGLAND", "Loud.")
    (message,) = talking.reader("ENGLAND").conversation(parse_address("FRANCE")).messages
    assert (message.muted, talking.reader("ENGLAND").unread) == (True, 0)
    talking.resign("FRANCE")
    talking.take("Sam", "FRANCE")
    talking.send("FRANCE", "ENGLAND", "I am new.")
    assert talking.reader("ENGLAND").unread == 1


def test_search_finds_what_the_person_can_read(talking):
    talking.send("FRANCE", "ENGLAND", "The password is Trafalgar.")
    talking.send("FRANCE", NOTES, "trafalgar again")
    talking.send("FRANCE", EVERYONE, "Nothing.", subject="Trafalgar")
    assert [hit.summary.place for hit in search(viewer(talking, "FRANCE"), "TRAFALGAR")] == [
        "everyone",
        "notes",
        "ENGLAND",
    ]
    assert len(search(viewer(talking, "ENGLAND"), "trafalgar")) == 2
    for who in ("GERMANY", "Morgan"):
        hits = search(viewer(talking, who), "trafalgar")
        assert [hit.summary.place for hit in hits] == ["everyone"]
    assert search(viewer(talking, "Sam"), "trafalgar") == ()
    assert search(viewer(talking, "FRANCE"), "x" * 101) == ()


def test_an_export_holds_what_the_person_can_read_and_no_more(talking):
    talking.send("FRANCE", "ENGLAND", "Secret ☃.")
    talking.send("FRANCE", EVERYONE, "Public.")
    lines = [json.loads(line) for line in export(viewer(talking, "ENGLAND"))]
    assert [(line["conversation"], line["author"], line["text"]) for line in lines] == [
        ("FRANCE", "FRANCE", "Secret ☃."),
        ("everyone", "FRANCE", "Public."),
    ]
    assert [json.loads(line)["text"] for line in export(viewer(talking, "ITALY"))] == ["Public."]
    assert list(export(viewer(talking, "Sam"))) == []


def test_personal_messages_are_between_two(talking):
    key = new_key()
    assert write(talking, "Sam", "Morgan", "Hi!", key=key) == 1
    assert write(talking, "Sam", "morgan", "Hi!", key=key) == 1
    assert write(talking, "Morgan", "Sam", "Hi.") == 2
    assert talk_personally(talking, "Sam", "Morgan") == ["Hi!", "Hi."]
    assert talk_personally(talking, "Morgan", "sam") == ["Hi!", "Hi."]
    assert count_unread(viewer(talking, "Sam")) == 1
    mark_read(user_id=talking.user_id("Sam"), to="Morgan", up_to=2)
    assert count_unread(viewer(talking, "Sam")) == 0
    for name in ("Nobody", "Sam"):
        with pytest.raises(NoSuchPlayer):
            write(talking, "Sam", name)


def test_a_block_reads_like_a_person_who_takes_no_messages(talking):
    said = []
    for refuse in (
        lambda: block_person(
            user_id=talking.user_id("Morgan"), name="Sam", blocked=True, now=timezone.now()
        ),
        lambda: accept_personal(user_id=talking.user_id("Morgan"), accepted=False),
    ):
        refuse()
        with pytest.raises(PressClosed) as caught:
            write(talking, "Sam", "Morgan")
        said.append(str(caught.value))
        block_person(
            user_id=talking.user_id("Morgan"), name="Sam", blocked=False, now=timezone.now()
        )
    assert said[0] == said[1]


def test_players_of_a_named_game_cannot_go_around_its_rule(talking):
    name = User.objects.get(pk=talking.user_id("ENGLAND")).username
    talking.agree(press="public")
    with pytest.raises(PressClosed):
        write(talking, "FRANCE", name)
    talking.agree(press="public", anonymous=True)
    write(talking, "FRANCE", name)
    talking.agree(press="public", anonymous=False)
    talking.finish()
    write(talking, "FRANCE", name)


def test_new_accounts_write_to_few_new_people(talking):
    people = [User.objects.create(username=f"other{n}").username for n in range(6)]
    for name in people[:5]:
        write(talking, "Sam", name)
    write(talking, "Sam", people[0])
    with pytest.raises(TooManyMessages):
        write(talking, "Sam", people[5])
    User.objects.filter(username="Sam").update(date_joined=timezone.now() - WEEKS)
    write(talking, "Sam", people[5])


READS = {
    "inbox": (5, lambda talking: read_inbox(viewer(talking, "ENGLAND"))),
    "sent": (5, lambda talking: read_sent(viewer(talking, "FRANCE"))),
    "unread": (1, lambda talking: count_unread(viewer(talking, "ENGLAND"))),
}


def test_lists_ask_as_much_with_many_messages(talking):
    counts = []
    for count in (3, 40):
        talking.now += dt.timedelta(hours=2)
        for number in range(count):
            to = ("ENGLAND", "ENGLAND+ITALY", "everyone")[number % 3]
            talking.send("FRANCE", to, now=talking.now + dt.timedelta(minutes=number))
        talking.now += dt.timedelta(minutes=count)
        write(talking, "FRANCE", User.objects.get(pk=talking.user_id("ENGLAND")).username)
        people = len(asked(lambda: viewer(talking, "ENGLAND")))
        counts.append({})
        for name, (_, read) in READS.items():
            read(talking)
            counts[-1][name] = len(asked(lambda read=read: read(talking))) - people
    assert counts[0] == counts[1]
    assert not over_budget({name: most for name, (most, _) in READS.items()}, counts[1])
