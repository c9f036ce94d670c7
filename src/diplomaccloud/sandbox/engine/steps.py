"""Adjudicating a state phase by phase, and going back."""

from dataclasses import dataclass, replace

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.sandbox.engine.state import MAX_PAST, SandboxState

SEED = "sandbox"
"""If an edition decides by chance, the sandbox always gets the same result."""


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """An adjudicated phase: its position, its orders, and the judge's resolution."""

    position: Position
    orders: tuple[Order, ...]
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class Timeline:
    """The adjudicated phases, oldest first, and the position after them."""

    phases: tuple[PlayedPhase, ...]
    position: Position


def replay(board: Board, state: SandboxState) -> Timeline:
    """Return the phases of `state`, adjudicated under its edition."""
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
    """Adjudicate the orders and return the next state; units without orders hold."""
    if len(state.past) < MAX_PAST:
        return replace(state, past=(*state.past, state.orders), orders=())
    first = replay(board, state).phases[0]
    past = (*state.past[1:], state.orders)
    return replace(state, start=first.resolution.next, past=past, orders=())


def step_back(state: SandboxState, phases: int) -> SandboxState:
    """Return the state with only the first `phases` adjudicated, and the next one's orders."""
    if phases >= len(state.past):
        return state
    return replace(state, past=state.past[:phases], orders=state.past[phases])
