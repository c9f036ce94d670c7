"""Creating games, and taking, leaving and filling seats."""

import secrets
from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query

from diplomaccloud.api.auth import CREATE, bearer_of
from diplomaccloud.api.calls.acting import act_on, read_game
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.games import describe_game
from diplomaccloud.api.operations import Area
from diplomaccloud.api.options import read_options, require_plan
from diplomaccloud.api.problems import naming, no_such_map
from diplomaccloud.api.repeats import Effect
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.games import GameState
from diplomaccloud.api.schemas.lobby import BotGiven, GameGiven, JoinGiven, Left
from diplomaccloud.bots.seats import USUAL_BOT
from diplomaccloud.games.creation import actions as creation_actions
from diplomaccloud.games.creation.actions import GamePlan, random_text
from diplomaccloud.games.creation.presets import GAME_PRESETS
from diplomaccloud.games.lobby import actions as lobby_actions
from diplomaccloud.games.lobby.actions import join_game, leave_game
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.seats.actions import LastWish, resign
from diplomaccloud.maps.library import UnknownMapError, find_chart, store_standard

area = Area("lobby", CREATE)


@area.writes("POST /games", GameState, status=201)
def create_game(request: HttpRequest, given: GameGiven) -> Effect:
    """Create a game that waits for players.

    `options` has the same format as in `GET /games/{id}`; options that you leave out, also within
    objects such as `ends`, stay as in the preset.
    """
    now, user_id = timezone.now(), bearer_of(request).user_id
    preset = GAME_PRESETS[given.preset]
    plan = GamePlan(
        world=given.world,
        map_hash=find_map(given.map),
        options=read_options(preset.options, given.options),
        rules=preset.rules,
        private=given.private,
    )
    require_plan(plan, now=now)
    # Of the options, only the setup is left to check.
    with naming("options.setup"):
        game = creation_actions.create_game(
            plan=plan,
            creator_id=user_id,
            now=now,
            slug=random_text(10),
            code=random_text(10),
            seed=secrets.token_hex(16),
        )
    return show_game(request, game.slug, status=201)


@area.writes("POST /games/{game}/seats", GameState)
def take_seat(request: HttpRequest, game: GameId, given: JoinGiven) -> Effect:
    """Join a game before it starts, or send `power` to take over a vacant seat in a running game.

    A private game needs its `code`.
    """
    action, now, code = act_on(request, game), timezone.now, given.code
    if given.power:
        with naming("power"):
            seats_actions.take_seat(**action, power=given.power, now=now, code=code)
        return show_game(request, game)
    seat = join_game(**action, now=now, code=code)
    return show_game(request, game, due_game_id=seat.game_id if seat.power else None)


@area.writes("DELETE /games/{game}/seats", Left)
def leave_seat(
    request: HttpRequest,
    game: GameId,
    then: Annotated[Literal["end", "bots"] | None, Query()] = None,
) -> Effect:
    """Leave a game before it starts, or resign from a running game.

    As its last player, you can end it with `?then=end`, or let bots play on at once with
    `?then=bots`. Without that, bots take the vacant seats once the open phase is processed.
    """
    if read_game(request, game).is_forming:
        leave_game(**act_on(request, game), now=timezone.now())
        return Effect(reply(Left(game=game)))
    wish = LastWish(then) if then else None
    with naming("then"):
        due = resign(**act_on(request, game), now=timezone.now, then=wish)
    return Effect(reply(Left(game=game)), due)


@area.writes("POST /games/{game}/bots", GameState)
def add_bot(request: HttpRequest, game: GameId, given: BotGiven) -> Effect:
    """Give a free seat to a bot, as the creator. Filling the last seat may start the game."""
    bot = given.bot or USUAL_BOT
    with naming("bot"):
        row = lobby_actions.add_bot(**act_on(request, game), bot=bot, now=timezone.now)
    return show_game(request, game, due_game_id=row.pk)


@area.writes("POST /games/{game}/start", GameState)
def start_game(request: HttpRequest, game: GameId, given: BotGiven) -> Effect:
    """Start the game, as its creator; bots take the empty seats."""
    with naming("bot"):
        row = lobby_actions.start_game(**act_on(request, game), now=timezone.now, bot=given.bot)
    return show_game(request, game, due_game_id=row.pk)


@area.writes("DELETE /games/{game}", Left)
def cancel_game(request: HttpRequest, game: GameId) -> Effect:
    """Cancel a game that has not started, as its creator."""
    lobby_actions.cancel_game(**act_on(request, game), now=timezone.now())
    return Effect(reply(Left(game=game)))


def find_map(wanted: str) -> str:
    """Return the hash of `standard` or of a map on the site; raise `Problem` if unknown."""
    if wanted == "standard":
        return store_standard(now=timezone.now())
    try:
        find_chart(wanted)
    except UnknownMapError as error:
        raise no_such_map("map") from error
    return wanted


def show_game(
    request: HttpRequest, game: str, *, status: int = 200, due_game_id: int | None = None
) -> Effect:
    """Return the game as it is now; a game that is due is processed after the answer is made."""
    return Effect(reply(describe_game(read_game(request, game)), status=status), due_game_id)
