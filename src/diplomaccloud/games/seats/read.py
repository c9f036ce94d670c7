"""The seats of a game as everyone may see them, vacant seats, and how reliably people play."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog
from django.db.models import Exists, OuterRef, QuerySet

from diplomaccloud.accounts.models import Relationship, User
from diplomaccloud.accounts.relationships import find_related
from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.bots.seats import find_level
from diplomaccloud.games.seats.wording import (
    PLAYED_ANOTHER,
    RELATIONSHIPS,
    UNNAMED_RELATIONSHIP,
    UNRELIABLE,
    WAS_REMOVED,
    name_former_holder,
    name_holder,
)
from diplomaccloud.games.table.log_models import LEFT, PlayerFigures
from diplomaccloud.games.table.models import REMOVED, Game, Seat, Status, Tenure
from diplomaccloud.games.table.phase_models import Phase, find_last_moment, is_readiness_public
from diplomaccloud.games.table.ranks import measure_strength, rank_players
from diplomaccloud.games.table.read import GameRows, Reader, read_once
from diplomaccloud.games.visibility.read import (
    Holder,
    Viewer,
    make_token,
    seat_holder,
    tenure_holder,
)
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.schedule.descriptions import join_words
from diplomaccloud.shared.prepared_queries import PreparedQuery

NO_COLOR: Final = "#888888"
_NOBODY: Final = Holder()


# How reliably people play, according to their statistics.
#
# Anonymous games count only once they are over; before that, a changing number would reveal who
# plays.


@dataclass(frozen=True, slots=True)
class Reliability:
    """How many turns a person missed, how many games the person left, and the lower share kept."""

    turns: int = 0
    missed: int = 0
    games: int = 0
    left: int = 0
    percent: int | None = None

    @property
    def summary(self) -> str:
        """`Missed 2 of 143 turns, left 1 of 9 games`; blank for someone who never played."""
        if not self.games:
            return ""
        turns = "1 turn" if self.turns == 1 else f"{self.turns} turns"
        games = "1 game" if self.games == 1 else f"{self.games} games"
        return f"Missed {self.missed} of {turns}, left {self.left} of {games}"


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat; `powers` is empty before countries are assigned.

    A player of several powers has one view for each in `parts`; centers and units are totals then.
    `letters` are on the badges of one of many powers. `name` is the country name that the player
    chose, or blank. `ready` is None if the seat has nothing to order, or if readiness is hidden;
    `must_order` says which. `departure` says how and in which phase the last holder left a seat
    that is vacant at the end; `holder` is that person. In a masked game,
    `profile`, `status` and `reliability` are blank. `token` identifies the seat to the creator of a
    game that has not started, and is blank otherwise. `reserved` is the first power if it was not
    drawn, also before the start.
    """

    powers: tuple[Power, ...] = ()
    power_name: str = ""
    name: str = ""
    color: str = NO_COLOR
    letters: str = ""
    holder: Holder = _NOBODY
    held: bool = False
    is_you: bool = False
    centers: int = 0
    units: int = 0
    rank: int = 0
    ready: bool | None = None
    must_order: bool = False
    key: int = 0
    departure: tuple[str, JudgePhase] | None = None
    reliability: str = ""
    profile: str = ""
    status: str = ""
    token: str = ""
    parts: tuple["SeatView", ...] = ()
    reserved: str = ""

    @property
    def power(self) -> str:
        """The first power, or blank."""
        return self.powers[0] if self.powers else ""

    @property
    def country(self) -> str:
        """The name that the player chose, or the printed one."""
        return self.name or self.power_name

    @property
    def player(self) -> str:
        """The name of the person or bot; of a seat that somebody left, who it was, and when."""
        if self.departure:
            return name_former_holder(self.holder, *self.departure)
        return name_holder(self.holder)

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays the seat."""
        return self.held and bool(self.holder.bot)

    @property
    def level(self) -> int:
        """The level of the bot that plays the seat, or 0."""
        return find_level(self.holder.bot) if self.held else 0

    @property
    def eliminated(self) -> bool:
        """Whether the country has nothing left on the board."""
        return bool(self.powers) and not self.centers and not self.units

    @property
    def is_vacant(self) -> bool:
        """Whether the country is still in the game and has no player."""
        return bool(self.powers) and not self.held and not self.eliminated


VacantSeat = tuple[SeatView, dt.datetime, str]
"""A vacant seat as a whole, since when, and why the viewer may not take it, blank if allowed."""


@read_once
def read_seats(reader: Reader) -> tuple[SeatView, ...]:
    """Return the seats in board order; before countries are assigned, see `GameRows.seats`."""
    rows = reader.rows
    position, played = rows.position, rows.played_with
    strengths = {
        row.pk: measure_strength(position, played.get(row.power, ())) for row in rows.seats
    }
    ranks = rank_players(rows.game, strengths)
    departures, ready = _read_departures(rows), _list_ready(rows)
    names = {power: info.name for power, info in rows.board.power_info.items()}
    user_id = rows.viewer.user_id
    is_creator = user_id is not None and user_id == rows.game.creator_id
    has_tokens = is_creator and rows.game.status == Status.FORMING
    seats = []
    for row in rows.seats:
        powers, user = played.get(row.power, ()), None if rows.masked else row.user
        holder, departure = departures.get(row.pk, (None, None))
        seat = SeatView(
            powers=powers,
            power_name=join_words([names[power] for power in powers]),
            name=row.country,
            color=reader.colors[powers[0]] if powers else NO_COLOR,
            letters=find_badge_letters(rows.game.board).get(powers[0], "") if powers else "",
            holder=holder
            or seat_holder(rows.game, row, hidden=rows.masked and row != rows.own_seat),
            held=row.user_id is not None or bool(row.bot),
            is_you=row == rows.own_seat,
            centers=strengths[row.pk].centers,
            units=strengths[row.pk].units,
            rank=ranks[row.pk],
            ready=ready.get(row.pk),
            must_order=bool(rows.powers_to_order.intersection(powers)),
            key=row.pk,
            departure=departure,
            reliability=reliability_of(figures_of(user)).summary if user else "",
            profile=user.screen_name if user and not (user.guest or user.deleted_at) else "",
            status=user.status if user else "",
            token=make_token(row) if has_tokens else "",
            reserved=row.reserved,
        )
        parts = [cut_part(reader, seat, power) for power in powers] if len(powers) > 1 else ()
        seats.append(replace(seat, parts=tuple(parts)) if parts else seat)
    return tuple(seats)


def list_promised(reader: Reader) -> tuple[str, ...]:
    """Return the powers that await people who are invited to play them and have not joined."""
    if not reader.is_forming:
        return ()
    rows = reader.rows
    joined = [row.user_id for row in rows.seats if row.user_id]
    invited = rows.game.invitations.filter(withdrawn_at=None).exclude(reserved="")
    return tuple(invited.exclude(user__in=joined).values_list("reserved", flat=True))


def cut_part(reader: Reader, seat: SeatView, power: Power) -> SeatView:
    """Return `seat` with only one of its powers."""
    strength = measure_strength(reader.position, (power,))
    return replace(
        seat,
        powers=(power,),
        power_name=reader.board.power_info[power].name,
        name="",
        color=reader.colors[power],
        letters=find_badge_letters(reader.starting_board).get(power, ""),
        centers=strength.centers,
        units=strength.units,
    )


def find_seat(reader: Reader, token: str) -> int:
    """Return the key of the seat with a token that the viewer was shown, or 0."""
    seats = (seat.key for seat in read_seats(reader) if token and seat.token == token)
    return next(seats, 0)


def count_ready(reader: Reader) -> int:
    """Return how many people are ready to start a game that has not started."""
    return sum(row.user_id is not None and row.ready_at is not None for row in reader.rows.seats)


def has_played(reader: Reader) -> bool:
    """Return whether the viewer has ever held a seat in the game."""
    tenures = Tenure.objects.filter(seat__game=reader.rows.game)
    return reader.has_seat or tenures.filter(user=reader.rows.viewer.user_id).exists()


def read_tenures(reader: Reader) -> tuple[tuple[int, str], ...]:
    """Return the key and the power of each person's current tenure."""
    tenures = Tenure.objects.filter(seat__game=reader.rows.game, until_at=None)
    held = tenures.exclude(user=None).values_list("pk", "seat__power")
    return tuple((key, power) for key, power in held if power)


