"""Making a game, joining, leaving and starting it, naming one's country."""

import datetime as dt
import random
import secrets
from dataclasses import dataclass

from django.db import transaction

from diplomaccloud.bots import BOTS
from diplomaccloud.games import events
from diplomaccloud.games.actions.locks import lock_game, seat_in
from diplomaccloud.games.actions.opening import open_phase
from diplomaccloud.games.errors import NoSuchGame, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.models import Game, Seat, Status, Tenure
from diplomaccloud.games.options import Master, Options
from diplomaccloud.games.records import board_of, options_of, players_of, setup_of
from diplomaccloud.judge.codec import rules_to_json
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.names import clean_name

MOST_GAMES = 40
"""So many unfinished games one person may have made."""
_SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class GamePlan:
    """What the maker of a game decides."""

    world: str
    map_hash: str
    options: Options
    rules: RuleSet = DEFAULT
    private: bool = False


def random_text(length: int) -> str:
    """Return random characters that are hard to confuse, for addresses and codes."""
    return "".join(secrets.choice(_SLUG_ALPHABET) for _ in range(length))


@transaction.atomic
def create_game(
    *, plan: GamePlan, creator_id: int, now: dt.datetime, slug: str, code: str, seed: str
) -> Game:
    """Return a new forming game in which its maker has the first seat."""
    unfinished = Game.objects.filter(creator_id=creator_id).exclude(status=Status.FINISHED)
    if unfinished.count() >= MOST_GAMES:
        raise WrongMoment(f"You have {MOST_GAMES} games under way: finish one first.")
    chart = StoredChart.objects.filter(content_hash=plan.map_hash).first()
    if chart is None:
        raise Refused("This map is not in the gallery.")
    for bot in (plan.options.fill_with, plan.options.missed.substitute):
        if bot and bot not in BOTS:
            raise Refused(f"There is no bot called {bot!r}.")
    game = Game.objects.create(
        slug=slug,
        world=_clean_name(plan.world, "The world", 40),
        chart=chart,
        rules=rules_to_json(plan.rules),
        options=plan.options.to_json(),
        private=plan.private,
        code=code,
        seed=seed,
        creator_id=creator_id,
        master_id=creator_id if plan.options.master is Master.CREATOR else None,
        created_at=now,
    )
    last = plan.options.ends.last_year
    if last is not None and last < board_of(game).first_year:
        raise Refused(f"The game cannot end before {board_of(game).first_year}.")
    Seat.objects.create(game=game, user_id=creator_id)
    events.record(game=game, kind="created", key="created", now=now)
    return game


@transaction.atomic
def join_game(*, slug: str, user_id: int, now: dt.datetime, code: str = "") -> Seat:
    """Return the seat of a person who joins a forming game; a private one asks for its code."""
    game = lock_game(slug)
    seats = list(game.seats.all())
    if game.private and not secrets.compare_digest(code.encode(), game.code.encode()):
        raise NoSuchGame
    if any(seat.user_id == user_id for seat in seats):
        raise WrongMoment("You are in this game already.")
    if game.status != Status.FORMING:
        raise WrongMoment("This game has started: nobody can join it now.")
    if len(seats) >= len(players_of(game)):
        raise WrongMoment("Every seat of this game is taken.")
    seat = Seat.objects.create(game=game, user_id=user_id)
    events.record(game=game, kind="joined", key=f"joined {seat.pk}", now=now)
    return seat


@transaction.atomic
def leave_game(*, slug: str, user_id: int, now: dt.datetime) -> None:
    """Free the person's seat in a forming game; its maker cannot leave."""
    game = lock_game(slug)
    seat = seat_in(game, user_id)
    if game.status != Status.FORMING:
        raise WrongMoment("This game has started: you cannot leave it any more.")
    if game.creator_id == user_id:
        raise WrongMoment("You made this game, so you cannot leave it.")
    events.record(game=game, kind="left", key=f"left {seat.pk}", now=now)
    seat.delete()


@transaction.atomic
def start_game(*, slug: str, user_id: int, now: dt.datetime) -> Game:
    """Return the game, started: countries drawn from its seed, empty seats given to bots."""
    game = lock_game(slug)
    if seat_in(game, user_id).user_id != game.creator_id:
        raise NotYourSeat("Only the maker of a game can start it.")
    if game.status != Status.FORMING:
        raise WrongMoment("This game has started already.")
    seats = list(game.seats.order_by("pk"))
    powers = [played[0] for played in players_of(game)]
    empty = len(powers) - len(seats)
    bot = options_of(game).fill_with
    if empty and not bot:
        raise WrongMoment(f"{empty} more must join before this game can start.")
    seats += [Seat(game=game, bot=bot) for _ in range(empty)]
    random.Random(f"{game.seed} draw").shuffle(powers)
    for seat, power in zip(seats, powers, strict=True):
        seat.power = power
        seat.save()
        Tenure.objects.create(seat=seat, user=seat.user, bot=seat.bot, since_at=now)
    game.status = Status.RUNNING
    game.started_at = now
    game.save(update_fields=["status", "started_at"])
    events.record(game=game, kind="started", key="started", now=now)
    setup = setup_of(game)
    start = setup.position if setup else starting_position(board_of(game))
    open_phase(game=game, position=start, sequence=1, now=now)
    return game


@transaction.atomic
def name_country(*, slug: str, user_id: int, country: str, now: dt.datetime) -> None:
    """Give the person's country a name of its own; a blank one restores the printed name."""
    game = lock_game(slug)
    seat = seat_in(game, user_id)
    if game.status == Status.FINISHED:
        raise WrongMoment("This game is over: its countries keep their names.")
    name = _clean_name(country, "", 30)
    others = game.seats.exclude(pk=seat.pk).values_list("country", flat=True)
    taken = {other.casefold() for other in others if other}
    taken |= {info.name.casefold() for info in board_of(game).powers if info.power != seat.power}
    if name.casefold() in taken:
        raise WrongMoment(f"Another country is called {name}.")
    seat.country = name
    seat.save(update_fields=["country"])
    events.record(game=game, kind="named", now=now)


def _clean_name(text: str, default: str, most: int) -> str:
    try:
        name = clean_name(text)
    except ValueError as error:
        raise Refused(str(error)) from error
    if len(name) > most:
        raise Refused(f"A name has at most {most} characters.")
    return name or default
