"""Faults of the drawing: open outlines, wrongly shared arcs, and differences from the board."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from typing import TypeVar

from diplomaccloud.atlas.validation.chart_schema import (
    ArcData,
    ChartData,
    PassageData,
    enumerate_valid,
    skip_invalid,
)
from diplomaccloud.atlas.validation.names import KnownNames
from diplomaccloud.atlas.validation.schemas import Faults
from diplomaccloud.judge.board import BorderKind, Location, Terrain, UnitKind
from diplomaccloud.judge.drawing.chart import ArcKind, Passage, Point
from diplomaccloud.judge.drawing.map_file import MAX_ARCS, MAX_USES

# Faults of arcs and rings: open outlines, and arcs not shared by exactly two shapes.

Ring = list[int | None]
_T = TypeVar("_T")

_MAX_LISTED_ARCS = 20


@dataclass(frozen=True)
class Outline:
    """A ring of the file, with the code of its owner (empty for an islet)."""

    path: str
    owner: str
    ring: Ring
    hole: bool
    scenery: bool = False


def list_outlines(data: ChartData) -> Iterator[Outline]:
    """Yield every ring of `data` that could be read."""
    for i, shape in enumerate_valid(data["shapes"]):
        for j, polygon in enumerate(shape["polygons"]):
            for k, ring in enumerate_valid(polygon or ()):
                path = f"shapes[{i}].polygons[{j}][{k}]"
                yield Outline(path, shape["province"], ring, k > 0)
    for i, (owner, rings) in list_scenery(data):
        for k, ring in enumerate_valid(rings):
            yield Outline(f"scenery[{i}][1][{k}]", owner, ring, k > 0, scenery=True)


def list_scenery(data: ChartData) -> Iterator[tuple[int, tuple[str, list[Ring | None]]]]:
    """Yield the index, the owner and the rings of every readable scenery."""
    for i, scenery in enumerate_valid(data["scenery"]):
        owner, rings = scenery
        assert isinstance(owner, str)  # noqa: S101 - for the type checker; the schema guarantees it
        assert isinstance(rings, list)  # noqa: S101
        yield i, (owner, rings)


def find_arc(ref: int | None, data: ChartData) -> ArcData | None:
    """Return the arc at `ref` in a ring; `None` if it does not exist or could not be read."""
    index = -1 if ref is None else ref if ref >= 0 else ~ref
    return data["arcs"][index] if 0 <= index < len(data["arcs"]) else None


def points_of(line: ArcData | PassageData) -> list[Point]:
    """Return the points of `line`."""
    values = line["points"]
    return list(zip(values[::2], values[1::2], strict=True))


def find_overuse(data: ChartData, faults: Faults) -> bool:
    """Return whether the outlines use more arcs than possible; add the most used ones."""
    uses: Counter[int] = Counter()
    for outline in list_outlines(data):
        uses.update(ref if ref >= 0 else ~ref for ref in outline.ring if ref is not None)
    if uses.total() <= MAX_USES * MAX_ARCS:
        return False
    for index, count in uses.most_common(_MAX_LISTED_ARCS):
        faults.add(
            f"arcs[{index}]", f"is used {count:,} times in outlines; the limit is {MAX_USES}"
        )
    return True


def build_closed_outlines(data: ChartData) -> dict[str, list[Point]]:
    """Return the points of each closed ring by its path; the first point is not repeated.

    Rings with an arc that two earlier outlines use are left out, because a small file could
    otherwise make rings of millions of points from a single arc.
    """
    lines = [None if arc is None else points_of(arc) for arc in data["arcs"]]
    uses: Counter[int] = Counter()
    closed = {}
    for outline in list_outlines(data):
        fits = True
        for ref in outline.ring:
            if ref is not None:
                index = ref if ref >= 0 else ~ref
                fits = fits and uses[index] < MAX_USES
                uses[index] += 1
        walked = _follow_ring(outline.ring, lines) if fits else None
        if walked is not None and all(a[-1] == b[0] for a, b in _pair_neighbors(walked)):
            closed[outline.path] = [point for line in walked for point in line[:-1]]
    return closed


def _follow_ring(ring: Ring, lines: list[list[Point] | None]) -> list[list[Point]] | None:
    """Return the lines of `ring` in their direction; `None` if one does not exist."""
    walked = []
    for ref in ring:
        if ref is None or not -len(lines) <= ref < len(lines):
            return None
        line = lines[ref if ref >= 0 else ~ref]
        if line is None:
            return None
        walked.append(line if ref >= 0 else line[::-1])
    return walked


def _pair_neighbors(walked: list[_T]) -> list[tuple[_T, _T]]:
    return list(zip(walked, walked[1:] + walked[:1], strict=True))


def find_line_faults(data: ChartData, faults: Faults) -> None:
    """Add the faults of arcs, of rings, and of how shapes share arcs."""
    for i, arc in enumerate_valid(data["arcs"]):
        points = points_of(arc)
        if all(point == points[0] for point in points):
            faults.add(f"arcs[{i}].points", "the line has zero length")
        _find_outside(f"arcs[{i}].points", points, data["size"], faults)
    for i, passage in enumerate_valid(data["passages"]):
        _find_outside(f"passages[{i}].points", points_of(passage), data["size"], faults)
    for i, feature in enumerate_valid(data["features"]):
        for member in ("points", "label"):
            values = feature[member] or []
            points = list(zip(values[::2], values[1::2], strict=True))
            _find_outside(f"features[{i}].{member}", points, data["size"], faults)
    _find_open_rings(data, faults)
    _find_wrong_sharing(data, faults)


def _find_outside(
    path: str, points: Sequence[Point], size: list[float] | None, faults: Faults
) -> None:
    """Add the first of the points that lies outside the map."""
    width, height = size or (inf, inf)
    for j, (x, y) in enumerate(points):
        if not (0 <= x <= width and 0 <= y <= height):
            faults.add(f"{path}[{2 * j}]", f"({x:g}, {y:g}) is outside the map")
            return


def _find_open_rings(data: ChartData, faults: Faults) -> None:
    arcs = data["arcs"]
    lines = [None if arc is None else points_of(arc) for arc in arcs]
    ends = [line and [line[0], line[-1]] for line in lines]
    for outline in list_outlines(data):
        for k, ref in enumerate(outline.ring):
            if ref is not None and not -len(arcs) <= ref < len(arcs):
                faults.add(
                    f"{outline.path}[{k}]", f"there is no arc {ref}; there are {len(arcs)} arcs"
                )
        walked = _follow_ring(outline.ring, ends)
        if walked is None:
            continue
        for k, ((_, last), (first, _)) in enumerate(_pair_neighbors(walked)):
            if last != first:
                (x, y), (to_x, to_y) = last, first
                faults.add(
                    f"{outline.path}[{k}]",
                    f"the ring does not close: arc {outline.ring[k]} ends at ({x:g}, {y:g}),"
                    f" but the next starts at ({to_x:g}, {to_y:g})",
                )


def _find_wrong_sharing(data: ChartData, faults: Faults) -> None:
    """Add arcs that do not divide exactly the two shapes in `left` and `right`."""
    closed = build_closed_outlines(data)
    uses: dict[int, list[Outline]] = defaultdict(list)
    for outline in list_outlines(data):
        for ref in outline.ring:
            if ref is not None:
                uses[ref if ref >= 0 else ~ref].append(outline)
        if outline.path not in closed:
            continue
        # In the shoelace formula with y down, a positive sum is clockwise on the screen.
        around = _pair_neighbors(closed[outline.path])
        area = sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in around)
        if area == 0:
            faults.add(outline.path, "the ring has no area")
        is_shape_on_left = (area < 0) != outline.hole
        for ref in outline.ring:
            arc = find_arc(ref, data)
            if ref is not None and arc is not None:
                side = "left" if is_shape_on_left == (ref >= 0) else "right"
                _find_wrong_side(ref if ref >= 0 else ~ref, arc, side, outline, faults)
    if None in data["shapes"] or None in data["scenery"]:
        return
    for i, arc in enumerate_valid(data["arcs"]):
        _find_wrong_use_count(i, arc, uses[i], faults)


def _find_wrong_side(index: int, arc: ArcData, side: str, outline: Outline, faults: Faults) -> None:
    named, opposite = (arc["left"], arc["right"])[:: 1 if side == "left" else -1]
    if named == outline.owner or (not outline.owner and named in (None, opposite)):
        return
    shown = f"is {named}" if named else "is null"
    owner = f"the outline of {outline.owner}" if outline.owner else "an islet"
    faults.add(f"arcs[{index}].{side}", f"{shown}, but {owner} is on that side ({outline.path})")


def _find_wrong_use_count(i: int, arc: ArcData, uses: Sequence[Outline], faults: Faults) -> None:
    islet = arc["left"] is not None and arc["left"] == arc["right"]
    expected = 1 if arc["kind"] == ArcKind.FRAME or islet else 2
    if len(uses) == expected:
        return
    where = ", ".join(outline.path for outline in uses[:4]) or "none"
    more = ", …" * (len(uses) > 4)
    faults.add(
        f"arcs[{i}]",
        f"is part of {len(uses)} outline{'s' * (len(uses) != 1)} ({where}{more}), but must be part"
        f" of {expected}",
    )


# Faults between board and drawing: borders without a line, and lines without a border.


_SEA, _LAND = "sea", "land"
_KINDS = {(_LAND, _LAND): ArcKind.LAND, (_LAND, _SEA): ArcKind.COAST, (_SEA, _SEA): ArcKind.SEA}

Pair = frozenset[str]


def find_border_faults(data: ChartData, known: KnownNames, faults: Faults) -> None:
    """Add differences between board and drawing, if both could be read completely."""
    if not known.complete or None in data["arcs"]:
        return
    # The arcs by the pair of provinces that they divide, and the seas at the ends of arcs.
    lines: dict[Pair, list[int]] = defaultdict(list)
    waters: dict[Point, set[str]] = defaultdict(set)
    for i, arc in enumerate_valid(data["arcs"]):
        _find_wrong_kind(f"arcs[{i}]", arc, known, faults)
        sides = [code for code in (arc["left"], arc["right"]) if code is not None]
        if len(set(sides)) == 2 and arc["kind"] != ArcKind.FRAME:
            lines[frozenset(sides)].append(i)
        points = points_of(arc)
        for code in sides:
            if _find_surface(code, known) == _SEA:
                waters[points[0]].add(code)
                waters[points[-1]].add(code)
    board = data["board"]
    army_pairs, fleet_pairs = (
        {frozenset(_list_codes(border)) for border in skip_invalid(borders)}
        for borders in (board["army_borders"], board["fleet_borders"])
    )
    _find_borders_without_line(data, lines, known, faults)
    rules = _collect_rules(data, lines, faults)
    if None not in board["border_rules"]:
        army_pairs |= rules.closed[UnitKind.ARMY]
        fleet_pairs |= rules.closed[UnitKind.FLEET]
        _find_lines_without_border(lines, known, army_pairs, fleet_pairs, faults)
    # The seas that a fleet can reach from each location.
    reachable: dict[str, set[str]] = defaultdict(set)
    for border in skip_invalid(board["fleet_borders"]):
        for place, to in (border, border[::-1]):
            if _find_surface(to.split("/")[0], known) == _SEA:
                reachable[place].add(to)
    if None not in board["border_rules"]:
        _find_wrong_shores(data, lines, waters, known, faults, reachable=reachable, rules=rules)
        _find_wrong_coasts(data, reachable, rules, known, faults)
    _find_wrong_passages(data, lines, faults)


@dataclass(frozen=True)
class _Rules:
    """The border rules: provinces by pairs that are closed to a kind of unit, and rivers.

    `rivers` has pairs of locations, `banks` the pairs of their provinces.
    """

    closed: Mapping[str, set[Pair]]
    rivers: set[Pair]
    banks: set[Pair]


def _collect_rules(data: ChartData, lines: Collection[Pair], faults: Faults) -> _Rules:
    """Return the border rules, and add those of provinces that do not touch."""
    rules = _Rules({kind: set() for kind in UnitKind}, set(), set())
    for i, rule in enumerate_valid(data["board"]["border_rules"]):
        ends = [rule["from"], rule["to"]]
        pair = frozenset(_list_codes(ends))
        if pair not in lines:
            faults.add(
                f"board.border_rules[{i}]", f"{ends[0]} and {ends[1]} do not touch on the map"
            )
        if rule["kind"] == BorderKind.RIVER:
            rules.rivers.add(frozenset(ends))
            rules.banks.add(pair)
        for unit in skip_invalid(rule["units"]):
            rules.closed[unit].add(pair)
    return rules


def _find_surface(code: str | None, known: KnownNames) -> str | None:
    """Return `sea` or `land`; `None` outside the frame and for an unknown code."""
    if code in known.impassable:
        return _LAND
    province = known.provinces.get(code or "")
    if province is None:
        return None
    return _SEA if province["terrain"] == Terrain.SEA else _LAND


def _list_codes(border: list[str]) -> list[str]:
    return [place.split("/")[0] for place in border]


def _find_wrong_kind(path: str, arc: ArcData, known: KnownNames, faults: Faults) -> None:
    left, right = arc["left"], arc["right"]
    kind = arc["kind"]
    if kind == ArcKind.FRAME:
        if left is not None and right is not None:
            faults.add(path, f"is of kind frame, but it divides {left} from {right}")
        return
    if left is not None and left == right:
        if kind != ArcKind.COAST or _find_surface(left, known) != _SEA:
            faults.add(path, f"has {left} on both sides, but is not the coast of an islet")
        return
    # No code inside the frame means land without a province: an islet or an omitted country.
    first, second = sorted(
        (_LAND if code is None else _find_surface(code, known)) or "" for code in (left, right)
    )
    expected = _KINDS.get((first, second))
    if expected is not None and kind != expected:
        names = " and ".join(code or "land without a province" for code in (left, right))
        faults.add(f"{path}.kind", f"is {kind}, but a line between {names} must be {expected}")


def _find_borders_without_line(
    data: ChartData, lines: Collection[Pair], known: KnownNames, faults: Faults
) -> None:
    """Add borders of the board that no line of the drawing shows."""
    passages = {frozenset(passage["ends"]) for passage in skip_invalid(data["passages"])}
    board = data["board"]
    for member, borders in (
        ("army_borders", board["army_borders"]),
        ("fleet_borders", board["fleet_borders"]),
    ):
        for i, border in enumerate_valid(borders):
            if frozenset(border) in passages:
                continue
            codes = _list_codes(border)
            drawable = all(code in known.provinces for code in codes) and len(set(codes)) == 2
            if drawable and frozenset(codes) not in lines:
                at = f"board.{member}[{i}]"
                faults.add(at, f"{border[0]} and {border[1]} do not touch on the map")


def _find_lines_without_border(
    lines: Mapping[Pair, Sequence[int]],
    known: KnownNames,
    army_pairs: set[Pair],
    fleet_pairs: set[Pair],
    faults: Faults,
) -> None:
    """Add lines between provinces that have no border on the board."""
    for pair, arcs in lines.items():
        first, second = sorted(pair)
        if first not in known.provinces or second not in known.provinces:
            continue
        is_land = _SEA not in (_find_surface(first, known), _find_surface(second, known))
        if pair not in (army_pairs if is_land else fleet_pairs):
            member = "army_borders" if is_land else "fleet_borders"
            message = (
                f"{first} and {second} touch, but are not a pair in board.{member}, nor closed in"
                " board.border_rules"
            )
            faults.add(f"arcs[{arcs[0]}]", message)


def _find_wrong_shores(
    data: ChartData,
    lines: Mapping[Pair, Sequence[int]],
    waters: Mapping[Point, set[str]],
    known: KnownNames,
    faults: Faults,
    *,
    reachable: Mapping[str, set[str]],
    rules: _Rules,
) -> None:
    """Add coastal borders where no sea meets both provinces, and missing coastal borders."""
    passages = {frozenset(passage["ends"]) for passage in skip_invalid(data["passages"])}
    closed = rules.closed[UnitKind.FLEET]
    ends = {i: points_of(arc) for i, arc in enumerate_valid(data["arcs"])}
    seas_at_border = {
        pair: set().union(
            *(waters.get(end, set()) for i in arcs for end in (ends[i][0], ends[i][-1]))
        )
        for pair, arcs in lines.items()
        if all(_find_surface(code, known) == _LAND and code in known.provinces for code in pair)
    }
    fleet_pairs = set()
    for i, border in enumerate_valid(data["board"]["fleet_borders"]):
        if (pair := frozenset(_list_codes(border))) not in seas_at_border:
            continue
        fleet_pairs.add(pair)
        first, second = border
        shared = seas_at_border[pair] & reachable[first] & reachable[second]
        if frozenset(border) not in passages | rules.rivers and not shared:
            at = f"board.fleet_borders[{i}]"
            faults.add(
                at, f"no sea that fleets reach from both touches the border of {first} and {second}"
            )
    for pair, all_seas in seas_at_border.items():
        seas = {
            sea for sea in all_seas if not any(frozenset((code, sea)) in closed for code in pair)
        }
        if seas and pair not in fleet_pairs | closed:
            first, second = sorted(pair)
            faults.add(
                f"arcs[{lines[pair][0]}]",
                f"{first} and {second} meet at {min(seas)}, but are not a pair in"
                " board.fleet_borders",
            )


def _find_wrong_coasts(
    data: ChartData,
    reachable: Mapping[str, set[str]],
    rules: _Rules,
    known: KnownNames,
    faults: Faults,
) -> None:
    """Add provinces with a terrain or coasts that do not match their outlines."""
    stretches: dict[str, list[set[str]]] = defaultdict(list)
    for outline in list_outlines(data):
        if not outline.scenery:
            stretches[outline.owner] += _find_coast_stretches(outline, data, rules, known)
    for i, province in enumerate_valid(data["board"]["provinces"]):
        if province["terrain"] == Terrain.SEA:
            continue
        code, at = province["code"], f"board.provinces[{i}]"
        by_water = [stretch for stretch in stretches[code] if stretch]
        if (province["terrain"] == Terrain.COASTAL) != bool(by_water):
            where = "touches " + ", ".join(sorted(by_water[0])) if by_water else "touches no sea"
            faults.add(f"{at}.terrain", f"is {province['terrain']}, but {code} {where}")
        coasts = [coast for coast in province["coasts"] if coast is not None]
        if len(coasts) > 1 and len(by_water) < len(coasts):
            count = f"{len(by_water)} stretch{'es' * (len(by_water) != 1)} of coast"
            faults.add(f"{at}.coasts", f"{code} has {len(coasts)} coasts, but {count}")
        for stretch in by_water if len(coasts) > 1 else ():
            # The banks of a river belong to the coasts that its rules name.
            seas = {near for near in stretch if _find_surface(near, known) == _SEA}
            if not any(seas <= reachable[f"{code}/{coast}"] for coast in coasts):
                shore = ", ".join(sorted(seas))
                faults.add(
                    f"{at}.coasts", f"no coast of {code} borders all of its shore at {shore}"
                )


def _find_coast_stretches(
    outline: Outline, data: ChartData, rules: _Rules, known: KnownNames
) -> list[set[str]]:
    """Return the provinces along each continuous stretch of coast or river around `outline`.

    A stretch is either along seas or along a river. Seas that are closed to fleets are no coast.
    """
    beside: list[tuple[str, str]] = []
    for ref in outline.ring:
        arc = find_arc(ref, data)
        sides = () if arc is None else (arc["left"], arc["right"])
        code = next((code for code in sides if code and code != outline.owner), "")
        pair = frozenset((outline.owner, code))
        if _find_surface(code, known) == _SEA and pair not in rules.closed[UnitKind.FLEET]:
            beside.append((_SEA, code))
        else:
            beside.append(("river", code) if pair in rules.banks else ("", ""))
    # Starting where the kind changes, so that the start of the ring does not split a stretch.
    first = next((i for i in range(len(beside)) if beside[i][0] != beside[i - 1][0]), 0)
    runs = groupby(beside[first:] + beside[:first], lambda one: one[0])
    return [{code for _, code in run} for kind, run in runs if kind]


def _find_wrong_passages(data: ChartData, lines: Collection[Pair], faults: Faults) -> None:
    """Add passages that are not on the board, unnecessary or repeated."""
    board = data["board"]
    both = (*board["army_borders"], *board["fleet_borders"])
    borders = {frozenset(border) for border in skip_invalid(both)}
    first: dict[Pair, int] = {}
    marks: dict[str, tuple[int, Pair]] = {}
    for i, passage in enumerate_valid(data["passages"]):
        at = f"passages[{i}].ends"
        start, end = passage["ends"]
        if frozenset((start, end)) not in borders:
            faults.add(at, f"{start} and {end} have no border on the board")
        elif frozenset(_list_codes([start, end])) in lines:
            faults.add(at, f"{start} and {end} touch on the map, so they need no passage")
        if (j := first.setdefault(frozenset((start, end)), i)) != i:
            faults.add(at, f"{start} and {end} already have a passage: passages[{j}]")
        if mark := passage["mark"]:
            codes = frozenset(_list_codes([start, end]))
            j, others = marks.setdefault(mark, (i, codes))
            if others != codes:
                faults.add(f"passages[{i}].mark", f"{mark} is also the letter of passages[{j}]")
            _find_unmarked_way(f"passages[{i}].points", passage, data["size"], faults)


def _find_unmarked_way(
    path: str, passage: PassageData, size: list[float] | None, faults: Faults
) -> None:
    """Add a lettered passage that does not leave the map once."""
    if size is None:
        return
    line = Passage((Location(""), Location("")), tuple(points_of(passage)), "?")
    try:
        line.stubs((size[0], size[1]))
    except ValueError as error:
        faults.add(path, str(error))
