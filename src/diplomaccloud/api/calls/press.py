"""Talking in a game: conversations, messages, marks, proposals and documents."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from django.http import HttpRequest, HttpResponse

from diplomaccloud.api.auth import PRESS, caller_of
from diplomaccloud.api.calls.acting import act_on
from diplomaccloud.api.calls.addresses import Beside, With, make_key, read_address
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.press import (
    describe_conversation,
    describe_deals,
    describe_message,
    describe_messages,
    describe_sent,
)
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import refuse_field, refuse_value
from diplomaccloud.api.repeats import Effect, find_arrival
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.press import (
    ConversationList,
    DealList,
    DocumentChangeGiven,
    DocumentGiven,
    Marked,
    MarkGiven,
    MessageGiven,
    MessageList,
    MessageState,
    ProposalAnswered,
    ProposalAnswerGiven,
    SentMessages,
    SignatureGiven,
)
from diplomaccloud.press.conversations import actions as conversations_actions
from diplomaccloud.press.conversations.actions import (
    Mode,
    hide_message,
    mark_read,
    mark_unread,
    mute_conversation,
)
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.documents import actions as documents_actions
from diplomaccloud.press.documents.actions import DocumentAttachment
from diplomaccloud.press.maps.actions import MapAttachment
from diplomaccloud.press.proposals import actions as proposals_actions
from diplomaccloud.press.proposals.actions import ProposalAttachment
from diplomaccloud.press.proposals.read import read_deals
from diplomaccloud.press.proposals.wording import Answer
from diplomaccloud.press.reports.actions import report_message
from diplomaccloud.press.reports.read import copy_evidence
from diplomaccloud.press.table.actions import Attachment
from diplomaccloud.schedule.timer import Refused

_TERMS: Final = ("v", "phase", "parties", "alternatives")
_CLAUSES: Final[Mapping[str, Sequence[str]]] = {
    "order": ("clause", "order"),
    "not-order": ("clause", "order"),
    "dmz": ("clause", "powers", "provinces", "until"),
    "peace": ("clause", "powers", "until"),
    "alliance": ("clause", "powers", "against"),
    "draw": ("clause", "powers"),
}
"""The members of each kind of clause."""
area = Area("press", PRESS)
documents_area = Area("press", PRESS)
proposals_area = Area("press", PRESS)


@area.reads("/games/{game}/seat/conversations", ConversationList)
def list_conversations(request: HttpRequest, game: GameId) -> HttpResponse:
    """List the conversations that you can read, newest first."""
    found = [describe_conversation(summary) for summary in _read(request, game).conversations]
    return reply(ConversationList(conversations=found))


@area.reads("/games/{game}/seat/messages", MessageList)
def list_messages(
    request: HttpRequest, game: GameId, members: With, after: Beside = None, before: Beside = None
) -> HttpResponse:
    """List the messages of a conversation: `?with=` takes powers, with commas, or a word.

    The words are `everyone`, `gray`, `notes`, `table` and `game-master`. `after` and `before` take
    message numbers. Listing messages doesn't mark them as read.
    """
    facts = _read(request, game).conversation(read_address(members), after=after, before=before)
    return reply(describe_messages(facts))


@area.writes("POST /games/{game}/seat/messages", SentMessages)
def send_message(request: HttpRequest, game: GameId, given: MessageGiven) -> Effect:
    """Send a message, optionally with a proposal, document or map. A key is good for one message.

    `apart` sends each recipient a separate copy that doesn't show the others; `together` sends it
    to one conversation with all of them.
    """
    sent = conversations_actions.send_message(
        **act_on(request, game),
        to=read_address(",".join(given.to)),
        mode=Mode(given.mode),
        subject=given.subject,
        body=given.body,
        key=make_key(request),
        now=find_arrival(request),
        attachment=_find_attachment(given),
    )
    return Effect(reply(describe_sent(sent)))


@area.writes("POST /games/{game}/seat/messages/{act}", Marked)
def mark_messages(
    request: HttpRequest,
    game: GameId,
    act: Literal["read", "unread", "delete", "mute", "unmute", "report"],
    given: MarkGiven,
) -> Effect:
    """Mark messages as read or unread, delete a message, or mute a conversation, for you alone.

    `read` covers messages up to `number`, and `unread` those from `number` on. `report` sends a
    message and those around it to the moderators, who do not name you; it needs `grounds` from
    `GET /me/reports`.
    """
    action, to = act_on(request, game), read_address(given.members)
    match act:
        case "read":
            mark_read(**action, to=to, up_to=given.number)
        case "unread":
            mark_unread(**action, to=to, from_number=given.number)
        case "delete":
            hide_message(**action, to=to, number=given.number)
        case "report":
            report_message(
                **action,
                to=to,
                evidence=copy_evidence(_read(request, game), to, given.number),
                grounds=given.grounds,
                note=given.note,
                now=find_arrival(request),
            )
        case _:
            mute_conversation(**action, to=to, muted=act == "mute", now=find_arrival(request))
    summary = _read(request, game).summary(to)
    return Effect(reply(Marked(unread=summary.unread, muted=summary.muted)))


@proposals_area.reads("/games/{game}/seat/deals", DealList)
def list_deals(request: HttpRequest, game: GameId) -> HttpResponse:
    """List the open and accepted proposals that you can read, and who kept their deals."""
    return reply(describe_deals(read_deals(_read(request, game))))


@proposals_area.writes("POST /games/{game}/seat/proposals/answer", ProposalAnswered)
def answer_proposal(request: HttpRequest, game: GameId, given: ProposalAnswerGiven) -> Effect:
    """Answer a proposal, or withdraw your own. To make a counter-offer, send a message."""
    state = proposals_actions.answer_proposal(
        **act_on(request, game),
        to=read_address(given.members),
        number=given.number,
        answer=Answer(given.answer),
        alternative=given.alternative,
        now=find_arrival(request),
    )
    return Effect(reply(ProposalAnswered(state=state.value)))


@documents_area.writes("POST /games/{game}/seat/documents/sign", MessageState)
def sign_document(request: HttpRequest, game: GameId, given: SignatureGiven) -> Effect:
    """Sign the document in a message for your seat. The first signature fixes its text."""
    to = read_address(given.members)
    documents_actions.sign_document(
        **act_on(request, game),
        to=to,
        number=given.number,
        digest=given.digest,
        now=find_arrival(request),
    )
    return Effect(reply(describe_message(_read(request, game).message(to, given.number))))


@documents_area.writes("POST /games/{game}/seat/documents/change", MessageState)
def change_document(request: HttpRequest, game: GameId, given: DocumentChangeGiven) -> Effect:
    """Change the text of your own document. Once anyone has signed it, it can't be changed."""
    to = read_address(given.members)
    documents_actions.change_document(
        **act_on(request, game),
        to=to,
        number=given.number,
        text=given.text,
        now=find_arrival(request),
    )
    return Effect(reply(describe_message(_read(request, game).message(to, given.number))))


