"""Lesson 5: a dislodged unit retreats or is disbanded."""

from diplomaccloud.learn.goals import Save, Stand
from diplomaccloud.learn.steps import Lesson, Step

LESSON = Lesson(
    slug="retreat",
    title="Retreats",
    summary="A dislodged unit can often retreat and fight on.",
    steps=(
        Step(
            title="Where to?",
            text=(
                "Germany has just driven your army out of Burgundy. It is now drawn beside its old "
                "place, and you choose where it retreats.",
                "It may go to any free province next to it, with two exceptions: not to the "
                "province that the attacker came from, and not to a province where units bounced "
                "this turn. If it has nowhere to go, it is disbanded.",
            ),
            task="Retreat to the province with one of your supply centers, to guard it.",
            board="burgundy",
            power="FRANCE",
            units={"FRANCE": "A BUR, A MAR", "GERMANY": "A MUN, A RUH"},
            centers={"FRANCE": "PAR MAR", "GERMANY": "MUN"},
            phase="S1902M",
            before="GERMANY: A MUN - BUR\nA RUH S A MUN - BUR\nFRANCE: A BUR H\nA MAR H",
            goals=(Stand("PAR"),),
            hints=("The blue stars are yours. Marseilles is occupied, so which is left?",),
            solution="A BUR R PAR",
            done="Your army lives on in Paris. A retreat happens between two turns, so it costs "
            "no time.",
        ),
        Step(
            title="Never to the same place",
            text=(
                "Two of your armies were driven out, from Burgundy and from Belgium. Retreats "
                "bounce like moves, but worse: if two units retreat to the same province, both "
                "are disbanded.",
            ),
            task="Save both armies.",
            board="burgundy",
            power="FRANCE",
            units={
                "FRANCE": "A BUR, A BEL, A PAR",
                "GERMANY": "A MUN, A RUH, F HOL, A MAR",
            },
            centers={"FRANCE": "PAR", "GERMANY": "MUN HOL MAR"},
            phase="S1902M",
            before="GERMANY: A MUN - BUR\nA MAR S A MUN - BUR\nA RUH - BEL\nF HOL S A RUH - BEL\n"
            "FRANCE: A BUR H\nA BEL H\nA PAR H",
            goals=(Save(3),),
            hints=("The army from Belgium can go only to Picardy. So leave Picardy free for it.",),
            solution="A BEL R PIC\nA BUR R GAS",
            done="Both armies are safe, because each retreated to a different province.",
        ),
    ),
)
