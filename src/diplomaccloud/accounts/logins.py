"""The time of a person's last login, as precisely as everyone may see it.

In an anonymous game, everyone sees on which days a country is played. Exact login times would
soon reveal who plays it. So the last two weeks are shown as one step. The first use of a session on
a day counts as a login, so everyone who has played within them is in this step. Older logins are
shown by month. Lists are sorted by these steps too, not by the exact time.
"""

import datetime as dt

from django.db.models import Case, IntegerField, Value, When
from django.db.models.functions import ExtractMonth, ExtractYear

from diplomaccloud.accounts.models import User

RECENT = dt.timedelta(days=14)
"""How long a login counts as recent."""
_RECENT_STEP = 12 * dt.MAXYEAR + 13


def describe_login(at: dt.datetime | None, *, now: dt.datetime) -> str:
    """Return `in the last two weeks` or `in May 2026`; blank if the person never logged in."""
    if at is None:
        return ""
    return (
        "in the last two weeks" if at >= _recent_since(now) else f"in {at.astimezone(dt.UTC):%B %Y}"
    )


def record_return(user: User, *, now: dt.datetime) -> None:
    """Count the first use of a session on a day as a login."""
    User.objects.filter(pk=user.pk, last_login__lt=start_of_day(now)).update(last_login=now)


def start_of_day(now: dt.datetime) -> dt.datetime:
    """Return when the day began, in UTC."""
    return now.astimezone(dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def login_step(*, now: dt.datetime) -> Case:
    """Return an expression for user rows: a number that is equal for logins that are shown alike.

    The number is the month since the year 0, or higher for a recent login; NULL for no login.
    """
    year, month = (part("last_login", tzinfo=dt.UTC) for part in (ExtractYear, ExtractMonth))
    return Case(
        When(last_login__gte=_recent_since(now), then=Value(_RECENT_STEP)),
        default=12 * year + month,
        output_field=IntegerField(),
    )


def start_of_step(
    at: dt.datetime | None, *, now: dt.datetime
) -> tuple[dt.datetime | None, dt.datetime | None]:
    """Return the start and the end of the step of a login; None where there is none."""
    recent = _recent_since(now)
    if at is None:
        return None, None
    if at >= recent:
        return recent, None
    month = at.astimezone(dt.UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    following = (month + dt.timedelta(days=32)).replace(day=1)
    return month, min(following, recent)


def _recent_since(now: dt.datetime) -> dt.datetime:
    # Whole days: otherwise, the time at which the step changes would reveal the time of the login.
    return start_of_day(now) - RECENT
