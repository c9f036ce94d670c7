"""Boards of any size: squares, a strait, and Europe without a power."""

from dataclasses import replace
from itertools import pairwise

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Terrain,
)
from diplomaccloud.judge.codec import Json, board_to_json
from diplomaccloud.judge.standard.europe import standard_board


def grid_board(wide: int, high: int) -> Board:
    """Return a board of squares: seas in two columns of three, coasts and inland between."""
    powers = tuple(PowerInfo(Power(f"P{i}"), f"Power {i}", "P") for i in range(9))
    spaces = {(x, y): ProvinceCode(f"{x:02}{y:02}") for x in range(wide) for y in range(high)}
    seas = {at for at in spaces if at[0] % 3}

    def terrain(at: tuple[int, int]) -> Terrain:
        if at in seas:
            return Terrain.SEA
        return Terrain.INLAND if at[1] % 5 == 4 else Terrain.COASTAL

    pairs = [
        (at, near)
        for at in spaces
        for near in ((at[0] + 1, at[1]), (at[0], at[1] + 1), (at[0] + 1, at[1] + 1))
        if near in spaces
    ]
    return Board(
        name="Grid",
        powers=powers,
        provinces=tuple(
            Province(
                code,
                f"Square {code}",
                terrain(at),
                center=at not in seas,
                home=powers[sum(at) % 9].power if at not in seas else None,
            )
            for at, code in spaces.items()
        ),
        army_borders=tuple(
            (spaces[a], spaces[b]) for a, b in pairs if a not in seas and b not in seas
        ),
        fleet_borders=tuple(
            (Location(spaces[a]), Location(spaces[b]))
            for a, b in pairs
            if Terrain.INLAND not in {terrain(a), terrain(b)}
        ),
        starts=(),
        victory_centers=40,
    )


def smaller_europe(first_year: int = 1901) -> Board:
    """Return Europe without Turkey and its country."""
    whole = standard_board()
    gone = {province.code for province in whole.provinces if province.home == "TURKEY"}
    return replace(
        whole,
        powers=tuple(info for info in whole.powers if info.power != "TURKEY"),
        provinces=tuple(province for province in whole.provinces if province.code not in gone),
        army_borders=tuple(pair for pair in whole.army_borders if gone.isdisjoint(pair)),
        fleet_borders=tuple(pair for pair in whole.fleet_borders if gone.isdisjoint(pair)),
        starts=tuple(start for start in whole.starts if start.power != "TURKEY"),
        victory_centers=16,
        first_year=first_year,
        impassable=(
            *whole.impassable,
            *((code, whole.by_code[code].name) for code in sorted(gone)),
        ),
    )


def strait_seas(length: int) -> list[str]:
    """Return the seas of the strait board, in order."""
    return [f"S{number:03}" for number in range(length)]


def strait_board(length: int) -> Json:
    """Return the JSON of a board with two coasts, AAA and BBB, and a chain of seas between."""
    seas = strait_seas(length)
    plain = {"coasts": [], "center": False, "home": None, "aliases": []}
    return {
        **board_to_json(standard_board()),
        "name": "strait",
        "provinces": [
            {"code": code, "name": code, "terrain": "sea" if code in seas else "coastal", **plain}
            for code in ("AAA", *seas, "BBB")
        ],
        "army_borders": [],
        "fleet_borders": [list(pair) for pair in pairwise(("AAA", *seas, "BBB"))],
        "starts": [],
        "impassable": [],
    }
