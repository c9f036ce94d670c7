"""A game's words: those common to all games, and the names of its powers and provinces."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from diplomaccloud.daide.language.errors import ErrorCode, FrameError
from diplomaccloud.daide.language.tokens import (
    STANDARD_POWERS,
    STANDARD_PROVINCES,
    Word,
    is_power,
    is_province,
)

_NAME_LENGTH = 3
_ENTRY_LENGTH = 6


@dataclass(frozen=True)
class Vocabulary:
    """The tokens of powers and provinces by three-letter name."""

    powers: Mapping[str, int]
    provinces: Mapping[str, int]

    @cached_property
    def tokens(self) -> Mapping[str, int]:
        """All tokens by name."""
        fixed = {word.name: int(word) for word in Word}
        return {**self.powers, **self.provinces, **fixed}

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names of all tokens."""
        return {token: name for name, token in self.tokens.items()}

    @cached_property
    def is_standard(self) -> bool:
        """Whether these are the names of the standard board, which are not sent."""
        return self.powers == STANDARD_POWERS and self.provinces == STANDARD_PROVINCES

    def to_bytes(self) -> bytes:
        """Return the body of the representation message (RM), empty for the standard board."""
        if self.is_standard:
            return b""
        names = [*self.powers.items(), *self.provinces.items()]
        return b"".join(
            [token.to_bytes(2, "big") + name.encode("ascii") + b"\0" for name, token in names]
        )

    @classmethod
    def from_bytes(cls, body: bytes) -> "Vocabulary":
        """Return the vocabulary in a representation message; raise `FrameError` if it is bad."""
        if not body:
            return STANDARD
        if len(body) % _ENTRY_LENGTH:
            raise FrameError(ErrorCode.TOO_SHORT, "each name must have six bytes")
        return cls.of(_read_entries(body))

    @classmethod
    def of(cls, entries: Iterable[tuple[str, int]]) -> "Vocabulary":
        """Return the vocabulary with these names and tokens; raise `FrameError` for a bad entry."""
        powers: dict[str, int] = {}
        provinces: dict[str, int] = {}
        for name, token in entries:
            part = powers if is_power(token) else provinces
            if not (is_power(token) or is_province(token)):
                raise FrameError(
                    ErrorCode.INVALID_TOKEN, f"{token:#06x} is neither a power nor a province"
                )
            if name in Word.__members__ or name in powers or name in provinces:
                raise FrameError(ErrorCode.INVALID_TOKEN, f"{name} already has a meaning")
            if token in part.values():
                raise FrameError(ErrorCode.INVALID_TOKEN, f"{token:#06x} has two names")
            part[name] = token
        return cls(powers, provinces)


def _read_entries(body: bytes) -> Iterable[tuple[str, int]]:
    for start in range(0, len(body), _ENTRY_LENGTH):
        token = int.from_bytes(body[start : start + 2], "big")
        letters = body[start + 2 : start + 2 + _NAME_LENGTH]
        if not is_name(name := letters.decode("ascii", "replace").upper()):
            raise FrameError(ErrorCode.INVALID_TOKEN, f"{letters!r} is not a name")
        yield name, token


def is_name(text: str) -> bool:
    """Return whether the text can name a token: three characters of A to Z and 0 to 9."""
    return len(text) == _NAME_LENGTH and text.isascii() and text.isalnum() and text == text.upper()


STANDARD = Vocabulary(STANDARD_POWERS, STANDARD_PROVINCES)
