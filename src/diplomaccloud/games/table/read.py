"""Viewers, and which games a viewer may see."""

import datetime as dt
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final, Self

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.crypto import salted_hmac

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.bots.seats import hide_character
from diplomaccloud.games.table.errors import GameCanceled, NoSuchGame
from diplomaccloud.games.table.log_models import SaveReceipt, Unrated, find_unrated
from diplomaccloud.games.table.models import FROZEN, Game, Invitation, Seat, Status, Tenure
from diplomaccloud.games.table.options import Master, Options
from diplomaccloud.games.table.phase_models import (
    FIRST_DRAFT,
    Draft,
    Phase,
    Submission,
    version_of_lines,
)
from diplomaccloud.judge.adjudication import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec.values import order_from_json
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.standard.setups import Setup
from diplomaccloud.judge.victory import Measure
from diplomaccloud.shared.prepared_queries import PreparedQuery

_ENTRANCE: Final = ("status", "private", "watchable", "creator", "master")
"""The columns of a game that decide who may see it, besides who takes part in it."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The key of the user who views a game, or None for a visitor who is not logged in."""

    user_id: int | None


def viewer_of(user: User | AnonymousUser) -> Viewer:
    """Return the viewer for `user`."""
    return Viewer(user.pk if user.is_authenticated else None)


def visible_games(viewer: Viewer) -> QuerySet[Game]:
    """Return the games that the viewer may see, without the text of their maps.

    These are public games, unless only players may watch them; the viewer's own games, even
    after the viewer has left them, so that past play and receipts remain visible; and games that
    the viewer is invited to, before they start.
    """
    watched = Q(watchable=True) | Q(status=Status.FORMING)
    visible = Q(private=False) & watched
    if viewer.user_id is not None:
        # Check each game separately: a list of all games of a person would keep growing.
        this, person = OuterRef("pk"), viewer.user_id
        visible |= Q(Exists(Seat.objects.filter(game=this, user=person)))
        visible |= Q(Exists(Tenure.objects.filter(seat__game=this, user=person)))
        visible |= Q(creator=person) | Q(master=person)
        invited = Invitation.objects.filter(game=this, user=person, withdrawn_at=None)
        visible |= Q(Exists(invited), status=Status.FORMING)
    games = Game.objects.filter(visible).exclude(status=Status.CANCELED)
    return games.select_related("chart", "creator", "master").defer("chart__text")


def find_game(slug: str, viewer: Viewer) -> Game | None:
    """Return the game as `visible_games` reads it, or None if the viewer may not see it."""
    if viewer.user_id is None:
        return _public_game.find(slug)
    return _game_of_viewer.find(slug, viewer.user_id)


_public_game = PreparedQuery(lambda slug: visible_games(Viewer(None)).filter(slug=slug), str)
_game_of_viewer = PreparedQuery(
    lambda slug, person: visible_games(Viewer(person)).filter(slug=slug), str, int
)


def build_finished_rule(viewer: Viewer) -> Q:
    """Return the rule of `visible_games` as a filter for seats of finished games.

    It is simpler there: everyone who played has a tenure, and nobody is invited.
    """
    visible = Q(game__private=False, game__watchable=True)
    if (person := viewer.user_id) is None:
        return visible
    held = Tenure.objects.filter(seat__game=OuterRef("game"), user=person)
    return visible | Q(game__creator=person) | Q(game__master=person) | Q(Exists(held))


def invited_games(viewer: Viewer) -> list[int]:
    """Return the keys of the games that the viewer is invited to."""
    invitations = Invitation.objects.filter(user=viewer.user_id, withdrawn_at=None)
    return list(invitations.exclude(user=None).values_list("game_id", flat=True))


def sees(viewer: Viewer, game: Game) -> bool:
    """Return whether the viewer may see the game, by the rule of `visible_games`."""
    if game.status == Status.CANCELED:
        return False
    is_forming, person = game.status == Status.FORMING, viewer.user_id
    if not game.private and (game.watchable or is_forming):
        return True
    if person is None:
        return False
    if person in (game.creator_id, game.master_id):
        return True
    entries = [
        Seat.objects.filter(game=game.pk, user=person),
        Tenure.objects.filter(seat__game=game.pk, user=person),
    ]
    if is_forming:
        entries.append(Invitation.objects.filter(game=game.pk, user=person, withdrawn_at=None))
    return any(rows.exists() for rows in entries)


