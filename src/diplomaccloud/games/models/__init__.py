"""What is stored of a game. Writes go through `actions`, a person's reads through `viewpoint`.

Every key is PROTECT: history is kept for ever. Three things are never told before their time:
the orders of a phase that is not processed, votes that are not counted, and who wrote ahead.
"""

from diplomaccloud.games.models.game import Game, Invitation, Seat, Status, Tenure
from diplomaccloud.games.models.log import Event, LogEntry
from diplomaccloud.games.models.orders import Draft, OrderRow, Plan, Submission
from diplomaccloud.games.models.phase import Attendance, Phase, Receipt
from diplomaccloud.games.models.votes import Ballot, Motion

__all__ = [
    "Attendance",
    "Ballot",
    "Draft",
    "Event",
    "Game",
    "Invitation",
    "LogEntry",
    "Motion",
    "OrderRow",
    "Phase",
    "Plan",
    "Receipt",
    "Seat",
    "Status",
    "Submission",
    "Tenure",
]
