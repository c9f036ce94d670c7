"""Play one bot from the checkout that is first on the path: `seat.py BOT`, with JSON lines.

The first line is the board; each further line requests a power's orders in a position.
"""

import json
import random
import sys

from diplomaccloud.bots import find_bot
from diplomaccloud.bots.kernel import KERNEL
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.codec import board_from_json, order_to_json, position_from_json
from diplomaccloud.judge.rules import DEFAULT

bot = find_bot(sys.argv[1])
board = board_from_json(json.loads(sys.stdin.readline()))
print(json.dumps({"kernel": KERNEL.name, "source": sys.modules["diplomaccloud.bots"].__file__}))
sys.stdout.flush()
for line in sys.stdin:
    asked = json.loads(line)
    position, rng = position_from_json(asked["position"]), random.Random(asked["seed"])
    orders = bot.orders(board, position, Power(asked["power"]), DEFAULT, rng)
    print(json.dumps([order_to_json(order) for order in orders]))
    sys.stdout.flush()
