"""Who may write personal messages to whom, for both actions and pages."""

import datetime as dt

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import NoSuchPlayer
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.options import Press
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.models import Block, PressSettings
from diplomaccloud.press.models.game_state import load_newest_phases
from diplomaccloud.press.rules import Verdict, decide


def find_person(name: str, user_id: int) -> User:
    """Return the other person with this screen name; raise `NoSuchPlayer`."""
    people = User.objects.filter(is_active=True, guest__in=[False], folded_name=name.lower()[:40])
    person = people.exclude(pk=user_id).first()
    if person is None:
        raise NoSuchPlayer("There is no other player with this screen name.")
    return person


def accepts_message(user_id: int, addressee_id: int, now: dt.datetime) -> bool:
    """Return whether the addressee now accepts a personal message from the other person.

    A block looks the same as not accepting any personal messages.
    """
    if PressSettings.objects.filter(user=addressee_id, personal=False).exists():
        return False
    if Block.objects.filter(user=addressee_id, blocked=user_id).exists():
        return False
    return not _share_silent_game(user_id, addressee_id, now)


def _share_silent_game(user_id: int, other_id: int, now: dt.datetime) -> bool:
    """Return whether both play in a running named game that now forbids messages between them.

    Anonymous games never count, because the refusal would reveal who plays in them.
    """
    theirs = Seat.objects.filter(user=other_id, finished_at=None).values("game")
    games = Game.objects.filter(
        seats__user=user_id, seats__finished_at=None, pk__in=theirs, status=Status.RUNNING
    )
    limited = {
        game.pk: game
        for game in games.distinct()
        if not game.options.anonymous and game.options.press is not Press.FULL
    }
    phases = load_newest_phases(limited.values()) if limited else {}
    states = ((limited[key], phase.state_at(limited[key], now)) for key, phase in phases.items())
    return any(
        decide(game.options.press, Kind.SEATS, state)[0] is not Verdict.ALLOWED
        for game, state in states
    )
