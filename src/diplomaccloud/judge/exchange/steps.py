"""Gives the orders of one phase to a game that is read, and names what is wrong with them."""

from collections.abc import Iterable, Mapping

from diplomaccloud.judge.exchange.errors import ExchangeError
from diplomaccloud.judge.game import Game


def give_orders(game: Game, orders: Mapping[str, Iterable[str]], place: str) -> None:
    """Give the orders of each power; raise `ExchangeError` for one that cannot be read."""
    for power, texts in orders.items():
        try:
            problems = game.order(power, list(texts))
        except (ValueError, TypeError) as error:
            raise ExchangeError(f"{place}: {error}") from error
        for problem in problems:
            # An illegal order is a fact of the game that is read: it was void there, too.
            if not problem.is_unread:
                continue
            raise ExchangeError(
                f"{place}: {problem.power}: {problem.text[:80]!r}: {problem.message}"
            )


def require_phase(game: Game, phase: str, place: str) -> None:
    """Raise `ExchangeError` unless the game has come to `phase`."""
    if game.phase != phase:
        raise ExchangeError(f"{place}: the game has come to {game.phase}, not {phase[:12]!r}")
    if game.ending is not None:
        raise ExchangeError(f"{place}: the game was over before: {game.ending.reason}")