def may_see(slug: str, viewer: Viewer) -> bool:
    """Return whether the game exists and the viewer may see it."""
    return find_visible(slug, viewer) is not None


def find_visible(slug: str, viewer: Viewer) -> int | None:
    """Return the key of the game if the viewer may see it, or None; for servers, not for pages."""
    game = Game.objects.only(*_ENTRANCE).filter(slug=slug).order_by().first()
    return game.pk if game is not None and sees(viewer, game) else None


def find_visible_pairs(pairs: Collection[tuple[int | None, int]]) -> set[tuple[int | None, int]]:
    """Return the pairs whose person may see the game by the rule of `visible_games`.

    A pair holds the keys of a person, or None for a visitor, and of a game. The number of queries
    does not depend on the number of pairs.
    """
    public = visible_games(Viewer(None)).filter(pk__in={game for _, game in pairs}).order_by()
    open_games = set(public.values_list("pk", flat=True))
    visible = {pair for pair in pairs if pair[1] in open_games}
    others = {pair for pair in pairs if pair not in visible and pair[0] is not None}
    return visible | (_find_entitled(others) if others else set())


def _find_entitled(pairs: Collection[tuple[int | None, int]]) -> set[tuple[int | None, int]]:
    """Return the pairs whose person may see the game even if not everyone may."""
    people, keys = {user for user, _ in pairs}, {game for _, game in pairs}
    seats = Seat.objects.filter(user__in=people, game__in=keys)
    tenures = Tenure.objects.filter(user__in=people, seat__game__in=keys)
    invited = Invitation.objects.filter(
        user__in=people, game__in=keys, withdrawn_at=None, game__status=Status.FORMING
    )
    games = Game.objects.filter(pk__in=keys).exclude(status=Status.CANCELED)
    entitled = {
        *seats.values_list("user", "game"),
        *tenures.values_list("user", "seat__game"),
        *invited.values_list("user", "game"),
    }
    present = set()
    for game, creator, master in games.values_list("pk", "creator", "master"):
        present.add(game)
        entitled |= {(creator, game), (master, game)}
    return {pair for pair in pairs if pair in entitled and pair[1] in present}


def is_suspended(slug: str, viewer: Viewer) -> bool:
    """Return whether the game is suspended after an error and the viewer may see it."""
    suspended = visible_games(viewer).filter(slug=slug).exclude(suspended_reason__in=["", FROZEN])
    return suspended.exists()


def is_canceled(slug: str) -> bool:
    """Return whether the game was canceled; everyone who has its address may know."""
    return Game.objects.filter(slug=slug, status=Status.CANCELED).exists()


def may_know(slug: str, viewer: Viewer) -> bool:
    """Return whether the viewer may know that the game exists, even if it was canceled."""
    game = Game.objects.filter(slug=slug).values_list("pk", "private").first()
    if game is None or not game[1]:
        return game is not None
    person = viewer.user_id
    if person is None:
        return False
    part = Q(creator=person) | Q(master=person)
    part |= Q(Exists(Seat.objects.filter(game=OuterRef("pk"), user=person)))
    part |= Q(Exists(Tenure.objects.filter(seat__game=OuterRef("pk"), user=person)))
    invited = Invitation.objects.filter(game=OuterRef("pk"), user=person, withdrawn_at=None)
    part |= Q(Exists(invited))
    return Game.objects.filter(part, pk=game[0]).exists()


def needs_code(slug: str) -> bool:
    """Return whether joining the game before it starts requires the code of a private game.

    Everyone who has the address may know this, since only its players can have shared the address.
    """
    return Game.objects.filter(slug=slug, status=Status.FORMING, private=True).exists()


