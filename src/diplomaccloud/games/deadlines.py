"""When a phase is due by plain lengths; `schedule` has all the rest."""

import datetime as dt

from diplomaccloud.games.schedule import Lengths, in_words
from diplomaccloud.judge.phases import Stage

__all__ = ["Lengths", "due_at", "in_words"]


def due_at(opens_at: dt.datetime, stage: Stage, lengths: Lengths, *, people: bool) -> dt.datetime:
    """Return when a phase that opens at `opens_at` is processed at the latest.

    `people` says whether any person has something to order in it; if none has, nobody is
    waited for.
    """
    return opens_at + lengths.of(stage) if people else opens_at
