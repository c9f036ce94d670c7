"""Whether the stored data of a game can be read, asked after one of its pages has failed."""

from collections.abc import Iterator

from django.db import Error as DatabaseError

from diplomaccloud.games.models import ConditionalOrders, Game, OrderRow, Phase, Question
from diplomaccloud.judge.adjudication import adjudicate, powers_to_order
from diplomaccloud.judge.conditional_orders import parse_conditional_orders


def is_damaged(slug: str) -> bool:
    """Return whether the game cannot be read as its newest phase is shown and processed."""
    game = Game.objects.select_related("chart").filter(slug=slug).first()
    if game is None:
        return False
    try:
        for _ in _read_values(game):
            pass
    except DatabaseError:
        raise
    except Exception:  # whatever damaged data leads to
        return True
    return False


def _read_values(game: Game) -> Iterator[object]:
    """Yield what is stored about a game and its newest phase; raise whatever a reader raises."""
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
    """Return what can be made of the phase; it is resolved as far as its orders are written."""
    game = phase.game
    orders = [row.canonical for row in OrderRow.objects.live_in(phase)]
    return (
        dict(phase.civil_disorder),
        powers_to_order(game.board, phase.position),
        adjudicate(game.board, phase.position, orders, game.rules, seed="").results,
    )
