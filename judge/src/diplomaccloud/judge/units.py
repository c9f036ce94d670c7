"""Units and their canonical text."""

from dataclasses import dataclass

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind

_ARMY, _FLEET = UnitKind.ARMY, UnitKind.FLEET


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """One army or fleet; `str()` gives its canonical text, such as `F STP/SC`."""

    kind: UnitKind
    location: Location
    power: Power

    @property
    def province(self) -> ProvinceCode:
        """The province that the unit is in."""
        # Same as `province_of`, without the call, because no property is read more often.
        location = self.location
        return ProvinceCode(location[: location.index("/")] if "/" in location else location)

    def at(self, location: Location) -> "Unit":
        """Return the same unit at `location`."""
        return Unit(self.kind, location, self.power)

    def __str__(self) -> str:
        # Formatting an enum member takes three times as long.
        kind = self.kind
        return f"{'F' if kind is _FLEET else 'A' if kind is _ARMY else kind} {self.location}"


def is_unit(value: object) -> bool:
    """Return whether `value` is a unit whose parts have the right types."""
    return (
        isinstance(value, Unit)
        and isinstance(value.kind, UnitKind)
        and isinstance(value.location, str)
        and isinstance(value.power, str)
    )
