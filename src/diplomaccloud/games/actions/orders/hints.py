"""Hints in games of one person against bots: what a General would order for the person."""

import datetime as dt
from typing import Final

from diplomaccloud.games.actions.locks import lock_game, require_open_phase, require_seat
from diplomaccloud.games.actions.orders.bot_plans import PATIENCE
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import WrongMoment
from diplomaccloud.games.models import BotPlan

ADVISER: Final = "level:4"


@atomic_with_retries
def ask_hint(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Let a General think about the person's orders in the phase; the page shows the hint.

    Raises `WrongMoment` in games with other people, and if there is nothing to order.
    """
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now)
    phase.game = game
    if any(other.user_id != user_id and not other.bot for other in game.seat_list):
        raise WrongMoment("There are hints only in games against bots.")
    if seat not in phase.people_to_order():
        raise WrongMoment("You have nothing to order.")
    until = now + PATIENCE
    BotPlan.objects.get_or_create(phase=phase, seat=seat, defaults={"bot": ADVISER, "until": until})
