"""Two years of a game of seven, as a table: what is ordered, and what becomes of it.

Together the phases hold every kind of order, result, retreat and adjustment. An order is
followed by its outcome; one in square brackets is not written by the player in that phase: it
was written ahead, or nobody ordered the unit.
"""

import re
from dataclasses import dataclass, field

_ORDER = re.compile(r"(?P<ahead>\[)?(?P<text>[^()\[\]]+?) \((?P<outcome>\w+)\)\]?")


@dataclass(frozen=True)
class Turn:
    """One phase: orders by country with their outcomes, and what is seen when it is over.

    `centers` counts centers and units of every country once it has been carried out.
    """

    name: str
    title: str
    sheet: str
    standoffs: tuple[str, ...] = ()
    dislodged: tuple[str, ...] = ()
    centers: str = ""
    outcomes: dict[str, str] = field(init=False)
    orders: dict[str, list[str]] = field(init=False)

    def __post_init__(self):
        outcomes, orders = {}, {}
        for line in filter(None, map(str.strip, self.sheet.splitlines())):
            power, _, rest = line.partition(": ")
            parts = list(_ORDER.finditer(rest.replace("; ", ";")))
            for part in parts:
                text = part["text"].strip("; ")
                outcomes[f"{power} {text}"] = part["outcome"]
                if not part["ahead"]:
                    orders.setdefault(power, []).append(text)
        object.__setattr__(self, "outcomes", outcomes)
        object.__setattr__(self, "orders", orders)


