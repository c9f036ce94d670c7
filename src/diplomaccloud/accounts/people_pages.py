"""Pages of people in several orders, found by the name at which a page starts or ends.

A page is read from an index at that point, so the last page takes as long as the first, and nothing
is counted.
"""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import F, Q, QuerySet

from diplomaccloud.accounts.logins import login_step, start_of_step
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
            if anchor is not None:
                people = people.filter(**{f"pk__{'gt' if backward else 'lt'}": anchor.pk})
            people = people.order_by("pk" if backward else "-pk")
        case PeopleOrder.LOGIN:
            people = _find_by_login(people, anchor, now, backward=backward)
    return list(people[: PER_PAGE + 1])


def _find_by_login(
    people: QuerySet[User], anchor: User | None, now: dt.datetime, *, backward: bool
) -> QuerySet[User]:
    """Return the people in order of the step of their last login, then of their names.

    Only the steps that the page can reach are sorted.
    """
    near = "folded_name__lt" if backward else "folded_name__gt"
    if anchor is not None:
        start, end = start_of_step(anchor.last_login, now=now)
        here = Q(last_login=None) if start is None else Q(last_login__gte=start)
        if end is not None:
            here &= Q(last_login__lt=end)
        same = here & Q(**{near: anchor.folded_name})
        if backward:
            further = Q(pk__in=[]) if start is not None and end is None else Q(last_login__gte=end)
            further = Q(last_login__isnull=False) if start is None else further
        else:
            further = (
                Q(pk__in=[]) if start is None else Q(last_login__lt=start) | Q(last_login=None)
            )
        reach = _reach(people.filter(further), now, backward=backward)
        people = people.filter(same | further & reach)
    else:
        people = people.filter(_reach(people, now, backward=False))
    steps = people.annotate(step=login_step(now=now))
    if backward:
        return steps.order_by(F("step").asc(nulls_first=True), "-folded_name")
    return steps.order_by(F("step").desc(nulls_last=True), "folded_name")


def _reach(people: QuerySet[User], now: dt.datetime, *, backward: bool) -> Q:
    """Return a condition for the steps of the nearest of these people, enough to fill a page."""
    known = people.exclude(last_login=None)
    logins = known.order_by("last_login" if backward else "-last_login")
    nearest = list(logins.values_list("last_login", flat=True)[: PER_PAGE + 1])
    if len(nearest) <= PER_PAGE:
        return Q()
    start, end = start_of_step(nearest[-1], now=now)
    if backward:
        return Q(last_login__lt=end) if end is not None else Q()
    return Q(last_login__gte=start)
