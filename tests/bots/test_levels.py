"""Five levels: legal orders without slips at each, in any position, and the same for a seed."""

import random
from collections.abc import Sequence

import pytest
from tests.bots.order_rows import read_texts, write_row
from tests.bots.policies import EUROPE, generated_board, play_states

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.candidates import Source
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.levels import CHARACTERS, LEVELS, TOLERANCE, choose_by_character
from diplomaccloud.bots.pacts import Pact, find_pact
from diplomaccloud.bots.repairs import combine_attacks, has_slip, repair
from diplomaccloud.bots.search import find_plan
from diplomaccloud.deals import Ordered, Terms
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.kernel.layout import pack_state, unpack_state
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.notation import parse_position
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position, starting_position
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.judge.units import Unit

NAMES = ["level:1", "level:2", "level:3:guardian"]


def ask(name: str, position: Position, power: str, board: Board = EUROPE) -> list[Order]:
    rng = random.Random(1)
    return list(find_bot(name).orders(board, position, Power(power), DEFAULT, rng))


def goal_of(order: Order) -> str | None:
    return province_of(order.to) if isinstance(order, Move | Retreat) else None


def find_slips(
    board: Board, position: Position, power: Power, orders: Sequence[Order]
) -> list[str]:
    """Return what a person at the table would call a slip."""
    slips, own = [], {order.unit: order for order in orders if not isinstance(order, Waive)}
    goals = [goal for order in orders if (goal := goal_of(order))]
    if len(set(goals)) < len(goals):
        slips.append("two units meet")
    stays = {unit.province for unit, order in own.items() if isinstance(order, Hold)}
    stays |= {
        unit.province
        for unit, order in own.items()
        if isinstance(order, SupportHold | SupportMove | Convoy)
    }
    if stays.intersection(goals) and position.phase.stage is Stage.MOVEMENT:
        slips.append("a unit moves to one that stays")
    for order in orders:
        match order:
            case SupportMove(_, target, to) | Convoy(_, target, to) if target in own:
                if goal_of(own[target]) != province_of(to):
                    slips.append(f"void: {order}")
            case SupportHold(_, target) if target in own and isinstance(own[target], Move):
                slips.append(f"void: {order}")
            case Move(unit) if _is_left(board, position, power, unit.province, goals):
                enemy = _find_enemies(board, position, power, unit.province)[0]
                if goal_of(order) != enemy:
                    slips.append(f"left: {order}")
            case Move(unit) if _is_given_up(board, position, power, order, goals):
                slips.append(f"given up: {order}")
            case _:
                pass
    return slips


def _find_enemies(board: Board, position: Position, power: Power, place: str) -> list[str]:
    return [
        unit.province
        for unit in position.units
        if unit.power != power and place in board.reach(unit.kind, unit.location)
    ]


def _is_left(
    board: Board, position: Position, power: Power, place: ProvinceCode, goals: list[str]
) -> bool:
    phase = position.phase
    return (
        (phase.season, phase.stage) == (Season.FALL, Stage.MOVEMENT)
        and position.centers.get(place) == power
        and place not in goals
        and len(_find_enemies(board, position, power, place)) == 1
    )


def _is_given_up(
    board: Board, position: Position, power: Power, move: Move, goals: list[str]
) -> bool:
    """Return whether a unit leaves a foreign center in Fall with nothing to win or to keep."""
    if (position.phase.season, position.phase.stage) != (Season.FALL, Stage.MOVEMENT):
        return False
    here, goal = board.by_code[move.unit.province], board.by_code[province_of(move.to)]
    is_prize = here.center and position.centers.get(here.code) != power
    is_kept = position.centers.get(goal.code) == power and not _find_enemies(
        board, position, power, goal.code
    )
    return is_prize and here.code not in goals and (not goal.center or is_kept)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [-1, 3])
