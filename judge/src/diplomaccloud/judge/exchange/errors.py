"""The error for games that cannot be read or written."""


class ExchangeError(ValueError):
    """A game that cannot be read or written; the message names the smallest part at fault."""
