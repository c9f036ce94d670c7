"""Seats that change hands: what successors, former holders and the game master can read."""

import datetime as dt
import json
import re

import pytest
from django.test import Client
from tests.press.people import new_key

from diplomaccloud.accounts.models import User
from diplomaccloud.games.lobby.actions import join_game, leave_game, start_game
from diplomaccloud.games.master.rollback import roll_back
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.errors import NotYourSeat
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.options import Successor
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.conversations.actions import (
    block_person,
    mark_read,
    mute_conversation,
    mute_seat,
)
from diplomaccloud.press.inbox.read import count_unread, export, read_inbox, search
from diplomaccloud.press.personal.actions import accept_personal
from diplomaccloud.press.table.addresses import EVERYONE, GAME_MASTER, NOTES, parse_address
from diplomaccloud.press.table.errors import NoSuchConversation, PressClosed
from diplomaccloud.press.table.models import Block, Membership, PressSettings, SeatMute
from diplomaccloud.press.table.state import load_holders, load_holders_of_seats

FRANCE, ENGLAND = parse_address("FRANCE"), parse_address("ENGLAND")


@pytest.fixture
def replaced(talking):
    """France wrote to England, was vacant for a message, and is now played by Sam."""
    talking.send("FRANCE", "ENGLAND", "Before.")
    talking.send("FRANCE", NOTES, "Mine.")
    talking.send("FRANCE", GAME_MASTER, "To the master.")
    talking.former = talking.user_id("FRANCE")
    talking.resign("FRANCE")
    talking.send("ENGLAND", "FRANCE", "Vacant.")
    talking.take("Sam", "FRANCE")
    return talking


def test_a_successor_reads_the_archive_and_what_came_while_the_seat_was_vacant(replaced):
    assert replaced.read("Sam", ENGLAND) == ["Before.", "Vacant."]
    assert replaced.reader("Sam").unread == 1
    assert count_unread(Viewer(replaced.user_id("Sam"))) == 1
    replaced.send("ENGLAND", "FRANCE", "Welcome.")
    assert replaced.read("Sam", ENGLAND) == ["Before.", "Vacant.", "Welcome."]
    assert replaced.reader("Sam").unread == 2
    page = read_inbox(Viewer(replaced.user_id("Sam")))
    assert [str(row.address) for row in page.entries] == ["ENGLAND"]


def test_what_came_while_the_seat_was_vacant_is_new_to_the_successor_until_it_is_opened(replaced):
    assert replaced.reader("Sam").conversation(ENGLAND).read == 1
    client = Client()
    client.force_login(User.objects.get(pk=replaced.user_id("Sam")))
    page = client.get(f"/games/{replaced.slug}/press/ENGLAND/").content.decode()
    assert "New messages" in page
    assert replaced.reader("Sam").unread == 0


def test_the_rules_say_what_a_successor_reads(talking):
    said = {}
    for successor in Successor:
        talking.agree(successor=successor.value)
        page = Client().get(f"/games/{talking.slug}/rules/").content.decode()
        said[successor] = re.search(r"takes over a seat can read ([^.]*)\.", page)[1]
    assert "earlier" in said[Successor.ARCHIVE]
    assert "new" in said[Successor.BLANK]


def test_a_successor_finds_the_archive_over_all_games_before_anyone_writes_again(talking):
    talking.send("FRANCE", "ENGLAND", "Before.")
    talking.send("ENGLAND", "FRANCE", "Not read by the player before.")
    talking.send("FRANCE", NOTES, "Mine.")
    talking.send("FRANCE", GAME_MASTER, "To the master.")
    former = talking.user_id("FRANCE")
    mute_conversation(user_id=former, slug=talking.slug, to=ENGLAND, muted=True, now=talking.now)
    talking.resign("FRANCE")
    talking.take("Sam", "FRANCE")
    archive = ["Before.", "Not read by the player before."]
    viewer = Viewer(talking.user_id("Sam"))
    (summary,) = read_inbox(viewer).entries
    assert (str(summary.address), summary.unread, summary.muted) == ("ENGLAND", 0, False)
    assert [json.loads(line)["text"] for line in export(viewer)] == archive
    assert len(search(viewer, "before")) == len(archive)
    assert count_unread(viewer) == 0
    former_lines = [json.loads(line)["text"] for line in export(Viewer(former))]
    assert former_lines == [*archive, "Mine.", "To the master."]


