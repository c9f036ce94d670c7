"""One or more small positions for every rule switch, drawn on the page of switches.

`docs/rules.md` explains each value and the reason for the default. The build adjudicates every
position with every value; it fails if two values of a switch agree on all of its positions.
"""

from collections.abc import Mapping

from convoy_examples import CONVOYS
from order_examples import CHOOSING, COASTS, WRITING
from other_examples import OTHERS
from switch_parts import Switch

from diplomaccloud.judge.rules import Removal

GROUPS: dict[str, Mapping[str, Switch]] = {
    "Convoys": CONVOYS,
    "Coasts": COASTS,
    "Units and nationalities": WRITING,
    "Too many and too few orders": CHOOSING,
    "Other choices": OTHERS,
}
"""All switches, by their heading on the page."""

ALIKE = frozenset({Removal.HOME_1971, Removal.HOME_2000})
"""Two wordings of the same way to count; see `docs/rules.md`, 4.D.8."""
