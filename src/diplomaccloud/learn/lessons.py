"""The eight lessons and the puzzles, in the order in which they are learned."""

from functools import partial

from diplomaccloud.learn.steps import (
    Lesson,
    Letter,
    Step,
    keeps_out,
    keeps_units,
    owns,
    stands,
    stands_off,
    wins,
)

_german_step = partial(Step, board="germany", power="GERMANY")
_french_step = partial(Step, board="burgundy", power="FRANCE")
_english_step = partial(Step, board="channel", power="ENGLAND")
_western_step = partial(Step, board="west", power="FRANCE")
_alpine_step = partial(Step, board="alps", power="FRANCE")

_MOVING_HOME = {"GERMANY": "BER KIE MUN", "AUSTRIA": "VIE"}

MOVING = Lesson(
    slug="move",
    title="Move and bounce",
    summary="Armies, fleets, and what happens when two units want the same place.",
    steps=(
        _german_step(
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
            first_taps="the army, then Kiel, then the button.",
            units={"GERMANY": "A MUN"},
            centers=_MOVING_HOME,
            goals=(stands("A KIE"),),
            hints=("Choose the army in Munich, then Kiel, then press the button.",),
            solution="A MUN - KIE",
            done="Your army is in Kiel. A unit moves one province in a turn, never farther.",
        ),
        _german_step(
            title="A fleet sails",
            text=(
                "The ship is a fleet. A fleet moves on the seas and along the coast: it can enter "
                "a land province that touches the water. It can never go inland, and an army can "
                "never go to sea.",
                "The stars are supply centers. The more of them a country owns, the more units it "
                "can have, so everyone wants them.",
            ),
            task="Take Denmark with your fleet and Holland with your army, in one turn.",
            units={"GERMANY": "F KIE, A RUH"},
            centers=_MOVING_HOME,
            goals=(stands("F DEN"), stands("A HOL")),
            hints=(
                "Give two orders before you press the button: one to the fleet in Kiel, one to "
                "the army in the Ruhr.",
            ),
            solution="F KIE - DEN\nA RUH - HOL",
            done="Both units moved in the same turn. Every unit gets its own order.",
        ),
        _german_step(
            title="Two want the same place",
            text=(
                "All units are equally strong, armies and fleets alike. If two of them move to "
                "the same province, neither gets in. Both stay where they were: they bounce.",
                "Austria’s army in Vienna is about to move to Bohemia; the arrow shows it. In a "
                "real game you would have to guess, because orders are secret.",
            ),
            task="Keep Austria out of Bohemia.",
            units={"GERMANY": "A MUN", "AUSTRIA": "A VIE"},
            centers=_MOVING_HOME,
            others="AUSTRIA: A VIE - BOH",
            announced=True,
            goals=(stands_off("BOH"),),
            hints=("A bounce keeps both out. Which province do you have to move to?",),
            solution="A MUN - BOH",
            done="Both armies bounced, and Bohemia stays empty. A bounce is often exactly what "
            "you want.",
        ),
        _german_step(
            title="All at the same moment",
            text=(
                "A province that is occupied now may be free at the end of the turn, because its "
                "unit leaves. So units can follow each other.",
                "But two units cannot swap places. And if the unit in front bounces, the unit "
                "behind it bounces too.",
            ),
            task="Move both armies west: from Berlin to Kiel, and from Kiel to Holland.",
            units={"GERMANY": "A BER, A KIE"},
            centers=_MOVING_HOME,
            goals=(stands("A KIE"), stands("A HOL")),
            hints=("Order both armies to move. There is nothing wrong with moving into Kiel.",),
            solution="A BER - KIE\nA KIE - HOL",
            done="The army from Kiel left, and the army from Berlin took its place.",
        ),
    ),
)

_SUPPORT_CENTERS = {"FRANCE": "PAR MAR", "GERMANY": "MUN HOL"}