def test_a_mark_while_the_seat_was_vacant_breaks_no_list_of_the_successor(talking):
    """The mark writes a row for nobody; older versions wrote it without a time."""
    talking.send("FRANCE", "ENGLAND", "Before.")
    talking.send("FRANCE", "ITALY", "Older.", now=talking.now)
    talking.send("FRANCE", "ITALY", "Newer.")
    talking.resign("FRANCE")
    talking.mark("ENGLAND", FRANCE, 1)
    nobody = Membership.objects.filter(user=None, last=None)
    assert nobody.get().active_at is not None
    talking.take("Sam", "FRANCE")
    viewer = Viewer(talking.user_id("Sam"))
    for _ in range(2):
        whole = read_inbox(viewer)
        first = read_inbox(viewer, limit=1)
        second = read_inbox(viewer, limit=1, cursor=first.cursor)
        entries = [*first.entries, *second.entries]
        assert [str(row.address) for row in entries] == ["ITALY", "ENGLAND"]
        assert list(whole.entries) == entries
        nobody.update(active_at=None)


def test_a_successor_never_gets_notes_nor_the_talk_with_the_game_master(replaced):
    assert replaced.read("Sam", NOTES) == replaced.read("Sam", GAME_MASTER) == []
    replaced.send("Sam", GAME_MASTER, "I am new.")
    assert replaced.read("Sam", GAME_MASTER) == ["I am new."]
    assert replaced.read("Morgan", "FRANCE") == ["To the master.", "I am new."]
    assert replaced.read(replaced.former, GAME_MASTER) == ["To the master."]
    assert replaced.read(replaced.former, NOTES) == ["Mine."]


def test_a_former_holder_keeps_what_the_seat_could_read(replaced):
    assert replaced.read(replaced.former, ENGLAND) == ["Before."]
    replaced.send("ENGLAND", "FRANCE", "Welcome.")
    assert replaced.read(replaced.former, ENGLAND) == ["Before."]
    with pytest.raises(PressClosed, match="no longer play"):
        replaced.send(replaced.former, "ENGLAND", "Wait!")
    with pytest.raises(PressClosed):
        replaced.send(replaced.former, EVERYONE, "Wait!")


def test_authors_who_left_are_former_players(replaced):
    replaced.send("Sam", "ENGLAND", "After.")
    authors = [m.author for m in replaced.reader("ENGLAND").conversation(FRANCE).messages]
    assert [(a.power, a.former) for a in authors] == [
        ("FRANCE", True),
        ("ENGLAND", False),
        ("FRANCE", False),
    ]
    (member,) = replaced.reader("ENGLAND").conversation(FRANCE).summary.members
    assert str(member.since) == "S1901M"
    (member,) = replaced.reader("FRANCE").conversation(ENGLAND).summary.members
    assert member.since is None


def test_a_person_who_held_the_seat_between_two_messages_keeps_what_there_was(talking):
    talking.send("FRANCE", "ENGLAND", "One.")
    talking.resign("FRANCE")
    talking.take("Sam", "FRANCE")
    sam = talking.user_id("Sam")
    talking.resign("FRANCE")
    assert talking.read(sam, ENGLAND) == ["One."]
    talking.send("ENGLAND", "FRANCE", "Two.")
    assert talking.read(sam, ENGLAND) == ["One."]


def test_with_blank_successors_read_what_is_new(talking):
    talking.agree(successor="blank")
    talking.send("FRANCE", "ENGLAND", "Before.")
    talking.send("FRANCE", "ENGLAND+ITALY", "All three.")
    talking.resign("FRANCE")
    with pytest.raises(PressClosed, match="no player"):
        talking.send("ENGLAND", "FRANCE", "Anyone?")
    talking.send("ENGLAND", "FRANCE+ITALY", "France is away.")
    talking.take("Sam", "FRANCE")
    assert talking.read("Sam", ENGLAND) == talking.read("Sam", "ENGLAND+ITALY") == []
    assert talking.reader("Sam").unread == 0
    assert count_unread(Viewer(talking.user_id("Sam"))) == 0
    talking.send("ENGLAND", "FRANCE+ITALY", "Hello.")
    (message,) = talking.reader("Sam").conversation(parse_address("ENGLAND+ITALY")).messages
    assert (message.number, message.body) == (1, "Hello.")


def test_numbers_have_no_gap_for_a_person_who_came_back(talking):
    talking.agree(successor="blank")
    talking.send("FRANCE", "ENGLAND+ITALY", "One.")
    person = talking.user_id("FRANCE")
    talking.resign("FRANCE")
    talking.send("ENGLAND", "FRANCE+ITALY", "Two.")
    talking.take(person, "FRANCE")
    talking.send("ITALY", "ENGLAND+FRANCE", "Three.")
    messages = talking.reader(person).conversation(parse_address("ENGLAND+ITALY")).messages
    assert [(m.number, m.body) for m in messages] == [(1, "One."), (2, "Three.")]
    page = read_inbox(Viewer(person))
    assert [str(row.address) for row in page.entries] == ["ENGLAND+ITALY"]


