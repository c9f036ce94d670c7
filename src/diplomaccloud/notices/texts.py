"""What a notice says, in words."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NoticeText:
    """What a notice says: a title, a sentence or none, and the path of a page of the site."""

    title: str
    body: str
    path: str
