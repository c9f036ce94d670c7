"""Lesson 3: an attack on a supporting unit cuts its support."""

from diplomaccloud.learn.goals import KeepOut, Stand
from diplomaccloud.learn.steps import Lesson, Step

_CENTERS = {"FRANCE": "PAR MAR", "GERMANY": "MUN"}

LESSON = Lesson(
    slug="cut",
    title="Cut support",
    summary="A unit that is attacked cannot help anyone else.",
    steps=(
        Step(
            title="Disturb the helper",
            text=(
                "A unit that is attacked has to defend itself: its support is cut and does not "
                "count. The attack does not have to succeed. It only has to happen.",
                "Munich attacks Burgundy again, supported by the Ruhr. This time your second army "
                "is in Holland, too far away to support Burgundy.",
            ),
            task="Keep your army in Burgundy.",
            board="burgundy",
            power="FRANCE",
            units={"FRANCE": "A BUR, A HOL", "GERMANY": "A MUN, A RUH"},
            centers={"FRANCE": "PAR MAR HOL", "GERMANY": "MUN"},
            others="GERMANY: A MUN - BUR\nA RUH S A MUN - BUR",
            announced=True,
            goals=(Stand("BUR"), KeepOut("BUR")),
            hints=("Which army gives the support? Attack it from Holland.",),
            solution="A BUR H\nA HOL - RUH",
            done="Your attack on the Ruhr bounced, but it cut the support. Munich attacked with "
            "strength 1, and Burgundy held.",
        ),
        Step(
            title="Use the safe helper",
            text=(
                "The others cut your supports too. Italy’s army in Piedmont attacks Marseilles "
                "this turn, so support from Marseilles will not count.",
            ),
            task="Take Burgundy, and do not lose Marseilles.",
            board="burgundy",
            power="FRANCE",
            units={"FRANCE": "A PAR, A MAR, A GAS", "GERMANY": "A BUR", "ITALY": "A PIE"},
            centers=_CENTERS,
            others="GERMANY: A BUR H\nITALY: A PIE - MAR",
            announced=True,
            goals=(Stand("BUR"), Stand("MAR")),
            hints=("Three armies: one attacks, one supports, one stays to guard Marseilles.",),
            solution="A PAR - BUR\nA GAS S A PAR - BUR\nA MAR H",
            done="Marseilles held alone, one against one, and Gascony’s support was not disturbed.",
        ),
        Step(
            title="The one exception",
            text=(
                "The unit under attack cannot save itself this way. If the attack on your "
                "supporting unit comes from the very province that you attack, the support is not "
                "cut.",
                "The German army in Burgundy attacks Marseilles. See what it gains by that.",
            ),
            task="Drive the German army out of Burgundy.",
            board="burgundy",
            power="FRANCE",
            units={"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR"},
            centers=_CENTERS,
            others="GERMANY: A BUR - MAR",
            announced=True,
            goals=(Stand("BUR"),),
            hints=("Do the same as in the lesson on support.",),
            solution="A PAR - BUR\nA MAR S A PAR - BUR",
            done="The support counted even though Marseilles was attacked. Only if Marseilles had "
            "been dislodged would its support have been lost.",
        ),
    ),
)
