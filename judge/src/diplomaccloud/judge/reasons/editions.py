"""The places of cited rules in the rulebook of each edition.

Trees cite the rules of 2000; `cite_edition` replaces them with those of another rulebook. A rule is
left out if that rulebook does not have it, or is not known to have it. DATC applies to all
editions.

For 1961, the places come from the rulebook itself, whose sections have titles. For 1971 and 1982,
only the numbers of two rules are known (from DATC 4.A.2 and its history of the rulebooks), and
only the subjects of the other rules. The rulebook of 2023 ends with the 22 rules of 2000.
"""

from collections.abc import Iterator

from diplomaccloud.judge.reasons.rulebook import RULEBOOK, Source, rule, section
from diplomaccloud.judge.rules import RuleSet

Places = dict[str, tuple[str, str]]
"""The place and the gist of a rule in another rulebook, by its place in the 2000 rulebook."""

_NUMBERED = tuple(rule(number) for number in range(1, 23))
_SECTIONS = {
    title: section(title)
    for title in (
        "Support",
        "Convoy Orders",
        "Land and Convoy Routes",
        "Self Standoff",
        "Retreat and Disbanding Phase",
        "Gaining and Losing Units Phase",
        "Civil Disorder",
    )
}


def _place(place: str, numbers: tuple[int, ...], *titles: str, gist: str = "") -> Places:
    """Return places that map all of these rules and sections of 2000 to one place."""
    sources = [_NUMBERED[number - 1] for number in numbers] + [_SECTIONS[t] for t in titles]
    return {source.place: (place, gist or source.gist) for source in sources}


_RETREATS = "Retreat and Disbanding Phase"
_WINTER = "Gaining and Losing Units Phase"

_GISTS_1961 = {
    "conflicts": "Units that are equally strong and move to one space, or each to the space of "
    "the other, stay where they are; so does a unit whose way is blocked.",
    "support": "A unit may support another into a space to which it could move itself; no attack "
    "that a power’s own unit takes part in dislodges a unit of that power.",
    "cut": "A support is cut by an attack from another province than the one supported into; a "
    "unit that is dislodged still cuts support and causes standoffs.",
}

_PLACES_1961: Places = {
    **_place("The Moves of Armies and Fleets", (2,)),
    **_place("Conflicts", (3, 4, 5, 6), "Self Standoff", gist=_GISTS_1961["conflicts"]),
    **_place("The Support Order", (9, 12), "Support", gist=_GISTS_1961["support"]),
    **_place("Standing and Receiving Support", (8,)),
    **_place("Cutting Supports", (10, 13, 15), gist=_GISTS_1961["cut"]),
    **_place(
        "The Convoy Order",
        (17,),
        "Convoy Orders",
        gist="Fleets in adjacent seas may convoy an army, which does not move if one of them is "
        "dislodged.",
    ),
    **_place("The Retreat", (), _RETREATS),
    **_place("Gaining and Losing Units", (), _WINTER),
    **_place(
        "Miscellaneous",
        (),
        "Civil Disorder",
        gist="The unit farthest from home is removed first, and a fleet before an army.",
    ),
}

_PLACES_1971_AND_1982: Places = {
    **_place("on conflicts", (2, 3, 4, 5, 6), gist=_GISTS_1961["conflicts"]),
    **_place(
        "on support",
        (8, 9),
        "Support",
        gist="A unit may support another into a province to which it could move itself, if both "
        "orders match.",
    ),
    **_place("on attacks on own units", (12,)),
    **_place("on cutting support", (10, 13, 14, 15), gist=_GISTS_1961["cut"]),
    **_place(
        "on convoys",
        (18, 19),
        "Convoy Orders",
        "Land and Convoy Routes",
        gist="Fleets may convoy an army from coast to coast, and units may swap places by convoy.",
    ),
    **_place("XII.3", (17,)),
    **_place("on retreats", (), _RETREATS),
    **_place("on gaining and losing units", (), _WINTER),
    **_place(
        "on civil disorder",
        (),
        "Civil Disorder",
        gist="The units farthest from their home centers are removed first, fleets before armies.",
    ),
}

_BOOKS: dict[str, tuple[str, Places]] = {
    "1961": ("1961 rulebook", _PLACES_1961),
    "1971": (
        "1971 rulebook",
        {
            **_PLACES_1971_AND_1982,
            **_place(
                "XII.5",
                (21,),
                gist="A convoyed army does not cut a fleet’s support for a fleet that attacks one "
                "of the convoying fleets.",
            ),
        },
    ),
    "1982": (
        "1982 rulebook",
        {
            **_PLACES_1971_AND_1982,
            **_place(
                "XII.5",
                (21,),
                gist="A convoyed army does not cut a fleet’s support into a sea where a fleet "
                "convoys.",
            ),
            **_place("on several convoy routes", (20,)),
        },
    ),
    "2023": (
        "2023 rulebook",
        {
            **{source.place: (source.place, source.gist) for source in _NUMBERED},
            **_place("on support", (), "Support"),
            **_place("on convoys", (), "Convoy Orders", "Land and Convoy Routes"),
            **_place("on retreats", (), _RETREATS),
            **_place("on gaining and losing units", (), _WINTER),
            **_place(
                "on civil disorder",
                (),
                "Civil Disorder",
                gist="The units farthest from the nearest center of their power are removed "
                "first, fleets before armies.",
            ),
        },
    ),
}
"""The rulebooks other than that of 2000, which all editions not listed here use."""


def cite_edition(source: Source, rules: RuleSet) -> Source | None:
    """Return the rule in the rulebook of this edition, or `None` if it does not have it."""
    if source.book != RULEBOOK or rules.name not in _BOOKS:
        return source
    book, places = _BOOKS[rules.name]
    if source.place not in places:
        return None
    place, gist = places[source.place]
    return Source(book, place, gist)


def list_books() -> Iterator[tuple[str, tuple[Source, ...]]]:
    """Yield each rulebook other than that of 2000 with its rules, without duplicate places."""
    for book, places in _BOOKS.values():
        gists = dict(places.values())
        yield book, tuple(Source(book, place, gist) for place, gist in gists.items())
