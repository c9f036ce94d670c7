"""Games in the formats of other programs: `read_games` and `write_games`; see `docs/exchange.md`.

Private: the command `diplomaccloud convert` is the public way in.
"""

from diplomaccloud.judge.exchange.errors import ExchangeError
from diplomaccloud.judge.exchange.formats import FORMATS, read_games, write_games

__all__ = ["FORMATS", "ExchangeError", "read_games", "write_games"]
