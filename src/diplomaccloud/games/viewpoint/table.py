"""One game as one viewer finds it: its seats and phases as pages name them."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from django.urls import reverse

from diplomaccloud.accounts.models import User
from diplomaccloud.games.models import DEFAULT_COLOR, Seat, Status, is_readiness_public
from diplomaccloud.games.presenters.results import PhaseLink
from diplomaccloud.games.presenters.seats import SeatView
from diplomaccloud.games.viewpoint.game_reader import Rows
from diplomaccloud.games.viewpoint.names import NOBODY, holder, leaver
from diplomaccloud.games.viewpoint.ranking import Standing, ranks_of
from diplomaccloud.games.viewpoint.reliability import figures_on
from diplomaccloud.judge.board import Power, PowerInfo
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.schedule.wording import join_words


class Table(Rows):
    """A game's rows with its seats and phases as they are shown to the viewer."""

    @cached_property
    def links(self) -> tuple[PhaseLink, ...]:
        """The processed phases, oldest first."""
        rows = self.processed.order_by("sequence")
        return tuple(self.link(*row) for row in rows.values_list("sequence", "name"))

    @property
    def ended(self) -> JudgePhase:
        """The last phase that was played out; the one at hand if none was."""
        return JudgePhase.parse(self.links[-1].name) if self.links else self.position.phase

    @cached_property
    def seats(self) -> tuple[SeatView, ...]:
        """The seats as everybody may see them."""
        played = {row.pk: self.powers_at(row) for row in self.seat_rows}
        ranks = ranks_of(
            self.game,
            {key: Standing(powers, *self._strength(powers)) for key, powers in played.items()},
        )
        return tuple(self._seat(row, rank=ranks[row.pk]) for row in self.seat_rows)

    @cached_property
    def you(self) -> SeatView | None:
        """The viewer's own seat as shown."""
        return next((seat for seat in self.seats if seat.is_you), None)

    def seat_name(self, power: str) -> str:
        """Return what the country is called of the seat whose first power it is."""
        return next((seat.country for seat in self.seats if seat.power == power), power)

    def link(self, sequence: int, name: str) -> PhaseLink:
        """Return the way to a phase."""
        url = reverse("games:phase", args=[self.game.slug, sequence])
        return PhaseLink(sequence, name, JudgePhase.parse(name).title, url)

    @cached_property
    def flags(self) -> dict[Power, SeatView]:
        """Each power of the board with its country and whose it is, in board order.

        A player's seat stands here once for each of its powers; a power that nobody plays has
        a seat without a player.
        """
        owners = {power: seat for seat in self.seats for power in self.played(seat.power)}
        return {info.power: self._flag(info, owners.get(info.power)) for info in self.board.powers}

    def _flag(self, info: PowerInfo, seat: SeatView | None) -> SeatView:
        parts = seat.parts if seat else ()
        found = next((part for part in parts if part.power == info.power), seat)
        if found is not None:
            return found
        return self._part(info.power, _NOBODY)

    def _part(self, power: Power, seat: SeatView) -> SeatView:
        """Return `seat` as that of one of its powers alone."""
        name = self.board.power_info[power].name
        centers, units = self._strength((power,))
        return replace(
            seat,
            power=power,
            power_name=name,
            country=name,
            color=self.colours[power],
            centers=centers,
            units=units,
            eliminated=not centers and not units,
            parts=(),
        )

    def _strength(self, powers: Iterable[Power]) -> tuple[int, int]:
        position, centers, units = self.position, 0, 0
        for power in powers:
            centers += len(position.centers_of(power))
            units += len(position.units_of(power)) + len(position.dislodged_of(power))
        return centers, units

    @cached_property
    def _left_in(self) -> dict[int, str]:
        """The phase in which each seat was last left, by the log of the game."""
        told = self.game.log.filter(kind="left").exclude(phase=None).order_by("pk")
        return {data["seat"]: name for data, name in told.values_list("data", "phase__name")}

    def _player(self, row: Seat) -> str:
        """Return who holds a seat; once the game is over, who left it if nobody does."""
        left = None
        if row.vacated_at and self.game.status == Status.FINISHED:
            left = next((one for one in self.tenures if one.seat_id == row.pk), None)
        if left is None or row.pk not in self._left_in:
            return holder(row, hidden=self.masked and row != self.mine)
        when = JudgePhase.parse(self._left_in[row.pk])
        return leaver(self.game, left, f"{when.season.word} {when.year}")

    def _seat(self, row: Seat, *, rank: int) -> SeatView:
        powers = self.powers_at(row)
        info = self.board.power_info
        printed = join_words([info[power].name for power in powers])
        centers, units = self._strength(powers)
        submission = self.submissions.get(row.pk)
        ready = submission is not None and bool(submission.ready_at)
        # Where orders may have been written ahead, nobody is told which other people are ready.
        told = row == self.mine or not row.user or is_readiness_public(self.position.phase)
        seat = SeatView(
            power=powers[0] if powers else "",
            power_name=printed,
            country=row.country or printed,
            color=self.colours[powers[0]] if powers else DEFAULT_COLOR,
            player=self._player(row),
            held=row.user_id is not None or bool(row.bot),
            is_bot=bool(row.bot),
            is_you=row == self.mine,
            centers=centers,
            units=units,
            rank=rank,
            eliminated=bool(powers) and not centers and not units,
            ready=ready if told and self.ordering.intersection(powers) else None,
            asked=bool(self.ordering.intersection(powers)),
            pk=row.pk,
            reliability="" if self.masked or not row.user else figures_on(row),
            status="" if self.masked or not row.user else row.user.status,
            profile_url="" if self.masked or not row.user else _profile(row.user),
        )
        if len(powers) < 2:
            return seat
        return replace(seat, parts=tuple(self._part(power, seat) for power in powers))


def _profile(person: User) -> str:
    return reverse("person", args=[person.screen_name])


_NOBODY = SeatView(
    power="",
    power_name="",
    country="",
    color=DEFAULT_COLOR,
    player=NOBODY,
    held=False,
    is_bot=False,
    is_you=False,
    centers=0,
    units=0,
    rank=0,
    eliminated=False,
    ready=None,
)
