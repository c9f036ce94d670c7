"""Every message key of the judge with its English sentence.

A parameter is written in braces, optionally with a form after a colon: `{unit}` is "the army in
Paris", and `{unit:attacker}` is "France’s army from Paris". Several values are joined with "and",
in the form `or` with "or", and in the form `list` with commas only. If the number of values changes
the sentence, it is a `Plural`.

A sentence about words that are not an order may follow these words and a colon: `Line 2, F TRI-ABL:
'ABL' is not a province.`
"""

import re
from enum import StrEnum
from typing import NamedTuple


class Plural(NamedTuple):
    """A sentence in which `[was|were]` depends on whether `parameter` is, or has, one value."""

    parameter: str
    text: str

    @property
    def one(self) -> str:
        """The sentence for one value."""
        return _CHOICE.sub(r"\1", self.text)

    @property
    def other(self) -> str:
        """The sentence for none or several."""
        return _CHOICE.sub(r"\2", self.text)


_CHOICE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")

# Why orders had their outcomes.

# Results of a movement phase.

_RESULTS: dict[str, str | Plural] = {
    "held": "Held in {place}.",
    "held_against_attack": Plural(
        "attackers",
        "Held in {place} against the [attack|attacks] by {attackers:attacker}, {strength} against "
        "{attack}.",
    ),
    "held_beleaguered": "Held in {place}: the attacks by {attackers:attacker} bounced each other.",
    "moved": "Moved to {place}.",
    "moved_and_dislodged": "Moved to {place} and dislodged {target:owned}, "
    "{strength} against {resistance}.",
    "moved_by_convoy": "Moved by convoy to {place}.",
    "moved_by_convoy_and_dislodged": "Moved by convoy to {place} and dislodged {target:owned}, "
    "{strength} against {resistance}.",
    "bounced_by_paradox": "Bounced in {place}: every move in a paradox fails.",
    "bounced_own_unit": "Bounced in {place}: {target:power} cannot dislodge its own {target:kind}.",
    "bounced_own_stayed": "Bounced in {place}: {target:power}’s own {target:kind} was still there.",
    "bounced_rivals": "Bounced in {place}: {rivals:attacker} also tried to move there, "
    "{strength} against {resistance}.",
    "bounced_stronger_rivals": Plural(
        "rivals",
        "Bounced in {place}: {rivals:attacker} [was|were] stronger, {resistance} against "
        "{strength}.",
    ),
    "bounced_occupied": "Bounced in {place}: {target:owned} was not dislodged, "
    "{strength} against {resistance}.",
    "bounced_head_to_head": "Bounced in {place} after a head-to-head battle with "
    "{target:owned}, {strength} against {resistance}.",
    "destroyed_head_to_head": "Bounced in {place}: lost a head-to-head battle with "
    "{target:owned}, {strength} against {resistance}, and was dislodged and destroyed.",
    "dislodged_head_to_head": "Bounced in {place}: lost a head-to-head battle with "
    "{target:owned}, {strength} against {resistance}, and was dislodged.",
    "own_support_not_counted": "{power}’s support against its own unit did not count.",
    "own_support_voids_attack": "The attack had no strength because {power} supported it "
    "against its own unit.",
    "no_convoy": "No complete convoy route was ordered from {unit:place} to {place}.",
    "convoy_fleets_dislodged": Plural(
        "fleets",
        "The convoy from {unit:place} to {place} failed: the [fleet|fleets] in {fleets:place} "
        "[was|were] dislodged.",
    ),
    "convoy_failed_by_paradox": Plural(
        "fleets",
        "The convoy from {unit:place} to {place} failed: a paradox disrupted the [fleet|fleets] in "
        "{fleets:place}.",
    ),
    "paradox_also_disrupted": Plural(
        "fleets",
        "A paradox also disrupted the [fleet|fleets] in {fleets:place}.",
    ),
    "supported_hold": "Supported {target}.",
    "supported_move": "Supported the move of {target} to {place}.",
    "support_cut": Plural(
        "attackers",
        "Support cut by the [attack|attacks] of {attackers:attacker}.",
    ),
    "support_cut_and_dislodged": "Support cut by the attack of {attacker:attacker}, which "
    "dislodged the unit, {strength} against {resistance}.",
    "support_cut_and_destroyed": "Support cut by the attack of {attacker:attacker}, which "
    "dislodged and destroyed the unit, {strength} against {resistance}.",
    "support_cut_by_destruction": "Support cut: the unit was dislodged and destroyed by "
    "{attacker:attacker}, {strength} against {resistance}.",
    "support_cut_by_dislodgment": "Support cut: the unit was dislodged by {attacker:attacker}, "
    "{strength} against {resistance}.",
    "support_void_target_moved": "Void: {target} was ordered to move.",
    "void_target_not_ordered": "Void: {target} was not ordered to {place}.",
    "support_void_no_convoy": "Void: no complete convoy route to {place} was ordered for {target}.",
    "convoy_void_other_fleets": "Void: {target} was ordered to go by other seas.",
    "convoy_void_by_land": "Void: {target} went to {place} by land.",
    "convoyed": "Convoyed the army from {army:place} to {place}.",
    "convoyed_and_bounced": "Convoyed the army from {army:place} to {place}, where it bounced.",
    "convoy_disrupted_other_route": "Convoy disrupted, but the army from {army:place} used another "
    "route to {place}.",
    "convoy_other_route": "The convoy of the army from {army:place} to {place} used another route.",
    "convoy_not_needed": "Stood ready to convoy the army from {army:place} to {place}, but no "
    "route needs it.",
    "convoy_ready_no_chain": "Ready to convoy the army from {army:place} to {place}, but no "
    "complete convoy route was ordered.",
    "convoy_ready_fleets_dislodged": Plural(
        "fleets",
        "Ready to convoy the army from {army:place} to {place}, but the [fleet|fleets] in "
        "{fleets:place} [was|were] dislodged.",
    ),
    "convoy_ready_paradox": Plural(
        "fleets",
        "Ready to convoy the army from {army:place} to {place}, but a paradox disrupted the "
        "[fleet|fleets] in {fleets:place}.",
    ),
    "convoy_disrupted": "The convoy of the army from {army:place} to {place} was disrupted.",
    "convoy_disrupted_by_paradox": "A paradox disrupted the convoy of the army from "
    "{army:place} to {place}.",
    "dislodged": "Dislodged by {attacker:attacker}, {strength} against {resistance}.",
    "destroyed": "Dislodged and destroyed by {attacker:attacker}, {strength} against {resistance}.",
}

