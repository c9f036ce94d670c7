"""Games in the formats of other programs: `read_games` and `write_game`; see `docs/exchange.md`."""
