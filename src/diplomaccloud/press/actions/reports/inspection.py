"""Seeing more than the evidence: each look requires a reason and is kept in the audit."""

import datetime as dt

from diplomaccloud.games.table.errors import NotYourSeat, Refused
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.actions.reports.audit import clean_reason, write_audit
from diplomaccloud.press.actions.reports.locks import (
    is_masters_case,
    lock_case_for,
    require_taken,
)
from diplomaccloud.press.actions.reports.notification import announce_look
from diplomaccloud.press.models import AuditEntry, Inspection


@atomic_with_retries
def inspect_case(*, user_id: int, key: str, what: str, reason: str, now: dt.datetime) -> None:
    """Record that a moderator reads the conversation of a case or learns a name, and why.

    Raises `NoSuchCase`, `CaseTaken`, or `NotYourSeat` for a game master, who sees evidence only.
    """
    case = lock_case_for(user_id, key, now)
    require_taken(case, user_id)
    if is_masters_case(case, user_id):
        raise NotYourSeat("Only moderators can see more than the evidence.")
    if what not in Inspection.What.values:
        raise Refused("Choose what you need to see.")
    if what == Inspection.What.CONVERSATION and case.message is None:
        raise Refused("A case about a player has no conversation.")
    if what == Inspection.What.SIGNALS and case.seat is None:
        raise Refused("Only a case about a player has signals.")
    text = clean_reason(reason, "Give a reason. It is stored with your name.")
    Inspection.objects.create(case=case, by_id=user_id, what=what, reason=text, at=now)
    if what == Inspection.What.CONVERSATION:
        announce_look(case, now)
    write_audit(AuditEntry.Act.INSPECTED, by=user_id, now=now, case=case, detail=f"{what}: {text}")
