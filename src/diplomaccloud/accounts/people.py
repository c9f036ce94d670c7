"""People as everyone may see them: pages of people, the last log-in, and the status message.

Pages of people are in several orders, found by the name at which a page starts or ends. A page is
read from an index at that point, so the last page takes as long as the first, and nothing is
counted.

In an anonymous game, everyone sees on which days a country is played. Exact login times would
soon reveal who plays it. So the last two weeks are shown as one step. The first use of a session on
a day counts as a login, so everyone who has played within them is in this step. Older logins are
shown by month. Lists are sorted by these steps too, not by the exact time.

What is shown changes only at midnight (UTC): until then, a login of today is passed over, and the
last one of an earlier day counts, `User.login_before`. Otherwise, pages that are read again and
again would reveal when somebody comes back.
"""

import datetime as dt
import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Case, DateTimeField, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import ExtractMonth, ExtractYear

from diplomaccloud.accounts.models import MAX_STATUS_LENGTH, NameWord, User
from diplomaccloud.accounts.screen_names import clean_line, make_key, make_search_key
from diplomaccloud.shared.database_cache import retry_deadlocks

PER_PAGE = 20
FILLED_AT_ONCE: Final = 100
RECENT = dt.timedelta(days=14)
"""How long a login counts as recent."""
_RECENT_STEP = 12 * dt.MAXYEAR + 13


class PeopleOrder(StrEnum):
    """How a list of people is sorted."""

    NAME = "name"
    NEWEST = "newest"
    LOGIN = "login"


@dataclass(frozen=True, slots=True)
class PageOfPeople:
    """One page of people, and whether others come before and after it."""

    users: list[User]
    has_previous: bool
    has_next: bool


def find_page(
    people: QuerySet[User], order: PeopleOrder, after: str, before: str, *, now: dt.datetime
) -> PageOfPeople:
    """Return the page after the person called `after`, or the page before `before`."""
    name = make_key(after or before)
    anchor = User.objects.filter(folded_name=name).first() if name else None
    backward = anchor is not None and not after
    users = _find_people(people, order, anchor, now, backward=backward)
    more, users = len(users) > PER_PAGE, users[:PER_PAGE]
    if backward:
        return PageOfPeople(users[::-1], has_previous=more, has_next=True)
    return PageOfPeople(users, has_previous=anchor is not None, has_next=more)


def find_named(text: str) -> Q:
    """Return a condition for the people whose names have a word that begins with the text.

    Case and accents make no difference. An index finds them.
    """
    key = make_search_key(text)
    words = NameWord.objects.filter(word__gte=key, word__lt=f"{key}{chr(sys.maxunicode)}")
    return Q(pk__in=words.values("user_id")) if key else Q(pk__in=[])


def fill_keys(*, now: dt.datetime) -> int:  # noqa: ARG001 as other chores
    """Complete the rows of people who signed up with a server of an older release; count them."""
    rows = list(User.objects.filter(folded_name=None)[:FILLED_AT_ONCE])
    for user in rows:
        user.save(update_fields=["username", "folded_name"])
    return len(rows)


def _find_people(
    people: QuerySet[User],
    order: PeopleOrder,
    anchor: User | None,
    now: dt.datetime,
    *,
    backward: bool,
) -> list[User]:
    """Return the people beyond the anchor, nearest first, one more than fit on a page."""
    beyond = "lt" if backward else "gt"
    match order:
        case PeopleOrder.NAME:
            if anchor is not None:
                people = people.filter(**{f"folded_name__{beyond}": anchor.folded_name})
            people = people.order_by("-folded_name" if backward else "folded_name")
        case PeopleOrder.NEWEST:
            # Keys would reveal more than the second, and when somebody began as a guest.
            further = "gt" if backward else "lt"
            if anchor is not None:
                at, name = anchor.date_joined, anchor.folded_name
                reached = Q(**{f"date_joined__{further}": at})
                same = Q(date_joined=at, **{f"folded_name__{further}": name})
                people = people.filter(reached | same, **{f"date_joined__{further}e": at})
            sign = "" if backward else "-"
            people = people.order_by(f"{sign}date_joined", f"{sign}folded_name")
        case PeopleOrder.LOGIN:
            people = _find_by_login(people, anchor, now, backward=backward)
    return list(people[: PER_PAGE + 1])