SUPPORT = Lesson(
    slug="support",
    title="Support",
    summary="One unit lends its strength to another. Without support, hardly anything is ever won.",
    steps=(
        _french_step(
            title="Two against one",
            text=(
                "You are France. A German army is in Burgundy. An attack by one army would "
                "only bounce, because both are equally strong.",
                "But a unit can support another. It stays where it is and adds its strength to "
                "the other unit’s move. Two against one wins: the army in Burgundy is dislodged, "
                "which means that it must leave.",
            ),
            task="Drive the German army out of Burgundy.",
            units={"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR"},
            centers=_SUPPORT_CENTERS,
            others="GERMANY: A BUR H",
            goals=(stands("BUR"),),
            hints=(
                "One army moves to Burgundy; the other supports that move.",
                "Order Paris to move to Burgundy. Then choose Marseilles, “Support”, the army in "
                "Paris, and Burgundy.",
            ),
            solution="A PAR - BUR\nA MAR S A PAR - BUR",
            done="Strength 2 beat strength 1. The supporting army stayed in Marseilles.",
        ),
        _french_step(
            title="Support a unit that stays",
            text=(
                "Support helps defenders too. Two German armies are coming: Munich attacks "
                "Burgundy, and the Ruhr supports the attack. That makes two.",
                "Your army in Burgundy has only its own strength, unless Paris supports it.",
            ),
            task="Keep your army in Burgundy.",
            units={"FRANCE": "A BUR, A PAR", "GERMANY": "A MUN, A RUH"},
            centers=_SUPPORT_CENTERS,
            others="GERMANY: A MUN - BUR\nA RUH S A MUN - BUR",
            announced=True,
            goals=(stands("BUR"), keeps_out("BUR")),
            hints=(
                "Leave Burgundy where it is. Choose Paris, “Support”, the army in Burgundy, “to "
                "hold where it is”.",
            ),
            solution="A BUR H\nA PAR S A BUR",
            done="Two against two is not enough for the attacker. To win, an attack must be "
            "stronger than the defense.",
        ),
        _french_step(
            title="Who can help?",
            text=(
                "A unit can support only into a province that it could move to itself. An army in "
                "Gascony is too far from Belgium to help there.",
            ),
            task="Take Belgium.",
            units={"FRANCE": "A PIC, A BUR, A GAS", "GERMANY": "A BEL"},
            centers={"FRANCE": "PAR MAR", "GERMANY": "MUN HOL BEL"},
            others="GERMANY: A BEL H",
            goals=(stands("BEL"),),
            hints=("Picardy and Burgundy are next to Belgium. Gascony can hold.",),
            solution="A PIC - BEL\nA BUR S A PIC - BEL\nA GAS H",
            done="Now you know the most important rule of the game. Everything else is about "
            "getting support, or taking it away.",
        ),
    ),
)

_CUTTING_CENTERS = {"FRANCE": "PAR MAR", "GERMANY": "MUN"}

CUTTING = Lesson(
    slug="cut",
    title="Cut support",
    summary="A unit that is attacked cannot help anyone else.",
    steps=(
        _french_step(
            title="Disturb the helper",
            text=(
                "A unit that is attacked has to defend itself: its support is cut and does not "
                "count. The attack does not have to succeed. It only has to happen.",
                "Munich attacks Burgundy again, supported by the Ruhr. This time your second army "
                "is in Holland, too far away to support Burgundy.",
            ),
            task="Keep your army in Burgundy.",
            units={"FRANCE": "A BUR, A HOL", "GERMANY": "A MUN, A RUH"},
            centers={"FRANCE": "PAR MAR HOL", "GERMANY": "MUN"},
            others="GERMANY: A MUN - BUR\nA RUH S A MUN - BUR",
            announced=True,
            goals=(stands("BUR"), keeps_out("BUR")),
            hints=("Which army gives the support? Attack it from Holland.",),
            solution="A BUR H\nA HOL - RUH",
            done="Your attack on the Ruhr bounced, but it cut the support. Munich attacked with "
            "strength 1, and Burgundy held.",
        ),
        _french_step(
            title="Use the safe helper",
            text=(
                "The others cut your supports too. Italy’s army in Piedmont attacks Marseilles "
                "this turn, so support from Marseilles will not count.",
            ),
            task="Take Burgundy, and do not lose Marseilles.",
            units={"FRANCE": "A PAR, A MAR, A GAS", "GERMANY": "A BUR", "ITALY": "A PIE"},
            centers=_CUTTING_CENTERS,
            others="GERMANY: A BUR H\nITALY: A PIE - MAR",
            announced=True,
            goals=(stands("BUR"), stands("MAR")),
            hints=("Three armies: one attacks, one supports, one stays to guard Marseilles.",),
            solution="A PAR - BUR\nA GAS S A PAR - BUR\nA MAR H",
            done="Marseilles held alone, one against one, and Gascony’s support was not disturbed.",
        ),
        _french_step(
            title="The one exception",
            text=(
                "The unit under attack cannot save itself this way. If the attack on your "
                "supporting unit comes from the very province that you attack, the support is not "
                "cut.",
                "The German army in Burgundy attacks Marseilles. See what it gains by that.",
            ),
            task="Drive the German army out of Burgundy.",
            units={"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR"},
            centers=_CUTTING_CENTERS,
            others="GERMANY: A BUR - MAR",
            announced=True,
            goals=(stands("BUR"),),
            hints=("Do the same as in the lesson on support.",),
            solution="A PAR - BUR\nA MAR S A PAR - BUR",
            done="The support counted even though Marseilles was attacked. Only if Marseilles had "
            "been dislodged would its support have been lost.",
        ),
    ),
)

