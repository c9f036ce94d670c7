"""Play a first game: the learner against greedy bots, for three years.

The state is signed text, short enough for a cookie.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from django.core import signing

from diplomaccloud.bots import BOTS
from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase, PhaseError, Stage
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit
from diplomaccloud.learn.steps import read_choices
from diplomaccloud.sandbox.engine import PlayedPhase

SALT: Final = "learn.first-game"
MAX_LENGTH: Final = 3800
"""The longest state that is read; browsers store cookies of about four kilobytes."""


@dataclass(frozen=True, slots=True)
class LessonState:
    """A first game: whose it is, and where it stands before the learner's last turn.

    `orders` are the learner's own orders of that turn; None if no turn has been played. The bots'
    orders depend only on `seed`, so everything later follows from these values.
    """

    power: Power
    seed: str
    position: Position
    orders: tuple[str, ...] | None = None


class StateError(ValueError):
    """Text that is not the state of a first game."""


def dump_state(state: LessonState) -> str:
    """Return `state` as signed text."""
    value = {
        "power": state.power,
        "seed": state.seed,
        "position": _write_position(state.position),
        "orders": None if state.orders is None else list(state.orders),
    }
    return signing.dumps(value, salt=SALT, compress=True)


def load_state(text: str) -> LessonState:
    """Return the state written as `text`; raise `StateError` if the site did not sign it."""
    if len(text) > MAX_LENGTH:
        raise StateError("too long")
    try:
        value = signing.loads(text, salt=SALT)
        orders = value["orders"]
        return LessonState(
            Power(value["power"]),
            value["seed"],
            _read_position(value["position"]),
            None if orders is None else tuple(orders),
        )
    except (signing.BadSignature, KeyError, TypeError, ValueError, PhaseError) as error:
        raise StateError(str(error)) from error


def _write_position(position: Position) -> dict[str, object]:
    centers: dict[str, list[str]] = {}
    for code, power in position.centers.items():
        centers.setdefault(power, []).append(code)
    return {
        "phase": str(position.phase),
        "units": [_write_unit(unit) for unit in position.units],
        "centers": {power: " ".join(codes) for power, codes in centers.items()},
        "dislodged": [
            [_write_unit(entry.unit), entry.by, list(entry.retreats)]
            for entry in position.dislodged
        ],
    }


def _read_position(value: Mapping[str, object]) -> Position:
    units, centers, dislodged = value["units"], value["centers"], value["dislodged"]
    if not (isinstance(units, list) and isinstance(centers, dict) and isinstance(dislodged, list)):
        raise StateError("not a position")
    return Position(
        Phase.parse(str(value["phase"])),
        tuple(map(_read_unit, units)),
        {
            ProvinceCode(code): Power(power)
            for power, codes in centers.items()
            for code in codes.split()
        },
        tuple(
            Dislodged(_read_unit(unit), ProvinceCode(by), tuple(map(Location, retreats)))
            for unit, by, retreats in dislodged
        ),
    )


def _write_unit(unit: Unit) -> str:
    return f"{unit} {unit.power}"


def _read_unit(text: str) -> Unit:
    kind, place, power = text.split()
    return Unit(UnitKind(kind), Location(place), Power(power))


YEARS = 3
"""The first game ends after this many years; a whole game takes much longer."""

_BOT = BOTS["greedy"]


@dataclass(frozen=True, slots=True)
class FirstGame:
    """A first game as it stands: the phases since the learner's last orders, and the position."""

    board: Board
    power: Power
    played: tuple[PlayedPhase, ...]
    position: Position
    over: bool


def start_game(power: Power, seed: str) -> LessonState:
    """Return a new first game for `power`."""
    return LessonState(power, seed, starting_position(standard_board()))


def continue_game(state: LessonState, orders: Iterable[str]) -> LessonState:
    """Return the state after the learner gave `orders` in the phase that is open now."""
    return replace(state, position=play(state).position, orders=tuple(orders))


def play(state: LessonState) -> FirstGame:
    """Return the game after the learner's last turn and the phases without orders by the learner.

    The same state always gives the same game, because its seed decides what the bots order.
    """
    board, position = standard_board(), state.position
    played: list[PlayedPhase] = []

    def is_over() -> bool:
        ended = bool(played) and played[-1].resolution.ending is not None
        return ended or position.phase.year >= board.first_year + YEARS

    if state.orders is not None:
        orders = read_choices(board, position, state.power, state.orders)[0]
        played.append(_play_phase(board, position, state, orders))
        position = played[-1].resolution.next
    while not is_over() and state.power not in powers_to_order(board, position):
        played.append(_play_phase(board, position, state, ()))
        position = played[-1].resolution.next
    over = is_over() or not position.units_of(state.power)
    return FirstGame(board, state.power, tuple(played), position, over)


def _play_phase(
    board: Board, position: Position, state: LessonState, own_orders: Iterable[Order]
) -> PlayedPhase:
    orders = list(own_orders)
    for power in sorted(powers_to_order(board, position) - {state.power}):
        rng = random.Random(f"{state.seed}:{position.phase}:{power}")
        orders += _BOT.orders(board, position, power, DEFAULT, rng)
    return PlayedPhase(position, tuple(orders), adjudicate(board, position, orders))


def list_turn(game: FirstGame) -> tuple[PlayedPhase, ...]:
    """Return the phase that the learner ordered, and those after it until the next moves."""
    first, *rest = game.played
    return first, *takewhile(lambda played: played.position.phase.stage is not Stage.MOVEMENT, rest)


def last_movement(game: FirstGame) -> PlayedPhase | None:
    """Return the last movement phase among those just played."""
    moves = [phase for phase in game.played if phase.position.phase.stage is Stage.MOVEMENT]
    return moves[-1] if moves else None
