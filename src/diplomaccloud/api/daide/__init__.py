"""Serving a game on the site to clients that speak DAIDE: `diplomaccloud daide --game`.

It reads through `viewpoint` and writes through `actions`, like the rest of the API. `seats` holds
the seats that players opened with tokens, `play` adapts the game to DAIDE tables, `meeting` sends
news to the clients, and `service` connects everything to the network.
"""
