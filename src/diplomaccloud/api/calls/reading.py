"""Reading public data: maps, games, and processed phases."""

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from ninja import Query
from pydantic import Field

from diplomaccloud.api.auth import OPEN, READ, bearer_of, caller_of
from diplomaccloud.api.calls.acting import read_game
from diplomaccloud.api.facts.boards import describe_phase
from diplomaccloud.api.facts.games import describe_game, describe_listed, describe_own, refer_to
from diplomaccloud.api.ids import IdOf, make_id, read_id
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import Problem, no_such, no_such_map, refuse_field
from diplomaccloud.api.replies import FOREVER, JSON, find_tag, is_known, not_modified, reply
from diplomaccloud.api.schemas.boards import PhaseList, PhaseResult
from diplomaccloud.api.schemas.gallery import MapFile
from diplomaccloud.api.schemas.games import GamePage, GameState, Me
from diplomaccloud.api.tokens import Scope
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
from diplomaccloud.games.results.read import read_phase_names, read_processed
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.maps.library import UnknownMapError, find_text
from diplomaccloud.press.inbox.read import count_unread

MapHash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
GameId = Annotated[str, Field(pattern="^[a-z2-9]{10}$")]
PhaseName = Annotated[str, Field(pattern="^([1-9][0-9]{0,5}|[SFW][0-9]{1,5}[MRA])$")]
_PAGE = 20
area = Area("reading", OPEN)
phases_area = Area("reading", OPEN)
map_files_area = Area("reading", OPEN)
me_area = Area("reading", OPEN)


@me_area.reads("/me", Me, guard=READ)
def get_me(request: HttpRequest) -> HttpResponse:
    """Return whose token this is, and that person's games, the most urgent first."""
    bearer, viewer = bearer_of(request), caller_of(request).viewer
    query = ListQuery(statuses=(), own=True, vacant=False, pauses=False)
    yours = lobby.list_games(viewer, query).yours
    only = bearer.seat.slug if bearer.seat else None
    return reply(
        Me(
            screen_name=bearer.screen_name,
            token=bearer.name,
            scopes=[scope for scope in Scope if scope in bearer.scopes],
            expires_at=bearer.expires_at,
            seat=only,
            unread_messages=None
            if only or Scope.PRESS not in bearer.scopes
            else count_unread(viewer),
            games=[describe_own(game) for game in yours if only in (None, game.slug)],
        )
    )


@map_files_area.reads("/maps/{map_hash}", MapFile)
def get_map(request: HttpRequest, map_hash: MapHash) -> HttpResponse:  # noqa: ARG001
    """Return a map, in the format of `docs/map-format.md`. A map never changes."""
    try:
        text = find_text(map_hash)
    except UnknownMapError as error:
        raise no_such_map() from error
    return HttpResponse(text, content_type=JSON, headers={"Cache-Control": f"public, {FOREVER}"})


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
    games = list(map(describe_listed, found.games))
    older = None if found.older is None else make_id(IdOf.GAME, found.older)
    return reply(GamePage(games=games, older=older, next_start=found.next_start))


def _read_before(text: str) -> int | None:
    """Return the key of the game that `older` identifies; raise `Problem` for any other text."""
    if not text:
        return None
    if not (key := read_id(IdOf.GAME, text)):
        raise refuse_field("before", "Send the `older` of an earlier answer.")
    return key


@area.reads("/games/{game}", GameState)
def get_game(request: HttpRequest, game: GameId) -> HttpResponse:
    """Return the public state of a game, or 304 if `If-None-Match` still matches."""
    reader = read_game(request, game)
    etag = find_tag(reader)
    answer = not_modified(etag) if is_known(request, etag) else reply(describe_game(reader))
    answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@phases_area.reads("/games/{game}/phases", PhaseList)
def list_phases(request: HttpRequest, game: GameId) -> HttpResponse:
    """List the processed phases that were not rolled back, oldest first."""
    names = read_phase_names(read_game(request, game))
    return reply(PhaseList(phases=[found for name in names if (found := refer_to(name))]))


@phases_area.reads("/games/{game}/phases/{phase}", PhaseResult)
def get_phase(request: HttpRequest, game: GameId, phase: PhaseName) -> HttpResponse:
    """Return the orders of a processed phase, with results and reasons. They never change.

    A name such as `S1901M` redirects to the number of that phase.
    """
    reader = read_game(request, game)
    if not phase.isdecimal():
        numbers = [name.sequence for name in read_phase_names(reader) if str(name.phase) == phase]
        if not numbers:
            raise _no_such_phase(phase)
        address = request.path.removesuffix(phase) + str(numbers[-1])
        return HttpResponseRedirect(address, preserve_request=True)
    try:
        answer = reply(describe_phase(read_processed(reader, int(phase))))
    except NoSuchGame as error:
        raise _no_such_phase(phase) from error
    audience = "public" if reader.is_public else "private"
    answer.headers["Cache-Control"] = f"{audience}, {FOREVER}"
    return answer


def _no_such_phase(phase: str) -> Problem:
    return no_such(f"This game has no processed phase {phase}.")
