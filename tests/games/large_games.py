"""Games as large and as long as they get, for tests that count queries or measure time."""

import datetime as dt
import random
from dataclasses import replace

from judge.tests.scenes import random_orders, random_position

from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.creation.presets import GamePlan
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.table.options import Options
from diplomaccloud.games.table.phase_models import Draft, Phase
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.codec import resolution_to_json
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.maps.library import store_standard
from diplomaccloud.schedule import Interval, Lengths, Schedule

DAY = dt.timedelta(days=1)
ALL_UNITS = 34


def begin(people, number, *, now, bot="", setup=""):
    """Return a running game of `people`, who are keys of users, and of bots if one is named."""
    plan = GamePlan(
        world=f"Grand {number}",
        map_hash=store_standard(now=now),
        options=Options(Schedule(Interval(Lengths(DAY, DAY, DAY))), setup=setup, fill_with=bot),
    )
    maker = people[number % len(people)]
    slug = f"{number:010d}".replace("0", "a").replace("1", "z")
    game = create_game(
        plan=plan, creator_id=maker, now=now, slug=slug, code="letmein222", seed=f"grand {number}"
    )
    for user in people:
        if user != maker:
            join_game(slug=game.slug, user_id=user, now=now)
    start_game(slug=game.slug, user_id=maker, now=now)
    game.refresh_from_db()
    return game


def crowd(game, units=ALL_UNITS):
    """Put `units` at random on the board in the open phase."""
    phase, board = game.newest_phase(), game.board
    position = random_position(board, random.Random(1), units, powers=len(board.powers))
    position = replace(position, phase=JudgePhase.parse("F1903M"))
    phase.position, phase.name = position, "F1903M"
    phase.save()


def write(game, seats, *, now):
    """Save an order for every unit of these seats; return what each posted."""
    phase, posted = game.newest_phase(), {}
    orders = random_orders(game.board, phase.position, random.Random(1))
    for seat in seats:
        mine = phase.powers_of(seat)
        posted[seat] = [str(order) for order in orders if power_of(order) in mine]
        save_orders(
            slug=game.slug,
            user_id=seat.user_id,
            sequence=phase.sequence,
            choices=posted[seat],
            sheet="",
            now=now,
        )
    return posted


def lengthen(game, count):
    """Put `count` processed phases before the open one, all with the results of its position."""
    phase, board = game.newest_phase(), game.board
    start = phase.position
    orders = random_orders(board, start, random.Random(2))
    results = resolution_to_json(adjudicate(board, start, orders))
    phase.sequence = count + 1
    phase.save()
    Phase.objects.bulk_create(
        _past(phase, number, results, replace(start, phase=_turn(number)))
        for number in range(1, count + 1)
    )


def _turn(number):
    """Return a movement phase, or for every third phase an adjustment phase."""
    year, part = divmod(number - 1, 3)
    season = (Season.SPRING, Season.FALL, Season.WINTER)[part]
    return JudgePhase(season, 1800 + year, Stage.ADJUSTMENTS if part == 2 else Stage.MOVEMENT)


def _past(phase, number, results, position):
    before = phase.opens_at - DAY
    return Phase(
        game=phase.game,
        sequence=number,
        name=str(position.phase),
        position=position,
        rule_set_id=phase.rule_set_id,
        engine=phase.engine,
        map_hash=phase.map_hash,
        opens_at=before,
        due_at=before,
        adjudicate_at=before,
        locked_at=before,
        processed_at=before,
        results=results,
    )


def draft_more(game, seat, count, *, now):
    """Give the seat `count` drafts beside its live one."""
    phase = game.newest_phase()
    for number in range(count):
        Draft.objects.create(phase=phase, seat=seat, name=f"Thought {number}", saved_at=now)
