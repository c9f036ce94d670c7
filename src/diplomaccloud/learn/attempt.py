"""Judge what a learner ordered in a step of a lesson."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.draw_votes import Vote, count_votes, players_left
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.learn.choices import read_choices
from diplomaccloud.learn.goals import Turn
from diplomaccloud.learn.steps import Step


@dataclass(frozen=True, slots=True)
class Entry:
    """What a learner sent: orders as a form posts them, the number of a letter, and a vote."""

    orders: tuple[str, ...] = ()
    letter: int | None = None
    vote: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A step that a learner tried, judged by the judge of all games.

    `problems` are sentences about orders that could not be followed. The `orders` are those of
    all powers.
    """

    entry: Entry
    own: tuple[Order, ...]
    orders: tuple[Order, ...]
    resolution: Resolution
    ending: Ending | None
    problems: tuple[str, ...]
    solved: bool


def judge_attempt(step: Step, entry: Entry) -> Attempt:
    """Return the result of what the learner sent for `step`."""
    if step.letters and entry.letter is None:
        entry = replace(entry, letter=0)
    own, problems = read_own_orders(step, entry.orders)
    orders = (*own, *step.orders_of_others(entry.letter if step.letters else None))
    board = step.small.board
    resolution = adjudicate(board, step.position, orders)
    ending = resolution.ending or _count_votes(step, entry.vote)
    turn = Turn(step.you, step.position, resolution, ending)
    solved = all(goal.is_met(turn) for goal in step.goals)
    return Attempt(entry, own, orders, resolution, ending, problems, solved)


def read_own_orders(
    step: Step, choices: Sequence[str]
) -> tuple[tuple[Order, ...], tuple[str, ...]]:
    """Return the learner's legal orders, and a sentence for each that is not legal."""
    return read_choices(step.small.board, step.position, step.you, choices)


def _count_votes(step: Step, vote: str) -> Ending | None:
    """Return the ending by votes, if the others vote and the learner's `vote` decides it."""
    if not step.votes:
        return None
    votes = {Power(power): Vote(text) for power, text in step.votes.items()}
    if vote in set(Vote):
        votes[step.you] = Vote(vote)
    return count_votes(players_left(step.position), votes).ending
