"""Lesson 4: fleets carry armies across the sea."""

from diplomaccloud.learn.goals import Stand
from diplomaccloud.learn.steps import Lesson, Step

_CENTERS = {"ENGLAND": "LON EDI", "GERMANY": "KIE DEN"}

LESSON = Lesson(
    slug="convoy",
    title="Convoys",
    summary="Fleets at sea carry an army from coast to coast in a single turn.",
    steps=(
        Step(
            title="Across the North Sea",
            text=(
                "You are England, and your army in London cannot swim. A fleet at sea can carry "
                "it: this is called a convoy. The fleet stays where it is.",
                "It takes two orders that fit together. The army is ordered to move to the far "
                "coast, and the fleet is ordered to convoy that army to that place.",
            ),
            task="Bring your army from London to Holland.",
            board="channel",
            power="ENGLAND",
            units={"ENGLAND": "A LON, F NTH"},
            centers=_CENTERS,
            goals=(Stand("A HOL"),),
            hints=(
                "Tap the army in London, then Holland. Then choose the fleet in the North Sea, "
                "“Convoy”, the army in London, and Holland.",
            ),
            solution="A LON - HOL\nF NTH C A LON - HOL",
            done="The army crossed the sea in one turn, and the fleet is still in the North Sea.",
        ),
        Step(
            title="A chain of fleets",
            text=(
                "Several fleets next to each other form a chain, and an army can cross all their "
                "seas in one turn. Every fleet must convoy the same army to the same place.",
            ),
            task="Bring your army from Yorkshire to Kiel.",
            board="channel",
            power="ENGLAND",
            units={"ENGLAND": "A YOR, F NTH, F HEL"},
            centers={"ENGLAND": "LON EDI", "GERMANY": "DEN"},
            goals=(Stand("A KIE"),),
            hints=("Three orders: the army moves to Kiel, and both fleets convoy it to Kiel.",),
            solution="A YOR - KIE\nF NTH C A YOR - KIE\nF HEL C A YOR - KIE",
            done="Two fleets made a bridge over two seas.",
        ),
        Step(
            title="Protect the convoy",
            text=(
                "A convoy fails if its fleet is dislodged. An attack that does not dislodge the "
                "fleet does no harm.",
                "Germany attacks the North Sea from Denmark, with support from the Helgoland "
                "Bight. That is two against your one.",
            ),
            task="Bring your army from London to Belgium.",
            board="channel",
            power="ENGLAND",
            units={"ENGLAND": "A LON, F NTH, F EDI", "GERMANY": "F DEN, F HEL"},
            centers=_CENTERS,
            others="GERMANY: F DEN - NTH\nF HEL S F DEN - NTH",
            announced=True,
            goals=(Stand("A BEL"),),
            hints=("The fleet in Edinburgh can support the fleet in the North Sea where it is.",),
            solution="A LON - BEL\nF NTH C A LON - BEL\nF EDI S F NTH",
            done="Two against two: the fleet was not dislodged, and the army arrived.",
        ),
    ),
)
