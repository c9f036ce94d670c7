"""Conversations, messages and their attachments."""

from collections.abc import Iterable
from typing import TypeVar

from diplomaccloud.api.facts.conference_maps import describe_map
from diplomaccloud.api.schemas.press import (
    AuthorState,
    ConversationState,
    DealList,
    DealState,
    DocumentText,
    FindingState,
    LedgerPhase,
    MessageList,
    MessageState,
    ProposalReply,
    ProposalText,
    SentMessages,
    SentState,
    SignatureState,
    WaitingState,
)
from diplomaccloud.deals import terms_to_json
from diplomaccloud.press.conversations.actions import Sent
from diplomaccloud.press.documents.actions import digest_of_text
from diplomaccloud.press.documents.read import DocumentFacts
from diplomaccloud.press.maps.read import MapFacts
from diplomaccloud.press.proposals.read import DealFacts, LedgerFacts, ProposalFacts
from diplomaccloud.press.table.addresses import Address, Kind
from diplomaccloud.press.table.read import AttachmentFacts, ConversationFacts, MessageFacts, Summary

_Part = TypeVar("_Part", bound=AttachmentFacts)


def write_members(address: Address) -> str:
    """Return the API's name of a conversation: a word, or powers separated by commas."""
    return str(address).replace("+", ",")


def describe_conversation(summary: Summary) -> ConversationState:
    """Return a conversation in a list."""
    is_personal = summary.kind is Kind.PERSONAL
    return ConversationState(
        members=summary.person if is_personal else write_members(summary.address),
        kind=summary.kind.value,
        unread=summary.unread,
        muted=summary.muted,
        writable=summary.is_writable,
        why=summary.why.value,
        active_at=summary.active_at,
        last=describe_message(summary.last) if summary.last else None,
    )


def describe_messages(facts: ConversationFacts) -> MessageList:
    """Return a part of a conversation."""
    return MessageList(
        conversation=describe_conversation(facts.summary),
        messages=[describe_message(message) for message in facts.messages],
        waiting=[
            WaitingState(subject=row.subject, body=row.body, published_at=row.published_at)
            for row in facts.waiting
        ],
        count=facts.count,
        read=facts.read,
        has_earlier=facts.has_earlier,
        has_later=facts.has_later,
    )


def describe_sent(sent: Sent) -> SentMessages:
    """Return where a message went."""
    return SentMessages(
        sent=[
            SentState(members=write_members(copy.address), number=copy.number)
            for copy in sent.messages
        ],
        published_at=sent.published_at,
    )


def describe_deals(deals: Iterable[DealFacts]) -> DealList:
    """Return the open and accepted proposals of a game."""
    return DealList(
        deals=[
            DealState(
                members=write_members(deal.address),
                number=deal.number,
                proposal=_describe_proposal(deal.proposal),
            )
            for deal in deals
        ]
    )


def describe_message(message: MessageFacts) -> MessageState:
    """Return a message with its attachment."""
    author, parts = message.author, message.attachments
    proposal, document = _find(parts, ProposalFacts), _find(parts, DocumentFacts)
    drawn = _find(parts, MapFacts)
    return MessageState(
        number=message.number,
        at=message.at,
        phase=None if message.phase is None else str(message.phase),
        author=AuthorState(
            kind=author.kind.value,
            power=author.power,
            country=author.country,
            name=author.name,
            former=author.former,
            is_you=author.is_you,
        ),
        subject=message.subject,
        body=message.body,
        attached=message.attached.value,
        muted=message.muted,
        proposal=_describe_proposal(proposal) if proposal else None,
        document=_describe_document(document) if document else None,
        map=describe_map(drawn) if drawn else None,
    )


def _find(parts: Iterable[AttachmentFacts], kind: type[_Part]) -> _Part | None:
    return next((part for part in parts if isinstance(part, kind)), None)


def _describe_document(facts: DocumentFacts) -> DocumentText:
    return DocumentText(
        text=facts.text,
        digest=digest_of_text(facts.text),
        changed_at=facts.changed_at,
        signatures=[
            SignatureState(power=row.power, country=row.country, phase=str(row.phase))
            for row in facts.signatures
        ],
        may_sign=facts.may_sign,
        may_change=facts.may_change,
        may_show=facts.may_show,
    )


def _describe_proposal(facts: ProposalFacts) -> ProposalText:
    return ProposalText(
        terms=terms_to_json(facts.terms),
        state=facts.state.value,
        alternative=facts.alternative,
        proposer=facts.proposer,
        parties=list(facts.parties),
        answers=[
            ProposalReply(power=row.power, answer=row.answer.value, alternative=row.alternative)
            for row in facts.answers
        ],
        may_answer=facts.may_answer,
        may_withdraw=facts.may_withdraw,
        ledger=[_describe_ledger(row) for row in facts.ledger],
    )


def _describe_ledger(facts: LedgerFacts) -> LedgerPhase:
    return LedgerPhase(
        phase=str(facts.phase),
        findings=[
            FindingState(
                clause=row.clause,
                power=row.power,
                verdict=row.verdict.value,
                fault=None if row.fault is None else str(row.fault),
            )
            for row in facts.findings
        ],
        final=facts.final,
    )
