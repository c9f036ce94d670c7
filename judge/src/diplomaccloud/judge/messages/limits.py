"""Sentences for order texts that are not read because they are too long for one phase."""

from diplomaccloud.judge.messages.forms import Plural

LIMITS: dict[str, str | Plural] = {
    "no_order_in_text": "This text has no order.",
    "text_too_long": "This is more text than the orders of one phase can need.",
    "too_many_orders": "At most {most} orders are read at once.",
    "more_than_one_phase": "This is more than one phase can need: {error}.",
}
"""The sentences for texts that are too long."""
