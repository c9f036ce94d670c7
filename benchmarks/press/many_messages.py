"""A game in which people write messages, and any number of other games with bulk messages."""

import datetime as dt
import uuid
from itertools import islice

from django.db import connection
from django.utils import timezone
from tests.games.large_games import begin
from visits import list_visits

from diplomaccloud.accounts.backends import NumberingBackend
from diplomaccloud.accounts.models import User
from diplomaccloud.games.page.read import read_live
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.notices.consumer import consume_press
from diplomaccloud.notices.models import Notice
from diplomaccloud.press.conversations.actions import send_message
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.inbox.read import count_unread, read_inbox, read_sent, search
from diplomaccloud.press.news.read import select_changes
from diplomaccloud.press.table.addresses import EVERYONE, AddressKind, key_of_seats, seats_address
from diplomaccloud.press.table.models import Conversation, Membership, Message, PressVersion, Send

SMALL = 50
CHUNK = 5_000
GAMES_OF_ONE = 200
"""The number of other games in which the measured person has a conversation."""
SHARE_OF_ONE = 40
"""One message out of this many is in the measured conversation."""
NOTICES = 20_000
"""The number of old notices of the measured person."""
SECOND = dt.timedelta(seconds=1)


class Scene:
    """The measured game: France writes to England."""

    def __init__(self) -> None:
        people = [User.objects.create(username=f"person{n}").pk for n in range(7)]
        self.game = begin(people, 1, now=timezone.now())
        seats = {seat.power: seat for seat in Seat.objects.filter(game=self.game)}
        self.france, self.england = seats["FRANCE"], seats["ENGLAND"]
        self.now = timezone.now()
        for number in range(SMALL):
            self.send(EVERYONE if number % 2 else seats_address(["ENGLAND"]))

    def send(self, to):
        """Send a message, long enough after the last one."""
        self.now += 15 * SECOND
        return send_message(
            slug=self.game.slug,
            user_id=self.france.user_id,
            to=to,
            body="Do we demilitarize the Channel?",
            key=uuid.uuid4().hex,
            now=self.now,
        )

    def works(self):
        """Return the functions to measure, by name."""
        viewer = Viewer(self.england.user_id)
        author = Viewer(self.france.user_id)
        to, people = seats_address(["ENGLAND"]), [(pk, self.game.pk) for pk in range(1, 201)]

        def read(address, **more):
            reader = PressReader(self.game.slug, viewer)
            return reader.conversation(address, **more)

        france = seats_address(["FRANCE"])
        return {
            "send to one": lambda: self.send(to),
            "send to everyone": lambda: self.send(EVERYONE),
            "conversation, newest 50": lambda: read(france),
            "conversation, oldest 50": lambda: read(france, after=0),
            "everyone, newest 50": lambda: read(EVERYONE),
            "conversations of a game": lambda: PressReader(self.game.slug, viewer).conversations,
            "messages over all games": lambda: read_inbox(viewer),
            "sent over all games": lambda: read_sent(author),
            "unread over all games": lambda: count_unread(viewer),
            "versions for 200 streams": lambda: read_live(list(select_changes(people))),
            "search in a game": lambda: search(viewer, "no way", slug=self.game.slug),
            "search everywhere": lambda: search(viewer, "no way"),
            "a person with the header's numbers": lambda: NumberingBackend().get_user(
                viewer.user_id
            ),
            "send, and write the notices": self.announce,
            **list_visits(self.game, self.england.user_id),
        }

    def announce(self):
        """Send a message, and write its notices."""
        self.send(seats_address(["ENGLAND"]))
        consume_press(now=self.now)


