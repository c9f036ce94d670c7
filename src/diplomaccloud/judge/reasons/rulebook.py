"""The rules that explanations cite, each in a few words of our own.

`rule(13)` is one of the 22 rules at the end of the 2000 rulebook, `section(...)` one of its
sections, `datc(...)` an issue or equation of DATC 3.0.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule stands, such as rule `13` of the `rulebook`, and what it comes to."""

    book: str
    place: str
    gist: str

    def __str__(self) -> str:
        if self.book == DATC:
            return f"DATC {self.place}"
        return f"rule {self.place}" if self.place.isdigit() else f"“{self.place}”"


RULEBOOK = "2000 rulebook"
DATC = "DATC 3.0"

_RULES = {
    1: "Every unit is as strong as any other.",
    2: "A province has room for one unit.",
    3: "Where the strongest are equally strong, all of them stay where they were.",
    4: "A standoff leaves the unit in the disputed province undisturbed.",
    5: "A unit that does not leave stops those that wanted to follow it.",
    6: "Two units cannot change places unless one of them is convoyed.",
    7: "Three or more units may move around in a ring.",
    8: "A unit that was not ordered to move is supported where it stands.",
    9: "A move is supported only by an order that names this very move.",
    10: "A dislodged unit still takes part in a standoff elsewhere.",
    11: "A dislodged unit does nothing in the province that its attacker came from.",
    12: "Nobody dislodges a unit of its own, nor helps others to do so.",
    13: "An attack cuts support unless it comes from where the support is given to.",
    14: "A unit that is dislodged gives no support.",
    15: "A unit that is being dislodged still cuts support elsewhere.",
    16: "An attack on a unit of one's own does not cut its support.",
    17: "A convoy fails when a fleet that it cannot do without is dislodged.",
    18: "A convoyed army that bounces stays where it started.",
    19: "Two units may change places if at least one of them is convoyed.",
    20: "With several convoy routes, one that stays open is enough.",
    21: "A convoyed army does not cut a support against a fleet that its convoy needs.",
    22: "It does cut that support if another route stays open.",
}

_SECTIONS = {
    "Support": "A unit may support into a province where it could go itself.",
    "Convoy Orders": "Fleets at sea that form a chain may carry an army from coast to coast.",
    "Land and Convoy Routes": "What decides between land and sea where both lead to the goal.",
    "Self Standoff": "Units of one country may bounce each other on purpose.",
    "Retreat and Disbanding Phase": "Not to the attacker’s province, nor one that is occupied, "
    "nor one that a standoff left empty.",
    "Gaining and Losing Units Phase": "After Fall, as many units as centers; builds only at home.",
    "Civil Disorder": "Units farthest from home go first, fleets before armies, then by name.",
}

_ISSUES = {
    "4.A.1": "When a convoy with several routes fails.",
    "4.A.2": "What becomes of a convoy that would depend on itself.",
    "4.A.3": "When an army goes to a neighbouring province by convoy.",
    "4.A.4": "A convoyed army attacks from where it started.",
    "4.A.5": "Whether to retreat to where a convoyed attacker came from.",
    "4.A.7": "A dislodged unit bounces others unless it lost a head-to-head battle.",
    "4.D.3": "A unit with different orders holds.",
    "4.D.4": "Of too many builds the first count.",
    "4.D.5": "One build for a province.",
    "4.D.6": "Of too many disbands the first count.",
    "4.D.7": "A build may be waived.",
    "4.D.8": "Which units go in civil disorder.",
    "4.D.9": "A unit without orders holds and may be supported.",
    "4.E.1": "A unit with an illegal order holds.",
    "4.E.2": "A badly written order is followed if it has one meaning.",
    "5.B.1": "A move needs more strength than whatever resists it.",
    "5.B.2": "What cuts a support.",
    "5.B.3": "A fleet convoys unless it is dislodged.",
    "5.B.4": "A convoyed army needs an unbroken chain of fleets.",
    "5.B.5": "Hold strength: 1 and the supports of a unit that stays; 1 after a failed move.",
    "5.B.6": "Prevent strength: 1 and all supports; 0 after losing head-to-head or without a path.",
    "5.B.7": "Defend strength: 1 and the supports of a move, in a head-to-head battle.",
    "5.B.8": "Attack strength: 1 and the supports that may dislodge what stands in the way.",
    "5.B.9": "Orders that depend on themselves.",
}


def rule(number: int) -> Source:
    """Return one of the 22 rules at the end of the 2000 rulebook."""
    return Source(RULEBOOK, str(number), _RULES[number])


def section(title: str) -> Source:
    """Return a section of the 2000 rulebook."""
    return Source(RULEBOOK, title, _SECTIONS[title])


def datc(place: str) -> Source:
    """Return an issue or an equation of DATC 3.0."""
    return Source(DATC, place, _ISSUES[place])
