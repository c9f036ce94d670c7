"""Everything that changes a game: keyword-only verbs, each one transaction with its own lock.

The time is always an argument, and so is what is random.
"""

from diplomaccloud.games.actions.agreeing import GamePlan, OptionFault, plan_faults
from diplomaccloud.games.actions.aside import put_aside, release_game, try_again
from diplomaccloud.games.actions.balloting import vote_with_orders
from diplomaccloud.games.actions.botting import move_bots
from diplomaccloud.games.actions.closing import lock_phase, receipt_digest
from diplomaccloud.games.actions.drafting import drop_draft, make_live, new_draft, rename_draft
from diplomaccloud.games.actions.forming import (
    create_game,
    join_game,
    leave_game,
    random_text,
    start_game,
)
from diplomaccloud.games.actions.inviting import dismiss, invite, withdraw_invitation
from diplomaccloud.games.actions.leaving import remove_player, resign
from diplomaccloud.games.actions.mastering import change_time, force_phase, look_ahead, reprimand
from diplomaccloud.games.actions.motions import (
    cast_ballot,
    expire_motions,
    open_motion,
    withdraw_motion,
)
from diplomaccloud.games.actions.naming import color_country, name_country
from diplomaccloud.games.actions.ordering import Problem, Saved, save_orders, set_ready, unset_ready
from diplomaccloud.games.actions.outage import credit_outage
from diplomaccloud.games.actions.pausing import end_pauses
from diplomaccloud.games.actions.planning import save_plan
from diplomaccloud.games.actions.processing import (
    AT_ONCE,
    LEASE,
    advance,
    claim_phase,
    due_games,
    phases_to_lock,
    process_phase,
)
from diplomaccloud.games.actions.questions import Question, Terms
from diplomaccloud.games.actions.rolling import roll_back, roll_forward
from diplomaccloud.games.actions.taking import seat_bot, take_seat

__all__ = [
    "AT_ONCE",
    "LEASE",
    "GamePlan",
    "OptionFault",
    "Problem",
    "Question",
    "Saved",
    "Terms",
    "advance",
    "cast_ballot",
    "change_time",
    "claim_phase",
    "color_country",
    "create_game",
    "credit_outage",
    "dismiss",
    "drop_draft",
    "due_games",
    "end_pauses",
    "expire_motions",
    "force_phase",
    "invite",
    "join_game",
    "leave_game",
    "lock_phase",
    "look_ahead",
    "make_live",
    "move_bots",
    "name_country",
    "new_draft",
    "open_motion",
    "phases_to_lock",
    "plan_faults",
    "process_phase",
    "put_aside",
    "random_text",
    "receipt_digest",
    "release_game",
    "remove_player",
    "rename_draft",
    "reprimand",
    "resign",
    "roll_back",
    "roll_forward",
    "save_orders",
    "save_plan",
    "seat_bot",
    "set_ready",
    "start_game",
    "take_seat",
    "try_again",
    "unset_ready",
    "vote_with_orders",
    "withdraw_invitation",
    "withdraw_motion",
]
