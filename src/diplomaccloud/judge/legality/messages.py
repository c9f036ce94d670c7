"""Why an order is illegal: the catalog of message keys, with an English sentence for each.

A `Refusal` carries its key and typed parameters, so that a program can word it in its own way
without reading English. `str()` gives the English sentence.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from string import Formatter
from typing import Any

from diplomaccloud.judge.geography import Geography
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.units import Unit

Parameter = str | int | Unit | Phase | tuple[str, ...]
"""A place, power or text, a number, a unit, a phase, or several places."""


class RefusalKey(StrEnum):
    """The reasons for which an order is refused; the value is the stable key."""

    ALREADY_THERE = "already-there"
    ARMY_TO_WATER = "army-to-water"
    BUILD_NOT_HOME = "build-not-home"
    BUILD_NOT_OWNED = "build-not-owned"
    BUILD_OCCUPIED = "build-occupied"
    CIVIL_DISORDER = "civil-disorder"
    COAST_NEEDED = "coast-needed"
    COAST_NEEDED_WITHIN_REACH = "coast-needed-within-reach"
    COAST_OUT_OF_REACH = "coast-out-of-reach"
    CONFLICTING_ORDERS = "conflicting-orders"
    CONVOY_BY_DETOUR = "convoy-by-detour"
    CONVOY_FROM_PORT = "convoy-from-port"
    CONVOY_NOT_NEEDED = "convoy-not-needed"
    FLEET_TO_INLAND = "fleet-to-inland"
    FOREIGN_UNIT = "foreign-unit"
    INLAND_FLEET_BUILD = "inland-fleet-build"
    NEEDS_SUPPORTING_FLEET = "needs-supporting-fleet"
    NOT_ADJACENT = "not-adjacent"
    NOT_ADJACENT_NO_CONVOY = "not-adjacent-no-convoy"
    NOT_A_PROVINCE = "not-a-province"
    NOT_YOUR_UNIT = "not-your-unit"
    NOTHING_TO_BUILD = "nothing-to-build"
    NOTHING_TO_DISBAND = "nothing-to-disband"
    NOWHERE_TO_GO = "nowhere-to-go"
    NOWHERE_TO_GO_NO_CONVOY = "nowhere-to-go-no-convoy"
    NO_BORDER_TO_CROSS = "no-border-to-cross"
    NO_BORDER_TO_CROSS_NO_CONVOY = "no-border-to-cross-no-convoy"
    NO_DISLODGED_UNIT = "no-dislodged-unit"
    NO_FLEETS_FOR_CONVOY = "no-fleets-for-convoy"
    NO_OWN_UNIT = "no-own-unit"
    NO_RETREAT = "no-retreat"
    NO_SUCH_COAST = "no-such-coast"
    NO_UNIT = "no-unit"
    NO_WAIVING = "no-waiving"
    ONLY_ADJUSTMENTS = "only-adjustments"
    ONLY_ARMIES_CONVOYED = "only-armies-convoyed"
    ONLY_MOVEMENT = "only-movement"
    ONLY_RETREATS = "only-retreats"
    RETREAT_ELSEWHERE = "retreat-elsewhere"
    SECOND_ORDER = "second-order"
    SUPPORTED_UNIT_MOVES = "supported-unit-moves"
    SUPPORTS_ITSELF = "supports-itself"
    SUPPORT_NEEDS_COAST = "support-needs-coast"
    SUPPORT_OUT_OF_REACH = "support-out-of-reach"
    TOO_MANY_ADJUSTMENTS = "too-many-adjustments"
    WRONG_COAST = "wrong-coast"
    WRONG_KIND = "wrong-kind"
    WRONG_NATIONALITY = "wrong-nationality"


_K = RefusalKey

TEMPLATES: dict[RefusalKey, str] = {
    # The unit ordered.
    _K.NOT_A_PROVINCE: "{place} is not a province of this board.",
    _K.NO_OWN_UNIT: "{power:power} has no unit in {place:the}: the province is empty.",
    _K.FOREIGN_UNIT: (
        "{power:power} has no unit in {unit:where}: the {unit:kind} there belongs to {owner:power}."
    ),
    _K.NOT_YOUR_UNIT: "{order}: this unit is not yours.",
    _K.WRONG_KIND: "The order calls an army a fleet, or a fleet an army.",
    _K.WRONG_NATIONALITY: "The unit named in the order belongs to another power.",
    _K.WRONG_COAST: "The {unit:kind} is not on that coast.",
    # Moves.
    _K.ALREADY_THERE: "The {unit:kind} is already in {unit:where}.",
    _K.ARMY_TO_WATER: "{place:The} is water: an army cannot go there.",
    _K.FLEET_TO_INLAND: "{place:The} is inland: a fleet cannot go there.",
    _K.NOT_ADJACENT: (
        "{here:The} does not border {place:the}: the {unit:kind} can go to {choices:any}."
    ),
    _K.NOT_ADJACENT_NO_CONVOY: (
        "{here:The} does not border {place:the}: the {unit:kind} can go to {choices:any}, and no"
        " fleets at sea could convoy it."
    ),
    _K.NO_BORDER_TO_CROSS: (
        "The {unit:kind} cannot go directly from {here:the} to {place:the}: it can go to"
        " {choices:any}."
    ),
    _K.NO_BORDER_TO_CROSS_NO_CONVOY: (
        "The {unit:kind} cannot go directly from {here:the} to {place:the}: it can go to"
        " {choices:any}, and no fleets at sea could convoy it."
    ),
    _K.NOWHERE_TO_GO: "The {unit:kind} in {here:the} cannot go anywhere from there.",
    _K.NOWHERE_TO_GO_NO_CONVOY: (
        "The {unit:kind} in {here:the} cannot go anywhere from there, and no fleets at sea could"
        " convoy it."
    ),
    _K.ONLY_ARMIES_CONVOYED: "Only armies can be convoyed.",
    _K.NO_FLEETS_FOR_CONVOY: (
        "No fleets at sea could convoy an army from {here:the} to {place:the}."
    ),
    # Coasts.
    _K.NO_SUCH_COAST: "{place:The} has no coast {coast:coast} for this unit to go to.",
    _K.COAST_NEEDED: "{place:The} has several coasts: specify {choices:coasts}.",
    _K.COAST_NEEDED_WITHIN_REACH: (
        "{place:The} has several coasts within reach: specify {choices:coasts}."
    ),
    _K.COAST_OUT_OF_REACH: (
        "A fleet in {here:the} can reach {place:the} only on the coast {choices:coasts},"
        " not {coast:coast}."
    ),
    # Supports and convoys.
    _K.NO_UNIT: "There is no unit in {place:the}.",
    _K.SUPPORTS_ITSELF: "A unit cannot support or convoy itself.",
    _K.SUPPORT_OUT_OF_REACH: (
        "The {unit:kind} in {here:the} cannot support into {place:the}, where it could not go"
        " itself."
    ),
    _K.SUPPORT_NEEDS_COAST: "The support must name the coast of {place:the}.",
    _K.NEEDS_SUPPORTING_FLEET: (
        "The army cannot reach {place:the} without a convoy by this fleet, so this fleet cannot"
        " support it."
    ),
    _K.CONVOY_FROM_PORT: "Only a fleet at sea can convoy, and {unit:where} is not a sea province.",
    _K.CONVOY_NOT_NEEDED: "No convoy from {here:the} to {place:the} needs a fleet in {sea:the}.",
    _K.CONVOY_BY_DETOUR: "No convoy from {here:the} to {place:the} needs a fleet in {sea:the}.",
    # Other phases.
    _K.ONLY_MOVEMENT: "Only moves, holds, supports and convoys can be ordered in {phase:title}.",
    _K.ONLY_RETREATS: "Only retreats and disbands can be ordered in {phase:title}.",
    _K.ONLY_ADJUSTMENTS: "Only builds and disbands can be ordered in {phase:title}.",
    _K.NO_DISLODGED_UNIT: "{power:power} has no dislodged unit in {place:the}.",
    _K.RETREAT_ELSEWHERE: (
        "The {unit:kind} in {unit:where} cannot retreat to {place:the}: it can retreat to"
        " {choices:any}."
    ),
    _K.NO_RETREAT: (
        "The {unit:kind} in {unit:where} cannot retreat to {place:the}: it can only disband."
    ),
    _K.NOTHING_TO_BUILD: "{power:power} has nothing to build.",
    _K.NOTHING_TO_DISBAND: "{power:power} has nothing to disband.",
    _K.NO_WAIVING: "Builds cannot be waived.",
    _K.BUILD_NOT_HOME: "{place:The} is not a home center of {power:power}.",
    _K.BUILD_NOT_OWNED: "{power:power} does not own {place:the} now.",
    _K.BUILD_OCCUPIED: "{place:The} is occupied.",
    _K.INLAND_FLEET_BUILD: "{place:The} is inland: a fleet cannot be built there.",
    # Orders that are legal by themselves.
    _K.CONFLICTING_ORDERS: "The unit was given different orders.",
    _K.CIVIL_DISORDER: "A power in civil disorder cannot be supported.",
    _K.SUPPORTED_UNIT_MOVES: "The unit to be supported was ordered to move.",
    _K.SECOND_ORDER: "{place:The} already has an order.",
    _K.TOO_MANY_ADJUSTMENTS: "Only {owed} can be ordered in this phase.",
}


class Refusal(ValueError):
    """An order that may not be given: `key` and `parameters` say why, `str()` in English."""

    def __init__(self, key: RefusalKey, names: Geography, **parameters: Parameter) -> None:
        super().__init__(key)
        self.key = key
        self.parameters = parameters
        self._names = names

    def __str__(self) -> str:
        return render_refusal(self.key, self._names, self.parameters)


def render_refusal(key: RefusalKey, names: Geography, parameters: dict[str, Parameter]) -> str:
    """Return the English sentence for a refusal."""
    return _Words(names).vformat(TEMPLATES[key], (), parameters)


class _Words(Formatter):
    """Words each parameter as the spec in its field says: `{place:the}`."""

    def __init__(self, names: Geography) -> None:
        self._specs: dict[str, Callable[[Any], str]] = {
            "the": names.the,
            "The": lambda place: _capitalize(names.the(place)),
            "power": names.power,
            "kind": lambda unit: unit.kind.word,
            "where": lambda unit: names.the(unit.province),
            "coast": coast_word,
            "any": lambda places: join_choices(map(names.the, places)),
            "coasts": lambda places: join_choices(map(coast_word, places)),
            "title": lambda phase: phase.title,
            "": str,
        }

    def format_field(self, value: Any, format_spec: str) -> str:
        return self._specs[format_spec](value)


def _capitalize(words: str) -> str:
    return words[:1].upper() + words[1:]


def coast_word(location: str) -> str:
    """Return the coast as players write it: `nc` for `STP/NC`."""
    return location.partition("/")[2].lower()


def join_choices(names: Iterable[str]) -> str:
    """Return `Brest, Burgundy or Picardy`."""
    *others, last = [*names] or [""]
    return f"{', '.join(others)} or {last}" if others else last
