"""Cards of games: all that one reader may see of each game in a list.

All games are read together, so forty cards take as many queries as one.
"""

import datetime as dt
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

import structlog
from django.db.models import IntegerField, QuerySet, TextField, Value
from django.db.models.functions import Cast
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
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.schedule import MoveKind, Schedule
from diplomaccloud.schedule.descriptions import join_words
from diplomaccloud.shared.prepared_queries import PreparedQuery
from diplomaccloud.shared.remembered import Remembered

__all__ = ["Status"]

_UNREAD = (
    "results", "judge_secret", "bots_secret", "lease_until", "lease_owner", "processed_at",
    "sealed_bots", "engine", "map_hash", "attempts",
)  # fmt: skip
"""The columns of an open phase that cards don't need."""
_READ = (
    "slug", "world", "status", "rule_set", "options", "private", "watchable", "seed", "coins",
    "master", "branch", "ending", "suspended_reason", "chart__name", "chart__content_hash",
    "chart__players", "creator__username", "creator__guest", "creator__deleted_at",
    *(f"standing__{name}" for name in ("position_hash", "drawn", "phase", "strengths", "gained")),
)  # fmt: skip
"""The columns of a game and of what belongs to it that cards need: a list has dozens of games."""
_AS_TEXT = ("options", "coins", "ending", "standing__strengths", "standing__gained")
_STAMPED: tuple[str | Cast, ...] = (
    *("status", "version"),
    *(column for column in _READ if column not in ("status", *_AS_TEXT)),
    *(Cast(column, TextField()) for column in _AS_TEXT),
)
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Country:
    """A player's country with its supply centers; `color` is `#rrggbb`.

    `change` is by how many the last Fall changed them; `letters` stand on badges of many powers.
    """

    name: str
    color: str
    centers: int
    change: int = 0
    letters: str = ""


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
    def is_full(self) -> bool:
        """Whether every seat has a person or a bot."""
        return self.humans + self.bots >= self.seats

    @property
    def waits_for_you(self) -> bool:
        """Whether the viewer has something to do: save orders, or answer an invitation."""
        return (self.needs_you and not self.saved) or self.invited


class SeatRow(NamedTuple):
    """What a card needs of a seat; a list has hundreds, and a model instance takes long to make.

    `chosen` is the JSON of the colors that the player has chosen.
    """

    pk: int
    game_id: int
    user_id: int | None
    bot: str
    power: str | None
    country: str
    chosen: str
    vacated_at: dt.datetime | None

    @property
    def colors(self) -> dict[str, str]:
        """The colors that the player has chosen, by power."""
        colors: dict[str, str] = json.loads(self.chosen)
        return colors


class Stamp(NamedTuple):
    """All that lists show of a game to people who are not in it, as the database has it.

    It has columns of the game and of the open phase, if there is one, and the seats in the order of
    their powers: the order in which people joined would tell who plays what in an anonymous game.
    """

    game: tuple[object, ...]
    phase: tuple[Any, ...] | None
    seats: tuple[SeatRow, ...]


class _Own(NamedTuple):
    """What more a card shows to a player: the player's seat, and what is saved in the open phase.

    `given` counts the saved orders. `ready` has the seats that are ready, as far as a player may
    know it.
    """

    seat: SeatRow
    is_saved: bool = False
    given: int = 0
    ready: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class GameRows:
    """Games and their open phases, by the keys of the games."""

    games: dict[int, Game]
    phases: dict[int, Phase]


class _Facts(NamedTuple):
    """All that a card is made of."""

    stamp: Stamp
    own: _Own | None
    is_invited: bool


_cards: Remembered[_Facts, Card] = Remembered(500)


def read_cards(
    viewer: Viewer, stamps: Mapping[int, Stamp], invited: Collection[int] = ()
) -> dict[int, Card]:
    """Return the cards of games by their keys, which the viewer must be allowed to see.

    `invited` are the games that the viewer is invited to. A process makes a card once, and again
    when something in the database that it shows is different: many people see the same lists, and
    a list shows the same games for hours.
    """
    own = _read_own(viewer, stamps)
    facts = {key: _Facts(stamp, own.get(key), key in invited) for key, stamp in stamps.items()}
    cards = {key: card for key, known in facts.items() if (card := _cards.find(known))}
    missing = [key for key in stamps if key not in cards]
    if not missing:
        return cards
    rows = read_rows(missing)
    pauses = _read_pauses(rows.phases)
    # What has changed meanwhile must not be remembered as what it was before.
    again = read_stamps(missing)
    for key, game in rows.games.items():
        card = _build_card(game, rows.phases.get(key), pauses.get(key), facts[key])
        # A pause ends without a change, and damage is reported each time.
        if again.get(key) == stamps[key] and card.schedule and key not in pauses:
            _cards.keep(facts[key], card)
        cards[key] = card
    return cards


