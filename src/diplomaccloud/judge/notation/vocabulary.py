"""The words that orders are written with, besides names."""

from diplomaccloud.judge.board import UnitKind


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KINDS = {
    "a": UnitKind.ARMY,
    "army": UnitKind.ARMY,
    "armies": UnitKind.ARMY,
    "f": UnitKind.FLEET,
    "fleet": UnitKind.FLEET,
    "fleets": UnitKind.FLEET,
}

BEFORE_UNIT = _words(
    "in at of from on my our your their its his her new unit which is that moving standing"
)
"""Words ignored before the place of a unit: `the army moving from Marseilles`."""

MOVE = _words(
    "- m mv move moves moving to into go goes going attack attacks attacking advance advances "
    "advancing enter enters entering sail sails sailing march marches marching"
)
AROUND_MOVE = _words("in its their on upon for is")
"""Words that may surround those of `MOVE`: `in attack on`."""

HOLD = _words("h hold holds holding stand stands standing stay stays remain remains")
AFTER_HOLD = _words("in place position its still")
SUPPORT = _words("s sup supp support supports supporting")
CONVOY = _words("c conv convoy convoys convoying transport transports transporting carry carries")
HELP = SUPPORT | CONVOY
RETREAT = _words("r ret retreat retreats retreating withdraw withdraws")
DISBAND = _words(
    "d dis disband disbands disbanded remove removes removed removing destroy destroyed"
)
BUILD = _words("b build builds building built raise raises")
WAIVE = _words("waive waives waived waiving pass passes decline declines")
AFTER_WAIVE = BUILD | _words("1 one a my our")

VIA = _words("via by through using convoyed")
ROUTE = _words("convoy of fleet fleets f in at and own - /")
"""Words of a convoy's description that are not its seas: `by fleet in the North Sea`."""

VERBS = HOLD | SUPPORT | CONVOY | RETREAT | DISBAND | BUILD | {"-"}

POWER_NAMES = {
    "austria": ("Austria-Hungary", "Austro-Hungary", "Austro-Hungarian"),
    "england": ("Britain", "Great Britain", "British"),
    "turkey": ("Ottoman Empire", "Ottoman"),
}
"""Further names of powers that have one of these names."""

NEVER_SHORT = _words("a f s c h m r d b v to by in at of on via and army fleet")
"""Words that are never read as the beginning of a longer name."""
