"""What readers of games share: the error, and the orders of one phase."""

from collections.abc import Iterable, Mapping

from diplomaccloud.judge.game import Game


class ExchangeError(ValueError):
    """A game that cannot be read or written; the message names the smallest part at fault."""


def give_orders(game: Game, orders: Mapping[str, Iterable[str]], place: str) -> None:
    """Give each power's orders; raise `ExchangeError` for an order that cannot be read."""
    for power, texts in orders.items():
        try:
            problems = game.order(power, list(texts))
        except (ValueError, TypeError) as error:
            raise ExchangeError(f"{place}: {error}") from error
        for problem in problems:
            # Illegal orders are allowed, because they were void in the original game too.
            if not problem.is_unread:
                continue
            raise ExchangeError(
                f"{place}: {problem.power}: {problem.text[:80]!r}: {problem.message}"
            )


def require_phase(game: Game, phase: str, place: str) -> None:
    """Raise `ExchangeError` unless the game has reached `phase`."""
    if game.phase != phase:
        raise ExchangeError(f"{place}: the game has come to {game.phase}, not {phase[:12]!r}")
    if game.ending is not None:
        raise ExchangeError(f"{place}: the game was already over: {game.ending.reason}")
