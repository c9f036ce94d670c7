"""Rule sets: a frozen value with named switches for each edition.

`docs/rules.md` explains the switches and their values, with sources. The numbers below are issues
in DATC chapter 4; the default of a switch is the choice preferred there.
"""

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache
from typing import Any

from diplomaccloud.judge.checks import describe, require_text


class Paradox(StrEnum):
    """How a convoy paradox is settled (DATC 4.A.2); Szykman's rule is the fallback of each."""

    SZYKMAN = "szykman"
    RULE_1971 = "1971"
    RULE_1982 = "1982"
    RULE_2000 = "2000"
    ALL_HOLD = "all-hold"


class ConvoyIntent(StrEnum):
    """When an army ordered to an adjacent province goes by convoy (DATC 4.A.3)."""

    SWAP = "swap"
    OWN_ORDERS = "own-orders"
    OWN_FLEET_OR_VIA = "own-fleet-or-via"
    WHOLE_CONVOY_OR_VIA = "whole-convoy-or-via"
    VIA = "via"
    EITHER_ROUTE = "either-route"


class ViaWithoutConvoy(StrEnum):
    """The move of an army ordered to an adjacent province "via convoy" without one (6.G.8)."""

    HOLD = "hold"
    LAND = "land"


class ConvoyPath(StrEnum):
    """The meaning of the seas named in an army's order (DATC 4.A.6)."""

    IGNORED = "ignored"
    ALLOWED = "allowed"
    REQUIRED = "required"


class SupportCoast(StrEnum):
    """When a support for a fleet's move must name the coast (DATC 4.B.4).

    `IGNORED`: it need not, and it may even name another coast than the move does.
    """

    IGNORED = "ignored"
    OPTIONAL = "optional"
    OWN_OPTIONAL = "own-optional"
    REQUIRED = "required"


class Lapse(StrEnum):
    """Whether an order with a missing or wrong detail is valid (DATC 4.C)."""

    INVALID = "invalid"
    VALID = "valid"
    UNLESS_ANOTHER = "unless-another"


class BuildKind(StrEnum):
    """The builds that need not specify army or fleet (DATC 4.C.3)."""

    NONE = "none"
    INLAND = "inland"
    INLAND_OR_COAST = "inland-or-coast"


class OrderSets(StrEnum):
    """The part of earlier order sets that the last one replaces (DATC 4.D.1)."""

    COMBINE = "combine"
    COMBINE_UNLESS_SAID = "combine-unless-said"
    REPLACE_UNLESS_SAID = "replace-unless-said"
    REPLACE = "replace"


class UndatedSets(StrEnum):
    """The meaning of several order sets if it is unknown which came last (DATC 4.D.2)."""

    HOLD = "hold"
    COMBINE = "combine"


class Pick(StrEnum):
    """Which orders count if not all can be followed (DATC 4.D.3 to 4.D.6)."""

    NONE = "none"
    FIRST = "first"
    LAST = "last"


class Removal(StrEnum):
    """Which units civil disorder removes (DATC 4.D.8)."""

    HOME_1961 = "1961"
    HOME_1971 = "1971"
    HOME_2000 = "2000"
    OWNED_2023 = "2023"
    RANDOM_2009 = "2009"


class ProxyOrders(StrEnum):
    """Whether one power may let another order its unit (DATC 4.E.5)."""

    ANNOUNCED = "announced"
    IN_ORDERS = "in-orders"
    NONE = "none"


class FlyingDutchman(StrEnum):
    """Whether a unit beyond its power's entitlement is removed (DATC 4.E.6)."""

    REMOVED = "removed"
    STANDS = "stands"


