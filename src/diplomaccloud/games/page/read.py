"""One game as one viewer may see it: every fact that a page or an API response can show."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.db.models import F, OuterRef, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.games.bots.read import Hint, read_hint
from diplomaccloud.games.conditional_orders.read import SavedConditions, read_conditions
from diplomaccloud.games.deadlines.read import Clock, is_done_talking, read_clock
from diplomaccloud.games.orders.read import (
    NOTHING_MISSING,
    LockedPhases,
    MissingOrders,
    ReceiptFacts,
    SaveFacts,
    list_missing,
    read_locked_phases,
    read_own_receipts,
    read_saves,
)
from diplomaccloud.games.record.read import (
    OwnNumber,
    RecordEnd,
    dump_chain,
    dump_game,
    dump_own_chain,
    find_own_number,
    read_record_end,
    tally_phases,
)
from diplomaccloud.games.results.read import (
    GameEnding,
    LogLine,
    LogPage,
    OrderExplanation,
    PhaseName,
    PhaseRecord,
    ProcessedPhase,
    explain_order,
    find_draw_results,
    find_phase,
    read_ending,
    read_line,
    read_live_orders,
    read_log,
    read_names,
    read_newest,
    read_newest_name,
    read_phase,
    read_processed,
    read_turn,
)
from diplomaccloud.games.seats.read import (
    Relationships,
    SeatFacts,
    VacantSeat,
    count_ready,
    read_relationships,
    read_seats,
    read_vacant_seats,
)
from diplomaccloud.games.statistics.read import Owners, Tally, read_owners
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.log_models import ROLLED_BACK, LogEntry, Unrated
from diplomaccloud.games.table.models import Game, Seat, Status, Tenure, must_ask_players
from diplomaccloud.games.table.options import Master, Watch
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.read import (
    BoardFacts,
    DraftOrders,
    GameFacts,
    GameRows,
    Guest,
    LastSave,
    NewestPhase,
    OwnSubmission,
    last_save_of,
)
from diplomaccloud.games.visibility.read import Viewer, creator_name, invited_games, require_master
from diplomaccloud.games.votes.read import (
    Vote,
    Votes,
    read_draw_vote,
    read_requests,
    read_voters,
    read_votes,
)
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position

# The past of one game as one viewer may see it: processed phases, log, receipts and record.


class HistoryReader:
    """The past of a game; `GameReader` adds its present."""

    _rows: GameRows

    @cached_property
    def phase_names(self) -> tuple[PhaseName, ...]:
        """The processed phases of the current branch, oldest first."""
        return read_names(self._rows)

    @cached_property
    def newest_name(self) -> PhaseName | None:
        """The last processed phase of the current branch, or None if there is none."""
        return read_newest_name(self._rows)

    @cached_property
    def last_turn(self) -> tuple[ProcessedPhase, ...]:
        """The last processed movement phase and the phases after it, oldest first."""
        return read_turn(self._rows, self.phase_names)

    def read_processed(self, sequence: int) -> ProcessedPhase:
        """Return a processed phase without its orders; raise `NoSuchGame` if there is none."""
        return read_processed(self._rows, self.phase_names, sequence)

    def read_phase(
        self, sequence: int, number: int | None = None
    ) -> tuple[PhaseRecord, OrderExplanation | None]:
        """Return a processed phase, and the explanation of its order `number` if given.

        Raises `NoSuchGame` if there is no such phase or order.
        """
        phase, branch = find_phase(self._rows, self.phase_names, sequence)
        orders = read_live_orders(phase)
        why = None if number is None else explain_order(phase, orders, number)
        return read_phase(self._rows, phase, branch, orders), why

    def explain_order(self, sequence: int, number: int) -> OrderExplanation:
        """Return the explanation of one order of a processed phase; raise `NoSuchGame`."""
        phase = self._rows.game.phases.filter(sequence=sequence).first()
        if phase is None:
            raise NoSuchGame
        return explain_order(phase, read_live_orders(phase), number)

    def read_owners(self) -> Mapping[int, Owners]:
        """Return the owners of the supply centers by year."""
        return read_owners(self._rows)

    def read_tally(self) -> Tally:
        """Return what the powers did in the processed phases."""
        return tally_phases(self._rows.game.pk, tuple(name.sequence for name in self.phase_names))

    def read_ending(self) -> GameEnding | None:
        """Return how the game ended, or None if it is not over."""
        return read_ending(self._rows)

    def read_newest_lines(self, count: int) -> tuple[LogLine, ...]:
        """Return the newest lines of the log, newest first."""
        game = self._rows.game
        return tuple(read_line(game, entry) for entry in self._newest_entries[:count])

    @cached_property
    def draw_results(self) -> Mapping[int, str]:
        """What the newest lines of the log say about votes on a draw, by number of the phase."""
        return find_draw_results(self._newest_entries)

    def read_log(self, page: int) -> LogPage:
        """Return one page of the log, newest line first."""
        return read_log(self._rows, page)

    def read_own_receipts(self) -> tuple[ReceiptFacts, ...]:
        """Return the viewer's receipts for the newest phase."""
        return read_own_receipts(self._rows, self._rows.phase) if self._rows.phase else ()

    def read_saves(self, *sequences: int) -> tuple[SaveFacts, ...]:
        """Return the viewer's signed receipts of saves in these phases, newest first."""
        return read_saves(self._rows, sequences) if self._rows.viewer.user_id is not None else ()

    def read_last_save(self) -> LastSave | None:
        """Return the viewer's newest signed receipt for the open phase."""
        own = self._rows.own_seat
        return last_save_of(self._rows.submissions.get(own.pk)) if own else None

    def read_receipts(self, sequence: int | None) -> LockedPhases:
        """Return the receipts of a locked phase: the newest one if `sequence` is None."""
        return read_locked_phases(self._rows, sequence)

    @cached_property
    def record_end(self) -> RecordEnd | None:
        """The end of the record, or None for a game whose record is not a chain."""
        return read_record_end(self._rows)

    @property
    def own_number(self) -> OwnNumber | None:
        """The number of the viewer's seat in the record, if the viewer took it at the start."""
        return find_own_number(self._rows)

    def dump_record(self, *, own: bool = False) -> Iterator[str]:
        """Yield the lines of the record, for `diplomaccloud replay`.

        They are the same for every viewer; with `own`, the viewer's receipts follow.
        """
        end = self.record_end
        if end is None:
            return dump_game(self._rows)
        return dump_own_chain(self._rows, end) if own else dump_chain(self._rows, end)

    @cached_property
    def _newest_entries(self) -> list[LogEntry]:
        return [] if self._rows.game.status == Status.FORMING else read_newest(self._rows)


