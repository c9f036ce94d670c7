"""Creating a game, joining it, leaving it and starting it."""

import datetime as dt
import random
import secrets
from collections.abc import Sequence
from dataclasses import replace

from diplomaccloud.atlas.standard.boards import setup_charts
from diplomaccloud.bots.seats import choose_bot, give_character, is_mixture
from diplomaccloud.games.actions import events
from diplomaccloud.games.actions.figures import counted_again
from diplomaccloud.games.actions.lobby.invitations import is_invited
from diplomaccloud.games.actions.lobby.option_checks import GamePlan, plan_faults
from diplomaccloud.games.actions.locks import (
    Now,
    lock_game,
    require_account,
    require_creator,
    require_outsider,
    require_reliability,
    require_seat,
    time_of,
)
from diplomaccloud.games.actions.phases.start import open_phase
from diplomaccloud.games.actions.randomness import derive_secret, make_secret
from diplomaccloud.games.actions.record_lines import add_draw, begin_record
from diplomaccloud.games.actions.seats.country_names import clean_country_name
from diplomaccloud.games.actions.signing import ensure_key
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import BadValue, NoSuchGame, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.models import Game, Seat, Status, Tenure, store_rules
from diplomaccloud.games.options.options import Master, Options, Start, Watch
from diplomaccloud.judge.board import Power
from diplomaccloud.maps.library import standard_hash, store_chart
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.setup_maps import find_map_setup
from diplomaccloud.record.commitments import Purpose, draw_numbers, draw_powers

MAX_UNFINISHED_GAMES = 40
"""How many unfinished games one person may have created."""
SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def random_text(length: int) -> str:
    """Return random characters, none easily confused with another, for addresses and codes."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(length))


@atomic_with_retries
def create_game(
    *, plan: GamePlan, creator_id: int, now: dt.datetime, slug: str, code: str, seed: str
) -> Game:
    """Create a game in the lobby and return it.

    The creator gets the first seat, unless they are only the game master. `seed` is a secret that
    determines the draw of numbers and countries, the characters of bots and the coin flip. Raises
    `Refused` for options that make no sense: see `plan_faults`; and `BadValue` if the creator who
    plays is less reliable than asked.
    """
    unfinished = Game.objects.filter(creator_id=creator_id).exclude(
        status__in=(Status.FINISHED, Status.CANCELED)
    )
    if unfinished.count() >= MAX_UNFINISHED_GAMES:
        raise WrongMoment(
            f"You have reached the limit of {MAX_UNFINISHED_GAMES} unfinished games. "
            "Finish one first."
        )
    chart, options = _choose_board(plan, now)
    if faults := plan_faults(plan, now=now):
        raise Refused(faults[0].what)
    if options.master is not Master.CREATOR:
        try:
            require_reliability(options.reliability, creator_id)
        except NotYourSeat as error:
            raise BadValue("options.reliability", f"{error} You cannot ask for more.") from error
    for bot in (plan.options.fill_with, plan.options.missed.substitute):
        if bot and not is_mixture(bot):
            raise Refused(f"There is no bot called {bot!r}.")
    game = Game(  # type: ignore[misc]  # see TypedJSONField
        slug=slug,
        world=clean_country_name(plan.world, "The world", 40),
        chart=chart,
        rule_set_id=store_rules(plan.rules),
        options=options,
        private=plan.private,
        watchable=options.watch is Watch.ANYONE,
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
    game.save()
    ensure_key(now)
    begin_record(game, now)
    if plan.options.master is not Master.CREATOR:
        Seat.objects.create(game=game, user_id=creator_id)
    events.record(game=game, kind="created", key="created", now=now)
    return game


def _choose_board(plan: GamePlan, now: dt.datetime) -> tuple[StoredChart, Options]:
    """Return the map of the game, or of its setup if that has one, and the game's options."""
    chart = StoredChart.objects.filter(content_hash=plan.map_hash).first()
    if chart is None:
        raise Refused("This map is not in the gallery.")
    own, wanted = find_map_setup(chart), plan.options.setup
    if not wanted or wanted == own:
        return chart, replace(plan.options, setup=own)
    if wanted not in setup_charts() or not (own or chart.content_hash == standard_hash()):
        raise Refused("This setup is only available on the standard map.")
    setup_chart = setup_charts()[wanted]
    key = store_chart(setup_chart.chart, now=now, players=len(setup_chart.setup.players))
    return StoredChart.objects.get(content_hash=key), plan.options


