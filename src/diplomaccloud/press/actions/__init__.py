"""All changes to press: keyword-only functions, each one transaction under a lock.

Time is an argument. In a game, an action first locks the game through `games.table.lock`. For
personal messages, it locks the press versions of the two people. Imports go down: marks, choices,
looks, opening -> personal -> sending, gray -> attachments -> delivery, refusals, limits ->
versions, events.
"""