class GameReader(HistoryReader):
    """One game for one viewer; each part is read when it is first used.

    `draft` is the name of the viewer's draft to show, and `code` may open a private game. Raises
    `NoSuchGame` if the viewer may not see the game. All public members are plain values: database
    rows never leave this class.
    """

    def __init__(self, slug: str, viewer: Viewer, *, code: str = "", draft: str = "") -> None:
        self._rows = GameRows(slug, viewer, code=code, draft=draft)

    @cached_property
    def game(self) -> GameFacts:
        """The facts that every page of the game shows."""
        game, user_id = self._rows.game, self._rows.viewer.user_id
        is_creator = user_id is not None and user_id == game.creator_id
        return GameFacts(
            slug=game.slug,
            world=game.world,
            map_name=game.chart.name,
            map_hash=game.chart.content_hash,
            status=Status(game.status),
            private=game.private,
            suspended=bool(game.suspended_reason),
            frozen=game.is_frozen,
            options=self._rows.options,
            rules=game.rules,
            setup=game.setup,
            players=game.players,
            centers_to_win=game.centers_to_win,
            measure=game.measure,
            creator=creator_name(game),
            master=require_master(game),
            code=game.code if self._rows.own_seat or is_creator else "",
            is_creator=is_creator,
            is_master=user_id is not None and user_id == game.master_id,
            is_signed_in=user_id is not None,
            shows_order=self._rows.masked and game.started_at is not None and not game.seat_secret,
        )

    @cached_property
    def for_board(self) -> BoardFacts:
        """What is needed to draw a board of the map, without reading the seats and the phase."""
        game = self._rows.game
        return BoardFacts(
            slug=game.slug,
            world=game.world,
            map_hash=game.chart.content_hash,
            edition=game.rules.name,
            is_signed_in=self._rows.viewer.user_id is not None,
        )

    @property
    def by_code(self) -> bool:
        """Whether only an invitation code opened the game, which opens no other page of it."""
        return self._rows.by_code

    @cached_property
    def version(self) -> int:
        """The number of public events, which grows whenever a page changes for everyone."""
        return self._rows.game.version

    @cached_property
    def is_forming(self) -> bool:
        """Whether the game has not started."""
        return self.game.status is Status.FORMING

    @cached_property
    def is_running(self) -> bool:
        """Whether the game has started and is not over."""
        return self._rows.is_running

    @cached_property
    def is_finished(self) -> bool:
        """Whether the game is over."""
        return self._rows.is_finished

    @cached_property
    def is_public(self) -> bool:
        """Whether everyone may watch the game."""
        return not self.game.private and self.game.options.watch is Watch.ANYONE

    @cached_property
    def unrated(self) -> Unrated | None:
        """Why the game is unrated as things stand, or None if it is rated."""
        return self._rows.unrated

    @cached_property
    def masked(self) -> bool:
        """Whether the names of the players are hidden."""
        return self._rows.masked

    @cached_property
    def chart(self) -> Chart:
        """The map."""
        return self._rows.chart

    @cached_property
    def board(self) -> Board:
        """The board of the current phase."""
        return self._rows.board

    @cached_property
    def starting_board(self) -> Board:
        """The board at the start of the game."""
        return self._rows.game.board

    @cached_property
    def position(self) -> Position:
        """The current position; before the start, the starting position."""
        return self._rows.position

    @cached_property
    def colors(self) -> Mapping[str, str]:
        """The color of every power."""
        return self._rows.colors

    @cached_property
    def phase(self) -> NewestPhase | None:
        """The newest phase, or None before the start."""
        row = self._rows.phase
        if row is None:
            return None
        return NewestPhase(
            sequence=row.sequence,
            phase=JudgePhase.parse(row.name),
            opens_at=row.opens_at,
            due_at=row.due_at,
            adjudicate_at=row.adjudicate_at,
            fixed_deadline=row.fixed_deadline,
            locked=row.locked_at is not None,
        )

    @cached_property
    def idle_powers(self) -> tuple[Power, ...]:
        """The powers on the board that nobody plays."""
        return self._rows.game.idle_powers_at(self._rows.played_in)

    @cached_property
    def seats(self) -> tuple[SeatFacts, ...]:
        """The seats in board order; before countries are assigned, see `GameRows.seats`."""
        return read_seats(self._rows)

    def find_seat(self, token: str) -> int:
        """Return the key of the seat with a token that the viewer was shown, or 0."""
        seats = (seat.key for seat in self.seats if token and seat.token == token)
        return next(seats, 0)

    def count_ready(self) -> int:
        """Return how many people are ready to start a game that has not started."""
        return count_ready(self._rows)

    @property
    def hides_seats(self) -> bool:
        """Whether the seats of others must look alike: in the waiting room of a masked game."""
        return self._rows.hides_seats

    @cached_property
    def countries(self) -> Mapping[int, tuple[str, tuple[Power, ...]]]:
        """By seat key: the country name that the player chose, or blank, and the powers."""
        return {row.pk: (row.country, self._rows.powers_at(row)) for row in self._rows.seats}

    @cached_property
    def has_seat(self) -> bool:
        """Whether the viewer plays in the game."""
        return self._rows.own_seat is not None

    @cached_property
    def own_powers(self) -> tuple[Power, ...]:
        """The viewer's powers; none before countries are assigned."""
        return self._rows.own_powers

    @cached_property
    def own_country(self) -> str:
        """The name that the viewer chose for their country, or blank."""
        return self._rows.own_seat.country if self._rows.own_seat else ""

    @cached_property
    def own_color_choices(self) -> Mapping[str, str]:
        """The colors that the viewer chose, by power."""
        return self._rows.own_seat.colors if self._rows.own_seat else {}

    @cached_property
    def is_last_player(self) -> bool:
        """Whether no other person is left to play; false if that is hidden."""
        others = [seat for seat in read_voters(self._rows) if seat != self._rows.own_seat]
        return self.has_seat and not self._rows.masked and not others

    @cached_property
    def must_order(self) -> bool:
        """Whether the viewer has something to order in the open phase."""
        return bool(self._rows.powers_to_order.intersection(self.own_powers))

    def list_missing(self) -> MissingOrders:
        """Return which of the viewer's units and builds have no order yet in the live draft."""
        powers = [power for power in self.own_powers if power in self._rows.powers_to_order]
        if not powers:
            return NOTHING_MISSING
        return list_missing(self.board, self.position, powers, self.live_draft.orders)

    @cached_property
    def own_submission(self) -> OwnSubmission:
        """What the viewer has submitted for the open phase."""
        own = self._rows.own_seat
        row = self._rows.submissions.get(own.pk) if own else None
        if row is None:
            return OwnSubmission()
        return OwnSubmission(
            row.saved_at,
            row.ready_at is not None,
            row.by_conditional_orders,
            locked=self._rows.phase is not None and self._rows.phase.is_kept_in_grace(row),
        )

    @cached_property
    def drafts(self) -> tuple[DraftOrders, ...]:
        """The viewer's own drafts for the open phase."""
        return self._rows.drafts

    @cached_property
    def live_draft(self) -> DraftOrders:
        """The viewer's draft that counts."""
        return self._rows.live_draft

    @cached_property
    def shown_draft(self) -> DraftOrders:
        """The viewer's draft to show in the order form."""
        return self._rows.shown_draft

    def read_conditions(self) -> SavedConditions | None:
        """Return the viewer's conditional orders, or None if none can be written now."""
        return read_conditions(self._rows)

    @cached_property
    def clock(self) -> Clock | None:
        """The deadline of the open phase, or None if there is no open phase."""
        return read_clock(self._rows, self._newest_entries)

    @cached_property
    def is_done_talking(self) -> bool | None:
        """Whether the viewer is done talking, or None if talk cannot end early."""
        return is_done_talking(self._rows)

    def read_votes(self) -> Votes | None:
        """Return the votes, or None if the viewer does not play or has nothing to decide."""
        paused = self.clock is not None and self.clock.paused_until is not None
        return read_votes(self._rows, paused=paused)

    def read_requests(self) -> tuple[Vote, ...]:
        """Return the open questions that the viewer asked as the game master."""
        return read_requests(self._rows)

    def read_hint(self) -> Hint | None:
        """Return what a General would order for the viewer, or None if there are no hints."""
        return read_hint(self._rows)

    def read_draw_vote(self) -> str:
        """Return the viewer's draw vote with the orders, or blank if the viewer cannot vote now."""
        return read_draw_vote(self._rows)

    @cached_property
    def vacant_seats(self) -> tuple[VacantSeat, ...]:
        """The seats that someone may take over."""
        return read_vacant_seats(self._rows, self.seats)

    @cached_property
    def has_played_vacant(self) -> bool:
        """Whether the game has a vacant seat, and the viewer has held a seat in it before."""
        return bool(self._rows.past_seats)

    @cached_property
    def has_left(self) -> bool:
        """Whether the game has a vacant seat, and the viewer has left a seat in it for good.

        Not so if an appeal undid that.
        """
        return any(left for _, left in self._rows.past_seats)

    @cached_property
    def has_surrendered(self) -> bool:
        """Whether the game is running and every country of the viewer has surrendered."""
        own = self._rows.own_seat
        return self.is_running and own is not None and self._rows.has_surrendered(own)

    @cached_property
    def is_invited(self) -> bool:
        """Whether the viewer has been invited."""
        return self._rows.game.pk in invited_games(self._rows.viewer)

    def read_relationships(self) -> Relationships:
        """Return who has declared a relationship, for a person who may take a seat or waits."""
        return read_relationships(self._rows)

    def read_guests(self) -> tuple[Guest, ...]:
        """Return the people who were invited and have not joined."""
        # In an anonymous game guests stay listed, or the list would reveal who has joined.
        joined = [] if self.masked else [row.user_id for row in self._rows.seats if row.user_id]
        rows = self._rows.game.invitations.filter(withdrawn_at=None).exclude(user__in=joined)
        return tuple(
            Guest(row.user_id, row.user.screen_name)
            for row in rows.select_related("user").order_by("pk")
        )

    def has_played(self) -> bool:
        """Return whether the viewer has ever held a seat in the game."""
        tenures = Tenure.objects.filter(seat__game=self._rows.game)
        return self.has_seat or tenures.filter(user=self._rows.viewer.user_id).exists()

    def read_tenures(self) -> tuple[tuple[int, str], ...]:
        """Return the key and the power of each person's current tenure."""
        tenures = Tenure.objects.filter(seat__game=self._rows.game, until_at=None)
        held = tenures.exclude(user=None).values_list("pk", "seat__power")
        return tuple((key, power) for key, power in held if power)

    def must_ask_players(self) -> bool:
        """Return whether the viewer, as the game master, must ask the other players."""
        user_id = self._rows.viewer.user_id
        return user_id is not None and must_ask_players(self._rows.game, user_id)

    def has_playing_master(self) -> bool:
        """Return whether the game master plays in the game, or has played in it."""
        game = self._rows.game
        if game.master_id is None or game.options.master is Master.PLAYING:
            return game.master_id is not None
        held = Tenure.objects.filter(seat__game=game, user=game.master_id)
        return any(row.user_id == game.master_id for row in self._rows.seats) or held.exists()

    def can_restore(self) -> bool:
        """Return whether the last rollback can be undone, since no phase was processed after it."""
        game = self._rows.game
        if self.is_finished:
            return False
        entry = game.log.filter(kind=ROLLED_BACK, key=f"line {game.branch}").first()
        if entry is None or game.log.filter(key=f"undone {entry.pk}").exists():
            return False
        return not self._rows.processed.filter(branch=game.branch).exists()


