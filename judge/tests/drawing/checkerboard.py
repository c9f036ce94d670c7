"""A map of squares for as many powers as a board can have, with a sea along its right edge."""

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.drawing.chart import Anchors, Arc, ArcKind, Chart, Shape
from diplomaccloud.judge.drawing.palette import many_colors

SIDE = 8
CELL = 60.0
SEA = ProvinceCode("SEA")


def _code(column: int, row: int) -> ProvinceCode | None:
    """Return the province at a place of the grid; the sea is right of it, and nothing around."""
    if not (0 <= row < SIDE and 0 <= column <= SIDE):
        return None
    return SEA if column == SIDE else ProvinceCode(f"Q{column}{row}")


def checkerboard() -> Chart:
    """Return the map: a power in each of the 64 squares, those at the sea with a fleet."""
    squares = [(column, row) for column in range(SIDE) for row in range(SIDE)]
    powers = [Power(f"P{number:02}") for number in range(len(squares))]
    arcs: list[Arc] = []
    rings: dict[ProvinceCode, list[int]] = {SEA: []}

    def add(
        sides: tuple[ProvinceCode | None, ProvinceCode | None],
        start: tuple[int, int],
        end: tuple[int, int],
    ) -> None:
        if sides[0] == sides[1]:
            return
        kind = ArcKind.LAND
        if None in sides:
            kind = ArcKind.FRAME
        elif SEA in sides:
            kind = ArcKind.COAST
        points = tuple((x * CELL, y * CELL) for x, y in (start, end))
        for code, ref in ((sides[0], len(arcs)), (sides[1], ~len(arcs))):
            if code is not None:
                rings.setdefault(code, []).append(ref)
        arcs.append(Arc(points, kind, *sides))

    for x in range(SIDE + 2):
        for y in range(SIDE + 1):
            if y < SIDE:  # a vertical line, seen downward: what is right of it is on its left
                add((_code(x, y), _code(x - 1, y)), (x, y), (x, y + 1))
            if x <= SIDE:
                add((_code(x, y - 1), _code(x, y)), (x, y), (x + 1, y))

    def walk(refs: list[int]) -> tuple[int, ...]:
        starts = {arcs[ref].points[0] if ref >= 0 else arcs[~ref].points[1]: ref for ref in refs}
        ring = [refs[0]]
        while len(ring) < len(refs):
            last = ring[-1]
            ring.append(starts[arcs[last].points[1] if last >= 0 else arcs[~last].points[0]])
        return tuple(ring)

    coast = [(SIDE - 1, row) for row in range(SIDE)]
    names = {_code(*at): f"Square {'ABCDEFGH'[at[0]]}{at[1] + 1}" for at in squares} | {SEA: "Sea"}
    board = Board(
        name="Checkerboard",
        powers=tuple(PowerInfo(key, f"Realm {key}", f"Of {key}") for key in powers),
        provinces=(
            *(
                Province(
                    ProvinceCode(f"Q{column}{row}"),
                    names[_code(column, row)],
                    Terrain.COASTAL if (column, row) in coast else Terrain.INLAND,
                    center=True,
                    home=power,
                )
                for (column, row), power in zip(squares, powers, strict=True)
            ),
            Province(SEA, "Sea", Terrain.SEA),
        ),
        army_borders=tuple(
            (arc.left, arc.right)
            for arc in arcs
            if arc.kind is ArcKind.LAND and arc.left and arc.right
        ),
        fleet_borders=(
            *((Location(f"Q7{row}"), Location(SEA)) for row in range(SIDE)),
            *((Location(f"Q7{row}"), Location(f"Q7{row + 1}")) for row in range(SIDE - 1)),
        ),
        starts=tuple(
            Start(
                power,
                UnitKind.FLEET if at in coast else UnitKind.ARMY,
                Location(f"Q{at[0]}{at[1]}"),
            )
            for at, power in zip(squares, powers, strict=True)
        ),
        victory_centers=33,
    )

    def anchors(code: ProvinceCode, column: float, row: float) -> Anchors:
        x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
        star = None if code == SEA else (x - 18, y + 6)
        return Anchors(
            (x, y - 20), (), 0.0, {Location(code): (x + 12, y + 4)}, (x + 10, y + 22), star
        )

    return Chart(
        world="Checkerboard",
        board=board,
        size=((SIDE + 1) * CELL, SIDE * CELL),
        arcs=tuple(arcs),
        shapes=(
            *(
                Shape(
                    province.code,
                    ((walk(rings[province.code]),),),
                    anchors(province.code, *at),
                )
                for province, at in zip(board.provinces, [*squares, (SIDE, 3.5)], strict=True)
            ),
        ),
        palette=dict(zip(powers, many_colors(len(powers)), strict=True)),
    )
