"""Ending and reopening games, and counting what their players have reached."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

import structlog
from django.contrib.auth import get_user_model
from django.db.models import Count, Exists, F, Manager, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django_tasks import task

from diplomaccloud.atlas.setups import known_drawings
from diplomaccloud.endings import Measure
from diplomaccloud.games.hall.actions import request_picture
from diplomaccloud.games.ratings.actions import request_rating
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table import record_lines
from diplomaccloud.games.table.lock import lock_game_by_id
from diplomaccloud.games.table.log import (
    add_figures,
    add_tallies,
    lock_figures,
    make_tally,
    read_tallies,
    read_tally,
)
from diplomaccloud.games.table.log_models import (
    FIGURES,
    Event,
    GameResult,
    PlayerFigures,
    Tally,
    World,
    count_people,
    find_result,
    find_unrated,
)
from diplomaccloud.games.table.models import (
    ABANDONED,
    REMOVED,
    RESIGNED,
    Game,
    Seat,
    Status,
    Tenure,
)
from diplomaccloud.games.table.options import Watch
from diplomaccloud.games.table.phase_models import Attendance, Phase
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.votes.wording import WITHDRAWN
from diplomaccloud.judge.results import Ending
from diplomaccloud.schedule.descriptions import join_words


def finish_game(game: Game, ending: Ending, now: dt.datetime) -> None:
    """End the game, in the caller's transaction; an open phase stays as it is."""
    with counted_again(game):
        game.status = Status.FINISHED
        game.finished_at = now
        game.ending = ending
        game.save(update_fields=["status", "finished_at", "ending"])
        game.seats.update(finished_at=now)
        game.phases.filter(open=True).update(open=None)
    request_picture(game)
    withdraw_votes(game, now)
    record_lines.add_end(game, ending, now)
    # A game that was rolled back may end more than once.
    events.record(game=game, kind="finished", key=f"finished {game.branch}", now=now)


def reopen_game(game: Game, now: dt.datetime) -> None:
    """Reopen a game on its new branch and withdraw its votes, in the caller's transaction.

    The row is updated in one statement, because database triggers allow undoing an end only
    together with a new branch.
    """
    withdraw_votes(game, now)
    game.status, game.finished_at, game.ending = Status.RUNNING, None, None
    game.suspended_reason = ""
    game.save(update_fields=["status", "finished_at", "ending", "suspended_reason", "branch"])
    game.seats.update(finished_at=None)


def withdraw_votes(game: Game, now: dt.datetime) -> None:
    """Withdraw the open votes of a game, in the caller's transaction."""
    for vote in game.votes.filter(open=True):
        vote.close(WITHDRAWN, now)
        record_lines.add_vote(vote, WITHDRAWN, now)


# Keeping players' statistics: counted from the facts, and updated in the same transaction.


_Counts = defaultdict[int, Counter[str]]
_Tallies = defaultdict[tuple[int, Tally], Counter[str]]
_LEFT = (RESIGNED, REMOVED, ABANDONED)
_NONE: Counter[str] = Counter()
_counting: ContextVar[frozenset[int]] = ContextVar("_counting", default=frozenset())
"""The games being changed, whose statistics are counted before and after the change."""


def count_figures(
    games: QuerySet[Game], *, with_turns: bool = True, user: int | None = None
) -> dict[int, Counter[str]]:
    """Return what `games` add to the statistics of each person, or of `user`, by the person's key.

    Without `with_turns`, turns are left out. Anonymous games count only once they are over; before
    that, a changing number would reveal who plays.
    """
    counts: _Counts = defaultdict(Counter)
    rows = {
        row["pk"]: row
        for row in games.order_by()
        .annotate(people=count_people("pk"))
        .values("pk", "status", "private", "options", "ending", "people")
    }
    known = [
        key
        for key, row in rows.items()
        if row["status"] == Status.FINISHED or not row["options"]["anonymous"]
    ]
    one = Q() if user is None else Q(user=user)
    _count_tenures(Tenure.objects.filter(one, seat__game__in=known), counts)
    _count_seats(Seat.objects.filter(one, game__in=rows), rows, counts)
    if with_turns:
        attendances = Attendance.objects.filter(one, phase__game__in=known)
        turns = attendances.filter(phase__superseded_at=None, excused=False).order_by()
        missed = Count("pk", filter=Q(ordered=False))
        by_user = turns.values_list("user").annotate(n=Count("pk"), absent=missed)
        for person, turn_count, missed_count in by_user:
            counts[person].update(turns=turn_count, missed=missed_count)
    return {person: count for person, count in counts.items() if any(count.values())}


