"""The table of DATC cases by editions and peers is up to date, and says only what is known."""

import pytest
from judge.tests.cases import case_position
from judge.tests.conformance import (
    BOARD,
    DOCUMENT,
    find_case,
    list_peer_differences,
    load_numbered_cases,
    load_peers,
    mark_edition,
    mark_peer,
    write_document,
)
from judge.tests.switches.looking import retreats, word

from diplomaccloud.judge.rules import EDITIONS, PEERS


def test_the_committed_table_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == write_document(), "run scripts/conformance"


def test_every_case_of_the_peers_is_one_of_ours_with_its_units() -> None:
    for peer in load_peers():
        assert peer.cases
        for number, expected in peer.cases.items():
            assert number in load_numbered_cases()
            units = case_position(find_case(number, "2000"), BOARD).units
            named = expected.moves | expected.stays | expected.dislodged
            assert named <= {str(unit) for unit in units}, (peer.name, number)
            assert named, (peer.name, number)


def test_our_edition_for_each_peer_judges_as_its_tests_expect() -> None:
    unexplained = [
        (peer.name, number, differences)
        for peer in load_peers()
        for number in peer.cases
        if (differences := list_peer_differences(number, peer, peer.edition))
    ]
    assert not unexplained


def test_marks_of_known_cases() -> None:
    """In 1971 a foreign fleet kidnaps an army; VIA without a convoy goes by land elsewhere."""
    assert mark_edition("6.G.2", "1971") == "≠"
    assert mark_edition("6.G.2", "2023") == "="
    peers = {peer.name: peer for peer in load_peers()}
    assert list_peer_differences("6.G.8", peers["diplomacy package"], "2000") == ["A BEL moves"]
    assert mark_peer("6.A.6", peers["webDiplomacy"]) == "–"
    assert mark_peer("6.J.1", peers["godip"]) == "?"


SAILED = """
ITALY: F NAP H
FRANCE: A ROM - NAP VIA, F TYS C A ROM - NAP, A APU S A ROM - NAP
"""
HALF_A_CONVOY = """
ITALY: A APU - ROM, F TYS C A APU - ROM
FRANCE: F ION H
"""


@pytest.mark.parametrize("edition", PEERS)
def test_a_peer_leaves_open_where_a_convoyed_attacker_came_from(edition: str) -> None:
    look = retreats("F NAP", SAILED)
    assert look(EDITIONS["2000"]) == ("ION",)
    assert look(EDITIONS[edition]) == ("ION", "ROM")


def test_only_a_whole_convoy_keeps_an_army_of_the_package_from_walking() -> None:
    look = word("A APU", HALF_A_CONVOY)
    assert look(EDITIONS["diplomacy package"]) == "moved"
    assert look(EDITIONS["2000"]) == look(EDITIONS["godip"]) == "nopath"
