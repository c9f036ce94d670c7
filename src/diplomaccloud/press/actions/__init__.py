"""All changes to press: keyword-only functions, each one transaction under a lock.

Time is an argument. In a game, an action first locks the game through `games.table.lock`. For
personal messages, it locks the press versions of the two people. Imports go down: marks, choices,
looks, opening -> personal -> sending, gray -> attachments -> delivery, refusals, limits ->
versions, events.
"""

from diplomaccloud.press.actions.attachments import Attachment
from diplomaccloud.press.actions.bot_answers import answer_for_bots
from diplomaccloud.press.actions.bot_talks import talk_for_bots
from diplomaccloud.press.actions.choices import accept_personal, block_person, mute_seat
from diplomaccloud.press.actions.documents import (
    DocumentAttachment,
    change_document,
    sign_document,
)
from diplomaccloud.press.actions.gray import publish_gray
from diplomaccloud.press.actions.ledger import close_ledgers, judge_deals
from diplomaccloud.press.actions.looks import look_at_conversation
from diplomaccloud.press.actions.maps import MapAttachment, adopt_map, make_map
from diplomaccloud.press.actions.marks import (
    hide_message,
    mark_read,
    mark_unread,
    mute_conversation,
)
from diplomaccloud.press.actions.opening import agree_to_open, withdraw_consent
from diplomaccloud.press.actions.personal import send_personal
from diplomaccloud.press.actions.proposals import ProposalAttachment, answer_proposal
from diplomaccloud.press.actions.sending import Mode, Sent, SentTo, send_message

__all__ = [
    "Attachment",
    "DocumentAttachment",
    "MapAttachment",
    "Mode",
    "ProposalAttachment",
    "Sent",
    "SentTo",
    "accept_personal",
    "adopt_map",
    "agree_to_open",
    "answer_for_bots",
    "answer_proposal",
    "block_person",
    "change_document",
    "close_ledgers",
    "hide_message",
    "judge_deals",
    "look_at_conversation",
    "make_map",
    "mark_read",
    "mark_unread",
    "mute_conversation",
    "mute_seat",
    "publish_gray",
    "send_message",
    "send_personal",
    "sign_document",
    "talk_for_bots",
    "withdraw_consent",
]
