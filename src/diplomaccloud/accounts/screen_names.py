"""The names that a new person may have, and what the site prints in place of a name.

A new name is not reserved, and not like another person's. Two names look alike if their skeletons
are equal. The table of letters that look
alike is our own and short, because names may contain only ASCII letters; a library for all scripts
finds characters that can be confused, not names that are equal. Some honest names exclude each
other (`Ian` and `Lan`). If the table changes, a migration must compute the skeletons again.

A text that is printed where a name could be, or beside names, is a `Label`, which nobody can have
as a screen name, nor a name that looks like it.
"""

import re
import unicodedata
from enum import StrEnum
from typing import Any, Final

from django.db import models

from diplomaccloud.bots.seats import SEAT_CHOICES

MAX_SKELETON: Final = 255

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


def make_skeleton(name: str) -> str:
    """Return text that is the same for names that look alike, in ASCII; blank without a letter.

    Case, spaces, punctuation, accents and the width of letters do not distinguish names.
    """
    plain = unicodedata.normalize("NFKD", name.translate(_TRANSLATION)).translate(_TRANSLATION)
    text = "".join(character for character in plain.casefold() if character.isalnum())
    for pair, letter in _PAIRS:
        text = text.replace(pair, letter)
    # In ASCII, because database collations disagree about which other letters are equal.
    return text.translate(_ALIKE).encode("ascii", "backslashreplace").decode()[:MAX_SKELETON]


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
    """Return whether the name is reserved for people, or looks like a label of the site."""
    return make_skeleton(name) in _RESERVED_SKELETONS or is_label(name)


def is_label(name: str) -> bool:
    """Return whether the site prints the name, or one that looks like it, in place of names.

    That also holds for a name that contains a role of people who run a site.
    """
    skeleton = make_skeleton(name)
    if skeleton in _PRINTED_SKELETONS or _NUMBERED.fullmatch(skeleton):
        return True
    parts = [name, *re.split(r"[\W_]+", name)]
    return any(make_skeleton(part.rstrip("0123456789")) in _ROLE_SKELETONS for part in parts)


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
