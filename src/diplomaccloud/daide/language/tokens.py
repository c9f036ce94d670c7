"""The tokens: 16 bits each, with a category and a number within it.

Source: "DAIDE Client-Server Protocol", version 1, chapter 4.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, TypeAlias

Message: TypeAlias = tuple[int, ...]
"""The tokens of a message."""

MAX_TOKEN: Final = 0xFFFF
MAX_NUMBER: Final = 8191
MIN_NUMBER: Final = -8192
NUMBER_BITS: Final = 0x3FFF

POWERS: Final = 0x41
TEXT: Final = 0x4B
PROVINCES: Final = range(0x50, 0x58)
"""The categories of provinces; their bits say which units can enter."""
RESERVED: Final = range(0x58, 0x60)
"""Categories that are never sent."""

INLAND, SEA, COASTAL, SPLIT = 0x50, 0x52, 0x54, 0x56
CENTER: Final = 1
"""Added to the category of a province with a supply center."""


def _number(category: int, words: str, first: int = 0, step: int = 1) -> dict[str, int]:
    """Return consecutive numbers in a category for these words; `-` skips a number."""
    return {
        word: (category << 8) + first + step * place
        for place, word in enumerate(words.split())
        if word != "-"
    }


class Word(IntEnum):
    """The tokens that mean the same on every board."""

    # Brackets.
    BRA = 0x4000
    KET = 0x4001

    # Types of units.
    AMY = 0x4200
    FLT = 0x4201

    # What units do, by phase.
    CTO = 0x4320
    CVY = 0x4321
    HLD = 0x4322
    MTO = 0x4323
    SUP = 0x4324
    VIA = 0x4325
    DSB = 0x4340
    RTO = 0x4341
    BLD = 0x4380
    REM = 0x4381
    WVE = 0x4382

    # Notes on orders.
    MBV = 0x4400
    BPR = 0x4401
    CST = 0x4402
    ESC = 0x4403
    FAR = 0x4404
    HSC = 0x4405
    NAS = 0x4406
    NMB = 0x4407
    NMR = 0x4408
    NRN = 0x4409
    NRS = 0x440A
    NSA = 0x440B
    NSC = 0x440C
    NSF = 0x440D
    NSP = 0x440E
    NSU = 0x4410
    NVR = 0x4411
    NYU = 0x4412
    YSC = 0x4413

    # Results.
    SUC = 0x4500
    BNC = 0x4501
    CUT = 0x4502
    DSR = 0x4503
    FLD = 0x4504
    NSO = 0x4505
    RET = 0x4506

    # Coasts.
    NCS = 0x4600
    NEC = 0x4602
    ECS = 0x4604
    SEC = 0x4606
    SCS = 0x4608
    SWC = 0x460A
    WCS = 0x460C
    NWC = 0x460E

    # Seasons.
    SPR = 0x4700
    SUM = 0x4701
    FAL = 0x4702
    AUT = 0x4703
    WIN = 0x4704

    # Commands.
    CCD = 0x4800
    DRW = 0x4801
    FRM = 0x4802
    GOF = 0x4803
    HLO = 0x4804
    HST = 0x4805
    HUH = 0x4806
    IAM = 0x4807
    LOD = 0x4808
    MAP = 0x4809
    MDF = 0x480A
    MIS = 0x480B
    NME = 0x480C
    NOT = 0x480D
    NOW = 0x480E
    OBS = 0x480F
    OFF = 0x4810
    ORD = 0x4811
    OUT = 0x4812
    PRN = 0x4813
    REJ = 0x4814
    SCO = 0x4815
    SLO = 0x4816
    SND = 0x4817
    SUB = 0x4818
    SVE = 0x4819
    THX = 0x481A
    TME = 0x481B
    YES = 0x481C
    ADM = 0x481D
    SMR = 0x481E

    # Parameters.
    AOA = 0x4900
    BTL = 0x4901
    ERR = 0x4902
    LVL = 0x4903
    MRT = 0x4904
    MTL = 0x4905
    NPB = 0x4906
    NPR = 0x4907
    PDA = 0x4908
    PTL = 0x4909
    RTL = 0x490A
    UNO = 0x490B
    DSD = 0x490D

    # Press.
    ALY = 0x4A00
    AND = 0x4A01
    BWX = 0x4A02
    DMZ = 0x4A03
    ELS = 0x4A04
    EXP = 0x4A05
    FWD = 0x4A06
    FCT = 0x4A07
    FOR = 0x4A08
    HOW = 0x4A09
    IDK = 0x4A0A
    IFF = 0x4A0B
    INS = 0x4A0C
    OCC = 0x4A0E
    ORR = 0x4A0F
    PCE = 0x4A10
    POB = 0x4A11
    PRP = 0x4A13
    QRY = 0x4A14
    SCD = 0x4A15
    SRY = 0x4A16
    SUG = 0x4A17
    THK = 0x4A18
    THN = 0x4A19
    TRY = 0x4A1A
    VSS = 0x4A1C
    WHT = 0x4A1D
    WHY = 0x4A1E
    XDO = 0x4A1F
    XOY = 0x4A20
    YDO = 0x4A21
    CHO = 0x4A22
    BCC = 0x4A23
    UNT = 0x4A24


STANDARD_POWERS: Final[Mapping[str, int]] = _number(0x41, "AUS ENG FRA GER ITA RUS TUR")

STANDARD_PROVINCES: Final[Mapping[str, int]] = {
    **_number(INLAND, "BOH BUR GAL RUH SIL TYR UKR"),
    **_number(INLAND + CENTER, "BUD MOS MUN PAR SER VIE WAR", 0x07),
    **_number(
        SEA,
        "ADR AEG BAL BAR BLA EAS ECH GOB GOL HEL ION IRI MAO NAO NTH NWG SKA TYS WES",
        0x0E,
    ),
    **_number(COASTAL, "ALB APU ARM CLY FIN GAS LVN NAF PIC PIE PRU SYR TUS WAL YOR", 0x21),
    **_number(
        COASTAL + CENTER,
        "ANK BEL BER BRE CON DEN EDI GRE HOL KIE LON LVP MAR NAP NWY POR ROM RUM SEV SMY SWE TRI "
        "TUN VEN",
        0x30,
    ),
    **_number(SPLIT + CENTER, "BUL SPA STP", 0x48),
}

COASTS: Final = {
    "NC": Word.NCS,
    "NEC": Word.NEC,
    "EC": Word.ECS,
    "SEC": Word.SEC,
    "SC": Word.SCS,
    "SWC": Word.SWC,
    "WC": Word.WCS,
    "NWC": Word.NWC,
}
"""The tokens of coasts, by their names on boards."""


def is_number(token: int) -> bool:
    """Return whether the token is an integer."""
    return token <= NUMBER_BITS


def is_power(token: int) -> bool:
    """Return whether the token is in the category of powers."""
    return token >> 8 == POWERS


def is_province(token: int) -> bool:
    """Return whether the token is in a category of provinces."""
    return token >> 8 in PROVINCES


def is_text(token: int) -> bool:
    """Return whether the token is a letter of text."""
    return token >> 8 == TEXT


def encode_number(number: int) -> int:
    """Return the token for an integer; raise `ValueError` if it does not fit into 14 bits."""
    if not MIN_NUMBER <= number <= MAX_NUMBER:
        raise ValueError(f"{number} is not from {MIN_NUMBER} to {MAX_NUMBER}")
    return number & NUMBER_BITS


def decode_number(token: int) -> int:
    """Return the integer that a token stands for."""
    return token - (NUMBER_BITS + 1) if token > MAX_NUMBER else token


def encode_text(text: str) -> Message:
    """Return the tokens for a text; letters that are not ASCII become question marks."""
    return tuple([TEXT << 8 | letter for letter in text.encode("ascii", "replace")])


def decode_text(tokens: Message) -> str:
    """Return the text that letter tokens spell."""
    return "".join([chr(token & 0xFF) for token in tokens])
