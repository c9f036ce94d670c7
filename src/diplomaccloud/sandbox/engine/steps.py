"""Adjudicate a state and step on, phase by phase, and back."""

from dataclasses import dataclass, replace

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.sandbox.engine.state import MAX_PAST, SandboxState

SEED = "sandbox"
"""Where an edition draws lots, the sandbox always draws the same."""


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase that was adjudicated: what it began with, the orders, and the judge's resolution."""

    position: Position
    orders: tuple[Order, ...]
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class Timeline:
    """The adjudicated phases, oldest first, and the position after them."""

    phases: tuple[PlayedPhase, ...]
    position: Position


def replay(board: Board, state: SandboxState) -> Timeline:
    """Return the phases of `state`, adjudicated by its edition."""
    position = state.start
    phases = []
    for orders in state.past:
        resolution = decide(board, position, orders, state.rules)
        phases.append(PlayedPhase(position, orders, resolution))
        position = resolution.next
    return Timeline(tuple(phases), position)


def decide(
    board: Board, position: Position, orders: tuple[Order, ...], rules: RuleSet
) -> Resolution:
    """Return the judge's resolution; see `SEED`."""
    return adjudicate(board, position, orders, rules, seed=SEED)


def step(board: Board, state: SandboxState) -> SandboxState:
    """Return the state after its orders are adjudicated; units without an order hold."""
    if len(state.past) < MAX_PAST:
        return replace(state, past=(*state.past, state.orders), orders=())
    first = replay(board, state).phases[0]
    past = (*state.past[1:], state.orders)
    return replace(state, start=first.resolution.next, past=past, orders=())


def step_back(state: SandboxState, phases: int) -> SandboxState:
    """Return the state with only the first `phases` adjudicated, and the orders given then."""
    if phases >= len(state.past):
        return state
    return replace(state, past=state.past[:phases], orders=state.past[phases])
