"""People who leave, are removed, or stop coming; and who takes their place.

The orders that somebody saved never run once the seat is no longer theirs: their drafts stay
in the record, but none of them is live.
"""

import datetime as dt
import secrets
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Min, QuerySet

from diplomaccloud.bots import BOTS
from diplomaccloud.games import events
from diplomaccloud.games.actions.ledger import said_reason, write_log
from diplomaccloud.games.actions.locks import (
    lock_game,
    master_of,
    mastered,
    meant_for,
    running,
    seat_in,
)
from diplomaccloud.games.actions.ordering import roll_over
from diplomaccloud.games.errors import NoSuchGame, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.models import (
    Attendance,
    Draft,
    Game,
    Phase,
    Plan,
    Seat,
    Submission,
    Tenure,
)
from diplomaccloud.games.records import country_of, open_phase_of, options_of, powers_of

RESIGNED, REMOVED, ABANDONED = "resigned", "removed", "abandoned"
WORDS = {
    RESIGNED: "left the game",
    REMOVED: "was removed by the game master",
    ABANDONED: "gave no orders and is taken to have left",
}


@transaction.atomic
def resign(*, slug: str, user_id: int, now: dt.datetime) -> int | None:
    """Give up the seat in a running game; its units hold until somebody takes it.

    Returns the key of the game if all who remain are ready and its phase has become due.
    """
    game = lock_game(slug)
    running(game)
    seat = seat_in(game, user_id)
    if is_given_up(seat):
        raise WrongMoment("Your country has surrendered: there is nothing left to leave.")
    vacate(game, seat, left=RESIGNED, now=now)
    return _go_on(game, now)


@transaction.atomic
def remove_player(
    *, slug: str, user_id: int, sequence: int, power: str, reason: str, now: dt.datetime
) -> int | None:
    """Take a person's seat away, by the game master, who says why.

    Returns the key of the game if all who remain are ready and its phase has become due.
    """
    game, seat = _meant_player(slug, user_id, sequence, power)
    vacate(game, seat, left=REMOVED, now=now, by=user_id, reason=said_reason(reason))
    return _go_on(game, now)


@transaction.atomic
def reprimand(
    *, slug: str, user_id: int, sequence: int, power: str, reason: str, now: dt.datetime
) -> None:
    """Write a reprimand by the game master into the log, where every player reads it."""
    game, seat = _meant_player(slug, user_id, sequence, power)
    write_log(
        game=game,
        phase=open_phase_of(game),
        kind="reprimand",
        key=f"reprimand {secrets.token_hex(6)}",
        text=f"{country_of(seat)} was reprimanded by the game master.",
        now=now,
        by=user_id,
        reason=said_reason(reason),
        data={"seat": seat.pk},
    )


@transaction.atomic
def take_seat(*, slug: str, user_id: int, power: str, now: dt.datetime, code: str = "") -> Seat:
    """Return the vacant seat that a volunteer takes.

    A private game asks for its code, but not those who have played in it.
    """
    game = lock_game(slug)
    running(game)
    before = Tenure.objects.filter(seat__game=game, user_id=user_id)
    known = not game.private or before.exists()
    if not known and not secrets.compare_digest(code.encode(), game.code.encode()):
        raise NoSuchGame
    seat = _seat_of(game, power)
    if seat.vacated_at is None:
        raise WrongMoment("This seat is taken.")
    if game.seats.filter(user_id=user_id).exists():
        raise WrongMoment("You are in this game already.")
    if game.master_id == user_id:
        raise WrongMoment("The game master of a game cannot play in it.")
    if is_given_up(seat):
        raise WrongMoment("This country has surrendered: it stays in civil disorder.")
    if why := barred(seat.pk, before.values_list("seat_id", "left")):
        raise NotYourSeat(why)
    _fill(game, seat, now, user_id=user_id)
    return seat


def barred(seat: int, past: Iterable[tuple[int, str]]) -> str:
    """Return why a person must not take a seat, blank if nothing is in the way.

    `past` are the seats that the person has held in the game, and how each was left.
    """
    times = list(past)
    if any(left == REMOVED for _, left in times):
        return "You were removed from this game."
    if any(key != seat for key, _ in times):
        # Who knows one country's secrets is no fair player of another.
        return "You played another country of this game: you can only go back to it."
    return ""


@transaction.atomic
def seat_bot(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    power: str,
    bot: str,
    reason: str,
    now: dt.datetime,
) -> int:
    """Return the key of the game, once a vacant seat is a bot's.

    The game master's act, or the creator's where there is none.
    """
    game = lock_game(slug)
    if game.master_id is not None or game.creator_id != user_id:
        master_of(game, user_id)
    meant_for(game, sequence)
    running(game)
    if bot not in BOTS:
        raise Refused(f"There is no bot called {bot!r}.")
    seat = _seat_of(game, power)
    if seat.vacated_at is None:
        raise WrongMoment("This seat is taken.")
    if is_given_up(seat):
        raise WrongMoment("This country has surrendered: it stays in civil disorder.")
    _fill(game, seat, now, bot=bot, by=user_id, reason=said_reason(reason))
    _go_on(game, now)
    return game.pk


