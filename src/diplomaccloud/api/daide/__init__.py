"""A game of the site for clients that speak DAIDE: `diplomaccloud daide --game`.

It reads through `viewpoint` and writes through `actions`, like the rest of the API. `seats` are
those that their players opened with tokens, `play` is the game as the tables of DAIDE know it,
`meeting` brings its news to the clients, and `service` connects all that to the network.
"""
