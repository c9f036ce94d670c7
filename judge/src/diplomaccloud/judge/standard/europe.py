"""The standard board of Europe, 1901: provinces, coasts, borders, aliases, starting units.

Source: the map, the abbreviations and the geography notes of the 2000 rulebook.
"""

from functools import cache

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.checks import require_type

_POWERS = """
AUSTRIA Austria Austrian
ENGLAND England English
FRANCE France French
GERMANY Germany German
ITALY Italy Italian
RUSSIA Russia Russian
TURKEY Turkey Turkish
"""

# code | name | home power | * for a center, coasts if split | aliases | where armies walk | where
# fleets sail. Each border is in the row of the place that comes first in the alphabet; after `/SC`,
# they are those of this coast. The first letters of a name, and the name without spaces, are always
# accepted and are not listed as aliases.
_INLAND = """
BOH|Bohemia|AUSTRIA|||GAL MUN SIL TYR VIE|
BUD|Budapest|AUSTRIA|*||GAL RUM SER TRI VIE|
GAL|Galicia|AUSTRIA||Galacia|RUM SIL UKR VIE WAR|
TYR|Tyrolia|AUSTRIA||Tyl,Trl,Tyo,Tyrol,Tirolia,Tirol|VEN VIE|
VIE|Vienna|AUSTRIA|*|||
BUR|Burgundy|FRANCE|||GAS MAR MUN PAR PIC RUH|
PAR|Paris|FRANCE|*||PIC|
MUN|Munich|GERMANY|*||RUH SIL TYR|
RUH|Ruhr|GERMANY||||
SIL|Silesia|GERMANY|||WAR|
MOS|Moscow|RUSSIA|*||SEV STP UKR WAR|
UKR|Ukraine|RUSSIA|||WAR|
WAR|Warsaw|RUSSIA|*|||
SER|Serbia||*||TRI|
"""

_COASTAL = """
TRI|Trieste|AUSTRIA|*||TYR VEN VIE|VEN
CLY|Clyde|ENGLAND|||EDI LVP|EDI LVP NAO NWG
EDI|Edinburgh|ENGLAND|*|Edinborough|LVP YOR|NTH NWG YOR
LVP|Liverpool|ENGLAND|*|Lpl,Lvpl,Livp,Lpool|WAL YOR|NAO WAL
LON|London|ENGLAND|*||WAL YOR|NTH WAL YOR
WAL|Wales|ENGLAND|||YOR|
YOR|Yorkshire|ENGLAND||||
BRE|Brest|FRANCE|*||GAS PAR PIC|ENG GAS MAO PIC
GAS|Gascony|FRANCE|||MAR PAR SPA|MAO SPA/NC
MAR|Marseilles|FRANCE|*|Marseille|PIE SPA|PIE SPA/SC
PIC|Picardy|FRANCE||||
BER|Berlin|GERMANY|*||KIE MUN PRU SIL|KIE PRU
KIE|Kiel|GERMANY|*||MUN RUH|
PRU|Prussia|GERMANY|||SIL WAR|
APU|Apulia|ITALY|||NAP ROM VEN|ION NAP VEN
NAP|Naples|ITALY|*|Napoli|ROM|ROM TYS
PIE|Piedmont|ITALY||Piemont|TUS TYR VEN|TUS
ROM|Rome|ITALY|*||TUS VEN|TUS TYS
TUS|Tuscany|ITALY|||VEN|TYS
VEN|Venice|ITALY|*|||
FIN|Finland|RUSSIA|||NWY STP SWE|STP/SC SWE
LVN|Livonia|RUSSIA||Lva,Lvo|MOS PRU STP WAR|PRU STP/SC
SEV|Sevastopol|RUSSIA|*|Sevastapol,Sebastopol|UKR|
STP|St. Petersburg|RUSSIA|* NC SC|Saint Petersburg,Petersburg||
ANK|Ankara|TURKEY|*|Angora|ARM CON SMY|ARM BLA CON
ARM|Armenia|TURKEY|||SEV SMY SYR|BLA SEV
CON|Constantinople|TURKEY|*||SMY|SMY
SMY|Smyrna|TURKEY|*||SYR|SYR
SYR|Syria|TURKEY||||
ALB|Albania||||GRE SER TRI|GRE ION TRI
BEL|Belgium||*||BUR HOL PIC RUH|ENG HOL NTH PIC
BUL|Bulgaria||* EC SC||CON GRE RUM SER|/EC CON RUM /SC CON GRE
DEN|Denmark||*||KIE SWE|HEL KIE NTH SKA SWE
GRE|Greece||*||SER|ION
HOL|Holland||*|Netherlands|KIE RUH|KIE NTH
NAF|North Africa|||NAfr|TUN|TUN WES
NWY|Norway||*||STP SWE|SKA STP/NC SWE
POR|Portugal||*||SPA|SPA/NC SPA/SC
RUM|Rumania||*|Romania,Roumania|SER SEV UKR|SEV
SPA|Spain||* NC SC|||/SC WES
SWE|Sweden||*|||
TUN|Tunis||*|Tunisia||TYS WES
"""

