"""Answers of bots to proposals: when they are due."""

import datetime as dt
import random
from collections.abc import Collection
from typing import Final

from diplomaccloud.games.models import Phase, Seat
from diplomaccloud.games.viewpoint.names import is_masked, seat_holder
from diplomaccloud.press.models import PendingReply, Proposal

MIN_DELAY: Final = dt.timedelta(minutes=1)
PHASE_SHARE: Final = 10
"""The longest delay is this part of the phase."""


def expect_replies(proposal: Proposal, bots: Collection[Seat], now: dt.datetime) -> None:
    """Note which bots have to answer a proposal, and when, within the caller's transaction.

    A bot answers at once where pages show that it is one, else after a drawn delay.
    """
    rng = random.SystemRandom()
    masked = is_masked(proposal.game)
    PendingReply.objects.bulk_create(
        PendingReply(
            proposal=proposal,
            seat=seat,
            due_at=now
            if seat_holder(seat, hidden=masked).bot
            else now + draw_delay(proposal.phase, rng),
        )
        for seat in bots
    )


def draw_delay(phase: Phase, rng: random.Random) -> dt.timedelta:
    """Return how long a bot waits where nobody is to know that it is one.

    From a minute to a tenth of the phase, so that neither page nor delay tells it from a person.
    """
    longest = max(MIN_DELAY, (phase.due_at - phase.opens_at) / PHASE_SHARE)
    return rng.uniform(0, 1) * (longest - MIN_DELAY) + MIN_DELAY
