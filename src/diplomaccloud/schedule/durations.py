"""Durations in words."""

import datetime as dt

from diplomaccloud.schedule.local_time import ScheduleError

_NONE = dt.timedelta(0)
_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
_BELOW_TWENTY = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_ONES = _BELOW_TWENTY.split()
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def require_duration(field: str, length: dt.timedelta, longest: dt.timedelta) -> None:
    """Raise `ScheduleError` unless `length` is whole seconds from zero to `longest`."""
    if not _NONE <= length <= longest or length.microseconds:
        actual, limit = describe_bad_duration(length), format_duration(longest)
        raise ScheduleError(field, f"must be whole seconds, at most {limit}, not {actual}")


def describe_bad_duration(length: dt.timedelta) -> str:
    """Return an invalid length as `400 days`, `less than zero` or `1 second and a fraction`."""
    if length < _NONE:
        return "less than zero"
    part = " and a fraction" if length.microseconds else ""
    return format_duration(length) + part


def format_duration(length: dt.timedelta) -> str:
    """Return `1 day 12 hours`, `5 minutes`; the smallest unit is a second."""
    parts = [f"{count} {name}" for count, name in _parts(length)]
    return " ".join(parts) or "no time"


def spell_duration(length: dt.timedelta) -> str:
    """Return `four hours twenty minutes`, for use in a sentence."""
    parts = [f"{spell_number(count)} {name}" for count, name in _parts(length)]
    return " ".join(parts) or "no time"


def spell_number(number: int) -> str:
    """Return `twenty-one`, or digits for numbers below zero and from 100 up."""
    if not 0 <= number < 100:
        return str(number)
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def _parts(length: dt.timedelta) -> list[tuple[int, str]]:
    rest = max(0, int(length.total_seconds()))
    parts = []
    for size, name in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            parts.append((count, name if count == 1 else f"{name}s"))
    return parts
