"""Creating a game, with people or only against bots, and checking its options."""

import datetime as dt
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from diplomaccloud.atlas.setups import setup_charts
from diplomaccloud.bots.seats import USUAL_BOT, choose_bot, is_mixture
from diplomaccloud.games.creation.presets import GamePlan, OptionFault
from diplomaccloud.games.lobby.actions import find_member, start_game, start_if_full
from diplomaccloud.games.seats.actions import clean_country_name
from diplomaccloud.games.table import log as events
from diplomaccloud.games.table.errors import (
    BadValue,
    NoSuchPlayer,
    NotYourSeat,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.table.lock import derive_secret, require_reliability
from diplomaccloud.games.table.models import Game, Invitation, Seat, Status, store_rules
from diplomaccloud.games.table.options import (
    MAX_BOTS_ONLY_YEARS,
    Ends,
    Master,
    Missed,
    Options,
    Press,
    Start,
    Watch,
)
from diplomaccloud.games.table.record_lines import begin_record, ensure_key
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.position import starting_position
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.library import find_chart, find_map_setup, standard_hash, store_chart
from diplomaccloud.maps.map_worker import MAP_WORKER, MapRequest
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.stock import choose_stock_map
from diplomaccloud.record.commitments import Purpose
from diplomaccloud.schedule import Calendar, Interval, Lengths, Schedule, format_duration
from diplomaccloud.schedule.local_time import find_zone
from diplomaccloud.setups import setups

MAX_UNFINISHED_GAMES = 40
"""How many unfinished games one person may have created."""
MAX_NEW_WORLDS = 100
"""How many maps outside the gallery, which are stored for games, one person may create games on."""
NO_HOLDERS: Mapping[str, "Holder"] = {}
SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def random_text(length: int) -> str:
    """Return random characters, none easily confused with another, for addresses and codes."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(length))


@dataclass(frozen=True, slots=True)
class Holder:
    """Who gets a power: the bot, or else the person with this screen name, or the creator."""

    bot: str = ""
    name: str = ""


@atomic_with_retries
def create_game(
    *,
    plan: GamePlan,
    creator_id: int | None,
    now: dt.datetime,
    slug: str,
    code: str,
    seed: str,
    holders: Mapping[str, Holder] = NO_HOLDERS,
) -> Game:
    """Create a game in the lobby and return it; `creator_id` is None for a game of the site.

    The creator gets the first seat, unless they are only the game master. `seed` is a secret that
    determines the draw of numbers and countries, the characters of bots and the coin flip. Each of
    the `holders` gets a power without the draw: people are invited, bots and the creator have their
    seats at once, and the game is unrated. Raises `Refused` for options that make no sense: see
    `plan_faults`; and `BadValue` if the creator who plays is less reliable than asked, or for a
    holder who cannot get the power.
    """
    if creator_id is not None:
        _require_few_unfinished(creator_id)
        if plan.options.start is Start.MUSTER:
            raise BadValue("options.start", "Only the site opens games that start with a muster.")
    plan = choose_board(plan, now=now)
    if faults := plan_faults(plan, now=now):
        raise Refused(faults[0].what)
    plays = creator_id is not None and plan.options.master is not Master.CREATOR
    if plays:
        try:
            require_reliability(plan.options.reliability, creator_id or 0)
        except NotYourSeat as error:
            raise BadValue("options.reliability", f"{error} You cannot ask for more.") from error
    for bot in (plan.options.fill_with, plan.options.missed.substitute):
        if bot and not is_mixture(bot):
            raise Refused(f"There is no bot called {bot!r}.")
    chart = StoredChart.objects.defer("text").get(content_hash=plan.map_hash)
    if creator_id is not None and not chart.listed:
        _require_few_new_worlds(creator_id, chart)
    game = Game(  # type: ignore[misc]  # see TypedJSONField
        slug=slug,
        world=clean_country_name(plan.world, "The world", 40),
        chart=chart,
        rule_set_id=store_rules(plan.rules),
        options=plan.options,
        private=plan.private,
        rated=plan.rated and not plan.private and not holders,
        watchable=plan.options.watch is Watch.ANYONE,
        code=code,
        draw_secret=derive_secret(seed, Purpose.DRAW),
        seat_secret=derive_secret(seed, Purpose.SEATS),
        character_secret=derive_secret(seed, Purpose.CHARACTERS),
        creator_id=creator_id,
        master_id=None if plan.options.master is Master.SOFTWARE else creator_id,
        created_at=now,
    )
    if game.setup is not None and game.setup.coin is not None:
        game.coins = {str(game.branch): derive_secret(seed, Purpose.COIN)}
    guests, bots = _find_holders(game, holders, creator_id if plays else None)
    game.save()
    ensure_key(now)
    begin_record(game, now, sorted({*guests.values(), *bots}))
    if plays:
        own = guests.pop(creator_id or 0, "")
        Seat.objects.create(game=game, user_id=creator_id, reserved=own)
    events.record(game=game, kind="created", key="created", now=now)
    _give_powers(game, guests, bots, now)
    return game


def _give_powers(
    game: Game, guests: Mapping[int, Power], bots: Mapping[Power, str], now: dt.datetime
) -> None:
    """Invite people to their powers, and give bots their seats; this may start the game."""
    for guest_id, power in guests.items():
        Invitation.objects.create(game=game, user_id=guest_id, invited_at=now, reserved=power)
        events.record(game=game, kind="invited", now=now)
    for number, (power, bot) in enumerate(bots.items()):
        seat = Seat.objects.create(game=game, bot=choose_bot(bot, number), reserved=power)
        events.record(game=game, kind="joined", key=f"joined {seat.pk}", now=now)
    if bots:
        start_if_full(game, now)


def _find_holders(
    game: Game, holders: Mapping[str, Holder], player_id: int | None
) -> tuple[dict[int, Power], dict[Power, str]]:
    """Return the first power of each person, by key, and the bot of each first power."""
    if holders and game.options.anonymous:
        raise BadValue("holders", "In an anonymous game, all powers are drawn.")
    guests: dict[int, Power] = {}
    bots: dict[Power, str] = {}
    for name, holder in holders.items():
        place = f"holders.{name[:40]}"
        if not (powers := game.played_with.get(name)):
            raise BadValue(place, "Nobody plays this power in the game.")
        if powers[0] in (*bots, *guests.values()):
            raise BadValue(place, "The player of this power is already chosen.")
        if holder.bot:
            if not is_mixture(holder.bot):
                raise BadValue(place, f"There is no bot called {holder.bot[:60]!r}.")
            bots[powers[0]] = holder.bot
            continue
        try:
            person = find_member(holder.name).pk if holder.name else player_id
        except NoSuchPlayer as error:
            raise BadValue(place, str(error)) from error
        if person is None or person == game.master_id != player_id:
            raise BadValue(place, "The game master doesn't play in this game.")
        if person in guests:
            raise BadValue(place, "This person already has a power.")
        guests[person] = powers[0]
    is_drawn = player_id is not None and player_id not in guests
    if len(guests) + len(bots) + is_drawn > len(game.players):
        raise BadValue("holders", "No power is left for you. Give yourself one.")
    return guests, bots


def _require_few_unfinished(creator_id: int) -> None:
    unfinished = Game.objects.filter(creator_id=creator_id).exclude(
        status__in=(Status.FINISHED, Status.CANCELED)
    )
    if unfinished.count() >= MAX_UNFINISHED_GAMES:
        raise WrongMoment(
            f"You have reached the limit of {MAX_UNFINISHED_GAMES} unfinished games. "
            "Finish one first."
        )


def _require_few_new_worlds(creator_id: int, chart: StoredChart) -> None:
    unlisted = StoredChart.objects.filter(listed=False, game__creator_id=creator_id)
    if unlisted.exclude(pk=chart.pk).distinct().count() >= MAX_NEW_WORLDS:
        raise WrongMoment(
            f"You have reached the limit of games on {MAX_NEW_WORLDS} new worlds. "
            "Choose a map from the gallery, or save this one first."
        )


def choose_board(plan: GamePlan, *, now: dt.datetime) -> GamePlan:
    """Return the plan with the map and the setup that its game will have; store a missing map.

    A setup has its own map, and the map of a setup implies the setup. Raises `Refused` for an
    unknown map, and for a setup that the map does not have.
    """
    chart = StoredChart.objects.filter(content_hash=plan.map_hash).first()
    if chart is None:
        raise Refused("This map is not in the gallery.")
    map_setup, wanted = find_map_setup(chart), plan.options.setup
    if not wanted or wanted == map_setup:
        return replace(plan, options=replace(plan.options, setup=map_setup))
    if wanted not in setup_charts() or not (map_setup or chart.content_hash == standard_hash()):
        raise Refused("This setup is only available on the standard map.")
    setup_chart = setup_charts()[wanted]
    key = store_chart(setup_chart.chart, now=now, players=len(setup_chart.setup.players))
    return replace(plan, map_hash=key)


def find_setup(map_hash: str, players: Iterable[Iterable[str]], wanted: str = "") -> str:
    """Return the setup of a map in which the players have these powers, or blank for its own.

    Only the setup `wanted` will do, if there is one. Raises `BadValue` if no setup fits.
    """
    chart = StoredChart.objects.get(content_hash=map_hash)
    own, known = find_map_setup(chart), setups()
    offered = {own: known[own].players} if own else {"": _list_players(map_hash)}
    if own or map_hash == standard_hash():
        offered |= {name: known[name].players for name in setup_charts()}
    groups = sorted(map(sorted, players))
    for name, each in offered.items():
        if wanted in ("", name) and sorted(map(sorted, each)) == groups:
            return name
    raise BadValue("players", "This map has no start in which the players have these powers.")


def _list_players(map_hash: str) -> tuple[tuple[Power, ...], ...]:
    return tuple((info.power,) for info in find_chart(map_hash).board.powers)


MIN_GRAY_PHASE = dt.timedelta(hours=1)
"""In shorter phases, gray messages would appear only after the phase has ended."""


def plan_faults(plan: GamePlan, *, now: dt.datetime) -> tuple[OptionFault, ...]:
    """Return the faults in the options of a plan; faults about its map only if the map exists."""
    options, chart = plan.options, StoredChart.objects.filter(content_hash=plan.map_hash)
    faults = [
        *_find_cap_faults(options),
        *_find_date_faults(options, now),
        *_find_press_faults(options),
        *_find_seat_faults(options),
    ]
    if (row := chart.defer("text").first()) is not None:
        faults += _find_map_faults(plan, options.setup or find_map_setup(row))
    return tuple(faults)


def _find_map_faults(plan: GamePlan, setup_name: str) -> Iterator[OptionFault]:
    setup, ends, owner = setups().get(setup_name), plan.options.ends, "A country"
    board = setup.board if setup else find_chart(plan.map_hash).board
    position = setup.position if setup else starting_position(board)
    owned = Counter(position.centers.values())
    most = max(owned.values(), default=0)
    if setup is not None and setup.shared_centers is not None:
        most = max(sum(owned[power] for power in powers) for powers in setup.players)
        owner = "A player"
    needed, available = ends.centers, len(board.centers)
    if needed is not None and needed > available:
        yield OptionFault(
            "centers", f"This map has only {available} centers, so no player can own {needed}."
        )
    elif needed is not None and needed <= most:
        has = f"{most} center{'s' if most != 1 else ''}"
        why = f"{owner} begins with {has}, so winning must require more than that."
        yield OptionFault("centers", why)
    if ends.last_year is not None and ends.last_year < board.first_year:
        yield OptionFault("last_year", f"The game cannot end before {board.first_year}.")


def _find_cap_faults(options: Options) -> Iterator[OptionFault]:
    caps = options.schedule.caps
    for part, longest, total in (
        ("extension", caps.extension, caps.extensions),
        ("pause", caps.pause, caps.pauses),
    ):
        if longest > total:
            limit = format_duration(total)
            why = f"One {part} cannot be longer than the total allowed for a phase, {limit}."
            if not total:
                why = f"The total for all {part}s of a phase is zero, so leave this blank too."
            yield OptionFault(part, why)


def _find_date_faults(options: Options, now: dt.datetime) -> Iterator[OptionFault]:
    last, zone = options.ends.date, find_zone(options.schedule.plan.zone)
    if last is not None and last < now.astimezone(zone).date():
        day = f"{last:%B} {last.day}, {last.year}"
        yield OptionFault("date", f"The game cannot end on {day}, which is in the past.")


def _find_seat_faults(options: Options) -> Iterator[OptionFault]:
    if options.bots_give_way and options.anonymous:
        yield OptionFault(
            "bots_give_way",
            "In an anonymous game nobody sees which seats are bots, so people cannot take them.",
        )


def _find_press_faults(options: Options) -> Iterator[OptionFault]:
    talk = options.talk
    shortest, for_moves = _measure_phases(options.schedule.plan)
    if talk.gray and options.press is Press.NONE:
        yield OptionFault("gray", "A game without press has no gray messages either.")
    elif talk.gray and shortest < MIN_GRAY_PHASE:
        yield OptionFault(
            "gray",
            "Gray messages appear every quarter of an hour, "
            "so every phase must last at least an hour.",
        )
    if talk.master_reads and options.press is Press.NONE:
        yield OptionFault("master_reads", "A game without press has no private messages.")
    elif talk.master_reads and options.master is not Master.CREATOR:
        yield OptionFault(
            "master_reads",
            "Only a game master who does not play may read messages. Choose yourself as game "
            "master without playing, or turn this off.",
        )
    if talk.writing and options.press is not Press.RULEBOOK:
        yield OptionFault("writing", "Only press as in the rulebook has quiet time. Leave it at 0.")
    elif talk.writing and talk.writing >= for_moves:
        yield OptionFault("writing", "Quiet time must be shorter than the time for moves.")


def _measure_phases(plan: Interval | Calendar) -> tuple[dt.timedelta, dt.timedelta]:
    """Return the length of the shortest phase, and the shortest time for moves."""
    if isinstance(plan, Interval):
        movement, *others = plan.lengths.movement, plan.lengths.retreats, plan.lengths.adjustments
        return min(movement, *others), movement
    spans = (plan.least, plan.retreats, plan.adjustments)
    return min(span for span in spans if isinstance(span, dt.timedelta)), plan.least


# Games against bots, created and started in one step.


_WEEK = dt.timedelta(days=7)


def new_map(*, now: dt.datetime) -> str:
    """Return the hash of a map that few or no people have played on.

    It is a certified map from the stock, or a newly made map if the stock is empty.
    """
    ready = choose_stock_map()
    if ready is not None:
        return ready
    try:
        return store_chart(MAP_WORKER.make(MapRequest(secrets.token_hex(8))), now=now)
    except NoMapError as error:
        raise Refused(str(error)) from error


def plan_solo(
    map_hash: str, bot: str, *, name: str = "", private: bool = False, hints: bool = True
) -> GamePlan:
    """Return the plan of a game of one person against bots, named `name` or after the map."""
    chart = find_chart(map_hash)
    return GamePlan(
        world=name or chart.world,
        map_hash=map_hash,
        options=Options(
            schedule=Schedule(Interval(Lengths(_WEEK, _WEEK, _WEEK))),
            fill_with=bot,
            missed=Missed(limit=0),
            hints=hints,
            ends=Ends(last_year=chart.board.first_year + MAX_BOTS_ONLY_YEARS - 1),
        ),
        private=private,
    )


def make_solo(plan: GamePlan) -> GamePlan:
    """Return the plan changed to a game of one person against bots, without deadlines."""
    choices, usual = plan.options, plan_solo(plan.map_hash, plan.options.fill_with or USUAL_BOT)
    options = replace(
        usual.options,
        setup=choices.setup,
        hints=choices.hints,
        ends=replace(
            choices.ends, last_year=choices.ends.last_year or usual.options.ends.last_year
        ),
    )
    return replace(plan, options=options, private=True)


def play_solo(*, user_id: int, plan: GamePlan, now: dt.datetime, seed: str) -> str:
    """Start a game with one person, and bots in all other seats; return its slug."""
    game = create_game(
        plan=plan,
        creator_id=user_id,
        now=now,
        slug=random_text(10),
        code=random_text(10),
        seed=seed,
    )
    start_game(slug=game.slug, user_id=user_id, now=now)
    advance(game_id=game.pk, owner=f"start {game.slug}", now=now)
    return game.slug
