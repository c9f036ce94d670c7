"""Messages and other events of press become notices: once, for the right people, masked."""

import json

import pytest
from django.db import connection  # noqa: F401 - for the condition of a mark
from django.urls import reverse
from tests.notices.steps import deliver_all
from tests.press.deals import answer, peace, propose, terms
from tests.press.people import new_key, public

from diplomaccloud.accounts.backends import NumberingBackend
from diplomaccloud.accounts.models import OutgoingMail, User
from diplomaccloud.notices import consumer
from diplomaccloud.notices.bell import MAX_COUNTED, build_counter, count_new, list_notices
from diplomaccloud.notices.delivery import KEEP_FOR, prune_notices
from diplomaccloud.notices.kinds import DIGEST_DELAY, Group, NoticeKind
from diplomaccloud.notices.models import Delivery, Destination, Notice
from diplomaccloud.notices.preferences import save_choices
from diplomaccloud.press.conversations import actions as conversations_actions
from diplomaccloud.press.conversations.actions import (
    block_person,
    mark_read,
    mute_conversation,
    publish_gray,
)
from diplomaccloud.press.personal.actions import send_personal
from diplomaccloud.press.table.addresses import parse_address
from diplomaccloud.press.table.events import PressEventKind, record_press_event
from diplomaccloud.press.table.models import Membership, Message, PressEvent, Send
from diplomaccloud.press.table.rules import QUARTER


@pytest.fixture
def table(talking):
    """The game of seven, without the notices of its start."""
    return talking


def announce(table):
    while consumer.consume_press(now=table.now):
        pass


def titles(table, who):
    lines = list_notices(table.user_id(who), page=1, now=table.now).lines
    return [line.text.title for line in lines]


def kinds(table, who):
    return list(Notice.objects.filter(user=table.user_id(who)).values_list("kind", flat=True))


def add(table, who, channel, **values):
    return Destination.objects.create(
        user_id=table.user_id(who),
        channel=channel,
        address=f"https://{channel}.example/{who}",
        digest=f"{channel} {who}",
        origin="https://games.example",
        created_at=table.now,
        confirmed_at=table.now,
        **values,
    )


def mute_seat(table, who, power):
    conversations_actions.mute_seat(
        slug=table.slug, user_id=table.user_id(who), power=power, muted=True, now=table.now
    )


def test_a_message_reaches_its_readers_and_nobody_else(table):
    table.send("ITALY", "FRANCE+GERMANY", "A secret plan.")
    announce(table)
    assert titles(table, "FRANCE") == ["Message from Italy in Grand 1"]
    assert kinds(table, "GERMANY") == ["message"]
    for other in ("ITALY", "RUSSIA", "Morgan", "Sam"):
        assert kinds(table, other) == []
    line = list_notices(table.user_id("FRANCE"), page=1, now=table.now).lines[0]
    assert line.is_new
    assert "plan" not in line.text.body
    assert line.text.path == reverse("press:conversation", args=[table.slug, "GERMANY+ITALY"])


def test_one_notice_stands_for_a_conversation_until_it_is_read(table):
    for _ in range(3):
        table.send("ITALY", "FRANCE")
        announce(table)
    assert titles(table, "FRANCE") == ["3 messages from Italy in Grand 1"]
    assert count_new(table.user_id("FRANCE")) == 1
    table.mark("FRANCE", parse_address("ITALY"), 3)
    assert count_new(table.user_id("FRANCE")) == 0
    table.send("ITALY", "FRANCE")
    announce(table)
    assert len(kinds(table, "FRANCE")) == 2
    assert count_new(table.user_id("FRANCE")) == 1


def mark_unread(table, who, to, number):
    conversations_actions.mark_unread(
        user_id=table.user_id(who), slug=table.slug, to=parse_address(to), from_number=number
    )


def test_marking_as_unread_announces_nothing_and_the_next_message_gives_one_notice(table):
    france = table.user_id("FRANCE")
    add(table, "FRANCE", "email")
    for number in (1, 2):
        table.send("ITALY", "FRANCE")
        announce(table)
        table.mark("FRANCE", parse_address("ITALY"), number)
    for again in (2, 1):
        mark_unread(table, "FRANCE", "ITALY", again)
        announce(table)
        assert table.reader("FRANCE").unread == 3 - again
        assert (len(kinds(table, "FRANCE")), count_new(france)) == (2, 0)
        assert not any(line.is_new for line in list_notices(france, page=1, now=table.now).lines)
    deliver_all(table.now + DIGEST_DELAY)
    assert not OutgoingMail.objects.exists()
    for _ in range(2):
        table.send("ITALY", "FRANCE")
        announce(table)
        assert (len(kinds(table, "FRANCE")), count_new(france)) == (3, 1)
    assert table.reader("FRANCE").unread == 4
    table.mark("FRANCE", parse_address("ITALY"), 4)
    assert count_new(france) == 0
    table.send("ITALY", "FRANCE")
    announce(table)
    assert (len(kinds(table, "FRANCE")), count_new(france)) == (4, 1)