SPRING_1901 = Turn(
    "S1901M",
    "Spring 1901, Movement",
    """
    AUSTRIA: A VIE - GAL (bounced); A BUD - SER (moved); F TRI - ALB (moved)
    ENGLAND: F LON - NTH (moved); F EDI - NWG (moved); A LVP - YOR (moved)
    FRANCE: A PAR - BUR (moved); A MAR S A PAR - BUR (given); F BRE - MAO (moved)
    GERMANY: A MUN - BUR (bounced); A BER - KIE (moved); F KIE - DEN (moved)
    ITALY: A ROM - APU (moved); F NAP - ION (moved); A VEN H (hold)
    RUSSIA: A WAR - GAL (bounced); A MOS - UKR (moved); F SEV - BLA (moved); F STP/SC - BOT (moved)
    TURKEY: A CON - BUL (moved); F ANK - CON (bounced); A SMY - CON (bounced)
    """,
    standoffs=("Constantinople", "Galicia"),
)
FALL_1901 = Turn(
    "F1901M",
    "Fall 1901, Movement",
    """
    AUSTRIA: A SER - BUL (moved); F ALB - GRE (bounced); A VIE - GAL (bounced)
    ENGLAND: F NTH C A YOR - NWY (convoyed); A YOR - NWY (moved); F NWG H (hold)
    FRANCE: A BUR H (hold); A MAR - SPA (moved); F MAO - POR (moved)
    GERMANY: A MUN - BUR (bounced); A KIE - HOL (moved); F DEN - SWE (bounced)
    ITALY: F ION C A APU - TUN (convoyed); A APU - TUN (moved); A VEN - TYR (moved)
    RUSSIA: F BLA S A SER - BUL (given); A WAR - GAL (moved); A UKR S A WAR - GAL (given); \
F BOT - SWE (bounced)
    TURKEY: A BUL - GRE (bounced); A SMY - ARM (moved); F ANK H (hold)
    """,
    standoffs=("Greece", "Sweden"),
    dislodged=("TURKEY A BUL - GRE",),
)
RETREATS_1901 = Turn(
    "F1901R",
    "Fall 1901, Retreats",
    "TURKEY: A BUL R RUM (retreated)",
    centers="AUSTRIA 4/3 ENGLAND 4/3 FRANCE 5/3 GERMANY 5/3 ITALY 4/3 RUSSIA 4/4 TURKEY 4/3",
)
WINTER_1901 = Turn(
    "W1901A",
    "Winter 1901, Adjustments",
    """
    AUSTRIA: A BUD B (built)
    ENGLAND: [F LON B (built)]
    FRANCE: A PAR B (built); WAIVE (waived)
    GERMANY: [A BER B (built)]; [F KIE B (built)]
    ITALY: F NAP B (built)
    TURKEY: F CON B (built)
    """,
    centers="AUSTRIA 4/4 ENGLAND 4/4 FRANCE 5/4 GERMANY 5/5 ITALY 4/4 RUSSIA 4/4 TURKEY 4/4",
)
SPRING_1902 = Turn(
    "S1902M",
    "Spring 1902, Movement",
    """
    AUSTRIA: A BUL - RUM (bounced); A BUD S A BUL - RUM (given); F ALB H (hold); A VIE H (hold)
    ENGLAND: F NTH - DEN (bounced); A NWY - SWE (bounced); F NWG - BAR (moved); F LON - ENG (moved)
    FRANCE: A BUR - MUN (moved); A SPA - GAS (moved); F POR - MAO (moved); A PAR - PIC (moved)
    GERMANY: A MUN H (hold); A BER - PRU (moved); A HOL - BEL (moved); F DEN S F BOT - SWE (cut); \
F KIE H (hold)
    ITALY: A TYR S A BUR - MUN (given); F ION - EAS (moved); F NAP - ION (moved); A TUN H (hold)
    RUSSIA: A UKR - RUM (bounced); A GAL S A UKR - RUM (given); F BLA H (hold); \
F BOT - SWE (bounced)
    TURKEY: A RUM H (hold); F ANK - BLA (moved); F CON S F ANK - BLA (given); A ARM H (hold)
    """,
    standoffs=("Sweden",),
    dislodged=("GERMANY A MUN H", "RUSSIA F BLA H"),
)
RETREATS_1902 = Turn(
    "S1902R",
    "Spring 1902, Retreats",
    """
    GERMANY: [A MUN R BER (retreated)]
    RUSSIA: [F BLA D (disbanded)]
    """,
    centers="AUSTRIA 4/4 ENGLAND 4/4 FRANCE 5/4 GERMANY 5/5 ITALY 4/4 RUSSIA 4/3 TURKEY 4/4",
)
FALL_1902 = Turn(
    "F1902M",
    "Fall 1902, Movement",
    """
    AUSTRIA: A BUL H (hold); A BUD S A VIE - GAL (given); A VIE - GAL (moved); F ALB - GRE (moved)
    ENGLAND: F NTH S F ENG - BEL (given); A NWY - STP (moved); F BAR S A NWY - STP (given); \
F ENG - BEL (moved)
    FRANCE: A MUN H (hold); A GAS - BUR (moved); F MAO - SPA/SC (moved); A PIC H (hold)
    GERMANY: A BEL H (hold); A BER - MUN (bounced); A PRU - SIL (moved); F DEN H (hold); \
F KIE H (hold)
    ITALY: A TUN - SMY (moved); F ION C A TUN - SMY (convoyed); F EAS C A TUN - SMY (convoyed); \
A TYR H (hold)
    RUSSIA: [A UKR H (hold)]; [A GAL H (hold)]; [F BOT H (hold)]
    TURKEY: [A RUM H (hold)]; [F BLA H (hold)]; [F CON H (hold)]; [A ARM H (hold)]
    """,
    dislodged=("GERMANY A BEL H", "RUSSIA A GAL H"),
)
LATE_RETREATS_1902 = Turn(
    "F1902R",
    "Fall 1902, Retreats",
    """
    GERMANY: A BEL R HOL (retreated)
    RUSSIA: A GAL R WAR (retreated)
    """,
    centers="AUSTRIA 5/4 ENGLAND 6/4 FRANCE 6/4 GERMANY 4/5 ITALY 5/4 RUSSIA 3/3 TURKEY 3/4",
)
WINTER_1902 = Turn(
    "W1902A",
    "Winter 1902, Adjustments",
    """
    AUSTRIA: F TRI B (built)
    ENGLAND: F LON B (built); F EDI B (built)
    FRANCE: WAIVE (waived); F BRE B (built)
    GERMANY: A HOL D (disbanded)
    ITALY: A ROM B (built)
    """,
    centers="AUSTRIA 5/5 ENGLAND 6/6 FRANCE 6/5 GERMANY 4/4 ITALY 5/5 RUSSIA 3/3 TURKEY 3/3",
)