_CONVOYS_CENTERS = {"ENGLAND": "LON EDI", "GERMANY": "KIE DEN"}

CONVOYS = Lesson(
    slug="convoy",
    title="Convoys",
    summary="Fleets at sea carry an army from coast to coast in a single turn.",
    steps=(
        _english_step(
            title="Across the North Sea",
            text=(
                "You are England, and your army in London cannot swim. A fleet at sea can carry "
                "it: this is called a convoy. The fleet stays where it is.",
                "It takes two orders that fit together. The army is ordered to move to the far "
                "coast, and the fleet is ordered to convoy that army to that place.",
            ),
            task="Bring your army from London to Holland.",
            units={"ENGLAND": "A LON, F NTH"},
            centers=_CONVOYS_CENTERS,
            goals=(stands("A HOL"),),
            hints=(
                "Choose the army in London, then Holland. Then choose the fleet in the North Sea, "
                "“Convoy”, the army in London, and Holland.",
            ),
            solution="A LON - HOL\nF NTH C A LON - HOL",
            done="The army crossed the sea in one turn, and the fleet is still in the North Sea.",
        ),
        _english_step(
            title="A chain of fleets",
            text=(
                "Several fleets next to each other form a chain, and an army can cross all their "
                "seas in one turn. Every fleet must convoy the same army to the same place.",
            ),
            task="Bring your army from Yorkshire to Kiel.",
            units={"ENGLAND": "A YOR, F NTH, F HEL"},
            centers={"ENGLAND": "LON EDI", "GERMANY": "DEN"},
            goals=(stands("A KIE"),),
            hints=("Three orders: the army moves to Kiel, and both fleets convoy it to Kiel.",),
            solution="A YOR - KIE\nF NTH C A YOR - KIE\nF HEL C A YOR - KIE",
            done="Two fleets made a bridge over two seas.",
        ),
        _english_step(
            title="Protect the convoy",
            text=(
                "A convoy fails if its fleet is dislodged. An attack that does not dislodge the "
                "fleet does no harm.",
                "Germany attacks the North Sea from Denmark, with support from the Helgoland "
                "Bight. That is two against your one.",
            ),
            task="Bring your army from London to Belgium.",
            units={"ENGLAND": "A LON, F NTH, F EDI", "GERMANY": "F DEN, F HEL"},
            centers=_CONVOYS_CENTERS,
            others="GERMANY: F DEN - NTH\nF HEL S F DEN - NTH",
            announced=True,
            goals=(stands("A BEL"),),
            hints=("The fleet in Edinburgh can support the fleet in the North Sea where it is.",),
            solution="A LON - BEL\nF NTH C A LON - BEL\nF EDI S F NTH",
            done="Two against two: the fleet was not dislodged, and the army arrived.",
        ),
    ),
)

