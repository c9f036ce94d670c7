"""Cards of games: all that one reader may see of each game in a list.

All games are read together, so forty cards take as many queries as one.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import structlog
from django.db.models import Exists, IntegerField, OuterRef, QuerySet, Value
from django.utils import timezone

from diplomaccloud.games.deadlines.read import timer_of_entries
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import DEFAULT_COLOR, Game, Seat, Status, powers_played_by
from diplomaccloud.games.table.options import Press
from diplomaccloud.games.table.phase_models import (
    OrderRow,
    Phase,
    Submission,
    is_readiness_public,
)
from diplomaccloud.games.table.ranks import Strength, rank_players
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer, creator_name
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.schedule import MoveKind, Schedule
from diplomaccloud.schedule.descriptions import join_words
from diplomaccloud.shared.prepared_queries import PreparedQuery

__all__ = ["Status"]

_UNREAD = ("results", "judge_secret", "bots_secret", "lease_until", "lease_owner", "processed_at")
"""The columns of an open phase that cards don't need."""
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Country:
    """A player's country with its supply centers; `color` is `#rrggbb`.

    `change` is by how many the last Fall changed them.
    """

    name: str
    color: str
    centers: int
    change: int = 0


class PictureKey(NamedTuple):
    """What the name of a picture is made of, besides the color scheme."""

    position_hash: str
    version: str


@dataclass(frozen=True, slots=True)
class Owed:
    """What the viewer has to order in the open phase, and how many orders are saved.

    `number` counts units in a movement phase and dislodged units in a retreat phase. In an
    adjustment phase, it counts builds, or disbands if it is negative.
    """

    stage: Stage
    number: int
    given: int


@dataclass(frozen=True, slots=True)
class Card:
    """A game as one reader may see it in a list.

    `humans` and `bots` count seats, and `seats` all of them. `yours` says whether the viewer plays
    in the game, and `your_country` and `country` are about the viewer's seat; before the countries
    are assigned, `your_country` is the name that the viewer chose, and `country` is None. `leaders`
    are the countries with the most centers in a running game of others, unless all have the same.

    `needs_you` says whether the viewer has orders to give or is not ready yet, `saved` whether
    orders of the viewer are saved, and `owed` what is to be ordered. `waiting_for` are the
    countries of the other people who are not ready: only for players, and only where the game page
    shows who is ready. `vacant` counts seats of a running game that have no player.

    `paused_until` is the latest end of a pause. `winners` is None until the game is over, and says
    of each winner's country whether its name lists several powers. `last_phase` and `place`, the
    viewer's rank, are known of finished games once a worker has noted them; a rank of 0 is unknown.

    `picture` identifies the picture of the current position; it is None until a worker has drawn
    it, and before the start. `is_new` says whether a worker will draw it soon.
    """

    slug: str
    world: str
    map_name: str
    map_hash: str
    status: str
    humans: int
    seats: int
    bots: int
    private: bool
    yours: bool
    invited: bool
    suspended: bool
    winners: tuple[tuple[str, bool], ...] | None
    phase: JudgePhase | None = None
    due_at: dt.datetime | None = None
    creator: str = ""
    your_country: str = ""
    country: Country | None = None
    leaders: tuple[Country, ...] = ()
    needs_you: bool = False
    saved: bool = False
    owed: Owed | None = None
    waiting_for: tuple[str, ...] = ()
    vacant: int = 0
    paused_until: dt.datetime | None = None
    schedule: Schedule | None = None
    press: Press | None = None
    reliability: int = 0
    last_phase: JudgePhase | None = None
    place: int = 0
    picture: PictureKey | None = None
    is_new: bool = False

    @property
    def waits_for_you(self) -> bool:
        """Whether the viewer has something to do: save orders, or answer an invitation."""
        return (self.needs_you and not self.saved) or self.invited


class SeatRow(NamedTuple):
    """What a card needs of a seat; a list has hundreds, and a model instance takes long to make."""

    pk: int
    game_id: int
    user_id: int | None
    bot: str
    power: str | None
    country: str
    colors: dict[str, str]
    vacated_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class CardRows:
    """The rows for all listed games, each read once; by the key of the game, or of the phase.

    `given` counts the viewer's saved orders, and `ready` has the seats that are ready, both only
    in games that the viewer plays in.
    """

    games: dict[int, Game]
    seats: dict[int, list[SeatRow]]
    phases: dict[int, Phase]
    invited: Collection[int]
    pauses: dict[int, dt.datetime]
    given: Mapping[int, int] = field(default_factory=dict)
    ready: Mapping[int, Collection[int]] = field(default_factory=dict)


