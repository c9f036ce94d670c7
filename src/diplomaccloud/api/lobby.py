"""The lobby: creating games, taking and leaving seats, waiting rooms, vacant seats."""

import datetime as dt
import secrets
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query
from pydantic import Field, StrictBool, StrictInt, WithJsonSchema

from diplomaccloud.accounts.screen_names import MAX_NAME
from diplomaccloud.api.addresses import GameId, IdOf, PublicId, make_id, read_id
from diplomaccloud.api.answers import ApiAnswer, Given, Text
from diplomaccloud.api.auth import CREATE, OPEN, PLAY, READ, bearer_of, caller_of
from diplomaccloud.api.games import GameState, describe_game
from diplomaccloud.api.operations import Area, Effect, act_on, read_game
from diplomaccloud.api.options import (
    OPTIONS_GIVEN,
    SOLO_OPTIONS_GIVEN,
    read_options,
    read_solo_options,
    require_plan,
)
from diplomaccloud.api.problems import Problem, naming, no_such, no_such_map, refuse_field
from diplomaccloud.api.rules import Edition, SwitchesGiven, choose_rules
from diplomaccloud.bots.seats import SEAT_CHOICES, USUAL_BOT, is_mixture
from diplomaccloud.games.creation import actions as creation_actions
from diplomaccloud.games.creation.actions import Holder
from diplomaccloud.games.creation.presets import GAME_PRESETS, GamePlan
from diplomaccloud.games.lobby import actions as lobby_actions
from diplomaccloud.games.lobby.read import (
    ListQuery,
    Status,
    find_by_code,
    find_twin,
    list_games,
    read_guests,
)
from diplomaccloud.games.next_game import actions as next_game_actions
from diplomaccloud.games.next_game.read import list_next_games
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.seats.read import count_ready, read_seats
from diplomaccloud.games.seats.wording import LastWish
from diplomaccloud.games.table.errors import NoSuchGame, NoSuchPlayer, WrongMoment
from diplomaccloud.games.table.options import MAX_YEAR, Options, suggest_name
from diplomaccloud.games.table.read import Guest, Reader
from diplomaccloud.judge.board import MAX_POWERS
from diplomaccloud.maps.library import UnknownMapError, find_chart, store_standard

Players = Annotated[
    list[
        Annotated[
            list[Annotated[str, Field(min_length=1, max_length=64)]],
            Field(min_length=1, max_length=MAX_POWERS),
        ]
    ]
    | None,
    Field(
        min_length=1,
        max_length=MAX_POWERS,
        description="The powers in play: a list for each player, as in `GET /games/{id}`. The "
        "game has the start of the map in which the players have exactly these powers; if there "
        "are several, the first, or `options.setup` chooses. If it is missing or null, the start "
        "is that of `options.setup`.",
    ),
]


BOTS_ABOUT: Final = (
    "One of "
    + ", ".join(f"`{name}` ({title})" for name, title in SEAT_CHOICES)
    + "; or several, with commas, which take turns."
)


class HolderGiven(Given):
    """Who gets a power."""

    kind: Literal["you", "person", "bot", "open"] = Field(
        description="`you`; a `person`, who is invited; a `bot`, whose seat no person gets; or "
        "`open`, for the draw among everyone who joins."
    )
    name: Annotated[str, Field(max_length=200)] = Field(
        "", description=f"The screen name of a `person`, or of a `bot`: {BOTS_ABOUT}"
    )


Holders = Annotated[
    dict[Annotated[str, Field(max_length=64)], HolderGiven],
    Field(
        max_length=MAX_POWERS,
        description="Who gets which power, by power, such as `FRANCE`. All other powers are "
        "drawn. A game in which you give powers away is unrated and can't be anonymous.",
    ),
]


