"""A server's clock jumps ahead and back: nothing happens twice, and nothing has to wait."""

import datetime as dt

import pytest
from django.utils import timezone

from diplomaccloud.games.orders.actions import save_orders, set_ready
from diplomaccloud.games.table.errors import DeadlinePassed
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn import claims
from diplomaccloud.games.turn.claims import LEASE, claim_phase

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)


def advance(cast, now):
    return claims.advance(game_id=cast.game_id, owner="worker", now=now)


def save(cast, sequence, now):
    save_orders(
        slug=cast.slug, user_id=cast.alice, sequence=sequence, choices=[], sheet="", now=now
    )


def test_a_jump_ahead_processes_once_and_a_jump_back_undoes_nothing(cast):
    now = timezone.now()
    assert advance(cast, now + DAY + HOUR) == 1
    for jump in (dt.timedelta(), -HOUR, -DAY, DAY, HOUR):
        assert advance(cast, now + jump) == 0
    assert Event.objects.filter(kind="processed").count() == 1
    # The new phase opened in the future, but accepts orders at once.
    save(cast, 2, now)
    with pytest.raises(DeadlinePassed):
        save(cast, 1, now - HOUR)


def test_a_lease_from_a_clock_far_ahead_does_not_block_other_workers(cast):
    now = timezone.now()
    ahead = now + DAY + HOUR
    assert claim_phase(game_id=cast.game_id, owner="dead", now=ahead + 9 * DAY)
    assert advance(cast, ahead) == 1
    assert Game.objects.get().suspended_reason == ""


def test_a_lease_from_a_clock_slightly_ahead_is_respected(cast):
    due = timezone.now() + DAY + HOUR
    assert claim_phase(game_id=cast.game_id, owner="other", now=due + LEASE)
    assert advance(cast, due) == 0
    assert advance(cast, due + 3 * LEASE) == 1


def test_readiness_while_the_clock_is_behind_ends_the_phase_when_it_opens(cast):
    behind = timezone.now() - HOUR
    for person in (cast.alice, cast.bob):
        set_ready(slug=cast.slug, user_id=person, sequence=1, now=behind)
    assert advance(cast, behind) == 0
    assert advance(cast, timezone.now() + HOUR) == 1
    assert list(Phase.objects.values_list("sequence", flat=True)) == [1, 2]
