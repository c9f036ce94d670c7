"""A site with any number of games: a hundred are played, the others are copied with SQL."""

import contextlib
import datetime as dt
import json
from collections.abc import Iterator, Sequence

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.utils import timezone
from tests.games.large_games import begin

from diplomaccloud.accounts.models import User
from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.creation.presets import GamePlan
from diplomaccloud.games.featured.actions import tend_featured_game
from diplomaccloud.games.hall.actions import draw_next_picture
from diplomaccloud.games.hall.models import Standing
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.next_game.actions import open_missing
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.ratings.actions import rate_requested_games
from diplomaccloud.games.ratings.models import PersonRating, RatedGame, RatingChange
from diplomaccloud.games.ratings.wording import Kind
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.log_models import (
    CountryFigures,
    Event,
    LogEntry,
    PlayerFigures,
    RivalFigures,
    WorldFigures,
)
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.options import Options, Watch
from diplomaccloud.games.table.phase_models import Attendance, Draft, OrderRow, Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.votes.actions import cast_ballot, open_vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.codec import order_to_json
from diplomaccloud.judge.orders import Hold
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.units import Unit
from diplomaccloud.maps.library import store_standard
from diplomaccloud.schedule import Interval, Lengths, Schedule

PLAYED = 100
"""The number of games that are really played; the site's size is a multiple of it."""
PEOPLE = 100
"""The number of people in the played games; their keys are 1 to 100."""
VETERANS = tuple(range(101, 108))
"""Seven people with `TURNS` turns each, who all play in one running game."""
TURNS = 4_300
VETERAN_GAMES = 20
BUSY, USUAL = 1, 60
"""A person with many finished games, and one with a few games of each kind."""
REGULAR = 108
"""A person who plays in ten running games, with six others who play nowhere else."""
REGULAR_GAMES = 10
ORDERS = 5
"""The minimum number of orders in each draft of `add_orders`, as in the middle of a game."""
EVENTS = 300
WATCHED = 1_000
"""The number of running games that have `EVENTS` public events each."""
DAY = dt.timedelta(days=1)
_LETTERS = "abcdefghjk"
_ORDER = Hold(Unit(UnitKind.ARMY, Location(ProvinceCode("MUN")), Power("GERMANY")))
"""Each row of `add_orders` contains this order."""
_ADDED = "scale"
"""The kind of the events that only fill the table."""


def make_site(now: dt.datetime) -> None:
    """Play `PLAYED` games: 86 end, 8 are running and 6 are forming."""
    regulars = range(REGULAR, REGULAR + 7)
    User.objects.bulk_create(
        User(pk=key, username=f"person{key:06d}", last_login=now - key * DAY, date_joined=now)
        for key in (*range(1, PEOPLE + 1), *VETERANS, *regulars)
    )
    _reset_sequences([User])
    board = store_standard(now=now)
    with transaction.atomic():
        _seat_veterans(board, now)
        for number in range(PLAYED):
            _play(number, board, now)
        for number in range(REGULAR_GAMES):
            begin(list(regulars), 900_100 + number, now=now)
    for kind in Kind:
        while rate_requested_games(kind=kind):
            pass
    while draw_next_picture():
        pass
    open_missing(now=now)
    tend_featured_game(now=now)
    _add_events()