# Results of retreats and adjustments, and results worded where the order was refused.

_OTHER_RESULTS: dict[str, str | Plural] = {
    "refused": "{reason}",
    "retreated": "Retreated to {place}.",
    "retreats_collided": "Disbanded: {units:attacker} also retreated to {place}.",
    "disbanded_as_ordered": "Disbanded as ordered.",
    "disbanded_without_order": "Disbanded: no retreat was ordered.",
    "disbanded_in_civil_disorder": "Disbanded by the rule for civil disorder.",
    "already_disbanded": "This unit is already disbanded.",
    "too_many_disbands": "{power} had to disband only {units:units}.",
    "built": "Built in {place}.",
    "built_without_order": "Built without an order: builds cannot be waived.",
    "too_many_builds": "{power} could build only {units:units}.",
    "one_build_per_province": "Only one unit can be built in {place}.",
    "waived_as_ordered": "Waived as ordered.",
    "waived_without_order": "Waived: no build was ordered.",
}

# Sentences around others.

_FRAMES: dict[str, str | Plural] = {
    "sentences": "{sentences}",
    "order_and_result": "{order}: {result}",
}

# What decided the result.

_CAUSES: dict[str, str | Plural] = {
    "unit_dislodged": "{unit} was dislodged by {attacker:attacker}, "
    "{strength} against {resistance}.",
    "goal_empty": "{place} was empty, and no other unit moved there.",
    "no_rival": "No other unit moved there.",
    "not_attacked": "No unit attacked {unit}.",
    "support_not_attacked": "No unit attacked {unit}, so its support could not be cut.",
    "attacks_bounced": "The attacks by {attackers:attacker} bounced each other.",
    "left_province": "{order} left {unit:place} empty.",
    "circular_movement": "The units in {units:place} moved in a circle.",
    "swap_by_convoy": "The units in {units:place} swapped places, which a convoy allows.",
    "cut_from_elsewhere": "The attack by {attacker:attacker} cut the support: it did not come from "
    "{place}, into which the support was given.",
    "cut_by_dislodging": "{attacker:attacker} dislodged the supporting {supporter:kind}, which cut "
    "its support.",
    "not_cut_no_convoy": "The attack by {attacker:attacker} did not cut the support: no convoy "
    "brought it there.",
    "not_cut_from_target": "The attack by {attacker:attacker} did not cut the support: it came "
    "from the province into which the support was given, and it did not dislodge the unit.",
    "not_cut_paradox": "The attack by {attacker:attacker} did not cut the support: a paradox "
    "ended its convoy, so it did not arrive.",
    "spared_by_rule_of_1971": "A convoy paradox rule kept the attack by {attacker:attacker} from "
    "cutting the support into {place}: by the rule of 1971, a convoyed army does not cut a fleet’s "
    "support for a fleet that attacks one of the convoying fleets.",
    "spared_by_rule_of_1982": "A convoy paradox rule kept the attack by {attacker:attacker} from "
    "cutting the support into {place}: by the rule of 1982, a convoyed army does not cut a fleet’s "
    "support into a sea where a fleet convoys.",
    "spared_by_rule_of_2000": "A convoy paradox rule kept the attack by {attacker:attacker} from "
    "cutting the support into {place}: by the rule of 2000, a convoyed army does not cut support "
    "for an attack on a fleet that its convoy needs.",
    "not_cut_own_support": "The attack by {attacker:attacker} did not cut the support: a power "
    "does not cut its own support.",
    "attack_strength": "{unit} attacked {place} with strength {value}.",
    "attack_strength_supported": "{unit} attacked {place} with strength {value}, supported from "
    "{supporters:place}.",
    "attack_without_convoy": "{unit} attacked {place} with strength {value} because no convoy "
    "brought it there.",
    "attack_on_own_unit": "{unit} attacked {place} with strength {value} because {target:power} "
    "cannot dislodge its own {target:kind}.",
    "attack_on_own_unit_with_rivals_supported": "{unit} attacked {place} with strength {value} "
    "because {target:power} cannot dislodge its own {target:kind}; against the other units moving "
    "there its strength was {against}, supported from {supporters:place}.",
    "hold_strength": "{unit} held with strength {value}.",
    "hold_strength_supported": "{unit} held with strength {value}, supported from "
    "{supporters:place}.",
    "hold_strength_after_move": "{unit} held with strength {value} because its move failed.",
    "defend_strength": "{unit} attacked head-to-head with strength {value}.",
    "defend_strength_supported": "{unit} attacked head-to-head with strength {value}, supported "
    "from {supporters:place}.",
    "prevent_strength": "{unit} also tried to move to {place}, with strength {value}.",
    "prevent_strength_supported": "{unit} also tried to move to {place}, with strength {value}, "
    "supported from {supporters:place}.",
    "prevent_without_convoy": "{unit} also tried to move to {place}, with strength {value} because "
    "no convoy brought it there.",
    "prevent_dislodged": "{unit} also tried to move to {place}, with strength {value} because it "
    "was dislodged from there.",
    "support_was_cut": Plural(
        "supporters",
        "The [support|supports] from {supporters:place} did not count: [it was|they were] cut by "
        "{attackers:attacker}.",
    ),
    "support_against_own_unit": Plural(
        "supporters",
        "The [support|supports] from {supporters:place} did not count: {power} cannot help to "
        "dislodge its own unit.",
    ),
    "support_in_void_attack": Plural(
        "supporters",
        "The [support|supports] from {supporters:place} did not count: {power} supported the same "
        "attack on its own unit.",
    ),
    "support_of_moving_unit": Plural(
        "supporters",
        "The [support|supports] from {supporters:place} did not count: {target} was ordered to "
        "move.",
    ),
    "support_of_other_order": Plural(
        "supporters",
        "The [support|supports] from {supporters:place} did not count: {target} was not ordered to "
        "{place}.",
    ),
    "support_without_convoy": Plural(
        "supporters",
        "The [support|supports] from {supporters:place} did not count: no complete convoy route to "
        "{place} was ordered for {target}.",
    ),
    "route_without_fleets": "No fleet was ordered to convoy the army from {army:place} to {place}.",
    "route_incomplete": Plural(
        "fleets",
        "The [fleet|fleets] in {fleets:place} [was|were] ordered to convoy the army from "
        "{army:place} to {place}, but this route is not complete.",
    ),
    "route_ordered": Plural(
        "fleets",
        "The [fleet|fleets] in {fleets:place} [was|were] ordered to convoy the army from "
        "{army:place} to {place}.",
    ),
    "route_stayed_open": "The fleets in {fleets:place} were ordered to convoy the army from "
    "{army:place} to {place}, and one route stayed open.",
    "any_route_disrupts": "The fleets in {fleets:place} were ordered to convoy the army from "
    "{army:place} to {place}, and by these rules the convoy fails if any of its routes does.",
    "route_disrupted": Plural(
        "fleets",
        "The [fleet|fleets] in {fleets:place} [was|were] ordered to convoy the army from "
        "{army:place} to {place}, and no route stayed open.",
    ),
    "more_fleets": Plural(
        "count",
        "[One more fleet was|Another {count} fleets were] ordered to convoy this army.",
    ),
    "fleet_held": "{unit} was not dislodged.",
    "fleet_dislodged": "{unit} was dislodged, which disrupted its convoy.",
    "fleet_in_paradox": "{unit} did not convoy: its own convoy would have decided whether it was "
    "dislodged, and by Szykman’s rule such a fleet only holds.",
    "fleet_in_paradox_all_hold": "{unit} did not convoy: its own convoy would have decided whether "
    "it was dislodged, and all moves of such a paradox fail.",
}

