"""The game master's looks at private conversations, if the players agreed to them."""

import datetime as dt
import secrets
from typing import Final

from diplomaccloud.games.table.errors import NotYourSeat, Refused
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.log import require_reason, write_log
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.moderation.judges import MAX_INSPECTED
from diplomaccloud.press.table.actions import announce_to_readers, list_readers, require_visible
from diplomaccloud.press.table.addresses import Address
from diplomaccloud.press.table.errors import NoSuchConversation
from diplomaccloud.press.table.events import PressEventKind
from diplomaccloud.press.table.models import Conversation, Membership
from diplomaccloud.press.table.periods import plan_conversation
from diplomaccloud.press.table.state import LOOK, PLAYED, find_private, load_table, may_look

LOGGED: Final = "The game master read a private conversation."


@atomic_with_retries
def look_at_conversation(
    *, slug: str, user_id: int, to: Address, reason: str, now: dt.datetime
) -> None:
    """Record that the game master reads the current conversation of these seats, and why.

    The log reports it without naming the conversation, even if it has no messages, and everyone who
    can read the messages shown is notified. Raises `NoSuchConversation` unless the person is a game
    master who may look, `NotYourSeat` for one who has played here, or `Refused` for a reason that
    names a country.
    """
    game = lock_game(slug)
    table = load_table(game, user_id)
    require_visible(table)
    if not may_look(table):
        raise NoSuchConversation
    if table.holders.has_held(user_id):
        raise NotYourSeat(PLAYED)
    key, why = find_private(table, to).key, require_reason(reason)
    for seat in table.holders.seats:
        if seat.power and seat.country_name.casefold() in why.casefold():
            raise Refused(
                f"Leave out {seat.country_name}: everyone can read the reason in the log, "
                "which does not say whose conversation you read."
            )
    write_log(
        game=game,
        phase=table.newest.phase,
        kind=LOOK,
        key=f"{LOOK} {secrets.token_hex(6)}",
        text=LOGGED,
        by=user_id,
        reason=why,
        now=now,
    )
    conversation = Conversation.objects.filter(key=key, game=game).first()
    if conversation is None:
        return
    rows: list[Membership] = list(conversation.memberships.order_by("pk"))
    plan = plan_conversation(conversation, rows, game, table.holders)
    announce_to_readers(
        PressEventKind.LOOKED_AT,
        key=f"{LOOK} {conversation.pk} {now.isoformat()}",
        conversation=conversation,
        readers=list_readers(conversation, plan.rows),
        first=conversation.last - MAX_INSPECTED + 1,
        last=conversation.last,
        data={"by": "master"},
        now=now,
    )