class Victory(StrEnum):
    """The requirement for winning: enough centers, or most of the pieces on the board (1961)."""

    CENTERS = "centers"
    PIECES = "pieces"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One choice for every disputed point; the defaults are the 2000 edition."""

    name: str = "2000"

    any_route_disrupts: bool = False
    """4.A.1: a convoy with several routes fails if any of them fails."""
    paradox: Paradox = Paradox.SZYKMAN
    convoy_intent: ConvoyIntent = ConvoyIntent.OWN_FLEET_OR_VIA
    intent_needs_chain: bool = False
    """4.A.3: an own fleet shows intent only as part of a convoy ordered all the way."""
    via_without_convoy: ViaWithoutConvoy = ViaWithoutConvoy.HOLD
    """6.G.8: "via convoy" has no meaning if no convoy is ordered all the way."""
    land_behind_convoy: bool = False
    """4.A.3: an army whose convoy to an adjacent province fails goes by land instead."""
    convoyed_attack_cuts: bool = False
    """4.A.4: a convoyed attack cuts even support given against the army's starting province."""
    retreat_to_convoyed_attacker: bool = False
    """4.A.5: a unit dislodged by a convoyed army may retreat to where that army came from."""
    convoy_path: ConvoyPath = ConvoyPath.IGNORED
    dislodged_never_prevents: bool = False
    """4.A.7: a dislodged unit never prevents moves to where its attacker came from."""

    default_move_coast: bool = False
    """4.B.1: a fleet that can reach two coasts and names none goes to the first (NC, EC)."""
    fill_in_only_coast: bool = True
    """4.B.2: a fleet that names no coast goes to the only coast it can reach."""
    mend_impossible_coast: bool = False
    """4.B.3: a fleet that names a coast out of reach goes to the coast it can reach."""
    support_coast: SupportCoast = SupportCoast.OPTIONAL
    ignore_wrong_unit_coast: bool = True
    """4.B.5: a wrong coast for the ordered unit does not matter."""
    ignore_needless_coast: bool = True
    """4.B.6: a coast that does not exist, or that an army names, does not matter."""
    default_build_coast: bool = False
    """4.B.7: a build order without a coast, in a province with two, builds on the first."""

    kind_missing: Lapse = Lapse.VALID
    """4.C.1: the order does not say army or fleet."""
    kind_wrong: Lapse = Lapse.VALID
    """4.C.2: the order calls an army a fleet or vice versa."""
    build_without_kind: BuildKind = BuildKind.INLAND_OR_COAST
    army_for_inland_fleet: bool = False
    """4.C.4: a fleet ordered to be built inland is built as an army."""
    nationality_missing: Lapse = Lapse.VALID
    """4.C.5: the nationality of a supported or convoyed foreign unit is missing."""
    nationality_wrong: Lapse = Lapse.VALID
    """4.C.6: the nationality of a supported or convoyed unit is wrong."""

    order_sets: OrderSets = OrderSets.REPLACE_UNLESS_SAID
    undated_sets: UndatedSets = UndatedSets.COMBINE
    several_orders: Pick = Pick.NONE
    """4.D.3: a unit has different legal orders."""
    too_many_builds: Pick = Pick.FIRST
    """4.D.4."""
    builds_in_one_place: Pick = Pick.FIRST
    """4.D.5."""
    too_many_disbands: Pick = Pick.FIRST
    """4.D.6."""
    may_waive: bool = True
    """4.D.7: if false, a power that orders any build gets armies for the missing builds."""
    removal: Removal = Removal.HOME_2000
    disorder_supportable: bool = True
    """4.D.9: units of a power in civil disorder may be supported in holding."""

    illegal_orders_count: bool = False
    """4.E.1: an impossible order counts as an order of its unit, and an impossible move
    keeps the unit from being supported in holding."""
    orders_clarify: bool = False
    """4.E.3: a power's own support clarifies the coast in its fleet's order."""
    implicit_orders: bool = False
    """4.E.3: a power's support or convoy implies the move of its own unit without an order."""
    perpetual_orders: bool = False
    """4.E.4: orders may be given for all future turns."""
    proxy_orders: ProxyOrders = ProxyOrders.NONE
    flying_dutchman: FlyingDutchman = FlyingDutchman.REMOVED

    own_attack_cuts_support: bool = False
    """1961: an attack on a unit of the same power cuts that unit's support."""
    own_attack_void: bool = False
    """1961: an attack that the victim's own power takes part in cannot dislodge at all."""
    victory: Victory = Victory.CENTERS

    def __post_init__(self) -> None:
        """Accept values as words, e.g. `paradox="1971"`; raise `ValueError` for unknown values."""
        require_text("name", self.name)
        for name, kind in _kinds().items():
            value = getattr(self, name)
            if type(value) is kind:
                continue
            if kind is bool or value not in list(kind):
                values = [True, False] if kind is bool else [str(each) for each in kind]
                raise ValueError(f"{name}: {describe(value)!r} is not one of {values}")
            object.__setattr__(self, name, kind(value))


