"""Rule sets: one frozen value of named switches for each edition.

The switches and their values are explained, with their sources, in `docs/rules.md`.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class Paradox(StrEnum):
    """How a convoy paradox is settled (DATC 4.A.2)."""

    SZYKMAN = "szykman"
    RULE_1971 = "1971"
    RULE_1982 = "1982"
    ALL_HOLD = "all-hold"


class ConvoyIntent(StrEnum):
    """When an army ordered to a neighbouring province goes by convoy (DATC 4.A.3)."""

    SWAP = "swap"
    OWN_ORDERS = "own-orders"
    OWN_FLEET_OR_VIA = "own-fleet-or-via"
    EITHER_ROUTE = "either-route"


class Removal(StrEnum):
    """Which units a power in civil disorder loses (DATC 4.D.8)."""

    HOME_1961 = "1961"
    HOME_1971 = "1971"
    HOME_2000 = "2000"
    OWNED_2023 = "2023"
    RANDOM_2009 = "2009"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One choice for every disputed point; the defaults are the 2000 edition."""

    name: str = "2000"
    any_route_disrupts: bool = False
    """4.A.1: a convoy with several routes fails if any of them fails."""
    paradox: Paradox = Paradox.SZYKMAN
    convoy_intent: ConvoyIntent = ConvoyIntent.OWN_FLEET_OR_VIA
    retreat_to_convoyed_attacker: bool = False
    """4.A.5: a unit dislodged by a convoyed army may retreat to where that army came from."""
    own_attack_cuts_support: bool = False
    """1961: an attack by a unit on one of its own power cuts that unit's support."""
    own_attack_void: bool = False
    """1961: a supported attack on an own unit has no effect at all."""
    removal: Removal = Removal.HOME_2000


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
    )
}

DEFAULT = EDITIONS["2000"]
