"""Measure how long workers take for many games due in one minute: `python benchmarks/storm.py`.

The games have seven human players on the standard map. The database is
DIPLOMACCLOUD_CHECKS_DATABASE, or a SQLite file:

    scripts/servers.py postgresql --durable .venv/bin/python benchmarks/storm.py

With `--idle N`, the games are due one after another over the next `--seconds`, while N others are
open but not due, and the script prints how long after its deadline each has its next phase.
"""

import argparse
import cProfile
import datetime as dt
import os
import pstats
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "judge" / "src"), str(ROOT / "src"), str(ROOT)]

from benchmarks.fresh import fresh_site  # noqa: E402


def main() -> None:
    """Create the games, start the workers, and print the time they take."""
    parser = argparse.ArgumentParser(description="Measure a storm of due games.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--idle", type=int, default=0, help="open games that are not due")
    parser.add_argument(
        "--seconds", type=int, default=60, help="with --idle: time of all deadlines"
    )
    parser.add_argument(
        "--profile", action="store_true", help="one worker in this process, with a profile"
    )
    options = parser.parse_args()
    with fresh_site(os.environ.get("DIPLOMACCLOUD_CHECKS_DATABASE", "")):
        if options.idle:
            measure_lag(options)
        else:
            storm(options)


def measure_lag(options: argparse.Namespace) -> None:
    """Let the games be due over some time, and print how late their next phases come."""
    from django.db import connection
    from django.utils import timezone

    from diplomaccloud.games.table.phase_models import Phase

    began = timezone.now()
    make_games(options.games, now=began)
    due = Phase.objects.filter(sequence=1, processed_at=None)
    numbers = list(due.values_list("pk", flat=True))
    make_idle_games(options.idle)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"{connection.vendor}: {options.idle} games are open, {options.games} will be due")
    start = timezone.now() + dt.timedelta(seconds=10)
    deadlines = spread_over(numbers, start, options.seconds)
    workers, lags = start_workers(options.workers), {}
    while len(lags) < len(numbers):
        time.sleep(0.05)
        new = set(Phase.objects.filter(sequence=2).values_list("game_id", flat=True)) - lags.keys()
        now = timezone.now()
        lags |= {game: (now - deadlines[game]).total_seconds() for game in new}
    for worker in workers:
        worker.terminate()
        worker.wait()
    found = sorted(lags.values())
    middle, late = (found[int(share * (len(found) - 1))] for share in (0.5, 0.99))
    print(f"due to open: median {middle:.2f} s, p99 {late:.2f} s, longest {found[-1]:.2f} s")


def start_workers(count: int) -> list[subprocess.Popen[bytes]]:
    """Start workers like those of a site, but none that starts to make maps meanwhile."""
    queues = ("--queues", "clock,bots,notices,default")
    command = [sys.executable, "-m", "diplomaccloud", "manage", "worker", *queues]
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}"}
    return [subprocess.Popen(command, env=environment) for _ in range(count)]


def storm(options: argparse.Namespace) -> tuple[float, float]:
    """Make the games; return how long all took, and the workers' processor time, in seconds."""
    from django.db import connection
    from django.utils import timezone

    from diplomaccloud.games.table.log_models import Event
    from diplomaccloud.games.table.models import Game
    from diplomaccloud.games.table.phase_models import Phase

    began = timezone.now()
    make_games(options.games, now=began)
    spread_deadlines(began)
    print(f"{connection.vendor}: {options.games} games made")
    waiting = Phase.objects.filter(sequence=1, processed_at=None)
    start = time.perf_counter()
    if options.profile:
        profile_worker(waiting)
    else:
        workers = start_workers(options.workers)
        while waiting.exists():
            time.sleep(0.2)
        for worker in workers:
            worker.terminate()
    seconds, cpu = time.perf_counter() - start, 0.0
    if not options.profile:
        usages = [os.wait4(worker.pid, 0)[2] for worker in workers]
        cpu = sum(usage.ru_utime + usage.ru_stime for usage in usages)
        print(f"CPU of the workers: {cpu:.1f} s, {cpu / options.games * 1000:.1f} ms a game")
    print(f"{options.games} phases in {seconds:.1f} s with {options.workers} workers")
    assert not Game.objects.exclude(suspended_reason="").exists()
    assert Event.objects.filter(kind="processed", key="processed 1").count() == options.games
    return seconds, cpu


def profile_worker(waiting) -> None:
    """Process everything in this process and print where the time goes."""
    from diplomaccloud.worker.worker import Worker

    worker, profile = Worker(), cProfile.Profile()
    profile.enable()
    while waiting.exists():
        worker.process_due()
    profile.disable()
    pstats.Stats(profile).sort_stats("cumulative").print_stats(45)


