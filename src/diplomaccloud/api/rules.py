"""The rules of a game, as programs choose and read them: an edition and its switches."""

from dataclasses import fields, replace
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, StrictBool, create_model

from diplomaccloud.api.answers import ApiAnswer, Given
from diplomaccloud.judge.rules import EDITIONS, RuleSet

_ABOUT: Final = {
    "any_route_disrupts": "Whether a convoy with several routes fails if any of them fails.",
    "paradox": "How a convoy paradox is settled.",
    "convoy_intent": "When an army ordered to an adjacent province goes by convoy.",
    "intent_needs_chain": "Whether an own fleet shows that an army is to be convoyed only as "
    "part of a convoy that is ordered all the way.",
    "via_without_convoy": "What an army ordered to an adjacent province by convoy does if no "
    "convoy is ordered all the way.",
    "land_behind_convoy": "Whether an army whose convoy to an adjacent province fails goes by "
    "land instead.",
    "convoyed_attack_cuts": "Whether a convoyed attack cuts even support against the province "
    "that the army comes from.",
    "retreat_to_convoyed_attacker": "Whether a unit dislodged by a convoyed army may retreat to "
    "where that army came from.",
    "convoy_path": "What the seas named in an army's order mean.",
    "dislodged_never_prevents": "Whether a dislodged unit never prevents moves to where its "
    "attacker came from.",
    "default_move_coast": "Whether a fleet that can reach two coasts and names none goes to the "
    "first.",
    "fill_in_only_coast": "Whether a fleet that names no coast goes to the only one in reach.",
    "mend_impossible_coast": "Whether a fleet that names a coast out of reach goes to the one in "
    "reach.",
    "support_coast": "When a support for a fleet's move must name the coast.",
    "ignore_wrong_unit_coast": "Whether a wrong coast of the ordered unit does not matter.",
    "ignore_needless_coast": "Whether a coast that doesn't exist, or that an army names, does "
    "not matter.",
    "default_build_coast": "Whether a fleet built without a coast, in a province with two, is "
    "built on the first.",
    "kind_missing": "Whether an order that doesn't say army or fleet counts.",
    "kind_wrong": "Whether an order that calls an army a fleet, or a fleet an army, counts.",
    "build_without_kind": "Which builds need not say army or fleet.",
    "army_for_inland_fleet": "Whether a fleet ordered to be built inland is built as an army.",
    "nationality_missing": "Whether a support or convoy that doesn't say whose unit it is for "
    "counts.",
    "nationality_wrong": "Whether a support or convoy that names the wrong power counts.",
    "several_orders": "Which of several legal orders of one unit counts.",
    "too_many_builds": "Which builds count if a power orders too many.",
    "builds_in_one_place": "Which of two builds in one province counts.",
    "too_many_disbands": "Which disbands count if a power orders too many.",
    "may_waive": "Whether a power may give up builds.",
    "removal": "Which units civil disorder removes.",
    "disorder_supportable": "Whether units of a power in civil disorder can be supported in "
    "holding.",
    "illegal_orders_count": "Whether a unit with an impossible move cannot be supported in "
    "holding.",
    "orders_clarify": "Whether a power's own support clarifies the coast in its fleet's order.",
    "implicit_orders": "Whether a power's support or convoy implies the move of its own unit "
    "that has no order.",
    "own_attack_cuts_support": "Whether an attack on a unit of the same power cuts its support.",
    "own_attack_void": "Whether an attack in which the victim's own power takes part cannot "
    "dislodge at all.",
    "victory": "What winning requires: enough centers, or most of the units on the board.",
}
"""The switches that change a game on the site, with what each decides.

The others are about orders on paper: several sets of orders, or orders for other powers' units.
"""


def _make_field(name: str, default: object) -> tuple[Any, Any]:
    """Return the type and the description of a switch, which may be missing."""
    kind: Any = StrictBool
    if isinstance(default, StrEnum):
        kind = Literal.__getitem__(tuple(map(str, type(default))))
    about = f"{_ABOUT[name]} If it is missing or null, as in the edition."
    return kind | None, Field(None, description=about, exclude_if=lambda value: value is None)


_FIELDS: Final[dict[str, Any]] = {
    each.name: _make_field(each.name, each.default)
    for each in fields(RuleSet)
    if each.name in _ABOUT
}
_Switches: Final = create_model("_Switches", **_FIELDS)


class SwitchesGiven(Given, _Switches):  # type: ignore[misc, valid-type]
    """Switches of the rules that differ from the edition; `docs/rules.md` explains each."""


class SwitchState(ApiAnswer, _Switches):  # type: ignore[misc, valid-type]
    """The switches of a game's rules that differ from its edition, and no others."""


Edition: TypeAlias = Annotated[
    Literal[
        "1961",
        "1971",
        "1982",
        "2000",
        "2023",
        "CD-ROM",
        "2009",
        "webDiplomacy",
        "diplomacy package",
        "godip",
        "DiplomacyGM",
    ]
    | None,
    Field(description="The edition of the rules. If it is missing or null, that of the preset."),
]


def choose_rules(usual: RuleSet, edition: str | None, switches: Given | None) -> RuleSet:
    """Return the rules of an edition, or the usual ones, with switches changed."""
    rules = usual if edition is None else EDITIONS[edition]
    return replace(rules, **(switches.model_dump(exclude_none=True) if switches else {}))
