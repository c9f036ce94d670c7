"""Boards of squares, as large as one likes."""

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Terrain,
)


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
