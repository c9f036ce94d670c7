"""Our bots on other sites: they play through the HTTP API, like any program.

`player` reads boards and positions from the API's answers, plays the games of a token, waits for
events, and survives lost connections.
"""
