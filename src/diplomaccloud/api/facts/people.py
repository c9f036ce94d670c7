"""A person's messages in all games, mutes and blocks, and reports."""

from collections.abc import Iterable

from diplomaccloud.accounts.models import name_of
from diplomaccloud.api.facts.press import describe_conversation, describe_message
from diplomaccloud.api.schemas.people import (
    Choices,
    DecisionState,
    FoundMessage,
    GroundsState,
    HiddenTextState,
    InboxPageState,
    InboxRow,
    LimitState,
    MutedConversationState,
    MutedSeatState,
    OwnReportsState,
    OwnReportState,
    SentPageState,
    SentRow,
)
from diplomaccloud.press.inbox.read import InboxPage, SearchHit, SentCopy, SentPage
from diplomaccloud.press.moderation.read import GROUNDS, GROUNDS_OF_PLAYERS, DecisionFacts
from diplomaccloud.press.moderation.wording import TextStage
from diplomaccloud.press.personal.read import ChoicesFacts
from diplomaccloud.press.reports.read import OwnReports
from diplomaccloud.press.table.addresses import Kind


def describe_inbox(page: InboxPage) -> InboxPageState:
    """Return a page of conversations."""
    return InboxPageState(
        conversations=[
            InboxRow(
                game=entry.slug or None,
                world=entry.world,
                conversation=describe_conversation(entry.summary),
            )
            for entry in page.entries
        ],
        next=page.cursor,
    )


def describe_sent_page(page: SentPage) -> SentPageState:
    """Return a page of sent messages."""
    return SentPageState(
        messages=[
            SentRow(
                game=entry.slug or None,
                world=entry.world,
                at=entry.at,
                to=list(map(_name_copy, entry.copies)),
                subject=entry.subject,
                body=entry.body,
                attached=entry.attached.value,
                published_at=entry.published_at,
            )
            for entry in page.entries
        ],
        next=page.cursor,
    )


def describe_hit(hit: SearchHit) -> FoundMessage:
    """Return a message from the search results."""
    return FoundMessage(
        game=hit.slug or None,
        world=hit.world,
        members=_write_members(hit.address, hit.person),
        message=describe_message(hit.message),
    )


def describe_choices(facts: ChoicesFacts) -> Choices:
    """Return whom a person has muted and blocked."""
    return Choices(
        accepts_personal=facts.accepts_personal,
        blocked=list(facts.blocked),
        muted_seats=[
            MutedSeatState(game=seat.slug, power=seat.power, country=seat.country)
            for seat in facts.seats
        ],
        muted_conversations=[
            MutedConversationState(
                game=row.slug or None, members=_write_members(row.address, row.person)
            )
            for row in facts.conversations
        ],
    )


def describe_reports(facts: OwnReports) -> OwnReportsState:
    """Return a person's reports, decisions and limits."""
    return OwnReportsState(
        grounds=_describe_grounds(GROUNDS),
        player_grounds=_describe_grounds(GROUNDS_OF_PLAYERS),
        reports=[
            OwnReportState(
                world=row.world,
                country=row.country,
                body=row.body,
                at=row.at,
                decided=row.is_decided,
            )
            for row in facts.reports
        ],
        decisions=_describe_decisions(facts.decisions),
        limits=[LimitState(world=world, until=until) for world, until in facts.limits],
        texts=[
            HiddenTextState(
                kind=row.kind.value,
                text=row.text,
                hidden=row.stage == TextStage.HIDDEN,
                reason=row.reason,
                at=row.at,
            )
            for row in facts.texts
        ],
    )


def _describe_grounds(grounds: Iterable[tuple[str, object]]) -> list[GroundsState]:
    return [GroundsState(value=value, label=str(label)) for value, label in grounds]


def _describe_decisions(decisions: Iterable[DecisionFacts]) -> list[DecisionState]:
    return [
        DecisionState(
            key=row.key,
            world=row.world,
            outcome=row.outcome.value,
            reason=row.reason,
            until=row.until,
            at=row.at,
            on_appeal=row.on_appeal,
            by_master=row.by_master,
            country=row.country,
            subject=row.subject,
            body=row.body,
            appeal=row.appeal,
            may_appeal=row.may_appeal,
            seat_returned=row.seat_returned,
        )
        for row in decisions
    ]


def _name_copy(copy: SentCopy) -> str:
    if copy.kind is Kind.PERSONAL or copy.address:
        return _write_members(copy.address, copy.person)
    return copy.kind.value


def _write_members(address: str, person: str) -> str:
    return address.replace("+", ",") if address else name_of(person)
