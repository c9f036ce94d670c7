"""Play a first game: the learner against greedy bots, for three years."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile

from diplomaccloud.bots import BOTS
from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase, Season, Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.learn.choices import read_choices
from diplomaccloud.learn.coach.state import GameState

YEARS = 3
"""The first game ends after this many years; a whole game takes much longer."""

_BOT = BOTS["greedy"]


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase that was played: its position, the orders of all powers and the result."""

    position: Position
    orders: tuple[Order, ...]
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class FirstGame:
    """A first game as it stands: the phases since the learner's last orders, and the position."""

    board: Board
    power: Power
    played: tuple[PlayedPhase, ...]
    position: Position
    over: bool


def start_game(power: Power, seed: str) -> GameState:
    """Return a new first game for `power`."""
    return GameState(power, seed, starting_position(standard_board()))


def continue_game(state: GameState, orders: Iterable[str]) -> GameState:
    """Return the state after the learner gave `orders` in the phase that is open now."""
    return replace(state, position=play(state).position, orders=tuple(orders))


def play(state: GameState) -> FirstGame:
    """Return the game after the learner's last turn and the phases without orders by the learner.

    The same state always gives the same game, because its seed decides what the bots order.
    """
    board, position = standard_board(), state.position
    played: list[PlayedPhase] = []
    if state.orders is not None:
        orders = read_choices(board, position, state.power, state.orders)[0]
        played.append(_play_phase(board, position, state, orders))
        position = played[-1].resolution.next
    while not _is_over(position, played) and state.power not in powers_to_order(board, position):
        played.append(_play_phase(board, position, state, ()))
        position = played[-1].resolution.next
    over = _is_over(position, played) or not position.units_of(state.power)
    return FirstGame(board, state.power, tuple(played), position, over)


def _is_over(position: Position, played: list[PlayedPhase]) -> bool:
    if played and played[-1].resolution.ending is not None:
        return True
    first_year = standard_board().first_year
    return position.phase.year >= first_year + YEARS


def _play_phase(
    board: Board, position: Position, state: GameState, own: Iterable[Order]
) -> PlayedPhase:
    orders = list(own)
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


def is_fall(phase: Phase) -> bool:
    """Return whether centers change hands after `phase`."""
    return phase.season is Season.FALL
