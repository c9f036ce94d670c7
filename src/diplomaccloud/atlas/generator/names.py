"""Stage 10: name provinces, seas, powers and the world, and choose the codes for orders."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.optimize import linear_sum_assignment

from diplomaccloud.atlas.generator.borders import OUTSIDE, BorderLine
from diplomaccloud.atlas.generator.mesh import Ints, Mesh, round_to_grid
from diplomaccloud.atlas.generator.random_streams import draw_index, draw_indices

_MIN_LENGTH, _MAX_LENGTH, _MAX_COUNTRY_LENGTH, _MAX_SEA_LENGTH = 4, 9, 10, 8
"""Lengths of names, in letters."""

_MAX_TRIES, _MAX_COUNTRY_TRIES = 400, 200
_TRIES_PER_REPEAT, _TRIES_PER_LETTER = 40, 60
"""After this many tries for a name, its first letters may repeat, or it may be a letter longer."""

_IMPOSSIBLE = 1e6
"""The cost of a code that a name does not suggest."""

_WITHOUT_ACCENTS = str.maketrans(
    "åäáàâãéèêëíìîïóòôöõøúùûüýñçšžčÅÄÖØ", "aaaaaaeeeeiiiioooooouuuuyncszcAAOO"
)

_WORLD_ENDS = (
    "ara", "una", "is", "ea", "ora", "antis", "undra", "eth", "ador", "onde", "ako", "ium", "arra",
)  # fmt: skip


class NamingError(ValueError):
    """The names that were drawn cannot get unique codes."""


@dataclass(frozen=True)
class PowerName:
    """The key, name and adjective of a power."""

    key: str
    name: str
    adjective: str


@dataclass(frozen=True)
class MapNames:
    """Everything on the map that has a name; provinces by number."""

    world: str
    powers: tuple[PowerName, ...]
    provinces: tuple[str, ...]
    codes: tuple[str, ...]


def strip_accents(name: str) -> str:
    """Return `name` without accents."""
    return name.translate(_WITHOUT_ACCENTS)


def make_names(
    nations: Sequence[int], seas: Sequence[tuple[int, str]], powers: int, rng: np.random.Generator
) -> MapNames:
    """Return names for the land provinces of each of `nations`, for `seas` and for `powers`.

    A nation is the number of the power in whose region a province lies; each region has its own
    language. A sea is the nearest nation and a form like `Bay of {}`. Raises `NamingError` if the
    codes cannot be made unique.
    """
    languages = draw_indices(rng, len(LANGUAGES), len(LANGUAGES), distinct=True).tolist()
    spoken = [LANGUAGES[languages[power % len(languages)]] for power in range(powers)]
    name_maker = _NameMaker(rng)
    countries = [name_maker.make_country(language) for language in spoken]
    lands = [name_maker.make_name(spoken[nation], spoken[nation].ends) for nation in nations]
    waters = []
    for nation, form in seas:
        ends = tuple(end for end in spoken[nation].ends if end not in LAND_ENDS)
        waters.append(form.format(name_maker.make_name(spoken[nation], ends, _MAX_SEA_LENGTH)))
    world = name_maker.make_name(spoken[draw_index(rng, powers)], _WORLD_ENDS)
    provinces = (*lands, *waters)
    return MapNames(world, tuple(countries), provinces, make_codes(provinces))


# Ten invented languages: the parts from which names of a region are built.


@dataclass(frozen=True)
class Language:
    """The parts of names in one language.

    A name is a start, in a `middle_share` of cases a middle, and an end. `countries` pairs the end
    of a country's name with the end of its adjective. `forbidden` matches what this language
    avoids: mostly consonants that meet where two parts are joined.
    """

    starts: tuple[str, ...]
    middles: tuple[str, ...]
    middle_share: float
    ends: tuple[str, ...]
    countries: tuple[tuple[str, str], ...]
    forbidden: re.Pattern[str]

    def is_pronounceable(self, name: str) -> bool:
        """Return whether `name`, in lower case, can be pronounced and fits this language."""
        return _UNPRONOUNCEABLE.search(name) is None and self.forbidden.search(name) is None


class _NameMaker:
    """Makes names that are not equal to, or easily confused with, earlier ones."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._taken: set[str] = set()
        self._heads: dict[str, int] = {}
        self._initials: set[str] = set()

    def make_name(
        self, language: Language, ends: Sequence[str], max_length: int = _MAX_LENGTH
    ) -> str:
        """Return a new name in `language` that ends in one of `ends`.

        It has at most `max_length` letters, or a few more if shorter names run out.
        """
        for attempt in range(1, _MAX_TRIES):
            name = self._draw_word(language.starts)
            if self._rng.random() < language.middle_share:
                name = _join_parts(name, self._draw_word(language.middles))
            name = _join_parts(name, self._draw_word(ends))
            key = strip_accents(name).lower()
            # The first letters become the code, so names should not share them if possible.
            is_free = self._heads.get(key[:3], 0) < 1 + attempt // _TRIES_PER_REPEAT
            if (
                is_free
                and _MIN_LENGTH <= len(name) <= max_length + attempt // _TRIES_PER_LETTER
                and language.is_pronounceable(key)
                and is_allowed_name(key)
                and self._taken.isdisjoint(_similarity_keys(key))
            ):
                self._taken |= _similarity_keys(key)
                self._heads[key[:3]] = self._heads.get(key[:3], 0) + 1
                return name
        raise NamingError("a language has too few words")

    def make_country(self, language: Language) -> PowerName:
        """Return a new name for a country, with a first letter that no other country has."""
        ends = dict(language.countries)
        for _ in range(_MAX_COUNTRY_TRIES):
            end = self._draw_word(tuple(ends))
            taken = self._taken.copy()
            name = self.make_name(language, (end,), _MAX_COUNTRY_LENGTH)
            adjective = name.removesuffix(end) + ends[end]
            if strip_accents(name)[0] not in self._initials and is_allowed_name(
                strip_accents(adjective).lower()
            ):
                self._initials.add(strip_accents(name)[0])
                return PowerName(strip_accents(name).upper(), name, adjective)
            # The name was not used, so it becomes available again.
            self._taken = taken
        raise NamingError("a language has no country with a first letter of its own")

    def _draw_word(self, words: Sequence[str]) -> str:
        return words[draw_index(self._rng, len(words))]