def make_games(count: int, *, now: dt.datetime) -> None:
    """Create a game in which every seat has submitted orders, and copy its rows."""
    from diplomaccloud.accounts.models import User
    from diplomaccloud.bots import BOTS
    from diplomaccloud.games.creation.actions import create_game
    from diplomaccloud.games.creation.presets import GamePlan
    from diplomaccloud.games.lobby.actions import join_game, start_game
    from diplomaccloud.games.orders.actions import save_orders
    from diplomaccloud.games.table.models import Game, Seat
    from diplomaccloud.games.table.options import Options
    from diplomaccloud.maps.library import store_standard
    from diplomaccloud.schedule import Interval, Lengths, Schedule

    day = dt.timedelta(days=1)
    plan = GamePlan(
        world="Storm",
        map_hash=store_standard(now=now),
        options=Options(Schedule(Interval(Lengths(day, day, day)))),
    )
    people = [User.objects.create(username=f"person{seat}").pk for seat in range(7)]
    game = create_game(
        plan=plan, creator_id=people[0], now=now, slug="storm0", code="x", seed="storm"
    )
    for user in people[1:]:
        join_game(slug=game.slug, user_id=user, now=now)
    start_game(slug=game.slug, user_id=people[0], now=now)
    phase = game.newest_phase()
    position, rng = phase.position, random.Random(1)
    for seat in Seat.objects.filter(game=game):
        (power,) = phase.powers_of(seat)
        orders = BOTS["random"].orders(game.board, position, power, game.rules, rng)
        texts = [str(order) for order in orders]
        save_orders(
            slug=game.slug, user_id=seat.user_id, sequence=1, now=now, choices=texts, sheet=""
        )
    games = copy_rows(Game, Game.objects.filter(pk=game.pk), count - 1, {})
    copy_game_rows(game, games, count - 1)


def copy_game_rows(game, games, count: int) -> None:
    """Copy the seats, the phase, the drafts, orders and flags of `game` for each of `games`."""
    from diplomaccloud.games.table.models import Seat, Tenure
    from diplomaccloud.games.table.phase_models import Draft, OrderRow, Phase, Submission

    seats = copy_rows(Seat, Seat.objects.filter(game=game), count, {"game_id": games})
    phases = copy_rows(Phase, Phase.objects.filter(game=game), count, {"game_id": games})
    held = {"seat_id": seats, "phase_id": phases}
    drafts = copy_rows(Draft, Draft.objects.filter(phase__game=game), count, held)
    copy_rows(Tenure, Tenure.objects.filter(seat__game=game), count, {"seat_id": seats})
    copy_rows(Submission, Submission.objects.filter(phase__game=game), count, held)
    copy_rows(
        OrderRow, OrderRow.objects.filter(draft__phase__game=game), count, {"draft_id": drafts}
    )


def make_idle_games(count: int) -> None:
    """Copy the first game without its orders; the copies are due tomorrow."""
    from diplomaccloud.games.table.models import Game, Seat, Tenure
    from diplomaccloud.games.table.phase_models import Phase

    game = Game.objects.get(slug="storm0")
    games = copy_rows(Game, Game.objects.filter(pk=game.pk), count, {}, slug="idle")
    keys = {"game_id": games}
    seats = copy_rows(Seat, Seat.objects.filter(game=game), count, keys)
    copy_rows(Tenure, Tenure.objects.filter(seat__game=game), count, {"seat_id": seats})
    copy_rows(Phase, Phase.objects.filter(game=game), count, keys)


def copy_rows(model, rows, count: int, keys, slug: str = "copy") -> dict[int, list[int]]:
    """Copy each row `count` times, with foreign keys to the copies in `keys`.

    Games get the slug with a number. Returns the new keys by the key of the original row.
    """
    copied: dict[int, list[int]] = {}
    for row in rows:
        fields = {
            field.attname: getattr(row, field.attname)
            for field in model._meta.concrete_fields
            if not field.primary_key
        }
        first = model.objects.order_by("-pk").first().pk
        batch = []
        for number in range(count):
            moved = {name: where[fields[name]][number] for name, where in keys.items()}
            if "slug" in fields:
                moved["slug"] = f"{slug}{number}"
            batch.append(model(**fields | moved))
        model.objects.bulk_create(batch, batch_size=400)
        copied[row.pk] = list(
            model.objects.filter(pk__gt=first).order_by("pk").values_list("pk", flat=True)
        )
    return copied


def spread_deadlines(began: dt.datetime) -> None:
    """Make all games due within the minute that has just passed."""
    from diplomaccloud.games.table.phase_models import Phase

    rng = random.Random(1)
    rows = list(Phase.objects.filter(processed_at=None))
    for phase in rows:
        phase.opens_at = began - dt.timedelta(hours=1)
        phase.due_at = phase.adjudicate_at = began - dt.timedelta(seconds=rng.uniform(0, 60))
    Phase.objects.bulk_update(rows, ["opens_at", "due_at", "adjudicate_at"], batch_size=200)


def spread_over(numbers, start: dt.datetime, seconds: int) -> dict[int, dt.datetime]:
    """Make the phases with these numbers due one after another; return the deadlines by game."""
    from diplomaccloud.games.table.phase_models import Phase

    step = dt.timedelta(seconds=seconds) / len(numbers)
    rows = list(Phase.objects.filter(pk__in=numbers))
    for number, phase in enumerate(rows):
        phase.due_at = phase.adjudicate_at = start + step * number
    Phase.objects.bulk_update(rows, ["due_at", "adjudicate_at"], batch_size=200)
    return {phase.game_id: phase.due_at for phase in rows}


if __name__ == "__main__":
    main()
