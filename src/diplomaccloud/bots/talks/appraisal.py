"""Appraises terms: the best that a bot can expect with them, minus the best without."""

import random
from collections.abc import Iterable
from statistics import fmean
from typing import Final

from diplomaccloud.bots.candidates import Source
from diplomaccloud.bots.pacts import Deal, Pact, find_pact
from diplomaccloud.bots.replies import draw_replies
from diplomaccloud.bots.search import find_plan, try_candidates
from diplomaccloud.bots.talks.views import View
from diplomaccloud.judge.kernel.layout import pack_state
from diplomaccloud.judge.kernel.table import table_of

REPLIES: Final = 24
"""The number of replies of the others used to compare plans."""


def make_source(view: View, pact: Pact, seed: str) -> Source:
    """Return a source of candidates for the bot's power under a pact."""
    state = pack_state(view.board, view.position)
    number = table_of(view.board).power_of[view.power]
    return Source(view.board, state, number, random.Random(seed), pact)


def measure_plans(source: Source, plans: Iterable[bytes], seed: str) -> list[float]:
    """Return the average worth of each plan, all against the same replies."""
    source.rng = random.Random(f"{seed}/replies")
    plans = list(plans)
    values = try_candidates(source, plans, draw_replies(source, REPLIES))
    own = values[source.power :: len(source.board.powers)]
    return [fmean(own[at : at + REPLIES]) for at in range(0, len(own), REPLIES)]


def appraise(view: View, deal: Deal, budget: int, seed: str) -> float:
    """Return how much a deal adds to the worth of the position, where 1 is a whole game.

    This assumes that everyone keeps the deal. Both cases use the same random numbers from `seed`.
    """
    worth = []
    for deals in (view.deals, (*view.deals, deal)):
        pact = find_pact(view.board, view.position, view.power, deals)
        source = make_source(view, pact, seed)
        plan = find_plan(source, budget).orders.tobytes()
        worth += measure_plans(source, [plan], seed)
    return worth[1] - worth[0]
