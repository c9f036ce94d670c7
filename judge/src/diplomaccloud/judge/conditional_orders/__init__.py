"""Conditional orders: retreats, builds and disbands written during a movement phase.

    if MUN is dislodged: BER, KIE; if two gained: A LON, F EDI; if one: F LON

`parse_conditional_orders` reads the conditional orders of one power, and `choose_retreats` and
`choose_adjustments` apply them when their conditions are met. `read_player_text` and
`write_player_text` are for a player of one or several powers.

Source: the errata of document 2, "Submitting Conditional Retreats and Adjustments".
"""

from diplomaccloud.judge.conditional_orders.clause_reader import parse_conditional_orders
from diplomaccloud.judge.conditional_orders.plans import (
    AdjustmentPlan,
    ConditionalOrders,
    RetreatPlan,
    choose_adjustments,
    choose_retreats,
)
from diplomaccloud.judge.conditional_orders.player_text import (
    PlayerContext,
    compose_player_text,
    read_player_text,
    write_player_text,
)

__all__ = [
    "AdjustmentPlan",
    "ConditionalOrders",
    "PlayerContext",
    "RetreatPlan",
    "choose_adjustments",
    "choose_retreats",
    "compose_player_text",
    "parse_conditional_orders",
    "read_player_text",
    "write_player_text",
]