@cache
def _kinds() -> dict[str, Any]:
    """Return the type of the value of each switch."""
    return {field.name: type(field.default) for field in fields(RuleSet) if field.name != "name"}


EDITIONS: dict[str, RuleSet] = {
    rules.name: rules
    for rules in (
        RuleSet(
            name="1961",
            any_route_disrupts=True,
            convoy_intent=ConvoyIntent.SWAP,
            own_attack_cuts_support=True,
            own_attack_void=True,
            removal=Removal.HOME_1961,
            victory=Victory.PIECES,
        ),
        RuleSet(
            name="1971",
            any_route_disrupts=True,
            paradox=Paradox.RULE_1971,
            convoy_intent=ConvoyIntent.SWAP,
            removal=Removal.HOME_1971,
        ),
        RuleSet(
            name="1982",
            paradox=Paradox.RULE_1982,
            convoy_intent=ConvoyIntent.OWN_ORDERS,
            removal=Removal.HOME_1971,
        ),
        RuleSet(),
        RuleSet(name="2023", retreat_to_convoyed_attacker=True, removal=Removal.OWNED_2023),
        RuleSet(name="CD-ROM", convoy_intent=ConvoyIntent.EITHER_ROUTE),
        replace(RuleSet(), name="2009", removal=Removal.RANDOM_2009),
        RuleSet(
            name="webDiplomacy",
            convoy_intent=ConvoyIntent.VIA,
            via_without_convoy=ViaWithoutConvoy.LAND,
            retreat_to_convoyed_attacker=True,
        ),
        RuleSet(
            name="diplomacy package",
            convoy_intent=ConvoyIntent.WHOLE_CONVOY_OR_VIA,
            via_without_convoy=ViaWithoutConvoy.LAND,
            retreat_to_convoyed_attacker=True,
            support_coast=SupportCoast.IGNORED,
        ),
        RuleSet(
            name="godip",
            via_without_convoy=ViaWithoutConvoy.LAND,
            retreat_to_convoyed_attacker=True,
        ),
        RuleSet(
            name="DiplomacyGM",
            convoy_intent=ConvoyIntent.EITHER_ROUTE,
            retreat_to_convoyed_attacker=True,
            illegal_orders_count=True,
        ),
    )
}

DEFAULT = EDITIONS["2000"]

PEERS = ("webDiplomacy", "diplomacy package", "godip", "DiplomacyGM")
"""The editions with the rules of other adjudicators."""


def find_rules(rules: object) -> RuleSet:
    """Return the rules, or the edition with this name; raise `ValueError` if there is none.

    Every function with an argument `rules` accepts both.
    """
    if isinstance(rules, RuleSet):
        return rules
    if not isinstance(rules, str):
        wanted = "a RuleSet or an edition's name"
        raise TypeError(f"rules: expected {wanted}, not {describe(rules)!r}")
    if rules not in EDITIONS:
        known = ", ".join(EDITIONS)
        raise ValueError(f"there is no edition {rules[:20]!r} (choose from: {known})")
    return EDITIONS[rules]


def list_changes(rules: RuleSet) -> dict[str, bool | str]:
    """Return the switches, with their values, that differ from the edition with the same name."""
    usual = EDITIONS.get(rules.name, rules)
    values = {name: getattr(rules, name) for name in _kinds()}
    return {name: value for name, value in values.items() if value != getattr(usual, name)}
