"""The terms of the game, for players; `docs/glossary.md` decides what things are called."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A term, its meaning, and the section of the rulebook that explains it."""

    name: str
    meaning: str
    section: str = ""

    @property
    def anchor(self) -> str:
        """Its id on the page."""
        return self.name.lower().replace(" ", "-")


TERMS = (
    Term("adjustment", "The phase in Winter in which countries build and disband.", "builds"),
    Term("ally", "A player who works together with you, for as long as it suits both."),
    Term("army", "A unit that moves on land.", "units"),
    Term("attack", "A move to a province with a unit in it.", "move"),
    Term(
        "beleaguered garrison",
        "A unit that survives because equal attacks on it stop each other.",
        "support",
    ),
    Term("bounce", "To fail to enter a province and stay in place.", "standoffs"),
    Term("build", "To get a new unit in Winter, in an empty home center.", "builds"),
    Term("center", "Short for supply center.", "centers"),
    Term(
        "civil disorder",
        "What happens to a country without a player: its units hold, and the "
        "rules choose what it disbands.",
        "civil-disorder",
    ),
    Term(
        "coast",
        "The shore of a land province. A few provinces have two, and a fleet stands on "
        "one of them.",
        "board",
    ),
    Term(
        "conditional orders",
        "Retreats, builds and disbands that you write during "
        "movement. They are used if their conditions are met.",
    ),
    Term("convoy", "An order by which a fleet at sea carries an army to another coast.", "convoys"),
    Term("country", "One of the sides in the game. The rules also call it a power.", "game"),
    Term("cut", "A support is cut, and does not count, if the supporting unit is attacked.", "cut"),
    Term("deadline", "When orders close."),
    Term("disband", "To take a unit off the board: in Winter, or instead of a retreat.", "builds"),
    Term("dislodge", "To drive a unit out of its province with a stronger attack.", "dislodged"),
    Term("draft", "A set of orders that you saved. The live draft is the one that counts."),
    Term("draw", "An ending that all remaining players share equally.", "draws"),
    Term("draw vote", "The word DRAW or SURRENDER, written with the orders.", "draws"),
    Term("explanation", "Why an order had its outcome: open it with “Why?” beside a result."),
    Term("fleet", "A unit that moves at sea and along coasts.", "units"),
    Term("hold", "To stay and defend the province.", "orders"),
    Term("home center", "A supply center in which a country may build.", "centers"),
    Term("lock", "The moment orders close. Nothing can be changed after that."),
    Term("move", "To go to a neighboring province.", "move"),
    Term("neutral", "Owned by no country."),
    Term("order", "One instruction to one unit.", "orders"),
    Term("order set", "All orders that one player submits for a phase."),
    Term(
        "outcome",
        "What happened to an order: it succeeded, bounced, was cut or was void.",
        "orders",
    ),
    Term("phase", "One step of a game year: movement, retreats or adjustments.", "year"),
    Term("position", "Where the units stand and who owns which centers."),
    Term("power", "A country, in the words of the rules.", "game"),
    Term("province", "An area of the map: sea, coast or inland.", "board"),
    Term(
        "ready",
        "Your mark that the phase may end before the deadline. It ends when everyone is ready.",
    ),
    Term("retreat", "The move of a dislodged unit to a free province.", "retreats"),
    Term("rule set", "An edition of the rulebook with its choices.", "editions"),
    Term(
        "setup", "How a game starts: who plays which countries, and where the units are.", "fewer"
    ),
    Term("stab", "To attack an ally by surprise."),
    Term("stalemate line", "A line of units that no attacker can break, no matter how strong."),
    Term("standoff", "Two or more equal moves to the same province: nobody gets in.", "standoffs"),
    Term(
        "supply center",
        "A province with a star. It supports one unit of the country that owns it.",
        "centers",
    ),
    Term("support", "An order that adds 1 to the strength of another unit.", "support"),
    Term("turn", "Spring or Fall: a movement phase and what follows it.", "year"),
    Term("unit", "An army or a fleet.", "units"),
    Term(
        "void",
        "Without effect, like an order that is impossible or matches no other order.",
        "mistakes",
    ),
    Term("waive", "To give up a build that you are entitled to.", "builds"),
)
"""All terms, in alphabetical order."""