def test_in_an_anonymous_game_nobody_has_a_name_until_its_end(replaced):
    replaced.agree(anonymous=True)
    names = [m.author.name for m in replaced.reader("ENGLAND").conversation(FRANCE).messages]
    assert names == ["", ""]
    replaced.finish()
    names = [m.author.name for m in replaced.reader("ENGLAND").conversation(FRANCE).messages]
    assert all(names)


def test_a_game_master_who_held_a_seat_has_no_talk_with_seats(talking):
    Game.objects.update(master=talking.user_id("ITALY"))
    with pytest.raises(NoSuchConversation):
        talking.send("FRANCE", GAME_MASTER)
    with pytest.raises(NoSuchConversation):
        talking.reader("FRANCE").conversation(GAME_MASTER)


def test_eliminated_players_talk_unless_they_agreed_to_be_silent(talking):
    from tests.games.steps import remove_centers, remove_units

    remove_units("FRANCE")
    remove_centers("FRANCE")
    talking.send("FRANCE", "ENGLAND")
    talking.agree(silent=True)
    for to in ("ENGLAND", "everyone"):
        with pytest.raises(PressClosed, match="been eliminated"):
            talking.send("FRANCE", to)
    talking.send("FRANCE", NOTES)
    talking.send("FRANCE", GAME_MASTER)
    assert talking.read("FRANCE", ENGLAND) == ["Hello."]
    talking.finish()
    talking.send("FRANCE", "ENGLAND")


def test_a_rollback_moves_no_message(talking):
    talking.send("FRANCE", "ENGLAND", "One.")
    now = talking.phase.due_at
    advance(game_id=talking.game_id, owner="test", now=now)
    talking.send("FRANCE", "ENGLAND", "Two.", now=now + dt.timedelta(minutes=1))
    roll_back(
        slug=talking.slug,
        user_id=talking.user_id("Morgan"),
        sequence=talking.phase.sequence,
        to=1,
        reason="A mistake.",
        now=now + dt.timedelta(minutes=2),
    )
    messages = talking.reader("ENGLAND").conversation(FRANCE).messages
    assert [(m.number, str(m.phase)) for m in messages] == [(1, "S1901M"), (2, "F1901M")]


@pytest.mark.parametrize("anonymous", [False, True])
def test_the_table_talks_until_countries_are_drawn(forming, anonymous):
    from tests.press.people import TalkingGame

    game = Game.objects.get()
    table = TalkingGame(game)
    table.agree(anonymous=anonymous)
    if anonymous:
        with pytest.raises(NoSuchConversation):
            table.send("Alice", "table")
        return
    table.send("Alice", "table", "Who is in?")
    with pytest.raises(NoSuchConversation):
        table.reader("Bob").conversation(parse_address("table"))
    join_game(slug=table.slug, user_id=table.user_id("Bob"), now=table.now)
    assert table.read("Bob", "table") == ["Who is in?"]
    table.send("Bob", "table", "Me.")
    leave_game(slug=table.slug, user_id=table.user_id("Bob"), now=table.now)
    table.send("Alice", "table", "Bob left.")
    assert table.read("Bob", "table") == ["Who is in?", "Me."]
    start_game(slug=table.slug, user_id=table.user_id("Alice"), now=table.now)
    assert table.read("Alice", "table") == ["Who is in?", "Me.", "Bob left."]
    with pytest.raises(PressClosed, match="assigned"):
        table.send("Alice", "table")
    author = table.reader("Alice").conversation(parse_address("table")).messages[0].author
    assert (author.name, author.power) == ("Alice", "")


@pytest.mark.parametrize(
    "act",
    [
        lambda user, slug, now: mute_seat(
            user_id=user, slug=slug, power="ITALY", muted=True, now=now
        ),
        lambda user, slug, now: mute_conversation(
            user_id=user, slug=slug, to=EVERYONE, muted=True, now=now
        ),
        lambda user, slug, now: mark_read(user_id=user, slug=slug, to=EVERYONE, up_to=1),
        lambda user, slug, now: block_person(user_id=user, name="Sam", blocked=True, now=now),
        lambda user, slug, now: accept_personal(user_id=user, accepted=False),
    ],
    ids=["mute a seat", "mute a conversation", "read", "block", "refuse personal messages"],
)
def test_nothing_of_a_guest_is_stored_that_would_keep_the_guest(talking, act):
    """Rows of press protect the person and the game, so no guest may have any."""
    talking.send("ENGLAND", EVERYONE)
    guest = talking.user_id("FRANCE")
    User.objects.filter(pk=guest).update(guest=True)
    with pytest.raises(NotYourSeat, match="Sign up"):
        act(guest, talking.slug, talking.now)
    assert not SeatMute.objects.filter(user=guest).exists()
    assert not Block.objects.filter(user=guest).exists()
    assert not PressSettings.objects.filter(user=guest).exists()


