"""Measure a real server while scripted players visit it: `python benchmarks/load`.

Each player opens the home page, the lobby and a game, and saves orders, over and over, with a pause
between requests. Locust plays them; the web servers and the workers are separate processes, as on a
site. For each page, it prints the requests per second and the median and 95th percentile of the
response time. It exits with 1 if a request failed. The database is a SQLite file, or
DIPLOMACCLOUD_CHECKS_DATABASE:

    scripts/servers.py postgresql --durable .venv/bin/python benchmarks/load

`--pause 0` finds the server's maximum load, and `--only saves` its maximum of saved orders.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "judge" / "src"), str(ROOT / "src"), str(ROOT)]

from benchmarks.fresh import fresh_site  # noqa: E402
from benchmarks.real_server import log_in, run_worker, serve  # noqa: E402

SEATS = 7
COLUMNS = "{:<14}{:>10}{:>10}{:>10}{:>10}{:>10}"


def main() -> None:
    """Create people and games, start the site, and let the players in."""
    parser = argparse.ArgumentParser(description="Measure a server while players visit it.")
    parser.add_argument("--players", type=int, default=70, help="a multiple of seven")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two requests")
    parser.add_argument("--servers", type=int, default=1, help="number of web server processes")
    parser.add_argument("--only", choices=("pages", "saves"), help="send only these requests")
    options = parser.parse_args()
    with fresh_site(os.environ.get("DIPLOMACCLOUD_CHECKS_DATABASE", "")):
        players = make_players(options.players // SEATS)
        with serve(options.servers) as server, run_worker():
            rows = visit(server.port, players, options)
            print(f"the servers used {server.read_cpu():.1f} s of processor time")
    sys.exit(print_rows(rows, options.seconds))


def make_players(games: int) -> list[dict]:
    """Return the cookies, the game and the orders of each player."""
    from django.utils import timezone
    from tests.games.large_games import begin, crowd, write

    from diplomaccloud.accounts.models import User
    from diplomaccloud.games.table.models import Seat
    from diplomaccloud.maps.library import store_standard
    from diplomaccloud.maps.pictures import draw_pictures

    now, players = timezone.now(), []
    draw_pictures(store_standard(now=now))
    for number in range(games):
        users = [User.objects.create(username=f"player{number}x{seat}") for seat in range(SEATS)]
        game = begin([user.pk for user in users], 1000 + number, now=now)
        crowd(game)
        posted = write(game, Seat.objects.filter(game=game), now=now)
        orders = {seat.user_id: choices for seat, choices in posted.items()}
        players += [
            {"cookie": log_in(user), "game": f"/games/{game.slug}/", "orders": orders[user.pk]}
            for user in users
        ]
    return players


def visit(port: int, players: list[dict], options: argparse.Namespace) -> list[dict]:
    """Let the players visit the site, and return what Locust counted for each request."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"players": players, "pause": options.pause, "only": options.only}, file)
        file.flush()
        done = subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "locust",
                    "-f",
                    str(Path(__file__).with_name("players.py")),
                ),
                *("--host", f"http://127.0.0.1:{port}", "--headless", "--json"),
                *("--users", str(len(players)), "--spawn-rate", str(len(players))),
                *("--run-time", f"{options.seconds}s", "--loglevel", "ERROR"),
            ],
            env=os.environ | {"LOAD_PLAYERS": file.name},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    rows: list[dict] = json.loads(done.stdout)
    return rows


def print_rows(rows: list[dict], seconds: int) -> int:
    """Print a line for each request, and return 1 if one failed."""
    print(COLUMNS.format("", "requests", "a second", "p50, ms", "p95, ms", "failed"))
    for row in sorted(rows, key=lambda each: each["name"]):
        times = sorted((int(ms), count) for ms, count in row["response_times"].items())
        number = row["num_requests"]
        middle, late = (find_share(times, number * share) for share in (0.5, 0.95))
        each = f"{number / seconds:.1f}"
        print(COLUMNS.format(row["name"], number, each, middle, late, row["num_failures"]))
    return int(any(row["num_failures"] for row in rows))


def find_share(times: list[tuple[int, int]], wanted: float) -> int:
    """Return the time in ms within which the share `wanted` of the requests was answered."""
    for ms, count in times:
        wanted -= count
        if wanted <= 0:
            return ms
    return 0


main()
