"""Making a game, joining, leaving and starting it, naming one's country."""

import datetime as dt
import random
import secrets
from dataclasses import dataclass

from django.db import transaction

from diplomaccloud.bots import BOTS
from diplomaccloud.games import events
from diplomaccloud.games.actions.opening import open_phase
from diplomaccloud.games.deadlines import Lengths
from diplomaccloud.games.errors import NoSuchGame, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.models import Game, Seat, Status
from diplomaccloud.games.records import board_of
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
    """What the maker of a game decides; `fill_with` names the bot for empty seats, or is blank."""

    world: str
    map_hash: str
    lengths: Lengths
    rules: RuleSet = DEFAULT
    fill_with: str = ""
    end_year: int | None = None
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
    if plan.fill_with and plan.fill_with not in BOTS:
        raise Refused(f"There is no bot called {plan.fill_with!r}.")
    game = Game.objects.create(
        slug=slug,
        world=_clean_name(plan.world, "The world", 40),
        chart=chart,
        rules=rules_to_json(plan.rules),
        movement_seconds=_seconds(plan.lengths.movement),
        retreat_seconds=_seconds(plan.lengths.retreats),
        build_seconds=_seconds(plan.lengths.adjustments),
        end_year=plan.end_year,
        fill_with=plan.fill_with,
        private=plan.private,
        code=code,
        seed=seed,
        creator_id=creator_id,
        created_at=now,
    )
    if plan.end_year is not None and plan.end_year < board_of(game).first_year:
        raise Refused(f"The game cannot end before {board_of(game).first_year}.")
    Seat.objects.create(game=game, user_id=creator_id)
    events.record(game=game, kind="created", key="created", now=now)
    return game


@transaction.atomic
def join_game(*, slug: str, user_id: int, now: dt.datetime, code: str = "") -> Seat:
    """Return the seat of a person who joins a forming game; a private one asks for its code."""
    game = _locked(slug)
    seats = list(game.seats.all())
    if game.private and not secrets.compare_digest(code.encode(), game.code.encode()):
        raise NoSuchGame
    if any(seat.user_id == user_id for seat in seats):
        raise WrongMoment("You are in this game already.")
    if game.status != Status.FORMING:
        raise WrongMoment("This game has started: nobody can join it now.")
    if len(seats) >= game.chart.players:
        raise WrongMoment("Every seat of this game is taken.")
    seat = Seat.objects.create(game=game, user_id=user_id)
    events.record(game=game, kind="joined", key=f"joined {seat.pk}", now=now)
    return seat


@transaction.atomic
def leave_game(*, slug: str, user_id: int, now: dt.datetime) -> None:
    """Free the person's seat in a forming game; its maker cannot leave."""
    game = _locked(slug)
    seat = _seat(game, user_id)
    if game.status != Status.FORMING:
        raise WrongMoment("This game has started: you cannot leave it any more.")
    if game.creator_id == user_id:
        raise WrongMoment("You made this game, so you cannot leave it.")
    events.record(game=game, kind="left", key=f"left {seat.pk}", now=now)
    seat.delete()


@transaction.atomic
def start_game(*, slug: str, user_id: int, now: dt.datetime) -> Game:
    """Return the game, started: countries drawn from its seed, empty seats given to bots."""
    game = _locked(slug)
    if _seat(game, user_id).user_id != game.creator_id:
        raise NotYourSeat("Only the maker of a game can start it.")
    if game.status != Status.FORMING:
        raise WrongMoment("This game has started already.")
    seats = list(game.seats.order_by("pk"))
    empty = game.chart.players - len(seats)
    if empty and not game.fill_with:
        raise WrongMoment(f"{empty} more must join before this game can start.")
    seats += [Seat(game=game, bot=game.fill_with) for _ in range(empty)]
    powers = [info.power for info in board_of(game).powers]
    random.Random(f"{game.seed} draw").shuffle(powers)
    for seat, power in zip(seats, powers, strict=True):
        seat.power = power
        seat.save()
    game.status = Status.RUNNING
    game.started_at = now
    game.save(update_fields=["status", "started_at"])
    events.record(game=game, kind="started", key="started", now=now)
    open_phase(game=game, position=starting_position(board_of(game)), sequence=1, now=now)
    return game


@transaction.atomic
def name_country(*, slug: str, user_id: int, country: str, now: dt.datetime) -> None:
    """Give the person's country a name of its own; a blank one restores the printed name."""
    game = _locked(slug)
    seat = _seat(game, user_id)
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


def _locked(slug: str) -> Game:
    game = Game.objects.select_for_update().filter(slug=slug).first()
    if game is None:
        raise NoSuchGame
    return game


def _seat(game: Game, user_id: int) -> Seat:
    seat = game.seats.filter(user_id=user_id).first()
    if seat is None:
        raise NoSuchGame if game.private else NotYourSeat("You do not play in this game.")
    return seat


def _clean_name(text: str, default: str, most: int) -> str:
    try:
        name = clean_name(text)
    except ValueError as error:
        raise Refused(str(error)) from error
    if len(name) > most:
        raise Refused(f"A name has at most {most} characters.")
    return name or default


def _seconds(length: dt.timedelta) -> int:
    return int(length.total_seconds())