def read_cards(
    viewer: Viewer, keys: Iterable[int], invited: Collection[int] = ()
) -> dict[int, Card]:
    """Return the cards of games by their keys, which the viewer must be allowed to see.

    `invited` are the games that the viewer is invited to. A missing game has no card.
    """
    return build_cards(read_rows(viewer, keys, invited), viewer)


def build_cards(rows: CardRows, viewer: Viewer) -> dict[int, Card]:
    """Return the cards of the games in `rows` by their keys."""
    return {key: _build_card(game, rows, viewer) for key, game in rows.games.items()}


def read_rows(
    viewer: Viewer,
    keys: Iterable[int],
    invited: Collection[int] = (),
    *,
    with_pauses: bool = True,
) -> CardRows:
    """Return the rows for cards; without `with_pauses`, no card says when a pause ends."""
    games = {game.pk: game for game in _games.read(list(dict.fromkeys(keys)))}
    seats: dict[int, list[SeatRow]] = {key: [] for key in games}
    for seat in map(SeatRow._make, _seats.read(list(games))):
        seats[seat.game_id].append(seat)
    for of_game in seats.values():
        # The order in which people joined would tell who plays what in an anonymous game.
        of_game.sort(key=lambda seat: seat.power or "")
    running = [key for key, game in games.items() if game.status == Status.RUNNING]
    # The open phase of each running game.
    rows = _phases.read(running, viewer.user_id or 0) if running else []
    phases = {row.game_id: row for row in rows}
    for phase in rows:
        phase.game = games[phase.game_id]
    pauses = _read_pauses(phases) if with_pauses else {}
    own = [seat for row in seats.values() for seat in row if _is_own(seat, viewer)]
    played = {seat.pk: phases[seat.game_id].pk for seat in own if seat.game_id in phases}
    return CardRows(games, seats, phases, invited, pauses, *_read_progress(played))


def _is_own(seat: SeatRow, viewer: Viewer) -> bool:
    return seat.user_id is not None and seat.user_id == viewer.user_id


def _read_progress(played: Mapping[int, int]) -> tuple[Mapping[int, int], dict[int, set[int]]]:
    """Return the numbers of saved orders, and the seats that are ready, each by phase.

    `played` has the viewer's seats with their open phases. The second value tells more than a
    player may know: see `_list_waited_for`.
    """
    given: Counter[int] = Counter()
    ready: dict[int, set[int]] = defaultdict(set)
    if played:
        for phase, seat in _progress.read(list(played), list(played.values())):
            if seat:
                ready[phase].add(seat)
            else:
                given[phase] += 1
    return given, ready


def _select_progress(
    own_seats: list[int], phases: list[int]
) -> QuerySet[OrderRow, tuple[int, int]]:
    """Return the phase of each order in the live drafts of `own_seats`, and of each ready seat."""
    orders = OrderRow.objects.filter(
        draft__phase__in=phases, draft__seat__in=own_seats, draft__live__in=[True]
    ).order_by()
    ready = Submission.objects.filter(phase__in=phases).exclude(ready_at=None).order_by()
    # UNION ALL: each order is counted.
    return orders.values_list("draft__phase", Value(0, IntegerField())).union(
        ready.values_list("phase", "seat"), all=True
    )


def _select_phases(games: Sequence[int], viewer: int) -> QuerySet[Phase]:
    submissions = Submission.objects.filter(phase=OuterRef("pk"), seat__user=viewer)
    phases = Phase.objects.filter(game__in=games, open=True, superseded_at=None)
    return phases.defer(*_UNREAD).annotate(
        is_ready=Exists(submissions.exclude(ready_at=None)),
        is_saved=Exists(submissions.exclude(saved_at=None)),
    )


_games = PreparedQuery(
    lambda keys: (
        Game.objects.filter(pk__in=keys)
        .select_related("chart", "creator", "standing")
        .defer("chart__text")
        .order_by()
    ),
    list,
)
_seats = PreparedQuery(
    lambda games: Seat.objects.filter(game__in=games).order_by("pk").values_list(*SeatRow._fields),
    list,
)
_phases = PreparedQuery(_select_phases, list, int)
_progress = PreparedQuery(_select_progress, list, list)
_pauses = PreparedQuery(
    lambda phases: LogEntry.objects.filter(
        phase__in=phases, kind__in=[MoveKind.PAUSED.value, MoveKind.RESUMED.value]
    ),
    list,
)


