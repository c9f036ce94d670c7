"""The sandbox without the site: states as values, their text in addresses, edits and steps.

A `SandboxState` is a position, the orders of the phases adjudicated since, and the orders of the
phase shown. `encode_state` and `decode_state` convert it to and from the text of an address,
`edits` change its position, `orders` change its orders, and `step` adjudicates it. To undo
anything, return to an earlier address.
"""

from diplomaccloud.sandbox.engine.address import (
    MAX_LENGTH,
    AddressReading,
    decode_state,
    encode_state,
    fit_state,
    read_state,
)
from diplomaccloud.sandbox.engine.edits import (
    clear_units,
    find_location,
    move_to_phase,
    place_unit,
    remove_unit,
    set_edition,
    set_owner,
    set_position,
)
from diplomaccloud.sandbox.engine.orders import (
    OrderLine,
    clear_orders,
    is_list_complete,
    list_lines,
    list_unit_orders,
    merge_orders,
    open_position,
    set_order,
)
from diplomaccloud.sandbox.engine.position_text import (
    PositionReading,
    read_position,
    write_orders,
    write_position,
)
from diplomaccloud.sandbox.engine.state import (
    MAX_MARKS,
    MAX_PIN_TEXT,
    PlayedPhase,
    SandboxError,
    SandboxState,
    Timeline,
    add_mark,
    clear_marks,
    decide,
    remove_mark,
    replay,
    start_state,
    step,
    step_back,
)

__all__ = [
    "MAX_LENGTH",
    "MAX_MARKS",
    "MAX_PIN_TEXT",
    "AddressReading",
    "OrderLine",
    "PlayedPhase",
    "PositionReading",
    "SandboxError",
    "SandboxState",
    "Timeline",
    "add_mark",
    "clear_marks",
    "clear_orders",
    "clear_units",
    "decide",
    "decode_state",
    "encode_state",
    "find_location",
    "fit_state",
    "is_list_complete",
    "list_lines",
    "list_unit_orders",
    "merge_orders",
    "move_to_phase",
    "open_position",
    "place_unit",
    "read_position",
    "read_state",
    "remove_mark",
    "remove_unit",
    "replay",
    "set_edition",
    "set_order",
    "set_owner",
    "set_position",
    "start_state",
    "step",
    "step_back",
    "write_orders",
    "write_position",
]
