"""The seats of a game as everyone may see them, and the vacant seats to take over."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.games.models import LEFT, REMOVED, Game, Seat, Status, is_readiness_public
from diplomaccloud.games.viewpoint.names import Holder, make_token, seat_holder, tenure_holder
from diplomaccloud.games.viewpoint.reliability import (
    Reliability,
    figures_of,
    find_own_reliability,
    reliability_of,
)
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.victory import Measure


@dataclass(frozen=True, slots=True)
class Strength:
    """A player's units and centers on the board."""

    powers: Collection[Power]
    centers: int
    units: int


@dataclass(frozen=True, slots=True)
class Departure:
    """How and in which phase the last holder left a seat that is still vacant."""

    kind: str
    phase: JudgePhase


class TakeoverBar(StrEnum):
    """Why a person may not take a vacant seat that others may take."""

    REMOVED = "removed"
    PLAYED_ANOTHER = "played another"
    UNRELIABLE = "unreliable"


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """One seat; `powers` is empty before countries are assigned.

    `name` is the country name that the player chose, or blank. `ready` is None if the seat has
    nothing to order, or if readiness is hidden; `must_order` says which. `departure` is set for a
    vacant seat of a finished game; its `holder` is then the person who left. In a masked game,
    `profile`, `status` and `reliability` are blank. `token` identifies the seat to the creator of
    a game that has not started, and is blank otherwise.
    """

    key: int
    powers: tuple[Power, ...]
    name: str
    holder: Holder
    departure: Departure | None
    held: bool
    is_you: bool
    strength: Strength
    rank: int
    ready: bool | None
    must_order: bool
    profile: str
    status: str
    reliability: Reliability | None
    eliminated: bool
    token: str


@dataclass(frozen=True, slots=True)
class VacantSeat:
    """A seat that someone may take; `bar` says why the viewer may not, or is None if they may."""

    key: int
    since_at: dt.datetime
    bar: TakeoverBar | None


def measure_strength(position: Position, powers: Collection[Power]) -> Strength:
    """Return the total strength of `powers` in `position`."""
    return Strength(
        powers,
        sum(len(position.centers_of(power)) for power in powers),
        sum(len(position.units_of(p)) + len(position.dislodged_of(p)) for p in powers),
    )


def rank_players(game: Game, strengths: Mapping[int, Strength]) -> dict[int, int]:
    """Return each player's rank; equal strength means equal rank, and winners share first place."""
    measure = game.measure
    winners = frozenset(game.ending.winners if game.ending else ())

    def score(strength: Strength) -> tuple[bool, int]:
        if winners.intersection(strength.powers):
            return True, 0
        return False, strength.units if measure is Measure.PIECES else strength.centers

    scores = {key: score(strength) for key, strength in strengths.items()}
    return {key: 1 + sum(other > own for other in scores.values()) for key, own in scores.items()}


def read_seats(rows: GameRows) -> tuple[SeatFacts, ...]:
    """Return the seats in the order of `rows.seats`."""
    powers, position = rows.played_with, rows.position
    strengths = {
        row.pk: measure_strength(position, powers.get(row.power, ())) for row in rows.seats
    }
    ranks = rank_players(rows.game, strengths)
    departures = _read_departures(rows)
    ready = _list_ready(rows)
    reliability = _find_reliability(rows)
    holders = _list_holders(rows, departures)
    forming, creator = rows.game.status == Status.FORMING, rows.game.creator_id
    has_tokens = forming and rows.viewer.user_id == creator
    return tuple(
        SeatFacts(
            key=row.pk,
            powers=powers.get(row.power, ()),
            name=row.country,
            holder=holder,
            departure=departures.get(row.pk),
            held=row.user_id is not None or bool(row.bot),
            is_you=row == rows.own_seat,
            strength=(strength := strengths[row.pk]),
            rank=ranks[row.pk],
            ready=ready.get(row.pk),
            must_order=bool(rows.powers_to_order.intersection(powers.get(row.power, ()))),
            profile=_find_profile(rows, row),
            status=row.user.status if row.user and not rows.masked else "",
            reliability=reliability.get(row.pk),
            eliminated=bool(strength.powers) and not strength.centers and not strength.units,
            token=make_token(row) if has_tokens else "",
        )
        for row, holder in zip(rows.seats, holders, strict=True)
    )


