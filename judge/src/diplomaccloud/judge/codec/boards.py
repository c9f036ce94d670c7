"""Boards as versioned JSON; reading checks every part."""

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
from diplomaccloud.judge.codec.reader import Json, Node

VERSION = 1


def board_to_json(board: Board) -> Json:
    """Return `board` as JSON."""
    return {
        "v": VERSION,
        "name": board.name,
        "powers": [[info.power, info.name, info.adjective] for info in board.powers],
        "provinces": [_province(province) for province in board.provinces],
        "army_borders": [list(border) for border in board.army_borders],
        "fleet_borders": [list(border) for border in board.fleet_borders],
        "starts": [[start.power, start.kind.value, start.location] for start in board.starts],
        "victory_centers": board.victory_centers,
        "first_year": board.first_year,
        "impassable": [list(space) for space in board.impassable],
    }


def _province(province: Province) -> Json:
    return {
        "code": province.code,
        "name": province.name,
        "terrain": province.terrain.value,
        "coasts": list(province.coasts),
        "center": province.center,
        "home": province.home,
        "aliases": list(province.aliases),
    }


def board_from_json(data: object) -> Board:
    """Return the board that `data` describes; raise `CodecError` if it is invalid."""
    return read_board(Node(data))


def read_board(node: Node) -> Board:
    """Return the board at `node`, which may be part of a larger value."""
    if node["v"].integer() != VERSION:
        raise node["v"].error(f"only version {VERSION} is supported")
    try:
        return Board(
            name=node["name"].text(),
            powers=node["powers"].several(_read_power),
            provinces=node["provinces"].several(_read_province),
            army_borders=node["army_borders"].several(_read_walk),
            fleet_borders=node["fleet_borders"].several(_read_sail),
            starts=node["starts"].several(_read_start),
            victory_centers=node["victory_centers"].integer(),
            first_year=node["first_year"].integer(),
            impassable=node["impassable"].several(_read_impassable),
        )
    except BoardError as error:
        raise node.error(str(error)) from error


def _read_power(node: Node) -> PowerInfo:
    power, name, adjective = node.items(3)
    return PowerInfo(Power(power.word()), name.text(), adjective.text())


def _read_province(node: Node) -> Province:
    home = node["home"]
    return Province(
        code=ProvinceCode(node["code"].word()),
        name=node["name"].text(),
        terrain=node["terrain"].member(Terrain),
        coasts=node["coasts"].several(Node.word),
        center=node["center"].truth(),
        home=None if home.is_null() else Power(home.word()),
        aliases=node["aliases"].several(Node.text),
    )


def _read_walk(node: Node) -> tuple[ProvinceCode, ProvinceCode]:
    first, second = node.items(2)
    return ProvinceCode(first.word()), ProvinceCode(second.word())


def _read_sail(node: Node) -> tuple[Location, Location]:
    first, second = node.items(2)
    return Location(first.place()), Location(second.place())


def _read_start(node: Node) -> Start:
    power, kind, location = node.items(3)
    return Start(Power(power.word()), kind.member(UnitKind), Location(location.place()))


def _read_impassable(node: Node) -> tuple[ProvinceCode, str]:
    code, name = node.items(2)
    return ProvinceCode(code.word()), name.text()
