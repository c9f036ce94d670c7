"""Everything that one viewer may know of press, as facts without wording.

Every read for a person is made here, so that secrecy is audited in one place. What a viewer can
read follows from the rows of `Membership` and from who holds the seats now; the names of authors
come from `games.viewpoint.names` alone. A conversation that is not the viewer's does not exist: the
answer is the same for real and for invented addresses, after the same queries. No key of a row
leaves this package; a message has a number, counted from the first that the viewer can read.
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
    read_personal,
)
from diplomaccloud.press.viewpoint.proposals import (
    AnswerFacts,
    DealFacts,
    LedgerFacts,
    ProposalFacts,
)
from diplomaccloud.press.viewpoint.reader import PressReader
from diplomaccloud.press.viewpoint.search import MAX_SEARCH, SearchHit, export, export_maps, search

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
    "export_maps",
    "is_blocked",
    "is_cursor",
    "read_inbox",
    "read_personal",
    "read_sent",
    "search",
]
