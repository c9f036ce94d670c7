"""The words in written orders: tokens, verbs, the names on a board, and the error for the rest.

A token is a lowercase word, `-` for any kind of dash, or `/` before a coast.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from diplomaccloud.judge.board import Board, Power, PowerInfo, ProvinceCode, UnitKind
from diplomaccloud.judge.geography import NAMELESS
from diplomaccloud.judge.messages.catalog import NotationKey
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message, Parameter

Words = tuple[str, ...]

MAX_QUOTED = 40
"""How many characters of a text an error quotes."""


class NotationError(ValueError):
    """Text that cannot be read; `key` and `parameters` say why, and `str()` in English."""

    def __init__(self, key: NotationKey, **parameters: Parameter) -> None:
        super().__init__(key)
        self.key = key
        self.parameters = parameters

    @property
    def message(self) -> Message:
        """The reason as a key and parameters."""
        return Message(self.key, self.parameters)

    def __str__(self) -> str:
        return render_message(self.message, NAMELESS)


# Characters and tokens.

MAX_LENGTH = 300
"""The longest order that is read, in characters."""

MAX_LINE = 4_000
"""The longest line of several orders that is read, in characters."""

STRAY_TAG = re.compile(r"\[/?[biu]\]", re.IGNORECASE)
"""Remnants of underlining within words in forum posts: `the a[/u]rmy`."""
_TOKEN = re.compile(r"[a-z0-9]+|[-/]")
_ALIKE = str.maketrans(
    dict.fromkeys("‐‑‒–—―−→⇒➔", "-")
    | dict.fromkeys("’‘ʼ`´", "'")
    | dict.fromkeys("([", "/")
    | dict.fromkeys(")]\t\r\n", " ")
    | {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ß": "ss"}
    | {"Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D"}
)
_STRANGE = re.compile(r"[^a-z0-9 /.,:;'\"*!_-]|!(?=[-a-z0-9])|(?<![^ ])!(?=[ !]*[-a-z0-9])")
"""Characters that orders cannot contain. `!` before a word or a dash means "not"."""
_OVERLAY = 1
"""The combining class of characters that are drawn across a letter."""
_ARROW = re.compile(r"(?<![-=])[-=]*>|--+")
_ALIKE_ENOUGH = 0.6
"""The minimum similarity, as measured by `difflib`, of a name suggested for a misspelled one."""
_POSSESSIVE = re.compile(r"'s\b")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KINDS = dict.fromkeys(("a", "army", "armies"), UnitKind.ARMY) | dict.fromkeys(
    ("f", "fleet", "fleets"), UnitKind.FLEET
)

BEFORE_UNIT = _words(
    "in at of from on my our your their its his her new unit which is that moving standing"
)
"""Words ignored before the place of a unit: `the army moving from Marseilles`."""

MOVE = _words(
    "- m mv move moves moving to into go goes going attack attacks attacking advance advances "
    "advancing enter enters entering sail sails sailing march marches marching"
)
AROUND_MOVE = _words("in its their on upon for is")
"""Words that may come before or after those in `MOVE`: `in attack on`."""

HOLD = _words("h hold holds holding stand stands standing stay stays remain remains")
AFTER_HOLD = _words("in place position its still")
SUPPORT = _words("s sup supp support supports supporting")
SUPPORT_HOLD = _words("sh shold")
"""DiplomacyGM's words for supporting a unit that does not move."""
CONVOY = _words("c conv convoy convoys convoying transport transports transporting carry carries")
RETREAT = _words("r ret retreat retreats retreating withdraw withdraws")
DISBAND = _words(
    "d dis disband disbands disbanded remove removes removed removing destroy destroyed"
)
BUILD = _words("b build builds building built raise raises place places")
WAIVE = _words("waive waives waived waiving pass passes decline declines")
AFTER_WAIVE = BUILD | _words("1 one a my our")
WAIVE_SENTENCES = {"do not use build order", "wait / postpone build", "wait"}
"""Complete webDiplomacy orders, one of which contains "not"."""

VIA = _words("via by through using convoyed")
ROUTE = _words("convoy of fleet fleets f in at and own - /")
"""Words in the description of a convoy besides its seas: `by fleet in the North Sea`."""

CONDITIONS = _words(
    "if unless when whenever while until except provided providing depending assuming otherwise "
    "else or but only"
)
"""Words that make an order conditional."""

DENIALS = _words(
    "not no never none nevermind "
    "ignore ignored scratch delete deleted void undo undone forget drop dropped instead without "
    "strike struck skip don dont doesn doesnt won wont isn isnt"
) | {f"cancel{end}" for end in ("", "s", "ed", "ing", "led", "ling")}
"""Words that negate an order; `don't` is read as `don t`."""