def _similarity_keys(key: str) -> set[str]:
    """Return keys that `key` shares with every word it could be confused with.

    These are the word with any one letter left out, so that words one letter apart share a key, and
    the first five letters.
    """
    short = {key[:place] + key[place + 1 :] for place in range(len(key))}
    return short | {key, key[:5] + "-"}


def _join_parts(stem: str, end: str) -> str:
    """Return `stem` and `end` joined, without a tripled letter or two vowels that clash."""
    # A y at the start of a syllable is a consonant.
    clash = end[0] in "aeiouåäö" or (end[0] == "y" and end[1] not in "aeiou")
    if stem[-1] == end[0] or (clash and stem[-1] in "aeiouyåäö"):
        stem = stem[:-1]
    return stem + end


def make_codes(names: Sequence[str]) -> tuple[str, ...]:
    """Return a unique three-letter code for each of `names`, as close to the name as possible.

    Source: the assignment problem over the codes that each name suggests, with their costs.
    """
    suggestions = [_suggest_codes(name) for name in names]
    codes = sorted({code for costs_by_code in suggestions for code in costs_by_code})
    column = {code: number for number, code in enumerate(codes)}
    costs = np.full((len(names), max(len(codes), len(names))), _IMPOSSIBLE)
    for row, costs_by_code in enumerate(suggestions):
        for code, cost in costs_by_code.items():
            costs[row, column[code]] = cost
    rows, columns = linear_sum_assignment(costs)
    if float(costs[rows, columns].max()) >= _IMPOSSIBLE:
        raise NamingError("the codes cannot be unique")
    return tuple(codes[number] for number in columns.tolist())


