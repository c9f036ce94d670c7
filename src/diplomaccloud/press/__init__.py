"""Press: messages between the players of a game, and personal messages between people.

Each feature has a room: a package with its rows (`models`), their changes (`actions`), what people
may know of them (`read`), and its pages (`wording`, `page`, `forms`, `views`). All rooms know
`table`; most features know `conversations`, which knows none of them; and `page` knows everything
that can be in a message. The contracts in `pyproject.toml` say which room knows which.

Actions are keyword-only functions, each one transaction under a lock, and time is an argument. In a
game, an action first locks the game through `games.table.lock`. For personal messages, it locks
the press versions of the two people.

Every read for a person goes through `read`, so that secrecy can be audited. What a viewer can read
depends on `Membership` rows and the current holders of the seats. The names of authors come only
from `Names` in `table.read`. For other people's conversations, the answer is the same as for
addresses that don't exist, after the same queries. Row keys reach no page: messages have numbers,
counted from the first one that the viewer can read.

`games` does not import this app. It connects to it through two lists in the settings:
`GAME_PANELS`, the panels of the game page, and `LIVE_COUNTERS`, the numbers that a live stream adds
to its messages.
"""
