"""What is said of an illegal order: one sentence for every way to be illegal."""

import ast
import inspect
import random
import re

import pytest
from judge.tests.scenes import random_position
from judge.tests.shorthand import BOARD, order, position, unit

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
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.legality.legal_orders import (
    legal_orders,
    why_illegal,
)
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.messages.catalog import RefusalKey
from diplomaccloud.judge.orders import Convoy, Move, Order, SupportHold, SupportMove
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.rules import DEFAULT, Lapse, RuleSet, SupportCoast

WINTER = position("RUSSIA: A MOS H, A GAL H", "W1902A", {"RUSSIA": "MOS STP WAR", "ITALY": "SEV"})
POOR = position("RUSSIA: A MOS H", "W1902A", {"ITALY": "SEV"})


def retreating(unit_text: str, *retreats: str) -> Position:
    out = unit(unit_text, "FRANCE")
    gone = Dislodged(out, ProvinceCode("BUR"), tuple(map(Location, retreats)))
    return Position(Phase.parse("S1902R"), (), {}, (gone,))


ISLANDS = Board(
    name="islands",
    powers=(PowerInfo(Power("SEALAND"), "Sealand", "Sealandic"),),
    provinces=(
        Province(ProvinceCode("AAA"), "Aland", Terrain.COASTAL),
        Province(ProvinceCode("BBB"), "Bland", Terrain.COASTAL),
        Province(ProvinceCode("CCC"), "Cland", Terrain.COASTAL),
        Province(ProvinceCode("III"), "Inland", Terrain.INLAND),
    ),
    army_borders=((ProvinceCode("AAA"), ProvinceCode("III")),),
    fleet_borders=((Location("AAA"), Location("BBB")),),
    starts=(),
    victory_centers=1,
)


