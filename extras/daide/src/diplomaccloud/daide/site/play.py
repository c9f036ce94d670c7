"""The open seats of a game on the site, and their play: the site adjudicates."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from django.db import DatabaseError
from django.utils import timezone

from diplomaccloud.api import limits
from diplomaccloud.api.tokens import Bearer, Scope, find_bearer
from diplomaccloud.daide.board import words_of
from diplomaccloud.daide.language import MAX_NUMBER, Word
from diplomaccloud.daide.messages import OrderTerm
from diplomaccloud.daide.play import Declined, Play, write_ending
from diplomaccloud.entry.votes import Vote
from diplomaccloud.games.orders.actions import save_orders, set_ready, unset_ready
from diplomaccloud.games.results.read import read_ending, read_phase_names, read_processed
from diplomaccloud.games.seats.read import read_seats
from diplomaccloud.games.table.errors import DeadlinePassed, Refused
from diplomaccloud.games.table.forms import PhaseAction
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.games.votes.actions import vote_with_orders
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Disband, Hold, Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat with the token that opens it; `talks` says whether the token allows press."""

    power: Power
    token: str
    token_id: int
    user_id: int
    talks: bool

    @property
    def viewer(self) -> Viewer:
        """The viewer of the game from this seat."""
        return Viewer(self.user_id)


class OpenSeats:
    """The open seats of the game `slug`, in the order of their tokens.

    Raises `ValueError` with an explanation if a token opens no seat, or two open the same seat.
    """

    def __init__(self, slug: str, tokens: Iterable[str]) -> None:
        self.slug = slug
        self.by_power: dict[Power, OpenSeat] = {}
        for number, token in enumerate(tokens, start=1):
            seat = self._open(token, f"token {number}")
            if seat.power in self.by_power:
                raise ValueError(f"token {number} is for a seat that another token already opens")
            self.by_power[seat.power] = seat
        if not self.by_power:
            raise ValueError("no token was given; make one for your seat on the API tokens page")

    def _open(self, token: str, name: str) -> OpenSeat:
        bearer = self._find_bearer(token)
        if bearer is None:
            raise ValueError(
                f"{name} opens no seat: it must be for a seat in the game {self.slug}, allow "
                "playing, and not be expired or revoked"
            )
        powers = Reader(self.slug, Viewer(bearer.user_id)).own_powers
        if not powers:
            raise ValueError("the game has not started")
        if len(powers) > 1:
            raise ValueError(
                f"{name} is for {len(powers)} countries, but a DAIDE client can play only one"
            )
        talks = Scope.PRESS in bearer.scopes
        return OpenSeat(powers[0], token, bearer.token_id, bearer.user_id, talks)

    def _find_bearer(self, token: str) -> Bearer | None:
        """Return the bearer of a token; None if the token doesn't open a seat in the game now."""
        bearer = find_bearer(token, timezone.now())
        if bearer is None or bearer.banned or Scope.PLAY not in bearer.scopes:
            return None
        return bearer if bearer.seat is not None and bearer.seat.slug == self.slug else None

    def require(self, power: Power) -> OpenSeat:
        """Return the seat for something that changes the game; raise `Declined`.

        It does so if the token has been revoked, or after too many changes in a minute.
        """
        seat = self.by_power.get(power)
        if seat is None or self._find_bearer(seat.token) is None:
            raise Declined
        if limits.count(limits.TOKEN, seat.token_id) > limits.TOKEN.quota:
            raise Declined
        return seat

    def close_dead(self) -> Mapping[Power, OpenSeat]:
        """Remove and return the seats whose tokens no longer work or whose players have left."""
        dead = {p: s for p, s in self.by_power.items() if self._find_bearer(s.token) is None}
        for power in dead:
            del self.by_power[power]
        return dead


_P = ParamSpec("_P")
_R = TypeVar("_R")
_DEFAULTS: Final[Mapping[Stage, type[Hold] | type[Disband]]] = {
    Stage.MOVEMENT: Hold,
    Stage.RETREATS: Disband,
}
"""The default order of a unit in each stage."""


