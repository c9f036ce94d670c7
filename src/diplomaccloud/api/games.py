"""Games: their public state, and lists of them."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query
from pydantic import Field, WithJsonSchema

from diplomaccloud.api.answers import ApiAnswer, Text, find_tag, is_known, not_modified, reply
from diplomaccloud.api.auth import OPEN, caller_of
from diplomaccloud.api.boards import BoardState, PhaseRef
from diplomaccloud.api.ids import GameId, IdOf, make_id, read_id
from diplomaccloud.api.operations import Area, read_game
from diplomaccloud.api.options import OPTIONS
from diplomaccloud.api.problems import refuse_field
from diplomaccloud.games.deadlines.read import read_clock
from diplomaccloud.games.lobby import read as lobby
from diplomaccloud.games.lobby.read import (
    WINDOW,
    FreeSeats,
    ListFilter,
    ListQuery,
    MapKind,
    Order,
    Pace,
    Status,
)
from diplomaccloud.games.results.read import read_ending, read_newest_name, read_processed
from diplomaccloud.games.seats.read import SeatView, read_seats
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.phases import Stage

_PAGE = 20
area = Area("reading", OPEN)

GameStatus = Annotated[
    str, Field(json_schema_extra={"enum": ["forming", "running", "finished", "canceled"]})
]


class ListedState(ApiAnswer):
    """A game in a list; `reliability` is the least one of a player in percent, 0 for none."""

    id: str = Field(validation_alias="slug")
    world: str
    map: str = Field(validation_alias="map_hash")
    map_name: str
    status: GameStatus
    phase: Text | None
    due_at: dt.datetime | None
    people: int = Field(validation_alias="humans")
    bots: int
    seats: int
    private: bool
    reliability: int
    suspended: bool


class GamePage(ApiAnswer):
    """A page of games, newest first. Send `older` as `before` for the next page."""

    games: list[ListedState]
    older: str | None
    next_start: int | None = Field(
        None, description="The `start` for the next page, if `older` is null."
    )


@area.reads("/games", GamePage)
def list_games(
    request: HttpRequest,
    *,
    status: Literal["forming", "running", "finished"] = "running",
    before: Annotated[str, Query(pattern="^([0-9a-f]{32})?$")] = "",
    start: Annotated[int, Query(ge=0, le=WINDOW)] = 0,
    q: Annotated[str, Query(max_length=40)] = "",
    players: Annotated[int, Query(ge=0, le=10)] = 0,
    kind: Annotated[Literal["", "standard", "other"], Query(alias="map")] = "",
    speed: Literal["", "live", "daily", "slow"] = "",
    free: Literal["", "last", "few", "several"] = "",
    order: Literal["newest", "seats", "speed", "players"] = "newest",
) -> HttpResponse:
    """List public games that you don't play in, newest first unless `order` is set.

    Your own games are in `/me`. With `speed`, `free` or `order`, use `?start=` for the next page.
    """
    wanted = Status(status)
    chosen = ListFilter(
        players=players,
        map=MapKind(kind) if kind else None,
        pace=Pace(speed) if speed else None,
        free=FreeSeats(free) if free else None,
        text=q,
        order=Order(order),
    )
    query = ListQuery(
        statuses=(wanted,),
        size=_PAGE,
        before=_read_before(before),
        own=False,
        vacant=False,
        filter=chosen,
        start=start,
    )
    found = lobby.list_games(caller_of(request).viewer, query).others[wanted]
    older = None if found.older is None else make_id(IdOf.GAME, found.older)
    return reply(GamePage.of(games=found.games, older=older, next_start=found.next_start))


def _read_before(text: str) -> int | None:
    """Return the key of the game that `older` identifies; raise `Problem` for any other text."""
    if not text:
        return None
    if not (key := read_id(IdOf.GAME, text)):
        raise refuse_field("before", "Send the `older` of an earlier answer.")
    return key


UnratedReason = Annotated[
    str | None,
    Field(
        json_schema_extra={"enum": ["few people", "given up", None]},
        description="Why the game's result does not count, as things stand; null if it counts.",
    ),
]


class PhaseState(ApiAnswer):
    """The open phase, or the last phase of a finished game."""

    sequence: int = Field(description="The number of the phase. Send it with your orders.")
    name: str = Field(
        description="For example S1901M; after a rollback, two phases can share a name."
    )
    title: str
    opens_at: dt.datetime
    due_at: dt.datetime
    adjudicate_at: dt.datetime
    closed: bool
    paused_until: dt.datetime | None
    quiet_from: dt.datetime | None


class HolderState(ApiAnswer):
    """The holder of a seat: `person` (the name is blank if hidden), `bot`, or `vacant`."""

    kind: Annotated[str, Field(json_schema_extra={"enum": ["person", "bot", "vacant"]})]
    name: str


class SeatState(ApiAnswer):
    """The public view of a seat; `ready` is null if it is hidden or does not apply."""

    powers: list[str]
    country: str
    holder: HolderState
    centers: int
    units: int
    eliminated: bool
    must_order: bool
    ready: bool | None


class EndingState(ApiAnswer):
    """How a game ended."""

    winners: Sequence[str]
    reason: str


class GameState(ApiAnswer):
    """The public state of a game, the same for everyone who may see it."""

    id: str
    version: int = Field(description="Increases whenever the public state changes.")
    world: str
    map: str = Field(description="The hash of the map.")
    map_name: str
    status: GameStatus
    private: bool
    anonymous: bool
    suspended: bool
    rules: str
    options: Annotated[dict[str, Any], WithJsonSchema(OPTIONS)]
    centers_to_win: int
    master: str | None
    phase: PhaseState | None
    board: BoardState
    standoffs: list[str] = Field(
        description="In a retreat phase, places no unit may retreat to because of a standoff."
    )
    seats: list[SeatState]
    last_phase: PhaseRef | None
    ending: EndingState | None
    unrated: UnratedReason


@area.reads("/games/{game}", GameState)
def get_game(request: HttpRequest, game: GameId) -> HttpResponse:
    """Return the public state of a game, or 304 if `If-None-Match` still matches."""
    reader = read_game(request, game)
    etag = find_tag(reader)
    answer = not_modified(etag) if is_known(request, etag) else reply(describe_game(reader))
    answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


class OwnGame(ListedState):
    """One of the caller's games; `needs_you` is true until the orders are saved and ready."""

    plays: bool = Field(validation_alias="yours")
    country: str = Field(validation_alias="your_country")
    invited: bool
    needs_you: bool


