"""Words that no map may print, as a code for orders or in a name.

They are the words used in orders, and rude, hateful or ominous words in a dozen languages, because
players come from all over.
"""

import re

# English and the words used in orders; then French, German, Italian, Spanish, Portuguese, Dutch,
# Nordic, Slavic, Turkish and Persian words.
_CODE_TEXT = """
    ABO AID ALL AND ANL ANO ANU ARM ARS ASS ASZ BBW BUI BUM CIA COC COK CON COO CRP CUM CUN DAG
    DAM DED DIC DIE DIK DIS DMN DYK FAG FAP FAT FBI FCK FKU FKY FLE FOK FOR FUC FUG FUK FUX GAS
    GAY GEY GOD GOK GOO GUK GYP HIV HNG HOE HOL HOM HOR IRA ISI JAP JEW JIZ JUG KGB KIL KKK KLN
    KUM KYK LSD MOV NAD NAZ NEC NEG NGA NGR NIG NIP NOT NRA NWC NZI OFF PAK PDO PED PEE PIG PIS
    PLO PNS POO POX PRN PUB PUS RAP RAT RET RPE SAD SEC SEX SHI SHT SIN SLA SLT SOB SPC SPK SSS
    STD STI SUC SUK SUP SWC THE TIT TOS TRD TUR TWA URI VAG VIA WAI WAN WET WOG WOP WTF XTC XXX
    BIT BYT CAC CAG CAZ CIP CUL ETA FDP FIC FIG FIS FIT FOT FUD FUT GOT HUI HUJ HUR HUY JEB KAC
    KAK KIR KOS KOT KUK KUR KUT LUL MRD NIC NIK NIQ PIC PIK PIZ PUT PZD ROV SAU SEK SER SIK SRA
    TET VOT WIX YEB ZEB ZOB AFD NPD NSB NSD RAF HJU SSA SLU LEZ CNT CNK CLT TWT WNK WHR DCK DKE
    NGG KYS PTA PTN CHJ KRW PKK HTL STF CAK FEK NUT COX DYC GIT PYS
"""

_PART_TEXT = """
    adolf aids anal auschw aztec bastard belsen bimbo bitch boob bordel branl buchenw bugger
    butt cazz chink cocain cock cojon crap cretin culo cunn cunt dachau damn dick dild dreck
    dyke fagg fagot fart fellat ficken fitta foda fotz fuc fuck fuk futa genoc gonor gook gulag
    hadolf hamas herpes hitl hoer holoc homo hore hure isis jebe jizz kack kaka kike kkk koon
    kosov kunt kurv kurw kutya lesb minge mixtec mofo mudak muff mussol naci nazi neger negr
    niger nigg nutt orgas osama pedo penis pimmel pimp pipi piss pizd poof poop porn pube pusi
    pussi puta putain pute puto quran raghead rapist satan scat schei scheis schlamp scrot semen
    sex shag shit skank slag slave slut smeg sodom sperm spic spik stalin suka syphil tits titt
    toltec toss treblin turd twat vagin wank whore wichs xxx zigeun zobo
"""
_HEAD_TEXT = """
    adol ars ass bite bum cul cum dik dupa fag fuc fut gay gyp hell hur jap jew kik kot kuk kum
    kut lul merd moron nig nik nip pak ped pis poo pub pus put rap rape sau sik sob suk tit wog
"""
_TAIL_TEXT = "anus arse bum cul cum dik fuk kok kut lul nig pik puk sik suk tit"
# Whole words that an invented world should not contain: countries, provinces, cities of more
# than 100,000 people whose names a language here could produce, other well-known places, and
# things.
_WHOLE_TEXT = """
    aden ahrtal akishima altmark angola aomori aztlan bama banda bari barium belgorod benin
    berea bergen bern bingo bologna bolonia bolu boma bongo bonn bosnia brava bundi burundi
    cambria carbonia carora carta caserta castilla chad chalco chania checa choco coca copan
    corona cremona creta cuba dasha decan deth dingo dresden echizen erfurt erode essen fella
    ferrara fukushima gabon gama gambia gaza gazza ghana gironde goa grecia grenland guernica
    gulistan guna guria handa harburg hashima helium hiroshima holand iran iraq isehara isesaki
    jarland kagawa kalinga kanagawa kano kara karatsu karuri karuzi kasanda kharan kiev kilis
    kimono kimura kira kirishima kirman korea koriyama kosovo krakov kuwana kyiv kyoto lamezia
    lara lava lazistan leia lima lori lukov luna mali malindi manama mango mantis mantova mara
    mayo meca mecca medina metepec meth milan minato mishima mito mixco mono montilla morava
    moravia moskva murcia musoma naco nador nagasaki nakamura nakano nandi nara narino ngora
    ngozi nordhausen nordmark nordsee norland nyanga okara okinawa ordino osaka oslo para paris
    perlis persia persistan peru pharos piano piazza piuria praia premium radium rogaland roma
    rome rostov ruanda rwanda sabara sahara salem salima salina salta samara sano sarande
    saratov sari sayama serbia shaman shinagawa sistan slavgorod sudan tabora takasaki tamura
    tango tarawa tarkov tema temara tenos timis tlahuac togo tokyo tomato torino toro torta
    toshima toyama tremor trentino tsushima tsuyama tuna tundra tunis turi turin tuzi uganda ulm
    verdun verona vinland wakanda wakayama wien xanthos yakima yamato yautepec zama zambia
    zamora zango zanjan zanzibar
"""
_BLOCKED_CODES, _BLOCKED_NAMES = frozenset(_CODE_TEXT.split()), frozenset(_WHOLE_TEXT.split())
_BLOCKED_PARTS = re.compile(
    "|".join(_PART_TEXT.split())
    + rf"|\b(?:{'|'.join(_HEAD_TEXT.split())})|(?:{'|'.join(_TAIL_TEXT.split())})\b"
)


def is_allowed_code(code: str) -> bool:
    """Return whether `code`, three capital letters, can be used in orders."""
    return code not in _BLOCKED_CODES


def is_allowed_name(name: str) -> bool:
    """Return whether `name`, in unaccented lower case, is neither rude nor a real place."""
    return name not in _BLOCKED_NAMES and _BLOCKED_PARTS.search(name) is None
