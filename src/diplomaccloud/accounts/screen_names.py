"""The names that a new person may have, and what the site prints in place of a name.

A new name has letters of one script, is not reserved, and not like another person's. Three texts
are made of it:

* its key, in which names are equal that differ only in case, or in accents of Latin, Greek and
  Cyrillic letters: people are found by it;
* its skeleton, which is equal for names that look alike. Two tables say which letters do: our own,
  which counts more letters as alike than Unicode does, and one made from Unicode's confusables, in
  `look_alikes.txt`. Some honest names exclude each other (`Ian` and `Lan`). If a table changes, a
  migration must compute the skeletons again;
* the words by which a search finds it.

A text that is printed where a name could be, or beside names, is a `Label`, which nobody can have
as a screen name, nor a name that looks like it.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

import regex  # type: ignore[import-untyped]
from django.core.exceptions import ValidationError
from django.db import models

from diplomaccloud.bots.seats import SEAT_CHOICES

MIN_CHARACTERS: Final = 2
MAX_CHARACTERS: Final = 30
"""As people count them: a letter with its marks is one."""
MAX_MARKS: Final = 4
"""How many marks a letter may have."""
MAX_NAME: Final = MAX_CHARACTERS * (1 + MAX_MARKS)
"""In code points; also the length of keys and search words."""
_MAX_READ: Final = 4 * MAX_NAME
"""How much of a name that nobody can have is read; the rest makes no difference."""
MAX_SKELETON: Final = 255
SIGNS: Final = "-'._+@"
"""The signs that a screen name may contain, besides spaces."""
NAME_HELP: Final = (
    f"2 to 30 characters: letters of one script, digits, spaces and {' '.join(SIGNS)}"
)
_OTHER_FORMS: Final = str.maketrans("\u2019\u02bc\u2010\u2011", "''--")
"""Apostrophes and hyphens that keyboards and word processors write."""
_SCRIPTS: Final = (
    # The scripts in everyday use, by Unicode's Annex 31, and those of smaller communities.
    *("Latin", "Greek", "Cyrillic", "Arabic", "Armenian", "Bengali", "Bopomofo", "Devanagari"),
    *("Ethiopic", "Georgian", "Gujarati", "Gurmukhi", "Hangul", "Han", "Hebrew", "Hiragana"),
    *("Kannada", "Katakana", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil"),
    *("Telugu", "Thaana", "Thai", "Tibetan"),
    *("Adlam", "Balinese", "Bamum", "Batak", "Canadian_Aboriginal", "Chakma", "Cham", "Cherokee"),
    *("Hanifi_Rohingya", "Javanese", "Kayah_Li", "Lepcha", "Limbu", "Lisu", "Mandaic"),
    *("Meetei_Mayek", "Miao", "Mongolian", "New_Tai_Lue", "Newa", "Nko", "Ol_Chiki", "Osage"),
    *("Saurashtra", "Sundanese", "Syloti_Nagri", "Syriac", "Tai_Le", "Tai_Tham", "Tai_Viet"),
    *("Tifinagh", "Vai", "Wancho", "Yi"),
)
_MIXES: Final = (
    frozenset({"Han", "Hiragana", "Katakana"}),
    frozenset({"Han", "Hangul"}),
    frozenset({"Han", "Bopomofo"}),
)
"""Scripts that Japanese, Korean and Chinese names may mix."""
_FOLDED_SCRIPTS: Final = r"\p{Latin}\p{Greek}\p{Cyrillic}"
"""The scripts in which accents do not distinguish names."""
_ACCENTS: Final = regex.compile(rf"(?<=[{_FOLDED_SCRIPTS}0-9]\p{{M}}*)\p{{M}}+")
_OTHER_LETTER: Final = regex.compile(rf"(?![{_FOLDED_SCRIPTS}])\p{{L}}")
_STROKES: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"}
    | {"þ": "th", "ŀ": "l", "ŋ": "n"},
)
"""Lowercase letters that Unicode does not decompose, as people write them without their strokes."""
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
"""Unicode's classes of letters that are written from right to left."""
_HEAD_LINES: Final = 2
"""Of the table of letters that look alike."""
_WORD_END: Final = regex.compile(r"[^\p{L}\p{N}]+")

