"""Lesson 2: two units are stronger than one."""

from diplomaccloud.learn.goals import KeepOut, Stand
from diplomaccloud.learn.steps import Lesson, Step

_CENTERS = {"FRANCE": "PAR MAR", "GERMANY": "MUN HOL"}

LESSON = Lesson(
    slug="support",
    title="Support",
    summary="One unit lends its strength to another. Without support, hardly anything is ever won.",
    steps=(
        Step(
            title="Two against one",
            text=(
                "You are France. A German army is in Burgundy. An attack by one army would "
                "only bounce, because both are equally strong.",
                "But a unit can support another. It stays where it is and adds its strength to "
                "the other unit’s move. Two against one wins: the army in Burgundy is dislodged, "
                "which means that it must leave.",
            ),
            task="Drive the German army out of Burgundy.",
            board="burgundy",
            power="FRANCE",
            units={"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR"},
            centers=_CENTERS,
            others="GERMANY: A BUR H",
            goals=(Stand("BUR"),),
            hints=(
                "One army moves to Burgundy; the other supports that move.",
                "Order Paris to move to Burgundy. Then choose Marseilles, “Support”, the army in "
                "Paris, and Burgundy.",
            ),
            solution="A PAR - BUR\nA MAR S A PAR - BUR",
            done="Strength 2 beat strength 1. The supporting army stayed in Marseilles.",
        ),
        Step(
            title="Support a unit that stays",
            text=(
                "Support helps defenders too. Two German armies are coming: Munich attacks "
                "Burgundy, and the Ruhr supports the attack. That makes two.",
                "Your army in Burgundy has only its own strength, unless Paris supports it.",
            ),
            task="Keep your army in Burgundy.",
            board="burgundy",
            power="FRANCE",
            units={"FRANCE": "A BUR, A PAR", "GERMANY": "A MUN, A RUH"},
            centers=_CENTERS,
            others="GERMANY: A MUN - BUR\nA RUH S A MUN - BUR",
            announced=True,
            goals=(Stand("BUR"), KeepOut("BUR")),
            hints=(
                "Leave Burgundy where it is. Choose Paris, “Support”, the army in Burgundy, “to "
                "hold where it is”.",
            ),
            solution="A BUR H\nA PAR S A BUR",
            done="Two against two is not enough for the attacker. To win, an attack must be "
            "stronger than the defense.",
        ),
        Step(
            title="Who can help?",
            text=(
                "A unit can support only into a province that it could move to itself. An army in "
                "Gascony is too far from Belgium to help there.",
            ),
            task="Take Belgium.",
            board="burgundy",
            power="FRANCE",
            units={"FRANCE": "A PIC, A BUR, A GAS", "GERMANY": "A BEL"},
            centers={"FRANCE": "PAR MAR", "GERMANY": "MUN HOL BEL"},
            others="GERMANY: A BEL H",
            goals=(Stand("BEL"),),
            hints=("Picardy and Burgundy are next to Belgium. Gascony can hold.",),
            solution="A PIC - BEL\nA BUR S A PIC - BEL\nA GAS H",
            done="Now you know the most important rule of the game. Everything else is about "
            "getting support, or taking it away.",
        ),
    ),
)
