"""The life of a game beside its board: clock, log, votes, seats to take over, who is master."""

from collections.abc import Sequence

from django.db.models import Q
from django.urls import reverse

from diplomaccloud.bots import BOTS
from diplomaccloud.games.actions.seats.resignation import REMOVED
from diplomaccloud.games.actions.seats.takeover import barred
from diplomaccloud.games.models import Game, Seat, Status, Tenure
from diplomaccloud.games.presenters.game_status import LifeView, VacantSeat
from diplomaccloud.games.viewpoint.clockface import clock_of
from diplomaccloud.games.viewpoint.log import lines_of, master_name, newest_entries
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.games.viewpoint.visibility import Viewer, visible_games
from diplomaccloud.games.viewpoint.votes import voters_at, votes_of
from diplomaccloud.judge.phases import Phase as JudgePhase

_LINES = 3
_MOST_VACANT = 12


def life_of(table: Table, *, whole: bool) -> LifeView:
    """Return the life of the game; votes and lines of the log only if `whole`."""
    game, mine, user_id = table.game, table.mine, table.viewer.user_id
    running = game.status == Status.RUNNING
    entries = newest_entries(game, table.phase) if game.status != Status.FORMING else []
    clock = clock_of(game, table.phase, entries)
    given_up = running and mine is not None and table.is_given_up(mine)
    is_master = user_id is not None and game.master_id == user_id
    maker = user_id is not None and game.creator_id == user_id and game.master_id is None
    paused = clock is not None and clock.state == "paused"
    past = _past(table) if running else []
    vacant = vacant_seats(table, past) if running else ()
    volunteers = user_id is not None and mine is None and not is_master
    return LifeView(
        clock=clock,
        lines=lines_of(game, entries[:_LINES]) if whole else (),
        master=master_name(game),
        is_master=is_master,
        votes=votes_of(table, paused=paused) if whole else None,
        ballot=_ballot(table),
        vacant=vacant,
        given_up=given_up,
        can_take=bool(vacant) and volunteers,
        asks_code=game.private and not past,
        can_resign=running and mine is not None and not given_up,
        can_seat_bot=bool(vacant) and (is_master or maker),
        bots=tuple(BOTS),
    )


def _past(table: Table) -> list[tuple[int, str]]:
    """Return the seats the viewer has held, and how each was left; none while none is vacant."""
    if table.viewer.user_id is None or not any(row.vacated_at for row in table.seat_rows):
        return []
    rows = Tenure.objects.filter(seat__game=table.game, user=table.viewer.user_id)
    return list(rows.values_list("seat_id", "left"))


def _ballot(table: Table) -> str:
    """Return what the viewer wrote with the orders; blank for whoever has no vote now."""
    mine, phase = table.mine, table.phase
    if mine is None or phase is None or table.game.status != Status.RUNNING:
        return ""
    if mine not in voters_at(table):
        return ""
    submission = table.submissions.get(mine.pk)
    return (submission.vote if submission else "") or "none"


def vacant_seats(table: Table, past: Sequence[tuple[int, str]]) -> tuple[VacantSeat, ...]:
    """Return the seats that somebody may take over; `past` are those the viewer has held."""
    return tuple(
        VacantSeat(
            power=seat.power,
            country=seat.country,
            color=seat.color,
            centers=seat.centers,
            units=seat.units,
            since_at=row.vacated_at,
            barred=barred(row.pk, past),
        )
        for row, seat in zip(table.seat_rows, table.seats, strict=True)
        if row.vacated_at and not seat.eliminated and not table.is_given_up(row)
    )


def vacancies(viewer: Viewer) -> tuple[VacantSeat, ...]:
    """Return seats of public games that the viewer might take over, longest vacant first."""
    games = visible_games(viewer).filter(status=Status.RUNNING, private=False)
    if viewer.user_id is not None:
        games = games.exclude(seats__user=viewer.user_id).exclude(master=viewer.user_id)
    rows = Seat.objects.filter(game__in=games).exclude(vacated_at=None).order_by("vacated_at")
    if viewer.user_id is not None:
        rows = rows.exclude(_closed_to(viewer.user_id))
    found = []
    for row in rows.select_related("game__chart").defer("game__chart__text")[:_MOST_VACANT]:
        if seat := _vacancy(row.game, row):
            found.append(seat)
    return tuple(found)


def _closed_to(user_id: int) -> Q:
    """Return which seats a person must not take: the `barred` of many games at once."""
    held = Tenure.objects.filter(user=user_id)
    another = Q(game__in=held.values("seat__game")) & ~Q(pk__in=held.values("seat"))
    return another | Q(game__in=held.filter(left=REMOVED).values("seat__game"))


def _vacancy(game: Game, row: Seat) -> VacantSeat | None:
    phase = game.newest_phase()
    if phase is None or row.vacated_at is None:
        return None
    phase.game = game
    position, powers = phase.position, phase.powers_of(row)
    units = sum(len(position.units_of(p)) + len(position.dislodged_of(p)) for p in powers)
    centers = sum(len(position.centers_of(power)) for power in powers)
    if set(powers) <= set(phase.disorder) or not units + centers:
        return None
    return VacantSeat(
        power=row.power or "",
        country=row.country_name,
        color=game.power_colors([row])[powers[0]],
        centers=centers,
        units=units,
        since_at=row.vacated_at,
        world=game.world,
        url=reverse("games:detail", args=[game.slug]),
        phase=JudgePhase.parse(phase.name).title,
    )