class GameGiven(Given):
    """A game to create; `map` is `standard` or the hash of a map."""

    world: Annotated[str, Field(min_length=1, max_length=40)]
    map: Annotated[str, Field(pattern="^(standard|[0-9a-f]{64})$")] = "standard"
    preset: Literal["2009", "table", "invitation", "live", "daily"] = "daily"
    private: StrictBool = False
    rated: Annotated[
        StrictBool | None,
        Field(
            description="Whether the result changes ratings. A public game is rated unless you "
            "send false; a private one cannot be."
        ),
    ] = None
    anyway: Annotated[
        StrictBool,
        Field(
            description="Create a public game even if one with the same map, press, speed and "
            "edition waits for players. Otherwise the answer is 409, and `game` is the one that "
            "waits."
        ),
    ] = False
    edition: Edition = None
    switches: SwitchesGiven | None = None
    players: Players = None
    holders: Holders = {}
    options: Annotated[dict[str, Any], WithJsonSchema(OPTIONS_GIVEN)] = {}


class JoinGiven(Given):
    """A seat to take; send `power` only to take over a vacant seat in a running game."""

    power: Annotated[str, Field(max_length=40)] = Field(
        "", description="The power of the vacant seat in a running game."
    )
    code: Annotated[str, Field(max_length=20)] = Field("", description="For a private game.")


class BotGiven(Given):
    """The name of a bot, or several names with commas. Blank means Captains."""

    bot: Annotated[str, Field(max_length=200)] = Field("", description=BOTS_ABOUT)


class Left(ApiAnswer):
    """The game the caller left."""

    game: str


class RoomSeat(ApiAnswer):
    """A taken seat; `key` identifies it in `dismissals`.

    While names are hidden, `name` is blank, only the creator gets `key`, and `ready` is null except
    on your own seat.
    """

    key: str
    name: str
    bot: bool
    you: bool
    ready: bool | None


class Room(ApiAnswer):
    """The waiting room of a game. `code` and `invited` are blank unless you may share them.

    `ready` counts the people who are ready to start. While names are hidden, the order of `seats`
    means nothing.
    """

    game: str
    code: str
    seats: list[RoomSeat]
    free: int
    ready: int
    invited: list[str]


class CodeFound(ApiAnswer):
    """The private game for a code. If `needs_code` is true, send the code when you join."""

    game: str = Field(validation_alias="slug")
    needs_code: bool


class OfferState(ApiAnswer):
    """A vacant seat of a public game."""

    game: str = Field(validation_alias="slug")
    world: str
    phase: Text
    power: str
    country: str
    centers: int
    units: int
    since: dt.datetime = Field(validation_alias="since_at")


class OfferList(ApiAnswer):
    """Vacant seats that you may take over. The longest vacant come first."""

    offers: list[OfferState]


