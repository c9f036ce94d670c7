"""The forms of parameters in sentences, and sentences with a singular and a plural.

A parameter is written in braces, optionally with a form after a colon: `{unit}` is "the army in
Paris", and `{unit:attacker}` is "France’s army from Paris". Several values are joined with "and",
in the form `or` with "or", and in the form `list` with commas only. If the number of values changes
the sentence, a `Plural` has both versions.
"""

from typing import NamedTuple


class Plural(NamedTuple):
    """A sentence for one value of `parameter`, and another for none or several."""

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
"""The forms of a unit; `text` is its form in orders, `A PAR`."""

COAST_FORMS = frozenset({"coast", "coasts"})
"""The forms of a place that name only its coast, `nc`; `coasts` joins several with "or"."""

QUOTED = "quoted"
"""The form of text in quotation marks."""

COUNT_FORMS = {
    "centers": ("{number} center", "{number} centers"),
    "units": ("{number} unit", "{number} units"),
    "steps": ("{number} step", "{number} steps"),
}
"""The forms of a counted noun: singular and plural."""

DISTANCE = "{unit} ({steps})"
NO_ROUTE = "no route"
"""The form of a unit with its distance in civil disorder, and the distance if no route leads
home."""
