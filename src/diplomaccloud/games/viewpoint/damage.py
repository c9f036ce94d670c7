"""Checking whether the stored data of a game can be read, after one of its pages has failed."""

from collections.abc import Iterator

from django.db import Error as DatabaseError

from diplomaccloud.games.models import ConditionalOrders, Game, OrderRow, Phase, Question
from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.conditional_orders import parse_conditional_orders


def is_damaged(slug: str) -> bool:
    """Return whether the game's data cannot be read to show and process its newest phase."""
    game = Game.objects.select_related("chart").filter(slug=slug).first()
    if game is None:
        return False
    try:
        for _ in _read_values(game):
            pass
    except DatabaseError:
        raise
    except Exception:  # damaged data can raise anything
        return True
    return False


def _read_values(game: Game) -> Iterator[object]:
    """Yield the stored values of a game and its newest phase; raise any error in reading them."""
    yield game.options, game.ending, dict(game.coins), game.board
    seats = list(game.seats.all())
    colors = game.power_colors(seats)
    yield [colors[seat.power] for seat in seats if seat.power]
    for vote in game.votes.filter(open=True):
        yield Question(vote.kind), vote.terms
    phase = game.newest_phase()
    if phase is None:
        return
    yield _read_phase(phase)
    for row in ConditionalOrders.objects.filter(phase=phase).select_related("seat"):
        for power in phase.powers_of(row.seat):
            yield parse_conditional_orders(row.text_for(power), game.board, power)


def _read_phase(phase: Phase) -> object:
    """Return the values needed to process the phase, with the results of the live orders."""
    game = phase.game
    orders = [row.canonical for row in OrderRow.objects.live_in(phase)]
    return (
        dict(phase.civil_disorder),
        powers_to_order(game.board, phase.position),
        adjudicate(game.board, phase.position, orders, game.rules, seed="").results,
    )
