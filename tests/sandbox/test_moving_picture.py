"""A turn as a moving picture: which units move in it, and how."""

import pytest

from diplomaccloud.judge import adjudicate
from diplomaccloud.judge.board import Location
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.theme import LIGHT
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.position import starting_position
from diplomaccloud.sandbox import moving_picture
from diplomaccloud.sandbox.animation import JudgedPhase


@pytest.mark.parametrize(
    ("moves", "going", "bouncing"),
    [
        ({"PAR": "BUR"}, 1, 0),
        ({"PAR": "BUR", "MUN": "BUR"}, 0, 2),
        ({}, 0, 0),
    ],
)
def test_units_go_or_bounce(moves, going, bouncing, monkeypatch):
    monkeypatch.setattr(moving_picture, "compress_card", lambda _: b"land")
    chart = standard_chart()
    position = starting_position(chart.board)
    orders = [
        Move(unit, Location(moves[unit.province]))
        for unit in position.units
        if unit.province in moves
    ]
    turn = JudgedPhase(chart, chart.board, position, adjudicate(chart.board, position, orders))
    drawn = moving_picture.render_turn(turn, LIGHT)
    assert drawn.count('path="M0 0Q') == going + bouncing
    assert drawn.count('keyPoints="0;0;1;1"') == going
    assert drawn.count('keyPoints="0;0;0.46;0;0"') == bouncing
    # Nothing is there but what is drawn.
    assert "<title>" not in drawn
