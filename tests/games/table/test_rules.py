"""Each rule set is stored once."""

from tests.games.steps import due

from diplomaccloud.games.table.models import Game, StoredRules, find_rules, store_rules
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.rules import DEFAULT, EDITIONS


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
