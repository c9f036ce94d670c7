"""Bots' orders, lots and coin flips cannot be known in advance, even after a rollback."""

import pytest
from django.utils import timezone
from tests.games.steps import begun, game, phase

from diplomaccloud.games.master import rollback
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import OrderRow, Phase
from diplomaccloud.games.turn.claims import advance


@pytest.fixture
def bots(plan, people):
    """A game of Alice against six random bots, with Charlie as its master."""
    made = begun(plan, people["alice"], seed="s", now=timezone.now(), fill_with="random")
    Game.objects.update(master_id=people["charlie"])
    advance(game_id=made.pk, owner="t", now=timezone.now())
    return people["charlie"]


def orders_of(row):
    return {
        (order.draft.seat.power, order.unit): str(order.canonical)
        for order in OrderRow.objects.live_in(row).select_related("draft__seat")
        if order.draft.seat.bot
    }


def roll_back(master, *, to):
    return rollback.roll_back(
        slug=game().slug,
        user_id=master,
        sequence=phase().sequence,
        to=to,
        reason="So.",
        now=timezone.now(),
    )


def test_bots_give_other_orders_after_a_rollback(bots):
    first = phase()
    advance(game_id=game().pk, owner="t", now=first.adjudicate_at)
    again = roll_back(bots, to=1)
    advance(game_id=game().pk, owner="t", now=timezone.now())
    before, after = orders_of(first), orders_of(again)
    assert set(before) == set(after)
    assert sum(before[unit] == after[unit] for unit in before) < len(before)


def test_each_phase_has_secrets_of_its_own(bots):
    advance(game_id=game().pk, owner="t", now=phase().adjudicate_at)
    roll_back(bots, to=1)
    rows = Phase.objects.values_list("judge_secret", "bots_secret")
    secrets = [secret for row in rows for secret in row]
    assert len(secrets) == len(set(secrets)) == 2 * Phase.objects.count()
    assert all(len(secret) == 64 for secret in secrets)


def test_a_phase_from_before_secrets_uses_the_seed_of_its_game(bots):
    Phase.objects.update(judge_secret="", bots_secret="")
    Game.objects.update(seed="s")
    assert phase().seed == "s S1901M"
    assert phase().bot_seed("FRANCE") == "s S1901M FRANCE"
