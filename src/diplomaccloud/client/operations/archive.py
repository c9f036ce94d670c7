"""Archive: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from collections.abc import Sequence

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import ChapterList, ChapterMessages, ConsentGiven, OpeningList


class Archive:
    """The operations of `archive`."""

    @operation
    def list_chapters(self, game: str) -> Call[ChapterList]:
        """List the chapters of a finished game; 409 while it is not over."""
        return Call("GET", fill("/games/{}/chronicle", game), ChapterList)

    @operation
    def list_open_messages(
        self, game: str, chapter: str, *, page: int | None = None, country: str | None = None
    ) -> Call[ChapterMessages]:
        """List what everyone may read of a chapter, or only what concerns `?country=TURKEY`."""
        return Call(
            "GET",
            fill("/games/{}/chronicle/{}", game, chapter),
            ChapterMessages,
            query={"page": page, "country": country},
        )

    @operation
    def list_openings(self, game: str) -> Call[OpeningList]:
        """List your conversations that can be opened; nobody learns who has agreed until all have."""
        return Call("GET", fill("/games/{}/seat/opening", game), OpeningList)

    @operation
    def agree_to_open(
        self,
        game: str,
        *,
        conversations: Sequence[ConsentGiven],
        if_match: str | None = None,
        key: str = "",
    ) -> Call[OpeningList]:
        """Agree that everyone who may see the game reads conversations, up to these messages."""
        return Call(
            "POST",
            fill("/games/{}/seat/opening", game),
            OpeningList,
            body={"conversations": conversations},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def withdraw_consent(
        self, game: str, *, with_: str, if_match: str | None = None, key: str = ""
    ) -> Call[OpeningList]:
        """Withdraw your consent to open the conversation `?with=`; 409 once it is open."""
        return Call(
            "DELETE",
            fill("/games/{}/seat/opening", game),
            OpeningList,
            query={"with": with_},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )
