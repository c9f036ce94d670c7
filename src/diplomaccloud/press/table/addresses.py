"""The addresses of conversations, as people see them, and the keys that are stored.

In a game, a person's address for a conversation lists the powers of the other members. So every
possible conversation of a seat has an address, and none reveals whether it exists. The key lists
the seat numbers of all members.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from diplomaccloud.press.table.errors import NoSuchConversation

MAX_PATH: Final = 2_000


class AddressKind(StrEnum):
    """The kinds of conversations; a pair is a group of two seats."""

    SEATS = "seats"
    PUBLIC = "public"
    GRAY = "gray"
    MASTER = "master"
    NOTES = "notes"
    PREGAME = "pregame"
    PERSONAL = "people"

    @property
    def is_for_all(self) -> bool:
        """Whether everyone who may see the game can read the conversation."""
        return self in (AddressKind.PUBLIC, AddressKind.GRAY)


@dataclass(frozen=True, slots=True)
class Address:
    """A person's address for a conversation in a game.

    `powers` are the sorted powers of the other members of a pair or group, or of the seat in a
    conversation with the game master. For other conversations, the kind is enough.
    """

    kind: AddressKind
    powers: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the last part of the conversation's URL."""
        return "+".join(self.powers) if self.powers else _WORDS[self.kind]

    @property
    def is_pair(self) -> bool:
        """Whether the conversation is with exactly one other seat."""
        return self.kind is AddressKind.SEATS and len(self.powers) == 1


class AttachmentKind(StrEnum):
    """What a message can carry besides its text. The value ends the attachment's URL."""

    NONE = ""
    MAP = "map"
    PROPOSAL = "proposal"
    DOCUMENT = "document"


EVERYONE: Final = Address(AddressKind.PUBLIC)
GRAY: Final = Address(AddressKind.GRAY)
NOTES: Final = Address(AddressKind.NOTES)
GAME_MASTER: Final = Address(AddressKind.MASTER)
TABLE: Final = Address(AddressKind.PREGAME)
_WORDS: Final = {
    AddressKind.PUBLIC: "everyone",
    AddressKind.GRAY: "gray",
    AddressKind.NOTES: "notes",
    AddressKind.MASTER: "game-master",
    AddressKind.PREGAME: "table",
}
_NAMED: Final = {word: Address(kind) for kind, word in _WORDS.items()}


def seats_address(powers: Iterable[str]) -> Address:
    """Return the address of the conversation with these powers' seats."""
    return Address(AddressKind.SEATS, tuple(sorted(set(powers))))


def parse_address(text: str) -> Address:
    """Parse an address written by `str`; raise `NoSuchConversation` if it is invalid.

    Powers must be sorted and different, so that a conversation has one URL. The lookup of the
    conversation checks that the game has them.
    """
    if address := _NAMED.get(text):
        return address
    powers = tuple(text.split("+"))
    if len(text) > MAX_PATH or not all(powers) or list(powers) != sorted(set(powers)):
        raise NoSuchConversation
    return Address(AddressKind.SEATS, powers)


_MAX_DIGITS = 9


def parse_number(text: str) -> int | None:
    """Return the number of a map or message, None for any other text."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS
    return int(text) if is_number else None


@dataclass(frozen=True, slots=True)
class MapPlace:
    """Where a person finds a map: in message `number` of a conversation in a game.

    Without an address, it is one of the person's own maps, by its number.
    """

    number: int
    address: Address | None = None

    def __str__(self) -> str:
        return f"{self.address}/{self.number}" if self.address else str(self.number)

    @classmethod
    def parse(cls, text: str) -> "MapPlace | None":
        """Parse a place written by `str`; return None for any other text."""
        address, _, last = text.rpartition("/")
        if (number := parse_number(last)) is None:
            return None
        try:
            return cls(number, parse_address(address) if address else None)
        except NoSuchConversation:
            return None


def key_of_game(game_id: int, kind: AddressKind) -> str:
    """Return the key of the public, gray or pregame conversation of a game."""
    return f"{game_id} {kind}"


def key_of_seats(game_id: int, numbers: Collection[int]) -> str:
    """Return the key of the conversation of these seats."""
    return f"{game_id} {AddressKind.SEATS} {','.join(map(str, sorted(numbers)))}"


def key_of_master(game_id: int, number: int) -> str:
    """Return the key of the conversation of a seat with the game master."""
    return f"{game_id} {AddressKind.MASTER} {number}"


def key_of_notes(game_id: int, user_id: int) -> str:
    """Return the key of a person's notes on a game."""
    return f"{game_id} {AddressKind.NOTES} u{user_id}"


def key_of_people(user_ids: Collection[int]) -> str:
    """Return the key of the personal conversation of two people."""
    return f"{AddressKind.PERSONAL} {','.join(map(str, sorted(user_ids)))}"


def numbers_of_key(key: str) -> frozenset[int]:
    """Return the numbers of the seats, or the keys of the people, that a key names."""
    _, _, last = key.rpartition(" ")
    parts = last.removeprefix("u").split(",")
    return frozenset(int(part) for part in parts if part.isdecimal())
