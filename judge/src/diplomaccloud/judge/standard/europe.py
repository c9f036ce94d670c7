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

# code | name | home power | * for a center, coasts if split | aliases. The first letters of a
# name, and the name without spaces, are always accepted and are not listed as aliases.
_INLAND = """
BOH|Bohemia|AUSTRIA||
BUD|Budapest|AUSTRIA|*|
GAL|Galicia|AUSTRIA||Galacia
TYR|Tyrolia|AUSTRIA||Tyl,Trl,Tyo,Tyrol,Tirolia,Tirol
VIE|Vienna|AUSTRIA|*|
BUR|Burgundy|FRANCE||
PAR|Paris|FRANCE|*|
MUN|Munich|GERMANY|*|
RUH|Ruhr|GERMANY||
SIL|Silesia|GERMANY||
MOS|Moscow|RUSSIA|*|
UKR|Ukraine|RUSSIA||
WAR|Warsaw|RUSSIA|*|
SER|Serbia||*|
"""

_COASTAL = """
TRI|Trieste|AUSTRIA|*|
CLY|Clyde|ENGLAND||
EDI|Edinburgh|ENGLAND|*|Edinborough
LVP|Liverpool|ENGLAND|*|Lpl,Lvpl,Livp,Lpool
LON|London|ENGLAND|*|
WAL|Wales|ENGLAND||
YOR|Yorkshire|ENGLAND||
BRE|Brest|FRANCE|*|
GAS|Gascony|FRANCE||
MAR|Marseilles|FRANCE|*|Marseille
PIC|Picardy|FRANCE||
BER|Berlin|GERMANY|*|
KIE|Kiel|GERMANY|*|
PRU|Prussia|GERMANY||
APU|Apulia|ITALY||
NAP|Naples|ITALY|*|Napoli
PIE|Piedmont|ITALY||Piemont
ROM|Rome|ITALY|*|
TUS|Tuscany|ITALY||
VEN|Venice|ITALY|*|
FIN|Finland|RUSSIA||
LVN|Livonia|RUSSIA||Lva,Lvo
SEV|Sevastopol|RUSSIA|*|Sevastapol,Sebastopol
STP|St. Petersburg|RUSSIA|* NC SC|Saint Petersburg,Petersburg
ANK|Ankara|TURKEY|*|Angora
ARM|Armenia|TURKEY||
CON|Constantinople|TURKEY|*|
SMY|Smyrna|TURKEY|*|
SYR|Syria|TURKEY||
ALB|Albania|||
BEL|Belgium||*|
BUL|Bulgaria||* EC SC|
DEN|Denmark||*|
GRE|Greece||*|
HOL|Holland||*|Netherlands
NAF|North Africa|||NAfr
NWY|Norway||*|
POR|Portugal||*|
RUM|Rumania||*|Romania,Roumania
SPA|Spain||* NC SC|
SWE|Sweden||*|
TUN|Tunis||*|Tunisia
"""

_SEAS = """
ADR|Adriatic Sea|
AEG|Aegean Sea|
BAL|Baltic Sea|
BAR|Barents Sea|
BLA|Black Sea|
EAS|Eastern Mediterranean|Eastern Mediterranean Sea,EMe,EMed,EMS
ENG|English Channel|Channel,Ech
BOT|Gulf of Bothnia|Bothnia,GoB,GulfB
LYO|Gulf of Lyon|Gulf of Lyons,Gulf of Lions,Lyons,Lion,GoL,GulfL
HEL|Helgoland Bight|Heligoland Bight,Hgb,HelB
ION|Ionian Sea|
IRI|Irish Sea|
MAO|Mid-Atlantic Ocean|Middle Atlantic Ocean,Mat,MidAtl
NAO|North Atlantic Ocean|NAt,NoAt,NAtl
NTH|North Sea|Nts
NWG|Norwegian Sea|Nrg,NorwSea
SKA|Skagerrak|Skagerrack,Skaggerak,Skagerak
TYS|Tyrrhenian Sea|Tyn,Tyrr,Tyrhennian
WES|Western Mediterranean|Western Mediterranean Sea,WMe,WMed,WMS
"""

# Land borders, which armies cross. They include the straits and canals of Constantinople, Kiel
# and Denmark-Sweden (rulebook, "Board Information").
_WALKS = """
ALB GRE SER TRI
ANK ARM CON SMY
APU NAP ROM VEN
ARM SEV SMY SYR
BEL BUR HOL PIC RUH
BER KIE MUN PRU SIL
BOH GAL MUN SIL TYR VIE
BRE GAS PAR PIC
BUD GAL RUM SER TRI VIE
BUL CON GRE RUM SER
BUR GAS MAR MUN PAR PIC RUH
CLY EDI LVP
CON SMY
DEN KIE SWE
EDI LVP YOR
FIN NWY STP SWE
GAL RUM SIL UKR VIE WAR
GAS MAR PAR SPA
GRE SER
HOL KIE RUH
KIE MUN RUH
LON WAL YOR
LVN MOS PRU STP WAR
LVP WAL YOR
MAR PIE SPA
MOS SEV STP UKR WAR
MUN RUH SIL TYR
NAF TUN
NAP ROM
NWY STP SWE
PAR PIC
PIE TUS TYR VEN
POR SPA
PRU SIL WAR
ROM TUS VEN
RUM SER SEV UKR
SER TRI
SEV UKR
SIL WAR
SMY SYR
TRI TYR VEN VIE
TUS VEN
TYR VEN VIE
UKR WAR
WAL YOR
"""

_SAILS = """
ADR ALB APU ION TRI VEN
AEG BUL/SC CON EAS GRE ION SMY
ALB GRE ION TRI
ANK ARM BLA CON
APU ION NAP VEN
ARM BLA SEV
BAL BER BOT DEN KIE LVN PRU SWE
BAR NWG NWY STP/NC
BEL ENG HOL NTH PIC
BER KIE PRU
BLA BUL/EC CON RUM SEV
BOT FIN LVN STP/SC SWE
BRE ENG GAS MAO PIC
BUL/EC CON RUM
BUL/SC CON GRE
CLY EDI LVP NAO NWG
CON SMY
DEN HEL KIE NTH SKA SWE
EAS ION SMY SYR
EDI NTH NWG YOR
ENG IRI LON MAO NTH PIC WAL
FIN STP/SC SWE
GAS MAO SPA/NC
GRE ION
HEL HOL KIE NTH
HOL KIE NTH
ION NAP TUN TYS
IRI LVP MAO NAO WAL
LON NTH WAL YOR
LVN PRU STP/SC
LVP NAO WAL
LYO MAR PIE SPA/SC TUS TYS WES
MAO NAF NAO POR SPA/NC SPA/SC WES
MAR PIE SPA/SC
NAF TUN WES
NAO NWG
NAP ROM TYS
NTH NWG NWY SKA YOR
NWG NWY
NWY SKA STP/NC SWE
PIE TUS
POR SPA/NC SPA/SC
ROM TUS TYS
RUM SEV
SKA SWE
SMY SYR
SPA/SC WES
TRI VEN
TUN TYS WES
TUS TYS
TYS WES
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


def _split(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(",") if part)


def _land(text: str, terrain: Terrain) -> list[Province]:
    provinces = []
    for row in _rows(text):
        code, name, home, marks, aliases = row.split("|")[:5]
        provinces.append(
            Province(
                code=ProvinceCode(code),
                name=name,
                terrain=terrain,
                coasts=tuple(mark for mark in marks.split() if mark != "*"),
                center="*" in marks,
                home=Power(home) if home else None,
                aliases=_split(aliases),
            )
        )
    return provinces


def _borders(text: str) -> list[tuple[str, str]]:
    return [(first, other) for first, *others in map(str.split, _rows(text)) for other in others]


@cache
def standard_board() -> Board:
    """Return the standard board: 75 provinces, 34 centers, seven powers, 22 units."""
    seas = [
        Province(ProvinceCode(code), name, Terrain.SEA, aliases=_split(aliases))
        for code, name, aliases in (row.split("|") for row in _rows(_SEAS))
    ]
    return Board(
        name="standard",
        powers=tuple(
            PowerInfo(Power(key), name, adjective)
            for key, name, adjective in map(str.split, _rows(_POWERS))
        ),
        provinces=(*_land(_INLAND, Terrain.INLAND), *_land(_COASTAL, Terrain.COASTAL), *seas),
        army_borders=tuple((ProvinceCode(a), ProvinceCode(b)) for a, b in _borders(_WALKS)),
        fleet_borders=tuple((Location(a), Location(b)) for a, b in _borders(_SAILS)),
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
