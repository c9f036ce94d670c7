"""The sentences on a person's page."""

from typing import Final

from diplomaccloud.games.people.read import MapGroup, MapResults, Person, Rival
from diplomaccloud.games.seats.read import Reliability

_MAPS: Final = {
    MapGroup.EUROPE: "Europe",
    MapGroup.NEW_WORLDS: "New worlds",
    MapGroup.OTHER_MAPS: "Other maps",
}


def name_map(row: MapResults) -> str:
    """Return the name of the map, or of the group of maps, of some results."""
    return _MAPS.get(row.group, row.name)


def describe_reliability(reliability: Reliability) -> str:
    """Return how reliably a person plays, as a sentence in a line of facts."""
    if not reliability.games:
        return "has not played yet"
    missed, left = reliability.missed, reliability.left
    games = f"left {left} of {_count(reliability.games, 'game')}"
    if not reliability.turns:
        return f"has {games}" if left else "is playing a first game"
    if not missed:
        return f"has never missed a turn, but {games}" if left else "has never missed a turn"
    turns = f"missed {missed} of {_count(reliability.turns, 'turn')}"
    return f"{turns} and {games}" if left else f"{turns}, and has never left a game"


def describe_activity(person: Person) -> str:
    """Return when the person was here, as far as everyone may know; blank if never."""
    if person.is_recent:
        return "active recently"
    return f"last here {person.login}" if person.login else ""


def describe_rivalry(rival: Rival) -> str:
    """Return the score of the person against a rival: `ahead 5 : 3`."""
    word = "even"
    if rival.ahead != rival.behind:
        word = "ahead" if rival.ahead > rival.behind else "behind"
    return f"{word} {rival.ahead} : {rival.behind}"


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
