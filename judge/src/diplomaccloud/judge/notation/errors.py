"""The error for text that cannot be read."""

from diplomaccloud.judge.geography import NAMELESS
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.messages.values import Message, Parameter

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
