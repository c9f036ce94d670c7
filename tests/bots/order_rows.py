"""Order rows written as orders, as the levels and their repairs are tested."""

import random
from array import array

from tests.bots.policies import EUROPE

from diplomaccloud.bots.candidates import Source, read_row
from diplomaccloud.bots.pacts import NO_PACT, Pact
from diplomaccloud.bots.policy import read_orders
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.kernel.core.codes import HOLD
from diplomaccloud.judge.kernel.layout import order_codes, pack_state, unpack_state
from diplomaccloud.judge.kernel.table import table_of
from diplomaccloud.judge.notation import parse_sheet
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.position import Position


def write_row(
    position: Position, power: str, text: str, pact: Pact = NO_PACT
) -> tuple[Source, bytes]:
    """Return a source of candidates for the power, and its orders as a candidate."""
    table = table_of(EUROPE)
    number = table.power_of[Power(power)]
    source = Source(EUROPE, pack_state(EUROPE, position), number, random.Random(1), pact)
    row = array("i", [HOLD]) * (3 * source.size)
    sheet = parse_sheet(text.replace(", ", "\n"), EUROPE, position, Power(power))
    assert not sheet.errors
    for order in sheet.orders:
        assert not isinstance(order, Waive)
        here = table.province_of[table.place_of[order.unit.location]]
        row[here :: source.size] = array("i", order_codes(table, order))
    return source, row.tobytes()


def read_texts(source: Source, power: str, candidate: bytes) -> str:
    """Return the orders of a candidate, sorted."""
    position = unpack_state(EUROPE, source.state)
    orders = read_orders(EUROPE, position, source.state, Power(power), read_row(candidate))
    return ", ".join(sorted(map(str, orders)))