def declining(act: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return the method, raising `Declined` if the site refuses or the database fails."""

    @wraps(act)
    def method(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return act(*args, **kwargs)
        except (Refused, DatabaseError):
            raise Declined from None

    return method


class SitePlay(Play):
    """The position and the turns of a running game, and the orders of its open seats.

    Raises `ValueError` with an explanation if DAIDE cannot describe the game.
    """

    def __init__(self, seats: OpenSeats) -> None:
        self._seats, self._sequence = seats, 0
        self._sequences: list[int] = []
        self._withdrawn: set[Unit] = set()
        reader = self.open_reader()
        if reader.game.setup is not None:
            raise ValueError("the game has a custom setup, which DAIDE cannot describe")
        if not reader.is_running:
            raise ValueError("the game is over")
        super().__init__(words_of(reader.board), seed="", until=MAX_NUMBER, rules=reader.game.rules)
        self._owing: frozenset[Power] = frozenset()
        self.read_news(reader)

    def open_reader(self) -> Reader:
        """Return the game as seen by one of the open seats. Only public facts are read from it."""
        seat = next(iter(self._seats.by_power.values()))
        return Reader(self._seats.slug, seat.viewer)

    # From the site.

    def read_news(self, reader: Reader) -> int:
        """Read what has happened since the last call; return how many of `turns` are new.

        After a rollback, all turns are read again, and none of them counts as new.
        """
        names = [name.sequence for name in read_phase_names(reader)]
        known = len(self._sequences)
        goes_on = names[:known] == self._sequences
        # Read everything before changing anything: reading from the site may fail halfway.
        begin = known if goes_on else 0
        new = [(sequence, read_processed(reader, sequence)) for sequence in names[begin:]]
        phase, position, ending = reader.phase, reader.position, read_ending(reader)
        owing = frozenset(
            power for seat in read_seats(reader) if seat.must_order for power in seat.powers
        )
        if not goes_on:
            self._sequences, self.turns, self.eliminated = [], [], {}
            known = len(names)
        for sequence, processed in new:
            self._add_turn(processed.position, processed.resolution)
            self._sequences.append(sequence)
        self.position, self._owing = position, owing
        if phase is not None and phase.sequence != self._sequence:
            self._sequence = phase.sequence
            self._orders.clear()
            self._withdrawn.clear()
            self.waiting.clear()
            for power in self._seats.by_power:
                with suppress(Declined):
                    self.read_own(power)
        if ending is not None:
            self.ending = write_ending(self.words, ending.winners)
        return len(names) - known

    @property
    def owing(self) -> frozenset[Power]:
        """The powers with open seats that still have something to order."""
        return self._owing & self._seats.by_power.keys()

    # From the clients.

    def act(self, power: Power) -> PhaseAction:
        """Return the arguments for a power's action in this phase; raise `Declined`."""
        return {
            "slug": self._seats.slug,
            "user_id": self._seats.require(power).user_id,
            "sequence": self._sequence,
            "now": timezone.now(),
        }

    @declining
    def read_own(self, power: Power) -> None:
        """Read the live orders, which the player may have changed on the page."""
        seat = self._seats.by_power.get(power)
        if seat is None:
            return
        reader = Reader(self._seats.slug, seat.viewer)
        if reader.phase is None or reader.phase.sequence != self._sequence:
            return
        # Without the defaults of units whose orders were withdrawn.
        self._orders[power] = [
            order
            for order in reader.live_draft.orders
            if power_of(order) == power
            and not (isinstance(order, Hold | Disband) and order.unit in self._withdrawn)
        ]

    @declining
    def take(self, power: Power, terms: Sequence[OrderTerm], *, any_order: bool) -> list[Word]:
        """Save the orders of a message and return their notes. All are late if the phase is over.

        A complete order set makes the seat ready, unless the client has marked it as not ready.
        """
        self.read_own(power)
        read: list[tuple[Word, Order | None]] = []
        for term in terms:
            note = self.give(power, term, any_order=any_order)
            order = self._orders[power][-1] if note == Word.MBV else None
            read.append((note, order))
            if order is not None and not isinstance(order, Waive):
                self._withdrawn.discard(order.unit)
        try:
            refused = self._save(power)
        except DeadlinePassed:
            return [Word.NRS] * len(terms)
        return [Word.FAR if order and str(order) in refused else note for note, order in read]

    def _save(self, power: Power) -> list[str]:
        """Save the orders of a power; return the text of each order that the site refuses."""
        given = self._orders.get(power, [])
        by_unit = {order.unit: order for order in given if not isinstance(order, Waive)}
        orders: list[Order] = list(by_unit.values())
        # The site would refuse waives beyond the builds due.
        due = abs(adjustments_owed(self.words.board, self.position, power)) - len(orders)
        orders += [order for order in given if isinstance(order, Waive)][: max(0, due)]
        # The site can't delete the orders of units, so withdrawn ones become the default.
        if default := _DEFAULTS.get(self.position.phase.stage):
            withdrawn = self._withdrawn - by_unit.keys()
            orders += [default(unit) for unit in withdrawn if unit.power == power]
        saved = save_orders(
            **self.act(power),
            choices=list(map(str, orders)),
            sheet="",
            ready=power not in self.waiting and self.is_complete(power),
            confirmed=True,
        )
        return [problem.text for problem in saved.problems]

    @declining
    def cancel(self, power: Power, term: OrderTerm | None) -> bool:
        """Withdraw one order or all orders; return whether there was any."""
        self.read_own(power)
        before, was_complete = list(self._orders.get(power, [])), self.is_complete(power)
        if not super().cancel(power, term):
            return False
        remaining = self._orders[power]
        self._withdrawn |= {
            order.unit
            for order in before
            if order not in remaining and not isinstance(order, Waive)
        }
        if was_complete:
            unset_ready(**self.act(power))
        self._save(power)
        return True

    @declining
    def set_ready(self, power: Power, *, ready: bool) -> None:
        """Mark the seat as ready if its orders are complete, or as not ready."""
        super().set_ready(power, ready=ready)
        if power not in self.owing:
            return
        self.read_own(power)
        if not ready:
            unset_ready(**self.act(power))
        elif self.is_complete(power):
            set_ready(**self.act(power))

    @declining
    def vote(self, power: Power, *, draw: bool) -> None:
        """Set or clear the seat's DRAW vote."""
        vote_with_orders(**self.act(power), vote=Vote.DRAW if draw else "")
        super().vote(power, draw=draw)

    def agree_on_draw(self) -> bool:
        """Return False: the site counts the votes itself when it processes the phase."""
        return False
