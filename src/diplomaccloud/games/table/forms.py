"""The base of all forms that act on a game, and the kinds of fields they share."""

import datetime as dt
import re
from typing import Any, Self, TypedDict

from django import forms
from django.http import HttpRequest
from django.utils import timezone

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import NoSuchGame, Refused
from diplomaccloud.schedule import (
    Clock,
    LaterDay,
    ScheduleError,
    Weekday,
    WeekTime,
    format_duration,
)
from diplomaccloud.schedule.local_time import DAY, HOUR, MINUTE, WEEK

MAX_SEQUENCE = 999_999
MAX_ROW_KEY = 10**15 - 1


class PhaseAction(TypedDict):
    """Who acts in which phase, and when: the arguments of every action that concerns a phase."""

    slug: str
    user_id: int
    sequence: int
    now: dt.datetime


class _OptionalField(forms.Field):
    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)


class RawTextField(_OptionalField):
    """Text exactly as it was sent, or blank; the action decides whether it is valid."""

    def clean(self, value: object) -> str:
        """Return the text."""
        return value if isinstance(value, str) else ""


class TextListField(_OptionalField):
    """All values sent under one name, in order."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: object) -> list[str]:
        """Return the values."""
        return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


class FlagField(_OptionalField):
    """Whether a button or hidden field sent `1`."""

    def clean(self, value: object) -> bool:
        """Return the flag."""
        return value == "1"


class NumberField(forms.IntegerField):
    """A number that the page itself fills in, such as a phase; `missing` says what it is for."""

    def __init__(self, missing: str, max_value: int, **options: Any) -> None:
        text = f"The form is incomplete: it does not say {missing}. Reload the page."
        kinds = ("required", "invalid", "min_value", "max_value")
        messages = dict.fromkeys(kinds, text)
        super().__init__(min_value=0, max_value=max_value, error_messages=messages, **options)


class ActionForm(forms.Form):
    """A form that a button sends: it is accepted as a whole, or refused with one sentence."""

    @classmethod
    def read(cls, request: HttpRequest) -> Self:
        """Return the form that was posted; raise `Refused` with its first error."""
        form = cls(request.POST)
        if not form.is_valid():
            errors = next(iter(form.errors.values()))
            raise Refused(str(errors[0]))
        return form


class PhaseForm(ActionForm):
    """A form about one phase, whose number the page fills in."""

    phase = NumberField("which phase it is for", MAX_SEQUENCE)

    @property
    def sequence(self) -> int:
        """The number of the phase that the form is for."""
        return int(self.cleaned_data["phase"])

    def action(self, request: HttpRequest, slug: str) -> PhaseAction:
        """Return the arguments of the action; raise `NoSuchGame` for a visitor."""
        return {
            "slug": slug,
            "user_id": require_user_id(request),
            "sequence": self.sequence,
            "now": timezone.now(),
        }


def require_user_id(request: HttpRequest) -> int:
    """Return the key of the logged-in person; raise `NoSuchGame` for a visitor."""
    if not isinstance(request.user, User):
        raise NoSuchGame
    return request.user.pk


_UNITS = {"w": 7 * DAY, "d": DAY, "h": HOUR, "m": MINUTE}
_PART = re.compile(r"([0-9]{1,4}) ?(weeks?|w|days?|d|hours?|h|minutes?|mins?|m)\b", re.IGNORECASE)
_CLOCK = re.compile(r"([0-9]{1,2}:[0-9]{2})\Z")
_LATER = re.compile(r"([0-7]) days? later(?: at)? ([0-9:]+)\Z")
_DAYS = {
    "daily": WEEK,
    "every day": WEEK,
    "weekdays": WEEK[:5],
    "weekends": WEEK[5:],
}


class PhraseError(ValueError):
    """Text that cannot be read as a length of time, a time or a day."""


def read_span(text: str) -> dt.timedelta:
    """Return the length of time in `2 days`, `1 day 12 hours`, `90 minutes` or `36h`."""
    total, rest = dt.timedelta(), text.strip().casefold()
    if not _PART.search(rest):
        raise PhraseError("Enter a length with a unit: 2 days, 12 hours or 30 minutes.")
    for number, unit in _PART.findall(rest):
        total += int(number) * _UNITS[unit[0]]
    unread = _PART.sub("", rest).replace("and", "").replace(",", "").strip()
    if unread:
        raise PhraseError(f"{unread[:20]!r} is not a length of time. Example: 1 day 12 hours.")
    return total


def format_span(span: dt.timedelta) -> str:
    """Return text that `read_span` reads as `span`; blank for zero."""
    return format_duration(span) if span else ""


def read_times(text: str) -> frozenset[WeekTime]:
    """Return the times of the week in `Wed 24:00, Sun 24:00` or `daily 20:00`."""
    times: set[WeekTime] = set()
    for part in filter(None, (text.strip().casefold() for text in re.split(r"[,;\n]", text))):
        match = _CLOCK.search(part)
        if match is None:
            raise PhraseError(f"{part[:24]!r} is not a time of the week. Example: Wed 24:00.")
        clock = _clock(match[1])
        times |= {WeekTime(day, clock) for day in _days(part[: match.start()].strip())}
    if not times:
        raise PhraseError("Enter at least one time, for example Wed 24:00, Sun 24:00.")
    return frozenset(times)


def format_times(times: frozenset[WeekTime]) -> str:
    """Return text that `read_times` reads as `times`."""
    parts = []
    for clock in sorted({time.clock for time in times}):
        days = [time.day for time in sorted(times, key=lambda time: time.order)]
        held = [day for day in days if WeekTime(day, clock) in times]
        if set(held) == set(WEEK):
            parts.append(f"daily {clock}")
        else:
            parts += [f"{day.capitalize()} {clock}" for day in dict.fromkeys(held)]
    return ", ".join(parts)


def read_due(text: str) -> dt.timedelta | frozenset[WeekTime]:
    """Return times of the week if the text has a clock time, otherwise a length of time."""
    return read_times(text) if ":" in text else read_span(text)


def format_due(due: dt.timedelta | frozenset[WeekTime]) -> str:
    """Return text that `read_due` reads as `due`."""
    return format_span(due) if isinstance(due, dt.timedelta) else format_times(due)


def read_adjudication(text: str) -> dt.timedelta | LaterDay:
    """Return when orders are adjudicated: blank (no delay), `30 minutes` or `next day 12:30`."""
    said = " ".join(text.casefold().replace("the ", "").split())
    if said in {"", "at once"}:
        return dt.timedelta()
    for days, words in ((0, "same day"), (1, "next day")):
        if said.startswith(words):
            clock = said.removeprefix(words).removeprefix(" at").strip()
            return _later(days, clock)
    if match := _LATER.fullmatch(said):
        return _later(int(match[1]), match[2])
    return read_span(said.removesuffix(" later"))


def format_adjudication(when: dt.timedelta | LaterDay) -> str:
    """Return text that `read_adjudication` reads as `when`."""
    if isinstance(when, dt.timedelta):
        return format_span(when)
    words = {0: "same day", 1: "next day"}.get(when.days, f"{when.days} days later")
    return f"{words} {when.clock}"


def read_days(text: str) -> frozenset[dt.date]:
    """Return the days in `2026-12-25, 2027-01-01`."""
    days = set()
    for part in filter(None, re.split(r"[,;\s]+", text)):
        try:
            days.add(dt.date.fromisoformat(part))
        except ValueError:
            raise PhraseError(f"{part[:16]!r} is not a day. Example: 2026-12-25.") from None
    return frozenset(days)


def format_days(days: frozenset[dt.date]) -> str:
    """Return text that `read_days` reads as `days`."""
    return ", ".join(day.isoformat() for day in sorted(days))


def _later(days: int, clock: str) -> LaterDay:
    return LaterDay(days, _clock(clock))


def _clock(text: str) -> Clock:
    try:
        return Clock.parse(text.zfill(5))
    except ScheduleError as error:
        raise PhraseError(f"{error.what[:1].upper()}{error.what[1:]}.") from None


def _days(text: str) -> tuple[Weekday, ...]:
    said = text.removeprefix("every ") if text not in _DAYS else text
    if said in _DAYS:
        return tuple(_DAYS[said])
    for day in WEEK:
        if len(said) >= 2 and day.word.casefold().startswith(said.rstrip(".")):
            return (day,)
    raise PhraseError(f"{text[:16]!r} is not a day of the week. Write Mon, Tue … or daily.")


CONDITION = re.compile(r"([^:;\n]{1,40}: )?if [^:;\n]{1,60}")
"""The name of a list with the choices for one condition: `if MUN is dislodged`."""
