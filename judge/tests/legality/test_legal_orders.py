"""Which orders are legal, and the explanations for those that are not."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise, product

import pytest
from judge.tests.scenes import random_position
from judge.tests.shorthand import BOARD, order, position

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Terrain,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.legality.legal_orders import (
    legal_orders,
    why_illegal,
)
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
    power_of,
)
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.rules import EDITIONS, ConvoyIntent, ConvoyPath, RuleSet
from diplomaccloud.judge.units import Unit

FAULTS = [
    (
        "FRANCE: A PAR H",
        "A PAR - MUN",
        "Paris does not border Munich: the army can go to Brest, Burgundy, Gascony or Picardy.",
    ),
    ("FRANCE: A PAR H", "A PAR - XYZ", "XYZ is not a province of this board."),
    ("FRANCE: A PAR H", "A PAR - PAR", "The army is already in Paris."),
    ("FRANCE: A BRE H", "A BRE - ENG", "The English Channel is water: an army cannot go there."),
    ("FRANCE: F BRE H", "F BRE - PAR", "Paris is inland: a fleet cannot go there."),
    ("FRANCE: F GAS H", "F GAS - MAR VIA", None),
    ("FRANCE: F BRE H", "F BRE - GAS VIA", "Only armies can be convoyed, not the fleet in Brest."),
    (
        "FRANCE: A PIC H",
        "A PIC - BEL VIA",
        "No fleets at sea could convoy an army from Picardy to Belgium.",
    ),
    (
        "ENGLAND: A LON H",
        "A LON - NWY",
        "London does not border Norway: the army can go to Wales or Yorkshire,"
        " and no fleets at sea could convoy it.",
    ),
    (
        "ITALY: F ROM H",
        "F ROM - VEN",
        "The fleet cannot go directly from Rome to Venice: it can go to Naples,"
        " Tuscany or the Tyrrhenian Sea.",
    ),
    (
        "FRANCE: F SPA/NC H",
        "F SPA/NC - LYO",
        "The fleet cannot go directly from Spain (north coast) to the Gulf of Lyon: it"
        " can go to Gascony, the Mid-Atlantic Ocean or Portugal.",
    ),
    (
        "FRANCE: F MAO H",
        "F MAO - SPA",
        "Spain has several coasts within reach: specify the north coast or south coast.",
    ),
    (
        "FRANCE: F GAS H",
        "F GAS - SPA/SC",
        "A fleet in Gascony can reach Spain only on the north coast, not on the south coast.",
    ),
    (
        "FRANCE: A PAR H, A MUN H",
        "A PAR S A MUN",
        "The army in Paris cannot support into Munich, where it could not go itself.",
    ),
    ("FRANCE: A PAR H", "A PAR S A BUR", "There is no unit in Burgundy."),
    ("FRANCE: A PAR H", "A PAR S A PAR", "The army in Paris cannot support or convoy itself."),
    (
        "TURKEY: F BLA H, A RUM H",
        "F BLA S A RUM - ARM",
        "The army in Rumania cannot reach Armenia without a convoy by the fleet in the Black Sea,"
        " so this fleet cannot support it.",
    ),
    (
        "ENGLAND: F LON H, A YOR H",
        "F LON C A YOR - BEL",
        "Only a fleet at sea can convoy, and London is not a sea province.",
    ),
    (
        "FRANCE: F WES H, F LYO H, A MAR H",
        "F WES C A MAR - SPA",
        "No convoy from Marseilles to Spain needs a fleet in the Western Mediterranean.",
    ),
    (
        "FRANCE: F NTH H, F LON H",
        "F NTH C F LON - BEL",
        "Only armies can be convoyed, not the fleet in London.",
    ),
    ("FRANCE: A PAR H", "A BUR H", "France has no unit in Burgundy: the province is empty."),
    (
        "FRANCE: A PAR H",
        "A PAR R BUR",
        "Only moves, holds, supports and convoys can be ordered in Spring 1901, Movement.",
    ),
]


@pytest.mark.parametrize(("units", "text", "sentence"), FAULTS)
def test_fault(units: str, text: str, sentence: str | None) -> None:
    start = position(units)
    power = start.units[0].power
    reason = why_illegal(BOARD, start, power, order(text, power))
    assert reason is not None
    if sentence is not None:
        assert reason == sentence


@pytest.mark.parametrize(
    ("units", "text"),
    [
        ("FRANCE: F GAS H", "F GAS - SPA"),
        ("RUSSIA: F STP/NC H", "F STP/SC - NWY"),
        ("FRANCE: A GAS H", "A GAS - SPA/NC"),
        ("FRANCE: F POR H, F MAO H", "F POR S F MAO - SPA"),
        ("FRANCE: A PAR H", "F PAR - BUR"),
        ("ENGLAND: A LON H, F NTH H", "A LON - NWY VIA"),
    ],
)
def test_an_order_with_one_meaning_is_legal(units: str, text: str) -> None:
    start = position(units)
    power = start.units[0].power
    assert why_illegal(BOARD, start, power, order(text, power)) is None


def test_france_has_these_opening_orders() -> None:
    legal = legal_orders(BOARD, starting_position(BOARD), Power("FRANCE"))
    paris = [str(one) for one in legal if str(one).startswith("A PAR")]
    assert paris == [
        "A PAR H",
        "A PAR - BRE",
        "A PAR - BUR",
        "A PAR - GAS",
        "A PAR - PIC",
        "A PAR S F BRE",
        "A PAR S A MAR - BUR",
        "A PAR S A MAR - GAS",
        "A PAR S A MUN - BUR",
        "A PAR S F BRE - GAS",
        "A PAR S F BRE - PIC",
    ]


def test_convoys_are_offered_by_the_fleets_now_at_sea() -> None:
    start = position("ENGLAND: A PIC H, F ENG H, F IRI H\nFRANCE: F NTH H, A BEL H")
    texts = {str(one) for one in legal_orders(BOARD, start, Power("ENGLAND"))}
    assert {"A PIC - LON", "A PIC - BEL", "A PIC - BEL VIA", "A PIC - NWY"} <= texts
    assert "A PIC - LON VIA" not in texts
    assert {"F ENG C A PIC - NWY", "F ENG C A BEL - LVP", "F IRI C A PIC - LVP"} <= texts
    assert "F IRI C A PIC - LON" not in texts
    assert "F ENG S A PIC - WAL" not in texts


@pytest.mark.parametrize("seed", range(6))
def test_the_list_is_complete_and_free_of_duplicates(seed: int) -> None:
    """Every possible order is in the list if and only if it is legal."""
    rng = random.Random(seed)
    start = random_position(BOARD, rng, 12)
    power = start.units[0].power
    listed = legal_orders(BOARD, start, power)
    assert max(Counter(listed).values()) == 1
    every = {
        one
        for unit in start.units_of(power)
        for one in _conceivable(unit, start)
        if _means_itself(start, power, one)
    }
    assert set(listed) == every


def _conceivable(unit: Unit, start: Position) -> list[Order]:
    places = {*BOARD.locations(UnitKind.ARMY), *BOARD.locations(UnitKind.FLEET)}
    others = start.units
    found: list[Order] = [Hold(unit), *(SupportHold(unit, other) for other in others)]
    found += [Move(unit, to, via) for to, via in product(places, (False, True))]
    for other, to in product(others, places):
        found.append(SupportMove(unit, other, to))
        found.append(Convoy(unit, other, ProvinceCode(to)))
    return found


def _means_itself(start: Position, power: Power, one: Order) -> bool:
    """Whether the order is legal just as it is written, coasts included."""
    if isinstance(one, SupportMove) and one.target.kind is UnitKind.FLEET:
        bare = "/" not in one.to and BOARD.by_code[province_of(one.to)].coasts
        if bare:
            return False
    try:
        return Reader(BOARD, start).read(power, one) == one
    except Refusal:
        return False


NEAR = "ENGLAND: A PIC H, F ENG H, F NTH H, A YOR H"
BY_RULES = {
    "via convoy where the orders choose the route": (
        NEAR,
        RuleSet(convoy_intent=ConvoyIntent.SWAP),
        {"A PIC - BEL", "A YOR - LON"},
        {"A PIC - BEL VIA", "A YOR - LON VIA"},
    ),
    "via convoy where either route will do": (
        NEAR,
        EDITIONS["CD-ROM"],
        {"A PIC - BEL"},
        {"A PIC - BEL VIA"},
    ),
    "via convoy where own orders tell": (NEAR, EDITIONS["1982"], {"A PIC - BEL VIA"}, set()),
    "seas that must be named": (
        NEAR,
        RuleSet(convoy_path=ConvoyPath.REQUIRED),
        {"A PIC - BEL", "A PIC - ENG - NTH - NWY"},
        {"A PIC - NWY", "A PIC - BEL VIA"},
    ),
    "seas that need not be named": (NEAR, EDITIONS["2000"], {"A PIC - NWY"}, set()),
}


@pytest.mark.parametrize(("units", "rules", "legal", "not_listed"), BY_RULES.values(), ids=BY_RULES)
def test_the_rules_decide_what_is_listed(
    units: str, rules: RuleSet, legal: set[str], not_listed: set[str]
) -> None:
    start = position(units)
    listed = legal_orders(BOARD, start, None, rules)
    texts = {str(one) for one in listed}
    assert legal <= texts
    assert not not_listed & texts
    assert not any(why_illegal(BOARD, start, power_of(one), one, rules) for one in listed)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_listed_order_means_itself_in_its_edition(edition: str) -> None:
    rules, rng = EDITIONS[edition], random.Random(edition)
    start = random_position(BOARD, rng, 24)
    reader = Reader(BOARD, start, rules)
    listed = legal_orders(BOARD, start, None, rules)
    assert len(set(listed)) == len(listed)
    assert [reader.read(power_of(one), one) for one in listed] == list(listed)


def test_waives_are_not_listed_if_builds_cannot_be_waived() -> None:
    start = position("RUSSIA: A MOS H", "W1902A", {"RUSSIA": "MOS WAR"})
    strict = RuleSet(may_waive=False)
    assert [str(one) for one in legal_orders(BOARD, start, Power("RUSSIA"), strict)] == ["A WAR B"]
    waive = Waive(Power("RUSSIA"))
    assert why_illegal(BOARD, start, Power("RUSSIA"), waive) is None
    why = why_illegal(BOARD, start, Power("RUSSIA"), waive, strict)
    assert why == "Builds cannot be waived."


def test_retreats_are_the_options_and_a_disband() -> None:
    out = Dislodged(
        Unit(UnitKind.ARMY, Location("PAR"), Power("FRANCE")),
        ProvinceCode("BUR"),
        (Location("GAS"), Location("PIC")),
    )
    start = replace(position("GERMANY: A PAR H", "S1902R"), dislodged=(out,))
    texts = [str(one) for one in legal_orders(BOARD, start, Power("FRANCE"))]
    assert texts == ["A PAR R GAS", "A PAR R PIC", "A PAR D"]
    assert legal_orders(BOARD, start, Power("GERMANY")) == ()
    reason = why_illegal(BOARD, start, Power("FRANCE"), order("A PAR R BRE", "FRANCE"))
    assert (
        reason == "The army in Paris cannot retreat to Brest: it can retreat to Gascony or Picardy."
    )


def test_builds_name_each_coast() -> None:
    start = position("RUSSIA: A MOS H", "W1902A", {"RUSSIA": "MOS STP"})
    texts = [str(one) for one in legal_orders(BOARD, start, Power("RUSSIA"))]
    assert texts == ["A STP B", "F STP/NC B", "F STP/SC B", "WAIVE"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A MOS B", "Moscow is occupied."),
        ("A WAR B", "Russia does not own Warsaw now."),
        ("A RUM B", "Rumania is not a home center of Russia."),
        ("F STP B", "St. Petersburg has several coasts: specify the north coast or south coast."),
        ("A MOS D", "Russia has nothing to disband."),
    ],
)
def test_why_a_build_is_refused(text: str, sentence: str) -> None:
    start = position("RUSSIA: A MOS H", "W1902A", {"RUSSIA": "MOS STP RUM"})
    assert why_illegal(BOARD, start, Power("RUSSIA"), order(text, "RUSSIA")) == sentence


def test_disbands_are_offered_when_owed() -> None:
    start = position("RUSSIA: A MOS H, F SEV H", "W1902A", {"RUSSIA": "MOS"})
    texts = [str(one) for one in legal_orders(BOARD, start, Power("RUSSIA"))]
    assert texts == ["A MOS D", "F SEV D"]


def test_convoys_over_dozens_of_fleets_are_found_in_time() -> None:
    """A sea of 81 fleets, whose chains nobody could count one by one."""
    side = range(9)
    seas = {(x, y): ProvinceCode(f"S{x}{y}") for x in side for y in side}
    ports = [ProvinceCode("AAA"), ProvinceCode("BBB")]
    sails = [
        (Location(seas[x, y]), Location(seas[x + dx, y + dy]))
        for x, y in seas
        for dx, dy in ((1, 0), (0, 1), (1, 1))
        if (x + dx, y + dy) in seas
    ]
    sails += [(Location("AAA"), Location("S00")), (Location("BBB"), Location("S88"))]
    board = Board(
        name="ocean",
        powers=(PowerInfo(Power("SEALAND"), "Sealand", "Sealandic"),),
        provinces=(
            *(Province(code, code, Terrain.SEA) for code in seas.values()),
            *(Province(code, code, Terrain.COASTAL) for code in ports),
        ),
        army_borders=(),
        fleet_borders=tuple(sails),
        starts=(),
        victory_centers=1,
    )
    routes = KERNEL.find_routes(board, frozenset(seas.values()), ports[0])
    assert set(routes) == {"BBB"}
    assert {"S00", "S88"} <= routes[ports[1]]


def test_a_chain_of_five_hundred_fleets_is_followed_to_its_end() -> None:
    seas = [ProvinceCode(f"S{number:04}") for number in range(500)]
    places = [ProvinceCode("AAA"), *seas, ProvinceCode("BBB")]
    board = Board(
        name="strait",
        powers=(PowerInfo(Power("SEALAND"), "Sealand", "Sealandic"),),
        provinces=tuple(
            Province(code, code, Terrain.SEA if code in seas else Terrain.COASTAL)
            for code in places
        ),
        army_borders=(),
        fleet_borders=tuple((Location(a), Location(b)) for a, b in pairwise(places)),
        starts=(),
        victory_centers=1,
    )
    fleets = KERNEL.find_routes(board, frozenset(seas), ProvinceCode("AAA"))
    assert fleets == {"BBB": frozenset(seas)}


@pytest.mark.parametrize("start", ["LON", "SPA/SC", "XXX"])
def test_no_convoy_uses_a_fleet_that_is_not_at_sea(start: str) -> None:
    seas = {ProvinceCode("NTH"), ProvinceCode("MAO")}
    others = {ProvinceCode(code) for code in ("PAR", "SPA/SC", "XXX")}
    routes = KERNEL.find_routes(BOARD, seas | others, ProvinceCode(start))
    assert routes == KERNEL.find_routes(BOARD, seas, ProvinceCode(start))
    assert bool(routes) is (start == "LON")
