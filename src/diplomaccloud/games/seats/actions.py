"""Taking over and leaving seats, and naming and coloring the countries that a player holds."""

import datetime as dt
import secrets
from collections.abc import Collection

from django.db.models import Min, QuerySet

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import Label, clean_name, is_label
from diplomaccloud.bots.seats import USUAL_BOT, choose_bot, give_character, is_seat_bot, word_bot
from diplomaccloud.entry.votes import players_left
from diplomaccloud.games.deadlines.actions import apply_move, end_current_phase_early
from diplomaccloud.games.hall.actions import request_picture
from diplomaccloud.games.results.actions import counted_again, finish_game
from diplomaccloud.games.seats.wording import LastWish
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import (
    BadValue,
    NoSuchGame,
    NotYourSeat,
    PlayersDecide,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.table.lock import (
    Now,
    find_seat,
    lock_game,
    lock_game_for_master,
    require_account,
    require_current_phase,
    require_master,
    require_not_frozen,
    require_outsider,
    require_reliability,
    require_running,
    require_seat,
    time_of,
)
from diplomaccloud.games.table.log import require_reason, write_log
from diplomaccloud.games.table.log_models import LEFT, TAKEN
from diplomaccloud.games.table.models import (
    ABANDONED,
    REMOVED,
    RESIGNED,
    Game,
    Seat,
    Status,
    Tenure,
    must_ask_players,
    powers_played_by,
)
from diplomaccloud.games.table.options import COLORS, is_distinguishable
from diplomaccloud.games.table.phase_models import (
    Attendance,
    BotPlan,
    ConditionalOrders,
    Draft,
    Phase,
    Submission,
    TalkDone,
    find_last_moment,
)
from diplomaccloud.games.table.record_lines import add_seat_change
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.votes.actions import decide_votes
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending
from diplomaccloud.record.lines import SeatChange
from diplomaccloud.schedule import end_now


@atomic_with_retries
def take_seat(*, slug: str, user_id: int, power: str, now: Now, code: str = "") -> Seat:
    """Take a vacant seat as a volunteer, or that of a bot that gives way, and return it.

    A private game requires its code, except for people who have played in it.
    """
    game = lock_game(slug)
    require_running(game)
    before = Tenure.objects.filter(seat__game=game, user_id=user_id)
    known = not game.private or before.exists()
    if not known and not secrets.compare_digest(code.encode(), game.code.encode()):
        raise NoSuchGame
    require_account(user_id)
    require_not_frozen(game)
    seat = require_seat_of_power(game, power)
    if seat.vacated_at is None and not (seat.bot and game.options.bots_give_way):
        raise WrongMoment("This seat is taken.")
    if game.seats.filter(user_id=user_id).exists():
        raise WrongMoment("You are already in this game.")
    if game.master_id == user_id:
        raise WrongMoment("The game master cannot play in the game.")
    require_outsider(game, user_id)
    if is_given_up(seat):
        raise WrongMoment("This country has surrendered and stays in civil disorder.")
    past = list(before.values_list("seat_id", "left"))
    if any(kind == REMOVED for _, kind in past):
        raise NotYourSeat("You were removed from this game.")
    if any(key != seat.pk for key, _ in past):
        # A player who knows one country's secrets cannot play another fairly.
        raise NotYourSeat(
            "You played another country in this game and can only return to that one."
        )
    require_reliability(game.options.reliability, user_id)
    now = time_of(now)
    if seat.bot:
        _let_bot_go(game, seat, now)
    fill_seat(game, seat, now, user_id=user_id)
    decide_votes(game, now)
    return seat


def _let_bot_go(game: Game, seat: Seat, now: dt.datetime) -> None:
    """End the tenure of a bot that gives way; raise `WrongMoment` if it is too late in the phase.

    What it has ordered in the open phase no longer counts, and its deals end with the tenure.
    """
    phase = game.newest_phase()
    if game.options.anonymous or phase is None:
        raise WrongMoment("This seat is taken.")
    if phase.locked_at is not None or now >= find_last_moment(phase.opens_at, phase.due_at):
        raise WrongMoment(
            "Three quarters of this phase are over, so the bot keeps its seat until the next phase."
        )
    _drop_orders(game, seat)
    BotPlan.objects.filter(phase=phase, seat=seat).delete()
    seat.tenures.filter(until_at=None).update(until_at=now)


@atomic_with_retries
def seat_bot(
    *, slug: str, user_id: int, sequence: int, power: str, bot: str, reason: str, now: dt.datetime
) -> int:
    """Give a vacant seat to a bot and return the key of the game.

    For the game master, or for the creator of a game without one; raises `PlayersDecide` if that
    person plays or has played in the game.
    """
    game = lock_game(slug)
    require_manager(game, user_id)
    if must_ask_players(game, user_id):
        raise PlayersDecide
    require_current_phase(game, sequence)
    seat = require_bot_and_seat(game, power, bot)
    fill_seat(game, seat, now, bot=bot, by=user_id, reason=require_reason(reason))
    decide_votes(game, now)
    end_current_phase_early(game, now)
    return game.pk


def require_manager(game: Game, user_id: int) -> None:
    """Raise unless the person is the game master, or created a game without one."""
    if game.master_id is not None or game.creator_id != user_id:
        require_master(game, user_id)


def require_bot_and_seat(game: Game, power: str, bot: str) -> Seat:
    """Return the vacant seat that the bot may take in a running game; raise `Refused`."""
    require_running(game)
    require_not_frozen(game)
    if not is_seat_bot(bot):
        raise BadValue("bot", f"There is no bot called {bot!r}.")
    seat = require_seat_of_power(game, power)
    if seat.vacated_at is None:
        raise WrongMoment("This seat is taken.")
    if is_given_up(seat):
        raise WrongMoment("This country has surrendered and stays in civil disorder.")
    return seat


# Players who resign, are removed, or miss too many turns.
#
# When players lose a seat, the orders they saved no longer count: the drafts stay in the record,
# but none of them is live. Locked orders still count, since their digest is public.


MASTER = Label.MASTER
"""Who decided, in log sentences, unless it was a vote."""
MESSAGE = "For a message that was reported."
CONDUCT = "After a report."
"""The reasons in the log for a removal: after a report of a message, and of the player."""
_NOT_RETURNED = (
    "An appeal against the removal of a former player of {country} succeeded, but the country is "
    "no longer vacant."
)
_DEPARTURES = {
    RESIGNED: "The player of {country} left the game.",
    REMOVED: "The player of {country} was removed by {decided_by}.",
    ABANDONED: "The player of {country} missed too many turns and lost the seat.",
}


@atomic_with_retries
def resign(*, slug: str, user_id: int, now: Now, then: LastWish | None = None) -> int | None:
    """Resign from a running game; the units hold until someone takes over the seat.

    The last player may decide what happens `then`; without a decision, bots take the vacant seats
    once the phase is processed. Raises `WrongMoment` if someone else still plays. Returns the key
    of the game if all who remain are ready and its phase has become due.
    """
    game = lock_game(slug)
    now = time_of(now)
    require_running(game)
    seat = require_seat(game, user_id)
    if is_given_up(seat):
        raise WrongMoment("Your country has already surrendered.")
    phase = game.newest_phase()
    if then is not None and phase is not None:
        require_not_frozen(game)
        phase.game = game
        if game.options.anonymous or any(voter != seat for voter in phase.voters()):
            raise WrongMoment(
                "Only the last player of a game without hidden players can decide what happens to "
                "it. You did not leave."
            )
        if then is LastWish.END:
            _end_left_game(phase, seat, now)
            return None
    vacate(game, seat, departure=RESIGNED, now=now)
    if then is LastWish.BOTS and phase is not None:
        leave_to_bots(game, phase.position, phase.civil_disorder, now)
    decide_votes(game, now)
    due = end_current_phase_early(game, now)
    if then is LastWish.BOTS and phase is not None and due is None:
        return _hurry_bots(game, now)
    return due


def _end_left_game(phase: Phase, seat: Seat, now: dt.datetime) -> None:
    """End the game for its last player, who keeps the seat in the finished game."""
    ending = Ending.of((), "ended_on_leaving")
    text = f"The player of {seat.country_name}, the last one, left and ended the game."
    key = f"left to end {phase.sequence}"
    write_log(game=phase.game, phase=phase, kind="ended", key=key, text=text, now=now)
    finish_game(phase.game, ending, now)


def _hurry_bots(game: Game, now: dt.datetime) -> int | None:
    """Make the open phase due, since nobody waits for it: it may be paused or have a fixed end."""
    phase = game.newest_phase()
    if phase is None or phase.processed_at or game.suspended_reason or phase.adjudicate_at <= now:
        return None
    phase.game = game
    decided_by = "the site, because only bots are left"
    apply_move(phase, end_now(phase.timer(), key="bots", decided_by=decided_by, now=now))
    return game.pk


def leave_to_bots(
    game: Game, position: Position, disorder: Collection[str], now: dt.datetime
) -> None:
    """Give the vacant seats to bots if no person is left to play, in the caller's transaction.

    Otherwise each phase would wait for its deadline. `disorder` holds the powers without a player.
    """
    remaining = set(players_left(position)) - set(disorder)
    players = game.players_at(position.phase)
    standing = [
        seat
        for seat in game.seat_list
        if remaining.intersection(powers_played_by(seat.power, players))
    ]
    if any(seat.user_id for seat in standing):
        return
    bots = game.options.missed.substitute or game.options.fill_with or USUAL_BOT
    for seat in standing:
        if seat.vacated_at is not None:
            seat.game = game
            fill_seat(game, seat, now, bot=choose_bot(bots, seat.number or 0))


@atomic_with_retries
def remove_player(
    *,
    slug: str,
    user_id: int,
    sequence: int,
    power: str,
    reason: str,
    now: dt.datetime,
    tenure: int | None = None,
) -> int | None:
    """Remove a player from a seat, as the game master, with a reason.

    Returns the key of the game if all who remain are ready and its phase has become due. With
    `tenure`, raises `WrongMoment` if another player has the seat by now.
    """
    game = lock_game_for_master(slug, user_id)
    seat = require_player(game, sequence, power, tenure)
    vacate(game, seat, departure=REMOVED, now=now, by=user_id, reason=require_reason(reason))
    decide_votes(game, now)
    return end_current_phase_early(game, now)


@atomic_with_retries
def expel_player(
    *, slug: str, user_id: int, decided_by: str, reason: str, now: dt.datetime
) -> int | None:
    """Remove a person from their seat, as the outcome of a moderation case.

    `reason` is `MESSAGE` or `CONDUCT`: the log does not quote a message, since it may be private,
    and does not say what a player did. Returns the key of the game if all
    who remain are ready and its phase has become due. Raises `WrongMoment` unless the game is in
    progress and the person has a seat.
    """
    game = lock_game(slug)
    require_running(game)
    seat = find_seat(game, user_id)
    if seat is None:
        raise WrongMoment("The player no longer holds a seat in this game.")
    seat.game = game
    vacate(game, seat, departure=REMOVED, now=now, reason=reason, decided_by=decided_by)
    decide_votes(game, now)
    return end_current_phase_early(game, now)


@atomic_with_retries
def reinstate_player(
    *, slug: str, user_id: int, since: dt.datetime, now: dt.datetime
) -> bool | None:
    """Give a person the seat back from which a decision that was overturned removed them.

    The removal was at `since` or later. Returns whether the person has the seat; False if it is no
    longer vacant, and None if the game is over or there was no removal. The person may take the
    seat again in any case, if it becomes vacant.
    """
    game = lock_game(slug)
    removed = Tenure.objects.filter(
        seat__game=game, user=user_id, left=REMOVED, until_at__gte=since
    ).order_by("-pk")
    tenure = removed.select_related("seat").first()
    if tenure is None or game.status != Status.RUNNING:
        return None
    seat = tenure.seat
    seat.game = game
    is_free = seat.vacated_at is not None and not is_given_up(seat)
    is_free = is_free and find_seat(game, user_id) is None and game.master_id != user_id
    is_free = is_free and User.objects.filter(pk=user_id, is_active=True, banned_at=None).exists()
    with counted_again(game):
        removed.update(left="")
        if is_free:
            fill_seat(game, seat, now, user_id=user_id, returns=True)
    if is_free:
        decide_votes(game, now)
        return True
    text = _NOT_RETURNED.format(country=seat.country_name)
    _log_seat(game, seat, "appeal", text, now=now, by=None, reason="")
    return False


def vacate(
    game: Game,
    seat: Seat,
    *,
    departure: str,
    now: dt.datetime,
    by: int | None = None,
    reason: str = "",
    decided_by: str = MASTER,
) -> None:
    """Vacate a seat in the caller's transaction; the game's substitute bot, if any, takes it.

    From now on, only the locked orders of the former holder count, even in a phase that a roll
    forward reopens.
    """
    _drop_orders(game, seat)
    with counted_again(game):
        seat.tenures.filter(until_at=None).update(until_at=now, left=departure)
        seat.user, seat.bot, seat.vacated_at = None, "", now
        seat.save(update_fields=["user", "bot", "vacated_at"])
    game.forget_seats()
    text = _DEPARTURES[departure].format(country=seat.country_name, decided_by=decided_by)
    add_seat_change(seat, departure, now)
    events.record(game=game, kind="seat", now=now, data={"power": seat.power})
    _log_seat(game, seat, LEFT, text, now=now, by=by, reason=reason)
    substitute = game.options.missed.substitute
    if substitute and not is_given_up(seat):
        fill_seat(game, seat, now, bot=substitute)


def _drop_orders(game: Game, seat: Seat) -> None:
    """Let nothing count that the holder of a seat has saved and that is not locked yet."""
    waiting = game.phases.filter(processed_at=None)
    unlocked = waiting.filter(locked_at=None)
    Draft.objects.filter(phase__in=unlocked, seat=seat, live=True).update(live=None)
    Submission.objects.filter(phase__in=unlocked, seat=seat).delete()
    Submission.objects.filter(phase__in=waiting, seat=seat).update(draw_vote="")
    ConditionalOrders.objects.filter(phase__in=waiting, seat=seat).delete()
    TalkDone.objects.filter(phase__in=waiting, seat=seat).delete()


def is_given_up(seat: Seat) -> bool:
    """Return whether every country of the seat has surrendered, so the seat stays vacant."""
    phase = seat.game.newest_phase()
    return phase is not None and set(phase.powers_of(seat)) <= set(phase.civil_disorder)


def replace_absent(phase: Phase, missed: list[Seat], now: dt.datetime) -> None:
    """Vacate the seats among `missed` whose players have reached the limit of missed turns.

    Called in the transaction that processes a phase. Excused turns, and turns on a branch that a
    rollback left behind, do not count; turns before a player left and came back do.
    """
    limit = phase.game.options.missed.limit
    if not limit:
        return
    for seat in missed:
        last = Attendance.objects.filter(
            seat=seat, user=seat.user, phase__superseded_at=None, excused=False
        ).order_by("-phase__sequence")[:limit]
        if len(last) == limit and not any(row.ordered for row in last):
            vacate(phase.game, seat, departure=ABANDONED, now=now)


def restore_tenures(game: Game, phases: QuerySet[Phase], now: dt.datetime) -> list[int]:
    """Restore players who lost their seats by missing turns in `phases`; return the tenures' keys.

    Called in the transaction of a rollback, while those phases still count.
    """
    since = phases.exclude(processed_at=None).aggregate(at=Min("processed_at"))["at"]
    lost = Tenure.objects.filter(seat__game=game, left=ABANDONED, until_at__gte=since or now)
    restored = []
    for tenure in lost.exclude(seat__vacated_at=None).select_related("seat"):
        if not game.seats.filter(user=tenure.user_id).exists():
            seat = tenure.seat
            tenure.until_at, tenure.left, seat.game = None, "", game
            tenure.save(update_fields=["until_at", "left"])
            seat.user_id, seat.vacated_at = tenure.user_id, None
            seat.save(update_fields=["user", "vacated_at"])
            add_seat_change(seat, SeatChange.RETURNED, now)
            restored.append(tenure.pk)
    game.forget_seats()
    return restored


def end_restored_tenures(game: Game, tenures: list[int], now: dt.datetime) -> None:
    """Undo `restore_tenures`, in the transaction of rolling forward."""
    for tenure in Tenure.objects.filter(pk__in=tenures, until_at=None).select_related("seat"):
        tenure.seat.game = game
        vacate(game, tenure.seat, departure=ABANDONED, now=now)


def fill_seat(
    game: Game,
    seat: Seat,
    now: dt.datetime,
    *,
    user_id: int | None = None,
    bot: str = "",
    by: int | None = None,
    reason: str = "",
    decided_by: str = "",
    returns: bool = False,
) -> None:
    """Give a seat to a person or a bot, in the caller's transaction.

    With `returns`, the person held it before and gets it back after an appeal. A bot gets a
    character for the rest of the game, if bots of its kind have one.
    """
    secret = game.character_secret or game.draw_secret or game.seed
    bot = give_character(bot, f"{secret} {seat.number} {now.isoformat()}")
    with counted_again(game):
        seat.user_id, seat.bot, seat.vacated_at = user_id, bot, None
        seat.save(update_fields=["user", "bot", "vacated_at"])
        Tenure.objects.create(seat=seat, user_id=user_id, bot=bot, since_at=now)
    game.forget_seats()
    player = f"The {word_bot(bot)}" if bot else Label.NEW_PLAYER
    text = f"{player} now plays {seat.country_name}"
    text = f"{text}, by {decided_by}." if decided_by else f"{text}."
    change = SeatChange.BOT if bot else SeatChange.TAKEN
    if returns:
        text = f"The player of {seat.country_name} is back after a successful appeal."
        change = SeatChange.RETURNED
    add_seat_change(seat, change, now)
    _log_seat(game, seat, TAKEN, text, now=now, by=by, reason=reason)
    events.record(game=game, kind="seat", now=now, data={"power": seat.power})


def _log_seat(
    game: Game, seat: Seat, kind: str, text: str, *, now: dt.datetime, by: int | None, reason: str
) -> None:
    write_log(
        game=game,
        phase=game.newest_phase(),
        kind=kind,
        key=f"{kind} {seat.pk} {now.isoformat()}",
        text=text,
        now=now,
        by=by,
        reason=reason,
        data={"seat": seat.pk},
    )


def require_player(game: Game, sequence: int, power: str, tenure: int | None = None) -> Seat:
    """Return the seat of the player that a game master's action is about; its game is locked.

    `tenure` is that of the player whom the game master saw, if it is known: a request that is sent
    again must not affect a successor.
    """
    require_current_phase(game, sequence)
    require_running(game)
    seat = require_seat_of_power(game, power)
    if seat.user_id is None:
        raise WrongMoment("No player holds this seat.")
    if tenure is not None and not seat.tenures.filter(pk=tenure, until_at=None).exists():
        raise WrongMoment("Another player has taken this seat. Nothing was changed.")
    return seat


def require_seat_of_power(game: Game, power: str) -> Seat:
    """Return the seat whose first power is `power`; raise `Refused` if there is none."""
    seat = game.seats.filter(power=power).first() if power else None
    if seat is None:
        raise Refused("This game has no such country.")
    seat.game = game
    return seat


# The names and colors that players choose for their countries.


MAX_COUNTRY_NAME = 30


@atomic_with_retries
def name_country(*, slug: str, user_id: int, country: str, now: dt.datetime) -> None:
    """Rename the person's country; a blank name restores the printed one.

    Raises `Refused` also for a name that the site prints in place of a name, since countries are
    the authors of messages.
    """
    game, seat = _lock_own_seat(slug, user_id)
    name = clean_country_name(country, "", MAX_COUNTRY_NAME)
    if is_label(name):
        raise Refused(f"{name} is a name that this site uses itself. Choose another.")
    others = game.seats.exclude(pk=seat.pk).values_list("country", flat=True)
    taken = {rival.casefold() for rival in others if rival}
    taken |= {info.name.casefold() for info in game.board.powers if info.power != seat.power}
    if name.casefold() in taken:
        raise WrongMoment(f"Another country is already called {name}.")
    seat.country = name
    seat.save(update_fields=["country"])
    events.record(game=game, kind="named", now=now)


@atomic_with_retries
def color_country(
    *, slug: str, user_id: int, color: str, now: dt.datetime, power: str = ""
) -> None:
    """Choose one of the offered colors for one of the person's powers; blank restores the default.

    A player with only one power may leave out `power`. Raises `WrongMoment` if the color is too
    similar to that of another power.
    """
    game, seat = _lock_own_seat(slug, user_id)
    if seat.power is None:
        raise WrongMoment(
            "You can choose a color once countries are assigned at the start of the game."
        )
    power = power or seat.power
    phase = game.newest_phase()
    own_powers = phase.powers_of(seat) if phase else powers_played_by(seat.power, game.players)
    if power not in own_powers:
        raise NotYourSeat("You do not play this country.")
    if color and color not in COLORS:
        raise Refused(f"This color is not offered. Choose one of {', '.join(COLORS)}.")
    seat.colors.pop(power, None)
    if color:
        _require_distinguishable(game, power, color)
        seat.colors[power] = color
    seat.save(update_fields=["colors"])
    request_picture(game)
    events.record(game=game, kind="colored", now=now)


def _require_distinguishable(game: Game, power: str, color: str) -> None:
    """Raise `WrongMoment` naming a power with a color equal or too similar to `color`."""
    for rival, theirs in game.power_colors(game.seats.all()).items():
        if rival != power and not is_distinguishable(color, [theirs]):
            name = game.board.power_info[Power(rival)].name
            if theirs == color:
                raise WrongMoment(f"{name} already has this color.")
            raise WrongMoment(f"The color of {name} is too similar.")


def clean_country_name(text: str, default: str, most: int) -> str:
    """Return a typed name, cleaned, or `default` if it is blank; raise `Refused` for a bad name."""
    try:
        name = clean_name(text)
    except ValueError as error:
        raise Refused(str(error)) from error
    if len(name) > most:
        raise Refused(f"A name must have at most {most} characters.")
    return name or default


def _lock_own_seat(slug: str, user_id: int) -> tuple[Game, Seat]:
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    if game.status == Status.FINISHED:
        raise WrongMoment("This game is over. Its countries can no longer be changed.")
    return game, seat
