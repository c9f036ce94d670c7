"""Names of a board's provinces and powers, and the meanings of a few tokens."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from diplomaccloud.judge.board import Board, Power, PowerInfo, ProvinceCode
from diplomaccloud.judge.notation.vocabulary import NEVER_SHORT, POWER_NAMES
from diplomaccloud.judge.notation.words import name_tokens

Words = tuple[str, ...]

_COASTS = {
    form: f"{letter}C"
    for letter, word in (("N", "north"), ("S", "south"), ("E", "east"), ("W", "west"))
    for form in (f"{letter.lower()}c", f"{word}coast")
}
_SIDES = {
    form: f"{word[0].upper()}C"
    for word in ("north", "south", "east", "west")
    for form in (word[0], word, f"{word}ern")
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The possible meanings of some tokens: best readings first, each a set of equal candidates."""

    tiers: tuple[tuple[ProvinceCode, ...], ...]
    text: str
    by_code: bool
    end: int

    @property
    def all(self) -> tuple[ProvinceCode, ...]:
        """Every candidate, best first."""
        return tuple(dict.fromkeys(code for tier in self.tiers for code in tier))


class Names:
    """The index of the names of one board; built once for each board."""

    def __init__(self, board: Board) -> None:
        self._codes: dict[Words, ProvinceCode] = {}
        self._exact: dict[Words, list[ProvinceCode]] = {}
        for code, spellings in _spellings(board):
            self._codes[name_tokens(code)] = code
            for spelling in spellings:
                self._add(name_tokens(spelling), code)
        self._longest = max(map(len, self._exact), default=0)
        self._by_initial: dict[str, list[Words]] = {}
        for words in self._exact:
            self._by_initial.setdefault(words[0][0], []).append(words)
        self._tiers = lru_cache(maxsize=4096)(self._find_tiers)
        self._prefix_power = lru_cache(maxsize=4096)(self._find_power_by_prefix)
        self._powers: dict[Words, Power] = {}
        for info in board.powers:
            for word in power_spellings(info):
                if words := name_tokens(word):
                    self._powers.setdefault(words, info.power)

    def _add(self, words: Words, code: ProvinceCode) -> None:
        solid = tuple(word for word in words if word != "-")
        if not solid:
            return
        for form in dict.fromkeys((words, solid, ("".join(solid),))):
            codes = self._exact.setdefault(form, [])
            if code not in codes:
                codes.append(code)

    def place(self, tokens: Sequence[str], start: int) -> Reading | None:
        """Return what the tokens from `start` name, the longest name first, or None."""
        for length in range(min(self._longest, len(tokens) - start), 0, -1):
            words = tuple(tokens[start : start + length])
            if tiers := self._tiers(words):
                by_code = words in self._codes
                return Reading(tiers, _shown(words), by_code, start + length)
        return None

    def _find_tiers(self, words: Words) -> tuple[tuple[ProvinceCode, ...], ...]:
        code = self._codes.get(words)
        found: list[tuple[ProvinceCode, ...]] = [(code,)] if code else []
        if words in self._exact:
            found.append(tuple(self._exact[words]))
        if prefixed := self._prefixed(words):
            found.append(prefixed)
        return tuple(found)

    def _prefixed(self, words: Words) -> tuple[ProvinceCode, ...]:
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
        """Return the power that the tokens from `start` name and where its name ends."""
        for length in (3, 2, 1):
            words = tuple(tokens[start : start + length])
            if len(words) == length and words in self._powers:
                return self._powers[words], start + length
        prefixed = self._prefix_power(tokens[start]) if start < len(tokens) else None
        return (prefixed, start + 1) if prefixed is not None else None

    def _find_power_by_prefix(self, word: str) -> Power | None:
        """Return the only power whose name begins with `word`, of three letters or more."""
        if len(word) < 3:
            return None
        powers = {power for words, power in self._powers.items() if words[0].startswith(word)}
        return powers.pop() if len(powers) == 1 else None

    def alike(self, text: str) -> list[ProvinceCode]:
        """Return up to three codes whose code or name looks like `text`."""
        wanted = text.lower()[:40]
        spelled = {"".join(words): codes for words, codes in self._exact.items()}
        near = difflib.get_close_matches(wanted, spelled, n=8, cutoff=0.6)
        near.sort(key=lambda form: (form[0] != wanted[0], sorted(form) != sorted(wanted)))
        return list(dict.fromkeys(code for form in near for code in spelled[form]))[:3]


def coast_at(tokens: Sequence[str], start: int) -> tuple[str, int] | None:
    """Return the coast (`NC`) that the tokens from `start` name and where its name ends."""
    if start >= len(tokens):
        return None
    word = tokens[start]
    if word in _COASTS:
        return _COASTS[word], start + 1
    if word in _SIDES and tokens[start + 1 : start + 2] == ["coast"]:
        return _SIDES[word], start + 2
    return None


def side_at(tokens: Sequence[str], start: int) -> tuple[str, int] | None:
    """Return the coast named after a slash or bracket, where `n` and `north` are enough."""
    if found := coast_at(tokens, start):
        return found
    if start < len(tokens) and tokens[start] in _SIDES:
        return _SIDES[tokens[start]], start + 1
    return None


def power_spellings(info: PowerInfo) -> tuple[str, ...]:
    """Return every name of a power that orders may use."""
    more = POWER_NAMES.get(info.name.lower(), ())
    return (info.power, info.name, info.adjective, *more)


def _spellings(board: Board) -> Iterable[tuple[ProvinceCode, tuple[str, ...]]]:
    for province in board.provinces:
        yield province.code, (province.code, province.name, *province.aliases)
    for code, name in board.impassable:
        yield code, (code, name)


def _shown(words: Words) -> str:
    return " ".join(words).replace(" - ", "-").upper()


@lru_cache(maxsize=64)
def names_of(board: Board) -> Names:
    """Return the index of the names of `board`."""
    return Names(board)
