"""A game of one person against bots that is shown before it is stored."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from diplomaccloud.accounts.models import User
from diplomaccloud.bots.seats import choose_bot
from diplomaccloud.games.creation.presets import GamePlan
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.phase_models import FIRST_DRAFT, Phase
from diplomaccloud.games.table.read import DraftOrders, Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.orders import Order
from diplomaccloud.maps.library import find_map_setup
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.record.commitments import draw_numbers, draw_powers
from diplomaccloud.schedule import find_deadline

_NO_KEY: Final = 0
"""The key of unsaved rows and of the person who sees them; no stored row has it."""


def read_unsaved_game(
    plan: GamePlan,
    slug: str,
    secrets: tuple[str, str],
    *,
    now: dt.datetime,
    orders: Sequence[Order] = (),
) -> Reader:
    """Return the game as its player will see it; `orders` are shown in the order form.

    Its rows are built in memory. The two `secrets` decide which seat gets which country, and the
    numbers of the seats.
    """
    chart = StoredChart.objects.filter(content_hash=plan.map_hash).defer("text").first()
    if chart is None:
        raise NoSuchGame
    person = User(pk=_NO_KEY, username="guest", guest=True)
    game = _build_game(plan, slug, chart, person, now)
    powers = [played[0] for played in game.players]
    draw_secret, seat_secret = secrets
    drawn = draw_powers(draw_secret, powers, len(powers))
    seats = [
        Seat(
            # Negative keys distinguish the seats, and no stored row has one.
            pk=-number,
            game=game,
            power=drawn[number - 1],
            number=number,
            user=person if place == 0 else None,
            bot="" if place == 0 else choose_bot(plan.options.fill_with, place - 1),
        )
        for place, number in enumerate(draw_numbers(seat_secret, len(powers)))
    ]
    reader = Reader.of_known(game, Viewer(_NO_KEY), _build_phase(game, now), seats)
    # These replace cached properties that would read the database.
    vars(reader.rows).update(
        tenures=[], past_seats=[], newest_entries=[], last_processed=0, submissions={}
    )
    drafts = (DraftOrders(FIRST_DRAFT, True, None, tuple(orders)),)
    vars(reader).update(is_invited=False, drafts=drafts)
    return reader


def _build_game(
    plan: GamePlan, slug: str, chart: StoredChart, person: User, now: dt.datetime
) -> Game:
    game = Game(  # type: ignore[misc]  # see TypedJSONField
        pk=_NO_KEY,
        slug=slug,
        world=plan.world,
        chart=chart,
        options=replace(plan.options, setup=find_map_setup(chart)),
        private=True,
        creator=person,
        status=Status.RUNNING,
        created_at=now,
        started_at=now,
    )
    vars(game)["rules"] = plan.rules
    return game


def _build_phase(game: Game, now: dt.datetime) -> Phase:
    position = game.starting_position
    schedule, stage = game.options.schedule, position.phase.stage
    due = find_deadline(schedule, stage, now, first=True)
    return Phase(  # type: ignore[misc]  # see TypedJSONField
        pk=_NO_KEY,
        game=game,
        sequence=1,
        name=str(position.phase),
        position=position,
        civil_disorder=dict.fromkeys(game.idle_powers_at(position.phase), "idle"),
        map_hash=game.chart.content_hash,
        opens_at=now,
        due_at=due.orders_at,
        adjudicate_at=due.adjudicate_at,
        fixed_deadline=due.exact,
    )
