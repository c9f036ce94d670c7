"""Everything that a viewer may know about press, as facts without wording.

Every read for a person is made here, so that secrecy can be audited in one place. What a viewer can
read depends on `Membership` rows and the current holders of the seats. The names of authors come
only from `games.table.read`. For other people's conversations, the answer is the same as for
addresses that don't exist, after the same queries. Row keys never leave this package: messages have
numbers, counted from the first one that the viewer can read.
"""

from diplomaccloud.press.viewpoint.arrivals import Arrival
from diplomaccloud.press.viewpoint.documents import DocumentFacts, SignatureFacts
from diplomaccloud.press.viewpoint.facts import (
    Addressees,
    AttachmentFacts,
    Author,
    AuthorKind,
    ConversationFacts,
    MemberFacts,
    MessageFacts,
    Summary,
    WaitingFacts,
)
from diplomaccloud.press.viewpoint.inbox import (
    InboxEntry,
    InboxPage,
    SentCopy,
    SentEntry,
    SentPage,
    count_unread,
    is_cursor,
    read_inbox,
    read_sent,
)
from diplomaccloud.press.viewpoint.maps import MapFacts
from diplomaccloud.press.viewpoint.personal import (
    copy_personal_evidence,
    is_blocked,
    is_personal_reported,
    read_personal,
)
from diplomaccloud.press.viewpoint.proposals import (
    AnswerFacts,
    DealFacts,
    LedgerFacts,
    ProposalFacts,
)
from diplomaccloud.press.viewpoint.reader import PressReader
from diplomaccloud.press.viewpoint.search import MAX_SEARCH, SearchHit, export, search

__all__ = [
    "MAX_SEARCH",
    "Addressees",
    "AnswerFacts",
    "Arrival",
    "AttachmentFacts",
    "Author",
    "AuthorKind",
    "ConversationFacts",
    "DealFacts",
    "DocumentFacts",
    "InboxEntry",
    "InboxPage",
    "LedgerFacts",
    "MapFacts",
    "MemberFacts",
    "MessageFacts",
    "PressReader",
    "ProposalFacts",
    "SearchHit",
    "SentCopy",
    "SentEntry",
    "SentPage",
    "SignatureFacts",
    "Summary",
    "WaitingFacts",
    "copy_personal_evidence",
    "count_unread",
    "export",
    "is_blocked",
    "is_cursor",
    "is_personal_reported",
    "read_inbox",
    "read_personal",
    "read_sent",
    "search",
]
