"""Characters: a bot's preferences among orders that are nearly as good as the best.

A bot keeps its character for a whole game. A character sees only the position, so it has no memory.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from diplomaccloud.bots.candidates import Source
from diplomaccloud.bots.repairs import find_goal, read_row
from diplomaccloud.judge.kernel.layout import HEAD, POWER_SHIFT, SUPPORT_HOLD

TOLERANCE: Final = 0.05
"""How much worse than the best a character's choice may be, as a fraction of the best."""

Row = Sequence[int]
"""An order row."""


def _count_gains(source: Source, row: Row) -> float:
    """Return how many units move to another power's center."""
    owners = _read_owners(source)
    centers = set(source.table.centers)
    return float(
        sum(goal in centers and owners[goal] != source.power for goal in _find_goals(source, row))
    )


def _count_guards(source: Source, row: Row) -> float:
    """Return how many of its centers have a unit, plus half the number of supported holds."""
    owners, goals = _read_owners(source), _find_goals(source, row)
    stays = [here for here in source.units if find_goal(source, row, here) is None]
    guarded = {here for here in (*stays, *goals) if owners[here] == source.power}
    return len(guarded) + 0.5 * sum(row[here] == SUPPORT_HOLD for here in source.units)


def _avoid_new_enemies(source: Source, row: Row) -> float:
    """Return a higher value the fewer powers are attacked."""
    return -float(len(set(_find_victims(source, row))))


def _count_weak_victims(source: Source, row: Row) -> float:
    """Return a value that counts each attack, and more so if the victim has few centers."""
    sizes = _count_centers(source)
    return sum(1 / (1 + sizes[victim]) for victim in _find_victims(source, row))


def _count_strong_victims(source: Source, row: Row) -> float:
    """Count the attacks on powers that own its home centers, or else on the leader."""
    sizes, owners = _count_centers(source), _read_owners(source)
    homes = [here for here in source.table.centers if source.table.home[here] == source.power]
    hated = {owners[here] for here in homes} - {-1, source.power} or {sizes.index(max(sizes))}
    return float(sum(victim in hated for victim in _find_victims(source, row)))


CHARACTERS: Final[Mapping[str, Callable[[Source, Row], float]]] = {
    "expander": _count_gains,
    "guardian": _count_guards,
    "loyalist": _avoid_new_enemies,
    "opportunist": _count_weak_victims,
    "avenger": _count_strong_victims,
}
"""Functions by character that rate an order row."""


def choose_by_character(
    character: str, source: Source, alternatives: Sequence[tuple[bytes, float]]
) -> bytes:
    """Return the alternative that the character likes best among those nearly as good as the best.

    The first of `alternatives` is the best; a bot without a character chooses it.
    """
    if character not in CHARACTERS:
        return alternatives[0][0]
    taste = CHARACTERS[character]
    return max(list_best(alternatives, TOLERANCE), key=lambda row: taste(source, read_row(row)))


def list_best(alternatives: Sequence[tuple[bytes, float]], tolerance: float) -> list[bytes]:
    """Return the alternatives within this fraction of the value of the first, which is the best."""
    worth = alternatives[0][1]
    # For a bot that takes revenge, even the best may have a negative value.
    return [row for row, value in alternatives if value >= worth - tolerance * abs(worth)]


def count_prospects(source: Source, row: Row) -> int:
    """Return how many units will be in or next to a center that the power does not own."""
    owners, centers = _read_owners(source), set(source.table.centers)
    found = 0
    for here in source.units:
        goal = find_goal(source, row, here)
        place = None if goal is None else row[2 * source.size + here]
        near = {here if goal is None else goal, *source.find_reach(here, place)}
        found += any(owners[each] != source.power for each in near & centers)
    return found


def _find_goals(source: Source, row: Row) -> list[int]:
    goals = (find_goal(source, row, here) for here in source.units)
    return [goal for goal in goals if goal is not None]


def _find_victims(source: Source, row: Row) -> list[int]:
    """Return the power whose unit or center is attacked, for each attack."""
    owners, victims = _read_owners(source), []
    for goal in _find_goals(source, row):
        code = source.state[HEAD + goal]
        victim = code >> POWER_SHIFT if code >= 0 else owners[goal]
        if victim not in {-1, source.power}:
            victims.append(victim)
    return victims


def _read_owners(source: Source) -> Sequence[int]:
    return source.state[HEAD + 4 * source.size : HEAD + 5 * source.size]


def _count_centers(source: Source) -> list[int]:
    owners = list(_read_owners(source))
    return [owners.count(power) for power in range(len(source.table.powers))]
