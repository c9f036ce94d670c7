"""Words for units and places in sentences to the learner."""

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.units import Unit


def name_own(board: Board, unit: Unit) -> str:
    """Return `Your army in Paris`."""
    return f"Your {unit.kind.word} in {name_place(board, unit.location)}"


def name_foreign(board: Board, unit: Unit) -> str:
    """Return `Germany’s army in Munich`."""
    country = board.power_info[unit.power].name
    return f"{country}’s {unit.kind.word} in {name_place(board, unit.location)}"


def name_country(board: Board, power: Power) -> str:
    """Return `Germany`."""
    return board.power_info[power].name


def name_place(board: Board, place: Location | ProvinceCode) -> str:
    """Return `Paris`, `the North Sea` or `Spain (north coast)`."""
    return geography(board).the(place)


def join(words: list[str], *, last: str = " and ") -> str:
    """Return `Paris, Brest and Belgium`, with `last` between the last two."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])}{last}{words[-1]}"


def name_phase(phase: Phase) -> str:
    """Return `Spring 1901`, `Spring 1901, retreats` or `Winter 1901`."""
    name = phase.turn_title
    return f"{name}, retreats" if phase.stage is Stage.RETREATS else name