class InvitationGiven(Given):
    """A person to invite, identified by screen name."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]


class DismissalGiven(Given):
    """The key of the seat in the waiting room to free."""

    seat: PublicId


class ReadinessGiven(Given):
    """Whether you are ready to start."""

    ready: StrictBool


class SoloGiven(Given):
    """A game against bots; `map` is `standard` or the hash of a map."""

    map: Annotated[str, Field(pattern="^(standard|[0-9a-f]{64})$")] = "standard"
    bot: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        "level:2", description=BOTS_ABOUT
    )
    world: Annotated[str, Field(max_length=40)] = Field(
        "", description="The name of the game. Blank for one that the site chooses."
    )
    last_year: Annotated[StrictInt, Field(ge=1, le=MAX_YEAR)] | None = Field(
        None,
        description="The year in which the game ends, as `options.ends.last_year`. Without "
        "either, the game has 35 years.",
    )
    edition: Edition = None
    switches: SwitchesGiven | None = None
    players: Players = None
    holders: Holders = {}
    options: Annotated[dict[str, Any], WithJsonSchema(SOLO_OPTIONS_GIVEN)] = {}


class NextGameState(ApiAnswer):
    """A public game that the site has opened and that waits for players.

    `names` is empty while names are hidden. `until` is when its muster ends, null unless one is
    open. `you` and `confirmed` are about the caller.
    """

    game: str = Field(validation_alias="slug")
    title: str
    world: str
    map: str = Field(validation_alias="map_hash")
    press: Text
    seats: int
    people: int
    names: list[str]
    you: bool = Field(validation_alias="yours")
    confirmed: bool
    until: dt.datetime | None = Field(validation_alias="muster_until_at")


class NextGames(ApiAnswer):
    """The next games. Join one with `POST /games/{id}/seats`."""

    games: list[NextGameState]


class ConfirmationGiven(Given):
    """With `bots`, you also agree to start with bots, while two or three people are in."""

    bots: StrictBool = False


area = Area("lobby", CREATE)


@area.writes("POST /games", GameState, status=201)
def create_game(request: HttpRequest, given: GameGiven) -> object:
    """Create a game that waits for players.

    `options` has the same format as in `GET /games/{id}`; options that you leave out, also within
    objects such as `ends`, stay as in the preset.
    """
    now, preset = timezone.now(), GAME_PRESETS[given.preset]
    if given.rated and given.private:
        raise refuse_field("rated", "A private game cannot be rated.")
    holders = _read_holders(given)
    if given.rated and holders:
        raise refuse_field("rated", "A game whose powers are not all drawn cannot be rated.")
    map_hash = find_map(given.map)
    plan = GamePlan(
        world=given.world,
        map_hash=map_hash,
        options=_choose_setup(map_hash, given, read_options(preset.options, given.options)),
        rules=choose_rules(preset.rules, given.edition, given.switches),
        private=given.private,
        rated=given.rated is not False,
    )
    require_plan(plan, now=now)
    # Of the options, only the setup is left to check.
    with naming("options.setup"):
        if not given.private and not given.anyway:
            _require_no_twin(request, creation_actions.choose_board(plan, now=now))
        game = creation_actions.create_game(
            plan=plan,
            creator_id=bearer_of(request).user_id,
            now=now,
            slug=creation_actions.random_text(10),
            code=creation_actions.random_text(10),
            seed=secrets.token_hex(16),
            holders=holders,
        )
    # Bots may have taken the last seats of a game that starts once it is full.
    return show_game(request, game.slug, None if game.status == Status.FORMING else game.pk)


def _choose_setup(map_hash: str, given: GameGiven | SoloGiven, options: Options) -> Options:
    """Return the options with the setup in which the players have the powers that were given."""
    if given.players is None:
        return options
    with naming("players"):
        setup = creation_actions.find_setup(map_hash, given.players, options.setup)
    return replace(options, setup=setup)


def _read_holders(given: GameGiven | SoloGiven) -> dict[str, Holder]:
    """Return who gets which power; raise `Problem` naming what is wrong."""
    holders: dict[str, Holder] = {}
    for power, holder in given.holders.items():
        place, needs_name = f"holders.{power}", holder.kind in ("person", "bot")
        if needs_name != bool(holder.name.strip()):
            why = "This must not be blank." if needs_name else "Only a person or a bot has a name."
            raise refuse_field(f"{place}.name", why)
        if holder.kind == "person" and isinstance(given, SoloGiven):
            raise refuse_field(f"{place}.kind", "You are the only person in a game against bots.")
        if holder.kind == "bot":
            holders[power] = Holder(bot=holder.name)
        elif holder.kind != "open":
            holders[power] = Holder(name=holder.name)
    return holders


def _require_no_twin(request: HttpRequest, plan: GamePlan) -> None:
    """Raise `Problem` with the address of a waiting public game like the planned one."""
    viewer = caller_of(request).viewer
    twin = find_twin(viewer, map_hash=plan.map_hash, options=plan.options, rules=plan.rules)
    if twin is not None:
        detail = (
            f"{twin.world} waits for players, with the same map, press, speed and edition. Join "
            "it, or send `anyway` to create another one."
        )
        raise Problem(409, "similar", detail, more={"game": twin.slug})


@area.writes("POST /games/{game}/seats", GameState)
def take_seat(request: HttpRequest, game: GameId, given: JoinGiven) -> object:
    """Join a game before it starts, or send `power` to take over a vacant seat in a running game.

    A private game needs its `code`.
    """
    action, now, code = act_on(request, game), timezone.now, given.code
    if given.power:
        with naming("power"):
            seats_actions.take_seat(**action, power=given.power, now=now, code=code)
        return show_game(request, game)
    seat = lobby_actions.join_game(**action, now=now, code=code)
    return show_game(request, game, seat.game_id if seat.power else None)


@area.writes("DELETE /games/{game}/seats", Left)
def leave_seat(
    request: HttpRequest,
    game: GameId,
    then: Annotated[Literal["end", "bots"] | None, Query()] = None,
    *,
    before_start: bool = False,
) -> object:
    """Leave a game before it starts, or resign from a running game.

    With `?before_start=true` you never resign: if the game has started in the meantime, you keep
    your seat, and the answer is 409 (`wrong-moment`). As the last player of a running game, you
    can end it with `?then=end`, or let bots play on at once with `?then=bots`. Without that, bots
    take the vacant seats once the open phase is processed.
    """
    if before_start or read_game(request, game).is_forming:
        lobby_actions.leave_game(**act_on(request, game), now=timezone.now())
        return Left(game=game)
    wish = LastWish(then) if then else None
    with naming("then"):
        due = seats_actions.resign(**act_on(request, game), now=timezone.now, then=wish)
    return Effect(Left(game=game), due)


@area.writes("POST /games/{game}/bots", GameState)
def add_bot(request: HttpRequest, game: GameId, given: BotGiven) -> object:
    """Give a free seat to a bot, as the creator. Filling the last seat may start the game."""
    bot = given.bot or USUAL_BOT
    with naming("bot"):
        row = lobby_actions.add_bot(**act_on(request, game), bot=bot, now=timezone.now)
    return show_game(request, game, row.pk)


@area.writes("POST /games/{game}/start", GameState)
def start_game(request: HttpRequest, game: GameId, given: BotGiven) -> object:
    """Start the game, as its creator; bots take the empty seats."""
    with naming("bot"):
        row = lobby_actions.start_game(**act_on(request, game), now=timezone.now, bot=given.bot)
    return show_game(request, game, row.pk)


@area.writes("DELETE /games/{game}", Left)
def cancel_game(request: HttpRequest, game: GameId) -> object:
    """Cancel a game that has not started, as its creator."""
    lobby_actions.cancel_game(**act_on(request, game), now=timezone.now())
    return Left(game=game)


def find_map(wanted: str) -> str:
    """Return the hash of `standard` or of a map on the site; raise `Problem` if unknown."""
    if wanted == "standard":
        return store_standard(now=timezone.now())
    try:
        find_chart(wanted)
    except UnknownMapError as error:
        raise no_such_map("map") from error
    return wanted


def show_game(request: HttpRequest, game: str, due_game_id: int | None = None) -> Effect:
    """Return the game as it is now; a game that is due is processed after the answer is made."""
    return Effect(describe_game(read_game(request, game)), due_game_id)


_Code = Annotated[str, Field(pattern="^[A-Za-z0-9]{1,20}$")]
_Name = Annotated[str, Query(min_length=1, max_length=MAX_NAME)]
waiting_room_area = Area("lobby", CREATE)


@waiting_room_area.reads("/codes/{code}", CodeFound, guard=READ)
def find_code(request: HttpRequest, code: _Code) -> object:
    """Find the private game for a code."""
    try:
        return find_by_code(code, caller_of(request).viewer)
    except NoSuchGame as error:
        raise no_such("There is no game with this code that you can join.") from error


@waiting_room_area.reads("/vacancies", OfferList, guard=OPEN)
def list_vacancies(request: HttpRequest) -> object:
    """List vacant seats in public games. Take one over with `POST /games/{id}/seats`."""
    lists = list_games(caller_of(request).viewer, ListQuery(statuses=(), yours=False))
    return {"offers": lists.vacant}


@waiting_room_area.reads("/games/{game}/waiting-room", Room, guard=OPEN)
def get_waiting_room(request: HttpRequest, game: GameId) -> object:
    """Return who is in the waiting room of a game; 409 once the game has started."""
    return _describe_room(read_game(request, game))


@waiting_room_area.writes("PUT /games/{game}/seat/ready-to-start", Room, guard=PLAY)
def set_ready_to_start(request: HttpRequest, game: GameId, given: ReadinessGiven) -> object:
    """Mark yourself in the waiting room as ready to start, or as not ready."""
    lobby_actions.mark_ready(**act_on(request, game), ready=given.ready, now=timezone.now())
    return _describe_room(read_game(request, game))


@waiting_room_area.reads("/next-games", NextGames, guard=OPEN)
def list_upcoming(request: HttpRequest) -> object:
    """List the games that the site opens itself: one waits for each of the host's templates."""
    return {"games": list_next_games(caller_of(request).viewer)}


