"""The rows of press, for Django, which looks for them here. Nobody else imports this module.

Each room has its own rows. Only its `actions` write them, and reads for a person go through its
`read`. Every foreign key is PROTECT. Rows of `Send` and `Message` are never changed or deleted,
which database rights enforce. The author of a gray message is stored only with its `Send`.
"""

from diplomaccloud.press.documents.models import Document, DocumentCopy, Signature
from diplomaccloud.press.maps.models import ConferenceMap, SentMap
from diplomaccloud.press.moderation.models import (
    Appeal,
    AuditEntry,
    Case,
    Decision,
    Inspection,
    Report,
    TextCase,
    TextReport,
)
from diplomaccloud.press.openings.models import OpenConversation, OpeningConsent
from diplomaccloud.press.proposals.models import (
    LedgerEntry,
    LedgerMark,
    PendingReply,
    PendingTalk,
    Proposal,
    ProposalAnswer,
)
from diplomaccloud.press.table.models import (
    Block,
    Conversation,
    HiddenMessage,
    Membership,
    Message,
    PressEvent,
    PressLimit,
    PressSettings,
    PressVersion,
    SeatMute,
    Send,
    WaitingMessage,
)

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
