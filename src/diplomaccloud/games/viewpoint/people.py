"""The list of players.

It tells no more of a person than the person's own page, and asks as much for a page of many as
for a page of one. Bots are not in it: they are seats of a game, never people.
"""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, F, Q, QuerySet
from django.urls import reverse

from diplomaccloud.accounts.logins import describe_login, login_step
from diplomaccloud.accounts.models import User
from diplomaccloud.games.models import Seat, Status
from diplomaccloud.games.options.options import Watch
from diplomaccloud.games.presenters.people import PeoplePage, PersonLine
from diplomaccloud.games.viewpoint.reliability import figures_of
from diplomaccloud.games.viewpoint.visibility import Viewer

PER_PAGE = 20


class Order(StrEnum):
    """How the list is sorted."""

    NAME = "name"
    NEWEST = "newest"
    LOGIN = "login"


@dataclass(frozen=True, slots=True)
class Sought:
    """Whom the list shows: those with `name` in their screen name, in which order."""

    name: str = ""
    order: Order = Order.NAME

    def query(self) -> dict[str, str]:
        """Return the part of an address that asks for the same."""
        order = "" if self.order is Order.NAME else str(self.order)
        return {name: value for name, value in (("name", self.name), ("order", order)) if value}


@dataclass(frozen=True, slots=True)
class Played:
    """How many games somebody plays that everybody may look at, and has finished."""

    running: int = 0
    finished: int = 0


def people_page(number: int, sought: Sought, viewer: Viewer, *, now: dt.datetime) -> PeoplePage:
    """Return one page of the players sought; a number out of range is put in range."""
    page = Paginator(_sorted(_found(sought.name), sought.order, now=now), PER_PAGE).get_page(number)
    people = list(page.object_list)
    keys = [person.pk for person in people]
    figures, games = figures_of(keys), games_of(keys)

    def address(there: bool, number: int) -> str:
        query = urlencode({**sought.query(), "page": number})
        return f"{reverse('people')}?{query}" if there else ""

    return PeoplePage(
        people=tuple(
            _line(one, figures[one.pk], games.get(one.pk, Played()), viewer, now=now)
            for one in people
        ),
        total=page.paginator.count,
        number=page.number,
        of=page.paginator.num_pages,
        previous_url=address(page.has_previous(), page.number - 1),
        next_url=address(page.has_next(), page.number + 1),
    )


def games_of(people: Collection[int]) -> dict[int, Played]:
    """Return the numbers of games of those of the people who have any, by their keys.

    Of the games under way those alone count that everybody may look at and read the names in:
    a number that grows when an anonymous game begins would tell who is in it.
    """
    shown = Q(
        game__status=Status.RUNNING,
        game__private=False,
        game__options__anonymous=False,
        game__options__watch=Watch.ANYONE.value,
    )
    rows = Seat.objects.filter(user__in=people).order_by().values("user")
    counted = rows.annotate(
        running=Count("pk", filter=shown),
        finished=Count("pk", filter=Q(game__status=Status.FINISHED)),
    )
    return {row["user"]: Played(row["running"], row["finished"]) for row in counted}


def _found(name: str) -> QuerySet[User]:
    people = User.objects.filter(is_active=True)
    return people.filter(folded_name__contains=name.lower()) if name else people


def _sorted(people: QuerySet[User], order: Order, *, now: dt.datetime) -> QuerySet[User]:
    match order:
        case Order.NAME:
            return people.order_by("folded_name")
        case Order.NEWEST:
            return people.order_by("-pk")
        case Order.LOGIN:
            steps = people.annotate(step=login_step(now=now))
            return steps.order_by(F("step").desc(nulls_last=True), "folded_name")


def _line(
    person: User, reliability: str, games: Played, viewer: Viewer, *, now: dt.datetime
) -> PersonLine:
    return PersonLine(
        name=person.screen_name,
        url=reverse("person", args=[person.screen_name]),
        status=person.status,
        since=person.date_joined,
        login=describe_login(person.last_login, now=now),
        reliability=reliability,
        running=games.running,
        finished=games.finished,
        is_you=person.pk == viewer.user_id,
    )
