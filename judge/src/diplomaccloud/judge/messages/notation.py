"""The reasons why text is not an order: message keys with their English texts.

An English text follows the words at fault and a colon: `Line 2, F TRI-ABL: unknown province 'ABL'`.
"""

from enum import StrEnum

from diplomaccloud.judge.messages.forms import Plural


class NotationKey(StrEnum):
    """The reasons why text cannot be read; the value is the key of the message."""

    AMBIGUOUS_PROVINCE = "unreadable_ambiguous_province"
    BUILD_KIND_MISSING = "unreadable_build_kind_missing"
    BUILD_PLACE_MISSING = "unreadable_build_place_missing"
    CANNOT_STAND = "unreadable_cannot_stand"
    COAST_MISSING = "unreadable_coast_missing"
    CONVOY_PLACE_MISSING = "unreadable_convoy_place_missing"
    EMPTY_ORDER = "unreadable_empty_order"
    FOREIGN_ORDER = "unreadable_foreign_order"
    FOREIGN_ORDERS = "unreadable_foreign_orders"
    IMPASSABLE = "unreadable_impassable"
    KIND_MISSING = "unreadable_kind_missing"
    LINE_TOO_LONG = "unreadable_line_too_long"
    MOVES_ONE_SPACE = "unreadable_moves_one_space"
    NATIONALITY_MISSING = "unreadable_nationality_missing"
    NOT_BY_LAND = "unreadable_not_by_land"
    NOT_DAIDE = "unreadable_not_daide"
    NOT_DISLODGED = "unreadable_not_dislodged"
    NOT_FOR_ADJUSTMENTS = "unreadable_not_for_adjustments"
    NOT_FOR_PHASE = "unreadable_not_for_phase"
    NOT_YOUR_UNIT = "unreadable_not_your_unit"
    NO_ADJUSTMENT_ORDER = "unreadable_no_adjustment_order"
    NO_DISLODGED_UNIT = "unreadable_no_dislodged_unit"
    NO_MOVEMENT_ORDER = "unreadable_no_movement_order"
    NO_RETREAT_ORDER = "unreadable_no_retreat_order"
    NO_SUCH_COAST = "unreadable_no_such_coast"
    NO_UNIT = "unreadable_no_unit"
    NO_UNIT_OF_KIND = "unreadable_no_unit_of_kind"
    ORDER_TOO_LONG = "unreadable_order_too_long"
    PROVINCE_MISSING = "unreadable_province_missing"
    SHEETS_TOO_LONG = "unreadable_sheets_too_long"
    SHEET_TOO_LONG = "unreadable_sheet_too_long"
    STRANGE_CHARACTER = "unreadable_strange_character"
    TOO_MANY_ORDERS = "unreadable_too_many_orders"
    TRAILING_WORDS = "unreadable_trailing_words"
    UNIT_KIND_MISSING = "unreadable_unit_kind_missing"
    UNIT_MISSING = "unreadable_unit_missing"
    UNKNOWN_ADJUSTMENT_ORDER = "unreadable_unknown_adjustment_order"
    UNKNOWN_COAST = "unreadable_unknown_coast"
    UNKNOWN_MOVEMENT_ORDER = "unreadable_unknown_movement_order"
    UNKNOWN_PROVINCE = "unreadable_unknown_province"
    UNKNOWN_PROVINCE_ALIKE = "unreadable_unknown_province_alike"
    UNKNOWN_RETREAT_ORDER = "unreadable_unknown_retreat_order"
    WHICH_UNIT = "unreadable_which_unit"
    WHICH_UNIT_OF_MANY = "unreadable_which_unit_of_many"
    WORDS_BEFORE_ORDER = "unreadable_words_before_order"


_K = NotationKey

