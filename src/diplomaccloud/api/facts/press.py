"""Conversations and messages."""

from diplomaccloud.api.schemas.press import (
    AuthorState,
    ConversationState,
    MessageList,
    MessageState,
    ProposalReply,
    ProposalText,
    SentMessages,
    SentState,
)
from diplomaccloud.deals import terms_to_json
from diplomaccloud.press.actions import Sent
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.viewpoint import ConversationFacts, MessageFacts, ProposalFacts, Summary


def describe_conversation(summary: Summary) -> ConversationState:
    """Return a conversation in a list."""
    is_personal = summary.kind is Kind.PERSONAL
    return ConversationState(
        members=summary.person if is_personal else str(summary.address).replace("+", ","),
        kind=summary.kind.value,
        unread=summary.unread,
        muted=summary.muted,
        writable=summary.is_writable,
        why=summary.why.value,
        active_at=summary.active_at,
        last=_describe_message(summary.last) if summary.last else None,
    )


def describe_messages(facts: ConversationFacts) -> MessageList:
    """Return a part of a conversation."""
    return MessageList(
        conversation=describe_conversation(facts.summary),
        messages=[_describe_message(message) for message in facts.messages],
        count=facts.count,
        read=facts.read,
        has_earlier=facts.has_earlier,
        has_later=facts.has_later,
    )


def describe_sent(sent: Sent) -> SentMessages:
    """Return where a message went."""
    return SentMessages(
        sent=[
            SentState(members=str(copy.address).replace("+", ","), number=copy.number)
            for copy in sent.messages
        ],
        published_at=sent.published_at,
    )


def _describe_message(message: MessageFacts) -> MessageState:
    author = message.author
    proposals = [part for part in message.attachments if isinstance(part, ProposalFacts)]
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
        proposal=_describe_proposal(proposals[0]) if proposals else None,
    )


def _describe_proposal(facts: ProposalFacts) -> ProposalText:
    return ProposalText(
        terms=terms_to_json(facts.terms),
        state=facts.state.value,
        proposer=facts.proposer,
        parties=list(facts.parties),
        answers=[
            ProposalReply(power=row.power, answer=row.answer.value, alternative=row.alternative)
            for row in facts.answers
        ],
        may_answer=facts.may_answer,
        may_withdraw=facts.may_withdraw,
    )
