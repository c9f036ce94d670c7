"""Faults of a chart's names: codes, places and powers that are unknown or stand for two things."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from diplomaccloud.atlas.palette import color_difference
from diplomaccloud.atlas.validation.chart_data import BoardData, ChartData, ProvinceData, ShapeData
from diplomaccloud.atlas.validation.faults import Faults, below, quoted
from diplomaccloud.judge.board import Terrain, UnitKind

_LEAST_DIFFERENCE = 2.0
"""ΔE76 between two colors, to the eyes that see it least; generated maps have 22 and more."""


@dataclass(frozen=True)
class Known:
    """The names that a board declares; `whole` unless one could not be read.

    What a broken member would have declared nobody knows, so with one nothing is called
    unknown.
    """

    provinces: Mapping[str, ProvinceData]
    impassable: frozenset[str]
    powers: frozenset[str]
    whole: bool

    def places(self, kind: str) -> frozenset[str]:
        """Return where a unit of `kind` (A or F) may stand."""
        return frozenset(
            place
            for code, province in self.provinces.items()
            for place in _places(code, province, kind)
        )


def known_names(board: BoardData) -> Known:
    """Return the names that `board` declares."""
    provinces = {one["code"]: one for one in reversed(board["provinces"]) if one is not None}
    lists: tuple[list[object], ...] = (
        [*board["provinces"]],
        [*board["powers"]],
        [*board["impassable"]],
    )
    return Known(
        provinces=provinces,
        impassable=frozenset(one[0] for one in board["impassable"] if one is not None),
        powers=frozenset(one[0] for one in board["powers"] if one is not None),
        whole=all(None not in one for one in lists),
    )


def _places(code: str, province: ProvinceData, kind: str) -> Iterator[str]:
    if kind == UnitKind.ARMY:
        if province["terrain"] != Terrain.SEA:
            yield code
    elif province["terrain"] != Terrain.INLAND:
        coasts = [coast for coast in province["coasts"] if coast is not None]
        yield from (f"{code}/{coast}" for coast in coasts)
        if not coasts:
            yield code


def find_name_faults(data: ChartData, known: Known, found: Faults) -> None:
    """Add the faults of all names in `data`."""
    board = data["board"]
    _find_doubles(board, found)
    _find_unknown_homes(board, known, found)
    _find_bad_borders(board, known, found)
    _find_bad_starts(board, known, found)
    _find_bad_colors(data, known, found)
    _find_bad_codes(data, known, found)


def _find_doubles(board: BoardData, found: Faults) -> None:
    """Add what stands for two things: codes, names, keys."""
    spaces = [
        (f"board.provinces[{i}]", "code", "name", one["code"], one["name"])
        for i, one in enumerate(board["provinces"])
        if one is not None
    ] + [
        (f"board.impassable[{i}]", "[0]", "[1]", one[0], one[1])
        for i, one in enumerate(board["impassable"])
        if one is not None
    ]
    _find_same("code", ((_join(at, code), value, at) for at, code, _, value, _ in spaces), found)
    names = ((_join(at, name), value, at) for at, _, name, _, value in spaces if value is not None)
    _find_same("name", names, found)
    powers = [
        (f"board.powers[{i}]", one) for i, one in enumerate(board["powers"]) if one is not None
    ]
    _find_same("key", ((f"{at}[0]", one[0], at) for at, one in powers), found)
    _find_same("name", ((f"{at}[1]", one[1], at) for at, one in powers), found)
    for i, province in enumerate(board["provinces"]):
        if province is not None:
            at = f"board.provinces[{i}].coasts"
            coasts = (
                (f"{at}[{j}]", c, f"{at}[{j}]") for j, c in enumerate(province["coasts"]) if c
            )
            _find_same("coast", coasts, found)


def _join(at: str, member: str) -> str:
    return at + member if member.startswith("[") else f"{at}.{member}"


def _find_same(what: str, values: Iterable[tuple[str, str, str]], found: Faults) -> None:
    """Add values that occur twice; each comes with its path and that of its owner."""
    first: dict[str, str] = {}
    for path, value, owner in values:
        if (before := first.setdefault(value.casefold(), owner)) != owner:
            found.add(path, f"{quoted(value)} is also the {what} of {before}")


def _find_unknown_homes(board: BoardData, known: Known, found: Faults) -> None:
    for i, province in enumerate(board["provinces"]):
        if province is None:
            continue
        home = province["home"]
        if known.whole and home is not None and home not in known.powers:
            found.add(f"board.provinces[{i}].home", f"there is no power {quoted(home)}")


def _find_bad_borders(board: BoardData, known: Known, found: Faults) -> None:
    for member, kind, borders in (
        ("army_borders", UnitKind.ARMY, board["army_borders"]),
        ("fleet_borders", UnitKind.FLEET, board["fleet_borders"]),
    ):
        allowed = known.places(kind)
        before: dict[frozenset[str], int] = {}
        for i, border in enumerate(borders):
            if border is None:
                continue
            at = f"board.{member}[{i}]"
            one, other = border
            if one.split("/")[0] == other.split("/")[0]:
                found.add(at, f"{one} cannot border itself")
            elif (j := before.setdefault(frozenset(border), i)) != i:
                found.add(at, f"{one} and {other} are a pair already in board.{member}[{j}]")
            for end, place in enumerate(border):
                if place not in allowed:
                    _find_bad_place(f"{at}[{end}]", place, kind, known, found)


def _find_bad_place(path: str, place: str, kind: UnitKind, known: Known, found: Faults) -> None:
    """Add why no unit of `kind` can stand at `place`."""
    code, _, coast = place.partition("/")
    province = known.provinces.get(code)
    if province is None:
        if known.whole:
            closed = " that units may enter" * (code in known.impassable)
            found.add(path, f"there is no province {code}{closed}")
        return
    coasts = [one for one in province["coasts"] if one is not None]
    terrain = province["terrain"]
    if kind is UnitKind.FLEET and coasts and not coast:
        why = f"say on which coast: {', '.join(f'{code}/{one}' for one in coasts)}"
    elif kind is UnitKind.FLEET and coast and terrain == Terrain.COASTAL:
        why = f"{code} has no coast {coast}"
    elif kind is UnitKind.ARMY and coast:
        why = f"an army stands in {code}, not on a coast of it"
    else:
        why = f"no {kind.word} can stand in {code}: it is {terrain}"
    found.add(path, why)


def _find_bad_starts(board: BoardData, known: Known, found: Faults) -> None:
    stood: dict[str, int] = {}
    allowed = {kind: known.places(kind) for kind in UnitKind}
    for i, start in enumerate(board["starts"]):
        if start is None:
            continue
        at = f"board.starts[{i}]"
        power, kind, place = start
        if known.whole and power not in known.powers:
            found.add(f"{at}[0]", f"there is no power {quoted(power)}")
        if place not in allowed[UnitKind(kind)]:
            _find_bad_place(f"{at}[2]", place, UnitKind(kind), known, found)
        code = place.split("/")[0]
        if (j := stood.setdefault(code, i)) != i:
            found.add(at, f"another unit starts in {code}: board.starts[{j}]")
        province = known.provinces.get(code)
        if province is not None and province["home"] not in (None, power):
            found.add(at, f"{code} is a home of {province['home']}, not of {power}")


def _find_bad_colors(data: ChartData, known: Known, found: Faults) -> None:
    before: dict[str, str] = {}
    for power, color in data["palette"].items():
        at = below("palette", power)
        if known.whole and power not in known.powers:
            found.add(at, f"there is no power {quoted(power)}")
        for other, its in before.items():
            if color == its:
                found.add(at, f"is the color of {other} too")
            elif color_difference(color, its) < _LEAST_DIFFERENCE:
                found.add(at, f"{color} can hardly be told from {its}, the color of {other}")
        before[power] = color


def _find_bad_codes(data: ChartData, known: Known, found: Faults) -> None:
    """Add codes in the drawing that the board does not know."""
    spaces = known.impassable | set(known.provinces)
    for i, arc in enumerate(data["arcs"]):
        if arc is not None and known.whole:
            for side, code in (("left", arc["left"]), ("right", arc["right"])):
                if code is not None and code not in spaces:
                    found.add(f"arcs[{i}].{side}", f"there is no province {code}")
    for i, scenery in enumerate(data["scenery"]):
        if scenery is not None and scenery[0] and scenery[0] not in known.impassable:
            found.add(f"scenery[{i}][0]", f"there is no impassable space {scenery[0]}")
    drawn: dict[str, int] = {}
    for i, shape in enumerate(data["shapes"]):
        if shape is None:
            continue
        code = shape["province"]
        if (j := drawn.setdefault(code, i)) != i:
            found.add(f"shapes[{i}].province", f"{code} is drawn in shapes[{j}] already")
        province = known.provinces.get(code)
        if province is None and known.whole:
            found.add(f"shapes[{i}].province", f"there is no province {code}")
        if province is not None:
            _find_bad_spots(f"shapes[{i}]", shape, province, found)


def _find_bad_spots(path: str, shape: ShapeData, province: ProvinceData, found: Faults) -> None:
    """Add places for units that are missing or too many."""
    code = shape["province"]
    coasts = {f"{code}/{coast}" for coast in province["coasts"] if coast is not None}
    for member, held, needed in (
        ("units", set(shape["units"]), {code} | coasts),
        ("dislodged_coasts", set(shape.get("dislodged_coasts", {})), set[str]()),
    ):
        for place in sorted(held - coasts - {code}):
            found.add(below(f"{path}.{member}", place), f"{code} has no such coast")
        for place in sorted(needed - held) if not found.within(f"{path}.{member}") else ():
            found.add(f"{path}.{member}", f"there is no place for a unit at {place}")
    if province["center"] and shape["star"] is None:
        found.add(f"{path}.star", f"is missing: {code} is a supply center")
    elif shape["star"] is not None and not province["center"]:
        found.add(f"{path}.star", f"{code} is no supply center")
