"""Process the open phase of the game whose slug is the argument, as if it were due."""

import sys

import django

django.setup()

from diplomaccloud.games.table.models import Game  # noqa: E402
from diplomaccloud.games.turn.claims import advance  # noqa: E402

if __name__ == "__main__":
    game = Game.objects.get(slug=sys.argv[1])
    due = game.phases.get(processed_at=None).adjudicate_at
    advance(game_id=game.pk, owner="benchmark", now=due)
