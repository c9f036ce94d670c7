"""The rules that explanations cite, each with a summary in our own words.

`rule(13)` is one of the 22 rules at the end of the 2000 rulebook, `section(...)` is one of its
sections, and `datc(...)` is an issue or an equation in DATC 3.2.

Trees cite the rules of 2000; `cite_edition` replaces them with those of another rulebook. A rule is
left out if that rulebook does not have it, or is not known to have it. DATC applies to all
editions. For 1961, the places come from the rulebook itself, whose sections have titles. For 1971
and 1982, only the numbers of two rules are known (from DATC 4.A.2 and its history of the
rulebooks), and only the subjects of the other rules. The rulebook of 2023 ends with the 22 rules of
2000.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from diplomaccloud.judge.rules import RuleSet

RULEBOOK = "2000 rulebook"
DATC = "DATC 3.2"

SUBJECT = "on "
"""The start of a place that is known only by its subject: `on cutting support`."""


@dataclass(frozen=True, slots=True)
class Source:
    """A rule, identified by its book and its place there, e.g. rule `13`, with its gist.

    The place is a number (`13`, `XII.5`), a title, or, if the number is not known, a subject (`on
    cutting support`).
    """

    book: str
    place: str
    gist: str

    @property
    def is_numbered(self) -> bool:
        """Whether the place is the number of a rule."""
        return self.place[-1].isdigit()

    @property
    def anchor(self) -> str:
        """The anchor on a rulebook page: `rule-13`, `civil-disorder-rule` or `datc-4.A.1`."""
        if self.book == DATC:
            return f"datc-{self.place}"
        slug = self.place.lower().replace(" ", "-")
        if self.book != RULEBOOK:
            return f"{self.book.partition(' ')[0]}-{slug}"
        return f"rule-{slug}" if self.is_numbered else f"{slug}-rule"

    def __str__(self) -> str:
        if self.book == DATC:
            return f"DATC {self.place}"
        text = self.place
        if self.is_numbered:
            text = f"rule {self.place}"
        elif not self.place.startswith(SUBJECT):
            text = f"“{self.place}”"
        return text if self.book == RULEBOOK else f"{self.book} {text}"


_RULES = {
    1: "Every unit is as strong as any other.",
    2: "A province has room for one unit.",
    3: "If the strongest moves to a province are equally strong, all of them bounce.",
    4: "A standoff does not dislodge the unit in the disputed province.",
    5: "A unit that does not leave its province blocks the units that follow it.",
    6: "Two units cannot swap places unless one of them is convoyed.",
    7: "Three or more units may move in a circle.",
    8: "A unit that was not ordered to move is supported where it stands.",
    9: "A move is supported only by an order that names exactly this move.",
    10: "A dislodged unit can still cause a standoff in another province.",
    11: "A dislodged unit has no effect on the province that its attacker came from.",
    12: "A power cannot dislodge its own unit or help others to dislodge it.",
    13: "An attack cuts support unless it comes from the province into which the support is given.",
    14: "A unit that is dislodged gives no support.",
    15: "A unit that is dislodged still cuts support in another province.",
    16: "An attack by the same power does not cut support.",
    17: "A convoy fails if a fleet that it needs is dislodged.",
    18: "A convoyed army that bounces stays in its starting province.",
    19: "Two units may swap places if at least one of them is convoyed.",
    20: "If there are several convoy routes, one open route is enough.",
    21: "A convoyed army does not cut support for an attack on a fleet that its convoy needs.",
    22: "A convoyed army does cut such support if another convoy route stays open.",
}

_SECTIONS = {
    "Support": "A unit may support an action in a province to which it could move.",
    "Convoy Orders": "A chain of fleets at sea may convoy an army from coast to coast.",
    "Land and Convoy Routes": "Which route an army takes if it can go by land and by convoy.",
    "Self Standoff": "Units of one country may bounce each other on purpose.",
    "Retreat and Disbanding Phase": "A unit cannot retreat to the attacker’s province, to an "
    "occupied province, or to a province left empty by a standoff.",
    "Gaining and Losing Units Phase": "After Fall a power has as many units as centers, and it "
    "builds only in home centers.",
    "Civil Disorder": "The units farthest from home are removed first, fleets before armies, then "
    "in alphabetical order.",
}

_ISSUES = {
    "4.A.1": "When a convoy with several routes fails.",
    "4.A.2": "How convoy paradoxes are resolved.",
    "4.A.3": "When an army goes to an adjacent province by convoy.",
    "4.A.4": "A convoyed army attacks from where it started.",
    "4.A.5": "Whether a unit may retreat to the province that a convoyed attacker came from.",
    "4.A.7": "A dislodged unit still causes standoffs unless it lost a head-to-head battle.",
    "4.D.3": "Which order counts if a unit has different ones.",
    "4.D.4": "If there are too many builds, the first ones count.",
    "4.D.5": "Only one unit can be built in a province.",
    "4.D.6": "If there are too many disbands, the first ones count.",
    "4.D.7": "A build may be waived.",
    "4.D.8": "Which units are removed in civil disorder.",
    "4.D.9": "A unit without orders holds and may be supported.",
    "4.E.1": "A unit with an illegal or unreadable order holds.",
    "5.B.1": "A move succeeds if its attack strength exceeds every strength against it.",
    "5.B.2": "A support counts unless it is cut or its unit is dislodged.",
    "5.B.3": "A fleet convoys unless it is dislodged.",
    "5.B.4": "A convoyed army needs an unbroken chain of fleets.",
    "5.B.5": "Hold strength: 1 plus the supports of a unit that stays; 1 after a failed move.",
    "5.B.6": "Prevent strength: 1 plus all supports; 0 after a lost head-to-head battle or without "
    "a path.",
    "5.B.7": "Defend strength: 1 plus the supports of a move in a head-to-head battle.",
    "5.B.8": "Attack strength: 1 plus the supports that may help to dislodge the unit attacked.",
    "5.B.9": "How orders that depend on each other are resolved.",
}


def rule(number: int) -> Source:
    """Return one of the 22 rules at the end of the 2000 rulebook."""
    return Source(RULEBOOK, str(number), _RULES[number])


def section(title: str) -> Source:
    """Return a section of the 2000 rulebook."""
    return Source(RULEBOOK, title, _SECTIONS[title])


def datc(place: str) -> Source:
    """Return an issue or an equation of DATC 3.2."""
    return Source(DATC, place, _ISSUES[place])


def list_sources() -> tuple[Source, ...]:
    """Return everything that explanations can cite: the rules, then the sections, then DATC."""
    return (*map(rule, _RULES), *map(section, _SECTIONS), *map(datc, _ISSUES))


# The other rulebooks.


Places = dict[str, tuple[str, str]]
"""The place and the gist of a rule in another rulebook, by its place in the 2000 rulebook."""


def _read_places(text: str, gists: Mapping[str, str]) -> Places:
    """Return the places of a rulebook, each with the rules and sections of 2000 that are there.

    A rule has the gist of its place, if there is one in `gists`, or that of 2000.
    """
    places: Places = {}
    for line in text.strip().splitlines():
        place, _, names = line.partition(": ")
        for name in names.split(", "):
            source = rule(int(name)) if name.isdigit() else section(name)
            places[name] = place, gists.get(place, source.gist)
    return places


_CONFLICTS = (
    "Units that are equally strong and move to one space, or each to the space of the other, stay "
    "where they are; so does a unit whose way is blocked."
)
_CUT = (
    "A support is cut by an attack from another province than the one supported into; a unit that "
    "is dislodged still cuts support and causes standoffs."
)

_PLACES_1961 = _read_places(
    """
