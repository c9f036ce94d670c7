"""The waiting room, invitations, names and colors, vacant seats, and games against bots."""

import secrets
from dataclasses import replace
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Query
from pydantic import Field

from diplomaccloud.api.auth import CREATE, OPEN, PLAY, READ, bearer_of, caller_of
from diplomaccloud.api.calls.acting import act_on, read_game, show_seat
from diplomaccloud.api.calls.lobby import find_map, show_game
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.ids import IdOf, make_id, read_id
from diplomaccloud.api.operations import Area
from diplomaccloud.api.options import require_plan
from diplomaccloud.api.problems import naming, no_such, refuse_field
from diplomaccloud.api.repeats import Effect
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.games import GameState
from diplomaccloud.api.schemas.rooms import (
    CodeFound,
    ColorGiven,
    CountryGiven,
    DismissalGiven,
    InvitationGiven,
    OfferList,
    OfferState,
    ReadinessGiven,
    Room,
    RoomSeat,
    SoloGiven,
)
from diplomaccloud.api.schemas.seats import OwnSeat
from diplomaccloud.bots.seats import is_mixture
from diplomaccloud.games.creation import actions as quick_game
from diplomaccloud.games.creation.actions import create_game, random_text
from diplomaccloud.games.lobby import actions as lobby_actions
from diplomaccloud.games.lobby.actions import mark_ready, start_game
from diplomaccloud.games.lobby.read import ListQuery, find_by_code, list_games, read_guests
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.seats.read import count_ready, read_seats
from diplomaccloud.games.table.errors import NoSuchGame, NoSuchPlayer, WrongMoment
from diplomaccloud.games.table.options import suggest_name
from diplomaccloud.games.table.read import Reader

_Code = Annotated[str, Field(pattern="^[A-Za-z0-9]{1,20}$")]
_Name = Annotated[str, Query(min_length=1, max_length=40)]
solo_area = Area("lobby", CREATE)
countries_area = Area("lobby", CREATE)
waiting_room_area = Area("lobby", CREATE)


@waiting_room_area.reads("/codes/{code}", CodeFound, guard=READ)
def find_code(request: HttpRequest, code: _Code) -> HttpResponse:
    """Find the private game for a code."""
    try:
        match = find_by_code(code, caller_of(request).viewer)
    except NoSuchGame as error:
        raise no_such("There is no game with this code that you can join.") from error
    return reply(CodeFound(game=match.slug, needs_code=match.needs_code))


@waiting_room_area.reads("/vacancies", OfferList, guard=OPEN)
def list_vacancies(request: HttpRequest) -> HttpResponse:
    """List vacant seats in public games. Take one over with `POST /games/{id}/seats`."""
    lists = list_games(caller_of(request).viewer, ListQuery(statuses=(), own=False))
    offers = [
        OfferState(
            game=offer.slug,
            world=offer.world,
            phase=str(offer.phase),
            power=offer.power,
            country=offer.country,
            centers=offer.centers,
            units=offer.units,
            since=offer.since_at,
        )
        for offer in lists.vacant
    ]
    return reply(OfferList(offers=offers))


@waiting_room_area.reads("/games/{game}/waiting-room", Room, guard=OPEN)
def get_waiting_room(request: HttpRequest, game: GameId) -> HttpResponse:
    """Return who is in the waiting room of a game; 409 once the game has started."""
    return reply(_describe_room(read_game(request, game)))


@waiting_room_area.writes("PUT /games/{game}/seat/ready-to-start", Room, guard=PLAY)
def set_ready_to_start(request: HttpRequest, game: GameId, given: ReadinessGiven) -> Effect:
    """Mark yourself in the waiting room as ready to start, or as not ready."""
    mark_ready(**act_on(request, game), ready=given.ready, now=timezone.now())
    return _show_room(request, game)


@waiting_room_area.writes("POST /games/{game}/invitations", Room)
def invite(request: HttpRequest, game: GameId, given: InvitationGiven) -> Effect:
    """Invite a person, as the creator. People you invite don't need the code."""
    try:
        lobby_actions.invite(**act_on(request, game), name=given.name, now=timezone.now())
    except NoSuchPlayer as error:
        raise refuse_field("name", str(error)) from error
    return _show_room(request, game)


