"""The catalog of reasons why a text cannot be read."""

import pytest

from diplomaccloud.judge import parse_order
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.messages.catalog import NOTATION
from diplomaccloud.judge.notation import NotationKey
from diplomaccloud.judge.notation.words import NotationError
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.standard.europe import standard_board

BOARD = standard_board()


def test_every_key_has_a_template() -> None:
    assert set(NOTATION) == set(NotationKey)


def test_an_error_has_its_key_and_typed_parameters() -> None:
    with pytest.raises(NotationError) as caught:
        parse_order("A MUN - TIROLYA", BOARD, starting_position(BOARD), Power("GERMANY"))
    assert caught.value.key is NotationKey.UNKNOWN_PROVINCE_ALIKE
    assert caught.value.parameters == {"word": "TIROLYA", "codes": ("TYR",)}