@waiting_room_area.writes("PUT /games/{game}/seat/confirmation", GameState, guard=PLAY)
def confirm_seat(request: HttpRequest, game: GameId, given: ConfirmationGiven) -> object:
    """Confirm in the muster of a next game that you are there, or agree to start with bots.

    The last confirmation starts the game.
    """
    action = next_game_actions.start_with_bots if given.bots else next_game_actions.confirm
    started = action(**act_on(request, game), now=timezone.now)
    return show_game(request, game, started)


@waiting_room_area.writes("POST /games/{game}/invitations", Room)
def invite(request: HttpRequest, game: GameId, given: InvitationGiven) -> object:
    """Invite a person, as the creator. People you invite don't need the code."""
    try:
        lobby_actions.invite(**act_on(request, game), name=given.name, now=timezone.now())
    except NoSuchPlayer as error:
        raise refuse_field("name", str(error)) from error
    return _describe_room(read_game(request, game))


@waiting_room_area.writes("DELETE /games/{game}/invitations", Room)
def withdraw_invitation(request: HttpRequest, game: GameId, name: _Name) -> object:
    """Withdraw the invitation of `?name=`, as the creator. Anyone who has joined keeps the seat."""
    guests, wanted = _list_guests(read_game(request, game)), name.casefold()
    # Nobody has the key 0: the action decides what everyone else hears.
    invited = next((guest.user_id for guest in guests if guest.name.casefold() == wanted), 0)
    lobby_actions.withdraw_invitation(
        **act_on(request, game), invited_id=invited, now=timezone.now()
    )
    return _describe_room(read_game(request, game))