def grow_site(size: int, people: int, now: dt.datetime) -> None:
    """Copy the played games of `make_site` until there are `size`, played by about `people`.

    Each copy of the games has the people of one of the generations of a hundred.
    """
    copies = size // PLAYED - 1
    generations = max(1, min(people // PEOPLE - 1, copies))
    User.objects.bulk_create(
        (
            User(pk=key, username=f"person{key:06d}", last_login=now - key % 700 * DAY)
            for generation in range(generations)
            for key in range(_first_key(generation), _first_key(generation) + PEOPLE)
        ),
        batch_size=2_000,
    )
    with transaction.atomic(), _without_indexes(Game, *_COPIED, *_OF_PEOPLE):
        _copy_games(copies, generations, now)
        for model in _COPIED:
            _copy_rows(model, copies, generations, now)
        for kind in _OF_PEOPLE:
            _copy_people(kind, generations, now)
    _reset_sequences([User, Game, *_COPIED, *_OF_PEOPLE])
    _add_events()
    _analyze()


def add_orders(count: int) -> None:
    """Add about `count` rows of orders to the phases of the site, with drafts for all seats.

    This works only on PostgreSQL, whose `generate_series` makes the rows.
    """
    drafts, rows = Draft._meta.db_table, OrderRow._meta.db_table
    with transaction.atomic(), _without_indexes(Draft, OrderRow), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {drafts} (name, live, saved_at, phase_id, seat_id) "
            "SELECT %s, NULL, now(), phase.id, seat.id FROM games_phase phase "
            "JOIN games_seat seat ON seat.game_id = phase.game_id WHERE seat.power IS NOT NULL "
            "AND phase.processed_at IS NOT NULL ORDER BY phase.id LIMIT %s",
            ["Kept", 1 + count // ORDERS],
        )
        orders = max(ORDERS, 1 + count // cursor.rowcount)
        cursor.execute(
            f"INSERT INTO {rows} (unit, written, canonical, saved_at, draft_id) "
            "SELECT 'A ' || number, 'A MUN H', %s, draft.saved_at, draft.id "
            f"FROM {drafts} draft, generate_series(1, {orders}) number "
            "WHERE draft.name = %s ORDER BY draft.id LIMIT %s",
            [json.dumps(order_to_json(_ORDER)), "Kept", count],
        )
        if cursor.rowcount < count:
            raise SystemExit(f"scale: only {cursor.rowcount} orders were added")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def watched_games() -> list[int]:
    """Return the keys of the running games that have `EVENTS` events."""
    running = Game.objects.filter(status="running").order_by("pk")
    return list(running.values_list("pk", flat=True)[:WATCHED])


def _play(number: int, board: str, now: dt.datetime) -> None:
    """Play one game; its number determines how far it gets and who may see it."""
    ends, forming = number < 86, number >= 94
    start = now - DAY * (400 - number) if ends else now - dt.timedelta(hours=1 + number % 7)
    plan = GamePlan(
        world=f"World {number}",
        map_hash=board,
        private=number % 10 == 7,
        options=Options(
            Schedule(Interval(Lengths(DAY, DAY, DAY))),
            anonymous=number % 10 == 3,
            watch=Watch.PLAYERS if number % 10 == 5 else Watch.ANYONE,
        ),
    )
    if ends:
        people = [1 + (number * 7 + seat) % PEOPLE for seat in range(7)]
    else:
        people = [51 + (number * 7 + seat) % 50 for seat in range(3 if forming else 7)]
    game = create_game(
        plan=plan, creator_id=people[0], now=start, slug=_slug(number, 0), code=f"code{number}",
        seed=f"scale {number}",
    )  # fmt: skip
    for user in people[1:]:
        join_game(slug=game.slug, user_id=user, now=start, code=f"code{number}")
    if forming:
        return
    start_game(slug=game.slug, user_id=people[0], now=start)
    for turn in range(1 + number % 2 if ends else 0):
        _play_phase(game, people, absent=(number + turn) % 7)
    if number % 10 == 1:
        resign(slug=game.slug, user_id=people[3], now=start + 3 * DAY * ends)
    if ends:
        _agree_on_a_draw(game)


def _play_phase(game: Game, people: Sequence[int], *, absent: int) -> None:
    phase = game.newest_phase()
    for number, user in enumerate(people):
        if number != absent:
            save_orders(
                slug=game.slug, user_id=user, sequence=phase.sequence, choices=(), sheet="",
                now=phase.opens_at,
            )  # fmt: skip
    assert advance(game_id=game.pk, owner="scale", now=phase.adjudicate_at) == 1


def _agree_on_a_draw(game: Game) -> None:
    phase, vote = game.newest_phase(), None
    for user in Seat.objects.filter(game=game).exclude(user=None).values_list("user", flat=True):
        act = {
            "slug": game.slug, "user_id": user, "sequence": phase.sequence, "now": phase.opens_at,
        }  # fmt: skip
        if vote is None:
            vote = open_vote(question=Question.DRAW, terms=Terms(), **act)
        else:
            cast_ballot(vote_id=vote.pk, yes=True, **act)
    assert Game.objects.get(pk=game.pk).status == "finished"


def _seat_veterans(board: str, now: dt.datetime) -> None:
    """Start the games of the veterans, with thousands of processed phases behind them."""
    for number in range(VETERAN_GAMES):
        plan = GamePlan(
            world=f"Veterans {number}",
            map_hash=board,
            options=Options(Schedule(Interval(Lengths(DAY, DAY, DAY)))),
        )
        first, *others = VETERANS
        game = create_game(
            plan=plan, creator_id=first, now=now, slug=_slug(PLAYED + number, 0), code="x",
            seed=f"veterans {number}",
        )  # fmt: skip
        for user in others:
            join_game(slug=game.slug, user_id=user, now=now)
        start_game(slug=game.slug, user_id=first, now=now)
        _play_phase(game, VETERANS, absent=6)
        _lengthen(game, TURNS // VETERAN_GAMES - 1)
        if number:
            _agree_on_a_draw(game)


def _lengthen(game: Game, turns: int) -> None:
    """Put `turns` processed phases with attendance before the first phase."""
    first = game.phases.get(sequence=1)
    fields = {
        field.attname: field.value_from_object(first) for field in Phase._meta.concrete_fields
    }
    game.phases.filter(sequence=2).update(sequence=turns + 2)
    del fields["id"]
    Phase.objects.bulk_create(
        Phase(**fields | {"sequence": 2 + turn, "name": _turn(turn)}) for turn in range(turns)
    )
    seats = dict(Seat.objects.filter(game=game).values_list("pk", "user"))
    added = list(
        game.phases.filter(sequence__gt=1, sequence__lt=turns + 2).values_list("pk", flat=True)
    )
    Attendance.objects.bulk_create(
        (
            Attendance(phase_id=phase, seat_id=seat, user_id=user, ordered=phase % 9 > 0)
            for phase in added
            for seat, user in seats.items()
        ),
        batch_size=2_000,
    )


def _turn(number: int) -> str:
    year, part = divmod(number, 2)
    return str(JudgePhase((Season.SPRING, Season.FALL)[part], 2000 + year, Stage.MOVEMENT))


def _add_events() -> None:
    """Give the running games that are watched `EVENTS` public events each."""
    keys = Game.objects.filter(status="running").order_by("pk").values_list("pk", flat=True)
    counted = Event.objects.filter(seat=None, game__in=list(keys[:WATCHED])).order_by()
    have = dict(counted.values_list("game").annotate(n=models.Count("pk")))
    Event.objects.bulk_create(
        (
            Event(game_id=game, kind=_ADDED, key=f"{_ADDED} {number}", created_at=timezone.now())
            for game, count in have.items()
            for number in range(count, EVENTS)
        ),
        batch_size=2_000,
    )


# Copies.

_COPIED = (
    Seat, Tenure, Phase, Attendance, Event, LogEntry, Standing, RatedGame, RatingChange,
)  # fmt: skip
"""Each after those it refers to. Orders, votes and receipts are not copied."""
_OF_PEOPLE = (PlayerFigures, CountryFigures, WorldFigures, RivalFigures, PersonRating)
"""What is copied for each generation, whatever it plays."""
_TIMES = {
    Game: ("created_at", "started_at", "finished_at"),
    Seat: ("finished_at",),
    RatedGame: ("named_at",),
    RatingChange: ("named_at",),
}
"""Times that are some hours earlier in each copy, so that games end one by one."""


def _path_to_game(model: type[models.Model]) -> str:
    return "seat__game" if model is Tenure else "phase__game" if model is Attendance else "game"


def _copy_games(copies: int, generations: int, now: dt.datetime) -> None:
    played = Game.objects.filter(slug__endswith=_slug(0, 0)[3:]).exclude(creator__in=VETERANS)
    where = _span(played)
    _STRIDES[Game] = _count_keys(Game)
    for copy in range(1, copies + 1):
        columns = _list_columns(Game, _person_of(copy, generations), copy, now)
        slug = "CONCAT(SUBSTR(slug, 1, 3), %s)"
        if connection.vendor != "mysql":
            slug = "SUBSTR(slug, 1, 3) || %s"
        columns["slug"] = slug, (_slug(0, copy)[3:],)
        _insert(Game, columns, where)


def _copy_rows(model: type[models.Model], copies: int, generations: int, now: dt.datetime) -> None:
    path = _path_to_game(model)
    rows = model._default_manager.filter(**{f"{path}__slug__endswith": _slug(0, 0)[3:]})
    rows = rows.exclude(**{f"{path}__creator__in": VETERANS})
    if model is Event:
        rows = rows.exclude(kind=_ADDED)
    where = _span(rows)
    if not model._meta.pk.is_relation:
        _STRIDES[model] = _count_keys(model)
    for copy in range(1, copies + 1):
        columns = _list_columns(model, _person_of(copy, generations), copy, now)
        _insert(model, columns, where)


def _copy_people(model: type[models.Model], generations: int, now: dt.datetime) -> None:
    people = [field.column for field in model._meta.concrete_fields if field.related_model is User]
    where = " AND ".join(f"{column} <= {PEOPLE}" for column in people)
    _STRIDES[model] = _count_keys(model)
    for generation in range(generations):
        moved = f"{{}} + {_first_key(generation) - 1}"
        columns = _list_columns(model, moved, generation + 1, now)
        if model is PersonRating:
            columns["points"] = f"points + {generation * 37 % 400}", ()
        _insert(model, columns, where)


_STRIDES: dict[type[models.Model], int] = {}
"""The distance between the key of a row and the key of its first copy."""


def _count_keys(model: type[models.Model]) -> int:
    return 1 + int(model._default_manager.aggregate(most=models.Max("pk"))["most"] or 0)


def _span(rows: models.QuerySet) -> str:
    """Return the condition, in SQL, that the rows meet."""
    found = rows.order_by().aggregate(low=models.Min("pk"), high=models.Max("pk"))
    key = connection.ops.quote_name(rows.model._meta.pk.column)
    return f"{key} BETWEEN {found['low']} AND {found['high']}"


def _list_columns(
    model: type[models.Model], person: str, copy: int, now: dt.datetime
) -> dict[str, tuple[str, tuple]]:
    """Return the SQL, with parameters, for each column of a copy; `person` is a format."""
    columns: dict[str, tuple[str, tuple]] = {}
    for field in model._meta.concrete_fields:
        sql = connection.ops.quote_name(field.column)
        target = field.related_model or (model if field.primary_key else None)
        if target is User:
            sql = person.format(sql)
        elif target in _STRIDES:
            sql = f"{sql} + {copy * _STRIDES[target]}"
        columns[field.column or ""] = sql, ()
    ago = now - dt.timedelta(hours=copy)
    for name in _TIMES.get(model, ()):
        moved = model._meta.get_field(name).get_db_prep_value(ago, connection)
        columns[name] = f"CASE WHEN {name} IS NULL THEN NULL ELSE %s END", (moved,)
    return columns


def _person_of(copy: int, generations: int) -> str:
    """Return SQL for the person in a copy: someone of another generation, or the busy person."""
    moved = f"{{0}} + {_first_key((copy - 1) % generations) - 1}"
    same = f"{{0}} > {PEOPLE}" if copy % 5 else f"{{0}} = {BUSY} OR {{0}} > {PEOPLE}"
    return f"CASE WHEN {same} THEN {{0}} ELSE {moved} END"


def _first_key(generation: int) -> int:
    return 1_001 + PEOPLE * generation


def _insert(model: type[models.Model], columns: dict, where: str) -> None:
    quote = connection.ops.quote_name
    table, names = quote(model._meta.db_table), ", ".join(map(quote, columns))
    chosen = ", ".join(sql for sql, _ in columns.values())
    parameters = [value for _, values in columns.values() for value in values]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {chosen} FROM {table} WHERE {where}", parameters
        )


@contextlib.contextmanager
def _without_indexes(*changed: type[models.Model]) -> Iterator[None]:
    """Build the indexes of these tables in one go after they have grown: on PostgreSQL only.

    New rows refer to rows that exist, so foreign keys aren't checked either.
    """
    if connection.vendor != "postgresql":
        yield
        return
    tables = [model._meta.db_table for model in changed]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("SET LOCAL maintenance_work_mem = '512MB'")
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%s) AND NOT EXISTS "
            "(SELECT FROM pg_constraint WHERE conname = indexname)",
            [tables],
        )
        indexes = dict(cursor.fetchall())
        for name in indexes:
            cursor.execute(f"DROP INDEX {connection.ops.quote_name(name)}")
        yield
        for definition in indexes.values():
            cursor.execute(definition)
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")


def _reset_sequences(changed: Sequence[type[models.Model]]) -> None:
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(changed)):
            cursor.execute(statement)


def _analyze() -> None:
    """Let the database count its rows, as a server eventually does automatically."""
    with connection.cursor() as cursor:
        if connection.vendor == "mysql":
            for table in connection.introspection.table_names():
                if table.startswith("games_"):
                    cursor.execute(f"ANALYZE TABLE {table}")
        else:
            cursor.execute("ANALYZE")


def _slug(number: int, copy: int) -> str:
    """Return an address: three letters for the played game, seven for the copy."""
    return _spell(number, 3) + _spell(copy, 7)


def _spell(number: int, length: int) -> str:
    return "".join(_LETTERS[int(digit)] for digit in f"{number:0{length}d}")
