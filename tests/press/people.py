"""Press steps that several tests share: a game of seven people and what they send."""

import contextlib
import datetime as dt
import uuid

from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.conversations.actions import Mode, mark_read, send_message
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.table.addresses import EVERYONE, Address, parse_address
from diplomaccloud.press.table.errors import NoSuchConversation

SECOND = dt.timedelta(seconds=1)
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def new_key():
    return uuid.uuid4().hex


class TalkingGame:
    """A game whose people are found by their powers, and a stranger, all able to talk."""

    def __init__(self, game: Game) -> None:
        self.slug, self.game_id = game.slug, game.pk
        self.now = timezone.now()

    @property
    def game(self) -> Game:
        return Game.objects.get(pk=self.game_id)

    @property
    def phase(self) -> Phase:
        return self.game.newest_phase()

    def seat(self, power: str) -> Seat:
        return Seat.objects.get(game=self.game_id, power=power)

    def user_id(self, who: str | int) -> int:
        """Return the key of a power's person, or of the one with this screen name."""
        if isinstance(who, int):
            return who
        if who in POWERS:
            return self.seat(who).user_id
        return User.objects.get(username=who).pk

    def name_of(self, power: str) -> str:
        """Return the screen name of a power's person."""
        return self.seat(power).user.username

    def send(
        self, who, to, body="Hello.", *, key="", mode="together", subject="", after=0, now=None
    ):
        """Send a message and return the answer; `to` is an address or its text."""
        return send_message(
            slug=self.slug,
            user_id=self.user_id(who),
            to=to if isinstance(to, Address) else parse_address(to),
            mode=Mode(mode),
            subject=subject,
            body=body,
            key=key or new_key(),
            now=now or self.tick(),
        )

    def tick(self):
        """Return the time, a second later than before."""
        self.now += SECOND
        return self.now

    def mark(self, who, to, up_to):
        """Mark messages as read, if the person has the conversation."""
        with contextlib.suppress(NoSuchConversation):
            mark_read(user_id=self.user_id(who), slug=self.slug, to=to, up_to=up_to)

    def reader(self, who=None, now=None) -> PressReader:
        user = None if who is None else User.objects.get(pk=self.user_id(who))
        viewer = viewer_of(user) if user else viewer_of(_Nobody())
        return PressReader(self.slug, viewer, now=now or self.now)

    def read(self, who, address, **more):
        """Return the bodies of the messages that a person reads."""
        to = address if isinstance(address, Address) else parse_address(address)
        return [m.body for m in self.reader(who).conversation(to, **more).messages]

    def agree(self, **talk):
        """Change the options: `press`, `anonymous`, and those of `talk` by name."""
        game = self.game
        options = game.options.to_json()
        for name in ("press", "anonymous"):
            if name in talk:
                options[name] = talk.pop(name)
        game.options = {**options, "talk": {**options["talk"], **talk}}
        game.save()

    def resign(self, power):
        resign(slug=self.slug, user_id=self.user_id(power), now=timezone.now())

    def take(self, who, power):
        take_seat(slug=self.slug, user_id=self.user_id(who), power=power, now=timezone.now())

    def finish(self):
        """End the game by a draw of all."""
        from diplomaccloud.games.results.actions import finish_game
        from diplomaccloud.judge.results import Ending

        finish_game(self.game, Ending(("FRANCE",), "agreed_draw"), timezone.now())


class _Nobody:
    is_authenticated = False


def public(talking, who, body="To all.", **more):
    return talking.send(who, EVERYONE, body, **more)
