"""The link to Messages in every page header, with the unread count."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from diplomaccloud.accounts.models import User
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.viewpoint import count_unread


@dataclass(frozen=True, slots=True)
class InboxLink:
    """The address of Messages and the number of unread messages."""

    url: str
    unread: int


def present_inbox_link(user: User | AnonymousUser) -> InboxLink | None:
    """Return the link; None for visitors and guests, who have no messages."""
    if not isinstance(user, User) or user.guest:
        return None
    number = getattr(user, "unread_messages", None)
    if number is None:
        # A person who has just logged in was loaded without the counts.
        number = count_unread(viewer_of(user))
    return InboxLink(reverse("press:inbox"), number)
