"""The `Bot` protocol: a bot turns a position into orders."""

import random
from collections.abc import Sequence
from typing import Protocol

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet


class Bot(Protocol):
    """A program that plays. It is a pure function, so a game can be replayed from its seed.

    A bot sees only the public position, never another power's orders.
    """

    name: str

    def orders(
        self,
        board: Board,
        position: Position,
        power: Power,
        rules: RuleSet,
        rng: random.Random,
    ) -> Sequence[Order]:
        """Return legal orders for every unit of `power` that needs one in this phase."""
        ...
