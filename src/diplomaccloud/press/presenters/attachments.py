"""Attachments as template values: on messages, in the composer, and the buttons that add them.

To add a kind of attachment, extend the three lists here and the one in `forms.attachments`.
"""

from collections.abc import Callable, Mapping
from typing import Final

from django.urls import reverse

from diplomaccloud.press.addresses import Address, Kind
from diplomaccloud.press.presenters.attached import (
    COMPOSE,
    Attached,
    AttachLink,
    AttachmentView,
)
from diplomaccloud.press.presenters.documents import (
    describe_document,
    make_document_link,
    present_document,
)
from diplomaccloud.press.presenters.maps import describe_own, link_draw, present_card
from diplomaccloud.press.presenters.proposals import present_proposal
from diplomaccloud.press.viewpoint import (
    AttachmentFacts,
    DocumentFacts,
    MapFacts,
    PressReader,
    ProposalFacts,
)

Presenter = Callable[[AttachmentFacts, str], AttachmentView]
"""Returns an attachment as a message shows it. The text is the message's URL, ending in `/`."""

AttachLinkMaker = Callable[[str, Address | None], AttachLink | None]
"""Returns the composer button for a conversation, or None for no button."""

Describer = Callable[[PressReader, str, str], Attached | None]
"""Returns the attachment for a field's text; None if the viewer has no such thing."""


def make_proposal_link(slug: str, to: Address | None) -> AttachLink | None:
    """Return the button for a proposal, which needs one conversation of seats or everyone."""
    if to is None or to.kind not in (Kind.SEATS, Kind.PUBLIC):
        return None
    url = reverse("press:propose", args=[slug, str(to)])
    return AttachLink("Proposal", "i-deal", url, url, COMPOSE)


PRESENTERS: Final[Mapping[type[AttachmentFacts], Presenter]] = {
    MapFacts: present_card,
    ProposalFacts: present_proposal,
    DocumentFacts: present_document,
}
ATTACH_LINKS: Final[tuple[AttachLinkMaker, ...]] = (
    link_draw,
    make_proposal_link,
    make_document_link,
)
DESCRIBERS: Final[Mapping[str, Describer]] = {"map": describe_own, "document": describe_document}
"""By form field."""


def present_attachments(facts: tuple[AttachmentFacts, ...], url: str) -> tuple[AttachmentView, ...]:
    """Return the attachments as the message at `url` shows them."""
    return tuple(present_attachment(part, url) for part in facts)


def present_attachment(facts: AttachmentFacts, url: str) -> AttachmentView:
    """Return one attachment as the message at `url` shows it."""
    return PRESENTERS[type(facts)](facts, url)


def list_attach_links(
    slug: str, to: Address | None, *, is_over: bool = False
) -> tuple[AttachLink, ...]:
    """Return the composer's buttons for a conversation in a game; `to` is None for a new message.

    Proposals are left out once the game is over.
    """
    if to is not None and to.kind is Kind.GRAY:
        return ()
    makers = [make for make in ATTACH_LINKS if not (is_over and make is make_proposal_link)]
    return tuple(link for make in makers if (link := make(slug, to)) is not None)


def describe_attached(
    press: PressReader, slug: str, fields: tuple[tuple[str, str], ...]
) -> Attached | None:
    """Return the attachment in a form's fields for the composer; None if there is none."""
    for name, text in fields:
        if (attached := DESCRIBERS[name](press, slug, text)) is not None:
            return attached
    return None
