"""A game of one person against bots that is shown before it is stored."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from diplomaccloud.accounts.models import User
from diplomaccloud.bots.seats import choose_bot
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.models import Game, Seat, Status
from diplomaccloud.games.table.options import Options
from diplomaccloud.games.table.phase_models import FIRST_DRAFT, Phase
from diplomaccloud.games.table.read import DraftOrders, GameRows, Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.maps.library import find_map_setup
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.record.commitments import draw_numbers, draw_powers
from diplomaccloud.schedule import find_deadline

_NO_KEY: Final = 0
"""The key of unsaved rows and of the person who sees them; no stored row has it."""


@dataclass(frozen=True, slots=True)
class UnsavedGame:
    """The plan of a game that is not stored; its secrets decide who gets which country."""

    slug: str
    world: str
    map_hash: str
    options: Options
    rules: RuleSet
    draw_secret: str
    seat_secret: str


class _UnsavedRows(GameRows):
    """The rows that the game would have at its start, built in memory."""

    def __init__(self, plan: UnsavedGame, now: dt.datetime) -> None:
        charts = StoredChart.objects.filter(content_hash=plan.map_hash)
        chart = charts.defer("text").first()
        if chart is None:
            raise NoSuchGame
        person = User(pk=_NO_KEY, username="guest", guest=True)
        super().__init__(_build_game(plan, chart, person, now), Viewer(_NO_KEY))
        powers = [played[0] for played in self.game.players]
        drawn = draw_powers(plan.draw_secret, powers, len(powers))
        numbers = draw_numbers(plan.seat_secret, len(powers))
        seats = [
            Seat(
                # Negative keys distinguish the seats, and no stored row has one.
                pk=-number,
                game=self.game,
                power=drawn[number - 1],
                number=number,
                user=person if place == 0 else None,
                bot="" if place == 0 else choose_bot(plan.options.fill_with, place - 1),
            )
            for place, number in enumerate(numbers)
        ]
        ranks = {str(info.power): rank for rank, info in enumerate(self.game.board.powers)}
        values: dict[str, object] = {
            "phase": _build_phase(self.game, now),
            "seats": sorted(seats, key=lambda seat: ranks.get(seat.power or "", 0)),
            "tenures": [],
            "past_seats": [],
            "newest_entries": [],
            "last_processed": 0,
            "submissions": {},
        }
        # These replace cached properties that would read the database.
        vars(self).update(values)


def _build_game(plan: UnsavedGame, chart: StoredChart, person: User, now: dt.datetime) -> Game:
    game = Game(  # type: ignore[misc]  # see TypedJSONField
        pk=_NO_KEY,
        slug=plan.slug,
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


class UnsavedGameReader(Reader):
    """The game as its player will see it; `orders` are shown in the order form."""

    def __init__(
        self, plan: UnsavedGame, *, now: dt.datetime, orders: Sequence[Order] = ()
    ) -> None:
        self._read(_UnsavedRows(plan, now))
        # These replace cached properties that would read the database.
        self.is_invited = False
        self.drafts = (DraftOrders(FIRST_DRAFT, True, None, tuple(orders)),)
