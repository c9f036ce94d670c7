"""The English sentences that only the protocol needs."""

from diplomaccloud.judge.messages.forms import Plural

REQUESTS: dict[str, str | Plural] = {
    "order_not_read": "The order could not be read: {error}.",
    "unknown_power": "There is no power {name:quoted} on this board.",
    "different_orders": "{unit:text} was given different orders.",
    "convoy_not_needed": "Stood ready to convoy the army from {army:place} to {place}, but no "
    "route needs it.",
    "convoy_not_needed_and_dislodged": "Stood ready to convoy the army from {army:place} to "
    "{place}, but no route needs it; it was dislodged.",
    "builds_waived": "Builds not taken: {counts:list}.",
}
"""The sentences of orders that could not be read, of needless convoys and of waived builds."""
