"""Opening a phase: its row, its deadline, its event."""

import datetime as dt
from collections.abc import Mapping

from diplomaccloud import __version__
from diplomaccloud.games.actions import events, record_lines
from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.phases.bots_only import bots_time, log_bots_only
from diplomaccloud.games.actions.phases.coin_flip import log_coin_flip
from diplomaccloud.games.actions.randomness import NewSecret, make_secret
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position
from diplomaccloud.schedule import Deadline, DeadlineMove, find_deadline, find_late_deadline

IDLE = "idle"
"""The reason in `civil_disorder` for a power that has no player in the game's setup."""


def open_phase(
    *,
    game: Game,
    position: Position,
    sequence: int,
    now: dt.datetime,
    civil_disorder: Mapping[str, str] | None = None,
    after: Phase | None = None,
    new_secret: NewSecret = make_secret,
) -> Phase:
    """Open a phase and return it, in the caller's transaction.

    It lasts only seconds if only bots have something to order. With a vacant seat it gets its full
    length, since someone may take the seat. `civil_disorder` holds the powers without a player and
    the reasons, carried over from the previous phase; powers that are idle in the setup are added
    as long as they are idle. If `after`, the previous phase, was processed late, the deadline is
    extended by the delay.
    """
    civil_disorder = {power: why for power, why in (civil_disorder or {}).items() if why != IDLE}
    civil_disorder |= dict.fromkeys(game.idle_powers_at(position.phase), IDLE)
    phase = Phase(  # type: ignore[misc]  # see TypedJSONField
        game=game,
        sequence=sequence,
        branch=game.branch,
        name=str(position.phase),
        position=position,
        civil_disorder=civil_disorder,
        rule_set_id=game.rule_set_id,
        engine=__version__,
        map_hash=game.chart.content_hash,
        judge_secret=new_secret(),
        bots_secret=new_secret(),
        opens_at=now,
    )
    seats = phase.seats_to_order()
    people = any(not seat.bot for seat in seats)
    due, credit = _choose_deadline(phase, after, people=people)
    phase.due_at, phase.adjudicate_at, phase.fixed_deadline = (
        due.orders_at,
        due.adjudicate_at,
        due.exact,
    )
    phase.save()
    log_coin_flip(phase, now)
    record_lines.add_open(phase, now)
    data: dict[str, object] = {"phase": phase.name, "due_at": due.orders_at.isoformat()}
    events.record(game=game, kind="opened", key=f"opened {sequence}", now=now, data=data)
    if credit is not None:
        apply_move(phase, credit)
    if not any(seat.user for seat in seats):
        log_bots_only(phase, now)
    return phase


def _choose_deadline(
    phase: Phase, after: Phase | None, *, people: bool
) -> tuple[Deadline, DeadlineMove | None]:
    """Return when the phase is due, and how much of that is credit for a late start."""
    schedule, stage, opens_at = phase.game.options.schedule, phase.judge_phase.stage, phase.opens_at
    if not people:
        due_at = opens_at + bots_time(stage)
        return Deadline(due_at, due_at, exact=True), None
    if after is None:
        return find_deadline(schedule, stage, opens_at, first=phase.sequence == 1), None
    return find_late_deadline(schedule, stage, opens_at, due_at=after.adjudicate_at, key="late")


def reopen_phase(phase: Phase, now: dt.datetime) -> None:
    """Open a phase again with its full length; locked orders stay locked and are adjudicated."""
    now = max(now, phase.opens_at)
    if phase.locked_at:
        phase.adjudicate_at = max(phase.adjudicate_at, now)
    else:
        stage = JudgePhase.parse(phase.name).stage
        schedule = phase.game.options.schedule
        due = find_deadline(schedule, stage, now, first=False)
        phase.due_at, phase.adjudicate_at, phase.fixed_deadline = (
            due.orders_at,
            due.adjudicate_at,
            due.exact,
        )
        phase.grace_at = None
    phase.open = True
    phase.save(update_fields=["due_at", "adjudicate_at", "fixed_deadline", "grace_at", "open"])
