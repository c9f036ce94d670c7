"""A turn, from the lock of its orders to the opening of the next phase.

`process_phase` goes through it in one transaction, in the order of the sections below: the orders
are locked, the absent are noted, the judge decides, draw votes are counted, and either the game
ends or the next phase opens. The last two sections are for games that differ: those with a coin
flip, and those that only bots still play.
"""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from diplomaccloud import metrics
from diplomaccloud.endings import (
    ShortGame,
    TimeLimit,
    find_shared_ending,
    short_ending,
    time_up,
)
from diplomaccloud.entry.votes import Count
from diplomaccloud.games.bots.actions import find_promised, find_replaced, move_bots
from diplomaccloud.games.conditional_orders.actions import follow_conditional_orders
from diplomaccloud.games.deadlines.actions import (
    apply_move,
    closed_late,
    end_phase_early,
    ended_by_force,
    grant_grace,
)
from diplomaccloud.games.hall.actions import request_picture
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.seats.actions import leave_to_bots, replace_absent
from diplomaccloud.games.statistics.actions import count_phase
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table import record_lines
from diplomaccloud.games.table.lock import (
    NewSecret,
    Now,
    lock_game_of_phase,
    lock_phase_row,
    make_secret,
    time_of,
)
from diplomaccloud.games.table.log import add_figures, write_log
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure
from diplomaccloud.games.table.options import MAX_BOTS_ONLY_YEARS
from diplomaccloud.games.table.order_rows import make_receipts
from diplomaccloud.games.table.phase_models import Attendance, OrderRow, Phase, Receipt
from diplomaccloud.games.table.record_lines import add_results
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.votes.actions import count_phase_votes, decide_votes, log_draw_votes
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.version import __version__
from diplomaccloud.record.commitments import Purpose, commit
from diplomaccloud.schedule import (
    Deadline,
    DeadlineMove,
    find_deadline,
    find_late_deadline,
    format_day,
)
from diplomaccloud.schedule.descriptions import join_words
from diplomaccloud.schedule.local_time import day_and_time, find_zone
from diplomaccloud.setups import Coin


@atomic_with_retries
def process_phase(
    *, phase_id: int, owner: str, now: Now, new_secret: NewSecret = make_secret
) -> bool:
    """Process the phase and return whether it was processed now.

    Returns False if the phase was processed, postponed or rolled back in the meantime, if a vote
    has ended the game, if a player gets a grace period, or if another worker has the lease.
    """
    game = lock_game_of_phase(phase_id)
    now = time_of(now)
    phase = lock_phase_row(game, phase_id)
    is_over = phase.processed_at or phase.superseded_at or phase.adjudicate_at > now
    in_play = game.status == Status.RUNNING and not game.suspended_reason
    if is_over or not in_play or phase.lease_owner != owner:
        return False
    orders = list(OrderRow.objects.live_in(phase))
    roll = lock_orders(phase, orders, now)
    if roll is None:
        return False
    missed = record_attendance(phase, roll)
    resolution = adjudicate_phase(phase, orders)
    promised, replaced = find_promised(phase, orders), find_replaced(phase)
    phase.results = resolution
    add_results(phase, orders, now, promised=promised, replaced=replaced)
    _store_results(phase, now)
    count_phase(phase, resolution)
    # The draw votes become public with the results.
    count = count_phase_votes(phase, resolution.next)
    data = {"phase": phase.name, "draws": list(count.draws)}
    events.record(
        game=game, kind="processed", key=f"processed {phase.sequence}", now=now, data=data
    )
    log_draw_votes(phase, count, now)
    ending = find_outcome(phase, resolution, count)
    if ending is not None:
        log_coin_flip(phase, now, winners=ending.winners)
        key = f"ended {phase.sequence}"
        write_log(game=game, phase=phase, kind="ended", key=key, text=ending.reason, now=now)
        finish_game(game, ending, now)
        return True
    replace_absent(phase, missed, now)
    disorder = {*phase.civil_disorder, *count.surrendered}
    leave_to_bots(game, resolution.next, disorder, now)
    opened = open_phase(
        game=game,
        position=resolution.next,
        sequence=game.next_sequence(),
        now=now,
        civil_disorder=phase.civil_disorder | dict.fromkeys(count.surrendered, "surrendered"),
        after=phase,
        new_secret=new_secret,
    )
    if follow_conditional_orders(opened, now):
        end_phase_early(opened, now)
    # Countries that were eliminated, surrendered or lost their players no longer have a vote.
    decide_votes(game, now)
    return True


# The lock: after it nothing can be changed, and digests prove what was ordered.


def lock_phase(*, phase_id: int, now: Now) -> bool:
    """Lock the orders of the phase; return whether they were locked now.

    For phases that are locked some time before they are adjudicated. Others are locked when they
    are processed.
    """
    if move_bots(phase_id=phase_id, now=now):
        return False
    return _lock_due_phase(phase_id, now)