@waiting_room_area.writes("POST /games/{game}/dismissals", Room)
def dismiss(request: HttpRequest, game: GameId, given: DismissalGiven) -> object:
    """Free a seat in the waiting room, as the creator."""
    lobby_actions.dismiss(
        **act_on(request, game), seat_id=read_id(IdOf.SEAT, given.seat), now=timezone.now()
    )
    return _describe_room(read_game(request, game))


solo_area = Area("lobby", CREATE)


@solo_area.writes("POST /solo-games", GameState, status=201)
def create_solo_game(request: HttpRequest, given: SoloGiven) -> object:
    """Start a private game against bots now.

    Each phase lasts until you are ready, at most a week.
    """
    if not is_mixture(given.bot):
        raise refuse_field("bot", f"There is no bot called {given.bot[:20]!r}.")
    seed = secrets.token_hex(16)
    name = given.world or suggest_name(seed)
    now = timezone.now()
    plan = creation_actions.plan_solo(find_map(given.map), given.bot, name=name, private=True)
    holders = _read_holders(given)
    options = _choose_setup(plan.map_hash, given, read_solo_options(plan.options, given.options))
    names = {}
    if given.last_year is not None:
        options = replace(options, ends=replace(options.ends, last_year=given.last_year))
        names = {"options.ends.last_year": "last_year"}
    rules = choose_rules(plan.rules, given.edition, given.switches)
    plan = replace(plan, options=options, rules=rules)
    require_plan(plan, now=now, names=names)
    with naming("options.setup"):
        game = creation_actions.create_game(
            plan=plan,
            creator_id=bearer_of(request).user_id,
            now=now,
            slug=creation_actions.random_text(10),
            code=creation_actions.random_text(10),
            seed=seed,
            holders=holders,
        )
    seats = len(game.players) - 1 - sum(bool(holder.bot) for holder in holders.values())
    if given.bot.count(",") + 1 > max(1, seats):
        raise refuse_field("bot", f"Only {seats} seats are free for bots.")
    lobby_actions.start_game(**act_on(request, game.slug), now=now)
    return show_game(request, game.slug, game.pk)


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
        code=reader.code,
        seats=seats,
        free=len(reader.game.players) - len(seats),
        ready=count_ready(reader),
        invited=[guest.name for guest in _list_guests(reader)],
    )


def _list_guests(reader: Reader) -> tuple[Guest, ...]:
    """Return the invited people, or none unless the caller is the creator."""
    return read_guests(reader) if reader.game.is_creator else ()
