"""The rows of press. Only `actions` write them, and reads for a person go through `viewpoint`.

Every foreign key is PROTECT. Rows of `Send` and `Message` are never changed or deleted, which
database rights enforce. The author of a gray message is stored only with its `Send`.
"""

from diplomaccloud.press.models.conversations import Conversation, Membership
from diplomaccloud.press.models.documents import Document, DocumentCopy, Signature
from diplomaccloud.press.models.events import PressEvent
from diplomaccloud.press.models.maps import ConferenceMap, SentMap
from diplomaccloud.press.models.messages import HiddenMessage, Message, Send, WaitingMessage
from diplomaccloud.press.models.opening import OpenConversation, OpeningConsent
from diplomaccloud.press.models.people import Block, PressSettings, PressVersion, SeatMute
from diplomaccloud.press.models.proposals import (
    LedgerEntry,
    LedgerMark,
    PendingReply,
    PendingTalk,
    Proposal,
    ProposalAnswer,
)
from diplomaccloud.press.models.reports import (
    Appeal,
    AuditEntry,
    Case,
    Decision,
    Inspection,
    PressLimit,
    Report,
)
from diplomaccloud.press.models.texts import TextCase, TextReport

__all__ = [
    "Appeal",
    "AuditEntry",
    "Block",
    "Case",
    "ConferenceMap",
    "Conversation",
    "Decision",
    "Document",
    "DocumentCopy",
    "HiddenMessage",
    "Inspection",
    "LedgerEntry",
    "LedgerMark",
    "Membership",
    "Message",
    "OpenConversation",
    "OpeningConsent",
    "PendingReply",
    "PendingTalk",
    "PressEvent",
    "PressLimit",
    "PressSettings",
    "PressVersion",
    "Proposal",
    "ProposalAnswer",
    "Report",
    "SeatMute",
    "Send",
    "SentMap",
    "Signature",
    "TextCase",
    "TextReport",
    "WaitingMessage",
]