def test_a_message_that_was_read_and_marked_before_its_notice_gives_none(table):
    table.send("ITALY", "FRANCE")
    table.mark("FRANCE", parse_address("ITALY"), 1)
    mark_unread(table, "FRANCE", "ITALY", 1)
    announce(table)
    assert kinds(table, "FRANCE") == []
    assert table.reader("FRANCE").unread == 1


def test_personal_messages_are_announced_after_marking_as_unread(table):
    def write():
        table.tick()
        send_personal(
            user_id=table.user_id("Sam"),
            to=table.name_of("FRANCE"),
            body="Hello.",
            key=new_key(),
            now=table.now,
        )
        announce(table)

    france = table.user_id("FRANCE")
    write()
    mark_read(user_id=france, to="Sam", up_to=1)
    conversations_actions.mark_unread(user_id=france, to="Sam", from_number=1)
    assert count_new(france) == 0
    write()
    assert (kinds(table, "FRANCE"), count_new(france)) == (["personal"] * 2, 1)


def test_what_was_read_before_makes_no_notice(table):
    table.send("ITALY", "FRANCE")
    table.mark("FRANCE", parse_address("ITALY"), 1)
    announce(table)
    assert kinds(table, "FRANCE") == []


def test_public_and_gray_messages_are_one_kind_and_gray_ones_name_nobody(table):
    table.agree(gray=True)
    public(table, "ITALY")
    table.send("ITALY", "gray", "Guess.")
    announce(table)
    assert kinds(table, "ITALY") == []
    assert titles(table, "Morgan") == ["Message from Italy to everyone in Grand 1"]
    assert not Send.objects.filter(kind="gray", unnoticed__in=[True]).exists()
    publish_gray(now=table.now + QUARTER)
    announce(table)
    assert kinds(table, "ITALY") == []
    assert titles(table, "FRANCE")[0] == "Gray message in Grand 1"


def test_mutes_give_no_notice(table):
    table.send("ITALY", "FRANCE")
    mute_conversation(
        user_id=table.user_id("FRANCE"),
        slug=table.slug,
        to=parse_address("ITALY"),
        muted=True,
        now=table.now,
    )
    mute_seat(table, "GERMANY", "ITALY")
    table.send("ITALY", "FRANCE")
    table.send("ITALY", "GERMANY")
    public(table, "ITALY")
    announce(table)
    assert kinds(table, "FRANCE") == ["public"]
    assert kinds(table, "GERMANY") == []


def test_a_mute_before_the_delivery_stops_it(table):
    add(table, "FRANCE", "push")
    table.send("ITALY", "FRANCE")
    announce(table)
    mute_seat(table, "FRANCE", "ITALY")
    deliver_all(table.now)
    assert Delivery.objects.get().state == "dropped"


def test_a_block_counts_in_named_games_and_not_in_anonymous_ones(table):
    block_person(
        user_id=table.user_id("FRANCE"),
        name=table.seat("ITALY").user.screen_name,
        blocked=True,
        now=table.now,
    )
    table.send("ITALY", "FRANCE")
    announce(table)
    assert kinds(table, "FRANCE") == []
    table.agree(anonymous=True)
    table.send("ITALY", "FRANCE")
    announce(table)
    assert kinds(table, "FRANCE") == ["message"]


def test_an_anonymous_game_names_countries_only(table):
    table.agree(anonymous=True)
    table.send("ITALY", "FRANCE")
    announce(table)
    notice = Notice.objects.get()
    name = table.seat("ITALY").user.screen_name
    assert titles(table, "FRANCE") == ["Message from Italy in Grand 1"]
    assert name not in f"{titles(table, 'FRANCE')} {notice.data} {notice.key}"


def test_a_successor_hears_nothing_of_what_came_before(table):
    table.send("ITALY", "FRANCE")
    table.resign("FRANCE")
    table.send("ITALY", "FRANCE", "While it is vacant.")
    table.take("Sam", "FRANCE")
    announce(table)
    assert kinds(table, "Sam") == []
    table.send("ITALY", "FRANCE")
    announce(table)
    assert kinds(table, "Sam") == ["message"]


