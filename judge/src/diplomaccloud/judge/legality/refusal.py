"""The error for orders that may not be given."""

from diplomaccloud.judge.geography import Geography
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.refusals import RefusalKey
from diplomaccloud.judge.messages.values import Message, Parameter


class Refusal(ValueError):
    """An order that may not be given; `key` and `parameters` say why, and `str()` in English."""

    def __init__(self, key: RefusalKey, names: Geography, **parameters: Parameter) -> None:
        super().__init__(key)
        self.key = key
        self.parameters = parameters
        self._names = names

    @property
    def sentence(self) -> Sentence:
        """The reason, with its message."""
        return Sentence(Message(self.key, self.parameters), self._names)

    def __str__(self) -> str:
        return str(self.sentence)
