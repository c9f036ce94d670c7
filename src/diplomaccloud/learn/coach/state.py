"""The state of a first game as signed text, short enough for a cookie."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.core import signing

from diplomaccloud.judge.board import Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.phases import Phase, PhaseError
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit

SALT: Final = "learn.first-game"
MAX_LENGTH: Final = 3800
"""The longest state that is read; browsers store cookies of about four kilobytes."""


@dataclass(frozen=True, slots=True)
class GameState:
    """A first game: whose it is, and where it stands before the learner's last turn.

    `orders` are the learner's own orders of that turn; None if no turn has been played. The bots'
    orders depend only on `seed`, so everything later follows from these values.
    """

    power: Power
    seed: str
    position: Position
    orders: tuple[str, ...] | None = None


class StateError(ValueError):
    """Text that is not the state of a first game."""


def dump_state(state: GameState) -> str:
    """Return `state` as signed text."""
    value = {
        "power": state.power,
        "seed": state.seed,
        "position": _write_position(state.position),
        "orders": None if state.orders is None else list(state.orders),
    }
    return signing.dumps(value, salt=SALT, compress=True)


def load_state(text: str) -> GameState:
    """Return the state written as `text`; raise `StateError` if the site did not sign it."""
    if len(text) > MAX_LENGTH:
        raise StateError("too long")
    try:
        value = signing.loads(text, salt=SALT)
        orders = value["orders"]
        return GameState(
            Power(value["power"]),
            value["seed"],
            _read_position(value["position"]),
            None if orders is None else tuple(orders),
        )
    except (signing.BadSignature, KeyError, TypeError, ValueError, PhaseError) as error:
        raise StateError(str(error)) from error


def _write_position(position: Position) -> dict[str, object]:
    centers: dict[str, list[str]] = {}
    for code, power in position.centers.items():
        centers.setdefault(power, []).append(code)
    return {
        "phase": str(position.phase),
        "units": [_write_unit(unit) for unit in position.units],
        "centers": {power: " ".join(codes) for power, codes in centers.items()},
        "dislodged": [
            [_write_unit(entry.unit), entry.by, list(entry.retreats)]
            for entry in position.dislodged
        ],
    }


def _read_position(value: Mapping[str, object]) -> Position:
    units, centers, dislodged = value["units"], value["centers"], value["dislodged"]
    if not (isinstance(units, list) and isinstance(centers, dict) and isinstance(dislodged, list)):
        raise StateError("not a position")
    return Position(
        Phase.parse(str(value["phase"])),
        tuple(map(_read_unit, units)),
        {
            ProvinceCode(code): Power(power)
            for power, codes in centers.items()
            for code in codes.split()
        },
        tuple(
            Dislodged(_read_unit(unit), ProvinceCode(by), tuple(map(Location, retreats)))
            for unit, by, retreats in dislodged
        ),
    )


def _write_unit(unit: Unit) -> str:
    return f"{unit} {unit.power}"


def _read_unit(text: str) -> Unit:
    kind, place, power = text.split()
    return Unit(UnitKind(kind), Location(place), Power(power))
