"""Why an action is refused; each kind has its HTTP status, and its text is for the person."""

from diplomaccloud.schedule.errors import Refused, WrongMoment

__all__ = [
    "DeadlinePassed",
    "NoSuchGame",
    "NoSuchPlayer",
    "NotYourSeat",
    "Refused",
    "TooMuchText",
    "WrongMoment",
]


class NoSuchGame(Refused):
    """A game that does not exist, or that the viewer may not know of."""

    status = 404

    def __init__(self) -> None:
        super().__init__("There is no such game, or it is not yours to see.")


class NoSuchPlayer(Refused):
    """A screen name that nobody has, or that is one's own."""


class NotYourSeat(Refused):
    """An action for a country that is not the person's own."""

    status = 403


class TooMuchText(Refused):
    """More text than the orders of one phase can need."""

    status = 413


class DeadlinePassed(Refused):
    """Orders for a phase that is closed."""

    status = 409
