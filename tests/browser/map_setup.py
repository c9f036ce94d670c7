"""Send a conference map in a game for the browser tests.

Call it with the slug of a game, an author, an address, and orders. Runs as a separate process on
the data directory in the environment variables.
"""

import secrets
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from diplomaccloud.accounts.models import User  # noqa: E402
from diplomaccloud.entry.orders import read_orders  # noqa: E402
from diplomaccloud.games.models import Game  # noqa: E402
from diplomaccloud.press.conversations.actions import Mode, send_message  # noqa: E402
from diplomaccloud.press.maps.actions import MapAttachment, make_map  # noqa: E402
from diplomaccloud.press.table.addresses import parse_address  # noqa: E402
from diplomaccloud.sandbox.address import encode_state  # noqa: E402
from diplomaccloud.sandbox.engine import open_position  # noqa: E402

slug, name, address, *orders = sys.argv[1:]
game = Game.objects.get(slug=slug)
phase = game.newest_phase()
position, map_hash = phase.position, game.chart.content_hash
powers = [info.power for info in phase.board.powers]
given = read_orders(phase.board, position, powers, choices=orders, text="").orders
state = open_position(phase.board, position, given, game.rules.name)
who = {"slug": slug, "user_id": User.objects.get(username=name).pk, "now": timezone.now()}
number = make_map(**who, content=encode_state(state, phase.board, map_hash))
send_message(
    **who,
    to=parse_address(address),
    mode=Mode.TOGETHER,
    body="",
    key=secrets.token_hex(16),
    attachment=MapAttachment(number),
)