# The effect of a support.

_SUPPORT_EFFECTS: dict[str, str | Plural] = {
    "without_support_moves": "Without this support, {unit} would have moved to {place}.",
    "without_support_stays": "Without this support, {unit} would not have moved to {place}.",
    "without_support_dislodged": "Without this support, {unit} would have been dislodged.",
    "without_support_not_dislodged": "Without this support, {unit} would not have been dislodged.",
    "support_not_needed_unattacked": "The support was not needed: no unit attacked {unit}.",
    "support_not_needed_to_hold": "The support was not needed: {unit} would have held without it.",
    "support_not_needed_to_move": "The support was not needed: {unit} would have moved to {place} "
    "without it.",
    "support_of_dislodged_unit": "The support was not enough: {unit} was dislodged.",
    "support_of_failed_move": "The support was not enough: {unit} did not move to {place}.",
}

# The effect if one unit had held.

_ALTERNATIVES: dict[str, str | Plural] = {
    "if_held_move_succeeds": "If {others:or} had held instead, the move of {unit} would have "
    "succeeded.",
    "if_held_move_bounces": "If {others:or} had held instead, the move of {unit} would have "
    "bounced.",
    "if_held_no_convoy": "If {others:or} had held instead, no convoy would have carried {unit}.",
    "if_held_support_counts": "If {others:or} had held instead, the support by {unit} would have "
    "counted.",
    "if_held_support_cut": "If {others:or} had held instead, the support by {unit} would have been "
    "cut.",
    "if_held_convoy_holds": "If {others:or} had held instead, the convoy by {unit} would not have "
    "been disrupted.",
    "if_held_convoy_fails": "If {others:or} had held instead, the convoy by {unit} would have been "
    "disrupted.",
    "if_held_order_void": "If {others:or} had held instead, the order of {unit} would have been "
    "void.",
    "if_held_dislodged": "If {others:or} had held instead, {unit} would have been dislodged.",
    "if_held_not_dislodged": "If {others:or} had held instead, {unit} would not have been "
    "dislodged.",
    "would_be_dislodged": "{unit} would have been dislodged.",
    "would_not_be_dislodged": "{unit} would not have been dislodged.",
}

