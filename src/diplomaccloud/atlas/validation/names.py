"""Faults of the board: unknown, repeated or ambiguous names, and what makes a map unplayable."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from diplomaccloud.atlas.validation.chart_schema import (
    BoardData,
    BorderRuleData,
    ChartData,
    ProvinceData,
    ShapeData,
    enumerate_valid,
    skip_invalid,
)
from diplomaccloud.atlas.validation.schemas import Faults, join_path, quote_text
from diplomaccloud.judge.board import BorderKind, Terrain, UnitKind
from diplomaccloud.judge.drawing.chart import FeatureKind
from diplomaccloud.judge.drawing.map_file import least_points
from diplomaccloud.judge.drawing.palette import color_difference
from diplomaccloud.judge.geography import count_steps

_MIN_COLOR_DIFFERENCE = 2.0
"""ΔE76 between two colors, for the kind of vision that sees it least; generated maps have 22."""


@dataclass(frozen=True)
class KnownNames:
    """The names that a board declares; `complete` unless one of them could not be read.

    An invalid member might have declared any name, so without all of them nothing is reported
    as unknown.
    """

    provinces: Mapping[str, ProvinceData]
    impassable: frozenset[str]
    powers: frozenset[str]
    complete: bool

    def list_locations(self, kind: str) -> frozenset[str]:
        """Return the locations where a unit of `kind` (A or F) can be."""
        if kind == UnitKind.ARMY:
            lands = (p["code"] for p in self.provinces.values() if p["terrain"] != Terrain.SEA)
            return frozenset(lands)
        places = set[str]()
        for code, province in self.provinces.items():
            if province["terrain"] != Terrain.INLAND:
                coasts = [f"{code}/{coast}" for coast in skip_invalid(province["coasts"])]
                places.update(coasts or [code])
        return frozenset(places)


def collect_names(board: BoardData) -> KnownNames:
    """Return the names that `board` declares."""
    provinces = {
        province["code"]: province for province in skip_invalid(reversed(board["provinces"]))
    }
    return KnownNames(
        provinces=provinces,
        impassable=frozenset(space[0] for space in skip_invalid(board["impassable"])),
        powers=frozenset(power[0] for power in skip_invalid(board["powers"])),
        complete=None not in (*board["provinces"], *board["powers"], *board["impassable"]),
    )


def find_name_faults(data: ChartData, known: KnownNames, faults: Faults) -> None:
    """Add the faults of all names in `data`."""
    board = data["board"]
    _find_repeated_names(board, faults)
    for i, province in enumerate_valid(board["provinces"]):
        home = province["home"]
        if known.complete and home is not None and home not in known.powers:
            faults.add(f"board.provinces[{i}].home", f"there is no power {quote_text(home)}")
    _find_wrong_features(data, faults)
    _find_wrong_borders(board, known, faults)
    _find_wrong_rules(board, known, faults)
    _find_wrong_starts(board, known, faults)
    _find_wrong_colors(data, known, faults)
    _find_unknown_codes(data, known, faults)


def _find_repeated_names(board: BoardData, faults: Faults) -> None:
    spaces = [
        (f"board.provinces[{i}]", (".code", province["code"]), (".name", province["name"]))
        for i, province in enumerate_valid(board["provinces"])
    ] + [
        (f"board.impassable[{i}]", ("[0]", space[0]), ("[1]", space[1]))
        for i, space in enumerate_valid(board["impassable"])
    ]
    powers = [(f"board.powers[{i}]", power) for i, power in enumerate_valid(board["powers"])]
    _find_repeated("code", ((at, *code) for at, code, _ in spaces), faults)
    _find_repeated("name", ((at, *name) for at, _, name in spaces), faults)
    _find_repeated("key", ((at, "[0]", power[0]) for at, power in powers), faults)
    _find_repeated("name", ((at, "[1]", power[1]) for at, power in powers), faults)
    for i, province in enumerate_valid(board["provinces"]):
        at = f"board.provinces[{i}].coasts"
        coasts = ((f"{at}[{j}]", "", coast) for j, coast in enumerate(province["coasts"]))
        _find_repeated("coast", coasts, faults)


def _find_wrong_features(data: ChartData, faults: Faults) -> None:
    """Add features with too few points, and names that occur twice or cannot be printed."""
    for i, feature in enumerate_valid(data["features"]):
        at, points = f"features[{i}]", len(feature["points"]) // 2
        least = least_points(FeatureKind(feature["kind"]))
        if points < least:
            faults.add(f"{at}.points", f"a {feature['kind']} needs at least {least} points")
        if feature["label"] and not feature["name"]:
            faults.add(f"{at}.label", "there is no name to print")
    names = (
        (f"features[{i}]", ".name", one["name"]) for i, one in enumerate_valid(data["features"])
    )
    _find_repeated("name", names, faults)


def _find_repeated(
    kind: str, values: Iterable[tuple[str, str, str | None]], faults: Faults
) -> None:
    """Add values that occur twice; each comes after its owner's path and its own from there."""
    first: dict[str, str] = {}
    for owner, member, value in values:
        if value and (before := first.setdefault(value.casefold(), owner)) != owner:
            faults.add(owner + member, f"{quote_text(value)} is also the {kind} of {before}")


