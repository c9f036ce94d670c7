"""The reasons why an order is illegal: message keys with their English sentences."""

from enum import StrEnum

from diplomaccloud.judge.messages.forms import Plural


class RefusalKey(StrEnum):
    """The reasons why an order is refused; the value is the key of the message."""

    ALREADY_THERE = "refused_already_there"
    ARMY_TO_WATER = "refused_army_to_water"
    BUILD_NOT_HOME = "refused_build_not_home"
    BUILD_NOT_OWNED = "refused_build_not_owned"
    BUILD_OCCUPIED = "refused_build_occupied"
    CIVIL_DISORDER = "refused_civil_disorder"
    COAST_NEEDED = "refused_coast_needed"
    COAST_NEEDED_WITHIN_REACH = "refused_coast_needed_within_reach"
    COAST_OUT_OF_REACH = "refused_coast_out_of_reach"
    CONFLICTING_ORDERS = "refused_conflicting_orders"
    CONVOY_BY_DETOUR = "refused_convoy_by_detour"
    CONVOY_FROM_PORT = "refused_convoy_from_port"
    CONVOY_NOT_NEEDED = "refused_convoy_not_needed"
    FLEET_TO_INLAND = "refused_fleet_to_inland"
    FOREIGN_UNIT = "refused_foreign_unit"
    INLAND_FLEET_BUILD = "refused_inland_fleet_build"
    NEEDS_SUPPORTING_FLEET = "refused_needs_supporting_fleet"
    NOT_AN_ORDER = "refused_not_an_order"
    NOT_ADJACENT = "refused_not_adjacent"
    NOT_ADJACENT_NO_CONVOY = "refused_not_adjacent_no_convoy"
    NOT_A_PROVINCE = "refused_not_a_province"
    NOTHING_TO_BUILD = "refused_nothing_to_build"
    NOTHING_TO_DISBAND = "refused_nothing_to_disband"
    NOWHERE_TO_GO = "refused_nowhere_to_go"
    NOWHERE_TO_GO_NO_CONVOY = "refused_nowhere_to_go_no_convoy"
    NO_BORDER_TO_CROSS = "refused_no_border_to_cross"
    NO_BORDER_TO_CROSS_NO_CONVOY = "refused_no_border_to_cross_no_convoy"
    NO_DISLODGED_UNIT = "refused_no_dislodged_unit"
    NO_FLEETS_FOR_CONVOY = "refused_no_fleets_for_convoy"
    NO_OWN_UNIT = "refused_no_own_unit"
    NO_RETREAT = "refused_no_retreat"
    NO_SUCH_COAST = "refused_no_such_coast"
    NO_UNIT = "refused_no_unit"
    NO_WAIVING = "refused_no_waiving"
    ONLY_ADJUSTMENTS = "refused_only_adjustments"
    ONLY_ARMIES_CONVOYED = "refused_only_armies_convoyed"
    ONLY_MOVEMENT = "refused_only_movement"
    ONLY_RETREATS = "refused_only_retreats"
    RETREAT_ELSEWHERE = "refused_retreat_elsewhere"
    SUPPORTED_UNIT_MOVES = "refused_supported_unit_moves"
    SUPPORTS_ITSELF = "refused_supports_itself"
    SUPPORT_NEEDS_COAST = "refused_support_needs_coast"
    SUPPORT_OUT_OF_REACH = "refused_support_out_of_reach"
    TEXT_NOT_PARSED = "refused_text_not_parsed"
    WRONG_COAST = "refused_wrong_coast"
    WRONG_KIND = "refused_wrong_kind"
    WRONG_NATIONALITY = "refused_wrong_nationality"


_K = RefusalKey

