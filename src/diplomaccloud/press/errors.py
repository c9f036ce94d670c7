"""The refusals of actions of press: each class has its HTTP status; the page returns the text."""

from diplomaccloud.schedule.errors import Refused

__all__ = [
    "AlreadyReported",
    "BadMap",
    "BadTerms",
    "BadText",
    "CaseTaken",
    "DocumentChanged",
    "KeyReused",
    "NoSuchCase",
    "NoSuchConversation",
    "NoSuchDocument",
    "NoSuchMap",
    "NoSuchProposal",
    "PressClosed",
    "ProposalClosed",
    "TooManyMessages",
]


class NoSuchConversation(Refused):
    """A conversation that does not exist for the person, for any reason: the answer is the same."""

    status = 404

    def __init__(self) -> None:
        super().__init__("Conversation not found, or you don't have access to it.")


class PressClosed(Refused):
    """A message to a conversation that takes none for now."""

    status = 409


class KeyReused(Refused):
    """A key of a message that was already used for a message with other content."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "You already sent another message from this form, perhaps in another tab. Nothing was "
            "sent now. Check your text, and send it again if it is new."
        )


class BadText(Refused):
    """A subject or body that cannot be sent; `field` is `subject` or `body`."""

    def __init__(self, field: str, what: str) -> None:
        self.field = field
        super().__init__(what)


class NoSuchMap(Refused):
    """A map that does not exist for the person, for any reason: the answer is the same."""

    status = 404

    def __init__(self) -> None:
        super().__init__("Map not found, or you don't have access to it.")


class BadMap(Refused):
    """A map that cannot be stored or adopted."""


class TooManyMessages(Refused):
    """More messages in a short time than one person may send."""

    status = 429


class BadTerms(Refused):
    """Terms that cannot be offered; `place` is the clause at fault, counted from 0, or None."""

    def __init__(self, what: str, place: tuple[int, int] | None = None) -> None:
        self.place = place
        super().__init__(what)


class NoSuchProposal(Refused):
    """A message that carries no proposal for the person, for any reason: the answer is the same."""

    status = 404

    def __init__(self) -> None:
        super().__init__("Proposal not found, or you don't have access to it.")


class ProposalClosed(Refused):
    """An answer to a proposal that no longer takes any."""

    status = 409


class AlreadyReported(Refused):
    """A report of something that the person has reported before."""

    status = 409

    def __init__(self) -> None:
        super().__init__("You have already reported this.")


class NoSuchCase(Refused):
    """A case that does not exist for the person, for any reason: the answer is the same."""

    status = 404

    def __init__(self) -> None:
        super().__init__("Page not found, or you don't have access to it.")


class CaseTaken(Refused):
    """A case that another person judges, or that is decided already."""

    status = 409


class NoSuchDocument(Refused):
    """A message that shows no document to the person, for any reason: the answer is the same."""

    status = 404

    def __init__(self) -> None:
        super().__init__("Document not found, or you don't have access to it.")


class DocumentChanged(Refused):
    """A signature under a text that has been changed since the person read it."""

    status = 409

    def __init__(self) -> None:
        super().__init__("The text has been changed. Nothing was signed. Read it again first.")
