"""Errors in bytes and messages."""

from enum import IntEnum


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
