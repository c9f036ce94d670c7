"""Random positions and orders, crowded enough that orders interact."""

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

from judge.tests.shorthand import orders, position

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.codec import board_from_json
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import (
    DEFAULT,
    EDITIONS,
    ConvoyIntent,
    ConvoyPath,
    Paradox,
    RuleSet,
    SupportCoast,
    ViaWithoutConvoy,
)
from diplomaccloud.judge.units import Unit


def _codes(text: str) -> list[str]:
    return text.split()


NORTH = _codes("LON WAL YOR EDI NTH ENG BEL HOL BRE PIC NWY SWE SKA DEN IRI LVP KIE HEL")
SOUTH = _codes("TUN NAP ROM TYS ION GRE ALB APU ADR AEG CON SMY EAS BUL TRI VEN TUS LYO")


def random_position(
    board: Board, rng: random.Random, size: int, powers: int = 3, places: Sequence[str] = ()
) -> Position:
    """Return a movement phase with `size` units put at random on `places`, or anywhere."""
    chosen = rng.sample([*places] or [p.code for p in board.provinces], size)
    units = []
    for code in chosen:
        province = board.by_code[ProvinceCode(code)]
        water = list(province.fleet_locations)
        spots = [(UnitKind.FLEET, place) for place in water]
        if province.terrain.value != "sea":
            spots += [(UnitKind.ARMY, Location(code))] * max(1, len(water))
        kind, place = rng.choice(spots)
        units.append(Unit(kind, place, rng.choice(board.powers[:powers]).power))
    centers = {code: rng.choice(board.powers).power for code in board.centers if rng.random() < 0.7}
    phase = Phase.parse(rng.choice(["S1903M", "F1903M"]))
    return Position(phase, tuple(units), centers)


def random_orders(board: Board, start: Position, rng: random.Random) -> list[MovementOrder]:
    """Return a legal order for each unit; supports and convoys mostly match a real move."""
    legal: dict[Unit, list[MovementOrder]] = {unit: [] for unit in start.units}
    for power in {unit.power for unit in start.units}:
        for order in legal_orders(board, start, power):
            assert isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy)
            legal[order.unit].append(order)
    chosen: dict[Unit, MovementOrder] = {}
    for unit in rng.sample(start.units, len(start.units)):
        fitting = [one for one in legal[unit] if _fits(one, chosen)]
        moves = [one for one in legal[unit] if isinstance(one, Move)]
        pool = fitting if fitting and rng.random() < 0.6 else moves or legal[unit]
        chosen[unit] = rng.choice(pool if rng.random() < 0.9 else legal[unit])
    return [chosen[unit] for unit in start.units]


def _fits(order: MovementOrder, chosen: dict[Unit, MovementOrder]) -> bool:
    if isinstance(order, SupportHold):
        return order.target in chosen and not isinstance(chosen[order.target], Move)
    if isinstance(order, SupportMove | Convoy):
        move = chosen.get(order.target)
        return isinstance(move, Move) and move.to == order.to
    return False


KNOTS = [
    "F LON S F WAL - ENG, F WAL - ENG, A BRE - LON, F ENG C A BRE - LON",
    "F LON S F WAL - ENG, F WAL - ENG, A BRE - LON, F ENG C A BRE - LON, F YOR S A BRE - LON,"
    " F NTH S F BEL - ENG, F BEL - ENG",
    "F NTH C A LON - BEL, A LON - BEL, F ENG S A LON - BEL, F BEL S F NTH,"
    " F HEL S F SKA - NTH, F SKA - NTH",
    "A TUN - NAP, F TYS C A TUN - NAP, F ION C A TUN - NAP, F NAP S F ROM - TYS, F ROM - TYS",
    "F EDI - NTH, F LON S F EDI - NTH, A BRE - LON, F ENG C A BRE - LON,"
    " F BEL S F PIC - ENG, F PIC - ENG, A NWY - BEL, F NTH C A NWY - BEL",
    "F EDI - NTH, F LON S F EDI - NTH, F IRI - ENG, F MAO S F IRI - ENG, A BRE - LON,"
    " F ENG C A BRE - LON, F BEL S F ENG, A NWY - BEL, F NTH C A NWY - BEL",
    "A CON - SMY VIA, F AEG C A CON - SMY, A SMY - ANK, A ANK - CON, F GRE - AEG,"
    " F EAS S F GRE - AEG, F BUL/SC S F AEG",
]
"""Orders that depend on themselves, from DATC 6.C and 6.F."""

