"""A viewer's personal conversations with one other person each."""

import datetime as dt

from diplomaccloud.accounts.models import User, name_of
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.addresses import Address, Kind, key_of_people
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.evidence import AROUND, Evidence
from diplomaccloud.press.models import Block, Conversation, Membership
from diplomaccloud.press.models.game_state import find_limit
from diplomaccloud.press.models.periods import find_own_row, find_ranges
from diplomaccloud.press.people import accepts_message
from diplomaccloud.press.ranges import Ranges
from diplomaccloud.press.rules import Verdict, Why
from diplomaccloud.press.viewpoint.copies import copy_messages, find_end, is_reported
from diplomaccloud.press.viewpoint.facts import ConversationFacts, Summary
from diplomaccloud.press.viewpoint.messages import Names, read_page
from diplomaccloud.press.viewpoint.reader import MESSAGES_PER_PAGE


def read_personal(
    viewer: Viewer,
    name: str,
    *,
    now: dt.datetime,
    after: int | None = None,
    before: int | None = None,
    limit: int = MESSAGES_PER_PAGE,
) -> ConversationFacts:
    """Return part of the viewer's conversation with a person; raise `NoSuchConversation`.

    Each pair of people has one, even if it has no messages yet.
    """
    if viewer.user_id is None:
        raise NoSuchConversation
    people = User.objects.filter(guest__in=[False], folded_name=name.lower()[:40])
    people = people.annotate(limited_until=find_limit(viewer.user_id, None))
    person = people.exclude(pk=viewer.user_id or 0).first()
    if person is None:
        raise NoSuchConversation
    key = key_of_people([viewer.user_id, person.pk])
    rows = Membership.objects.filter(conversation__key=key).select_related("conversation")
    own = find_own_row(list(rows), viewer.user_id)
    conversation: Conversation | None = own.conversation if own else None
    ranges = Ranges()
    if own is not None and conversation is not None:
        ranges = find_ranges(conversation, [own], viewer.user_id)
    is_limited = person.limited_until is not None and now < person.limited_until
    accepted = person.is_active and accepts_message(viewer.user_id, person.pk, now)
    open_now = accepted and not is_limited
    why = Why.LIMITED if is_limited else Why.REFUSED
    page = None
    if conversation is not None:
        names = Names(None, None, viewer.user_id)
        page = read_page(names, conversation, ranges, after=after, before=before, limit=limit)
    summary = Summary(
        address=Address(Kind.PERSONAL),
        kind=Kind.PERSONAL,
        person=person.username,
        unread=own.unread if own else 0,
        muted=own is not None and own.muted_at is not None,
        active_at=conversation.last_at if conversation else None,
        verdict=Verdict.ALLOWED if open_now else Verdict.CLOSED,
        why=Why.NOTHING if open_now else why,
    )
    return ConversationFacts(
        summary=summary,
        messages=page.messages if page else (),
        count=ranges.count,
        read=ranges.shown(own.read) if own else 0,
        has_earlier=page is not None and page.has_earlier,
        has_later=page is not None and page.has_later,
    )


def copy_personal_evidence(viewer: Viewer, name: str, number: int, *, now: dt.datetime) -> Evidence:
    """Return the evidence for a report of a personal message; raise `NoSuchConversation`."""
    facts = read_personal(viewer, name, now=now, before=find_end(number), limit=AROUND + 1)
    people = User.objects.filter(pk=viewer.user_id or 0).first()
    own = people.screen_name if people else ""
    members = [own, name_of(facts.summary.person)]
    return copy_messages(facts.messages, number, kind=Kind.PERSONAL, members=members)


def is_personal_reported(viewer: Viewer, name: str, number: int) -> bool:
    """Return whether the viewer has reported a message of the conversation with this person."""
    person = User.objects.filter(folded_name=name.lower()[:40]).first()
    if viewer.user_id is None or person is None:
        return False
    key = key_of_people([viewer.user_id, person.pk])
    rows = Membership.objects.filter(conversation__key=key).select_related("conversation")
    own = find_own_row(list(rows), viewer.user_id)
    if own is None:
        return False
    ranges = find_ranges(own.conversation, [own], viewer.user_id)
    return is_reported(viewer.user_id, own.conversation, ranges, number)


def is_blocked(viewer: Viewer, name: str) -> bool:
    """Return whether the viewer blocks the person with this name."""
    rows = Block.objects.filter(user=viewer.user_id, blocked__folded_name=name.lower()[:40])
    return viewer.user_id is not None and rows.exists()
