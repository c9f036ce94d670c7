"""Rows written by any earlier release can be read after the upgrade, in the tables of a new site.

Going back and forth between releases takes long on a server, so one journey serves all: it starts
at the first release and adds rows at each stop, as the release of that time would have. A new
database gets its tables from squashed migrations, so the journey must end with the same tables.
"""

import datetime as dt
import itertools

from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from tests.accounts.test_screen_names import ALIKE, sign_up

from diplomaccloud.accounts.models import User
from diplomaccloud.games.models import (
    ConditionalOrders,
    Game,
    OrderRow,
    Phase,
    StoredRules,
    Submission,
    store_rules,
)
from diplomaccloud.games.options.presets import USUAL
from diplomaccloud.judge.codec.values import rules_to_json
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.schedule import Interval, Lengths

NOW = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)
DAYS = [NOW - dt.timedelta(days=number) for number in (9, 8, 7, 6)]
MINUTE = dt.timedelta(minutes=1)
TEXT = {"v": 2, "plans": {"ITALY": "if ROM is dislodged: NAP"}}
NAMES = ("Alice", "A1ice", "..", "Bob")
ACCOUNTS = ("accounts", "0004_screen_name_help")
REPAIRED_LIMITS = {0: 300, 59: 300, 60: 60, 3600: 3600}
COPIED_RULES = (rules_to_json(DEFAULT), {"old": [1, 2]}, {"old": [1, 2]})


def test_rows_of_every_release_are_read_after_the_upgrade(transactional_db, subtests):
    stops = {
        "0001_first": add_first_game,
        "0005_colors": add_rows_under_old_names,
        "0010_questions_of_masters": add_outage_limits,
        "0016_figures_indexed": add_copied_rules,
    }
    new = describe_tables()
    for stop, add_rows in stops.items():
        add_rows(migrate(ACCOUNTS, ("games", stop)))
    migrate()
    with subtests.test("the same tables as in a new database"):
        assert describe_tables() ^ new == set()
    for check in (
        require_first_game_goes_on,
        require_new_names,
        require_repaired_limits,
        require_rules_stored_once,
        require_names_kept,
    ):
        with subtests.test(check.__name__):
            check()


def migrate(*stops: tuple[str, str]) -> Apps:
    """Migrate to these migrations, or to the newest, and return the models of that time."""
    executor = MigrationExecutor(connection)
    executor.loader = loader = MigrationLoader(connection, replace_migrations=False)
    for key, squashed in loader.replacements.items():
        loader.graph.remove_replacement_node(key, squashed.replaces)
    targets = list(stops) or loader.graph.leaf_nodes()
    executor.migrate(targets)
    return loader.project_state(targets).apps


def describe_tables():
    """Return a line for each column, key, index and check of each table."""
    with connection.cursor() as cursor:
        return {
            f"{table}: {line}"
            for table in connection.introspection.table_names(cursor)
            for line in (*_list_columns(cursor, table), *_list_constraints(cursor, table))
        }


def _list_columns(cursor, table):
    for column in connection.introspection.get_table_description(cursor, table):
        kind = (column.type_code, column.display_size, column.null_ok, column.default)
        yield f"{column.name} {kind}"


def _list_constraints(cursor, table):
    """Yield what each constraint holds; renamed tables have constraints with older names.

    MariaDB may drop the index of a foreign key when another one begins with its column, depending
    on which was made first, so such an index is left out.
    """
    kinds = ("columns", "primary_key", "unique", "foreign_key", "check", "index", "orders")
    constraints = connection.introspection.get_constraints(cursor, table).values()
    indexes = [about["columns"] for about in constraints if about["index"]]
    for about in constraints:
        columns = about["columns"]
        if not (
            connection.vendor == "mysql"
            and about["index"]
            and any(other[: len(columns)] == columns != other for other in indexes)
        ):
            yield str([about.get(kind) for kind in kinds])


def old_game(old, slug, **columns):
    person = old.get_model("accounts", "User").objects.get(username="Alice")
    chart = old.get_model("maps", "StoredChart").objects.get()
    given = {"world": "Old", "chart": chart, "status": "running", "rules": {}, "code": "x"}
    given |= {"creator": person, "created_at": NOW, "started_at": NOW, **columns}
    return old.get_model("games", "Game").objects.create(slug=slug, **given)


def old_phase(old, game, **columns):
    given = {"name": "S1901M", "position": {}, "rules": {}, "engine": "1", "opens_at": NOW}
    return old.get_model("games", "Phase").objects.create(
        game=game, sequence=1, due_at=NOW, **given | columns
    )


# The first release.


def add_first_game(old):
    people = old.get_model("accounts", "User").objects
    alice, *_ = [people.create(username=name) for name in NAMES]
    old.get_model("maps", "StoredChart").objects.create(
        content_hash="0" * 64, name="Old", players=7, provinces=75, centers=34, created_at=NOW
    )
    seconds = {"movement_seconds": 60, "retreat_seconds": 120, "build_seconds": 180}
    game = old_game(old, "first", seed="s", end_year=1910, fill_with="hold", **seconds)
    seat = old.get_model("games", "Seat").objects.create(game=game, power="ITALY", user=alice)
    phase = old_phase(old, game, processed_at=NOW, results={})
    old.get_model("games", "OrderRow").objects.create(
        phase=phase, seat=seat, unit="A ROM", written="A ROM H", canonical={}, saved_at=NOW
    )