def _count_tenures(tenures: QuerySet[Tenure], counts: _Counts) -> None:
    held: dict[tuple[int, int], bool] = {}
    rows = tenures.exclude(user=None).order_by().values_list("user", "seat__game", "left")
    for user, game, ending in rows:
        held[user, game] = held.get((user, game), False) or ending in _LEFT
    for (user, _), departed in held.items():
        counts[user].update(games=1, left=int(departed))


def _count_seats(
    seats: QuerySet[Seat], games: Mapping[int, Mapping[str, Any]], counts: _Counts
) -> None:
    for user, key, power in (
        seats.exclude(user=None).order_by().values_list("user", "game", "power")
    ):
        game = games[key]
        options = game["options"]
        if game["status"] == Status.RUNNING:
            hidden = game["private"] or options["anonymous"]
            counts[user]["running"] += not hidden and options["watch"] == Watch.ANYONE.value
        elif game["status"] == Status.FINISHED:
            ending = game["ending"]
            why = find_unrated(game["people"], ending["reason"], len(ending["winners"]))
            if why is not None:
                counts[user]["unrated"] += 1
                continue
            result = find_result(ending["winners"], power, options["setup"])
            counts[user].update(
                finished=1,
                won=int(result is GameResult.WON),
                shared=int(result is GameResult.SHARED),
            )


@contextmanager
def counted_again(game: Game, *, with_turns: bool = False) -> Iterator[None]:
    """Update the statistics of the game's people by what changes within the block.

    For facts that change rarely: seats, tenures, the status of the game, and, `with_turns`, which
    phases count. The ratings of a game that ends or continues are computed afterward. The game must
    be locked. A block nested in another one for the same game does
    nothing, since the outer block counts everything. The turns of an anonymous game count from its
    end on.
    """
    if game.pk in _counting.get():
        yield
        return
    token = _counting.set(_counting.get() | {game.pk})
    with_turns = with_turns or game.options.anonymous
    was_finished = game.status == Status.FINISHED
    try:
        row = Game.objects.filter(pk=game.pk)
        before = count_figures(row, with_turns=with_turns)
        tallies = count_tallies(row) if game.status == Status.FINISHED else _Tallies(Counter)
        yield
        after = count_figures(row, with_turns=with_turns)
        new_tallies = count_tallies(row) if game.status == Status.FINISHED else _Tallies(Counter)
    finally:
        _counting.reset(token)
    changes = {}
    for user in before.keys() | after.keys():
        old, new = before.get(user, _NONE), after.get(user, _NONE)
        changes[user] = {name: new[name] - old[name] for name in FIGURES}
    add_figures(changes)
    add_tallies(_subtract(new_tallies, tallies))
    if was_finished or game.status == Status.FINISHED:
        request_rating(game)


def _subtract(new: _Tallies, old: _Tallies) -> _Tallies:
    changes: _Tallies = defaultdict(Counter)
    for key, numbers in new.items():
        changes[key].update(numbers)
    for key, numbers in old.items():
        changes[key].subtract(numbers)
    return changes


def count_tallies(games: QuerySet[Game], *, user: int | None = None) -> _Tallies:
    """Return what finished rated games add to people's results by country and against rivals.

    The keys are a person, or only `user`, and what is counted.
    """
    rated = games.filter(status=Status.FINISHED).order_by().annotate(people=count_people("pk"))
    rows = {
        game.pk: game
        for game in rated.select_related("chart").defer("chart__text")
        if game.ending is not None
        and find_unrated(vars(game)["people"], game.ending.reason, len(game.ending.winners)) is None
    }
    seats: defaultdict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(game__in=rows).exclude(user=None).order_by("pk"):
        seats[seat.game_id].append(seat)
    counts: _Tallies = defaultdict(Counter)
    for key, phase in _read_last_phases(rows).items():
        try:
            _tally_game(rows[key], phase, seats[key], user, counts)
        except Exception:
            # Damaged data must not keep a game from its end.
            _log.exception("damaged game", game=key)
    return counts


def _read_last_phases(games: Collection[int]) -> dict[int, Phase]:
    phases = Phase.objects.filter(game__in=games, superseded_at=None).order_by()
    newest = dict(phases.values_list("game").annotate(newest=Max("sequence")))
    wanted = phases.filter(sequence__in=set(newest.values()))
    return {row.game_id: row for row in wanted if row.sequence == newest[row.game_id]}


