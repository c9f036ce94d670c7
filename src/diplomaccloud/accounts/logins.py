"""When a person logged in last, as much as everybody may know of it.

In an anonymous game anybody sees on which days a country is played. Who could look up when
each person was here would soon know whose it is. So nothing is told of two weeks: for so long
a login is good, and whoever plays has logged in within them, on whatever day. What is older is
told by its month. Lists are sorted by these steps too, not by the instant behind them.
"""

import datetime as dt

from django.db.models import Case, IntegerField, Value, When
from django.db.models.functions import ExtractMonth, ExtractYear

RECENT = dt.timedelta(days=14)
"""How long a session lasts at the most."""
_LATEST = 12 * dt.MAXYEAR + 13


def login_in_words(at: dt.datetime | None, *, now: dt.datetime) -> str:
    """Return `in the last two weeks` or `in May 2026`; blank for whoever never logged in."""
    if at is None:
        return ""
    return "in the last two weeks" if at >= _recent(now) else f"in {at.astimezone(dt.UTC):%B %Y}"


def login_step(*, now: dt.datetime) -> Case:
    """Return a number of rows of people, the same for all of whom the same is told.

    It is the month, counted from the year 0, or more than any; NULL for whoever never logged in.
    """
    year, month = (part("last_login", tzinfo=dt.UTC) for part in (ExtractYear, ExtractMonth))
    return Case(
        When(last_login__gte=_recent(now), then=Value(_LATEST)),
        default=12 * year + month,
        output_field=IntegerField(),
    )


def _recent(now: dt.datetime) -> dt.datetime:
    # Whole days: else the moment at which somebody falls out of them would tell that of the login.
    today = now.astimezone(dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - RECENT