@atomic_with_retries
def _lock_due_phase(phase_id: int, now: Now) -> bool:
    game = lock_game_of_phase(phase_id)
    now = time_of(now)
    phase = lock_phase_row(game, phase_id)
    if game.status != Status.RUNNING or game.suspended_reason:
        return False
    if phase.locked_at or phase.superseded_at or phase.due_at > now:
        return False
    if lock_orders(phase, list(OrderRow.objects.live_in(phase)), now) is None:
        return False
    phase.save(update_fields=["locked_at"])
    return True


@dataclass(frozen=True, slots=True)
class Roll:
    """The seats of people who have something to order, and those for which nothing was saved."""

    expected: tuple[Seat, ...]
    absent: tuple[Seat, ...]


def lock_orders(phase: Phase, orders: Sequence[OrderRow], now: dt.datetime) -> Roll | None:
    """Lock `orders`, the ones that count, and return who had something to order and who was absent.

    Runs in the caller's transaction, which saves the time of the lock. If seats without orders get
    a grace period instead, locks nothing and returns None.
    """
    roll = call_roll(phase)
    if phase.locked_at:
        return roll
    if grant_grace(phase, roll.absent, now):
        return None
    _issue_receipts(phase, orders, now)
    return roll


def call_roll(phase: Phase) -> Roll:
    """Return the seats that had something to order, and those whose players were absent.

    A player counts as present after submitting anything: orders in any draft, even one that is not
    live, conditional orders, a ready mark or a draw vote, even if it was refused or taken back.
    Nothing is expected of a new player who took the seat so late that it owes no orders, unless
    that player submitted something: see `Timer.is_late`.
    """
    present = {
        row.seat_id
        for row in phase.locked_submissions
        if row.saved_at or row.ready_at or row.draw_vote or row.tried_at
    }
    expected = phase.people_to_order()
    if not present.issuperset(seat.pk for seat in expected):
        drafts = phase.drafts.held().order_by().values_list("seat_id", flat=True)
        conditions = phase.conditional_orders.held().order_by().values_list("seat_id", flat=True)
        present.update(drafts.union(conditions))
    if phase.locked_at or not present.issuperset(seat.pk for seat in expected):
        late = _find_late(phase, expected, present)
        expected = [seat for seat in expected if seat.pk not in late]
    return Roll(tuple(expected), tuple(seat for seat in expected if seat.pk not in present))


def _find_late(phase: Phase, seats: Sequence[Seat], present: Collection[int]) -> set[int]:
    """Return the seats whose new players took them too late to owe orders in the phase.

    After the lock, that is true even of a seat for which an earlier player submitted. A player who
    left the game before is not new, unless an appeal undid that.
    """
    # Otherwise a player could leave and return before each deadline without missing a turn.
    earlier = Tenure.objects.filter(
        seat__game=phase.game, user=OuterRef("user"), until_at__isnull=False
    )
    held = Tenure.objects.filter(
        ~Exists(earlier.exclude(left="")),
        seat__in=seats,
        until_at=None,
        since_at__gt=phase.opens_at,
    )
    since = dict(held.values_list("seat_id", "since_at"))
    if not since:
        return set()
    timer = phase.timer()
    return {
        key
        for key, at in since.items()
        if (phase.locked_at and at > phase.locked_at)
        or (key not in present and timer.is_late(phase.opens_at, at))
    }


def _issue_receipts(phase: Phase, orders: Sequence[OrderRow], now: dt.datetime) -> None:
    """Lock the orders, and publish salted digests of what each seat is now committed to.

    There is a digest of the orders for every seat that could order, and a sealed digest for every
    player whose country is still in the game, so the digests don't show who saved something. They
    appear in the public record and in the receipts.
    """
    phase.locked_at = now
    receipts = make_receipts(phase, orders, now)
    Receipt.objects.bulk_create(receipts)
    record_lines.add_lock(phase, receipts, now)
    key = f"locked {phase.sequence}"
    events.record(game=phase.game, kind="locked", key=key, now=now, data={"phase": phase.name})


# Who submitted orders and who missed the turn.


def record_attendance(phase: Phase, roll: Roll) -> list[Seat]:
    """Record who submitted orders, in the caller's transaction; return the absent seats.

    If the site was down when orders were due, or the phase was ended before that by force,
    absences are excused and no seat is returned.
    """
    absent = list(roll.absent)
    excused = bool(absent) and (
        (phase.locked_at is not None and closed_late(phase, phase.locked_at))
        or ended_by_force(phase)
    )
    rows = [
        Attendance(
            phase=phase,
            seat=seat,
            user_id=seat.user_id,
            ordered=seat not in absent,
            excused=excused and seat in absent,
        )
        for seat in roll.expected
        if seat.user_id is not None
    ]
    Attendance.objects.bulk_create(rows)
    if not phase.game.options.anonymous:
        counted = (row for row in rows if not row.excused)
        add_figures({row.user_id: {"turns": 1, "missed": int(not row.ordered)} for row in counted})
    return [] if excused else absent