def list_vacant(reader: Reader) -> tuple[VacantSeat, ...]:
    """Return the seats of a running game that someone may take over."""
    rows = reader.rows
    if not rows.is_running or not any(row.vacated_at for row in rows.seats):
        return ()
    least, unreliable = rows.options.reliability, ""
    percent = find_own_reliability(rows.viewer.user_id) if least else None
    if percent is not None and percent < least:
        unreliable = UNRELIABLE
    return tuple(
        (replace(seat, parts=()), row.vacated_at, _find_bar(seat.key, rows) or unreliable)
        for row, seat in zip(rows.seats, read_seats(reader), strict=True)
        if row.vacated_at and not seat.eliminated and not rows.has_surrendered(row)
    )


def list_giving(reader: Reader, now: dt.datetime) -> tuple[tuple[SeatView, str], ...]:
    """Return the seats of bots that the viewer, who has no seat, may take now.

    Each comes with why the viewer may not take it, blank if allowed.
    """
    rows, phase = reader.rows, reader.rows.phase
    if not (rows.is_running and rows.options.bots_give_way) or rows.masked or phase is None:
        return ()
    if phase.locked_at is not None or now >= find_last_moment(phase.opens_at, phase.due_at):
        return ()
    least, unreliable = rows.options.reliability, ""
    percent = find_own_reliability(rows.viewer.user_id) if least else None
    if percent is not None and percent < least:
        unreliable = UNRELIABLE
    return tuple(
        (replace(seat, parts=()), _find_bar(seat.key, rows) or unreliable)
        for seat in read_seats(reader)
        if seat.is_bot and not seat.eliminated
    )