def describe_game(reader: Reader) -> GameState:
    """Return the public state of a game. It is the same for every viewer."""
    game, phase = reader.game, reader.phase
    master = None if game.master is None else game.master.name
    return GameState.of(
        id=game.slug,
        version=reader.version,
        world=game.world,
        map=game.map_hash,
        map_name=game.map_name,
        status=game.status.value,
        private=game.private,
        anonymous=game.options.anonymous,
        suspended=game.suspended,
        rules=game.rules.name,
        options=_describe_options(reader),
        centers_to_win=game.centers_to_win,
        master=master,
        phase=None if phase is None else _describe_phase(reader),
        board=reader.position,
        standoffs=_list_standoffs(reader),
        seats=[_describe_seat(reader, seat) for seat in read_seats(reader)],
        last_phase=read_newest_name(reader),
        ending=_describe_ending(reader),
        unrated=None if reader.unrated is None else reader.unrated.value,
    )


def _describe_ending(reader: Reader) -> EndingState | None:
    ending = read_ending(reader)
    if ending is None:
        return None
    powers = (info.power for info in reader.board.powers)
    winners = [power for power in powers if power in ending.winners]
    return EndingState(winners=winners, reason=ending.reason)


def _describe_options(reader: Reader) -> dict[str, object]:
    options = reader.game.options.to_json()
    assert isinstance(options, Mapping)  # noqa: S101
    return {name: value for name, value in options.items() if name != "v"}


def _describe_phase(reader: Reader) -> PhaseState:
    phase, clock = reader.phase, read_clock(reader)
    assert phase is not None  # noqa: S101
    return PhaseState(
        sequence=phase.sequence,
        name=str(phase.phase),
        title=phase.phase.title,
        opens_at=phase.opens_at,
        due_at=phase.due_at,
        adjudicate_at=phase.adjudicate_at,
        closed=phase.locked or clock is None or clock.closed,
        paused_until=clock.paused_until if clock else None,
        quiet_from=clock.quiet_from if clock else None,
    )


def _list_standoffs(reader: Reader) -> list[str]:
    """Return the places left empty by standoffs, in a retreat phase."""
    name = read_newest_name(reader)
    if name is None or reader.position.phase.stage is not Stage.RETREATS:
        return []
    return list(read_processed(reader, name.sequence).resolution.standoffs)


def _describe_seat(reader: Reader, seat: SeatView) -> SeatState:
    return SeatState(
        powers=list(seat.powers),
        country=seat.name,
        holder=describe_holder(reader, seat),
        centers=seat.centers,
        units=seat.units,
        eliminated=seat.eliminated,
        must_order=seat.must_order,
        ready=None if seat.is_you and _hides_readiness(reader) else seat.ready,
    )


def _hides_readiness(reader: Reader) -> bool:
    """Return whether the ready marks of players are hidden from others."""
    return reader.hides_seats or (
        reader.is_running and reader.position.phase.stage is not Stage.MOVEMENT
    )


def describe_holder(reader: Reader, seat: SeatView) -> HolderState:
    """Return the holder of a seat, the same for every viewer."""
    holder = seat.holder
    if holder.bot:
        return HolderState(kind="bot", name=holder.bot)
    if not seat.held:
        return HolderState(kind="vacant", name="")
    # Showing the viewer's own name would make answers differ between viewers.
    hidden = holder.hidden or (seat.is_you and reader.masked)
    return HolderState(kind="person", name="" if hidden else holder.name)
