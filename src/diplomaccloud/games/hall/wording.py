"""The lines of a card in words."""

from collections.abc import Sequence
from typing import Final

from diplomaccloud.games.hall.read import Country, Owed
from diplomaccloud.games.table.options import Press
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.schedule import Interval, Schedule, format_duration
from diplomaccloud.schedule.descriptions import join_words

PRESS: Final = {
    Press.FULL: "full press",
    Press.PUBLIC: "public press",
    Press.RULEBOOK: "press as in the rulebook",
    Press.NONE: "no press",
}
READY: Final = "Ready"
FINISHED: Final = "Finished"
SUSPENDED: Final = "Suspended"
PAUSED: Final = "Paused"
NEW_POSITION: Final = "The new position is being drawn."
INVITED: Final = "You are invited"
_MAX_NAMED: Final = 2
"""How many countries are named before the rest is counted."""


def describe_speed(schedule: Schedule) -> str:
    """Return the speed in a few words: `5 minutes a turn`, `a turn a day`, `2 turns a week`."""
    plan = schedule.plan
    if isinstance(plan, Interval):
        return f"{format_duration(plan.lengths.movement)} a turn"
    turns = len(plan.movement)
    return {1: "a turn a week", 7: "a turn a day"}.get(turns, f"{turns} turns a week")


def describe_turn(phase: Phase) -> str:
    """Return the season and year, and the stage only for retreats: the others are obvious."""
    return f"{phase.turn_title}, retreats" if phase.stage is Stage.RETREATS else phase.turn_title


def describe_seats(taken: int, seats: int) -> str:
    """Return how many seats of a waiting game are taken."""
    return f"{taken} of {seats} seats taken"


def describe_entry(*, private: bool, reliability: int) -> str:
    """Return who can still join; `reliability` is the least one in percent, or 0."""
    if private:
        return "By invitation only"
    if reliability:
        return f"For players with at least {reliability}% reliability"
    return "Open to everyone"


def describe_change(change: int) -> str:
    """Return a change of centers with its sign, or blank if there is none."""
    return f"{change:+}".replace("-", "\N{MINUS SIGN}") if change else ""


def describe_owed(owed: Owed, *, saved: bool) -> str:
    """Return what a player who is not ready has to order, and how much of it is saved."""
    number, given = abs(owed.number), min(owed.given, abs(owed.number))
    if given:
        return f"All {number} orders given" if given == number > 1 else _count_given(given, number)
    if saved:
        return "Orders saved"
    units = "1 unit" if number == 1 else f"{number} units"
    match owed.stage:
        case Stage.MOVEMENT:
            return "No orders yet"
        case Stage.RETREATS:
            return f"{units} must retreat"
        case Stage.ADJUSTMENTS:
            return f"{units} to build" if owed.number > 0 else f"{units} to disband"


def _count_given(given: int, number: int) -> str:
    return "Order given" if number == 1 else f"{given} of {number} orders given"


def describe_waiting(countries: Sequence[str], *, you: bool) -> str:
    """Return whose orders the game waits for; `you` says whether the reader is among them.

    Blank if nobody is named: that would say only what the card says already.
    """
    if not countries:
        return ""
    names = ["you", *countries] if you else list(countries)
    rest = len(names) - _MAX_NAMED
    if rest > 1:
        names = [*names[:_MAX_NAMED], f"{rest} others"]
    return f"Waiting for {join_words(names)}"


def describe_leaders(leaders: Sequence[Country]) -> str:
    """Return who has the most centers; blank if nobody has any."""
    most = max((country.centers for country in leaders), default=0)
    if not most:
        return ""
    centers = "1 center" if most == 1 else f"{most} centers"
    if len(leaders) == 1:
        return f"{leaders[0].name} leads with {centers}"
    if len(leaders) == _MAX_NAMED:
        names = join_words([country.name for country in leaders])
        return f"{names} lead with {centers} each"
    return f"{len(leaders)} countries lead with {centers} each"


def describe_outcome(winners: Sequence[tuple[str, bool]]) -> str:
    """Return the result of a game: each winner comes with whether its name lists several powers."""
    names = join_words([country for country, _ in winners])
    if not winners:
        return "Nobody won"
    if len(winners) > 1:
        return f"Draw: {names}"
    (_, has_several_names), *_ = winners
    return f"{names} won" if has_several_names else f"{names} won alone"


def describe_place(place: int, seats: int) -> str:
    """Return the reader's rank in a finished game."""
    return f"Your place: {place} of {seats}"


def describe_vacant(number: int) -> str:
    """Return how many seats have no player."""
    return "1 vacant seat" if number == 1 else f"{number} vacant seats"