RETREATS = Lesson(
    slug="retreat",
    title="Retreats",
    summary="A dislodged unit can often retreat and fight on.",
    steps=(
        _french_step(
            title="Where to?",
            text=(
                "Germany has just driven your army out of Burgundy. It is now drawn beside its old "
                "place, and you choose where it retreats.",
                "It may go to any free province next to it, with two exceptions: not to the "
                "province that the attacker came from, and not to a province where units bounced "
                "this turn. If it has nowhere to go, it is disbanded.",
            ),
            task="Retreat to the province with one of your supply centers, to guard it.",
            units={"FRANCE": "A BUR, A MAR", "GERMANY": "A MUN, A RUH"},
            centers={"FRANCE": "PAR MAR", "GERMANY": "MUN"},
            phase="S1902M",
            before="GERMANY: A MUN - BUR\nA RUH S A MUN - BUR\nFRANCE: A BUR H\nA MAR H",
            goals=(stands("PAR"),),
            hints=("The blue stars are yours. Marseilles is occupied, so which is left?",),
            solution="A BUR R PAR",
            done="Your army lives on in Paris. A retreat happens between two turns, so it costs "
            "no time.",
        ),
        _french_step(
            title="Never to the same place",
            text=(
                "Two of your armies were driven out, from Burgundy and from Belgium. Retreats "
                "bounce like moves, but worse: if two units retreat to the same province, both "
                "are disbanded.",
            ),
            task="Save both armies.",
            units={
                "FRANCE": "A BUR, A BEL, A PAR",
                "GERMANY": "A MUN, A RUH, F HOL, A MAR",
            },
            centers={"FRANCE": "PAR", "GERMANY": "MUN HOL MAR"},
            phase="S1902M",
            before="GERMANY: A MUN - BUR\nA MAR S A MUN - BUR\nA RUH - BEL\nF HOL S A RUH - BEL\n"
            "FRANCE: A BUR H\nA BEL H\nA PAR H",
            goals=(keeps_units(3),),
            hints=("The army from Belgium can go only to Picardy. So leave Picardy free for it.",),
            solution="A BEL R PIC\nA BUR R GAS",
            done="Both armies are safe, because each retreated to a different province.",
        ),
    ),
)

BUILDS = Lesson(
    slug="builds",
    title="Builds and disbands",
    summary="Supply centers feed your units. They are counted after Fall.",
    steps=(
        _german_step(
            title="Take a supply center",
            text=(
                "A year has two turns, Spring and Fall. After Fall, each supply center belongs to "
                "the country whose unit is in it. It stays yours when the unit leaves, until "
                "another country takes it in some later Fall.",
                "It is Fall 1901. Two centers nearby belong to nobody.",
            ),
            task="Own Holland and Denmark at the end of this Fall.",
            units={"GERMANY": "A RUH, F KIE, A MUN"},
            centers={"GERMANY": "BER KIE MUN", "AUSTRIA": "VIE"},
            phase="F1901M",
            goals=(owns("HOL"), owns("DEN")),
            hints=("The army in the Ruhr is next to Holland, the fleet in Kiel next to Denmark.",),
            solution="A RUH - HOL\nF KIE - DEN\nA MUN H",
            done="You own five centers now, but you have only three units. So you may build two.",
        ),
        _german_step(
            title="Build",
            text=(
                "In Winter, every country may have as many units as it has supply centers. You "
                "have five centers and three units, so you build two.",
                "You can build only at home: in a supply center that was yours at the start of "
                "the game, that you still own, and that is empty.",
            ),
            task="Build an army in Munich and a fleet in Kiel.",
            units={"GERMANY": "A HOL, F DEN, A RUH"},
            centers={"GERMANY": "BER KIE MUN HOL DEN", "AUSTRIA": "VIE"},
            phase="W1901A",
            goals=(stands("A MUN"), stands("F KIE")),
            hints=("There are two lines, one for each build. A fleet must be built on a coast.",),
            solution="A MUN B\nF KIE B",
            done="Five centers, five units. More units take more centers, so countries grow.",
        ),
        _german_step(
            title="Disband",
            text=(
                "It works the other way around, too. Russia took Berlin from you, so you have "
                "four units but only three centers. One unit has to go, and you choose which.",
                "A French army in Holland and the Russian army in Berlin threaten your centers. A "
                "center with a unit in it is hard to take.",
            ),
            task="Disband one unit, and keep all three of your supply centers guarded.",
            units={
                "GERMANY": "A KIE, A MUN, F DEN, F HEL",
                "RUSSIA": "A BER",
                "FRANCE": "A HOL",
            },
            centers={"GERMANY": "KIE MUN DEN", "RUSSIA": "BER", "FRANCE": "HOL"},
            phase="W1902A",
            goals=(stands("KIE"), stands("MUN"), stands("DEN")),
            hints=("Your centers are Kiel, Munich and Denmark. Which unit guards none of them?",),
            solution="F HEL D",
            done="The fleet in the Helgoland Bight is gone, and every center has a guard.",
        ),
    ),
)

