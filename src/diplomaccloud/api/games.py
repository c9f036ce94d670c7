"""Games: lists of them, their public state, positions and processed phases."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from ninja import Query
from pydantic import AliasPath, BeforeValidator, Field, WithJsonSchema

from diplomaccloud.api.addresses import GameId, IdOf, PhaseId, make_id, read_id
from diplomaccloud.api.answers import FOREVER, ApiAnswer, Text, find_tag, reply
from diplomaccloud.api.auth import OPEN, caller_of
from diplomaccloud.api.operations import Area, read_game
from diplomaccloud.api.options import OPTIONS
from diplomaccloud.api.problems import no_such, refuse_field
from diplomaccloud.api.rules import SwitchState
from diplomaccloud.games.deadlines.read import Clock, read_clock
from diplomaccloud.games.lobby import read as lobby
from diplomaccloud.games.results.read import (
    read_ending,
    read_newest_name,
    read_phase_names,
    read_processed,
)
from diplomaccloud.games.seats.read import SeatView, list_promised, read_seats
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.read import NewestPhase, Reader
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.rules import list_changes
from diplomaccloud.judge.units import Unit
from diplomaccloud.maps.forms import MAX_PLAYERS

_PAGE = 20
area = Area("reading", OPEN)

GameStatus = Annotated[
    str, Field(json_schema_extra={"enum": ["forming", "running", "finished", "canceled"]})
]


class UnitState(ApiAnswer):
    """A unit on the board, e.g. `A PAR` of `FRANCE`."""

    power: str
    unit: str


def list_units(units: Iterable[Unit]) -> list[UnitState]:
    """Return units with their powers."""
    return [UnitState(power=unit.power, unit=str(unit)) for unit in units]


Units = Annotated[list[UnitState], BeforeValidator(list_units)]


class DislodgedState(ApiAnswer):
    """A unit that must retreat to one of `retreats`, or disband."""

    power: str = Field(validation_alias=AliasPath("unit", "power"))
    unit: Text
    attacked_from: str = Field(validation_alias="by")
    retreats: list[str]


class BoardState(ApiAnswer):
    """The units, and the owners of the supply centers. Neutral centers are left out."""

    units: Units
    dislodged: list[DislodgedState]
    centers: Annotated[Mapping[str, str], BeforeValidator(dict)]


class PhaseRef(ApiAnswer):
    """A processed phase."""

    sequence: int
    name: Text = Field(validation_alias="phase")


class ResultState(ApiAnswer):
    """An order of a processed phase, its result, and the reason."""

    power: Annotated[str, BeforeValidator(power_of)] = Field(validation_alias="order")
    order: Text
    outcome: str
    succeeded: bool
    implicit: bool = Field(
        description="Whether the judge added this order because no player wrote one."
    )
    reason: str = Field(validation_alias="why")
    by: list[str]


class PhaseResult(ApiAnswer):
    """A processed phase. It never changes."""

    sequence: int = Field(validation_alias=AliasPath("name", "sequence"))
    name: Text = Field(validation_alias=AliasPath("name", "phase"))
    title: str = Field(validation_alias=AliasPath("name", "phase", "title"))
    before: BoardState = Field(validation_alias="position")
    results: list[ResultState] = Field(validation_alias=AliasPath("resolution", "results"))
    dislodged: list[DislodgedState] = Field(validation_alias=AliasPath("resolution", "dislodged"))
    destroyed: Units = Field(validation_alias=AliasPath("resolution", "destroyed"))
    standoffs: list[str] = Field(validation_alias=AliasPath("resolution", "standoffs"))
    gained: Annotated[Mapping[str, str], BeforeValidator(dict)] = Field(
        validation_alias=AliasPath("resolution", "gained")
    )
    next: Text = Field(validation_alias=AliasPath("resolution", "next", "phase"))
    after: BoardState = Field(validation_alias=AliasPath("resolution", "next"))


class PhaseList(ApiAnswer):
    """The processed phases of a game, oldest first."""

    phases: list[PhaseRef]


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
    start: Annotated[int, Query(ge=0, le=lobby.WINDOW)] = 0,
    q: Annotated[str, Query(max_length=40)] = "",
    players: Annotated[int, Query(ge=0, le=MAX_PLAYERS)] = 0,
    kind: Annotated[Literal["", "standard", "other"], Query(alias="map")] = "",
    speed: Literal["", "live", "daily", "slow"] = "",
    free: Literal["", "last", "few", "several"] = "",
    order: Literal["newest", "seats", "speed", "players"] = "newest",
) -> object:
    """List public games that you don't play in, newest first unless `order` is set.

    Your own games are in `/me`. With `speed`, `free` or `order`, use `?start=` for the next page.
    """
    wanted, key = lobby.Status(status), read_id(IdOf.GAME, before) if before else None
    if key == 0:
        raise refuse_field("before", "Send the `older` of an earlier answer.")
    query = lobby.ListQuery(
        statuses=(wanted,),
        size=_PAGE,
        before=key,
        yours=False,
        vacant=False,
        filter=lobby.ListFilter(q, players, speed, free, kind, order),
        start=start,
    )
    listed = lobby.list_games(caller_of(request).viewer, query).others[wanted]
    older = None if listed.older is None else make_id(IdOf.GAME, listed.older)
    return {"games": listed.games, "older": older, "next_start": listed.next_start}


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
    rated: bool = Field(
        description="Whether the result changes ratings, unless the game is `unrated` or annulled."
    )
    anonymous: bool
    suspended: bool
    rules: str = Field(description="The edition of the rules, such as `2000`.")
    switches: Annotated[
        SwitchState, Field(description="The switches of the rules that differ from the edition.")
    ]
    players: list[list[str]] = Field(
        description="The powers in play: a list for each player, with all powers that this player "
        "has at the start."
    )
    holders: dict[str, HolderState] = Field(
        description="Who plays the powers that the creator of the game gave away, by power; all "
        "others are drawn. A person who has not joined yet has no name."
    )
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
    tags = request.headers.get("If-None-Match", "").split(",")
    is_known = any(tag.strip().removeprefix("W/") == etag for tag in tags)
    answer: HttpResponse = HttpResponseNotModified()
    if not is_known:
        answer = reply(describe_game(reader), GameState)
    answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@area.reads("/games/{game}/phases", PhaseList)
def list_phases(request: HttpRequest, game: GameId) -> object:
    """List the processed phases that were not rolled back, oldest first."""
    return {"phases": read_phase_names(read_game(request, game))}


@area.reads("/games/{game}/phases/{phase}", PhaseResult)
def get_phase(request: HttpRequest, game: GameId, phase: PhaseId) -> HttpResponse:
    """Return the orders of a processed phase, with results and reasons. They never change.

    A name such as `S1901M` redirects to the number of that phase.
    """
    reader = read_game(request, game)
    fault = no_such(f"This game has no processed phase {phase}.")
    if not phase.isdecimal():
        numbers = [name.sequence for name in read_phase_names(reader) if str(name.phase) == phase]
        if not numbers:
            raise fault
        address = request.path.removesuffix(phase) + str(numbers[-1])
        return HttpResponseRedirect(address, preserve_request=True)
    try:
        answer = reply(read_processed(reader, int(phase)), PhaseResult)
    except NoSuchGame as error:
        raise fault from error
    audience = "public" if reader.is_public else "private"
    answer.headers["Cache-Control"] = f"{audience}, {FOREVER}"
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
    newest, ending = read_newest_name(reader), None
    standoffs: Sequence[str] = ()
    seats = read_seats(reader)
    awaited = HolderState(kind="person", name="")
    if newest and reader.position.phase.stage is Stage.RETREATS:
        standoffs = read_processed(reader, newest.sequence).resolution.standoffs
    if over := read_ending(reader):
        winners = [power for power in reader.board.power_info if power in over.winners]
        ending = {"winners": winners, "reason": over.reason}
    return GameState.of(
        id=game.slug,
        version=reader.version,
        world=game.world,
        map=game.map_hash,
        map_name=game.map_name,
        status=game.status,
        private=game.private,
        rated=game.rated,
        anonymous=game.options.anonymous,
        suspended=game.suspended,
        rules=game.rules.name,
        switches=list_changes(game.rules),
        players=game.players,
        holders={
            **{seat.reserved: describe_holder(reader, seat) for seat in seats if seat.reserved},
            **dict.fromkeys(list_promised(reader), awaited),
        },
        options={name: value for name, value in game.options.to_json().items() if name != "v"},
        centers_to_win=game.centers_to_win,
        master=game.master.name if game.master else None,
        phase=_describe_phase(phase, read_clock(reader)) if phase else None,
        board=reader.position,
        standoffs=standoffs,
        seats=[_describe_seat(reader, seat) for seat in seats],
        last_phase=newest,
        ending=ending,
        unrated=reader.unrated,
    )


def _describe_phase(phase: NewestPhase, clock: Clock | None) -> PhaseState:
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


def _describe_seat(reader: Reader, seat: SeatView) -> SeatState:
    # Readiness is hidden from others, so the viewer's own would make answers differ.
    hides_own = reader.hides_seats or (
        reader.is_running and reader.position.phase.stage is not Stage.MOVEMENT
    )
    return SeatState(
        powers=list(seat.powers),
        country=seat.name,
        holder=describe_holder(reader, seat),
        centers=seat.centers,
        units=seat.units,
        eliminated=seat.eliminated,
        must_order=seat.must_order,
        ready=None if seat.is_you and hides_own else seat.ready,
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
