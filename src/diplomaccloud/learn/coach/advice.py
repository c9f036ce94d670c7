"""The coach's advice before the learner gives orders for a phase."""

from collections.abc import Iterable, Iterator

from diplomaccloud.judge.adjustments import adjustments_owed, build_sites
from diplomaccloud.judge.board import province_of
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.units import Unit
from diplomaccloud.learn.coach.first_game import FirstGame
from diplomaccloud.learn.wording import join, name_own, name_place


def advise(game: FirstGame) -> tuple[str, ...]:
    """Return a few sentences about the open phase."""
    match game.position.phase.stage:
        case Stage.MOVEMENT:
            return tuple(_advise_movement(game))
        case Stage.RETREATS:
            return tuple(_advise_retreats(game))
        case Stage.ADJUSTMENTS:
            return tuple(_advise_adjustments(game))


def _advise_movement(game: FirstGame) -> Iterator[str]:
    phase = game.position.phase
    if phase.season is Season.SPRING and phase.year == game.board.first_year:
        yield (
            "Welcome to your first game. This year, try to take supply centers (provinces "
            "with a star) that nobody owns. You have two moves, Spring and Fall."
        )
    staying: list[Unit] = []
    if phase.season is Season.SPRING:
        yield (
            "It is Spring, and centers change hands only after Fall. Use this move to get into "
            "or next to the centers that you want."
        )
    else:
        yield "It is Fall: you will own every center that your units are in after this move."
        staying = [
            unit
            for unit in game.position.units_of(game.power)
            if game.board.by_code[unit.province].center
            and game.position.centers.get(unit.province) != game.power
        ]
        if staying:
            places = join([name_place(game.board, unit.location) for unit in staying])
            them = "it" if len(staying) == 1 else "them"
            yield f"Stay in {places}, or you will not own {them}."
    free = [unit for unit in game.position.units_of(game.power) if unit not in staying]
    within_reach = list(_list_within_reach(game, free))
    if within_reach:
        yield "Within reach now: " + "; ".join(within_reach) + "."


def _list_within_reach(game: FirstGame, units: Iterable[Unit]) -> Iterator[str]:
    """Yield, for each of the learner's `units`, the empty centers that it could take."""
    occupied = {unit.province for unit in game.position.units}
    for unit in units:
        places = sorted(game.board.destinations(unit.kind, unit.location))
        codes = dict.fromkeys(province_of(place) for place in places)
        names = [
            name_place(game.board, code)
            for code in codes
            if game.board.by_code[code].center
            and code not in occupied
            and game.position.centers.get(code) != game.power
        ]
        if names:
            yield f"{name_own(game.board, unit).replace('Your', 'your', 1)} can go to {join(names)}"


def _advise_retreats(game: FirstGame) -> Iterator[str]:
    for entry in game.position.dislodged_of(game.power):
        places = [name_place(game.board, place) for place in entry.retreats]
        yield (
            f"{name_own(game.board, entry.unit)} was driven out. It can retreat to {join(places)}."
        )
    yield "Choose a place from which it can defend a center or strike back."


def _advise_adjustments(game: FirstGame) -> Iterator[str]:
    owed = adjustments_owed(game.board, game.position, game.power)
    if owed > 0:
        free = build_sites(game.board, game.position, game.power)
        sites = join([name_place(game.board, code) for code in free])
        units = "one unit" if owed == 1 else f"{owed} units"
        yield f"You have more centers than units, so build {units}. Free: {sites}."
        yield "Build fleets for the sea and the coast, armies for the land. Where will you go next?"
    else:
        units = "one unit" if owed == -1 else f"{-owed} units"
        yield f"You have fewer centers than units, so disband {units}."
        yield "Give up a unit that is far from your centers and from your plans."
