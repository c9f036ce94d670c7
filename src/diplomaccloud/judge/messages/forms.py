"""The forms in which parameters stand in sentences, and sentences for one and for several.

A parameter stands in braces, with the form in which it is named after a colon: `{unit}` is
"the army in Paris", `{unit:attacker}` "France’s army from Paris". Several values are listed with
"and", in the form `or` with "or", in the form `list` with commas alone. Where the number of a
parameter changes the sentence, a `Plural` has both.
"""

from typing import NamedTuple


class Plural(NamedTuple):
    """A sentence for one of `parameter`, and another for none or several."""

    parameter: str
    one: str
    other: str


UNIT_FORMS = {
    "": "the {kind} in {place}",
    "or": "the {kind} in {place}",
    "attacker": "{power}’s {kind} from {place}",
    "own": "its own {kind} from {place}",
    "owned": "{power}’s {kind}",
    "place": "{place}",
    "power": "{power}",
    "kind": "{kind}",
    "text": "{text}",
}
"""How a unit is named; `text` is what orders call it, `A PAR`."""

COAST_FORMS = frozenset({"coast", "coasts"})
"""The forms of a place that name its coast alone, `nc`; several in the form `coasts` with "or"."""

QUOTED = "quoted"
"""The form of a text in quotation marks."""

COUNT_FORMS = {
    "centers": ("{number} center", "{number} centers"),
    "units": ("{number} unit", "{number} units"),
    "steps": ("{number} step", "{number} steps"),
}
"""How a number of things is named: one, and several."""

DISTANCE = "{unit} ({steps})"
NO_ROUTE = "no route"
"""How civil disorder lists a unit with its distance, and what stands for the distance of a unit
from which no route leads home."""
