"""Press: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from collections.abc import Sequence
from typing import Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import (
    ConversationList,
    DealList,
    DocumentGiven,
    MapGiven,
    Marked,
    MessageList,
    MessageState,
    ProposalAnswered,
    ProposalGiven,
    SentMessages,
)


class Press:
    """The operations of `press`."""

    @operation
    def list_conversations(self, game: str) -> Call[ConversationList]:
        """List the conversations that you can read, the newest first."""
        return Call("GET", fill("/games/{}/seat/conversations", game), ConversationList)

    @operation
    def list_messages(
        self, game: str, *, with_: str, after: int | None = None, before: int | None = None
    ) -> Call[MessageList]:
        """List messages of a conversation: `?with=TURKEY`, powers with commas, or a word.

        The words are `everyone`, `gray`, `notes`, `table` and `game-master`. `after` and `before` are
        numbers of messages. Reading here marks nothing as read.
        """
        return Call(
            "GET",
            fill("/games/{}/seat/messages", game),
            MessageList,
            query={"with": with_, "after": after, "before": before},
        )

    @operation
    def send_message(
        self,
        game: str,
        *,
        to: Sequence[str],
        if_match: str | None = None,
        mode: Literal["apart", "together"] | None = None,
        subject: str | None = None,
        body: str | None = None,
        proposal: ProposalGiven | None = None,
        document: DocumentGiven | None = None,
        map: MapGiven | None = None,
        key: str = "",
    ) -> Call[SentMessages]:
        """Send a message, with a proposal, a document or a map if you like. A key sends it once, ever.

        `apart`: one copy for each addressee, and none shows who else got one. `together`: one
        conversation of all.
        """
        return Call(
            "POST",
            fill("/games/{}/seat/messages", game),
            SentMessages,
            body={
                "to": to,
                "mode": mode,
                "subject": subject,
                "body": body,
                "proposal": proposal,
                "document": document,
                "map": map,
            },
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def mark_messages(
        self,
        game: str,
        act: Literal["read", "unread", "delete", "mute", "unmute", "report"],
        *,
        with_: str,
        if_match: str | None = None,
        number: int | None = None,
        grounds: str | None = None,
        note: str | None = None,
        key: str = "",
    ) -> Call[Marked]:
        """Mark for yourself alone: read up to a number, unread from one on, delete one, or mute all.

        `report` shows one, and those around it, to the moderators, who do not name you. It needs
        `grounds`, as in `GET /me/reports`.
        """
        return Call(
            "POST",
            fill("/games/{}/seat/messages/{}", game, act),
            Marked,
            body={"with": with_, "number": number, "grounds": grounds, "note": note},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def list_deals(self, game: str) -> Call[DealList]:
        """List the open and accepted proposals that you can read, and who kept them."""
        return Call("GET", fill("/games/{}/seat/deals", game), DealList)

    @operation
    def answer_proposal(
        self,
        game: str,
        *,
        with_: str,
        number: int,
        answer: Literal["accept", "refuse", "decline", "withdraw"],
        if_match: str | None = None,
        alternative: int | None = None,
        key: str = "",
    ) -> Call[ProposalAnswered]:
        """Accept, refuse or decline a proposal, or withdraw your own. A counter-offer is a message."""
        return Call(
            "POST",
            fill("/games/{}/seat/proposals/answer", game),
            ProposalAnswered,
            body={"with": with_, "number": number, "answer": answer, "alternative": alternative},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def sign_document(
        self,
        game: str,
        *,
        with_: str,
        number: int,
        digest: str,
        if_match: str | None = None,
        key: str = "",
    ) -> Call[MessageState]:
        """Sign the document of a message for your seat; the first signature fixes its text."""
        return Call(
            "POST",
            fill("/games/{}/seat/documents/sign", game),
            MessageState,
            body={"with": with_, "number": number, "digest": digest},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def change_document(
        self,
        game: str,
        *,
        with_: str,
        number: int,
        text: str,
        if_match: str | None = None,
        key: str = "",
    ) -> Call[MessageState]:
        """Give a document of your own another text, before anyone has signed it."""
        return Call(
            "POST",
            fill("/games/{}/seat/documents/change", game),
            MessageState,
            body={"with": with_, "number": number, "text": text},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )
