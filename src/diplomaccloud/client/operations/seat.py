"""Seat: a method for each operation.

Written by `scripts/client` from the description of the API: change that instead.
"""

from collections.abc import Sequence
from typing import Literal

from diplomaccloud.client.call import Call, fill, operation
from diplomaccloud.client.values import HintState, LegalOrders, OwnSeat, SavedOrders


class Seat:
    """The operations of `seat`."""

    @operation
    def save_draft(
        self,
        game: str,
        name: str,
        *,
        phase: int,
        if_match: str | None = None,
        orders: Sequence[str] | None = None,
        live: bool | None = None,
        copied: bool | None = None,
        version: str | None = None,
        key: str = "",
    ) -> Call[SavedOrders]:
        """Save orders in the draft of that name, made if there is none; `live` makes it count."""
        return Call(
            "PUT",
            fill("/games/{}/seat/drafts/{}", game, name),
            SavedOrders,
            body={
                "phase": phase,
                "orders": orders,
                "live": live,
                "copied": copied,
                "version": version,
            },
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def delete_draft(
        self, game: str, name: str, *, phase: int, if_match: str | None = None, key: str = ""
    ) -> Call[OwnSeat]:
        """Delete a draft that is not the live one."""
        return Call(
            "DELETE",
            fill("/games/{}/seat/drafts/{}", game, name),
            OwnSeat,
            query={"phase": phase},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def rename_draft(
        self,
        game: str,
        name: str,
        *,
        phase: int,
        new_name: str,
        if_match: str | None = None,
        key: str = "",
    ) -> Call[OwnSeat]:
        """Give a draft another name."""
        return Call(
            "POST",
            fill("/games/{}/seat/drafts/{}/rename", game, name),
            OwnSeat,
            body={"phase": phase, "new_name": new_name},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def save_conditional_orders(
        self,
        game: str,
        *,
        phase: int,
        text: str,
        if_match: str | None = None,
        version: str | None = None,
        key: str = "",
    ) -> Call[OwnSeat]:
        """Save conditional orders for retreats and builds, all or none; a blank text deletes them."""
        return Call(
            "PUT",
            fill("/games/{}/seat/conditional-orders", game),
            OwnSeat,
            body={"phase": phase, "text": text, "version": version},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def set_draw_vote(
        self,
        game: str,
        *,
        phase: int,
        vote: Literal["draw", "surrender", "none"],
        if_match: str | None = None,
        key: str = "",
    ) -> Call[OwnSeat]:
        """Write DRAW or SURRENDER with your orders, or neither; counted when the phase is resolved."""
        return Call(
            "PUT",
            fill("/games/{}/seat/draw-vote", game),
            OwnSeat,
            body={"phase": phase, "vote": vote},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def open_vote(
        self,
        game: str,
        *,
        phase: int,
        question: Literal["draw", "concede", "cancel", "extend", "pause", "resume"],
        if_match: str | None = None,
        power: str | None = None,
        seconds: int | None = None,
        key: str = "",
    ) -> Call[OwnSeat]:
        """Put a question to all players; you have voted yes."""
        return Call(
            "POST",
            fill("/games/{}/seat/votes", game),
            OwnSeat,
            body={"phase": phase, "question": question, "power": power, "seconds": seconds},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def answer_vote(
        self,
        game: str,
        vote: str,
        *,
        phase: int,
        answer: Literal["yes", "no", "withdraw"],
        if_match: str | None = None,
        key: str = "",
    ) -> Call[OwnSeat]:
        """Vote yes or no, in place of an earlier answer, or withdraw a question of your own."""
        return Call(
            "POST",
            fill("/games/{}/seat/votes/{}", game, vote),
            OwnSeat,
            body={"phase": phase, "answer": answer},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def set_talk(
        self, game: str, *, phase: int, done: bool, if_match: str | None = None, key: str = ""
    ) -> Call[OwnSeat]:
        """Say that you have finished talking, or take that back; talk ends early once all have."""
        return Call(
            "PUT",
            fill("/games/{}/seat/talk", game),
            OwnSeat,
            body={"phase": phase, "done": done},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def get_hint(self, game: str) -> Call[HintState]:
        """Return what a General would order for you, in a game of one person against bots."""
        return Call("GET", fill("/games/{}/seat/hint", game), HintState)

    @operation
    def ask_hint(
        self, game: str, *, phase: int, if_match: str | None = None, key: str = ""
    ) -> Call[HintState]:
        """Ask a General what to order; it thinks for some seconds. Read the hint then."""
        return Call(
            "POST",
            fill("/games/{}/seat/hint", game),
            HintState,
            body={"phase": phase},
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )

    @operation
    def get_seat(self, game: str) -> Call[OwnSeat]:
        """Return your seat, which nobody else sees: what it owes, orders, drafts, votes, receipt.

        `?format=text` is one page of prose about the game as your seat sees it.
        """
        return Call("GET", fill("/games/{}/seat", game), OwnSeat)

    @operation
    def get_seat_text(self, game: str) -> Call[str]:
        """Return what `get_seat` returns as one page of prose."""
        return Call("GET", fill("/games/{}/seat", game), str, query={"format": "text"})

    @operation
    def list_legal_orders(
        self, game: str, *, unit: str | None = None, format: Literal["texts", "rows"] | None = None
    ) -> Call[LegalOrders]:
        """List every legal order of your units in the open phase, or only of the unit `?unit=A PAR`.

        `?format=rows` adds the numbers that the judge's batches have for them.
        """
        return Call(
            "GET",
            fill("/games/{}/seat/legal", game),
            LegalOrders,
            query={"unit": unit, "format": format},
        )

    @operation
    def save_orders(
        self,
        game: str,
        *,
        phase: int,
        if_match: str | None = None,
        orders: Sequence[str] | None = None,
        ready: bool | None = None,
        confirmed: bool | None = None,
        draft: str | None = None,
        version: str | None = None,
        key: str = "",
    ) -> Call[SavedOrders]:
        """Save orders, and set or clear the ready mark. Refused orders never cost the others.

        The answer says how each order was read, or why it was refused. Orders of units that are not
        named stay as they were. 409 once the phase is over: nothing ever lands in the next phase.
        """
        return Call(
            "PUT",
            fill("/games/{}/seat/orders", game),
            SavedOrders,
            body={
                "phase": phase,
                "orders": orders,
                "ready": ready,
                "confirmed": confirmed,
                "draft": draft,
                "version": version,
            },
            headers={n: v for n, v in (("If-Match", if_match),) if v is not None},
            key=key,
        )
