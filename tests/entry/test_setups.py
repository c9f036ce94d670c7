"""Games for fewer players and other starts, as the documents print them."""

import pytest
from judge.tests.shorthand import lines, order

from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.legality.legal_orders import legal_orders
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.setups import Setup, flip_coin, setups

SETUPS = setups()


def short(setup: Setup) -> str:
    """Return who plays what by first letters: `E AF GT IR`."""
    return " ".join(sorted("".join(p[0] for p in powers) for powers in setup.players))


@pytest.mark.parametrize(
    ("name", "players", "idle", "year", "needed"),
    [
        ("standard", "A E F G I R T", "", 1901, 18),
        ("manual", "A E F G I R T", "", 1901, 18),
        ("2000-6", "A E F G R T", "I", 1901, 18),
        ("2000-5", "A E F R T", "GI", 1901, 18),
        ("2000-4", "AF E GT IR", "", 1901, 18),
        ("2000-3", "EGA FT RI", "", 1901, 18),
        ("2000-2", "AGT EFR", "I", 1914, 18),
        ("1961-6", "A E F G R T", "I", 1870, 18),
        ("1961-5", "A E F R T", "GI", 1801, 18),
        ("early-6", "A E F G I R", "", 1901, 16),
        ("early-5", "A E F G I", "", 1901, 13),
        ("early-4", "E F G I", "", 1901, 12),
        ("early-3", "E F G", "", 1901, 9),
    ],
)
def test_who_plays_what(name: str, players: str, idle: str, year: int, needed: int) -> None:
    setup = SETUPS[name]
    assert short(setup) == players
    assert "".join(power[0] for power in setup.idle) == idle
    assert setup.position.phase == Phase.parse(f"S{year}M")
    assert setup.board.victory_centers == needed
    assert setup.position == starting_position(setup.board)


def test_no_setup_is_missing() -> None:
    assert len(SETUPS) == 13
    assert all(name == setup.name for name, setup in SETUPS.items())


def test_the_reference_manual_begins_elsewhere() -> None:
    plain = {str(unit) for unit in starting_position(standard_board()).units}
    other = {str(unit) for unit in SETUPS["manual"].position.units}
    assert other - plain == {"F LVP", "A EDI", "F STP/NC"}
    assert plain - other == {"A LVP", "F EDI", "F STP/SC"}


@pytest.mark.parametrize(
    ("name", "gone", "kept"),
    [
        ("early-6", "ANK ARM CON SMY SYR BUL", "RUM GRE SEV"),
        ("early-5", "MOS SEV STP WAR UKR LVN FIN RUM", "GRE SER BUD GAL"),
        ("early-4", "GRE SER BUD GAL", "TRI VIE BOH TYR ALB"),
        ("early-3", "TRI VIE BOH TYR ROM NAP VEN APU PIE TUS TUN", "ALB NAF SPA BEL HOL"),
    ],
)
def test_the_early_boards_drop_provinces(name: str, gone: str, kept: str) -> None:
    board = SETUPS[name].board
    shut = dict(board.impassable)
    assert all(code not in board.by_code and code in shut for code in gone.split())
    assert all(code in board.by_code for code in kept.split())


@pytest.mark.parametrize("name", ["early-6", "early-5", "early-4", "early-3"])
def test_fleets_pass_from_the_black_sea_to_the_aegean(name: str) -> None:
    board = SETUPS[name].board
    near = board.destinations(UnitKind.FLEET, Location("BLA"))
    assert Location("AEG") in near
    assert Location("CON") not in near


@pytest.mark.parametrize(
    ("name", "centers"), [("early-6", 30), ("early-5", 25), ("early-4", 22), ("early-3", 16)]
)
def test_more_than_half_of_the_centers_left_wins(name: str, centers: int) -> None:
    board = SETUPS[name].board
    assert len(board.centers) == centers
    assert board.victory_centers == centers // 2 + 1


def test_with_four_players_trieste_and_vienna_are_neutral() -> None:
    setup = SETUPS["early-4"]
    board = setup.board
    assert all(board.by_code[ProvinceCode(code)].center for code in ("TRI", "VIE"))
    assert all(board.by_code[ProvinceCode(code)].home is None for code in ("TRI", "VIE"))
    assert not {"TRI", "VIE"} & {unit.province for unit in setup.position.units}
    assert not {"TRI", "VIE"} & set(setup.position.centers)


def test_idle_units_hold_may_be_supported_and_disband_when_dislodged() -> None:
    setup = SETUPS["2000-6"]
    text = "AUSTRIA: F TRI - VEN\nAUSTRIA: A VIE - TYR"
    given = [order(one, power) for power, one in lines(text)]
    after = adjudicate(setup.board, setup.position, given).next
    assert after.unit_in(ProvinceCode("VEN")) == setup.position.unit_in(ProvinceCode("VEN"))
    owed = [p for p in powers_to_order(setup.board, setup.position) if p not in setup.idle]
    assert len(owed) == 6


SPRING, FALL, NEXT = (Phase.parse(text) for text in ("S1914M", "F1914M", "S1915M"))


def _enterable(board: Board, power: str) -> set[str]:
    start = SETUPS["2000-2"].position
    goals = {str(getattr(one, "to", ""))[:3] for one in legal_orders(board, start, Power(power))}
    return {goal for goal in goals if goal in board.by_code}


def test_italy_cannot_be_entered_before_1915() -> None:
    setup = SETUPS["2000-2"]
    italian = {p.code for p in setup.board.provinces if p.home == "ITALY"}
    for phase in (SPRING, FALL):
        reached = _enterable(setup.board_at(phase), "AUSTRIA")
        assert not reached & italian
        assert "TYR" in reached
    assert _enterable(setup.board_at(NEXT), "AUSTRIA") & italian == {"VEN"}


def test_a_coin_gives_italy_to_one_side_in_1915() -> None:
    setup = SETUPS["2000-2"]
    assert setup.shared_centers == 24
    sides = {flip_coin(str(seed)) for seed in range(20)}
    assert sides == {0, 1}
    for seed in ("1", "2", "3", "4"):
        assert setup.players_at(FALL, seed) == setup.players
        joined = setup.players_at(NEXT, seed)
        assert ["ITALY" in powers for powers in joined].index(True) == flip_coin(seed)
        assert sum(map(len, joined)) == 7
