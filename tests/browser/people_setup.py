"""Set up a short game of several people on a running site, or move its deadline.

Call it with `start TURNS NAME...`, which prints the game's path and the power of each person as
JSON, or with `due PATH SECONDS`. It runs as a separate process on the data directory in the
environment variables.
"""

import datetime as dt
import json
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402
from tests.browser.game_setup import find_or_create_user  # noqa: E402

from diplomaccloud.games.creation.actions import create_game, random_text  # noqa: E402
from diplomaccloud.games.creation.presets import GamePlan  # noqa: E402
from diplomaccloud.games.lobby.actions import (  # noqa: E402
    join_game,
    start_game,
)
from diplomaccloud.games.table.options import (  # noqa: E402
    Ends,
    Master,
    Options,
)
from diplomaccloud.games.table.phase_models import Phase  # noqa: E402
from diplomaccloud.games.turn.claims import advance  # noqa: E402
from diplomaccloud.maps.library import store_standard  # noqa: E402
from diplomaccloud.project import demo  # noqa: E402
from diplomaccloud.schedule import Interval, Lengths, Schedule  # noqa: E402


def start(turns: str, *names: str) -> None:
    """Start a game that ends after some turns; the first person is game master and plays."""
    now, day = timezone.now(), dt.timedelta(days=1)
    # `play` makes a demo unless there is this user, and a new map for it takes a while.
    find_or_create_user(demo.NAME)
    people = [find_or_create_user(name) for name in names]
    options = Options(
        schedule=Schedule(Interval(Lengths(day, day, day))),
        fill_with="hold",
        master=Master.PLAYING,
        ends=Ends(turns=int(turns)),
    )
    plan = GamePlan(world="Fairland", map_hash=store_standard(now=now), options=options)
    text = random_text
    game = create_game(
        plan=plan, creator_id=people[0].pk, now=now, slug=text(10), code=text(10), seed=text(10)
    )
    for other in people[1:]:
        join_game(slug=game.slug, user_id=other.pk, now=now)
    start_game(slug=game.slug, user_id=people[0].pk, now=now)
    advance(game_id=game.pk, owner="setup", now=now)
    seats = game.seats.exclude(user=None).select_related("user")
    powers = {seat.user.username: seat.power for seat in seats if seat.user}
    sys.stdout.write(json.dumps({"path": f"/games/{game.slug}/", "powers": powers}) + "\n")


def due(path: str, seconds: str) -> None:
    """Move the deadline of the open phase to some seconds from now."""
    at = timezone.now() + dt.timedelta(seconds=float(seconds))
    slug = path.strip("/").rpartition("/")[2]
    Phase.objects.filter(game__slug=slug, open=True).update(due_at=at, adjudicate_at=at)


if __name__ == "__main__":
    {"start": start, "due": due}[sys.argv[1]](*sys.argv[2:])
