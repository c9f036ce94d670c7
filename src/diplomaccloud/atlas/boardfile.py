"""The board's part of a chart file."""

import re

from diplomaccloud.atlas.reading import Node
from diplomaccloud.judge.board import (
    Board,
    BoardError,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)

CODE = re.compile(r"[A-Z][A-Z0-9]{1,5}", re.ASCII)
LOCATION = re.compile(r"[A-Z][A-Z0-9]{1,5}(/[A-Z]{2})?", re.ASCII)
POWER = re.compile(r"[A-Z][A-Z0-9_]{0,31}", re.ASCII)
_COAST = re.compile(r"[A-Z]{2}", re.ASCII)
_TERRAIN = re.compile("|".join(Terrain))
_KIND = re.compile("|".join(UnitKind))


def board_to_data(board: Board) -> dict[str, object]:
    """Return `board` as JSON values."""
    return {
        "name": board.name,
        "powers": [[one.power, one.name, one.adjective] for one in board.powers],
        "provinces": [_province_to_data(province) for province in board.provinces],
        "army_borders": [list(border) for border in board.army_borders],
        "fleet_borders": [list(border) for border in board.fleet_borders],
        "starts": [[one.power, one.kind.value, one.location] for one in board.starts],
        "victory_centers": board.victory_centers,
        "first_year": board.first_year,
        "impassable": [list(space) for space in board.impassable],
    }


def _province_to_data(province: Province) -> dict[str, object]:
    return {
        "code": province.code,
        "name": province.name,
        "terrain": province.terrain.value,
        "coasts": list(province.coasts),
        "center": province.center,
        "home": province.home,
        "aliases": list(province.aliases),
    }


def board_from_node(node: Node) -> Board:
    """Return the board written at `node`, or raise `ChartError` naming the place."""
    try:
        return Board(
            name=node.field("name").text(),
            powers=node.field("powers").several(_power, most=50),
            provinces=node.field("provinces").several(_province, most=2000),
            army_borders=node.field("army_borders").several(_walk),
            fleet_borders=node.field("fleet_borders").several(_sail),
            starts=node.field("starts").several(_start, most=2000),
            victory_centers=node.field("victory_centers").integer(1, 2000),
            first_year=node.field("first_year").integer(0, 9999),
            impassable=node.field("impassable").several(_space, most=2000),
        )
    except BoardError as error:
        raise node.fail(str(error)) from error


def _parts(node: Node, count: int) -> list[Node]:
    parts = list(node.items())
    if len(parts) != count:
        raise node.fail(f"has {len(parts)} parts, not {count}")
    return parts


def _power(node: Node) -> PowerInfo:
    power, name, adjective = _parts(node, 3)
    return PowerInfo(Power(power.text(POWER)), name.text(), adjective.text())


def _province(node: Node) -> Province:
    home = node.field("home")
    return Province(
        code=ProvinceCode(node.field("code").text(CODE)),
        name=node.field("name").text(),
        terrain=Terrain(node.field("terrain").text(_TERRAIN)),
        coasts=node.field("coasts").several(lambda one: one.text(_COAST), most=8),
        center=node.field("center").truth(),
        home=None if home.value is None else Power(home.text(POWER)),
        aliases=node.field("aliases").several(lambda one: one.text(), most=50),
    )


def _walk(node: Node) -> tuple[ProvinceCode, ProvinceCode]:
    one, other = _parts(node, 2)
    return ProvinceCode(one.text(CODE)), ProvinceCode(other.text(CODE))


def _sail(node: Node) -> tuple[Location, Location]:
    one, other = _parts(node, 2)
    return Location(one.text(LOCATION)), Location(other.text(LOCATION))


def _start(node: Node) -> Start:
    power, kind, location = _parts(node, 3)
    return Start(
        Power(power.text(POWER)),
        UnitKind(kind.text(_KIND)),
        Location(location.text(LOCATION)),
    )


def _space(node: Node) -> tuple[ProvinceCode, str]:
    code, name = _parts(node, 2)
    return ProvinceCode(code.text(CODE)), name.text()