def _tally_game(
    game: Game, phase: Phase, seats: Sequence[Seat], user: int | None, counts: _Tallies
) -> None:
    phase.game = game
    position = phase.position if phase.processed_at is None else phase.resolution.next
    winners = game.ending.winners if game.ending else ()
    is_europe = game.chart.content_hash in known_drawings()
    names = {info.power: info.name for info in game.map.board.powers}
    places: dict[int, tuple[bool, int]] = {}
    for seat in seats:
        powers = phase.powers_of(seat)
        centers = sum(len(position.centers_of(power)) for power in powers)
        units = sum(len(position.units_of(power)) for power in powers)
        has_won = not set(winners).isdisjoint(powers)
        rank = units if game.measure is Measure.PIECES else centers
        places[seat.user_id or 0] = (has_won, 0 if has_won else rank)
        if user not in (None, seat.user_id):
            continue
        result = find_result(winners, seat.power, game.options.setup)
        if result is GameResult.WON:
            outcome = "solos"
        elif result is GameResult.SHARED:
            outcome = "draws"
        else:
            outcome = "survived" if centers or units else "defeated"
        for country in (
            "",
            join_words([names[power] for power in game.played_with.get(seat.power, ())]),
        ):
            counts[seat.user_id or 0, (is_europe, country)].update({"games": 1, outcome: 1})
            if not is_europe:
                world = World(game.chart_id, country)
                counts[seat.user_id or 0, world].update({"games": 1, outcome: 1})
    for one, place in places.items():
        for other, rival in places.items():
            if one != other and user in (None, one):
                numbers = {"games": 1, "ahead": int(place > rival), "behind": int(place < rival)}
                counts[one, other].update(numbers)


# Comparing stored totals and copies with the facts they are derived from, and repairing them.
#
# The site may keep running: a value that seems wrong is counted again with its row locked.


