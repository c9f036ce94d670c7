"""Faults between the board and the drawing: borders without a line, lines without a border."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.atlas.chart import ArcKind, Point
from diplomaccloud.atlas.validation.chart_data import ArcData, BoardData, ChartData
from diplomaccloud.atlas.validation.faults import Faults
from diplomaccloud.atlas.validation.lines import outlines, points_of
from diplomaccloud.atlas.validation.names import Known
from diplomaccloud.judge.board import Terrain

_SEA, _LAND = "sea", "land"
_KINDS = {(_LAND, _LAND): ArcKind.LAND, (_LAND, _SEA): ArcKind.COAST, (_SEA, _SEA): ArcKind.SEA}

Pair = frozenset[str]


@dataclass(frozen=True)
class _Drawn:
    """What the lines say: arcs by the pair that they part, waters met at the end of a line."""

    arcs: dict[Pair, list[int]]
    waters: dict[Point, set[str]]


def find_border_faults(data: ChartData, known: Known, found: Faults) -> None:
    """Add where board and drawing differ; nothing where either could not be read whole."""
    if not known.whole or None in data["arcs"]:
        return
    drawn = _drawn(data, known)
    for i, arc in enumerate(data["arcs"]):
        if arc is not None:
            _find_bad_kind(f"arcs[{i}]", arc, known, found)
    board = data["board"]
    walks, sails = (_pairs(board, member) for member in ("army_borders", "fleet_borders"))
    _find_undrawn(data, drawn, known, found)
    _find_untold(drawn, known, walks, sails, found)
    reached = _reached(data, known)
    _find_bad_shores(data, drawn, reached, known, found)
    _find_bad_coasts(data, reached, known, found)
    _find_bad_passages(data, drawn, found)


def _ground(code: str | None, known: Known) -> str | None:
    """Return `sea` or `land`; None beyond the frame and for an unknown code."""
    if code in known.impassable:
        return _LAND
    province = known.provinces.get(code or "")
    if province is None:
        return None
    return _SEA if province["terrain"] == Terrain.SEA else _LAND


def _drawn(data: ChartData, known: Known) -> _Drawn:
    arcs: dict[Pair, list[int]] = defaultdict(list)
    waters: dict[Point, set[str]] = defaultdict(set)
    for i, arc in enumerate(data["arcs"]):
        if arc is None:
            continue
        sides = [code for code in (arc["left"], arc["right"]) if code is not None]
        if len(set(sides)) == 2 and arc["kind"] != ArcKind.FRAME:
            arcs[frozenset(sides)].append(i)
        points = points_of(arc)
        for code in sides:
            if _ground(code, known) == _SEA:
                waters[points[0]].add(code)
                waters[points[-1]].add(code)
    return _Drawn(arcs, waters)


def _pairs(board: BoardData, member: str) -> set[Pair]:
    borders = board["army_borders" if member == "army_borders" else "fleet_borders"]
    return {frozenset(_codes(border)) for border in borders if border is not None}


def _codes(border: list[str]) -> list[str]:
    return [place.split("/")[0] for place in border]


def _find_bad_kind(path: str, arc: ArcData, known: Known, found: Faults) -> None:
    left, right = arc["left"], arc["right"]
    kind = arc["kind"]
    if kind == ArcKind.FRAME:
        if left is not None and right is not None:
            found.add(path, f"parts {left} from {right}, so it is no frame")
        return
    if left is not None and left == right:
        if kind != ArcKind.COAST or _ground(left, known) != _SEA:
            found.add(path, f"has {left} on both sides, and is no coast of an islet")
        return
    # Nobody within the frame is land that is no province: an islet, or a country left out.
    one, other = sorted(
        (_LAND if code is None else _ground(code, known)) or "" for code in (left, right)
    )
    wanted = _KINDS.get((one, other))
    if wanted is not None and kind != wanted:
        names = " and ".join(code or "nobody's land" for code in (left, right))
        found.add(f"{path}.kind", f"is {kind}, but what parts {names} is {wanted}")


def _find_undrawn(data: ChartData, drawn: _Drawn, known: Known, found: Faults) -> None:
    """Add borders of the board for which no line is drawn."""
    passages = {frozenset(one["ends"]) for one in data["passages"] if one is not None}
    board = data["board"]
    for member, borders in (
        ("army_borders", board["army_borders"]),
        ("fleet_borders", board["fleet_borders"]),
    ):
        for i, border in enumerate(borders):
            if border is None or frozenset(border) in passages:
                continue
            codes = _codes(border)
            drawable = all(code in known.provinces for code in codes) and len(set(codes)) == 2
            if drawable and frozenset(codes) not in drawn.arcs:
                at = f"board.{member}[{i}]"
                found.add(at, f"{border[0]} and {border[1]} do not touch on the map")


def _find_untold(
    drawn: _Drawn, known: Known, walks: set[Pair], sails: set[Pair], found: Faults
) -> None:
    """Add lines that part provinces which the board keeps apart."""
    for pair, arcs in drawn.arcs.items():
        one, other = sorted(pair)
        if one not in known.provinces or other not in known.provinces:
            continue
        dry = _SEA not in (_ground(one, known), _ground(other, known))
        if pair not in (walks if dry else sails):
            who = "army may walk" if dry else "fleet may sail"
            found.add(f"arcs[{arcs[0]}]", f"{one} and {other} touch, but no {who} between them")


def _find_bad_shores(
    data: ChartData, drawn: _Drawn, reached: Mapping[str, set[str]], known: Known, found: Faults
) -> None:
    """Add land neighbors that fleets pass where no water meets their border, or the reverse."""
    passages = {frozenset(one["ends"]) for one in data["passages"] if one is not None}
    wet = {
        pair: set().union(
            *(drawn.waters.get(end, set()) for i in arcs for end in _ends(data["arcs"][i]))
        )
        for pair, arcs in drawn.arcs.items()
        if all(_ground(code, known) == _LAND and code in known.provinces for code in pair)
    }
    sailed = set()
    for i, border in enumerate(data["board"]["fleet_borders"]):
        if border is None or (pair := frozenset(_codes(border))) not in wet:
            continue
        sailed.add(pair)
        one, other = border
        if frozenset(border) not in passages and not wet[pair] & reached[one] & reached[other]:
            at = f"board.fleet_borders[{i}]"
            found.add(at, f"no sea that both touch is where {one} and {other} meet")
    for pair, seas in wet.items():
        if seas and pair not in sailed:
            one, other = sorted(pair)
            message = f"{one} and {other} meet at {min(seas)}, but no fleet may sail between them"
            found.add(f"arcs[{drawn.arcs[pair][0]}]", message)


def _ends(arc: ArcData | None) -> tuple[Point, ...]:
    return () if arc is None else (points_of(arc)[0], points_of(arc)[-1])


def _reached(data: ChartData, known: Known) -> dict[str, set[str]]:
    """Return the seas to which a fleet may sail from each place."""
    reached: dict[str, set[str]] = defaultdict(set)
    for border in data["board"]["fleet_borders"]:
        for place, to in (border, border[::-1]) if border is not None else ():
            if _ground(to.split("/")[0], known) == _SEA:
                reached[place].add(to)
    return reached


def _find_bad_coasts(
    data: ChartData, reached: Mapping[str, set[str]], known: Known, found: Faults
) -> None:
    """Add provinces whose terrain or coasts are not those of their outlines."""
    runs: dict[str, list[set[str]]] = defaultdict(list)
    for outline in outlines(data):
        if not outline.scenery:
            runs[outline.owner] += _runs(outline.owner, outline.ring, data, known)
    for i, province in enumerate(data["board"]["provinces"]):
        if province is None or province["terrain"] == Terrain.SEA:
            continue
        code, at = province["code"], f"board.provinces[{i}]"
        wet = [run for run in runs[code] if run]
        if (province["terrain"] == Terrain.COASTAL) != bool(wet):
            where = "touches " + ", ".join(sorted(wet[0])) if wet else "touches no sea"
            found.add(f"{at}.terrain", f"is {province['terrain']}, but {code} {where}")
        coasts = [coast for coast in province["coasts"] if coast is not None]
        if len(coasts) > 1 and len(wet) < len(coasts):
            stretches = f"{len(wet)} stretch{'es' * (len(wet) != 1)} of coast"
            found.add(f"{at}.coasts", f"{code} has {len(coasts)} coasts, but {stretches}")
        for run in wet if len(coasts) > 1 else ():
            if not any(run <= reached[f"{code}/{coast}"] for coast in coasts):
                seas = ", ".join(sorted(run))
                found.add(f"{at}.coasts", f"no coast of {code} reaches all of its shore by {seas}")


def _runs(owner: str, ring: list[int | None], data: ChartData, known: Known) -> list[set[str]]:
    """Return the seas beside each unbroken stretch of coast around `ring`."""
    beside: list[str | None] = []
    for ref in ring:
        index = -1 if ref is None else ref if ref >= 0 else ~ref
        arc = data["arcs"][index] if 0 <= index < len(data["arcs"]) else None
        sides = () if arc is None else (arc["left"], arc["right"])
        sea = [code for code in sides if code != owner and _ground(code, known) == _SEA]
        beside.append(sea[0] if sea else None)
    if None not in beside:
        return [{code for code in beside if code is not None}]
    # Begun after dry land, no stretch is cut in two by where the ring begins.
    first = beside.index(None)
    found: list[set[str]] = [set()]
    for code in beside[first:] + beside[:first]:
        if code is None:
            found.append(set())
        else:
            found[-1].add(code)
    return [run for run in found if run]


def _find_bad_passages(data: ChartData, drawn: _Drawn, found: Faults) -> None:
    """Add passages that no unit could take, or that none needs."""
    board = data["board"]
    borders = {
        frozenset(border)
        for border in (*board["army_borders"], *board["fleet_borders"])
        if border is not None
    }
    first: dict[Pair, int] = {}
    for i, passage in enumerate(data["passages"]):
        if passage is None:
            continue
        at = f"passages[{i}].ends"
        one, other = passage["ends"]
        if frozenset((one, other)) not in borders:
            found.add(at, f"{one} and {other} do not border on the board")
        elif frozenset(_codes([one, other])) in drawn.arcs:
            found.add(at, f"{one} and {other} touch on the map: no passage is needed")
        if (j := first.setdefault(frozenset((one, other)), i)) != i:
            found.add(at, f"{one} and {other} have a passage already: passages[{j}]")