def game_by_code(slug: str, code: str) -> Game | None:
    """Return the game if `code` is its code and it has a free seat, or None."""
    games = Game.objects.select_related("chart", "creator", "master").defer("chart__text")
    vacant = Seat.objects.exclude(vacated_at=None).values("game")
    free = Q(status=Status.FORMING) | Q(status=Status.RUNNING, pk__in=vacant)
    game = games.filter(free, slug=slug).first()
    if game is None or not secrets.compare_digest(code.encode(), game.code.encode()):
        return None
    return game


# The names of people in a game, which are hidden in an anonymous game.
#
# Until an anonymous game ends, nobody sees who plays in it: not on a seat, in the log, in a vote,
# in a list or in a URL. All code that names a person in a game must use this module.


_TOKEN: Final = 32
"""The length of a seat's token."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A person or a bot, or nobody if both names are blank; `hidden`: the name is hidden."""

    name: str = ""
    bot: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Actor:
    """A person who did something that the log shows; None stands for the site.

    `is_master` is set only if the person's name is hidden.
    """

    name: str = ""
    is_master: bool = False


def is_masked(game: Game) -> bool:
    """Return whether the names of the people in the game are hidden for now."""
    return game.status != Status.FINISHED and game.options.anonymous


def make_token(seat: Seat) -> str:
    """Return a key of a seat that says nothing about when it was taken, unlike its primary key."""
    made = salted_hmac("diplomaccloud.games.seats", str(seat.pk), algorithm="sha256")
    return made.hexdigest()[:_TOKEN]


def seat_holder(game: Game, seat: Seat, *, hidden: bool) -> Holder:
    """Return who holds a seat; with `hidden`, without a person's name."""
    if seat.user:
        return Holder(hidden=True) if hidden else Holder(seat.user.screen_name)
    return Holder(bot=_public_bot(game, seat.bot))


def _public_bot(game: Game, bot: str) -> str:
    """Return the name of a bot; its character, which says how it keeps deals, shows at the end."""
    return bot if game.status == Status.FINISHED else hide_character(bot)


def tenure_holder(game: Game, tenure: Tenure) -> Holder:
    """Return who held a seat during a tenure."""
    if tenure.user is None:
        return Holder(bot=_public_bot(game, tenure.bot))
    return Holder(hidden=True) if is_masked(game) else Holder(tenure.user.screen_name)


def creator_name(game: Game) -> str:
    """Return who created the game, or blank if that would reveal who plays in it."""
    if is_masked(game) and game.options.master is not Master.CREATOR:
        return ""
    return game.creator.screen_name


def require_master(game: Game) -> Actor | None:
    """Return the game master, or None if the site runs the game."""
    if game.master is None:
        return None
    return Actor(is_master=True) if is_masked(game) else Actor(game.master.screen_name)


def actor_of(game: Game, person: User | None) -> Actor | None:
    """Return who did something that the log shows, or None for the site."""
    if person is None:
        return None
    if is_masked(game):
        return Actor(is_master=person.pk == game.master_id)
    return Actor(person.screen_name)


def person_name(game: Game, person: User | None) -> str:
    """Return the screen name of a person in the game, or blank if it is hidden for now."""
    return "" if person is None or is_masked(game) else person.screen_name


# Facts about a game besides its seats, orders and results.


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What is needed to draw a board of the game's map, all read with the game itself."""

    slug: str
    world: str
    map_hash: str
    edition: str
    is_signed_in: bool


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The facts that every page of a game shows.

    `players` are the powers of each player at the start. `code` is blank unless the viewer may
    share it. `creator` is blank if the name is hidden; `master` is None if the site runs the game.
    `shows_order`: although names are hidden, the record shows in which order the players joined.
    """

    slug: str
    world: str
    map_name: str
    map_hash: str
    status: Status
    private: bool
    suspended: bool
    frozen: bool
    options: Options
    rules: RuleSet
    setup: Setup | None
    players: tuple[tuple[Power, ...], ...]
    centers_to_win: int
    measure: Measure
    creator: str
    master: Actor | None
    code: str
    is_creator: bool
    is_master: bool
    is_signed_in: bool
    shows_order: bool


@dataclass(frozen=True, slots=True)
class NewestPhase:
    """The newest phase: the open one, or the last of a finished game."""

    sequence: int
    phase: JudgePhase
    opens_at: dt.datetime
    due_at: dt.datetime
    adjudicate_at: dt.datetime
    fixed_deadline: bool
    locked: bool


@dataclass(frozen=True, slots=True)
class OwnSubmission:
    """What the viewer has submitted for the open phase; `locked` if a grace period locked it."""

    saved_at: dt.datetime | None = None
    ready: bool = False
    by_conditions: bool = False
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who was invited and has not joined yet."""

    user_id: int
    name: str


