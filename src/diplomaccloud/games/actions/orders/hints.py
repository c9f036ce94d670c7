"""Hints in games of one person against bots: what a General would order for the person."""

import datetime as dt

from django.db.models import Q

from diplomaccloud.bots.seats import ADVISER
from diplomaccloud.games.actions.locks import lock_game, require_open_phase, require_seat
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import WrongMoment
from diplomaccloud.games.models import BotPlan


@atomic_with_retries
def ask_hint(*, slug: str, user_id: int, sequence: int, now: dt.datetime) -> None:
    """Request a hint: a General thinks about the person's orders, and the page shows the result.

    Raises `WrongMoment` in games with other people, and if there is nothing to order.
    """
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    phase = require_open_phase(game, sequence, now)
    phase.game = game
    if any(other.user_id != user_id and not other.bot for other in game.seat_list):
        raise WrongMoment("Hints are available only in games against bots.")
    if not game.options.hints:
        raise WrongMoment("Hints are turned off in this game.")
    if seat not in phase.people_to_order():
        raise WrongMoment("You have nothing to order.")
    # A plan of a bot that held the seat is not a hint, and a hint that failed is requested again.
    there = BotPlan.objects.filter(phase=phase, seat=seat)
    there.filter(Q(fell_back=True) | ~Q(bot=ADVISER)).delete()
    # The turn does not wait for a hint.
    BotPlan.objects.get_or_create(phase=phase, seat=seat, defaults={"bot": ADVISER, "until": now})
