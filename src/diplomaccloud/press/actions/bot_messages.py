"""Messages from bots: proposals and stock phrases, sent like those of people but limited."""

import datetime as dt
import secrets
from collections.abc import Sequence

from diplomaccloud.bots.talks.diplomat import MOST_MESSAGES, Message
from diplomaccloud.deals import terms_to_json
from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.actions.attachments import require_attachable
from diplomaccloud.press.actions.delivery import Letter, deliver, load_mailboxes
from diplomaccloud.press.actions.proposals import ProposalAttachment
from diplomaccloud.press.actions.refusals import require_open
from diplomaccloud.press.addresses import AttachmentKind, seats_address
from diplomaccloud.press.models import Message as MessageRow
from diplomaccloud.press.models import PendingTalk, Proposal, Send
from diplomaccloud.press.table import Table, find_target, load_table

_NOBODY = 0


def count_left(phase: Phase, seat: Seat) -> int:
    """Return how many more messages a seat's bot may send in a phase."""
    sent = MessageRow.objects.filter(phase=phase, seat=seat, author=None).count()
    return max(0, MOST_MESSAGES - sent)


def may_explain(row: Proposal, seat: Seat) -> bool:
    """Return whether a seat's bot explains why it refuses a proposal.

    It does so once per phase and conversation. While it still has messages of its own to send, it
    saves its last one for them, so that refusals do not silence it.
    """
    conversation = row.message.conversation_id
    said = MessageRow.objects.filter(phase=row.phase_id, seat=seat, author=None)
    if said.filter(conversation=conversation, attached="").exists():
        return False
    waits = PendingTalk.objects.filter(phase=row.phase_id, seat=seat).exists()
    return count_left(row.phase, seat) > int(waits)


def load_bot_table(game: Game, seat: Seat) -> Table:
    """Return the locked game as a seat's bot sees it."""
    found = load_table(game, _NOBODY)
    own = next((row for row in found.holders.seats if row.pk == seat.pk), None)
    return Table(game, _NOBODY, found.holders, found.newest, own)


def send_as_bot(table: Table, messages: Sequence[Message], at: dt.datetime) -> int:
    """Send the bot's messages that the rules of press allow now; return how many were sent."""
    phase, seat = table.newest.phase, table.seat
    if phase is None or seat is None or not seat.bot or table.tenure is None:
        return 0
    sent = 0
    for message in messages[: count_left(phase, seat)]:
        try:
            _send(table, message, at)
        except Refused:
            continue
        sent += 1
    return sent


def _send(table: Table, message: Message, at: dt.datetime) -> None:
    target = find_target(table, seats_address([message.to]))
    require_open(table, target, at)
    letter = Letter(None, "", message.phrase, at)
    offer = ProposalAttachment(terms_to_json(message.terms)) if message.terms is not None else None
    require_attachable(offer, table, [target], letter)
    send = Send.objects.create(
        author=None,
        key=secrets.token_hex(16),
        game=table.game,
        kind=target.kind,
        digest="",
        copies=1,
        at=at,
        unnoticed=True,
    )
    mailboxes = load_mailboxes(table.game, [target.key], table, letter)
    mailboxes.open(target.key, target.kind)
    kind = offer.kind if offer is not None else AttachmentKind.NONE
    delivered = deliver(mailboxes, send, letter, table=table, attached=kind)
    if offer is not None:
        offer.attach(send, delivered)
