"""Games: seats, phases, orders and votes, from the lobby to the archive.

Each feature has a room: a package with its rows (`models`), their changes (`actions`), what one
reader may see of them (`read`), and its pages (`wording`, `page`, `forms`, `views`). `table` has
what all rooms share, and `visibility` says who may see which game; both know no room. `turn`
processes a phase, and `page` shows a game; both know all rooms. The contracts in `pyproject.toml`
say which room knows which other, and why.

Only `actions` write: each action is a keyword-only function and a transaction that locks the
game's row first. Time and randomness are arguments; the time is an instant, or a clock to read
under the lock. The action writes its event row in the same transaction. Every foreign key is
protected, because games are kept for good.

Every read for a person is a function of a `read` that takes a `Reader`, so no other module can
leak a secret. It returns frozen values, which `page` turns into the words of a page.

A draft belongs to the holder of its seat; drafts of a previous holder are never shown or used.
When conditional orders are used, no public event and no ready mark gives them away; a test plays
one game with and without them and compares every page, event and log line.
"""
