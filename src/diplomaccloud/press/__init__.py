"""Press: how the players of a game talk, and personal messages between people.

Layers, as in `games`: urls -> views -> forms | presenters -> actions | viewpoint -> table ->
models -> rules -> addresses | ranges | text -> errors. All from `rules` on are pure values.
`actions` are the only writers and take the lock of the game first; every read for a person goes
through `viewpoint`, so that secrecy is audited there.

`games` does not know this app. It gives it two seams, both lists in the settings: `GAME_PANELS`,
panels of the game's page, and `LIVE_COUNTERS`, numbers that a live stream adds to its messages.
"""
