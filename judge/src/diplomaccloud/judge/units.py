"""Units and their canonical text."""

from dataclasses import dataclass

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.checks import describe

_MISSING = Power("missing")
_ARMY, _FLEET = UnitKind.ARMY, UnitKind.FLEET


@dataclass(frozen=True, slots=True, order=True, init=False)
class Unit:
    """One army or fleet; `str()` gives its canonical text, such as `F STP/SC`.

    `parse_unit` makes one from text.
    """

    kind: UnitKind
    location: Location
    power: Power

    def __init__(self, kind: UnitKind, location: Location, power: Power) -> None:
        if power is _MISSING:
            reading = f"to read one, write parse_unit({describe(kind)!r}, board, power)"
            raise TypeError(f"a unit has a kind, a location and a power; {reading}")
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "location", location)
        object.__setattr__(self, "power", power)

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


# Type checkers still ask for all three; without them, the error says what to write.
Unit.__init__.__defaults__ = ("A PAR", _MISSING, _MISSING)


def is_unit(value: object) -> bool:
    """Return whether `value` is a unit whose parts have the right types."""
    return (
        isinstance(value, Unit)
        and isinstance(value.kind, UnitKind)
        and isinstance(value.location, str)
        and isinstance(value.power, str)
    )
