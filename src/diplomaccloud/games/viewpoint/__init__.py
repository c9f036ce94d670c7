"""Everything that one viewer may see, as facts without wording.

Every read for a person is made here, so that secrecy is audited in one place. Orders are secret
until their phase is processed. Drafts are read in one function, `rows.GameRows.drafts`, only for
the viewer's own seat, and conditional orders in `conditional_orders`; `receipts` decides who may
read the text and salt of a receipt, and `names` which people have names. Everything else is the
same for everyone who may see the game. A private game is visible only to its players and, while
a seat is free, to people who have its code.

`GameReader` reads one game. Rows of the database never leave this package.
"""

from diplomaccloud.games.viewpoint.damage import is_damaged
from diplomaccloud.games.viewpoint.game_reader import GameReader
from diplomaccloud.games.viewpoint.visibility import (
    Viewer,
    find_visible,
    is_suspended,
    may_see,
    needs_code,
    viewer_of,
)

__all__ = [
    "GameReader",
    "Viewer",
    "find_visible",
    "is_damaged",
    "is_suspended",
    "may_see",
    "needs_code",
    "viewer_of",
]
