"""Orders that depend on themselves: circular movement and convoy paradoxes.

A *question* is one open decision: a move, a support or a convoy. Questions that depend on
each other and on no other open question form a *circle*. If a circle has exactly one
consistent set of answers, that is taken (DATC 5.B.9). If it has none or several, its convoys
fail (Szykman, 4.A.2): those alone whose fate differs between the consistent answers, so that
the rule reaches no further than the paradox. A circle of moves alone is circular movement,
and all its moves succeed.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from itertools import product

from diplomaccloud.judge.movement.convoy import convoy_state, path_state
from diplomaccloud.judge.movement.state import Battle, State
from diplomaccloud.judge.movement.strengths import move_state, silencer
from diplomaccloud.judge.movement.support import cuts_if_it_arrives, spares, support_state
from diplomaccloud.judge.rules import Paradox


class Kind(Enum):
    """What a question asks about."""

    MOVE = 0
    SUPPORT = 1
    CONVOY = 2


Question = tuple[Kind, int]
Answers = dict[Question, bool]

_EVALUATE: dict[Kind, Callable[[Battle, int], State]] = {
    Kind.MOVE: move_state,
    Kind.SUPPORT: support_state,
    Kind.CONVOY: convoy_state,
}

_MOST_INPUTS = 8
"""Above this, a question counts as depending on all that its equation mentions."""

_MOST_BRANCHES = 2_000
"""Above this, a circle counts as a paradox; no board met in play comes near."""


def settle_circle(
    battle: Battle, moves: Sequence[int], supports: Sequence[int], convoys: Sequence[int]
) -> None:
    """Decide at least one of the open questions, all consequences having been drawn."""
    questions: list[Question] = [
        *((Kind.MOVE, i) for i in moves),
        *((Kind.SUPPORT, i) for i in supports),
        *((Kind.CONVOY, i) for i in convoys),
    ]
    circle = _first_circle(questions, {q: _inputs(battle, q) for q in questions})
    found = _consistent_answers(battle, circle)
    if found is not None and len(found) == 1:
        _record(battle, found[0])
    else:
        _apply_rule(battle, circle, found or [])


def _states(battle: Battle, kind: Kind) -> list[State]:
    if kind is Kind.MOVE:
        return battle.moves
    return battle.given if kind is Kind.SUPPORT else battle.sails


def _record(battle: Battle, answers: Answers) -> None:
    for (kind, i), answer in answers.items():
        _states(battle, kind)[i] = answer


def _erase(battle: Battle, questions: Sequence[Question]) -> None:
    for kind, i in questions:
        _states(battle, kind)[i] = None


# What depends on what.


def _inputs(battle: Battle, question: Question) -> list[Question]:
    """Return the open questions that can really change the answer to `question`."""
    mentioned = list(dict.fromkeys(_mentioned(battle, question)))
    if len(mentioned) > _MOST_INPUTS:
        return mentioned
    kind, i = question
    table: dict[tuple[bool, ...], State] = {}
    for values in product((False, True), repeat=len(mentioned)):
        _record(battle, dict(zip(mentioned, values, strict=True)))
        table[values] = _EVALUATE[kind](battle, i)
    _erase(battle, mentioned)
    return [
        one
        for place, one in enumerate(mentioned)
        if any(
            answer != table[(*values[:place], not values[place], *values[place + 1 :])]
            for values, answer in table.items()
        )
    ]


def _mentioned(battle: Battle, question: Question) -> Iterator[Question]:
    """Yield the open questions that the equation of `question` mentions."""
    kind, i = question
    if kind is Kind.CONVOY:
        yield from _open(battle, Kind.MOVE, battle.attackers(i))
    elif kind is Kind.SUPPORT:
        for attacker in battle.attackers(i):
            yield from _open(battle, Kind.MOVE, [attacker])
            if cuts_if_it_arrives(battle, attacker, i) or spares(battle, attacker, i) is None:
                yield from _path_questions(battle, attacker)
    else:
        yield from _mentioned_by_move(battle, i)


def _mentioned_by_move(battle: Battle, i: int) -> Iterator[Question]:
    goal = battle.goals[i]
    target = battle.at.get(goal)
    if target is not None:
        yield from _open(battle, Kind.SUPPORT, battle.backers[target])
        if battle.facing[i] is None:
            yield from _open(battle, Kind.MOVE, [target])
    for rival in battle.rivals[goal]:
        yield from _path_questions(battle, rival)
        yield from _open(battle, Kind.SUPPORT, battle.backers[rival])
        opponent = silencer(battle, rival)
        if rival != i and opponent is not None:
            yield from _open(battle, Kind.MOVE, [opponent])


def _path_questions(battle: Battle, unit: int) -> Iterator[Question]:
    if path_state(battle, unit) is None:
        yield from _open(battle, Kind.CONVOY, battle.routes[unit] or ())


def _open(battle: Battle, kind: Kind, units: Sequence[int]) -> Iterator[Question]:
    states = _states(battle, kind)
    return ((kind, i) for i in units if states[i] is None)


def _first_circle(
    questions: Sequence[Question], inputs: dict[Question, list[Question]]
) -> list[Question]:
    """Return a smallest set of questions that depends on nothing open outside it."""
    reach = {question: _closure(question, inputs) for question in questions}
    start = min(questions, key=lambda question: len(reach[question]))
    return [question for question in questions if question in reach[start]]


def _closure(start: Question, inputs: dict[Question, list[Question]]) -> set[Question]:
    found, queue = {start}, [start]
    while queue:
        for one in inputs[queue.pop()]:
            if one not in found:
                found.add(one)
                queue.append(one)
    return found


# Consistent answers.


def _consistent_answers(battle: Battle, circle: list[Question]) -> list[Answers] | None:
    """Return every consistent set of answers, or `None` if there are too many branches."""
    found: list[Answers] = []
    branches = [0]
    whole = _search(battle, circle, {}, found, branches)
    _erase(battle, circle)
    return found if whole else None


def _search(
    battle: Battle,
    circle: list[Question],
    answers: Answers,
    found: list[Answers],
    branches: list[int],
) -> bool:
    """Add to `found` every way to complete `answers`; return whether the search was whole."""
    branches[0] += 1
    if branches[0] > _MOST_BRANCHES:
        return False
    _erase(battle, circle)
    _record(battle, answers)
    full = _consequences(battle, circle, answers)
    if full is None:
        return True
    free = next((question for question in circle if question not in full), None)
    if free is None:
        found.append(full)
        return True
    return all(
        _search(battle, circle, {**full, free: guess}, found, branches) for guess in (False, True)
    )


def _consequences(battle: Battle, circle: list[Question], answers: Answers) -> Answers | None:
    """Return `answers` with all that follows from them, or `None` if they contradict."""
    full = dict(answers)
    grows = True
    while grows:
        grows = False
        for question in circle:
            kind, i = question
            state = _EVALUATE[kind](battle, i)
            if state is None:
                continue
            if question not in full:
                full[question] = state
                _states(battle, kind)[i] = state
                grows = True
            elif full[question] != state:
                return None
    return full


# The rules for circles with no answer or several.


def _apply_rule(battle: Battle, circle: list[Question], found: list[Answers]) -> None:
    disputed = [q for q in circle if len({answers[q] for answers in found}) != 1]
    convoys = [i for kind, i in disputed if kind is Kind.CONVOY]
    moves = [i for kind, i in disputed if kind is Kind.MOVE]
    if convoys:
        battle.drowned |= set(convoys)
        _record(battle, {(Kind.CONVOY, i): False for i in convoys})
        if battle.rules.paradox is Paradox.ALL_HOLD:
            _stay(battle, moves)
        return
    turning = next((a for a in found if all(a[Kind.MOVE, i] for i in moves)), None)
    if turning is not None:
        _record(battle, turning)
        return
    # No board can come here by the equations of 5.B; what remains of the circle fails.
    _stay(battle, [i for kind, i in circle if kind is Kind.MOVE])
    _record(battle, dict.fromkeys(circle, False))


def _stay(battle: Battle, moves: Sequence[int]) -> None:
    battle.stayed |= set(moves)
    _record(battle, {(Kind.MOVE, i): False for i in moves})