# Retreats and adjustments.

_OTHER_CAUSES: dict[str, str | Plural] = {
    "retreat_options": "{unit} could retreat to {places:or}.",
    "no_retreat": "{unit} had no retreat.",
    "retreat_open_by_convoy": "{place} is open: the attacker came from there, but by convoy.",
    "retreat_barred_attacker": "{place} is barred: the attacker came from there.",
    "retreat_barred_unit": "{place} is barred: {unit:owned} is there.",
    "retreat_barred_standoff": "{place} is barred: a standoff left it empty.",
    "retreat_barred_standoff_between": Plural(
        "powers",
        "{place} is barred: a standoff [of|between] {powers} left it empty.",
    ),
    "must_disband": "{power} owned {centers:centers} and had {units:units}, so it had to disband "
    "{count}.",
    "may_build": "{power} owned {centers:centers} and had {units:units}, so it could build "
    "{count}.",
    "may_build_in_free_centers": Plural(
        "free",
        "{power} owned {centers:centers} and had {units:units}, but only {free} home "
        "[center|centers] [was|were] vacant, so it could build {free}.",
    ),
    "no_free_center": "{power} owned {centers:centers} and had {units:units}, but no home center "
    "was vacant, so it could not build.",
    "nothing_to_adjust": "{power} owned {centers:centers} and had {units:units}, so it had nothing "
    "to build or disband.",
    "removal_by_lot": "Units are removed in an order drawn by lot, those outside the home country "
    "first: {units}.",
    "removal_far_from_home": "The units farthest from home are removed first: {units}.",
    "removal_far_from_centers": "The units farthest from the nearest center of their power are "
    "removed first: {units}.",
}

