"""Checks whether an order that was given is the one that was agreed on."""

from diplomaccloud.judge.board import province_of
from diplomaccloud.judge.orders import (
    Convoy,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.units import Unit


def is_same_order(agreed: Order, given: Order) -> bool:
    """Return whether the order `given` fulfills the one `agreed` on.

    The route of a move is ignored, and so is a coast that the agreed order leaves out. In supports,
    coasts are always ignored.
    """
    if isinstance(agreed, Waive) or isinstance(given, Waive) or agreed.unit != given.unit:
        return agreed == given
    match agreed, given:
        case (Move(_, to), Move(_, went)) | (Retreat(_, to), Retreat(_, went)):
            return went == to or ("/" not in to and province_of(went) == province_of(to))
        case SupportHold(_, target), SupportHold(_, helped):
            return _is_same_unit(target, helped)
        case SupportMove(_, target, to), SupportMove(_, helped, went):
            return _is_same_unit(target, helped) and province_of(to) == province_of(went)
        case Convoy(_, target, to), Convoy(_, helped, went):
            return _is_same_unit(target, helped) and to == went
    return agreed == given


def _is_same_unit(unit: Unit, other: Unit) -> bool:
    return unit.province == other.province and unit.power == other.power
