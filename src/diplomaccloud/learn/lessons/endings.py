"""Lesson 7: how a game is won, or shared."""

from diplomaccloud.learn.goals import Own, Stand, Win
from diplomaccloud.learn.steps import Lesson, Step

LESSON = Lesson(
    slug="ending",
    title="Winning and draws",
    summary="More than half of the supply centers wins. Otherwise, agree to share.",
    steps=(
        Step(
            title="The last center",
            text=(
                "A country that owns more than half of all supply centers after a Fall turn wins "
                "alone. On the whole board that means 18 of 34.",
                "This small board has six centers, so four of them win. You are France, you own "
                "three, and it is Fall. Belgium is empty, and a German army is on its way there.",
            ),
            task="Take a fourth center and win.",
            board="west",
            power="FRANCE",
            units={"FRANCE": "A PIC, A BUR, A MAR", "GERMANY": "A RUH, A MUN"},
            centers={"FRANCE": "BRE PAR MAR", "GERMANY": "BEL HOL MUN"},
            phase="F1905M",
            others="GERMANY: A RUH - BEL\nA MUN H",
            announced=True,
            goals=(Win(("FRANCE",)),),
            hints=("Two of your armies are next to Belgium, and two beat one.",),
            solution="A PIC - BEL\nA BUR S A PIC - BEL\nA MAR H",
            done="You own four of six centers, and the game is over. You have won.",
        ),
        Step(
            title="Stop the leader",
            text=(
                "More often, it is someone else who is about to win. Then all others unite "
                "against the leader.",
                "Germany owns three centers and attacks Belgium from the Ruhr, supported by "
                "Holland. With Belgium it would win.",
            ),
            task="Keep Belgium, so that nobody wins this year.",
            board="west",
            power="FRANCE",
            units={"FRANCE": "A BEL, A PIC, A GAS", "GERMANY": "A RUH, F HOL, A MAR"},
            centers={"FRANCE": "BRE PAR BEL", "GERMANY": "HOL MUN MAR"},
            phase="F1906M",
            others="GERMANY: A RUH - BEL\nF HOL S A RUH - BEL\nA MAR H",
            announced=True,
            goals=(Own("BEL"), Stand("BEL"), Win()),
            hints=("You know this from the lesson on support: two against two holds.",),
            solution="A BEL H\nA PIC S A BEL\nA GAS H",
            done="Germany did not win, and the game goes on.",
        ),
        Step(
            title="Share the game",
            text=(
                "Sometimes nobody can make progress anymore. Then the players can end the game in "
                "a draw. Everyone still in it shares the result equally, no matter who owns more "
                "centers.",
                "You vote with your orders, and all votes are secret until the turn is "
                "over. The game ends if all players vote for a draw. A player who surrenders "
                "leaves the game and shares nothing. Germany and Italy want the draw.",
            ),
            task="End the game so that you share it with Germany and Italy.",
            board="west",
            power="FRANCE",
            units={"FRANCE": "A PAR, A GAS", "GERMANY": "A BUR, A BEL", "ITALY": "A PIE, A MAR"},
            centers={"FRANCE": "BRE PAR", "GERMANY": "BEL MUN", "ITALY": "MAR"},
            phase="S1908M",
            others="GERMANY: A BUR H\nA BEL H\nITALY: A PIE H\nA MAR H",
            votes={"GERMANY": "draw", "ITALY": "draw"},
            vote="draw",
            goals=(Win(("FRANCE", "GERMANY", "ITALY")),),
            hints=("You can choose your vote below your orders.",),
            solution="A PAR H\nA GAS H",
            done="All three voted for a draw, so the game ended and all three share it.",
        ),
    ),
)
