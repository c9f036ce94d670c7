"""The coin flip of the 1914 setup, which decides which player gets a power."""

import datetime as dt
from collections.abc import Collection

from diplomaccloud.games.actions import record_lines
from diplomaccloud.games.actions.log import write_log
from diplomaccloud.games.actions.randomness import NewSecret
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.standard.setups import Coin
from diplomaccloud.record.commitments import Purpose, commit
from diplomaccloud.schedule.descriptions import join_words


def choose_coin(game: Game, target: JudgePhase, *, coin: str, new_secret: NewSecret) -> str:
    """Set the coin for the new branch of a game that was rolled back to `target`.

    `coin` is the secret of the previous branch. If its result is already known, and the new branch
    has not reached the flip yet, a new secret replaces it and is returned; else the result is
    blank.
    """
    setup = game.setup
    if setup is None or setup.coin is None:
        return ""
    new = ""
    known = coin == game.seed or game.log.filter(key=_choose_key(game, coin)).exists()
    if known and target.order < _find_flip(setup.coin).order:
        new = new_secret()
    game.coins[str(game.branch)] = new or coin
    game.save(update_fields=["coins"])
    return new


def log_coin_flip(phase: Phase, now: dt.datetime, *, winners: Collection[str] = ()) -> None:
    """Log the result of the setup's coin flip, once, in the caller's transaction.

    Called when a phase opens. The result becomes public in the adjustment phase before the power
    joins, or earlier if the game ends and the flip decided the `winners`. Source: 2000 rulebook,
    "Alternate Way to Play".
    """
    setup = phase.game.setup
    if setup is None or setup.coin is None:
        return
    joins, power = setup.coin.joins, setup.coin.power
    early = JudgePhase.parse(phase.name).order < _find_flip(setup.coin).order
    early = early and setup.coin.power not in winners
    key = _choose_key(phase.game, phase.game.coin)
    if early or phase.game.log.filter(key=key).exists():
        return
    record_lines.add_coin(phase.game, joins, power, now)
    players = setup.players_at(joins, phase.game.coin)
    info = phase.board.power_info
    side = next(powers for powers in players if power in powers)
    with_whom = join_words([info[partner].name for partner in side if partner != power])
    write_log(
        game=phase.game,
        phase=phase,
        kind="coin",
        key=key,
        text=f"The coin was flipped: {info[power].name} joins {with_whom} in "
        f"{joins.season.word} {joins.year}.",
        now=now,
        data={"power": power},
    )


def _find_flip(coin: Coin) -> JudgePhase:
    """Return the phase in which the result becomes public."""
    return JudgePhase(Season.WINTER, coin.joins.year - 1, Stage.ADJUSTMENTS)


def _choose_key(game: Game, coin: str) -> str:
    """Return the key of the log entry, one for each coin, since a rollback may bring a new coin."""
    return "coin" if coin == game.seed else f"coin {commit(Purpose.COIN, coin)[:16]}"
