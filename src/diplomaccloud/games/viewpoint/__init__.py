"""Everything that one viewer may see, as plain facts without wording.

All reads for a person are made here, so that secrecy can be audited in one place. Orders are secret
until their phase is processed. Only `rows.GameRows.drafts` reads drafts, and only for the viewer's
own seat; only `conditional_orders` reads conditional orders; `receipts` decides who may read the
text and salt of a receipt, and `names` whose names are shown. Everything else is the same for
everyone who may see the game. A private game is visible only to its players and, while a seat is
free, to people who have its code.

`GameReader` reads one game. Database rows never leave this package.
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
