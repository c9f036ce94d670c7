"""Process the open phase of a game for the browser tests, and let the ledger judge its deals.

Call it with the slug of a game and a JSON list of `[player, order, …]`. Runs as a separate process
on the data directory in the environment variables.
"""

import json
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from diplomaccloud.accounts.models import User  # noqa: E402
from diplomaccloud.games.orders.actions import save_orders  # noqa: E402
from diplomaccloud.games.table.models import Game  # noqa: E402
from diplomaccloud.games.turn.claims import advance  # noqa: E402
from diplomaccloud.press.ledger.actions import judge_deals  # noqa: E402

slug, text = sys.argv[1:]
game = Game.objects.get(slug=slug)
phase = game.newest_phase()
for name, *orders in json.loads(text):
    save_orders(
        slug=slug,
        user_id=User.objects.get(username=name).pk,
        sequence=phase.sequence,
        choices=orders,
        sheet="",
        now=timezone.now(),
    )
advance(game_id=game.pk, owner="browser test", now=phase.adjudicate_at)
judge_deals(now=phase.adjudicate_at)
