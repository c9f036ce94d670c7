"""Lesson 6: centers are counted after Fall; then units are built and disbanded."""

from diplomaccloud.learn.goals import Own, Stand
from diplomaccloud.learn.steps import Lesson, Step

LESSON = Lesson(
    slug="builds",
    title="Builds and disbands",
    summary="Supply centers feed your units. They are counted after Fall.",
    steps=(
        Step(
            title="Take a supply center",
            text=(
                "A year has two turns, Spring and Fall. After Fall, each supply center belongs to "
                "the country whose unit is in it. It stays yours when the unit leaves, until "
                "another country takes it in some later Fall.",
                "It is Fall 1901. Two centers nearby belong to nobody.",
            ),
            task="Own Holland and Denmark at the end of this Fall.",
            board="germany",
            power="GERMANY",
            units={"GERMANY": "A RUH, F KIE, A MUN"},
            centers={"GERMANY": "BER KIE MUN", "AUSTRIA": "VIE"},
            phase="F1901M",
            goals=(Own("HOL"), Own("DEN")),
            hints=("The army in the Ruhr is next to Holland, the fleet in Kiel next to Denmark.",),
            solution="A RUH - HOL\nF KIE - DEN\nA MUN H",
            done="You own five centers now, but you have only three units. So you may build two.",
        ),
        Step(
            title="Build",
            text=(
                "In Winter, every country may have as many units as it has supply centers. You "
                "have five centers and three units, so you build two.",
                "You can build only at home: in a supply center that was yours at the start of "
                "the game, that you still own, and that is empty.",
            ),
            task="Build an army in Munich and a fleet in Kiel.",
            board="germany",
            power="GERMANY",
            units={"GERMANY": "A HOL, F DEN, A RUH"},
            centers={"GERMANY": "BER KIE MUN HOL DEN", "AUSTRIA": "VIE"},
            phase="W1901A",
            goals=(Stand("A MUN"), Stand("F KIE")),
            hints=("There are two lines, one for each build. A fleet must be built on a coast.",),
            solution="A MUN B\nF KIE B",
            done="Five centers, five units. More units take more centers, so countries grow.",
        ),
        Step(
            title="Disband",
            text=(
                "It works the other way around, too. Russia took Berlin from you, so you have "
                "four units but only three centers. One unit has to go, and you choose which.",
                "A French army in Holland and the Russian army in Berlin threaten your centers. A "
                "center with a unit in it is hard to take.",
            ),
            task="Disband one unit, and keep all three of your supply centers guarded.",
            board="germany",
            power="GERMANY",
            units={
                "GERMANY": "A KIE, A MUN, F DEN, F HEL",
                "RUSSIA": "A BER",
                "FRANCE": "A HOL",
            },
            centers={"GERMANY": "KIE MUN DEN", "RUSSIA": "BER", "FRANCE": "HOL"},
            phase="W1902A",
            goals=(Stand("KIE"), Stand("MUN"), Stand("DEN")),
            hints=("Your centers are Kiel, Munich and Denmark. Which unit guards none of them?",),
            solution="F HEL D",
            done="The fleet in the Helgoland Bight is gone, and every center has a guard.",
        ),
    ),
)
