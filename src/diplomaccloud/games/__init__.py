"""Games: seats, phases, orders and votes, from the lobby to the archive.

The layers, each of which imports only the layers to its right:
`urls`, `views`, `forms`, `presenters`, `viewpoint`, `actions`, `models`, `options`.

`models` hold fields, constraints, and facts about one row or one game. Every foreign key is
protected, because games are kept for good. `options` holds what the players of a game agree on.

Only `actions` writes: each action is a keyword-only function and a transaction that locks the
game's row first. Time and randomness are arguments; the time is an instant, or a clock to read
under the lock. The action writes its event row in the same transaction.

`viewpoint` reads what one viewer may see, as facts. Pages and JSON read only through it, so
no other package can leak a secret. `presenters` turns these facts into frozen values for
templates, and holds all their wording.

A draft belongs to the holder of its seat; drafts of a previous holder are never shown or used.
When conditional orders are used, no public event and no ready mark gives them away; a test plays
one game with and without them and compares every page, event and log line.
"""