def _suggest_codes(name: str) -> dict[str, float]:
    """Return possible codes for `name` and the cost of each: letters of the name in order."""
    words = strip_accents(name).upper().split()
    is_of_form = words[1:2] == ["OF"]
    proper = words[-1] if is_of_form else words[0]
    costs: dict[str, float] = {}

    def suggest(code: str, cost: float) -> None:
        if is_allowed_code(code):
            costs[code] = min(cost, costs.get(code, _IMPOSSIBLE))

    suggest(proper[:3], 0.0)
    for second, third in combinations(range(1, len(proper)), 2):
        vowels = sum(proper[place] in "AEIOU" for place in (second, third))
        gaps = (second - 1) * 0.6 + (third - second - 1) * 0.4
        suggest(proper[0] + proper[second] + proper[third], 1.0 + gaps + 0.3 * vowels)
    if len(words) > 1:
        kind = words[0][0] if is_of_form else words[-1][0]
        for place in range(1, len(proper)):
            extra = proper[0] + proper[place]
            suggest(kind + extra if is_of_form else extra + kind, 1.5 + place * 0.5)
    return costs


_UNPRONOUNCEABLE = re.compile(
    r"[^aeiouyåäöü]{4}|(.)\1\1|[^aeiouyåäöü]([^aeiouyåäöü])\2|xx|yy|uu|ii|ww|rsk.|wy[aeiou]|(..+)\3"
)
"""Impossible in any language: four consonants in a row, a letter three times in a row, two doubled
consonants together, a repeated syllable."""


def _build_language(
    starts: str,
    middles: str,
    middle_share: float,
    ends: str,
    countries: tuple[tuple[str, str], ...],
    *,
    forbidden: str = "(?!)",  # matches nothing
) -> Language:
    parts = tuple(starts.split()), tuple(middles.split()), middle_share, tuple(ends.split())
    return Language(*parts, countries, re.compile(forbidden))


_LAND_ENDS_TEXT = """
    see fjord ford furt dorf gorod grad tal dal dell wald feld gawa yama bach brück mura shima
    sund vik havn hausen
"""
LAND_ENDS = frozenset(_LAND_ENDS_TEXT.split())
"""Ends that mean land or already mean water, so they do not fit the name of a sea."""

