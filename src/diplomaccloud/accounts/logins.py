"""When a person logged in last, as much as everybody may know of it.

In an anonymous game anybody sees on which days a country is played. Who could look up when
each person was here would soon know whose it is. So nothing is told of two weeks: for so long
a login is good, and whoever plays has logged in within them, on whatever day. What is older is
told by its month. Lists are sorted by these steps too, not by the instant behind them.
"""

import datetime as dt

from django.db.models import Case, DateTimeField, Value, When
from django.db.models.functions import TruncMonth

RECENT = dt.timedelta(days=14)
"""How long a session lasts at the most."""


def login_in_words(at: dt.datetime | None, *, now: dt.datetime) -> str:
    """Return `in the last two weeks` or `in May 2026`; blank for whoever never logged in."""
    if at is None:
        return ""
    return "in the last two weeks" if at >= _recent(now) else f"in {at.astimezone(dt.UTC):%B %Y}"


def login_step(*, now: dt.datetime) -> Case:
    """Return, for the rows of people, an instant that is the same for all who are told the same."""
    recent = _recent(now)
    return Case(
        When(last_login__gte=recent, then=Value(recent)),
        default=TruncMonth("last_login", tzinfo=dt.UTC),
        output_field=DateTimeField(),
    )


def _recent(now: dt.datetime) -> dt.datetime:
    # Whole days: else the moment at which somebody falls out of them would tell that of the login.
    today = now.astimezone(dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - RECENT