CROSSINGS = [
    "A BER - KIE VIA, F BAL C A BER - KIE, F KIE - BER, F LVN - BAL, F SWE S F LVN - BAL,"
    " A DEN - SWE VIA",
    "A BER - KIE, F BAL C A BER - KIE, F KIE - BER, F LVN - BAL, F SWE S F LVN - BAL,"
    " A DEN - SWE, F SKA C A DEN - SWE, F NTH - SKA, F NWY S F NTH - SKA",
    "A CLY - LVP, F NAO C A CLY - LVP, F NWG - NAO, F LVP S F NWG - NAO",
    "F ARM S F CON - BLA, F CON - BLA, A ANK - ARM VIA, A SYR S A ANK - ARM, F BLA C A ANK - ARM",
    "A NWY - SWE VIA, F SKA C A NWY - SWE, A SWE - NWY, F NTH - SKA, F DEN S F NTH - SKA",
    "A ROM - VEN VIA, F TYS C A ROM - VEN, F ION C A ROM - VEN, F ADR C A ROM - VEN, A VEN - ROM,"
    " F TUN - ION, F NAP S F TUN - ION",
    "A SPA - MAR VIA, F LYO C A SPA - MAR, F MAR S F TUS - LYO, F TUS - LYO",
    "A PIC - BEL VIA, F ENG C A PIC - BEL, A BEL - PIC, F WAL - ENG, F LON S F WAL - ENG,"
    " A HOL - BEL VIA, F NTH C A HOL - BEL, F NWG - NTH, F EDI S F NWG - NTH",
]
"""Armies that may go to an adjacent province by land or by a convoy that others attack."""


RARE = [
    "A WAL - YOR, F NTH C A WAL - YOR, F ENG S F NTH, A YOR - LON, F LON - YOR",
    "A SMY - ANK, A ARM S A SMY - ANK, A ANK - ARM VIA, F BLA C A ANK - ARM",
    "A PIC - BEL VIA, F ENG C A PIC - BEL, A HOL S A PIC - BEL, A BEL - PIC, A PAR - PIC",
    "F MAO - SPA/NC, F WES S F MAO - SPA/SC, A MAR - SPA",
]
"""Orders on which a switch that hardly ever matters decides."""


def random_knot(
    board: Board, rng: random.Random, knots: Sequence[str] = KNOTS, most: int = 3
) -> list[MovementOrder]:
    """Return a knot with its units dealt out at random and up to `most` more units."""
    texts = rng.choice(knots).split(", ")
    text = "\n".join(f"{rng.choice(board.powers[:3]).power}: {one}" for one in texts)
    core = position(text)
    taken = {unit.province for unit in core.units}
    near = sorted({code for unit in core.units for code in board.reach(unit.kind, unit.location)})
    free = [code for code in near if code not in taken]
    more = random_position(board, rng, rng.randint(0, min(most, len(free))), places=free)
    whole = replace(core, units=core.units + more.units)
    given: dict[Unit, MovementOrder] = {}
    for one in orders(text, core):
        assert isinstance(one, Hold | Move | SupportHold | SupportMove | Convoy)
        given[one.unit] = one
    return [given.get(one.unit, one) for one in random_orders(board, whole, rng)]


