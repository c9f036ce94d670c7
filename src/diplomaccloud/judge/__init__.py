"""The rules of Diplomacy: frozen values, no clock, standard library only.

Start with `starting_position(board)`. For each phase, get orders from `legal_orders` or
`parse_sheet`, and call `adjudicate`; its resolution has the next position. Everything listed in
`__all__` is the public interface. The packages inside are for the site, bots and tests:

`legality` decides what is legal or meant, `movement` resolves moves by any rule set, `kernel`
does so fast for the usual ones, `messages` and `reasons` explain results, `notation` reads
text, `codec` reads and writes JSON, `protocol` serves other programs, and `standard` has the
map of Europe with its setups.
"""

from diplomaccloud.judge.adjudicate import adjudicate, powers_to_order
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import (
    Board,
    BoardError,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
    province_of,
)
from diplomaccloud.judge.codec.values import (
    CodecError,
    board_from_json,
    board_to_json,
    order_from_json,
    order_to_json,
    orders_from_json,
    orders_to_json,
    position_from_json,
    position_to_json,
    resolution_from_json,
    resolution_to_json,
    rules_from_json,
    rules_to_json,
)
from diplomaccloud.judge.draw_votes import Vote, count_votes
from diplomaccloud.judge.legality.legal_orders import is_legal, legal_orders, why_illegal
from diplomaccloud.judge.notation import (
    LineError,
    NotationError,
    Sheet,
    parse_order,
    parse_sheet,
)
from diplomaccloud.judge.orders import (
    AdjustmentOrder,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    RetreatOrder,
    SupportHold,
    SupportMove,
    Waive,
    power_of,
)
from diplomaccloud.judge.phases import Phase, PhaseError, Season, Stage
from diplomaccloud.judge.position import Dislodged, Position, starting_position
from diplomaccloud.judge.results import Ending, OrderResult, Outcome, Resolution
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.standard.setups import Setup, setups
from diplomaccloud.judge.units import Unit
from diplomaccloud.judge.victory import Measure, ShortGame, find_shared_ending, short_ending

__all__ = [
    "DEFAULT",
    "EDITIONS",
    "AdjustmentOrder",
    "Board",
    "BoardError",
    "Build",
    "CodecError",
    "Convoy",
    "Disband",
    "Dislodged",
    "Ending",
    "Hold",
    "LineError",
    "Location",
    "Measure",
    "Move",
    "MovementOrder",
    "NotationError",
    "Order",
    "OrderResult",
    "Outcome",
    "Phase",
    "PhaseError",
    "Position",
    "Power",
    "PowerInfo",
    "Province",
    "ProvinceCode",
    "Resolution",
    "Retreat",
    "RetreatOrder",
    "RuleSet",
    "Season",
    "Setup",
    "Sheet",
    "ShortGame",
    "Stage",
    "Start",
    "SupportHold",
    "SupportMove",
    "Terrain",
    "Unit",
    "UnitKind",
    "Vote",
    "Waive",
    "adjudicate",
    "adjustments_owed",
    "board_from_json",
    "board_to_json",
    "count_votes",
    "find_shared_ending",
    "is_legal",
    "legal_orders",
    "order_from_json",
    "order_to_json",
    "orders_from_json",
    "orders_to_json",
    "parse_order",
    "parse_sheet",
    "position_from_json",
    "position_to_json",
    "power_of",
    "powers_to_order",
    "province_of",
    "resolution_from_json",
    "resolution_to_json",
    "rules_from_json",
    "rules_to_json",
    "setups",
    "short_ending",
    "standard_board",
    "starting_position",
    "why_illegal",
]