def test_orders_are_legal_and_without_slips(name: str, number: int) -> None:
    board = EUROPE if number < 0 else generated_board(number)
    step = 6 if SLOW_KERNEL else 3
    for count, states in enumerate(play_states(board, 1, 16, seed=5)):
        position = unpack_state(board, states)
        for info in board.powers[count % step :: step]:
            rng = random.Random(count)
            orders = find_bot(name).orders(board, position, info.power, DEFAULT, rng)
            assert set(orders) <= set(legal_orders(board, position, info.power))
            assert find_slips(board, position, info.power, orders) == [], position


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_orders(name: str) -> None:
    position = starting_position(EUROPE)
    assert ask(name, position, "FRANCE") == ask(name, position, "FRANCE")


@pytest.mark.parametrize("name", NAMES)
def test_a_center_is_not_left_to_a_lone_enemy_in_fall(name: str) -> None:
    position = parse_position(
        "F1903M FRANCE: A PAR; GERMANY: A BUR; centers FRANCE: PAR MAR; centers GERMANY: MUN BER"
    )
    (order,) = ask(name, position, "FRANCE")
    assert isinstance(order, Hold) or goal_of(order) == "BUR"


@pytest.mark.parametrize("name", NAMES[:2])
def test_a_unit_in_a_foreign_center_takes_it_in_fall(name: str) -> None:
    position = parse_position(
        "F1903M RUSSIA: A MOS, A MUN; TURKEY: F CON; "
        "centers RUSSIA: MOS WAR; centers GERMANY: BER; centers TURKEY: CON ANK SMY"
    )
    for seed in range(40):
        rng = random.Random(seed)
        orders = find_bot(name).orders(EUROPE, position, Power("RUSSIA"), DEFAULT, rng)
        (order,) = (each for each in orders if each.unit.province == "MUN")
        assert goal_of(order) in {None, "BER", "KIE"}


@pytest.mark.parametrize(
    ("position", "given", "wanted"),
    [
        # Norway is guarded by the fleet there, so the one in the Barents Sea is spare.
        (
            "ENGLAND: F LON, F BAR, F NWY; FRANCE: F ENG; RUSSIA: A STP; centers ENGLAND: LON NWY; "
            "centers FRANCE: BRE MAR; centers RUSSIA: STP",
            "F LON D",
            "F BAR D",
        ),
        # Liverpool is not in danger; the guard of London is needed.
        (
            "ENGLAND: F LON, A LVP, F NWG, F NWY; FRANCE: F ENG; RUSSIA: A STP; "
            "centers ENGLAND: EDI LON LVP; centers FRANCE: BRE MAR; centers RUSSIA: STP NWY",
            "F LON D",
            "A LVP D",
        ),
        # Clyde has Edinburgh to guard if the fleet there is disbanded, so only one is exchanged.
        (
            "ENGLAND: F EDI, F LON, A CLY, F BAR; FRANCE: F NTH, F IRI; RUSSIA: A STP, F NWY; "
            "centers ENGLAND: EDI LON; centers FRANCE: PAR BRE MAR; centers RUSSIA: STP NWY LVP",
            "F EDI D, F LON D",
            "F BAR D, F EDI D",
        ),
        # Saint Petersburg is free to take.
        (
            "ENGLAND: F LON, F BAR; FRANCE: F ENG; centers ENGLAND: LON; centers FRANCE: BRE MAR",
            "F LON D",
            "F LON D",
        ),
    ],
)
def test_guards_are_exchanged_for_spare_units_once(position: str, given: str, wanted: str) -> None:
    source, row = write_row(parse_position(f"W1905A {position}"), "ENGLAND", given)
    repaired = repair(source, row)
    assert read_texts(source, "ENGLAND", repaired) == wanted
    assert not has_slip(source, repaired)


def agree(position: Position, power: str, promised: Ordered) -> Pact:
    """Return the pact of a power that made a deal with France."""
    parties = (Power("FRANCE"), Power(power))
    terms = Terms(position.phase, parties, ((promised,),))
    return find_pact(EUROPE, position, Power(power), [(terms, 0)])


