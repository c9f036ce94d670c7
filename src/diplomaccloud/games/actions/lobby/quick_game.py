"""Games against bots, created and started in one step."""

import datetime as dt
import secrets
from dataclasses import replace

from diplomaccloud.bots.seats import USUAL_BOT
from diplomaccloud.games.actions.lobby.creation import create_game, random_text, start_game
from diplomaccloud.games.actions.lobby.option_checks import GamePlan
from diplomaccloud.games.actions.phases.claims import advance
from diplomaccloud.games.errors import Refused
from diplomaccloud.games.options.options import MAX_BOTS_ONLY_YEARS, Ends, Missed, Options
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.library import find_chart, store_chart
from diplomaccloud.maps.map_worker import MAP_WORKER, MapRequest
from diplomaccloud.maps.stock import choose_stock_map
from diplomaccloud.schedule import Interval, Lengths, Schedule

_WEEK = dt.timedelta(days=7)


def new_map(*, now: dt.datetime) -> str:
    """Return the hash of a map that few or no people have played on.

    It is a certified map from the stock, or a newly made map if the stock is empty.
    """
    ready = choose_stock_map()
    if ready is not None:
        return ready
    try:
        return store_chart(MAP_WORKER.make(MapRequest(secrets.token_hex(8))), now=now)
    except NoMapError as error:
        raise Refused(str(error)) from error


def plan_solo(
    map_hash: str, bot: str, *, name: str = "", private: bool = False, hints: bool = True
) -> GamePlan:
    """Return the plan of a game of one person against bots, named `name` or after the map."""
    chart = find_chart(map_hash)
    return GamePlan(
        world=name or chart.world,
        map_hash=map_hash,
        options=Options(
            schedule=Schedule(Interval(Lengths(_WEEK, _WEEK, _WEEK))),
            fill_with=bot,
            missed=Missed(limit=0),
            hints=hints,
            ends=Ends(last_year=chart.board.first_year + MAX_BOTS_ONLY_YEARS - 1),
        ),
        private=private,
    )


def make_solo(plan: GamePlan) -> GamePlan:
    """Return the plan changed to a game of one person against bots, without deadlines."""
    own, usual = plan.options, plan_solo(plan.map_hash, plan.options.fill_with or USUAL_BOT)
    options = replace(
        usual.options,
        setup=own.setup,
        hints=own.hints,
        ends=replace(own.ends, last_year=own.ends.last_year or usual.options.ends.last_year),
    )
    return replace(plan, options=options, private=True)


def play_solo(*, user_id: int, plan: GamePlan, now: dt.datetime, seed: str) -> str:
    """Start a game with one person, and bots in all other seats; return its slug."""
    game = create_game(
        plan=plan,
        creator_id=user_id,
        now=now,
        slug=random_text(10),
        code=random_text(10),
        seed=seed,
    )
    start_game(slug=game.slug, user_id=user_id, now=now)
    advance(game_id=game.pk, owner=f"start {game.slug}", now=now)
    return game.slug
