"""Let two people talk in a game of the browser tests, then end it.

Call it with the slug of a game of England and France. France writes to England and to everyone,
and sends a map. Runs as a separate process on the data directory in the environment variables.
"""

import secrets
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from diplomaccloud.entry.votes import agreed_draw  # noqa: E402
from diplomaccloud.games.results.actions import finish_game  # noqa: E402
from diplomaccloud.games.table.models import (  # noqa: E402
    Game,
    Seat,
)
from diplomaccloud.judge.orders import Hold  # noqa: E402
from diplomaccloud.press.conversations.actions import (  # noqa: E402
    Mode,
    send_message,
)
from diplomaccloud.press.maps.actions import (  # noqa: E402
    MapAttachment,
    make_map,
)
from diplomaccloud.press.table.addresses import parse_address  # noqa: E402
from diplomaccloud.sandbox.address import encode_state  # noqa: E402
from diplomaccloud.sandbox.engine import open_position  # noqa: E402

game = Game.objects.get(slug=sys.argv[1])
england, france = (
    Seat.objects.get(game=game, power=power).user_id for power in ("ENGLAND", "FRANCE")
)
phase = game.phases.get(processed_at=None)
board = phase.board
state = open_position(board, phase.position, (), game.rules.name)
state = state.with_orders([Hold(unit) for unit in phase.position.units[:3]])
content = encode_state(state, board, game.chart.content_hash)
numbers = {
    user_id: make_map(slug=game.slug, user_id=user_id, content=content, now=timezone.now())
    for user_id in (england, france)
}
for address, attachment in (
    ("ENGLAND", None),
    ("everyone", None),
    ("ENGLAND", MapAttachment(numbers[france])),
):
    send_message(
        slug=game.slug,
        user_id=france,
        to=parse_address(address),
        mode=Mode.TOGETHER,
        body="" if attachment else "Will F LON - ENG help you?",
        key=secrets.token_hex(16),
        now=timezone.now(),
        attachment=attachment,
    )
finish_game(game, agreed_draw(phase.position), timezone.now())
