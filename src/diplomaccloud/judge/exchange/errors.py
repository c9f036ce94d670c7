"""The error for a text that does not hold a game."""


class ExchangeError(ValueError):
    """A game that cannot be read or written; the message names the smallest part at fault."""
