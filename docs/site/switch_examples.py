"""A small position, or a few, for every switch of the rules: what the page of switches draws.

`docs/rules.md` says what each value means and why the default is what it is. The build adjudicates
every position by every value; it fails if two values of a switch differ on none of its positions.
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
"""All switches, by the heading under which the page has them."""

ALIKE = frozenset({Removal.HOME_1971, Removal.HOME_2000})
"""Two wordings of one way to count; see `docs/rules.md`, 4.D.8."""
