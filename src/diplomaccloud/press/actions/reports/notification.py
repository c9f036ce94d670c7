"""Announcing reports and decisions, and only to people who may know of them."""

import datetime as dt

from django.db.models import Q

from diplomaccloud.accounts.models import User
from diplomaccloud.press.actions.events import record_press_event
from diplomaccloud.press.actions.readers import announce_to_readers, list_readers
from diplomaccloud.press.addresses import Kind
from diplomaccloud.press.event_kinds import PressEventKind
from diplomaccloud.press.evidence import MAX_INSPECTED
from diplomaccloud.press.judges import select_cases
from diplomaccloud.press.models import Case, Decision, Membership, TextCase
from diplomaccloud.press.models.reports import Outcome
from diplomaccloud.press.texts import select_text_cases

OWN_PAGE = "/reports/"


def announce_case(case: Case, now: dt.datetime) -> None:
    """Notify those who judge the case that it is waiting."""
    judges = list_office()
    if case.game is not None and case.game.master is not None:
        judges.append(case.game.master)
    able = {user.pk for user in judges if select_cases(user, now).filter(pk=case.pk).exists()}
    record_press_event(
        PressEventKind.REPORT_WAITING,
        key=f"case {case.key} {case.stage}",
        user_ids=able,
        now=now,
        path=f"/moderation/{case.key}/",
    )


def announce_text_case(case: TextCase, now: dt.datetime) -> None:
    """Notify those who judge the case about a text that it is waiting."""
    able = {
        user.pk
        for user in list_office()
        if select_text_cases(user, now).filter(pk=case.pk).exists()
    }
    record_press_event(
        PressEventKind.REPORT_WAITING,
        key=f"text {case.key}",
        user_ids=able,
        now=now,
        path=f"/moderation/text/{case.key}/",
    )


def list_office() -> list[User]:
    """Return the moderators and administrators."""
    office = Q(moderator=True) | Q(is_superuser=True)
    return list(User.objects.filter(office, is_active=True, banned_at=None))


def announce_decision(decision: Decision, now: dt.datetime) -> None:
    """Notify the person concerned of the decision, and the reporters that the case is decided."""
    case = decision.case
    if not decision.on_appeal:
        record_press_event(
            PressEventKind.REPORT_DECIDED,
            key=f"decided {case.key}",
            user_ids=set(case.reports.values_list("reporter", flat=True)),
            now=now,
            path=OWN_PAGE,
        )
    if decision.on_appeal or decision.outcome != Outcome.NONE:
        record_press_event(
            PressEventKind.JUDGED,
            key=f"judged {case.key} {decision.on_appeal}",
            user_ids={case.accused.pk},
            now=now,
            path=OWN_PAGE,
            data={"decision": decision.outcome},
        )


def announce_look(case: Case, now: dt.datetime) -> None:
    """Notify the readers of a conversation that a moderator looked at it.

    Conversations that everyone may read need no notice.
    """
    if case.message is None:
        return
    conversation = case.message.conversation
    if Kind(conversation.kind).is_for_all:
        return
    rows: list[Membership] = list(conversation.memberships.order_by("pk"))
    announce_to_readers(
        PressEventKind.LOOKED_AT,
        key=f"look {case.key} {now.isoformat()}",
        conversation=conversation,
        readers=list_readers(conversation, rows),
        first=conversation.last - MAX_INSPECTED + 1,
        last=conversation.last,
        data={"by": "moderator"},
        now=now,
    )
