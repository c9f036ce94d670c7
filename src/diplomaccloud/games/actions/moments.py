"""Random moments for changes to anonymous games that follow from something about a person.

If the same change reached a person's other games at the same time, it would tell who plays here.
"""

import datetime as dt
import random

from diplomaccloud.games.models import Game


def draw_moment(
    game: Game, within: dt.timedelta, now: dt.datetime, rng: random.Random | None = None
) -> dt.datetime:
    """Return a random moment in the time `within`, but before the orders of the open phase are due.

    If they are already due, the whole time counts. Nobody can foresee the moment without `rng`.
    """
    phase = game.newest_phase()
    end = now + within
    if phase is not None and now < phase.due_at < end:
        end = phase.due_at
    return now + (end - now) * (rng or random.SystemRandom()).random()
