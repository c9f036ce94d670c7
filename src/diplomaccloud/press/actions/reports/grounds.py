"""What a report must contain, and how many reports a person may send."""

import datetime as dt
from collections.abc import Collection
from typing import Final

from diplomaccloud.games.table.errors import Refused
from diplomaccloud.press.actions.reports.audit import clean_reason
from diplomaccloud.press.errors import TooManyMessages
from diplomaccloud.press.models import Report, TextReport
from diplomaccloud.press.models.reports import MESSAGE_GROUNDS, Grounds

MAX_A_DAY: Final = 20
_DAY: Final = dt.timedelta(days=1)


def clean_grounds(grounds: str, note: str, possible: Collection[Grounds] = MESSAGE_GROUNDS) -> str:
    """Return the cleaned note of a report; raise `Refused` if something is missing."""
    if grounds not in possible:
        raise Refused("Choose what is wrong.")
    text = clean_reason(note, "") if note.strip() else ""
    if grounds == Grounds.OTHER and not text:
        raise Refused("Describe the problem in a few words.")
    return text


def require_report_left(user_id: int, now: dt.datetime) -> None:
    """Raise `TooManyMessages` if the person has reached the daily limit of reports."""
    recent = [
        model.objects.filter(reporter=user_id, at__gt=now - _DAY).count()
        for model in (Report, TextReport)
    ]
    if sum(recent) >= MAX_A_DAY:
        raise TooManyMessages(f"You can send {MAX_A_DAY} reports a day. Try again tomorrow.")