LON = position("ENGLAND: A LON H\nFRANCE: A PAR H")
FAULTS: dict[str, tuple[Position, str, str]] = {
    "no such place for a unit": (LON, "A XYZ H", "XYZ is not a province"),
    "nobody there": (LON, "A YOR H", "England has no unit in Yorkshire: "),
    "another's unit": (LON, "A PAR H", "England has no unit in Paris: the army there belongs to"),
    "an order of another phase": (
        LON,
        "A LON R YOR",
        "Only moves, holds, supports and",
    ),
    "no such goal": (LON, "A LON - XYZ", "XYZ is not a province of this board"),
    "already there": (LON, "A LON - LON", "The army is already in London"),
    "an army to sea": (LON, "A LON - NTH", "The North Sea is water"),
    "too far": (LON, "A LON - PAR", "does not border Paris: the army can go to"),
    "over sea without fleets": (LON, "A LON - NWY", "and no fleets at sea could convoy it"),
    "via convoy without fleets": (LON, "A LON - YOR VIA", "No fleets at sea could convoy an army"),
    "a fleet via convoy": (position("ENGLAND: F LON H"), "F LON - YOR VIA", "Only armies can be"),
    "a fleet inland": (position("FRANCE: F BRE H"), "F BRE - PAR", "is inland: a fleet cannot go"),
    "a fleet overland": (
        position("ITALY: F ROM H"),
        "F ROM - VEN",
        "The fleet cannot go directly from Rome to Venice: it can go to",
    ),
    "two coasts": (
        position("FRANCE: F MAO H"),
        "F MAO - SPA",
        "several coasts within reach",
    ),
    "the other coast": (
        position("FRANCE: F GAS H"),
        "F GAS - SPA/SC",
        "A fleet in Gascony can reach Spain only on the north coast, not on the south coast",
    ),
    "support for nobody": (LON, "A LON S A YOR", "There is no unit in Yorkshire"),
    "support for itself": (LON, "A LON S A LON", "convoy itself"),
    "support out of reach": (LON, "A LON S A PAR", "cannot support into Paris, where it could not"),
    "support of what it alone carries": (
        position("TURKEY: F BLA H, A RUM H"),
        "F BLA S A RUM - ARM",
        "cannot reach Armenia without a convoy by the fleet in the Black Sea",
    ),
    "support of an impossible move": (LON, "A LON S A PAR - YOR", "does not border Yorkshire"),
    "convoy by a fleet in port": (
        position("ENGLAND: F LON H, A YOR H"),
        "F LON C A YOR - BEL",
        "Only a fleet at sea can convoy, and London is not a sea province",
    ),
    "convoy of a fleet": (
        position("ENGLAND: F NTH H, F LON H"),
        "F NTH C F LON - BEL",
        "Only armies can be convoy",
    ),
    "convoy of no use": (
        position("FRANCE: F WES H, F LYO H, A MAR H"),
        "F WES C A MAR - SPA",
        "No convoy from Marseilles to Spain needs a fleet",
    ),
    "convoy on another sea": (
        position("ENGLAND: F BLA H, F NTH H, A LON H"),
        "F BLA C A LON - NWY",
        "No convoy from London to Norway needs a fleet in the Black Sea",
    ),
    "convoy to nowhere": (
        position("ENGLAND: F NTH H, A LON H"),
        "F NTH C A LON - XYZ",
        "XYZ is not a province",
    ),
    "a move while retreating": (
        retreating("A PAR", "GAS"),
        "A PAR - GAS",
        "Only retreats and",
    ),
    "no dislodged unit": (retreating("A PAR", "GAS"), "A BRE D", "has no dislodged unit in Brest"),
    "a closed retreat": (retreating("A PAR", "GAS"), "A PAR R PIC", "it can retreat to Gascony"),
    "no retreat at all": (retreating("A PAR"), "A PAR R PIC", "it can only disband"),
    "a move in winter": (WINTER, "A MOS - STP", "Only builds and disbands can be ordered in"),
    "nothing to disband": (WINTER, "A MOS D", "Russia has nothing to disband"),
    "not a home center": (WINTER, "A RUM B", "Rumania is not a home center of Russia"),
    "not owned": (WINTER, "F SEV B", "Russia does not own Sevastopol now"),
    "occupied": (WINTER, "A MOS B", "Moscow is occupied"),
    "a fleet built inland": (WINTER, "F WAR B", "Warsaw is inland: a fleet cannot be built there"),
    "a fleet built on no coast": (
        WINTER,
        "F STP B",
        "has several coasts: specify the north coast or south coast",
    ),
    "nothing to build": (POOR, "A STP B", "Russia has nothing to build"),
    "nothing to waive": (POOR, "WAIVE", "Russia has nothing to build"),
}
SWITCHED: dict[str, tuple[RuleSet, Position, str, str]] = {
    "the wrong kind": (
        RuleSet(kind_wrong=Lapse.INVALID),
        LON,
        "F LON H",
        "There is no fleet in London: England’s army is there",
    ),
    "the wrong nation": (
        RuleSet(nationality_wrong=Lapse.INVALID),
        position("ENGLAND: A LON H\nFRANCE: A WAL H"),
        "A LON S A WAL",
        "England has no unit in Wales: France’s army is there",
    ),
    "the wrong coast to stand on": (
        RuleSet(ignore_wrong_unit_coast=False),
        position("RUSSIA: F STP/NC H"),
        "F STP/SC - NWY",
        "The fleet in St. Petersburg is not on the south coast",
    ),
    "a coast that is not there": (
        RuleSet(ignore_needless_coast=False),
        position("FRANCE: A GAS H"),
        "A GAS - SPA/NC",
        "Spain has no north coast for this unit to go to",
    ),
    "a support without a coast": (
        RuleSet(support_coast=SupportCoast.REQUIRED),
        position("FRANCE: F MAO H, A GAS H"),
        "A GAS S F MAO - SPA",
        "The support must name the coast of Spain",
    ),
    "a waived build": (RuleSet(may_waive=False), WINTER, "WAIVE", "waived"),
}
OWNER = {id(WINTER): "RUSSIA", id(POOR): "RUSSIA", id(LON): "ENGLAND"}


def _power(start: Position) -> str:
    everyone = [*start.units, *(one.unit for one in start.dislodged)]
    return OWNER.get(id(start), everyone[0].power)


def _is_a_sentence(text: str) -> bool:
    plain = text.replace("St. Petersburg", "Petersburg")
    return re.fullmatch(r"[A-Z][^.\n]*\.", plain) is not None


@pytest.mark.parametrize(("start", "text", "part"), FAULTS.values(), ids=FAULTS)
def test_the_fault_is_one_sentence(start: Position, text: str, part: str) -> None:
    power = _power(start)
    told = why_illegal(BOARD, start, Power(power), order(text, power))
    assert told is not None
    assert part in told
    assert _is_a_sentence(told)


@pytest.mark.parametrize(("rules", "start", "text", "part"), SWITCHED.values(), ids=SWITCHED)
def test_a_stricter_rule_refuses_with_a_sentence(
    rules: RuleSet, start: Position, text: str, part: str
) -> None:
    power = _power(start)
    Reader(BOARD, start).read(Power(power), order(text, power))
    with pytest.raises(Refusal) as caught:
        Reader(BOARD, start, rules).read(Power(power), order(text, power))
    assert part in str(caught.value)
    assert _is_a_sentence(str(caught.value))


