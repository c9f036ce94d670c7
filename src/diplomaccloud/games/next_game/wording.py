"""Sentences about next games and their musters, and the numbers of people that they name."""

from typing import Final

USUAL_PEOPLE: Final = 4
"""A muster opens with this many people, and the game starts if this many confirm."""
FEWEST: Final = 2
"""The fewest people for whom a muster opens, or who can start with bots."""
OPENS_FIRST: Final = (
    "A muster opens when {people} people are in, or when two have waited for 24 hours."
)
OPENS_AGAIN: Final = "The next muster opens when one more person joins."
OPENS_LATER: Final = "The next muster opens when one more person joins, or after 24 hours."
ASKS: Final = (
    "Everyone then has {length} to confirm, or loses the seat without any effect on reliability."
)
STARTS: Final = (
    "The game starts if at least {people} confirm, with bots in the empty seats, and until then "
    "you can leave at any time."
)
CONFIRM: Final = (
    "A player who does not confirm before the muster ends loses the seat, without any effect on "
    "reliability."
)
WAITS: Final = "Confirm that you are there"
THEN: Final = (
    "The game starts at once when it is full and all have confirmed, or at the end of the muster "
    "with at least {people} people and bots in the empty seats."
)
ELSE: Final = (
    "With fewer people, those who confirmed keep their seats and wait for the next muster, and "
    "anyone can leave until the start."
)
WITH_BOTS: Final = (
    "Two or three people can also start now with bots, if all of them choose it. Such a game is "
    "unrated."
)
AGREED: Final = "{agreed} of {people} people want to start with bots."
