"""Press: messages between the players of a game, and personal messages between people.

Layers, as in `games`: urls -> views -> forms | presenters -> actions | viewpoint -> table -> models
-> rules -> addresses | ranges | text -> errors. Everything from `rules` on is pure values. Only
`actions` write, and they lock the game first. Every read for a person goes through `viewpoint`, so
that secrecy can be audited there.

`games` does not import this app. It connects to it through two lists in the settings:
`GAME_PANELS`, the panels of the game page, and `LIVE_COUNTERS`, the numbers that a live stream adds
to its messages.
"""