_GAMES_AT_ONCE: Final = 500
_KEYS_IN_TASK: Final = 200
"""How many people and how many games one task counts, so that other tasks get their turn."""
_log = structlog.get_logger(__name__)
Value = int | bool | dt.datetime | None


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored value that differs from the value counted from the facts."""

    what: str
    stored: Value
    counted: Value

    def __str__(self) -> str:
        return f"{self.what}: stored {self.stored}, counted {self.counted}"


def find_differences(*, repair: bool = False) -> Iterator[Difference]:
    """Yield every stored value that differs from the facts; with `repair`, store the right one."""
    for user in _find_people():
        yield from _recount_person(user, repair=repair)
    for game in _find_games():
        yield from _recount_game(game, repair=repair)


@task()
def recount_in_background(start: int, repair: bool, total: int = 0) -> None:
    """Recount people and games with keys from `start` on, and leave the rest to another task.

    Differences are logged, and at the end their number; earlier tasks had `total`.
    """
    until = start + _KEYS_IN_TASK
    users = get_user_model().objects
    people = users.filter(pk__gte=start, pk__lt=until).order_by("pk").values_list("pk", flat=True)
    differences: list[Difference] = []
    for user in people:
        differences += _recount_person(user, repair=repair)
    for game in _find_games(range(start, until)):
        differences += _recount_game(game, repair=repair)
    for each in differences:
        _log.warning("stored value differs", difference=str(each), repaired=repair)
    total += len(differences)
    if until <= max(_find_newest(users), _find_newest(Game.objects)):
        recount_in_background.enqueue(until, repair, total)
    else:
        _log.info("recount finished", differences=total, repaired=repair)


def _find_newest(rows: Manager[Any]) -> int:
    """Return the largest key, or 0 without rows."""
    return rows.aggregate(newest=Max("pk"))["newest"] or 0


def _find_people() -> list[int]:
    """Return the people whose statistics seem to differ."""
    counted: dict[int, Counter[str]] = {}
    tallies: _Tallies = defaultdict(Counter)
    for start in range(0, _find_newest(Game.objects) + 1, _GAMES_AT_ONCE):
        games = Game.objects.filter(pk__gte=start, pk__lt=start + _GAMES_AT_ONCE)
        for user, count in count_figures(games).items():
            counted.setdefault(user, Counter()).update(count)
        for key, numbers in count_tallies(games).items():
            tallies[key].update(numbers)
    stored = {row.user_id: _read(row) for row in PlayerFigures.objects.iterator()}
    known = {key: read_tally(row) for key, row in read_tallies().items()}
    people = {
        user
        for user in counted.keys() | stored.keys()
        if (stored.get(user) or _complete(_NONE)) != _complete(counted.get(user, _NONE))
    }
    people |= {
        user
        for user, tally in known.keys() | tallies.keys()
        if known.get((user, tally), _NONE) != tallies.get((user, tally), _NONE)
    }
    return sorted(people)


@atomic_with_retries
def _recount_person(user: int, *, repair: bool) -> list[Difference]:
    lock_figures([user])
    row = PlayerFigures.objects.filter(user=user).first() or PlayerFigures(user_id=user)
    seated = Exists(Seat.objects.filter(game=OuterRef("pk"), user=user))
    held = Exists(Tenure.objects.filter(seat__game=OuterRef("pk"), user=user))
    ordered = Exists(Attendance.objects.filter(phase__game=OuterRef("pk"), user=user))
    games = Game.objects.filter(Q(seated) | Q(held) | Q(ordered))
    counted = _complete(count_figures(games, user=user).get(user, _NONE))
    stored = _read(row)
    tallies = count_tallies(games, user=user)
    known = {key: read_tally(row) for key, row in read_tallies([user]).items()}
    if repair and stored != counted:
        for name in FIGURES:
            setattr(row, name, counted[name])
        row.save()
    if repair:
        add_tallies(_subtract(tallies, _Tallies(Counter, known)))
    return [
        Difference(f"{name} of person {user}", stored[name], counted[name])
        for name in FIGURES
        if stored[name] != counted[name]
    ] + [
        Difference(f"{name} of {make_tally(*key)}", known.get(key, _NONE)[name], tallies[key][name])
        for key in sorted(known.keys() | tallies.keys(), key=str)
        for name in known.get(key, tallies[key])
        if known.get(key, _NONE)[name] != tallies[key][name]
    ]


def _read(row: PlayerFigures) -> dict[str, int]:
    return {name: getattr(row, name) for name in FIGURES}


def _complete(count: Counter[str]) -> dict[str, int]:
    return {name: count[name] for name in FIGURES}


def _find_games(keys: range | None = None) -> list[int]:
    """Return the games with stored values that seem to differ; with `keys`, only among these."""
    own_keys = Q(pk__gte=keys.start, pk__lt=keys.stop) if keys else Q()
    related = Q(game__gte=keys.start, game__lt=keys.stop) if keys else Q()
    public = Event.objects.filter(game=OuterRef("pk"), seat=None).order_by().values("game")
    number = Subquery(public.annotate(number=Count("pk")).values("number"))
    versions = Game.objects.alias(number=Coalesce(number, 0)).exclude(version=F("number"))
    ended = Q(finished_at=F("game__finished_at"))
    unended = Q(finished_at=None, game__finished_at=None)
    seats = Seat.objects.exclude(ended | unended)
    waiting = Q(processed_at=None, superseded_at=None, game__status=Status.RUNNING)
    phases = Phase.objects.filter(Q(open=True) & ~waiting | Q(open=None) & waiting)
    unwatched = Game.objects.exclude(options__watch=Watch.ANYONE.value)
    mistaken = Game.objects.filter(options__watch=Watch.ANYONE.value, watchable=False)
    games = (unwatched.filter(watchable=True), mistaken, versions)
    suspects = {
        key
        for rows in games
        for key in rows.filter(own_keys).order_by().values_list("pk", flat=True)
    }
    suspects.update(seats.filter(related).order_by().values_list("game", flat=True))
    suspects.update(phases.filter(related).order_by().values_list("game", flat=True))
    return sorted(suspects)


@atomic_with_retries
def _recount_game(key: int, *, repair: bool) -> list[Difference]:
    game = lock_game_by_id(key)
    number = Event.objects.filter(game=game, seat=None).count()
    watchable, slug = game.options.watch is Watch.ANYONE, game.slug
    facts: list[tuple[str, Value, Value]] = [
        (f"version of game {slug}", game.version, number),
        (f"whether game {slug} is watchable", game.watchable, watchable),
    ]
    for seat in game.seats.all():
        facts.append((f"end of seat {seat.pk} in game {slug}", seat.finished_at, game.finished_at))
    running = game.status == Status.RUNNING
    open_phases = []
    for phase in game.phases.defer("position", "results"):
        is_open = running and phase.processed_at is None and phase.superseded_at is None
        if is_open:
            open_phases.append(phase.pk)
        what = f"openness of phase {phase.sequence} in game {slug}"
        facts.append((what, bool(phase.open), is_open))
    differences = [Difference(*fact) for fact in facts if fact[1] != fact[2]]
    if repair and differences:
        Game.objects.filter(pk=key).update(version=number, watchable=watchable)
        game.seats.update(finished_at=game.finished_at)
        game.phases.filter(open=True).exclude(pk__in=open_phases).update(open=None)
        game.phases.filter(pk__in=open_phases).update(open=True)
    return differences