def test_guests_cannot_talk(talking):
    User.objects.filter(pk=talking.user_id("FRANCE")).update(guest=True)
    from diplomaccloud.games.table.errors import NotYourSeat

    for to in ("ENGLAND", "everyone", "notes"):
        with pytest.raises(NotYourSeat, match="Sign up"):
            talking.send("FRANCE", to, key=new_key())


@pytest.mark.parametrize("successor", ["", "Sam"])
def test_holders_are_read_again_if_a_seat_has_changed_hands_since(talking, successor):
    before = list(talking.game.seats.select_related("user"))
    talking.resign("FRANCE")
    if successor:
        talking.take(successor, "FRANCE")
    viewer = talking.user_id("ENGLAND")
    holders = load_holders_of_seats(talking.game, before, viewer=viewer)
    found = holders.find_power("FRANCE")
    assert found.user == (User.objects.get(username=successor) if successor else None)
    assert (holders.current(found) is None) == (not successor)


def test_holders_of_known_seats_are_those_that_would_be_read(replaced, django_assert_num_queries):
    viewer, game = replaced.user_id("ENGLAND"), replaced.game
    expected = load_holders(game, viewer=viewer)
    seats = list(game.seats.select_related("user"))
    with django_assert_num_queries(1):
        holders = load_holders_of_seats(game, seats, viewer=viewer)
        current = [holders.current(seat).user for seat in holders.seats]
    assert holders == expected
    assert current == [expected.current(seat).user for seat in expected.seats]


class TestChanges:
    """Lines among the messages say how the other seats changed hands, without names or numbers."""

    @pytest.fixture
    def changed(self, talking):
        """France wrote, was vacant for a message, and is now played by Sam."""
        talking.send("FRANCE", "ENGLAND", "Before.")
        resign(slug=talking.slug, user_id=talking.user_id("FRANCE"), now=talking.tick())
        talking.send("ENGLAND", "FRANCE", "Vacant.")
        take_seat(
            slug=talking.slug, user_id=talking.user_id("Sam"), power="FRANCE", now=talking.tick()
        )
        return talking

    def list_lines(self, client, talking, to, query=""):
        """Return the lines before each message, with their numbers, and after the last one."""
        page = client.get(f"/games/{talking.slug}/press/{to}/{query}")
        current = page.context["press"].current
        before = [(message.facts.number, message.changes) for message in current.messages]
        return [row for row in before if row[1]], current.changes

    def test_they_stand_between_the_messages_where_they_belong(self, changed, client_of):
        lines = self.list_lines(client_of("ENGLAND"), changed, "FRANCE")
        assert lines == (
            [(2, ("The player of France left in S1901M.",))],
            ("A new player took France in S1901M.",),
        )
        changed.send("FRANCE", "ENGLAND", "Hello.")
        before, after = self.list_lines(client_of("ENGLAND"), changed, "FRANCE")
        assert [number for number, _ in before] == [2, 3]
        assert after == ()

    def test_each_is_on_one_part_of_the_conversation(self, changed, client_of):
        england, parts = client_of("ENGLAND"), []
        for query in ("?before=2", "?after=1", "?after=2"):
            before, after = self.list_lines(england, changed, "FRANCE", query)
            parts.append((len(before), len(after)))
        assert parts == [(0, 0), (1, 1), (0, 1)]

    def test_they_are_not_messages(self, changed):
        facts = changed.reader("ENGLAND").conversation(FRANCE)
        assert [message.number for message in facts.messages] == [1, 2]
        assert (facts.count, changed.reader("ENGLAND").unread) == (2, 1)

    def test_the_player_of_the_seat_and_other_conversations_have_none(self, changed, client_of):
        changed.send("ENGLAND", "ITALY", "Hello.")
        assert self.list_lines(client_of("Sam"), changed, "ENGLAND") == ([], ())
        assert self.list_lines(client_of("ENGLAND"), changed, "ITALY") == ([], ())

    @pytest.mark.parametrize(
        ("successor", "to", "expected"),
        [
            ("archive", "FRANCE", "wait for the next one"),
            ("blank", "FRANCE", "are refused"),
            ("blank", "FRANCE+ITALY", "will not see"),
        ],
    )
    def test_a_vacant_seat_says_what_happens_to_messages(
        self, talking, client_of, successor, to, expected
    ):
        talking.agree(successor=successor, anonymous=True)
        talking.send("ENGLAND", to, "Before.")
        resign(slug=talking.slug, user_id=talking.user_id("FRANCE"), now=talking.tick())
        _, (line,) = self.list_lines(client_of("ENGLAND"), talking, to)
        assert line.startswith("France has no player since S1901M.")
        assert expected in line
        assert (
            line in client_of("ENGLAND").get(f"/games/{talking.slug}/press/{to}/").content.decode()
        )