NOT_NAMES = frozenset(KINDS).union(
    *(BEFORE_UNIT, MOVE, AROUND_MOVE, HOLD, AFTER_HOLD, SUPPORT, CONVOY, RETREAT, DISBAND),
    *(BUILD, WAIVE, VIA, ROUTE, CONDITIONS, DENIALS, {"and", "an", "land", "overland"}),
)
"""Words that are never read as a misspelled name."""

VERBS = HOLD | SUPPORT | SUPPORT_HOLD | CONVOY | RETREAT | DISBAND | BUILD | {"-"}
ADJUSTMENT_VERBS = VERBS - {"s"}
"""Without the letter that is also a coast: `F STP (S) A MOS` is two builds."""

POWER_NAMES = {
    "austria": ("Austria-Hungary", "Austro-Hungary", "Austro-Hungarian"),
    "england": ("Britain", "Great Britain", "British"),
    "turkey": ("Ottoman Empire", "Ottoman"),
}
"""Other names for powers with one of these names."""

NEVER_SHORT = (
    CONDITIONS | DENIALS | _words("a f s c h m r d b v to by in at of on via and army fleet")
)
"""Words that are never read as the start of a longer name."""

_COASTS = _words("nc sc ec wc northcoast southcoast eastcoast westcoast")
_SIDES = _words("n s e w north south east west northern southern eastern western")
"""Words that name a coast only before `coast` or after a slash or bracket."""


def _simplify(text: str) -> str:
    """Return `text` in lowercase without accents, with one kind of dash and bracket.

    Strikethrough characters are kept, so that struck text is not read as an order.
    """
    # Only a closing tag shows that `[b]` is not a verb in brackets.
    text = STRAY_TAG.sub("", text) if "[/" in text else text
    decomposed = unicodedata.normalize("NFKD", text.translate(_ALIKE)).lower()
    bare = "".join(
        letter for letter in decomposed if unicodedata.combining(letter) in (0, _OVERLAY)
    )
    return _POSSESSIVE.sub("", _ARROW.sub("-", bare))


def tokens_of(text: str, longest: int = MAX_LENGTH) -> list[str]:
    """Return the tokens of one order, or of a line of orders up to `longest` characters.

    Raises `NotationError` for text that is too long and for characters that orders cannot contain,
    such as control characters and letters of other alphabets.
    """
    if len(text) > longest:
        key = NotationKey.ORDER_TOO_LONG if longest == MAX_LENGTH else NotationKey.LINE_TOO_LONG
        raise NotationError(key, limit=longest, length=len(text))
    simple = _simplify(text)
    if strange := _STRANGE.search(simple):
        letter = strange.group()
        name = unicodedata.name(letter, f"U+{ord(letter):04X}").lower()
        raise NotationError(NotationKey.STRANGE_CHARACTER, letter=letter, name=name)
    return _TOKEN.findall(simple)


def name_tokens(name: str) -> tuple[str, ...]:
    """Return the tokens in the name of a province or power, without `the`."""
    words = _TOKEN.findall(_simplify(name))
    return tuple(word for word in words if word != "the" or len(words) == 1)


@dataclass(frozen=True, slots=True)
class Reading:
    """The possible meanings of tokens, best first; each is a set of equally good candidates."""

    tiers: tuple[tuple[ProvinceCode, ...], ...]
    text: str
    by_code: bool
    end: int

    @property
    def all(self) -> tuple[ProvinceCode, ...]:
        """Every candidate, best first."""
        return tuple(dict.fromkeys(code for tier in self.tiers for code in tier))


