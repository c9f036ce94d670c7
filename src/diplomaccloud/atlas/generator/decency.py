"""Words that no map may print: as a code for orders, or anywhere in a name.

Drawn from the rude, the hateful and the unlucky of a dozen languages, since players come from
everywhere; and from the words that orders are written with.
"""

import re

# English and the words of orders; then French, German, Italian, Spanish, Portuguese, Dutch,
# the Nordic, the Slavic and Turkish and Persian ones.
_CODE_TEXT = """
    ABO AID ALL AND ANL ANO ANU ARM ARS ASS ASZ BBW BUI BUM CIA COC COK CON COO CRP CUM CUN DAG
    DAM DED DIC DIE DIK DIS DMN DYK FAG FAP FAT FBI FCK FKU FKY FLE FOK FOR FUC FUG FUK FUX GAS
    GAY GEY GOD GOK GOO GUK GYP HIV HNG HOE HOL HOM HOR IRA ISI JAP JEW JIZ JUG KGB KIL KKK KLN
    KUM KYK LSD MOV NAD NAZ NEC NEG NGA NGR NIG NIP NOT NRA NWC NZI OFF PAK PDO PED PEE PIG PIS
    PLO PNS POO POX PRN PUB PUS RAP RAT RET RPE SAD SEC SEX SHI SHT SIN SLA SLT SOB SPC SPK SSS
    STD STI SUC SUK SUP SWC THE TIT TOS TRD TUR TWA URI VAG VIA WAI WAN WET WOG WOP WTF XTC XXX
    BIT BYT CAC CAG CAZ CIP CUL ETA FDP FIC FIG FIS FIT FOT FUD FUT GOT HUI HUJ HUR HUY JEB
    KAC KAK KIR KOS KOT KUK KUR KUT LUL MRD NIC NIK NIQ PIC PIK PIZ PUT PZD ROV SAU SEK SER
    SIK SRA TET VOT WIX YEB ZEB ZOB AFD NPD NSB NSD RAF HJU SSA
"""

_PART_TEXT = """
    adolf aids anal auschw belsen bimbo bitch boob buchenw bugger butt cazz chink cock
    cojon crap culo cunn cunt dachau damn dick dild dreck dyke fagg fagot fart ficken fitta foda
    fotz fuc fuck fuk futa genoc gook gulag hadolf hamas hitl hoer holoc homo hore hure isis
    jebe jizz kack kaka kike kkk koon kunt kurv kurw kutya lesb minge mofo mudak muff mussol
    naci nazi neger negr nigg niger nutt orgas osama pedo penis pimp pipi piss pizd poof poop
    porn pube pusi pussi putain puta puto pute raghead rapist satan scat schei schlamp scheis
    semen sex shag shit skank slag slut smeg sodom sperm spic spik stalin suka tits titt toss
    treblin turd twat vagin wank whore wichs xxx zigeun zobo
"""
_HEAD_TEXT = """
    adol ass bum cul cum dik fag fuc fut gay gyp hell hur jap jew kik kot kuk kum kut lul nig nik
    nip pak ped pis pub pus put rap sau sik sob suk tit wog
"""
_TAIL_TEXT = "anus arse bum cul cum dik fuk kok kut lul nig pik puk sik suk tit"
# Whole words only: real places and persons of note, which an invented world should not have.
_WHOLE_TEXT = """
    roma rome milan turin wien ulm bern oslo bergen nara kyoto osaka tokyo sahara iran iraq gaza
    mecca goa mali chad peru cuba kiev kyiv moskva paris lima bonn essen aden medina salem hiroshima
    nagasaki fukushima guernica verdun dresden kosovo bosnia serbia persia rwanda uganda ruanda
    burundi zambia gambia angola ghana gabon benin togo sudan samara saratov rostov
    persistan salina caserta torino verona bologna ferrara mantova
"""
_CODES, _WHOLE = frozenset(_CODE_TEXT.split()), frozenset(_WHOLE_TEXT.split())
_BAD = re.compile(
    "|".join(_PART_TEXT.split())
    + rf"|\b(?:{'|'.join(_HEAD_TEXT.split())})|(?:{'|'.join(_TAIL_TEXT.split())})\b"
)


def is_usable_code(code: str) -> bool:
    """Return whether orders may be written with `code`, three capital letters."""
    return code not in _CODES


def is_decent(name: str) -> bool:
    """Return whether `name`, in plain lower-case letters, is neither rude nor a real place."""
    return name not in _WHOLE and _BAD.search(name) is None
