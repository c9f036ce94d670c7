"""The next games as offers, and the muster of one as its waiting room shows it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from diplomaccloud.games.next_game.models import GameTemplate, NextGame, measure_muster
from diplomaccloud.games.next_game.wording import WAITS
from diplomaccloud.games.table.models import Seat, Status
from diplomaccloud.games.table.options import Press, Start
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer, person_name
from diplomaccloud.schedule import Schedule
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class NextOffer:
    """A next game that waits, for one viewer.

    `title` is that of its kind, `world` its own. `names` are the people who are in, in the
    order of joining, or empty if names are hidden. `yours` and `confirmed` are about the viewer.
    `muster_until_at` is None unless a muster is open.
    """

    slug: str
    title: str
    world: str
    map_name: str
    map_hash: str
    press: Press
    schedule: Schedule
    seats: int
    people: int
    names: tuple[str, ...]
    yours: bool
    confirmed: bool
    muster_until_at: dt.datetime | None

    @property
    def free(self) -> int:
        """How many seats nobody has taken."""
        return self.seats - self.people


@dataclass(frozen=True, slots=True)
class Muster:
    """The muster of a waiting game, for one viewer.

    It takes `length`. `due_at` is when it ends if it `is_open`, else when one opens without more
    people, if it does. `opens_with` is with how many people one opens. `agreed` counts the people
    who want to start with bots; `confirmed` and `agrees` are about the viewer.
    """

    is_open: bool
    due_at: dt.datetime | None
    opens_with: int
    people: int
    agreed: int
    yours: bool
    confirmed: bool
    agrees: bool
    length: dt.timedelta


_waiting = PreparedQuery(
    lambda: (
        NextGame.objects.filter(waiting__in=[True], game__status=Status.FORMING)
        .select_related("game__chart")
        .defer("game__chart__text")
        .order_by("template__slot")
    )
)
_people = PreparedQuery(
    lambda games: (
        Seat.objects.filter(game__in=games, user__isnull=False)
        .select_related("user")
        .order_by("pk")
    ),
    list,
)


def list_next_games(viewer: Viewer) -> tuple[NextOffer, ...]:
    """Return the waiting next games in the order of their templates; takes at most two queries."""
    rows = _waiting.read()
    seats: Mapping[int, list[Seat]] = {row.pk: [] for row in rows}
    for seat in _people.read(list(seats)) if rows else ():
        seats[seat.game_id].append(seat)
    return tuple(_read_offer(row, seats[row.pk], viewer) for row in rows)


def _read_offer(row: NextGame, seats: list[Seat], viewer: Viewer) -> NextOffer:
    game = row.game
    own = next((seat for seat in seats if seat.user_id == viewer.user_id), None)
    return NextOffer(
        slug=game.slug,
        title=row.title,
        world=game.world,
        map_name=game.chart.name,
        map_hash=game.chart.content_hash,
        press=game.options.press,
        schedule=game.options.schedule,
        seats=len(game.players),
        people=len(seats),
        names=tuple(name for seat in seats if (name := person_name(game, seat.user))),
        yours=own is not None,
        confirmed=own is not None and own.ready_at is not None and row.muster_at is not None,
        muster_until_at=row.due_at if row.muster_at is not None else None,
    )


def read_muster(reader: Reader) -> Muster | None:
    """Return the muster of a waiting next game; None for other games."""
    rows = reader.rows
    if not reader.is_forming or rows.options.start is not Start.MUSTER:
        return None
    row = NextGame.objects.get(game=rows.game)
    own = rows.own_seat
    return Muster(
        is_open=row.muster_at is not None,
        due_at=row.due_at,
        opens_with=row.opens_with,
        people=len(rows.seats),
        agreed=sum(seat.pk in row.with_bots for seat in rows.seats),
        yours=own is not None,
        confirmed=own is not None and own.ready_at is not None,
        agrees=own is not None and own.pk in row.with_bots,
        length=measure_muster(rows.options.schedule),
    )


def list_unconfirmed(user_id: int) -> list[tuple[str, str, dt.datetime | None]]:
    """Return the slugs of games whose muster waits for the person, in words, and when it ends.

    One query.
    """
    rows = _unconfirmed.read(user_id, timezone.now())
    return [(slug, WAITS, due_at) for slug, due_at in rows]


def _select_unconfirmed(
    user: int, now: dt.datetime
) -> QuerySet[Seat, tuple[str, dt.datetime | None]]:
    return (
        Seat.objects.filter(
            user=user,
            finished_at=None,
            ready_at=None,
            game__next_game__waiting__in=[True],
            game__next_game__muster_at__isnull=False,
            game__next_game__due_at__gt=now,
        )
        .values_list("game__slug", "game__next_game__due_at")
        .order_by()
    )


_unconfirmed = PreparedQuery(_select_unconfirmed, int, dt.datetime)


@dataclass(frozen=True, slots=True)
class TemplateFacts:
    """A template for the host; `waiting` is the address of its waiting game, or blank."""

    slot: int
    title: str
    map: str
    speed: str
    press: str
    edition: str
    waiting: str


def list_templates() -> tuple[TemplateFacts, ...]:
    """Return the active templates in order."""
    games = NextGame.objects.filter(waiting=True).select_related("game")
    waiting = dict(games.values_list("template", "game__slug"))
    return tuple(
        TemplateFacts(
            slot=row.slot,
            title=row.title,
            map=row.map,
            speed=row.speed,
            press=row.press,
            edition=row.edition,
            waiting=waiting.get(row.pk, ""),
        )
        for row in GameTemplate.objects.filter(active=True).order_by("slot")
    )