def read_stamps(keys: Iterable[int]) -> dict[int, Stamp]:
    """Return the stamp of each game by its key, in at most three queries."""
    if not (chosen := list(dict.fromkeys(keys))):
        return {}
    games = {row[0]: row for row in _game_stamps.read(chosen)}
    running = [key for key, row in games.items() if row[1] == Status.RUNNING]
    phases = {row[0]: row for row in _phase_stamps.read(running)} if running else {}
    seats: dict[int, list[SeatRow]] = {key: [] for key in games}
    for seat in map(SeatRow._make, _seats.read(list(games))):
        seats[seat.game_id].append(seat)
    for of_game in seats.values():
        of_game.sort(key=lambda seat: seat.power or "")
    return {key: Stamp(row, phases.get(key), tuple(seats[key])) for key, row in games.items()}


def read_rows(keys: Iterable[int]) -> GameRows:
    """Return the rows of games and of their open phases."""
    games = {game.pk: game for game in _games.read(list(keys))}
    running = [key for key, game in games.items() if game.status == Status.RUNNING]
    phases = {row.game_id: row for row in _phases.read(running)} if running else {}
    for key, phase in phases.items():
        phase.game = games[key]
    return GameRows(games, phases)


def _read_own(viewer: Viewer, stamps: Mapping[int, Stamp]) -> dict[int, _Own]:
    """Return what only the viewer's own card shows, by the games that the viewer plays in."""
    if viewer.user_id is None:
        return {}
    own = {
        key: _Own(seat)
        for key, stamp in stamps.items()
        for seat in stamp.seats
        if seat.user_id == viewer.user_id
    }
    phases = {stamps[key].phase[1]: key for key in own if stamps[key].phase}  # type: ignore[index]
    if not phases:
        return own
    ready: dict[int, set[int]] = defaultdict(set)
    marks: Counter[tuple[int, int]] = Counter()
    for phase, mark in _progress.read([own[key].seat.pk for key in phases.values()], list(phases)):
        if mark > 0:
            ready[phase].add(mark)
        else:
            marks[phase, mark] += 1
    for phase, key in phases.items():
        seat, (_, _, name, *_) = own[key].seat, stamps[key].phase or ()
        is_saved, given = bool(marks[phase, _SAVED]), marks[phase, _ORDER]
        # Where readiness is hidden, not even the time that a card takes may depend on others'.
        shown = (
            ready[phase] if is_readiness_public(_parse_phase(name)) else ready[phase] & {seat.pk}
        )
        own[key] = _Own(seat, is_saved, given, frozenset(shown))
    return own


_ORDER, _SAVED = 0, -1


def _select_progress(
    own_seats: list[int], phases: list[int]
) -> QuerySet[OrderRow, tuple[int, int]]:
    """Return pairs of a phase and `_ORDER`, `_SAVED` or the key of a seat that is ready.

    There is one for each order in the live drafts of `own_seats`, one if orders were saved, and one
    for each ready seat.
    """
    orders = OrderRow.objects.filter(
        draft__phase__in=phases, draft__seat__in=own_seats, draft__live__in=[True]
    ).order_by()
    submissions = Submission.objects.filter(phase__in=phases).order_by()
    saved = submissions.filter(seat__in=own_seats).exclude(saved_at=None)
    # UNION ALL: each order is counted.
    return orders.values_list("draft__phase", Value(_ORDER, IntegerField())).union(
        saved.values_list("phase", Value(_SAVED, IntegerField())),
        submissions.exclude(ready_at=None).values_list("phase", "seat"),
        all=True,
    )


_games = PreparedQuery(
    lambda keys: (
        Game.objects.filter(pk__in=keys)
        .select_related("chart", "creator", "standing")
        .only(*_READ)
        .order_by()
    ),
    list,
)
_seats = PreparedQuery(
    lambda games: (
        Seat.objects.filter(game__in=games)
        .annotate(chosen=Cast("colors", TextField()))
        .order_by("pk")
        .values_list(*SeatRow._fields)
    ),
    list,
)
_phases = PreparedQuery(
    lambda games: (
        Phase.objects.filter(game__in=games, open=True, superseded_at=None)
        .defer(*_UNREAD)
        .order_by()
    ),
    list,
)
_game_stamps = PreparedQuery(
    lambda keys: Game.objects.filter(pk__in=keys).order_by().values_list("pk", *_STAMPED), list
)
_phase_stamps = PreparedQuery(
    lambda games: (
        Phase.objects.filter(game__in=games, open=True, superseded_at=None)
        .order_by()
        .values_list(
            *("game", "pk", "name", "due_at", "adjudicate_at", "locked_at"),
            Cast("civil_disorder", TextField()),
            Cast("position", TextField()),
        )
    ),
    list,
)
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


