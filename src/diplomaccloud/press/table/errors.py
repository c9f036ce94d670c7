"""Refusals by press actions. Each class has an HTTP status, and the text is for the person."""

from typing import ClassVar

from diplomaccloud.schedule.timer import Refused


class _Fixed(Refused):
    """A refusal that always says the same `text`."""

    text: ClassVar[str]

    def __init__(self) -> None:
        super().__init__(self.text)


class _Missing(_Fixed):
    """Something that doesn't exist, or to which the person has no access; the error is the same."""

    status = 404


class NoSuchConversation(_Missing):
    """A conversation that is missing."""

    text = "Conversation not found, or you don't have access to it."


class PressClosed(Refused):
    """A message to a conversation that is closed at the moment."""

    status = 409


class KeyReused(_Fixed):
    """A message key that was already used for a different message."""

    status = 409
    text = (
        "You already sent another message from this form, perhaps in another tab. Nothing was "
        "sent this time. Check your text, and send it again if it is new."
    )


class BadText(Refused):
    """A subject or body that cannot be sent; `field` is `subject` or `body`."""

    def __init__(self, field: str, what: str) -> None:
        self.field = field
        super().__init__(what)


class NoSuchMap(_Missing):
    """A map that is missing."""

    text = "Map not found, or you don't have access to it."


class BadMap(Refused):
    """A map that cannot be saved, or whose orders cannot be copied."""


class TooManyMessages(Refused):
    """The person has reached a limit on messages."""

    status = 429


class BadTerms(Refused):
    """Terms that cannot be offered; `place` is the faulty part, such as `alternatives[0][1]`."""

    def __init__(self, what: str, place: str = "") -> None:
        self.place = place
        super().__init__(what)


class NoSuchProposal(_Missing):
    """A proposal that is missing."""

    text = "Proposal not found, or you don't have access to it."


class ProposalClosed(Refused):
    """An answer to a proposal that is closed."""

    status = 409


class AlreadyReported(_Fixed):
    """A second report of the same thing by the same person."""

    status = 409
    text = "You have already reported this."


class NoSuchCase(_Missing):
    """A case that is missing."""

    text = "Page not found, or you don't have access to it."


class CaseTaken(Refused):
    """A case that another person is judging, or that is already decided."""

    status = 409


class NoSuchDocument(_Missing):
    """A document that is missing."""

    text = "Document not found, or you don't have access to it."


class DocumentChanged(_Fixed):
    """A signature for a document that has changed since the person read it."""

    status = 409
    text = "The text has changed, so nothing was signed. Read it again first."