def test_notes_and_the_senders_own_messages_are_no_news(table):
    table.send("ITALY", "notes", "For me.")
    announce(table)
    assert not Notice.objects.exists()


def test_the_channels_follow_the_table_of_the_specification(table):
    ways = {name: add(table, "FRANCE", name) for name in ("push", "email", "slack")}
    table.send("ITALY", "FRANCE")
    announce(table)
    rows = {row.destination_id: row.due_at for row in Delivery.objects.all()}
    assert rows == {ways["push"].pk: table.now, ways["email"].pk: table.now + DIGEST_DELAY}
    Delivery.objects.all().delete()
    public(table, "ITALY")
    announce(table)
    rows = {row.destination_id: row.due_at for row in Delivery.objects.all()}
    assert rows == {ways["slack"].pk: table.now, ways["email"].pk: table.now + DIGEST_DELAY}


@pytest.mark.parametrize("channel", ["push", "slack", "discord", "webhook"])
def test_every_channel_that_has_messages_gets_one_for_each_conversation(table, channel):
    add(table, "FRANCE", channel)
    save_choices(
        user_id=table.user_id("FRANCE"),
        on=[(NoticeKind.MESSAGE, Group.PUSH), (NoticeKind.MESSAGE, Group.CHAT)],
    )
    for author in ("ITALY", "ITALY", "GERMANY"):
        table.send(author, "FRANCE")
        announce(table)
    assert Delivery.objects.count() == 2
    table.mark("FRANCE", parse_address("ITALY"), 2)
    table.send("ITALY", "FRANCE")
    announce(table)
    assert Delivery.objects.count() == 3


def test_mail_waits_and_is_dropped_once_the_message_was_read(table):
    add(table, "FRANCE", "email")
    table.send("ITALY", "FRANCE")
    announce(table)
    assert deliver_all(table.now) == 0
    table.mark("FRANCE", parse_address("ITALY"), 1)
    deliver_all(table.now + DIGEST_DELAY)
    assert Delivery.objects.get().state == "dropped"
    assert not OutgoingMail.objects.exists()


@pytest.mark.parametrize("with_text", [False, True])
def test_text_is_quoted_only_if_the_person_wants_that(table, monkeypatch, with_text):
    sent = []
    monkeypatch.setattr(
        "diplomaccloud.notices.channels.send_push",
        lambda _endpoint, _keys, text, **_more: sent.append(text),
    )
    add(table, "FRANCE", "push", secret={"p256dh": "", "auth": ""})
    save_choices(
        user_id=table.user_id("FRANCE"),
        on=[(NoticeKind.MESSAGE, Group.PUSH)],
        with_text=with_text,
    )
    table.send("ITALY", "FRANCE", "Burgundy?")
    announce(table)
    deliver_all(table.now)
    assert [text.title for text in sent] == ["Message from Italy in Grand 1"]
    assert [text.body for text in sent] == ["Burgundy?" if with_text else ""]


def test_personal_messages_have_notices_too(table):
    sender, reader = User.objects.get(username="Sam"), User.objects.get(username="Morgan")
    send_personal(
        user_id=sender.pk, to=reader.screen_name, body="Hello.", key=new_key(), now=table.now
    )
    announce(table)
    assert titles(table, "Morgan") == ["Message from Sam"]
    assert kinds(table, "Sam") == []
    line = list_notices(reader.pk, page=1, now=table.now).lines[0]
    assert line.text.path == reverse("press:personal", args=["Sam"])


def test_other_features_record_events_once(table):
    table.send("ITALY", "FRANCE")
    message = Message.objects.get()
    for _ in range(2):
        record_press_event(
            PressEventKind.PROPOSAL_ANSWERED,
            key="proposal 1 FRANCE",
            user_ids=[table.user_id("ITALY"), table.user_id("RUSSIA")],
            game_id=table.game_id,
            message=message,
            data={"answer": "accepted"},
            now=table.now,
        )
        announce(table)
    assert titles(table, "ITALY") == ["A proposal was accepted in Grand 1"]
    assert kinds(table, "RUSSIA") == [], "Russia cannot read the message"
    assert not PressEvent.objects.filter(waiting__in=[True]).exists()