def open_known_game(
    game: Game, viewer: Viewer, phase: Phase | None, seats: Sequence[Seat]
) -> GameReader:
    """Return a reader for a game whose row, newest phase and seats have already been read.

    They are not read again. The caller must know that the viewer may see the game.
    """
    reader = GameReader.__new__(GameReader)
    reader._rows = GameRows.of_known(game, viewer, phase, seats)
    return reader


def share_rows(reader: GameReader) -> tuple[GameRows, list[LogEntry]]:
    """Return a reader's rows, and its log entries with every change of the deadline.

    This is for viewpoints of apps that add a panel to the game page, so that nothing is read twice;
    they must not pass the rows on.
    """
    return reader._rows, reader._newest_entries


def share_game(reader: GameReader) -> Game:
    """Return a reader's game row, for other viewpoints, like `share_rows`."""
    return reader._rows.game


# How often something public has happened in a game, for pages that update themselves.
#
# All rows for live streams have the same shape, so a single query reads them for all streams.


PULSE: Final = "pulse"
OWN: Final = "own"
LiveRow = tuple[str, str, str, int, int, int]
"""The kind of row, a text, a status, and three numbers; `""` and 0 stand for missing values."""


@dataclass(frozen=True, slots=True)
class LiveNews:
    """What live streams send: pulses by game key, and numbers by person and game.

    `texts` holds the texts of all other rows.
    """

    pulses: Mapping[int, dict[str, object]]
    own: Mapping[tuple[int, int], int]
    texts: frozenset[str]


