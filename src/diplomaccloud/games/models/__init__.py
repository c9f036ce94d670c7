"""The rows of a game. Only `actions` writes them, and pages read them only through `viewpoint`.

Every foreign key is PROTECT: history is never deleted. These facts are secret: orders before their
phase is processed, draw votes before they are counted, who wrote conditional orders before the game
is over, and, forever, who is done talking.
"""

from diplomaccloud.games.models.bot_plans import BotPlan
from diplomaccloud.games.models.figures import (
    FIGURES,
    MIN_PEOPLE,
    Figures,
    GameResult,
    PlayerFigures,
    Unrated,
    count_people,
    find_result,
    find_unrated,
)
from diplomaccloud.games.models.game import DEFAULT_COLOR, Game, Status, powers_played_by
from diplomaccloud.games.models.log import (
    LEFT,
    ROLLED_BACK,
    ROLLED_FORWARD,
    TAKEN,
    Event,
    LogEntry,
)
from diplomaccloud.games.models.orders import (
    FIRST_DRAFT,
    MAX_WRITTEN,
    ConditionalOrders,
    Draft,
    OrderRow,
    Submission,
    lines_of_conditions,
    orders_by_unit,
    version_of_lines,
)
from diplomaccloud.games.models.phase import (
    Attendance,
    Phase,
    Receipt,
    is_readiness_public,
    receipt_digest,
)
from diplomaccloud.games.models.record import RecordLine, SaveReceipt, SigningKey
from diplomaccloud.games.models.rules import StoredRules, find_rules, store_rules
from diplomaccloud.games.models.seats import (
    ABANDONED,
    REMOVED,
    RESIGNED,
    Invitation,
    Seat,
    Tenure,
    must_ask_players,
)
from diplomaccloud.games.models.talk import TalkDone
from diplomaccloud.games.models.votes import (
    CARRIED,
    EXPIRED,
    FAILED,
    IMPOSSIBLE,
    MIN_REMOVERS,
    OUTCOMES,
    WITHDRAWN,
    Ballot,
    Question,
    RemovalCause,
    Terms,
    Vote,
    describe_question,
    terms_to_json,
)

__all__ = [
    "ABANDONED",
    "CARRIED",
    "DEFAULT_COLOR",
    "EXPIRED",
    "FAILED",
    "FIGURES",
    "FIRST_DRAFT",
    "IMPOSSIBLE",
    "LEFT",
    "MAX_WRITTEN",
    "MIN_PEOPLE",
    "MIN_REMOVERS",
    "OUTCOMES",
    "REMOVED",
    "RESIGNED",
    "ROLLED_BACK",
    "ROLLED_FORWARD",
    "TAKEN",
    "WITHDRAWN",
    "Attendance",
    "Ballot",
    "BotPlan",
    "ConditionalOrders",
    "Draft",
    "Event",
    "Figures",
    "Game",
    "GameResult",
    "Invitation",
    "LogEntry",
    "OrderRow",
    "Phase",
    "PlayerFigures",
    "Question",
    "Receipt",
    "RecordLine",
    "RemovalCause",
    "SaveReceipt",
    "Seat",
    "SigningKey",
    "Status",
    "StoredRules",
    "Submission",
    "TalkDone",
    "Tenure",
    "Terms",
    "Unrated",
    "Vote",
    "count_people",
    "describe_question",
    "find_result",
    "find_rules",
    "find_unrated",
    "is_readiness_public",
    "lines_of_conditions",
    "must_ask_players",
    "orders_by_unit",
    "powers_played_by",
    "receipt_digest",
    "store_rules",
    "terms_to_json",
    "version_of_lines",
]