# The results.


def adjudicate_phase(phase: Phase, rows: Sequence[OrderRow]) -> Resolution:
    """Return the results of `rows`, the orders that count in the phase, with the phase's seed."""
    orders = tuple(row.canonical for row in rows)
    with metrics.JUDGE_SECONDS.time():
        return adjudicate(phase.board, phase.position, orders, phase.game.rules, seed=phase.seed)


def _store_results(phase: Phase, now: dt.datetime) -> None:
    # Delete bots' plans and hints: from now on, the orders and the record have everything.
    # The few plans with broken promises are kept, because draw votes are counted with them.
    phase.bot_plans.filter(Q(broken=[]) | ~Q(until=None)).delete()
    phase.processed_at, phase.open = now, None
    fields = ["locked_at", "results", "processed_at", "open"]
    phase.save(update_fields=[*fields, "sealed_bots"] if phase.sealed_bots is not None else fields)


# Whether the game is over, and who won it.


def find_outcome(phase: Phase, resolution: Resolution, count: Count) -> Ending | None:
    """Return how the game ends with this phase, or None if it continues.

    A victory takes precedence over draw votes, and draw votes over the limits of the game.
    """
    after, game = resolution.next, phase.game
    won = resolution.ending or _find_shared_victory(phase, after)
    if won or count.ending:
        return won or count.ending
    # A power that would join a player in the next phase does not count if time is up now.
    groups = _group_powers(phase, phase.unplayed_powers().union(count.surrendered))
    return (
        _find_end_by_turns(game, after, groups)
        or _find_end_by_date(phase, after, groups)
        or _find_end_without_people(phase, after, count, groups)
    )


def _find_shared_victory(phase: Phase, after: Position) -> Ending | None:
    """Return the victory of a player whose powers own enough centers together, or None.

    A power that the coin flip gives to a player in the next phase already counts for that player,
    and the first to control enough centers wins. Source: 2000 rulebook, "Alternate Way
    to Play".
    """
    game, setup = phase.game, phase.game.setup
    if setup is None or setup.shared_centers is None:
        return None
    board, current = game.board_at(after.phase), phase.judge_phase
    players = game.players_at(after.phase)
    when = current.turn_title
    if setup.coin is not None and current.order < setup.coin.joins.order <= after.phase.order:
        when += f", when {board.power_info[setup.coin.power].name} joined"
    return find_shared_ending(board, after.centers, players, game.centers_to_win, when)


def _group_powers(phase: Phase, out: frozenset[Power]) -> list[tuple[Power, ...]]:
    """Return the groups of powers whose centers count together in the phase.

    Groups whose powers are all in `out` have no player, and are left out unless there are no
    others.
    """
    setup, players = phase.game.setup, phase.players
    if setup is None or setup.shared_centers is None:
        players = tuple((power,) for powers in players for power in powers)
    return [powers for powers in players if not out.issuperset(powers)] or list(players)


def _find_end_by_turns(
    game: Game, after: Position, groups: Sequence[Collection[Power]]
) -> Ending | None:
    ends = game.options.ends
    if ends.last_year is None and ends.turns is None:
        return None
    last = ends.last_year and JudgePhase.last(ends.last_year)
    short = ShortGame(last=last or None, turns=ends.turns, measure=ends.measure)
    return short_ending(game.board_at(after.phase), after, short, groups)


def _find_end_by_date(
    phase: Phase, after: Position, groups: Sequence[Collection[Power]]
) -> Ending | None:
    game, ends = phase.game, phase.game.options.ends
    if ends.date is None or due_day(phase) < ends.date:
        return None
    limit = TimeLimit("on_date", {"date": f"{format_day(ends.date)}, {ends.date.year}"})
    return time_up(game.board_at(after.phase), after, ends.measure, limit, groups)


def due_day(phase: Phase) -> dt.date:
    """Return the day on which the phase is due, in the time zone of the game's schedule.

    Midnight belongs to the day that it ends. The due time decides, not the time of processing, so
    that a delay of the site does not shorten a game.
    """
    zone = find_zone(phase.game.options.schedule.plan.zone)
    return day_and_time(phase.adjudicate_at, zone)[0]


