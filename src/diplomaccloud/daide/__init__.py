"""DAIDE: the protocol of the Diplomacy bot community.

`frames` turns bytes into messages, `language` has their tokens, and `messages` their grammar.
`board` and `orders` translate what our judge knows into tokens. `play`, `meeting` and `table` are a
game as a server sees it, and `player` as a client sees it; none of them uses sockets or clocks.
`network` connects them to the world, and `site` to a game on the site. `docs/daide.md` describes
the supported protocol.
"""
