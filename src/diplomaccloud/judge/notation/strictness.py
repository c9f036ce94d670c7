"""Details that are missing or wrong in the text, by rule set (DATC 4.B.5, 4.B.6, 4.C)."""

from dataclasses import replace

from diplomaccloud.judge.board import Location, Power, Province, Terrain, UnitKind
from diplomaccloud.judge.notation.errors import NotationError
from diplomaccloud.judge.notation.reader import UnitPhrase
from diplomaccloud.judge.rules import BuildKind, Lapse, RuleSet
from diplomaccloud.judge.units import Unit


def apply_wording(phrase: UnitPhrase, unit: Unit, rules: RuleSet, *, own: bool) -> Unit:
    """Return `unit` with the wrong details of `phrase` that the rules do not ignore.

    The legality reader later compares the unit named with the unit that is really there. `own`
    marks the unit ordered, whose power is never in question.
    """
    if phrase.kind is not None and rules.kind_wrong is not Lapse.VALID:
        unit = replace(unit, kind=phrase.kind)
    if not own and phrase.power is not None and rules.nationality_wrong is not Lapse.VALID:
        unit = replace(unit, power=phrase.power)
    if own and phrase.coast and "/" in unit.location and not rules.ignore_wrong_unit_coast:
        unit = replace(unit, location=Location(f"{unit.province}/{phrase.coast}"))
    return unit


def require_details(
    phrase: UnitPhrase, unit: Unit, rules: RuleSet, *, own: bool, giver: Power
) -> None:
    """Raise `NotationError` if the rules demand a detail that `phrase` lacks (4.C.1, 4.C.5)."""
    kind, nationality = _missing_details(phrase, unit, own=own, giver=giver)
    if kind and rules.kind_missing is Lapse.INVALID:
        raise NotationError(f"specify army or fleet: {unit}")
    if nationality and rules.nationality_missing is Lapse.INVALID:
        raise NotationError(f"specify the nationality of {unit}")


def lapses_without_details(
    phrase: UnitPhrase, unit: Unit, rules: RuleSet, *, own: bool, giver: Power
) -> bool:
    """Return whether the order counts only if no other order for its unit has more details."""
    kind, nationality = _missing_details(phrase, unit, own=own, giver=giver)
    return (kind and rules.kind_missing is Lapse.UNLESS_ANOTHER) or (
        nationality and rules.nationality_missing is Lapse.UNLESS_ANOTHER
    )


def _missing_details(
    phrase: UnitPhrase, unit: Unit, *, own: bool, giver: Power
) -> tuple[bool, bool]:
    """Return whether the kind is missing, and whether the nationality is."""
    return phrase.kind is None, not own and phrase.power is None and unit.power != giver


def require_useful_coast(
    province: Province, kind: UnitKind, coast: str | None, rules: RuleSet
) -> None:
    """Raise `NotationError` for a useless coast if the rules do not ignore it (4.B.6)."""
    if coast is None or rules.ignore_needless_coast:
        return
    if kind is UnitKind.ARMY or coast not in province.coasts:
        raise NotationError(f"{province.name} has no coast {coast.lower()} to go to")


def choose_build_kind(province: Province, coast: str | None, rules: RuleSet) -> UnitKind:
    """Return the only possible kind of a build that does not name one (DATC 4.C.3)."""
    rule = rules.build_without_kind
    if province.terrain is Terrain.INLAND and rule is not BuildKind.NONE:
        return UnitKind.ARMY
    if coast in province.coasts and rule is BuildKind.INLAND_OR_COAST:
        return UnitKind.FLEET
    raise NotationError(f"army or fleet? Write A {province.code} B or F {province.code} B")