# The viewer's own drafts, read in a single query.


@dataclass(frozen=True, slots=True)
class DraftOrders:
    """A draft and its orders; `saved_at` is None for a draft that is not stored yet."""

    name: str
    live: bool
    saved_at: dt.datetime | None
    orders: tuple[Order, ...] = ()

    @property
    def text(self) -> str:
        """The orders in canonical form, sorted, one per line, as on a receipt."""
        return "\n".join(sorted(str(order) for order in self.orders))

    @property
    def version(self) -> str:
        """A hash of the orders, for the form that shows them."""
        return version_of_lines(map(str, self.orders))


EMPTY_DRAFT = DraftOrders(FIRST_DRAFT, True, None)


_rows = PreparedQuery(
    lambda phase, seat: (
        Draft.objects.filter(phase=phase, seat=seat)
        .held()
        .order_by("pk", "orders__pk")
        .values_list("name", "live", "saved_at", "orders__canonical")
    ),
    int,
    int,
)


def read_drafts(seat: Seat, phase: Phase) -> tuple[DraftOrders, ...]:
    """Return the drafts that the holder of the seat wrote for the phase; one of them is live."""
    headings: dict[str, tuple[bool, dt.datetime]] = {}
    orders: dict[str, list[Order]] = {}
    for name, live, saved_at, canonical in _rows.read(phase.pk, seat.pk):
        headings.setdefault(name, (bool(live), saved_at))
        own = orders.setdefault(name, [])
        if canonical is not None:
            own.append(order_from_json(canonical))
    drafts = tuple(
        DraftOrders(name, live, saved_at, tuple(orders[name]))
        for name, (live, saved_at) in headings.items()
    )
    return drafts if any(draft.live for draft in drafts) else (EMPTY_DRAFT, *drafts)


# A viewer's newest signed receipt, read with the submissions of the open phase.


@dataclass(frozen=True, slots=True)
class LastSave:
    """The digest and the time of the newest signed receipt."""

    digest: str
    at: dt.datetime


def with_last_save(submissions: QuerySet[Submission], user_id: int) -> QuerySet[Submission]:
    """Return the submissions, each with the newest receipt that the person got for it."""
    own = SaveReceipt.objects.filter(
        phase=OuterRef("phase"), seat=OuterRef("seat"), user=user_id
    ).order_by("-pk")
    return submissions.annotate(
        receipt_digest=Subquery(own.values("digest")[:1]), receipt_at=Subquery(own.values("at")[:1])
    )


def last_save_of(submission: Submission | None) -> LastSave | None:
    """Return the receipt that `with_last_save` read, if there is one."""
    read: dict[str, object] = vars(submission) if submission else {}
    digest, at = read.get("receipt_digest"), read.get("receipt_at")
    return LastSave(digest, at) if isinstance(digest, str) and isinstance(at, dt.datetime) else None


# The rows of one game that a viewer may see, each read once. They never leave `viewpoint`.


_seats_of_game = PreparedQuery(
    lambda game: (
        Seat.objects.filter(game=game)
        .select_related("user__figures")
        .annotate(was_played=Exists(Tenure.objects.filter(seat=OuterRef("pk")).exclude(user=None)))
        .order_by("pk")
    ),
    int,
)
_submissions = PreparedQuery(
    lambda phase, person: with_last_save(Submission.objects.filter(phase=phase), person), int, int
)