def _find_wrong_borders(board: BoardData, known: KnownNames, faults: Faults) -> None:
    for member, kind, borders in (
        ("army_borders", UnitKind.ARMY, board["army_borders"]),
        ("fleet_borders", UnitKind.FLEET, board["fleet_borders"]),
    ):
        allowed = known.list_locations(kind)
        before: dict[frozenset[str], int] = {}
        for i, border in enumerate_valid(borders):
            at = f"board.{member}[{i}]"
            first, second = border
            if first.split("/")[0] == second.split("/")[0]:
                faults.add(at, f"{first} cannot border itself")
            elif (j := before.setdefault(frozenset(border), i)) != i:
                faults.add(at, f"{first} and {second} are already a pair in board.{member}[{j}]")
            for end, place in enumerate(border):
                if place not in allowed:
                    _find_wrong_place(f"{at}[{end}]", place, kind, known, faults)


def _find_wrong_rules(board: BoardData, known: KnownNames, faults: Faults) -> None:
    """Add border rules that name wrong places or units, or contradict the borders."""
    before: dict[tuple[str, frozenset[str]], int] = {}
    for i, rule in enumerate_valid(board["border_rules"]):
        at, ends = f"board.border_rules[{i}]", (rule["from"], rule["to"])
        if (j := before.setdefault((rule["kind"], frozenset(ends)), i)) != i:
            faults.add(at, f"{ends[0]} and {ends[1]} are already in board.border_rules[{j}]")
        if ends[0].split("/")[0] == ends[1].split("/")[0]:
            faults.add(at, f"{ends[0]} cannot border itself")
        elif rule["kind"] == BorderKind.CLOSED:
            _find_wrong_closed(at, rule, board, known, faults)
        else:
            _find_wrong_river(at, rule, board, known, faults)


def _find_wrong_closed(
    at: str, rule: BorderRuleData, board: BoardData, known: KnownNames, faults: Faults
) -> None:
    pair = frozenset((rule["from"], rule["to"]))
    for member, code in (("from", rule["from"]), ("to", rule["to"])):
        if "/" in code:
            faults.add(f"{at}.{member}", f"a closed border is between provinces: write {code[:-3]}")
        elif known.complete and code not in known.provinces:
            faults.add(f"{at}.{member}", f"there is no province {code}")
    units = [unit for unit in rule["units"] if unit is not None]
    if None not in rule["units"] and units != [unit for unit in UnitKind if unit in units]:
        faults.add(f"{at}.units", "must be A, F, or both in this order")
    elif not rule["units"]:
        faults.add(f"{at}.units", "is missing: name the units that do not pass, A, F or both")
    for kind, name in ((UnitKind.ARMY, "army_borders"), (UnitKind.FLEET, "fleet_borders")):
        borders = board["army_borders"] if kind is UnitKind.ARMY else board["fleet_borders"]
        for i, border in enumerate_valid(borders) if kind in units else ():
            if {place.split("/")[0] for place in border} == pair:
                faults.add(at, f"is closed, but board.{name}[{i}] lets the {kind.word} pass")


def _find_wrong_river(
    at: str, rule: BorderRuleData, board: BoardData, known: KnownNames, faults: Faults
) -> None:
    if rule["units"]:
        faults.add(f"{at}.units", "only a closed border names units")
    ends = (rule["from"], rule["to"])
    allowed = known.list_locations(UnitKind.FLEET)
    for member, place in zip(("from", "to"), ends, strict=True):
        province = known.provinces.get(place.split("/")[0])
        if place not in allowed:
            _find_wrong_place(f"{at}.{member}", place, UnitKind.FLEET, known, faults)
        elif province is not None and province["terrain"] == Terrain.SEA:
            faults.add(f"{at}.{member}", f"a river is between lands, but {place} is a sea")
    if frozenset(ends) not in map(frozenset, skip_invalid(board["fleet_borders"])):
        faults.add(at, f"{ends[0]} and {ends[1]} are not a pair in board.fleet_borders")


