"""What a game master's look at a private conversation shows, after it was logged."""

import datetime as dt

from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.visibility.read import Viewer, find_game
from diplomaccloud.press.moderation.read import Copy, copy_newest
from diplomaccloud.press.table.addresses import Address, AddressKind
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import Message
from diplomaccloud.press.table.state import LOOK, find_private, load_table, may_look


def read_looker(viewer: Viewer, slug: str) -> tuple[list[tuple[str, str]], bool]:
    """Return all powers with names, and whether the game master has played and so may not look.

    Raises `NoSuchConversation` for anyone but the game master.
    """
    game = find_game(slug, viewer)
    if game is None:
        raise NoSuchGame
    table = load_table(game, viewer.user_id or 0)
    if not may_look(table):
        raise NoSuchConversation
    countries = [(seat.power, seat.country_name) for seat in table.holders.seats if seat.power]
    return countries, table.holders.has_held(viewer.user_id)


def read_look(viewer: Viewer, slug: str, address: Address, *, at: dt.datetime) -> tuple[Copy, ...]:
    """Return the newest messages of a conversation, for the look that was logged at `at`."""
    game = find_game(slug, viewer)
    looks = LogEntry.objects.filter(game=game, kind=LOOK, by=viewer.user_id, at=at)
    if game is None or viewer.user_id is None or not looks.exists():
        raise NoSuchConversation
    target = find_private(load_table(game, viewer.user_id), address)
    rows = Message.objects.filter(conversation__key=target.key)
    return copy_newest(rows, AddressKind.SEATS, game)