REFUSALS: dict[str, str | Plural] = {
    # Values that are not orders.
    _K.NOT_AN_ORDER: "This is not an order: {value}.",
    _K.TEXT_NOT_PARSED: "The text {value} is not an order until parse_order has read it.",
    # The unit ordered.
    _K.NOT_A_PROVINCE: "{place} is not a province of this board.",
    _K.NO_OWN_UNIT: "{power} has no unit in {place}: the province is empty.",
    _K.FOREIGN_UNIT: (
        "{power} has no unit in {unit:place}: the {unit:kind} there belongs to {owner}."
    ),
    _K.WRONG_KIND: "The order calls an army a fleet, or a fleet an army.",
    _K.WRONG_NATIONALITY: "The unit named in the order belongs to another power.",
    _K.WRONG_COAST: "The {unit:kind} is not on that coast.",
    # Moves.
    _K.ALREADY_THERE: "The {unit:kind} is already in {unit:place}.",
    _K.ARMY_TO_WATER: "{place} is water: an army cannot go there.",
    _K.FLEET_TO_INLAND: "{place} is inland: a fleet cannot go there.",
    _K.NOT_ADJACENT: ("{here} does not border {place}: the {unit:kind} can go to {choices:or}."),
    _K.NOT_ADJACENT_NO_CONVOY: (
        "{here} does not border {place}: the {unit:kind} can go to {choices:or}, and no"
        " fleets at sea could convoy it."
    ),
    _K.NO_BORDER_TO_CROSS: (
        "The {unit:kind} cannot go directly from {here} to {place}: it can go to {choices:or}."
    ),
    _K.NO_BORDER_TO_CROSS_NO_CONVOY: (
        "The {unit:kind} cannot go directly from {here} to {place}: it can go to"
        " {choices:or}, and no fleets at sea could convoy it."
    ),
    _K.NOWHERE_TO_GO: "The {unit:kind} in {here} cannot go anywhere from there.",
    _K.NOWHERE_TO_GO_NO_CONVOY: (
        "The {unit:kind} in {here} cannot go anywhere from there, and no fleets at sea could"
        " convoy it."
    ),
    _K.ONLY_ARMIES_CONVOYED: "Only armies can be convoyed.",
    _K.NO_FLEETS_FOR_CONVOY: ("No fleets at sea could convoy an army from {here} to {place}."),
    # Coasts.
    _K.NO_SUCH_COAST: "{place} has no coast {coast:coast} for this unit to go to.",
    _K.COAST_NEEDED: "{place} has several coasts: specify {choices:coasts}.",
    _K.COAST_NEEDED_WITHIN_REACH: (
        "{place} has several coasts within reach: specify {choices:coasts}."
    ),
    _K.COAST_OUT_OF_REACH: (
        "A fleet in {here} can reach {place} only on the coast {choices:coasts}, not {coast:coast}."
    ),
    # Supports and convoys.
    _K.NO_UNIT: "There is no unit in {place}.",
    _K.SUPPORTS_ITSELF: "A unit cannot support or convoy itself.",
    _K.SUPPORT_OUT_OF_REACH: (
        "The {unit:kind} in {here} cannot support into {place}, where it could not go itself."
    ),
    _K.SUPPORT_NEEDS_COAST: "The support must name the coast of {place}.",
    _K.NEEDS_SUPPORTING_FLEET: (
        "The army cannot reach {place} without a convoy by this fleet, so this fleet cannot"
        " support it."
    ),
    _K.CONVOY_FROM_PORT: "Only a fleet at sea can convoy, and {unit:place} is not a sea province.",
    _K.CONVOY_NOT_NEEDED: "No convoy from {here} to {place} needs a fleet in {sea}.",
    _K.CONVOY_BY_DETOUR: "No convoy from {here} to {place} needs a fleet in {sea}.",
    # Other phases.
    _K.ONLY_MOVEMENT: "Only moves, holds, supports and convoys can be ordered in {phase}.",
    _K.ONLY_RETREATS: "Only retreats and disbands can be ordered in {phase}.",
    _K.ONLY_ADJUSTMENTS: "Only builds and disbands can be ordered in {phase}.",
    _K.NO_DISLODGED_UNIT: "{power} has no dislodged unit in {place}.",
    _K.RETREAT_ELSEWHERE: (
        "The {unit:kind} in {unit:place} cannot retreat to {place}: it can retreat to {choices:or}."
    ),
    _K.NO_RETREAT: (
        "The {unit:kind} in {unit:place} cannot retreat to {place}: it can only disband."
    ),
    _K.NOTHING_TO_BUILD: "{power} has nothing to build.",
    _K.NOTHING_TO_DISBAND: "{power} has nothing to disband.",
    _K.NO_WAIVING: "Builds cannot be waived.",
    _K.BUILD_NOT_HOME: "{place} is not a home center of {power}.",
    _K.BUILD_NOT_OWNED: "{power} does not own {place} now.",
    _K.BUILD_OCCUPIED: "{place} is occupied.",
    _K.INLAND_FLEET_BUILD: "{place} is inland: a fleet cannot be built there.",
    # Orders that are legal on their own.
    _K.CONFLICTING_ORDERS: "The unit was given different orders.",
    _K.CIVIL_DISORDER: "A power in civil disorder cannot be supported.",
    _K.SUPPORTED_UNIT_MOVES: "The unit to be supported was ordered to move.",
}
