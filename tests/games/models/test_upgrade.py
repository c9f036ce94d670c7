"""Rows written before the tables and columns had plain names are read after the upgrade."""

import datetime as dt
import itertools

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from diplomaccloud.games.models import ConditionalOrders, Game, Phase, Submission, Vote
from diplomaccloud.games.options.presets import USUAL

NOW = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)
DAYS = [NOW - dt.timedelta(days=number) for number in (9, 8, 7, 6)]
TEXT = {"v": 2, "plans": {"ITALY": "if ROM is dislodged: NAP"}}


def test_old_rows_have_their_values_under_the_new_names(transactional_db):
    before = [("games", "0005_colors")]
    executor = MigrationExecutor(connection)
    executor.migrate(before)
    old = executor.loader.project_state(before).apps
    person = old.get_model("accounts", "User").objects.create(username="Alice")
    chart = old.get_model("maps", "StoredChart").objects.create(
        content_hash="0" * 64, name="Old", players=7, provinces=75, centers=34, created_at=NOW
    )
    game = old.get_model("games", "Game").objects.create(
        slug="old", world="Old", chart=chart, status="running", rules={}, options={}, code="x",
        seed="s", creator=person, created_at=NOW, started_at=NOW, line=2, alarm="ValueError: x",
    )  # fmt: skip
    seat = old.get_model("games", "Seat").objects.create(game=game, power="ITALY", user=person)
    phase = old.get_model("games", "Phase").objects.create(
        game=game, sequence=1, name="S1901M", position={}, rules={}, engine="1", opens_at=NOW,
        due_at=NOW, adjudicate_at=NOW, line=2, exact=True, disorder={"FRANCE": "surrendered"},
    )  # fmt: skip
    old.get_model("games", "Submission").objects.create(
        phase=phase, seat=seat, ahead=True, vote="draw"
    )
    old.get_model("games", "Plan").objects.create(
        phase=phase, seat=seat, written="if ROM", canonical=TEXT, saved_at=NOW
    )
    tenures = old.get_model("games", "Tenure").objects
    earlier = old.get_model("accounts", "User").objects.create(username="Bob")
    tenures.create(seat=seat, user=earlier, since_at=DAYS[0], until_at=DAYS[2], left="resigned")
    tenures.create(seat=seat, user=person, since_at=DAYS[3])
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

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    new_game, new_phase = Game.objects.get(), Phase.objects.get()
    assert (new_game.branch, new_game.suspended_reason) == (2, "ValueError: x")
    assert (new_phase.branch, new_phase.fixed_deadline) == (2, True)
    assert new_phase.civil_disorder == {"FRANCE": "surrendered"}
    # A game from before there were records has none, and its seats have numbers for receipts.
    assert (new_game.record_length, new_game.record_head) == (0, "")
    assert list(new_game.seats.values_list("number", flat=True)) == [1]
    submission = Submission.objects.get()
    assert (submission.by_conditional_orders, submission.draw_vote) == (True, "draw")
    assert ConditionalOrders.objects.get().text_for("ITALY") == TEXT["plans"]["ITALY"]
    assert new_phase.conditional_orders.get().written == "if ROM"
    vote = Vote.objects.get(open=True)
    assert (vote.asked_by.username, vote.agreed) == ("Alice", None)
    assert vote.ballots.standing().get().tenure.user.username == "Alice"
    for over, counts in zip(Vote.objects.filter(open=None), [(0, 1), (1, 0)], strict=True):
        assert (over.asked_by.username, over.agreed, over.against) == ("Bob", *counts)
        assert not over.ballots.standing().exists()
        assert over.ballots.get().tenure.until_at == DAYS[2]


def test_limits_for_outages_below_a_minute_are_repaired(transactional_db):
    executor = MigrationExecutor(connection)
    before = [("games", "0010_questions_of_masters")]
    executor.migrate(before)
    old = executor.loader.project_state(before).apps
    person = old.get_model("accounts", "User").objects.create(username="Alice")
    chart = old.get_model("maps", "StoredChart").objects.create(
        content_hash="0" * 64, name="Old", players=7, provinces=75, centers=34, created_at=NOW
    )
    repaired = {0: 300, 59: 300, 60: 60, 3600: 3600}
    expected = {}
    for stored, status in itertools.product(repaired, ("running", "forming")):
        options = USUAL.options.to_json()
        options["schedule"]["caps"]["credit_after"] = stored
        slug, started = f"{status[0]}{stored}", NOW if status == "running" else None
        old.get_model("games", "Game").objects.create(
            slug=slug, world="Old", chart=chart, status=status, rules={}, options=options,
            code="x", creator=person, created_at=NOW, started_at=started,
        )  # fmt: skip
        options["schedule"]["caps"]["credit_after"] = repaired[stored]
        expected[slug] = options

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert {game.slug: game.options.to_json() for game in Game.objects.all()} == expected
