"""Games: seats, phases, orders and votes, from the lobby to the archive.

Layers, each of which imports only those to its right:
`urls`, `views`, `forms`, `presenters`, `viewpoint`, `actions`, `models`, `options`.

`models` hold fields, constraints, and facts about one row or one game. Every foreign key is
protected, because history is kept. `options` are what the players of a game agree on.

`actions` are the only writers: keyword-only functions, each one a transaction that locks the
game's row first. The time is an argument: an instant, or a clock to read under the lock. So is
randomness. An event row is written in the same transaction.

`viewpoint` holds every read for one viewer, as facts. Pages and JSON read nowhere else, so
whether a secret can leak is a question about one package. `presenters` turn these facts into
frozen values for templates, and hold all their wording.

A draft belongs to the holder of its seat; drafts of a previous holder are never shown or used.
Following conditional orders writes no public event and shows no ready flag; a test plays one game
with and without them and compares every page, event and log line.
"""
