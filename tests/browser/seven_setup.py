"""Set up the people of the trial with seven browsers, their game, or the next quarter of an hour.

Call it with `people NAME...`, which makes people and prints the key of a session for each; with
`start MASTER NAME...`, which starts a game of the names that the master runs, and prints its path,
the power of each person and the keys as JSON; or with `quarter`, which makes waiting gray
messages old enough to be published. Runs as a separate process on the data directory in the
environment variables.
"""

import datetime as dt
import json
import sys

import django

django.setup()

from django.db.models import F  # noqa: E402
from django.test import Client  # noqa: E402
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
    Talk,
)
from diplomaccloud.games.turn.claims import advance  # noqa: E402
from diplomaccloud.maps.library import store_standard  # noqa: E402
from diplomaccloud.press.table.models import WaitingMessage  # noqa: E402
from diplomaccloud.press.table.rules import QUARTER  # noqa: E402
from diplomaccloud.schedule import Interval, Lengths, Schedule  # noqa: E402

SEED = "seven"


def log_in(*names: str) -> dict[str, str]:
    """Return the key of a new session of each person."""
    sessions = {}
    for name in names:
        client = Client()
        client.force_login(find_or_create_user(name))
        sessions[name] = client.cookies["sessionid"].value
    return sessions


def people(*names: str) -> None:
    """Make the people, and the map that they will play on."""
    sessions = log_in(*names)
    store_standard(now=timezone.now())
    sys.stdout.write(json.dumps(sessions) + "\n")


def start(master: str, *names: str) -> None:
    """Start a game with gray messages."""
    sessions = log_in(master, *names)
    now, day = timezone.now(), dt.timedelta(days=1)
    options = Options(
        schedule=Schedule(Interval(Lengths(day, day, day))),
        master=Master.CREATOR,
        ends=Ends(turns=4),
        talk=Talk(gray=True),
    )
    plan = GamePlan(world="Aldmark", map_hash=store_standard(now=now), options=options)
    text = random_text
    users = {name: find_or_create_user(name).pk for name in sessions}
    game = create_game(
        plan=plan, creator_id=users[master], now=now, slug=text(10), code=text(10), seed=SEED
    )
    for name in names:
        join_game(slug=game.slug, user_id=users[name], now=now)
    start_game(slug=game.slug, user_id=users[master], now=now)
    advance(game_id=game.pk, owner="setup", now=now)
    seats = game.seats.exclude(user=None).select_related("user")
    powers = {seat.user.username: seat.power for seat in seats if seat.user}
    made = {"path": f"/games/{game.slug}/", "powers": powers, "sessions": sessions}
    sys.stdout.write(json.dumps(made) + "\n")


def quarter() -> None:
    """Move waiting gray messages back a quarter of an hour."""
    WaitingMessage.objects.update(at=F("at") - QUARTER)


if __name__ == "__main__":
    {"people": people, "start": start, "quarter": quarter}[sys.argv[1]](*sys.argv[2:])
