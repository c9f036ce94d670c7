"""Errors for actions that are not allowed, each with the HTTP status of the response."""

from typing import ClassVar


class Refused(ValueError):
    """An action that is not allowed; nothing was changed."""

    status: ClassVar[int] = 400


class WrongMoment(Refused):
    """An action that the state of the game does not allow."""

    status = 409