def require_first_game_goes_on():
    game = Game.objects.get(slug="first")
    assert game.options.schedule.plan == Interval(Lengths(MINUTE, 2 * MINUTE, 3 * MINUTE))
    assert (game.options.fill_with, game.options.ends.last_year) == ("hold", 1910)
    phase = game.phases.get()
    assert [row.unit for row in OrderRow.objects.live_in(phase)] == ["A ROM"]
    assert phase.locked_at == NOW
    assert game.seats.get().tenures.get().user.username == "Alice"


# Before tables and columns had plain names.


def add_rows_under_old_names(old):
    people = old.get_model("accounts", "User").objects
    alice, bob = people.get(username="Alice"), people.get(username="Bob")
    game = old_game(old, "old", options={}, seed="s", line=2, alarm="ValueError: x")
    seat = old.get_model("games", "Seat").objects.create(game=game, power="ITALY", user=alice)
    phase = old_phase(
        old, game, adjudicate_at=NOW, line=2, exact=True, disorder={"FRANCE": "surrendered"}
    )
    old.get_model("games", "Submission").objects.create(
        phase=phase, seat=seat, ahead=True, vote="draw"
    )
    old.get_model("games", "Plan").objects.create(
        phase=phase, seat=seat, written="if ROM", canonical=TEXT, saved_at=NOW
    )
    tenures = old.get_model("games", "Tenure").objects
    tenures.create(seat=seat, user=bob, since_at=DAYS[0], until_at=DAYS[2], left="resigned")
    tenures.create(seat=seat, user=alice, since_at=DAYS[3])
    for kind, yes, at in (("cancel", False, DAYS[1]), ("pause", True, DAYS[2])):
        over = old.get_model("games", "Motion").objects.create(
            game=game, phase=phase, seat=seat, kind=kind, opened_at=at, closes_at=NOW,
            closed_at=NOW, outcome="failed", data={"power": "", "seconds": None},
        )  # fmt: skip
        old.get_model("games", "Ballot").objects.create(motion=over, seat=seat, yes=yes, cast_at=at)
    motion = old.get_model("games", "Motion").objects.create(
        game=game, phase=phase, seat=seat, kind="draw", open=True, opened_at=NOW, closes_at=NOW
    )
    old.get_model("games", "Ballot").objects.create(motion=motion, seat=seat, yes=True, cast_at=NOW)


def require_new_names():
    game = Game.objects.get(slug="old")
    phase = game.phases.get()
    assert (game.branch, game.suspended_reason) == (2, "ValueError: x")
    assert (phase.branch, phase.fixed_deadline) == (2, True)
    assert phase.civil_disorder == {"FRANCE": "surrendered"}
    # A game from before there were records has none, and its seats have numbers for receipts.
    assert (game.record_length, game.record_head) == (0, "")
    assert list(game.seats.values_list("number", flat=True)) == [1]
    submission = Submission.objects.get(phase=phase)
    assert (submission.by_conditional_orders, submission.draw_vote) == (True, "draw")
    conditional = ConditionalOrders.objects.get(phase=phase)
    assert conditional.text_for("ITALY") == TEXT["plans"]["ITALY"]
    assert conditional.written == "if ROM"
    vote = game.votes.get(open=True)
    assert (vote.asked_by.username, vote.agreed) == ("Alice", None)
    assert vote.ballots.standing().get().tenure.user.username == "Alice"
    for over, counts in zip(game.votes.filter(open=None), [(0, 1), (1, 0)], strict=True):
        assert (over.asked_by.username, over.agreed, over.against) == ("Bob", *counts)
        assert not over.ballots.standing().exists()
        assert over.ballots.get().tenure.until_at == DAYS[2]


# When the limit for outages could be below a minute.


def outage_limits():
    """Yield the name of each game, its status, its options as they were, and as they become."""
    for stored, status in itertools.product(REPAIRED_LIMITS, ("running", "forming")):
        before, after = USUAL.options.to_json(), USUAL.options.to_json()
        before["schedule"]["caps"]["credit_after"] = stored
        after["schedule"]["caps"]["credit_after"] = REPAIRED_LIMITS[stored]
        yield f"{status[0]}{stored}", status, before, after


def add_outage_limits(old):
    for slug, status, options, _ in outage_limits():
        started = NOW if status == "running" else None
        old_game(old, slug, status=status, options=options, started_at=started)


def require_repaired_limits():
    for slug, _, _, options in outage_limits():
        assert Game.objects.get(slug=slug).options.to_json() == options


# When each game and phase had a copy of its rules.


def add_copied_rules(old):
    for number, rules in enumerate(COPIED_RULES):
        game = old_game(old, f"rules{number}", rules=rules, options={}, seed="s")
        old_phase(old, game, rules=rules, adjudicate_at=NOW)


def require_rules_stored_once():
    games = [Game.objects.get(slug=f"rules{number}") for number in range(len(COPIED_RULES))]
    assert len({game.rule_set_id for game in games}) == 2
    used = {row.rule_set_id for rows in (Game.objects, Phase.objects) for row in rows.all()}
    assert StoredRules.objects.count() == len(used)
    for game, rules in zip(games, COPIED_RULES, strict=True):
        phase = Phase.objects.get(game=game)
        assert game.rule_set.rules_json == phase.rule_set.rules_json == rules
    assert games[0].rules == DEFAULT
    assert store_rules(DEFAULT) == games[0].rule_set_id


# When names could look alike.


def require_names_kept():
    rows = [("Alice", "allce"), ("A1ice", None), ("..", None), ("Bob", "bob")]
    people = User.objects.order_by("pk").values_list("username", "name_skeleton")
    assert list(people) == rows
    for person in User.objects.all():
        person.status = "Hello."
        person.save()
    assert list(people.all()) == rows
    assert sign_up("Aiice") == [ALIKE]
