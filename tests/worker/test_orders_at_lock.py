"""Orders and flags at the moment of the lock: none is accepted late or accepted and ignored."""

import datetime as dt

import pytest
from django.utils import timezone
from tests.worker.separate_site import make_games, read_records, wait_until

from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.phase_models import Phase, Receipt
from diplomaccloud.judge.orders import power_of
from diplomaccloud.record.commitments import salted_digest

GAMES = 4
WORKERS = 2
SECONDS_TO_LOCK = 2
"""Seconds until the lock once everyone has started."""


@pytest.mark.real_database
def test_accepted_orders_count_and_none_are_accepted_late(site, tmp_path, times):
    games = make_games(GAMES * times, now=timezone.now())
    workers = [site.start("worker", 0.05) for _ in range(WORKERS)]
    files, paths, gate = {}, [], tmp_path / "gate"
    for slug, people in games.items():
        for user in people:
            for twin in range(2):  # two windows of one person
                path = tmp_path / f"{slug} {user} {twin}"
                files.setdefault((slug, user), []).append(path)
                paths.append(path)
                site.start("player", slug, user, str(gate), str(path))
    wait_until(lambda: all(path.exists() and path.stat().st_size for path in paths))
    gate.touch()
    due = timezone.now() + dt.timedelta(seconds=SECONDS_TO_LOCK)
    waiting = Phase.objects.filter(sequence=1, processed_at=None)
    waiting.update(due_at=due, adjudicate_at=due)
    for pid in site.alive - set(workers):
        site.wait(pid)
    wait_until(lambda: not Phase.objects.filter(sequence=1, processed_at=None).exists())
    for slug, people in games.items():
        phase = Phase.objects.select_related("game__chart").get(game__slug=slug, sequence=1)
        assert phase.game.phases.count() == 2
        assert Event.objects.filter(game=phase.game, kind="processed").count() == 1
        for seat in phase.game.seats.all():
            records = [read_records(path) for path in files[slug, seat.user_id]]
            accepted = [saves for saves in map(select_saves, records) if saves]
            assert seat.user_id in people
            judged = sorted(
                str(result.order)
                for result in phase.resolution.results
                if power_of(result.order) == seat.power and not result.implicit
            )
            # The latest orders that a window reported as saved count.
            last = [saves[-1][2] for saves in accepted]
            assert judged in last or (not last and judged == [])
            assert all(now < phase.locked_at for saves in accepted for _, now, _ in saves)
            assert not [act for acts in records for act in acts if act[0] == "refused"]
            receipt = Receipt.objects.get(phase=phase, seat=seat)
            heading, *lines = receipt.text.splitlines()
            assert heading.endswith(f"S1901M seat {seat.number}")
            assert sorted(lines) == ([f"{seat.power} {text}" for text in judged] or ["NO ORDERS"])
            assert receipt.digest == salted_digest(receipt.salt, receipt.text)


def select_saves(acts):
    return [act for act in acts if act[0] == "save"]
