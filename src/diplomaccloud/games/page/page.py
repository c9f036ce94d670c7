"""The main page of a game, and the header that all pages of a game share."""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.safestring import SafeString

from diplomaccloud.bots.levels import LEVELS
from diplomaccloud.bots.seats import SEAT_CHOICES, USUAL_BOT
from diplomaccloud.games.bots.page import HintView, present_hint
from diplomaccloud.games.creation.page import RuleLine, describe_rating, describe_rules
from diplomaccloud.games.deadlines.page import ClockWords, describe_takeover, present_clock
from diplomaccloud.games.deadlines.read import Clock, ClockState, find_stopped_clock, read_clock
from diplomaccloud.games.following.read import read_own_follow
from diplomaccloud.games.hall.page import find_preview_url
from diplomaccloud.games.lobby.page import Opponents, present_opponents
from diplomaccloud.games.lobby.read import read_guests
from diplomaccloud.games.master.page import MasterPowers, present_master_powers
from diplomaccloud.games.master.read import must_ask_players
from diplomaccloud.games.next_game.page import MusterView, present_muster
from diplomaccloud.games.orders.page import OrderForm, present_order_form
from diplomaccloud.games.record.read import RecordEnd, read_record_end
from diplomaccloud.games.results.page import (
    EndingView,
    PhaseLink,
    PhaseReport,
    draw_position,
    link_phase,
    list_past_results,
    list_phases,
    present_ending,
    report_turn,
)
from diplomaccloud.games.results.read import (
    LogLine,
    read_draw_results,
    read_newest_lines,
    read_newest_name,
)
from diplomaccloud.games.seats.page import (
    ColorChoices,
    PowerUnits,
    Seats,
    can_resign,
    list_colors,
    list_units,
    present_seats,
)
from diplomaccloud.games.seats.read import (
    NO_COLOR,
    SeatView,
    VacantSeat,
    count_ready,
    list_giving,
    list_relationships,
    list_vacant,
    read_seats,
)
from diplomaccloud.games.seats.wording import name_master
from diplomaccloud.games.table.options import Start
from diplomaccloud.games.table.read import Guest, Reader
from diplomaccloud.games.votes.page import VotesView, present_votes
from diplomaccloud.games.votes.read import is_last_player, read_draw_vote, read_votes
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.maps.gallery import MapPicture, build_map_picture
from diplomaccloud.schedule import describe_schedule
from diplomaccloud.schedule.descriptions import join_words
from diplomaccloud.shared.links import find_url

NO_PICTURE = SafeString("")

_FIRST_THINKER = next(level.number for level in LEVELS if level.budget)
"""The lowest level of bots that look ahead."""


@dataclass(frozen=True, slots=True)
class GameHeader:
    """The header of every page of a game.

    `due_at` is when orders close at the latest. `summary` is the game in one sentence, for previews
    of links.
    """

    slug: str
    url: str
    world: str
    map_name: str
    map_url: str
    status: str
    phase: str
    phase_title: str
    season: str
    year: int
    stage: str
    sequence: int
    due_at: dt.datetime | None
    private: bool
    creator: str
    victory_centers: int
    end_year: int | None
    version: int
    suspended: bool
    frozen: bool
    orders_url: str
    sketch_url: str
    live_url: str
    picture_url: str
    summary: str


