"""Errors of the app."""


class RefusedDestination(ValueError):
    """A destination that cannot be used; the text tells the person why."""