_LOOK_ALIKES: Final = {
    "a": "\u0410\u0430\u0391\u03b1",
    "b": "\u0412\u0432\u042c\u044c\u0392\u03b2",
    "c": "\u0421\u0441",
    "d": "\u0501",
    "e": "\u0415\u0435\u0401\u0451\u0395\u03b5",
    "h": "\u041d\u043d\u04ba\u04bb\u0397",
    "i": "\u0406\u0456\u0407\u0457\u0399\u03b9",
    "j": "\u0408\u0458\u03f3\u037f",
    "k": "\u041a\u043a\u039a\u03ba",
    "m": "\u041c\u043c\u039c",
    "n": "\u039d\u043f\u03b7",
    "o": "\u041e\u043e\u039f\u03bf\u03c3",
    "p": "\u0420\u0440\u03a1\u03c1",
    "q": "\u051b",
    "r": "\u0433",
    "s": "\u0405\u0455",
    "t": "\u0422\u0442\u03a4\u03c4",
    "u": "\u03c5\u03bc",
    "v": "\u03bd\u0475",
    "w": "\u051d\u03c9\u0461",
    "x": "\u0425\u0445\u03a7\u03c7",
    "y": "\u0423\u0443\u03a5\u03b3",
    "z": "\u0396\u03b6",
}
"""Uppercase and lowercase Greek and Cyrillic letters, by the Latin letter that they look like."""

_TRANSLATION: Final = {
    ord(letter): latin for latin, letters in _LOOK_ALIKES.items() for letter in letters
}
_PAIRS: Final = (("rn", "m"), ("vv", "w"))
_ALIKE: Final = str.maketrans("i1|0", "lllo")
"""`I`, `l`, `1` and `|` look alike, and so do `O` and `0`; `i` is the lowercase of `I`."""

