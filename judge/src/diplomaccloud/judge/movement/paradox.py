"""Resolves orders that depend on themselves: circular movement and convoy paradoxes.

A *question* is one open decision: a move, a support or a convoy. Questions that depend on each
other, but on no open question outside, form a *cycle*. If a cycle has exactly one consistent set
of answers, those answers hold (DATC 5.B.9). If it has none or several, its convoys fail (Szykman,
4.A.2), but only the convoys that differ between the consistent answers, so that the rule affects
only the paradox. A cycle of moves alone is circular movement, and all of its moves succeed.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from itertools import product

from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.movement.convoy import convoy_state, convoy_used, opposed, path_state
from diplomaccloud.judge.movement.state import MovementState, State
from diplomaccloud.judge.movement.strengths import find_silencer, move_state
from diplomaccloud.judge.movement.support import cuts_on_arrival, spares_support, support_state
from diplomaccloud.judge.rules import Paradox


class Kind(Enum):
    """The subject of a question."""

    MOVE = 0
    SUPPORT = 1
    CONVOY = 2


Question = tuple[Kind, int]
Answers = dict[Question, bool]

_EVALUATE: dict[Kind, Callable[[MovementState, int], State]] = {
    Kind.MOVE: move_state,
    Kind.SUPPORT: support_state,
    Kind.CONVOY: convoy_state,
}

_MAX_INPUTS = 8
"""Above this limit, a question counts as depending on everything that its equation mentions."""

_MAX_BRANCHES = 2_000
"""Above this limit, a cycle counts as a paradox; no real game comes close."""


def resolve_cycle(
    movement: MovementState, moves: Sequence[int], supports: Sequence[int], convoys: Sequence[int]
) -> None:
    """Decide at least one of the questions that are still open when nothing else follows."""
    questions: list[Question] = [
        *((Kind.MOVE, i) for i in moves),
        *((Kind.SUPPORT, i) for i in supports),
        *((Kind.CONVOY, i) for i in convoys),
    ]
    cycle = _first_cycle(questions, {q: _inputs(movement, q) for q in questions})
    solutions = _find_consistent_answers(movement, cycle)
    if solutions is not None and len(solutions) == 1:
        _record(movement, solutions[0])
    else:
        _apply_rule(movement, cycle, solutions or [])


def _states(movement: MovementState, kind: Kind) -> list[State]:
    if kind is Kind.MOVE:
        return movement.move_ok
    return movement.support_ok if kind is Kind.SUPPORT else movement.convoy_ok


def _record(movement: MovementState, answers: Answers) -> None:
    for (kind, i), answer in answers.items():
        _states(movement, kind)[i] = answer


def _erase(movement: MovementState, questions: Sequence[Question]) -> None:
    for kind, i in questions:
        _states(movement, kind)[i] = None


# Dependencies.


def _inputs(movement: MovementState, question: Question) -> list[Question]:
    """Return the open questions that can actually change the answer to `question`."""
    mentioned = list(dict.fromkeys(_find_mentioned(movement, question)))
    if len(mentioned) > _MAX_INPUTS:
        return mentioned
    kind, i = question
    table: dict[tuple[bool, ...], State] = {}
    for values in product((False, True), repeat=len(mentioned)):
        _record(movement, dict(zip(mentioned, values, strict=True)))
        table[values] = _EVALUATE[kind](movement, i)
    _erase(movement, mentioned)
    return [
        mention
        for place, mention in enumerate(mentioned)
        if any(
            answer != table[(*values[:place], not values[place], *values[place + 1 :])]
            for values, answer in table.items()
        )
    ]


def _find_mentioned(movement: MovementState, question: Question) -> Iterator[Question]:
    """Yield the open questions that the equation of `question` mentions."""
    kind, i = question
    if kind is Kind.CONVOY:
        yield from _open(movement, Kind.MOVE, movement.attackers(i))
    elif kind is Kind.SUPPORT:
        for attacker in movement.attackers(i):
            yield from _open(movement, Kind.MOVE, [attacker])
            spared = spares_support(movement, attacker, i)
            cuts = cuts_on_arrival(movement, attacker, i)
            if spared is None:
                # The path may be open, but not without the attacked fleet.
                yield from _open(movement, Kind.CONVOY, movement.routes[attacker] or ())
            elif cuts:
                yield from _path_questions(movement, attacker)
            if cuts is None or spared is None:
                yield from _route_questions(movement, attacker)
                yield from _cargo_questions(movement, movement.support_into[i])
    else:
        yield from _find_mentioned_by_move(movement, i)


def _find_mentioned_by_move(movement: MovementState, i: int) -> Iterator[Question]:
    goal = movement.goals[i]
    target = movement.at.get(goal)
    if target is not None:
        yield from _open(movement, Kind.SUPPORT, movement.supporters[target])
        meets = opposed(movement, i)
        if not meets:
            yield from _open(movement, Kind.MOVE, [target])
        if meets is None:
            yield from _opponent_questions(movement, i)
    for rival in movement.rivals[goal]:
        yield from _path_questions(movement, rival)
        yield from _open(movement, Kind.SUPPORT, movement.supporters[rival])
        opponent = find_silencer(movement, rival)
        if rival != i and opponent is not None:
            yield from _open(movement, Kind.MOVE, [opponent])
            if movement.rules.dislodged_never_prevents:
                yield from _open(movement, Kind.MOVE, [rival])
            if opposed(movement, rival) is None:
                yield from _opponent_questions(movement, rival)


def _path_questions(movement: MovementState, unit: int) -> Iterator[Question]:
    if path_state(movement, unit) is None:
        yield from _open(movement, Kind.CONVOY, movement.routes[unit] or ())


def _route_questions(movement: MovementState, unit: int) -> Iterator[Question]:
    """Yield the questions that decide whether an army with two routes goes by sea."""
    if convoy_used(movement, unit) is None:
        yield from _open(movement, Kind.CONVOY, movement.routes[unit] or ())


def _opponent_questions(movement: MovementState, unit: int) -> Iterator[Question]:
    for side in (unit, movement.opponent[unit]):
        if side is not None:
            yield from _route_questions(movement, side)


def _cargo_questions(movement: MovementState, sea: ProvinceCode) -> Iterator[Question]:
    """Yield the questions that decide whether the fleet in `sea` has an army to convoy."""
    fleet = movement.at.get(sea)
    army = None if fleet is None else movement.cargo[fleet]
    if army is not None:
        yield from _route_questions(movement, army)


def _open(movement: MovementState, kind: Kind, units: Sequence[int]) -> Iterator[Question]:
    states = _states(movement, kind)
    return ((kind, i) for i in units if states[i] is None)


def _first_cycle(
    questions: Sequence[Question], inputs: dict[Question, list[Question]]
) -> list[Question]:
    """Return a smallest set of questions that does not depend on other open questions."""
    reach = {question: _closure(question, inputs) for question in questions}
    start = min(questions, key=lambda question: len(reach[question]))
    return [question for question in questions if question in reach[start]]


def _closure(start: Question, inputs: dict[Question, list[Question]]) -> set[Question]:
    reached, queue = {start}, [start]
    while queue:
        for question in inputs[queue.pop()]:
            if question not in reached:
                reached.add(question)
                queue.append(question)
    return reached


# Consistent answers.


def _find_consistent_answers(
    movement: MovementState, cycle: list[Question]
) -> list[Answers] | None:
    """Return all consistent sets of answers, or `None` if there are too many branches."""
    solutions: list[Answers] = []
    branches = [0]
    complete = _search(movement, cycle, {}, solutions, branches)
    _erase(movement, cycle)
    return solutions if complete else None


def _search(
    movement: MovementState,
    cycle: list[Question],
    answers: Answers,
    solutions: list[Answers],
    branches: list[int],
) -> bool:
    """Add every way to complete `answers` to `solutions`; return whether all were searched."""
    branches[0] += 1
    if branches[0] > _MAX_BRANCHES:
        return False
    _erase(movement, cycle)
    _record(movement, answers)
    full = _consequences(movement, cycle, answers)
    if full is None:
        return True
    free = next((question for question in cycle if question not in full), None)
    if free is None:
        solutions.append(full)
        return True
    return all(
        _search(movement, cycle, {**full, free: guess}, solutions, branches)
        for guess in (False, True)
    )


def _consequences(
    movement: MovementState, cycle: list[Question], answers: Answers
) -> Answers | None:
    """Return `answers` with all of their consequences, or `None` if they are contradictory."""
    full = dict(answers)
    grows = True
    while grows:
        grows = False
        for question in cycle:
            kind, i = question
            state = _EVALUATE[kind](movement, i)
            if state is None:
                continue
            if question not in full:
                full[question] = state
                _states(movement, kind)[i] = state
                grows = True
            elif full[question] != state:
                return None
    return full


# The rules for cycles without exactly one answer.


def _apply_rule(movement: MovementState, cycle: list[Question], solutions: list[Answers]) -> None:
    disputed = [q for q in cycle if len({answers[q] for answers in solutions}) != 1]
    convoys = [i for kind, i in disputed if kind is Kind.CONVOY]
    moves = [i for kind, i in disputed if kind is Kind.MOVE]
    if convoys:
        movement.paradox_failed |= set(convoys)
        _record(movement, {(Kind.CONVOY, i): False for i in convoys})
        if movement.rules.paradox is Paradox.ALL_HOLD:
            _stop_moves(movement, moves)
        return
    turning = next((a for a in solutions if all(a[Kind.MOVE, i] for i in moves)), None)
    if turning is not None:
        _record(movement, turning)
        return
    # The equations of 5.B never lead here; if they did, the rest of the cycle would fail.
    _stop_moves(movement, [i for kind, i in cycle if kind is Kind.MOVE])
    _record(movement, dict.fromkeys(cycle, False))


def _stop_moves(movement: MovementState, moves: Sequence[int]) -> None:
    movement.paradox_stopped |= set(moves)
    _record(movement, {(Kind.MOVE, i): False for i in moves})