def _find_bar(seat: int, rows: GameRows) -> str:
    """Return why the viewer may not take a seat that others may take; blank if they may."""
    if any(departure == REMOVED for _, departure in rows.past_seats):
        return WAS_REMOVED
    # A player who knows one country's secrets cannot play another fairly.
    return PLAYED_ANOTHER if any(key != seat for key, _ in rows.past_seats) else ""


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
    public, own_seat = is_readiness_public(rows.position.phase), rows.own_seat
    submissions = rows.submissions
    ready = {}
    for row in rows.seats:
        powers = rows.played_with.get(row.power, ())
        if not rows.powers_to_order.intersection(powers):
            continue
        if public or row == own_seat or not row.user:
            submission = submissions.get(row.pk)
            ready[row.pk] = submission is not None and bool(submission.ready_at)
    return ready


def _read_departures(rows: GameRows) -> dict[int, tuple[Holder, tuple[str, JudgePhase]]]:
    """Return who left each vacant seat of a finished game, how, and in which phase."""
    if not rows.is_finished or not any(row.vacated_at for row in rows.seats):
        return {}
    entries = rows.game.log.filter(kind=LEFT).exclude(phase=None).order_by("pk")
    left_in = {data["seat"]: name for data, name in entries.values_list("data", "phase__name")}
    # The newest tenure comes first and must win.
    last = {tenure.seat_id: tenure for tenure in reversed(rows.tenures)}
    return {
        row.pk: (
            tenure_holder(rows.game, last[row.pk]),
            (last[row.pk].left, JudgePhase.parse(left_in[row.pk])),
        )
        for row in rows.seats
        if row.vacated_at and row.pk in left_in and row.pk in last
    }


_log = structlog.get_logger(__name__)
_MAX_OFFERS = 12
"""The most vacant seats that the lobby lists."""
_MAX_READ = 60
"""How many seats are read to find them, since a person may not be able to take all."""


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """A vacant seat of a public game, and what its country has on the board."""

    slug: str
    world: str
    phase: JudgePhase
    power: str
    country: str
    color: str
    centers: int
    units: int
    since_at: dt.datetime


def find_vacant_seats(viewer: Viewer) -> list[Seat]:
    """Return seats of public games that the viewer may take over, longest vacant first.

    Only the `_MAX_READ` longest vacant seats are considered.
    """
    if viewer.user_id is None:
        return _longest_vacant.read()
    return _leave_out_barred(_vacant.read(viewer.user_id), viewer.user_id)[:_MAX_OFFERS]


def _select_vacant() -> QuerySet[Seat]:
    seats = Seat.objects.filter(finished_at=None, vacated_at__isnull=False)
    seats = seats.filter(game__status=Status.RUNNING, game__private=False, game__watchable=True)
    # PostgreSQL reads the index in order only if the query also names its first column.
    return seats.order_by("finished_at", "vacated_at")


_longest_vacant = PreparedQuery(lambda: _select_vacant()[:_MAX_OFFERS])
_vacant = PreparedQuery(
    lambda person: (
        _select_vacant()
        .exclude(Exists(Seat.objects.filter(user=person, game=OuterRef("game"))))
        .exclude(game__master__isnull=False, game__master=person)[:_MAX_READ]
    ),
    int,
)


def read_offer(seat: Seat, game: Game | None, phase: Phase | None) -> SeatOffer | None:
    """Return the facts about a vacant seat for the lobby, or None if nobody can take it."""
    if game is None or phase is None or seat.vacated_at is None:
        return None
    seat.game = game
    try:
        return _read_offer(seat, phase, seat.vacated_at)
    except Exception:
        # A game with damaged data must not break the list.
        _log.exception("damaged game", game=game.pk)
        return None