_ROLES: Final = (
    *("admin", "administrator", "moderator", "game master", "official", "software", "staff"),
    *("superuser", "support", "sysadmin", "system", "webmaster"),
)
"""Roles of people who run a site; also reserved before digits, in the plural, or within a name."""
NUMBERED_NAME: Final = "Player-{number}"
"""The neutral name of a person whose name a moderator hides; reserved with every number."""
_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or symbols but print nothing."""


class Label(StrEnum):
    """A text in place of a name; case and an article make no difference."""

    GUEST = "Guest"
    DELETED = "deleted player"
    PLAYER = "a player"
    ANOTHER_PLAYER = "Another player"
    NEW_PLAYER = "A new player"
    PREVIOUS_PLAYER = "previous player"
    HIDDEN = "a person whose name is hidden"
    NOBODY = "nobody"
    VACANT = "vacant"
    SITE = "the site"
    MASTER = "the game master"
    CREATOR = "The creator of the game"
    MODERATOR = "a moderator"
    MODERATORS = "Moderators"
    COMMAND_LINE = "The command line"
    VOTE = "a vote"
    UNSIGNED = "Unsigned"
    GRAY = "Gray"
    GRAY_MESSAGES = "Gray messages"
    EVERYONE = "Everyone"
    EVERYONE_UNSIGNED = "everyone, unsigned"
    TABLE = "the table"
    NOTES = "Notes"
    YOU = "you"
    YOURSELF = "yourself"

    @property
    def heading(self) -> str:
        """The label without its article, at the start of a line: `Game master`."""
        plain = strip_article(self)
        return plain[:1].upper() + plain[1:]


_LABELS: Final = (
    *Label,
    *(form for name, title in SEAT_CHOICES for form in (name, title, f"{title}s")),
)


def strip_article(text: str) -> str:
    """Return the text without `a` or `the` at its start."""
    article, _, rest = text.partition(" ")
    return rest if rest and article.lower() in ("a", "the") else text


_PRINTED: Final = tuple(
    f"{article}{strip_article(label)}" for label in _LABELS for article in ("", "a ", "the ")
)
_RESERVED: Final = (
    *_ROLES,
    *("game masters", "gm", "hostmaster", "judge", "mod", "operator", "owner", "postmaster"),
    *("root", "team"),
    # The site itself, and words like those it prints in place of names.
    *("Diplomaccloud", "Diplomacloud", "Diplomacy", "website", "demo"),
    *("master", "creator", "players", "watcher"),
    *("me", "myself", "self", "we", "us", "all", "anybody", "anyone"),
    *("everybody", "no one", "none", "null", "undefined", "somebody"),
    *("someone", "anonymous", "deleted", "removed", "unknown", "user"),
    *("bot", "bots"),
    *_PRINTED,
    # Powers: messages and votes name players and countries side by side.
    *("Austria", "Austria-Hungary", "England", "France", "Germany", "Italy", "Russia", "Turkey"),
    # Words of addresses, and of mail to the site.
    *("account", "accounts", "api", "centers", "code", "drafts", "favicon.ico", "feed", "game"),
    *("games", "health", "help", "home", "index", "join", "live", "lobby", "log", "login"),
    *("logout", "map", "maps", "new", "orders", "people", "press", "quick", "robots.txt"),
    *("rules", "search", "settings", "sign in", "sign up", "static", "status", "votes", "www"),
    *("abuse", "contact", "info", "mail", "no reply", "privacy", "security", "terms"),
)


def check_name(name: str) -> None:
    """Raise `ValidationError` if nobody may choose the name because of its letters or its length.

    The error names the part at fault. `clean_screen_name` comes first.
    """
    for character in name:
        if not _is_allowed(character):
            raise ValidationError(
                f"A screen name cannot contain {_describe(character)}. "
                f"Use letters of one script, digits, spaces and {' '.join(SIGNS)}",
            )
    if loose := regex.search(r"(?<!\p{L}\p{M}*)\p{M}", name):
        raise ValidationError(f"The mark {_describe(loose[0])} needs a letter before it.")
    if heap := regex.search(rf"\p{{L}}\p{{M}}{{{MAX_MARKS + 1},}}", name):
        raise ValidationError(
            f"The letter {_describe(heap[0][0])} has more than {MAX_MARKS} marks.",
        )
    _require_one_script(name)
    count = count_characters(name)
    if count < MIN_CHARACTERS:
        raise ValidationError(f"Use at least {MIN_CHARACTERS} characters in a screen name.")
    if count > MAX_CHARACTERS:
        raise ValidationError(
            f"Use at most {MAX_CHARACTERS} characters in a screen name. This one has {count}.",
        )


def count_characters(text: str) -> int:
    """Return how many characters people see in the text: grapheme clusters."""
    return len(regex.findall(r"\X", text))


def clean_screen_name(text: str) -> str:
    """Return the name in a normal form, with single spaces and plain apostrophes and hyphens."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_OTHER_FORMS).split())