NOTATION: dict[str, str | Plural] = {
    # The text as a whole.
    _K.EMPTY_ORDER: "the order is empty",
    _K.ORDER_TOO_LONG: "an order has at most {limit} characters; this one has {length}",
    _K.LINE_TOO_LONG: "a line of orders has at most {limit} characters; this one has {length}",
    _K.SHEET_TOO_LONG: "a sheet has at most {limit} characters; this one has {length}",
    _K.SHEETS_TOO_LONG: "sheets have at most {limit} characters for each power",
    _K.TOO_MANY_ORDERS: "a sheet has at most {limit} orders",
    _K.STRANGE_CHARACTER: "orders cannot contain the character {letter:quoted} ({name})",
    _K.TRAILING_WORDS: "{words:quoted} makes no sense after {before}",
    _K.WORDS_BEFORE_ORDER: "{words:quoted} is not an order, so what follows it was not read",
    _K.FOREIGN_ORDER: "this is an order for {country}, not for you",
    _K.FOREIGN_ORDERS: "these are orders for {country}, not for you",
    # Provinces and coasts.
    _K.PROVINCE_MISSING: "a province is missing at the end of the order",
    _K.UNKNOWN_PROVINCE: "unknown province {word:quoted}",
    _K.UNKNOWN_PROVINCE_ALIKE: "unknown province {word:quoted} (did you mean {codes:list}?)",
    _K.AMBIGUOUS_PROVINCE: "{text:quoted} is ambiguous: write {choices:or}",
    _K.IMPASSABLE: "{place} is impassable: no unit may enter it",
    _K.UNKNOWN_COAST: "unknown coast {word:quoted}",
    _K.COAST_MISSING: "which coast of {code}: write {choices:or}",
    _K.NO_SUCH_COAST: "{place} has no coast {coast} to go to",
    _K.CANNOT_STAND: "no {kind} can stand in {code} ({place})",
    # Units.
    _K.UNIT_MISSING: "which unit?",
    _K.WHICH_UNIT: "which {kind}? You have {units:and}",
    _K.WHICH_UNIT_OF_MANY: "which {kind}? You have {units:list} and others",
    _K.NO_UNIT_OF_KIND: "which {kind}? You have none",
    _K.NO_UNIT: "there is no unit in {code} ({place})",
    _K.NO_DISLODGED_UNIT: "there is no dislodged unit in {code} ({place})",
    _K.NOT_DISLODGED: "the unit in {code} was not dislodged and cannot retreat",
    _K.NOT_YOUR_UNIT: "{unit:text} is not yours: it belongs to {owner}",
    _K.KIND_MISSING: "specify army or fleet: {unit:text}",
    _K.NATIONALITY_MISSING: "specify the nationality of {unit:text}",
    _K.UNIT_KIND_MISSING: "write A for an army or F for a fleet before {text:quoted}",
    # Orders.
    _K.NO_MOVEMENT_ORDER: (
        "{unit:text}: no order follows. "
        "Write {unit:text} H, {unit:text} - …, {unit:text} S … or {unit:text} C …"
    ),
    _K.UNKNOWN_MOVEMENT_ORDER: (
        "{unit:text}: {words:quoted} is not an order. "
        "Write {unit:text} H, {unit:text} - …, {unit:text} S … or {unit:text} C …"
    ),
    _K.NO_RETREAT_ORDER: "{unit:text}: no order follows. Write {unit:text} R … or {unit:text} D",
    _K.UNKNOWN_RETREAT_ORDER: (
        "{unit:text}: {words:quoted} is not an order. Write {unit:text} R … or {unit:text} D"
    ),
    _K.NO_ADJUSTMENT_ORDER: (
        "no order follows. Write A PAR B to build, A PAR D to disband, or WAIVE"
    ),
    _K.UNKNOWN_ADJUSTMENT_ORDER: (
        "{words:quoted} is not an order. Write A PAR B to build, A PAR D to disband, or WAIVE"
    ),
    _K.NOT_FOR_PHASE: "{unit:text}: {word:quoted} is not an order for {phase}",
    _K.NOT_FOR_ADJUSTMENTS: "{word:quoted} is not an order for {phase}",
    _K.NOT_BY_LAND: "{unit:text} cannot go to {place} by land",
    _K.NOT_DAIDE: "{text:quoted} is not a DAIDE order. Write (FRA AMY PAR) MTO BUR",
    _K.MOVES_ONE_SPACE: "{unit:text} cannot go through {place}: a unit moves one space",
    _K.CONVOY_PLACE_MISSING: (
        "where is {target:text} convoyed to? Write {unit:text} C {target:text} - …"
    ),
    _K.BUILD_PLACE_MISSING: "where is the unit to be built?",
    _K.BUILD_KIND_MISSING: "army or fleet? Write A {code} B or F {code} B",
}