REASONS: dict[str, str | Plural] = {
    **_RESULTS,
    **_OTHER_RESULTS,
    **_FRAMES,
    **_CAUSES,
    **_SUPPORT_EFFECTS,
    **_ALTERNATIVES,
    **_OTHER_CAUSES,
}
"""The sentence of every key."""

STORED: dict[str, str | Plural] = {
    "convoy_not_needed_and_dislodged": "Stood ready to convoy the army from {army:place} to "
    "{place}, but no route needs it; it was dislodged.",
    "refused_civil_disorder": "A power in civil disorder cannot be supported.",
    "refused_conflicting_orders": "The unit was given different orders.",
    "refused_needs_supporting_fleet": "The army cannot reach {place} without a convoy by this "
    "fleet, so this fleet cannot support it.",
    "refused_only_armies_convoyed": "Only armies can be convoyed.",
    "refused_supported_unit_moves": "The unit to be supported was ordered to move.",
    "refused_supports_itself": "A unit cannot support or convoy itself.",
    "refused_wrong_coast": "The {unit:kind} is not on that coast.",
    "refused_wrong_kind": "The order calls an army a fleet, or a fleet an army.",
    "refused_wrong_nationality": "The unit named in the order belongs to another power.",
}
"""The sentences that only the results of stored games have."""


# Why an order is illegal.


class RefusalKey(StrEnum):
    """The reasons why an order is refused; the value is the key of the message."""

    AIDS_ITSELF = "refused_aids_itself"
    ALREADY_THERE = "refused_already_there"
    ARMY_NEEDS_SUPPORTER = "refused_army_needs_supporter"
    ARMY_TO_WATER = "refused_army_to_water"
    BUILD_NOT_HOME = "refused_build_not_home"
    BUILD_NOT_OWNED = "refused_build_not_owned"
    BUILD_OCCUPIED = "refused_build_occupied"
    COAST_NEEDED = "refused_coast_needed"
    COAST_NEEDED_WITHIN_REACH = "refused_coast_needed_within_reach"
    COAST_OUT_OF_REACH = "refused_coast_out_of_reach"
    CONVOY_BY_DETOUR = "refused_convoy_by_detour"
    CONVOY_FROM_PORT = "refused_convoy_from_port"
    CONVOY_NOT_NEEDED = "refused_convoy_not_needed"
    DIFFERENT_ORDERS = "refused_different_orders"
    FLEET_CONVOYED = "refused_fleet_convoyed"
    FLEET_TO_INLAND = "refused_fleet_to_inland"
    FOREIGN_UNIT = "refused_foreign_unit"
    INLAND_FLEET_BUILD = "refused_inland_fleet_build"
    NOTHING_TO_BUILD = "refused_nothing_to_build"
    NOTHING_TO_DISBAND = "refused_nothing_to_disband"
    NOT_ADJACENT = "refused_not_adjacent"
    NOT_ADJACENT_NO_CONVOY = "refused_not_adjacent_no_convoy"
    NOT_AN_ORDER = "refused_not_an_order"
    NOT_A_PROVINCE = "refused_not_a_province"
    NOT_ON_COAST = "refused_not_on_coast"
    NOWHERE_TO_GO = "refused_nowhere_to_go"
    NOWHERE_TO_GO_NO_CONVOY = "refused_nowhere_to_go_no_convoy"
    NO_BORDER_TO_CROSS = "refused_no_border_to_cross"
    NO_BORDER_TO_CROSS_NO_CONVOY = "refused_no_border_to_cross_no_convoy"
    NO_DISLODGED_UNIT = "refused_no_dislodged_unit"
    NO_FLEETS_FOR_CONVOY = "refused_no_fleets_for_convoy"
    NO_OWN_UNIT = "refused_no_own_unit"
    NO_RETREAT = "refused_no_retreat"
    NO_SUCH_COAST = "refused_no_such_coast"
    NO_SUCH_KIND = "refused_no_such_kind"
    NO_SUCH_NATIONALITY = "refused_no_such_nationality"
    NO_UNIT = "refused_no_unit"
    NO_WAIVING = "refused_no_waiving"
    ONLY_ADJUSTMENTS = "refused_only_adjustments"
    ONLY_MOVEMENT = "refused_only_movement"
    ONLY_RETREATS = "refused_only_retreats"
    RETREAT_ELSEWHERE = "refused_retreat_elsewhere"
    SUPPORT_IN_DISORDER = "refused_support_in_disorder"
    SUPPORT_NEEDS_COAST = "refused_support_needs_coast"
    SUPPORT_OF_MOVER = "refused_support_of_mover"
    SUPPORT_OUT_OF_REACH = "refused_support_out_of_reach"
    TEXT_NOT_PARSED = "refused_text_not_parsed"