ENDINGS = Lesson(
    slug="ending",
    title="Winning and draws",
    summary="More than half of the supply centers wins. Otherwise, agree to share.",
    steps=(
        _western_step(
            title="The last center",
            text=(
                "A country that owns more than half of all supply centers after a Fall turn wins "
                "alone. On the whole board that means 18 of 34.",
                "This small board has six centers, so four of them win. You are France, you own "
                "three, and it is Fall. Belgium is empty, and a German army is on its way there.",
            ),
            task="Take a fourth center and win.",
            units={"FRANCE": "A PIC, A BUR, A MAR", "GERMANY": "A RUH, A MUN"},
            centers={"FRANCE": "BRE PAR MAR", "GERMANY": "BEL HOL MUN"},
            phase="F1905M",
            others="GERMANY: A RUH - BEL\nA MUN H",
            announced=True,
            goals=(wins("FRANCE"),),
            hints=("Two of your armies are next to Belgium, and two beat one.",),
            solution="A PIC - BEL\nA BUR S A PIC - BEL\nA MAR H",
            done="You own four of six centers, and the game is over. You have won.",
        ),
        _western_step(
            title="Stop the leader",
            text=(
                "More often, it is someone else who is about to win. Then all others unite "
                "against the leader.",
                "Germany owns three centers and attacks Belgium from the Ruhr, supported by "
                "Holland. With Belgium it would win.",
            ),
            task="Keep Belgium, so that nobody wins this year.",
            units={"FRANCE": "A BEL, A PIC, A GAS", "GERMANY": "A RUH, F HOL, A MAR"},
            centers={"FRANCE": "BRE PAR BEL", "GERMANY": "HOL MUN MAR"},
            phase="F1906M",
            others="GERMANY: A RUH - BEL\nF HOL S A RUH - BEL\nA MAR H",
            announced=True,
            goals=(owns("BEL"), stands("BEL"), wins()),
            hints=("You know this from the lesson on support: two against two holds.",),
            solution="A BEL H\nA PIC S A BEL\nA GAS H",
            done="Germany did not win, and the game goes on.",
        ),
        _western_step(
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
            units={"FRANCE": "A PAR, A GAS", "GERMANY": "A BUR, A BEL", "ITALY": "A PIE, A MAR"},
            centers={"FRANCE": "BRE PAR", "GERMANY": "BEL MUN", "ITALY": "MAR"},
            phase="S1908M",
            others="GERMANY: A BUR H\nA BEL H\nITALY: A PIE H\nA MAR H",
            votes={"GERMANY": "draw", "ITALY": "draw"},
            vote="draw",
            goals=(wins("FRANCE", "GERMANY", "ITALY"),),
            hints=("You can choose your vote below your orders.",),
            solution="A PAR H\nA GAS H",
            done="All three voted for a draw, so the game ended and all three share it.",
        ),
    ),
)

_LEAVE = "ITALY: A PIE - TYR\nGERMANY: A MUN H"
_ATTACK = "ITALY: A PIE - MAR\nGERMANY: A MUN H"

