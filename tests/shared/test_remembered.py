"""Remembered values: each is made once, and the oldest are forgotten."""

import pytest

from diplomaccloud.shared.remembered import Remembered


@pytest.fixture
def squares():
    """A function that returns squares, and the numbers that were squared."""
    remembered, made = Remembered(2), []

    def square(number):
        def make():
            made.append(number)
            return number**2

        return remembered.find_or_make(number, make)

    return square, made, remembered


def test_a_value_is_made_once(squares):
    square, made, _ = squares
    assert [square(2), square(2), square(3), square(2)] == [4, 4, 9, 4]
    assert made == [2, 3]


def test_the_value_that_was_not_asked_for_the_longest_is_forgotten(squares):
    square, made, _ = squares
    for number in (2, 3, 2, 4, 2, 3):
        square(number)
    assert made == [2, 3, 4, 3]


def test_all_are_forgotten_on_request(squares):
    square, made, remembered = squares
    square(2)
    remembered.clear()
    square(2)
    assert made == [2, 2]


def test_a_value_whose_making_fails_is_not_remembered(squares):
    _, _, remembered = squares
    with pytest.raises(ZeroDivisionError):
        remembered.find_or_make(1, lambda: 1 // 0)
    assert remembered.find_or_make(1, lambda: "made") == "made"
