"""Each rule set is stored once, and rows that copied the rules refer to it after the upgrade."""

import datetime as dt

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from tests.games.steps import due

from diplomaccloud.games.models import Game, Phase, StoredRules, find_rules, store_rules
from diplomaccloud.judge.codec.values import rules_to_json
from diplomaccloud.judge.rules import DEFAULT, EDITIONS

NOW = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)


def test_games_and_phases_share_one_row(cast):
    due(cast)
    assert Phase.objects.count() == 2
    assert {phase.rule_set_id for phase in Phase.objects.all()} == {Game.objects.get().rule_set_id}
    assert StoredRules.objects.get().rules == Game.objects.get().rules == DEFAULT


def test_each_edition_has_its_own_row(db):
    digests = {name: store_rules(rules) for name, rules in EDITIONS.items()}
    assert {name: find_rules(digest) for name, digest in digests.items()} == EDITIONS
    assert {store_rules(rules) for rules in EDITIONS.values()} == set(digests.values())
    assert StoredRules.objects.count() == len(set(EDITIONS.values()))


def test_copied_rules_are_stored_once_as_they_were(transactional_db):
    before = [("games", "0016_figures_indexed")]
    executor = MigrationExecutor(connection)
    executor.migrate(before)
    old = executor.loader.project_state(before).apps
    person = old.get_model("accounts", "User").objects.create(username="Alice")
    chart = old.get_model("maps", "StoredChart").objects.create(
        content_hash="0" * 64, name="Old", players=7, provinces=75, centers=34, created_at=NOW
    )
    copies = [rules_to_json(DEFAULT), {"old": [1, 2]}, {"old": [1, 2]}]
    for number, rules in enumerate(copies):
        game = old.get_model("games", "Game").objects.create(
            slug=f"old{number}", world="Old", chart=chart, status="running", rules=rules,
            options={}, code="x", seed="s", creator=person, created_at=NOW, started_at=NOW,
        )  # fmt: skip
        old.get_model("games", "Phase").objects.create(
            game=game, sequence=1, name="S1901M", position={}, rules=rules, engine="1",
            opens_at=NOW, due_at=NOW, adjudicate_at=NOW,
        )  # fmt: skip

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert StoredRules.objects.count() == 2
    for number, rules in enumerate(copies):
        game = Game.objects.get(slug=f"old{number}")
        phase = game.phases.get()
        assert game.rule_set.rules_json == phase.rule_set.rules_json == rules
    assert Game.objects.get(slug="old0").rules == DEFAULT
    assert store_rules(DEFAULT) == Game.objects.get(slug="old0").rule_set_id
