"""Faults that make a map unplayable: powers without units, centers at sea, unreachable places."""

from collections import Counter

from diplomaccloud.atlas.validation.chart_schema import (
    BoardData,
    ChartData,
    ProvinceData,
    enumerate_valid,
)
from diplomaccloud.atlas.validation.faults import Faults
from diplomaccloud.atlas.validation.names import KnownNames
from diplomaccloud.judge.board import Terrain
from diplomaccloud.judge.geography import count_steps


def find_game_faults(data: ChartData, known: KnownNames, faults: Faults) -> None:
    """Add faults of centers, homes, starting units and connections."""
    board = data["board"]
    for i, province in enumerate_valid(board["provinces"]):
        _find_wrong_terrain(f"board.provinces[{i}]", province, faults)
    if known.complete:
        _find_incomplete_powers(board, data["palette"], faults)
        _find_unreachable(board, known, faults)
        _find_missing_shapes(data, known, faults)
    centers = sum(province is not None and province["center"] for province in board["provinces"])
    victory_centers = board["victory_centers"]
    if known.complete and victory_centers is not None:
        _find_wrong_victory(board, victory_centers, centers, faults)


def _find_wrong_victory(
    board: BoardData, victory_centers: int, centers: int, faults: Faults
) -> None:
    at = "board.victory_centers"
    if victory_centers > centers:
        faults.add(at, f"is {victory_centers}, but the board has only {centers} centers")
    held = Counter(
        province["home"] for province in board["provinces"] if province and province["center"]
    )
    for info in board["powers"]:
        if info is not None and held[info[0]] >= victory_centers:
            faults.add(
                at, f"is {victory_centers}, but {info[0]} starts with {held[info[0]]} centers"
            )


def _find_wrong_terrain(path: str, province: ProvinceData, faults: Faults) -> None:
    terrain, coasts = province["terrain"], province["coasts"]
    if terrain == Terrain.SEA:
        for member in ("center", "home"):
            if province[member]:
                faults.add(f"{path}.{member}", f"is not allowed: {province['code']} is a sea")
    if coasts and terrain != Terrain.COASTAL:
        faults.add(f"{path}.coasts", f"must be empty, because {province['code']} is {terrain}")
    elif len(coasts) == 1:
        faults.add(f"{path}.coasts", "has only one coast; leave the list empty")


def _find_incomplete_powers(board: BoardData, palette: dict[str, str], faults: Faults) -> None:
    homes = Counter(
        province["home"] for province in board["provinces"] if province and province["center"]
    )
    units = Counter(start[0] for start in board["starts"] if start)
    whole = None not in board["starts"]
    palette_has_faults = faults.has_fault_in("palette")  # an unreadable color is not missing
    for i, info in enumerate_valid(board["powers"]):
        power, at = info[0], f"board.powers[{i}]"
        if not homes[power]:
            faults.add(at, f"{power} has no home center")
        if whole and not units[power]:
            faults.add(at, f"{power} has no starting unit")
        if power not in palette and not palette_has_faults:
            faults.add("palette", f"has no color for {power}")


def _find_unreachable(board: BoardData, known: KnownNames, faults: Faults) -> None:
    """Add provinces that are not connected with the rest of the board."""
    neighbors: dict[str, set[str]] = {code: set() for code in known.provinces}
    for border in (*board["army_borders"], *board["fleet_borders"]):
        if border is None:
            return
        first, second = (place.split("/")[0] for place in border)
        if first in neighbors and second in neighbors:
            neighbors[first].add(second)
            neighbors[second].add(first)
    codes = [province["code"] for province in board["provinces"] if province is not None]
    remaining, parts = codes, []
    while remaining:
        reached = count_steps(neighbors, remaining[:1])
        parts.append([code for code in remaining if code in reached])
        remaining = [code for code in remaining if code not in reached]
    largest = max(parts, key=len)
    for part in parts:
        if part != largest:
            named = ", ".join(part[:8]) + (" and more" if len(part) > 8 else "")
            at = f"board.provinces[{codes.index(part[0])}]"
            faults.add(at, f"there is no connection from {named} to the rest of the board")


def _find_missing_shapes(data: ChartData, known: KnownNames, faults: Faults) -> None:
    if None not in data["shapes"]:
        drawn = {shape["province"] for shape in data["shapes"] if shape is not None}
        for code in known.provinces:
            if code not in drawn:
                faults.add("shapes", f"{code} has no shape")
    if None not in data["scenery"]:
        scenery = {space[0] for space in data["scenery"] if space is not None}
        for i, space in enumerate(data["board"]["impassable"]):
            if space is not None and space[0] not in scenery:
                faults.add(f"board.impassable[{i}]", f"{space[0]} is missing from the scenery")
