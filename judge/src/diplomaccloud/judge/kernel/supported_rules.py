"""Determines what the kernel supports of a rule set, and packs the rule set into a number.

A test demands that every switch is in one of the lists below.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import attrgetter

from diplomaccloud.judge.kernel.core import codes
from diplomaccloud.judge.rules import (
    DEFAULT,
    ConvoyIntent,
    ConvoyPath,
    Paradox,
    Removal,
    RuleSet,
    SupportCoast,
    ViaWithoutConvoy,
    Victory,
)

_SWITCHES = {
    "retreat_to_convoyed_attacker": codes.REOPENS,
    "any_route_disrupts": codes.ANY_ROUTE,
    "intent_needs_chain": codes.INTENT_CHAIN,
    "land_behind_convoy": codes.LAND_BEHIND,
    "convoyed_attack_cuts": codes.CONVOYED_CUTS,
    "dislodged_never_prevents": codes.SILENCES,
    "own_attack_cuts_support": codes.OWN_CUTS,
    "own_attack_void": codes.OWN_VOID,
}
"""The movement switches that are on or off."""

_PARADOXES = {
    Paradox.SZYKMAN: codes.SZYKMAN,
    Paradox.RULE_1971: codes.SPARES_FLEETS,
    Paradox.RULE_1982: codes.SPARES_CONVOYS,
    Paradox.RULE_2000: codes.SPARES_NEEDED,
    Paradox.ALL_HOLD: codes.ALL_HOLD,
}

_INTENTS = {
    ConvoyIntent.OWN_FLEET_OR_VIA: codes.BY_OWN_FLEET,
    ConvoyIntent.SWAP: codes.BY_SWAP,
    ConvoyIntent.OWN_ORDERS: codes.BY_OWN_ORDERS,
    ConvoyIntent.VIA: codes.BY_VIA,
    ConvoyIntent.EITHER_ROUTE: codes.BY_EITHER,
    ConvoyIntent.WHOLE_CONVOY_OR_VIA: codes.BY_WHOLE_CONVOY,
}

_PATHS = {
    ConvoyPath.IGNORED: codes.PATH_IGNORED,
    ConvoyPath.ALLOWED: codes.PATH_ALLOWED,
    ConvoyPath.REQUIRED: codes.PATH_REQUIRED,
}

_VIA_IGNORED = {ConvoyIntent.SWAP, ConvoyIntent.EITHER_ROUTE}
"""If "via convoy" has no meaning, an order is read without it."""

_REMOVALS = {
    Removal.HOME_1961: codes.HOME_COUNTRY,
    Removal.HOME_1971: codes.HOME_CENTERS,
    Removal.HOME_2000: codes.HOME_CENTERS,
    Removal.OWNED_2023: codes.OWNED_CENTERS,
    Removal.RANDOM_2009: codes.HOME_CENTERS,
}
"""The caller draws lots and adds the disbands to the orders, so nothing is left to remove."""

_OF_MOVEMENT = {*_SWITCHES, "paradox", "convoy_intent", "via_without_convoy"}
"""Switches for movement, all of which the kernel supports."""

_OF_LISTED_ORDERS = {"support_coast", "implicit_orders", "disorder_supportable", "convoy_path"}
"""Switches that affect which orders units follow, or what these mean, even if every order is in
the list."""

_OF_OTHER_ORDERS = {
    "default_move_coast",
    "fill_in_only_coast",
    "mend_impossible_coast",
    "ignore_wrong_unit_coast",
    "ignore_needless_coast",
    "kind_missing",
    "kind_wrong",
    "nationality_missing",
    "nationality_wrong",
    "several_orders",
    "illegal_orders_count",
    "orders_clarify",
}
"""Switches for orders that are not in the list, or for units with several orders."""

_OF_OTHER_PHASES = {
    "removal",
    "may_waive",
    "too_many_builds",
    "builds_in_one_place",
    "too_many_disbands",
    "default_build_coast",
    "build_without_kind",
    "army_for_inland_fleet",
    "order_sets",
    "undated_sets",
    "perpetual_orders",
    "proxy_orders",
    "flying_dutchman",
    "victory",
}
"""Switches for builds, removals and victory, and for steps before adjudication."""

_OF_UNITS_TOGETHER = {"illegal_orders_count", "orders_clarify"}
"""Switches that let an order that is not in the list affect what other units may do."""


@dataclass(frozen=True, slots=True)
class Support:
    """The parts of a rule set that the kernel supports.

    It resolves the orders that units follow under all rules. `listed_orders`: units also follow
    every order in the list of legal orders, except those with details that `number` ignores;
    `separation`: and do so regardless of the orders for other units. `batches`: the rows of a batch
    have all that the rules ask about. `number` is the rule set with the bits in `core.codes`.
    """

    rules: RuleSet
    listed_orders: bool
    separation: bool
    batches: bool
    number: int


def _read_others(left_out: set[str]) -> Callable[[RuleSet], object]:
    """Return a function that returns the values of all switches except those left out."""
    return attrgetter(*[field.name for field in fields(RuleSet) if field.name not in left_out])


_BESIDE_MOVEMENT = {"name", "support_coast"} | _OF_MOVEMENT | _OF_OTHER_ORDERS | _OF_OTHER_PHASES
_read_listed = _read_others(_BESIDE_MOVEMENT)
_read_separable = _read_others(_BESIDE_MOVEMENT - _OF_UNITS_TOGETHER)

_MAX_STORED = 256
_stored: dict[int, Support] = {}
"""The support of each rule set by `id()`, because hashing all switches is slow."""


def find_support(rules: RuleSet) -> Support:
    """Return the parts of the rule set that the kernel supports."""
    support = _stored.get(id(rules))
    if support is None:
        if len(_stored) >= _MAX_STORED:
            _stored.clear()
        support = _stored[id(rules)] = _compare(rules)
    return support


def _compare(rules: RuleSet) -> Support:
    readable = rules.support_coast in {SupportCoast.OPTIONAL, SupportCoast.IGNORED}
    return Support(
        # Stored rule sets are never deleted, so that their `id()` is not reused.
        rules=rules,
        listed_orders=readable and _read_listed(rules) == _read_listed(DEFAULT),
        separation=readable and _read_separable(rules) == _read_separable(DEFAULT),
        batches=rules.convoy_path is ConvoyPath.IGNORED,
        number=pack_rules(rules),
    )


def pack_rules(rules: RuleSet) -> int:
    """Return a rule set as one number."""
    bits = {
        **{bit: getattr(rules, name) for name, bit in _SWITCHES.items()},
        codes.VIA_CHAIN: rules.via_without_convoy is ViaWithoutConvoy.LAND,
        codes.PIECES_WIN: rules.victory is Victory.PIECES,
        codes.IGNORES_VIA: rules.convoy_intent in _VIA_IGNORED,
        codes.IGNORES_COASTS: rules.support_coast is SupportCoast.IGNORED,
    }
    return (
        sum(bit for bit, is_set in bits.items() if is_set)
        | _PARADOXES[rules.paradox] << codes.PARADOX_SHIFT
        | _INTENTS[rules.convoy_intent] << codes.INTENT_SHIFT
        | _PATHS[rules.convoy_path] << codes.PATH_SHIFT
        | _REMOVALS[rules.removal] << codes.REMOVAL_SHIFT
    )