def test_events_are_deleted_with_their_old_notices_but_not_while_they_wait(table):
    for key in ("handled", "waiting"):
        record_press_event(
            PressEventKind.OPENING, key=key, user_ids=[table.user_id("ITALY")], now=table.now
        )
        if key == "handled":
            announce(table)
    prune_notices(now=table.now + KEEP_FOR)
    assert PressEvent.objects.count() == 2
    prune_notices(now=table.now + KEEP_FOR + QUARTER)
    assert list(PressEvent.objects.values_list("key", flat=True)) == ["waiting"]
    assert not Notice.objects.exists()


def test_the_number_on_the_bell_costs_the_same_with_years_of_notices(table):
    person = table.user_id("FRANCE")
    table.send("ITALY", "FRANCE")
    announce(table)
    membership = Membership.objects.get(user=person).pk
    for number in range(400):
        # Every other one is about messages that were read on their page, not in the list.
        about = {"membership_id": membership, "number": 0} if number % 2 else {}
        Notice.objects.create(
            user_id=person,
            kind="message" if about else "result",
            key=f"old {number}",
            created_at=table.now,
            useful_until=table.now,
            **about,
        )
    assert count_new(person) == MAX_COUNTED + 1 + 1
    Notice.objects.filter(membership=None).update(read_at=table.now)
    assert count_new(person) == 1
    user = NumberingBackend().get_user(person)
    assert user.new_notices == 1


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="servers scan tables of few rows")
def test_the_number_on_the_bell_is_found_by_indexes(table):
    plan = User.objects.filter(pk=1).values_list(build_counter(1)).explain()
    for index in ("notice_news", "notice_talk", "membership_unread"):
        assert index in plan, plan
    assert "SCAN notices" not in plan


def test_proposals_and_their_answers_are_announced_as_such(table):
    parties = ("ENGLAND", "FRANCE", "ITALY")
    several = terms([peace(*parties)], parties=parties)
    number = propose(table, "FRANCE", "ENGLAND+ITALY", several)
    announce(table)
    assert titles(table, "ITALY") == ["Proposal from France in Grand 1"]
    answer(table, "ITALY", "ENGLAND+FRANCE", number)
    announce(table)
    assert titles(table, "FRANCE") == ["A proposal was answered in Grand 1"]
    answer(table, "ENGLAND", "FRANCE+ITALY", number, "refuse")
    announce(table)
    assert titles(table, "FRANCE")[0] == "A proposal was refused in Grand 1"
    pair = ("GERMANY", "RUSSIA")
    propose(table, "GERMANY", "everyone", terms([peace(*pair)], parties=pair))
    announce(table)
    assert "Proposal from Germany to everyone in Grand 1" in titles(table, "RUSSIA")


@pytest.mark.parametrize(
    ("kind", "data", "title"),
    [
        (PressEventKind.LOOKED_AT, {}, "The game master read some of your messages in Grand 1"),
        (
            PressEventKind.LOOKED_AT,
            {"by": "moderator"},
            "A moderator read some of your messages in Grand 1",
        ),
        (PressEventKind.REPORT_WAITING, {}, "A report is waiting for a decision"),
        (PressEventKind.REPORT_DECIDED, {}, "Your report was decided"),
        (PressEventKind.JUDGED, {"decision": "warning"}, "You were warned after a report"),
        (PressEventKind.JUDGED, {"decision": "limited"}, "Your press was limited after a report"),
        (PressEventKind.JUDGED, {"decision": "banned"}, "You were banned after a report"),
        (PressEventKind.OPENING, {}, "A conversation in Grand 1 was opened to everyone"),
    ],
)
def test_each_event_has_words(table, kind, data, title):
    record_press_event(
        kind,
        key="once",
        user_ids=[table.user_id("ITALY")],
        game_id=table.game_id,
        path="/somewhere/",
        data=data,
        now=table.now,
    )
    announce(table)
    assert titles(table, "ITALY") == [title]


def test_a_failure_leaves_everything_waiting(table, monkeypatch):
    table.send("ITALY", "FRANCE")

    def fail(*_args, **_options):
        raise ZeroDivisionError

    monkeypatch.setattr(consumer, "mark_press_handled", fail)
    with pytest.raises(ZeroDivisionError):
        announce(table)
    assert not Notice.objects.exists()
    monkeypatch.undo()
    announce(table)
    announce(table)
    assert kinds(table, "FRANCE") == ["message"]


def test_a_notice_stores_no_text_and_no_name(table):
    table.send("ITALY", "FRANCE", "Burgundy?", subject="Plan")
    announce(table)
    row = json.dumps(list(Notice.objects.values("key", "kind", "data")))
    for secret in ("Burgundy", "Plan", "ITALY", table.seat("ITALY").user.screen_name):
        assert secret not in row
