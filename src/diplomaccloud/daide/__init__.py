"""DAIDE: the protocol of the Diplomacy bot community.

`language` turns bytes into tokens and tokens into messages; `board` translates boards, positions,
orders and results into tokens. `table` is a game as a server sees it, and `player` as a client sees
it; neither uses sockets or clocks. `network` connects them to the world. `docs/daide.md` describes
the supported protocol.
"""
