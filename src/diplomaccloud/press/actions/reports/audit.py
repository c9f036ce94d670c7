"""The audit: the actions of judges and administrators, in rows that never change."""

import datetime as dt

from diplomaccloud.games.table.errors import Refused
from diplomaccloud.games.table.models import Game
from diplomaccloud.press.errors import BadText
from diplomaccloud.press.models import AuditEntry, Case
from diplomaccloud.press.text import MAX_REASON, clean_body


def write_audit(
    act: AuditEntry.Act,
    *,
    by: int | None,
    now: dt.datetime,
    case: Case | None = None,
    person: int | None = None,
    game: Game | None = None,
    detail: str = "",
) -> AuditEntry:
    """Record an act in the caller's transaction, and return the row.

    `by` is None for the command line.
    """
    return AuditEntry.objects.create(
        act=act,
        by_id=by,
        at=now,
        case=case,
        person_id=person,
        game=game,
        detail=detail[:MAX_REASON],
    )


def clean_reason(text: str, missing: str) -> str:
    """Return the cleaned reason; raise `Refused`, with the text `missing` if it is blank."""
    if not text.strip():
        raise Refused(missing)
    try:
        reason = clean_body(text)
    except BadText as error:
        raise Refused(str(error)) from error
    if len(reason) > MAX_REASON:
        raise Refused(f"Use at most {MAX_REASON:,} characters. Your text has {len(reason):,}.")
    return reason
