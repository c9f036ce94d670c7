"""The English sentences that only the protocol needs."""

from diplomaccloud.judge.messages.forms import Plural

REQUESTS: dict[str, str | Plural] = {
    "order_not_read": "The order could not be read: {error}.",
    "unknown_power": "There is no power {name:quoted} on this board.",
    "different_orders": "{unit:text} was given different orders.",
    "builds_waived": "Builds not taken: {counts:list}.",
}
"""The sentences for orders that could not be read and for waived builds."""
