"""Create as many games that wait for players as the argument says, to fill the lobby."""

import datetime as dt
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from diplomaccloud.accounts.models import User  # noqa: E402
from diplomaccloud.games.creation.actions import (  # noqa: E402
    create_game,
    random_text,
)
from diplomaccloud.games.creation.presets import GamePlan  # noqa: E402
from diplomaccloud.games.table.options import Options  # noqa: E402
from diplomaccloud.maps.library import store_standard  # noqa: E402
from diplomaccloud.schedule import Interval, Lengths, Schedule  # noqa: E402

DAY = dt.timedelta(days=1)


def make_games(count: int) -> None:
    """Create `count` games by different people, so that the limit per person does not apply."""
    now = timezone.now()
    options = Options(schedule=Schedule(Interval(Lengths(DAY, DAY, DAY))), fill_with="hold")
    map_hash = store_standard(now=now)
    for number in range(count):
        creator = User.objects.create(username=f"Host{number}")
        text = random_text
        plan = GamePlan(world=f"Land {number}", map_hash=map_hash, options=options)
        create_game(
            plan=plan,
            creator_id=creator.pk,
            now=now,
            slug=text(10),
            code=text(10),
            seed=str(number),
        )


if __name__ == "__main__":
    make_games(int(sys.argv[1]))
