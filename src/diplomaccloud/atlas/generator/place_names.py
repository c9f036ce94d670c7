"""Knows most real places of the world by name, so that no invented name is one of theirs.

`place_names.bloom` is a Bloom filter: it contains no names, finds every name that was put in, and
takes very few others for real. `scripts/place-names` writes it.

Source: Burton H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", CACM 13
(1970). Two hashes stand for all of them: Kirsch and Mitzenmacher, "Less Hashing, Same Performance"
(2006).
"""

import hashlib
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

HASHES = 11
"""How many bits stand for a name."""

SHORTEST, LONGEST = 4, 11
"""The lengths of the names that the filter knows, in letters; invented names are as long."""

_DATA = "place_names.bloom"
_PLAIN = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
"""Latin letters that have no decomposition."""


def normalize_name(name: str) -> str:
    """Return `name` in lower case without accents, spaces, hyphens and apostrophes."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_PLAIN))
    return "".join(char for char in plain if unicodedata.category(char) in {"Ll", "Lo"})


def find_bits(key: str, count: int) -> Iterator[int]:
    """Yield the places of the bits that stand for a normalized name in a filter of `count` bits."""
    digest = hashlib.blake2b(key.encode(), digest_size=16).digest()
    first, second = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:], "big")
    return ((first + number * second) % count for number in range(HASHES))


def is_real_place(name: str) -> bool:
    """Return whether a place in the world has this name, as far as GeoNames knows.

    An umlaut may be written with an e. In a thousand invented names, less than one is taken for
    real by mistake.
    """
    spelled = name.casefold().translate(_WITH_E)
    return any(_contains(normalize_name(spelling)) for spelling in {name, spelled})


_WITH_E = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})


def _contains(key: str) -> bool:
    bits = _load_bits()
    return all(bits[place >> 3] >> (place & 7) & 1 for place in find_bits(key, 8 * len(bits)))


@cache
def _load_bits() -> bytes:
    """Return the filter, without the line of text before it."""
    data = files(__package__).joinpath(_DATA).read_bytes()
    return data[data.index(b"\n") + 1 :]
