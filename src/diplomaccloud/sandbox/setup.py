"""The form on the sandbox's page that changes the position."""

from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.judge.board import Board, Location, Power, UnitKind
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.sandbox.choices import Tool
from diplomaccloud.sandbox.engine import write_position
from diplomaccloud.sandbox.order_choices import place_name
from diplomaccloud.sandbox.powers import PowerView
from diplomaccloud.sandbox.situation import Situation

_TOOLS = (
    (Tool.ARMY, "Army", "army"),
    (Tool.FLEET, "Fleet", "fleet"),
    (Tool.OWNER, "Center", "star"),
    (Tool.REMOVE, "Remove", "ban"),
)
"""The tools with their labels and icons."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The values of the setup form: the current tool and the choices."""

    tool: Tool
    power: str
    tools: tuple[tuple[Tool, str, str], ...]
    places: tuple[tuple[str, str], ...]
    stages: tuple[tuple[str, str, bool], ...]
    year: int
    text: str


def present_setup(situation: Situation, powers: Mapping[Power, PowerView]) -> Setup:
    """Return the values of the form that changes the position."""
    choices, phase = situation.choices, situation.position.phase
    stages = [
        ("SM", "Spring, movement"),
        ("FM", "Fall, movement"),
        ("WA", "Winter, adjustments"),
    ]
    now = f"{phase.season}{phase.stage}"
    if phase.stage is Stage.RETREATS:
        stages.insert(0, (now, f"{phase.season.word}, retreats"))
    chosen = choices.power if choices.power in powers or choices.power == "none" else ""
    return Setup(
        tool=choices.tool,
        power=chosen or next(iter(powers)),
        tools=_TOOLS,
        places=tuple(_list_places(situation.board)),
        stages=tuple((key, label, key == now) for key, label in stages),
        year=phase.year,
        text=write_position(situation.board, situation.position),
    )


def _list_places(board: Board) -> list[tuple[str, str]]:
    """Return every province and coast with its printed name, sorted by name."""
    places: list[Location] = [Location(province.code) for province in board.provinces]
    places += [place for place in board.locations(UnitKind.FLEET) if "/" in place]
    return sorted(
        ((place, place_name(board, place)) for place in places), key=lambda entry: entry[1]
    )


def season_of(key: str) -> tuple[Season, Stage] | None:
    """Return the season and stage for a choice in the setup form; None for any other text."""
    return {
        "SM": (Season.SPRING, Stage.MOVEMENT),
        "FM": (Season.FALL, Stage.MOVEMENT),
        "WA": (Season.WINTER, Stage.ADJUSTMENTS),
    }.get(key)