def _find_wrong_place(
    path: str, place: str, kind: UnitKind, known: KnownNames, faults: Faults
) -> None:
    """Add a fault if no unit of `kind` can be at `place`."""
    code, _, coast = place.partition("/")
    province = known.provinces.get(code)
    if province is None:
        if known.complete:
            impassable = code in known.impassable
            faults.add(
                path, f"{code} is impassable" if impassable else f"there is no province {code}"
            )
        return
    coasts = [f"{code}/{name}" for name in skip_invalid(province["coasts"])]
    terrain = province["terrain"]
    if kind is UnitKind.FLEET and coasts and not coast:
        reason = f"needs a coast: {' or '.join(coasts)}"
    elif kind is UnitKind.FLEET and coast and terrain == Terrain.COASTAL:
        reason = f"{code} has no coast {coast}"
    elif kind is UnitKind.ARMY and coast:
        reason = f"an army cannot be on a coast: write {code}"
    else:
        reason = f"no {kind.word} can be in {code}, which is {terrain}"
    faults.add(path, reason)


def _find_wrong_starts(board: BoardData, known: KnownNames, faults: Faults) -> None:
    occupied: dict[str, int] = {}
    allowed = {kind: known.list_locations(kind) for kind in UnitKind}
    for i, start in enumerate_valid(board["starts"]):
        at = f"board.starts[{i}]"
        power, kind, place = start
        if known.complete and power not in known.powers:
            faults.add(f"{at}[0]", f"there is no power {quote_text(power)}")
        if place not in allowed[UnitKind(kind)]:
            _find_wrong_place(f"{at}[2]", place, UnitKind(kind), known, faults)
        code = place.split("/")[0]
        if (j := occupied.setdefault(code, i)) != i:
            faults.add(at, f"another unit starts in {code}: board.starts[{j}]")
        province = known.provinces.get(code)
        if province is not None and province["home"] not in (None, power):
            faults.add(at, f"{code} is a home province of {province['home']}, not of {power}")


def _find_wrong_colors(data: ChartData, known: KnownNames, faults: Faults) -> None:
    colors: dict[str, str] = {}
    for power, color in data["palette"].items():
        at = join_path("palette", power)
        if known.complete and power not in known.powers:
            faults.add(at, f"there is no power {quote_text(power)}")
        for other_power, other_color in colors.items():
            if color == other_color:
                faults.add(at, f"is also the color of {other_power}")
            elif color_difference(color, other_color) < _MIN_COLOR_DIFFERENCE:
                faults.add(at, f"is too similar to {other_color}, the color of {other_power}")
        colors[power] = color


def _find_unknown_codes(data: ChartData, known: KnownNames, faults: Faults) -> None:
    spaces = known.impassable | set(known.provinces)
    for i, arc in enumerate_valid(data["arcs"]):
        if known.complete:
            for side, code in (("left", arc["left"]), ("right", arc["right"])):
                if code is not None and code not in spaces:
                    faults.add(f"arcs[{i}].{side}", f"there is no province {code}")
    for i, scenery in enumerate_valid(data["scenery"]):
        if scenery[0] and scenery[0] not in known.impassable:
            faults.add(f"scenery[{i}][0]", f"there is no impassable space {scenery[0]}")
    drawn: dict[str, int] = {}
    for i, shape in enumerate_valid(data["shapes"]):
        code = shape["province"]
        if (j := drawn.setdefault(code, i)) != i:
            faults.add(f"shapes[{i}].province", f"{code} is already drawn in shapes[{j}]")
        province = known.provinces.get(code)
        if province is None and known.complete:
            faults.add(f"shapes[{i}].province", f"there is no province {code}")
        if province is not None:
            _find_wrong_places(f"shapes[{i}]", shape, province, faults)


def _find_wrong_places(path: str, shape: ShapeData, province: ProvinceData, faults: Faults) -> None:
    """Add places for units that are missing or unknown."""
    code = shape["province"]
    coasts = {f"{code}/{coast}" for coast in province["coasts"] if coast is not None}
    for member, places, needed in (
        ("units", set(shape["units"]), {code} | coasts),
        ("dislodged_coasts", set(shape.get("dislodged_coasts", {})), set[str]()),
    ):
        for place in sorted(places - coasts - {code}):
            faults.add(join_path(f"{path}.{member}", place), f"{code} has no such coast")
        for place in sorted(needed - places) if not faults.has_fault_in(f"{path}.{member}") else ():
            faults.add(f"{path}.{member}", f"has no place for a unit at {place}")
    if province["center"] and shape["star"] is None:
        faults.add(f"{path}.star", f"is missing: {code} is a supply center")
    elif shape["star"] is not None and not province["center"]:
        faults.add(f"{path}.star", f"must be null, because {code} is not a supply center")


# Faults of names: labels that differ from the name, and names that orders cannot tell apart.

Spelling = tuple[str, str, str]
"""The path of a spelling, the spelling, and the path of its owner."""