RAISED_ELSEWHERE = {
    RefusalKey.NOT_AN_ORDER,
    RefusalKey.TEXT_NOT_PARSED,
    RefusalKey.SUPPORT_IN_DISORDER,
    RefusalKey.DIFFERENT_ORDERS,
    RefusalKey.SUPPORT_OF_MOVER,
}
ON_ISLANDS = {
    RefusalKey.NO_BORDER_TO_CROSS_NO_CONVOY,
    RefusalKey.NOWHERE_TO_GO,
    RefusalKey.NOWHERE_TO_GO_NO_CONVOY,
}


def test_every_refusal_of_the_reader_is_among_these() -> None:
    rows = [(DEFAULT, *row[:2]) for row in FAULTS.values()]
    rows += [row[:3] for row in SWITCHED.values()]
    reached: set[int] = set()
    keys: set[RefusalKey] = set()
    for rules, start, text in rows:
        power = _power(start)
        with pytest.raises(Refusal) as caught:
            Reader(BOARD, start, rules).read(Power(power), order(text, power))
        keys.add(caught.value.key)
        reached.add(caught.traceback[-1].lineno + 1)
    lines, first = inspect.getsourcelines(Reader)
    missed = [
        ast.unparse(node)
        for node in ast.walk(ast.parse("".join(lines)))
        if isinstance(node, ast.Raise) and node.lineno + first - 1 not in reached
    ]
    assert missed == []
    assert keys == set(RefusalKey) - RAISED_ELSEWHERE - ON_ISLANDS


@pytest.mark.parametrize(
    ("here", "to", "sentence"),
    [
        (
            "AAA",
            "BBB",
            "The army cannot go directly from Aland to Bland: it can go to Inland,"
            " and no fleets at sea could convoy it.",
        ),
        (
            "CCC",
            "BBB",
            "The army in Cland cannot go anywhere from there, and no fleets at sea could"
            " convoy it.",
        ),
        ("CCC", "III", "The army in Cland cannot go anywhere from there."),
    ],
)
def test_a_move_between_islands_is_refused_with_a_sentence(
    here: str, to: str, sentence: str
) -> None:
    start = Position(Phase.parse("S1901M"), (unit(f"A {here}", "SEALAND"),), {})
    power = Power("SEALAND")
    move = Move(start.units[0], Location(to))
    assert why_illegal(ISLANDS, start, power, move) == sentence


@pytest.mark.parametrize("key", RefusalKey)
def test_every_refusal_has_a_whole_sentence(key: RefusalKey) -> None:
    army = unit("A PAR", "FRANCE")
    values = {
        "unit": army,
        "target": army,
        "kind": UnitKind.FLEET,
        "place": ProvinceCode("BRE"),
        "here": ProvinceCode("PAR"),
        "sea": ProvinceCode("ENG"),
        "coast": Location("SPA/NC"),
        "power": army.power,
        "owner": army.power,
        "phase": Phase.parse("S1901M"),
        "order": "A PAR H",
        "value": "A PAR H",
        "owed": 2,
        "choices": (Location("SPA/NC"), Location("SPA/SC")),
    }
    assert _is_a_sentence(str(Refusal(key, geography(BOARD), **values)))


@pytest.mark.parametrize("seed", range(4))
def test_an_order_is_legal_or_has_a_reason(seed: int) -> None:
    rng = random.Random(seed)
    start = random_position(BOARD, rng, 14)
    power = start.units[0].power
    legal = set(legal_orders(BOARD, start, power))
    for one in (_anything(start, rng) for _ in range(400)):
        told = why_illegal(BOARD, start, power, one)
        if one in legal:
            assert told is None
        elif told is not None:
            assert _is_a_sentence(told)
            assert one not in legal


def _anything(start: Position, rng: random.Random) -> Order:
    mine, other = rng.choice(start.units), rng.choice(start.units)
    to = rng.choice([*BOARD.locations(UnitKind.ARMY), *BOARD.locations(UnitKind.FLEET)])
    return rng.choice(
        [
            Move(mine, to, rng.random() < 0.3),
            SupportHold(mine, other),
            SupportMove(mine, other, to),
            Convoy(mine, other, ProvinceCode(to.partition("/")[0])),
        ]
    )
