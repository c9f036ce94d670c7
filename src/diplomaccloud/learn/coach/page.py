"""The values of the page of a first game."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import render_orders, render_overlay
from diplomaccloud.judge.orders import Order
from diplomaccloud.learn.boards import WHOLE, Picture, build_replay, rest_after, small_board
from diplomaccloud.learn.coach.comments import Comment, advise, comment_game
from diplomaccloud.learn.coach.first_game import FirstGame, list_turn
from diplomaccloud.learn.steps import read_choices
from diplomaccloud.learn.wording import name_phase
from diplomaccloud.sandbox.animation import JudgedPhase
from diplomaccloud.sandbox.order_choices import Slot, list_slots


@dataclass(frozen=True, slots=True)
class Standing:
    """How many centers a country has."""

    power: Power
    name: str
    color: str
    centers: int
    is_you: bool


@dataclass(frozen=True, slots=True)
class CoachPage:
    """A first game as it stands. `next_season` is the next phase that needs orders."""

    power: Power
    country: str
    picture: Picture
    standings: tuple[Standing, ...]
    next_season: str
    over: bool

    @property
    def centers(self) -> int:
        """How many centers the learner owns."""
        return next(standing.centers for standing in self.standings if standing.is_you)


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """The turn that was just played, with the coach's comments."""

    game: CoachPage
    season: str
    comments: tuple[Comment, ...]
    replay: Mapping[str, object]
    ending: str


@dataclass(frozen=True, slots=True)
class OrdersPage:
    """The open phase, with the coach's advice and the orders to choose."""

    game: CoachPage
    phase: str
    advice: tuple[str, ...]
    slots: tuple[Slot, ...]
    problems: tuple[str, ...]


def build_review(game: FirstGame) -> ReviewPage:
    """Return the page of the last turn; the game has played at least one phase."""
    ending = game.played[-1].resolution.ending
    first, phase = game.played[0], game.played[0].position.phase
    resting = rest_after(_chart(), [played.resolution for played in list_turn(game)])
    return ReviewPage(
        game=_build_game(game, resting.draw(phase.title)),
        season=name_phase(phase),
        comments=comment_game(game),
        replay=build_replay(
            JudgedPhase(_chart(), game.board, first.position, first.resolution), resting
        ),
        ending=ending.reason if ending else "",
    )


def build_orders(
    game: FirstGame, chosen: Sequence[Order] = (), problems: tuple[str, ...] = ()
) -> OrdersPage:
    """Return the page on which the learner orders, with the orders `chosen` before."""
    drawn = render_overlay(_chart(), game.position, title=game.position.phase.title)
    return OrdersPage(
        game=_build_game(game, drawn),
        phase=str(game.position.phase),
        advice=advise(game),
        slots=list_slots(game.board, game.position, game.power, chosen),
        problems=problems,
    )


def _build_game(game: FirstGame, drawn: str) -> CoachPage:
    small, board = small_board(WHOLE), game.board
    centers = Counter(game.position.centers.values())
    powers: list[Power] = sorted(board.power_info, key=lambda power: (-centers[power], power))
    return CoachPage(
        power=game.power,
        country=board.power_info[game.power].name,
        picture=small.show(drawn),
        standings=tuple(
            Standing(
                power,
                board.power_info[power].name,
                small.chart.palette[power],
                centers[power],
                power == game.power,
            )
            for power in powers
        ),
        next_season=name_phase(game.position.phase),
        over=game.over,
    )


def _chart() -> Chart:
    return small_board(WHOLE).chart


def draw_game_sketch(game: FirstGame, texts: tuple[str, ...]) -> str:
    """Return the arrows of the orders that the learner has chosen so far."""
    orders, _ = read_choices(game.board, game.position, game.power, texts)
    return render_orders(_chart(), game.position, orders, labels=Labels.BOTH)
