"""The DAIDE language: tokens, their text, messages with brackets, and the frames that carry them.

A token has 16 bits: a category and a number within it. A frame is a type, an unused byte, the
length of the body in two bytes, and the body. Numbers are big-endian.
Source: "DAIDE Client-Server Protocol", version 1, chapters 3 and 4.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import accumulate, groupby
from typing import Final, TypeAlias

Message: TypeAlias = tuple[int, ...]
"""The tokens of a message."""

MAX_TOKEN: Final = 0xFFFF
MAX_NUMBER: Final = 8191
MIN_NUMBER: Final = -8192
NUMBER_BITS: Final = 0x3FFF

POWERS: Final = 0x41
TEXT: Final = 0x4B
PROVINCES: Final = range(0x50, 0x58)
"""The categories of provinces; their bits say which units can enter."""
RESERVED: Final = range(0x58, 0x60)
"""Categories that are never sent."""

INLAND, SEA, COASTAL, SPLIT = 0x50, 0x52, 0x54, 0x56
CENTER: Final = 1
"""Added to the category of a province with a supply center."""


def _number(category: int, words: str, first: int = 0, step: int = 1) -> dict[str, int]:
    """Return consecutive numbers in a category for these words; `-` skips a number."""
    return {
        word: (category << 8) + first + step * place
        for place, word in enumerate(words.split())
        if word != "-"
    }


class Word(IntEnum):
    """The tokens that mean the same on every board."""

    # Brackets.
    BRA = 0x4000
    KET = 0x4001

    # Types of units.
    AMY = 0x4200
    FLT = 0x4201

    # What units do, by phase.
    CTO = 0x4320
    CVY = 0x4321
    HLD = 0x4322
    MTO = 0x4323
    SUP = 0x4324
    VIA = 0x4325
    DSB = 0x4340
    RTO = 0x4341
    BLD = 0x4380
    REM = 0x4381
    WVE = 0x4382

    # Notes on orders.
    MBV = 0x4400
    BPR = 0x4401
    CST = 0x4402
    ESC = 0x4403
    FAR = 0x4404
    HSC = 0x4405
    NAS = 0x4406
    NMB = 0x4407
    NMR = 0x4408
    NRN = 0x4409
    NRS = 0x440A
    NSA = 0x440B
    NSC = 0x440C
    NSF = 0x440D
    NSP = 0x440E
    NSU = 0x4410
    NVR = 0x4411
    NYU = 0x4412
    YSC = 0x4413

    # Results.
    SUC = 0x4500
    BNC = 0x4501
    CUT = 0x4502
    DSR = 0x4503
    FLD = 0x4504
    NSO = 0x4505
    RET = 0x4506

    # Coasts.
    NCS = 0x4600
    NEC = 0x4602
    ECS = 0x4604
    SEC = 0x4606
    SCS = 0x4608
    SWC = 0x460A
    WCS = 0x460C
    NWC = 0x460E

    # Seasons.
    SPR = 0x4700
    SUM = 0x4701
    FAL = 0x4702
    AUT = 0x4703
    WIN = 0x4704

    # Commands.
    CCD = 0x4800
    DRW = 0x4801
    FRM = 0x4802
    GOF = 0x4803
    HLO = 0x4804
    HST = 0x4805
    HUH = 0x4806
    IAM = 0x4807
    LOD = 0x4808
    MAP = 0x4809
    MDF = 0x480A
    MIS = 0x480B
    NME = 0x480C
    NOT = 0x480D
    NOW = 0x480E
    OBS = 0x480F
    OFF = 0x4810
    ORD = 0x4811
    OUT = 0x4812
    PRN = 0x4813
    REJ = 0x4814
    SCO = 0x4815
    SLO = 0x4816
    SND = 0x4817
    SUB = 0x4818
    SVE = 0x4819
    THX = 0x481A
    TME = 0x481B
    YES = 0x481C
    ADM = 0x481D
    SMR = 0x481E

    # Parameters.
    AOA = 0x4900
    BTL = 0x4901
    ERR = 0x4902
    LVL = 0x4903
    MRT = 0x4904
    MTL = 0x4905
    NPB = 0x4906
    NPR = 0x4907
    PDA = 0x4908
    PTL = 0x4909
    RTL = 0x490A
    UNO = 0x490B
    DSD = 0x490D

    # Press.
    ALY = 0x4A00
    AND = 0x4A01
    BWX = 0x4A02
    DMZ = 0x4A03
    ELS = 0x4A04
    EXP = 0x4A05
    FWD = 0x4A06
    FCT = 0x4A07
    FOR = 0x4A08
    HOW = 0x4A09
    IDK = 0x4A0A
    IFF = 0x4A0B
    INS = 0x4A0C
    OCC = 0x4A0E
    ORR = 0x4A0F
    PCE = 0x4A10
    POB = 0x4A11
    PRP = 0x4A13
    QRY = 0x4A14
    SCD = 0x4A15
    SRY = 0x4A16
    SUG = 0x4A17
    THK = 0x4A18
    THN = 0x4A19
    TRY = 0x4A1A
    VSS = 0x4A1C
    WHT = 0x4A1D
    WHY = 0x4A1E
    XDO = 0x4A1F
    XOY = 0x4A20
    YDO = 0x4A21
    CHO = 0x4A22
    BCC = 0x4A23
    UNT = 0x4A24


STANDARD_POWERS: Final[Mapping[str, int]] = _number(0x41, "AUS ENG FRA GER ITA RUS TUR")

STANDARD_PROVINCES: Final[Mapping[str, int]] = {
    **_number(INLAND, "BOH BUR GAL RUH SIL TYR UKR"),
    **_number(INLAND + CENTER, "BUD MOS MUN PAR SER VIE WAR", 0x07),
    **_number(
        SEA,
        "ADR AEG BAL BAR BLA EAS ECH GOB GOL HEL ION IRI MAO NAO NTH NWG SKA TYS WES",
        0x0E,
    ),
    **_number(COASTAL, "ALB APU ARM CLY FIN GAS LVN NAF PIC PIE PRU SYR TUS WAL YOR", 0x21),
    **_number(
        COASTAL + CENTER,
        "ANK BEL BER BRE CON DEN EDI GRE HOL KIE LON LVP MAR NAP NWY POR ROM RUM SEV SMY SWE TRI "
        "TUN VEN",
        0x30,
    ),
    **_number(SPLIT + CENTER, "BUL SPA STP", 0x48),
}

COASTS: Final = {
    "NC": Word.NCS,
    "NEC": Word.NEC,
    "EC": Word.ECS,
    "SEC": Word.SEC,
    "SC": Word.SCS,
    "SWC": Word.SWC,
    "WC": Word.WCS,
    "NWC": Word.NWC,
}
"""The tokens of coasts, by their names on boards."""


def is_number(token: int) -> bool:
    """Return whether the token is an integer."""
    return token <= NUMBER_BITS


def is_power(token: int) -> bool:
    """Return whether the token is in the category of powers."""
    return token >> 8 == POWERS


def is_province(token: int) -> bool:
    """Return whether the token is in a category of provinces."""
    return token >> 8 in PROVINCES


def is_text(token: int) -> bool:
    """Return whether the token is a letter of text."""
    return token >> 8 == TEXT


def encode_number(number: int) -> int:
    """Return the token for an integer; raise `ValueError` if it does not fit into 14 bits."""
    if not MIN_NUMBER <= number <= MAX_NUMBER:
        raise ValueError(f"{number} is not from {MIN_NUMBER} to {MAX_NUMBER}")
    return number & NUMBER_BITS


def decode_number(token: int) -> int:
    """Return the integer that a token stands for."""
    return token - (NUMBER_BITS + 1) if token > MAX_NUMBER else token


def encode_text(text: str) -> Message:
    """Return the tokens for a text; letters that are not ASCII become question marks."""
    return tuple([TEXT << 8 | letter for letter in text.encode("ascii", "replace")])


def decode_text(tokens: Message) -> str:
    """Return the text that letter tokens spell."""
    return "".join([chr(token & 0xFF) for token in tokens])


# Errors in bytes and messages.


class ErrorCode(IntEnum):
    """The codes of error messages (EM)."""

    TIMER = 0x01
    NOT_INITIAL = 0x02
    WRONG_ENDIAN = 0x03
    WRONG_MAGIC = 0x04
    WRONG_VERSION = 0x05
    SECOND_INITIAL = 0x06
    INITIAL_BY_SERVER = 0x07
    UNKNOWN_TYPE = 0x08
    TOO_SHORT = 0x09
    EARLY_MESSAGE = 0x0A
    NOT_REPRESENTATION = 0x0B
    UNEXPECTED_REPRESENTATION = 0x0C
    REPRESENTATION_BY_CLIENT = 0x0D
    INVALID_TOKEN = 0x0E


class DaideError(ValueError):
    """Bytes or tokens that violate the protocol."""


class FrameError(DaideError):
    """An error that ends a connection; `code` goes into the error message."""

    def __init__(self, code: ErrorCode, text: str) -> None:
        super().__init__(text)
        self.code = code


class MessageError(DaideError):
    """A message that violates the grammar; `at` is the index of the token at fault.

    If the message ends too early, `at` is the number of its tokens.
    """

    def __init__(self, at: int, text: str) -> None:
        super().__init__(text)
        self.at = at


# Builds messages from tokens and brackets.


Part: TypeAlias = int | tuple[int, ...] | list["Part"]
"""A token, a message to insert as is, or a list to put in brackets."""


def compose(*parts: Part) -> Message:
    """Return the message made of these parts: lists go in brackets, tuples are inserted as is."""
    return tuple(_flatten(parts))


def _flatten(parts: Sequence[Part]) -> Iterator[int]:
    for part in parts:
        if isinstance(part, list):
            yield int(Word.BRA)
            yield from _flatten(part)
            yield int(Word.KET)
        elif isinstance(part, tuple):
            yield from part
        else:
            yield int(part)


def are_brackets_paired(message: Message) -> bool:
    """Return whether all brackets in the message are paired."""
    depths = list(accumulate((token == Word.BRA) - (token == Word.KET) for token in message))
    return not depths or (min(depths) >= 0 and depths[-1] == 0)


def find_end(message: Message, start: int) -> int:
    """Return the index of the bracket that closes the one at `start`; all must be paired."""
    depth = 0
    for at in range(start, len(message)):
        depth += (message[at] == Word.BRA) - (message[at] == Word.KET)
        if depth == 0:
            return at
    return len(message)


# A game's words: those common to all games, and the names of its powers and provinces.


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
        powers: dict[str, int] = {}
        provinces: dict[str, int] = {}
        for start in range(0, len(body), _ENTRY_LENGTH):
            token = int.from_bytes(body[start : start + 2], "big")
            letters = body[start + 2 : start + 2 + _NAME_LENGTH]
            if not is_name(name := letters.decode("ascii", "replace").upper()):
                raise FrameError(ErrorCode.INVALID_TOKEN, f"{letters!r} is not a name")
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


def is_name(text: str) -> bool:
    """Return whether the text can name a token: three characters of A to Z and 0 to 9."""
    return len(text) == _NAME_LENGTH and text.isascii() and text.isalnum() and text == text.upper()


STANDARD = Vocabulary(STANDARD_POWERS, STANDARD_PROVINCES)


# Messages in readable form, with three-letter names: `NME ('Albert') ('v6')`.


_PIECE = re.compile(
    r"""\s*(?:
    (\() | (\))
    | '((?:[^']|'')*)'
    | (-?\d{1,5})(?!\w)
    | (0x[\da-f]{1,4})(?!\w)
    | (\w+)
    )""",
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)


def write_text(message: Message, vocabulary: Vocabulary = STANDARD) -> str:
    """Return the message as text for `read_text`; unknown tokens are in hexadecimal."""

    def is_printable(token: int) -> bool:
        return is_text(token) and 0x20 <= token & 0xFF < 0x7F

    words: list[str] = []
    for printable, tokens in groupby(message, key=is_printable):
        if printable:
            words.append("'" + decode_text(tuple(tokens)).replace("'", "''") + "'")
        else:
            words += [_write_token(token, vocabulary) for token in tokens]
    text = ""
    for word in words:
        glued = not text or text.endswith("(") or word == ")"
        text += word if glued else f" {word}"
    return text


def _write_token(token: int, vocabulary: Vocabulary) -> str:
    if token == Word.BRA:
        return "("
    if token == Word.KET:
        return ")"
    if is_number(token):
        return str(decode_number(token))
    name = vocabulary.names.get(token, "")
    # On other boards, a name may start with a digit and would be read as a number.
    return name if name[:1].isalpha() else f"{token:#06x}"


def read_text(text: str, vocabulary: Vocabulary = STANDARD) -> Message:
    """Return the tokens in a text; raise `MessageError` at the first word that is not a token."""
    tokens: list[int] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            raise MessageError(len(tokens), f"no token begins with {text[at : at + 12]!r}")
        tokens += _read_piece(match, len(tokens), vocabulary)
        at = match.end()
    return tuple(tokens)


def _read_piece(match: re.Match[str], at: int, vocabulary: Vocabulary) -> Message:
    opening, closing, letters, number, digits, word = match.groups()
    if opening or closing:
        return compose(Word.BRA if opening else Word.KET)
    if letters is not None:
        return encode_text(letters.replace("''", "'"))
    if number:
        value = int(number)
        if not MIN_NUMBER <= value <= MAX_NUMBER:
            raise MessageError(at, f"{value} is not from {MIN_NUMBER} to {MAX_NUMBER}")
        return (encode_number(value),)
    token = int(digits, 16) if digits else vocabulary.tokens.get(word.upper())
    if token is None or token > MAX_TOKEN:
        raise MessageError(at, f"{word[:12]!r} is not a token")
    return (token,)


# The frames that carry messages, and their bodies.


VERSION: Final = 1
MAGIC: Final = 0xDA10
_SWAPPED_MAGIC: Final = 0x10DA
_HEAD: Final = 4
_INITIAL_LENGTH: Final = 4
MAX_BODY: Final = 0xFFFF
MAX_TOKENS: Final = MAX_BODY // 2


class FrameType(IntEnum):
    """The first byte of a frame: IM, RM, DM, FM and EM."""

    INITIAL = 0
    REPRESENTATION = 1
    DIPLOMACY = 2
    FINAL = 3
    ERROR = 4


@dataclass(frozen=True, slots=True)
class Frame:
    """A received frame."""

    type: FrameType
    body: bytes = b""


def write_frame(kind: FrameType, body: bytes = b"") -> bytes:
    """Return the bytes of a frame; raise `ValueError` for a body of more than 65,535 bytes."""
    if len(body) > MAX_BODY:
        raise ValueError(f"a frame holds {MAX_BODY} bytes, not {len(body)}")
    return bytes((kind, 0)) + len(body).to_bytes(2, "big") + body


def write_message(message: Message) -> bytes:
    """Return a diplomacy message as a frame."""
    body = b"".join([token.to_bytes(2, "big") for token in message])
    return write_frame(FrameType.DIPLOMACY, body)


def write_initial() -> bytes:
    """Return the first frame that a client sends."""
    body = VERSION.to_bytes(2, "big") + MAGIC.to_bytes(2, "big")
    return write_frame(FrameType.INITIAL, body)


def write_error(code: ErrorCode) -> bytes:
    """Return the frame that ends a connection because of an error."""
    return write_frame(FrameType.ERROR, int(code).to_bytes(2, "big"))


def read_message(body: bytes) -> Message:
    """Return the tokens of a diplomacy message.

    Raises `FrameError` if there are no tokens, half a token, or reserved tokens.
    """
    if not body or len(body) % 2:
        raise FrameError(ErrorCode.TOO_SHORT, f"{len(body)} bytes are not whole tokens")
    tokens = tuple([body[at] << 8 | body[at + 1] for at in range(0, len(body), 2)])
    for token in tokens:
        if token >> 8 in RESERVED:
            raise FrameError(ErrorCode.INVALID_TOKEN, f"{token:#06x} is reserved")
    return tokens


def require_initial(frame: Frame) -> None:
    """Raise `FrameError` unless the frame is an initial message of this version."""
    if frame.type is not FrameType.INITIAL:
        raise FrameError(ErrorCode.NOT_INITIAL, f"{frame.type.name} came before the initial one")
    if len(frame.body) != _INITIAL_LENGTH:
        raise FrameError(ErrorCode.TOO_SHORT, "an initial message must have four bytes")
    version, magic = int.from_bytes(frame.body[:2], "big"), int.from_bytes(frame.body[2:], "big")
    if magic == _SWAPPED_MAGIC:
        raise FrameError(ErrorCode.WRONG_ENDIAN, "the bytes of the numbers are swapped")
    if magic != MAGIC:
        raise FrameError(ErrorCode.WRONG_MAGIC, f"the magic is {magic:#06x}, not {MAGIC:#06x}")
    if version != VERSION:
        raise FrameError(ErrorCode.WRONG_VERSION, f"version {version} is not {VERSION}")


class FrameReader:
    """Splits the bytes that arrive into frames."""

    def __init__(self) -> None:
        self._buffer, self._begun = bytearray(), False

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yield the frames that `data` completes; raise `FrameError` for an unknown type."""
        self._buffer += data
        while len(self._buffer) >= _HEAD:
            number, length = self._buffer[0], int.from_bytes(self._buffer[2:_HEAD], "big")
            if number not in FrameType.__members__.values():
                code = ErrorCode.UNKNOWN_TYPE if self._begun else ErrorCode.NOT_INITIAL
                raise FrameError(code, f"{number} is not the type of a message")
            if not self._begun and number == FrameType.INITIAL and length == _INITIAL_LENGTH << 8:
                # Otherwise the server would wait for a huge frame, and the client for an answer.
                raise FrameError(ErrorCode.WRONG_ENDIAN, "the bytes of the length are swapped")
            if len(self._buffer) < _HEAD + length:
                return
            body = bytes(self._buffer[_HEAD : _HEAD + length])
            del self._buffer[: _HEAD + length]
            self._begun = True
            yield Frame(FrameType(number), body)
