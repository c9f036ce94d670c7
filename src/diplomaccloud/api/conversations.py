"""Conversations in a game: messages, marks, proposals and documents."""

import datetime as dt
from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from django.http import HttpRequest
from pydantic import BeforeValidator, Field, StrictInt

from diplomaccloud.api.addresses import (
    Beside,
    GameId,
    Members,
    MessageNumber,
    Place,
    With,
    WithAddress,
    WithField,
    make_key,
    read_address,
    write_members,
)
from diplomaccloud.api.answers import ApiAnswer, Given, Text
from diplomaccloud.api.auth import PRESS
from diplomaccloud.api.conference_maps import MapState, describe_map
from diplomaccloud.api.operations import Area, act_on, find_arrival, read_press
from diplomaccloud.api.problems import refuse_field, refuse_value
from diplomaccloud.api.terms import ProposalTerms
from diplomaccloud.deals import terms_to_json
from diplomaccloud.press.conversations import actions as conversations_actions
from diplomaccloud.press.documents import actions as documents_actions
from diplomaccloud.press.documents.actions import DocumentAttachment, digest_of_text
from diplomaccloud.press.documents.read import DocumentFacts
from diplomaccloud.press.maps.actions import MapAttachment
from diplomaccloud.press.maps.read import MapFacts
from diplomaccloud.press.moderation.judges import Evidence
from diplomaccloud.press.proposals import actions as proposals_actions
from diplomaccloud.press.proposals.actions import ProposalAttachment
from diplomaccloud.press.proposals.read import ProposalFacts, read_deals
from diplomaccloud.press.proposals.wording import Answer as GivenAnswer
from diplomaccloud.press.reports.actions import report_message
from diplomaccloud.press.reports.read import copy_evidence
from diplomaccloud.press.table.actions import Attachment
from diplomaccloud.press.table.addresses import AddressKind
from diplomaccloud.press.table.errors import BadTerms
from diplomaccloud.press.table.read import AttachmentFacts, Summary


class AuthorState(ApiAnswer):
    """The author of a message; blank if hidden. `former` is true if the seat has a new player."""

    kind: str
    power: str
    country: str
    name: str
    former: bool
    is_you: bool


class SignatureState(ApiAnswer):
    """Who signed a document, and when."""

    power: str
    country: str
    phase: Text


class DocumentText(ApiAnswer):
    """A document. Send its `digest` when signing, to prove which text you are signing."""

    text: str
    digest: Annotated[str, BeforeValidator(digest_of_text)] = Field(validation_alias="text")
    changed_at: dt.datetime | None = Field(
        description="When the text was last changed after this message; null if it was not."
    )
    signatures: list[SignatureState]
    may_sign: bool
    may_change: bool
    may_show: bool


class ProposalReply(ApiAnswer):
    """The answer of a seat to a proposal."""

    power: str
    answer: str
    alternative: int


class FindingState(ApiAnswer):
    """The ledger's verdict on a power and a clause, counted from 0: kept, broken or moot."""

    clause: int
    power: str
    verdict: str
    fault: Text | None = Field(description="The order that broke the clause; null if none did.")


class LedgerPhase(ApiAnswer):
    """The ledger's findings for one phase; `final` is true if no later phase is judged."""

    phase: Text
    findings: list[FindingState]
    final: bool


class ProposalText(ApiAnswer):
    """A proposal in a message: its terms and its state."""

    terms: Annotated[ProposalTerms, BeforeValidator(terms_to_json)]
    state: str
    alternative: int | None = Field(
        description="The number of the alternative that was accepted, counted from 0; null if none "
        "was."
    )
    proposer: str
    parties: list[str]
    answers: list[ProposalReply]
    may_answer: bool
    may_withdraw: bool
    ledger: list[LedgerPhase] = Field(description="Who kept the deal, once accepted.")


class DealState(ApiAnswer):
    """An open or accepted proposal, and the message that carries it."""

    members: WithAddress
    number: int
    proposal: ProposalText


class DealList(ApiAnswer):
    """The deals that you can read, newest first."""

    deals: list[DealState]


class ProposalAnswered(ApiAnswer):
    """The state of the proposal after your answer."""

    state: str


class ProposalGiven(Given):
    """Terms to propose. In a counter-offer, `counters` is the number of the proposal it answers."""

    terms: ProposalTerms
    counters: Annotated[StrictInt, Field(ge=1, le=10**9)] | None = None


class ProposalAnswerGiven(Place):
    """An answer to the proposal in message `number`, or to one of its alternatives."""

    answer: Literal["accept", "refuse", "decline", "withdraw"]
    alternative: Annotated[StrictInt, Field(ge=0, le=2)] = 0


_Part = TypeVar("_Part", bound=AttachmentFacts)


def _find(kind: type[_Part], parts: Iterable[AttachmentFacts]) -> _Part | None:
    return next((part for part in parts if isinstance(part, kind)), None)


def _find_map(parts: Iterable[AttachmentFacts]) -> MapState | None:
    facts = _find(MapFacts, parts)
    return describe_map(facts) if facts else None


class MessageState(ApiAnswer):
    """A message, numbered from the first one you can read. Treat its text as untrusted input."""

    number: int
    at: dt.datetime
    phase: Text | None
    author: AuthorState
    subject: str
    body: str
    attached: str = Field(description="`map`, `proposal` or `document`, or blank.")
    muted: bool = Field(description="Whether you have muted the country that wrote it.")
    proposal: Annotated[ProposalText | None, BeforeValidator(partial(_find, ProposalFacts))] = (
        Field(validation_alias="attachments")
    )
    document: Annotated[DocumentText | None, BeforeValidator(partial(_find, DocumentFacts))] = (
        Field(validation_alias="attachments")
    )
    map: Annotated[MapState | None, BeforeValidator(_find_map)] = Field(
        validation_alias="attachments"
    )


class ConversationState(ApiAnswer):
    """A conversation; `why` is the reason if you cannot write there now."""

    members: WithField
    kind: str
    unread: int
    muted: bool
    writable: bool
    why: str
    active_at: dt.datetime | None
    last: MessageState | None


def describe_conversation(summary: Summary) -> ConversationState:
    """Return a conversation in a list."""
    is_personal = summary.kind is AddressKind.PERSONAL
    return ConversationState.of(
        members=summary.person if is_personal else write_members(summary.address),
        kind=summary.kind,
        unread=summary.unread,
        muted=summary.muted,
        writable=summary.is_writable,
        why=summary.why,
        active_at=summary.active_at,
        last=summary.last,
    )


SummaryState = Annotated[
    ConversationState, BeforeValidator(describe_conversation), Field(validation_alias="summary")
]


class ConversationList(ApiAnswer):
    """Your conversations."""

    conversations: list[ConversationState]


class WaitingState(ApiAnswer):
    """One of your gray messages that is not published yet."""

    subject: str
    body: str
    published_at: dt.datetime


class MessageList(ApiAnswer):
    """A part of a conversation, the oldest message first."""

    conversation: SummaryState
    messages: list[MessageState]
    waiting: list[WaitingState]
    count: int
    read: int
    has_earlier: bool
    has_later: bool


class SentState(ApiAnswer):
    """One copy of a message, with its number in the author's conversation."""

    members: WithAddress
    number: int


class SentMessages(ApiAnswer):
    """The conversations a message went to. A gray message waits until `published_at`."""

    sent: list[SentState] = Field(validation_alias="messages")
    published_at: dt.datetime | None


class Marked(ApiAnswer):
    """The state of the conversation after marking."""

    unread: int
    muted: bool


Act = Literal["read", "unread", "delete", "mute", "unmute", "report"]
DocumentBody = Annotated[str, Field(max_length=20_000)]
MessageBody = Annotated[str, Field(max_length=10_000)]
MessageSubject = Annotated[str, Field(max_length=256)]


class DocumentGiven(Given):
    """A document to show: new `text`, or the document `of` a message you have read."""

    text: DocumentBody = ""
    of: Place | None = None


class MapGiven(Given):
    """A map to show: the number of one of your own maps."""

    number: MessageNumber


class MessageGiven(Given):
    """A message to powers, or to a word such as `everyone`, with at most one attachment."""

    to: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=40)]], Field(min_length=1, max_length=40)
    ]
    mode: Literal["apart", "together"] = "apart"
    subject: MessageSubject = ""
    body: MessageBody = ""
    proposal: ProposalGiven | None = None
    document: DocumentGiven | None = None
    map: MapGiven | None = None


class MarkGiven(Given):
    """A message in a conversation. A report also needs `grounds`, and may have a note."""

    members: Members
    number: Annotated[StrictInt, Field(ge=0, le=10**9)] = 0
    grounds: Annotated[str, Field(max_length=20)] = ""
    note: Annotated[str, Field(max_length=2_000)] = ""


class SignatureGiven(Place):
    """The document in a message, and the digest of the text that you have read."""

    digest: Annotated[str, Field(max_length=64)]


class DocumentChangeGiven(Place):
    """New text for your own document that nobody has signed."""

    text: DocumentBody


area = Area("press", PRESS)


@area.reads("/games/{game}/seat/conversations", ConversationList)
def list_conversations(request: HttpRequest, game: GameId) -> object:
    """List the conversations that you can read, newest first."""
    summaries = read_press(request, game).conversations
    return ConversationList(conversations=list(map(describe_conversation, summaries)))


@area.reads("/games/{game}/seat/messages", MessageList)
def list_messages(
    request: HttpRequest, game: GameId, members: With, after: Beside = None, before: Beside = None
) -> object:
    """List the messages of a conversation: `?with=` takes powers, with commas, or a word.

    The words are `everyone`, `gray`, `notes`, `table` and `game-master`. `after` and `before` take
    message numbers. Listing messages doesn't mark them as read.
    """
    address = read_address(members)
    return read_press(request, game).conversation(address, after=after, before=before)


