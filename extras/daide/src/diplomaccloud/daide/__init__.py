"""DAIDE: the protocol of the Diplomacy bot community.

`language` has tokens and turns bytes into messages, and `messages` has their grammar.
`board` and `orders` translate what our judge knows into tokens. `play` and `table` are a game as a
server sees it, and `player` as a client sees it; none of them uses sockets or clocks.
`network` connects them to the world, and `site` to a game on the site. `docs/daide.md` describes
the supported protocol.

Without sockets and clocks, a test can play a game message by message. Bytes that end a connection
are a `FrameError`, other faults a `MessageError` that names the token; nothing else is raised. An
order is valid if the judge says so. Press on the site consists of proposals, so the site's secrecy,
limits and rule of press apply to it.
"""