class Names:
    """The index of the names on one board, which is built only once."""

    def __init__(self, board: Board) -> None:
        self._codes: dict[Words, ProvinceCode] = {}
        self._exact: dict[Words, tuple[ProvinceCode, ...]] = {}
        self._by_initial: dict[str, list[Words]] = {}
        spelled = [(each.code, (each.code, each.name, *each.aliases)) for each in board.provinces]
        spelled += [(code, (code, name)) for code, name in board.impassable]
        for code, spellings in spelled:
            self._codes[name_tokens(code)] = code
            for spelling in spellings:
                self._add(name_tokens(spelling), code)
        self._exact_codes = {"".join(words): codes for words, codes in self._exact.items()}
        self._letters = {form: frozenset(form) for form in self._exact_codes}
        self.alike = lru_cache(maxsize=1024)(self._find_alike)
        self._tiers = lru_cache(maxsize=4096)(self._find_tiers)
        self._reach = lru_cache(maxsize=4096)(self._find_reach)
        self._prefix_power = lru_cache(maxsize=4096)(self._find_power_by_prefix)
        self._powers: dict[Words, Power] = {}
        for info in board.powers:
            for word in power_spellings(info):
                if words := name_tokens(word):
                    self._powers.setdefault(words, info.power)

    def _add(self, words: Words, code: ProvinceCode) -> None:
        solid = tuple(word for word in words if word != "-")
        for form in dict.fromkeys((words, solid, ("".join(solid),)) if solid else ()):
            if form not in self._exact:
                self._by_initial.setdefault(form[0][0], []).append(form)
            codes = self._exact.get(form, ())
            self._exact[form] = codes if code in codes else (*codes, code)

    def place(self, tokens: Sequence[str], start: int) -> Reading | None:
        """Return the places that the tokens from `start` name, longest name first, or None."""
        reach = self._reach(tokens[start]) if start < len(tokens) else 0
        for length in range(min(reach, len(tokens) - start), 0, -1):
            words = tuple(tokens[start : start + length])
            if tiers := self._tiers(words):
                by_code = words in self._codes
                text = " ".join(words).replace(" - ", "-").upper()
                return Reading(tiers, text, by_code, start + length)
        return None

    def _find_reach(self, word: str) -> int:
        """Return the number of words in the longest name that starts with `word`."""
        names = self._by_initial.get(word[0], ())
        lengths = [len(name) for name in names if name[0].startswith(word)]
        return max(lengths, default=int((word,) in self._codes))

    def _find_tiers(self, words: Words) -> tuple[tuple[ProvinceCode, ...], ...]:
        code = self._codes.get(words)
        by_code = (code,) if code else ()
        tiers = (by_code, self._exact.get(words, ()), self._find_by_prefix(words))
        return tuple(filter(None, tiers))

    def _find_by_prefix(self, words: Words) -> tuple[ProvinceCode, ...]:
        if len("".join(words)) < 2 or words[-1] in NEVER_SHORT or "-" in (words[0], words[-1]):
            return ()
        names = [
            name
            for name in self._by_initial.get(words[0][0], ())
            if len(name) >= len(words)
            and all(full.startswith(word) for full, word in zip(name, words, strict=False))
        ]
        return tuple(dict.fromkeys(code for name in names for code in self._exact[name]))

    def power(self, tokens: Sequence[str], start: int) -> tuple[Power, int] | None:
        """Return the power that the tokens from `start` name, and the end of its name."""
        for length in (3, 2, 1):
            words = tuple(tokens[start : start + length])
            if len(words) == length and words in self._powers:
                return self._powers[words], start + length
        prefixed = self._prefix_power(tokens[start]) if start < len(tokens) else None
        return (prefixed, start + 1) if prefixed is not None else None

    def _find_power_by_prefix(self, word: str) -> Power | None:
        """Return the only power whose name starts with `word` (three letters or more)."""
        if len(word) < 3 or word in NEVER_SHORT:
            return None
        powers = {power for words, power in self._powers.items() if words[0].startswith(word)}
        return powers.pop() if len(powers) == 1 else None

    def _find_alike(self, wanted: str) -> list[ProvinceCode]:
        """Return up to three provinces whose code or name looks like `wanted`."""
        from difflib import get_close_matches  # noqa: PLC0415 only misspelled names need it

        letters = set(wanted)
        # A letter in only one of two words matches none. The full comparison takes far longer.
        likely = [
            form
            for form, spelled in self._letters.items()
            if 2 * min(len(wanted) - len(letters - spelled), len(form) - len(spelled - letters))
            >= _ALIKE_ENOUGH * (len(wanted) + len(form))
        ]
        near = get_close_matches(wanted, likely, n=8, cutoff=_ALIKE_ENOUGH)
        near.sort(key=lambda form: (form[0] != wanted[0], sorted(form) != sorted(wanted)))
        codes = (code for form in near for code in self._exact_codes[form])
        return list(dict.fromkeys(codes))[:3]


def coast_at(tokens: Sequence[str], start: int, *, short: bool = False) -> tuple[str, int] | None:
    """Return the coast (`NC`) that the tokens from `start` name, and the end of its name.

    With `short`, as after a slash or bracket, `n` or `north` is enough.
    """
    word, after = [*tokens[start : start + 2], "", ""][:2]
    if word in _COASTS:
        return f"{word[0].upper()}C", start + 1
    if word in _SIDES and (short or after == "coast"):
        return f"{word[0].upper()}C", start + 1 + (after == "coast")
    return None


def power_spellings(info: PowerInfo) -> tuple[str, ...]:
    """Return all names of a power that orders may use."""
    more = POWER_NAMES.get(info.name.lower(), ())
    return (info.power, info.name, info.adjective, *more)


@lru_cache(maxsize=64)
def names_of(board: Board) -> Names:
    """Return the index of the names on `board`."""
    return Names(board)
