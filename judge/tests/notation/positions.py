"""Positions in which the tests read orders."""

from diplomaccloud.judge.board import (
    Location,
    Power,
    ProvinceCode,
    UnitKind,
)
from diplomaccloud.judge.notation import parse_unit
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

BOARD = standard_board()
CENTERS = starting_position(BOARD).centers


def units(**by_power: str) -> tuple[Unit, ...]:
    return tuple(
        parse_unit(text, BOARD, Power(power))
        for power, texts in by_power.items()
        for text in texts.split(", ")
    )


def at(phase: str, **by_power: str) -> Position:
    return Position(Phase.parse(phase), units(**by_power), CENTERS)


NORTH = at(
    "S1901M",
    GERMANY="A MUN, A RUH, A HOL, F HEL, F NTH",
    FRANCE="A PIC, A PAR, A MAR, A SPA, F LYO, F WES",
    ENGLAND="A YOR, A LON, F ENG, F MAO, F EDI",
    ITALY="F TYS, F CON, A ROM",
    AUSTRIA="A TYR, F BUL/SC",
    RUSSIA="A NWY, F NWG, F STP/SC, A BEL",
)


WINTER = at("W1901A", GERMANY="A MUN", RUSSIA="A MOS", ENGLAND="A YOR, F NWY, A WAL, A BEL")


RETREATS = Position(
    Phase.parse("F1901R"),
    units(GERMANY="A BUR, F POR", ENGLAND="A PAR"),
    CENTERS,
    (
        Dislodged(
            Unit(UnitKind.ARMY, Location("BUR"), Power("FRANCE")),
            ProvinceCode("MUN"),
            (Location("GAS"), Location("PIC")),
        ),
        Dislodged(
            Unit(UnitKind.FLEET, Location("POR"), Power("FRANCE")),
            ProvinceCode("MAO"),
            (Location("SPA/NC"),),
        ),
    ),
)
