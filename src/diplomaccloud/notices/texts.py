"""The text of a notice."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NoticeText:
    """The text of a notice: a title, an optional sentence, and the path of a page on the site."""

    title: str
    body: str
    path: str