@dataclass(frozen=True, slots=True)
class GameStatus:
    """The status of a game on its pages.

    `draw_vote` is what the viewer wrote with the orders (`none`, `draw`, `surrender`), blank
    for a viewer without a vote. `draw_result` says how votes on a draw ended in the open phase.
    `votes` is None for viewers who do not play. `asks_code` says
    that the viewer needs the game's code to take a seat, and `asks_players` that the other players
    decide whether a bot takes one. `giving` are the seats of bots that a viewer without a seat may
    take. `takeover` says how much time a player has who takes over a
    seat now, and `may_extend` that such a player can ask for more.
    """

    clock: Clock | None
    clock_words: ClockWords | None
    lines: tuple[LogLine, ...]
    master: str
    is_master: bool
    votes: VotesView | None
    draw_vote: str
    draw_result: str
    vacant: tuple[VacantSeat, ...]
    giving: tuple[tuple[SeatView, str], ...]
    surrendered: bool
    can_take: bool
    takeover: str
    may_extend: bool
    asks_code: bool
    can_resign: bool
    is_last_player: bool
    can_seat_bot: bool
    asks_players: bool
    bots: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GameView:
    """Everything one viewer may see of a game now.

    `order_form` is None for a viewer without orders to give. `your_move` is whether the game is
    waiting for orders that the viewer has not saved yet. `recent` are the last movement phase and
    the phases after it, oldest first. `ranked_by` is `centers` or `pieces`. A game is `unsaved`
    until its guest sends the first orders. `by_code` is whether only an invitation code opened it.
    `has_thinkers` is whether a bot looks ahead, so that a turn may wait for it. `follows` is None
    for a viewer who cannot follow the game. Fields with a
    default are left out of the game's other pages.
    """

    header: GameHeader
    seats: tuple[SeatView, ...]
    you: SeatView | None
    picture: MapPicture
    phases: tuple[PhaseLink, ...]
    can_join: bool
    can_leave: bool
    can_start: bool
    can_manage: bool
    start_hint: str
    empty_seats: int
    seat_count: int
    fillers: Opponents
    schedule: str
    free_seats: tuple[int, ...]
    readiness: str
    code: str
    invite_url: str
    ending: EndingView | None
    status: GameStatus
    idle: tuple[str, ...]
    masked: bool
    record: RecordEnd | None
    invited: bool
    ranked_by: str
    unrated: str
    has_bots: bool
    has_thinkers: bool
    overlay: SafeString = NO_PICTURE
    order_form: OrderForm | None = None
    your_move: bool = False
    units: tuple[PowerUnits, ...] = ()
    recent: tuple[PhaseReport, ...] = ()
    rules: tuple[RuleLine, ...] = ()
    master_powers: MasterPowers | None = None
    guests: tuple[Guest, ...] = ()
    color_choices: tuple[ColorChoices, ...] = ()
    unsaved: bool = False
    hint: HintView | None = None
    by_code: bool = False
    muster: MusterView | None = None
    relationships: tuple[str, ...] = ()
    follows: bool | None = None


def present_game(reader: Reader, known: Collection[str] = ()) -> GameView:
    """Return the game as it is now, with picture and order form.

    `known` are territories that the page has already.
    """
    seats, clock = present_seats(reader), read_clock(reader)
    page = _present(reader, seats, clock, full=True)
    own_orders = reader.shown_draft.orders
    # The arrows of the last turn stay until the first new order.
    past_results = () if own_orders or reader.is_forming else list_past_results(reader)
    guests = reader.is_forming and reader.game.is_creator
    is_offer = reader.is_forming or reader.by_code
    is_open = reader.is_running and clock is not None and not clock.closed
    if reader.is_forming:
        page = replace(page, relationships=list_relationships(reader))
    elif reader.is_finished or reader.by_code or page.status.vacant or page.status.giving:
        # Who looks for a country to play reads about all of them at once.
        page = _add_powers(page, reader, seats)
    return replace(
        page,
        overlay=draw_position(reader, reader.position, own_orders, past_results, known),
        order_form=present_order_form(reader, seats, clock),
        hint=present_hint(reader),
        your_move=is_open and reader.must_order and reader.own_submission.saved_at is None,
        recent=report_turn(reader, seats, page.phases),
        rules=describe_rules(reader) if is_offer else (),
        master_powers=present_master_powers(reader) if is_offer else None,
        guests=read_guests(reader) if guests else (),
        by_code=reader.by_code,
        muster=present_muster(reader),
        follows=read_own_follow(reader),
    )


POWERS, VOTES, CONDITIONS = "powers", "votes", "conditional-orders"
"""The parts of the page of a game that are fetched when they are shown."""


def present_part(reader: Reader, name: str) -> GameView | None:
    """Return a game that has begun with what one of its parts shows; None if there is none."""
    seats, clock = present_seats(reader), read_clock(reader)
    page = _present(reader, seats, clock, full=True)
    if name == POWERS:
        return _add_powers(page, reader, seats)
    form = present_order_form(reader, seats, clock, with_conditions=name == CONDITIONS)
    is_shown = form and form.conditions if name == CONDITIONS else page.status.votes
    return replace(page, order_form=form) if is_shown else None


def _add_powers(page: GameView, reader: Reader, seats: Seats) -> GameView:
    # What a person should know who may take a seat.
    offers = page.status.can_take or page.status.giving
    return replace(
        page,
        units=list_units(reader, seats),
        color_choices=list_colors(reader, seats),
        relationships=list_relationships(reader) if offers else (),
    )


