"""One game as one viewer finds it: who may see it, and the rows read once."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.urls import reverse

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.games import events
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import Game, Invitation, Phase, Seat, Status, Submission, Tenure
from diplomaccloud.games.options import Options, Watch
from diplomaccloud.games.records import (
    NO_COLOUR,
    board_of,
    chart_of,
    colours_of,
    open_phase_of,
    options_of,
    played_by,
    players_of,
    position_of,
    resolution_of,
    start_of,
    tells_who_is_ready,
)
from diplomaccloud.games.schedule.words import listed
from diplomaccloud.games.shown_record import PhaseLink
from diplomaccloud.games.shown_seats import SeatView
from diplomaccloud.games.viewpoint.names import holder, is_masked, leaver
from diplomaccloud.games.viewpoint.ranking import Standing, ranks_of
from diplomaccloud.games.viewpoint.reliability import figures_on, with_reliability
from diplomaccloud.games.viewpoint.sheets import NO_SHEET, Sheet, sheets_of
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.board import Board, Power, PowerInfo
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a user's key, or None for whoever has not logged in."""

    user_id: int | None


def viewer_of(user: User | AnonymousUser) -> Viewer:
    """Return the viewer that `user` is."""
    return Viewer(user.pk if user.is_authenticated else None)


def visible_games(viewer: Viewer) -> QuerySet[Game]:
    """Return the games the viewer may see, maps' texts left out.

    Those that are public, unless only players watch them; one's own, also once one has left
    them: what one played, and the receipts for it, can be looked at for ever; and those one is
    invited to, while they form.
    """
    watched = Q(options__watch=Watch.ANYONE.value) | Q(status=Status.FORMING)
    visible = Q(private=False) & watched
    if viewer.user_id is not None:
        visible |= Q(pk__in=Seat.objects.filter(user=viewer.user_id).values("game"))
        visible |= Q(pk__in=Tenure.objects.filter(user=viewer.user_id).values("seat__game"))
        visible |= Q(creator=viewer.user_id) | Q(master=viewer.user_id)
        asked = Invitation.objects.filter(user=viewer.user_id, withdrawn_at=None)
        visible |= Q(status=Status.FORMING, pk__in=asked.values("game"))
    games = Game.objects.filter(visible)
    return games.select_related("chart", "creator", "master").defer("chart__text")


def invited_games(viewer: Viewer) -> list[int]:
    """Return the keys of the games that the viewer is invited to."""
    mine = Invitation.objects.filter(user=viewer.user_id, withdrawn_at=None)
    return list(mine.exclude(user=None).values_list("game_id", flat=True))


def may_see(slug: str, viewer: Viewer) -> bool:
    """Return whether there is such a game and the viewer may see it."""
    return visible_games(viewer).filter(slug=slug).exists()


