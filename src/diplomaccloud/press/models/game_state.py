"""The state of a game that determines its press: its newest phase, and its seats' holders."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.draw_votes import players_left
from diplomaccloud.press.models.people import Block, SeatMute
from diplomaccloud.press.models.reports import PressLimit
from diplomaccloud.press.rules import WRITING_MOVES, PhaseState, State, find_state
from diplomaccloud.schedule import DeadlineMove, move_from_json
from diplomaccloud.shared.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class NewestPhase:
    """The newest phase of a game, None before the start, with the moves of its deadline.

    The moves are oldest first and decide who may speak.
    """

    phase: Phase | None
    moves: tuple[DeadlineMove, ...] = ()

    def state_at(self, game: Game, at: dt.datetime) -> State:
        """Return what the game allows at a point in time."""
        phase = self.phase
        facts = None
        if phase is not None:
            closed = phase.locked_at is not None or phase.processed_at is not None
            facts = PhaseState(phase.judge_phase.stage, phase.deadline, closed, self.moves)
        return find_state(
            facts,
            over=game.status == Status.FINISHED,
            suspended=bool(game.suspended_reason),
            writing=game.options.talk.writing,
            at=at,
        )


def load_newest_phase(game: Game) -> NewestPhase:
    """Return the newest phase of the game with its moves, in one query."""
    if game.started_at is None:
        return NewestPhase(None)
    newest = _join_moves(_newest_of_game.read(game.pk))
    if newest.phase is not None:
        newest.phase.game = game
    return newest


def load_newest_phases(games: Collection[Game]) -> dict[int, NewestPhase]:
    """Return the newest phases of the games with their moves, by their keys, in one query."""
    by_key = {game.pk: game for game in games}
    newest = Phase.objects.filter(game=OuterRef("game"), superseded_at=None)
    last = Subquery(newest.order_by("-sequence").values("pk")[:1])
    rows: dict[int, list[Phase]] = {}
    for row in _with_moves(Phase.objects.filter(game__in=by_key, pk=last)):
        row.game = by_key[row.game_id]
        rows.setdefault(row.game_id, []).append(row)
    return {key: _join_moves(found) for key, found in rows.items()}


def load_phase_of_game(slug: str) -> NewestPhase:
    """Return the newest phase of a game, along with the game itself, in one query."""
    return _join_moves(_newest_of_slug.read(slug))


def _select_newest(phases: QuerySet[Phase], rows: QuerySet[Phase]) -> QuerySet[Phase]:
    """Return the newest of the phases; `rows` adds joins."""
    newest = phases.filter(superseded_at=None).order_by("-sequence").values("pk")[:1]
    return _with_moves(rows.filter(pk=Subquery(newest)))


def _select_newest_of_slug(slug: str) -> QuerySet[Phase]:
    rows = Phase.objects.select_related("game__chart", "game__creator", "game__master")
    return _select_newest(Phase.objects.filter(game__slug=slug), rows.defer("game__chart__text"))


def _with_moves(rows: QuerySet[Phase]) -> QuerySet[Phase]:
    """Return each phase once for each of its moves, oldest first, or once without any."""
    kinds = [kind.value for kind in WRITING_MOVES]
    moves = rows.annotate(move=FilteredRelation("log", condition=Q(log__kind__in=kinds)))
    return moves.annotate(move_data=F("move__data")).order_by("move__pk")


_newest_of_game = PreparedQuery(
    lambda game: _select_newest(Phase.objects.filter(game=game), Phase.objects.all()), int
)
_newest_of_slug = PreparedQuery(_select_newest_of_slug, str)


def _join_moves(found: Sequence[Phase]) -> NewestPhase:
    """Return the phase that all these rows belong to, None without rows."""
    if not found:
        return NewestPhase(None)
    moved = filter(None, (getattr(row, "move_data", None) for row in found))
    return NewestPhase(found[0], tuple(move_from_json(data["moved"]) for data in moved))


@dataclass(frozen=True, slots=True)
class Holders:
    """The seats of a game and who has held them; `tenures` are by seat, oldest first.

    Before the start there are no tenures, and the seats are those of the waiting room. `muted_by`
    are the players who have muted the person for whom this was loaded, and `limited_until` is the
    end of that person's latest press limit, None if there never was one.
    """

    seats: Sequence[Seat]
    tenures: dict[int, list[Tenure]] = field(default_factory=dict)
    muted_by: frozenset[int] = frozenset()
    limited_until: dt.datetime | None = None

    def find_seat(self, user_id: int | None) -> Seat | None:
        """Return the seat that the person holds."""
        return next((row for row in self.seats if user_id and row.user_id == user_id), None)

    def find_power(self, power: str) -> Seat | None:
        """Return the seat that has `power` as its first power."""
        return next((row for row in self.seats if row.power == power), None)

    def current(self, seat: Seat) -> Tenure | None:
        """Return the current tenure, of a person or a bot; None if the seat is vacant."""
        tenures = self.tenures.get(seat.pk, ())
        return next((tenure for tenure in tenures if tenure.until_at is None), None)

    def has_held(self, user_id: int | None) -> bool:
        """Return whether the person has held a seat at any time since the start."""
        return self.find_seat(user_id) is not None or any(
            tenure.user_id == user_id
            for tenures in self.tenures.values()
            for tenure in tenures
            if user_id
        )


def load_holders(
    game: Game, *, viewer: int | None = None, sender: int | None = None, with_since: bool = True
) -> Holders:
    """Return who holds and held the seats of the game, in one query.

    With the key of a `viewer`, each tenure has more attributes: `since_phase` and `until_phase`,
    the names of the phases in which it started and ended, unless `with_since` is false, and
    `is_muted`, whether the viewer has muted its seat. With the key of a `sender`, the result
    includes who has muted that person.
    """
    if game.started_at is None:
        waiting = game.seats.select_related("user").order_by("pk")
        seats = list(waiting.annotate(limited_until=find_limit(viewer or sender, game.pk)))
        return Holders(seats, limited_until=seats[0].limited_until if seats else None)
    if viewer is not None:
        query = _tenures_since if with_since else _tenures
        return build_holders(game, query.read(game.pk, viewer))
    rows = _select_tenures(game.pk)
    if sender is not None:
        rows = rows.annotate(limited_until=find_limit(sender, game.pk))
        rows = rows.annotate(mutes_sender=_find_mutes(game, sender))
    return build_holders(game, list(rows))


def _select_tenures(game: int) -> QuerySet[Tenure]:
    rows = Tenure.objects.filter(seat__game=game).select_related("seat", "user")
    return rows.order_by("pk")


def _select_for_viewer(game: int, viewer: int, *, with_since: bool) -> QuerySet[Tenure]:
    muted = SeatMute.objects.filter(user=viewer, tenure=OuterRef("pk"))
    rows = _select_tenures(game).annotate(is_muted=Exists(muted))
    if with_since:
        rows = rows.annotate(
            since_phase=_name_phase(game, "since_at"), until_phase=_name_phase(game, "until_at")
        )
    return rows.annotate(limited_until=find_limit(viewer, game))


def _name_phase(game: int, at: str) -> Subquery:
    """Return an expression for the name of the phase that was open at the time in the column."""
    opened = Phase.objects.filter(game=game, opens_at__lte=OuterRef(at))
    return Subquery(opened.order_by("-opens_at", "-sequence").values("name")[:1])


_tenures = PreparedQuery(
    lambda game, viewer: _select_for_viewer(game, viewer, with_since=False), int, int
)
_tenures_since = PreparedQuery(
    lambda game, viewer: _select_for_viewer(game, viewer, with_since=True), int, int
)


_tenures_of_seats = PreparedQuery(
    lambda seats, viewer, game: (
        Tenure.objects.filter(seat__in=seats)
        .order_by("pk")
        .annotate(limited_until=find_limit(viewer, game))
    ),
    list,
    int,
    int,
)


def load_holders_of_seats(game: Game, seats: Sequence[Seat], *, viewer: int) -> Holders:
    """Return the same as `load_holders`, from seats that are already loaded with their players.

    The seats must be all seats of the game. If one has changed hands since, they are loaded again.
    The tenures have neither `since_phase` nor `is_muted`.
    """
    known = {seat.pk: seat for seat in seats}
    if game.started_at is None or not known:
        return load_holders(game, viewer=viewer)
    rows = _tenures_of_seats.read(list(known), viewer, game.pk)
    lasting = {row.seat_id: row for row in rows if row.until_at is None}
    if any(seat.user_id != getattr(lasting.get(seat.pk), "user_id", None) for seat in seats):
        return load_holders(game, viewer=viewer)
    for row in rows:
        row.seat = known[row.seat_id]
        if row.until_at is None:
            row.user = row.seat.user
    return build_holders(game, rows)


def build_holders(game: Game, rows: Sequence[Tenure]) -> Holders:
    """Return who holds and held the seats of the game, from its tenures in order."""
    tenures: dict[int, list[Tenure]] = {}
    seats: dict[int, Seat] = {}
    for row in rows:
        seat = row.seat = seats.setdefault(row.seat_id, row.seat)
        seat.game = game
        if row.until_at is None:
            # Avoids loading the same person again.
            seat.user = row.user
        tenures.setdefault(row.seat_id, []).append(row)
    muted_by = {row.user_id for row in rows if getattr(row, "mutes_sender", False)}
    return Holders(
        sorted(seats.values(), key=lambda seat: seat.number or 0),
        tenures,
        frozenset(key for key in muted_by if key is not None),
        getattr(rows[0], "limited_until", None) if rows else None,
    )


def find_limit(user_id: int | None, game_id: int | None) -> Subquery:
    """Return an expression for the end of a person's latest press limit; NULL if there is none.

    This includes limits in the game and limits everywhere.
    """
    limits = PressLimit.objects.filter(Q(game=None) | Q(game=game_id), user=user_id)
    return Subquery(limits.order_by("-until").values("until")[:1])


def _find_mutes(game: Game, sender: int) -> Exists | Q:
    """Return an expression for whether the holder of a tenure has muted the sender's seat.

    In a named game, blocking the person counts as well. In an anonymous game, that would tell the
    holder who has the seat.
    """
    mutes = Exists(
        SeatMute.objects.filter(
            user=OuterRef("user"), seat__game=game, tenure__user=sender, tenure__until_at=None
        )
    )
    if game.options.anonymous:
        return mutes
    return mutes | Exists(Block.objects.filter(user=OuterRef("user"), blocked=sender))


def is_out_of_game(seat: Seat, phase: Phase | None) -> bool:
    """Return whether every country of the seat is eliminated or has surrendered."""
    if phase is None:
        return False
    powers = set(phase.powers_of(seat))
    if powers <= set(phase.civil_disorder):
        return True
    position = phase.position if phase.processed_at is None else phase.resolution.next
    return not powers.intersection(players_left(position))
