"""Faults that would spoil a game: powers with nothing, centers at sea, places out of reach."""

from collections import Counter

from diplomaccloud.atlas.validation.chart_data import BoardData, ChartData, ProvinceData
from diplomaccloud.atlas.validation.faults import Faults
from diplomaccloud.atlas.validation.names import Known
from diplomaccloud.judge.board import Terrain
from diplomaccloud.judge.geography import count_steps


def find_game_faults(data: ChartData, known: Known, found: Faults) -> None:
    """Add what is wrong with centers, homes, starts and the ways between provinces."""
    board = data["board"]
    for i, province in enumerate(board["provinces"]):
        if province is not None:
            _find_bad_terrain(f"board.provinces[{i}]", province, found)
    if known.whole:
        _find_bad_powers(board, data["palette"], found)
        _find_unreachable(board, known, found)
        _find_undrawn(data, known, found)
    centers = sum(one is not None and one["center"] for one in board["provinces"])
    wanted = board["victory_centers"]
    if known.whole and wanted is not None:
        _find_bad_victory(board, wanted, centers, found)


def _find_bad_victory(board: BoardData, wanted: int, centers: int, found: Faults) -> None:
    at = "board.victory_centers"
    if wanted > centers:
        found.add(at, f"{wanted} of {centers} centers cannot be won")
    held = Counter(one["home"] for one in board["provinces"] if one and one["center"])
    for info in board["powers"]:
        if info is not None and held[info[0]] >= wanted:
            found.add(at, f"{wanted} centers win, and {info[0]} begins with {held[info[0]]}")


def _find_bad_terrain(path: str, province: ProvinceData, found: Faults) -> None:
    terrain, coasts = province["terrain"], province["coasts"]
    if terrain == Terrain.SEA:
        for member in ("center", "home"):
            if province[member]:
                found.add(f"{path}.{member}", f"{province['code']} is a sea")
    if coasts and terrain != Terrain.COASTAL:
        found.add(f"{path}.coasts", f"{province['code']} is {terrain} and can have no coasts")
    elif len(coasts) == 1:
        found.add(f"{path}.coasts", "one coast alone is not split: leave the list empty")


def _find_bad_powers(board: BoardData, palette: dict[str, str], found: Faults) -> None:
    homes = Counter(one["home"] for one in board["provinces"] if one and one["center"])
    units = Counter(one[0] for one in board["starts"] if one)
    whole = None not in board["starts"]
    colored = found.within("palette")  # what could not be read is not missing, too
    for i, info in enumerate(board["powers"]):
        if info is None:
            continue
        power, at = info[0], f"board.powers[{i}]"
        if not homes[power]:
            found.add(at, f"{power} has no home center")
        if whole and not units[power]:
            found.add(at, f"{power} has no unit to begin with")
        if power not in palette and not colored:
            found.add("palette", f"there is no color for {power}")


def _find_unreachable(board: BoardData, known: Known, found: Faults) -> None:
    """Add provinces that no unit can come to from the first one of the board."""
    ways: dict[str, set[str]] = {code: set() for code in known.provinces}
    for border in (*board["army_borders"], *board["fleet_borders"]):
        if border is None:
            return
        one, other = (place.split("/")[0] for place in border)
        if one in ways and other in ways:
            ways[one].add(other)
            ways[other].add(one)
    codes = [one["code"] for one in board["provinces"] if one is not None]
    left, parts = codes, []
    while left:
        reached = count_steps(ways, left[:1])
        parts.append([code for code in left if code in reached])
        left = [code for code in left if code not in reached]
    whole = max(parts, key=len)
    for part in parts:
        if part != whole:
            named = ", ".join(part[:8]) + (" and more" if len(part) > 8 else "")
            at = f"board.provinces[{codes.index(part[0])}]"
            found.add(at, f"no way leads from {named} to the rest of the board")


def _find_undrawn(data: ChartData, known: Known, found: Faults) -> None:
    if None not in data["shapes"]:
        drawn = {shape["province"] for shape in data["shapes"] if shape is not None}
        for code in known.provinces:
            if code not in drawn:
                found.add("shapes", f"{code} has no shape")
    if None not in data["scenery"]:
        scenery = {one[0] for one in data["scenery"] if one is not None}
        for i, space in enumerate(data["board"]["impassable"]):
            if space is not None and space[0] not in scenery:
                found.add(f"board.impassable[{i}]", f"{space[0]} is not drawn among the scenery")
