"""Everything that changes a game: keyword-only functions, each a transaction under the game's lock.

Time and randomness are arguments. Imports go down one level at a time:
guests -> lobby, master -> phases -> orders, seats -> votes -> deadlines -> locks, log, ending ->
events, transactions.
"""

from diplomaccloud.games.actions.deadlines.outage import credit_outage
from diplomaccloud.games.actions.deadlines.pauses import (
    end_emergency,
    end_pauses,
    pause_for_emergency,
)
from diplomaccloud.games.actions.deadlines.suspension import (
    freeze_game,
    resume_game,
    suspend_game,
    try_again,
    unfreeze_game,
)
from diplomaccloud.games.actions.deadlines.talk import finish_talking, resume_talking
from diplomaccloud.games.actions.guests.adoption import adopt_guest
from diplomaccloud.games.actions.guests.first_orders import (
    FirstOrders,
    OrdersRefused,
    Ticket,
    load_ticket,
    owns_game,
    play_as_guest,
)
from diplomaccloud.games.actions.guests.purge import purge_guests
from diplomaccloud.games.actions.lobby.creation import (
    create_game,
    join_game,
    leave_game,
    random_text,
    start_game,
)
from diplomaccloud.games.actions.lobby.departure import finish_departure, leave_all_games
from diplomaccloud.games.actions.lobby.invitations import dismiss, invite, withdraw_invitation
from diplomaccloud.games.actions.lobby.option_checks import GamePlan, OptionFault, plan_faults
from diplomaccloud.games.actions.lobby.waiting_room import add_bot, cancel_game, mark_ready
from diplomaccloud.games.actions.master.game_master import (
    change_time,
    force_phase,
    preview_results,
    reprimand,
)
from diplomaccloud.games.actions.master.requests import ask_players
from diplomaccloud.games.actions.master.rollback import roll_back, roll_forward
from diplomaccloud.games.actions.orders.adoption import AdoptedOrders, adopt_orders
from diplomaccloud.games.actions.orders.bot_orders import move_bots
from diplomaccloud.games.actions.orders.conditional_orders import save_conditional_orders
from diplomaccloud.games.actions.orders.drafts import drop_draft, make_live, new_draft, rename_draft
from diplomaccloud.games.actions.orders.hints import ask_hint
from diplomaccloud.games.actions.orders.submission import (
    NotReady,
    Problem,
    Saved,
    save_orders,
    set_ready,
    unset_ready,
)
from diplomaccloud.games.actions.phases.claims import (
    LEASE,
    MAX_PHASES_AT_ONCE,
    advance,
    claim_phase,
    due_games,
    lock_due_phases,
    phases_to_lock,
)
from diplomaccloud.games.actions.phases.lock import lock_phase
from diplomaccloud.games.actions.phases.thinking import think_for_bots
from diplomaccloud.games.actions.phases.turn import process_phase
from diplomaccloud.games.actions.seats.country_names import color_country, name_country
from diplomaccloud.games.actions.seats.resignation import (
    LastWish,
    expel_player,
    reinstate_player,
    remove_player,
    resign,
)
from diplomaccloud.games.actions.seats.takeover import seat_bot, take_seat
from diplomaccloud.games.actions.signing import rotate_key
from diplomaccloud.games.actions.votes.draw_votes import vote_with_orders
from diplomaccloud.games.actions.votes.votes import (
    cast_ballot,
    close_expired_votes,
    open_vote,
    withdraw_vote,
)
from diplomaccloud.games.models import Question, Terms, receipt_digest

__all__ = [
    "LEASE",
    "MAX_PHASES_AT_ONCE",
    "AdoptedOrders",
    "FirstOrders",
    "GamePlan",
    "LastWish",
    "NotReady",
    "OptionFault",
    "OrdersRefused",
    "Problem",
    "Question",
    "Saved",
    "Terms",
    "Ticket",
    "add_bot",
    "adopt_guest",
    "adopt_orders",
    "advance",
    "ask_hint",
    "ask_players",
    "cancel_game",
    "cast_ballot",
    "change_time",
    "claim_phase",
    "close_expired_votes",
    "color_country",
    "create_game",
    "credit_outage",
    "dismiss",
    "drop_draft",
    "due_games",
    "end_emergency",
    "end_pauses",
    "expel_player",
    "finish_departure",
    "finish_talking",
    "force_phase",
    "freeze_game",
    "invite",
    "join_game",
    "leave_all_games",
    "leave_game",
    "load_ticket",
    "lock_due_phases",
    "lock_phase",
    "make_live",
    "mark_ready",
    "move_bots",
    "name_country",
    "new_draft",
    "open_vote",
    "owns_game",
    "pause_for_emergency",
    "phases_to_lock",
    "plan_faults",
    "play_as_guest",
    "preview_results",
    "process_phase",
    "purge_guests",
    "random_text",
    "receipt_digest",
    "reinstate_player",
    "remove_player",
    "rename_draft",
    "reprimand",
    "resign",
    "resume_game",
    "resume_talking",
    "roll_back",
    "roll_forward",
    "rotate_key",
    "save_conditional_orders",
    "save_orders",
    "seat_bot",
    "set_ready",
    "start_game",
    "suspend_game",
    "take_seat",
    "think_for_bots",
    "try_again",
    "unfreeze_game",
    "unset_ready",
    "vote_with_orders",
    "withdraw_invitation",
    "withdraw_vote",
]