def present_unsaved_game(reader: Reader, *, url: str, sketch_url: str) -> GameView:
    """Return a game that is stored once its first orders are sent to `url`.

    It shows the board and the order form, and leaves out what needs a stored game.
    """
    page = _add_powers(present_game(reader), reader, present_seats(reader))
    form = page.order_form
    return replace(
        page,
        unsaved=True,
        hint=None,
        header=replace(
            page.header, url=url, orders_url=url, sketch_url=sketch_url, live_url="", private=False
        ),
        order_form=form and replace(form, drafts=(), conditions=None, last_save=None),
        status=replace(
            page.status, votes=None, draw_vote="", can_resign=False, can_take=False, lines=()
        ),
        record=None,
        color_choices=(),
    )


def present_summary(reader: Reader) -> GameView:
    """Return the game without picture and order form, for its other pages."""
    seats = present_seats(reader)
    return replace(
        _present(reader, seats, read_clock(reader), full=False),
        rules=describe_rules(reader),
        master_powers=present_master_powers(reader),
    )


def present_state(reader: Reader) -> dict[str, object]:
    """Return the public state that a page polls for if it gets no live events."""
    phase = reader.phase
    votes = read_votes(reader) if reader.is_running else None
    return {
        "version": reader.version,
        "phase": phase.sequence if phase else 0,
        "status": reader.game.status.value,
        "due_at": phase.due_at.isoformat() if phase and reader.is_running else None,
        "seats": [
            {
                "power": facts.power,
                "ready": facts.ready,
                "vacant": facts.is_vacant,
            }
            for facts in read_seats(reader)
        ],
        # How many votes are open, and how many of them wait for the viewer.
        "votes": [len(votes.open), votes.unanswered] if votes else [0, 0],
        "stopped": find_stopped_clock() is not None,
    }


def _present(reader: Reader, seats: Seats, clock: Clock | None, *, full: bool) -> GameView:
    game, forming = reader.game, reader.is_forming
    empty = len(game.players) - len(seats.all)
    url = find_url("games:detail", game.slug)
    invite_url = f"{url}?code={reader.code}" if game.private else url
    may_join = game.is_signed_in and not reader.has_seat and not game.is_master
    has_bots = any(seat.is_bot for seat in seats.all)
    return GameView(
        header=present_header(reader, url),
        seats=seats.all,
        you=seats.you,
        picture=build_map_picture(game.map_hash, reader.chart),
        phases=list_phases(reader),
        # A bot makes room for a person.
        can_join=forming and may_join and (empty > 0 or has_bots),
        can_leave=forming and reader.has_seat and not game.is_creator,
        can_start=forming and game.is_creator,
        can_manage=forming and game.is_creator,
        start_hint=_describe_start(reader, empty) if forming else "",
        empty_seats=empty if forming else 0,
        seat_count=len(game.players),
        fillers=present_opponents((game.options.fill_with or USUAL_BOT).split(",")),
        schedule=describe_schedule(game.options.schedule) if forming else "",
        free_seats=tuple(range(len(seats.all) + 1, len(game.players) + 1)) if forming else (),
        readiness=_describe_readiness(reader) if forming else "",
        code=reader.code,
        invite_url=invite_url if reader.code else "",
        ending=present_ending(reader, seats),
        status=_present_status(reader, seats, clock, full=full),
        idle=tuple(seats.by_power[power].country for power in reader.idle_powers),
        masked=reader.masked,
        record=read_record_end(reader),
        invited=forming and (game.is_creator or reader.is_invited),
        ranked_by=game.measure.value,
        unrated=describe_rating(reader),
        has_bots=has_bots,
        has_thinkers=any(seat.level >= _FIRST_THINKER for seat in seats.all),
    )


def describe_due(reader: Reader) -> str:
    """Return when orders for the open phase are due, as a sentence; blank without such a phase."""
    clock = read_clock(reader)
    if clock is None:
        return ""
    if clock.state is ClockState.PAUSED:
        return "The game is paused."
    return f"Orders are due {present_clock(clock).when}."


def _describe_readiness(reader: Reader) -> str:
    ready = count_ready(reader)
    people = sum(not seat.holder.bot for seat in read_seats(reader))
    players, are = "player" if people == 1 else "players", "is" if ready == 1 else "are"
    if reader.game.options.start is Start.MUSTER:
        have = "has" if ready == 1 else "have"
        return f"{ready} of {people} {players} {have} confirmed" if ready else ""
    return f"{ready} of {people} {players} {are} ready" if ready else ""


