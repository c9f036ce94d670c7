"""Marks on the board: drawing them, removing them, and their text in addresses."""

import pytest
from tests.sandbox.test_engine import NO_PROVINCE

from diplomaccloud.judge.drawing.chart import Mark, MarkKind
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.overlay import render_overlay, render_picture
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.maps.library import standard_hash
from diplomaccloud.sandbox.address import decode_state, encode_state
from diplomaccloud.sandbox.engine import (
    MAX_MARKS,
    MAX_PIN_TEXT,
    SandboxError,
    add_mark,
    clear_marks,
    remove_mark,
    start_state,
    step,
)

BOARD = standard_board()
WASH = Mark(MarkKind.WASH, "red", "PAR")
HATCH = Mark(MarkKind.HATCH, "blue", "MUN")
ARROW = Mark(MarkKind.ARROW, "green", "PAR", to="BUR")
PIN = Mark(MarkKind.PIN, "gold", "ENG", text="Leave it empty — même à l’été")
ALL = (WASH, HATCH, ARROW, PIN)


def draw(*marks, state=None):
    state = state or start_state(BOARD)
    for mark in marks:
        state = add_mark(BOARD, state, mark)
    return state


def test_marks_are_part_of_the_address_and_survive_a_step():
    state = draw(*ALL)
    key = standard_hash()
    assert decode_state(encode_state(state, BOARD, key), BOARD, key).marks == ALL
    assert step(BOARD, state).marks == ALL
    # The text of a state without marks is the same as before marks existed.
    plain = start_state(BOARD)
    assert encode_state(clear_marks(state), BOARD, key) == encode_state(plain, BOARD, key)


def test_a_second_tap_takes_a_mark_away_and_another_color_replaces_it():
    assert draw(WASH, WASH).marks == ()
    blue = Mark(MarkKind.WASH, "blue", "PAR")
    assert draw(WASH, blue).marks == (blue,)
    assert draw(PIN, PIN).marks == (PIN, PIN)
    assert remove_mark(draw(*ALL), 1).marks == (WASH, ARROW, PIN)


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        (Mark(MarkKind.WASH, "pink", "PAR"), "cannot have this color"),
        (Mark(MarkKind.WASH, "red", "XXX"), NO_PROVINCE),
        (Mark(MarkKind.ARROW, "red", "PAR"), "needs a province to point to"),
        (Mark(MarkKind.ARROW, "red", "PAR", to="PAR"), "two different provinces"),
        (Mark(MarkKind.PIN, "red", "PAR", text="a\0b"), r"U\+0000"),
        (Mark(MarkKind.PIN, "red", "PAR", text="a\u202eb"), r"U\+202E"),
        (Mark(MarkKind.PIN, "red", "PAR", text="a\ud800b"), r"U\+D800"),
        (Mark(MarkKind.PIN, "red", "PAR", text="e" + "\u0301" * 12), "accents"),
        (Mark(MarkKind.PIN, "red", "PAR", text="x" * (MAX_PIN_TEXT + 1)), "Shorten it by 1"),
    ],
)
def test_a_mark_that_cannot_be_drawn_is_refused(mark, message):
    with pytest.raises(SandboxError, match=message):
        draw(mark)


def test_the_number_of_marks_has_a_limit():
    state = draw(*[PIN] * MAX_MARKS)
    with pytest.raises(SandboxError, match="at most"):
        add_mark(BOARD, state, PIN)
    with pytest.raises(SandboxError, match="no longer exists"):
        remove_mark(state, MAX_MARKS)


def test_pictures_show_marks_with_their_text_escaped():
    chart, position = standard_chart(), starting_position(BOARD)
    nasty = Mark(MarkKind.PIN, "gold", "ENG", text="<script>alert(1)</script>")
    for drawn in (
        render_overlay(chart, position, marks=(*ALL, nasty)),
        render_picture(chart, position, marks=(*ALL, nasty)),
    ):
        assert "<script" not in drawn
        assert "&lt;script&gt;" in drawn
        for part in ('class="wash"', 'class="hatch"', 'class="arrow"', 'class="pin"'):
            assert part in drawn
    assert 'class="washes"' not in render_overlay(chart, position)
