"""What a game master's look at a private conversation shows, after it was logged."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.visibility.read import Viewer, find_game, is_masked
from diplomaccloud.press.conversations.read import read_attachments
from diplomaccloud.press.moderation.judges import MAX_INSPECTED
from diplomaccloud.press.moderation.read import Copy, copy_row
from diplomaccloud.press.table.addresses import Address, AddressKind
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.models import Message
from diplomaccloud.press.table.read import describe_attachments
from diplomaccloud.press.table.state import LOOK, find_private, load_table, may_look


@dataclass(frozen=True, slots=True)
class Looker:
    """A game master who may look, unless `has_played`; `countries` has all powers with names."""

    countries: Sequence[tuple[str, str]]
    has_played: bool


def read_looker(viewer: Viewer, slug: str) -> Looker:
    """Return the countries to choose from; raise `NoSuchConversation` unless the game master."""
    game = find_game(slug, viewer)
    if game is None:
        raise NoSuchGame
    table = load_table(game, viewer.user_id or 0)
    if not may_look(table):
        raise NoSuchConversation
    countries = [(seat.power, seat.country_name) for seat in table.holders.seats if seat.power]
    return Looker(countries, table.holders.has_held(viewer.user_id))


def read_look(viewer: Viewer, slug: str, address: Address, *, at: dt.datetime) -> tuple[Copy, ...]:
    """Return the newest messages of a conversation, for the look that was logged at `at`."""
    game = find_game(slug, viewer)
    looks = LogEntry.objects.filter(game=game, kind=LOOK, by=viewer.user_id, at=at)
    if game is None or viewer.user_id is None or not looks.exists():
        raise NoSuchConversation
    target = find_private(load_table(game, viewer.user_id), address)
    rows = Message.objects.filter(conversation__key=target.key)
    related = rows.select_related("author", "seat", "phase").order_by("-number")
    newest = list(related[:MAX_INSPECTED])
    carried, map_hash = read_attachments(newest, None), game.chart.content_hash
    masked = is_masked(game)
    for row in newest:
        if row.seat is not None:
            row.seat.game = game
    return tuple(
        replace(
            copy_row(row, AddressKind.SEATS, is_masked=masked),
            attached_text=describe_attachments(carried.get(row.pk, ()), map_hash),
        )
        for row in reversed(newest)
    )
