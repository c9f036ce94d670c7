"""The coin flip of 1914, which decides which player gets a power: logged in time."""

import datetime as dt
from collections.abc import Collection

from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.models import Phase
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.schedule.descriptions import join_words

_KEY = "coin"


def log_coin_flip(phase: Phase, now: dt.datetime, *, winners: Collection[str] = ()) -> None:
    """Log the result of the coin flip of the game's setup, once, within the transaction.

    Called when a phase opens. It becomes public in the adjustment phase before the power joins,
    and earlier only if it decided the `winners` as the game ends. Source: 2000 rulebook,
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
    with_whom = join_words([info[partner].name for partner in side if partner != power])
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