MOVEMENT_SWITCHES: dict[str, Sequence[object]] = {
    "any_route_disrupts": (False, True),
    "intent_needs_chain": (False, True),
    "land_behind_convoy": (False, True),
    "convoyed_attack_cuts": (False, True),
    "retreat_to_convoyed_attacker": (False, True),
    "dislodged_never_prevents": (False, True),
    "own_attack_cuts_support": (False, True),
    "own_attack_void": (False, True),
    "paradox": tuple(Paradox),
    "convoy_intent": tuple(ConvoyIntent),
    "via_without_convoy": tuple(ViaWithoutConvoy),
    "convoy_path": tuple(ConvoyPath),
    "support_coast": (SupportCoast.OPTIONAL, SupportCoast.IGNORED),
}
"""The switches on which the outcome of legal moves depends, with their values."""


def random_movement_rules(rng: random.Random) -> RuleSet:
    """Return an edition, or any choice of the switches about movement."""
    if rng.random() < 0.4:
        return rng.choice(list(EDITIONS.values()))
    most = rng.choice([0.1, 0.5])
    changed = {
        name: rng.choice(values) if len(values) > 2 else values[rng.random() < most]
        for name, values in MOVEMENT_SWITCHES.items()
    }
    return replace(DEFAULT, **changed)  # type: ignore[arg-type]


def name_seas(orders: Iterable[MovementOrder], rng: random.Random) -> list[MovementOrder]:
    """Return the orders, of which some of the armies' moves name seas with fleets on their way."""
    listed = list(orders)
    fleets: dict[tuple[Unit, str], list[ProvinceCode]] = {}
    for order in listed:
        if isinstance(order, Convoy):
            fleets.setdefault((order.target, order.to), []).append(order.unit.province)
    for number, order in enumerate(listed):
        seas = fleets.get((order.unit, order.to)) if isinstance(order, Move) else None
        if seas and rng.random() < 0.4:
            path = tuple(rng.sample(seas, rng.randint(1, len(seas))))
            listed[number] = replace(order, path=path)
    return listed


def random_board(rng: random.Random, width: int = 5, height: int = 4) -> Board:
    """Return a small board: a grid of land and water with some corners cut, two powers."""
    cells = list(product(range(width), range(height)))
    wet = {cell for cell in cells if rng.random() < 0.4} or {cells[0]}
    names = dict(zip(cells, product("BCDFGHJKLM", "AEIOU", "NRST"), strict=False))
    codes = {cell: ProvinceCode("".join(name)) for cell, name in names.items()}
    touching = [
        (one, other)
        for one, other in combinations(cells, 2)
        if max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1
        and (one[0] == other[0] or one[1] == other[1] or rng.random() < 0.5)
    ]
    near: dict[tuple[int, int], set[tuple[int, int]]] = {cell: set() for cell in cells}
    for one, other in touching:
        near[one].add(other)
        near[other].add(one)
    shore = {cell for cell in cells if cell not in wet and near[cell] & wet}
    powers = tuple(
        PowerInfo(Power(key), key.title(), key.title()) for key in ("NORD", "OST", "SUD")
    )
    return Board(
        name="grid",
        powers=powers,
        provinces=tuple(
            Province(
                codes[cell],
                codes[cell].title(),
                Terrain.SEA
                if cell in wet
                else Terrain.COASTAL
                if cell in shore
                else Terrain.INLAND,
            )
            for cell in cells
        ),
        army_borders=tuple(
            (codes[a], codes[b]) for a, b in touching if a not in wet and b not in wet
        ),
        fleet_borders=tuple(
            (Location(codes[a]), Location(codes[b]))
            for a, b in touching
            if {a, b} <= wet | shore and ({a, b} & wet or near[a] & near[b] & wet)
        ),
        starts=(),
        victory_centers=1,
    )


def generated_boards() -> list[Board]:
    """Return a few boards that the map generator once made."""
    paths = sorted((Path(__file__).parent / "boards").glob("*.json"))
    return [board_from_json(json.loads(path.read_text(encoding="utf-8"))) for path in paths]
