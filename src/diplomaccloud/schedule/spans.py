"""Lengths of time in words."""

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


def check_span(field: str, length: dt.timedelta, longest: dt.timedelta) -> None:
    """Raise `ScheduleError` unless the length is of whole seconds, from none to `longest`."""
    if not _NONE <= length <= longest or length.microseconds:
        most = in_words(longest)
        raise ScheduleError(field, f"from no time to {most}, in whole seconds, not {amiss(length)}")


def amiss(length: dt.timedelta) -> str:
    """Return a length that is refused as `400 days`, `less than none` or `1 second and a part`."""
    if length < _NONE:
        return "less than none"
    part = " and a part" if length.microseconds else ""
    return in_words(length) + part


def in_words(length: dt.timedelta) -> str:
    """Return `1 day 12 hours`, `5 minutes`; the smallest unit is a second."""
    parts = [f"{count} {name}" for count, name in _parts(length)]
    return " ".join(parts) or "no time"


def spelled(length: dt.timedelta) -> str:
    """Return `four hours twenty minutes`, for use within a sentence."""
    parts = [f"{spelled_number(count)} {name}" for count, name in _parts(length)]
    return " ".join(parts) or "no time"


def spelled_number(number: int) -> str:
    """Return `twenty-one`; from a hundred on, and below none, figures."""
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