def _is_allowed(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character == " " or character in SIGNS
    if regex.match(r"\p{Default_Ignorable_Code_Point}|\p{Me}", character):
        return False
    return unicodedata.category(character) in {"Ll", "Lu", "Lt", "Lo", "Lm", "Mn", "Mc", "Nd"}


def _require_one_script(name: str) -> None:
    """Raise `ValidationError` if no way to write has all letters, marks and digits of the name."""
    systems, first = [*(frozenset({script}) for script in _SCRIPTS), *_MIXES], ""
    for character in name:
        scripts = _find_scripts(character)
        if scripts is None:
            continue
        if not scripts:
            raise ValidationError(f"A screen name cannot contain {_describe(character)}.")
        systems = [system for system in systems if system & scripts]
        first = first or character
        if not systems:
            raise ValidationError(
                "Use letters of one script in a screen name. This one has "
                f"{_describe(first)} and {_describe(character)}.",
            )


@cache
def _patterns() -> Mapping[str, Any]:
    return {name: regex.compile(rf"\p{{Script_Extensions={name}}}") for name in _SCRIPTS}


def _find_scripts(character: str) -> frozenset[str] | None:
    """Return the scripts that have the character; None for what all scripts share."""
    if character.isascii() and not character.isalpha():
        return None
    scripts = frozenset(name for name, pattern in _patterns().items() if pattern.match(character))
    is_shared = not scripts and regex.match(r"\p{Inherited}", character)
    return None if is_shared else scripts


def _describe(character: str) -> str:
    """Return the character and its name in Unicode, or only the name if nobody would see it."""
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    if unicodedata.category(character)[0] in "CZM":
        return f"\u201c{name}\u201d"
    return f"\u201c\u2068{character}\u2069\u201d ({name})"


def make_key(name: str) -> str:
    """Return text that is equal for the names of one person, who is found by it.

    Case makes no difference, and in Latin, Greek and Cyrillic, accents make none. For names of
    ASCII, it is the name in lowercase.
    """
    if name.isascii():
        key = name.lower()
    else:
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", name[:_MAX_READ])).casefold()
        key = unicodedata.normalize("NFC", plain.translate(_STROKES))
    return key if len(key) <= MAX_NAME else hashlib.sha256(key.encode()).hexdigest()


def make_search_key(text: str) -> str:
    """Return the words of a name or of a search, without marks, in lowercase."""
    plain = unicodedata.normalize("NFKD", text[:_MAX_READ]).casefold().translate(_STROKES)
    letters = "".join(each for each in plain if unicodedata.category(each)[0] != "M")
    return " ".join(_WORD_END.sub(" ", letters).split())[:MAX_NAME]


def list_search_words(name: str) -> list[str]:
    """Return what the key of a search can be the beginning of: the key from each word on."""
    words = make_search_key(name).split()
    return sorted({" ".join(words[start:]) for start in range(len(words))})


def isolate(name: str) -> str:
    """Return the name for a sentence that is plain text: mail, calendars, chats and page titles.

    A name with letters that are written from right to left gets marks around it, which keep it
    from changing the order of the words beside it, as `<bdi>` does in HTML. Other names stay as
    they are.
    """
    if any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in name):
        return f"\u2068{name}\u2069"
    return name


def make_skeleton(name: str) -> str:
    """Return text that is the same for names that look alike, in ASCII; blank without a letter.

    Case, spaces, punctuation, accents and the width of letters do not distinguish names; outside
    Latin, Greek and Cyrillic, accents do.
    """
    plain = unicodedata.normalize("NFKD", name.translate(_TRANSLATION)).translate(_TRANSLATION)
    kept = "" if _OTHER_LETTER.search(plain) is None else "M"
    if not plain.isascii():
        # A letter may look like one letter in uppercase, and like another in lowercase.
        for _ in range(2):
            plain = plain.translate(_TRANSLATION).translate(_look_alikes())
            plain = plain.casefold().translate(_STROKES)
    plain = unicodedata.normalize("NFKD", plain).casefold()
    text = "".join(
        each for each in plain if each.isalnum() or unicodedata.category(each)[0] in kept
    )
    for pair, letter in _PAIRS:
        text = text.replace(pair, letter)
    # In ASCII, because database collations disagree about which other letters are equal.
    skeleton = text.translate(_ALIKE).encode("ascii", "backslashreplace").decode()
    if len(skeleton) <= MAX_SKELETON:
        return skeleton
    digest = hashlib.sha256(skeleton.encode()).hexdigest()
    return f"{skeleton[: MAX_SKELETON - len(digest)]}{digest}"


