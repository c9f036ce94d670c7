"""Workers that are killed or disconnected while processing lose and repeat nothing."""

import datetime as dt
import random
import time

import pytest
from django.db.models import Count
from django.utils import timezone
from judge.tests.effort import PATIENCE
from tests.worker.separate_site import LENGTH, break_connections, make_games

from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game, StoredRules
from diplomaccloud.games.table.phase_models import Attendance, Phase, Receipt, Submission

GAMES = 120
BROKEN = ("game7", "game77")
"""Games whose rules cannot be read: processing them raises."""
WORKERS = 3
SLOW = 0.02
"""Maximum delay in seconds of a worker at each event, so that some are killed in between."""


@pytest.mark.long
@pytest.mark.real_database
def test_every_due_phase_is_processed_once_although_workers_are_killed(site, times):
    began = timezone.now() - LENGTH - dt.timedelta(minutes=1)
    games = make_games(GAMES * times, now=began)
    for slug, (maker, _) in list(games.items())[::3]:
        save_orders(slug=slug, user_id=maker, sequence=1, choices=[], sheet="", now=began)
    damaged = StoredRules.objects.create(digest="damaged", rules={"v": "no such version"})
    Game.objects.filter(slug__in=BROKEN).update(rule_set=damaged)
    submitted = Submission.objects.count()
    assert submitted == len(games) / 3

    rng = random.Random(1)
    faults = in_lease = 0
    workers = [site.start("worker", SLOW) for _ in range(WORKERS)]
    left, moved = _select_open_phases().count(), time.monotonic()
    while left:
        time.sleep(rng.uniform(0.1, 0.5))
        before, left = left, _select_open_phases().count()
        if left < before:
            moved = time.monotonic()
        elif time.monotonic() - moved < PATIENCE:
            continue  # a busy machine needs time to process something between faults
        else:
            raise AssertionError(f"{left} phases are not processed")
        faults += 1
        if faults % 4 == 0:
            break_connections()
            continue
        victim = workers.pop(rng.randrange(len(workers)))
        site.kill(victim)
        in_lease += _select_open_phases().exclude(lease_owner="").exists()
        workers.append(site.start("worker", SLOW))
    assert faults > 6
    assert in_lease, "no worker was killed while it held a lease"
    _check(set(games) - set(BROKEN), submitted)


def _select_open_phases():
    return Phase.objects.filter(sequence=1, processed_at=None, game__suspended_reason="")


def _check(processed, submitted):
    suspended = Game.objects.exclude(suspended_reason="")
    assert set(suspended.values_list("slug", flat=True)) == set(BROKEN)
    sequences = dict.fromkeys(processed, 2) | dict.fromkeys(BROKEN, 1)
    counted = Game.objects.annotate(phases_there=Count("phases"))
    assert dict(counted.order_by().values_list("slug", "phases_there")) == sequences
    assert Phase.objects.exclude(processed_at=None).count() == len(processed)
    for kind in ("locked", "processed"):
        events = Event.objects.filter(kind=kind)
        assert sorted(events.values_list("game__slug", flat=True)) == sorted(processed)
    assert Event.objects.filter(kind="opened").count() == 2 * len(processed) + len(BROKEN)
    assert Event.objects.filter(kind="aside").count() == len(BROKEN)
    # Each of the two players has one attendance row and one sealed digest.
    assert Attendance.objects.count() == 2 * len(processed)
    ordered = Submission.objects.exclude(phase__game__slug__in=BROKEN).count()
    assert Attendance.objects.filter(ordered=True).count() == ordered
    assert Receipt.objects.exclude(sealed_digest="").count() == 2 * len(processed)
    assert Submission.objects.count() == submitted
