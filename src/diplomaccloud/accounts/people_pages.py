"""Pages of people in several orders, found by the name at which a page starts or ends.

A page is read from an index at that point, so the last page takes as long as the first, and nothing
is counted.
"""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import F, Q, QuerySet

from diplomaccloud.accounts.logins import (
    find_shown_login,
    has_no_shown_login,
    has_shown_login,
    login_step,
    start_of_day,
    start_of_step,
)
from diplomaccloud.accounts.models import User

PER_PAGE = 20


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
    name = (after or before).lower()
    anchor = User.objects.filter(folded_name=name).first() if name else None
    backward = anchor is not None and not after
    users = _find(people, order, anchor, now, backward=backward)
    more, users = len(users) > PER_PAGE, users[:PER_PAGE]
    if backward:
        return PageOfPeople(users[::-1], has_previous=more, has_next=True)
    return PageOfPeople(users, has_previous=anchor is not None, has_next=more)


def _find(
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
        here = has_no_shown_login(now=now) if never else has_shown_login(start, end, now=now)
        same = here & Q(**{f"folded_name__{'lt' if backward else 'gt'}": anchor.folded_name})
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
        found = rows.order_by(f"{sign}{field}").values_list(field, flat=True)
        nearest += found[: PER_PAGE + 1]
    if len(nearest) <= PER_PAGE:
        everyone = has_shown_login(start, end, now=now)
        return everyone if backward else everyone | has_no_shown_login(now=now)
    last = sorted(nearest, reverse=not backward)[PER_PAGE]
    first_of_step, end_of_step = start_of_step(last, now=now)
    if backward:
        return has_shown_login(start, end_of_step, now=now)
    return has_shown_login(first_of_step, end, now=now)
