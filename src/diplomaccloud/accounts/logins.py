"""The time of a person's last login, as precisely as everyone may see it.

In an anonymous game, everyone sees on which days a country is played. Exact login times would
soon reveal who plays it. So the last two weeks are shown as one step. The first use of a session on
a day counts as a login, so everyone who has played within them is in this step. Older logins are
shown by month. Lists are sorted by these steps too, not by the exact time.

What is shown changes only at midnight (UTC): until then, a login of today is passed over, and the
last one of an earlier day counts, `User.login_before`. Otherwise, pages that are read again and
again would reveal when somebody comes back.
"""

import datetime as dt

from django.db.models import Case, DateTimeField, F, IntegerField, Q, Value, When
from django.db.models.functions import ExtractMonth, ExtractYear

from diplomaccloud.accounts.models import User

RECENT = dt.timedelta(days=14)
"""How long a login counts as recent."""
_RECENT_STEP = 12 * dt.MAXYEAR + 13


def record_return(user: User, *, now: dt.datetime) -> None:
    """Count a log-in, or the first use of a session on a day, unless today has one already."""
    old = User.objects.filter(pk=user.pk, last_login__lt=start_of_day(now))
    # MariaDB sets one column after the other.
    old.update(login_before=F("last_login"), last_login=now)


def find_shown_login(user: User, *, now: dt.datetime) -> dt.datetime | None:
    """Return the last login that everyone may know of; None if there is none."""
    at = user.last_login
    return at if at is None or at < start_of_day(now) else user.login_before


def describe_login(at: dt.datetime | None, *, now: dt.datetime) -> str:
    """Return `in the last two weeks` or `in May 2026`; blank if the person never logged in."""
    if at is None:
        return ""
    return (
        "in the last two weeks" if at >= _recent_since(now) else f"in {at.astimezone(dt.UTC):%B %Y}"
    )


def start_of_day(now: dt.datetime) -> dt.datetime:
    """Return when the day began, in UTC."""
    return now.astimezone(dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def has_shown_login(
    start: dt.datetime | None = None, end: dt.datetime | None = None, *, now: dt.datetime
) -> Q:
    """Return a condition for the people whose shown login is from `start` on and before `end`."""
    today = start_of_day(now)
    earlier, back = Q(last_login__lt=min(end or today, today)), Q(last_login__gte=today)
    if start is not None:
        earlier &= Q(last_login__gte=start)
        back &= Q(login_before__gte=start)
    back &= Q(login_before__isnull=False) if end is None else Q(login_before__lt=end)
    return earlier | back


def has_no_shown_login(*, now: dt.datetime) -> Q:
    """Return a condition for the people who are shown as never having logged in."""
    return Q(last_login=None) | Q(last_login__gte=start_of_day(now), login_before=None)


def login_step(*, now: dt.datetime) -> Case:
    """Return an expression for user rows: a number that is equal for logins that are shown alike.

    The number is the month since the year 0, or higher for a recent login; NULL for no login.
    """
    back = When(last_login__gte=start_of_day(now), then=F("login_before"))
    shown = Case(back, default=F("last_login"), output_field=DateTimeField())
    year, month = (part(shown, tzinfo=dt.UTC) for part in (ExtractYear, ExtractMonth))
    return Case(
        When(has_shown_login(_recent_since(now), now=now), then=Value(_RECENT_STEP)),
        default=12 * year + month,
        output_field=IntegerField(),
    )


def start_of_step(
    at: dt.datetime | None, *, now: dt.datetime
) -> tuple[dt.datetime | None, dt.datetime | None]:
    """Return the start and the end of the step of a shown login; None where there is none."""
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