class Table:
    """One game as one viewer finds it; each row is read once, when it is first asked for.

    `draft` names the one of the viewer's own drafts to show; without it, it is the live one.
    Raises `NoSuchGame` for a viewer who may not see the game.
    """

    def __init__(self, slug: str, viewer: Viewer, *, code: str = "", draft: str = "") -> None:
        self.viewer = viewer
        self._draft = draft
        games = events.with_version(visible_games(viewer))
        seen = games.filter(slug=slug).first()
        game = seen or _invited(slug, code)
        if game is None:
            raise NoSuchGame
        self.game: Game = game
        self.version: int = getattr(seen, "version", None) or events.version_of(game.pk)

    @cached_property
    def chart(self) -> Chart:
        """The map."""
        return chart_of(self.game)

    @cached_property
    def board(self) -> Board:
        """The board as it is played now, with the number of centers agreed to win."""
        return board_of(self.game, self.position.phase)

    @cached_property
    def players(self) -> tuple[tuple[Power, ...], ...]:
        """The powers of each player now."""
        return players_of(self.game, self.position.phase)

    @cached_property
    def colours(self) -> dict[str, str]:
        """Every power's colour."""
        return colours_of(self.game, self.seat_rows)

    @cached_property
    def options(self) -> Options:
        """What was agreed on besides map and rules."""
        return options_of(self.game)

    @property
    def phases(self) -> QuerySet[Phase]:
        """The phases that no roll-back left behind."""
        return self.game.phases.filter(superseded_at=None)

    @property
    def processed(self) -> QuerySet[Phase]:
        """Those of them that are processed."""
        return self.phases.exclude(processed_at=None)

    @cached_property
    def my_powers(self) -> tuple[Power, ...]:
        """The powers the viewer plays; none before the draw."""
        return played_by(self.mine.power, self.players) if self.mine else ()

    @cached_property
    def seat_rows(self) -> list[Seat]:
        """The seats in board order, or in order of arrival before the draw."""
        found = self.game.seats.select_related("user").order_by("pk")
        rows = list(found if self.masked else with_reliability(found))
        ranks = {str(info.power): rank for rank, info in enumerate(self.board.powers)}
        return sorted(rows, key=lambda row: ranks.get(row.power or "", 0))

    @property
    def masked(self) -> bool:
        """Whether the names of the players are kept from everybody: see `names`."""
        return is_masked(self.game)

    @cached_property
    def mine(self) -> Seat | None:
        """The viewer's own seat."""
        if self.viewer.user_id is None:
            return None
        own = (row for row in self.seat_rows if row.user_id == self.viewer.user_id)
        return next(own, None)

    @cached_property
    def tenures(self) -> list[Tenure]:
        """Who has held which seat when, the newest first."""
        rows = Tenure.objects.filter(seat__game=self.game).select_related("user")
        return list(rows.order_by("-pk"))

    @cached_property
    def _left_in(self) -> dict[int, str]:
        """The phase in which each seat was last left, by the log of the game."""
        told = self.game.log.filter(kind="left").exclude(phase=None).order_by("pk")
        return {data["seat"]: name for data, name in told.values_list("data", "phase__name")}

    @cached_property
    def phase(self) -> Phase | None:
        """The newest phase: the open one, or the last of a finished game."""
        return open_phase_of(self.game)

    @cached_property
    def position(self) -> Position:
        """The position as it is now; before the start, that which the game begins with."""
        if self.phase is None:
            return start_of(self.game)
        if self.phase.processed_at is not None:
            return resolution_of(self.phase).next
        return position_of(self.phase)

    @cached_property
    def ordering(self) -> frozenset[Power]:
        """The powers that have something to order in the open phase."""
        if self.game.status != Status.RUNNING:
            return frozenset()
        disorder = set(self.phase.disorder) if self.phase else set()
        return powers_to_order(self.board, self.position) - disorder

    @cached_property
    def submissions(self) -> dict[int, Submission]:
        """Who has saved orders or is ready in the open phase, by seat."""
        if self.phase is None or self.game.status != Status.RUNNING:
            return {}
        return {row.seat_id: row for row in self.phase.submissions.all()}

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """The viewer's own drafts in the open phase: the one read of orders that are secret.

        There is always a live one among them, unless the viewer has nothing to order.
        """
        if self.phase is None or self.mine is None or self.phase.processed_at is not None:
            return ()
        return sheets_of(self.mine, self.phase)

    @property
    def live_sheet(self) -> Sheet:
        """The draft that counts."""
        return next((sheet for sheet in self.sheets if sheet.live), NO_SHEET)

    @property
    def sheet(self) -> Sheet:
        """The draft that is shown."""
        shown = (sheet for sheet in self.sheets if self._draft and sheet.name == self._draft)
        return next(shown, self.live_sheet)

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
        played = {row.pk: self._powers(row.power) for row in self.seat_rows}
        ranks = ranks_of(
            self.game,
            {key: Standing(powers, *self._strength(powers)) for key, powers in played.items()},
        )
        return tuple(self._seat(row, rank=ranks[row.pk]) for row in self.seat_rows)

    @cached_property
    def you(self) -> SeatView | None:
        """The viewer's own seat as shown."""
        return next((seat for seat in self.seats if seat.is_you), None)

    def powers_at(self, row: Seat) -> tuple[Power, ...]:
        """Return the powers that a seat plays now; none before the draw."""
        return self._powers(row.power)

    def is_given_up(self, row: Seat) -> bool:
        """Return whether every country of a seat has surrendered."""
        powers = set(self.powers_at(row))
        return self.phase is not None and bool(powers) and powers <= set(self.phase.disorder)

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
        owners = {power: seat for seat in self.seats for power in self._powers(seat.power)}
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

    def _powers(self, power: str | None) -> tuple[Power, ...]:
        return played_by(power, self.players) if power else ()

    def _strength(self, powers: Iterable[Power]) -> tuple[int, int]:
        position, centers, units = self.position, 0, 0
        for power in powers:
            centers += len(position.centers_of(power))
            units += len(position.units_of(power)) + len(position.dislodged_of(power))
        return centers, units

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
        powers = self._powers(row.power)
        info = self.board.power_info
        printed = listed([info[power].name for power in powers])
        centers, units = self._strength(powers)
        submission = self.submissions.get(row.pk)
        ready = submission is not None and bool(submission.ready_at)
        # Where orders may have been written ahead, nobody is told which other people are ready.
        told = row == self.mine or not row.user or tells_who_is_ready(self.position.phase)
        seat = SeatView(
            power=powers[0] if powers else "",
            power_name=printed,
            country=row.country or printed,
            color=self.colours[powers[0]] if powers else NO_COLOUR,
            player=self._player(row),
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
    color=NO_COLOUR,
    player="nobody",
    is_bot=False,
    is_you=False,
    centers=0,
    units=0,
    rank=0,
    eliminated=False,
    ready=None,
)


def opens(slug: str, code: str) -> bool:
    """Return whether the code lets somebody see the game who could not see it otherwise."""
    return _invited(slug, code) is not None


def _invited(slug: str, code: str) -> Game | None:
    """Return the game that somebody knows the code of, while there is a seat to be had in it."""
    games = Game.objects.select_related("chart", "creator", "master").defer("chart__text")
    vacant = Seat.objects.exclude(vacated_at=None).values("game")
    free = Q(status=Status.FORMING) | Q(status=Status.RUNNING, pk__in=vacant)
    game = games.filter(free, slug=slug).first()
    if game is None or not secrets.compare_digest(code.encode(), game.code.encode()):
        return None
    return game