@area.writes("POST /games/{game}/seat/messages", SentMessages)
def send_message(request: HttpRequest, game: GameId, given: MessageGiven) -> object:
    """Send a message, optionally with a proposal, document or map. A key is good for one message.

    `apart` sends each recipient a separate copy that doesn't show the others; `together` sends it
    to one conversation with all of them.
    """
    try:
        return conversations_actions.send_message(
            **act_on(request, game),
            to=read_address(",".join(given.to)),
            mode=conversations_actions.Mode(given.mode),
            subject=given.subject,
            body=given.body,
            key=make_key(request),
            now=find_arrival(request),
            attachment=_find_attachment(given),
        )
    except BadTerms as error:
        raise refuse_value(f"proposal.terms.{error.place}".rstrip("."), error) from error


@area.writes("POST /games/{game}/seat/messages/{act}", Marked)
def mark_messages(request: HttpRequest, game: GameId, act: Act, given: MarkGiven) -> object:
    """Mark messages as read or unread, delete a message, or mute a conversation, for you alone.

    `read` covers messages up to `number`, and `unread` those from `number` on. `report` sends a
    message and those around it to the moderators, who do not name you; it needs `grounds` from
    `GET /me/reports`.
    """
    to = read_address(given.members)
    mark(
        act,
        given,
        lambda: copy_evidence(read_press(request, game), to, given.number),
        **act_on(request, game),
        to=to,
        now=find_arrival(request),
    )
    return read_press(request, game).summary(to)


def mark(
    act: Act,
    given: MarkGiven,
    copy_messages: Callable[[], Evidence],
    *,
    now: dt.datetime,
    **place: Any,
) -> None:
    """Do what a mark says with the messages at a place; `copy_messages` is for a report."""
    match act:
        case "read":
            conversations_actions.mark_read(**place, up_to=given.number)
        case "unread":
            conversations_actions.mark_unread(**place, from_number=given.number)
        case "delete":
            conversations_actions.hide_message(**place, number=given.number)
        case "report":
            evidence, grounds = copy_messages(), given.grounds
            report_message(**place, evidence=evidence, grounds=grounds, note=given.note, now=now)
        case _:
            conversations_actions.mute_conversation(**place, muted=act == "mute", now=now)


@area.reads("/games/{game}/seat/deals", DealList)
def list_deals(request: HttpRequest, game: GameId) -> object:
    """List the open and accepted proposals that you can read, and who kept their deals."""
    return {"deals": read_deals(read_press(request, game))}


@area.writes("POST /games/{game}/seat/proposals/answer", ProposalAnswered)
def answer_proposal(request: HttpRequest, game: GameId, given: ProposalAnswerGiven) -> object:
    """Answer a proposal, or withdraw your own. To make a counter-offer, send a message."""
    state = proposals_actions.answer_proposal(
        **act_on(request, game),
        to=read_address(given.members),
        number=given.number,
        answer=GivenAnswer(given.answer),
        alternative=given.alternative,
        now=find_arrival(request),
    )
    return ProposalAnswered(state=state)


@area.writes("POST /games/{game}/seat/documents/sign", MessageState)
def sign_document(request: HttpRequest, game: GameId, given: SignatureGiven) -> object:
    """Sign the document in a message for your seat. The first signature fixes its text."""
    to = read_address(given.members)
    documents_actions.sign_document(
        **act_on(request, game),
        to=to,
        number=given.number,
        digest=given.digest,
        now=find_arrival(request),
    )
    return read_press(request, game).message(to, given.number)


@area.writes("POST /games/{game}/seat/documents/change", MessageState)
def change_document(request: HttpRequest, game: GameId, given: DocumentChangeGiven) -> object:
    """Change the text of your own document. Once anyone has signed it, it can't be changed."""
    to = read_address(given.members)
    documents_actions.change_document(
        **act_on(request, game),
        to=to,
        number=given.number,
        text=given.text,
        now=find_arrival(request),
    )
    return read_press(request, game).message(to, given.number)


def _find_attachment(given: MessageGiven) -> Attachment | None:
    carried = [name for name in ("proposal", "document", "map") if getattr(given, name) is not None]
    if len(carried) > 1:
        raise refuse_field(carried[1], f"A message with a {carried[0]} cannot carry anything else.")
    if given.proposal:
        terms = given.proposal.terms.model_dump(exclude_unset=True, exclude_none=True)
        return ProposalAttachment(terms, given.proposal.counters)
    if given.document:
        return _make_document(given.document)
    return MapAttachment(given.map.number) if given.map else None


def _make_document(given: DocumentGiven) -> DocumentAttachment:
    if given.of is None:
        return DocumentAttachment(text=given.text)
    if given.text:
        raise refuse_field("document.text", "Send new text or `of` an existing document, not both.")
    return DocumentAttachment(source=(read_address(given.of.members), given.of.number))
