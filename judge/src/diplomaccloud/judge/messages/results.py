"""The English sentences for results and their explanations."""

from diplomaccloud.judge.messages.forms import Plural

# Results of a movement phase.

_RESULTS: dict[str, str | Plural] = {
    "held": "Held in {place}.",
    "held_against_attack": Plural(
        "attackers",
        "Held in {place} against the attack by {attackers:attacker}, {strength} against {attack}.",
        "Held in {place} against the attacks by {attackers:attacker}, {strength} against {attack}.",
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
        "Bounced in {place}: {rivals:attacker} was stronger, {resistance} against {strength}.",
        "Bounced in {place}: {rivals:attacker} were stronger, {resistance} against {strength}.",
    ),
    "bounced_occupied": "Bounced in {place}: {target:owned} was not dislodged, "
    "{strength} against {resistance}.",
    "bounced_head_to_head": "Bounced in {place} after a head-to-head battle with "
    "{target:owned}, {strength} against {resistance}.",
    "dislodged_head_to_head": "Bounced in {place}: lost a head-to-head battle with "
    "{target:owned}, {strength} against {resistance}, and was dislodged.",
    "own_support_not_counted": "{power}’s support against its own unit did not count.",
    "own_support_voids_attack": "The attack had no strength because {power} supported it "
    "against its own unit.",
    "no_convoy": "No complete convoy route was ordered from {unit:place} to {place}.",
    "convoy_fleets_dislodged": Plural(
        "fleets",
        "The convoy from {unit:place} to {place} failed: the fleet in {fleets:place} was "
        "dislodged.",
        "The convoy from {unit:place} to {place} failed: the fleets in {fleets:place} were "
        "dislodged.",
    ),
    "convoy_failed_by_paradox": Plural(
        "fleets",
        "The convoy from {unit:place} to {place} failed: a paradox disrupted the fleet in "
        "{fleets:place}.",
        "The convoy from {unit:place} to {place} failed: a paradox disrupted the fleets in "
        "{fleets:place}.",
    ),
    "paradox_also_disrupted": Plural(
        "fleets",
        "A paradox also disrupted the fleet in {fleets:place}.",
        "A paradox also disrupted the fleets in {fleets:place}.",
    ),
    "supported_hold": "Supported {target}.",
    "supported_move": "Supported the move of {target} to {place}.",
    "support_cut": Plural(
        "attackers",
        "Support cut by the attack of {attackers:attacker}.",
        "Support cut by the attacks of {attackers:attacker}.",
    ),
    "support_cut_and_dislodged": "Support cut by the attack of {attacker:attacker}, which "
    "dislodged the unit, {strength} against {resistance}.",
    "support_cut_by_dislodgment": "Support cut: the unit was dislodged by {attacker:attacker}, "
    "{strength} against {resistance}.",
    "support_void_target_moved": "Void: {target} was ordered to move.",
    "void_target_not_ordered": "Void: {target} was not ordered to {place}.",
    "support_void_no_convoy": "Void: no complete convoy route to {place} was ordered for {target}.",
    "convoy_void_other_fleets": "Void: {target} was ordered to go by other seas.",
    "convoy_void_by_land": "Void: {target} went to {place} by land.",
    "convoyed": "Convoyed the army from {army:place} to {place}.",
    "convoyed_and_bounced": "Convoyed the army from {army:place} to {place}, where it bounced.",
    "convoy_other_route": "The convoy of the army from {army:place} to {place} used another route.",
    "convoy_not_needed": "Stood ready to convoy the army from {army:place} to {place}, but no "
    "route needs it.",
    "convoy_not_needed_and_dislodged": "Stood ready to convoy the army from {army:place} to "
    "{place}, but no route needs it; it was dislodged.",
    "convoy_ready_no_chain": "Ready to convoy the army from {army:place} to {place}, but no "
    "complete convoy route was ordered.",
    "convoy_ready_fleets_dislodged": Plural(
        "fleets",
        "Ready to convoy the army from {army:place} to {place}, but the fleet in {fleets:place} "
        "was dislodged.",
        "Ready to convoy the army from {army:place} to {place}, but the fleets in {fleets:place} "
        "were dislodged.",
    ),
    "convoy_ready_paradox": Plural(
        "fleets",
        "Ready to convoy the army from {army:place} to {place}, but a paradox disrupted the "
        "fleet in {fleets:place}.",
        "Ready to convoy the army from {army:place} to {place}, but a paradox disrupted the "
        "fleets in {fleets:place}.",
    ),
    "convoy_disrupted": "The convoy of the army from {army:place} to {place} was disrupted.",
    "convoy_disrupted_by_paradox": "A paradox disrupted the convoy of the army from "
    "{army:place} to {place}.",
    "dislodged": "Dislodged by {attacker:attacker}, {strength} against {resistance}.",
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
        "The support from {supporters:place} did not count: it was cut by {attackers:attacker}.",
        "The supports from {supporters:place} did not count: they were cut by "
        "{attackers:attacker}.",
    ),
    "support_against_own_unit": Plural(
        "supporters",
        "The support from {supporters:place} did not count: {power} cannot help to dislodge its "
        "own unit.",
        "The supports from {supporters:place} did not count: {power} cannot help to dislodge its "
        "own unit.",
    ),
    "support_in_void_attack": Plural(
        "supporters",
        "The support from {supporters:place} did not count: {power} supported the same attack on "
        "its own unit.",
        "The supports from {supporters:place} did not count: {power} supported the same attack on "
        "its own unit.",
    ),
    "support_of_moving_unit": Plural(
        "supporters",
        "The support from {supporters:place} did not count: {target} was ordered to move.",
        "The supports from {supporters:place} did not count: {target} was ordered to move.",
    ),
    "support_of_other_order": Plural(
        "supporters",
        "The support from {supporters:place} did not count: {target} was not ordered to {place}.",
        "The supports from {supporters:place} did not count: {target} was not ordered to {place}.",
    ),
    "support_without_convoy": Plural(
        "supporters",
        "The support from {supporters:place} did not count: no complete convoy route to {place} "
        "was ordered for {target}.",
        "The supports from {supporters:place} did not count: no complete convoy route to {place} "
        "was ordered for {target}.",
    ),
    "route_without_fleets": "No fleet was ordered to convoy the army from {army:place} to {place}.",
    "route_incomplete": Plural(
        "fleets",
        "The fleet in {fleets:place} was ordered to convoy the army from {army:place} to {place}, "
        "but this route is not complete.",
        "The fleets in {fleets:place} were ordered to convoy the army from {army:place} to "
        "{place}, but this route is not complete.",
    ),
    "route_ordered": Plural(
        "fleets",
        "The fleet in {fleets:place} was ordered to convoy the army from {army:place} to {place}.",
        "The fleets in {fleets:place} were ordered to convoy the army from {army:place} to "
        "{place}.",
    ),
    "route_stayed_open": "The fleets in {fleets:place} were ordered to convoy the army from "
    "{army:place} to {place}, and one route stayed open.",
    "any_route_disrupts": "The fleets in {fleets:place} were ordered to convoy the army from "
    "{army:place} to {place}, and by these rules the convoy fails if any of its routes does.",
    "route_disrupted": Plural(
        "fleets",
        "The fleet in {fleets:place} was ordered to convoy the army from {army:place} to {place}, "
        "and no route stayed open.",
        "The fleets in {fleets:place} were ordered to convoy the army from {army:place} to "
        "{place}, and no route stayed open.",
    ),
    "more_fleets": Plural(
        "count",
        "One more fleet was ordered to convoy this army.",
        "Another {count} fleets were ordered to convoy this army.",
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
    "no_retreat": "{unit} had no retreat and was disbanded.",
    "retreat_open_by_convoy": "{place} is open: the attacker came from there, but by convoy.",
    "retreat_barred_attacker": "{place} is barred: the attacker came from there.",
    "retreat_barred_unit": "{place} is barred: {unit:owned} is there.",
    "retreat_barred_standoff": "{place} is barred: a standoff left it empty.",
    "retreat_barred_standoff_between": Plural(
        "powers",
        "{place} is barred: a standoff of {powers} left it empty.",
        "{place} is barred: a standoff between {powers} left it empty.",
    ),
    "must_disband": "{power} owned {centers:centers} and had {units:units}, so it had to disband "
    "{count}.",
    "may_build": "{power} owned {centers:centers} and had {units:units}, so it could build "
    "{count}.",
    "may_build_in_free_centers": Plural(
        "free",
        "{power} owned {centers:centers} and had {units:units}, but only {free} home center was "
        "vacant, so it could build {free}.",
        "{power} owned {centers:centers} and had {units:units}, but only {free} home centers were "
        "vacant, so it could build {free}.",
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
