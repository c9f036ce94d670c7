"""Lesson 1: units move, and equal units bounce."""

from diplomaccloud.learn.goals import Stand, Standoff
from diplomaccloud.learn.steps import Lesson, Step

_HOME = {"GERMANY": "BER KIE MUN", "AUSTRIA": "VIE"}

LESSON = Lesson(
    slug="move",
    title="Move and bounce",
    summary="Armies, fleets, and what happens when two units want the same place.",
    steps=(
        Step(
            title="An army marches",
            text=(
                "This board is a small part of Europe. You are Germany, and the gray-green "
                "provinces from the Ruhr to Prussia are yours. Your army is the piece with the "
                "cannon.",
                "Each turn you give every unit one order. Then the orders of all players are "
                "carried out at the same moment. An army moves over land, to a province next to "
                "its own.",
            ),
            task="Get your army from Munich into Kiel.",
            board="germany",
            power="GERMANY",
            units={"GERMANY": "A MUN"},
            centers=_HOME,
            goals=(Stand("A KIE"),),
            hints=("Tap the army in Munich, then tap Kiel, then press the button.",),
            solution="A MUN - KIE",
            done="Your army is in Kiel. A unit moves one province in a turn, never farther.",
        ),
        Step(
            title="A fleet sails",
            text=(
                "The ship is a fleet. A fleet moves on the seas and along the coast: it can enter "
                "a land province that touches the water. It can never go inland, and an army can "
                "never go to sea.",
                "The stars are supply centers. The more of them a country owns, the more units it "
                "can have, so everyone wants them.",
            ),
            task="Take Denmark with your fleet and Holland with your army, in one turn.",
            board="germany",
            power="GERMANY",
            units={"GERMANY": "F KIE, A RUH"},
            centers=_HOME,
            goals=(Stand("F DEN"), Stand("A HOL")),
            hints=(
                "Give two orders before you press the button: one to the fleet in Kiel, one to "
                "the army in the Ruhr.",
            ),
            solution="F KIE - DEN\nA RUH - HOL",
            done="Both units moved in the same turn. Every unit gets its own order.",
        ),
        Step(
            title="Two want the same place",
            text=(
                "All units are equally strong, armies and fleets alike. If two of them move to "
                "the same province, neither gets in. Both stay where they were: they bounce.",
                "Austria’s army in Vienna is about to move to Bohemia; the arrow shows it. In a "
                "real game you would have to guess, because orders are secret.",
            ),
            task="Keep Austria out of Bohemia.",
            board="germany",
            power="GERMANY",
            units={"GERMANY": "A MUN", "AUSTRIA": "A VIE"},
            centers=_HOME,
            others="AUSTRIA: A VIE - BOH",
            announced=True,
            goals=(Standoff("BOH"),),
            hints=("A bounce keeps both out. Which province do you have to move to?",),
            solution="A MUN - BOH",
            done="Both armies bounced, and Bohemia stays empty. A bounce is often exactly what "
            "you want.",
        ),
        Step(
            title="All at the same moment",
            text=(
                "A province that is occupied now may be free at the end of the turn, because its "
                "unit leaves. So units can follow each other.",
                "But two units cannot swap places. And if the unit in front bounces, the unit "
                "behind it bounces too.",
            ),
            task="Move both armies west: from Berlin to Kiel, and from Kiel to Holland.",
            board="germany",
            power="GERMANY",
            units={"GERMANY": "A BER, A KIE"},
            centers=_HOME,
            goals=(Stand("A KIE"), Stand("A HOL")),
            hints=("Order both armies to move. There is nothing wrong with moving into Kiel.",),
            solution="A BER - KIE\nA KIE - HOL",
            done="The army from Kiel left, and the army from Berlin took its place.",
        ),
    ),
)