LANGUAGES = (
    # Northern
    _build_language(
        "Skö Nå Vå Brus Drun Ky La Tå Söm Hald Ris Lof Mö Lyr Skil Dun Bor Fjal Gren Hol Jar "
        "Kol Nor Os Rav Stav Tron Ulv Vin Yst Ag Bjor Es Hem Rog",
        "de ker ma ne ra ven al er",
        0.2,
        "heim land dell by vik fjord borg ness mark sund stad dal havn fell holm",
        (("land", "landic"), ("mark", "markish"), ("ness", "nessian"), ("heim", "heimer")),
        forbidden=r"[fg]fj|[vg]h|[lst]th",
    ),
    # Islands of the south-east
    _build_language(
        "Phi Pha Dy Ry Sys Ni Rei Thy Te Lei Mai Pre Ta My Ne Gai Dei Pro Kal Lyk Xan Ze Ar "
        "Del Eu Hel Kor Meg Or Pel Sam Ther",
        "ly na ro se li mo di ra",
        0.35,
        "thos ros nos kos sos neia naia phos lene pis dros rene lis mene ssa tis nia lia",
        (("eia", "eian"), ("aia", "aian"), ("ros", "rosian"), ("onia", "onian")),
        forbidden=r"g[dkpst]|k[dmp]|kth|m[dklrst]|s[dlr]|n[lmr]|lr|([pt]h)[aeiouy]+\1|aa|ee|[aeiouy]{4}",
    ),
    # Eastern plains
    _build_language(
        "Zhol Zhy Del Shel Go Cha Pru Zhi Mo Bel Vor Kra Tver Os Lu Yar Bre Dob Gra Kos Niz "
        "Pol Rad Slav Smo Sta Tar Ugli Vla Zar",
        "che mi ro sto ve da li no",
        0.35,
        "lsk grad sk nov gorod kov mina ava ovia pol itsa mir evo lin zha rsk",
        (("ovia", "ovian"), ("avia", "avian"), ("ania", "anian"), ("inia", "inian")),
        forbidden=r"([lr])[aeiouy]\1sk|[bdsvz](?:st|[cz]h|sk.)|[sz]sk|[^aeiouy]dal|vv",
    ),
    # Southern savannah
    _build_language(
        "Da Di Bo Ro Hi Te Ma Ku Na Tsau Ba Gi Lu Mu Nya Ki Wa Za Tu Sa Ngo Ka Lo Mbe Ru Shi "
        "Ya Ga Ndo Bu Jo Mwe",
        "ki na ru nge li mba we so",
        0.45,
        "ko nawa ru ma kira wa hira nendo mbe ngo ri bako zi tari lu ndi nga sha yo tswa bira",
        (("anda", "andan"), ("ambia", "ambian"), ("ande", "andese"), ("wana", "wanan")),
    ),
    # Western isles
    _build_language(
        "Py Po Try Bae Gwy Llae Den Twy Bro Bre Ga Cwe Cam Byn Cy Lly Bar Pow Pen Aber Car "
        "Dyf Ery Fan Glyn Hen Mor Nant Rhy Tal Tre Wen",
        "ly wy na en el a o",
        0.25,
        "wyn dun ghan ford more mor thog wick shire lyn ddan gwy nnor dwy wen ryd bryn nwyn",
        (("wynia", "wynian"), ("moria", "morian"), ("bria", "brian"), ("gwent", "gwentian")),
        forbidden=r"[^aeiouy]gh|[bdfglmtw]nw|[dftw]th|[bdfgtw]dw|nt[bdln]|[bfgm]gw|a[ao]",
    ),
    # Dry east
    _build_language(
        "Qu Hi Khai Jaa Zi Za Sha Si Du Na Kha Ti Li Fa La Bur Gul Ar Mer Nish Per Rav Sab "
        "Tab Var Yaz Zan Dar Kir Esh",
        "sha ba ra zi da me li",
        0.3,
        "shan bar zar rar stan bad sistan nun miya razan dabad rud var kand man pur jan gan",
        (("istan", "istani"), ("ania", "anian"), ("aran", "arani"), ("esh", "eshi")),
        forbidden=r"sh[nrsz]|[ln]r|v[rsz]|[bs]sh",
    ),
    # High plateau
    _build_language(
        "De Te Di Du Pe Tle Xa Hun Lun Do Me Qa Chal Az Cho Co Hua Ix Mix Na Oax To Tla "
        "Tol Tza Xo Yau Zac Cui Mal",
        "ca xu la te pa cal",
        0.4,
        "pan ca xuaro tlan can xeca tepec co tla pec lco huac calco tzin mitla yac nango",
        (("tlan", "tlanec"), ("eca", "ecan"), ("acan", "acani"), ("alco", "alcan")),
        forbidden=r"[^aeiou]lc|[cxzl]tz|[cz]x|xm|z[np]|[cn]n",
    ),
    # Warm peninsula
    _build_language(
        "Bro Gia Bran Fon Mel Be Mur Nel Fel Pur La Tel Vu Cre Gran Fla Car Ga Gre Tre Di Cra "
        "Al Bol Casa Lor Mon Or Pia Sal Tor Ver",
        "ri le ti be la mo ne",
        0.3,
        "rrino lena ntino nna zza bena lla rra ro cata ta lino cia no nzo rona scia dino rese",
        (("onia", "onian"), ("ardia", "ardian"), ("uria", "urian"), ("ezia", "ezian")),
        forbidden=r"[^aeiou]n[tz]|nl|nr|[bcfgt]r[aeiou]r[aeiou]",
    ),
    # Far islands
    _build_language(
        "Gi Ru Nu Tsu Ki Ri Ta Ko Ha Mi Sa Hoku Ao Ka Yama Oki Shi Na Fu Ise Aki Hide To Mu "
        "Echi Iwa Oda Suru Tosa Wa",
        "mo ra no na ri ka",
        0.4,
        "ra ka moru suda ko kira ru yama shima gawa to mori saki hara wa no mura tsu zen",
        (("hara", "haran"), ("mato", "matan"), ("yama", "yaman"), ("shu", "shun")),
    ),
    # River forests
    _build_language(
        "Ahr Bram Cro Dorn Eld Falk Gos Har Ils Jev Kat Lin Mun Nord Old Pel Quer Rein Sol "
        "Tan Ulm Vel Wes Zel Alt Buch Er Frie Gum Hoh",
        "ten ger ber len wal",
        0.2,
        "burg feld hausen au stein berg rode tal furt wald dorf bach brück eck see hagen",
        (("enia", "enian"), ("ingia", "ingian"), ("mark", "markish"), ("onia", "onian")),
        forbidden=r"[ltd]dt|dth|tst|thag|jevs",
    ),
)


