"""The table of DATC cases by editions and peers is up to date, and says only what is known."""

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