@atomic_with_retries
def join_game(*, slug: str, user_id: int, now: Now, code: str = "") -> Seat:
    """Join a forming game and return the person's seat.

    A private game requires its code, unless the person is invited. If this takes the last seat, the
    game may start.
    """
    game = lock_game(slug)
    now = time_of(now)
    seats = list(game.seats.all())
    known = not game.private or is_invited(game, user_id) or user_id == game.creator_id
    if not known and not secrets.compare_digest(code.encode(), game.code.encode()):
        raise NoSuchGame
    if any(seat.user_id == user_id for seat in seats):
        raise WrongMoment("You are already in this game.")
    require_account(user_id)
    if game.status != Status.FORMING:
        raise WrongMoment("This game has started. You can no longer join it.")
    if game.master_id == user_id:
        raise WrongMoment("You are the game master of this game, so you cannot play in it.")
    require_outsider(game, user_id)
    require_reliability(game.options.reliability, user_id)
    bots = [row for row in seats if row.bot]
    if len(seats) >= len(game.players):
        if not bots:
            raise WrongMoment("All seats of this game are taken.")
        # People have priority: a bot that the creator added gives up its seat.
        bots[-1].delete()
    seat = Seat.objects.create(game=game, user_id=user_id)
    events.record(game=game, kind="joined", key=f"joined {seat.pk}", now=now)
    start_if_full(game, now)
    return seat


def start_if_full(game: Game, now: dt.datetime) -> None:
    """Start the locked game if all seats are taken and it does not wait for its creator."""
    seats = list(game.seats.order_by("pk"))
    if len(seats) == len(game.players) and game.options.start is Start.FULL:
        _start(game, seats, now)


@atomic_with_retries
def leave_game(*, slug: str, user_id: int, now: dt.datetime) -> None:
    """Free the person's seat in a game in the lobby; its creator cannot leave."""
    game = lock_game(slug)
    seat = require_seat(game, user_id)
    if game.status != Status.FORMING:
        raise WrongMoment("This game has started. You can no longer leave the lobby.")
    if game.creator_id == user_id:
        raise WrongMoment("You created this game, so you cannot leave it.")
    events.record(game=game, kind="left", key=f"left {seat.pk}", now=now)
    seat.delete()


@atomic_with_retries
def start_game(*, slug: str, user_id: int, now: Now, bot: str = "") -> Game:
    """Start the game as its creator, and return it; bots fill empty seats.

    The bots are `bot`, or else those that the options name; without either, the game needs a
    player for every seat.
    """
    game = lock_game(slug)
    require_creator(game, user_id, "Only the creator of the game can start it.")
    if game.status != Status.FORMING:
        raise WrongMoment("This game has already started.")
    seats = list(game.seats.order_by("pk"))
    empty = len(game.players) - len(seats)
    bot = bot or game.options.fill_with
    if bot and not is_mixture(bot):
        raise Refused(f"There is no bot called {bot!r}.")
    if empty and not bot:
        raise WrongMoment(f"{empty} more must join before this game can start.")
    bots = [Seat(game=game, bot=choose_bot(bot, number)) for number in range(empty)]
    _start(game, [*seats, *bots], time_of(now))
    return game


def _start(game: Game, seats: list[Seat], now: dt.datetime) -> None:
    """Draw numbers and countries, and open the first phase; `seats` are in the order of joining."""
    is_new = bool(game.seat_secret)
    if not is_new and game.has_record:
        # The game was created before games had these secrets; the draw commits to them.
        game.seat_secret, game.character_secret = make_secret(), make_secret()
    numbers, powers = _draw_numbers(game, len(seats)), _draw_powers(game)
    with counted_again(game):
        for number, seat in zip(numbers, seats, strict=True):
            seat.power, seat.number = powers[number - 1], number
            secret = game.character_secret or game.seed
            seat.bot = give_character(seat.bot, f"{secret} {number}")
            seat.save()
        # In the order of their numbers: keys of tenures must not show who joined when.
        for seat in sorted(seats, key=lambda seat: seat.number or 0):
            Tenure.objects.create(seat=seat, user=seat.user, bot=seat.bot, since_at=now)
        game.status = Status.RUNNING
        game.started_at = now
        game.save(update_fields=["status", "started_at", "seat_secret", "character_secret"])
    game.forget_seats()
    add_draw(game, seats, now, commits=not is_new)
    events.record(game=game, kind="started", key="started", now=now)
    open_phase(game=game, position=game.starting_position, sequence=1, now=now)


def _draw_numbers(game: Game, seats: int) -> Sequence[int]:
    """Return the number of each seat, in the order in which the seats were taken."""
    return draw_numbers(game.seat_secret, seats) if game.seat_secret else range(1, seats + 1)


def _draw_powers(game: Game) -> list[Power]:
    """Return the first power of each seat, in the order of their numbers."""
    powers = [played[0] for played in game.players]
    if game.draw_secret:
        return list(draw_powers(game.draw_secret, powers, len(powers)))
    # The game was created before games had a separate secret for the draw.
    random.Random(f"{game.seed} draw").shuffle(powers)
    return powers
