"""The coin of 1914, which decides whom a power joins: told in time."""

import datetime as dt
from collections.abc import Collection

from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.models import Phase
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.schedule.descriptions import join_words

_KEY = "coin"


def log_coin_flip(phase: Phase, now: dt.datetime, *, winners: Collection[str] = ()) -> None:
    """Write into the log how the coin of the game's setup fell, once, within the transaction.

    Called when a phase opens; told from the adjustments on before which it is flipped, and
    before them only if it made the `winners`, with whom the game ends. Source: 2000 rulebook,
    "Alternate Way to Play".
    """
    setup = phase.game.setup
    if setup is None or setup.coin is None:
        return
    joins, power = setup.coin.joins, setup.coin.power
    flipped = JudgePhase(Season.WINTER, joins.year - 1, Stage.ADJUSTMENTS)
    early = JudgePhase.parse(phase.name).order < flipped.order
    early = early and setup.coin.power not in winners
    if early or phase.game.log.filter(key=_KEY).exists():
        return
    players = setup.players_at(joins, phase.game.seed)
    info = phase.board.power_info
    side = next(powers for powers in players if power in powers)
    with_whom = join_words([info[one].name for one in side if one != power])
    write_log(
        game=phase.game,
        phase=phase,
        kind="coin",
        key=_KEY,
        text=f"The coin was flipped: {info[power].name} joins {with_whom} in "
        f"{joins.season.word} {joins.year}.",
        now=now,
        data={"power": power},
    )
