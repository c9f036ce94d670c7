"""Our bots on other sites: they play through the HTTP API, like any program.

`player` reads boards and positions from the API's answers, plays the games of a token, waits for
events, and survives lost connections.

A bot stores nothing between calls: after being killed, it asks the site what is left to do.
"""
