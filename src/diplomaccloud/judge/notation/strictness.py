"""What a rule set makes of details left out or wrong in the text (DATC 4.B.5, 4.B.6, 4.C)."""

from dataclasses import replace

from diplomaccloud.judge.board import Location, Province, Terrain, UnitKind
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.reader import UnitPhrase
from diplomaccloud.judge.rules import BuildKind, Lapse, RuleSet
from diplomaccloud.judge.units import Unit


def as_written(phrase: UnitPhrase, unit: Unit, rules: RuleSet, *, own: bool) -> Unit:
    """Return `unit` with what `phrase` says wrongly of it, where the rules do not overlook it.

    Legality is the judge's to decide: it reads the unit named against the one that stands
    there. `own` is the unit ordered; its power is never in question.
    """
    if phrase.kind is not None and rules.kind_wrong is not Lapse.VALID:
        unit = replace(unit, kind=phrase.kind)
    if not own and phrase.power is not None and rules.nationality_wrong is not Lapse.VALID:
        unit = replace(unit, power=phrase.power)
    if own and phrase.coast and "/" in unit.location and not rules.ignore_wrong_unit_coast:
        unit = replace(unit, location=Location(f"{unit.province}/{phrase.coast}"))
    return unit


def lacks_detail(
    phrase: UnitPhrase, unit: Unit, rules: RuleSet, *, own: bool, giver: object
) -> bool:
    """Return whether the order is only good while no other for its unit says more.

    Raises `NotationError` where the rules take no order without the detail (4.C.1, 4.C.5).
    """
    rule = Lapse.VALID
    if phrase.kind is None:
        rule = _stricter(rule, rules.kind_missing)
        if rule is Lapse.INVALID:
            raise NotationError(f"say army or fleet: {unit}")
    if not own and phrase.power is None and unit.power != giver:
        rule = _stricter(rule, rules.nationality_missing)
        if rule is Lapse.INVALID:
            raise NotationError(f"say whose unit it is: {unit}")
    return rule is Lapse.UNLESS_ANOTHER


def _stricter(one: Lapse, other: Lapse) -> Lapse:
    return one if other is Lapse.VALID else other


def check_coast(province: Province, kind: UnitKind, coast: str | None, rules: RuleSet) -> None:
    """Raise `NotationError` for a coast that has no use, where the rules mind it (4.B.6)."""
    if coast is None or rules.ignore_needless_coast:
        return
    if kind is UnitKind.ARMY or coast not in province.coasts:
        raise NotationError(f"{province.name} has no coast {coast.lower()} to go to")


def kind_built(province: Province, coast: str | None, rules: RuleSet) -> UnitKind:
    """Return the kind that can be meant in a build that names none (DATC 4.C.3)."""
    rule = rules.build_without_kind
    if province.terrain is Terrain.INLAND and rule is not BuildKind.NONE:
        return UnitKind.ARMY
    if coast in province.coasts and rule is BuildKind.INLAND_OR_COAST:
        return UnitKind.FLEET
    raise NotationError(f"army or fleet? Write A {province.code} B or F {province.code} B")