def find_spelling_faults(data: ChartData, faults: Faults) -> None:
    """Add labels that are not their province's name, and spellings with two meanings.

    Spellings are compared as orders are read: without accents, case and punctuation.
    """
    _find_wrong_labels(data, faults)
    _find_ambiguous_spellings(_list_space_spellings(data["board"]), faults)
    powers = (
        (f"board.powers[{i}][{j}]", spelling, f"board.powers[{i}]")
        for i, power in enumerate_valid(data["board"]["powers"])
        for j, spelling in enumerate(power)
    )
    _find_ambiguous_spellings(powers, faults)


def _find_wrong_labels(data: ChartData, faults: Faults) -> None:
    names = {p["code"]: p["name"] for p in skip_invalid(data["board"]["provinces"])}
    for i, shape in enumerate_valid(data["shapes"]):
        # Without label lines the map shows the code.
        if not shape["label_lines"] or None in shape["label_lines"]:
            continue
        code, label = shape["province"], " ".join(skip_invalid(shape["label_lines"]))
        name = names.get(code)
        # A name may be divided at a hyphen as well as at a space.
        if name is not None and _normalize(label) != _normalize(name):
            shown = f"is {quote_text(label)}, but the name of {code} is {quote_text(name)}"
            faults.add(f"shapes[{i}].label_lines", shown)


def _normalize(text: str) -> str:
    return "".join(text.split()).replace("-", "").casefold()


def _list_space_spellings(board: BoardData) -> Iterator[Spelling]:
    for i, province in enumerate_valid(board["provinces"]):
        at = f"board.provinces[{i}]"
        yield f"{at}.code", province["code"], at
        if province["name"] is not None:
            yield f"{at}.name", province["name"], at
        for j, alias in enumerate_valid(province["aliases"]):
            yield f"{at}.aliases[{j}]", alias, at
    for i, space in enumerate_valid(board["impassable"]):
        yield f"board.impassable[{i}][0]", space[0], f"board.impassable[{i}]"
        yield f"board.impassable[{i}][1]", space[1], f"board.impassable[{i}]"


def _find_ambiguous_spellings(spellings: Iterable[Spelling], faults: Faults) -> None:
    # Reading a stored chart needs no notation of orders.
    from diplomaccloud.judge.notation.words import name_tokens  # noqa: PLC0415

    first: dict[tuple[str, ...], Spelling] = {}
    reported: dict[str, set[str]] = defaultdict(set)
    for path, spelling, owner in spellings:
        # Spellings without letters that occur in orders cannot be compared.
        words = name_tokens(spelling)
        other_path, twin, other_owner = first.setdefault(words, (path, spelling, owner))
        if not words or other_owner == owner or other_owner in reported[owner]:
            continue
        reported[owner].add(other_owner)
        faults.add(path, f"{quote_text(spelling)} reads like {quote_text(twin)} in {other_path}")


# Faults that make a map unplayable: powers without units, centers at sea, unreachable places.


def find_game_faults(data: ChartData, known: KnownNames, faults: Faults) -> None:
    """Add faults of centers, homes, starting units and connections."""
    board = data["board"]
    for i, province in enumerate_valid(board["provinces"]):
        _find_wrong_terrain(f"board.provinces[{i}]", province, faults)
    if not known.complete:
        return
    homes = Counter(p["home"] for p in skip_invalid(board["provinces"]) if p["center"])
    _find_incomplete_powers(board, homes, data["palette"], faults)
    _find_unreachable(board, known, faults)
    _find_missing_shapes(data, known, faults)
    at, victory_centers = "board.victory_centers", board["victory_centers"]
    if victory_centers is not None:
        if victory_centers > homes.total():
            faults.add(at, f"is {victory_centers}, but the board has only {homes.total()} centers")
        for power, *_ in skip_invalid(board["powers"]):
            if homes[power] >= victory_centers:
                shown = f"is {victory_centers}, but {power} starts with {homes[power]} centers"
                faults.add(at, shown)


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


def _find_incomplete_powers(
    board: BoardData, homes: Counter[str | None], palette: Mapping[str, str], faults: Faults
) -> None:
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
    codes = [province["code"] for province in skip_invalid(board["provinces"])]
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
        drawn = {shape["province"] for shape in skip_invalid(data["shapes"])}
        for code in known.provinces:
            if code not in drawn:
                faults.add("shapes", f"{code} has no shape")
    if None not in data["scenery"]:
        scenery = {space[0] for space in skip_invalid(data["scenery"])}
        for i, space in enumerate_valid(data["board"]["impassable"]):
            if space[0] not in scenery:
                faults.add(f"board.impassable[{i}]", f"{space[0]} is missing from the scenery")
