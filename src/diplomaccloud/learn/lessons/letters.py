"""Lesson 8: the game is named after what happens between the turns."""

from diplomaccloud.learn.goals import KeepOut, Stand
from diplomaccloud.learn.steps import Lesson, Letter, Step

_LEAVE = "ITALY: A PIE - TYR\nGERMANY: A MUN H"
_ATTACK = "ITALY: A PIE - MAR\nGERMANY: A MUN H"

LESSON = Lesson(
    slug="letters",
    title="Negotiation",
    summary="Talk, promise, trust, and check. The game is named after this.",
    steps=(
        Step(
            title="A friend’s support",
            text=(
                "Between turns, all players talk to each other, in secret if they like. Alone, "
                "you are stuck: every neighbor can stop you. So you need friends.",
                "You may support units of other countries, and they may support yours. Read the "
                "letter from Italy.",
            ),
            mail=(
                (
                    "Italy",
                    "Dear France, attack Munich from Burgundy this turn. My army in Tyrolia will "
                    "support your move. A weaker Germany is good for both of us.",
                ),
            ),
            task="Take Munich with the help of Italy.",
            board="alps",
            power="FRANCE",
            units={"FRANCE": "A BUR", "ITALY": "A TYR", "GERMANY": "A MUN"},
            centers={"FRANCE": "PAR MAR", "ITALY": "VEN", "GERMANY": "MUN"},
            others="ITALY: A TYR S A BUR - MUN\nGERMANY: A MUN H",
            goals=(Stand("MUN"),),
            hints=("Italy supports your move from Burgundy to Munich. So make that move.",),
            solution="A BUR - MUN",
            done="Italy kept its word, and two beat one. Nobody gets far without such friends.",
        ),
        Step(
            title="Write a letter that works",
            text=(
                "This time you ask for something. You want to use both of your armies against "
                "Munich, but then nobody guards Marseilles, and Italy has an army in Piedmont "
                "right beside it.",
                "Other players do what is good for them. A letter that shows what they gain works "
                "better than a threat or a kind word.",
            ),
            task="Take Munich, and keep Italy out of Marseilles.",
            board="alps",
            power="FRANCE",
            units={"FRANCE": "A BUR, A RUH", "ITALY": "A PIE", "GERMANY": "A MUN"},
            centers={"FRANCE": "PAR MAR", "ITALY": "VEN", "GERMANY": "MUN", "AUSTRIA": "TRI"},
            letters=(
                Letter(
                    "Dear Italy, stay out of Marseilles, or you will be sorry.",
                    "France, all your armies are far away. Who is going to make me sorry?",
                    _ATTACK,
                ),
                Letter(
                    "Dear Italy, let us be good friends forever.",
                    "But of course, dear France! The very best of friends.",
                    _ATTACK,
                ),
                Letter(
                    "Dear Italy, Trieste is empty. Turn your army toward it by way of Tyrolia: "
                    "you gain a center, I take Munich, and I will not touch Piedmont.",
                    "Agreed, France. Trieste is worth more to me than a war with you.",
                    _LEAVE,
                ),
            ),
            letter=2,
            goals=(Stand("MUN"), KeepOut("MAR")),
            hints=(
                "Which of the three letters gives Italy something better than Marseilles?",
                "Then order the attack on Munich with support, as you have learned.",
            ),
            solution="A BUR - MUN\nA RUH S A BUR - MUN",
            done=(
                "Italy is on its way to Trieste, and you are in Munich. That is how alliances last."
            ),
        ),
        Step(
            title="A promise is not an order",
            text=(
                "Nothing that players say is binding. They may break every promise, and so may "
                "you. Only orders count.",
                "A good plan still works if a letter turns out to be a lie.",
            ),
            mail=(
                (
                    "Italy",
                    "Dear France, take Belgium with all your armies! I promise to stay in "
                    "Piedmont. You can leave Marseilles empty.",
                ),
            ),
            task="Take Belgium, but do not let anyone into Marseilles.",
            board="west",
            power="FRANCE",
            units={"FRANCE": "A PIC, A BUR, A GAS", "GERMANY": "A BEL", "ITALY": "A PIE"},
            centers={"FRANCE": "PAR BRE MAR", "GERMANY": "BEL MUN"},
            phase="F1902M",
            others="ITALY: A PIE - MAR\nGERMANY: A BEL H",
            goals=(Stand("BEL"), KeepOut("MAR")),
            hints=("Gascony cannot help against Belgium anyway. Where is it useful?",),
            solution="A PIC - BEL\nA BUR S A PIC - BEL\nA GAS - MAR",
            done="Italy lied and moved to Marseilles, but your army from Gascony moved there too, "
            "and both bounced. Trust others, and guard your home.",
        ),
    ),
)
