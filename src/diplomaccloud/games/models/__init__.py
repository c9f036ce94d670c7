"""The rows of a game. Only `actions` write them; a person reads them through `viewpoint`.

Every foreign key is PROTECT: history is never deleted. Three things stay secret until their time:
the orders of a phase that is not processed, draw votes that are not counted, and who wrote
conditional orders.
"""

from diplomaccloud.games.models.game import DEFAULT_COLOR, Game, Status, powers_played_by
from diplomaccloud.games.models.log import Event, LogEntry
from diplomaccloud.games.models.orders import (
    FIRST_DRAFT,
    MAX_WRITTEN,
    ConditionalOrders,
    Draft,
    OrderRow,
    Submission,
    orders_by_unit,
)
from diplomaccloud.games.models.phase import (
    Attendance,
    Phase,
    Receipt,
    is_readiness_public,
    receipt_digest,
)
from diplomaccloud.games.models.seats import Invitation, Seat, Tenure
from diplomaccloud.games.models.votes import Ballot, Vote

__all__ = [
    "DEFAULT_COLOR",
    "FIRST_DRAFT",
    "MAX_WRITTEN",
    "Attendance",
    "Ballot",
    "ConditionalOrders",
    "Draft",
    "Event",
    "Game",
    "Invitation",
    "LogEntry",
    "OrderRow",
    "Phase",
    "Receipt",
    "Seat",
    "Status",
    "Submission",
    "Tenure",
    "Vote",
    "is_readiness_public",
    "orders_by_unit",
    "powers_played_by",
    "receipt_digest",
]
