"""Rating people by the games that they finish, again from any game on, and hiding ratings.

A game that ends, continues or is annulled writes a request in its transaction, and a worker rates
the requested games of one kind at a time. Ratings follow from finished games in one order: when
their names became public, then their keys. A game that comes before others that are rated, because
it was late or has changed, makes those be rated again. So the stored ratings are always those that
`manage ratings` computes from the start.
"""

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from django.db.models import Model, Q, QuerySet
from django_tasks import task

from diplomaccloud.accounts.deletion import AccountPart, ExportFile
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.relationships import count_unrelated
from diplomaccloud.games.ratings.models import (
    Annulment,
    HiddenRating,
    PersonRating,
    PowerRating,
    RatedGame,
    RatingChange,
    RatingKind,
    RatingRequest,
)
from diplomaccloud.games.ratings.wording import KIND_OF_PRESS, Kind
from diplomaccloud.games.table.log_models import (
    End,
    GameResult,
    Unrated,
    find_end,
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
from diplomaccloud.games.table.options import Press
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.ranks import measure_strength, rank_players
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.ratings import SPREAD, Rating, find_places, rate_game
from diplomaccloud.ratings import Seat as RatedSeat

IDLE_AFTER: Final = dt.timedelta(days=365)
"""After this time without a rated game, a rating is uncertain again."""
_ROWS_AT_ONCE: Final = 500
_LEFT: Final = (RESIGNED, REMOVED, ABANDONED)


def request_rating(game: Game) -> None:
    """Have the ratings computed that depend on a game, after the caller's transaction."""
    if game.rated:
        kind = KIND_OF_PRESS[game.options.press]
        RatingRequest.objects.create(kind=kind, game=game)
        rate_games_in_background.enqueue(kind.value)


@task()
def rate_games_in_background(kind: str) -> None:
    """Rate the games of a kind that have been requested, unless another worker has."""
    rate_requested_games(kind=Kind(kind))


# What ratings follow from: the facts of finished games.


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A finished game: its people in the order of their powers, each with a place.

    `people` is how many people count, `board` the keys of its map and setup, and `solo` and `draw`
    are the people who won alone and those who shared the victory by agreement.
    """

    game: int
    named_at: dt.datetime
    people: int
    unrated: Unrated | None
    board: tuple[int, str]
    seats: tuple[RatedSeat[int, str], ...]
    solo: frozenset[int]
    draw: frozenset[int]

    @property
    def order(self) -> tuple[dt.datetime, int]:
        """The place of the game among all that are rated."""
        return self.named_at, self.game


@dataclass(slots=True)
class _Part:
    """A person's part in a game: the seat, and whether the person left or came late."""

    seat: int
    left: bool
    late: bool


def _read_results(games: Collection[int]) -> dict[int, RatedResult]:
    """Return the facts of those games that are finished and marked as rated."""
    rows = Game.objects.filter(pk__in=games, status=Status.FINISHED, rated__in=[True])
    rows = rows.select_related("chart").defer("chart__text")
    found = {game.pk: game for game in rows.order_by("pk")}
    seats: dict[int, dict[int, str]] = defaultdict(dict)
    powers = Seat.objects.filter(game__in=found).values_list("game", "pk", "power")
    for key, seat, power in powers:
        seats[key][seat] = power or ""
    parts, held = _read_parts(found)
    counted = dict(RatedGame.objects.filter(game__in=found).values_list("game", "people"))
    annulled = set(Annulment.objects.filter(game__in=found).values_list("game", flat=True))
    results = {}
    for key, game in found.items():
        people = counted.get(key)
        if people is None:
            since = game.started_at or game.created_at
            people = min(len(held[key]), count_unrelated(list(parts[key]), since=since))
        results[key] = _find_result(
            game, seats[key], parts[key], people, is_annulled=key in annulled
        )
    return results


def _read_parts(
    games: Collection[int],
) -> tuple[dict[int, dict[int, _Part]], dict[int, set[int]]]:
    """Return the parts of people in each game, by person, and the seats that people have held.

    Guests are left out, and so is a person whose removal was overturned too late to come back.
    """
    tenures = Tenure.objects.filter(seat__game__in=games).exclude(user=None).order_by("pk")
    rows = list(
        tenures.filter(user__guest__in=[False]).values_list(
            "seat__game", "seat", "user", "since_at", "until_at", "left"
        )
    )
    first = dict(
        Tenure.objects.filter(seat__game__in=games).order_by("-pk").values_list("seat", "since_at")
    )
    second_years = _read_second_years({row[0] for row in rows if row[3] > first[row[1]]})
    parts: dict[int, dict[int, _Part]] = defaultdict(dict)
    held: dict[int, set[int]] = defaultdict(set)
    for game, seat, user, since, until, left in rows:
        held[game].add(seat)
        late = since > first[seat] and game in second_years and since >= second_years[game]
        if until is not None and left not in _LEFT:
            continue
        part = parts[game].setdefault(user, _Part(seat, left=False, late=late))
        part.left = part.left or left in _LEFT
    return parts, held


def _read_second_years(games: Collection[int]) -> dict[int, dt.datetime]:
    """Return when the first year of each game was over, for games that have come so far."""
    phases = Phase.objects.filter(game__in=games, superseded_at=None).exclude(processed_at=None)
    years: dict[int, dict[int, dt.datetime]] = defaultdict(dict)
    for game, name, at in phases.order_by("sequence").values_list("game", "name", "processed_at"):
        if at is not None:
            years[game][JudgePhase.parse(name).year] = at
    return {game: ends[min(ends)] for game, ends in years.items()}


def _find_result(
    game: Game,
    seats: Mapping[int, str],
    parts: Mapping[int, _Part],
    people: int,
    *,
    is_annulled: bool,
) -> RatedResult:
    if game.ending is None or game.finished_at is None:
        raise ValueError("a game that is not over")
    winners, reason, setup = game.ending.winners, game.ending.reason, game.options.setup
    unrated = find_unrated(people, reason, len(winners))
    unrated = Unrated.ANNULLED if is_annulled else unrated
    end = find_end(reason)
    results = {seat: find_result(winners, power, setup) for seat, power in seats.items()}
    won = {seat for seat, each in results.items() if each in (GameResult.WON, GameResult.SHARED)}
    if unrated is None and end is End.SOLO and len(won) != 1:
        unrated = Unrated.GIVEN_UP
    ranks = {seat: 1 if seat in won else 2 for seat in seats}
    if unrated is None and end is End.TIME_LIMIT:
        ranks = _rank_at_limit(game, seats)
    # In one order, because sums of floats depend on theirs.
    ordered = sorted(parts.items(), key=lambda item: (seats[item[1].seat], item[0]))
    places = find_places(
        [ranks[part.seat] for _, part in ordered], [part.left for _, part in ordered]
    )
    happy = frozenset(
        person for person, part in parts.items() if part.seat in won and not part.left
    )
    return RatedResult(
        game=game.pk,
        named_at=game.finished_at,
        people=people,
        unrated=unrated,
        board=(game.chart_id, setup),
        seats=tuple(
            RatedSeat(person, seats[part.seat], place, only_up=part.late)
            for (person, part), place in zip(ordered, places, strict=True)
        ),
        solo=happy if end is End.SOLO else frozenset(),
        draw=happy if end is End.DRAW else frozenset(),
    )


def _rank_at_limit(game: Game, seats: Mapping[int, str]) -> dict[int, int]:
    """Return the ranks of the seats of a game that a time limit has ended."""
    phase = game.newest_phase()
    position, played = game.starting_position, game.played_with
    if phase is not None:
        played = phase.played_with
        position = phase.position if phase.processed_at is None else phase.resolution.next
    strengths = {
        seat: measure_strength(position, played.get(power, ())) for seat, power in seats.items()
    }
    return rank_players(game, strengths)


# Rating games one after another.


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's rating of a kind, and what it was made of."""

    rating: Rating = field(default_factory=Rating)
    solos: int = 0
    draws: int = 0
    rated_at: dt.datetime | None = None


_Board = tuple[int, str]
_Power = tuple[int, str, str]


@dataclass(slots=True)
class _Book:
    """The ratings of a kind while games are rated, and the rows that these games leave behind."""

    kind: Kind
    people: dict[int, Standing] = field(default_factory=dict)
    powers: dict[_Power, Rating] = field(default_factory=dict)
    games: list[RatedGame] = field(default_factory=list)
    changes: list[RatingChange] = field(default_factory=list)

    def add(self, result: RatedResult) -> None:
        """Rate the next game."""
        row = RatedGame(
            game_id=result.game, kind=self.kind, people=result.people, unrated=result.unrated or ""
        )
        self.games.append(row)
        if result.unrated is not None:
            return
        row.named_at = result.named_at
        before = {seat.player: self._find_standing(seat.player, result) for seat in result.seats}
        names = dict.fromkeys(seat.power for seat in result.seats)
        known = {name: self.powers.get((*result.board, name)) for name in names}
        row.powers = {
            name: None if each is None else [repr(each.mu), repr(each.sigma), each.games]
            for name, each in known.items()
        }
        powers = {name: each for name, each in known.items() if each is not None}
        ratings = {person: standing.rating for person, standing in before.items()}
        rated, new_powers = rate_game(result.seats, ratings, powers)
        for name, rating in new_powers.items():
            self.powers[*result.board, name] = rating
        for seat in result.seats:
            if (new := rated.get(seat.player)) is not None:
                self._change(result, seat, before[seat.player], new)

    def _find_standing(self, person: int, result: RatedResult) -> Standing:
        """Return a person's standing before the game, uncertain again after a long time."""
        standing = self.people.get(person, Standing())
        if standing.rated_at is None or result.named_at - standing.rated_at <= IDLE_AFTER:
            return standing
        return replace(standing, rating=replace(standing.rating, sigma=SPREAD))

    def _change(
        self, result: RatedResult, seat: RatedSeat[int, str], before: Standing, rating: Rating
    ) -> None:
        person, old = seat.player, self.people.get(seat.player, Standing())
        solo, draw = person in result.solo, person in result.draw
        new = Standing(rating, before.solos + solo, before.draws + draw, result.named_at)
        self.people[person] = new
        change = RatingChange(
            kind=self.kind,
            game_id=result.game,
            person_id=person,
            named_at=result.named_at,
            place=seat.place,
            mu_before=old.rating.mu,
            sigma_before=old.rating.sigma,
            rated_before=old.rated_at,
            mu=rating.mu,
            sigma=rating.sigma,
            points=rating.points,
            games=rating.games,
            solos=new.solos,
            draws=new.draws,
            solo=solo,
            draw=draw,
        )
        self.changes.append(change)

    def make_people(self, hidden: Collection[int]) -> list[PersonRating]:
        """Return the rows of people with a rating; those in `hidden` are not listed."""
        return [
            PersonRating(
                kind=self.kind,
                person_id=person,
                mu=each.rating.mu,
                sigma=each.rating.sigma,
                points=each.rating.points,
                games=each.rating.games,
                solos=each.solos,
                draws=each.draws,
                rated_at=each.rated_at,
                listed=person not in hidden,
            )
            for person, each in sorted(self.people.items())
            if each.rated_at is not None
        ]

    def make_powers(self) -> list[PowerRating]:
        """Return the rows of powers."""
        return [
            PowerRating(
                kind=self.kind,
                chart_id=chart,
                setup=setup,
                power=power,
                mu=rating.mu,
                sigma=rating.sigma,
                games=rating.games,
            )
            for (chart, setup, power), rating in sorted(self.powers.items())
        ]

    def make_rows(self) -> tuple[list[Model], ...]:
        """Return everything to store, by table."""
        hidden = _find_hidden(self.people)
        rows = (self.games, self.changes, self.make_people(hidden), self.make_powers())
        return tuple([*each] for each in rows)


def _find_hidden(people: Collection[int]) -> set[int]:
    """Return those of the people whom lists leave out."""
    hidden: set[int] = set()
    for some in _cut(people):
        hidden.update(HiddenRating.objects.filter(person__in=some).values_list("pk", flat=True))
        gone = User.objects.filter(pk__in=some).exclude(deleted_at=None)
        hidden.update(gone.values_list("pk", flat=True))
    return hidden


@atomic_with_retries
def rate_requested_games(*, kind: Kind) -> int:
    """Rate the games of a kind that have been requested; return how many games were rated.

    Games that come after one of them in the order are rated again.
    """
    _lock(kind)
    requests = dict(RatingRequest.objects.filter(kind=kind).values_list("pk", "game"))
    if not requests:
        return 0
    requested = set(requests.values())
    results = _read_results(requested)
    orders = {each.order for each in results.values() if each.unrated is None}
    old = RatedGame.objects.filter(game__in=requested).exclude(named_at=None)
    orders.update((at, game) for at, game in old.values_list("named_at", "game") if at)
    later = Q(pk__in=())
    if orders:
        at, game = min(orders)
        later = Q(named_at__gt=at) | Q(named_at=at, game__gte=game)
    count = _rate_again(kind, later, results, requested)
    _delete(RatingRequest, requests)
    return count


def _lock(*kinds: Kind) -> None:
    """Lock the ratings of the kinds, or of all kinds, until the end of the transaction."""
    wanted = kinds or tuple(Kind)
    rows = RatingKind.objects.select_for_update().filter(kind__in=wanted).order_by("kind")
    if len(rows) < len(wanted):
        RatingKind.objects.bulk_create(map(RatingKind, wanted), ignore_conflicts=True)
        _lock(*wanted)


def _rate_again(
    kind: Kind, later: Q, results: dict[int, RatedResult], requested: Collection[int]
) -> int:
    """Undo the ratings by the games that `later` selects, and rate these and the `results`.

    The rows of all `requested` games are replaced, also of those that are no longer finished.
    """
    undone = list(RatedGame.objects.filter(later, kind=kind).order_by("named_at", "game_id"))
    changes = RatingChange.objects.filter(later, kind=kind)
    for some in _cut({row.game_id for row in undone}.difference(requested)):
        results |= _read_results(some)
    book = _Book(kind)
    people = _restore_people(book, list(changes.order_by("named_at", "game_id")), results.values())
    powers = _restore_powers(book, undone, results.values())
    for result in sorted(results.values(), key=lambda each: each.order):
        book.add(result)
    changes.delete()
    _delete(RatedGame, {row.game_id for row in undone}.union(requested))
    for some in _cut(people):
        PersonRating.objects.filter(kind=kind, person__in=some).delete()
    _delete(PowerRating, powers)
    for rows in book.make_rows():
        _create(rows)
    return len(book.games)


def _restore_people(
    book: _Book, changes: Sequence[RatingChange], results: Iterable[RatedResult]
) -> set[int]:
    """Put the standings before the changes into the book; return everybody who is concerned."""
    people = {change.person_id for change in changes}
    people.update(seat.player for result in results for seat in result.seats)
    for some in _cut(people):
        for row in PersonRating.objects.filter(kind=book.kind, person__in=some):
            book.people[row.person_id] = Standing(row.rating, row.solos, row.draws, row.rated_at)
    for change in reversed(changes):
        book.people[change.person_id] = Standing(
            Rating(change.mu_before, change.sigma_before, change.games - 1),
            change.solos - change.solo,
            change.draws - change.draw,
            change.rated_before,
        )
    return people


def _restore_powers(
    book: _Book, undone: Sequence[RatedGame], results: Iterable[RatedResult]
) -> list[int]:
    """Put the ratings of powers before the games into the book; return the keys of their rows."""
    boards: dict[int, _Board] = {}
    for some in _cut([row.game_id for row in undone]):
        games = Game.objects.filter(pk__in=some).order_by().values("pk", "chart", "options")
        boards |= {game["pk"]: (game["chart"], game["options"]["setup"]) for game in games}
    concerned = {*boards.values(), *(result.board for result in results)}
    keys = []
    for some in _cut({chart for chart, _ in concerned}):
        for row in PowerRating.objects.filter(kind=book.kind, chart__in=some):
            if (row.chart_id, row.setup) in concerned:
                keys.append(row.pk)
                rating = Rating(row.mu, row.sigma, row.games)
                book.powers[row.chart_id, row.setup, row.power] = rating
    for game in reversed(undone):
        for power, before in game.powers.items():
            key = (*boards[game.game_id], power)
            if before is None:
                book.powers.pop(key, None)
            else:
                mu, sigma, games = before
                book.powers[key] = Rating(float(mu), float(sigma), games)
    return keys


def _cut(keys: Collection[int]) -> Iterator[list[int]]:
    """Yield the keys in order, some at a time: databases limit the length of a statement."""
    ordered = sorted(keys)
    for start in range(0, len(ordered), _ROWS_AT_ONCE):
        yield ordered[start : start + _ROWS_AT_ONCE]


def _delete(model: type[Model], keys: Collection[int]) -> None:
    for some in _cut(keys):
        model._default_manager.filter(pk__in=some).delete()


def _create(rows: Sequence[Model]) -> None:
    if rows:
        type(rows[0])._default_manager.bulk_create(rows, _ROWS_AT_ONCE)


# Computing all ratings from the start, beside the stored ones or in their place.


def compare_ratings(*, repair: bool = False) -> list[str]:
    """Compute all ratings from the finished games; return the rows that differ, one a line.

    Lines begin with `-` for a stored row and with `+` for a computed one. With `repair`, the
    computed rows replace all stored ones, in one transaction for each kind. Requested games are
    rated first, as a worker would.
    """
    differences: list[str] = []
    for kind in Kind:
        rate_requested_games(kind=kind)
        differences += _compare_kind(kind=kind, repair=repair)
    return differences


@atomic_with_retries
def _compare_kind(*, kind: Kind, repair: bool) -> list[str]:
    _lock(kind)
    presses = Q(pk__in=())
    for press in (press for press in Press if KIND_OF_PRESS[press] is kind):
        presses |= Q(options__press=press.value)
    games = Game.objects.filter(presses, status=Status.FINISHED, rated__in=[True]).order_by()
    order = [key for _, key in sorted(games.values_list("finished_at", "pk"))]
    book, differences = _Book(kind), list[str]()
    # Some games at a time, because the rows of all take too much memory.
    for start in range(0, len(order), _ROWS_AT_ONCE):
        some = order[start : start + _ROWS_AT_ONCE]
        for result in sorted(_read_results(some).values(), key=lambda each: each.order):
            book.add(result)
        for model, rows in ((RatedGame, book.games), (RatingChange, book.changes)):
            stored = model._default_manager.filter(game__in=some)
            differences += _compare_rows(stored, rows, repair=repair)
            rows.clear()
    for model in (RatedGame, RatingChange):
        stored = model._default_manager.filter(kind=kind)
        for some in _cut(set(stored.values_list("game", flat=True)).difference(order)):
            differences += _compare_rows(stored.filter(game__in=some), [], repair=repair)
    people, powers = book.make_people(_find_hidden(book.people)), book.make_powers()
    differences += _compare_rows(PersonRating.objects.filter(kind=kind), people, repair=repair)
    differences += _compare_rows(PowerRating.objects.filter(kind=kind), powers, repair=repair)
    return sorted(differences, key=lambda line: (line[0] == "+", line))


def _compare_rows(stored: QuerySet[Model], computed: Sequence[Model], *, repair: bool) -> list[str]:
    """Return the rows that differ, one a line; with `repair`, replace the stored ones by these."""
    old = set(map(describe_row, stored.iterator(_ROWS_AT_ONCE)))
    new = set(map(describe_row, computed))
    if repair and old != new:
        stored.delete()
        _create(computed)
    return [*(f"- {row}" for row in old - new), *(f"+ {row}" for row in new - old)]


def describe_row(row: Model) -> str:
    """Return a row of ratings as text, without its own key: equal rows give equal texts."""
    values = {
        each.attname: getattr(row, each.attname)
        for each in row._meta.concrete_fields
        if each.attname != "id"
    }
    texts = (f"{name}={_describe_value(value)}" for name, value in values.items())
    return f"{row._meta.verbose_name}: {' '.join(texts)}"


def _describe_value(value: object) -> object:
    """Return a value as it is written, the parts of JSON in order: PostgreSQL keeps none."""
    if isinstance(value, dict):
        return dict(sorted(value.items()))
    return value.isoformat() if isinstance(value, dt.datetime) else value


# Annulling games, and hiding ratings.


def set_annulled(*, game: Game, annulled: bool, now: dt.datetime) -> bool:
    """Annul a finished game, or let it count again; return whether that changed anything.

    Called in the transaction that writes the reason into the audit.
    """
    if annulled:
        _, changed = Annulment.objects.get_or_create(game=game, defaults={"at": now})
    else:
        changed = bool(Annulment.objects.filter(game=game).delete()[0])
    if changed:
        request_rating(game)
    return changed


@atomic_with_retries
def hide_ratings(*, user_id: int, hidden: bool) -> None:
    """Hide a person's ratings from all others, or show them again; they go on being computed."""
    _lock()
    if hidden:
        HiddenRating.objects.get_or_create(person_id=user_id)
    else:
        HiddenRating.objects.filter(person=user_id).delete()
    _list_again(user_id)


def _list_again(user_id: int) -> None:
    is_listed = user_id not in _find_hidden([user_id])
    PersonRating.objects.filter(person=user_id).update(listed=is_listed)


# A person's ratings in the download of the data, and when the account is deleted.


@task()
def unlist_person(user_id: int) -> None:
    """Take a person whose account is deleted off the lists."""
    with_lock = atomic_with_retries(_unlist)
    with_lock(user_id)


def _unlist(user_id: int) -> None:
    _lock()
    HiddenRating.objects.filter(person=user_id).delete()
    _list_again(user_id)


def _erase(user_id: int, _now: dt.datetime) -> None:
    """Have the person unlisted, later: the lock of ratings must not be taken after a person's.

    The changes stay, because others' ratings follow from them; they lead to an account without a
    name.
    """
    unlist_person.enqueue(user_id)


def _export(user_id: int) -> Iterator[ExportFile]:
    rows = PersonRating.objects.filter(person=user_id).order_by("kind")
    changes = RatingChange.objects.filter(person=user_id).order_by("kind", "named_at", "game_id")
    if not rows:
        return
    content = {
        "hidden_from_others": HiddenRating.objects.filter(person=user_id).exists(),
        "ratings": [
            {
                "kind": row.kind,
                "rating": row.points,
                "mu": row.mu,
                "sigma": row.sigma,
                "games": row.games,
                "solos": row.solos,
                "draws": row.draws,
                "last_game": row.rated_at.isoformat(),
            }
            for row in rows
        ],
        "games": [
            {
                "kind": change.kind,
                "game": change.game.slug,
                "at": change.named_at.isoformat(),
                "place": change.place,
                "rating": change.points,
            }
            for change in changes.select_related("game")
        ],
    }
    text = json.dumps(content, ensure_ascii=False, indent=2)
    yield ExportFile("ratings.json", iter([text]))


PART = AccountPart(erase=_erase, export=_export)
"""Listed in `settings.ACCOUNT_PARTS`."""