_R = RefusalKey

REFUSALS: dict[str, str | Plural] = {
    # Values that are not orders.
    _R.NOT_AN_ORDER: "This is not an order: {value}.",
    _R.TEXT_NOT_PARSED: "The text {value} is not an order until parse_order has read it.",
    # The unit ordered.
    _R.NOT_A_PROVINCE: "{place} is not a province of this board.",
    _R.NO_OWN_UNIT: "{power} has no unit in {place}: the province is empty.",
    _R.FOREIGN_UNIT: (
        "{power} has no unit in {unit:place}: the {unit:kind} there belongs to {owner}."
    ),
    _R.NO_SUCH_KIND: "There is no {kind} in {unit:place}: {unit:owned} is there.",
    _R.NO_SUCH_NATIONALITY: "{power} has no unit in {unit:place}: {unit:owned} is there.",
    _R.NOT_ON_COAST: "The {unit:kind} in {unit:place} is not on the {coast:coast}.",
    # Moves.
    _R.ALREADY_THERE: "The {unit:kind} is already in {unit:place}.",
    _R.ARMY_TO_WATER: "{place} is water: an army cannot go there.",
    _R.FLEET_TO_INLAND: "{place} is inland: a fleet cannot go there.",
    _R.NOT_ADJACENT: ("{here} does not border {place}: the {unit:kind} can go to {choices:or}."),
    _R.NOT_ADJACENT_NO_CONVOY: (
        "{here} does not border {place}: the {unit:kind} can go to {choices:or}, and no"
        " fleets at sea could convoy it."
    ),
    _R.NO_BORDER_TO_CROSS: (
        "The {unit:kind} cannot go directly from {here} to {place}: it can go to {choices:or}."
    ),
    _R.NO_BORDER_TO_CROSS_NO_CONVOY: (
        "The {unit:kind} cannot go directly from {here} to {place}: it can go to"
        " {choices:or}, and no fleets at sea could convoy it."
    ),
    _R.NOWHERE_TO_GO: "The {unit:kind} in {here} cannot go anywhere from there.",
    _R.NOWHERE_TO_GO_NO_CONVOY: (
        "The {unit:kind} in {here} cannot go anywhere from there, and no fleets at sea could"
        " convoy it."
    ),
    _R.FLEET_CONVOYED: "Only armies can be convoyed, not {unit}.",
    _R.NO_FLEETS_FOR_CONVOY: ("No fleets at sea could convoy an army from {here} to {place}."),
    # Coasts.
    _R.NO_SUCH_COAST: "{place} has no {coast:coast} for this unit to go to.",
    _R.COAST_NEEDED: "{place} has several coasts: specify the {choices:coasts}.",
    _R.COAST_NEEDED_WITHIN_REACH: (
        "{place} has several coasts within reach: specify the {choices:coasts}."
    ),
    _R.COAST_OUT_OF_REACH: (
        "A fleet in {here} can reach {place} only on the {choices:coasts}, "
        "not on the {coast:coast}."
    ),
    # Supports and convoys.
    _R.NO_UNIT: "There is no unit in {place}.",
    _R.AIDS_ITSELF: "{unit} cannot support or convoy itself.",
    _R.SUPPORT_OUT_OF_REACH: (
        "The {unit:kind} in {here} cannot support into {place}, where it could not go itself."
    ),
    _R.SUPPORT_NEEDS_COAST: "The support must name the coast of {place}.",
    _R.ARMY_NEEDS_SUPPORTER: (
        "{target} cannot reach {place} without a convoy by {unit}, so this fleet cannot support it."
    ),
    _R.CONVOY_FROM_PORT: "Only a fleet at sea can convoy, and {unit:place} is not a sea province.",
    _R.CONVOY_NOT_NEEDED: "No convoy from {here} to {place} needs a fleet in {sea}.",
    _R.CONVOY_BY_DETOUR: "No convoy from {here} to {place} needs a fleet in {sea}.",
    # Other phases.
    _R.ONLY_MOVEMENT: "Only moves, holds, supports and convoys can be ordered in {phase}.",
    _R.ONLY_RETREATS: "Only retreats and disbands can be ordered in {phase}.",
    _R.ONLY_ADJUSTMENTS: "Only builds and disbands can be ordered in {phase}.",
    _R.NO_DISLODGED_UNIT: "{power} has no dislodged unit in {place}.",
    _R.RETREAT_ELSEWHERE: (
        "The {unit:kind} in {unit:place} cannot retreat to {place}: it can retreat to {choices:or}."
    ),
    _R.NO_RETREAT: (
        "The {unit:kind} in {unit:place} cannot retreat to {place}: it can only disband."
    ),
    _R.NOTHING_TO_BUILD: "{power} has nothing to build.",
    _R.NOTHING_TO_DISBAND: "{power} has nothing to disband.",
    _R.NO_WAIVING: "Builds cannot be waived.",
    _R.BUILD_NOT_HOME: "{place} is not a home center of {power}.",
    _R.BUILD_NOT_OWNED: "{power} does not own {place} now.",
    _R.BUILD_OCCUPIED: "{place} is occupied.",
    _R.INLAND_FLEET_BUILD: "{place} is inland: a fleet cannot be built there.",
    # Orders that are legal on their own.
    _R.DIFFERENT_ORDERS: "{unit} was given different orders.",
    _R.SUPPORT_IN_DISORDER: "{unit} cannot be supported: {unit:power} is in civil disorder.",
    _R.SUPPORT_OF_MOVER: "{unit} cannot be supported to hold: it was ordered to move.",
}


