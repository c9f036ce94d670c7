"""Stage 10: name provinces, seas, powers and the world, and choose the codes for orders."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from scipy.optimize import linear_sum_assignment

from diplomaccloud.atlas.generator.borders import OUTSIDE, BorderLine
from diplomaccloud.atlas.generator.mesh import Floats, Ints, Mesh, round_to_grid
from diplomaccloud.atlas.generator.place_names import is_real_place
from diplomaccloud.atlas.generator.random_streams import draw_index, draw_indices
from diplomaccloud.atlas.landforms import Landform

_MIN_LENGTH, _MAX_LENGTH, _MAX_COUNTRY_LENGTH, _MAX_SEA_LENGTH = 4, 9, 10, 8
_MAX_QUALIFIED_LENGTH = 7
"""Lengths of names, in letters; the last is that of a land whose name has two words."""

_LETTERS_OF_COUNTRIES = 10
"""Up to this many powers have different first letters; more have different first two letters."""

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
    "oria", "essa", "une", "aya", "endor", "ilia", "omar",
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
    """Everything on the map that has a name; provinces by number.

    `languages`: the number of each power's language in `LANGUAGES`. `solids` and `solid_codes`: the
    names and codes of the pieces of impassable land.
    """

    world: str
    powers: tuple[PowerName, ...]
    provinces: tuple[str, ...]
    codes: tuple[str, ...]
    languages: tuple[int, ...] = ()
    title: str = ""
    solids: tuple[str, ...] = ()
    solid_codes: tuple[str, ...] = ()


def strip_accents(name: str) -> str:
    """Return `name` without accents."""
    return name.translate(_WITHOUT_ACCENTS)


Place = tuple[int, str]
"""The power in whose region something lies, and the form of its name, like `Bay of {}`."""


def make_names(
    lands: Sequence[Place],
    seas: Sequence[Place],
    powers: int,
    rng: np.random.Generator,
    solids: Sequence[Place] = (),
) -> MapNames:
    """Return names for the provinces, `lands` first, for `powers` and for the world.

    `solids`: the pieces of impassable land.

    Each region has its own language. A form without `{}` is a name by itself. Raises `NamingError`
    if the codes cannot be made unique.
    """
    order = draw_indices(rng, len(LANGUAGES), len(LANGUAGES), distinct=True).tolist()
    languages = tuple(order[power % len(order)] for power in range(powers))
    spoken = [LANGUAGES[number] for number in languages]
    name_maker = _NameMaker(rng, initials=1 if powers <= _LETTERS_OF_COUNTRIES else 2)
    countries = [name_maker.make_country(language) for language in spoken]
    provinces = []
    for nation, form in lands:
        length = _MAX_LENGTH if form == "{}" else _MAX_QUALIFIED_LENGTH
        provinces.append(name_maker.fill_form(form, spoken[nation], spoken[nation].ends, length))
    for nation, form in seas:
        ends = _list_sea_ends(spoken[nation])
        provinces.append(name_maker.fill_form(form, spoken[nation], ends, _MAX_SEA_LENGTH))
    world = name_maker.make_name(spoken[draw_index(rng, powers)], _WORLD_ENDS)
    barriers = [
        name_maker.fill_form(form, spoken[nation], _list_sea_ends(spoken[nation]), _MAX_SEA_LENGTH)
        for nation, form in solids
    ]
    codes, count = make_codes([*provinces, *barriers]), len(provinces)
    return MapNames(
        world,
        tuple(countries),
        tuple(provinces),
        codes[:count],
        languages,
        solids=tuple(barriers),
        solid_codes=codes[count:],
    )


class Feature(StrEnum):
    """What can have a name without being a province, and the forms of its name."""

    RIVER = "River {}|{} River"
    ISLAND = "Isle of {}|{} Island"
    ISLANDS = "{} Islands|Isles of {}"
    LAKE = "Lake {}"
    RANGE = "{} Mountains|{} Range|Mountains of {}"
    PASS = "{} Pass"  # noqa: S105 - a way through mountains
    CANAL = "{} Canal"
    DESERT = "{} Desert|{} Waste"
    FOREST = "{} Forest|Forest of {}"
    ICE = "{} Ice|{} Glacier|Ice of {}"


def name_features(
    names: MapNames, features: Sequence[tuple[int, Feature]], rng: np.random.Generator
) -> tuple[str, ...]:
    """Return names for `features` of a map that has `names`; none resembles another on the map.

    A feature is the power in whose region it lies, which decides the language, and its kind.
    """
    name_maker = _NameMaker(rng)
    powers = (power.name for power in names.powers)
    places = map(find_proper_word, (*names.provinces, *names.solids))
    name_maker.reserve_words((names.world, *powers, *places))
    made = []
    for nation, feature in features:
        language, forms = LANGUAGES[names.languages[nation]], feature.value.split("|")
        form = forms[draw_index(rng, len(forms))]
        made.append(name_maker.fill_form(form, language, _list_sea_ends(language), _MAX_SEA_LENGTH))
    return tuple(made)


def choose_solid_forms(
    landform: Landform | None, count: int, rng: np.random.Generator
) -> list[str]:
    """Return the form of the name of each piece of impassable land, in turns."""
    forms = (Feature.ICE if landform is Landform.POLAR else Feature.RANGE).value.split("|")
    first = draw_index(rng, len(forms)) if count else 0
    return [forms[(first + number) % len(forms)] for number in range(count)]


def _list_sea_ends(language: "Language") -> tuple[str, ...]:
    return tuple(end for end in language.ends if end not in LAND_ENDS)


def find_proper_word(name: str) -> str:
    """Return the word of `name` that is in one of the languages: `Velk` of `Bay of Velk`."""
    words = name.split()
    return words[-1] if words[1:2] == ["of"] or words[0] in QUALIFIERS else words[0]


QUALIFIERS = frozenset((
    "North", "South", "East", "West", "New", "Old", "Upper", "Lower", "Great", "Cape", "Port",
    "Mount", "Lake", "River", "The",
))  # fmt: skip
"""Words that stand before the name of a place."""


# Invented languages: the parts from which names of a region are built.
#
# No part is the part of a real place name in the language that it resembles, so that few names are
# real.


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

    def __init__(self, rng: np.random.Generator, initials: int = 1) -> None:
        self._rng = rng
        self._initials_length = initials
        self._taken: set[str] = set()
        self._heads: dict[str, int] = {}
        self._initials: set[str] = set()

    def reserve_words(self, words: Iterable[str]) -> None:
        """Make no name that could be confused with one of `words`."""
        for word in words:
            self._reserve_key(strip_accents(word).lower())

    def _reserve_key(self, key: str) -> None:
        self._taken |= _similarity_keys(key)
        self._heads[key[:3]] = self._heads.get(key[:3], 0) + 1

    def fill_form(self, form: str, language: Language, ends: Sequence[str], max_length: int) -> str:
        """Return `form` with a new name in it, as `make_name` makes it, if it needs one."""
        return form.format(self.make_name(language, ends, max_length)) if "{}" in form else form

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
                and not is_real_place(name)
            ):
                self._reserve_key(key)
                return name
        raise NamingError("a language has too few words")

    def make_country(self, language: Language) -> PowerName:
        """Return a new name for a country, with first letters that no other country has."""
        ends = dict(language.countries)
        for _ in range(_MAX_COUNTRY_TRIES):
            end = self._draw_word(tuple(ends))
            taken = self._taken.copy()
            name = self.make_name(language, (end,), _MAX_COUNTRY_LENGTH)
            adjective = name.removesuffix(end) + ends[end]
            initials = strip_accents(name)[: self._initials_length]
            if initials not in self._initials and is_allowed_name(strip_accents(adjective).lower()):
                self._initials.add(initials)
                return PowerName(strip_accents(name).upper(), name, adjective)
            # The name was not used, so it becomes available again.
            self._taken = taken
        raise NamingError("a language has no country with first letters of its own")

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
    """Return `stem` and `end` joined, without a tripled letter or vowels that clash."""
    # A y at the start of a syllable is a consonant.
    clash = end[0] in "aeiouåäö" or (end[0] == "y" and end[1:2] not in "aeiou")
    if clash and (bare := stem.rstrip("aeiouyåäö")):
        stem = bare
    elif stem[-1] == end[0]:
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
    proper = strip_accents(find_proper_word(name)).upper()
    is_of_form = proper == words[-1]
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
    r"|([lr])[aeiouyåäöü]{1,2}\4|(?<=.)(?:(?!(.)\5)[bdgkpt][bdgkptfmv]|[bdptfvz]n|[dv]l|[lnms]r|[mn]l|n[bmp]|mn|m[dgkvztjrh]"
    r"|w[bdgklmnprt]|[vnmbfj]h|[sf][bdgv]|g[sz]|[dv]s|[lrn]y[aeiou])"
)
"""Impossible in any language: four consonants in a row, a letter three times in a row, two doubled
consonants together, a repeated syllable; and, inside a word, pairs of consonants that are hard to
say."""


def _build_language(
    onsets: str,
    cores: str,
    middles: str,
    middle_share: float,
    ends: str,
    *,
    countries: tuple[tuple[str, str], ...],
    forbidden: str = "(?!)",  # matches nothing
) -> Language:
    """Return a language in which each of `onsets` goes with each of `cores`."""
    starts = tuple(
        _join_parts(onset, core) for onset, core in itertools.product(onsets.split(), cores.split())
    )
    parts = starts, tuple(middles.split()), middle_share, tuple(ends.split())
    return Language(*parts, countries, re.compile(forbidden))


_LAND_ENDS_TEXT = """
    skar vold stad fold lund tind fjell hamn sker molt bryn rechye vodsk gorye dubno zhany wick
    caer lyn gant wern mosk grava klamm moor forst tobel linde tann lohe wehr rain stieg hort
    gries rast lampi bulak lande vergne rivel vault chesne fontel mendar zhar gird huaco peyan
    thora glos fiero vasso