_SEAS = """
ADR|Adriatic Sea|||||ALB APU ION TRI VEN
AEG|Aegean Sea|||||BUL/SC CON EAS GRE ION SMY
BAL|Baltic Sea|||||BER BOT DEN KIE LVN PRU SWE
BAR|Barents Sea|||||NWG NWY STP/NC
BLA|Black Sea|||||BUL/EC CON RUM SEV
EAS|Eastern Mediterranean|||Eastern Mediterranean Sea,EMe,EMed,EMS||ION SMY SYR
ENG|English Channel|||Channel,Ech||IRI LON MAO NTH PIC WAL
BOT|Gulf of Bothnia|||Bothnia,GoB,GulfB||FIN LVN STP/SC SWE
LYO|Gulf of Lyon|||Gulf of Lyons,Gulf of Lions,Lyons,Lion,GoL,GulfL||MAR PIE SPA/SC TUS TYS WES
HEL|Helgoland Bight|||Heligoland Bight,Hgb,HelB||HOL KIE NTH
ION|Ionian Sea|||||NAP TUN TYS
IRI|Irish Sea|||||LVP MAO NAO WAL
MAO|Mid-Atlantic Ocean|||Middle Atlantic Ocean,Mat,MidAtl||NAF NAO POR SPA/NC SPA/SC WES
NAO|North Atlantic Ocean|||NAt,NoAt,NAtl||NWG
NTH|North Sea|||Nts||NWG NWY SKA YOR
NWG|Norwegian Sea|||Nrg,NorwSea||NWY
SKA|Skagerrak|||Skagerrack,Skaggerak,Skagerak||SWE
TYS|Tyrrhenian Sea|||Tyn,Tyrr,Tyrhennian||WES
WES|Western Mediterranean|||Western Mediterranean Sea,WMe,WMed,WMS||
"""

_STARTS = """
AUSTRIA A BUD, A VIE, F TRI
ENGLAND A LVP, F EDI, F LON
FRANCE A MAR, A PAR, F BRE
GERMANY A BER, A MUN, F KIE
ITALY A ROM, A VEN, F NAP
RUSSIA A MOS, A WAR, F SEV, F STP/SC
TURKEY A CON, A SMY, F ANK
"""


def _rows(text: str) -> list[str]:
    return text.strip().splitlines()


@cache
def standard_board() -> Board:
    """Return the standard board: 75 provinces, 34 centers, seven powers, 22 units."""
    provinces, walks, sails = [], [], []
    for terrain, text in (
        (Terrain.INLAND, _INLAND),
        (Terrain.COASTAL, _COASTAL),
        (Terrain.SEA, _SEAS),
    ):
        for row in _rows(text):
            code, name, home, marks, aliases, walked, sailed = row.split("|")
            provinces.append(
                Province(
                    code=ProvinceCode(code),
                    name=name,
                    terrain=terrain,
                    coasts=tuple(mark for mark in marks.split() if mark != "*"),
                    center="*" in marks,
                    home=Power(home) if home else None,
                    aliases=tuple(aliases.split(",")) if aliases else (),
                )
            )
            walks += [(ProvinceCode(code), ProvinceCode(to)) for to in walked.split()]
            place = code
            for word in sailed.split():
                if word.startswith("/"):
                    place = code + word
                else:
                    sails.append((Location(place), Location(word)))
    return Board(
        name="standard",
        powers=tuple(
            PowerInfo(Power(key), name, adjective)
            for key, name, adjective in map(str.split, _rows(_POWERS))
        ),
        provinces=tuple(provinces),
        army_borders=tuple(sorted(walks)),
        fleet_borders=tuple(sorted(sails)),
        starts=tuple(
            Start(Power(power), UnitKind(unit[0]), Location(unit[2:]))
            for power, units in (row.split(" ", 1) for row in _rows(_STARTS))
            for unit in units.split(", ")
        ),
        victory_centers=18,
        impassable=((ProvinceCode("SWI"), "Switzerland"),),
    )


def default_board(board: Board | None) -> Board:
    """Return `board`, or the standard board if it is `None`; raise `TypeError` for others."""
    if board is None:
        return standard_board()
    require_type("board", board, Board)
    return board