def _build_card(
    game: Game,
    phase: Phase | None,
    paused_until: dt.datetime | None,
    given: _Facts,
) -> Card:
    """Return the card of a game; a game with damaged data must not break the list."""
    seats, own = given.stamp.seats, given.own
    # What needs no decoding.
    facts: dict[str, Any] = {
        "slug": game.slug,
        "world": game.world,
        "map_name": game.chart.name,
        "map_hash": game.chart.content_hash,
        "status": game.status,
        "humans": sum(row.user_id is not None for row in seats),
        "seats": game.chart.players,
        "bots": sum(bool(row.bot) for row in seats),
        "private": game.private,
        "yours": own is not None,
        "invited": given.is_invited,
        "suspended": True,
        "winners": () if game.status == Status.FINISHED else None,
        "paused_until": paused_until,
    }
    try:
        more = _read_facts(game, seats, own)
        if phase is not None and game.status != Status.FINISHED:
            more |= _read_phase(phase, seats, own)
        return Card(**facts | more)
    except Exception:
        _log.exception("damaged game", game=game.pk)
        return Card(**facts)


def _read_facts(game: Game, seats: Sequence[SeatRow], own: _Own | None) -> dict[str, Any]:
    """Return what a card shows of a game that is not damaged, besides the open phase."""
    standing, options = read_standing(game), game.options
    facts: dict[str, Any] = {
        "picture": standing.picture,
        "is_new": standing.is_new,
        "seats": len(game.players),
        "creator": creator_name(game),
        "suspended": bool(game.suspended_reason),
        "winners": _read_winners(game, seats),
        "schedule": options.schedule,
        "press": options.press,
        "reliability": options.reliability,
    }
    if game.status == Status.FINISHED:
        facts["last_phase"] = _parse_phase(standing.phase) if standing.phase else None
    if own is not None:
        facts |= {"invited": False, "your_country": _name_country(game, own.seat)}
        if game.status == Status.FINISHED:
            facts["place"] = _find_place(game, seats, own.seat, standing)
    return facts


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


def _read_phase(phase: Phase, seats: Sequence[SeatRow], own: _Own | None) -> dict[str, Any]:
    """Return what the card of a running game shows of its open phase."""
    game, when, position = phase.game, _parse_phase(phase.name), phase.position
    players = game.players_at(when)
    powers = {row.pk: powers_played_by(row.power, players) for row in seats}
    owned = Counter(position.centers.values())
    totals = {key: sum(owned[power] for power in played) for key, played in powers.items()}
    facts: dict[str, Any] = {
        "phase": when,
        "due_at": phase.adjudicate_at if phase.locked_at else phase.due_at,
        "vacant": sum(row.vacated_at is not None for row in seats),
    }
    if own is None:
        most = max(totals.values(), default=0)
        leaders = [row for row in seats if totals[row.pk] == most]
        # At the start of most games all have the same, so nobody leads.
        ahead = leaders if len(leaders) < len(seats) else ()
        return facts | {"leaders": _list_countries(game, ahead, totals)}
    board, mine = game.board_at(when), powers[own.seat.pk]
    (country,) = _list_countries(game, [own.seat], totals)
    gained = read_standing(game).gained
    ordering = powers_to_order(board, position) - set(phase.civil_disorder)
    must_order, is_ready = bool(ordering.intersection(mine)), own.seat.pk in own.ready
    return facts | {
        "country": replace(
            country,
            change=sum(gained.get(power, 0) for power in mine),
            letters=find_badge_letters(game.map.board).get(Power(own.seat.power or ""), ""),
        ),
        "saved": own.is_saved,
        "needs_you": must_order and not is_ready and phase.locked_at is None,
        "owed": _measure_owed(board, position, mine, own.given) if must_order else None,
        "waiting_for": _list_waited_for(phase, seats, own, ordering, powers),
    }


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
    seats: Sequence[SeatRow],
    own: _Own,
    ordering: Collection[Power],
    powers: Mapping[int, Collection[Power]],
) -> tuple[str, ...]:
    """Return the countries of other people who have to order and are not ready.

    There are none where readiness is hidden, and none after the lock, when nobody is waited for.
    """
    if not is_readiness_public(_parse_phase(phase.name)) or phase.locked_at is not None:
        return ()
    return tuple(
        _name_country(phase.game, row)
        for row in seats
        if row.user_id is not None
        and row.pk != own.seat.pk
        and row.pk not in own.ready
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