def vacate(
    game: Game,
    seat: Seat,
    *,
    left: str,
    now: dt.datetime,
    by: int | None = None,
    reason: str = "",
) -> None:
    """Empty a seat within the caller's transaction; the game's substitute, if any, takes it.

    Nothing its holder saved counts any more, not even in a phase that a roll-forward would
    open again.
    """
    phase = open_phase_of(game)
    waiting = game.phases.filter(processed_at=None)
    Draft.objects.filter(phase__in=waiting, seat=seat, live=True).update(live=None)
    Submission.objects.filter(phase__in=waiting, seat=seat).delete()
    Plan.objects.filter(phase__in=waiting, seat=seat).delete()
    seat.tenures.filter(until_at=None).update(until_at=now, left=left)
    seat.user, seat.bot, seat.vacated_at = None, "", now
    seat.save(update_fields=["user", "bot", "vacated_at"])
    write_log(
        game=game,
        phase=phase,
        kind="left",
        key=f"left {seat.pk} {now.isoformat()}",
        text=f"The player of {country_of(seat)} {WORDS[left]}.",
        now=now,
        by=by,
        reason=reason,
        data={"seat": seat.pk},
    )
    substitute = options_of(game).missed.substitute
    if substitute and not is_given_up(seat):
        _fill(game, seat, now, bot=substitute)


def is_given_up(seat: Seat) -> bool:
    """Return whether every country of the seat has surrendered, so that nobody plays it more."""
    phase = open_phase_of(seat.game)
    return phase is not None and set(powers_of(seat, phase)) <= set(phase.disorder)


def replace_absent(phase: Phase, missed: list[Seat], now: dt.datetime) -> None:
    """Vacate the seats among `missed` whose people missed as many turns in a row as agreed.

    Called when a phase has been processed, in its transaction. Turns of a roll-back's
    abandoned line, and those that were excused, count for nothing.
    """
    limit = options_of(phase.game).missed.limit
    if not limit:
        return
    for seat in missed:
        last = Attendance.objects.filter(
            seat=seat, user=seat.user, phase__superseded_at=None, excused=False
        ).order_by("-phase__sequence")[:limit]
        if len(last) == limit and not any(row.ordered for row in last):
            vacate(phase.game, seat, left=ABANDONED, now=now)


def give_back(game: Game, phases: QuerySet[Phase], now: dt.datetime) -> list[int]:
    """Return the tenures that go on, whose players were gone for want of orders in `phases`.

    Asked in a roll-back's transaction while those phases still count.
    """
    since = phases.exclude(processed_at=None).aggregate(at=Min("processed_at"))["at"]
    gone = Tenure.objects.filter(seat__game=game, left=ABANDONED, until_at__gte=since or now)
    kept = []
    for tenure in gone.exclude(seat__vacated_at=None).select_related("seat"):
        if not game.seats.filter(user=tenure.user_id).exists():
            _take_up(tenure)
            kept.append(tenure.pk)
    return kept


def take_again(game: Game, tenures: list[int], now: dt.datetime) -> None:
    """Undo `give_back` in a roll-forward's transaction; who left meanwhile has left."""
    for tenure in Tenure.objects.filter(pk__in=tenures, until_at=None).select_related("seat"):
        tenure.seat.game = game
        vacate(game, tenure.seat, left=ABANDONED, now=now)


def _go_on(game: Game, now: dt.datetime) -> int | None:
    """Return the key of the game if nobody is waited for in it any more: see `roll_over`."""
    phase = open_phase_of(game)
    if phase is None or phase.processed_at:
        return None
    phase.game = game
    return roll_over(phase, now)


def _take_up(tenure: Tenure) -> None:
    tenure.until_at, tenure.left = None, ""
    tenure.save(update_fields=["until_at", "left"])
    seat = tenure.seat
    seat.user_id, seat.vacated_at = tenure.user_id, None
    seat.save(update_fields=["user", "vacated_at"])


def _fill(
    game: Game,
    seat: Seat,
    now: dt.datetime,
    *,
    user_id: int | None = None,
    bot: str = "",
    by: int | None = None,
    reason: str = "",
) -> None:
    seat.user_id, seat.bot, seat.vacated_at = user_id, bot, None
    seat.save(update_fields=["user", "bot", "vacated_at"])
    Tenure.objects.create(seat=seat, user_id=user_id, bot=bot, since_at=now)
    who = f"The {bot} bot" if bot else "A new player"
    write_log(
        game=game,
        phase=open_phase_of(game),
        kind="taken",
        key=f"taken {seat.pk} {now.isoformat()}",
        text=f"{who} plays {country_of(seat)} now.",
        now=now,
        by=by,
        reason=reason,
        data={"seat": seat.pk},
    )
    events.record(game=game, kind="seat", now=now, data={"power": seat.power})


def _meant_player(slug: str, user_id: int, sequence: int, power: str) -> tuple[Game, Seat]:
    """Return the game, and the seat of the person that its master's act is about."""
    game, _ = mastered(slug, user_id, sequence)
    running(game)
    seat = _seat_of(game, power)
    if seat.user_id is None:
        raise WrongMoment("Nobody holds this seat.")
    return game, seat


def _seat_of(game: Game, power: str) -> Seat:
    seat = game.seats.filter(power=power).first() if power else None
    if seat is None:
        raise Refused("There is no such country in this game.")
    seat.game = game
    return seat