# Why text is not an order.


class NotationKey(StrEnum):
    """The reasons why text cannot be read; the value is the key of the message."""

    AMBIGUOUS_PROVINCE = "unreadable_ambiguous_province"
    BUILD_KIND_MISSING = "unreadable_build_kind_missing"
    BUILD_PLACE_MISSING = "unreadable_build_place_missing"
    CANNOT_STAND = "unreadable_cannot_stand"
    COAST_MISSING = "unreadable_coast_missing"
    COAST_NAME_MISSING = "unreadable_coast_name_missing"
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
    STRAY_BRACKET = "unreadable_stray_bracket"
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


_N = NotationKey

NOTATION: dict[str, str | Plural] = {
    # The text as a whole.
    _N.EMPTY_ORDER: "The order is empty.",
    _N.ORDER_TOO_LONG: "An order has at most {limit} characters; this one has {length}.",
    _N.LINE_TOO_LONG: "A line of orders has at most {limit} characters; this one has {length}.",
    _N.SHEET_TOO_LONG: "A sheet has at most {limit} characters; this one has {length}.",
    _N.SHEETS_TOO_LONG: "Sheets have at most {limit} characters for each power.",
    _N.TOO_MANY_ORDERS: "A sheet has at most {limit} orders.",
    _N.STRANGE_CHARACTER: "Orders cannot contain the character {letter:quoted} ({name}).",
    _N.STRAY_BRACKET: "The bracket or slash before {word:quoted} makes no sense.",
    _N.TRAILING_WORDS: "{words:quoted} makes no sense after {before}.",
    _N.WORDS_BEFORE_ORDER: "{words:quoted} is not an order, so what follows it was not read.",
    _N.FOREIGN_ORDER: "This is an order for {country}, not for you.",
    _N.FOREIGN_ORDERS: "These are orders for {country}, not for you.",
    # Provinces and coasts.
    _N.PROVINCE_MISSING: "A province is missing at the end of the order.",
    _N.UNKNOWN_PROVINCE: "{word:quoted} is not a province.",
    _N.UNKNOWN_PROVINCE_ALIKE: "{word:quoted} is not a province. Did you mean {codes:or}?",
    _N.AMBIGUOUS_PROVINCE: "{text:quoted} is ambiguous: write {choices:or}.",
    _N.IMPASSABLE: "{place} is impassable: no unit may enter it.",
    _N.UNKNOWN_COAST: "{word:quoted} is not a coast.",
    _N.COAST_NAME_MISSING: "A coast is missing at the end of the order.",
    _N.COAST_MISSING: "{code} has several coasts: write {choices:or}.",
    _N.NO_SUCH_COAST: "{place} has no {coast:coast} to go to.",
    _N.CANNOT_STAND: "No {kind} can stand in {code} ({place}).",
    # Units.
    _N.UNIT_MISSING: "A unit is missing at the end of the order.",
    _N.WHICH_UNIT: "Say which {kind}: you have {units:and}.",
    _N.WHICH_UNIT_OF_MANY: "Say which {kind}: you have {units:list} and others.",
    _N.NO_UNIT_OF_KIND: "You have no {kind} to order.",
    _N.NO_UNIT: "There is no unit in {code} ({place}).",
    _N.NO_DISLODGED_UNIT: "There is no dislodged unit in {code} ({place}).",
    _N.NOT_DISLODGED: "The unit in {code} was not dislodged and cannot retreat.",
    _N.NOT_YOUR_UNIT: "{unit:text} is not yours: it belongs to {owner}.",
    _N.KIND_MISSING: "Specify army or fleet: write {unit:text}.",
    _N.NATIONALITY_MISSING: "Specify the nationality of {unit:text}.",
    _N.UNIT_KIND_MISSING: "Write A for an army or F for a fleet before {text:quoted}.",
    # Orders.
    _N.NO_MOVEMENT_ORDER: (
        "No order follows {unit:text}. "
        "Write {unit:text} - …, {unit:text} S …, {unit:text} C … or {unit:text} H."
    ),
    _N.UNKNOWN_MOVEMENT_ORDER: (
        "{words:quoted} is not an order for {unit:text}. "
        "Write {unit:text} - …, {unit:text} S …, {unit:text} C … or {unit:text} H."
    ),
    _N.NO_RETREAT_ORDER: "No order follows {unit:text}. Write {unit:text} R … or {unit:text} D.",
    _N.UNKNOWN_RETREAT_ORDER: (
        "{words:quoted} is not an order for {unit:text}. Write {unit:text} R … or {unit:text} D."
    ),
    _N.NO_ADJUSTMENT_ORDER: (
        "No order follows {text:quoted}. Write A PAR B to build, A PAR D to disband, or WAIVE."
    ),
    _N.UNKNOWN_ADJUSTMENT_ORDER: (
        "{words:quoted} is not an order. Write A PAR B to build, A PAR D to disband, or WAIVE."
    ),
    _N.NOT_FOR_PHASE: "{word:quoted} after {unit:text} is not an order for {phase}.",
    _N.NOT_FOR_ADJUSTMENTS: "{word:quoted} is not an order for {phase}.",
    _N.NOT_BY_LAND: "{unit:text} cannot go to {place} by land.",
    _N.NOT_DAIDE: "{text:quoted} is not a DAIDE order such as (FRA AMY PAR) MTO BUR.",
    _N.MOVES_ONE_SPACE: "{unit:text} cannot go through {place}: a unit moves one space.",
    _N.CONVOY_PLACE_MISSING: (
        "The order does not say where {target:text} goes: add - and a province."
    ),
    _N.BUILD_PLACE_MISSING: "The order does not say where to build the {kind}.",
    _N.BUILD_KIND_MISSING: "Specify army or fleet: write A {code} B or F {code} B.",
}