def count_ready(rows: GameRows) -> int:
    """Return how many people are ready to start a game that has not started."""
    return sum(row.user_id is not None and row.ready_at is not None for row in rows.seats)


def read_vacant_seats(rows: GameRows, seats: Sequence[SeatFacts]) -> tuple[VacantSeat, ...]:
    """Return the seats of a running game that someone may take over."""
    if not rows.is_running:
        return ()
    least = rows.options.reliability if any(row.vacated_at for row in rows.seats) else 0
    own = find_own_reliability(rows.viewer.user_id) if least else None
    unreliable = TakeoverBar.UNRELIABLE if own is not None and own < least else None
    return tuple(
        VacantSeat(row.pk, row.vacated_at, _find_bar(row.pk, rows.past_seats) or unreliable)
        for row, seat in zip(rows.seats, seats, strict=True)
        if row.vacated_at and not seat.eliminated and not rows.has_surrendered(row)
    )


def _list_ready(rows: GameRows) -> dict[int, bool]:
    """Return which seats that must order are ready, leaving out seats where that is hidden.

    Before the start, return which people are ready to start; in a masked game, only the viewer.
    """
    # Conditional orders may make a person ready, so after movement this is hidden from others.
    if rows.game.status == Status.FORMING:
        shown = [row for row in rows.seats if row.user]
        if rows.hides_seats:
            shown = [rows.own_seat] if rows.own_seat else []
        return {row.pk: row.ready_at is not None for row in shown}
    public, own = is_readiness_public(rows.position.phase), rows.own_seat
    submissions = rows.submissions
    ready = {}
    for row in rows.seats:
        powers = rows.played_with.get(row.power, ())
        if not rows.powers_to_order.intersection(powers):
            continue
        if public or row == own or not row.user:
            submission = submissions.get(row.pk)
            ready[row.pk] = submission is not None and bool(submission.ready_at)
    return ready


def _find_profile(rows: GameRows, row: Seat) -> str:
    """Return the name in the address of the player's profile, or blank if there is none."""
    if row.user is None or row.user.guest or row.user.deleted_at or rows.masked:
        return ""
    return row.user.screen_name


def _find_reliability(rows: GameRows) -> dict[int, Reliability]:
    """Return the reliability of each person with a seat; empty in a masked game."""
    people = {} if rows.masked else {row.pk: row.user for row in rows.seats if row.user}
    return {key: reliability_of(figures_of(person)) for key, person in people.items()}


def _read_departures(rows: GameRows) -> dict[int, Departure]:
    """Return the last departure from each vacant seat of a finished game, with the phase."""
    if not rows.is_finished or not any(row.vacated_at for row in rows.seats):
        return {}
    entries = rows.game.log.filter(kind=LEFT).exclude(phase=None).order_by("pk")
    left_in = {data["seat"]: name for data, name in entries.values_list("data", "phase__name")}
    # The newest tenure comes first and must win.
    kinds = {tenure.seat_id: tenure.left for tenure in reversed(rows.tenures)}
    return {
        row.pk: Departure(kinds[row.pk], JudgePhase.parse(left_in[row.pk]))
        for row in rows.seats
        if row.vacated_at and row.pk in left_in and row.pk in kinds
    }


def _list_holders(rows: GameRows, departures: Mapping[int, Departure]) -> list[Holder]:
    """Return who holds each seat, or who held it last if the seat has a departure."""
    last = {}
    if departures:
        # The newest tenure comes first and must win.
        last = {tenure.seat_id: tenure for tenure in reversed(rows.tenures)}
    own, masked = rows.own_seat, rows.masked
    return [
        tenure_holder(rows.game, last[row.pk])
        if row.pk in departures
        else seat_holder(rows.game, row, hidden=masked and row != own)
        for row in rows.seats
    ]


def _find_bar(seat: int, past: Collection[tuple[int, str]]) -> TakeoverBar | None:
    if any(left == REMOVED for _, left in past):
        return TakeoverBar.REMOVED
    # A player who knows one country's secrets cannot play another fairly.
    return TakeoverBar.PLAYED_ANOTHER if any(key != seat for key, _ in past) else None