def grow(scene: Scene, *, messages: int, games: int) -> None:
    """Add messages: a share to the measured conversation, the rest to other games."""
    key = key_of_seats(scene.game.pk, [scene.france.number or 0, scene.england.number or 0])
    measured = Conversation.objects.get(key=key)
    _add_messages(scene, measured, messages // SHARE_OF_ONE)
    each = (messages - messages // SHARE_OF_ONE) // games
    originals = [
        Game(
            **{
                field.attname: getattr(scene.game, field.attname)
                for field in Game._meta.concrete_fields
                if field.attname not in ("id", "slug")
            },
            # Addresses of games have neither 0 nor 1.
            slug=f"bulk{number:06d}".replace("0", "x").replace("1", "y"),
        )
        for number in range(games)
    ]
    Game.objects.bulk_create(originals, batch_size=500)
    copies = list(Game.objects.filter(slug__startswith="bulk").order_by("pk"))
    _seat(scene, copies)
    for game in copies:
        conversation = Conversation.objects.create(
            game=game, kind=AddressKind.SEATS, key=key_of_seats(game.pk, [1, 2]), last_at=scene.now
        )
        _add_messages(scene, conversation, each)
        _add_members(scene, game, conversation, each)
    _add_notices(scene)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE TABLE press_message" if connection.vendor == "mysql" else "ANALYZE")


def _seat(scene: Scene, games) -> None:
    """Give each game two seats, one of them the measured person's in some games."""
    others = User.objects.create(username="filler").pk
    seats = []
    for number, game in enumerate(games):
        first = scene.england.user_id if number < GAMES_OF_ONE else None
        holders = (("ENGLAND", first), ("FRANCE", others))
        seats += [
            Seat(
                game=game,
                power=power,
                number=place,
                user_id=user,
                bot="" if user else "hold",
                finished_at=scene.now,
            )
            for place, (power, user) in enumerate(holders, start=1)
        ]
    Seat.objects.bulk_create(seats, batch_size=500)
    rows = Seat.objects.filter(game__slug__startswith="bulk")
    Tenure.objects.bulk_create(
        (
            Tenure(seat=seat, user_id=seat.user_id, bot=seat.bot, since_at=scene.now)
            for seat in rows
        ),
        batch_size=500,
    )


def _add_members(scene: Scene, game: Game, conversation: Conversation, count: int) -> None:
    """Add the members of a conversation; the measured person also has a version of the game."""
    tenures = list(Tenure.objects.filter(seat__game=game).exclude(user=None))
    Membership.objects.bulk_create(
        Membership(
            conversation=conversation,
            seat_id=tenure.seat_id,
            tenure=tenure,
            user_id=tenure.user_id,
            first=1,
            since=1,
            unread=count % 3,
            active_at=scene.now,
        )
        for tenure in tenures
    )
    PressVersion.objects.bulk_create(
        PressVersion(user_id=tenure.user_id or 0, place=game.pk, game=game) for tenure in tenures
    )


def _add_notices(scene: Scene) -> None:
    """Give the measured person years of notices, of conversations and of games."""
    person = scene.england.user_id or 0
    rows = list(Membership.objects.filter(user=person).values_list("pk", "conversation__game"))
    Notice.objects.bulk_create(
        (
            Notice(
                user_id=person,
                kind="message" if number % 2 else "result",
                key=f"old {number}",
                game_id=game,
                membership_id=membership if number % 2 else None,
                number=1 if number % 2 else None,
                created_at=scene.now,
                read_at=None if number % 4 == 1 else scene.now,
                useful_until=scene.now,
            )
            for number in range(NOTICES)
            for membership, game in [rows[number % len(rows)]]
        ),
        batch_size=500,
    )


def _add_messages(scene: Scene, conversation: Conversation, count: int) -> None:
    """Add messages to a conversation, all sent by France a while ago."""
    at = scene.now - dt.timedelta(days=30)
    rows = iter(range(conversation.last + 1, conversation.last + count + 1))
    author = {"author_id": scene.france.user_id}
    while numbers := list(islice(rows, CHUNK)):
        sends = [
            Send(
                **author,
                key=uuid.uuid4().hex,
                game=conversation.game,
                kind=AddressKind.SEATS,
                copies=1,
                at=at,
            )
            for _ in numbers
        ]
        sends = Send.objects.bulk_create(sends)
        Message.objects.bulk_create(
            Message(
                **author,
                conversation=conversation,
                number=number,
                send=send,
                seat=scene.france,
                body=f"Message {number} about nothing in particular.",
                at=at,
            )
            for number, send in zip(numbers, sends, strict=True)
        )
    Conversation.objects.filter(pk=conversation.pk).update(last=conversation.last + count)