@waiting_room_area.writes("DELETE /games/{game}/invitations", Room)
def withdraw_invitation(request: HttpRequest, game: GameId, name: _Name) -> Effect:
    """Withdraw the invitation of `?name=`, as the creator. Anyone who has joined keeps the seat."""
    guests = _list_guests(read_game(request, game))
    # Nobody has the key 0: the action decides what everyone else hears.
    invited = next((key for known, key in guests if known.casefold() == name.casefold()), 0)
    lobby_actions.withdraw_invitation(
        **act_on(request, game), invited_id=invited, now=timezone.now()
    )
    return _show_room(request, game)


@waiting_room_area.writes("POST /games/{game}/dismissals", Room)
def dismiss(request: HttpRequest, game: GameId, given: DismissalGiven) -> Effect:
    """Free a seat in the waiting room, as the creator."""
    lobby_actions.dismiss(
        **act_on(request, game), seat_id=read_id(IdOf.SEAT, given.seat), now=timezone.now()
    )
    return _show_room(request, game)


@countries_area.writes("PUT /games/{game}/seat/country", OwnSeat, guard=PLAY)
def name_country(request: HttpRequest, game: GameId, given: CountryGiven) -> Effect:
    """Name your country; a blank name restores the printed one."""
    with naming("country"):
        seats_actions.name_country(
            **act_on(request, game), country=given.country, now=timezone.now()
        )
    return show_seat(request, game)


@countries_area.writes("PUT /games/{game}/seat/color", OwnSeat, guard=PLAY)
def color_country(request: HttpRequest, game: GameId, given: ColorGiven) -> Effect:
    """Choose the color of one of your powers."""
    with naming("color"):
        seats_actions.color_country(
            **act_on(request, game), power=given.power, color=given.color, now=timezone.now()
        )
    return show_seat(request, game)


@solo_area.writes("POST /solo-games", GameState, status=201)
def create_solo_game(request: HttpRequest, given: SoloGiven) -> Effect:
    """Start a private game against bots now.

    Each phase lasts until you are ready, at most a week.
    """
    if not is_mixture(given.bot):
        raise refuse_field("bot", f"There is no bot called {given.bot[:20]!r}.")
    seed = secrets.token_hex(16)
    name = given.world or suggest_name(seed)
    user_id, now = bearer_of(request).user_id, timezone.now()
    plan = quick_game.plan_solo(find_map(given.map), given.bot, name=name, private=True)
    if given.last_year is not None:
        ends = replace(plan.options.ends, last_year=given.last_year)
        plan = replace(plan, options=replace(plan.options, ends=ends))
    require_plan(plan, now=now, names={"options.ends.last_year": "last_year"})
    game = create_game(
        plan=plan,
        creator_id=user_id,
        now=now,
        slug=random_text(10),
        code=random_text(10),
        seed=seed,
    )
    if given.bot.count(",") + 1 > (seats := len(game.players) - 1):
        raise refuse_field("bot", f"Only {seats} seats are free for bots.")
    start_game(slug=game.slug, user_id=user_id, now=now)
    return show_game(request, game.slug, status=201, due_game_id=game.pk)


def _show_room(request: HttpRequest, game: str) -> Effect:
    return Effect(reply(_describe_room(read_game(request, game))))


def _describe_room(reader: Reader) -> Room:
    if not reader.is_forming:
        raise WrongMoment("This game has started.")
    has_keys = reader.game.is_creator or not reader.hides_seats
    seats = [
        RoomSeat(
            # The ID never changes, so people could follow a seat whose ready mark is hidden.
            key=make_id(IdOf.SEAT, seat.key) if has_keys else "",
            name=seat.holder.bot or ("" if seat.holder.hidden else seat.holder.name),
            bot=bool(seat.holder.bot),
            you=seat.is_you,
            ready=seat.ready,
        )
        for seat in read_seats(reader)
    ]
    return Room(
        game=reader.game.slug,
        code=reader.game.code,
        seats=seats,
        free=len(reader.game.players) - len(seats),
        ready=count_ready(reader),
        invited=[name for name, _ in _list_guests(reader)],
    )


def _list_guests(reader: Reader) -> list[tuple[str, int]]:
    """Return the invited people, or an empty list unless the caller is the creator."""
    guests = read_guests(reader) if reader.game.is_creator else ()
    return [(guest.name, guest.user_id) for guest in guests]
