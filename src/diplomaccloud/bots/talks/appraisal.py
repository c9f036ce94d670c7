"""What terms are worth to a bot: the best that it can expect with them, less that without."""

import random
from collections.abc import Iterable
from statistics import fmean
from typing import Final

from diplomaccloud.bots.candidates import Source
from diplomaccloud.bots.pacts import Deal, Pact, find_pact
from diplomaccloud.bots.search import draw_replies, find_plan, try_candidates
from diplomaccloud.bots.talks.views import View
from diplomaccloud.judge.kernel.layout import pack_state
from diplomaccloud.judge.kernel.table import table_of

REPLIES: Final = 24
"""Against how many replies of the others plans are compared."""


def make_source(view: View, pact: Pact, seed: str) -> Source:
    """Return what makes candidates of the bot's power under a pact."""
    state = pack_state(view.board, view.position)
    number = table_of(view.board).power_of[view.power]
    return Source(view.board, state, number, random.Random(seed), pact)


def measure_plans(source: Source, plans: Iterable[bytes], seed: str) -> list[float]:
    """Return what each plan is worth on average, all against the same replies."""
    source.rng = random.Random(f"{seed}/replies")
    plans = list(plans)
    values = try_candidates(source, plans, draw_replies(source, REPLIES))
    own = values[source.power :: len(source.board.powers)]
    return [fmean(own[at : at + REPLIES]) for at in range(0, len(own), REPLIES)]


def appraise(view: View, deal: Deal, budget: int, seed: str) -> float:
    """Return how much more the position is worth with a deal than without, of a whole game.

    Everyone keeps it, and both cases meet the same chances; the same for the same seed.
    """
    worth = []
    for deals in (view.deals, (*view.deals, deal)):
        pact = find_pact(view.board, view.position, view.power, deals)
        source = make_source(view, pact, seed)
        plan = find_plan(source, budget).orders.tobytes()
        worth += measure_plans(source, [plan], seed)
    return worth[1] - worth[0]