def test_a_unit_that_is_promised_to_stay_is_not_spare() -> None:
    position = parse_position(
        "W1905A ENGLAND: F LON, F BAR, F NWY; FRANCE: F ENG; RUSSIA: A STP; "
        "centers ENGLAND: LON NWY; centers FRANCE: BRE MAR; centers RUSSIA: STP"
    )
    (barents,) = (unit for unit in position.units if unit.province == "BAR")
    pact = agree(position, "ENGLAND", Ordered(Disband(barents), given=False))
    source, row = write_row(position, "ENGLAND", "F LON D", pact)
    assert repair(source, row) == row


def test_a_province_whose_builds_are_all_promised_away_gets_none() -> None:
    position = parse_position(
        "W1905A RUSSIA: A UKR; FRANCE: A PAR; centers RUSSIA: MOS SEV; centers FRANCE: PAR"
    )
    army = Unit(UnitKind.ARMY, Location("MOS"), Power("RUSSIA"))
    pact = agree(position, "RUSSIA", Ordered(Build(army), given=False))
    source, _ = write_row(position, "RUSSIA", "", pact)
    drawn = {tuple(source.draw_set()) for _ in range(60)}
    (sevastopol,) = (here for here in source.units if EUROPE.provinces[here].code == "SEV")
    assert drawn == {(sevastopol,)}


def test_captains_give_no_second_support_to_an_attack_that_has_a_promised_one() -> None:
    position = parse_position(
        "S1903M AUSTRIA: A TRI, A TYR; FRANCE: A PIE; ITALY: A VEN; "
        "centers AUSTRIA: TRI VIE; centers FRANCE: MAR; centers ITALY: VEN ROM"
    )
    trieste, piedmont = (
        next(unit for unit in position.units if unit.province == code) for code in ("TRI", "PIE")
    )
    aid = SupportMove(piedmont, trieste, Location("VEN"))
    pact = agree(position, "AUSTRIA", Ordered(aid, given=True))
    source, row = write_row(position, "AUSTRIA", "A TRI - VEN, A TYR H", pact)
    assert combine_attacks(source, row) == row


@pytest.mark.parametrize("name", NAMES)
def test_a_spare_unit_is_disbanded_rather_than_the_only_guard_of_a_center(name: str) -> None:
    position = parse_position(
        "W1905A ENGLAND: F LON, F BAR, F NWY; FRANCE: F ENG, A PIC; RUSSIA: A STP; "
        "centers ENGLAND: LON NWY; centers FRANCE: PAR BRE MAR; centers RUSSIA: STP"
    )
    for seed in range(20):
        rng = random.Random(seed)
        orders = find_bot(name).orders(EUROPE, position, Power("ENGLAND"), DEFAULT, rng)
        (gone,) = (each.unit.province for each in orders if isinstance(each, Disband))
        assert gone != "LON"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("A TRI - VEN, A TYR - MUN, A VIE H", "A TRI - VEN, A TYR S A TRI - VEN, A VIE H"),
        ("A TRI H, A TYR - VEN, A VIE H", "A TRI S A TYR - VEN, A TYR - VEN, A VIE H"),
        ("A TRI H, A TYR - MUN, A VIE - BOH", "A TRI H, A TYR - MUN, A VIE - BOH"),
        # Tyrolia may have to stay for Vienna, and nobody needs help against an empty province.
        ("A TRI - VEN, A TYR H, A VIE - TYR", "A TRI - VEN, A TYR H, A VIE - TYR"),
        ("A TRI H, A TYR - BOH, A VIE H", "A TRI H, A TYR - BOH, A VIE H"),
    ],
)
def test_captains_support_an_attack_instead_of_making_two(given: str, wanted: str) -> None:
    position = parse_position(
        "S1903M AUSTRIA: A TRI, A TYR, A VIE; ITALY: A VEN; GERMANY: A MUN; "
        "centers AUSTRIA: TRI VIE BUD; centers ITALY: VEN ROM NAP; centers GERMANY: MUN BER KIE"
    )
    source, row = write_row(position, "AUSTRIA", given)
    assert read_texts(source, "AUSTRIA", combine_attacks(source, row)) == wanted


