"""People who leave, are removed, or stop coming.

The orders that somebody saved never run once the seat is no longer theirs: their drafts stay
in the record, but none of them is live.
"""

import datetime as dt

from django.db import transaction
from django.db.models import Min, QuerySet

from diplomaccloud.games import events
from diplomaccloud.games.actions.locks import Now, lock_game, mastered, running, seat_in, time_of
from diplomaccloud.games.actions.log import said_reason, write_log
from diplomaccloud.games.actions.orders.submission import roll_over
from diplomaccloud.games.errors import Refused, WrongMoment
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

RESIGNED, REMOVED, ABANDONED = "resigned", "removed", "abandoned"
WORDS = {
    RESIGNED: "left the game",
    REMOVED: "was removed by the game master",
    ABANDONED: "gave no orders and is taken to have left",
}


@transaction.atomic
def resign(*, slug: str, user_id: int, now: Now) -> int | None:
    """Give up the seat in a running game; its units hold until somebody takes it.

    Returns the key of the game if all who remain are ready and its phase has become due.
    """
    game = lock_game(slug)
    now = time_of(now)
    running(game)
    seat = seat_in(game, user_id)
    if is_given_up(seat):
        raise WrongMoment("Your country has surrendered: there is nothing left to leave.")
    vacate(game, seat, left=RESIGNED, now=now)
    return go_on(game, now)


@transaction.atomic
def remove_player(
    *, slug: str, user_id: int, sequence: int, power: str, reason: str, now: dt.datetime
) -> int | None:
    """Take a person's seat away, by the game master, who says why.

    Returns the key of the game if all who remain are ready and its phase has become due.
    """
    game, seat = meant_player(slug, user_id, sequence, power)
    vacate(game, seat, left=REMOVED, now=now, by=user_id, reason=said_reason(reason))
    return go_on(game, now)


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
    waiting = game.phases.filter(processed_at=None)
    Draft.objects.filter(phase__in=waiting, seat=seat, live=True).update(live=None)
    Submission.objects.filter(phase__in=waiting, seat=seat).delete()
    Plan.objects.filter(phase__in=waiting, seat=seat).delete()
    seat.tenures.filter(until_at=None).update(until_at=now, left=left)
    seat.user, seat.bot, seat.vacated_at = None, "", now
    seat.save(update_fields=["user", "bot", "vacated_at"])
    text = f"The player of {seat.country_name} {WORDS[left]}."
    _log_seat(game, seat, "left", text, now=now, by=by, reason=reason)
    substitute = game.options.missed.substitute
    if substitute and not is_given_up(seat):
        fill_seat(game, seat, now, bot=substitute)


def is_given_up(seat: Seat) -> bool:
    """Return whether every country of the seat has surrendered, so that nobody plays it more."""
    phase = seat.game.newest_phase()
    return phase is not None and set(phase.powers_of(seat)) <= set(phase.disorder)


def replace_absent(phase: Phase, missed: list[Seat], now: dt.datetime) -> None:
    """Vacate the seats among `missed` whose people missed as many turns in a row as agreed.

    Called when a phase has been processed, in its transaction. Turns of a roll-back's
    abandoned line, and those that were excused, count for nothing.
    """
    limit = phase.game.options.missed.limit
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


def go_on(game: Game, now: dt.datetime) -> int | None:
    """Return the key of the game if nobody is waited for in it any more: see `roll_over`."""
    phase = game.newest_phase()
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


def fill_seat(
    game: Game,
    seat: Seat,
    now: dt.datetime,
    *,
    user_id: int | None = None,
    bot: str = "",
    by: int | None = None,
    reason: str = "",
) -> None:
    """Give a seat to a person or a bot within the caller's transaction."""
    seat.user_id, seat.bot, seat.vacated_at = user_id, bot, None
    seat.save(update_fields=["user", "bot", "vacated_at"])
    Tenure.objects.create(seat=seat, user_id=user_id, bot=bot, since_at=now)
    who = f"The {bot} bot" if bot else "A new player"
    text = f"{who} plays {seat.country_name} now."
    _log_seat(game, seat, "taken", text, now=now, by=by, reason=reason)
    events.record(game=game, kind="seat", now=now, data={"power": seat.power})


def _log_seat(
    game: Game,
    seat: Seat,
    kind: str,
    text: str,
    *,
    now: dt.datetime,
    by: int | None,
    reason: str,
) -> None:
    write_log(
        game=game,
        phase=game.newest_phase(),
        kind=kind,
        key=f"{kind} {seat.pk} {now.isoformat()}",
        text=text,
        now=now,
        by=by,
        reason=reason,
        data={"seat": seat.pk},
    )


def meant_player(slug: str, user_id: int, sequence: int, power: str) -> tuple[Game, Seat]:
    """Return the game, and the seat of the person that its master's act is about."""
    game, _ = mastered(slug, user_id, sequence)
    running(game)
    seat = seat_at(game, power)
    if seat.user_id is None:
        raise WrongMoment("Nobody holds this seat.")
    return game, seat


def seat_at(game: Game, power: str) -> Seat:
    """Return the seat whose first power it is; raise `Refused` if there is none."""
    seat = game.seats.filter(power=power).first() if power else None
    if seat is None:
        raise Refused("There is no such country in this game.")
    seat.game = game
    return seat