def _read_pauses(phases: Mapping[int, Phase]) -> dict[int, dt.datetime]:
    """Return the latest end of the current pause of each paused game; `phases` are by game key."""
    by_key = {phase.pk: phase for phase in phases.values()}
    entries: dict[int, list[LogEntry]] = defaultdict(list)
    for entry in _pauses.read(list(by_key)) if by_key else ():
        entries[entry.phase_id or 0].append(entry)
    pauses, now = {}, timezone.now()
    for key, of_phase in entries.items():
        phase = by_key[key]
        try:
            pause = timer_of_entries(phase.game, phase, of_phase).pause_at(now)
        except Exception:
            _log.exception("damaged game", game=phase.game_id)
            continue
        if pause:
            pauses[phase.game_id] = pause.at + pause.by
    return pauses


def _build_card(game: Game, rows: CardRows, viewer: Viewer) -> Card:
    """Return the card of a game; a game with damaged data must not break the list."""
    seats = rows.seats[game.pk]
    own = next((row for row in seats if _is_own(row, viewer)), None)
    # What needs no decoding.
    card = Card(
        slug=game.slug,
        world=game.world,
        map_name=game.chart.name,
        map_hash=game.chart.content_hash,
        status=game.status,
        humans=sum(row.user_id is not None for row in seats),
        seats=game.chart.players,
        bots=sum(bool(row.bot) for row in seats),
        private=game.private,
        yours=own is not None,
        invited=game.pk in rows.invited,
        suspended=True,
        winners=() if game.status == Status.FINISHED else None,
    )
    try:
        standing = read_standing(game)
        card = replace(
            card,
            picture=standing.picture,
            is_new=standing.is_new,
            seats=len(game.players),
            creator=creator_name(game),
            your_country=_name_country(game, own) if own else "",
            invited=own is None and card.invited,
            suspended=bool(game.suspended_reason),
            winners=_read_winners(game, seats),
            schedule=game.options.schedule,
            press=game.options.press,
            reliability=game.options.reliability,
        )
        if game.status == Status.FINISHED:
            last = _parse_phase(standing.phase) if standing.phase else None
            place = _find_place(game, seats, own, standing) if own else 0
            return replace(card, last_phase=last, place=place)
        phase = rows.phases.get(game.pk)
        return card if phase is None else _add_phase(card, phase, rows, own)
    except Exception:
        _log.exception("damaged game", game=game.pk)
        return replace(card, suspended=True)


@dataclass(frozen=True, slots=True)
class GameStanding:
    """What is known of the newest position: see `models.Standing`; `is_new` while it is not."""

    picture: PictureKey | None = None
    is_new: bool = False
    phase: str = ""
    strengths: Mapping[str, Sequence[int]] = field(default_factory=dict)
    gained: Mapping[str, int] = field(default_factory=dict)


def read_standing(game: Game) -> GameStanding:
    """Return what a worker has written down about the newest position of a game.

    The game must have been read with its `standing`; otherwise, this takes a query.
    """
    row = getattr(game, "standing", None)
    if row is None:
        return GameStanding()
    if not row.drawn:
        return GameStanding(is_new=True)
    picture = PictureKey(row.position_hash, row.drawn) if row.position_hash else None
    return GameStanding(picture, False, row.phase, row.strengths, row.gained)


def find_picture_key(reader: Reader) -> PictureKey | None:
    """Return what names the picture of the position, or None if the reader sees the opening one.

    Someone who has only been invited may join, but not watch.
    """
    return None if reader.by_code else read_standing(reader.rows.game).picture


def _find_place(game: Game, seats: Sequence[SeatRow], own: SeatRow, standing: GameStanding) -> int:
    """Return the rank of the seat at the end, or 0 while it is not known."""
    if not standing.strengths:
        return 0
    strengths = {}
    for row in seats:
        powers = powers_played_by(row.power, game.players)
        owned = [standing.strengths.get(power, (0, 0)) for power in powers]
        centers, units = (sum(numbers) for numbers in zip(*owned, strict=True))
        strengths[row.pk] = Strength(powers, centers, units)
    return rank_players(game, strengths)[own.pk]


