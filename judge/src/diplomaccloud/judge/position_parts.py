"""Checks the types of the parts of a position."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from diplomaccloud.judge.board import MAX_NUMBER, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.checks import require_text, require_type, require_whole_number
from diplomaccloud.judge.phases import Phase, Season, Stage
from diplomaccloud.judge.units import Unit

if TYPE_CHECKING:
    from diplomaccloud.judge.position import Dislodged

_TEXT = frozenset({str})
_KINDS = frozenset({UnitKind})
_UNITS = frozenset({Unit})


def require_parts(
    phase: Phase,
    units: Sequence[Unit],
    centers: Mapping[ProvinceCode, Power],
    dislodged: Sequence["Dislodged"],
) -> None:
    """Raise `TypeError` or `ValueError` naming the first part with the wrong type."""
    _require_phase(phase)
    _require_units(units)
    require_type("centers", centers, Mapping)
    if not _TEXT.issuperset(map(type, (*centers, *centers.values()))):
        for code, owner in centers.items():
            require_text("centers: a key", code)
            require_text(f"centers[{code!r}]", owner)
    if dislodged:
        _require_dislodged(dislodged)


def _require_phase(phase: Phase) -> None:
    require_type("phase", phase, Phase)
    require_type("phase.season", phase.season, Season)
    require_type("phase.stage", phase.stage, Stage)
    require_whole_number("phase.year", phase.year, 0, MAX_NUMBER)
    if (phase.season is Season.WINTER) is not (phase.stage is Stage.ADJUSTMENTS):
        raise ValueError(f"phase: there is no phase {phase}")


def _require_units(units: Sequence[Unit]) -> None:
    # Types are almost always right, and checking all units together is faster.
    if _UNITS.issuperset(map(type, units)) and _are_sound(units):
        return
    for number, unit in enumerate(units):
        _require_unit(f"units[{number}]", unit)


def _are_sound(units: Iterable[Unit]) -> bool:
    kinds: set[type] = set()
    texts: set[type] = set()
    for unit in units:
        kinds.add(type(unit.kind))
        texts.add(type(unit.location))
        texts.add(type(unit.power))
    return kinds <= _KINDS and texts <= _TEXT


def _require_unit(name: str, unit: Unit) -> None:
    require_type(name, unit, Unit)
    require_type(f"{name}.kind", unit.kind, UnitKind)
    require_text(f"{name}.location", unit.location)
    require_text(f"{name}.power", unit.power)


def _require_dislodged(dislodged: Sequence["Dislodged"]) -> None:
    from diplomaccloud.judge.position import Dislodged  # noqa: PLC0415 it uses this module

    for number, entry in enumerate(dislodged):
        name = f"dislodged[{number}]"
        require_type(name, entry, Dislodged)
        _require_unit(f"{name}.unit", entry.unit)
        require_text(f"{name}.by", entry.by)
        require_type(f"{name}.retreats", entry.retreats, tuple)
        for index, place in enumerate(entry.retreats):
            require_text(f"{name}.retreats[{index}]", place)
