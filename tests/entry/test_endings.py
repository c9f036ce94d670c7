"""Winning for two players, and when time is up."""

from datetime import date

import pytest
from judge.tests.shorthand import BOARD, position

from diplomaccloud.endings import (
    Measure,
    ShortGame,
    find_shared_ending,
    short_ending,
    turns_between,
)
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.results import Ending
from diplomaccloud.setups import setups


def winners(ending: Ending | None) -> tuple[str, ...] | None:
    return ending.winners if ending else None


CODES = BOARD.centers


def owned(**counts: int) -> dict[ProvinceCode, Power]:
    free = iter(CODES)
    return {next(free): Power(power) for power, count in counts.items() for _ in range(count)}


@pytest.mark.parametrize(
    ("counts", "won"),
    [
        ({"ENGLAND": 10, "FRANCE": 10, "RUSSIA": 4}, ("ENGLAND", "FRANCE", "RUSSIA")),
        ({"ENGLAND": 10, "FRANCE": 10, "RUSSIA": 3}, None),
        ({"AUSTRIA": 20, "TURKEY": 4, "ENGLAND": 8}, ("AUSTRIA", "GERMANY", "TURKEY")),
        ({"ENGLAND": 20}, None),
    ],
)
def test_two_players_need_24_centers(counts: dict[str, int], won: tuple[str, ...] | None) -> None:
    setup = setups()["2000-2"]
    assert setup.shared_centers == 24
    centers = owned(**counts)
    players, needed = setup.players, setup.shared_centers
    assert winners(find_shared_ending(BOARD, centers, players, needed, "Fall 1916")) == won


CENTERS = {"FRANCE": "PAR BRE", "ITALY": "ROM", "TURKEY": "CON SMY"}
PIECES = "FRANCE: A PAR H\nITALY: A ROM H, A VEN H, A NAP H\nTURKEY: A CON H"
FALL_1907 = Phase.parse("F1907M")


@pytest.mark.parametrize(
    ("now", "game", "won"),
    [
        ("F1907M", ShortGame(last=FALL_1907), None),
        ("F1907R", ShortGame(last=FALL_1907), None),
        ("W1907A", ShortGame(last=FALL_1907), None),
        ("S1908M", ShortGame(last=FALL_1907), ("FRANCE", "TURKEY")),
        ("S1908M", ShortGame(last=FALL_1907, measure=Measure.PIECES), ("ITALY",)),
        ("F1902M", ShortGame(turns=4), None),
        ("S1903M", ShortGame(turns=4), ("FRANCE", "TURKEY")),
        ("S1903M", ShortGame(), None),
        ("S1903M", ShortGame(last=FALL_1907, turns=4), ("FRANCE", "TURKEY")),
    ],
)
def test_a_short_game_ends_after_its_last_turn(
    now: str, game: ShortGame, won: tuple[str, ...] | None
) -> None:
    assert winners(short_ending(BOARD, position(PIECES, now, CENTERS), game)) == won


def test_a_date_gives_the_number_of_turns() -> None:
    """Two months of Wednesdays and Sundays, as the errata of document 2 have it."""
    assert turns_between(date(2026, 9, 2), date(2026, 11, 1), {2, 6}) == 18
    assert turns_between(date(2026, 9, 3), date(2026, 9, 5), {2, 6}) == 0