def _find_by_login(
    people: QuerySet[User], anchor: User | None, now: dt.datetime, *, backward: bool
) -> QuerySet[User]:
    """Return the people in order of the step of their shown login, then of their names.

    Only the steps that the page can reach are sorted.
    """
    start, end, same = None, None, Q(pk__in=[])
    if anchor is None:
        wanted = _reach(people, None, None, now, backward=False)
    else:
        start, end = start_of_step(find_shown_login(anchor, now=now), now=now)
        never = start is None
        step = has_no_shown_login(now=now) if never else has_shown_login(start, end, now=now)
        same = step & Q(**{f"folded_name__{'lt' if backward else 'gt'}": anchor.folded_name})
        if (never and not backward) or (backward and not never and end is None):
            wanted = Q(pk__in=[])  # the anchor is in the last step of this direction
        elif backward:
            wanted = _reach(people, end, None, now, backward=True)
        else:
            wanted = _reach(people, None, start, now, backward=False)
    steps = people.filter(same | wanted).annotate(step=login_step(now=now))
    if backward:
        return steps.order_by(F("step").asc(nulls_first=True), "-folded_name")
    return steps.order_by(F("step").desc(nulls_last=True), "folded_name")


def _reach(
    people: QuerySet[User],
    start: dt.datetime | None,
    end: dt.datetime | None,
    now: dt.datetime,
    *,
    backward: bool,
) -> Q:
    """Return a condition for the steps of the nearest of these people, enough to fill a page.

    Their shown logins are from `start` on and before `end`.
    """
    today, sign = start_of_day(now), "" if backward else "-"
    nearest: list[dt.datetime] = []
    known = people.filter(has_shown_login(start, end, now=now))
    for field, rows in (
        ("last_login", known.filter(last_login__lt=today)),
        ("login_before", known.filter(last_login__gte=today)),
    ):
        logins = rows.order_by(f"{sign}{field}").values_list(field, flat=True)
        nearest += logins[: PER_PAGE + 1]
    if len(nearest) <= PER_PAGE:
        everyone = has_shown_login(start, end, now=now)
        return everyone if backward else everyone | has_no_shown_login(now=now)
    last = sorted(nearest, reverse=not backward)[PER_PAGE]
    first_of_step, end_of_step = start_of_step(last, now=now)
    if backward:
        return has_shown_login(start, end_of_step, now=now)
    return has_shown_login(first_of_step, end, now=now)


@retry_deadlocks
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


def is_recent(at: dt.datetime | None, *, now: dt.datetime) -> bool:
    """Return whether a shown login was in the last two weeks."""
    return at is not None and at >= _recent_since(now)


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


def lock_people(*keys: int) -> dict[int, User]:
    """Return the people by key, locked until the transaction ends, always in one order."""
    rows = User.objects.select_for_update().filter(pk__in=keys).order_by("pk")
    return {row.pk: row for row in rows}


def set_status(*, user_id: int, text: str) -> str:
    """Set a person's status message and return it; a blank message clears it.

    Raises `ValueError` as `clean_status` does, and then does not change anything.
    """
    status = clean_status(text)
    User.objects.filter(pk=user_id).update(status=status)
    return status


def set_color_scheme(*, user_id: int, scheme: str) -> None:
    """Store the colors that a person has chosen: `auto`, `light` or `dark`."""
    User.objects.filter(pk=user_id).update(color_scheme=scheme)


def clean_status(text: str) -> str:
    """Return the message on one line; raise `ValueError` if it is too long or not printable."""
    status = clean_line(text, "A status message")
    if len(status) > MAX_STATUS_LENGTH:
        raise ValueError(f"Use at most {MAX_STATUS_LENGTH} characters.")
    return status


class StatusForm(forms.Form):
    """The form for the status message."""

    status = forms.CharField(
        max_length=10 * MAX_STATUS_LENGTH,  # before repeated spaces are merged
        required=False,
        label="Status message",
        help_text=f"One line of up to {MAX_STATUS_LENGTH} characters that everyone can read. "
        "Leave it blank to clear it.",
        widget=forms.TextInput(attrs={"maxlength": MAX_STATUS_LENGTH, "autocomplete": "off"}),
    )

    def clean_status(self) -> str:
        """Return the message as it will be displayed."""
        try:
            return clean_status(self.cleaned_data["status"])
        except ValueError as error:
            raise ValidationError(str(error)) from error
