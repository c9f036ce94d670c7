"""When the answers and messages of bots are due."""

import datetime as dt
import random
from collections.abc import Collection
from typing import Final

from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.visibility.read import is_masked, seat_holder
from diplomaccloud.press.models import PendingReply, PendingTalk, Proposal

MIN_DELAY: Final = dt.timedelta(minutes=1)
PHASE_SHARE: Final = 10
"""The longest delay, as a fraction of the phase."""


def expect_replies(proposal: Proposal, bots: Collection[Seat], now: dt.datetime) -> None:
    """Schedule the answers of bots to a proposal, within the caller's transaction."""
    PendingReply.objects.bulk_create(
        PendingReply(
            proposal=proposal,
            seat=seat,
            due_at=find_due(proposal.phase, seat, now),
        )
        for seat in bots
    )


def expect_talk(phase: Phase, seats: Collection[Seat], now: dt.datetime) -> None:
    """Schedule the bots that think about their deals in a phase and may talk."""
    for seat in seats:
        due_at = find_due(phase, seat, now)
        PendingTalk.objects.get_or_create(phase=phase, seat=seat, defaults={"due_at": due_at})


def find_due(phase: Phase, seat: Seat, now: dt.datetime) -> dt.datetime:
    """Return when a bot acts: at once if pages show that it is a bot, else after a delay."""
    if seat_holder(phase.game, seat, hidden=is_masked(phase.game)).bot:
        return now
    return now + draw_delay(phase, random.SystemRandom())


def draw_delay(phase: Phase, rng: random.Random) -> dt.timedelta:
    """Return how long a bot waits in games that hide which players are bots.

    From a minute to a tenth of the phase, so that the delay doesn't give the bot away either.
    """
    longest = max(MIN_DELAY, (phase.due_at - phase.opens_at) / PHASE_SHARE)
    return rng.uniform(0, 1) * (longest - MIN_DELAY) + MIN_DELAY