# Words that no map may print, as a code for orders or in a name.
#
# They are the words used in orders, and rude, hateful or ominous words in a dozen languages,
# because players come from all over.

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


# The kind of each body of water: bay, gulf, sea, ocean and so on.


MIN_ENCLOSED_SHORE = 0.5
"""A bay or a gulf has more than this share of coast in its outline."""

_MAX_OCEAN_SHORE, _MIN_OCEAN_SIZE = 0.45, 1.06
"""An ocean has less coast than this and is larger, relative to the mean water."""

_MAX_SEA_SHORE, _MIN_BEND_SHORE = 0.6, 0.25
"""A water with more coast than the first is a gulf rather than a sea; one with less than the second
is not a bend in the coast."""

_MAX_STRAIT_ROUNDNESS, _MIN_STRAIT_SHORE = 0.37, 0.4
"""A strait or inlet is at most this round (a circle is 1); a strait has at least this share of
coast."""

_FORMS = {
    "bay": ("Bay of {}", "{} Bay"),
    "gulf": ("Gulf of {}",),
    "sea": ("{} Sea", "{} Sea", "{} Sea", "{} Sea", "Sea of {}"),
    "ocean": ("{} Ocean",),
    "strait": ("{} Strait", "{} Channel", "Strait of {}", "{} Passage"),
    "inlet": ("{} Sound", "{} Reach"),
    "bend": ("{} Bight", "{} Waters"),
    "shallows": ("{} Banks", "{} Shoals"),
}


@dataclass(frozen=True)
class Water:
    """The measurements that decide what a body of water is called.

    `size`: relative to the mean water. `shore`: the share of coast in its outline. `roundness`: 1
    for a circle, less for long or rugged waters. `is_passage`: whether it has coasts on two sides
    and other waters at two ends.
    """

    size: float
    shore: float
    roundness: float
    is_passage: bool


@dataclass
class _Outline:
    """The lengths of coast, open water and frame around a water, and where each ends."""

    lengths: list[float]
    ends: list[set[int]]

    def count_stretches(self, kind: int) -> int:
        """Return the number of stretches of `kind`; 0 if it is the whole outline."""
        others = set().union(*(ends for index, ends in enumerate(self.ends) if index != kind))
        return len(self.ends[kind] & others) // 2


_COAST, _WATER, _FRAME = range(3)


def measure_waters(mesh: Mesh, owner: Ints, lines: Sequence[BorderLine], lands: int) -> list[Water]:
    """Return the waters in the order of their numbers, which follow those of the `lands`.

    `owner`: the province of each cell. The figures are rounded to the grid, so they are the same on
    every machine.
    """
    areas = np.bincount(owner, weights=mesh.areas)[lands:]
    outlines = [_Outline([0.0] * 3, [set(), set(), set()]) for _ in areas]
    for line in lines:
        for water, neighbor in ((line.left, line.right), (line.right, line.left)):
            if water < lands:
                continue
            kind = _FRAME if neighbor == OUTSIDE else _COAST if neighbor < lands else _WATER
            outline = outlines[water - lands]
            outline.lengths[kind] += float(mesh.lengths[list(line.edges)].sum())
            if line.vertices[0] != line.vertices[-1]:
                outline.ends[kind] |= {line.vertices[0], line.vertices[-1]}
    perimeters = np.array([sum(outline.lengths) for outline in outlines])
    coast = np.array([outline.lengths[_COAST] for outline in outlines])
    figures = areas / areas.mean(), coast / perimeters, 4 * np.pi * areas / perimeters**2
    rounded = [round_to_grid(values).tolist() for values in figures]
    passages = [min(map(outline.count_stretches, (_COAST, _WATER))) > 1 for outline in outlines]
    return [Water(*measured) for measured in zip(*rounded, passages, strict=True)]


