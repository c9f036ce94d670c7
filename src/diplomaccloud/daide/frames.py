"""The frames that carry messages, and their bodies.

A frame is a type, an unused byte, the length of the body in two bytes, and the body.
Numbers are big-endian. Source: "DAIDE Client-Server Protocol", version 1, chapter 3.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from diplomaccloud.daide.language import RESERVED, ErrorCode, FrameError, Message

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
