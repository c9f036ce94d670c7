"""Exceptions for refused actions: each class has an HTTP status, and its text is for the person.

`DamagedData` is not a refusal: stored data is damaged.
"""

from diplomaccloud.schedule.timer import Refused, WrongMoment

__all__ = ["Refused", "WrongMoment"]  # passed on, since actions raise them like those below


class NoSuchGame(Refused):
    """A game that does not exist, or that the viewer may not know about."""

    status = 404

    def __init__(self) -> None:
        super().__init__("Game not found, or you don't have access to it.")


class GameCanceled(Refused):
    """A game that its creator canceled before it started."""

    status = 410

    def __init__(self) -> None:
        super().__init__(
            "This game was canceled by its creator before it started. "
            "Join another game, or create one."
        )


class BadValue(Refused):
    """A value that is refused, among several given to an action; `name` is its argument."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name


class NoSuchPlayer(Refused):
    """A screen name that no other player has."""


class NotYourSeat(Refused):
    """An action for a country that the person does not play."""

    status = 403


class NoSuchDraft(Refused):
    """A draft that was deleted or renamed, or never existed."""

    def __init__(self) -> None:
        super().__init__("This draft no longer exists. Nothing was saved.")


class InputOutdated(Refused):
    """A form from a page that is older than the saved input."""

    status = 409


class SeatIsReady(WrongMoment):
    """Orders that a page saves by itself for a player who has marked them as ready."""

    def __init__(self) -> None:
        super().__init__("You are ready, so your orders were not changed.")


class PlayersDecide(Refused):
    """An action of a game master who plays or has played in the game: the other players decide."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "You play in this game or have played in it, so the other players decide this."
        )


class TooMuchText(Refused):
    """More text than the orders of one phase can need."""

    status = 413


class DeadlinePassed(Refused):
    """Orders for a phase that is closed."""

    status = 409


class DamagedData(ValueError):
    """A stored value that cannot be decoded."""
