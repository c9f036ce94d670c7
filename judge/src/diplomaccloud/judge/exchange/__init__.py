"""Games in the formats of other programs: `read_games` and `write_games`; see `docs/exchange.md`.

This package is private; its public interface is the command `diplomaccloud convert`.
"""

from diplomaccloud.judge.exchange.formats import FORMATS, read_games, write_games
from diplomaccloud.judge.exchange.steps import ExchangeError

__all__ = ["FORMATS", "ExchangeError", "read_games", "write_games"]