@pytest.mark.parametrize("name", NAMES)
def test_no_build_is_waived_that_is_possible(name: str) -> None:
    position = parse_position(
        "W1903A FRANCE: A BUR, A GAS; centers FRANCE: PAR MAR BRE SPA POR; centers GERMANY: MUN BER"
    )
    orders = ask(name, position, "FRANCE")
    assert len(orders) == 3
    assert all(isinstance(order, Build) for order in orders)


@pytest.mark.parametrize("name", NAMES)
def test_a_power_without_home_centers_builds_nothing(name: str) -> None:
    position = parse_position(
        "W1903A FRANCE: A BUR; centers FRANCE: SPA POR; centers GERMANY: PAR MAR BRE MUN BER"
    )
    assert ask(name, position, "FRANCE") == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("phase", ["S1903M", "F1903M", "S1903R", "W1903A"])
def test_a_power_without_anything_to_order_gives_no_orders(name: str, phase: str) -> None:
    position = parse_position(f"{phase} GERMANY: A BUR; centers GERMANY: MUN")
    assert ask(name, position, "FRANCE") == []


@pytest.mark.parametrize("name", NAMES)
def test_a_power_with_forty_units_gives_forty_orders(name: str) -> None:
    codes = [province.code for province in EUROPE.provinces if province.code != "BUR"]
    wanted = [f"{kind} {code}" for code in codes for kind in "AF" if _can_stand(kind, code)]
    units = list({unit[2:]: unit for unit in wanted}.values())
    position = parse_position(
        f"S1903M FRANCE: {', '.join(units[:40])}; GERMANY: A BUR; "
        "centers FRANCE: PAR; centers GERMANY: MUN"
    )
    orders = ask(name, position, "FRANCE")
    assert len(orders) == 40
    assert set(orders) <= set(legal_orders(EUROPE, position, Power("FRANCE")))


def _can_stand(kind: str, code: str) -> bool:
    """Return whether a unit of this type can be there."""
    try:
        parse_position(f"S1903M FRANCE: {kind} {code}; centers FRANCE: PAR")
    except ValueError:
        return False
    return True


def test_a_character_chooses_among_what_is_worth_nearly_as_much_as_the_best() -> None:
    state = pack_state(EUROPE, starting_position(EUROPE))
    chosen = set()
    for seed in range(5):
        rng = random.Random(seed)
        source = Source(EUROPE, state, 2, rng)
        plan = find_plan(Source(EUROPE, state, 2, rng), 300)
        values = dict(plan.alternatives)
        assert plan.alternatives[0] == (plan.orders.tobytes(), plan.value)
        assert choose_by_character("", source, plan.alternatives) == plan.orders.tobytes()
        for character in CHARACTERS:
            row = choose_by_character(character, source, plan.alternatives)
            assert values[row] >= (1 - TOLERANCE) * plan.value
            chosen.add((seed, row))
    assert len(chosen) > 5


@pytest.mark.skipif(bool(SLOW_KERNEL), reason="takes a minute: run scripts/kernel")
@pytest.mark.parametrize("power", EUROPE.power_info)
def test_no_country_opens_each_game_alike(power: Power) -> None:
    bot, start = find_bot("level:3"), starting_position(EUROPE)
    openings = {
        tuple(sorted(map(str, bot.orders(EUROPE, start, power, DEFAULT, random.Random(seed)))))
        for seed in range(12)
    }
    assert len(openings) >= 3


def test_budgets_grow_with_the_levels() -> None:
    budgets = [level.budget for level in LEVELS]
    assert budgets == sorted(budgets)
    assert len({level.title for level in LEVELS}) == 5


@pytest.mark.parametrize(
    "name", ["level:", "level:0", "level:6", "level:2:poet", "level:1:", "x:1"]
)
def test_unknown_levels_are_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(ValueError, match=r"level:1 to level:5|there is no bot"):
        find_bot(name)
