"""Everything that changes a game: keyword-only verbs, each one transaction with its own lock.

The time is always an argument, and so is what is random.
"""

from diplomaccloud.games.actions.closing import lock_phase, receipt_digest
from diplomaccloud.games.actions.forming import (
    GamePlan,
    create_game,
    join_game,
    leave_game,
    name_country,
    random_text,
    start_game,
)
from diplomaccloud.games.actions.ordering import (
    Problem,
    Saved,
    save_orders,
    set_ready,
    unset_ready,
)
from diplomaccloud.games.actions.processing import (
    AT_ONCE,
    LEASE,
    advance,
    claim_phase,
    due_games,
    move_bots,
    phases_to_lock,
    process_phase,
    release_game,
)

__all__ = [
    "AT_ONCE",
    "LEASE",
    "GamePlan",
    "Problem",
    "Saved",
    "advance",
    "claim_phase",
    "create_game",
    "due_games",
    "join_game",
    "leave_game",
    "lock_phase",
    "move_bots",
    "name_country",
    "phases_to_lock",
    "process_phase",
    "random_text",
    "receipt_digest",
    "release_game",
    "save_orders",
    "set_ready",
    "start_game",
    "unset_ready",
]
