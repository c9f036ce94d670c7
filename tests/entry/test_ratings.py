"""Ratings from places: who rises, who ties, who is last, and who can only rise."""

import pytest

from diplomaccloud.ratings import NEW_POWER, Rating, Seat, find_places, rate_game


def rate(*seats, players=(), powers=()):
    return rate_game([Seat(*seat) for seat in seats], dict(players), dict(powers))


def test_a_new_player_has_1500_points_and_a_winner_more():
    assert Rating().points == 1500
    players, powers = rate(("alice", "A", 1), ("bob", "B", 2), ("carol", "C", 2))
    assert players["alice"].points > 1500 > players["bob"].points
    assert players["bob"].mu == pytest.approx(players["carol"].mu)
    assert players["alice"].games == powers["A"].games == 1
    assert powers["A"].mu > NEW_POWER.mu > powers["B"].mu


def test_a_game_of_one_player_changes_nothing():
    assert rate(("alice", "A", 1)) == ({}, {})


def test_a_win_with_a_strong_power_is_worth_less():
    strong = {"A": Rating(5.0, 1.0, 50)}
    plain, _ = rate(("alice", "A", 1), ("bob", "B", 2))
    easy, _ = rate(("alice", "A", 1), ("bob", "B", 2), powers=strong)
    assert 25 < easy["alice"].mu < plain["alice"].mu


@pytest.mark.parametrize(("place", "is_rated"), [(1, True), (2, False)])
def test_who_can_only_rise_keeps_the_rating_after_a_loss(place, is_rated):
    seats = [("late", "A", place, True), ("bob", "B", 3 - place)]
    players, powers = rate(*seats)
    assert ("late" in players) == is_rated
    # The others and the powers change as if the player were like any other.
    usual, _ = rate(("late", "A", place), ("bob", "B", 3 - place))
    assert players["bob"] == usual["bob"]
    assert powers.keys() == {"A", "B"}


def test_two_players_of_one_power_change_it_once():
    _, powers = rate(("left", "A", 3), ("next", "A", 1), ("bob", "B", 2))
    assert powers["A"].games == 1


@pytest.mark.parametrize(
    ("ranks", "left", "places"),
    [
        ([1, 2, 2], [False] * 3, [1, 2, 2]),
        ([1, 1, 2, 2], [False] * 4, [1, 1, 3, 3]),
        ([2, 2, 2], [False] * 3, [1, 1, 1]),
        # The winner's former holder left, and so did one of the losers.
        ([1, 1, 2, 2], [False, True, False, True], [1, 3, 2, 3]),
    ],
    ids=["a solo", "a draw", "a bot won", "leavers are last, whatever the seat does"],
)
def test_places(ranks, left, places):
    assert find_places(ranks, left) == places