def _add_phase(card: Card, phase: Phase, rows: CardRows, own: SeatRow | None) -> Card:
    """Return the card of a running game with its open phase."""
    game, when = phase.game, _parse_phase(phase.name)
    seats, position = rows.seats[game.pk], phase.position
    card = replace(
        card,
        phase=when,
        due_at=phase.adjudicate_at if phase.locked_at else phase.due_at,
        paused_until=rows.pauses.get(game.pk),
        saved=bool(vars(phase)["is_saved"]),
        vacant=sum(row.vacated_at is not None for row in seats),
    )
    players = game.players_at(when)
    powers = {row.pk: powers_played_by(row.power, players) for row in seats}
    owned = Counter(position.centers.values())
    totals = {key: sum(owned[power] for power in played) for key, played in powers.items()}
    if own is None:
        most = max(totals.values(), default=0)
        leaders = [row for row in seats if totals[row.pk] == most]
        # At the start of most games all have the same, so nobody leads.
        ahead = leaders if len(leaders) < len(seats) else ()
        return replace(card, leaders=_list_countries(game, ahead, totals))
    board, (country,) = game.board_at(when), _list_countries(game, [own], totals)
    gained = read_standing(game).gained
    country = replace(country, change=sum(gained.get(power, 0) for power in powers[own.pk]))
    ordering = powers_to_order(board, position) - set(phase.civil_disorder)
    must_order = bool(ordering.intersection(powers[own.pk]))
    return replace(
        card,
        country=country,
        needs_you=must_order and not vars(phase)["is_ready"] and phase.locked_at is None,
        owed=_measure_owed(board, position, powers[own.pk], rows.given.get(phase.pk, 0))
        if must_order
        else None,
        waiting_for=_list_waited_for(phase, rows, own, ordering, powers),
    )


def _list_countries(
    game: Game, seats: Sequence[SeatRow], totals: Mapping[int, int]
) -> tuple[Country, ...]:
    printed = game.map.palette
    countries = []
    for row in seats:
        power = row.power or ""
        color = row.colors.get(power) or printed.get(Power(power), DEFAULT_COLOR)
        countries.append(Country(_name_country(game, row), color, totals[row.pk]))
    return tuple(countries)


def _measure_owed(board: Board, position: Position, powers: Collection[Power], given: int) -> Owed:
    stage = position.phase.stage
    match stage:
        case Stage.MOVEMENT:
            number = sum(unit.power in powers for unit in position.units)
        case Stage.RETREATS:
            number = sum(entry.unit.power in powers for entry in position.dislodged)
        case Stage.ADJUSTMENTS:
            number = sum(adjustments_owed(board, position, power) for power in powers)
    return Owed(stage, number, given)


def _list_waited_for(
    phase: Phase,
    rows: CardRows,
    own: SeatRow,
    ordering: Collection[Power],
    powers: Mapping[int, Collection[Power]],
) -> tuple[str, ...]:
    """Return the countries of other people who have to order and are not ready.

    There are none where readiness is hidden, and none after the lock, when nobody is waited for.
    """
    if not is_readiness_public(_parse_phase(phase.name)) or phase.locked_at is not None:
        return ()
    ready = rows.ready.get(phase.pk, ())
    return tuple(
        _name_country(phase.game, row)
        for row in rows.seats[phase.game_id]
        if row.user_id is not None
        and row.pk != own.pk
        and row.pk not in ready
        and any(power in ordering for power in powers[row.pk])
    )


_parse_phase = lru_cache(1000)(JudgePhase.parse)


def _name_country(game: Game, seat: SeatRow) -> str:
    """Return the same as `Seat.country_name`, without a model instance."""
    if seat.country:
        return seat.country
    info = game.board.power_info
    return join_words([info[power].name for power in game.played_with.get(seat.power, ())])


def _read_winners(game: Game, seats: Iterable[SeatRow]) -> tuple[tuple[str, bool], ...] | None:
    if game.ending is None:
        return None
    won, players = set(game.ending.winners), game.players
    played = [(row, powers_played_by(row.power, players)) for row in seats]
    return tuple(
        (_name_country(game, row), len(powers) > 1 and not row.country)
        for row, powers in played
        if won.intersection(powers)
    )
