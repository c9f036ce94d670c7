"""Texts that would take long to read: limits that are stated, and work that grows with the text."""

import random
from difflib import get_close_matches

import pytest
from judge.tests.notation.positions import BOARD, NORTH

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.notation import NotationKey, Piece, parse_sheet, sheets
from diplomaccloud.judge.notation.positions import _Reading, parse_position
from diplomaccloud.judge.notation.words import MAX_LINE, names_of
from diplomaccloud.judge.position import PositionError

GERMANY = Power("GERMANY")
HOLDS = "A MUN H, A RUH H"


def test_a_line_that_is_too_long_is_refused_and_the_next_is_read() -> None:
    long = f"{HOLDS}{', x' * MAX_LINE}"
    sheet = parse_sheet(f"{long}\n{HOLDS}", BOARD, NORTH, GERMANY)
    assert list(map(str, sheet.orders)) == ["A MUN H", "A RUH H"]
    (error,) = sheet.errors
    assert "4000 characters" in error.message.replace(",", "")


HOSTILE = [
    "if a, ",
    "not A PAR - BUR, ",
    "x y z;",
    "france , ",
    "a,",
    "a;",
    "A PRA - BRU, ",
    "a b ",
]


@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.parametrize("length", [3_900, 60_000])
def test_the_parts_of_a_line_are_read_about_once(
    part: str, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = sheets.LineReader._read_part
    calls: list[str] = []

    def note(self: sheets.LineReader, text: str, *, is_followed: bool) -> list[Piece]:
        calls.append(text)
        return read(self, text, is_followed=is_followed)

    monkeypatch.setattr(sheets.LineReader, "_read_part", note)
    parse_sheet(part * (length // len(part)), BOARD, NORTH, GERMANY)
    assert len(calls) <= sheets.MAX_LINES + 2


def test_pieces_that_follow_one_another_are_counted_while_they_are_read() -> None:
    line = sheets.LineReader(BOARD, NORTH, (GERMANY,)).read("a b " * 900)
    assert len(line) == sheets.MAX_LINES + 1
    sheet = parse_sheet("a b " * 900, BOARD, NORTH, GERMANY)
    assert [error.error.key for error in sheet.errors] == [NotationKey.TOO_MANY_ORDERS]


def test_names_alike_are_those_that_difflib_finds() -> None:
    names, dice = names_of(BOARD), random.Random(7)
    known = list(names._exact_codes)
    for _ in range(400):
        word = list(dice.choice(known))
        for _ in range(dice.randint(0, 4)):
            at = dice.randrange(len(word) + 1)
            word[at : at + dice.randint(0, 1)] = dice.choice(["", *"abcxyz-é"])
        wanted = "".join(word) or "q"
        near = get_close_matches(wanted, known, n=8, cutoff=0.6)
        near.sort(key=lambda form: (form[0] != wanted[0], sorted(form) != sorted(wanted)))
        codes = dict.fromkeys(code for form in near for code in names._exact_codes[form])
        assert names.alike(wanted) == list(codes)[:3]


def test_a_position_is_not_read_to_its_end_after_many_faults() -> None:
    with pytest.raises(PositionError) as caught:
        parse_position("S1901M FRANCE: " + ", ".join(f"A X{i}" for i in range(2_000)))
    assert len(caught.value.problems) == 50


@pytest.mark.parametrize("gap", [" ", "\n", " \n", "\t"])
def test_the_patterns_of_positions_meet_no_long_gaps(gap: str) -> None:
    text = f"S1901R dislodged FRANCE: A PAR{gap * 30_000}(x"
    assert len(_Reading(BOARD, text)._text) < 50
    with pytest.raises(PositionError):
        parse_position(text)
