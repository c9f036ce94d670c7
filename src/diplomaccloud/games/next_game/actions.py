"""Opening next games, their musters, and starting them.

One game waits for each template. When it starts, the next one opens in the same transaction, so a
worker that dies leaves either both or neither. Everything about a game happens under its lock; a
worker leases a game whose time has come with a conditional update, like a due phase.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

import structlog
from django.conf import settings
from django.db import DatabaseError, IntegrityError
from django.db.models import Exists, OuterRef, Q

from diplomaccloud.bots.seats import choose_bot
from diplomaccloud.games.creation.actions import create_game, random_text
from diplomaccloud.games.creation.presets import SPEEDS, GamePlan
from diplomaccloud.games.lobby.actions import begin_game
from diplomaccloud.games.next_game.models import (
    MAX_TEMPLATES,
    MAX_TITLE,
    PATIENCE,
    GameTemplate,
    NextGame,
    measure_muster,
)
from diplomaccloud.games.next_game.wording import FEWEST, USUAL_PEOPLE
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import BadValue, DeadlinePassed, WrongMoment
from diplomaccloud.games.table.lock import (
    Now,
    lock_game,
    lock_game_by_id,
    make_secret,
    require_seat,
    time_of,
)
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.options import Options, Press, Start, suggest_name
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.maps.library import (
    UnknownMapError,
    find_chart,
    find_map_setup,
    standard_hash,
    store_standard,
)
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.stock import choose_stock_map

FILLER: Final = "level:3"
"""The bot that takes empty seats."""
MIN_POWERS: Final = 5
"""The fewest powers on the map of a next game."""
LEASE: Final = dt.timedelta(seconds=30)
_BATCH: Final = 16
NEW_MAP: Final = "new"
STANDARD_MAP: Final = "standard"
_ENDED: Final = (
    "The muster of this game has just ended. The game is about to start or to wait again. "
    "Try again in a minute, or join the next game."
)
_log = structlog.get_logger(__name__)


# Opening a game from a template.


def open_missing(*, now: dt.datetime) -> int:
    """Open a game for each template without one, if its map exists; return how many were opened."""
    if not settings.NEXT_GAMES:
        return 0
    waiting = NextGame.objects.filter(template=OuterRef("pk"), waiting=True)
    missing = GameTemplate.objects.filter(active=True).exclude(Exists(waiting))
    maps = dict(missing.values_list("pk", "map"))
    if STANDARD_MAP in maps.values():
        store_standard(now=now)  # before the transactions: it takes long if the map is missing
    return sum(_open_guarded(key, now) for key in maps)


def _open_guarded(template_id: int, now: dt.datetime) -> int:
    """Open a game as `open_next` does; a damaged map must not keep another game from starting."""
    try:
        return open_next(template_id=template_id, now=now)
    except IntegrityError:
        return 0  # Another worker was faster.
    except DatabaseError:
        raise
    except Exception:
        _log.exception("no next game", template=template_id)
        return 0


@atomic_with_retries
def open_next(*, template_id: int, now: dt.datetime) -> int:
    """Open a game from the template, unless one waits or its map is missing; return how many.

    Raises `IntegrityError` if another transaction has opened one at the same time.
    """
    template = GameTemplate.objects.select_for_update().get(pk=template_id)
    if not template.active or template.games.filter(waiting=True).exists():
        return 0
    map_hash = _choose_map(template)
    if map_hash is None:
        return 0
    seed = make_secret()
    game = create_game(
        plan=plan_game(template, map_hash, suggest_name(seed)),
        creator_id=None,
        now=now,
        slug=random_text(10),
        code=random_text(10),
        seed=seed,
    )
    NextGame.objects.create(game=game, template=template, title=template.title, waiting=True)
    return 1


def _choose_map(template: GameTemplate) -> str | None:
    if template.map == NEW_MAP:
        return choose_stock_map()
    wanted = standard_hash() if template.map == STANDARD_MAP else template.map
    return wanted if StoredChart.objects.filter(content_hash=wanted).exists() else None


def plan_game(template: GameTemplate, map_hash: str, world: str) -> GamePlan:
    """Return the plan of a game from the template, named `world`."""
    options = Options(
        schedule=SPEEDS[template.speed].schedule,
        setup=find_map_setup(StoredChart.objects.get(content_hash=map_hash)),
        fill_with=FILLER,
        press=Press(template.press),
        start=Start.MUSTER,
        bots_give_way=True,
    )
    return GamePlan(world, map_hash, options, EDITIONS[template.edition])


# Who comes and goes, and who confirms.


def follow_people(game: Game, now: dt.datetime, joined: Seat | None = None) -> None:
    """Open a muster or start the locked game if it is time, after somebody `joined` or left.

    `settings.SEATS_FOLLOWER` names this function. Raises `WrongMoment` if the muster has ended and
    no worker has looked at the game yet.
    """
    row = game.next_game
    seats = _list_seats(game, joined)
    if joined is not None and _is_over(row, now):
        raise WrongMoment(_ENDED)
    if row.muster_at is not None:
        if joined is not None:
            _mark_confirmed(joined, now)
    elif joined is not None and len(seats) >= max(row.opens_with, FEWEST):
        _open_muster(row, seats, now)
        _mark_confirmed(joined, now)
    else:
        waits = row.due_at or now + PATIENCE
        row.due_at = waits if len(seats) >= FEWEST else None
        row.save(update_fields=["due_at"])
    _start_if_agreed(row, seats, now)


@atomic_with_retries
def confirm(*, slug: str, user_id: int, now: Now) -> int | None:
    """Confirm that the person is there for the start; return the key of the game if it started."""
    game, row, seat, at = _lock_muster(slug, user_id, now)
    if row.muster_at is None:
        raise WrongMoment("No muster is open. You keep your seat, and hear when one opens.")
    if seat.ready_at is None:
        _mark_confirmed(seat, at)
        events.record(game=game, kind="ready to start", now=at)
    return _start_if_agreed(row, _list_seats(game, seat), at)


@atomic_with_retries
def start_with_bots(*, slug: str, user_id: int, now: Now) -> int | None:
    """Agree to start with two or three people and bots; return the key of the game if it started.

    This also confirms that the person is there.
    """
    game, row, seat, at = _lock_muster(slug, user_id, now)
    seats = _list_seats(game, seat)
    if not FEWEST <= len(seats) < USUAL_PEOPLE:
        raise WrongMoment("Only two or three people can start with bots.")
    if row.muster_at is not None and seat.ready_at is None:
        _mark_confirmed(seat, at)
    if seat.pk not in row.with_bots:
        row.with_bots = [*row.with_bots, seat.pk]
        row.save(update_fields=["with_bots"])
        events.record(game=game, kind="ready to start", now=at)
    return _start_if_agreed(row, seats, at)


def _lock_muster(slug: str, user_id: int, now: Now) -> tuple[Game, NextGame, Seat, dt.datetime]:
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    row = NextGame.objects.filter(game=game).first()
    if row is None:
        raise WrongMoment("This game has no muster.")
    if game.status != Status.FORMING:
        raise WrongMoment("This game has already started.")
    at = time_of(now)
    if _is_over(row, at) and row.due_at is not None:
        raise DeadlinePassed(f"The muster ended at {row.due_at:%H:%M} UTC. You can join again.")
    return game, row, seat, at


def _is_over(row: NextGame, now: dt.datetime) -> bool:
    """Return whether the muster has ended, but no worker has looked at the game yet."""
    return row.muster_at is not None and row.due_at is not None and row.due_at <= now


def _list_seats(game: Game, known: Seat | None = None) -> list[Seat]:
    """Return the seats in the order of joining, with `known` in place of its copy."""
    seats = game.seats.order_by("pk")
    return [known if known is not None and row.pk == known.pk else row for row in seats]


def _mark_confirmed(seat: Seat, now: dt.datetime) -> None:
    seat.ready_at = now
    seat.save(update_fields=["ready_at"])


def _open_muster(row: NextGame, seats: Sequence[Seat], now: dt.datetime) -> None:
    game = row.game
    Seat.objects.filter(game=game).exclude(ready_at=None).update(ready_at=None)
    for seat in seats:
        seat.ready_at = None
    row.muster_at, row.due_at = now, now + measure_muster(game.options.schedule)
    row.save(update_fields=["muster_at", "due_at"])
    data = {"what": "opened", "closes_at": row.due_at.isoformat()}
    events.record(game=game, kind="muster", now=now, data=data)


def _start_if_agreed(row: NextGame, seats: Sequence[Seat], now: dt.datetime) -> int | None:
    """Start the game if it is full and all have confirmed, or if all want to start with bots."""
    game = row.game
    if row.muster_at is not None and len(seats) == len(game.players):
        if all(seat.ready_at for seat in seats):
            return _start(row, seats, now)
    elif FEWEST <= len(seats) < USUAL_PEOPLE and all(seat.pk in row.with_bots for seat in seats):
        return _start(row, seats, now, rated=False)
    return None


def _start(
    row: NextGame, seats: Sequence[Seat], now: dt.datetime, *, rated: bool = True
) -> int | None:
    """Start the game with bots in the empty seats, and open the next one; return its key.

    The result changes no rating unless the start is `rated`.
    """
    game = row.game
    empty = len(game.players) - len(seats)
    bots = [Seat(game=game, bot=choose_bot(FILLER, number)) for number in range(empty)]
    row.waiting = row.muster_at = row.due_at = row.lease_until = None
    row.save(update_fields=["waiting", "muster_at", "due_at", "lease_until"])
    if not rated:
        game.rated = False
        game.save(update_fields=["rated"])
    begin_game(game, [*seats, *bots], now)
    if settings.NEXT_GAMES:
        _open_guarded(row.template_id, now)
    return game.pk


# When the time of a muster is up, or people have waited long enough for one.


def tend_next_games(*, now: Now) -> list[int]:
    """Open and end the musters that are due; return the keys of the games that started.

    Called by the worker. An error in one game is logged, and the game is tried again once its
    lease has expired.
    """
    at, started = time_of(now), []
    due = NextGame.objects.filter(waiting__in=[True], due_at__lte=at).order_by("due_at")
    for key in due.values_list("pk", flat=True)[:_BATCH]:
        free = Q(lease_until=None) | Q(lease_until__lte=at)
        claimed = NextGame.objects.filter(free, pk=key, waiting__in=[True], due_at__lte=at)
        if not claimed.update(lease_until=at + LEASE):
            continue
        try:
            game = end_wait(game_id=key, now=now)
        except Exception:
            _log.exception("muster failed", game=key)
        else:
            started += [game] if game is not None else []
    return started


@atomic_with_retries
def end_wait(*, game_id: int, now: Now) -> int | None:
    """Open or end the muster of the game if it is due; return its key if it started."""
    game = lock_game_by_id(game_id)
    row, at = game.next_game, time_of(now)
    row.lease_until = None
    if not row.waiting or row.due_at is None or row.due_at > at:
        row.save(update_fields=["lease_until"])
        return None
    seats = _list_seats(game)
    if row.muster_at is not None:
        return _end_muster(row, seats, at)
    row.due_at = None
    row.save(update_fields=["lease_until", "due_at"])
    if len(seats) >= FEWEST:
        _open_muster(row, seats, at)
    return None


def _end_muster(row: NextGame, seats: Sequence[Seat], now: dt.datetime) -> int | None:
    """Free the seats of those who have not confirmed; start with the others if they are enough."""
    game = row.game
    present = [seat for seat in seats if seat.ready_at]
    absent = [seat for seat in seats if not seat.ready_at]
    for seat in absent:
        events.record(game=game, kind="left", key=f"left {seat.pk}", now=now)
        seat.delete()
    if absent:
        # Only notices read whom it concerns: the names of these people may be hidden.
        gone = {"what": "dropped", "people": [seat.user_id for seat in absent]}
        events.record(game=game, kind="muster", now=now, data=gone)
    if len(present) >= USUAL_PEOPLE:
        return _start(row, present, now)
    number = len(present)
    row.muster_at, row.opens_with = None, min(number + 1, USUAL_PEOPLE) if number else USUAL_PEOPLE
    row.due_at = now + PATIENCE if number >= FEWEST else None
    row.with_bots = [key for key in row.with_bots if key in {seat.pk for seat in present}]
    row.save(update_fields=["muster_at", "opens_with", "due_at", "with_bots", "lease_until"])
    for seat in present:
        seat.ready_at = None
        seat.save(update_fields=["ready_at"])
    if present:
        events.record(game=game, kind="muster", now=now, data={"what": "closed"})
    return _start_if_agreed(row, present, now)


def extend_musters(*, away_at: dt.datetime, back_at: dt.datetime) -> int:
    """Give musters that were open during an outage the lost time back; return how many."""
    open_then = NextGame.objects.filter(
        waiting__in=[True], muster_at__lt=back_at, due_at__gt=away_at
    )
    keys = list(open_then.values_list("pk", flat=True))
    return sum(_extend_muster(key, away_at, back_at) for key in keys)


@atomic_with_retries
def _extend_muster(game_id: int, away_at: dt.datetime, back_at: dt.datetime) -> int:
    row = lock_game_by_id(game_id).next_game
    if row.muster_at is None or row.due_at is None:
        return 0
    row.due_at += back_at - max(away_at, row.muster_at)
    row.save(update_fields=["due_at"])
    return 1


# Templates, which the host edits.


@dataclass(frozen=True, slots=True)
class TemplateGiven:
    """A template as the host gives it; the fields are those of `GameTemplate`."""

    title: str
    map: str
    speed: str
    press: str
    edition: str


def save_template(*, slot: int, given: TemplateGiven, now: dt.datetime) -> None:
    """Save the template in the slot; raise `BadValue` naming the part at fault.

    If nobody has joined the waiting game, it is replaced by one from the new template. Otherwise,
    the new template counts from the next game on.
    """
    _require_template(slot, given)
    if given.map == STANDARD_MAP:
        store_standard(now=now)
    _save_template(slot, given, now)


@atomic_with_retries
def _save_template(slot: int, given: TemplateGiven, now: dt.datetime) -> None:
    _withdraw_empty(slot, now)
    values = {**asdict(given), "active": True}
    template, _ = GameTemplate.objects.update_or_create(slot=slot, defaults=values)
    if settings.NEXT_GAMES:
        open_next(template_id=template.pk, now=now)


@atomic_with_retries
def remove_template(*, slot: int, now: dt.datetime) -> None:
    """Open no more games from the template in the slot; raise `BadValue` if there is none.

    A waiting game that somebody has joined stays until it starts.
    """
    _withdraw_empty(slot, now)
    if not GameTemplate.objects.filter(slot=slot, active=True).update(active=False):
        raise BadValue("slot", f"There is no template {slot}.")


def _require_template(slot: int, given: TemplateGiven) -> None:
    if not 1 <= slot <= MAX_TEMPLATES:
        raise BadValue("slot", f"Choose a number from 1 to {MAX_TEMPLATES}.")
    if not given.title.strip() or len(given.title) > MAX_TITLE:
        raise BadValue("title", f"A title must have 1 to {MAX_TITLE} characters.")
    for name, value, known in (
        ("speed", given.speed, list(SPEEDS)),
        ("press", given.press, [each.value for each in Press]),
        ("edition", given.edition, list(EDITIONS)),
    ):
        if value not in known:
            raise BadValue(name, f"Choose the {name} from {', '.join(known)}.")
    if given.map in (STANDARD_MAP, NEW_MAP):
        return
    try:
        powers = len(find_chart(given.map).board.powers)
    except UnknownMapError as error:
        raise BadValue("map", "This map is not in the gallery.") from error
    if powers < MIN_POWERS:
        raise BadValue("map", f"The map must have at least {MIN_POWERS} powers; it has {powers}.")


def _withdraw_empty(slot: int, now: dt.datetime) -> None:
    """Lock the template of the slot, and cancel its waiting game if nobody has joined it.

    A game that starts locks its template later, to open the next one. If the two wait for each
    other, the database aborts one, which is retried; in any other order, a game that opens in the
    meantime would stay.
    """
    list(GameTemplate.objects.select_for_update().filter(slot=slot))
    waiting = NextGame.objects.filter(template__slot=slot, waiting=True)
    for key in waiting.values_list("pk", flat=True):
        game = lock_game_by_id(key)
        if game.status != Status.FORMING or game.seats.exists():
            continue
        game.status = Status.CANCELED
        game.save(update_fields=["status"])
        NextGame.objects.filter(pk=key).update(waiting=None, due_at=None)
        events.record(game=game, kind="canceled", key="canceled", now=now)