"""
LAND_ENDS = frozenset(_LAND_ENDS_TEXT.split())
"""Ends that mean land or already mean water, so they do not fit the name of a sea."""

LANGUAGES = (
    # Northern
    _build_language(
        "B Br D Dr F Fj G Gr H Hj J K Kl Kn Kv L M N R S Sk Sn Sv T Tr V",
        "al ar el il or ul yl yn ör å an em ond ast ev ed ok",
        "de ma ne ra",
        0.12,
        "skar vold mund hyrn varn rike drand skeld molt hjel tind lund bryn skald run drift vask"
        " mar stad fold hamn sker gild fjell",
        countries=(
            ("vold", "voldish"),
            ("rike", "rikan"),
            ("mark", "markish"),
            ("ness", "nessian"),
        ),
        forbidden=r"[^aeiouyåö](hj|hy|fj)|st[^aeiouyr]",
    ),
    # Islands of the south-east
    _build_language(
        "Ph Th K Kl L M N P Pr R S X Z D Dr Gl Eur Il Am Chr Pt Tyr Hel",
        "a e i o y ae ea ia an ar el en or as",
        "ly no ro se mi di",
        0.2,
        "thora ndros lyme phene nessos kleia moros dike theme rhon pylos xene tharis glos demna"
        " chora lassa phyra dora kymos neos thyme stra",
        countries=(("atia", "atian"), ("era", "eran"), ("yra", "yran"), ("onia", "onian")),
        forbidden=r"[lnrs][xr]|n[clmp]|s[dlgkn]|[sz]ph|sth|lth|r?rh|([pt]h|[kl]).*\1|[aeo][aeio]{2}|lly",
    ),
    # Eastern plains
    _build_language(
        "B Br Ch D Dr G Gr K Kr L M N P Pr R S Sl Sm T Tr V Vl Y Z Zh Str Tv",
        "a e o u el ol or er en ar ev ov yl",
        "che mi ro le da li no",
        0.15,
        "vets zhin nitsa dovka mirov linka stova zhets vinsk zhena tycha rechye grava mosk linov"
        " zhany vodsk tresk chevo dubno gorye shka lomets rudka",
        countries=(("ovia", "ovian"), ("enia", "enian"), ("avia", "avian"), ("inia", "inian")),
        forbidden=r"v[^aeiouyn]|[ln]l|l[cr]h",
    ),
    # Southern savannah
    _build_language(
        "Mb Nd Ng Ny Mw Kw Ts Z B D K L M N R S T W Y J Sh Ch Bw Gw",
        "a e i o u ema ozi ula iri ame osa eru",
        "ki na ru li we so",
        0.15,
        "nzemba tswari lonwe ndulu zambe kweli ngaso wembi rundo tumbe shendi yangwe bwesi"
        " nduwo lukwe zomba ngewa mbeso tsole hundu yenga vumbo",
        countries=(("anda", "andan"), ("embia", "embian"), ("onde", "ondese"), ("wana", "wanan")),
        forbidden=r"^[mn][bdg].*[mn][bdgz]|[aeiou]{3}",
    ),
    # Western isles
    _build_language(
        "Bl Br C Cl Cr D Dr F G Gl Gw H Ll M N P Pr R Rh S T Tr Car Pen",
        "a ae al ar e ed el en er il o ol yl yr ow",
        "ly wen na el",
        0.1,
        "dwyn rwyn gant mawr lech thyr beth nwyth wern fael gorm lais thel drith rodd lyn maes"
        " venny garreg wick caer nant merrin tor",
        countries=(
            ("wynia", "wynian"),
            ("moria", "morian"),
            ("wenna", "wennan"),
            ("gwent", "gwentian"),
        ),
        forbidden=r"a[ao]|ll[^aeiouy]|[lr]rw|[dln]th|[dnlr][dn]w|wy?w|yae|[rln]n[wt]|dr[aeiouyw]+dr|rrn",
    ),
    # Dry east
    _build_language(
        "B D F G Gh H J K Kh M N Q R S Sh T V Z",
        "a al am ar az e er ir or u ul ur ash an oz ev",
        "sha ra zi me",
        0.12,
        "zaman vand mirzan guzar tavar khosh navesh daran zavir baruk jamir shevan rukh dezh"
        " mahra tirak zhar vareh gird ashan mehr navan",
        countries=(("istan", "istani"), ("ania", "anian"), ("aran", "arani"), ("eshan", "eshani")),
        forbidden=r"sh[^aeiou]|v[^aeiou]|z[^aeiouh]|q[^ua]|lj|rn|nn|[nl]z|([kg]h).*[kg]h",
    ),
    # High plateau
    _build_language(
        "A Ch H I L M N Quel Quin T Tl Tz X Y Z C E O P Tol Met Nap Ix Oc Nex Pol Hual Tem"
        " Chim Am Mal Tam Coy Huex Tep Pan Yan Zum Xoch Mich",
        "a e i o ual ac al",
        "ca xu la te pa mo",
        0.3,
        "xoltec natli huaco tlixa quetl malpan chinoc patzil tonco yohual cotl mixca peyan tzalpa"
        " nexco liztla huitec xala cuelo tomec zoapa lotzin"
        " zinca meyo tozin pochi tepal coyan naca moxtli",
        countries=(("tlan", "tlanec"), ("exca", "excan"), ("olpan", "olpanec"), ("ecoa", "ecoan")),
        forbidden=r"l[cxnqyz]|c[^aeioul]|ltl|[aeio]{3}|^[aeio]{2}|[aeio]u|(tl|tz).*\1|u[aeio][aeio]|uu",
    ),
    # Warm peninsula
    _build_language(
        "B Br C Ch D F Fr G Gr L M N P Pr R S Sc Sp St T Tr V Sal Or",
        "al an ar el en er ol or on av ev ir om am ul",
        "ri le ti be la",
        0.12,
        "vezzo dravo luna merro pella rigna gonda mondra velia drenna stura vasso denza tessa"
        " bruno grana ssera mirra dolfo cresta nuvia fiero valda",
        countries=(("onia", "onian"), ("ardia", "ardian"), ("uria", "urian"), ("ezia", "ezian")),
        forbidden=r"[nmlrv]ss|m[^aeioubp]|nn|n[bpfmgvlr]|v[^aeiou]|l[rl][^aeiou]|ch[^ei]|sc[^aou]",
    ),
    # Far islands
    _build_language(
        "K S T N H M Y R W Sh Ts A I O Ch",
        "a i u o e aya aze ori umo isa ena ugi eyo",
        "mo ra no ri",
        0.12,
        "suren karu mizuro tohari nekka rasu yoreki guren hazu shige zami yora hitane denzo muga"
        " kosone rinoe tamae suro wado nagori soru moku",
        countries=(("hara", "haran"), ("moto", "motan"), ("sumi", "sumian"), ("rune", "runese")),
        forbidden=r"[aeiou]{3}|y[ie]|w[iueo]|t[iu]|si|hu|^[aio][aeiou]|ts[aeio]|che",
    ),
    # River forests
    _build_language(
        "B Br D Dr F G Gl Gr H K Kl Kn L M N Pf R S Schl Schw St Str T Tr V W Zw",
        "al ar el er il ol or un am ohl ied ünn and est ull",
        "ten ger ber wal",
        0.08,
        "wehr trift lohe wend tann rast warte klamm ruhn halde leit brand schar moor gries hort"
        " forst kreuz minn tobel linde stieg rain",
        countries=(("enia", "enian"), ("ingia", "ingian"), ("mark", "markish"), ("gau", "gauer")),
        forbidden=r"dt|td|[^aeiouü]sch|nn[^aeiou]|ll[^aeiou]|st[^aeiouwlh]|th|stst|ml|dh|hl[^aeioubdmtw]",
    ),
    # Lakes of the north
    _build_language(
        "K L M N P R S T V H J Kuo Hie Sau Ruo",
        "a aa e i ie u uo y ä ai ara ele iru ova",
        "la ne ri ka",
        0.12,
        "lmaro skela vanto rinne hdelo tuva salmo nkeva lloru stavi pella juoma rkola ltari mmeru"
        " sinta hjala veno ntola ruska",
        countries=(("vola", "volan"), ("meria", "merian"), ("luma", "luman"), ("stava", "stavan")),
        forbidden=r"[aeiouyä]{3}|[yä].*[aou]|[aou].*[yä]|aa.*aa|uo.*uo",
    ),
    # High steppe
    _build_language(
        "B Ch D G J K M N O Q S Sh T U Y Z Tur Kar",
        "a e o u al ar er ol or ur an un ay",
        "gu da ra",
        0.1,
        "bulak temir ghal tughan zharyk mergen doruk sengir kuyan torgai jurt barlyk yurek"
        " chagan balta kesh dolon ngur tagar sulan shekin",
        countries=(("ekia", "ekian"), ("aghan", "aghani"), ("oria", "orian"), ("istan", "istani")),
        forbidden=r"[aeiou]{3}|[lrn]ng|y[^aeiou]|[nrl]gh|q[ou]|ae|aye",
    ),
    # Green valleys
    _build_language(
        "B Bl Br Ch D F Fl G L M N P R S T V Cl Cr Ver Sau Bel Mont",
        "a an ar e el er o or ou eau ain ir au il",
        "ri le ne",
        0.08,
        "vergne monde rivel chesne solaine lande fontel gueval rochelle daine ciel vigne tresque"
        " merande perche ronce loire dange sorbe vault mière grive",
        countries=(("aine", "ainian"), ("elle", "ellian"), ("andie", "andian"), ("esque", "escan")),
        forbidden=r"eau[aeiou]|ou[aeiou]|r[lr]|nn|n[rm]|ll[^aeiou]",
    ),
    # Stone coast
    _build_language(
        "B D G J K L M S T Z Arr Urr Ab Ek Ib Om Ug",
        "a e i o u al ar en or ur iz atz ain ei",
        "ga ri be",
        0.12,
        "gorri zarra dui txoa lekun marro tegi durra kelo harri larre zubel gatxa zondar nesta"
        " mendar rrieta zelai bilza goien",
        countries=(
            ("barra", "barran"),
            ("duria", "durian"),
            ("londo", "londan"),
            ("metxa", "metxan"),
        ),
        forbidden=r"[aeiou]{3}|^[aeiou]{2}|tz[^aeiou]|z[gbdlmnhzk]|[^aeiou]tx|nz|rz",
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
    butt cazz chink cocain cock cojon coon crap cretin culo cunn cunt dachau damn dead dick dild
    dork dreck dyke fagg fagot fart fellat ficken fitta foda fotz fuc fuck fuk futa genoc gonor gook
    gulag hadolf hamas herpes hitl hoer holoc homo hore hure isis jebe jizz kack kaka kike kkk koon
    kosov kunt kurv kurw kutya lesb minge mixtec mofo mudak muff mussol naci nazi neger negr
    niger nigg nutt orgas osama pedo penis pimmel pimp pipi piss pizd poof poop porn pube pusi
    pussi puta putain pute puto quran raghead rapist satan scat schei scheis schlamp scrot semen
    sex shag shit skank slag slave slut smeg sodom sperm spic spik stalin suka syphil tits titt
    testic toltec toss treblin turd twat urin vagin vermin virus vulv wank whore wichs xxx zigeun
    zobo
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

_OCEAN_MARGIN = 1.03
"""An ocean is this many times as large as the largest water outside the largest fifth."""

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
    "strait": ("{} Strait", "{} Channel", "Strait of {}", "{} Passage", "{} Narrows"),
    "inlet": ("{} Sound", "{} Reach"),
    "bend": ("{} Bight", "{} Waters"),
    "shallows": ("{} Banks", "{} Shoals"),
}


_SINGLE_NAMES = {"strait": "The Narrows", "shallows": "The Shallows"}
_SINGLE_NAME_SHARE = 0.007
"""How often the longest water of a kind has a name that needs no other word.