def _leave_out_barred(seats: Sequence[Seat], user_id: int) -> list[Seat]:
    """Return the seats that a person may take, by the same rule as `seats` for one game."""
    if not seats:
        return []
    # Query only these games: a subquery would read every game the person ever played.
    tenures = Tenure.objects.filter(user=user_id, seat__game__in={seat.game_id for seat in seats})
    had: dict[int, set[int]] = {}
    removed = set()
    for game, seat, departure in tenures.values_list("seat__game", "seat", "left"):
        had.setdefault(game, set()).add(seat)
        if departure == REMOVED:
            removed.add(game)
    return [
        seat
        for seat in seats
        if seat.game_id not in removed and seat.pk in had.get(seat.game_id, {seat.pk})
    ]


def _read_offer(row: Seat, phase: Phase, since_at: dt.datetime) -> SeatOffer | None:
    game, powers = row.game, phase.powers_of(row)
    strength = measure_strength(phase.position, powers)
    if set(powers) <= set(phase.civil_disorder) or not strength.units + strength.centers:
        return None
    return SeatOffer(
        slug=game.slug,
        world=game.world,
        phase=JudgePhase.parse(phase.name),
        power=row.power or "",
        country=row.country_name,
        color=game.power_colors([row])[powers[0]],
        centers=strength.centers,
        units=strength.units,
        since_at=since_at,
    )


# Declared relationships between people in a game, for those who wait or might join.
#
# In an anonymous game nobody is named, and nothing is said after the start: a sentence that changed
# when a seat changes hands would tell who plays in that seat. Before the start there are no
# countries, so it tells at most that two of those who wait know each other. Watchers who are not
# logged in learn nothing.


def list_relationships(reader: Reader) -> tuple[str, ...]:
    """Return a sentence for each relationship among the people in the game, in at most one query.

    In a game that is not anonymous, these include the viewer, who may not have joined yet. In an
    anonymous one, there is only a sentence without names.
    """
    rows = reader.rows
    viewer = rows.viewer.user_id
    if viewer is None or (rows.masked and rows.game.status != Status.FORMING):
        return ()
    names = {seat.user.pk: seat.user.screen_name for seat in rows.seats if seat.user}
    if rows.masked:
        return (UNNAMED_RELATIONSHIP,) if find_related(names) else ()
    names[viewer] = ""
    # The viewer, whose name is blank, comes first.
    pairs = [(sorted((names[one], names[two])), kind) for one, two, kind in find_related(names)]
    return tuple(
        RELATIONSHIPS[Relationship.Kind(kind)].format(
            people=join_words([name or Label.YOU.heading for name in people])
        )
        for people, kind in sorted(pairs, key=lambda pair: pair[0])
    )


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """A seat that is still held by the same person, and its game."""

    tenure: int
    slug: str
    world: str


def find_tenure(slug: str, user_id: int) -> int | None:
    """Return the key of the person's tenure in a game that has started, or None without a seat."""
    tenures = Tenure.objects.filter(seat__game__slug=slug, user=user_id, until_at=None)
    return tenures.values_list("pk", flat=True).first()


def list_held_seats(tenures: Collection[int], user_id: int) -> dict[int, HeldSeat]:
    """Return the seats of the person's tenures that have not ended, by tenure key."""
    if not tenures:
        return {}
    rows = Tenure.objects.filter(
        pk__in=tenures, user=user_id, until_at=None, seat__user=user_id
    ).values_list("pk", "seat__game__slug", "seat__game__world")
    return {key: HeldSeat(key, slug, world) for key, slug, world in rows}


_figures = PreparedQuery(lambda people: PlayerFigures.objects.filter(user__in=people), list)


def read_figures(people: Collection[int]) -> dict[int, PlayerFigures]:
    """Return the statistics of each person by key, with zeros for someone who never played."""
    stored = {row.user_id: row for row in _figures.read(list(people))}
    return {key: stored.get(key) or PlayerFigures(user_id=key) for key in people}


def figures_of(user: User) -> PlayerFigures:
    """Return the statistics of a person, read from the database unless they came with the row."""
    return getattr(user, "figures", None) or PlayerFigures(user_id=user.pk)


def find_own_reliability(user_id: int | None) -> int | None:
    """Return a person's reliability in percent, None for a visitor or someone who never played."""
    return None if user_id is None else read_figures([user_id])[user_id].reliability


def reliability_of(figures: PlayerFigures) -> Reliability:
    """Return the part of the statistics that shows how reliably a person plays."""
    return Reliability(
        figures.turns, figures.missed, figures.games, figures.left, figures.reliability
    )


def is_playing(user_id: int) -> bool:
    """Return whether the person holds a seat in a running game."""
    return Seat.objects.filter(user=user_id, game__status=Status.RUNNING).exists()