def choose_name_forms(waters: Sequence[Water], rng: np.random.Generator) -> list[str]:
    """Return a form like `Bay of {}` for each water, to be filled in with its name.

    Bays are never larger than gulfs, gulfs than seas, or seas than oceans, and at
    most half of the waters are seas. Words that say nothing about size are for straits and open
    coasts.
    """
    kinds = _choose_kinds(waters, rng)
    turns = {
        kind: itertools.count(1 + draw_index(rng, len(forms))) for kind, forms in _FORMS.items()
    }
    return [_FORMS[kind][next(turns[kind]) % len(_FORMS[kind])] for kind in kinds]


def _choose_kinds(waters: Sequence[Water], rng: np.random.Generator) -> list[str]:
    """Return the key in `_FORMS` for each water."""
    largest = sorted(range(len(waters)), key=lambda water: -waters[water].size)
    kinds = dict.fromkeys(_find_straits(waters), "strait")
    rest = [water for water in largest if water not in kinds]
    candidates = [waters[water] for water in rest[: len(waters) // 5]]
    oceans = len(list(itertools.takewhile(_is_ocean, candidates)))
    seas = _count_seas([waters[water] for water in rest[oceans:]], len(waters))
    small = rest[oceans + seas :]
    enclosed = [water for water in small if waters[water].shore > MIN_ENCLOSED_SHORE]
    gulfs = (len(enclosed) + draw_index(rng, 2)) // 2
    kinds |= dict.fromkeys(rest[:oceans], "ocean")
    kinds |= dict.fromkeys(rest[oceans : oceans + seas], "sea")
    for water in small:
        narrow = waters[water].roundness <= _MAX_STRAIT_ROUNDNESS
        open_kind = "inlet" if narrow else "bend"
        kinds[water] = "shallows" if waters[water].shore < _MIN_BEND_SHORE else open_kind
    kinds |= dict.fromkeys(enclosed[:gulfs], "gulf") | dict.fromkeys(enclosed[gulfs:], "bay")
    return [kinds[water] for water in range(len(waters))]


def _find_straits(waters: Sequence[Water]) -> list[int]:
    """Return the narrowest waters between two coasts, at most a quarter of all."""
    straits = [
        number
        for number, water in enumerate(waters)
        if water.is_passage
        and water.shore >= _MIN_STRAIT_SHORE
        and water.roundness <= _MAX_STRAIT_ROUNDNESS
    ]
    return sorted(straits, key=lambda number: waters[number].roundness)[: len(waters) // 4]


def _is_ocean(water: Water) -> bool:
    return water.shore < _MAX_OCEAN_SHORE and water.size >= _MIN_OCEAN_SIZE


def _count_seas(largest: Sequence[Water], all_waters: int) -> int:
    """Return how many of the `largest` waters, in order, are seas: a third to half of all waters.

    Choose the number that leaves the fewest waters with a name that does not suit their shores.
    """
    counts = range(all_waters // 3, min(all_waters // 2, len(largest)) + 1)

    def count_unsuited(count: int) -> tuple[int, int]:
        seas = sum(water.shore > _MAX_SEA_SHORE for water in largest[:count])
        others = sum(water.shore <= MIN_ENCLOSED_SHORE for water in largest[count:])
        return seas + others, -count

    return min(counts, key=count_unsuited, default=len(largest))