@cache
def _look_alikes() -> dict[int, str]:
    """Return the texts that letters look like, by their code points: see `scripts/look-alikes`."""
    table: dict[int, str] = {}
    path = Path(__file__).with_name("look_alikes.txt")
    for line in path.read_text(encoding="utf-8").splitlines()[_HEAD_LINES:]:
        text, _, letters = line.rpartition(" ")
        table |= dict.fromkeys(map(ord, letters), text)
    return table


_ROLE_SKELETONS: Final = frozenset(
    make_skeleton(form) for role in _ROLES for form in (role, f"{role}s")
)

_NUMBERED: Final = re.compile(
    # All digits, and the letters that look like 0 and 1.
    make_skeleton(NUMBERED_NAME.format(number="")) + f"[{make_skeleton('0123456789')}]+"
)
_RESERVED_SKELETONS: Final = frozenset(map(make_skeleton, _RESERVED))
_PRINTED_SKELETONS: Final = frozenset(map(make_skeleton, _PRINTED))


def is_reserved(name: str) -> bool:
    """Return whether nobody can choose the name: it is one of the site, or looks like one."""
    # Stored names of guests and deleted accounts begin so.
    is_stored = make_key(name).startswith(("guest ", "deleted "))
    return is_stored or make_skeleton(name) in _RESERVED_SKELETONS or is_label(name)


def is_label(name: str) -> bool:
    """Return whether the site prints the name, or one that looks like it, in place of names.

    That also holds for a name that contains a role of people who run a site.
    """
    skeleton = make_skeleton(name)
    if skeleton in _PRINTED_SKELETONS or _NUMBERED.fullmatch(skeleton):
        return True
    words = [word for word in re.split(r"[\W_]+", name) if word]
    runs = ["".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    return any(make_skeleton(run.rstrip("0123456789")) in _ROLE_SKELETONS for run in (name, *runs))


class KeyField(models.CharField[str | None, str | None]):
    """The key of a person's screen name, filled in when the row is saved; unique.

    NULL in rows that a server of an older release has added: see `people.fill_keys`. A migration
    sees a plain column.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{"max_length": MAX_NAME, "null": True, "unique": True, "editable": False} | options,
        )

    def deconstruct(self) -> Any:
        """Return what a migration needs to create the column."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> str | None:  # noqa: ARG002 Django's
        """Return the key of the name."""
        key = make_key(str(getattr(model_instance, "username", "")))
        setattr(model_instance, self.attname, key)
        return key


class WordField(models.CharField[str, str]):
    """Text that every database sorts by its code points, so that an index finds its beginning."""

    def db_parameters(self, connection: Any) -> Any:
        """Return the column's type. Only PostgreSQL would sort it by a language."""
        parameters = super().db_parameters(connection)
        if connection.vendor == "postgresql":
            parameters["collation"] = "C"
        return parameters


class SkeletonField(models.CharField[str | None, str | None]):
    """The skeleton of a person's screen name, filled in when the row is saved; unique.

    People whose names already looked alike when the column was added keep them: all but the first
    have NULL. A migration sees a plain column.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{"max_length": MAX_SKELETON, "null": True, "unique": True, "editable": False}
            | options
        )

    def deconstruct(self) -> Any:
        """Return what a migration needs to create the column."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> str | None:
        """Return the skeleton of the name, or NULL for a row that has kept NULL."""
        value: str | None = getattr(model_instance, self.attname)
        if add or value is not None:
            value = make_skeleton(str(getattr(model_instance, "username", ""))) or None
            setattr(model_instance, self.attname, value)
        return value


def clean_name(text: str) -> str:
    """Return the name of a map, a world, a country or a draft as `clean_line` does."""
    return clean_line(text, "A name")


def clean_line(text: str, what: str) -> str:
    """Return the text in a normal form with single spaces.

    Raises `ValueError` for characters that cannot be printed.

    Control characters, marks for the direction of writing and invisible letters could make one
    name look like another, and a map file cannot hold them. The error says `what` the text is.
    """
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if not line.isprintable() or _INVISIBLE & set(line):
        raise ValueError(f"{what} may contain only letters, digits and punctuation.")
    return line