def version_of(game_id: int) -> int:
    """Return how many public events the game has had."""
    return Game.objects.values_list("version", flat=True).get(pk=game_id)


def find_version(slug: str) -> int:
    """Return how many public events a game has had; raise `NoSuchGame`."""
    version = Game.objects.filter(slug=slug).values_list("version", flat=True).first()
    if version is None:
        raise NoSuchGame
    return version


def select_live(
    rows: QuerySet[Any],
    word: str,
    *numbers: str | Combinable,
    text: str = "",
    status: str = "",
) -> QuerySet[Any, LiveRow]:
    """Return rows in the shape of `LiveRow`; each argument names a column or is an expression."""
    texts = [F(name) if name else Value("") for name in (text, status)]
    counts = [F(number) if isinstance(number, str) else number for number in numbers]
    missing = [Value(0)] * (3 - len(counts))
    return rows.order_by().values_list(Value(word), *texts, *counts, *missing)


def select_pulses(games: Collection[int]) -> QuerySet[Any, LiveRow]:
    """Return the version, phase number and status of each game, for live streams.

    `games` are keys, because a query finds a thousand keys faster than a thousand addresses.

    A version counts the public events. It is not a key, since gaps between keys would show how
    often others save their orders.
    """
    newest = Phase.objects.filter(game=OuterRef("pk"), superseded_at=None).order_by("-sequence")
    phase = Coalesce(Subquery(newest.values("sequence")[:1]), 0)
    rows = Game.objects.filter(pk__in=games)
    return select_live(rows, PULSE, "version", phase, "pk", status="status")


def select_own(
    rows: QuerySet[Any], *, user: str, game: str | Combinable, number: str | Combinable
) -> QuerySet[Any, LiveRow]:
    """Return rows with people's own numbers; each argument names a column or is an expression.

    A blank `user` stands for everyone who may see the game.
    """
    return select_live(rows, OWN, user or Value(0), game, number)


def read_live(parts: Sequence[QuerySet[Any, LiveRow]]) -> LiveNews:
    """Read all these rows in one query."""
    pulses: dict[int, dict[str, object]] = {}
    own: Counter[tuple[int, int]] = Counter()
    texts = set()
    for word, text, status, first, second, third in _join(parts):
        if word == PULSE:
            pulses[third] = {"version": first, "phase": second, "status": status}
        elif word == OWN:
            own[first, second] += third
        else:
            texts.add(text)
    return LiveNews(pulses, own, frozenset(texts))


def _join(parts: Sequence[QuerySet[Any, LiveRow]]) -> Iterable[LiveRow]:
    return parts[0].union(*parts[1:], all=True) if parts else ()
