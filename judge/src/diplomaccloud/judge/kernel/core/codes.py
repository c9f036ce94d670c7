"""The numbers that stand for orders, stages, outcomes and answers, and the kernel's limits.

`codes.pxd` has the same numbers.
"""

HOLD, MOVE, MOVE_VIA, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY, RETREAT, DISBAND, BUILD = range(9)

OF_MOVES, OF_RETREATS, OF_ADJUSTMENTS = range(3)
"""The stages of phases. A phase has the number of its place in a year, as in `phases`."""

FIRST_PHASE = 0
"""The number of the phase in which a year begins."""

HELD, MOVED, BOUNCED, NOPATH, GIVEN, CUT, VOID, CONVOYED, DISRUPTED = range(9)

NO, YES, OPEN = range(3)
"""The answers to the question of a unit: does its move, its support or its convoy succeed?"""

BY_LAND, BY_SEA, EITHER = range(3)
"""How a unit that moves goes; `EITHER` is by sea if its convoy holds, otherwise by land."""

REOPENS, ANY_ROUTE, INTENT_CHAIN, VIA_CHAIN = 1, 2, 4, 8
LAND_BEHIND, CONVOYED_CUTS, SILENCES = 16, 32, 64
OWN_CUTS, OWN_VOID = 128, 256
"""The switches of a rule set: `retreat_to_convoyed_attacker`, `any_route_disrupts`,
`intent_needs_chain`, `via_without_convoy`, `land_behind_convoy`, `convoyed_attack_cuts`,
`dislodged_never_prevents`, `own_attack_cuts_support` and `own_attack_void`."""

NEEDS_ROUTES = 6
"""The switches that ask which fleets are on a route."""

PARADOX_SHIFT, INTENT_SHIFT, PATH_SHIFT, REMOVAL_SHIFT, CHOICE_MASK = 9, 12, 15, 18, 7
"""The bits of a rule set above its switches: `paradox`, `convoy_intent`, `convoy_path` and
`removal`."""

PIECES_WIN, IGNORES_VIA, IGNORES_COASTS = 1 << 21, 1 << 22, 1 << 23
"""A power wins with most of the pieces, "via convoy" has no meaning, and a support need not name
the coast of the move, or may name another."""

SZYKMAN, SPARES_FLEETS, SPARES_CONVOYS, SPARES_NEEDED, ALL_HOLD = range(5)
"""The paradox rules; the printed rules of 1971, 1982 and 2000 spare some supports."""

BY_OWN_FLEET, BY_SWAP, BY_OWN_ORDERS, BY_VIA, BY_EITHER, BY_WHOLE_CONVOY = range(6)
"""What shows that an army goes by convoy to an adjacent province."""

PATH_IGNORED, PATH_ALLOWED, PATH_REQUIRED = range(3)
"""What it means if an army's order names seas (4.A.6)."""

HOME_CENTERS, OWNED_CENTERS, HOME_COUNTRY = range(3)
"""From where the distance of a unit is measured that civil disorder removes."""

(
    SAY_HELD,
    SAY_WITHSTOOD,
    SAY_BELEAGUERED,
    SAY_MOVED,
    SAY_MOVED_BY_SEA,
    SAY_DROVE,
    SAY_DROVE_BY_SEA,
    SAY_NO_CONVOY,
    SAY_FLEETS_DISLODGED,
    SAY_FLEETS_IN_PARADOX,
    SAY_ALSO_IN_PARADOX,
    SAY_RIVALS,
    SAY_OCCUPIED,
    SAY_HEAD_TO_HEAD,
    SAY_DISLODGED_HEAD_TO_HEAD,
    SAY_OWN_UNIT,
    SAY_STOPPED_BY_PARADOX,
    SAY_OWN_VOIDS,
    SAY_OWN_DISCOUNTED,
    SAY_DISLODGED,
    SAY_CUT,
    SAY_CUT_BY_DISLODGMENT,
    SAY_CUT_AND_DISLODGED,
    SAY_SUPPORTED_HOLD,
    SAY_SUPPORTED_MOVE,
    SAY_TARGET_MOVED,
    SAY_TARGET_NOT_ORDERED,
    SAY_SUPPORT_WITHOUT_CONVOY,
    SAY_OTHER_FLEETS,
    SAY_CONVOYED_BY_LAND,
    SAY_CONVOYED,
    SAY_CONVOYED_IN_VAIN,
    SAY_OTHER_ROUTE,
    SAY_READY_WITHOUT_CHAIN,
    SAY_READY_FLEETS_DISLODGED,
    SAY_READY_IN_PARADOX,
    SAY_CONVOY_DISRUPTED,
    SAY_CONVOY_IN_PARADOX,
    SAY_OWN_STAYED,
) = range(39)
"""The statements about an order; `judge.reasons.statements` has the sentence of each."""

OWN_MARK = 1 << 24
"""Added to a unit in a statement if it is of the power that the statement is about."""

YEAR, PHASE, WINNER, HEAD = range(4)
"""The indexes of the first numbers of a state, and how many there are."""

PLACE_SHIFT, PLACE_MASK, POWER_SHIFT = 1, 1023, 11
"""The bits of a unit's number: the lowest is its kind, then come its place and its power."""

STRENGTH_SHIFT, STRENGTH_MASK = 10, 1023
"""The bits of a strength: the low bits are what is certain, then comes what is possible."""

KEY_SHIFT, KEY_MASK, TARGET_BITS, ALPHABET_BITS = 24, (1 << 24) - 1, 9, 10
"""The key by which an order is sorted: its number in the list is below the rest."""

OPEN_SOURCE = 1024
"""Added to an attacker's province if the dislodged unit may retreat there."""

MAX_UNITS, MAX_PLACES = 512, 1024

ROOM = 528
"""The length of a list by unit: not a power of 2, which would put all of them in the same part of
the processor's cache."""

WORD, MAX_WORDS = 63, 9
"""How many bits a word of a mask has, and how many words a mask of all provinces may need."""

FAR = 10000
"""The distance to what cannot be reached."""

MAX_STEPS = 20000
"""After this many steps of a search for convoy routes, every fleet in reach counts as needed."""

MAX_INPUTS, MAX_ROWS, MAX_BRANCHES = 8, 256, 2000
"""Limits of the search in orders that depend on themselves."""