LETTERS = Lesson(
    slug="letters",
    title="Negotiation",
    summary="Talk, promise, trust, and check. The game is named after this.",
    steps=(
        _alpine_step(
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
            units={"FRANCE": "A BUR", "ITALY": "A TYR", "GERMANY": "A MUN"},
            centers={"FRANCE": "PAR MAR", "ITALY": "VEN", "GERMANY": "MUN"},
            others="ITALY: A TYR S A BUR - MUN\nGERMANY: A MUN H",
            goals=(stands("MUN"),),
            hints=("Italy supports your move from Burgundy to Munich. So make that move.",),
            solution="A BUR - MUN",
            done="Italy kept its word, and two beat one. Nobody gets far without such friends.",
        ),
        _alpine_step(
            title="Write a letter that works",
            text=(
                "This time you ask for something. You want to use both of your armies against "
                "Munich, but then nobody guards Marseilles, and Italy has an army in Piedmont "
                "right beside it.",
                "Other players do what is good for them. A letter that shows what they gain works "
                "better than a threat or a kind word.",
            ),
            task="Take Munich, and keep Italy out of Marseilles.",
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
            goals=(stands("MUN"), keeps_out("MAR")),
            hints=(
                "Which of the three letters gives Italy something better than Marseilles?",
                "Then order the attack on Munich with support, as you have learned.",
            ),
            solution="A BUR - MUN\nA RUH S A BUR - MUN",
            done=(
                "Italy is on its way to Trieste, and you are in Munich. That is how alliances last."
            ),
        ),
        _western_step(
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
            units={"FRANCE": "A PIC, A BUR, A GAS", "GERMANY": "A BEL", "ITALY": "A PIE"},
            centers={"FRANCE": "PAR BRE MAR", "GERMANY": "BEL MUN"},
            phase="F1902M",
            others="ITALY: A PIE - MAR\nGERMANY: A BEL H",
            goals=(stands("BEL"), keeps_out("MAR")),
            hints=("Gascony cannot help against Belgium anyway. Where is it useful?",),
            solution="A PIC - BEL\nA BUR S A PIC - BEL\nA GAS - MAR",
            done="Italy lied and moved to Marseilles, but your army from Gascony moved there too, "
            "and both bounced. Trust others, and guard your home.",
        ),
    ),
)

PUZZLES = Lesson(
    slug="puzzles",
    title="Three whole turns",
    summary="Puzzles that put the lessons together.",
    steps=(
        _western_step(
            title="The wall",
            text=(
                "Belgium is supported by the Ruhr, and Munich attacks Burgundy to disturb you. "
                "The arrows show what Germany has ordered.",
                "Two of your armies could attack the Ruhr, and three could attack Belgium. Only "
                "one way to divide the work succeeds.",
            ),
            task="Take Belgium, and keep Burgundy and Holland.",
            units={"FRANCE": "A PIC, A BUR, A HOL", "GERMANY": "A BEL, A RUH, A MUN"},
            centers={"FRANCE": "PAR BRE MAR HOL", "GERMANY": "BEL MUN"},
            others="GERMANY: A BEL H\nA RUH S A BEL\nA MUN - BUR",
            announced=True,
            goals=(stands("BEL"), keeps_out("BUR"), keeps_out("HOL")),
            hints=(
                "Munich’s attack cuts any support that Burgundy gives. It does not stop Burgundy "
                "from attacking.",
                "Burgundy attacks the Ruhr to cut its support. Then Belgium has strength 1.",
            ),
            solution="A PIC - BEL\nA HOL S A PIC - BEL\nA BUR - RUH",
            done="Burgundy’s attack on the Ruhr failed, and that did not matter: it cut the "
            "support that Belgium needed.",
        ),
        _english_step(
            title="The crossing",
            text=(
                "Your army is in Yorkshire, and a German army holds Holland. Two German fleets "
                "attack the North Sea together.",
            ),
            task="Take Holland, and keep the North Sea.",
            units={"ENGLAND": "A YOR, F NTH, F EDI, A BEL", "GERMANY": "A HOL, F HEL, F DEN"},
            centers={"ENGLAND": "LON EDI BEL", "GERMANY": "KIE DEN HOL"},
            others="GERMANY: A HOL H\nF HEL - NTH\nF DEN S F HEL - NTH",
            announced=True,
            goals=(stands("HOL"), stands("NTH"), stands("BEL")),
            hints=(
                "The North Sea is busy with the convoy, so another unit must support the attack.",
                "Four orders: a move by convoy, the convoy, a support into Holland, and a support "
                "for the North Sea.",
            ),
            solution="A YOR - HOL\nF NTH C A YOR - HOL\nA BEL S A YOR - HOL\nF EDI S F NTH",
            done="A convoy, two supports and a move, all in one turn. This is how England fights.",
        ),
        _german_step(
            title="Hold the line",
            text=(
                "Three countries attack you at once. Russia wants Berlin, England wants Kiel, and "
                "both have support. Austria only wants to disturb Munich.",
            ),
            task="Keep all three of your supply centers.",
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
            goals=(stands("BER"), stands("MUN"), stands("KIE")),
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

LESSONS = (MOVING, SUPPORT, CUTTING, CONVOYS, RETREATS, BUILDS, ENDINGS, LETTERS)