No name may stand on more than ten of 500 maps."""


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


def measure_waters(
    mesh: Mesh, owner: Ints, lines: Sequence[BorderLine], counts: tuple[int, int]
) -> list[Water]:
    """Return the waters in the order of their numbers, which follow those of the lands.

    `counts`: the lands and the seas.

    `owner`: the province of each cell. The figures are rounded to the grid, so they are the same on
    every machine.
    """
    lands, seas = counts
    areas = np.bincount(owner, weights=mesh.areas)[lands : lands + seas]
    outlines = [_Outline([0.0] * 3, [set(), set(), set()]) for _ in areas]
    for line in lines:
        for water, neighbor in ((line.left, line.right), (line.right, line.left)):
            if not lands <= water < lands + seas:
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


_LAKE_FORMS = ("Lake {}", "{} Water", "Lake {}", "{} Mere")


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
    forms = [
        _LAKE_FORMS[number % len(_LAKE_FORMS)]
        # Only a lake has nothing but shore around it.
        if water.shore == 1.0
        else _FORMS[kind][next(turns[kind]) % len(_FORMS[kind])]
        for number, (kind, water) in enumerate(zip(kinds, waters, strict=True))
    ]
    for kind, name in _SINGLE_NAMES.items():
        alike = [water for water, its_kind in enumerate(kinds) if its_kind == kind]
        if rng.random() < _SINGLE_NAME_SHARE and alike:
            forms[min(alike, key=lambda water: waters[water].roundness)] = name
    return forms


def _choose_kinds(waters: Sequence[Water], rng: np.random.Generator) -> list[str]:
    """Return the key in `_FORMS` for each water."""
    largest = sorted(range(len(waters)), key=lambda water: -waters[water].size)
    kinds = dict.fromkeys(_find_straits(waters), "strait")
    rest = [water for water in largest if water not in kinds]
    fifth = len(waters) // 5
    # The drawn outlines differ a little from those that were measured.
    least = _OCEAN_MARGIN * waters[largest[fifth]].size if fifth < len(waters) else 0.0
    candidates = (waters[water] for water in rest if water in largest[:fifth])
    oceans = len(
        list(
            itertools.takewhile(lambda water: _is_ocean(water) and water.size >= least, candidates)
        )
    )
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


# Names of two words on land.


_QUALIFIED_SHARE = 0.1
"""Of the names on land."""

_CAPE_SHORE = 0.6
"""A cape has at least this share of coast in its outline."""

_DIRECTION_RATIO = 1.5
"""How much farther a land must be from the middle of its region in one direction than across it."""

_KINDS_OF_FORMS = ("side", "cape", "new", "side", "rank", "port", "side", "cape", "rank", "march")
"""The kinds of forms, in proportion; a map starts somewhere and takes them in turn."""

_MARCHES = ("Marches", "Barrens", "Downs", "Wolds", "Fens", "Heath")
_BARE_MARCHES = 30
"""One in this many of them has no other word: `The Downs`."""

_RANKS = ("Upper {}", "Old {}", "Lower {}", "Great {}")


@dataclass(frozen=True)
class Region:
    """The measurements that decide whether the name of a land has a second word.

    `offset`: how far it lies to the right of and below the middle of its region, rounded to the
    grid. `shore`: the share of coast in its outline.
    """

    nation: int
    offset: tuple[float, float]
    shore: float


def measure_lands(
    mesh: Mesh, lines: Sequence[BorderLine], nations: Sequence[int], middles: Floats, seas: int
) -> list[Region]:
    """Return the measurements of the lands, one for each of `nations`.

    `nations`: the power of each land's region. `middles`: the middle of each land (n×2). `seas`:
    how many of the numbers after the lands are seas.
    """
    count = len(nations)
    coast, whole = np.zeros(count), np.zeros(count)
    for line in lines:
        length = float(mesh.lengths[list(line.edges)].sum())
        for land, neighbor in ((line.left, line.right), (line.right, line.left)):
            if 0 <= land < count:
                whole[land] += length
                coast[land] += length if count <= neighbor < count + seas else 0.0
    shores = round_to_grid(coast / whole).tolist()
    sums = np.zeros((max(nations) + 1, 3))
    for land, nation in enumerate(nations):
        sums[nation] += (*middles[land].tolist(), 1.0)
    means = sums[:, :2] / np.maximum(sums[:, 2:], 1.0)
    offsets = round_to_grid(middles[:count] - means[list(nations)]).tolist()
    return [
        Region(nation, (right, down), shore)
        for nation, (right, down), shore in zip(nations, offsets, shores, strict=True)
    ]


def choose_land_forms(lands: Sequence[Region], rng: np.random.Generator) -> list[str]:
    """Return the form of each land's name: `{}`, and for a tenth two words, like `North {}`.

    The words suit the land: the side of its region on which it lies, or its coast. No word stands
    on two lands of a region.
    """
    order = draw_indices(rng, len(lands), len(lands), distinct=True).tolist()
    start = draw_index(rng, len(_KINDS_OF_FORMS))
    wanted = round(_QUALIFIED_SHARE * len(lands))
    forms, used = ["{}"] * len(lands), set[tuple[int, str]]()
    for turn in range(2 * len(lands)):
        if sum(form != "{}" for form in forms) >= wanted:
            break
        kind = _KINDS_OF_FORMS[(start + turn) % len(_KINDS_OF_FORMS)]
        choice = draw_index(rng, len(_MARCHES) * _BARE_MARCHES)
        for land in order:
            form = _find_form(kind, lands[land], choice)
            # A name without a word of its own stands only once on a map.
            key = (lands[land].nation if "{}" in form else -1, form)
            if form != "{}" and forms[land] == "{}" and key not in used:
                forms[land] = form
                used.add(key)
                order.remove(land)
                break
    return forms


def _find_form(kind: str, land: Region, choice: int) -> str:
    """Return a form of this kind that suits `land`, or `{}` if there is none."""
    right, down = land.offset
    form = "{}"
    if kind == "side" and abs(down) > _DIRECTION_RATIO * abs(right):
        form = "South {}" if down > 0 else "North {}"
    elif kind == "side" and abs(right) > _DIRECTION_RATIO * abs(down):
        form = "East {}" if right > 0 else "West {}"
    elif kind == "cape" and land.shore >= _CAPE_SHORE:
        form = "Cape {}"
    elif kind in ("new", "port") and land.shore > 0:
        form = "New {}" if kind == "new" else "Port {}"
    elif kind == "rank":
        form = _RANKS[choice % len(_RANKS)]
    elif kind == "march" and land.shore < _CAPE_SHORE:
        word = _MARCHES[choice % len(_MARCHES)]
        form = f"{{}} {word}" if choice // len(_MARCHES) else f"The {word}"
    return form


# The title of a map.


_NUMBERS = ("", "", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_TITLES = {
    Landform.CONTINENTS: ("The Continents of {world}", "The Sundered Lands of {world}"),
    Landform.PANGAEA: ("The Great Land of {world}", "The One Land of {world}"),
    Landform.ARCHIPELAGO: ("The Isles of {world}", "The Scattered Isles of {world}"),
    Landform.INLAND_SEA: ("The Realms around the {sea}", "The Shores of the {sea}"),
    Landform.ISTHMUS: ("The Two Halves of {world}", "The Neck of {world}"),
    Landform.PENINSULAS: ("The Capes of {world}", "The Horns of {world}"),
    Landform.GREAT_RIVER: ("The Vale of {world}", "The Great Valley of {world}"),
    Landform.HIGHLANDS: ("The High Realms of {world}", "The Peaks and Passes of {world}"),
    Landform.POLAR: ("The Frozen Crown of {world}", "The Realms around the Ice of {world}"),
    Landform.NEW_WORLD: ("{world} and the New World", "The Old and New Lands of {world}"),
    Landform.OLD_EUROPE: ("The Old Realms of {world}", "The Courts of {world}"),
    Landform.GLOBE: ("The Globe of {world}", "All the Lands of {world}"),
}
_PLAIN_TITLES = (
    "An Atlas of {world}", "The Realms of {world}", "The {number} Crowns of {world}",
    "The {number} Realms of {world}", "A Chart of {world}", "The {sea} and Its Shores",
)  # fmt: skip


def make_title(
    landform: Landform | None, world: str, sea: str, powers: int, rng: np.random.Generator
) -> str:
    """Return a title for the picture of a map, e.g. `The Vale of Skeldora`.

    `sea`: the name of a large sea. Without a `landform`, a title says how many powers there are,
    names the sea, or neither.
    """
    titles = _PLAIN_TITLES if landform is None else _TITLES[landform]
    number = _NUMBERS[powers] if powers < len(_NUMBERS) else ""
    fitting = [title for title in titles if number or "{number}" not in title]
    title = fitting[draw_index(rng, len(fitting))]
    return title.format(world=world, sea=sea, number=number)
