"""Why an order of a processed phase had its outcome, explained again from the stored phase."""

from collections.abc import Iterable
from dataclasses import replace

from django.urls import reverse

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import OrderRow, Phase
from diplomaccloud.games.presenters.explanation import ExplanationView, present_explanation
from diplomaccloud.games.viewpoint.game_reader import Rows
from diplomaccloud.games.viewpoint.visibility import Viewer
from diplomaccloud.judge.explain import explain_order


def explanation_view(slug: str, viewer: Viewer, sequence: int, number: int) -> ExplanationView:
    """Return the explanation of one order; raise `NoSuchGame` if the viewer may not see it."""
    phase = Rows(slug, viewer).game.phases.filter(sequence=sequence).first()
    if phase is None:
        raise NoSuchGame
    return explain_in_phase(phase, OrderRow.objects.live_in(phase), number)


def explain_in_phase(phase: Phase, orders: Iterable[OrderRow], number: int) -> ExplanationView:
    """Return the explanation of the order that is `number` among the results, from 0.

    `orders` are those that counted. They are read only for a processed phase, whose orders are
    visible to everyone who may see the game. Raises `NoSuchGame` for any other phase, and if
    there is no such order.
    """
    if phase.processed_at is None:
        raise NoSuchGame
    results = phase.resolution.results
    if number >= len(results):
        raise NoSuchGame
    url = reverse("games:phase", args=[phase.game.slug, phase.sequence])
    view = ExplanationView(phase.sequence, number, url)
    board = phase.board
    explanation = explain_order(
        board,
        phase.position,
        tuple(row.canonical for row in orders),
        number,
        phase.game.rules,
        seed=phase.seed,
    )
    stored = results[number]
    decided = None if explanation is None else (explanation.order, explanation.outcome)
    if explanation is None or decided != (stored.order, stored.outcome):
        return replace(view, known=False)
    return present_explanation(view, board, results, explanation)