# What only the protocol needs, and how games end.

REQUESTS: dict[str, str | Plural] = {
    "unknown_power": "There is no power {name:quoted} on this board.",
    "different_orders": "{unit:text} was given different orders.",
    "builds_waived": "These builds were not taken: {counts:list}.",
}
"""The sentences about the powers and orders of a request, and about waived builds."""

ENDINGS: dict[str, str | Plural] = {
    "ending_centers": "{winner} owned {count} of {total} centers after {when}.",
    "ending_pieces": "{winner} had {count} of the {total} pieces on the board.",
    # At a time limit: the leaders, by centers or by pieces.
    "time_up_after_year_centers": "Time was up after {year}: {leaders} led with {best:centers}.",
    "time_up_after_year_pieces": "Time was up after {year}: {leaders} led with {best:pieces}.",
    "time_up_on_date_centers": "Time was up on {date}: {leaders} led with {best:centers}.",
    "time_up_on_date_pieces": "Time was up on {date}: {leaders} led with {best:pieces}.",
    "time_up_without_people_centers": "Time was up after {year}, with no person left to play: "
    "{leaders} led with {best:centers}.",
    "time_up_without_people_pieces": "Time was up after {year}, with no person left to play: "
    "{leaders} led with {best:pieces}.",
    "time_up_without_people": "Time was up after {year}, with no person left to play.",
    # By agreement.
    "all_surrendered": "All players surrendered: a tie.",
    "last_one_left": "All other players were out of the game: the last one won.",
    "surrendered_to_alliance": "The others surrendered to an alliance.",
    "agreed_with_orders": "All agreed on a draw.",
    "agreed_draw": "The players agreed on a draw.",
    "conceded": "The others conceded the game to {country}.",
    "canceled": "The players agreed to cancel the game.",
    "ended_on_leaving": "The last player left and ended the game.",
}
"""The sentences of endings.

Stored games and records compare them letter for letter, so to change a sentence, add a new key and
keep the old one.
"""

MESSAGES: dict[str, str | Plural] = {
    **REASONS,
    **STORED,
    **REFUSALS,
    **NOTATION,
    **REQUESTS,
    **ENDINGS,
}
"""The sentence of every key."""
