"""Ten invented languages: the parts from which names of a region are built."""

import re
from dataclasses import dataclass

_UNPRONOUNCEABLE = re.compile(
    r"[^aeiouyåäöü]{4}|(.)\1\1|[^aeiouyåäöü]([^aeiouyåäöü])\2|xx|yy|uu|ii|ww|rsk.|wy[aeiou]|(..+)\3"
)
"""Impossible in any language: four consonants in a row, a letter three times in a row, two doubled
consonants together, a repeated syllable."""

_MATCHES_NOTHING = "(?!)"


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


def _build_language(
    starts: str,
    middles: str,
    middle_share: float,
    ends: str,
    countries: tuple[tuple[str, str], ...],
    *,
    forbidden: str = _MATCHES_NOTHING,
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