class GameRows:
    """The rows of a game, each read when it is first used.

    `draft` is the name of the viewer's draft to show; by default it is the live one. `by_code` says
    whether only an invitation code opened the game. Raises `NoSuchGame` if the viewer may not see
    the game.
    """

    by_code = False

    def __init__(self, slug: str, viewer: Viewer, *, code: str = "", draft: str = "") -> None:
        self.viewer = viewer
        self._draft = draft
        game = find_game(slug, viewer)
        self.by_code = game is None
        game = game or game_by_code(slug, code)
        if game is None:
            raise GameCanceled if is_canceled(slug) else NoSuchGame
        self.game: Game = game
        self._known_seats: Sequence[Seat] | None = None

    @classmethod
    def of_known(
        cls, game: Game, viewer: Viewer, phase: Phase | None, seats: Sequence[Seat]
    ) -> Self:
        """Return the rows of a game whose newest phase and seats have already been read."""
        rows = cls.__new__(cls)
        rows.viewer, rows._draft, rows.game, rows._known_seats = viewer, "", game, seats
        rows.phase = phase
        return rows

    @cached_property
    def chart(self) -> Chart:
        """The map."""
        return self.game.map

    @cached_property
    def board(self) -> Board:
        """The board of the current phase, with the agreed number of centers needed to win."""
        return self.game.board_at(self.position.phase)

    @cached_property
    def players(self) -> tuple[tuple[Power, ...], ...]:
        """The powers of each player now."""
        return self.game.players_at(self.played_in)

    @cached_property
    def played_in(self) -> JudgePhase:
        """The phase that decides who plays what: in a finished game, the last one processed.

        The phase after it could reveal a coin flip that was never made public, unless the coin flip
        decided the game.
        """
        if self.phase is None or self.phase.processed_at is None:
            return self.position.phase
        judged = JudgePhase.parse(self.phase.name)
        played = set(chain(*self.game.players_at(judged)))
        winners = self.game.ending.winners if self.game.ending else ()
        return judged if played.issuperset(winners) else self.position.phase

    @cached_property
    def colors(self) -> dict[str, str]:
        """The color of every power."""
        return self.game.power_colors(self.seats)

    @cached_property
    def options(self) -> Options:
        """The options of the game."""
        return self.game.options

    @cached_property
    def is_running(self) -> bool:
        """Whether the game has started and is not over."""
        return self.game.status == Status.RUNNING

    @cached_property
    def is_finished(self) -> bool:
        """Whether the game is over."""
        return self.game.status == Status.FINISHED

    @cached_property
    def phases(self) -> QuerySet[Phase]:
        """The phases that were not rolled back, up to the newest one that was read."""
        if self.phase is None:
            return self.game.phases.none()
        return self.game.phases.filter(superseded_at=None, sequence__lte=self.phase.sequence)

    @cached_property
    def processed(self) -> QuerySet[Phase]:
        """The phases that were processed when the newest was read, so that all reads agree."""
        return self.phases.filter(sequence__lte=self.last_processed).exclude(processed_at=None)

    @cached_property
    def last_processed(self) -> int:
        """The greatest number that a phase in `processed` can have; 0 if there is none."""
        if self.phase is None:
            return 0
        return self.phase.sequence - (self.phase.processed_at is None)

    @cached_property
    def own_powers(self) -> tuple[Power, ...]:
        """The viewer's powers; none before countries are assigned."""
        return self.powers_at(self.own_seat) if self.own_seat else ()

    @cached_property
    def seats(self) -> list[Seat]:
        """The seats in board order, or in order of arrival before countries are assigned.

        While names are hidden, that order would tell who has which seat in the waiting room, so
        people come in the order of their tokens, and then bots.
        """
        rows = self._known_seats
        if rows is None:
            rows = _seats_of_game.read(self.game.pk)
            for row in rows:
                row.game = self.game
        if self.hides_seats:
            return sorted(rows, key=lambda row: (bool(row.bot), make_token(row)))
        ranks = {str(info.power): rank for rank, info in enumerate(self.board.powers)}
        return sorted(rows, key=lambda row: ranks.get(row.power or "", 0))

    @cached_property
    def unrated(self) -> Unrated | None:
        """Why the game is unrated as things stand, or None if it is rated."""
        people = sum(bool(row.user_id or vars(row).get("was_played")) for row in self.seats)
        ending = self.game.ending
        return (
            find_unrated(people, ending.reason, len(ending.winners))
            if ending
            else find_unrated(people)
        )

    @cached_property
    def masked(self) -> bool:
        """Whether the names of the players are hidden: see `names`."""
        return is_masked(self.game)

    @cached_property
    def hides_seats(self) -> bool:
        """Whether the seats of others must look alike: in the waiting room of a masked game."""
        return self.masked and self.game.status == Status.FORMING

    @cached_property
    def own_seat(self) -> Seat | None:
        """The viewer's seat."""
        if self.viewer.user_id is None:
            return None
        return next((row for row in self.seats if row.user_id == self.viewer.user_id), None)

    @cached_property
    def tenures(self) -> list[Tenure]:
        """The tenures of all seats, newest first."""
        rows = Tenure.objects.filter(seat__game=self.game).select_related("user")
        return list(rows.order_by("-pk"))

    @cached_property
    def past_seats(self) -> list[tuple[int, str]]:
        """The seats the viewer has held and how each was left; empty if no seat is vacant."""
        if self.viewer.user_id is None or not any(row.vacated_at for row in self.seats):
            return []
        tenures = Tenure.objects.filter(seat__game=self.game, user=self.viewer.user_id)
        return list(tenures.values_list("seat_id", "left"))

    @cached_property
    def phase(self) -> Phase | None:
        """The newest phase: the open one, or the last of a finished game.

        A phase that was opened or processed after the game was read is not returned, because the
        page would mix old and new facts.
        """
        if self.game.status == Status.FORMING:
            return None
        phase = self.game.newest_phase()
        if phase is not None and self.is_running:
            phase.processed_at = phase.results = None
        return phase

    @cached_property
    def position(self) -> Position:
        """The current position; before the start, the starting position."""
        if self.phase is None:
            return self.game.starting_position
        if self.phase.processed_at is not None:
            return self.phase.resolution.next
        return self.phase.position

    @cached_property
    def powers_to_order(self) -> frozenset[Power]:
        """The powers that have something to order in the open phase."""
        if not self.is_running:
            return frozenset()
        disorder = set(self.phase.civil_disorder) if self.phase else set()
        return powers_to_order(self.board, self.position) - disorder

    @cached_property
    def submissions(self) -> dict[int, Submission]:
        """The submissions for the open phase, by seat key."""
        if self.phase is None or not self.is_running:
            return {}
        if self.viewer.user_id is None:
            submissions = list(self.phase.submissions.all())
        else:
            submissions = _submissions.read(self.phase.pk, self.viewer.user_id)
        for row in submissions:
            row.phase = self.phase
        return {row.seat_id: row for row in submissions}

    @cached_property
    def drafts(self) -> tuple[DraftOrders, ...]:
        """The viewer's own drafts in the open phase: the only read of secret orders.

        Exactly one is live, unless the viewer has nothing to order.
        """
        if self.phase is None or self.own_seat is None or self.phase.processed_at is not None:
            return ()
        return read_drafts(self.own_seat, self.phase)

    @cached_property
    def live_draft(self) -> DraftOrders:
        """The draft that counts."""
        return next((draft for draft in self.drafts if draft.live), EMPTY_DRAFT)

    @cached_property
    def shown_draft(self) -> DraftOrders:
        """The draft to show in the order form."""
        named = (draft for draft in self.drafts if self._draft and draft.name == self._draft)
        return next(named, self.live_draft)

    @cached_property
    def played_with(self) -> dict[str | None, tuple[Power, ...]]:
        """For each power, all powers of the player who has it now."""
        return {power: powers for powers in self.players for power in powers}

    def powers_at(self, seat: Seat) -> tuple[Power, ...]:
        """Return the powers that a seat plays now; none before countries are assigned."""
        return self.played_with.get(seat.power, ())

    def has_surrendered(self, seat: Seat) -> bool:
        """Return whether every country of a seat has surrendered."""
        powers = set(self.powers_at(seat))
        return self.phase is not None and bool(powers) and powers <= set(self.phase.civil_disorder)