def present_header(reader: Reader, url: str) -> GameHeader:
    """Return the header; `url` is the address of the game."""
    game, phase, now = reader.game, reader.phase, reader.position.phase

    if reader.is_forming:
        summary = "A game of Diplomacy is waiting for players. Come and join."
    elif reader.is_finished:
        summary = "A finished game of Diplomacy: see who won, and how."
    else:
        summary = f"A game of Diplomacy in {now.turn_title}."
    return GameHeader(
        slug=game.slug,
        url=url,
        world=game.world,
        map_name=game.map_name,
        map_url=find_url("maps:detail", game.map_hash),
        status=game.status.value,
        phase=str(now),
        phase_title=now.title,
        season=now.season.word,
        year=now.year,
        stage=now.stage.word,
        sequence=phase.sequence if phase else 0,
        due_at=phase.due_at if phase and reader.is_running else None,
        private=game.private,
        creator=game.creator,
        victory_centers=game.centers_to_win,
        end_year=game.options.ends.last_year,
        version=reader.version,
        suspended=game.suspended,
        frozen=game.frozen,
        orders_url=find_url("games:orders", game.slug),
        sketch_url=find_url("games:preview", game.slug),
        live_url="" if reader.by_code else f"/live/games/{game.slug}",
        picture_url=find_preview_url(reader),
        summary=summary,
    )


def _describe_start(reader: Reader, empty: int) -> str:
    options = reader.game.options
    if options.start is Start.MUSTER:
        return ""
    if options.start is Start.FULL and empty:
        return "The game starts automatically when the last seat is taken."
    if not empty:
        return "Every seat is taken. The game can start."
    # The button counts the bots, and the rules of the game name them.
    if options.fill_with:
        return ""
    return "The game is waiting for players, but its creator can start it with bots."


_LINES = 3
"""The game page shows this many lines of the log."""


def _present_status(reader: Reader, seats: Seats, clock: Clock | None, *, full: bool) -> GameStatus:
    """Return the status of the game; votes and lines of the log only if `full`."""
    game, phase, vacant = reader.game, reader.phase, list_vacant(reader)
    volunteers = game.is_signed_in and not reader.has_seat and not game.is_master
    giving = list_giving(reader, timezone.now()) if volunteers and full else ()
    runs_game = game.is_master or (game.is_creator and game.master is None)
    return GameStatus(
        clock=clock,
        clock_words=present_clock(clock) if clock else None,
        lines=read_newest_lines(reader, _LINES) if full else (),
        master=name_master(game.master),
        is_master=game.is_master,
        votes=present_votes(reader, seats) if full else None,
        draw_vote=read_draw_vote(reader),
        draw_result=read_draw_results(reader).get(phase.sequence, "") if full and phase else "",
        vacant=vacant,
        surrendered=reader.has_surrendered,
        can_take=bool(vacant) and volunteers,
        giving=giving,
        takeover=(
            describe_takeover(clock, returns=reader.has_left)
            if clock and (vacant or giving)
            else ""
        ),
        may_extend=clock is not None and clock.state is ClockState.OPEN,
        asks_code=game.private and not (reader.is_running and reader.has_played_vacant),
        can_resign=can_resign(reader),
        is_last_player=reader.is_running and is_last_player(reader),
        can_seat_bot=bool(vacant) and runs_game,
        asks_players=bool(vacant) and runs_game and must_ask_players(reader),
        bots=SEAT_CHOICES,
    )


@dataclass(frozen=True, slots=True)
class FrameCountry:
    """The viewer's country; `parts` are its powers if it has several."""

    power: str
    country: str
    color: str
    letters: str = ""
    parts: tuple["FrameCountry", ...] = ()


def present_frame(reader: Reader) -> Mapping[str, object]:
    """Return the parts of a `GameView` that its templates `base` and `_pages` show.

    They need fewer queries than the whole page. `phases` has only the last processed phase.
    """
    newest, clock = read_newest_name(reader), read_clock(reader)
    words = present_clock(clock) if clock else None
    last = newest.phase if newest else reader.position.phase
    return {
        "header": present_header(reader, find_url("games:detail", reader.game.slug)),
        "phases": (link_phase(reader.game.slug, newest),) if newest else (),
        "you": _present_country(reader),
        "ending": {"year": last.year} if reader.is_finished else None,
        "status": {"clock": clock, "clock_words": words, "is_master": reader.game.is_master},
    }


def _present_country(reader: Reader) -> FrameCountry | None:
    powers, info, colors = reader.own_powers, reader.board.power_info, reader.colors
    if not powers:
        return None
    letters = find_badge_letters(reader.starting_board)
    parts = tuple(
        FrameCountry(power, info[power].name, colors.get(power, NO_COLOR), letters.get(power, ""))
        for power in powers
    )
    name = reader.own_country or join_words([part.country for part in parts])
    return replace(parts[0], country=name, parts=parts if len(parts) > 1 else ())