def _find_end_without_people(
    phase: Phase, after: Position, count: Count, groups: Sequence[Collection[Power]]
) -> Ending | None:
    """Return the end of a game that only bots play, after its last year.

    It ends only before a Spring, after builds. The game continues if a person has units or can
    still build then, but not because someone might take over a vacant seat.
    """
    game, disorder = phase.game, frozenset(phase.civil_disorder).union(count.surrendered)
    year = after.phase.year
    if after.phase != JudgePhase.first(year) or year <= _last_bots_only_year(game):
        return None
    if _has_people(game, after, disorder):
        return None
    limit = TimeLimit("without_people", {"year": year - 1})
    ending = time_up(game.board_at(after.phase), after, game.measure, limit, groups)
    return ending or Ending.of((), "time_up_without_people", year=year)


# The next phase: its row, its deadline, its event.


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
    phase.deadline, credit = _choose_deadline(phase, after, people=people)
    phase.save()
    log_coin_flip(phase, now)
    record_lines.add_open(phase, now)
    request_picture(game)
    data = {"phase": phase.name, "due_at": phase.due_at.isoformat()}
    events.record(game=game, kind="opened", key=f"opened {sequence}", now=now, data=data)
    if credit is not None:
        apply_move(phase, credit)
    if not any(seat.user for seat in seats):
        _log_bots_only(phase, now)
    return phase


def _choose_deadline(
    phase: Phase, after: Phase | None, *, people: bool
) -> tuple[Deadline, DeadlineMove | None]:
    """Return when the phase is due, and how much of that is credit for a late start."""
    schedule, stage, opens_at = phase.game.options.schedule, phase.judge_phase.stage, phase.opens_at
    if not people:
        due_at = opens_at + (PACE if stage is Stage.MOVEMENT else dt.timedelta())
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
        stage, schedule = phase.judge_phase.stage, phase.game.options.schedule
        phase.deadline = find_deadline(schedule, stage, now, first=False)
        phase.grace_at = None
    phase.open = True
    phase.save(update_fields=["due_at", "adjudicate_at", "fixed_deadline", "grace_at", "open"])


# The coin flip of the 1914 setup, which decides which player gets a power.


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
    early = phase.judge_phase.order < _find_flip(setup.coin).order and power not in winners
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
        text=f"The coin was flipped: {info[power].name} joins {with_whom} in {joins.turn_title}.",
        now=now,
        data={"power": power},
    )


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


def _find_flip(coin: Coin) -> JudgePhase:
    """Return the phase after which the result becomes public."""
    return JudgePhase.last(coin.joins.year - 1)


def _choose_key(game: Game, coin: str) -> str:
    """Return the key of the log entry, one for each coin, since a rollback may bring a new coin."""
    return "coin" if coin == game.seed else f"coin {commit(Purpose.COIN, coin)[:16]}"


# Games with only bots left. Players who are out of a game like to see how it ends, so the bots keep
# playing, up to a last year.


PACE = dt.timedelta(seconds=3)
"""How long a movement phase stays open if only bots have something to order; others don't wait.

This must be long enough for people to watch and pause the game, and for a worker to handle
hundreds of these games.
"""


def _last_bots_only_year(game: Game) -> int:
    last = game.board.first_year + MAX_BOTS_ONLY_YEARS - 1
    return min(last, game.options.ends.last_year or last)


def _log_bots_only(phase: Phase, now: dt.datetime) -> None:
    """Log, once on each branch of the game, that no person is still playing."""
    game, position = phase.game, phase.position
    key, disorder = f"alone {game.branch}", frozenset(phase.civil_disorder)
    if _has_people(game, position, disorder) or game.log.filter(key=key).exists():
        return
    vacant = game.seats.filter(user=None, bot="").values_list("power", flat=True)
    last = max(_last_bots_only_year(game), position.phase.year)
    text = f"Only bots are left. They play on until {last} at the latest."
    if _is_played(game, position, list(vacant), disorder):
        text = (
            "No player is left. The game continues until someone takes a vacant country, but no "
            f"later than {last}."
        )
    write_log(game=game, phase=phase, kind="alone", key=key, text=text, now=now)


def _has_people(game: Game, position: Position, disorder: frozenset[str]) -> bool:
    seats = game.seats.exclude(user=None).values_list("power", flat=True)
    return _is_played(game, position, list(seats), disorder)


def _is_played(
    game: Game, position: Position, seats: list[str | None], disorder: frozenset[str]
) -> bool:
    """Return whether a seat, given by its first power, has a power that is still in the game.

    That is a power with units, or with a center to build in; `disorder` holds those without a
    player.
    """
    pieces = [*position.units, *(dislodged.unit for dislodged in position.dislodged)]
    homes = {
        power
        for power, codes in game.board_at(position.phase).build_centers.items()
        if any(position.centers.get(code) == power for code in codes)
    }
    powers = homes.union(unit.power for unit in pieces) - disorder
    players = game.players_at(position.phase)
    return any(played[0] in seats and powers.intersection(played) for played in players)