The Moves of Armies and Fleets: 2
Conflicts: 3, 4, 5, 6, Self Standoff
The Support Order: 9, 12, Support
Standing and Receiving Support: 8
Cutting Supports: 10, 13, 15
The Convoy Order: 17, Convoy Orders
The Retreat: Retreat and Disbanding Phase
Gaining and Losing Units: Gaining and Losing Units Phase
Miscellaneous: Civil Disorder
""",
    {
        "Conflicts": _CONFLICTS,
        "The Support Order": "A unit may support another into a space to which it could move "
        "itself; no attack that a power’s own unit takes part in dislodges a unit of that power.",
        "Cutting Supports": _CUT,
        "The Convoy Order": "Fleets in adjacent seas may convoy an army, which does not move if "
        "one of them is dislodged.",
        "Miscellaneous": "The unit farthest from home is removed first, and a fleet before an "
        "army.",
    },
)
_PLACES_1971_AND_1982 = _read_places(
    """
on conflicts: 2, 3, 4, 5, 6
on support: 8, 9, Support
on attacks on own units: 12
on cutting support: 10, 13, 14, 15
on convoys: 18, 19, Convoy Orders, Land and Convoy Routes
XII.3: 17
on retreats: Retreat and Disbanding Phase
on gaining and losing units: Gaining and Losing Units Phase
on civil disorder: Civil Disorder
""",
    {
        "on conflicts": _CONFLICTS,
        "on support": "A unit may support another into a province to which it could move itself, "
        "if both orders match.",
        "on cutting support": _CUT,
        "on convoys": "Fleets may convoy an army from coast to coast, and units may swap places by "
        "convoy.",
        "on civil disorder": "The units farthest from their home centers are removed first, fleets "
        "before armies.",
    },
)
_PLACES_2023 = _read_places(
    """
on support: Support
on convoys: Convoy Orders, Land and Convoy Routes
on retreats: Retreat and Disbanding Phase
on gaining and losing units: Gaining and Losing Units Phase
on civil disorder: Civil Disorder
""",
    {
        "on civil disorder": "The units farthest from the nearest center of their power are "
        "removed first, fleets before armies.",
    },
)
_PARADOX_1971 = (
    "A convoyed army does not cut a fleet’s support for a fleet that attacks one of the convoying "
    "fleets."
)
_PARADOX_1982 = "A convoyed army does not cut a fleet’s support into a sea where a fleet convoys."

_BOOKS: dict[str, Places] = {
    "1961": _PLACES_1961,
    "1971": {**_PLACES_1971_AND_1982, "21": ("XII.5", _PARADOX_1971)},
    "1982": {
        **_PLACES_1971_AND_1982,
        "21": ("XII.5", _PARADOX_1982),
        **_read_places("on several convoy routes: 20", {}),
    },
    "2023": {**{str(number): (str(number), _RULES[number]) for number in _RULES}, **_PLACES_2023},
}
"""The rulebooks other than that of 2000, which all editions not listed here use."""


def cite_edition(source: Source, rules: RuleSet) -> Source | None:
    """Return the rule in the rulebook of this edition, or `None` if it does not have it."""
    if source.book != RULEBOOK or rules.name not in _BOOKS:
        return source
    entry = _BOOKS[rules.name].get(source.place)
    return entry and Source(f"{rules.name} rulebook", *entry)


def list_books() -> Iterator[tuple[str, tuple[Source, ...]]]:
    """Yield each rulebook other than that of 2000 with its rules, without duplicate places."""
    for edition, places in _BOOKS.items():
        book, gists = f"{edition} rulebook", dict(places.values())
        yield book, tuple(Source(book, place, gist) for place, gist in gists.items())
