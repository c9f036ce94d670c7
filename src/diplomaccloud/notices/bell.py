"""A person's list of notices on the site, and the number of new ones in the header of every page.

Opening a game's page marks its notices as read. The number includes announcements by the host until
the person dismisses them.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery
from django.db.models.expressions import Combinable
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from diplomaccloud.accounts.models import User
from diplomaccloud.announcements.views import list_undismissed
from diplomaccloud.games.following.read import name_followed
from diplomaccloud.games.news.read import read_names
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.notices.models import Notice
from diplomaccloud.notices.preferences import read_preferences
from diplomaccloud.notices.wording import NoticeText, word_notice
from diplomaccloud.press.news.read import read_arrivals, select_unread
from diplomaccloud.shared.prepared_queries import PreparedQuery

NOTICES_PER_PAGE: Final = 30
MAX_COUNTED: Final = 99
"""Higher numbers are not shown, since they would not be more useful."""
MAX_PAGES: Final = 40
_GONE: Final = NoticeText("A notice about a game that you can no longer see", "", "")
COUNTED: Final = "new_notices"
"""The request attribute that says that the page shows the number."""


@dataclass(frozen=True, slots=True)
class ListedNotice:
    """One line of the list; `age` is a short text for how long ago it was."""

    text: NoticeText
    at: dt.datetime
    age: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class NoticeList:
    """A page of the list, newest first; `newest` is the key of the newest notice, or 0."""

    lines: tuple[ListedNotice, ...]
    newest: int
    page: int
    has_more: bool


def build_counter(user_id: int) -> Combinable:
    """Return an expression for the person's number of new notices, up to a little over the maximum.

    A notice about messages is no longer new once they are read. Each part reads only the rows it
    counts, so that years of old notices cost nothing.
    """
    # The new notices that are not about messages, and the conversations with new messages.
    news = Notice.objects.filter(user=user_id, read_at=None, number=None).order_by()
    new_messages = Notice.objects.filter(
        Q(number__gt=OuterRef("read")),
        Q(number__gt=OuterRef("read_before")),
        membership=OuterRef("pk"),
        user=user_id,
        read_at=None,
    )
    talk = select_unread(user_id).filter(Exists(new_messages))
    return _CountedRows(news[: MAX_COUNTED + 1]) + _CountedRows(talk[: MAX_COUNTED + 1])


def count_new(user_id: int) -> int:
    """Return the number of new notices, as in `build_counter`."""
    numbers = User.objects.filter(pk=user_id).values_list(build_counter(user_id), flat=True)
    return numbers.first() or 0


class _CountedRows(Subquery):
    """The number of rows that a limited query returns."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"
    output_field = models.IntegerField()

    def __init__(self, rows: models.QuerySet[Any]) -> None:
        super().__init__(rows.values("pk"))


def list_notices(user_id: int, *, page: int, now: dt.datetime) -> NoticeList:
    """Return a page of the person's notices, with a fixed number of queries."""
    page = min(max(page, 1), MAX_PAGES)
    rows = _newest.read(user_id) if page == 1 else list(_select_page(user_id, page))
    shown = rows[:NOTICES_PER_PAGE]
    games = {row.game_id for row in shown if row.game_id is not None}
    names = read_names(Viewer(user_id), games)
    places = {place for row in shown if (place := row.place) is not None}
    arrivals = read_arrivals(Viewer(user_id), places)
    wishes = read_preferences([user_id])[user_id]
    followed = name_followed(Viewer(user_id), {key for row in shown for key in row.followed})
    lines = []
    for row in shown:
        arrival = arrivals.get(row.place) if row.place is not None else None
        text = word_notice(
            row,
            names.get(row.game_id or 0),
            zone=wishes.zone,
            arrival=arrival,
            with_text=wishes.with_text,
            followed=followed,
        )
        is_unread = row.number is None or (arrival is not None and arrival.is_unread)
        age, is_new = _describe_age(now - row.created_at), row.read_at is None and is_unread
        lines.append(ListedNotice(text or _GONE, row.created_at, age, is_new))
    has_more = len(rows) > len(shown) and page < MAX_PAGES
    return NoticeList(tuple(lines), shown[0].pk if shown else 0, page, has_more)


def _select_page(user_id: int, page: int) -> models.QuerySet[Notice]:
    """Return the notices of a page and the first one of the next."""
    start = (page - 1) * NOTICES_PER_PAGE
    return Notice.objects.filter(user=user_id)[start : start + NOTICES_PER_PAGE + 1]


_newest = PreparedQuery(lambda user_id: _select_page(user_id, 1), int)


def mark_seen(*, user_id: int, up_to: int, now: dt.datetime) -> None:
    """Mark the notices up to the newest one on a page as read."""
    Notice.objects.filter(user=user_id, read_at=None, pk__lte=up_to).update(read_at=now)


def mark_seen_until(*, user_id: int, at: dt.datetime, now: dt.datetime) -> None:
    """Mark the notices up to a time as read. Row keys would reveal how busy others are."""
    Notice.objects.filter(user=user_id, read_at=None, created_at__lte=at).update(read_at=now)


def mark_game_seen(*, user_id: int, slug: str, now: dt.datetime) -> None:
    """Mark the new notices about a game as read when the person opens its page.

    Notices about messages stay new, because the page doesn't show messages.
    """
    new = Notice.objects.filter(user=user_id, read_at=None, game__slug=slug, membership=None)
    keys = list(new.values_list("pk", flat=True))
    Notice.objects.filter(pk__in=keys, read_at=None).update(read_at=now)


def _describe_age(age: dt.timedelta) -> str:
    minutes = int(age.total_seconds()) // 60
    if minutes < 1:
        return "now"
    if minutes < 60:
        return f"{minutes} min ago"
    if minutes < 24 * 60:
        return f"{minutes // 60} h ago"
    return f"{age.days} d ago"


def notices_context(request: HttpRequest) -> Mapping[str, object]:
    """Return the number as a function, so that pages that don't show it cause no query."""
    return {"new_notices": lambda: _show_number(request)}


def _show_number(request: HttpRequest) -> str:
    """Return the number of new notices and of announcements; blank if there are none."""
    user = request.user
    if not isinstance(user, User) or user.guest:
        return ""
    number = getattr(user, "new_notices", None)
    if number is None:
        # A person who has just logged in was loaded without the counts.
        number = count_new(user.pk)
    setattr(request, COUNTED, number)
    number += len(list_undismissed(request))
    if not number:
        return ""
    return str(number) if number <= MAX_COUNTED else f"{MAX_COUNTED}+"


class NoticesSeen(MiddlewareMixin):
    """Marks the notices about a game as read when its page has been sent."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response; without new notices in the header, this costs nothing."""
        match = request.resolver_match
        is_game = match is not None and match.view_name == "games:detail"
        if is_game and getattr(request, COUNTED, False) and not is_prefetch(request):
            user_id = request.user.pk
            if response.status_code == 200 and user_id is not None and match is not None:
                slug = match.kwargs["slug"]
                mark_game_seen(user_id=user_id, slug=slug, now=timezone.now())
        return response


def is_prefetch(request: HttpRequest) -> bool:
    """Return whether the request is a prefetch, which the person may never see."""
    return "prefetch" in request.headers.get("Sec-Purpose", request.headers.get("Purpose", ""))
