"""Creating games, and taking, leaving and filling seats."""

import secrets

from django.http import HttpRequest
from django.utils import timezone

from diplomaccloud.api.auth import CREATE, bearer_of
from diplomaccloud.api.calls.acting import act_on, read_game
from diplomaccloud.api.calls.reading import GameId
from diplomaccloud.api.facts.games import describe_game
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import Problem
from diplomaccloud.api.repeats import Effect
from diplomaccloud.api.replies import reply
from diplomaccloud.api.schemas.games import GameState
from diplomaccloud.api.schemas.lobby import BotGiven, GameGiven, JoinGiven, Left
from diplomaccloud.games import actions
from diplomaccloud.games.actions.lobby import quick_game
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.options.options import Options
from diplomaccloud.games.options.presets import GAME_PRESETS
from diplomaccloud.judge.codec.reader import CodecError
from diplomaccloud.maps.library import UnknownMapError, find_chart, store_standard

_area = Area("lobby", CREATE)


@_area.writes("POST /games", GameState, status=201)
def create_game(request: HttpRequest, given: GameGiven) -> Effect:
    """Create a game that waits for players. `options` overrides options of the preset.

    `options` has the same format as in `GET /games/{id}`.
    """
    now, user_id = timezone.now(), bearer_of(request).user_id
    preset = GAME_PRESETS[given.preset]
    game = actions.create_game(
        plan=actions.GamePlan(
            world=given.world,
            map_hash=find_map(given.map),
            options=_read_options(preset.options, given.options),
            rules=preset.rules,
            private=given.private,
        ),
        creator_id=user_id,
        now=now,
        slug=actions.random_text(10),
        code=actions.random_text(10),
        seed=secrets.token_hex(16),
    )
    return show_game(request, game.slug, status=201)


@_area.writes("POST /games/{game}/seats", GameState)
def take_seat(request: HttpRequest, game: GameId, given: JoinGiven) -> Effect:
    """Join a game before it starts, or send `power` to take over a vacant seat in a running game.

    A private game needs its `code`.
    """
    action, now, code = act_on(request, game), timezone.now, given.code
    if given.power:
        actions.take_seat(**action, power=given.power, now=now, code=code)
        return show_game(request, game)
    seat = actions.join_game(**action, now=now, code=code)
    return show_game(request, game, due_game_id=seat.game_id if seat.power else None)


@_area.writes("DELETE /games/{game}/seats", Left)
def leave_seat(request: HttpRequest, game: GameId) -> Effect:
    """Leave a game before it starts, or resign from a running game."""
    if read_game(request, game).is_forming:
        actions.leave_game(**act_on(request, game), now=timezone.now())
        return Effect(reply(Left(game=game)))
    due = actions.resign(**act_on(request, game), now=timezone.now)
    return Effect(reply(Left(game=game)), due)


@_area.writes("POST /games/{game}/bots", GameState)
def add_bot(request: HttpRequest, game: GameId, given: BotGiven) -> Effect:
    """Give a free seat to a bot, as the creator. Filling the last seat may start the game."""
    bot = given.bot or quick_game.DEFAULT_BOT
    row = actions.add_bot(**act_on(request, game), bot=bot, now=timezone.now)
    return show_game(request, game, due_game_id=row.pk)


@_area.writes("POST /games/{game}/start", GameState)
def start_game(request: HttpRequest, game: GameId, given: BotGiven) -> Effect:
    """Start the game, as its creator; bots take the empty seats."""
    row = actions.start_game(**act_on(request, game), now=timezone.now, bot=given.bot)
    return show_game(request, game, due_game_id=row.pk)


@_area.writes("DELETE /games/{game}", Left)
def cancel_game(request: HttpRequest, game: GameId) -> Effect:
    """Cancel a game that has not started, as its creator."""
    actions.cancel_game(**act_on(request, game), now=timezone.now())
    return Effect(reply(Left(game=game)))


def find_map(wanted: str) -> str:
    """Return the hash of `standard` or of a map on the site; raise `NoSuchGame` if unknown."""
    if wanted == "standard":
        return store_standard(now=timezone.now())
    try:
        find_chart(wanted)
    except UnknownMapError as error:
        raise NoSuchGame from error
    return wanted


def _read_options(preset: Options, changes: dict[str, object]) -> Options:
    """Return the options of a preset with changes; raise `Problem` naming an invalid option."""
    known = preset.to_json()
    assert isinstance(known, dict)  # noqa: S101
    unknown = sorted(set(changes) - set(known) | set(changes) & {"v"})
    if unknown:
        detail = f"There is no option {unknown[0][:60]!r}."
        errors = [{"field": f"options.{name}", "message": "Unknown"} for name in unknown]
        raise Problem(422, "invalid", detail, more={"errors": errors})
    try:
        return Options.from_json({**known, **changes, "preset": ""})
    except CodecError as error:
        errors = [{"field": "options", "message": str(error)}]
        raise Problem(422, "invalid", str(error), more={"errors": errors}) from error


def show_game(
    request: HttpRequest, game: str, *, status: int = 200, due_game_id: int | None = None
) -> Effect:
    """Return the game as it is now; a game that is due is processed after the answer is made."""
    return Effect(reply(describe_game(read_game(request, game)), status=status), due_game_id)
