"""Serving a game on the site to clients that speak DAIDE: `diplomaccloud daide --game`."""
