"""DAIDE: the protocol that bots of the Diplomacy community speak.

`language` turns bytes into tokens and tokens into messages; `board` puts boards, positions, orders
and results into tokens. `table` is a game as a server sees it, `player` as a client does: both are
values and methods, without sockets and clocks. `network` connects them to the world.
`docs/daide.md` says what is spoken.
"""