def _find_attachment(given: MessageGiven) -> Attachment | None:
    carried = [name for name in ("proposal", "document", "map") if getattr(given, name) is not None]
    if len(carried) > 1:
        raise refuse_field(carried[1], f"A message with a {carried[0]} cannot carry anything else.")
    if given.proposal:
        _require_known_members(given.proposal.terms)
        return ProposalAttachment(given.proposal.terms, given.proposal.counters)
    if given.document:
        return _make_document(given.document)
    return MapAttachment(given.map.number) if given.map else None


def _require_known_members(terms: Mapping[str, object]) -> None:
    """Raise `Problem` for a member that terms do not have: it would silently mean nothing."""
    place = "proposal.terms"
    unknown = [f"{place}.{name}" for name in terms if name not in _TERMS]
    for number, clauses in enumerate(_list(terms.get("alternatives"))):
        for at, clause in enumerate(_list(clauses)):
            known = _CLAUSES.get(str(clause.get("clause"))) if isinstance(clause, dict) else None
            if known is not None:
                where = f"{place}.alternatives[{number}][{at}]"
                unknown += [f"{where}.{name}" for name in clause if name not in known]
    if unknown:
        raise refuse_value(unknown[0][:200], Refused("There is no such field."))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _make_document(given: DocumentGiven) -> DocumentAttachment:
    if given.of is None:
        return DocumentAttachment(text=given.text)
    if given.text:
        raise refuse_field("document.text", "Send new text or `of` an existing document, not both.")
    return DocumentAttachment(source=(read_address(given.of.members), given.of.number))


def _read(request: HttpRequest, game: str) -> PressReader:
    return PressReader(game, caller_of(request).viewer, with_since=False)
