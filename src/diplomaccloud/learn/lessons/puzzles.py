"""Three puzzles: a whole turn each, with everything that the lessons teach."""

from diplomaccloud.learn.goals import KeepOut, Stand
from diplomaccloud.learn.steps import Lesson, Step

LESSON = Lesson(
    slug="puzzles",
    title="Three whole turns",
    summary="Puzzles that put the lessons together.",
    steps=(
        Step(
            title="The wall",
            text=(
                "Belgium is supported by the Ruhr, and Munich attacks Burgundy to disturb you. "
                "The arrows show what Germany has ordered.",
                "Two of your armies could attack the Ruhr, and three could attack Belgium. Only "
                "one way to divide the work succeeds.",
            ),
            task="Take Belgium, and keep Burgundy and Holland.",
            board="west",
            power="FRANCE",
            units={"FRANCE": "A PIC, A BUR, A HOL", "GERMANY": "A BEL, A RUH, A MUN"},
            centers={"FRANCE": "PAR BRE MAR HOL", "GERMANY": "BEL MUN"},
            others="GERMANY: A BEL H\nA RUH S A BEL\nA MUN - BUR",
            announced=True,
            goals=(Stand("BEL"), KeepOut("BUR"), KeepOut("HOL")),
            hints=(
                "Munich’s attack cuts any support that Burgundy gives. It does not stop Burgundy "
                "from attacking.",
                "Burgundy attacks the Ruhr to cut its support. Then Belgium has strength 1.",
            ),
            solution="A PIC - BEL\nA HOL S A PIC - BEL\nA BUR - RUH",
            done="Burgundy’s attack on the Ruhr failed, and that did not matter: it cut the "
            "support that Belgium needed.",
        ),
        Step(
            title="The crossing",
            text=(
                "Your army is in Yorkshire, and a German army holds Holland. Two German fleets "
                "attack the North Sea together.",
            ),
            task="Take Holland, and keep the North Sea.",
            board="channel",
            power="ENGLAND",
            units={"ENGLAND": "A YOR, F NTH, F EDI, A BEL", "GERMANY": "A HOL, F HEL, F DEN"},
            centers={"ENGLAND": "LON EDI BEL", "GERMANY": "KIE DEN HOL"},
            others="GERMANY: A HOL H\nF HEL - NTH\nF DEN S F HEL - NTH",
            announced=True,
            goals=(Stand("HOL"), Stand("NTH"), Stand("BEL")),
            hints=(
                "The North Sea is busy with the convoy, so another unit must support the attack.",
                "Four orders: a move by convoy, the convoy, a support into Holland, and a support "
                "for the North Sea.",
            ),
            solution="A YOR - HOL\nF NTH C A YOR - HOL\nA BEL S A YOR - HOL\nF EDI S F NTH",
            done="A convoy, two supports and a move, all in one turn. This is how England fights.",
        ),
        Step(
            title="Hold the line",
            text=(
                "Three countries attack you at once. Russia wants Berlin, England wants Kiel, and "
                "both have support. Austria only wants to disturb Munich.",
            ),
            task="Keep all three of your supply centers.",
            board="germany",
            power="GERMANY",
            units={
                "GERMANY": "A BER, A MUN, F KIE, A RUH",
                "RUSSIA": "A PRU, A SIL",
                "AUSTRIA": "A TYR",
                "ENGLAND": "F HEL, F DEN",
            },
            centers={"GERMANY": "BER MUN KIE", "AUSTRIA": "VIE", "ENGLAND": "DEN"},
            phase="F1903M",
            others="RUSSIA: A PRU - BER\nA SIL S A PRU - BER\nAUSTRIA: A TYR - MUN\n"
            "ENGLAND: F HEL - KIE\nF DEN S F HEL - KIE",
            announced=True,
            goals=(Stand("BER"), Stand("MUN"), Stand("KIE")),
            hints=(
                "Munich is attacked, so any support that it gives is cut. What else can it do "
                "against Silesia?",
                "Only the Ruhr is free to support anyone. Kiel needs it.",
            ),
            solution="A BER H\nA MUN - SIL\nF KIE H\nA RUH S F KIE",
            done="Munich cut the support for Russia, the Ruhr supported Kiel, and every attack "
            "bounced.",
        ),
    ),
)
